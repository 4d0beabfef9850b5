"""Data sets, neighbours and sensitivities, by looking at all of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.privacy import datasets, distance, neighbours, sensitivity


@pytest.mark.claim("def-neighbours")
@given(st.text("ab", max_size=5), st.text("ab", max_size=5), st.text("ab", max_size=5))
def test_distance_is_a_metric(a, b, c):
    assert (distance(a, b) == 0) == (sorted(a) == sorted(b)) and distance(a, b) == distance(b, a)
    assert distance(a, c) <= distance(a, b) + distance(b, c)
    if len(a) == len(b):  # a substitution is a removal and an addition
        assert distance(a, b) == 2 * distance(a, b, "substitution")


@pytest.mark.claim("def-neighbours")
@pytest.mark.parametrize("relation", ["add-remove", "substitution"])
def test_neighbours_are_all_at_distance_one(relation):
    """Found among all data sets by their distance."""
    every = list(datasets("cab", 4))
    for data in every:
        if len(data) < 4:
            expected = {other for other in every if distance(data, other, relation) == 1}
            assert set(neighbours(data, "cab", relation)) == expected
            before = {other for other in expected if every.index(other) < every.index(data)}
            assert set(neighbours(data, "cab", relation, smaller=True)) == before


@pytest.mark.parametrize("relation", ["add-remove", "substitution"])
def test_every_pair_of_neighbours_is_met_once(relation):
    """With ``smaller``, of each pair the one that comes later in the order of data sets names the other."""
    order = {data: i for i, data in enumerate(datasets("cab", 3))}
    pairs = {
        frozenset((data, other)) for data in order for other in neighbours(data, "cab", relation) if other in order
    }
    met = [(data, other) for data in order for other in neighbours(data, "cab", relation, smaller=True)]
    assert all(order[other] < order[data] for data, other in met)
    assert len(met) == len(set(met)) == len(pairs) and {frozenset(pair) for pair in met} == pairs
    for data in order:
        found = list(neighbours(reversed(data), "cab", relation))
        assert found == list(neighbours(data, "cab", relation)) and len(set(found)) == len(found)
        assert {distance(data, other, relation) for other in found} <= {1}


def test_norms_of_a_change():
    """A query with two numbers, of which one falls by 3 and the other rises by 4 with each record."""

    def query(data):
        return [-3 * len(data), 4 * len(data)]

    found = {norm: sensitivity(query, "a", norm=norm) for norm in ("l1", "l2 squared", "linf")}
    assert {norm: one.value for norm, one in found.items()} == {"l1": 7, "l2 squared": 25, "linf": 4}
    assert str(found["l1"]) == "7, attained by [] and ['a']; the largest of 3 pairs"
    assert sensitivity(lambda data: np.array(query(data)), "a", max_size=1) == sensitivity(query, "a", max_size=1)
    assert (
        sensitivity(query, "a", max_size=1).cases == 1 and sensitivity(query, "ab", relation="substitution").value == 0
    )
    growing = sensitivity(lambda data: len(data) ** 2, "a")
    assert growing.value == 5 and growing.pair == (("a", "a"), ("a", "a", "a"))
    assert sensitivity(lambda data: [], "a", norm="linf").value == sensitivity(lambda data: [], "a").value == 0
