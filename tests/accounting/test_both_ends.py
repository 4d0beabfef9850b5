"""Both ends of what accounting encloses, against values that are computed another way."""

import math
from fractions import Fraction
from itertools import islice
from statistics import NormalDist

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.accounting import (
    LossDistribution,
    compose_optimal,
    gaussian_epsilon,
    optimal_delta,
    rdp_gaussian,
    rdp_laplace,
    rdp_to_epsilon,
    zcdp_to_delta,
    zcdp_to_epsilon,
    zcdp_to_epsilon_classical,
)
from fdpedu.accounting.composition import _weights
from fdpedu.accounting.concentrated import at_best_order
from fdpedu.accounting.lattice import LossLattice, _walk, decay, logarithm
from fdpedu.accounting.normal import _BITS, _series, normal_tail
from fdpedu.exact import exp_enclosure
from tests.support import truths
from tests.support.both_ends import both_ends
from tests.support.truths import (
    coins_delta,
    coins_epsilon,
    dec,
    exp,
    gaussian_delta,
    ln,
    normal_cdf,
    rdp_epsilon,
    zcdp_delta,
    zcdp_epsilon,
)

F = Fraction


@pytest.mark.parametrize("x", ["1e-300", "1/3", "999999/1000000", "1000001/1000000", "7", "1e300"])
def test_logarithms(x):
    both_ends(lambda: logarithm(F(x), 80), lambda: ln(x), 76)


@pytest.mark.parametrize("x", ["1/9", "40", "4999", "5000"])
def test_decays(x):
    both_ends(lambda: decay(F(x)), lambda: exp(-F(x)), 86)


