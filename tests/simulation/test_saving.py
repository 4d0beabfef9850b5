"""Algorithm 6 of many nodes at once: bounds as parties tell them, features removed as one by one, budgets by hand."""

from fractions import Fraction
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fdpedu.cart import exact_scaled_half_gini, local_best_impurity
from fdpedu.domain import Domain, Numeric
from fdpedu.randomness import ZeroWords
from fdpedu.simulation import saving
from fdpedu.simulation.methods import Parameters, plan_of
from fdpedu.simulation.plan import Nodes
from fdpedu.simulation.saving import local_bounds
from tests.support.simulated import PARTIES, problems


def bounds_of(domain, codes, labels, parties, at, nodes, lattice, n_parties=PARTIES):
    plan = plan_of("algorithm-6", domain, n_parties, 1, Parameters(lattice=lattice))
    grid = plan.grid
    places = grid.places(codes.astype(np.uint8), labels)
    counts = grid.count(places, at, nodes)
    return local_bounds(plan, Nodes(counts, grid.everything(nodes), np.zeros(nodes), places, at, parties, True))


def floors(domain, codes, labels, lattice):
    """⌊m·F⌋ of each feature, of one party's rows in one node, by the exact code of chapter 9."""
    found = []
    for j, feature in enumerate(domain.features):
        table = np.zeros((feature.n_codes, domain.n_classes), dtype=int)
        np.add.at(table, (codes[:, j], labels), 1)
        found.append(int(lattice * local_best_impurity(table, ordered=feature.ordered) // 1))
    return found


@settings(max_examples=30)
@given(problem=problems(), nodes=st.integers(1, 4), lattice=st.integers(1, 9), seed=st.integers(0, 99))
def test_the_sums_of_the_parties_floors(problem, nodes, lattice, seed):
    """Of each party for itself, in each node for itself."""
    domain, codes, labels, parties = problem
    assume(domain.n_classes == 2 or all(feature.ordered for feature in domain.features))
    at = np.sort(np.random.default_rng(seed).integers(0, nodes, len(codes)))
    found = bounds_of(domain, codes, labels, parties, at, nodes, lattice)
    for node, told in enumerate(found.tolist()):
        own = [(at == node) & (parties == k) for k in range(PARTIES)]
        assert told == np.sum([floors(domain, codes[rows], labels[rows], lattice) for rows in own], axis=0).tolist()


@pytest.mark.parametrize("lattice", [1, 3, 7, 10, 49])
def test_floors_of_whole_numbers_of_steps(lattice):
    """All tables of two codes and two classes with counts to 6, each in a node of its own: no float falls short."""
    domain = Domain([Numeric.grid("x", 0, 2, 2)], (0, 1))
    tables = np.array(list(product(range(7), repeat=4))).reshape(-1, 2, 2)
    node, code, label = np.nonzero(tables)
    times = tables[node, code, label]
    node, code, label = (np.repeat(values, times) for values in (node, code, label))
    found = bounds_of(domain, code[:, None], label, np.zeros(len(node), dtype=int), node, len(tables), lattice)
    assert found[:, 0].tolist() == [int(lattice * local_best_impurity(table) // 1) for table in tables]


THREE = Domain([Numeric.grid("x", 0, 4, 4), Numeric.grid("y", 0, 3, 3), Numeric.grid("z", 0, 2, 2)], (0, 1, 2))
NODES = 150
METHODS = ["algorithm-6", "algorithm-6-as-printed"]


@pytest.mark.parametrize(("n_parties", "nodes"), [(1, 3), (7, 4), (20, 2)])
def test_bounds_of_many_parties(n_parties, nodes):
    """Each party for itself, to the last; some have no row in a node, or rows of one class."""
    rng, n = np.random.default_rng(n_parties), 150
    codes, labels = rng.integers(0, [4, 3, 2], (n, 3)), rng.integers(0, 3, n)
    parties = (rng.random(n) ** 2 * n_parties).astype(int)
    at = np.sort(rng.integers(0, nodes, n))
    found = bounds_of(THREE, codes, labels, parties, at, nodes, 5, n_parties)
    for node in range(nodes):
        own = [(at == node) & (parties == k) for k in range(n_parties)]
        assert found[node].tolist() == np.sum([floors(THREE, codes[r], labels[r], 5) for r in own], axis=0).tolist()


def test_bounds_of_a_party_with_many_rows():
    """100,000 rows of one party in one node, beside one of another."""
    rng, n = np.random.default_rng(1), 100_000
    codes, labels = rng.integers(0, [4, 3, 2], (n, 3)), rng.integers(0, 3, n)
    parties = np.zeros(n, dtype=int)
    parties[-1] = 1
    found = bounds_of(THREE, codes, labels, parties, np.zeros(n, dtype=int), 1, 1, 2)
    assert np.abs(found[0] - floors(THREE, codes[:-1], labels[:-1], 1)).max() <= 1


def one_by_one(told, least, n, printed):
    """Which features are asked for, as Algorithm 6 says it: a list of those removed, looked through again and again."""
    removed, asked, best = set(), [], np.inf
    for j in sorted(range(len(told)), key=lambda j: (told[j], j)):
        if j in removed:
            continue
        asked.append(j)
        best = min(best, least[j] / n[j] if printed and n[j] else least[j])
        limit = (n[j] * best if n[j] else np.inf) if printed else best
        removed |= {k for k in range(len(told)) if told[k] > limit}
    return sorted(asked)


@pytest.mark.parametrize("printed", [False, True])
@settings(max_examples=60)
@given(seed=st.integers(0, 10**6), features=st.integers(1, 6))
def test_features_are_removed_as_one_by_one(printed, seed, features):
    """Ties of bounds and limits, features without a split and without rows among them; ε as whole numbers, exact."""
    rng = np.random.default_rng(seed)
    nodes = 30
    told = rng.integers(-3, 9, (nodes, features)).astype(float)
    n = rng.integers(0, 5, (nodes, features)).astype(float)
    least = np.where((rng.random((nodes, features)) < 0.2) | (n == 0), np.inf, rng.integers(0, 9, (nodes, features)))
    domain = Domain([Numeric.grid(f"x{j}", 0, 2, 2) for j in range(features)], (0, 1))
    plan = plan_of("algorithm-6-as-printed" if printed else "algorithm-6", domain, PARTIES, 1, Parameters())
    rank = np.argsort(np.argsort(told, axis=1, kind="stable"), axis=1)
    sides = SimpleNamespace(best=least, n_left=n[None])
    visited = plan.visited(told, rank, sides)
    for node in range(nodes):
        assert np.flatnonzero(visited[node]).tolist() == one_by_one(told[node], least[node], n[node], printed)


# --- node by node, by hand --------------------------------------------------------------------------------------------


def plan_for(method, **options):
    return plan_of(method, THREE, 3, 6, Parameters(**{"max_depth": 2, "min_samples_split": 8, **options}))


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
