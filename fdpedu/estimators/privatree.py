"""One owner's tree by the conventions of scikit-learn: around :func:`fdpedu.trees.fit_privatree`."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from fdpedu import cart
from fdpedu.accounting import Ledger
from fdpedu.cart.losses import LOSSES
from fdpedu.domain import Domain
from fdpedu.estimators.base import PrivateClassifier
from fdpedu.estimators.fit_score import NoisyFit
from fdpedu.estimators.scoring import NoisyScore, noisy_score
from fdpedu.estimators.tables import made_owner
from fdpedu.exact import Rational, one_of
from fdpedu.federation import Party
from fdpedu.randomness import Rng
from fdpedu.trees import Tree, fit_privatree


class PrivaTreeClassifier(PrivateClassifier):
    """A differentially private decision tree of one owner of all rows, by the conventions of scikit-learn.

    The rows of ``fit`` are private; what is public is the ``domain``: columns, ranges, categories, classes. Each fit
    releases one tree, which costs ε for adding or removing one row. It is protected against whoever sees the tree; the
    owner sees the rows. Noise is drawn from the operating system unless ``rng`` is given.

    Claims: thm-privatree

    Parameters
    ----------
    domain : a :class:`~fdpedu.domain.Domain`, its specification as a dictionary, or the path of a JSON file. Needed,
        unless ``fit`` is given the owner as a party, which has one
    epsilon : what a fit may cost; None: all that the budget has left
    budget : as in :class:`FederatedTreeClassifier`
    max_depth, splits : as in :func:`~fdpedu.trees.fit_privatree`
    split_score : by which splits are compared: what :func:`~fdpedu.trees.fit_privatree`
        calls ``score``. Here ``score`` is a method, as of every classifier
    edges, edge_bins, leaves, leaf_share, nominal_size : as in :func:`~fdpedu.trees.fit_privatree`
    rng : None for the operating system; a generator is for teaching, and warns

    Attributes
    ----------
    tree_ : the released :class:`~fdpedu.trees.Tree`
    classes_, derivation_, domain_, n_features_in_, feature_names_in_ : as of :class:`FederatedTreeClassifier`
    n_parties_ : 1, the owner

    Notes
    -----
    With ``leaves="labels"`` of a leaf nothing but its class is released. Then there is no ``predict_proba``, and tools
    that look for one find none. With ``leaves="counts"`` there is.

    What :class:`FederatedTreeClassifier` says of copies, of budgets and of cross-validation holds here as well.

    Examples
    --------
    >>> from fdpedu.randomness import Rehearsal
    >>> domain = {"features": {"age": [0, 100, 4]}, "classes": ["well", "ill"]}
    >>> model = PrivaTreeClassifier(domain, max_depth=1, rng=Rehearsal(1))
    >>> ages, states = [[20], [30], [80], [90]] * 90, ["well", "well", "ill", "ill"] * 90
    >>> model.fit(ages, states).predict([[25], [85]]).tolist()
    ['well', 'ill']
    >>> model.n_parties_, hasattr(model, "predict_proba")
    (1, False)
    """

    _kept, _called = "tree_", "tree"

    def __init__(
        self,
        domain: Any = None,
        *,
        epsilon: Rational | None = 1,
        budget: Ledger | str | os.PathLike[str] | None = None,
        max_depth: int = 4,
        splits: str | cart.Tree = "choice",
        split_score: str = "errors",
        edges: str = "public",
        edge_bins: int = 10,
        leaves: str = "labels",
        leaf_share: Rational | Literal["rule"] = "1/5",
        nominal_size: int | None = None,
        rng: Rng = None,
    ) -> None:
        self.domain = domain
        self.epsilon = epsilon
        self.budget = budget
        self.max_depth = max_depth
        self.splits = splits
        self.split_score = split_score
        self.edges = edges
        self.edge_bins = edge_bins
        self.leaves = leaves
        self.leaf_share = leaf_share
        self.nominal_size = nominal_size
        self.rng = rng

    def _require_fit(self, domain: Domain) -> None:
        super()._require_fit(domain)
        one_of(LOSSES, self.split_score, "split_score")

    def _members(self, X: Any, y: Any, parties: Any, domain: Domain) -> list[Party]:
        return made_owner(X, y, parties, domain, type(self).__name__)

    def _grown(self, members: Sequence[Party], domain: Domain, ledger: Ledger) -> Tree:
        return fit_privatree(
            members[0],
            ledger,
            max_depth=self.max_depth,
            epsilon=self.epsilon,
            splits=self.splits,
            score=self.split_score,
            edges=self.edges,
            edge_bins=self.edge_bins,
            leaves=self.leaves,
            leaf_share=self.leaf_share,
            nominal_size=self.nominal_size,
            rng=self.rng,
        )

    def _scored(self, members: Sequence[Party], epsilon: Any, own: dict[str, Any]) -> NoisyScore | NoisyFit:
        return noisy_score(self._released, members[0], epsilon, **own, rng=self.rng)

    @property
    def predict_proba(self) -> Callable[[Any], NDArray[np.float64]]:
        """A share for each class, shape (n, C), of a tree whose leaves have counts; otherwise there is none.

        Raises
        ------
        AttributeError
            Where of a leaf nothing but its label is released.
        """
        labels = self.tree_.has_labels_only if hasattr(self, "tree_") else self.leaves == "labels"
        if labels:
            raise AttributeError(
                f"{type(self).__name__} has no predict_proba with leaves='labels': of a leaf nothing but its class is "
                "released. Use predict, or fit with leaves='counts'"
            )
        return super().predict_proba
