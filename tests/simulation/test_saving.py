"""Algorithm 6 of many nodes at once: bounds as parties tell them, features removed as one by one, budgets by hand."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fdpedu.cart import best_grid_split, exact_scaled_half_gini, local_best_impurity
from fdpedu.domain import Domain, Numeric
from fdpedu.randomness import ZeroWords
from fdpedu.simulation import saving
from fdpedu.simulation.methods import plan_of
from fdpedu.simulation.parameters import Parameters
from fdpedu.simulation.plan import Nodes
from fdpedu.simulation.saving import local_bounds, visited
from tests.support.simulated import PARTIES, listed, problems, shaped


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
        least = local_best_impurity(table, ordered=feature.ordered, missing=feature.missing)
        found.append(int(lattice * least // 1))
    return found


@settings(max_examples=30)
@given(problem=problems(), nodes=st.integers(1, 4), lattice=st.integers(1, 9), seed=st.integers(0, 99))
def test_the_sums_of_the_parties_floors(problem, nodes, lattice, seed):
    """Of each party for itself, in each node for itself."""
    domain, codes, labels, parties = problem
    assume(domain.n_classes == 2 or all(feature.ordered for feature in domain.features))
    at = np.sort(np.random.default_rng(seed).integers(0, nodes, len(codes)))
    found = bounds_of(domain, codes, labels, parties, at, nodes, lattice)
    for node, noisy in enumerate(found.tolist()):
        own = [(at == node) & (parties == k) for k in range(PARTIES)]
        assert noisy == np.sum([floors(domain, codes[rows], labels[rows], lattice) for rows in own], axis=0).tolist()


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


def one_by_one(bounds, least):
    """Which features are asked for, as Algorithm 6 says it: a list of those removed, looked through again and again."""
    removed, asked, limit = set(), [], np.inf
    for j in sorted(range(len(bounds)), key=lambda j: (bounds[j], j)):
        if j in removed:
            continue
        asked.append(j)
        limit = min(limit, least[j])
        removed |= {k for k in range(len(bounds)) if bounds[k] > limit}
    return sorted(asked)


@settings(max_examples=60)
@given(seed=st.integers(0, 10**6), features=st.integers(1, 6))
def test_features_are_removed_as_one_by_one(seed, features):
    """Ties of bounds and limits, and features without a split among them; n·G as whole numbers, exact."""
    rng = np.random.default_rng(seed)
    bounds = rng.integers(-3, 9, (30, features)).astype(float)
    least = np.where(rng.random((30, features)) < 0.3, np.inf, rng.integers(0, 9, (30, features)))
    found = visited(bounds, least)
    for node in range(30):
        assert np.flatnonzero(found[node]).tolist() == one_by_one(bounds[node], least[node])


# --- node by node, by hand --------------------------------------------------------------------------------------------


def plan_for(**options):
    return plan_of("algorithm-6", THREE, 3, 6, Parameters(**{"max_depth": 2, "min_samples_split": 8, **options}))


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


@pytest.mark.parametrize("seed", range(3))
def test_which_of_the_visited_features_is_chosen(seed):
    """The least n·G, ties to the first feature and its lowest border."""
    plan = plan_for()
    cells, rng = tables(plan, seed), np.random.default_rng(100 + seed)
    asked = rng.random((NODES, 3)) < 0.7
    asked[~asked.any(axis=1), 0] = True  # the first is asked for in any case
    sides, codes = plan.search.sides(cells.astype(float))
    choice = plan.choose(sides, codes, asked)
    for node in range(NODES):
        scores = [score if fine else None for score, fine in zip(scores_of(cells, node), asked[node], strict=True)]
        assert choice.found[node] == any(scores)
        if any(scores):
            best = min((j for j in range(3) if scores[j]), key=lambda j: (scores[j][0], j))
            assert choice.feature[node] == best
            assert choice.left[node].tolist() == [code <= scores[best][1] for code in range(4)]


@pytest.mark.parametrize("seed", range(3))
def test_a_feature_that_was_not_asked_for_is_not_chosen_in_any_of_its_orders(seed):
    """Features with gaps have two orders each: the best split is that of the readable search on those asked for."""
    features = [
        Numeric.grid("x", 0, 3, 3, missing=True),
        Numeric.grid("y", 0, 2, 2),
        Numeric.grid("z", 0, 2, 2, missing=True),
    ]
    domain, rng = Domain(features, (0, 1)), np.random.default_rng(seed)
    plan = plan_of("algorithm-6", domain, 3, 6, Parameters(max_depth=2))
    counts = rng.integers(0, 5, (NODES, domain.n_codes, 2))
    asked = rng.random((NODES, 3)) < 0.6
    asked[~asked.any(axis=1), 0] = True
    grid, cells, _ = shaped(domain, counts)
    sides, codes = plan.search.sides(cells)
    found = listed(grid, plan.choose(sides, codes, asked))
    starts = np.cumsum([0, *(feature.n_codes for feature in features)])
    for node, chosen in enumerate(found):
        own = [j for j in range(3) if asked[node, j]]
        best = best_grid_split(
            [counts[node, starts[j] : starts[j + 1]] for j in own], Domain([features[j] for j in own], (0, 1))
        )
        assert chosen == (best and (own[best.split.feature], best.split.left))


def test_where_it_stops():
    """If all that it asked for see too few rows, or no more than one class of which anything is left."""
    plan = plan_for()
    cells, rng = tables(plan, 9), np.random.default_rng(10)
    asked = rng.random((NODES, 3)) < 0.7
    asked[:, 0] |= ~asked.any(axis=1)
    sides, _ = plan.search.sides(cells.astype(float))
    stops = plan.stops(sides, asked)
    for node in range(NODES):
        totals = [cells[:, :, node, j].sum(axis=1) for j in range(3) if asked[node, j]]
        few = all(total.sum() < 8 for total in totals)
        classes = sum(any(total[c] > 0 for total in totals) for c in range(3))
        assert stops[node] == (few or classes <= 1)
    assert 0 < stops.sum() < NODES


@pytest.mark.parametrize("share", ["1/4", "2/3"])
def test_what_noise_is_paid_by_and_what_is_saved(share, monkeypatch):
    """Each node by its own budget; what features that were not asked for would have cost goes to the sides."""
    plan = plan_for(bounds_share=share, lattice=5)
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
    assert one == 1 and np.allclose(bounds, (part * budget / 15)[:, None]) and bounds.shape == (NODES, 3)
    assert many == 12 and np.allclose(cells, ((1 - part) * budget / 3)[:, None]) and cells.shape == (NODES, 3)
    asked = 3 - decided.saved / ((1 - part) * budget / 3)
    assert np.allclose(asked, np.round(asked)) and asked.min() > 0.5 and {1} < set(np.round(asked).astype(int).tolist())


def test_what_leaves_are_paid_by(monkeypatch):
    """What is left of the tree's budget on the leaf's path, and what was saved above it."""
    plan, rates = plan_for(), []
    monkeypatch.setattr(saving, "laplace_noise_of_rates", lambda *given: rates.append(given) or np.zeros((3, 4)))
    saved, counts = np.array([0.0, 0.5, 1.0, 7.0]), np.arange(12).reshape(4, 3)
    for paid in (1, 2):
        assert plan.release(counts, saved, paid, ZeroWords()).tolist() == counts.tolist()
        given, times, _ = rates[-1]
        assert times == 3 and np.allclose(given, 3 + 1.5 * (2 - paid) + saved)


def test_equal_bounds_of_many_features_are_in_order():
    """Of sixty features, all with the bound 0 or all others with 1 or 2: the first that leaves nothing is the last."""
    least, bounds = np.full((3, 60), np.inf), np.zeros((3, 60))
    bounds[1, ::7], bounds[2, 1::6] = 1, 2
    least[:, 30] = -1  # below all bounds
    found = visited(bounds, least)
    for node in range(3):
        order = sorted(range(60), key=lambda j: (bounds[node, j], j))
        assert np.flatnonzero(found[node]).tolist() == sorted(order[: order.index(30) + 1])
