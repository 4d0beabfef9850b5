"""Lower bounds of many nodes at once are those that parties tell, and features are removed as one by one."""

from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fdpedu.cart import local_best_impurity
from fdpedu.domain import Domain, Numeric
from fdpedu.simulation.methods import Parameters, plan_of
from fdpedu.simulation.plan import Nodes
from fdpedu.simulation.saving import local_bounds
from tests.support.simulated import PARTIES, problems


def bounds_of(domain, codes, labels, parties, at, nodes, lattice):
    plan = plan_of("algorithm-6", domain, PARTIES, 1, Parameters(lattice=lattice))
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
