"""Pólya shares: exact laws of one share and of the sum, independent of one another, with the promised variance."""

import inspect
import math
from contextlib import suppress
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from fdpedu.dlpa import count_noise_shares, negative_binomial, negative_binomial_by_cycles, polya_share, polya_shares
from fdpedu.exact import Rate
from fdpedu.randomness import Rehearsal, ReplayedWords, SystemSource, TapeExhausted, ZeroWords


@pytest.mark.claim("thm-polya-shares")
def test_two_shares_of_a_party_are_independent():
    """Two shares of one call use four words, each for one number: on all tapes of two words for each of 0, 1, 2."""
    rate, words = Rate.of(alpha="1/8"), {}
    for word in range(256):
        with suppress(TapeExhausted):  # a word of the residual
            number = int(negative_binomial(rate, 2, 1, ReplayedWords([word], 8))[0])
            words.setdefault(number, []).append(word)
    alone = {word: number for number in (0, 1, 2) for word in (words[number][0], words[number][-1])}
    for x0, x1, y0, y1 in product(alone, repeat=4):
        shares = polya_share(rate, 2, 2, ReplayedWords([x0, x1, y0, y1], 8)).tolist()
        assert shares == [alone[x0] - alone[y0], alone[x1] - alone[y1]]


@pytest.mark.parametrize("epsilon", ["1/1000000", "1/1000", "1/10"])
@pytest.mark.parametrize("m", [2, 4, 1000])
def test_frequencies_of_one_number(epsilon, m):
    """400,000 draws in cells of about equal mass, two-sided chi-square; α = 10⁻¹⁰ each, nine tests (seeded)."""
    import numpy as np
    from scipy.stats import chi2, nbinom

    size = 400_000
    stated = nbinom(1 / m, -np.expm1(-float(Fraction(epsilon))))
    zero = stated.pmf(0)
    edges = np.unique([0.0, *stated.ppf(zero + (1 - zero) * np.linspace(0, 1, 13)[1:-1])])
    expected = size * np.diff([0.0, *stated.cdf(edges), 1.0])
    used = expected > 40
    assert used.sum() >= 8
    draws = negative_binomial(Rate.of(epsilon=epsilon), m, size, Rehearsal(17))
    assert draws.min() >= 0
    observed = np.bincount(np.searchsorted(edges, draws, side="left"), minlength=expected.size)
    statistic = float(((observed - expected)[used] ** 2 / expected[used]).sum())
    assert chi2.sf(statistic, used.sum() - 1) > 5e-11 and chi2.cdf(statistic, used.sum() - 1) > 5e-11


@pytest.mark.parametrize("sampler", [negative_binomial, negative_binomial_by_cycles])
@pytest.mark.parametrize("epsilon", ["1/1000000000", "1/5000", "2"])
@pytest.mark.parametrize("m", [1, 3])
def test_moments_of_one_number(sampler, epsilon, m):
    """Mean and mean square of 60,000 draws, each within 7 standard errors: α below 10⁻⁹ in all, with some allowance
    for skewness (seeded).
    """
    import numpy as np
    from scipy.stats import nbinom

    draws = sampler(Rate.of(epsilon=epsilon), m, 60_000, Rehearsal(23)).astype(float)
    stated = nbinom(1 / m, -np.expm1(-float(Fraction(epsilon))))
    mean, variance, _, excess = (float(x) for x in stated.stats("mvsk"))
    assert abs(draws.mean() - mean) < 7 * (variance / 60_000) ** 0.5
    spread = variance * ((excess + 2) / 60_000) ** 0.5
    assert abs(((draws - mean) ** 2).mean() - variance) < 7 * spread


def test_zero_words_are_zero_shares():
    for epsilon in ("1/3", "1/1000000000000", 500):
        assert not polya_shares(4, epsilon, 5, ZeroWords()).any()
        assert polya_shares(4, epsilon, 0, SystemSource()).shape == (4, 0)


@pytest.mark.parametrize("m", [1, 2])
def test_tiny_rates_are_refused(m):
    with pytest.raises(ValueError, match="2\\*\\*-40"):
        negative_binomial(Rate.of(epsilon=Fraction(1, 2**41)), m, 1, SystemSource())


def test_shares_by_cycles_are_integers():
    drawn = negative_binomial_by_cycles(Rate.of(alpha="9/10"), 3, 50, Rehearsal(1))
    assert drawn.dtype == np.int64 and drawn.shape == (50,) and drawn.max() > 0


def test_alpha_stands_for_epsilon():
    """The rate is that of α: a small one draws hardly anything else than 0, a large one large numbers."""
    small, large = (polya_shares(3, size=200, rng=Rehearsal(3), alpha=alpha) for alpha in ("1/10000", "999/1000"))
    assert np.count_nonzero(small) < 10 and np.abs(large).max() > 100
    assert polya_shares(3, 1, rng=Rehearsal(3)).shape == (3, 1)


def test_the_most_is_allowed():
    assert count_noise_shares(10**9, 10**9 - 1) == 1 and count_noise_shares(1, 0) == 1


def test_nobody_is_tolerated_unless_it_is_said():
    """The same words give the shares of tolerate = 0, and others for tolerate = 1."""
    assert inspect.signature(polya_shares).parameters["tolerate"].default == 0
    said = ({}, {"tolerate": 0}, {"tolerate": 1})
    drawn = [polya_shares(3, "1/20", 40, Rehearsal(2), **options).tolist() for options in said]
    assert drawn[0] == drawn[1] != drawn[2]


def weight(k, shape):
    """w_k = Γ(k+shape)/(k!·Γ(shape))."""
    return math.prod(((i + shape) / (i + 1) for i in range(k)), start=Fraction(1))


@pytest.mark.claim("thm-polya-shares")
@pytest.mark.parametrize(("m", "most"), [(1, 4), (2, 6), (3, 5), (4, 4)])
def test_the_urn_s_parts_are_a_product_of_weights(m, most):
    """Drawn ball by ball: given g the law of the parts is the product of their weights, so no constant is left."""
    law = {(0,) * m: Fraction(1)}
    for g in range(most):
        following = dict.fromkeys((p for p in product(range(g + 2), repeat=m) if sum(p) == g + 1), Fraction(0))
        for parts, owner in product(law, range(m)):
            gained = tuple(k + (i == owner) for i, k in enumerate(parts))
            following[gained] += law[parts] * (parts[owner] + Fraction(1, m)) / (g + 1)
        law = following
        assert law == {parts: math.prod(weight(k, Fraction(1, m)) for k in parts) for parts in law}
