"""Decisions on parts of a level, and where CART stops."""

import numpy as np
import pytest

from fdpedu.domain import Domain, Numeric
from fdpedu.randomness import ZeroWords
from fdpedu.simulation.methods import plan_of
from fdpedu.simulation.parameters import Parameters
from fdpedu.simulation.plan import Decided, Nodes, Views, joined, leaves, stopped
from fdpedu.simulation.search import Choice


def test_decisions_on_parts_of_a_level_are_put_together_in_order():
    """Choices, saved budgets and views; a part alone is itself."""
    one = Decided(leaves(1, 2), np.array([0.5]), Views(np.array([[1.0, 2.0]]), np.array([3.0])))
    split = Choice(np.array([True]), np.array([1]), np.array([[True, False]]))
    two = Decided(split, np.array([0.25]), Views(np.array([[4.0, 5.0]]), np.array([6.0])))
    whole = joined([one, two])
    assert joined([one]) is one and whole.saved.tolist() == [0.5, 0.25]
    assert whole.choice.found.tolist() == [False, True] and whole.choice.feature.tolist() == [0, 1]
    assert whole.choice.left.tolist() == [[False, False], [True, False]]
    assert whole.views and whole.views.variance.tolist() == [3, 6] and whole.views.counts[1].tolist() == [4, 5]
    assert joined([one._replace(views=None), two._replace(views=None)]).views is None
    assert stopped(split, np.array([True])).found.tolist() == [False]
    assert stopped(split, np.array([False])) == split


GRID = Domain([Numeric.grid("x", 0, 5, 5), Numeric.grid("y", 0, 3, 3), Numeric.grid("z", 0, 2, 2)], (0, 1, 2))


@pytest.mark.parametrize("least", [2, 5, 9])
def test_where_cart_stops(least):
    """At a node of fewer rows, or of one class, each node for itself; else where any border has rows on both sides."""
    plan = plan_of("central", GRID, 3, None, Parameters(max_depth=1, min_samples_split=least))
    rng, number, none = np.random.default_rng(least), 120, np.zeros(0, dtype=np.int64)
    rows = rng.integers(0, 12, number)
    at = np.repeat(np.arange(number), rows)
    codes = (rng.random((len(at), 3)) * [5, 3, 2] * rng.choice([0.1, 1], (number, 1))[at]).astype(np.uint8)
    labels = (rng.integers(0, 3, len(at)) * (rng.random(number) < 0.7)[at]).astype(np.int64)
    counts = plan.grid.count(plan.grid.places(codes, labels), at, number)
    nodes = Nodes(counts, plan.grid.everything(number), np.arange(number) / 4, none, none, none, False)
    decided = plan.decide(nodes, ZeroWords())
    assert decided.saved.tolist() == (np.arange(number) / 4).tolist() and decided.views is None
    for node in range(number):
        own = at == node
        several = len(set(labels[own].tolist())) > 1 and any(len(set(column.tolist())) > 1 for column in codes[own].T)
        assert decided.choice.found[node] == (rows[node] >= least and several)
    assert 0 < decided.choice.found.sum() < number
