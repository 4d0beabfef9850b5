"""How utilities are kept: in arrays of 64 bits, or as fractions; and the floats between which their gaps lie."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import fdpedu.mechanisms as m
from fdpedu.exact import as_fraction
from fdpedu.mechanisms.utilities import HUGE, LEAST, Utilities, _nearest
from fdpedu.mechanisms.weights import Weights
from fdpedu.randomness import ZeroWords
from tests.support.mechanisms import LAWS, MECHANISMS, exact_ends, lists

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
    """Up to a millionth of their size they are compared as they are; closer than that, by their differences."""
    million = 2**20
    for top, bottom in ((million, million - 1), (5, -5), (1, 0)):
        assert _nearest([Fraction(bottom), Fraction(top)]).tolist() == [bottom, top]
    for top, bottom in ((million + 1, million), (-million, -million - 1), (10**30 + 1, 10**30), (7, 7)):
        assert _nearest([Fraction(bottom), Fraction(top)]).tolist() == [bottom - top, 0]
    assert _nearest([Fraction(0), Fraction(10**400), Fraction(10**400 - 3)]).tolist() == [-HUGE, 0, -3]
    assert _nearest([Fraction(0), Fraction(2**1000)]).tolist() == [0, HUGE]
    assert _nearest([Fraction(0), Fraction(2**1001)]).tolist() == [-HUGE, 0]
    assert _nearest([Fraction(1, 3), Fraction(1, 7)]).tolist() == [1 / 3, 1 / 7]


def test_close_fractions_are_distinguished_to_a_few_units_of_their_gap():
    low, high = Utilities([Fraction(10**12) + Fraction(k, 3) for k in range(4)]).gap_bounds()
    for k, (below, above) in enumerate(zip(low.tolist(), high.tolist(), strict=True)):
        gap = Fraction(3 - k, 3)
        assert below <= gap <= above and above - below <= 16 * 2.0**-52 * gap


@pytest.mark.parametrize(("gap", "known"), [(1.5 * 2.0**998, True), (1.9 * 2.0**998, True), (2.0**999, False)])
def test_a_gap_of_less_than_half_of_the_largest_is_known(gap, known):
    low, high = Utilities([0.0, -gap]).gap_bounds()
    assert low[1] == pytest.approx(min(gap, 2.0**999), rel=1e-14) and (high[1] < np.inf) == known


@settings(deadline=None)
@given(lists)
@example([1e9 + k / 10 for k in range(60)])  # decimals that floats miss by half a unit
@example([2**53 + 1, 2.0**53, Fraction(1, 3)])  # one float for two numbers
@example([2**63, 0, 2**64 - 1])
@example([0, 10**400, Fraction(1, 3)])  # a gap beyond all floats
def test_gaps_lie_between_their_floats(utilities):
    """Integers, floats and fractions, of any size and mixed: the best is the first of the largest, exactly."""
    true = [as_fraction(u) for u in utilities]
    read = Utilities(utilities)
    assert read.best == true.index(max(true))
    assert read.gaps == [read.gap(r) for r in range(len(true))] == [max(true) - u for u in true]
    for gap, (low, high) in zip(read.gaps, exact_ends(*read.gap_bounds()), strict=True):
        assert low <= gap and (high is None or gap <= high)
        assert (high == 0) == (gap == 0)


UNREADABLE = [
    [], (), np.array([]), np.zeros((2, 2)), np.array(3), "12", b"12", 5, None, {1, 2}, {1: 2}, [True, 1],
    np.array([True]), [1, None], [float("nan")], np.array([1.0, np.inf]), [1, 1j], ["x"], [[1], [2]],
    np.array(["2020-01-01"], dtype="datetime64[D]"),
]  # fmt: skip


@pytest.mark.parametrize("utilities", UNREADABLE)
def test_what_is_no_list_of_numbers_is_refused(utilities):
    for choose in (*MECHANISMS, *LAWS):
        with pytest.raises(ValueError, match="utilities"):
            choose(utilities, 1)


def test_floats_are_the_decimals_that_they_print_as():
    assert m.exponential([0.3, Fraction(3, 10), 0.1 + 0.2], 1, ZeroWords()) == 2
    assert m.exponential([Fraction(3, 10), 0.3], 1, ZeroWords()) == 0
    assert m.exponential([Fraction(1, 3), 1 / 3], 1, ZeroWords()) == 0  # 0.3333333333333333 is less
    assert m.exponential([2.0**53, 2**53, 2**53 + 1], 1, ZeroWords()) == 2
    assert m.exponential(np.array([0.1, 0.2], dtype=np.float32), 1, ZeroWords()) == 1


same = st.one_of(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1), st.lists(st.floats(-1e9, 1e9), min_size=1))
far_numbers = st.one_of(
    st.integers(-(10**6), 10**6),
    st.fractions(-(10**6), 10**6, max_denominator=999),
    st.floats(-1e6, 1e6, allow_subnormal=False),
)


@settings(deadline=None)
@given(st.one_of(st.lists(far_numbers, min_size=1, max_size=6), same))
@example([Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**30), Fraction(1, 3)])  # one float for all
@example([Fraction(1, 3), 2, 2.0, Fraction(2) - Fraction(1, 10**40), 0])
@example([-Fraction(1, 3), -Fraction(1, 3) - Fraction(1, 10**40)])
@example([0.0, 6.2e-302])
@example([0.0, -1e-290, 3e-286])
def test_gaps_are_known_to_a_few_units(utilities):
    """The floats around a gap differ by less than sixteen units of the larger of the two utilities, or where floats
    end by five of the least step there.
    """
    read = Utilities(utilities)
    assert read.best == min(r for r, gap in enumerate(read.gaps) if gap == 0)
    for r, (gap, low, high) in enumerate(zip(read.gaps, *map(np.ndarray.tolist, read.gap_bounds()), strict=True)):
        size = max(abs(read.value(read.best)), abs(read.value(r)))
        assert 0 <= low <= gap <= high and high - low <= 16 * 2.0**-52 * max(size, gap) + 5 * LEAST


HALF = 2.0**999  # of the largest gap that is known


@pytest.mark.parametrize("lower", [0.0, -(2.0**998), -HALF, -(2.0**1000), Fraction(-(2**1200)), -(2**1400)], ids=str)
def test_a_gap_of_half_of_the_largest_or_more_is_known_to_be_no_less(lower):
    """And nothing else; a smaller one is known from both sides."""
    utilities = [1.0, lower] if isinstance(lower, float) else [1, lower]
    low, high = Utilities(utilities).gap_bounds()
    assert low[0] == high[0] == 0 and HALF >= low[1] >= min(max(-lower, 1), HALF) * (1 - 1e-15)
    assert (high[1] == np.inf) == (-lower >= HALF)


@pytest.mark.parametrize("small", [5e-324, 1e-310, 2.0**-1000])
def test_gaps_where_floats_end_are_enclosed_too(small):
    low, high = Utilities([0.0, -small, small]).gap_bounds()
    assert low[2] == high[2] == 0 and (low[:2] <= [small, 2 * small]).all() and (high[:2] >= [small, 2 * small]).all()
    assert (low >= 0).all() and (high <= 2.0**-990).all()


@pytest.mark.parametrize("shift", [0, 2**80])
@pytest.mark.parametrize(("gap", "kind"), [(2**62 - 1, "i"), (2**62, "i"), (2**62 + 1, "O"), (2**63, "O")])
def test_gaps_beyond_two_to_the_62_are_integers_of_python(gap, kind, shift):
    found = Weights([shift + 5, shift + 5 - gap], 1, None, 1, False).integers()
    assert found.tolist() == [0, -gap] and found.dtype.kind == kind
