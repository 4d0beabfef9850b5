"""How utilities are kept: integers and floats in arrays of 64 bits, all else as fractions; and the floats near them."""

from fractions import Fraction

import numpy as np
import pytest

from fdpedu.mechanisms.utilities import HUGE, Utilities, _nearest

TOP = 2**63


@pytest.mark.parametrize(
    ("utilities", "kind"),
    [
        ([3, -2, 7], np.int64),
        ((3, 3), np.int64),
        ([-TOP, TOP - 1], np.int64),
        (np.array([3, -2], dtype=np.int8), np.int64),
        (np.array([3, 2], dtype=np.uint8), np.uint64),
        (np.array([2 * TOP - 1, 3], dtype=np.uint64), np.uint64),
        ([0.5, -2.0], np.float64),
        ([HUGE, -HUGE], np.float64),
        (np.array([0.5, 2.0]), np.float64),
    ],
)
def test_what_fits_an_array_is_kept_in_one(utilities, kind):
    read = Utilities(utilities)
    assert isinstance(read.values, np.ndarray) and read.values.dtype == kind
    assert read.values.tolist() == list(utilities) and read.best == list(utilities).index(max(utilities))


@pytest.mark.parametrize(
    "utilities",
    [
        [-TOP - 1, 0],
        [0, TOP],
        [TOP, -TOP],
        [2, 0.5],
        [Fraction(1, 3), 1],
        [np.nextafter(HUGE, np.inf).item(), 1.0],
        [-np.nextafter(HUGE, np.inf).item(), 1.0],
        ["1/3", "2"],
        [np.int64(3), 2],
    ],
)
def test_all_else_is_kept_as_fractions(utilities):
    read = Utilities(utilities)
    assert isinstance(read.values, list) and set(map(type, read.values)) == {Fraction}
    assert read.steps is None and read.gap(read.best) == 0


@pytest.mark.parametrize("kind", [np.uint8, np.uint64, np.int64])
def test_the_best_of_large_integers_is_the_largest(kind):
    """Of the upper half of the unsigned ones, too, which are negative where they are taken for signed ones."""
    top = np.iinfo(kind).max
    read = Utilities(np.array([3, top, top - 1, 0], dtype=kind))
    assert read.best == 1 and read.gaps == [top - 3, 0, 1, top] and read.steps.tolist() == [top - 3, 0, 1, top]


def test_floats_stand_for_fractions_unless_they_hardly_differ():
    """Up to a millionth of their size they are told apart as they are; closer than that, by their differences."""
    million = 2**20
    for top, bottom in ((million, million - 1), (5, -5), (1, 0)):
        assert _nearest([Fraction(bottom), Fraction(top)]).tolist() == [bottom, top]
    for top, bottom in ((million + 1, million), (-million, -million - 1), (10**30 + 1, 10**30), (7, 7)):
        assert _nearest([Fraction(bottom), Fraction(top)]).tolist() == [bottom - top, 0]
    assert _nearest([Fraction(0), Fraction(10**400), Fraction(10**400 - 3)]).tolist() == [-HUGE, 0, -3]
    assert _nearest([Fraction(0), Fraction(2**1000)]).tolist() == [0, HUGE]
    assert _nearest([Fraction(0), Fraction(2**1001)]).tolist() == [-HUGE, 0]
    assert _nearest([Fraction(1, 3), Fraction(1, 7)]).tolist() == [1 / 3, 1 / 7]


def test_close_fractions_are_told_apart_to_a_few_units_of_their_gap():
    low, high = Utilities([Fraction(10**12) + Fraction(k, 3) for k in range(4)]).gap_bounds()
    for k, (below, above) in enumerate(zip(low.tolist(), high.tolist(), strict=True)):
        gap = Fraction(3 - k, 3)
        assert below <= gap <= above and above - below <= 16 * 2.0**-52 * gap


@pytest.mark.parametrize(("gap", "known"), [(1.5 * 2.0**998, True), (1.9 * 2.0**998, True), (2.0**999, False)])
def test_a_gap_of_less_than_half_of_the_largest_is_known(gap, known):
    low, high = Utilities([0.0, -gap]).gap_bounds()
    assert low[1] == pytest.approx(min(gap, 2.0**999), rel=1e-14) and (high[1] < np.inf) == known
