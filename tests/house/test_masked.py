"""Masked arrays: whatever takes numbers refuses masked entries, and takes an array in which nothing is masked."""

import numpy as np
import pytest

from tests.house.test_odd_input import called, folder, written  # noqa: F401 (fixtures)
from tests.support.odd_calls import EVERY
from tests.support.tables import Quantity

REPORTED = {"domain.Domain.check": "a report for the table's owner, in which what is masked is missing"}
UNREAD = {
    "audit.audit": "data, which the mechanism reads",
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


def arrays_of(arguments):
    """Those that are arrays of numbers or texts, with their first entry masked."""
    found = {k: masked(v, True) for k, v in arguments.items() if isinstance(v, (list, tuple, np.ndarray))}
    return {key: array for key, array in found.items() if array is not None}


CASES = {name: arrays for name, arguments in EVERY.items() if (arrays := arrays_of(arguments))}


def test_there_are_many_places_for_numbers():
    assert sum(map(len, CASES.values())) > 100


@pytest.mark.parametrize("name", CASES)
def test_what_is_masked_and_what_has_a_unit_is_refused(name, folder):  # noqa: F811
    """In every place that takes an array; so nothing is taken for what is behind the mask, and no unit is lost.

    NumPy by itself would make an array without masks of a list of masked arrays.
    """
    for key, array in CASES[name].items():
        changed = {"masked": array, "with a unit": np.array(EVERY[name][key]).view(Quantity)}
        if array.ndim > 1:
            changed["masked in a list"] = list(array)
        for how, value in changed.items():
            answer = called(name, {**EVERY[name], key: value})
            excused = {*REPORTED, *UNREAD, *(LOOKED_AT if how == "with a unit" else ())}
            assert isinstance(answer, ValueError) or name in excused, (key, how, answer)


@pytest.mark.parametrize("name", ["mechanisms.discrete_laplace", "exact.as_integers", "cart.gini"])
def test_an_array_with_nothing_masked_is_an_array(name):
    for key, value in EVERY[name].items():
        if (array := masked(value, False)) is not None:
            assert not isinstance(called(name, {**EVERY[name], key: array}), ValueError)
