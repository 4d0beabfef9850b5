"""What insiders gain, against values that are computed another way; all anchors of the report's parameters."""

import decimal
import math
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import gammaln, hyp2f1, kve

from fdpedu.dlpa import insider_epsilon
from fdpedu.dlpa.remainder import Remainder
from tests.support.both_ends import both_ends
from tests.support.truths import insider

PAIRS = [(5, 1), (5, 4), (2, 1), (3, 1), (9, 5), (1000, 999), (1000, 1)]


def middle(enclosure):
    return float((enclosure.lower + enclosure.upper) / 2)


@pytest.mark.parametrize(
    ("parties", "colluders", "epsilon", "polya", "gamma"),
    [(5, 1, 1, 1.212, 1.443), (5, 1, "1/10", 0.212, 0.270), (2, 1, 1, 1.675, math.inf)],
)
def test_anchors(parties, colluders, epsilon, polya, gamma):
    assert round(float(insider_epsilon(epsilon, parties, colluders)), 3) == polya
    found = insider_epsilon(epsilon, parties, colluders, noise="gamma")
    assert found == math.inf if gamma == math.inf else round(float(found), 3) == gamma


def test_anchors_on_lattices():
    found = [float(insider_epsilon("1/10", 2, 1, lattice=10**k)) for k in range(4)]
    assert [round(loss, 3) for loss in found] == [0.606, 1.013, 1.309, 1.537]


@pytest.mark.claim("thm-insider-polya")
@pytest.mark.parametrize("epsilon", ["1/20", "1", "12"])
@pytest.mark.parametrize(("parties", "colluders"), PAIRS)
def test_against_gauss_s_function_in_floats(parties, colluders, epsilon):
    e, tau = float(Fraction(epsilon)), (parties - colluders) / parties
    a = math.exp(-e)
    stated = math.log(hyp2f1(tau, tau, 1, a * a) / (a * tau * hyp2f1(tau, tau + 1, 2, a * a)))
    assert middle(insider_epsilon(epsilon, parties, colluders)) == pytest.approx(stated, rel=1e-9)


@pytest.mark.claim("thm-insider-gamma")
@pytest.mark.parametrize("epsilon", ["1/1000", "1/20", "1", "12", "39", "41", "500"])
@pytest.mark.parametrize(("parties", "colluders"), [(5, 1), (5, 2), (1000, 1), (1000, 499)])
def test_against_bessel_s_function_in_floats(parties, colluders, epsilon):
    e, nu = float(Fraction(epsilon)), (parties - colluders) / parties - 0.5
    stated = gammaln(nu) + (nu - 1) * math.log(2) - nu * math.log(e) - math.log(kve(nu, e)) + e
    found = insider_epsilon(epsilon, parties, colluders, noise="gamma")
    assert middle(found) == pytest.approx(stated, rel=1e-9, abs=1e-12)


def test_against_numerical_integration_of_the_characteristic_function():
    """f(k) = 1/π ∫ cos(kθ)·((1−α)²/(1−2α·cos θ+α²))^τ dθ over 0 … π."""
    for tau, rate in (("4/5", "1/4"), ("1/5", "1"), ("2/3", "3"), ("1/3", "1/2")):
        t, a = float(Fraction(tau)), math.exp(-float(Fraction(rate)))
        left = Remainder(Fraction(tau), Fraction(rate))
        for k in (0, 1, 2, 5, -3):
            value, _ = quad(
                lambda x, k=k, t=t, a=a: math.cos(k * x) * ((1 - a) ** 2 / (1 - 2 * a * math.cos(x) + a * a)) ** t,
                0,
                math.pi,
                epsabs=1e-13,
            )
            assert middle(left.pmf(k)) == pytest.approx(value / math.pi, abs=1e-10)


def test_the_density_with_gamma_shares_is_bessel_s():
    """The loss is ln(g(0)/g(1)), g by integration of the mixture over the variance."""
    tau, e = 0.8, 1.0

    def g(t):
        value, _ = quad(lambda s: s ** (tau - 1.5) * math.exp(-s - (e * t) ** 2 / (4 * s)), 0, math.inf, limit=200)
        return value

    assert middle(insider_epsilon(1, 5, 1, noise="gamma")) == pytest.approx(math.log(g(0) / g(1)), abs=1e-6)


@settings(max_examples=25, deadline=None)
@given(st.fractions(Fraction(1, 8), 4, max_denominator=20), st.integers(2, 9), st.integers(1, 8), st.integers(0, 4))
def test_term_by_term(epsilon, parties, colluders, tolerate):
    """The weights of both numbers, multiplied and added up in decimals of 60 digits."""
    c, t = colluders % parties, tolerate % parties
    found = insider_epsilon(epsilon, parties, c, tolerate=t)
    if parties - c >= parties - t:
        assert found.lower == found.upper == epsilon
    else:
        with decimal.localcontext(decimal.Context(prec=60)):
            truth = Fraction(insider(epsilon, parties, c, t))
        slack = Fraction(1, 10**50)  # its own error
        assert found.lower - slack <= truth <= found.upper + slack
        assert found.upper - found.lower < Fraction(1, 10**33)


