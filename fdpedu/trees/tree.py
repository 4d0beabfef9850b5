"""The tree that a federation grows: a tree as in chapter 1, with the accounting of how it was released."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fdpedu import cart, files
from fdpedu.accounting import Cost, Derivation
from fdpedu.dlpa import count_noise_shares
from fdpedu.domain import OF_MEANS, Region, require_classes
from fdpedu.exact import Rational
from fdpedu.federation import LeafLabel
from fdpedu.trees.count_interval import intervals_of
from fdpedu.trees.designs.base import TreeDesign
from fdpedu.trees.grid_tree import GridTree
from fdpedu.trees.leaf_release import LeafRelease
from fdpedu.trees.pruning import pruned_node
from fdpedu.trees.regions import leaves_of
from fdpedu.trees.tree_file import from_document, to_document
from fdpedu.trees.tree_paid import n_rounds

CONFIDENCE = Fraction(19, 20)
"""Of each interval in a drawing, for itself; of a pruned tree, of all intervals at once."""
_CAPTION = (
    "In a leaf, of each class: its share, the count that the tree shows, and in brackets where the true number of "
    "training rows lies, {whole} with a confidence of at least 95\u00a0%. The lines show the same, from 0 to the "
    "largest number of the leaf."
)
_OF_NUMBERS = (
    "In a leaf: the mean of the target, as the tree predicts it, and how many rows the released counts add up to."
)
_OF_LABELS = "Of each leaf its class was released, and no counts: so there are no shares and no intervals."


@dataclass(frozen=True, repr=False)
class Tree(GridTree):
    """A private tree. Two with the same nodes and domain are equal, whatever their accounting says.

    Where the domain has a numeric target, it predicts numbers: the mean of the levels that were counted in a leaf.

    Parameters
    ----------
    root : its counts are estimates from what was released, which add up; leaves predict from finer ones
    classes : the domain's; of a target the middles of its levels
    feature_names : the names of the domain's features
    domain : what is public; rows are routed by its codes
    derivation : what the tree has cost, and why
    paid_in : the numbers of the rounds in which it was paid, among all that the derivation has; empty in older files,
        whose derivation has a tree for itself
    design : how it was grown; None in older files
    leaf_releases : the class counts that were released for its leaves; empty in older files, and where leaves have none
        of their own. A tree that is pruned keeps those of the leaves that were merged
    n_parties, tolerate : how many there were, and how many the noise withstands; None in older files
    unfinished : whether its growth failed after something was paid: a leaf that was still to be split or counted
        predicts from what was released of it or above it, or from nothing, with equal shares
    """

    derivation: Derivation = field(compare=False, kw_only=True)
    paid_in: tuple[int, ...] = field(default=(), compare=False, kw_only=True)
    design: TreeDesign | None = field(default=None, compare=False, kw_only=True)
    leaf_releases: tuple[LeafRelease, ...] = field(default=(), compare=False, kw_only=True)
    n_parties: int | None = field(default=None, compare=False, kw_only=True)
    tolerate: int | None = field(default=None, compare=False, kw_only=True)
    unfinished: bool = field(default=False, compare=False, kw_only=True)

    @property
    def rounds(self) -> int:
        """The number of rounds that it took."""
        return len(self.paid_in) or n_rounds(self.derivation)

    @property
    def cost(self) -> Cost:
        """The most that a record has paid for this tree, whatever else its budget has paid for."""
        return self.derivation.cost_of(self.paid_in)

    def pruned(self) -> Tree:
        """The tree whose sibling leaves of one label are merged; it predicts the same labels, and costs nothing more.

        Claims: lem-pruning-free

        Raises
        ------
        ValueError
            If of its leaves only labels were released, it predicts numbers, or it comes from an older file: without
            ``leaf_releases`` payment of its leaves cannot be checked.
        """
        require_classes(self.domain, "pruning", OF_MEANS)
        if self.design is None:
            raise ValueError("a tree from an older file cannot be pruned: it does not keep what its leaves released")
        if self.has_labels_only:
            raise ValueError("a tree of labels only cannot be pruned: what was released of each leaf is kept")
        design: Any = self.design  # each is a dataclass with this field
        return replace(self, root=pruned_node(self.root), design=replace(design, prune=True))

    def noise_shares(self) -> tuple[int, int]:
        """(K, m): how many shares the noise of a release has, and how many of them make up the full noise.

        Raises
        ------
        ValueError
            If leaves have no releases of their own, so that their counts have no intervals.
        """
        if self.has_labels_only:
            raise ValueError("leaves of which only a label was released have no intervals: they have no counts")
        if self.unfinished:
            raise ValueError("a tree that is unfinished has no intervals: not all of its leaves were counted")
        if self.design is not None and not self.design.fresh_leaves:
            raise ValueError("leaves that read the histograms above them have no intervals: their noise was chosen")
        if self.n_parties is None or self.tolerate is None or not self.leaf_releases:
            raise ValueError("a tree from an older file has no intervals: it does not keep what its leaves released")
        return self.n_parties, count_noise_shares(self.n_parties, self.tolerate)

    def releases_by_leaf(self) -> list[list[LeafRelease]]:
        """Of each leaf the releases in its region: one, or those of all leaves that were merged into it."""
        at = {release.region: release for release in self.leaf_releases}
        regions = (region for _, region, _ in leaves_of(self.root, self.domain))
        found = [[at[region]] if region in at else self._releases_within(region) for region in regions]
        if not all(found) or any(len(release.counts) != len(self.classes) for release in self.leaf_releases):
            raise ValueError(
                "a tree has intervals only if each of its leaves has a release with a count for each class; "
                "this one lacks some"
            )
        return found

    def _releases_within(self, region: Region) -> list[LeafRelease]:
        return [release for release in self.leaf_releases if region.contains(release.region)]

    @property
    def has_labels_only(self) -> bool:
        """Whether of a leaf nothing but its label was released."""
        return self.design is not None and self.design.leaf_type == LeafLabel.type

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Class shares, shape (n, C): a function of the leaves, so as private as the tree itself.

        Raises
        ------
        ValueError
            If of a leaf nothing but its label was released, or the tree predicts numbers.
        """
        if self.has_labels_only:
            raise ValueError(
                "predict_proba needs class counts, and of this tree's leaves only labels were released: use predict, "
                "or fit with leaves='counts'"
            )
        return super().predict_proba(X)

    def to_dict(self, node: cart.Node | None = None, *, confidence: Rational | None = None) -> dict[str, Any]:
        """The tree as plain data (the form that ``viz.draw_tree`` takes).

        Parameters
        ----------
        node : where to begin; the root unless given
        confidence : if given, strictly between 0 and 1, each leaf carries ``intervals``: for each class the ends of its
            :class:`CountInterval`. Only for the whole tree

        Raises
        ------
        ValueError
            If intervals are asked for, and the tree has none (:func:`count_intervals`), predicts numbers, or a
            ``node`` is given.
        """
        if confidence is not None:
            require_classes(self.domain, "an interval", OF_MEANS)
        plain = super().to_dict(node)
        if self.has_labels_only:
            plain = _labels_of(plain)
        if confidence is None:
            return plain
        if node is not None:
            raise ValueError("intervals are of the leaves of the whole tree: leave out node, or confidence")
        spans = intervals_of(self.classes, self.noise_shares(), self.releases_by_leaf(), confidence)
        return _with_intervals(plain, ([span.low, span.high] for span in spans))

    def _repr_html_(self) -> str:
        """A drawing, with an interval for each count where leaves have releases of their own; or the text.

        Which leaves a pruned tree shows was chosen by the noise in them. So its intervals hold for all nodes at once.
        """
        from fdpedu.viz import draw_tree
        from fdpedu.viz.tree_nodes import MAX_CLASSES, MAX_DEPTH

        names = self._shown_classes
        if self.depth > MAX_DEPTH or len(names) > MAX_CLASSES:
            return super()._repr_html_()
        if self.domain.target is not None:
            return draw_tree(self.to_dict(), names, title="Regression tree", caption=_OF_NUMBERS)
        if self.has_labels_only:
            return draw_tree(self.to_dict(), names, title="Decision tree", caption=_OF_LABELS)
        at_once = (
            len(self.classes) * (2 * max(1, len(self.leaf_releases)) - 1) if self.design and self.design.prune else 1
        )
        try:
            drawn = self.to_dict(confidence=1 - (1 - CONFIDENCE) / at_once)
        except ValueError:  # an older file, or leaves without releases of their own
            return super()._repr_html_()
        caption = _CAPTION.format(whole="each" if at_once == 1 else "all of them at once")
        return draw_tree(drawn, names, title="Decision tree", caption=caption)

    def to_sklearn_text(self, *, decimals: int | None = None, show_weights: bool = False) -> str:
        """The tree as ``sklearn.tree.export_text`` writes it.

        Parameters
        ----------
        decimals, show_weights : as of any tree; the leaves of a tree of labels have no weights to show

        Raises
        ------
        ValueError
            If weights are asked for, and of a leaf nothing but its label was released, or the tree predicts numbers.
        """
        if self.has_labels_only and show_weights is True:
            raise ValueError("show_weights must be False: of this tree's leaves only labels were released, no counts")
        return super().to_sklearn_text(decimals=decimals, show_weights=show_weights)

    def to_json(self, indent: int | None = 1) -> str:
        """The tree as a document: its nodes, its domain and its derivation; nothing that was not released."""
        return to_document(vars(self), indent)

    @classmethod
    def from_json(cls, text: str, where: str = "the text") -> Tree:
        """The tree of a document.

        Raises
        ------
        FileRefused
            If it was changed, the checker refuses its derivation, or the tree is not the one that was paid for.
        """
        content = from_document(text, where)
        domain = content["domain"]
        return cls(classes=domain.classes, feature_names=tuple(f.name for f in domain.features), **content)

    def save(self, path: files.Location, *, overwrite: bool = False) -> None:
        """Write the tree to a file (the form is on the book's page of file formats)."""
        files.write_text(path, self.to_json(), overwrite=overwrite)

    @classmethod
    def load(cls, path: files.Location) -> Tree:
        """The tree of a file; refused as by :meth:`from_json`."""
        return cls.from_json(files.read_text(path), str(path))


def _labels_of(drawn: dict[str, Any]) -> dict[str, Any]:
    """The same without numbers: there are none but labels."""
    if "label" in drawn:
        return {"label": drawn["label"]}
    return {"test": drawn["test"], **{side: _labels_of(drawn[side]) for side in ("left", "right")}}


def _with_intervals(drawn: dict[str, Any], spans: Iterator[list[int]]) -> dict[str, Any]:
    """The same with the intervals of its leaves, from left to right."""
    if "label" in drawn:
        return {**drawn, "intervals": [next(spans) for _ in drawn["counts"]]}
    return {**drawn, **{side: _with_intervals(drawn[side], spans) for side in ("left", "right")}}
