"""How many rows have each code, against a recursion in fractions; and what histograms of either kind make of it."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.boosting.shares import by_feature, estimated, halved, number_of_rows, on_simplex, shrunk
from fdpedu.domain import Categorical, Domain, Numeric

counts = st.lists(st.integers(-30, 90), min_size=2, max_size=9)


def by_hand(counts, sizes, total, variance, first=None):
    """The rule, node by node."""
    if len(counts) == 1:
        return [total]
    middle = len(counts) // 2 if first is None else first
    left, right = sum(counts[:middle]), sum(counts[middle:])
    codes = sum(sizes[:middle]), sum(sizes[middle:])
    expected = total * Fraction(codes[0] - codes[1], sum(codes))
    spread, noise = total**2 / 3, len(counts) * variance
    d = expected + (left - right - expected) * (spread / (spread + noise) if spread + noise else 0)
    d = max(-total, min(total, d))
    parts = (counts[:middle], sizes[:middle], (total + d) / 2), (counts[middle:], sizes[middle:], (total - d) / 2)
    return [rows for part in parts for rows in by_hand(*part, variance)]


@given(counts, st.integers(1, 300), st.integers(0, 900), st.booleans())
def test_halves_are_believed_as_far_as_noise_lets_them_stand_out(counts, total, variance, missing):
    sizes = [1 + k % 2 for k in range(len(counts))]
    got = halved(np.array(counts, dtype=float), np.array(sizes), total, variance, missing)
    expected = by_hand(counts, sizes, Fraction(total), Fraction(variance), len(counts) - 1 if missing else None)
    assert got.tolist() == pytest.approx([float(x) for x in expected], abs=1e-7)


def test_without_noise_and_rows_nothing_is_divided():
    assert halved(np.array([30.0, 10, 0, 0]), np.ones(4, dtype=int), 40.0, 0.0, False).tolist() == [30, 10, 0, 0]


@given(counts, st.integers(1, 300))
def test_the_nearest_histogram_without_counts_below_0(counts, total):
    """It adds up; what is kept is less by one and the same number; what is not kept would be below 0."""
    got = on_simplex(np.array(counts, dtype=float), total)
    assert got.min() >= 0 and got.sum() == pytest.approx(total)
    less = [c - g for c, g in zip(counts, got.tolist(), strict=True) if g > 0]
    assert max(less) == pytest.approx(min(less))
    assert all(c <= max(less) + 1e-6 for c, g in zip(counts, got.tolist(), strict=True) if g == 0)


@given(counts, st.integers(1, 900))
def test_categories_are_drawn_to_their_mean_as_far_as_noise_explains_them(counts, variance):
    got = shrunk(np.array(counts, dtype=float), 60.0, variance).tolist()
    mean = Fraction(sum(counts), len(counts))
    spread = max(Fraction(0), sum((c - mean) ** 2 for c in counts) / len(counts) - variance)
    expected = [Fraction(60, len(counts)) + (c - mean) * spread / (spread + variance) for c in counts]
    assert got == pytest.approx([float(x) for x in expected])


DOMAIN = Domain(
    [Numeric.grid("x", 0, 10, bins=10, missing=True), Categorical("w", ("A", "B", "C"))], ("well", "ill")
)  # x has groups of 3, 2, 3 and 2 codes if there are 4


def test_every_histogram_counts_all_rows_those_with_few_cells_best():
    released = np.array([10, 20, 30, 40, 5, 50, 30, 10])
    parts = by_feature(DOMAIN, released, 4)
    assert [part.tolist() for part in parts] == [[10, 20, 30, 40, 5], [50, 30, 10]]
    assert number_of_rows(DOMAIN, released, 4) == pytest.approx((105 / 5 + 90 / 3) / (1 / 5 + 1 / 3))
    assert number_of_rows(DOMAIN, -released, 4) == 1  # noise may say anything


def test_a_cell_is_divided_among_its_codes_and_both_readings_count_half():
    released, groups = np.array([10, 20, 30, 40, 5, 50, 30, 25]), 4
    got, total = estimated(DOMAIN, released, groups, 25.0), number_of_rows(DOMAIN, released, groups)
    parts, sizes = [released[:5].astype(float), released[5:].astype(float)], np.array([3, 2, 3, 2, 1])
    cells = (halved(parts[0], sizes, total, 25.0, True) + on_simplex(parts[0], total)) / 2
    assert got[:11].tolist() == pytest.approx(np.repeat(cells / sizes, sizes).tolist())
    smooth = on_simplex(shrunk(parts[1], total, 25.0), total)
    assert got[11:].tolist() == pytest.approx(((smooth + on_simplex(parts[1], total)) / 2).tolist())
    assert got[:11].sum() == pytest.approx(total) == got[11:].sum()


@given(st.lists(st.integers(-(2**40), 2**40), min_size=8, max_size=8), st.sampled_from([0.5, 1e4, 1e12]))
def test_whatever_is_released_makes_shares(released, variance):
    got = estimated(DOMAIN, np.array(released), 4, variance)
    assert np.isfinite(got).all() and (got >= 0).all() and got[:11].sum() > 0 and got[11:].sum() > 0
