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

from fdpedu.claims.dlpa import laws_insiders as law
from fdpedu.dlpa import insider_delta, insider_epsilon
from fdpedu.dlpa.remainder import HALF, Remainder, around
from fdpedu.dlpa.series import gamma_function, hypergeometric, log_of, power_enclosure, rising_ratio
from fdpedu.exact import Enclosure
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


@pytest.mark.claim("thm-insider-lattice")
def test_the_worst_pair_on_other_lattices():
    law.worst_pair(Fraction(2), 7, 3, 3, 2)
    law.worst_pair(Fraction(1, 3), 4, 3, 1, 7)


@pytest.mark.claim("lem-remainder")
def test_both_series_meet():
    """Where one takes over from the other they say the same: at the rate 1/3, and where rate times k is 12."""
    for tau in (Fraction(4, 5), Fraction(1, 7)):
        for rate, k in ((Fraction(1, 3), 0), (Fraction(1, 3), 20), (Fraction(1, 4), 48), (Fraction(1, 50), 30)):
            left = Remainder(tau, rate)
            law.require_one(left._by_complement(k), left._by_square(k), f"{tau}, {rate}, {k}")


def test_series_and_powers():
    one = Enclosure.exactly(Fraction(1))
    assert middle(hypergeometric([], [], one)) == pytest.approx(math.e)
    for x in ("1/1000000000", "1/7", "1", "3/2", "2"):
        found = gamma_function(Fraction(x))
        assert middle(found) == pytest.approx(math.gamma(Fraction(x)), rel=1e-12)
        assert (found.upper - found.lower) * 10**70 < found.lower
    half = gamma_function(HALF)
    assert 0 < (half * half - Fraction(math.pi)).upper < Fraction(1, 10**15)
    a, b = (gamma_function(Fraction(k, 5)) for k in (2, 3))
    sine = Fraction(math.sin(2 * math.pi / 5))
    assert abs(middle(a * b * sine) - math.pi) < 1e-12
    for a, b, c, z in ((0.8, 0.8, 1.6, 0.5), (0.2, 7.2, 8.0, 0.99), (0.1, 3.1, 0.2, 0.4), (5.5, 2.5, 1.5, 0.9)):
        exact = [Fraction(str(v)) for v in (a, b, c, z)]
        found = hypergeometric(exact[:2], exact[2:3], Enclosure.exactly(exact[3]))
        assert middle(found) == pytest.approx(hyp2f1(a, b, c, z), rel=1e-10)
        assert (found.upper - found.lower) * 10**60 < found.lower and found.lower < found.upper
    for z in (Fraction(1, 2), Fraction(99, 100)):  # Σ z^k, of which the end that is cut off is known
        found = hypergeometric([Fraction(1)], [], Enclosure.exactly(z))
        assert found.lower <= 1 / (1 - z) <= found.upper and (found.upper - found.lower) * 10**70 < 1
    assert rising_ratio(Fraction(1, 3), Fraction(1), 3).lower <= Fraction(14, 81) <= rising_ratio(
        Fraction(1, 3), Fraction(1), 3
    ).upper  # fmt: skip
    assert rising_ratio(Fraction(1, 3), Fraction(2, 3), 0) == one
    seam = rising_ratio(Fraction(1, 5), Fraction(4, 5), 500)
    for k in (500, 501, 20_000):
        stated = gammaln(k + 0.2) - gammaln(k + 0.8) + gammaln(0.8) - gammaln(0.2)
        found = rising_ratio(Fraction(1, 5), Fraction(4, 5), k)
        assert math.log(middle(found)) == pytest.approx(stated, abs=1e-9)
        assert 0 < (found.upper - found.lower) * 10**65 < found.lower
    law.require_one(rising_ratio(Fraction(1, 5), Fraction(4, 5), 501), seam * Fraction(2501, 2504), "one factor more")
    assert middle(power_enclosure(Enclosure.exactly(Fraction(2)), Fraction(-3, 2))) == pytest.approx(2**-1.5)
    wide = log_of(Enclosure(Fraction(2), Fraction(3)))
    assert middle(wide) == pytest.approx(math.log(6) / 2) and wide.upper - wide.lower > Fraction(2, 5)


def test_around_a_half():
    """A function that falls from 2 to 1 at 1/2 is enclosed by both; elsewhere it is taken as it is."""
    asked = []

    def falling(tau):
        asked.append(tau)
        return Enclosure.exactly(Fraction(1 if tau > HALF else 2))

    assert around(HALF, falling) == Enclosure(Fraction(1), Fraction(2)) and HALF not in asked
    assert around(Fraction(1, 3), falling) == Enclosure.exactly(Fraction(2))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: insider_epsilon(1, 3, 3), "colluders must be less than the number of parties \\(3\\), got 3"),
        (lambda: insider_epsilon(0, 3, 1), "epsilon must be greater than 0"),
        (lambda: insider_epsilon(1, 3, -1), "colluders must be an integer ≥ 0, got -1"),
        (lambda: insider_epsilon(1, 0, 0), "n_parties must be an integer ≥ 1, got 0"),
        (lambda: insider_delta(1, 3, 1, "much"), "epsilon_prime must be a finite number"),
        (lambda: insider_epsilon(1, 3, 1, sensitivity=0), "sensitivity must be an integer ≥ 1"),
        (lambda: insider_epsilon(1, 3, 1, lattice=Fraction(1, 2)), "lattice must be an integer ≥ 1"),
        (lambda: insider_epsilon(1, 3, 1, lattice=1000, sensitivity=101), "at most 100000, got 101000"),
        (lambda: insider_epsilon(1, 3, 1, noise="laplace"), "noise must be 'polya' or 'gamma', got 'laplace'"),
        (lambda: insider_epsilon("1e-301", 3, 1), "from 10\\^-300 to 10\\^300"),
        (lambda: insider_epsilon("1e301", 3, 1), "from 10\\^-300 to 10\\^300"),
        (lambda: insider_delta(1, 3, 1, -1), "epsilon_prime must be at least 0, got -1"),
        (lambda: insider_delta(1, 3, 1, 1, lattice=1001), "at most 1000 for δ, got 1001"),
        (lambda: insider_delta(1001, 3, 1, 1), "at most 1000 for δ, got 1001"),
        (lambda: insider_delta(1, 3, 1, 1, tolerate=3), "tolerate must be less"),
    ],
)
def test_refusals(call, message):
    with pytest.raises(ValueError, match=message):
        call()
