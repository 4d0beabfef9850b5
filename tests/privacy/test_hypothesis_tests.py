"""What tests of hypotheses say: the best tests of two laws, the region that a claim allows, and odds."""

import math
from fractions import Fraction
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from fdpedu.claims.privacy.definition import events, mass
from fdpedu.claims.strategies import deltas, exp_epsilons
from fdpedu.privacy import allowed_region, rational_law, roc

# What a claim of the register says of one case is written once, in fdpedu.claims.privacy; here it meets other cases:
# laws of one to five outcomes, where those of the register have three.
laws = st.lists(st.integers(0, 20), min_size=1, max_size=5).filter(any).map(rational_law)


@given(laws, laws)
def test_no_test_beats_the_roc_curve(p, q):
    """Every event, as a test, lies on or below the curve; the curve is concave and runs from (0, 0) to (1, 1)."""
    corners = roc(p, q)
    assert corners[0] == (0, 0) and corners[-1] == (1, 1)
    for event in events(p, q):
        fpr, tpr = mass(q, event), mass(p, event)
        bounds = [
            a[1] + (b[1] - a[1]) * (fpr - a[0]) / (b[0] - a[0])
            for a, b in pairwise(corners)
            if a[0] <= fpr <= b[0] and a[0] < b[0]
        ]
        assert not bounds or tpr <= max(bounds)


@given(exp_epsilons, deltas)
def test_the_allowed_region_is_attained(factor, delta):
    """Its corner lies on both lines."""
    fpr, tpr = allowed_region(factor, delta)[1]
    assert tpr == factor * fpr + delta and 1 - fpr == factor * (1 - tpr) + delta


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=6))
def test_the_corners_of_the_best_tests(pairs):
    """The curve bends at each of its corners: ratios strictly fall, and no outcome of its own is left out."""
    if not any(a for a, _ in pairs) or not any(b for _, b in pairs):
        return
    p, q = (rational_law(dict(enumerate(weights))) for weights in zip(*pairs, strict=True))
    corners = roc(p, q)
    steps = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(corners)]
    ratios = [Fraction(up, over) if over else math.inf for over, up in steps]
    assert all(a > b for a, b in pairwise(ratios))
    every = {k: (p.get(k, 0), q.get(k, 0)) for k in p.keys() | q.keys()}
    assert set(ratios) == {a / b if b else math.inf for a, b in every.values()}
    for ratio, (over, up) in zip(ratios, steps, strict=True):
        alike = [(a, b) for a, b in every.values() if (a / b if b else math.inf) == ratio]
        assert (sum(b for _, b in alike), sum(a for a, _ in alike)) == (over, up)


@given(exp_epsilons, st.fractions(0, 1))
def test_the_allowed_region_begins_and_ends_where_delta_says(factor, delta):
    first, meeting, last = allowed_region(factor, delta)
    assert first == (0, delta) and last == (1 - delta, 1) and meeting[0] + meeting[1] == 1
