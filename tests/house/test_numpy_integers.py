"""NumPy's integers are the numbers that they say: what takes an integer takes them, and none of them overflows later.

A function that looks at an integer and then goes on with what it was given, and not with Python's integer of the same
value, counts in as few bits as NumPy's has: for it 100 + 100 may be −56.
"""

import os
import random
import warnings
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from fdpedu.datasets import divide
from fdpedu.dlpa import count_noise_shares, insider_epsilon
from fdpedu.secure_sum import Ring, Rules, private_sum, recover_secret, share_secret
from tests.support.odd_calls import DOMAIN, ENSEMBLE, EVERY, FIXED, TREE, TREE_OF, Fresh, function_of

KINDS = (np.int8, np.uint64)  # few bits, and those that NumPy makes floats of beside signed ones
AS_GIVEN = {  # what shows an argument as it was given, or takes Python's integers only, and says so
    "domain.Region",
    "estimators.FederatedBoostingClassifier",
    "estimators.FederatedBoostingRegressor",
    "estimators.FederatedTreeClassifier",
    "estimators.FederatedTreeRegressor",
    "estimators.PrivaTreeClassifier",
    "exact.quoted",
    "federation.ClassHistogram",
}
INTEGERS = {
    name: [key for key, value in arguments.items() if type(value) is int]
    for name, arguments in EVERY.items()
    if name not in AS_GIVEN
}


def answer(name, arguments, monkeypatch):
    """What comes out; the operating system's randomness is the same each time."""
    monkeypatch.setattr(os, "urandom", random.Random(7).randbytes)
    every = {**FIXED.get(name, {}), **arguments}
    given = {key: value.make() if isinstance(value, Fresh) else value for key, value in every.items()}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = function_of(name)(**given)
        return list(found) if hasattr(found, "__next__") else found


def types_in(found):
    """The types of NumPy's numbers that stand in an answer which is made of Python's."""
    if isinstance(found, (tuple, list)):
        return set().union(*map(types_in, found))
    return {type(found)} & {*KINDS}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    DOMAIN.save("domain.json")
    TREE.save("tree.json")
    TREE.derivation.save("derivation.json")
    ENSEMBLE.save("ensemble.json")
    TREE_OF.manifest.save("manifest.json")
    Path("data.csv").write_text("age,ward,state\n63,A,ill\n", "utf8")


@pytest.mark.parametrize("name", [name for name, keys in INTEGERS.items() if keys])
def test_integers_of_numpy_are_integers(request, folder, monkeypatch, name):
    """The same answer, where it is the same each time; never an error, and nothing of NumPy's is handed on.

    All integers of a call are NumPy's; with ``--deep`` also each of them alone.
    """
    given, keys = EVERY[name], INTEGERS[name]
    found = [answer(name, given, monkeypatch) for _ in range(2)]
    alone = [[key] for key in keys] if request.config.getoption("--deep") else []
    for kind, changed in product(KINDS, [keys, *alone]):
        ends = np.iinfo(kind)
        others = {key: kind(given[key]) for key in changed if ends.min <= given[key] <= ends.max}
        other = answer(name, {**given, **others}, monkeypatch)
        assert types_in(other) <= types_in(found[0])
        assert repr(found[0]) != repr(found[1]) or repr(other) == repr(found[0]), (kind, changed)


# --- In lists and tuples ----------------------------------------------------------------------------------------------

PASSED_ON = {  # what hands members on as they are, to be looked at by whoever uses them, or reports on them
    "accounting.rdp_to_epsilon": "a mapping has its own orders",
    **dict.fromkeys(("audit.audit", "audit.audit_pairs"), "data, which the mechanism reads and the result names"),
    "domain.Domain.check": "a report names what is no number",
    "exact.as_list": "members of any type",
    "exact.unmasked": "an array of any type",
    "federation.Model": "looked at with the domain, by whoever asks or answers",
    "estimators.search_cost": "only the number of rows is read",
}
PYTHON_ONLY = {*AS_GIVEN, "secure_sum.canonical", "secure_sum.hashed"}  # NumPy's are refused there, by their type


def places(value):
    """Where integers stand in a list or a tuple, or in one of its members."""
    if type(value) not in (list, tuple):
        return []
    inner = [(i, *rest) for i, one in enumerate(value) for rest in places(one)]
    return [(i,) for i, one in enumerate(value) if type(one) is int] + inner


def replaced(value, place, change):
    """The same list or tuple with one member changed, at whatever depth."""
    if not place:
        return change(value)
    i, *rest = place
    return type(value)([*value[:i], replaced(value[i], rest, change), *value[i + 1 :]])


def in_tuples(value):
    """The same with tuples for lists."""
    return tuple(map(in_tuples, value)) if type(value) in (list, tuple) else value


HOLDING = [
    (name, key)
    for name, arguments in EVERY.items()
    for key, value in arguments.items()
    if places(value) and name not in PASSED_ON
]


@pytest.mark.parametrize(("name", "key"), HOLDING)
def test_what_stands_in_a_list_is_read_as_what_stands_alone(request, folder, monkeypatch, name, key):
    """An integer of NumPy's beside Python's is the integer; a truth value beside integers is refused.

    At one place, with ``--deep`` at each. NumPy by itself makes numbers of truth values that stand
    beside integers, and floats of its unsigned integers.
    """
    given = EVERY[name]
    found = [answer(name, given, monkeypatch) for _ in range(2)]
    where = places(given[key])
    for place in where if request.config.getoption("--deep") else where[-1:]:
        for kind in KINDS:
            ends = np.iinfo(kind)
            other = replaced(given[key], place, lambda one, k=kind, e=ends: k(one) if e.min <= one <= e.max else one)
            changed = {**given, key: other}
            if name in PYTHON_ONLY:
                with pytest.raises(ValueError):
                    answer(name, changed, monkeypatch)
            else:
                other = answer(name, changed, monkeypatch)
                assert types_in(other) <= types_in(found[0])
                assert repr(found[0]) != repr(found[1]) or repr(other) == repr(found[0]), (kind, place)
        for truth, held in ((bool, given[key]), (np.bool_, given[key]), (bool, in_tuples(given[key]))):
            with pytest.raises(ValueError):
                answer(name, {**given, key: replaced(held, place, truth)}, monkeypatch)


# --- Where so many bits are not enough --------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [np.int8, np.uint8])
def test_what_is_counted_does_not_overflow(kind):
    hundred = kind(100)
    assert count_noise_shares(hundred, kind(0)) * 100 == 10_000
    assert insider_epsilon(1, hundred, kind(60)) == insider_epsilon(1, 100, 60)
    assert Rules(hundred, kind(90), kind(60), kind(60)).least_survivors == 100
    assert Rules.for_missing(hundred, kind(40)) == Rules.for_missing(100, 40)
    assert Ring(hundred).around(range(101)) == Ring(100).around(range(101))
    shares = share_secret(kind(100), kind(60), hundred, kind(101))
    assert recover_secret(shares[20:], kind(60), kind(101)) == 100
    assert private_sum([[50], [-20], [11]], kind(100)).tolist() == [41]
    rows, test = divide(kind(120), kind(90), kind(30), np.random.default_rng(0))
    assert len(rows) == 90 and len(test) == 30
