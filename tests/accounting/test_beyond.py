"""Beyond pure ε: every enclosure against an exact or brute-force computation, every formula against its definition."""

import itertools
import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.accounting import (
    LossDistribution,
    compose_optimal,
    gaussian_to_zcdp,
    optimal_delta,
    pure_to_zcdp,
    rdp_gaussian,
    rdp_laplace,
    rdp_to_epsilon,
    zcdp_to_delta,
    zcdp_to_epsilon,
    zcdp_to_epsilon_classical,
)
from fdpedu.accounting.lattice import LossLattice, delta_at, epsilon_at
from fdpedu.accounting.normal import normal_tail
from fdpedu.claims.accounting import laws_divergences as orders
from fdpedu.claims.accounting import laws_loss as loss
from fdpedu.exact import Enclosure, exp_enclosure, log_enclosure
from fdpedu.privacy import hockey_stick

epsilons = st.fractions(Fraction(1, 50), 3, max_denominator=50)
small = st.integers(1, 12)
deltas = st.sampled_from([Fraction(1, 10**15), Fraction(1, 10**6), Fraction(1, 100), Fraction(1, 3), Fraction(9, 10)])


def by_outcomes(alpha, k):
    """The laws of k coins (1, α)/(1+α) and (α, 1)/(1+α), outcome by outcome: no binomial coefficient, no order."""
    p, q = (Fraction(1), alpha), (alpha, Fraction(1))
    return [
        {word: math.prod(coin[bit] for bit in word) / (1 + alpha) ** k for word in itertools.product((0, 1), repeat=k)}
        for coin in (p, q)
    ]


@settings(max_examples=40, deadline=None)
@given(st.fractions(Fraction(1, 9), Fraction(8, 9), max_denominator=9), st.integers(1, 7), st.integers(0, 8))
def test_the_lattice_s_hockey_stick_is_that_of_the_definition(alpha, k, twice):
    """For rational α everything is exact: Σ max(0, p − e^{ε'}q) over 2^k outcomes, at ε' = j·ε."""
    p, q = by_outcomes(alpha, k)
    step = -2 * log_enclosure(alpha, 80).upper  # the grid's unit 2ε, as a fraction within 10⁻⁸⁰
    scale = (alpha.numerator + alpha.denominator) ** k << 300
    masses = [math.comb(k, i) * alpha.numerator**i * alpha.denominator ** (k - i) for i in range(k + 1)]
    lattice = LossLattice(k * step / 2, step, scale, [(m << 300, m << 300) for m in masses])
    j = min(twice, k)
    found = delta_at(lattice, j * step / 2)
    exact = hockey_stick(p, q, alpha**-j)
    assert abs(found.upper - exact) < Fraction(1, 10**70) and found.upper - found.lower < Fraction(1, 10**70)


@settings(max_examples=60, deadline=None)
@given(epsilons, small, epsilons)
def test_optimal_delta_is_the_binomial_sum(epsilon, k, target):
    """The enclosure meets the sum of the docstring, term by term in 60 digits; and it is narrow."""
    found = optimal_delta(epsilon, k, target)
    total = Enclosure.exactly(Fraction(0))
    for i in range(k + 1):
        if (k - 2 * i) * epsilon > target:
            a, b = exp_enclosure((k - i) * epsilon, 80), exp_enclosure(target + i * epsilon, 80)
            total += Enclosure(math.comb(k, i) * (a.lower - b.upper), math.comb(k, i) * (a.upper - b.lower))
    one = exp_enclosure(epsilon, 80)
    low, high = total.lower / (1 + one.upper) ** k, total.upper / (1 + one.lower) ** k
    assert found.lower <= high and low <= found.upper and found.upper - found.lower < Fraction(1, 10**50)


@settings(max_examples=60, deadline=None)
@given(epsilons, st.integers(1, 300), deltas)
def test_the_two_are_inverse(epsilon, k, delta):
    """At the upper end δ suffices; a little below the lower end it does not; and basic composition is never beaten by
    it.
    """
    found = compose_optimal(epsilon, k, delta)
    assert 0 <= found.lower <= found.upper <= k * epsilon
    assert optimal_delta(epsilon, k, found.upper).lower <= delta
    assert optimal_delta(epsilon, k, found.upper + Fraction(1, 10**30)).upper <= delta
    if found.lower > 0:
        assert optimal_delta(epsilon, k, found.lower * (1 - Fraction(1, 10**20))).lower > delta * (
            1 - Fraction(1, 10**15)
        )
    assert compose_optimal(epsilon, k, 0) == Enclosure.exactly(k * epsilon)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (lambda: compose_optimal("1/4", 16, 1e-6), "3.98990"),
        (lambda: compose_optimal("1/10", 30, 1e-6), "2.34588"),
        (lambda: zcdp_to_epsilon("1/2", 1e-6), "5.2215"),
        (lambda: zcdp_to_epsilon_classical("1/2", 1e-6), "5.7565"),
    ],
)
def test_anchors(value, shown):
    assert str(float(value())).startswith(shown)


