"""What each kind of outcome makes of scores and of released numbers, reckoned a second time with fractions."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.boosting.outcomes import TARGET_GROUPS, Classes, CountedClasses, Number
from fdpedu.domain import Domain, Numeric
from fdpedu.gradients import UNIT

X = [Numeric.grid("x", 0, 4, 4)]
COUNTS = st.integers(-(10**6), 10**6)
SCORES = st.lists(st.integers(-(2**34), 2**34), min_size=1, max_size=6)


@given(st.sampled_from([(0, 40, 8), (-7, 5, 3), (10, 74, 256)]), st.lists(COUNTS, min_size=64, max_size=64), SCORES)
def test_a_prediction_lies_in_the_range_where_the_score_says(target, released, scores):
    """At s·c of the range, clipped; its curves' unit is c, and where it begins half of the released rows lie below."""
    low, high, levels = target
    domain = Domain(X, target=Numeric.grid("y", low, high, levels))
    outcome = Number(n_levels=levels)
    outcome = outcome.begun(released[: min(TARGET_GROUPS, levels)], rows=1000, variance=10.0)
    c = Fraction(outcome.spread, 2 * levels)
    assert 1 <= outcome.spread and max(1, levels // 32) <= outcome.spread <= 512
    expected = [low + (high - low) * min(Fraction(1), max(Fraction(0), s * c / UNIT)) for s in scores]
    assert outcome.answers(np.array(scores), domain) == pytest.approx([float(one) for one in expected])
    assert outcome.per_score(domain) == pytest.approx(float((high - low) * c))
    assert 0 <= outcome.first(1000).intercept * c / UNIT <= 1 + c / UNIT


@given(st.lists(COUNTS, min_size=3, max_size=32), st.integers(1, 10**6))
def test_classes_begin_at_the_logarithms_of_their_counts(counts, rows):
    """Of which a 200th of the rows is the least; less their mean, so that they add up to 0 but for rounding."""
    found = Classes(tuple(counts), len(counts)).first(rows).intercepts
    logs = [math.log(max(count, rows / 200)) for count in counts]
    assert np.abs(np.array(found) / UNIT - (np.array(logs) - np.mean(logs))).max() <= 1 / UNIT


@given(st.tuples(COUNTS, COUNTS), st.lists(st.integers(-9, 9), min_size=1, max_size=12))
def test_above_a_counted_threshold_lies_the_released_share_as_nearly_as_scores_allow(counts, scores):
    """No score, and nothing below all of them, is a better one; and none as good is lower."""
    first, second = (max(0, count) for count in counts)
    share = Fraction(second, first + second) if first + second else Fraction(1, 2)

    def off(threshold):
        return abs(Fraction(sum(score > threshold for score in scores), len(scores)) - share)

    found = CountedClasses(counts).threshold(np.array(scores))
    levels = [min(scores) - 1, *sorted(scores)]
    assert found in levels and all(off(found) <= off(one) for one in levels)
    assert all(off(found) < off(one) for one in levels if one < found)


@pytest.mark.parametrize("form", ["trees", "curves"])
def test_steps_are_bold_where_noise_is_small_and_never_beyond_the_rounds(form):
    """M grows with ν, is at least .35 and at most 5/6 of the rounds; of 40 classes it is that of 10 at half of ν."""
    for outcome in (CountedClasses(), Classes(n_classes=3), Classes(n_classes=32), Number()):
        for is_pure in (False, True):
            steps = [outcome.boldest(form, nu, 36, is_pure) for nu in (0.01, 1, 5, 20, 100, 1e9)]
            assert steps == sorted(steps) and steps[0] == 0.35 and steps[-1] <= 30
            assert outcome.boldest(form, 1e9, 3, is_pure) <= 2.5
    ten, forty = Classes(n_classes=10), Classes(n_classes=40)
    assert forty.boldest(form, 40, 36, False) == ten.boldest(form, 20, 36, False) < ten.boldest(form, 40, 36, False)
