"""Improvement, log-ratio, edit distance."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.sources.fedga import edit_distance, improvement, log_ratio

SCORES = st.lists(st.tuples(st.floats(0.01, 1), st.floats(0.01, 1)), min_size=1, max_size=8)
FEATURES = st.lists(st.integers(0, 3), max_size=6)


def slow_distance(a, b):
    @cache
    def least(i, j):
        if not i or not j:
            return i + j
        return min(least(i - 1, j) + 1, least(i, j - 1) + 1, least(i - 1, j - 1) + (a[i - 1] != b[j - 1]))

    return least(len(a), len(b))


@given(SCORES)
def test_two_that_are_alike_improve_on_each_other_both(pairs):
    """The mean of both directions is never below 0, and above it where scores differ; log-ratios cancel."""
    ours, theirs = (np.array(column) for column in zip(*pairs, strict=True))
    both = improvement(ours, theirs) + improvement(theirs, ours)
    assert both >= -1e-9 and log_ratio(ours, theirs) == pytest.approx(-log_ratio(theirs, ours), abs=1e-12)
    if np.abs(ours - theirs).max() > 0.01:
        assert both > 0


def test_by_hand():
    assert improvement([2, 3], [1, 4]) == pytest.approx(100 * (1 - 0.25) / 2)
    assert log_ratio([np.e, 1], [1, 1]) == pytest.approx(0.5) and improvement([1], [1]) == 0


@given(FEATURES, FEATURES, FEATURES)
def test_the_edit_distance_is_a_normalised_metric(a, b, c):
    """Levenshtein's distance, by recursion, over the longer length."""
    assert edit_distance(a, b) == pytest.approx(slow_distance(tuple(a), tuple(b)) / max(len(a), len(b), 1))
    assert edit_distance(a, b) == edit_distance(b, a) and 0 <= edit_distance(a, b) <= 1
    assert (edit_distance(a, b) == 0) == (a == b)
    assert slow_distance(tuple(a), tuple(c)) <= slow_distance(tuple(a), tuple(b)) + slow_distance(tuple(b), tuple(c))
