"""The parties' lower bound of every split: as an identity, on grids, and for other impurities."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from fdpedu.bounds import (
    LossScore,
    half_gini_score,
    impurity_gap,
    impurity_lower_bound,
    least_score,
    local_bound,
    local_bounds_of_rows,
)
from fdpedu.claims.bounds.local import CONVENTION, EXACT, FAMILY, Table, least_left, rows_of
from fdpedu.claims.checking import grid, require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.domain import Numeric
from fdpedu.exact import Enclosure, log_enclosure

ERRORS = LossScore(((0, 1, 1), (1, 0, 1), (1, 1, 0)))


def grid_above_raw(parties: Sequence[Sequence[tuple[float, int]]], bins: int) -> None:
    """On a public grid Σ F_k^real ≤ Σ F_k^grid ≤ n·G of every border of the grid, for all rows together."""
    feature = Numeric.grid("x", 0, bins, bins)
    real, grid = Fraction(0), Fraction(0)
    for rows in parties:
        x, y = [row[0] for row in rows], [row[1] for row in rows]
        real += local_bounds_of_rows(np.reshape(x, (-1, 1)), y, 3)[0]
        table = np.zeros((bins, 3), dtype=np.int64)
        np.add.at(table, (feature.encode(x), np.array(y, dtype=np.int64)), 1)
        grid += local_bound(table)
    everybody = [row for rows in parties for row in rows]
    cuts = [{x for x, _ in everybody if x <= t} for t in feature.edges[1:-1]]
    impurities = [least_left(everybody, [cut]) for cut in cuts]
    require(real <= grid <= min(impurities), f"raw {real}, on the grid {grid}, splits of the grid leave {impurities}")


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


def parties(draw: Any) -> Any:
    """A strategy of tables of one shape, for 1 to 4 parties, with codes that go left and whether they are bins."""
    shapes = draw.tuples(draw.integers(2, 4), draw.integers(2, 4), draw.integers(1, 4))

    def of_shape(shape: tuple[int, int, int]) -> Any:
        bins, classes, n_parties = shape
        table = draw.st.lists(draw.tuples(*[draw.integers(0, 7)] * classes), min_size=bins, max_size=bins)
        empty = draw.st.just([(0,) * classes] * bins)
        tables = draw.st.lists(draw.st.one_of(table, empty), min_size=n_parties, max_size=n_parties)
        prefix = draw.tuples(tables, draw.integers(0, bins).map(lambda k: tuple(range(k))), draw.st.just(True))
        subset = draw.tuples(tables, draw.st.sets(draw.integers(0, bins - 1)).map(tuple), draw.st.just(False))
        return draw.st.one_of(prefix, subset)

    return shapes.flatmap(of_shape)


def raw_parties(draw: Any) -> Any:
    """A strategy of one to three parties with raw values on and between the borders of a grid, and its bins."""
    rows = draw.st.lists(draw.tuples(draw.integers(0, 12).map(lambda k: k / 2), draw.integers(0, 2)), max_size=8)
    return draw.tuples(draw.st.lists(rows, min_size=1, max_size=3), draw.integers(2, 6))


def weights(draw: Any) -> Any:
    """A strategy of numbers from 0 to 3."""
    return draw.st.fractions(0, 3, max_denominator=6)


def losses(draw: Any, classes: int) -> Any:
    """A strategy of what one to four predictions cost each class, from 0 to 1."""
    return draw.st.lists(draw.tuples(*[draw.st.fractions(0, 1, max_denominator=6)] * classes), min_size=1, max_size=4)


def weighted_parties(draw: Any) -> Any:
    """A strategy of one to three parties with three bins of three classes, rows with weights, and of three losses."""
    row = draw.tuples(*[weights(draw)] * 3)
    table = draw.st.one_of(draw.tuples(row, row, row), draw.st.just([(Fraction(0),) * 3] * 3))
    return draw.tuples(draw.st.lists(table, min_size=1, max_size=3), losses(draw, 3))


CLAIMS = (
    Claim(
        "thm-impurity-lower-bound",
        status="proved+checked",
        code=("fdpedu.bounds.gap.impurity_gap", "fdpedu.bounds.local.impurity_lower_bound"),
        checks=(
            Check(
                "two parties",
                "machine proof",
                "the variance on one side times n₁n₂n, on a grid larger than its degrees",
                two_parties,
                lambda _: grid(variables=4, degree=4),
            ),
            Check(
                "divisions",
                "exhaustive",
                "two parties, two bins, two classes, at most {size} rows in a cell: every term, against the rows",
                identity,
                divided,
                1,
                2,
            ),
            Check(
                "random parties",
                "property",
                "{size} random cases: one to four parties, some without rows, up to four bins or categories, classes",
                identity,
                parties,
                80,
                3000,
            ),
        ),
        assumptions=(CONVENTION, "every party's best split is of the same public family as $\\theta$", EXACT),
        uses=("lem-split-never-hurts",),
    ),
    Claim(
        "lem-grid-bound",
        status="proved+checked",
        code=("fdpedu.bounds.local.local_bound", "fdpedu.bounds.local.local_bounds_of_rows"),
        checks=(
            Check(
                "random rows",
                "property",
                "{size} random cases: one to three parties, three classes, values on and between the borders",
                grid_above_raw,
                raw_parties,
                60,
                3000,
                more=[([[(0.5, 0), (0.7, 1), (2.0, 2)], [], [(3.0, 0), (2.5, 0)]], 3)],
            ),
        ),
        assumptions=(CONVENTION, FAMILY, EXACT),
        uses=("lem-local-bound", "thm-impurity-lower-bound"),
    ),
    Claim(
        "lem-concave-lower-bound",
        status="proved+checked",
        code=(
            "fdpedu.bounds.local.impurity_lower_bound",
            "fdpedu.bounds.scores.LossScore",
            "fdpedu.bounds.scores.least_score",
        ),
        checks=(
            Check(
                "random parties",
                "property",
                "{size} random cases of one to three parties, weights, three classes: Gini, errors, and a random score",
                concave,
                weighted_parties,
                40,
                1000,
                more=[
                    (
                        [
                            [[Fraction(1, 2), 0, 2], [0, 1, 0]],
                            [[0, 0, 0], [0, 0, 0]],
                            [[Fraction(1, 3), 1, 0], [1, Fraction(1, 3), Fraction(1, 2)]],
                        ],
                        [[0, Fraction(1, 2), 1], [1, Fraction(1, 3), 0], [Fraction(1, 2)] * 3],
                    )
                ],
            ),
            Check(
                "entropy",
                "property",
                "{size} random pairs of nodes of four classes: entropy, by enclosures",
                entropy,
                lambda draw: draw.tuples(draw.nodes(30, 4), draw.nodes(30, 4)),
                100,
                2000,
                more=[((3, 0, 1), (0, 2, 5)), ((0, 0), (0, 0))],
            ),
        ),
        assumptions=("every party's best split is of the same public family", "an empty node has the score 0", EXACT),
        uses=("thm-impurity-lower-bound",),
    ),
)

TWINS = (
    Broken(
        "the party's own thresholds",
        "fdpedu.cart.local._near",
        "values[:, :-1] == values[:, 1:]",
        "np.broadcast_to(np.arange(n - 1) != n // 2 - 1, values[:, :-1].shape)",
        "Each party divides its rows at its own median, which is as good a threshold as any.",
        "lem-grid-bound",
        "random rows",
    ),
    Broken(
        "an infinite bound",
        "fdpedu.bounds.local.impurity_lower_bound",
        "local_bound(table, ordered=ordered) for table",
        "local_bound(table, ordered=ordered) if any(row[1] for row in table) else Fraction(10**9) for table",
        "A party without a row of class 1 has no impurity to tell, so the feature cannot be of use to it.",
        "thm-impurity-lower-bound",
        "divisions",
    ),
    Broken(
        "parties of one weight",
        "fdpedu.bounds.gap._between",
        "found += n_k * sum(",
        "found += sum(",
        "The variance between the parties is the mean of their squares.",
        "thm-impurity-lower-bound",
        "two parties",
    ),
    Broken(
        "the pooled best split",
        "fdpedu.bounds.gap.impurity_gap",
        "bound = sum(bounds, Fraction(0))",
        "bound = local_bound(np.sum(parties, axis=0), ordered=ordered)",
        "The parties' best splits are the best split of their rows.",
        "thm-impurity-lower-bound",
        "divisions",
    ),
    Broken(
        "the costliest prediction",
        "fdpedu.bounds.scores.LossScore.__call__",
        "return min(_cost",
        "return max(_cost",
        "A node pays for the worst that may be predicted there.",
        "lem-concave-lower-bound",
        "random parties",
    ),
)
