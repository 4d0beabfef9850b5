"""Algorithm 6 by hand, node by node: which feature is chosen, where it stops, what is saved and what noise costs."""

from fractions import Fraction

import numpy as np
import pytest

from fdpedu.cart import exact_scaled_half_gini
from fdpedu.domain import Domain, Numeric
from fdpedu.randomness import ZeroWords
from fdpedu.simulation import saving
from fdpedu.simulation.methods import Parameters, plan_of
from fdpedu.simulation.plan import Nodes

GRID = Domain([Numeric.grid("x", 0, 4, 4), Numeric.grid("y", 0, 3, 3), Numeric.grid("z", 0, 2, 2)], (0, 1, 2))
NODES = 150
METHODS = ["algorithm-6", "algorithm-6-as-printed"]


def plan_for(method, **options):
    return plan_of(method, GRID, 3, 6, Parameters(**{"max_depth": 2, "min_samples_split": 8, **options}))


def tables(plan, seed):
    """Counts that features do not agree about, as noisy ones do not; some features and nodes have none."""
    rng, grid = np.random.default_rng(seed), plan.grid
    cells = rng.integers(0, 4, (3, 4, NODES, 3)) * grid.everything(NODES)
    cells *= rng.random((1, 1, NODES, 3)) < 0.9
    cells[:, :, :3] = 0
    cells[1:, :, 3:9] = 0
    return cells


def scores_of(cells, node):
    """n·G of each border of each feature that has rows on both sides, as (score, border), the first of equals."""
    found = []
    for j, size in enumerate((4, 3, 2)):
        own, scores = cells[:, :size, node, j], []
        for border in range(size - 1):
            sides = [own[:, : border + 1].sum(axis=1).tolist(), own[:, border + 1 :].sum(axis=1).tolist()]
            if all(map(any, sides)):
                scores.append((sum((Fraction(exact_scaled_half_gini(side)) for side in sides), Fraction(0)), border))
        found.append(min(scores, default=None))
    return found


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", range(3))
def test_which_of_the_visited_features_is_chosen(method, seed):
    """The least n·G, ties to the first; as printed the least G, each with its own n, ties to what was asked first."""
    plan = plan_for(method)
    cells, rng = tables(plan, seed), np.random.default_rng(100 + seed)
    visited = rng.random((NODES, 3)) < 0.7
    rank = np.argsort(rng.random((NODES, 3)), axis=1)
    visited |= rank == 0  # the first is asked for in any case
    sides, codes = plan.search.sides(cells.astype(float))
    choice = plan.choose(sides, codes, visited, rank)
    for node in range(NODES):
        scores = [score if fine else None for score, fine in zip(scores_of(cells, node), visited[node], strict=True)]
        if not any(scores):
            assert not choice.found[node]
            continue
        n = cells[:, :, node].sum(axis=(0, 1)).tolist()
        kept = [j for j in range(3) if scores[j]]
        if method == "algorithm-6":
            best = min(kept, key=lambda j: (scores[j][0], j))
        else:
            best = min(kept, key=lambda j: (scores[j][0] / n[j], rank[node, j]))
        assert choice.found[node] and choice.feature[node] == best
        assert choice.left[node].tolist() == [code <= scores[best][1] for code in range(4)]


