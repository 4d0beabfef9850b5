"""What the transcript of a small tree reveals, and what a substitution costs it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.trees.exact_law import HALF, IDEAL, ONE, TWO, both, small_trees, universe, worst_of
from fdpedu.claims.trees.federated import ADD_REMOVE
from fdpedu.domain import Rows
from fdpedu.privacy import Law, push_forward
from fdpedu.trees.counts import View, estimates_and_counts
from fdpedu.trees.exact_law import SmallTrees, Split, Transcript

PAIR = [(0.5, "well"), (1.5, "ill")]


def substitution(trees: SmallTrees, rows: Rows) -> None:
    """One record in another's place: at most e^{2ε}; the transcripts attain it where the classes differ.

    Adding up all trees gives the worst ratio of the recursion along both branches.
    """
    laws = {record: trees.law([*rows, record]) for record in universe(trees.domain)}
    for record, instead in combinations(laws, 2):
        loss = trees.loss([*rows, record], [*rows, instead])
        bound = loss.exp_epsilon**2
        require(loss.tree <= loss.transcript <= bound, f"{record} and {instead}: {loss}")
        require(
            loss.transcript == bound or record[-1] == instead[-1] or not trees.design.unspent_to_leaf,
            f"{record} and {instead}: the worst ratio is {loss.transcript}, e^(2ε) is {bound}",
        )
        worst = worst_of(laws[record], laws[instead])
        require(worst == loss.tree, f"{record} and {instead}: the worst ratio is {worst}, by recursion {loss.tree}")


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


def image_cases(_: int) -> Iterator[tuple[Any, ...]]:
    """Each image on the smallest pair on which it tells another thing than the plain tree."""
    yield pruned, [], (0.5, "ill"), 0
    yield pruned, PAIR, (0.5, "ill"), -1
    yield reused, [], (0.5, "ill"), 1
    yield consistent, PAIR, (0.5, "ill"), 1


CLAIMS = (
    Claim(
        "lem-tree-transcript",
        status="proved+checked",
        code=("fdpedu.trees.exact_law", "fdpedu.trees.small_trees.SmallTrees", "fdpedu.trees.exact_law.tree_loss"),
        checks=(
            Check(
                "transcripts",
                "exhaustive",
                "two bins, depth 0 and 1, data of at most {size} records, all records to add: all transcripts added up",
                transcripts,
                both(
                    small_trees(ONE, 0, 2, "averaged"),
                    small_trees(ONE, 1, 1, "averaged"),
                    small_trees(ONE, 1, 1, "algorithm-5-clipped"),
                ),
                1,
                3,
                more=[
                    (
                        SmallTrees(ONE, HALF, 1, low=-1, high=1, leaf_steps=2, design="algorithm-5-clipped"),
                        [(0.5, "ill")],
                    ),
                    (
                        SmallTrees(ONE, HALF, 2, low=0, high=1, design="algorithm-5-clipped"),
                        [(1.5, "well"), (0.5, "ill")],
                    ),
                ],
            ),
            Check(
                "features in parallel",
                "exhaustive",
                "data of at most {size} records, all records to add: no tree betrays it, and the transcript does",
                in_parallel,
                small_trees(TWO, 2, 1, "algorithm-5-clipped"),
                1,
                3,
            ),
            Check(
                "images",
                "exact",
                "pruned trees, histograms read again, counts that add up, on a smallest pair: beside the plain tree",
                images,
                image_cases,
            ),
        ),
        assumptions=(ADD_REMOVE, "integers", IDEAL),
        uses=("thm-tree-law", "thm-post-processing", "thm-node-histograms"),
    ),
    Claim(
        "lem-substitution-tree",
        status="proved+checked",
        code=("fdpedu.trees.exact_law.tree_loss",),
        checks=(
            Check(
                "substitution",
                "exhaustive",
                "depth 1, three designs, data of at most {size} records beside the two: by recursion and by adding up",
                substitution,
                both(
                    small_trees(TWO, 1, 1, "default", leaf_steps=2),
                    small_trees(TWO, 1, 1, "algorithm-5-clipped"),
                    small_trees(ONE, 1, 3, "averaged"),
                ),
                0,
                1,
                more=[
                    (SmallTrees(ONE, HALF, 2, low=0, high=2, design=design), [(1.5, "well")])
                    for design in ("averaged", "algorithm-5-clipped")
                ],
            ),
        ),
        assumptions=("neighbours: one record in another's place", "integers", IDEAL),
        uses=("thm-federated-tree", "lem-substitution", "thm-histogram-substitution"),
    ),
)

TWINS = (
    Broken(
        "the likeliest table",
        "fdpedu.trees.clamped_tables.ClampedTables.worst_tables",
        "max(worst, default=Fraction(0))",
        "min(worst, default=Fraction(0))",
        "Of the tables that lead to a split, any one stands for all.",
        "lem-tree-transcript",
        "transcripts",
    ),
    Broken(
        "two branches in parallel",
        "fdpedu.trees.small_trees.SmallTrees._worst",
        "prod(b[0] for b in below)",
        "max(b[0] for b in below)",
        "Branches are disjoint, so the dearer of them is all that counts, whoever moves.",
        "lem-substitution-tree",
        "substitution",
    ),
)
