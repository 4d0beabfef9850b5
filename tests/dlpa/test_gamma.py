"""Gamma shares: the honest sum is Laplace, and small numbers become 0 as often as stated."""

import numpy as np
import pytest

from fdpedu.dlpa import gamma_shares, on_lattice, underflow_probability
from fdpedu.randomness import Rehearsal, ZeroWords


@pytest.mark.claim("lem-laplace-divisible")
@pytest.mark.parametrize(("n", "tolerate"), [(1, 0), (3, 0), (14, 7)])
def test_the_honest_sum_is_laplace(n, tolerate):
    """Kolmogorov–Smirnov on 10,000 sums (seeded), level 10⁻⁷ each."""
    from scipy.stats import kstest, laplace

    drawn = gamma_shares(n, "5/2", 10_000, Rehearsal(5), tolerate=tolerate)
    assert drawn.shape == (n, 10_000)
    assert kstest(drawn[tolerate:].sum(axis=0), laplace(scale=2.5).cdf).pvalue > 1e-7


@pytest.mark.claim("lem-laplace-divisible")
def test_one_share_has_the_law_of_a_difference_of_gamma_numbers():
    """Two samples of 20,000, ours and NumPy's differences with a scale (seeded), level 10⁻⁷."""
    from scipy.stats import ks_2samp

    generator = np.random.default_rng(8)
    theirs = generator.gamma(1 / 3, 2.0, 20_000) - generator.gamma(1 / 3, 2.0, 20_000)
    assert ks_2samp(gamma_shares(3, 2, 20_000, Rehearsal(6))[1], theirs).pvalue > 1e-7


def test_zero_words_and_no_cells():
    assert gamma_shares(2, 1, 3, ZeroWords()).tolist() == [[0.0] * 3] * 2
    assert gamma_shares(4, 1, 0).shape == (4, 0) and on_lattice([], 3).shape == (0,)


@pytest.mark.claim("lem-gamma-underflow")
@pytest.mark.parametrize(("n", "tolerate"), [(200, 0), (500, 0), (520, 20)])
def test_numpy_s_gamma_numbers_are_zero_as_often_as_stated(n, tolerate):
    """A million of NumPy's, within 7 standard errors; and for five parties it never happens."""
    p = underflow_probability(n, tolerate=tolerate)
    zeros = (np.random.default_rng(4).gamma(1 / (n - tolerate), 1.0, 10**6) == 0).mean()
    assert abs(zeros - p) < 7 * (p * (1 - p) / 10**6) ** 0.5
    assert underflow_probability(5) < 1e-60


@pytest.mark.parametrize("n", [1, 2, 20, 500, 100_000])
def test_the_probability_of_an_underflow_to_eleven_digits(n):
    from scipy.special import gammainc

    truth = float(gammainc(1 / n, 2.0**-1074)) * 0.5 ** (1 / n)
    assert abs(underflow_probability(n) - truth) <= 1e-11 * truth