@pytest.mark.claim("thm-insider-polya")
@pytest.mark.parametrize(("parties", "colluders"), [(5, 1), (3, 1), (20, 1), (9, 4)])
def test_the_law_of_growth(parties, colluders):
    """For τ > 1/2, e(ε)/ε^{2τ−1} tends to (2τ−1)/(1−τ)·Γ(2−2τ)Γ(τ)²/(Γ(1−τ)²Γ(2τ))·2^{2τ−1}."""
    t = (parties - colluders) / parties
    g = math.gamma
    stated = (2 * t - 1) / (1 - t) * g(2 - 2 * t) * g(t) ** 2 / (g(1 - t) ** 2 * g(2 * t)) * 2 ** (2 * t - 1)
    found = [float(insider_epsilon(Fraction(1, 10**k), parties, colluders)) * 10 ** (k * (2 * t - 1)) for k in (30, 60)]
    assert found[1] == pytest.approx(stated, rel=1e-6) and abs(found[1] - stated) <= abs(found[0] - stated) + 1e-12


@pytest.mark.claim("thm-insider-polya")
def test_the_floor_that_no_small_epsilon_goes_below():
    for parties, colluders in ((5, 3), (5, 4), (10, 9)):
        floor = math.log(colluders / (parties - colluders))
        assert middle(insider_epsilon(Fraction(1, 10**200), parties, colluders)) == pytest.approx(floor, abs=1e-12)


def test_very_large_and_very_small():
    """Far from 1 both ends still hold: what exceeds ε grows towards ln(1/τ), and on a lattice towards ln(n!/(τ)_n)."""
    for epsilon in (999, 1001, 10**6, 10**300):
        gain = insider_epsilon(epsilon, 5, 1) - epsilon
        assert middle(gain) == pytest.approx(math.log(5 / 4), abs=1e-9) and gain.lower <= gain.upper
    near = [insider_epsilon(e, 5, 1, lattice=400) - e for e in (1000, Fraction(1001))]
    assert near[0].upper < near[1].upper and near[1].upper - near[0].upper < Fraction(1, 50)
    assert insider_epsilon(Fraction(1, 10**300), 5, 1).upper < Fraction(1, 10**60)
    far = insider_epsilon(10**300, 5, 1, noise="gamma")
    assert far.lower > 10**300 and far.upper - 10**300 < 1000


@pytest.mark.claim("thm-insider-lattice")
def test_more_honest_noise_is_never_worse():
    """e decreases with τ, through 1/2, where the formula would divide 0 by 0."""
    for lattice in (1, 50):
        losses = [insider_epsilon("1/100", 1000, 1000 - left, lattice=lattice) for left in (1, 300, 499, 500, 501, 999)]
        assert all(a.lower > b.upper for a, b in pairwise(losses))
        close = 10**9 // 2
        around_half = [insider_epsilon("1/100", 10**9, c, lattice=lattice) for c in (close + 1, close, close - 1)]
        assert all(a.lower > b.upper for a, b in pairwise(around_half))
        assert around_half[0].upper - around_half[2].lower < Fraction(1, 10**6)


@pytest.mark.parametrize(("e", "n", "c", "t"), [(1, 5, 1, 0), ("1/4", 3, 2, 0), (3, 9, 5, 2), ("1/20", 4, 1, 0)])
def test_an_insider(e, n, c, t):
    both_ends(lambda: insider_epsilon(e, n, c, tolerate=t), lambda: insider(e, n, c, t), 33)


def test_an_insider_who_is_tolerated():
    both_ends(lambda: insider_epsilon("1/3", 5, 2, tolerate=2), lambda: Fraction(1, 3), 30)


@pytest.mark.claim("thm-insider-polya")
def test_half_of_the_noise_loses_two_over_the_logarithm():
    """At τ = ½ the loss is near 2/ln(1/ε), and comes nearer as ε falls."""
    off = [abs(float(insider_epsilon(Fraction(1, 10**i), 2, 1)) * i * math.log(10) / 2 - 1) for i in (10, 40, 160)]
    assert off == sorted(off, reverse=True) and off[-1] < 0.01


def test_the_largest_and_the_smallest_epsilon_are_accepted_and_nothing_beyond():
    for epsilon in (Fraction(10**300), Fraction(1, 10**300)):
        assert insider_epsilon(epsilon, 5, 1).upper > epsilon
        for beyond in (epsilon * 3 / 2, epsilon / 2):
            if not Fraction(1, 10**300) <= beyond <= 10**300:
                with pytest.raises(ValueError, match="epsilon"):
                    insider_epsilon(beyond, 5, 1)
