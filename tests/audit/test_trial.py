"""Runs of a mechanism: whose turn it is, one by one or many at a time, and what data are called."""

import numpy as np
import pytest

from fdpedu.audit.outputs import Raised
from fdpedu.audit.trial import Trial, named

PRIMES = np.array([True, False, False, True, True])


class Silent:
    """It has no length."""

    def __repr__(self):
        return "x" * 61


class Loud(Silent):
    def __repr__(self):
        return "two\nlines"


@pytest.mark.parametrize(
    ("data", "name"),
    [
        ([0, 1], "[0, 1]"),
        ("ab", "'ab'"),
        (3, "3"),
        ([7] * 20, str([7] * 20)),
        ([7] * 21, "a list of 21"),
        ([7] * 61, "a list of 61"),
        (range(10**6), "range(0, 1000000)"),
        (np.array(5), "array(5)"),
        (np.zeros((61, 2)), "a ndarray of 61"),
        (Silent(), "a Silent"),
        (Loud(), "a Loud"),
        ({"a": 1}, "{'a': 1}"),
    ],
)
def test_data_are_called_as_they_are_written_if_that_is_short(data, name):
    """Sixty letters on one line; else what they are, and how many."""
    assert named(data) == name


@pytest.mark.parametrize("kind", [np.array, list, tuple])
def test_each_run_sees_its_own_data(kind):
    """One by one, or many at a time: the outputs stand in the order of the runs."""
    one = Trial(lambda data: data, ("D", "D′")).run(PRIMES)
    assert list(one.found) == ["D′", "D", "D", "D′", "D′"]
    many = Trial(lambda data, n: kind([10 * data + i for i in range(n)]), (0, 1), batch=True).run(PRIMES)
    assert list(many.found) == [10, 0, 1, 11, 12]
    only = Trial(lambda data, n: kind([data] * n), (0, 1), batch=True).run(np.ones(3, dtype=bool))
    assert list(only.found) == [1, 1, 1]


def test_arrays_of_other_shapes_are_outputs_one_by_one():
    """A length that tells which data it were is not lost."""
    found = Trial(lambda data, n: np.zeros((n, data)), (2, 3), batch=True).run(PRIMES)
    assert [len(output) for output in found.found] == [3, 2, 2, 3, 3] and len(set(found.kinds)) == 2


def test_numbers_of_two_types_are_kept():
    """Whole ones of one data set, and others of the other one."""
    found = Trial(lambda data, n: np.full(n, data), (1, 0.5), batch=True).run(PRIMES)
    assert [float(x) for x in found.found] == [0.5, 1, 1, 0.5, 0.5]


def test_what_is_raised_is_counted():
    trial = Trial(lambda data: 1 // data, (0, 1))
    assert list(trial.run(PRIMES).found) == [1, Raised("ZeroDivisionError"), Raised("ZeroDivisionError"), 1, 1]
    assert (trial.raised, trial.error) == (2, "ZeroDivisionError: integer division or modulo by zero")
    assert (Trial(len, ([], [1])).raised, Trial(len, ([], [1])).error) == (0, "")


def test_a_batch_that_raises_ends_the_audit():
    with pytest.raises(ZeroDivisionError):
        Trial(lambda data, n: 1 // data, (0, 1), batch=True).run(PRIMES)


def test_data_that_cannot_be_compared_may_be_given():
    """Two objects that are not the same one."""
    assert list(Trial(lambda data: 1, (object(), object())).run(PRIMES).found) == [1] * 5
