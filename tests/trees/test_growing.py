"""A node while its tree grows: what it asks, where answers stand, and what its sides read."""

from fractions import Fraction

import numpy as np

from fdpedu.cart import CodeSplit
from fdpedu.domain import Domain
from fdpedu.federation import ClassHistogram, NodeHistograms
from fdpedu.trees.counts import UNKNOWN, View
from fdpedu.trees.growing import Growing


def node(features=None):
    """A node with codes 0–2 of feature 0 and both codes of feature 1, split by {0} of the first."""
    domain = Domain.from_spec({"features": {"x": [0, 4, 4], "y": [0, 2, 2]}, "classes": ["a", "b"]})
    region = domain.everything.restrict(0, {0, 1, 2})
    found = Growing(region, features, views=[View(np.zeros(2), 1.0)])
    found.split(CodeSplit(0, frozenset([0])))
    return found


TABLE = np.array([[5, 1], [2, 2], [-1, 3], [0, 0], [4, 4], [1, 3]])


def test_sides_read_the_chosen_histogram_and_the_node_the_others():
    here = node()
    here.read_sides(TABLE, np.array([0, 4]), 2.5)
    ((left,), (right,), (own,)) = (side.views for side in (*here.sides, here))
    assert (left.counts.tolist(), left.variance) == ([5, 1], 2.5)
    assert (right.counts.tolist(), right.variance) == ([1, 5], 5.0)
    assert (own.counts.tolist(), own.variance) == ([5, 7], 5.0)
    alone = node((0,))
    alone.read_sides(TABLE, np.array([0, 4]), 2.5)
    (unknown,) = alone.views
    assert (unknown.counts.tolist(), unknown.variance) == ([0, 0], UNKNOWN)


def test_a_node_that_was_not_split_keeps_its_views():
    here = node()
    here.chosen, before = None, list(here.views)
    here.read_sides(TABLE, np.array([0, 4]), 2.5)
    assert here.views == before and not here.sides[0].views


def test_the_two_sides_of_a_split():
    here = node()
    left, right = here.sides
    assert here.inside([4, 2]).tolist() == [True, True, True, False, True, True]
    assert left.inside([4, 2]).tolist() == [True, False, False, False, True, True]
    assert right.inside([4, 2]).tolist() == [False, True, True, False, True, True]
    assert left.region == here.region.restrict(0, {0}) and right.region == here.region.restrict(0, {1, 2})
    assert (here.chosen.left, left.chosen, left.sides, left.views, left.release) == ({0}, None, (), [], None)
    assert here.releases() == ()


DOMAIN = Domain.from_spec(
    {"features": {"x": [0, 4, 4], "w": ["A", "B", "C"], "z": [0, 2, 2], "v": [0, 6, 3]}, "classes": ["a", "b", "c"]}
)


def test_answers_stand_in_the_places_of_their_features():
    node = Growing(DOMAIN.everything, features=(1, 3))
    queries = node.queries(Fraction(1))
    assert [(type(q), q.feature, q.epsilon, q.region) for q in queries] == [
        (ClassHistogram, j, Fraction(1, 2), DOMAIN.everything) for j in (1, 3)
    ]
    answers = [np.arange(9).reshape(3, 3) + 1, np.arange(9).reshape(3, 3) + 50]
    table = node.table(answers, [4, 3, 2, 3])
    assert table[4:7].tolist() == answers[0].tolist() and table[9:].tolist() == answers[1].tolist()
    assert not table[:4].any() and not table[7:9].any() and table.dtype == np.int64
    node.features = None
    (query,) = node.queries(Fraction(1))
    assert type(query) is NodeHistograms and query.epsilon == 1 and node.table([table], []) is table
