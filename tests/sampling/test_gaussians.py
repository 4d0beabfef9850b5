"""Exact discrete Gaussian numbers: the law's enclosures, its table over the integers, rejection, and seeded samples."""

import decimal
import math
from collections import Counter
from fractions import Fraction
from itertools import accumulate

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.mechanisms import discrete_gaussian, discrete_gaussian_pmf
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.sampling import gaussians, sample
from fdpedu.sampling.alias import RESIDUAL, AliasTable
from fdpedu.sampling.gaussians import by_rejection, discrete_gaussian_law, discrete_gaussian_noise
from tests.support.chi import agree, agrees

F = Fraction


def decimal_sums(variance, n):
    """F of the first n values in the order 0, 1, −1, …, in decimals of 120 digits."""
    with decimal.localcontext(decimal.Context(prec=120)):
        half = decimal.Decimal(variance.denominator) / (2 * decimal.Decimal(variance.numerator))
        weights = [(-half * k * k).exp() for k in range(40 * math.isqrt(math.ceil(variance)) + 40)]
        total = 2 * sum(weights) - weights[0]
        sums = accumulate(weights[(index + 1) // 2] for index in range(n))
        return [Fraction(x / total) for x in sums]


@pytest.mark.parametrize("bits", [8, 64, 200])
@pytest.mark.parametrize("variance", ["1/7", "1", "33/2", "2000"])
def test_sums_of_weights_are_enclosed_to_the_last_unit(variance, bits):
    for n in (1, 2, 7, 60):
        lower, upper = gaussians._bounds(Fraction(variance), n, bits)
        assert len(lower) == len(upper) == n
        for low, high, truth in zip(lower, upper, decimal_sums(Fraction(variance), n), strict=True):
            assert low <= truth * 2**bits <= high <= 2**bits and high - low <= 2


@pytest.mark.parametrize("variance", ["1/9", "3", "90000"])
@pytest.mark.parametrize("scale", [20, 90])
def test_what_follows_the_last_weight_is_bounded(variance, scale):
    """Each weight lies between its two roundings; and so does the sum of all, of which two are 0, and one a bound."""
    lows, highs = gaussians._weights(Fraction(variance), scale)
    with decimal.localcontext(decimal.Context(prec=60)):
        v = decimal.Decimal(Fraction(variance).numerator) / Fraction(variance).denominator
        truths = [(-decimal.Decimal(k * k) / (2 * v)).exp() * 2**scale for k in range(len(lows) - 1)]
        rest = sum((-decimal.Decimal(k * k) / (2 * v)).exp() for k in range(len(lows) - 1, 9 * len(lows))) * 2**scale
    for low, truth, high in zip(lows, truths, highs, strict=False):
        assert low <= truth <= high
    assert len(lows) == len(highs) and lows[-1] == 0 and rest <= highs[-1] < rest + 10 * math.ceil(v) + 3


@pytest.mark.claim("thm-discrete-gaussian")
def test_the_table_of_the_largest_sigma_is_the_law():
    """σ = 300, words of 32 bits: no word too many, fewer than 10⁻⁶ are left over, and hardly anything lies beyond."""
    law = discrete_gaussian_law(F(90_000))
    words = AliasTable.of(law, 32).words_of()
    rest = words.pop(RESIDUAL)
    assert len(words) <= law.terms < 4096 and rest < 2**32 / 10**6 and sum(words.values()) + rest == 2**32
    for k in range(0, 1801, 50):
        truth = 2**32 * discrete_gaussian_pmf(k, F(1, 180_000))
        assert truth.lower - 2 < words.get(k, 0) == words.get(-k, 0) <= truth.upper


@pytest.mark.parametrize("rho", ["1/2", "1/50", "1/3000", 3])
def test_the_coin_is_the_same_in_floats_and_in_fractions(rho, monkeypatch):
    """Where a float leaves a coin open, the fraction that settles it is the same coin; and it is a probability."""
    coins = gaussians.exp_coins

    def checked(likely, gamma, source):
        exact = [math.exp(-gamma(i)) for i in range(len(likely))]
        assert likely == pytest.approx(exact, rel=1e-12) and all(type(gamma(i)) is Fraction for i in range(len(likely)))
        return coins(likely, gamma, source)

    monkeypatch.setattr(gaussians, "exp_coins", checked)
    draws = by_rejection(1 / (2 * Fraction(rho)), 60, Rehearsal(4))
    assert draws.shape == (60,) and (len(set(draws.tolist())) > 1 or rho == 3)


def test_what_is_drawn_is_the_table_or_rejection():
    """From the same words; up to σ = 300 by the table, and beyond by rejection. The mechanism adds these numbers."""
    for variance, drawn in (
        (F(90_000), lambda v: sample(discrete_gaussian_law(v), 500, Rehearsal(3))),
        (F(90_001), lambda v: by_rejection(v, 500, Rehearsal(3))),
    ):
        noise = discrete_gaussian_noise(variance, 500, Rehearsal(3))
        assert noise.dtype == np.int64 and np.array_equal(noise, drawn(variance))
        values = np.arange(500)
        assert np.array_equal(discrete_gaussian(values, 1 / (2 * variance), Rehearsal(3)), values + noise)


@pytest.mark.parametrize("variance", ["1/5", "1", "9", "1000", "90000"])
def test_seeded_numbers_have_the_law(variance):
    """200,000 numbers against the probabilities, chi-square: a false alarm has probability 2·10⁻⁸ each."""
    v, reach = Fraction(variance), 8 * math.isqrt(math.ceil(Fraction(variance))) + 8
    found = Counter(discrete_gaussian_noise(v, 200_000, Rehearsal(8)).tolist())
    agrees(found, {k: float(discrete_gaussian_pmf(k, 1 / (2 * v))) for k in range(-reach, reach + 1)})


@pytest.mark.parametrize("variance", ["1/3", "6"])
def test_the_table_and_rejection_agree(variance):
    """60,000 seeded numbers each, chi-square: a false alarm has probability 2·10⁻⁸ each."""
    one, other = (
        Counter(draw(Fraction(variance), 60_000, Rehearsal(seed)).tolist())
        for seed, draw in ((1, discrete_gaussian_noise), (2, by_rejection))
    )
    agree(one, other)


@pytest.mark.parametrize("sigma", [2, 40, 299, 301, 10**6, 2**30])
def test_mean_variance_and_symmetry(sigma):
    """100,000 seeded numbers: mean, second and fourth moment, and the shares of both signs, within 6.5 standard errors.

    A false alarm has probability 4·10⁻¹⁰, about, for each number that is looked at. The parameter σ² differs from the
    variance by less than 10⁻³⁰ for these σ.
    """
    n, drawn = 10**5, discrete_gaussian_noise(F(sigma) ** 2, 10**5, Rehearsal(12)) / sigma
    assert abs(drawn.mean()) < 6.5 / math.sqrt(n)
    assert abs((drawn**2).mean() - 1) < 6.5 * math.sqrt(2 / n)
    assert abs((drawn**4).mean() - 3) < 6.5 * math.sqrt(96 / n)
    assert abs(np.sign(drawn).mean()) < 6.5 / math.sqrt(n)


@settings(max_examples=20, deadline=None)
@given(st.fractions(Fraction(1, 10**400), 2**60, max_denominator=10**400), st.integers(0, 5), st.integers(0, 99))
def test_any_parameter_and_any_size(variance, size, seed):
    """Whole numbers, as many as are asked for, the same from the same words; and 0 from zeros, by a table."""
    drawn = [discrete_gaussian_noise(variance, size, Rehearsal(seed)) for _ in range(2)]
    assert drawn[0].shape == (size,) and drawn[0].dtype == np.int64 and np.array_equal(*drawn)
    assert np.all(np.abs(drawn[0]) <= 60 * math.sqrt(variance) + 1)
    if variance <= 90_000:
        assert not discrete_gaussian_noise(variance, size, ZeroWords()).any()


def test_of_a_tiny_parameter_there_is_nothing_but_zeros():
    """Pr[k ≠ 0] is less than 10⁻⁴⁰⁰⁰; the bounds of the law are still a law's."""
    for variance in (F(1, 10**4), F(1, 10**300)):
        assert not discrete_gaussian_noise(variance, 3000, Rehearsal(2)).any()
        assert gaussians._bounds(variance, 9, 64) == ([2**64 - 1] * 9, [2**64] * 9)
