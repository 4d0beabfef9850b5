"""Masked arrays: whatever takes numbers refuses masked entries, and takes an array in which nothing is masked."""

import numpy as np
import pytest

from tests.house.test_odd_input import called, folder  # noqa: F401 (a fixture)
from tests.support.odd_calls import EVERY, Fresh
from tests.support.tables import Quantity

REPORTED = {"domain.Domain.check": "a report for the table's owner, in which what is masked is missing"}
UNREAD = {
    "federation.Model": "what is not read until it is asked about",
    "estimators.search_cost": "rows of which only the number is read",
    "accounting.rdp_to_epsilon": "a curve that is a mapping has orders of its own",
}
LOOKED_AT = {
    "cart.exact_scaled_half_gini": "counts, each of which is looked at by itself",
    "datasets.wisconsin": "names of features",
    "datasets.wisconsin_domain": "names of features",
    "domain.Region.restrict": "codes, which have no unit",
    "domain.Region.restrict_class": "codes, which have no unit",
    "domain.Region.of_party": "positions, which have no unit",
}


def masked(value, first):
    """The array with nothing masked, or its first entry; None of what is no array of numbers or texts."""
    try:
        array = np.array(value)
    except ValueError:
        return None
    if array.ndim == 0 or array.size == 0 or array.dtype.kind == "O":
        return None
    found = np.ma.array(array)
    if first:
        found[(0,) * array.ndim] = np.ma.masked
    return found


CASES = [
    (name, key)
    for name, arguments in EVERY.items()
    for key, value in arguments.items()
    if not isinstance(value, Fresh) and isinstance(value, (list, tuple, np.ndarray)) and masked(value, True) is not None
]


def test_there_are_many_places_for_numbers():
    assert len(CASES) > 100


@pytest.mark.parametrize(("name", "key"), CASES)
def test_what_is_masked_is_refused(name, key, folder):  # noqa: F811
    """In every place that takes an array of numbers; so it is not taken for what is behind the mask."""
    answer = called(name, {**EVERY[name], key: masked(EVERY[name][key], True)})
    assert isinstance(answer, ValueError) or name in {*REPORTED, *UNREAD}, answer


@pytest.mark.parametrize(("name", "key"), CASES)
def test_what_has_a_unit_is_refused(name, key, folder):  # noqa: F811
    """So that no unit is lost without a word: one cannot be compared with the domain's."""
    answer = called(name, {**EVERY[name], key: np.array(EVERY[name][key]).view(Quantity)})
    assert isinstance(answer, ValueError) or name in {*REPORTED, *UNREAD, *LOOKED_AT}, answer


@pytest.mark.parametrize(
    ("name", "key"), [(name, key) for name, key in CASES if np.ndim(masked(EVERY[name][key], True)) > 1]
)
def test_what_is_masked_in_a_list_is_refused(name, key, folder):  # noqa: F811
    """NumPy by itself would make an array without masks of a list of masked arrays."""
    answer = called(name, {**EVERY[name], key: list(masked(EVERY[name][key], True))})
    assert isinstance(answer, ValueError) or name in {*REPORTED, *UNREAD}, answer


@pytest.mark.parametrize("name", ["mechanisms.discrete_laplace", "exact.as_integers", "cart.gini"])
def test_an_array_with_nothing_masked_is_an_array(name):
    for key, value in EVERY[name].items():
        if (array := masked(value, False)) is not None:
            assert not isinstance(called(name, {**EVERY[name], key: array}), ValueError)