@settings(max_examples=max(20, settings().max_examples // 2), deadline=None)
@given(st.fractions(F(1, 50), 3, max_denominator=50), st.integers(15, 60))
def test_logarithms_and_decays_of_any_number(x, digits):
    """An end that is off by one unit of the last place shows at some number, if not at those above."""
    both_ends(lambda: decay(x, digits), lambda: exp(-x), digits - 4)
    if x != 1:
        both_ends(lambda: logarithm(x, digits), lambda: ln(x), digits - 4)


@pytest.mark.parametrize(("e", "k", "d"), [("1/4", 12, "1e-4"), (1, 3, "1/10"), ("1/100", 30, "1e-9"), (2, 1, "1e-6")])
def test_the_epsilon_of_compositions(e, k, d):
    both_ends(lambda: compose_optimal(e, k, d), lambda: coins_epsilon(e, k, F(d)), 79)


@pytest.mark.parametrize(
    ("e", "k", "t"), [("1/4", 12, 2), (1, 3, "1/2"), ("1/100", 30, "1/50"), (2, 1, "3/2"), ("1/10", 40, 0)]
)
def test_the_delta_of_compositions(e, k, t):
    both_ends(lambda: optimal_delta(e, k, t), lambda: coins_delta(e, k, t), 85)


@settings(max_examples=max(20, settings().max_examples // 4), deadline=None)
@given(st.fractions(F(1, 50), 3, max_denominator=50), st.integers(1, 40), st.fractions(0, 1), st.integers(0, 12))
def test_any_composition(epsilon, k, share, zeros):
    """Of any number of releases, at any δ and ε'."""
    delta = max(share, F(1, 10)) / 10**zeros * F(9, 10)
    found = compose_optimal(epsilon, k, delta)
    if found.lower > 0:
        both_ends(lambda: found, lambda: coins_epsilon(epsilon, k, delta), 20)
    target = share * k * epsilon * F(99, 100)
    both_ends(lambda: optimal_delta(epsilon, k, target), lambda: coins_delta(epsilon, k, target), 20)


@pytest.mark.parametrize(("r", "d"), [("1/2", "1e-6"), ("1/1000", "1e-12"), (20, "1/10"), ("1/10", "1e-300")])
def test_the_epsilon_of_zcdp(r, d):
    """By the tight conversion, and by the classical one."""
    both_ends(lambda: zcdp_to_epsilon(r, d), lambda: zcdp_epsilon(r, d), 29)
    both_ends(lambda: zcdp_to_epsilon_classical(r, d), lambda: dec(r) + 2 * (-dec(r) * ln(d)).sqrt(), 56)


def least_epsilon(mu, delta):
    """Where the δ of N(0, 1) and N(μ, 1) falls to it: by halves in floats, then by Newton's steps from the left."""
    low, high, phi = 0.0, 64.0, NormalDist().cdf
    for _ in range(60):
        at = (low + high) / 2
        more = phi(mu / 2 - at / mu) - math.exp(at) * phi(-mu / 2 - at / mu) > delta
        low, high = (at, high) if more else (low, at)
    at = F(low) - F(1, 10**9)
    for _ in range(4):
        slope = exp(at) * normal_cdf(-F(mu) / 2 - at / F(mu))
        at += F((gaussian_delta(mu, at) - dec(delta)) / slope)
    return dec(at)


@pytest.mark.parametrize(("mu", "xi"), [(F(1), 0), (F(1, 5), F(1, 1000))])
def test_the_epsilon_of_a_budget(mu, xi):
    """That of one normal number, whose ρ is μ²/2; a ξ moves it by 2ξ, and takes its part of δ."""
    delta = F(1, 10**6)
    found = gaussian_epsilon(mu**2 / 2, xi, delta / (1 - xi))
    both_ends(lambda: found, lambda: least_epsilon(mu, delta) + dec(2 * xi), 14)


@pytest.mark.parametrize(("r", "d"), [("487/20000", "1e-6"), ("1/1000", "1e-12"), (20, "1/10"), ("1/10", "1e-300")])
def test_the_epsilon_of_an_older_budget(r, d):
    """The least over whole orders, tried one by one."""

    def at(order):
        return order * dec(r) + (-ln(d) - ln(order - 1) + order * ln(Fraction(order - 1, order))) / (order - 1)

    both_ends(lambda: at_best_order(F(r), F(0), F(d)), lambda: min(map(at, range(2, 400))), 40)


@pytest.mark.parametrize(("r", "e"), [("1/2", 5), ("1/1000", "1/2"), (2, 0), ("1/10", 30)])
def test_the_delta_of_zcdp(r, e):
    both_ends(lambda: zcdp_to_delta(r, e), lambda: zcdp_delta(r, e), 28)


@pytest.mark.parametrize(("a", "e", "n"), [(2, 1, 1), ("11/10", "1/50", 70), (64, 3, 5), (1000, "1/2", 10**6)])
def test_the_renyi_divergence_of_laplace(a, e, n):
    both_ends(lambda: rdp_laplace(a, e, n), lambda: truths.rdp_laplace(a, e, n), 141)


def test_the_renyi_divergence_of_the_gaussian():
    both_ends(lambda: rdp_gaussian(4, 3, 2, 5), lambda: F(4 * 5 * 4, 2 * 9), 30)


@pytest.mark.parametrize("d", ["1e-6", "1/3"])
def test_the_epsilon_of_a_renyi_curve(d):
    both_ends(
        lambda: rdp_to_epsilon(lambda a: rdp_laplace(a, "1/10", 70), d),
        lambda: rdp_epsilon(lambda a: truths.rdp_laplace(a, "1/10", 70), d),
        140,
    )


@pytest.mark.parametrize(("e", "t"), [(1, "1/3"), ("1/2", 0)])
def test_distributions_of_the_loss(e, t):
    """Of Laplace noise, of one coin and of nine, at an ε' and at a δ."""
    laplace = LossDistribution.laplace(e, step="1/400")
    both_ends(lambda: laplace.delta(t), lambda: 1 - exp((F(t) - F(e)) / 2), 2)
    both_ends(lambda: laplace.epsilon("1/20"), lambda: dec(e) + 2 * ln("19/20"), 2)
    coin = LossDistribution.randomised_response(e, step=F(e) / 6)
    both_ends(lambda: coin.delta(t), lambda: coins_delta(e, 1, F(t)), 26)
    coins = LossDistribution.discrete_laplace(e, step=e).compose(9)
    both_ends(lambda: coins.delta(t), lambda: coins_delta(e, 9, F(t)), 26)
    both_ends(lambda: coins.epsilon("1e-3"), lambda: coins_epsilon(e, 9, F("1e-3")), 26)


@pytest.mark.parametrize(("mu", "t"), [(1, "1/2"), ("1/3", "1/4")])
def test_the_loss_of_the_gaussian(mu, t):
    both_ends(lambda: LossDistribution.gaussian(1, mu, step="1/100").delta(t), lambda: gaussian_delta(mu, t), 0)


@pytest.mark.parametrize(("z", "digits"), [("-3", 44), ("-1/9", 44), ("1/9", 44), ("2", 43), ("7", 32), ("12", 9)])
def test_the_tail_of_the_normal_distribution(z, digits):
    both_ends(lambda: normal_tail(F(z)), lambda: normal_cdf(-F(z)), digits)


# --- recurrences in fixed point ---------------------------------------------------------------------------------------


def proper_fractions():
    """Fractions strictly between 0 and 1."""
    return st.tuples(st.integers(1, 40), st.integers(1, 40)).map(lambda pair: Fraction(pair[0], sum(pair)))


@given(proper_fractions(), st.lists(st.integers(0, 9), min_size=2, max_size=8))
def test_the_walk_encloses_the_sums(step, masses):
    """A_j is exact for exact masses, and B_j = Σ m_i·e^{x_j − x_i} lies between its ends."""
    walk = _walk(LossLattice(Fraction(1), step, 1, [(mass, mass) for mass in masses]))
    for j, piece in enumerate(walk):
        decays = [exp_enclosure(-step * (j - i), 150) for i in range(j + 1)]
        assert piece.a_low == piece.a_high == sum(masses[: j + 1])
        assert piece.b_low <= sum(m * decay.upper for m, decay in zip(masses, decays, strict=False))
        assert piece.b_high >= sum(m * decay.lower for m, decay in zip(masses, decays, strict=False))


@given(st.integers(2, 30), st.integers(0, 5), st.integers(1, 200))
def test_binomial_weights_are_enclosed(k, start, numerator):
    """C(k, i)/C(k, start)·r^{i−start}, which r itself is between its ends."""
    precision, first = 8, min(start, k)
    ratio = (numerator, numerator + 1)
    for i, (low, high) in enumerate(_weights(k, first, k, ratio, precision), first):
        times = Fraction(math.comb(k, i), math.comb(k, first)) * 2**precision
        assert low <= times * Fraction(ratio[0], 2**precision) ** (i - first)
        assert high >= times * Fraction(ratio[1], 2**precision) ** (i - first)


@pytest.mark.parametrize("z", [Fraction(1, 7), Fraction(1), Fraction(22, 7)])
def test_the_normal_series_is_enclosed(z):
    """z + z³/3 + z⁵/(3·5) + …, whose first two hundred terms leave out less than a unit."""
    terms = [z]
    for odd in range(3, 401, 2):
        terms.append(terms[-1] * z * z / odd)
    low, high = _series(z)
    assert low <= sum(terms) * 2**_BITS <= high


def test_the_walk_is_read_once():
    """It asks for no more masses than it has answered for, so that a long law need not be held."""
    asked = []
    lattice = LossLattice(Fraction(1), Fraction(1, 2), 1, (asked.append(i) or (1, 1) for i in range(9)))
    assert len(list(islice(_walk(lattice), 3))) == 3 == len(asked)
