"""The benchmark's data sets: as many as are stated, of stated shapes, in public domains that fit."""

import numpy as np
import pytest

from fdpedu.datasets import BENCHMARK, wisconsin, wisconsin_domain, wisconsin_features

NATURAL_ZERO = 0.0  # a length, a share or a spread cannot be negative: this end needs no data
TEST_ROWS = (1000, 1000, 1000, 1000, 1000, 4000, 4000, 4000, 4000, 171, 4000, 4000, 5000)
SIZES = (250, 250, 250, 1000, 1000, 5000, 5000, 20000, 20000, 398, 5000, 1000, 20000)
FEATURES = (10, 25, 50, 10, 50, 25, 50, 10, 25, 30, 10, 25, 14)
RHOS = (0.9, 0.3, 0.3, 0.3, 0.9, 0.3, 0.9, 0.3, 0.9)
CENSUS_ENDS = [(0, 120), (0, 1_500_000), (0, 16.01), (0, 100_000), (0, 5_000), (0, 100)]
CANCER_ENDS = [(0, feature.edges[-1]) for feature in wisconsin_domain(wisconsin_features()).features]
ENDS = (*([(-5, 4)] * p for p in FEATURES[:9]), CANCER_ENDS, [(-6, 5)] * 10, [(-0.07, 1.04)] * 25, CENSUS_ENDS)


def test_there_are_thirteen_benchmark_data_sets():
    """Names differ, and the nominal size is the number of training rows."""
    assert len({data.name for data in BENCHMARK}) == 13
    assert tuple(data.size for data in BENCHMARK) == SIZES
    assert tuple(data.domain.n_features for data in BENCHMARK) == FEATURES


@pytest.mark.parametrize("at", range(13), ids=[data.name for data in BENCHMARK])
def test_a_benchmark_data_set_is_drawn_anew_by_its_generator(at):
    """Shapes are the stated ones; a seed decides the rows, another seed gives others; no row is in both parts."""
    data = BENCHMARK[at]
    one, again, other = (data.draw(np.random.default_rng(seed)) for seed in (7, 7, 8))
    assert one.X_train.shape == (SIZES[at], FEATURES[at]) and one.y_train.shape == (SIZES[at],)
    assert one.X_test.shape == (TEST_ROWS[at], FEATURES[at]) and one.y_test.shape == (TEST_ROWS[at],)
    assert all(np.array_equal(a, b) for a, b in zip(one, again, strict=True))
    assert not np.array_equal(one.X_train, other.X_train)
    assert not set(map(tuple, one.X_train)) & set(map(tuple, one.X_test))
    assert set(one.y_train) == set(one.y_test) == set(data.domain.classes)


@pytest.mark.parametrize("at", range(13), ids=[data.name for data in BENCHMARK])
def test_a_benchmark_domain_is_public_and_fits(at):
    """Ten bins of equal width over the stated range, or the stated categories; at most 1 in 20 values is clipped."""
    data = BENCHMARK[at]
    assert all(feature.reason for feature in data.domain.features)
    numbers = [feature for feature in data.domain.features if feature.ordered]  # they come first
    for feature, ends in zip(numbers, ENDS[at], strict=True):
        assert np.allclose(feature.edges, np.linspace(*ends, 11), rtol=1e-12)
    rows = data.draw(np.random.default_rng(1))
    codes, clipped = data.domain.admit(rows.X_train)
    assert codes.shape == rows.X_train.shape and max(clipped.values()) <= 0.05 * data.size
    for feature, column in zip(numbers, rows.X_train.T, strict=False):
        assert column.min() != feature.edges[0] or column.min() == NATURAL_ZERO
        assert column.max() != feature.edges[-1]


@pytest.mark.parametrize("at", range(9), ids=[data.name for data in BENCHMARK[:9]])
def test_a_benchmark_mixture_has_its_correlation(at):
    """Neighbouring features, seen from class 0, have the covariance ρ + 2/25: nearer to the one setting than to the
    other.
    """
    rows = BENCHMARK[at].draw(np.random.default_rng(3))
    X, y = np.vstack([rows.X_train, rows.X_test]), np.concatenate([rows.y_train, rows.y_test])
    centred = np.where(y == 0, 1, -1)[:, None] * X - 3 / 5
    covariance = (centred[:, 1:] * centred[:, :-1]).mean()
    assert (covariance > 0.6 + 2 / 25) == (RHOS[at] == 0.9)


def test_the_benchmark_s_patients_are_all_of_them():
    rows = next(data for data in BENCHMARK if data.name == "breast cancer").draw(np.random.default_rng(2))
    together = np.vstack([rows.X_train, rows.X_test])
    assert sorted(map(tuple, together)) == sorted(map(tuple, wisconsin(wisconsin_features()).X))
