"""The bound on ε: the smallest claim that is not refuted, rounded down, and never above one that holds."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from fdpedu.audit import Bet, epsilon_lower
from fdpedu.audit.confidence import MAX_EPSILON, _rounding, bet_of_part, roughly_lower

COUNTS = [(90, 10, 0), (500, 100, 400), (30, 0, 0), (2000, 1500, 10), (10, 10, 10), (0, 0, 0), (3000, 2, 500)]
CLAIMS = [("1e-6", 0, 2), ("1/20", 0, 2), ("1/20", "1e-3", 2), ("1e-3", "1/50", 1), ("1/20", "1/4", 2)]


@pytest.mark.parametrize("counts", COUNTS)
@pytest.mark.parametrize(("alpha", "delta", "sides"), CLAIMS)
def test_it_is_the_end_of_the_first_claims_that_are_refuted(counts, alpha, delta, sides):
    """Part by part, in integers: all parts below it are refuted, and the one above it is not."""
    part = round(1000 * epsilon_lower(*counts, alpha=alpha, delta=delta, directions=sides))
    level = 1 / Fraction(alpha)
    assert not bet_of_part(part, delta, sides).reaches(level * (1 + Fraction(1, 10**6)), *counts)
    for below in {0, part // 2, part - 2, part - 1} & {*range(part)}:
        assert bet_of_part(below, delta, sides).reaches(level, *counts)


def test_without_delta_a_claim_is_refuted_whenever_a_larger_one_is():
    """The odds fall with ε, and with them what a gambler has."""
    wealths = [Bet.against(Fraction(k, 10)).wealth(60, 9) for k in range(40)]
    assert all(more > less for more, less in pairwise(wealths))


def test_with_delta_the_bound_is_the_smallest_claim_that_is_not_refuted():
    """The fee falls with ε, too: with a large δ a claim may be refuted where a smaller one is not. Then nothing is."""
    counts, claim = (1000, 0, 100), {"alpha": "4/5", "delta": "9/10"}
    refuted = [bet_of_part(part, "9/10").reaches("5/4", *counts) for part in (0, 1500, 2000)]
    assert refuted == [False, True, True]
    assert epsilon_lower(*counts, **claim) == 0


def test_more_evidence_never_lowers_it():
    """More right guesses, fewer wrong ones, a larger α or δ."""
    base = epsilon_lower(200, 20, alpha="1e-3")
    assert epsilon_lower(210, 20, alpha="1e-3") > base > epsilon_lower(200, 25, alpha="1e-3")
    assert epsilon_lower(200, 20, alpha="1e-2") > base > epsilon_lower(200, 20, 50, alpha="1e-3", delta="1e-2") > 0
    assert epsilon_lower(200, 20, 50, alpha="1e-3") == base


def test_it_ends_at_the_largest_claim():
    """However much is known."""
    assert epsilon_lower(10**9, 0, alpha="1/2") < MAX_EPSILON
    assert bet_of_part(0).odds < 1 and bet_of_part(49_999).odds > 0


def test_a_rough_bound_is_near():
    """It only chooses the time whose bound is looked for."""
    right, wrong, none = (np.array([counts[i] for counts in COUNTS]) for i in range(3))
    rough = roughly_lower((right, wrong, none), Fraction(1, 20), Fraction(0), 2)
    assert rough == pytest.approx([epsilon_lower(*counts, alpha="1/20") for counts in COUNTS], abs=2e-3)
    some = roughly_lower((right, wrong, none), Fraction(1, 20), Fraction(1, 100), 1)
    told = [epsilon_lower(*counts, alpha="1/20", delta="1/100", directions=1) for counts in COUNTS]
    assert some[:4] == pytest.approx(told[:4], abs=2e-3)


def test_floats_are_given_what_they_may_be_off_by():
    """More for more runs: each adds some parts of 2⁻⁵³ to a logarithm."""
    assert all(_rounding(n) >= 16 * (n + 1) * 2.0**-53 for n in (0, 1, 10**6, 10**12))
