"""Random cases for the checks of chapter 9: tables, parties, raw rows, weights, losses."""

from __future__ import annotations

from fractions import Fraction
from typing import Any


def counts(draw: Any, most: int = 12) -> Any:
    """A strategy of tables of up to 5 bins and 4 classes."""
    shapes = draw.tuples(draw.integers(1, 5), draw.integers(2, 4))
    row = draw.integers(0, most)
    return shapes.flatmap(
        lambda shape: draw.st.lists(draw.tuples(*[row] * shape[1]), min_size=shape[0], max_size=shape[0])
    )


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


def raw_rows(draw: Any) -> Any:
    """A strategy of a raw column with ties, its labels of three classes, and one row more."""
    value = draw.st.sampled_from([-1e308, -0.0, 0.0, 5e-324, 0.1, 0.30000000000000004, 1.0, 1e308])
    rows = draw.st.lists(draw.tuples(value, draw.integers(0, 2)), max_size=12)
    return draw.tuples(rows, value, draw.integers(0, 2)).map(
        lambda c: ([r[0] for r in c[0]], [r[1] for r in c[0]], *c[1:])
    )


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
