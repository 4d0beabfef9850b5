"""Noise that is drawn for many cells, features, classes, borders and nodes at once is independent from one to the next.

What is drawn in a decision is caught on its way, as signs or orders, and has its exact joint law: within a node, and
from one node to the next. Seeded chi-square tests, two-sided, with a false alarm of probability 10⁻⁸ on either side.
"""

from collections import Counter
from itertools import combinations, product
from math import exp

import numpy as np
import pytest

from fdpedu.domain import Domain, Numeric
from fdpedu.randomness import Rehearsal
from fdpedu.simulation import saving
from fdpedu.simulation.methods import plan_of
from fdpedu.simulation.parameters import Parameters
from fdpedu.simulation.plan import Nodes
from fdpedu.sources.gubler import AsPrinted
from tests.support.chi import agrees

SMALL = Domain([Numeric.grid("x", 0, 2, 2), Numeric.grid("y", 0, 2, 2)], (0, 1))
LEVEL = 1000
"""The exact count in every cell: so large that no noise makes a cell 0."""


class Seen(Exception):
    """Enough was seen of a decision."""


def nodes_of(plan, number, count=LEVEL, parties=0):
    """Equal nodes without a row, whose cells all hold one count."""
    grid, none = plan.grid, np.zeros(0, dtype=np.int64)
    counts = np.full((grid.n_classes, grid.most_codes, number, grid.n_features), count)
    places = np.zeros((0, grid.n_features), dtype=np.int32)
    return Nodes(counts, grid.everything(number), np.zeros(number), places, none, none, False)


def caught(monkeypatch, plan, name, number, seed=1, count=LEVEL):
    """The arguments that a step of a decision on so many nodes is given."""
    found = []

    def step(own, *args, **options):
        found.append(args)
        raise Seen

    with monkeypatch.context() as patch:
        patch.setattr(type(plan), name, step)
        with pytest.raises(Seen):
            plan.decide(nodes_of(plan, number, count), Rehearsal(seed))
    return found[0]


def bounds_and_cells(monkeypatch, plan, number):
    """What Algorithm 6 goes by at so many nodes: noisy bounds, and cells, both without what is exact."""
    bounds, visited = [], saving.visited
    with monkeypatch.context() as patch:
        patch.setattr(saving, "visited", lambda *given: bounds.append(given[0]) or visited(*given))
        sides, _ = caught(patch, plan, "stops", number)
    return bounds[0], np.diff(sides.left, axis=1, prepend=0) - LEVEL


def as_independent(positive, rate):
    """Patterns of signs, shape (cells, trials): each cell is above its count with probability α/(1+α), for itself."""
    alpha = exp(-float(rate))
    law = {
        pattern: float(np.prod([alpha / (1 + alpha) if above else 1 / (1 + alpha) for above in pattern]))
        for pattern in product((False, True), repeat=len(positive))
    }
    agrees(Counter(map(tuple, positive.T.tolist())), law)


def all_pairs(noise, rate):
    """Cells of a node (C, B, N, p): all eight jointly; and one cell of two nodes, which stand side by side or apart."""
    positive = noise > 0
    as_independent(positive.transpose(0, 1, 3, 2).reshape(-1, noise.shape[2]), rate)
    half = positive[..., 0].shape[-1] // 2
    for beside in (positive[0, 0, :, 0].reshape(-1, 2).T, positive[1, 1, :, 1].reshape(2, half)):
        as_independent(beside, rate)


@pytest.mark.parametrize("tolerate", [0, 1])
def test_cells_of_algorithm_5(monkeypatch, tolerate):
    """Classes, codes, features and nodes; with shares of five parties, too, whose sum has the same chance of a sign."""
    plan = plan_of(AsPrinted(), SMALL, 5, 8, Parameters(max_depth=2, tolerate=tolerate))
    cells, asked = caught(monkeypatch, plan, "judged", 8_000)
    assert asked.all() and plan.cell_rate.rate == 1
    noise = cells - LEVEL
    if not tolerate:
        return all_pairs(noise, 1)
    one = float((noise > 0).mean())
    for pair in combinations(range(8), 2):
        both = (noise > 0).transpose(0, 1, 3, 2).reshape(8, -1)[list(pair)].all(axis=0)
        assert abs(both.mean() - one**2) < 6 * (one**2 / 8_000) ** 0.5


def test_cells_and_bounds_of_algorithm_6(monkeypatch):
    """Cells, and the bounds of a node's features, which are released with noise of their own."""
    plan = plan_of("algorithm-6", SMALL, 5, 8, Parameters(max_depth=2))
    bounds, cells = bounds_and_cells(monkeypatch, plan, 8_000)
    all_pairs(cells, 0.75)  # ε_node = 2, of which ¾ go to two histograms
    steps = np.round(bounds * plan.lattice).astype(int)
    rate = 2 / 4 / 2 / plan.lattice  # and ¼ to two bounds, each in steps of which a record moves it by at most m
    as_independent(steps.T > 0, rate)
    as_independent((steps[:, 0] > 0).reshape(-1, 2).T, rate)


def test_bounds_and_cells_have_noise_of_their_own(monkeypatch):
    """The sign of a bound says nothing of those of its feature's cells."""
    plan = plan_of("algorithm-6", SMALL, 5, 8, Parameters(max_depth=2, bounds_share="1/2", lattice=1))
    bounds, cells = bounds_and_cells(monkeypatch, plan, 8_000)
    rate = 0.5  # ε_node = 2; half of it for two bounds in steps of 1, the other half for two histograms
    for feature, code, label in product(range(2), repeat=3):
        as_independent(np.stack([bounds[:, feature] > 0, cells[label, code, :, feature] > 0]), rate)


@pytest.mark.parametrize("method", ["algorithm-5-clipped", "algorithm-6", "exponential"])
def test_counts_of_leaves(method):
    """Both classes of a leaf, and of two leaves; no leaf without noise of its own."""
    plan = plan_of(method, SMALL, 5, 2, Parameters(max_depth=2))
    released = plan.release(np.full((8_000, 2), LEVEL), np.zeros(8_000), 2, Rehearsal(2)) - LEVEL
    as_independent(released.T > 0, 1)
    as_independent(released.reshape(-1, 4).T > 0, 1)
