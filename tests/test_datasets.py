"""Public ranges that nobody read off the data."""

import numpy as np
import pytest

from fdpedu.datasets import CLASSES, CLINICAL, divide, ward_visits, wisconsin, wisconsin_domain, wisconsin_features

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
    "call", [lambda: wisconsin(["height"]), lambda: wisconsin([]), lambda: divide(10, 5, 6, np.random.default_rng(0))]
)
def test_bad_requests_are_refused(call):
    with pytest.raises(ValueError):
        call()
