"""Checks of chapter 8: what the transcript of a small tree tells, and what is told by what else is made of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from fdpedu.claims.checking import require
from fdpedu.claims.federations import Rows
from fdpedu.claims.trees.laws_exact import HALF, ONE, universe, worst_of
from fdpedu.privacy import Law, push_forward
from fdpedu.trees.counts import View, estimates_and_counts
from fdpedu.trees.exact_law import SmallTrees, Split, Transcript


def transcripts(trees: SmallTrees, rows: Rows) -> None:
    """Adding up all transcripts gives the recursion's worst ratio; and what they show has the law of the tree."""
    law = trees.transcripts(rows)
    require(push_forward(law, _tree_of) == trees.law(rows), "the trees of the transcripts have another law")
    for record in universe(trees.domain):
        worst, loss = worst_of(law, trees.transcripts([*rows, record])), trees.loss(rows, [*rows, record])
        require(worst == loss.transcript, f"with {record} it is {worst}, by recursion {loss.transcript}")


def _tree_of(transcript: Any) -> Law:
    return {transcript.tree() if isinstance(transcript, Transcript) else transcript: Fraction(1)}


def in_parallel(trees: SmallTrees, rows: Rows) -> None:
    """If each of p features is charged as if it were alone, no tree betrays it, on any of these data; transcripts do.

    Claimed is then (d + leaf_steps)·ln(1/α), where the noise is that of (d·p + leaf_steps)·ln(1/α).
    """
    claimed = (1 / trees.alpha) ** (trees.depth + trees.leaf_steps)
    for record in universe(trees.domain):
        loss = trees.loss(rows, [*rows, record])
        require(loss.tree <= claimed, f"with {record} a tree is {loss.tree} times as likely, claimed is {claimed}")
        require(loss.transcript > claimed, f"with {record} a transcript is {loss.transcript} times as likely at most")


def _add(*counts: Any) -> tuple[int, ...]:
    return tuple(map(sum, zip(*counts, strict=True)))


def pruned(released: Transcript) -> Any:
    """Sibling leaves of one label are merged."""
    tree: Any = released.tree()
    alike = isinstance(tree, Split) and _label(tree.left) == _label(tree.right)
    return _add(tree.left, tree.right) if alike else tree


def _label(counts: Any) -> int:
    return int(np.argmax(counts))


def reused(released: Transcript) -> Any:
    """A leaf shows what was released for it and what its histogram counts, together."""
    low, high = released.cells[:2], released.cells[2:]
    if released.cut is None:
        return _add(released.left, low, high)
    return Split(*released.cut, _add(released.left, low), _add(released.right, high))


def consistent(released: Transcript) -> Any:
    """The shipped estimates and counts that add up, from the histogram and the leaves."""
    whole = View(np.array(_add(released.cells[:2], released.cells[2:])), 2.0)
    own = [View(np.array(side), 1.0) for side in (released.left, released.right) if side]
    views = [[whole, *own]] if released.cut is None else [[whole], *([view] for view in own)]
    estimates, counts = estimates_and_counts([-1, 0, 0][: len(views)], views)
    return released.cut, tuple(estimates), tuple(counts)


def images(shown: Callable[[Transcript], Any], rows: Rows, record: Sequence[Any], against: int) -> None:
    """What is made of the transcript tells at most as much as it; and less than the plain tree, as much, or more.

    ``against`` is −1, 0 or 1: whether its worst ratio is below, at, or above that of the plain tree.
    """
    trees = SmallTrees(ONE, HALF, 1, low=0, high=1)
    laws = [push_forward(trees.transcripts(some), lambda t: {shown(t): 1}) for some in (rows, [*rows, record])]
    worst, loss = worst_of(*laws), trees.loss(rows, [*rows, record])
    require(worst <= loss.transcript, f"its worst ratio is {worst}, that of the transcripts {loss.transcript}")
    side = (worst > loss.tree) - (worst < loss.tree)
    require(side == against, f"its worst ratio is {worst}, that of the plain tree {loss.tree}")


PAIR = [(0.5, "well"), (1.5, "ill")]


def image_cases(_: int) -> Iterator[tuple[Any, ...]]:
    """Each image on the smallest pair on which it tells another thing than the plain tree."""
    yield pruned, [], (0.5, "ill"), 0
    yield pruned, PAIR, (0.5, "ill"), -1
    yield reused, [], (0.5, "ill"), 1
    yield consistent, PAIR, (0.5, "ill"), 1
