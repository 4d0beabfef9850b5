"""The label of a leaf by the lead of a class, from two noises or by permute-and-flip, rounded to the safe side."""

from fractions import Fraction as F
from functools import lru_cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.exact import Rate
from fdpedu.mechanisms import permute_and_flip_pmf
from fdpedu.robust import labels
from fdpedu.robust.labels import gap_tail, label_drawn, label_of_counts, least_reach
from fdpedu.trees.noise_law import law_of_sum, shapes_of

ALPHAS = st.sampled_from([F(1, 2), F(2, 3), F(1, 7), F(3, 4)])
FINE, REACH = F(1, 2**80), 300  # (3/4)^300 < 2^−124


@lru_cache
def enumerated(alpha):
    """Pr[Z₁ − Z₂ > u] by going through Z₁, with the tails of Z₂ in closed form; what is left out is below 2^−120."""

    def above(k):  # Pr[Z₂ ≥ k]
        return alpha**k / (1 + alpha) if k > 0 else 1 - alpha ** (1 - k) / (1 + alpha)

    unit = (1 - alpha) / (1 + alpha)
    masses = {j: unit * alpha ** abs(j) for j in range(-REACH, REACH + 1)}
    return [sum(mass * above(u + 1 - j) for j, mass in masses.items()) for u in range(13)]


@pytest.mark.parametrize("alpha", [F(1, 2), F(2, 3), F(1, 7), F(3, 4)])
def test_the_tail_of_two_noises_is_that_of_the_enumerated_law(alpha):
    rate = Rate.of(alpha=alpha)
    for u, exact in enumerate(enumerated(alpha)):
        low, high = gap_tail(rate, u, up=False), gap_tail(rate, u, up=True)
        assert low <= exact + F(1, 2**110) and exact <= high and high - low <= FINE


@pytest.mark.parametrize("epsilon", ["1/10", "1", "4"])
def test_the_tail_is_that_of_the_law_by_which_intervals_are_made(epsilon):
    """Two releases of one owner at a rational ε: the law of :mod:`fdpedu.trees.noise_law`, which rounds down."""
    rate, bits = Rate.of(epsilon=epsilon), 100
    law = law_of_sum(shapes_of([rate, rate], F(1)), bits)
    lost, middle = 2**bits - sum(law), len(law) // 2
    for u in (0, 1, 2, 5, 17, 60):
        tail = sum(law[middle + u + 1 :])
        assert F(tail, 2**bits) <= gap_tail(rate, u, up=True)
        assert gap_tail(rate, u, up=False) <= F(tail + lost, 2**bits)


@given(alpha=ALPHAS, lead=st.integers(-11, 11))
def test_a_class_ahead_has_the_label_as_noisy_counts_say(alpha, lead):
    """first iff lead + Z ≥ 0, second iff lead + Z > 0; never too large, and by hardly anything too small."""
    tails = enumerated(alpha)

    def above(k):  # Pr[Z ≥ k], Z being symmetric
        return tails[k - 1] if k > 0 else 1 - tails[-k]

    for first, exact in ((True, above(-lead)), (False, above(1 - lead))):
        found = label_of_counts(Rate.of(alpha=alpha), first=first)(lead)
        assert exact - FINE <= found <= exact + F(1, 2**110)


@given(alpha=ALPHAS, lead=st.integers(-60, 60))
def test_a_drawn_label_has_the_law_of_permute_and_flip(alpha, lead):
    exact = permute_and_flip_pmf([max(lead, 0), max(-lead, 0)], alpha=alpha)[0]
    assert exact - FINE <= label_drawn(Rate.of(alpha=alpha))(lead) <= exact


@pytest.mark.parametrize("rate", [Rate.of(alpha="1/2"), Rate.of(epsilon="1/3"), Rate.of(epsilon=30)])
def test_far_out_nothing_is_too_large(rate):
    """Beyond the smallest unit what is rounded down is 0, and what is rounded up is not."""
    for k in (500, 70_000):
        assert gap_tail(rate, k, up=False) == label_drawn(rate)(-k) == 0
        assert 0 < gap_tail(rate, k, up=True) < F(1, 2**60)
        for kept in (label_drawn(rate), label_of_counts(rate, first=True), label_of_counts(rate, first=False)):
            assert 0 <= kept(-k) < F(1, 2**40) and 1 - F(1, 2**40) < kept(k) < 1


@given(rate=st.sampled_from([F(1, 50), F(1, 4), F(1), F(5)]), lead=st.integers(-300, 300))
def test_one_forged_row_is_private(rate, lead):
    """λ(g) and λ(g − 1) differ by a factor of at most e^ε, and so do their rests; within the rounding."""
    alpha = Rate(rate=rate).power(1).lower
    for kept in (label_drawn(Rate(rate=rate)), *(label_of_counts(Rate(rate=rate), first=f) for f in (True, False))):
        more, less = kept(lead), kept(lead - 1)
        assert less <= more + FINE and alpha * more <= less + FINE and alpha * (1 - less) <= 1 - more + FINE


@given(rate=st.sampled_from([F(1, 1000), F(1, 20), F(1), F(8)]), miss=st.sampled_from([F(1, 2), F(1, 20), F(1, 10**9)]))
def test_the_reach_is_the_least_that_covers(rate, miss):
    u = least_reach(Rate(rate=rate), miss)
    assert gap_tail(Rate(rate=rate), u, up=True) <= miss
    assert u == 0 or gap_tail(Rate(rate=rate), u - 1, up=True) > miss


def test_tiny_rates_need_no_long_lists(monkeypatch):
    """Powers far out are computed one by one; both ways agree where they meet."""
    rate = Rate.of(epsilon="1e-9")
    assert 5 * 10**9 < least_reach(rate, F(1, 100)) < 7 * 10**9
    assert all(len(labels._powers(rate, up)._known) <= labels._LISTED for up in (True, False))
    listed = [labels._powers(Rate.of(epsilon="1/7"), up)(50) for up in (True, False)]
    monkeypatch.setattr(labels, "_LISTED", 0)
    single = [labels._Powers(Rate.of(epsilon="1/7"), up=up)(50) for up in (True, False)]
    assert listed[1] <= single[1] <= single[0] <= listed[0] <= listed[1] + 200


def test_a_rate_beyond_all_digits_leaves_a_coin():
    """Noise so wide that no digit tells it from endless: either count is as likely to be ahead."""
    endless = Rate(rate=F(1, 2**500))
    for ahead in (0, 7):
        above, below = (gap_tail(endless, ahead, up=up) for up in (True, False))
        assert above == F(1, 2) >= below > F(1, 2) - F(1, 2**80)
