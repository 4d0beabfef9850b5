"""Beyond small numbers: large counts, many parties, many classes, many runs; and what no order of anything changes."""

from dataclasses import replace

import numpy as np
import pytest

from fdpedu.cart import local_best_impurity
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.randomness import ZeroWords
from fdpedu.simulation import Rows, growth, simulate
from fdpedu.simulation.growth import predicted_labels
from fdpedu.simulation.methods import Parameters, plan_of
from fdpedu.simulation.plan import Nodes
from fdpedu.simulation.saving import local_bounds
from fdpedu.trees import DESIGNS, Design, stopping

GRID = Domain([Numeric.grid("x", 0, 4, 4), Numeric.grid("y", 0, 3, 3), Numeric.grid("z", 0, 2, 2)], (0, 1, 2))
MIXED = Domain([Numeric.grid("x", 0, 4, 4), Categorical("w", ["a", "b", "c"])], (0, 1, 2))
JUDGED = {
    "as printed": (DESIGNS["algorithm-5-as-printed"], 9),
    "clipped": (DESIGNS["algorithm-5-clipped"], 30),
    "averaged": (Design(stop=stopping.averaged), 9),
    "own rule": (Design(stop=lambda level, least: level.tables.sum(axis=(1, 2)) < 3 * least, clip=False), 9),
}
METHODS = {
    **{name: 1 for name in ("algorithm-5", "algorithm-5-clipped", "algorithm-6", "algorithm-6-as-printed")},
    **{name: 1 for name in ("default", "averaged", "exponential", "permute-and-flip")},
    **{"central": None, "local": None},
}


@pytest.mark.parametrize(("design", "rows"), JUDGED.values(), ids=JUDGED)
@pytest.mark.parametrize("domain", [GRID, MIXED], ids=["ordered", "mixed"])
def test_a_larger_unit_of_counting_changes_no_decision(design, rows, domain):
    """Counts and the least number of rows times 2³²: the same leaves, the same splits, and totals times 2³²."""
    plans = [plan_of(design, domain, 3, 1, Parameters(min_samples_split=least)) for least in (rows, rows * 2**32)]
    grid, rng = plans[0].grid, np.random.default_rng(1)
    everything = grid.everything(200)
    cells = rng.integers(-3, 8, (3, grid.most_codes, 200, grid.n_features)) * everything
    small, large = (plan.judged(cells * float(unit), everything) for plan, unit in zip(plans, (1, 2**32), strict=True))
    for one, other in zip(small[0], large[0], strict=True):
        assert np.array_equal(one, other)
    assert 0 < small[0].found.sum() < 200
    assert np.allclose(small[1].counts * 2**32, large[1].counts) and np.allclose(small[1].variance, large[1].variance)


