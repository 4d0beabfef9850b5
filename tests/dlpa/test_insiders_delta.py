"""What insiders gain when a small δ is allowed, against convolutions in floats and sums in fractions."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.signal import fftconvolve
from scipy.stats import nbinom

from fdpedu.dlpa import insider_delta, insider_epsilon
from fdpedu.dlpa.insiders import _gains_after
from fdpedu.dlpa.remainder import Remainder
from fdpedu.exact import Rate, exp_enclosure


def middle(enclosure):
    return float((enclosure.lower + enclosure.upper) / 2)


@pytest.mark.claim("thm-insider-delta")
@pytest.mark.parametrize(("parties", "colluders", "lattice"), [(5, 1, 1), (3, 2, 4), (2, 1, 3)])
def test_delta_in_floats(parties, colluders, lattice):
    """Convolve two negative binomial laws in floats and add up what is positive."""
    tau, rate, size = (parties - colluders) / parties, 1 / lattice, 3000
    weights = nbinom(tau, -math.expm1(-rate)).pmf(np.arange(size))
    pmf = np.convolve(weights, weights[::-1])
    for allowed in (0, 0.5, 1, 1.1, 3):
        gains = pmf[:-lattice] - math.exp(allowed) * pmf[lattice:]
        found = insider_delta(1, parties, colluders, str(allowed), lattice=lattice)
        assert middle(found) == pytest.approx(gains[gains > 0].sum(), rel=2e-3, abs=1e-9)


@pytest.mark.claim("thm-insider-delta")
@pytest.mark.parametrize(
    ("epsilon", "colluders", "allowed", "lattice"),
    [("1/1000", 1, "0.0012", 1), ("1/1000", 1, "0.00101", 1), ("1/1000", 4, "0.0015", 1), ("1/25", 1, "0.041", 40)],
)
def test_delta_that_lies_far_out(epsilon, colluders, allowed, lattice):
    """Where thousands of outcomes speak for 0, their sum is bounded in blocks: the truth lies between, and near."""
    tau, rate, size = (5 - colluders) / 5, float(Fraction(epsilon)) / lattice, 20_000
    weights = nbinom(tau, -math.expm1(-rate)).pmf(np.arange(size))
    pmf = fftconvolve(weights, weights[::-1])[size - 1 - lattice :]
    gains = pmf[:-lattice] - math.exp(Fraction(allowed)) * pmf[lattice:]
    truth, found = gains[gains > 1e-15].sum(), insider_delta(epsilon, 5, colluders, allowed, lattice=lattice)
    assert found.lower - 1e-9 <= truth <= found.upper + 1e-9
    assert 0 < found.upper - found.lower < truth / 500


@pytest.mark.claim("thm-insider-delta")
def test_what_lies_beyond_the_last_outcome_looked_at_is_bounded():
    """With a short reach the sum ends early; what it leaves out is added to the upper end, and to no other."""

    class Short(Remainder):
        def reach(self, steps):
            return 8

    factor = exp_enclosure(Fraction(101, 10_000), 70)
    for steps in (1, 3):
        whole, part = (
            _gains_after(kind(Fraction(4, 5), Fraction(1, 100)), steps, factor) for kind in (Remainder, Short)
        )
        assert part.lower < whole.lower <= whole.upper < part.upper
    assert (insider_delta(1, 5, 1, 1).upper - insider_delta(1, 5, 1, 1).lower) * 10**60 < 1  # ε' = ε: all are known
    assert insider_delta(1000, 5, 1, 1).lower > Fraction(99, 100)


@pytest.mark.claim("thm-insider-delta")
def test_delta_of_all_the_noise_and_of_more():
    """Of a discrete Laplace number it is known; with more noise than needed it is at most that."""
    for lattice, allowed in ((1, "1/2"), (1, 0), (3, "1/2"), (4, "3/4")):
        alpha = math.exp(-1 / lattice)
        law = {k: (1 - alpha) / (1 + alpha) * alpha ** abs(k) for k in range(-400, 401)}
        gains = [law[k] - math.exp(Fraction(allowed)) * law[k + lattice] for k in range(-400, 400 - lattice)]
        whole = insider_delta(1, 5, 1, allowed, tolerate=1, lattice=lattice)
        assert middle(whole) == pytest.approx(sum(gain for gain in gains if gain > 0), rel=1e-9)
        more = insider_delta(1, 5, 0, allowed, tolerate=1, lattice=lattice)
        assert (more.lower, more.upper) == (0, whole.upper)
    assert insider_delta(1, 5, 1, 1, tolerate=1).upper == 0 == insider_delta(1, 5, 0, 2).upper


@pytest.mark.claim("thm-insider-delta")
def test_delta_is_nothing_from_the_loss_on():
    loss = insider_epsilon(1, 5, 1)
    assert insider_delta(1, 5, 1, loss.upper).upper == 0 < insider_delta(1, 5, 1, loss.lower - Fraction(1, 100)).lower
    assert insider_delta(1, 5, 1, 10**6).upper == 0
    previous = Fraction(1)
    for tenth in range(13):
        now = insider_delta(1, 5, 1, Fraction(tenth, 10))
        assert now.upper < previous
        previous = now.lower


def delta_of_discrete_laplace(epsilon, steps, allowed):
    """Σ_k max(0, f(k) − e^{ε'}·f(k+n)) term by term, from enclosures of α and of e^{ε'}: a lower and an upper sum."""
    alpha = Rate.of(epsilon=Fraction(epsilon) / steps).power(1, 60)
    factor = exp_enclosure(Fraction(allowed), 60)
    sums = []
    for a, f in ((alpha.lower, factor.upper), (alpha.upper, factor.lower)):
        a, f, total = Fraction(a).limit_denominator(10**40), Fraction(f).limit_denominator(10**40), Fraction(0)
        for k in range(-60 * steps, 60 * steps):
            total += max(Fraction(0), a ** abs(k) - f * a ** abs(k + steps)) * (1 - a) / (1 + a)
        sums.append(float(total))
    return min(sums), max(sums)


@pytest.mark.claim("thm-insider-delta")
@pytest.mark.parametrize(("steps", "allowed"), [(1, "1/4"), (2, "1/3"), (3, 0), (5, "9/10"), (4, "1/2")])
def test_the_delta_of_the_full_noise(steps, allowed):
    """Nobody colludes, so the noise is discrete Laplace, at ε = 1 over so many steps of a lattice."""
    found = insider_delta(1, 3, 0, allowed, lattice=steps)
    low, high = delta_of_discrete_laplace(1, steps, allowed)
    assert float(found.lower) == pytest.approx(low, abs=1e-12) and float(found.upper) == pytest.approx(high, abs=1e-12)
    assert found.upper - found.lower < Fraction(1, 10**60)


def test_borders_of_the_delta():
    assert insider_delta(1, 3, 0, "1/2", lattice=1000).upper > 0
    with pytest.raises(ValueError, match="lattice"):
        insider_delta(1, 3, 0, "1/2", lattice=1001)


def test_no_gain_is_left_where_more_is_allowed_than_is_ever_lost():
    for colluders in (0, 1, 3):
        assert insider_delta(1, 5, colluders, 10**4).upper < Fraction(1, 10**9)
