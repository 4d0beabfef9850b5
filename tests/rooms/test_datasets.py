"""Public ranges that nobody read off the data, and laws that the drawn rows follow.

The sampling tests have fixed seeds and refuse a statistic that lies more than six standard errors from its stated
value: about 250 statistics in all, so a right generator fails with probability below 10⁻⁶.
"""

import subprocess
import sys

import numpy as np
import pytest

from fdpedu.datasets import (
    BENCHMARK,
    CLASSES,
    CLINICAL,
    adult_domain,
    adult_like,
    divide,
    informative,
    informative_domain,
    mixture,
    mixture_domain,
    strong_feature,
    strong_feature_domain,
    ward_visits,
    wisconsin,
    wisconsin_domain,
    wisconsin_features,
)

NATURAL_ZERO = (
    0.0  # a length, a share or a spread cannot be negative: this end needs no data, even where a patient attains it
)


def test_no_bound_is_a_column_s_extreme():
    """No typed bound equals a column's extreme, except the natural 0 of quantities that cannot be negative."""
    patients = wisconsin(wisconsin_features())
    assert len(patients.domain.features) == 30
    for feature, column in zip(patients.domain.features, patients.X.T, strict=True):
        low, high = feature.edges[0], feature.edges[-1]
        assert high not in (column.min(), column.max()) and feature.reason
        assert low == NATURAL_ZERO and column.min() >= 0


def test_the_bounds_are_round():
    for feature in wisconsin_domain(wisconsin_features()).features:
        assert float(f"{feature.edges[-1]:.2g}") == feature.edges[-1]


def test_few_values_are_clipped():
    """A public range that misses many patients would be useless: at most 2 in 100 of each feature lie outside."""
    patients = wisconsin(wisconsin_features())
    _, clipped = patients.domain.admit(patients.X)
    assert max(clipped.values()) <= 0.02 * len(patients.y)


def test_the_data_is_what_it_says():
    patients = wisconsin()
    assert patients.X.shape == (569, len(CLINICAL)) and set(patients.y) == set(CLASSES)
    assert (patients.y == "malignant").sum() == 212


def test_the_made_up_visits_have_a_category():
    visits = ward_visits()
    assert visits.domain.encode(visits.X).shape == (12, 2) and not visits.domain.features[1].ordered
    assert len(visits.domain.encode_labels(visits.y)) == 12


def test_dividing_loses_and_doubles_nobody():
    rows, test = divide(569, 5, 169, np.random.default_rng(0))
    assert sorted(np.concatenate([*rows, test]).tolist()) == list(range(569)) and {len(r) for r in rows} == {80}


@pytest.mark.parametrize(
    "call",
    [
        lambda rng: wisconsin(["height"]),
        lambda rng: wisconsin([]),
        lambda rng: divide(10, 5, 6, rng),
        lambda rng: mixture(0, 10, 0.3, rng),
        lambda rng: mixture(10, 0, 0.3, rng),
        lambda rng: mixture(10, 2, 1.01, rng),
        lambda rng: mixture(10, 2, -0.01, rng),
        lambda rng: mixture(10, 2, float("nan"), rng),
        lambda rng: mixture(2.5, 2, 0.3, rng),
        lambda rng: informative(0, rng),
        lambda rng: strong_feature(0, rng),
        lambda rng: strong_feature(10, rng, p=0),
        lambda rng: adult_like(0, rng),
        lambda rng: mixture_domain(0),
        lambda rng: strong_feature_domain(0),
        lambda rng: informative_domain(bins=1),
        lambda rng: adult_domain(bins=257),
    ],
)
def test_bad_requests_are_refused(call):
    with pytest.raises(ValueError):
        call(np.random.default_rng(0))


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


def test_importing_the_data_sets_does_not_load_scikit_learn():
    code = "import sys, fdpedu.datasets; print(any(name.startswith('sklearn') for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False\n"