def floors(domain, codes, labels, lattice):
    tables = [np.zeros((feature.n_codes, domain.n_classes), dtype=int) for feature in domain.features]
    for j, table in enumerate(tables):
        np.add.at(table, (codes[:, j], labels), 1)
    return [int(lattice * local_best_impurity(table) // 1) for table in tables]


def told(domain, codes, labels, parties, at, nodes, n_parties, lattice):
    plan = plan_of("algorithm-6", domain, n_parties, 1, Parameters(lattice=lattice))
    grid = plan.grid
    places = grid.places(codes.astype(np.uint8), labels)
    counts = grid.count(places, at, nodes)
    return local_bounds(plan, Nodes(counts, grid.everything(nodes), np.zeros(nodes), places, at, parties, True))


@pytest.mark.parametrize(("n_parties", "nodes"), [(1, 3), (7, 4), (20, 2)])
def test_bounds_of_many_parties(n_parties, nodes):
    """Each party for itself, to the last; some have no row in a node, or rows of one class."""
    rng, n = np.random.default_rng(n_parties), 150
    codes, labels = rng.integers(0, [4, 3, 2], (n, 3)), rng.integers(0, 3, n)
    parties = (rng.random(n) ** 2 * n_parties).astype(int)
    at = np.sort(rng.integers(0, nodes, n))
    found = told(GRID, codes, labels, parties, at, nodes, n_parties, 5)
    for node in range(nodes):
        own = [(at == node) & (parties == k) for k in range(n_parties)]
        assert (
            found[node].tolist()
            == np.sum([floors(GRID, codes[rows], labels[rows], 5) for rows in own], axis=0).tolist()
        )


def test_bounds_of_a_party_with_many_rows():
    """100,000 rows of one party in one node, beside one of another."""
    rng, n = np.random.default_rng(1), 100_000
    codes, labels = rng.integers(0, [4, 3, 2], (n, 3)), rng.integers(0, 3, n)
    parties = np.zeros(n, dtype=int)
    parties[-1] = 1
    found = told(GRID, codes, labels, parties, np.zeros(n, dtype=int), 1, 2, 1)
    assert np.abs(found[0] - floors(GRID, codes[:-1], labels[:-1], 1)).max() <= 1


def some_rows(runs=4, rows=60, tests=25):
    """Several runs; a class follows from the codes and from chance, in another way in every run."""
    rng = np.random.default_rng(3)
    codes, tested = (rng.integers(0, [4, 3, 2], (runs, n, 3)) for n in (rows, tests))
    labels, truth = (
        (part[..., 0] * np.arange(runs)[:, None] + part[..., 1] + (rng.random(part.shape[:2]) < 0.2)) % 3
        for part in (codes, tested)
    )
    return Rows(GRID, codes, labels, rng.integers(0, 4, (runs, rows)), tested, truth, 4)


def plan_for(method, depth=3):
    return plan_of(method, GRID, 4, METHODS[method], Parameters(depth, 5))


@pytest.mark.parametrize("method", METHODS)
def test_the_order_of_rows_and_of_runs_changes_nothing(method):
    """Without noise: rows within a run, test rows within a run, and whole runs, each in any order."""
    rows, plan, rng = some_rows(), plan_for(method), np.random.default_rng(5)
    labels = predicted_labels(plan, rows, ZeroWords())
    own, tests, runs = rng.permutation(60), rng.permutation(25), rng.permutation(4)
    mixed = replace(rows, codes=rows.codes[:, own], labels=rows.labels[:, own], parties=rows.parties[:, own])
    assert np.array_equal(predicted_labels(plan, mixed, ZeroWords()), labels)
    turned = replace(rows, test_codes=rows.test_codes[:, tests], test_labels=rows.test_labels[:, tests])
    assert np.array_equal(predicted_labels(plan, turned, ZeroWords()), labels[:, tests])
    names = ("codes", "labels", "parties", "test_codes", "test_labels")
    moved = replace(rows, **{name: getattr(rows, name)[runs] for name in names})
    assert np.array_equal(predicted_labels(plan, moved, ZeroWords()), labels[runs])
    assert len({tuple(row) for row in labels.tolist()}) == 4


@pytest.mark.parametrize("method", METHODS)
def test_a_run_is_the_same_alone_and_in_any_company(method, monkeypatch):
    """Of a thousand runs each is what it is alone, whether nodes are decided in parts or at once."""
    rows, plan = some_rows(), plan_for(method)
    alone = [predicted_labels(plan, rows.of_runs(run, run + 1), ZeroWords())[0].tolist() for run in range(4)]
    assert predicted_labels(plan, rows, ZeroWords()).tolist() == alone
    if method in ("algorithm-5", "algorithm-6"):
        assert predicted_labels(plan, rows.repeated(100), ZeroWords()).tolist() == alone * 100
    monkeypatch.setattr(growth, "CELLS", 3 * plan.grid.cells_per_node)
    assert predicted_labels(plan, rows, ZeroWords()).tolist() == alone


@pytest.mark.parametrize("method", ["local", "central", "algorithm-5", "algorithm-6", "exponential"])
def test_whose_rows_are_looked_at(method):
    """One party's tree depends on the first party's rows alone; trees of all parties' rows on the others', too."""
    rows, plan = some_rows(), plan_for(method)
    others = rows.parties > 0
    changed = replace(rows, labels=np.where(others, (rows.labels + 1) % 3, rows.labels))
    same = np.array_equal(*(predicted_labels(plan, each, ZeroWords()) for each in (rows, changed)))
    assert same == (method == "local")
    if method in ("central", "algorithm-5", "exponential"):
        other = replace(rows, parties=3 - rows.parties)
        assert np.array_equal(*(predicted_labels(plan, each, ZeroWords()) for each in (rows, other)))


def test_deep_trees_of_many_classes():
    """Depth 20, five classes, some hundred nodes in a level: CART without noise learns each row that it can tell."""
    domain = Domain([Numeric.grid(name, 0, 1, 32) for name in "ab"], range(5))
    rng = np.random.default_rng(2)
    codes = np.stack(np.meshgrid(range(32), range(32)), axis=-1).reshape(1, -1, 2)[:, ::3]
    labels = rng.integers(0, 5, codes.shape[:2])
    rows = Rows(domain, codes, labels, np.zeros_like(labels), codes, labels, 1)
    rows = rows.repeated(2)
    assert simulate("central", rows, max_depth=20, min_samples_split=2, rng=ZeroWords()).tolist() == [labels.size] * 2
    lazy = Design(consistent=False, relative=True, stop=stopping.as_printed)
    found = simulate(lazy, rows, epsilon=1, max_depth=20, min_samples_split=2, rng=ZeroWords())
    assert found.tolist() == [labels.size] * 2
