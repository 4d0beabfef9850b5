"""The histograms of a node with clamped noisy counts: all of them, how likely each is, and what is decided from it.

A count c is released as c + Z, discrete Laplace with a rational α, and then clamped to low, …, high: a finite law of
fractions. The decisions are those of the shipped code (:mod:`fdpedu.trees.stopping`, :class:`fdpedu.cart.GridSearch`),
for all (high − low + 1)^cells tables of a node; so domains must be small.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from itertools import product
from math import lcm, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fdpedu.cart import GridSearch
from fdpedu.domain import Domain, Region
from fdpedu.exact import Rate
from fdpedu.trees.designs.counts import Design
from fdpedu.trees.stopping import Level, noise_deviation

MAX_TABLES = 100_000
Data = tuple[tuple[int, ...], ...]  # codes and class code of each record, in order
Cut = tuple[int, frozenset[int]]  # a feature, and the codes of the node that go left


@dataclass(frozen=True)
class Decided:
    """For each table of a region the number of its decision; what each decision is, None for a leaf; its sides."""

    numbers: NDArray[np.int64]
    cuts: tuple[Cut | None, ...]
    sides: tuple[tuple[Region, ...], ...]


def clamped(count: int, alpha: Fraction, low: int, high: int) -> list[Fraction]:
    """The law of a count with discrete Laplace noise, clamped to low, …, high.

    >>> [str(mass) for mass in clamped(1, Fraction(1, 2), 0, 2)]
    ['1/3', '1/3', '1/3']
    """
    inner = [(1 - alpha) / (1 + alpha) * alpha ** abs(k - count) for k in range(low + 1, high)]
    return [_tail(count - low, alpha), *inner, _tail(high - count, alpha)]


def _tail(distance: int, alpha: Fraction) -> Fraction:
    """Pr[Z ≥ distance] of discrete Laplace noise."""
    return alpha**distance / (1 + alpha) if distance >= 0 else 1 - alpha ** (1 - distance) / (1 + alpha)


@dataclass
class ClampedTables:
    """All histograms of a node of a small domain.

    Parameters
    ----------
    domain : small
    alpha : of the noise in a cell
    low, high : what counts are clamped to
    least : rows; a node with fewer, as far as the design can tell, is a leaf
    design : how a node is decided
    """

    domain: Domain
    alpha: Fraction
    low: int
    high: int
    least: int
    design: Design
    _decisions: dict[Region, Decided] = field(default_factory=dict, init=False, repr=False)
    _laws: dict[tuple[Region, Data], list[Fraction]] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        cells, values = self.domain.n_codes * self.domain.n_classes, self.high - self.low + 1
        if values ** min(cells, 17) > MAX_TABLES:  # 2^17 are too many already
            raise ValueError(f"{cells} cells from {self.low} to {self.high} make more than {MAX_TABLES} tables")

    def cells(self, region: Region) -> list[tuple[int, int, int]]:
        """Feature, code and class of each cell in the region."""
        features, classes = range(self.domain.n_features), range(self.domain.n_classes)
        return [(j, code, k) for j in features for code in sorted(region.codes(j)) for k in classes]

    def tables(self, region: Region) -> NDArray[np.int64]:
        """All clamped cells of a region, shape (tables, cells)."""
        return np.array(list(product(range(self.low, self.high + 1), repeat=len(self.cells(region)))), dtype=np.int64)

    def decided(self, region: Region) -> Decided:
        """What the shipped code does with each table."""
        if region not in self._decisions:
            chosen = list(self._choose(region))
            cuts: tuple[Cut | None, ...] = tuple(dict.fromkeys([None, *chosen]))
            numbers = np.array([cuts.index(cut) for cut in chosen], dtype=np.int64)
            self._decisions[region] = Decided(numbers, cuts, tuple(_sides(region, cut) for cut in cuts))
        return self._decisions[region]

    def _choose(self, region: Region) -> Iterator[Cut | None]:
        search, cells = GridSearch(self.domain), self.tables(region)
        at = [search.first[j] + code for j, code, _ in self.cells(region)]
        tables = np.zeros((len(cells), self.domain.n_codes, self.domain.n_classes), dtype=np.int64)
        tables[:, at, [k for _, _, k in self.cells(region)]] = cells
        inside = region.inside(search.sizes)
        deviation, within_node = noise_deviation(Rate(alpha=self.alpha), 1, 1), np.tile(inside, (len(cells), 1))
        stops = self.design.stop(Level(tables, within_node, search.first, deviation), self.least)
        found = self.design.best_splits(tables, within_node, search, deviation)
        for stop, split in zip(stops.tolist(), found, strict=True):
            yield None if stop or split is None else (split.feature, split.left & region.codes(split.feature))

    def cell_laws(self, region: Region, data: Data) -> list[list[Fraction]]:
        """The law of each cell of the region."""
        counts = [sum(record[j] == code and record[-1] == k for record in data) for j, code, k in self.cells(region)]
        return [clamped(count, self.alpha, self.low, self.high) for count in counts]

    def masses(self, region: Region, data: Data) -> tuple[NDArray[Any], int]:
        """The probability of each table, as integers and what they are divided by."""
        laws = self.cell_laws(region, data)
        units = [lcm(*(mass.denominator for mass in law)) for law in laws]
        whole = [np.array([int(mass * u) for mass in law], dtype=object) for law, u in zip(laws, units, strict=True)]
        return reduce(np.multiply.outer, whole).ravel(), prod(units)

    def decision_law(self, region: Region, data: Data) -> list[Fraction]:
        """The probability of each decision."""
        if (region, data) not in self._laws:
            decided, (masses, unit) = self.decided(region), self.masses(region, data)
            sums = [int(masses[decided.numbers == i].sum()) for i in range(len(decided.cuts))]
            self._laws[region, data] = [Fraction(mass, unit) for mass in sums]
        return self._laws[region, data]

    def worst_tables(self, region: Region, one: Data, other: Data) -> list[Fraction]:
        """For each decision the largest ratio of a table that leads to it; 0 where none does."""
        decided, cells = self.decided(region), self.tables(region) - self.low
        laws = list(zip(self.cell_laws(region, one), self.cell_laws(region, other), strict=True))
        moved = [i for i, (p, q) in enumerate(laws) if p != q]
        ratios = [[a / b for a, b in zip(*laws[i], strict=True)] for i in moved]
        found = []
        for number in range(len(decided.cuts)):
            tables = {tuple(at) for at in cells[decided.numbers == number][:, moved].tolist()}
            worst = (prod((r[k] for r, k in zip(ratios, at, strict=True)), start=Fraction(1)) for at in tables)
            found.append(max(worst, default=Fraction(0)))
        return found


def _sides(region: Region, cut: Cut | None) -> tuple[Region, ...]:
    if cut is None:
        return ()
    feature, codes = cut
    return region.restrict(feature, codes), region.restrict(feature, region.codes(feature) - codes)


def within(data: Data, region: Region) -> Data:
    """The records in a region of all classes."""
    return tuple(record for record in data if all(code in region.codes(j) for j, code in enumerate(record[:-1])))
