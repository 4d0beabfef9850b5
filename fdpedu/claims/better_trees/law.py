"""The exact law of a whole rotating tree on a small domain: splits by permute-and-flip, clamped counts of leaves.

Checks of thm-rotating-tree.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from fdpedu.cart import candidates
from fdpedu.claims.better_trees.losses import by_pairs
from fdpedu.claims.laws.coded import Record as Record
from fdpedu.claims.laws.coded import as_arrays as as_arrays
from fdpedu.claims.laws.coded import class_counts as class_counts
from fdpedu.claims.laws.coded import coded as coded
from fdpedu.claims.laws.coded import inside as inside
from fdpedu.claims.laws.coded import records as records
from fdpedu.domain import Domain, Region
from fdpedu.federation import DesignedSplit
from fdpedu.federation.records import Records
from fdpedu.mechanisms import permute_and_flip_pmf
from fdpedu.privacy import Law
from fdpedu.trees.clamped_tables import Data, clamped


def sides_of(domain: Domain, region: Region) -> Iterator[tuple[Region, Region]]:
    """The two sides of each public split of a region."""
    found = candidates(domain, region)
    for split in (found[k] for k in range(len(found))):
        here = region.codes(split.feature)
        yield region.restrict(split.feature, split.left & here), region.restrict(split.feature, here - split.left)


def losses_by_hand(domain: Domain, region: Region, data: Data, loss: str, lattice: int) -> list[int]:
    """What each public split leaves of the records, record by record.

    Shares: cart.candidates: the public list of splits, which has a claim of its own.
    """
    pairs = ([class_counts(domain, side, data) for side in sides] for sides in sides_of(domain, region))
    return [by_pairs(left, right, loss, lattice) for left, right in pairs]


def enclosed_choice(domain: Domain, region: Region, data: Data, epsilon: Fraction, lattice: int) -> list[Any]:
    """The law of one choice at ε, enclosed, from losses that are counted record by record."""
    losses = losses_by_hand(domain, region, data, "mixed", lattice)
    return list(permute_and_flip_pmf([-Fraction(loss, lattice) for loss in losses], epsilon, monotone=True))


def choice_law(
    domain: Domain, region: Region, data: Data, alpha: Fraction, lattice: int, loss: str = "mixed"
) -> list[Fraction]:
    """The law of one choice on these records, from the losses that a party draws by; α = e^{−ε/m}."""
    own = Records(*as_arrays(domain, data), domain)
    losses = DesignedSplit(region, Fraction(1), 0, loss, lattice).tally(own, own.within([region])[0], domain)
    law: list[Any] = permute_and_flip_pmf((-losses).tolist(), alpha=alpha)
    return law


@dataclass(frozen=True)
class RotatingTrees:
    """All rotating trees of a small domain, and how likely each is.

    A step is ln(1/α). A level of cost c is drawn by α^c, so it costs a record mc steps: it moves a loss by at most m.

    Parameters
    ----------
    domain : small
    designs, costs : of each level the position of the party that designs it, and c
    lattice : m
    leaf : the steps of a leaf's counts, which are clamped to 0 and 1
    alpha : of a step
    """

    domain: Domain
    designs: tuple[int, ...] = (0, 1)
    costs: tuple[int, ...] = (1, 1)
    lattice: int = 2
    leaf: int = 1
    alpha: Fraction = Fraction(1, 2)
    _known: dict[Any, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def exp_epsilon(self, party: int) -> Fraction:
        """e^ε for a record at this party: the levels that it designs, and a leaf."""
        own = sum(cost for who, cost in zip(self.designs, self.costs, strict=True) if who == party)
        return 1 / self.alpha ** (self.lattice * own + self.leaf)

    def sides(self, region: Region, depth: int) -> list[tuple[Region, Region]]:
        """The sides of the public splits of a node; none at full depth, nor where nothing is left to divide."""
        if region not in self._known:
            self._known[region] = list(sides_of(self.domain, region))
        return list(self._known[region]) if depth < len(self.designs) else []

    def choice(self, region: Region, depth: int, data: Data) -> list[Fraction]:
        """The law of the split of a node, where the party that designs it has these records there."""
        if (region, depth, data) not in self._known:
            law = choice_law(self.domain, region, data, self.alpha ** self.costs[depth], self.lattice)
            self._known[region, depth, data] = law
        return list(self._known[region, depth, data])

    def count_law(self, count: int) -> list[Fraction]:
        """The law of one number of a leaf."""
        return clamped(count, self.alpha**self.leaf, 0, 1)

    def law(self, parties: Sequence[Data], region: Region, depth: int = 0) -> Law:
        """The probability of every tree, by listing them all: the number of a split and two trees, or counts."""
        if sides := self.sides(region, depth):
            masses = self.choice(region, depth, inside(parties[self.designs[depth]], region))
            below = ([self.law(parties, side, depth + 1).items() for side in pair] for pair in sides)
            splits = enumerate(zip(masses, below, strict=True))
            return {(k, a, b): m * p * q for k, (m, two) in splits for (a, p), (b, q) in product(*two)}
        counts = class_counts(self.domain, region, tuple(record for data in parties for record in data))
        laws = [enumerate(self.count_law(count)) for count in counts]
        return {
            tuple(k for k, _ in some): prod((mass for _, mass in some), start=Fraction(1))
            for some in product(*map(list, laws))
        }

    def path_ratios(self, own: tuple[Data, Data], party: int, record: Record) -> dict[Region, Fraction]:
        """Where a party has the first records or the second: the largest ratio of the splits on the way to each leaf.

        The two differ by a record. Whatever it is not in has the same law, so only the way that it takes counts.
        """
        worst, pending = dict[Region, Fraction](), [(self.domain.everything, 0, Fraction(1))]
        while pending:
            region, depth, above = pending.pop()
            if not (sides := self.sides(region, depth)):
                worst[region] = max(above, worst.get(region, above))
                continue
            ratios = [Fraction(1)] * len(sides)
            if self.designs[depth] == party and len(sides) > 1:
                laws = (self.choice(region, depth, inside(data, region)) for data in own)
                ratios = [p / q for p, q in zip(*laws, strict=True)]
            ways = (left if inside((record,), left) else right for left, right in sides)
            pending += [(side, depth + 1, above * ratio) for side, ratio in zip(ways, ratios, strict=True)]
        return worst

    def leaf_ratio(self, one: int, other: int) -> Fraction:
        """The largest ratio of a number of a leaf, where the counts are these."""
        if (one, other) not in self._known:
            laws = zip(self.count_law(one), self.count_law(other), strict=True)
            self._known[one, other] = max(p / q for p, q in laws)
        return Fraction(self._known[one, other])
