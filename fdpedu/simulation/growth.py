"""Trees of many runs grown side by side, level by level, for their test rows only.

All rows of all runs are one list; each knows the node where it is. At each level the rows to learn from are put in the
order of their nodes once, and nodes are decided in chunks whose cells stay in the processor's cache.

**Lazily**, only nodes that hold a test row are expanded. Every decision uses fresh noise of its own node and what was
decided above it, so what happens elsewhere is independent of what a test row meets on its path; leaving it out changes
nothing in the joint law of all predictions of the test rows. This holds if a leaf predicts from releases on its own
path; a design whose leaves predict from counts that were made to add up over the whole tree is grown whole.

What is not simulated are the limits of messages and derivations. A level of a real tree has at most 2,048/q nodes with
q features a node, and the derivation of :func:`fdpedu.bounds.fit_saving_tree` allows some hundred nodes of 50
features (2,168 of 10); a real tree stops growing there.

This is for measuring accuracy, and **never for a release**: which nodes a lazily expanded tree has tells which nodes
hold rows, and that was paid by no ε.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fdpedu.exact import as_indices, occurrences
from fdpedu.randomness import Source
from fdpedu.simulation.forest import Forest
from fdpedu.simulation.grid import Floats, Mask
from fdpedu.simulation.plan import Decided, Nodes, Plan, Views, joined, leaves
from fdpedu.simulation.rows import CodedRows
from fdpedu.simulation.search import Choice, Indices

CELLS = 100_000
"""How many cells are decided at a time, about; a node has all of its cells at once."""


@dataclass
class Walk:
    """Rows on their way down: their codes, their classes, and of those on their way which they are and where."""

    codes: NDArray[np.uint8]
    labels: Indices
    rows: Indices
    at: Indices

    @classmethod
    def of(cls, codes: NDArray[np.uint8], labels: Indices) -> Walk:
        """All rows of all runs (R, n, p), run r at node r."""
        runs, n, p = codes.shape
        return cls(
            codes.reshape(-1, p),
            labels.ravel(),
            np.arange(runs * n, dtype=np.int64),
            np.repeat(np.arange(runs, dtype=np.int64), as_indices(n)),
        )

    def keep(self, kept: NDArray[np.bool_]) -> None:
        """Drop all other rows."""
        self.rows, self.at = self.rows[kept], self.at[kept]

    def in_order(self) -> None:
        """Put the rows in the order of their nodes."""
        order = np.argsort(self.at, kind="stable")
        self.rows, self.at = self.rows[order], self.at[order]

    def onward(self, choice: Choice) -> Indices:
        """Drop the rows whose node is a leaf; of each other row twice its node, and one more if it goes right."""
        self.keep(choice.found[self.at])
        code = self.codes[self.rows, choice.feature[self.at]]
        return 2 * self.at + ~choice.left[self.at, code]

    def enter(self, sides: Indices, number: Indices) -> None:
        """Go to the sides, numbered anew; where a side has no number, its rows are dropped."""
        self.at = number[sides]
        self.keep(self.at >= 0)


def predicted_labels(plan: Plan, rows: CodedRows, source: Source) -> Indices:
    """The class code that each test row is given by the tree of its run, shape (R, m).

    Parameters
    ----------
    plan : the method
    rows : of R runs
    source : of the noise
    """
    grid, n_classes = plan.grid, rows.domain.n_classes
    train, test = Walk.of(rows.codes, rows.labels), Walk.of(rows.test_codes, rows.test_labels)
    places, parties = grid.places(train.codes, train.labels), rows.parties.ravel()
    if plan.party is not None:
        train.keep(parties == plan.party)
    leaf_of = np.zeros(len(test.labels), dtype=np.int64)
    inside, saved = grid.everything(rows.n_runs), np.zeros(rows.n_runs)
    forest, inherited, told = Forest(rows.n_runs, n_classes), None, plan.begin(rows.n_runs, source)
    for level in range(plan.depth + 1):
        train.in_order()
        if level < plan.depth:
            decided = _decided(plan, train, places, parties, inside, saved, told, source, level=level)
        else:
            decided = Decided(leaves(inside.shape[1], grid.most_codes), saved, inherited)
        leaf, paid = np.flatnonzero(~decided.choice.found), min(level + 1, plan.depth)
        counts = occurrences(train.at * n_classes + train.labels[train.rows], inside.shape[1] * n_classes)
        released = plan.release(counts.reshape(-1, n_classes)[leaf], decided.saved[leaf], paid, source)
        forest.learn(decided.views, leaf, released, plan.leaf_variance(paid))
        done = ~decided.choice.found[test.at]
        leaf_of[test.rows[done]] = forest.first + test.at[done]
        sides = train.onward(decided.choice), test.onward(decided.choice)
        number, parents = _numbered(sides[1], decided.choice, whole=plan.reconciles)
        if not len(parents):
            break
        train.enter(sides[0], number)
        test.enter(sides[1], number)
        inside = _inside(inside, decided.choice, parents)
        saved = decided.saved[parents // 2]
        told = None if decided.told is None else decided.told[parents]
        inherited = Views(*(part[parents] for part in decided.sides)) if decided.sides else None
        forest.grow(parents // 2)
    return forest.labels(reconciled=plan.reconciles)[leaf_of].reshape(rows.test_labels.shape)


def _decided(
    plan: Plan,
    train: Walk,
    places: NDArray[np.int32],
    parties: Indices,
    inside: Mask,
    saved: Floats,
    told: Indices | None,
    source: Source,
    *,
    level: int,
) -> Decided:
    """The decisions of a level, chunk by chunk; where each node has a designer, from this party's rows alone."""
    nodes, designers = inside.shape[1], plan.designers(told, level)
    rows, at = train.rows, train.at
    if designers is not None:
        own = parties[rows] == designers[at]
        rows, at = rows[own], at[own]
    step = max(1, CELLS // plan.grid.cells_per_node)
    parts = list[Decided]()
    for first in range(0, nodes, step):
        last = min(first + step, nodes)
        here = slice(*np.searchsorted(at, [first, last]))
        own, own_at = rows[here], at[here] - first
        counts = plan.grid.count(places[own], own_at, last - first)
        told_here = None if told is None else told[first:last]
        nodes_here = Nodes(
            *(counts, inside[:, first:last], saved[first:last], places[own], own_at, parties[own]),
            *(level == plan.depth - 1, level, told_here),
        )
        parts.append(plan.decide(nodes_here, source))
    return joined(parts)


def _numbered(tested: Indices, choice: Choice, *, whole: bool) -> tuple[Indices, Indices]:
    """The numbers of the sides that are expanded, −1 for others; and these sides, as twice their node, or 1 more."""
    kept = np.repeat(choice.found, 2) if whole else occurrences(tested, 2 * len(choice.found)) > 0
    return np.where(kept, np.cumsum(kept, dtype=np.int64) - 1, -1), np.flatnonzero(kept)


def _inside(inside: Mask, choice: Choice, sides: Indices) -> Mask:
    """The codes that lie in these sides."""
    parent = sides // 2
    below = inside[:, parent]
    below[:, np.arange(len(sides), dtype=np.int64), choice.feature[parent]] &= (
        choice.left[parent] ^ (sides % 2 == 1)[:, None]
    ).T
    return below
