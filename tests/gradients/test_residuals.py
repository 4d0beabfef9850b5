"""Residuals, predictions and squares of a numeric target, reckoned a second time with fractions; also at their ends."""

import math
from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.gradients.residuals import MAX_SPREAD, in_range, middles, residuals, square_sums

SCORES = st.lists(st.integers(-(2**35), 2**35) | st.integers(-9000, 9000), min_size=1, max_size=8)
PLACES = st.integers(0, 4096) | st.integers(-(2**40), 2**40)
LEVELS = st.sampled_from([2, 3, 4, 9, 255, 256])
SPREADS = st.integers(1, MAX_SPREAD)


def nearest(number):
    """The nearest integer, of two the larger one."""
    return math.floor(number + Fraction(1, 2))


@given(SCORES, st.integers(0, 255), SPREADS, st.sampled_from([2, 4, 64, 4096]))
def test_a_residual_is_the_nearest_step_and_clipped(scores, level, spread, m):
    found = residuals(np.array(scores), np.full(len(scores), level, dtype=np.uint8), spread, m).tolist()
    exact = [nearest((Fraction(s, 4096) - Fraction(2 * level + 1, spread)) * m / 2) for s in scores]
    assert found == [max(-m // 2, min(m // 2, one)) for one in exact]


@given(SCORES, SPREADS, LEVELS)
def test_a_prediction_is_the_nearest_place_in_the_range(scores, spread, n_levels):
    exact = [nearest(Fraction(s * spread, 2 * n_levels)) for s in scores]
    assert in_range(np.array(scores), spread, n_levels).tolist() == [max(0, min(4096, one)) for one in exact]
    assert middles(n_levels).tolist() == [nearest(Fraction(4096 * (2 * k + 1), 2 * n_levels)) for k in range(n_levels)]


@given(
    st.lists(st.tuples(st.integers(-(2**40), 2**40) | st.integers(0, 4096), st.integers(0, 255)), max_size=8), LEVELS
)
def test_four_sums_are_those_of_each_row_to_the_nearest_unit(rows, n_levels):
    """A row moves them by 8192 at most in ℓ₁, and by 22·1024² in the square of ℓ₂."""
    predicted, levels = [p for p, _ in rows], [k % n_levels for _, k in rows]
    found = square_sums(np.array(predicted, dtype=np.int64), np.array(levels, dtype=np.uint8), n_levels).tolist()
    parts = []
    for p, k in zip(predicted, levels, strict=True):
        value = nearest(Fraction(4096 * (2 * k + 1), 2 * n_levels)) - 2048
        error = max(0, min(4096, p)) - 2048 - value
        parts.append((1024, value, nearest(Fraction(value**2, 4096)), nearest(Fraction(error**2, 4096))))
        assert sum(map(abs, parts[-1])) <= 8192 and sum(one**2 for one in parts[-1]) <= 22 * 1024**2
    assert found == [sum(column) for column in zip(*parts, strict=True)] if rows else found == [0] * 4
