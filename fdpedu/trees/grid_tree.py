"""A tree on the codes of a domain: of classes as any tree; of a numeric target each leaf answers with a mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fdpedu import cart
from fdpedu.domain import OF_MEANS, Domain, require_classes
from fdpedu.printable import decimals_apart, digits_apart
from fdpedu.trees.means import leaf_means


@dataclass(frozen=True, repr=False)
class GridTree(cart.Tree):
    """What trees of a domain have in common, whatever was released or counted for their leaves.

    Parameters
    ----------
    root : its counts are those of classes, or of the levels of a target
    classes : the domain's; of a target the middles of its levels
    feature_names : the names of the domain's features
    domain : what is public; rows are routed by its codes
    """

    domain: Domain

    def predict(self, X: Any) -> NDArray[Any]:
        """The label of each row, shape (n,); of a tree of a target its number, a float (:mod:`fdpedu.trees.means`)."""
        if self.domain.target is None:
            return super().predict(X)
        return np.array(leaf_means(self.root, self.classes))[self.apply(X)]

    def score(self, X: Any, y: ArrayLike) -> float:
        """The share of rows whose predicted label is the given one, as of any tree; refused for numbers.

        It is exact, so for public rows, or for your own eyes: no ε covers it. What may be shown to others is
        ``noisy_score``.

        Parameters
        ----------
        X, y : rows and their labels
        """
        require_classes(self.domain, "score", OF_MEANS)
        return super().score(X, y)

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Class shares, shape (n, C): a function of the leaves, so as private as the tree; refused for numbers."""
        require_classes(self.domain, "predict_proba", OF_MEANS)
        return super().predict_proba(X)

    def to_dict(self, node: cart.Node | None = None) -> dict[str, Any]:
        """The tree as plain data (the form that ``viz.draw_tree`` takes).

        Of a tree of a target: of each leaf the mean, and of each node how many rows were counted.
        """
        if self.domain.target is None:
            return super().to_dict(node)
        means = leaf_means(self.root, self.classes)
        at = {id(leaf): mean for leaf, mean in zip(self.leaves(), means, strict=True)}
        return self._number(self.root if node is None else node, at)

    def _number(self, node: cart.Node, means: Mapping[int, float]) -> dict[str, Any]:
        counts = {"counts": [sum(node.counts)]}
        if node.split is None:
            assert self.domain.target
            mean = means[id(node)]
            return {"mean": mean, "shown": self._number_text(mean), "unit": self.domain.target.unit, **counts}
        assert node.left and node.right
        sides = {"left": self._number(node.left, means), "right": self._number(node.right, means)}
        feature = self.feature_names[node.split.feature]
        return {"test": self.describe_split(node.split), "feature": feature, **counts, **sides}

    def _number_text(self, mean: float) -> str:
        """A mean in as many digits as tell the edges of the target's levels, and their middles, apart."""
        assert self.domain.target
        return f"{mean:.{digits_apart((*self.domain.target.edges, *self.domain.classes))}g}"

    @property
    def _decimals_of_leaves(self) -> int:
        return 2 if self.domain.target is None else decimals_apart(self.domain.target.edges)

    @property
    def _shown_classes(self) -> list[str]:
        return [] if self.domain.target else super()._shown_classes

    def to_sklearn_text(self, *, decimals: int | None = None, show_weights: bool = False) -> str:
        """The tree as ``sklearn.tree.export_text`` writes it; without weights, of a target.

        Parameters
        ----------
        decimals, show_weights : as of any tree
        """
        if show_weights is True:
            require_classes(self.domain, "show_weights", OF_MEANS)
        return super().to_sklearn_text(decimals=decimals, show_weights=show_weights)
