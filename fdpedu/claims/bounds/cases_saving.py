"""Cases for the checks of trees with lower bounds: random ones, and some in which bounds matter."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from types import ModuleType
from typing import Any

from fdpedu.claims.bounds.laws_saving import Options
from fdpedu.claims.federations import Case
from fdpedu.domain import Categorical, Domain, Numeric

TWO_BINS = Domain([Numeric.grid(name, 0, 2, bins=2) for name in ("x", "y")], ("a", "b"))
BINS = Domain([Numeric.grid(name, 0, 4, bins=4) for name in ("x", "y")], ("a", "b"))
MIXED = Domain(
    [Numeric.grid("x", 0, 3, bins=3), Categorical("w", ("A", "B", "C")), Numeric.grid("y", 0, 2, bins=2)],
    ("a", "b", "c"),
)


def options(draw: ModuleType) -> Any:
    """A strategy of options."""
    drawn = draw.tuples(
        draw.shares, draw.shares, draw.integers(0, 3), draw.integers(1, 5), draw.booleans(), draw.integers(0, 5)
    )
    return drawn.map(lambda some: Options(*some))


def with_a_record(draw: ModuleType) -> Any:
    """Parties with rows, a record to add, options and a seed."""

    def of(case: Case) -> Any:
        drawn = draw.tuples(draw.records(case[0]), options(draw), draw.integers(0, 99))
        return drawn.map(lambda rest: (case, *rest))

    return draw.domains_with_parties().flatmap(of)


def with_a_seed(draw: ModuleType) -> Any:
    """A strategy: parties with rows, options, and a seed."""
    return draw.tuples(draw.domains_with_parties(), options(draw), draw.integers(0, 99))


def given_answers(seeds: int) -> Iterator[tuple[Case, Options, int]]:
    """Three domains without rows, depth 2: in about two of five nodes the answers remove a feature."""
    half, quarter = Fraction(1, 2), Fraction(1, 4)
    for seed in range(seeds):
        how = Options(half, quarter, 2, 1 + seed % 4, seed % 4 < 2, 2)
        yield from (((domain, [[], []]), how, seed) for domain in (TWO_BINS, BINS, MIXED))


def rows_that_matter(seeds: int) -> Iterator[tuple[Case, Options, int]]:
    """Rows whose second feature says all, whose first says nothing: with little noise, the first one is removed."""
    rows = [[x, y, "ab"[y > 2]] for x in (1, 2, 3, 4) for y in (1, 2, 3, 4)]
    for seed in range(seeds):
        yield (BINS, [rows, rows[::2]]), Options(Fraction(1, 2), Fraction(1, 4), 1, 4, True, 2), seed


def opposite_parties(depth: int) -> Iterator[tuple[Case, Options]]:
    """Of two parties the second feature says all, the opposite each; of both together it says as little as the first.

    So its bound is 0, it is asked for first, and its splits are as good as those of the first feature, whose bound is
    attained. The first feature is not removed, and wins the tie.
    """
    one = [[x, y, "ab"[y > 1]] for x in (1, 2) for y in (1, 2)]
    other = [[x, y, "ba"[y > 1]] for x in (1, 2) for y in (1, 2)]
    for lattice in (1, 4):
        yield (TWO_BINS, [one, other]), Options(Fraction(1, 2), Fraction(1, 4), depth, lattice, True, 2)