@pytest.mark.parametrize("delta", ["1e-15", "1e-6", "0.5"])
@pytest.mark.parametrize(("epsilon", "k"), [("1e-4", 10**5), (1, 10**5), (1000, 7), ("1e-4", 3), (50, 10**6)])
def test_extreme_parameters_have_narrow_answers(epsilon, k, delta):
    found = compose_optimal(epsilon, k, delta)
    assert found.upper - found.lower <= found.upper / 10**20


@settings(max_examples=40, deadline=None)
@given(epsilons, st.integers(1, 60), deltas)
def test_what_is_larger_is_larger(epsilon, k, delta):
    """optimal ≤ zCDP's tight ≤ zCDP's classical; more releases cost more; a larger δ costs less."""
    orders.many_coins(epsilon, k, delta)
    optimal, rho = compose_optimal(epsilon, k, delta), k * pure_to_zcdp(epsilon)
    assert zcdp_to_epsilon(rho, delta).lower <= zcdp_to_epsilon_classical(rho, delta).upper
    assert optimal.lower <= compose_optimal(epsilon, k + 1, delta).upper
    assert compose_optimal(epsilon, k, delta + Fraction(1, 20)).lower <= optimal.upper


@settings(max_examples=60, deadline=None)
@given(st.fractions(Fraction(1, 1000), 30, max_denominator=1000), deltas, st.fractions(Fraction(1, 99), 40))
def test_the_tight_conversion_is_the_best_order(rho, delta, u):
    """No order does better than the lower end, the two functions are inverse, and the enclosures are narrow."""
    found, order = zcdp_to_epsilon(rho, delta), 1 + u
    by_order = rdp_to_epsilon({order: order * rho}, delta)
    assert found.lower <= by_order.upper and found.upper - found.lower < Fraction(1, 10**20)
    assert rdp_to_epsilon(lambda a: Enclosure.exactly(a * rho), delta).lower <= found.upper * 11 / 10 + Fraction(1, 20)
    if found.lower > 0:
        back = zcdp_to_delta(rho, found.upper)
        assert back.lower <= delta * (1 + Fraction(1, 10**12)) and delta <= back.upper * (1 + Fraction(1, 10**12))


@settings(max_examples=40, deadline=None)
@given(st.fractions(Fraction(11, 10), 60, max_denominator=10), epsilons)
def test_rdp_of_laplace_is_its_integral(order, epsilon):
    """The closed form against a midpoint sum of p^α q^{1−α}, and its bounds."""
    orders.laplace_bounds(order, epsilon)
    closed = rdp_laplace(order, epsilon)
    a, e = float(order), float(epsilon)
    n = 4000
    between = math.fsum(e / 2 * math.exp(-a * e * y - (1 - a) * e * (1 - y)) for y in ((i + 0.5) / n for i in range(n)))
    total = math.exp((a - 1) * e) / 2 + between / n + math.exp(-a * e) / 2
    assert float(closed) == pytest.approx(math.log(total) / (a - 1), rel=1e-5, abs=1e-7)


def test_gaussian_is_zcdp_with_equality():
    assert rdp_gaussian("7/2", 3, 2, 5) == Enclosure.exactly(5 * Fraction(7, 2) * gaussian_to_zcdp(3, 2))


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 30), st.integers(1, 40), st.integers(1, 40), deltas)
def test_loss_distributions_enclose_the_exact_answer(cells, k, divisor, delta):
    """On a grid that the losses fit, a discrete Laplace composes to the binomial formula; on any other they enclose
    it.
    """
    epsilon = Fraction(cells, 40)
    exact = compose_optimal(epsilon, k, delta)
    fitting = LossDistribution.discrete_laplace(epsilon, step=epsilon).compose(k)
    loss.enclosed(fitting.epsilon(delta), exact, Fraction(1, 10**6))
    step = Fraction(1, 40 + divisor)
    coarse = LossDistribution.randomised_response(epsilon, step=step).compose(k)
    loss.enclosed(coarse.epsilon(delta), exact, k * step)
    assert coarse.delta(exact.upper).lower <= delta
    assert exact.lower == 0 or delta <= coarse.delta(exact.lower).upper + Fraction(1, 10**20)


