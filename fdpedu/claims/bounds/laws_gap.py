"""Checks of chapter 9: Theorem 7 as an identity, its core of two parties, and its inequality for other impurities."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from fdpedu.bounds import LossScore, half_gini_score, impurity_gap, impurity_lower_bound, least_score
from fdpedu.claims.bounds.laws import Table, least_left, rows_of
from fdpedu.claims.checking import require
from fdpedu.exact import Enclosure, log_enclosure

ERRORS = LossScore(((0, 1, 1), (1, 0, 1), (1, 1, 0)))


def identity(tables: Sequence[Table], left: Iterable[int], ordered: bool) -> None:
    """n·G of the split = the parties' bound + the variance between them + their regret, the last two at least 0.

    n·G and regret are computed from rows here, the variance by its definition in the code.
    """
    left = frozenset(left)
    gap = impurity_gap(tables, left, ordered=ordered)
    codes = range(len(tables[0]))
    family = [set(range(k)) for k in range(len(codes) + 1)]
    if not ordered:
        family = [{c for c in codes if bits >> c & 1} for bits in range(2 ** len(codes))]
    parties = [rows_of(table) for table in tables]
    pooled = least_left([row for rows in parties for row in rows], [left])
    bound = sum((least_left(rows, family) for rows in parties), Fraction(0))
    regret = sum((least_left(rows, [left]) for rows in parties), Fraction(0)) - bound
    require(gap.impurity == pooled, f"the split leaves n·G = {pooled}, not {gap.impurity}")
    require(gap.bound == bound == impurity_lower_bound(tables, ordered=ordered), f"the bound is {bound}")
    require(gap.regret == regret >= 0 and gap.between >= 0, f"regret is {regret}, said to be {gap.regret}; {gap}")
    require(pooled == bound + gap.between + regret, f"{pooled} is not {bound} + {gap.between} + {regret}")
    require((pooled == bound) == (gap.between == 0 == gap.regret), f"tight or not: {gap}")


def two_parties(a1: int, b1: int, a2: int, b2: int) -> None:
    """On one side the variance between two parties is (a₁b₂ − a₂b₁)²/(n₁n₂n); times n₁n₂n, of degree 4 at most."""
    gap = impurity_gap([[[a1, b1]], [[a2, b2]]], {0})
    n1, n2 = a1 + b1, a2 + b2
    scaled = gap.between * n1 * n2 * (n1 + n2)
    require(scaled == (a1 * b2 - a2 * b1) ** 2, f"the variance times n₁n₂n is {scaled}")
    require(gap.impurity - gap.bound == gap.between, f"of one side it is all of the gap: {gap}")


def concave(tables: Sequence[Sequence[Sequence[Fraction]]], losses: Sequence[Sequence[Fraction]]) -> None:
    """For rows with weights, parties without rows, and scores that are least losses: Σ_k F_k ≤ S of every border.

    Tried for the report's Gini, the number of errors, and the score of the losses given, of three classes.
    """
    shape = range(len(tables[0]))
    for name, score in (
        ("gini", half_gini_score),
        ("errors", ERRORS),
        ("losses", LossScore(tuple(map(tuple, losses)))),
    ):
        bound = sum((least_score(table, score) for table in tables), Fraction(0))
        for border in range(len(shape) + 1):
            sides = [[row for table in tables for row in part(table, border, goes)] for goes in (True, False)]
            pooled = sum((score([sum(c) for c in zip(*side, strict=True)]) for side in sides if side), Fraction(0))
            require(bound <= pooled, f"{name}: the parties say {bound}, border {border} leaves {pooled}")


def part(table: Any, border: int, left: bool) -> Any:
    """The bins on one side of a border."""
    return table[:border] if left else table[border:]


def entropy(one: Sequence[int], other: Sequence[int]) -> None:
    """n·H of two parties' rows together is at least the sum of theirs: concavity, for entropy by enclosures."""
    together, apart = _entropy([a + b for a, b in zip(one, other, strict=True)]), _entropy(one) + _entropy(other)
    require(together.upper >= apart.lower, f"together {together!r}, apart {apart!r}")


def _entropy(counts: Sequence[int]) -> Enclosure:
    """n·ln n − Σ c·ln c, enclosed."""
    parts = [log_enclosure(Fraction(c)) * c for c in [sum(counts), *counts] if c]
    return Enclosure.sum([parts[0], *(-p for p in parts[1:])]) if parts else Enclosure.exactly(Fraction(0))


def divided(most: int) -> Iterator[tuple[list[Table], frozenset[int], bool]]:
    """Two parties with counts up to ``most`` in two bins of two classes; every border, and the sides exchanged."""
    for cells in sorted(product(range(most + 1), repeat=8), key=sum):
        one, other = ([list(cells[i : i + 2]) for i in (start, start + 2)] for start in (0, 4))
        yield [one, other], frozenset({0}), True
