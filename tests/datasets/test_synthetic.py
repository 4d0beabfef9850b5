"""Mixture, clusters and the strong feature follow the laws that they state."""

import numpy as np
import pytest

from fdpedu.datasets import informative, mixture, strong_feature
from tests.support.standard_errors import frequencies, within


@pytest.mark.parametrize(("n", "counts"), [(1, [1, 0]), (250, [125, 125]), (251, [126, 125])])
def test_half_of_the_mixture_is_in_each_class(n, counts):
    """Exactly half, the odd row in class 0, in an order of which the seed decides."""
    y, other = (mixture(n, 3, 0.3, np.random.default_rng(seed))[1] for seed in (0, 1))
    assert np.bincount(y, minlength=2).tolist() == np.bincount(other, minlength=2).tolist() == counts
    assert n == 1 or not np.array_equal(y, other)


@pytest.mark.parametrize("rho", [0, 0.3, 0.9])
def test_moments_of_the_mixture(rho):
    """Seen from class 0: every mean is 3/5, and the covariance is ρ^|j−k| + 2/25, which is the variance of i/5."""
    X, y = mixture(20_000, 6, rho, np.random.default_rng(1))
    mirrored = np.where(y == 0, 1, -1)[:, None] * X
    within(mirrored.mean(axis=0), 3 / 5, mirrored.std(axis=0) / np.sqrt(len(y)))
    centred = mirrored - 3 / 5
    products = centred[:, :, None] * centred[:, None, :]
    lag = np.abs(np.subtract.outer(np.arange(6), np.arange(6)))
    within(products.mean(axis=0), float(rho) ** lag + 2 / 25, products.std(axis=0) / np.sqrt(len(y)))


def test_components_of_the_mixture():
    """With many independent features a row's average shows its component: five, equally probable, sign by class."""
    X, y = mixture(4000, 2500, 0, np.random.default_rng(2))
    scaled = 5 * X.mean(axis=1) * np.where(y == 0, 1, -1)
    component = np.rint(scaled).astype(np.int64)
    assert np.abs(scaled - component).max() < 0.5  # five standard deviations of an average
    frequencies(component - 1, [0.2] * 5)


def test_a_correlation_of_one_repeats_the_feature():
    X, _ = mixture(50, 4, 1, np.random.default_rng(3))
    assert np.allclose(X, X[:, :1])


def test_clusters_have_five_informative_and_two_redundant_features():
    """Five informative and three noisy columns span eight dimensions; the two redundant ones add none."""
    X, y = informative(500, np.random.default_rng(4))
    assert X.shape == (500, 10) and np.linalg.matrix_rank(X) == 8
    assert 0.4 < y.mean() < 0.6


def test_the_strong_feature_is_any_and_is_right_nine_times_in_ten():
    """The threshold is .43, a label is flipped with probability .1, and each feature is the strong one as often."""
    rng, chosen = np.random.default_rng(5), []
    for _ in range(500):
        X, y = strong_feature(200, rng, p=5)
        chosen.append(int(((X > 0.43) == y[:, None]).mean(axis=0).argmax()))
    frequencies(np.array(chosen), [0.2] * 5)
    X, y = strong_feature(100_000, rng)
    j = ((X > 0.43) == y[:, None]).mean(axis=0).argmax()
    assert X.shape == (100_000, 25) and 0 <= X.min() and X.max() <= 1
    for side in (X[:, j] > 0.43, X[:, j] <= 0.43):
        flips = (y != (X[:, j] > 0.43))[side]
        within(flips.mean(), 0.1, np.sqrt(0.09 / side.sum()))
    near = np.abs(X[:, j] - 0.43) < 0.01  # the threshold lies here, and nowhere else
    assert ((X[:, j] > 0.43) == y)[near].mean() > 0.85