@settings(max_examples=20, deadline=None)
@given(epsilons, st.integers(1, 6), deltas)
def test_one_laplace_release(epsilon, sensitivity, delta):
    """The formula of one Laplace release; a discrete one of sensitivity Δ costs no more than the coin."""
    loss.formulas("laplace", epsilon, 1, Fraction(1, 300))
    coin = LossDistribution.randomised_response(epsilon, step=epsilon)
    several = LossDistribution.discrete_laplace(epsilon, sensitivity, step=epsilon / sensitivity)
    assert several.epsilon(delta).lower <= coin.epsilon(delta).upper + Fraction(1, 10**20)
    assert several.then(several).epsilon(delta).lower <= compose_optimal(epsilon, 2, delta).upper


@pytest.mark.parametrize(("sigma", "k"), [(1, 1), (2, 1), (4, 9)])
def test_gaussian_is_the_analytic_formula(sigma, k):
    """δ(ε) = Φ(μ/2 − ε/μ) − e^ε·Φ(−μ/2 − ε/μ) lies in the enclosure (Balle and Wang 2018); also composed."""
    loss.formulas("gaussian", Fraction(sigma), k, Fraction(1, 64))


@settings(max_examples=60, deadline=None)
@given(st.fractions(-12, 12, max_denominator=97))
def test_normal_tail(z):
    from scipy.stats import norm

    found = normal_tail(z)
    assert float(found) == pytest.approx(norm.sf(float(z)), rel=1e-9) and found.upper - found.lower < Fraction(
        1, 10**30
    )


JUNK = [None, "", "much", float("nan"), float("inf"), -1, 0, True, [], {}, 10**400, "1e-400", 1j, b"1", object()]
CALLS = {
    "compose_optimal": (compose_optimal, ["1/4", 16, "1e-6"]),
    "optimal_delta": (optimal_delta, ["1/4", 16, 1]),
    "pure_to_zcdp": (pure_to_zcdp, [1]),
    "gaussian_to_zcdp": (gaussian_to_zcdp, [1, 1]),
    "zcdp_to_epsilon": (zcdp_to_epsilon, [1, "1e-6"]),
    "zcdp_to_delta": (zcdp_to_delta, [1, 1]),
    "zcdp_to_epsilon_classical": (zcdp_to_epsilon_classical, [1, "1e-6"]),
    "rdp_laplace": (rdp_laplace, [2, 1, 3]),
    "rdp_gaussian": (rdp_gaussian, [2, 1, 1, 3]),
    "rdp_to_epsilon": (lambda order, value, delta: rdp_to_epsilon(lambda _: value, delta, [order]), [2, 1, "1e-6"]),
    "laplace": (LossDistribution.laplace, [1, 1]),
    "discrete_laplace": (LossDistribution.discrete_laplace, [1, 1, 1]),
    "gaussian": (LossDistribution.gaussian, [1, 1, 1]),
    "compose": (LossDistribution.randomised_response(1, step=1).compose, [2]),
    "delta": (LossDistribution.randomised_response(1, step=1).delta, [1]),
    "epsilon": (LossDistribution.randomised_response(1, step=1).epsilon, ["1/100"]),
}


@pytest.mark.parametrize("name", CALLS)
def test_bad_input_gives_a_clear_value_error(name):
    """Each argument replaced by junk: an answer or a ValueError that names what was expected, nothing else."""
    function, good = CALLS[name]
    function(*good)
    refused = 0
    for i, junk in itertools.product(range(len(good)), JUNK):
        arguments = [*good[:i], junk, *good[i + 1 :]]
        try:
            function(*arguments)
        except ValueError as error:
            assert "must be" in str(error) or "too fine" in str(error), error
            refused += 1
    assert refused >= 10 * len(good)


def test_a_delta_below_what_the_tables_keep_is_refused(monkeypatch):
    with pytest.raises(ValueError, match="these tables leave out"):
        LossDistribution.gaussian(1, step="1/8").epsilon("1e-29")
    with pytest.raises(ValueError, match="same step"):
        LossDistribution.laplace(1).then(LossDistribution.laplace(1, step="1/8"))
    with pytest.raises(ValueError, match="larger step"):
        monkeypatch.setattr("fdpedu.accounting.loss._MAX_CELLS", 3000)
        LossDistribution.laplace(1).compose(2)


def test_a_loss_that_may_be_infinite_has_no_epsilon():
    assert epsilon_at(LossLattice(Fraction(1), Fraction(1), 10, [(9, 9)], (1, 1)), Fraction(1, 20)) is None
    assert epsilon_at(LossLattice(Fraction(1), Fraction(1), 10, [(9, 9)], (1, 1)), Fraction(1, 10)).upper == 1