@pytest.mark.parametrize("method", METHODS)
def test_limits_as_they_stand(method):
    """After each feature in order: the least n·G so far; as printed the latest n times the least G, never rising."""
    plan = plan_for(method)
    cells = tables(plan, 7)
    order = np.argsort(np.random.default_rng(8).random((NODES, 3)), axis=1)
    sides, _ = plan.search.sides(cells.astype(float))
    limits = plan.limits(sides, order)
    for node in range(NODES):
        scores, n = scores_of(cells, node), cells[:, :, node].sum(axis=(0, 1)).tolist()
        least = limit = float("inf")
        for place, j in enumerate(order[node].tolist()):
            if scores[j] is not None:
                least = min(least, float(scores[j][0] / n[j]) if "printed" in method else float(scores[j][0]))
            reached = least * n[j] if "printed" in method and n[j] and least < np.inf else least
            limit = min(limit, reached if "printed" not in method or n[j] else float("inf"))
            assert limits[node, place] == pytest.approx(limit, rel=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_where_it_stops(method):
    """If all that it asked for see too few rows, or no more than one class of which anything is left."""
    plan = plan_for(method)
    cells, rng = tables(plan, 9), np.random.default_rng(10)
    visited = rng.random((NODES, 3)) < 0.7
    visited[:, 0] |= ~visited.any(axis=1)
    sides, _ = plan.search.sides(cells.astype(float))
    stops = plan.stops(sides, visited)
    for node in range(NODES):
        totals = [cells[:, :, node, j].sum(axis=1) for j in range(3) if visited[node, j]]
        few = all(total.sum() < 8 for total in totals)
        classes = sum(any(total[c] > 0 for total in totals) for c in range(3))
        assert stops[node] == (few or classes <= 1)
    assert 0 < stops.sum() < NODES


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("share", ["1/4", "2/3"])
def test_what_noise_is_paid_by_and_what_is_saved(method, share, monkeypatch):
    """Each node by its own budget; what features that were not asked for would have cost goes to the sides."""
    plan = plan_for(method, bounds_share=share, lattice=5)
    rates = []

    def noise(given, times, source):
        rates.append((given, times))
        return np.zeros((times, *given.shape))

    monkeypatch.setattr(saving, "laplace_noise_of_rates", noise)
    rng = np.random.default_rng(11)
    at = np.sort(rng.integers(0, NODES, 3000))
    codes, labels = rng.integers(0, [4, 3, 2], (3000, 3)).astype(np.uint8), rng.integers(0, 3, 3000)
    codes[:, 0] = labels  # the first feature tells all, so that others are not asked for
    places = plan.grid.places(codes, labels)
    saved = rng.uniform(0, 2, NODES)
    counts = plan.grid.count(places, at, NODES)
    nodes = Nodes(counts, plan.grid.everything(NODES), saved, places, at, rng.integers(0, 3, 3000), False)
    decided = plan.decide(nodes, ZeroWords())
    (bounds, one), (cells, many) = rates
    budget, part = 1.5 + saved, float(Fraction(share))  # ε = 6, half of it in two levels
    divided = 15 if method == "algorithm-6" else 5
    assert one == 1 and np.allclose(bounds, (part * budget / divided)[:, None]) and bounds.shape == (NODES, 3)
    assert many == 12 and np.allclose(cells, ((1 - part) * budget / 3)[:, None]) and cells.shape == (NODES, 3)
    asked = 3 - decided.saved / ((1 - part) * budget / 3)
    assert np.allclose(asked, np.round(asked)) and asked.min() > 0.5 and {1} < set(np.round(asked).astype(int).tolist())


@pytest.mark.parametrize(("method", "more"), [("algorithm-6", 1), ("algorithm-6-as-printed", 0)])
def test_what_leaves_are_paid_by(method, more, monkeypatch):
    """What is left of the tree's budget on the leaf's path, and what was saved above it; as printed ε_leaf."""
    plan, rates = plan_for(method), []
    monkeypatch.setattr(saving, "laplace_noise_of_rates", lambda *given: rates.append(given) or np.zeros((3, 4)))
    saved, counts = np.array([0.0, 0.5, 1.0, 7.0]), np.arange(12).reshape(4, 3)
    for paid in (1, 2):
        assert plan.release(counts, saved, paid, ZeroWords()).tolist() == counts.tolist()
        given, times, _ = rates[-1]
        assert times == 3 and np.allclose(given, 3 + more * (1.5 * (2 - paid) + saved))


@pytest.mark.parametrize("method", METHODS)
def test_equal_bounds_of_many_features_are_in_order(method, monkeypatch):
    """Sixty bounds of 0 and ten of 1 or 2: the first feature of equals goes first."""
    domain = Domain([Numeric.grid(f"x{j}", 0, 2, 2) for j in range(60)], (0, 1))
    plan = plan_of(method, domain, 1, 6, Parameters(max_depth=2, lattice=1))
    exact = np.zeros((3, 60))
    exact[1, ::7], exact[2, 1::6] = 1, 2
    monkeypatch.setattr(saving, "local_bounds", lambda plan, nodes: exact)
    seen, visited = [], type(plan).visited
    monkeypatch.setattr(type(plan), "visited", lambda plan, *given: seen.append(given) or visited(plan, *given))
    none = np.zeros(0, dtype=np.int64)
    nodes = Nodes(np.ones((2, 2, 3, 60), int), plan.grid.everything(3), np.zeros(3), none, none, none, False)
    plan.decide(nodes, ZeroWords())
    ((told, rank, _),) = seen
    assert np.array_equal(told, exact)
    for node in range(3):
        assert np.argsort(rank[node]).tolist() == sorted(range(60), key=lambda j: (exact[node, j], j))
