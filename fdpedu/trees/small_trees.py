"""All plain trees of a small domain, how likely each is, and the recursion of :mod:`fdpedu.trees.exact_law`."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import NamedTuple

from fdpedu.domain import BY_VOTES, Domain, Region, Rows, require_classes
from fdpedu.exact import Rate, Rational, as_fraction, as_integer, as_list, require_type
from fdpedu.privacy import Law
from fdpedu.trees.clamped_tables import MAX_TABLES, ClampedTables, Cut, Data, clamped, within
from fdpedu.trees.designs import counting_design
from fdpedu.trees.designs.counts import Design


class Split(NamedTuple):
    """An inner node: which codes of a feature go left, and what stands on either side. A leaf is its class counts."""

    feature: int
    left_codes: frozenset[int]
    left: Split | tuple[int, ...]
    right: Split | tuple[int, ...]


class Transcript(NamedTuple):
    """All that was released of a node and below.

    ``cells`` are the clamped counts of the codes in the node's region, feature by feature, code by code, class by
    class. ``cut`` is what was made of them: the feature and the codes that go left, or None; then ``left`` are the
    counts of the leaf.
    """

    cells: tuple[int, ...]
    cut: Cut | None
    left: Transcript | tuple[int, ...]
    right: Transcript | tuple[int, ...]

    def tree(self) -> Split | tuple[int, ...]:
        """The tree that is shown."""
        left, right = (side.tree() if isinstance(side, Transcript) else side for side in (self.left, self.right))
        return left if self.cut is None else Split(*self.cut, left, right)


@dataclass(frozen=True)
class TreeLoss:
    """How much likelier something is on one of two data sets than on the other, at most: e to the privacy loss.

    Parameters
    ----------
    tree : the largest ratio of the probabilities of a tree, whichever way round
    transcript : the same of all clamped counts that were released
    exp_epsilon : e^ε for what the whole tree is charged
    """

    tree: Fraction
    transcript: Fraction
    exp_epsilon: Fraction


class SmallTrees:
    """All plain trees that can be grown on a small domain, and how likely each is, exactly.

    Claims: thm-tree-law, lem-tree-transcript

    Parameters
    ----------
    domain : small: (high − low + 1)^(codes × classes) is at most 100,000
    alpha : of the noise in a cell of a histogram, strictly between 0 and 1; a node's p histograms cost p·ln(1/α)
    max_depth : d, from 0 to 8
    low, high : what counts are clamped to, low < high
    leaf_steps : the counts of a leaf at full depth have noise with α^leaf_steps: they cost as much as so many cells
    min_samples_split : as in :func:`fdpedu.trees.fit_federated_tree`
    design : how a node is decided, from the histograms of all features, and whether an early leaf gets what its path
        has not spent; leaves have counts of their own. What is made of them afterwards does not matter here

    Examples
    --------
    >>> from fdpedu.domain import Numeric
    >>> age = Domain([Numeric.grid("age", 0, 100, bins=2)], ("well", "ill"))
    >>> trees = SmallTrees(age, "1/2", 1, low=0, high=1)
    >>> law = trees.law([[20, "ill"]])
    >>> len(law), sum(law.values())
    (20, Fraction(1, 1))
    >>> trees.loss([[20, "ill"]], [])
    TreeLoss(tree=Fraction(50, 17), transcript=Fraction(4, 1), exp_epsilon=Fraction(4, 1))
    """

    def __init__(
        self,
        domain: Domain,
        alpha: Rational,
        max_depth: int,
        *,
        low: int,
        high: int,
        leaf_steps: int = 1,
        min_samples_split: int = 0,
        design: str | Design = "averaged",
    ) -> None:
        require_type(domain, Domain, "domain")
        require_classes(domain, type(self).__name__, BY_VOTES)
        self.domain, self.design = domain, counting_design(design)
        if self.design.features_per_node or self.design.keep or not self.design.fresh_leaves:
            raise ValueError("design must ask for the histograms of all features, and for fresh counts of the leaves")
        self.depth = as_integer(max_depth, "max_depth", minimum=0, maximum=8)
        self.low = as_integer(low, "low", minimum=-1000, maximum=999)
        self.high = as_integer(high, "high", minimum=self.low + 1, maximum=1000)
        self.leaf_steps = as_integer(leaf_steps, "leaf_steps", minimum=1, maximum=1000)
        least = as_integer(min_samples_split, "min_samples_split", minimum=0, maximum=2**62)
        self.alpha = as_fraction(alpha, "alpha")
        Rate(alpha=self.alpha)  # or refuse it
        self.nodes = ClampedTables(domain, self.alpha, self.low, self.high, least, self.design)

    def __repr__(self) -> str:
        rule = getattr(self.design.stop, "__name__", "a rule")
        return f"SmallTrees({rule}, α = {self.alpha}, depth {self.depth}, counts from {self.low} to {self.high})"

    @property
    def exp_epsilon(self) -> Fraction:
        """e^ε of the whole tree: d levels of p histograms, and the counts of a leaf."""
        return (1 / self.alpha) ** (self.depth * self.domain.n_features + self.leaf_steps)

    def law(self, rows: Rows) -> Law:
        """The probability of every tree; a tree is a :class:`Split`, or the class counts of a leaf.

        Parameters
        ----------
        rows : records, feature values and class
        """
        return self._law(self.domain.everything, self._data(rows), 0)

    def transcripts(self, rows: Rows) -> Law:
        """The probability of every transcript: a :class:`Transcript`, or at depth 0 the class counts of a leaf.

        Parameters
        ----------
        rows : records, feature values and class
        """
        return self._transcripts(self.domain.everything, self._data(rows), 0)

    def loss(self, rows: Rows, other: Rows) -> TreeLoss:
        """The largest ratios, by the recursion; of any two data sets (neighbours differ in one branch).

        Parameters
        ----------
        rows, other : records, feature values and class
        """
        one, two, whole = self._data(rows), self._data(other), self.domain.everything
        there, back = self._worst(whole, one, two, 0), self._worst(whole, two, one, 0)
        return TreeLoss(max(there[0], back[0]), max(there[1], back[1]), self.exp_epsilon)

    def _data(self, rows: Rows) -> Data:
        records, width = as_list(rows, "rows"), self.domain.n_features + 1
        if not all(isinstance(record, (list, tuple)) and len(record) == width for record in records):
            raise ValueError(f"rows must be a list of records, each of {width - 1} feature values and a class")
        codes = self.domain.encode([record[:-1] for record in records], "rows")
        labels = self.domain.encode_labels([record[-1] for record in records], "rows")
        return tuple(sorted((*c, label) for c, label in zip(codes.tolist(), labels.tolist(), strict=True)))

    def _leaf(self, data: Data, paid: int) -> list[list[Fraction]]:
        """The law of each class count of a leaf, given how many levels were paid on its path."""
        left_over = (self.depth - paid) * self.domain.n_features if self.design.unspent_to_leaf else 0
        alpha = self.alpha ** (self.leaf_steps + left_over)
        counts = [sum(record[-1] == k for record in data) for k in range(self.domain.n_classes)]
        return [clamped(count, alpha, self.low, self.high) for count in counts]

    def _leaf_law(self, data: Data, paid: int) -> Law:
        laws = [dict(enumerate(law, self.low)) for law in self._leaf(data, paid)]
        return {at: prod((law[n] for law, n in zip(laws, at, strict=True)), start=Fraction(1)) for at in product(*laws)}

    def _law(self, region: Region, data: Data, depth: int) -> Law:
        if depth == self.depth:
            return self._leaf_law(data, depth)
        decided, law = self.nodes.decided(region), Law()
        masses = self.nodes.decision_law(region, data)
        for cut, sides, mass in zip(decided.cuts, decided.sides, masses, strict=True):
            if cut is None:
                below = self._leaf_law(data, depth + 1)
            else:
                left, right = (self._law(side, within(data, side), depth + 1) for side in sides)
                _require_few(len(law) + len(left) * len(right))
                below = {Split(*cut, a, b): left[a] * right[b] for a, b in product(left, right)}
            law.update({tree: mass * share for tree, share in below.items() if mass})
        return law

    def _transcripts(self, region: Region, data: Data, depth: int) -> Law:
        if depth == self.depth:
            return self._leaf_law(data, depth)
        decided, law, (masses, unit) = self.nodes.decided(region), Law(), self.nodes.masses(region, data)
        below = [[self._transcripts(side, within(data, side), depth + 1) for side in sides] for sides in decided.sides]
        below[0] = [self._leaf_law(data, depth + 1), {(): Fraction(1)}]
        _require_few(sum(len(below[number][0]) * len(below[number][1]) for number in decided.numbers))
        for cells, number, mass in zip(self.nodes.tables(region).tolist(), decided.numbers, masses, strict=True):
            (left, right), own = below[number], Fraction(mass, unit)
            for a, b in product(left, right):
                law[Transcript(tuple(cells), decided.cuts[number], a, b)] = own * left[a] * right[b]
        return law

    def _worst(self, region: Region, one: Data, other: Data, depth: int) -> tuple[Fraction, Fraction]:
        """The largest ratio of one to the other: of the trees below, and of the transcripts."""
        if one == other:
            return Fraction(1), Fraction(1)
        if depth == self.depth:
            return self._worst_leaf(one, other, depth)
        decided, found = self.nodes.decided(region), list[tuple[Fraction, Fraction]]()
        p, q = (self.nodes.decision_law(region, data) for data in (one, other))
        for i, table in enumerate(self.nodes.worst_tables(region, one, other)):
            pairs = [(side, within(one, side), within(other, side)) for side in decided.sides[i]]
            below = [self._worst(*pair, depth + 1) for pair in pairs] or [self._worst_leaf(one, other, depth + 1)]
            if table:  # some table leads there
                found.append((p[i] / q[i] * prod(b[0] for b in below), table * prod(b[1] for b in below)))
        return max(tree for tree, _ in found), max(transcript for _, transcript in found)

    def _worst_leaf(self, one: Data, other: Data, paid: int) -> tuple[Fraction, Fraction]:
        pairs = zip(self._leaf(one, paid), self._leaf(other, paid), strict=True)
        worst = prod((max(a / b for a, b in zip(*pair, strict=True)) for pair in pairs), start=Fraction(1))
        return worst, worst


def _require_few(outcomes: int) -> None:
    if outcomes > MAX_TABLES:
        raise ValueError(
            f"there are {outcomes} outcomes, more than {MAX_TABLES}: take a smaller depth, or fewer values of a count"
        )
