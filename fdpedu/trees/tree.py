"""The tree that a federation grows: a tree as in chapter 1, with the accounting of how it was released."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from fdpedu import cart, files
from fdpedu.accounting import Derivation
from fdpedu.domain import Domain
from fdpedu.exact import Rational
from fdpedu.trees.design import Design
from fdpedu.trees.leaf_release import LeafRelease
from fdpedu.trees.pruning import pruned_node
from fdpedu.trees.tree_file import from_document, to_document

CONFIDENCE = Fraction(19, 20)
"""Of each interval in a drawing, for itself; of a pruned tree, of all intervals at once."""
_CAPTION = (
    "In a leaf, of each class: its share, the count that the tree shows, and in brackets where the true number of "
    "training rows lies, {whole} with a confidence of at least 95\u00a0%. The lines show the same, from 0 to the "
    "largest number of the leaf."
)


@dataclass(frozen=True, repr=False)
class Tree(cart.Tree):
    """A private classification tree. Two with the same nodes and domain are equal, whatever their accounting says.

    Parameters
    ----------
    root : its counts are estimates from what was released, which add up; leaves predict from finer ones
    classes : the domain's
    feature_names : the names of the domain's features
    domain : what is public; rows are routed by its codes
    derivation : what the tree has cost, and why
    rounds : the number of federated rounds that it took
    design : how it was grown; None in older files
    leaf_releases : the class counts that were released for its leaves; empty in older files, and where leaves have none
        of their own. A tree that is pruned keeps those of the leaves that were merged
    n_parties, tolerate : how many there were, and how many the noise withstands; None in older files
    """

    domain: Domain
    derivation: Derivation = field(compare=False, kw_only=True)
    rounds: int = field(compare=False, kw_only=True)
    design: Design | None = field(default=None, compare=False, kw_only=True)
    leaf_releases: tuple[LeafRelease, ...] = field(default=(), compare=False, kw_only=True)
    n_parties: int | None = field(default=None, compare=False, kw_only=True)
    tolerate: int | None = field(default=None, compare=False, kw_only=True)

    def pruned(self) -> Tree:
        """The tree whose sibling leaves of one label are merged; it predicts the same labels, and costs nothing more.

        Claims: lem-pruning-free

        Raises
        ------
        ValueError
            If the tree comes from an older file: without ``leaf_releases`` nobody could see that its leaves were paid.
        """
        if self.design is None:
            raise ValueError("a tree from an older file cannot be pruned: it does not keep what its leaves released")
        return replace(self, root=pruned_node(self.root), design=replace(self.design, prune=True))

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
            If intervals are asked for, and the tree has none (:func:`count_intervals`) or a ``node`` is given.
        """
        plain = super().to_dict(node)
        if confidence is None:
            return plain
        if node is not None:
            raise ValueError("intervals are of the leaves of the whole tree: leave out node, or confidence")
        from fdpedu.trees.intervals import count_intervals

        return _with_intervals(plain, ([span.low, span.high] for span in count_intervals(self, confidence)))

    def _repr_html_(self) -> str:
        """A drawing, with an interval for each count where leaves have releases of their own; or the text.

        Which leaves a pruned tree shows was chosen by the noise in them. So its intervals hold for all nodes at once.
        """
        from fdpedu.viz import draw_tree
        from fdpedu.viz.tree_nodes import MAX_CLASSES, MAX_DEPTH

        if self.depth > MAX_DEPTH or len(self.classes) > MAX_CLASSES:
            return super()._repr_html_()
        at_once = (
            len(self.classes) * (2 * max(1, len(self.leaf_releases)) - 1) if self.design and self.design.prune else 1
        )
        try:
            drawn = self.to_dict(confidence=1 - (1 - CONFIDENCE) / at_once)
        except ValueError:  # an older file, or leaves without releases of their own
            return super()._repr_html_()
        caption = _CAPTION.format(whole="each" if at_once == 1 else "all of them at once")
        return draw_tree(drawn, [str(c) for c in self.classes], title="Decision tree", caption=caption)

    def to_json(self, indent: int | None = 1) -> str:
        """The tree as a document: its nodes, its domain and its derivation; nothing that was not released."""
        return to_document(self, indent)

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

    def save(self, path: files.Location) -> None:
        """Write the tree to a file (the form is on the book's page of file formats)."""
        files.write_text(path, self.to_json())

    @classmethod
    def load(cls, path: files.Location) -> Tree:
        """The tree of a file; refused as by :meth:`from_json`."""
        return cls.from_json(files.read_text(path), str(path))


def _with_intervals(drawn: dict[str, Any], spans: Iterator[list[int]]) -> dict[str, Any]:
    """The same with the intervals of its leaves, from left to right."""
    if "label" in drawn:
        return {**drawn, "intervals": [next(spans) for _ in drawn["counts"]]}
    return {**drawn, **{side: _with_intervals(drawn[side], spans) for side in ("left", "right")}}
