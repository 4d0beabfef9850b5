"""Which nodes are looked at, and what no order of rows and no company of other runs changes."""

from dataclasses import replace

import numpy as np
import pytest

from fdpedu.domain import Domain, Numeric
from fdpedu.randomness import ZeroWords
from fdpedu.simulation import CodedRows, growth, simulate
from fdpedu.simulation.growth import predicted_labels
from fdpedu.simulation.methods import plan_of
from fdpedu.simulation.parameters import Parameters
from fdpedu.simulation.plan import Plan, Views
from fdpedu.trees import Design, stopping
from tests.support.simulated import SQUARE


class Spy(Plan):
    """A plan that splits every node in the middle of x, then of y, and keeps what it was shown."""

    whole = False
    seen = ()

    def decide(self, nodes, source):
        self.seen.append((nodes.counts[..., 0].sum(axis=(0, 1)).tolist(), nodes.inside.sum(axis=(0, 2)).tolist()))
        widths = nodes.inside.sum(axis=0)
        feature = widths.argmax(axis=1)
        here = np.arange(len(feature))
        own = nodes.inside[:, here, feature]
        border = (own.cumsum(axis=0) <= widths[here, feature] // 2).T
        choice = growth.Choice(np.ones(len(feature), dtype=bool), feature, border)
        return growth.Decided(choice, nodes.saved, Views(np.zeros((len(here), 2)), np.ones(len(here))))

    def release(self, counts, saved, paid, source):
        return counts.astype(float)

    @property
    def reconciles(self):
        return self.whole


def spied(whole, codes, tests):
    spy = Spy(SQUARE, 2, 0)
    object.__setattr__(spy, "seen", [])
    object.__setattr__(spy, "whole", whole)
    shape = np.zeros((1, len(codes)), int)
    rows = CodedRows(SQUARE, [codes], shape, shape, [tests], np.zeros((1, len(tests)), int), 1)
    predicted_labels(spy, rows, ZeroWords())
    return spy.seen


def test_only_nodes_with_a_test_row_are_expanded():
    """Four nodes at the last level but one test row: one node is looked at; a whole tree looks at all, empty or not."""
    codes, tests = [[0, 0], [3, 3], [3, 3], [3, 0]], [[3, 2]]
    assert [rows for rows, _ in spied(False, codes, tests)] == [[4], [3]]
    assert [rows for rows, _ in spied(True, codes, tests)] == [[4], [1, 3]]
    assert [rows for rows, _ in spied(False, codes, np.zeros((0, 2), int))] == [[4]]


def test_a_side_is_the_region_of_its_parent_without_the_other_side():
    """Codes left and right of a border, of the split feature only."""
    codes = [[0, 0]]
    assert [inside for _, inside in spied(True, codes, [[0, 0]])] == [[8], [6, 6]]


RNG = np.random.default_rng(2)
CODES = RNG.integers(0, 4, size=(3, 40, 2))
LABELS = ((CODES[..., 0] > 1) ^ (RNG.random((3, 40)) < 0.1)).astype(int)
ROWS = CodedRows(SQUARE, CODES, LABELS, RNG.integers(0, 2, (3, 40)), CODES[:, :9], LABELS[:, :9], 2)


def test_many_nodes_are_decided_in_chunks(monkeypatch):
    """One node at a time, or all at once: without noise the same trees."""
    source = ZeroWords()
    methods = {"central": None, "algorithm-6": 1, "default": 1, "algorithm-5-clipped": 1}
    shape = {"max_depth": 4, "min_samples_split": 2}
    at_once = [simulate(m, ROWS, epsilon=e, rng=source, **shape).tolist() for m, e in methods.items()]
    monkeypatch.setattr(growth, "CELLS", 1)
    assert [simulate(m, ROWS, epsilon=e, rng=source, **shape).tolist() for m, e in methods.items()] == at_once


GRID = Domain([Numeric.grid("x", 0, 4, 4), Numeric.grid("y", 0, 3, 3), Numeric.grid("z", 0, 2, 2)], (0, 1, 2))
EPSILONS = {
    **{name: 1 for name in ("algorithm-5-clipped", "algorithm-6")},
    **{name: 1 for name in ("default", "averaged", "exponential", "permute-and-flip")},
    **{name: 1 for name in ("rotating", "owner", "screened")},
    **{"central": None, "local": None},
}


def some_rows(runs=4, rows=60, tests=25):
    """Several runs; a class follows from the codes and from chance, in another way in every run."""
    rng = np.random.default_rng(3)
    codes, tested = (rng.integers(0, [4, 3, 2], (runs, n, 3)) for n in (rows, tests))
    labels, truth = (
        (part[..., 0] * np.arange(runs)[:, None] + part[..., 1] + (rng.random(part.shape[:2]) < 0.2)) % 3
        for part in (codes, tested)
    )
    return CodedRows(GRID, codes, labels, rng.integers(0, 4, (runs, rows)), tested, truth, 4)


def plan_for(method):
    return plan_of(method, GRID, 4, EPSILONS[method], Parameters(4 if method == "owner" else 3, 5))


@pytest.mark.parametrize("method", EPSILONS)
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


@pytest.mark.parametrize("method", EPSILONS)
def test_a_run_is_the_same_alone_and_in_any_company(method, monkeypatch):
    """Of a thousand runs each is what it is alone, whether nodes are decided in parts or at once."""
    rows, plan = some_rows(), plan_for(method)
    alone = [predicted_labels(plan, rows.of_runs(run, run + 1), ZeroWords())[0].tolist() for run in range(4)]
    assert predicted_labels(plan, rows, ZeroWords()).tolist() == alone
    if method in ("algorithm-5-clipped", "algorithm-6"):
        assert predicted_labels(plan, rows.repeated(100), ZeroWords()).tolist() == alone * 100
    monkeypatch.setattr(growth, "CELLS", 3 * plan.grid.cells_per_node)
    assert predicted_labels(plan, rows, ZeroWords()).tolist() == alone


@pytest.mark.parametrize("method", ["local", "central", "algorithm-5-clipped", "algorithm-6", "exponential"])
def test_whose_rows_are_looked_at(method):
    """One party's tree depends on the first party's rows alone; trees of all parties' rows on the others', too."""
    rows, plan = some_rows(), plan_for(method)
    others = rows.parties > 0
    changed = replace(rows, labels=np.where(others, (rows.labels + 1) % 3, rows.labels))
    same = np.array_equal(*(predicted_labels(plan, each, ZeroWords()) for each in (rows, changed)))
    assert same == (method == "local")
    if method in ("central", "algorithm-5-clipped", "exponential"):
        other = replace(rows, parties=3 - rows.parties)
        assert np.array_equal(*(predicted_labels(plan, each, ZeroWords()) for each in (rows, other)))


def test_deep_trees_of_many_classes():
    """Depth 20, five classes, some hundred nodes in a level: CART without noise learns each row that it can tell."""
    domain = Domain([Numeric.grid(name, 0, 1, 32) for name in "ab"], range(5))
    rng = np.random.default_rng(2)
    codes = np.stack(np.meshgrid(range(32), range(32)), axis=-1).reshape(1, -1, 2)[:, ::3]
    labels = rng.integers(0, 5, codes.shape[:2])
    rows = CodedRows(domain, codes, labels, np.zeros_like(labels), codes, labels, 1)
    rows = rows.repeated(2)
    assert simulate("central", rows, max_depth=20, min_samples_split=2, rng=ZeroWords()).tolist() == [labels.size] * 2
    lazy = Design(consistent=False, relative=True, stop=stopping.as_printed)
    found = simulate(lazy, rows, epsilon=1, max_depth=20, min_samples_split=2, rng=ZeroWords())
    assert found.tolist() == [labels.size] * 2
