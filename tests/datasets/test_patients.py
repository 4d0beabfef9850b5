"""Public ranges that nobody read off the data."""

import subprocess
import sys

from fdpedu.datasets import CLASSES, CLINICAL, ward_visits, wisconsin, wisconsin_domain, wisconsin_features

NATURAL_ZERO = 0.0  # a length, a share or a spread cannot be negative: this end needs no data


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


def test_importing_the_data_sets_does_not_load_scikit_learn():
    code = "import sys, fdpedu.datasets; print(any(name.startswith('sklearn') for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False\n"
