"""What `simulate` refuses, what it looks at, and that its parts are the whole."""

import tracemalloc

import numpy as np
import pytest

from fdpedu.cart.local_grid import MAX_LATTICE
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import NodeBounds
from fdpedu.randomness import ReplayedWords, ZeroWords
from fdpedu.simulation import METHODS, Rows, growth, runs, simulate
from fdpedu.simulation.growth import predicted_labels
from fdpedu.simulation.methods import MAX_WHOLE, Parameters, plan_of
from fdpedu.simulation.plan import Plan, Views
from fdpedu.simulation.runs import MAX_BYTES, runs_at_a_time
from fdpedu.trees import Design

GRID = Domain([Numeric.grid("x", 0, 4, 4), Numeric.grid("y", 0, 4, 4)], (0, 1))
RNG = np.random.default_rng(2)
CODES = RNG.integers(0, 4, size=(3, 40, 2))
LABELS = ((CODES[..., 0] > 1) ^ (RNG.random((3, 40)) < 0.1)).astype(int)
ROWS = Rows(GRID, CODES, LABELS, RNG.integers(0, 2, (3, 40)), CODES[:, :9], LABELS[:, :9], 2)
PRIVATE = [name for name in METHODS if name not in ("central", "local")]
LAZY = Design(consistent=False)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_grows_a_tree_for_each_run(method):
    """From a generator; the same one gives the same numbers, another one others, but where there is no noise."""
    epsilon = 1 if method in PRIVATE else None

    def found(seed):
        return simulate(method, ROWS.repeated(20), epsilon=epsilon, rng=np.random.default_rng(seed))

    assert found(1).shape == (60,) and found(1).dtype == np.int64
    assert found(1).tolist() == found(1).tolist()
    assert (found(1).tolist() == found(2).tolist()) == (epsilon is None)
    assert 0 <= found(1).min() <= found(1).max() <= 9


@pytest.mark.parametrize("method", METHODS)
def test_a_large_budget_finds_what_is_there(method):
    """Nine labels in ten follow the first feature: every method finds it, as printed and on raw counts, too."""
    epsilon = 2000 if method in PRIVATE else None
    right = simulate(method, ROWS, epsilon=epsilon, max_depth=1, rng=np.random.default_rng(1))
    assert right.tolist() == simulate("central", ROWS, max_depth=1, rng=ZeroWords()).tolist()


REFUSED = [
    ("nobody", {}, "method must be one of 'central'"),
    (["default"], {}, "method must be one of"),
    ("default", {"epsilon": None}, "epsilon must be given"),
    ("central", {}, "epsilon must be None for the method 'central'"),
    ("default", {"epsilon": 0}, "epsilon"),
    ("default", {"epsilon": 2**40 + 1}, "at most"),
    ("default", {"max_depth": MAX_WHOLE + 1}, "consistent=False"),
    ("algorithm-5", {"max_depth": 65}, "max_depth"),
    ("algorithm-5", {"min_samples_split": -1}, "min_samples_split"),
    ("algorithm-5", {"leaf_share": 0}, "leaf_share"),
    ("algorithm-6", {"bounds_share": 1}, "bounds_share"),
    ("algorithm-6", {"lattice": 0}, "lattice"),
    ("algorithm-6", {"lattice": MAX_LATTICE + 1}, "lattice must be"),
    ("algorithm-6", {"tolerate": 1}, "tolerate must be 0 for Algorithm 6"),
    ("exponential", {"tolerate": 1}, "tolerate must be 0 for a trusted aggregator"),
    ("default", {"tolerate": 2}, "tolerate must be less than the number of parties"),
    ("algorithm-5", {"epsilon": "1e-13"}, "at least 2"),
    ("algorithm-6", {"epsilon": "1e-9", "lattice": MAX_LATTICE}, "at least 2"),
    ("permute-and-flip", {"epsilon": "1e-13"}, "at least 2"),
    (Design(fresh_leaves=False), {"max_depth": 0}, "max_depth"),
]


@pytest.mark.parametrize(("method", "options", "told"), REFUSED)
def test_what_cannot_be_simulated_is_refused(method, options, told):
    with pytest.raises(ValueError, match=told):
        simulate(method, ROWS, **{"epsilon": 1, "rng": ZeroWords(), **options})


def test_the_finest_lattice_is_that_of_a_federation():
    """What can be simulated can be asked of parties, and the other way round."""
    assert Parameters(lattice=MAX_LATTICE).lattice == NodeBounds(GRID.everything, 1, MAX_LATTICE).lattice
    for refused in (lambda m: Parameters(lattice=m), lambda m: NodeBounds(GRID.everything, 1, m)):
        with pytest.raises(ValueError, match="lattice"):
            refused(MAX_LATTICE + 1)


def test_what_is_no_source_of_words_is_refused():
    for rng in (None, 7, ReplayedWords([1], word_bits=4)):
        with pytest.raises(ValueError, match="rng must be"):
            simulate("central", ROWS, rng=rng)
    with pytest.raises(ValueError, match="rows"):
        simulate("central", CODES, rng=ZeroWords())


def test_categories_are_refused_where_a_method_has_no_order_of_them():
    wards = Domain([Categorical("w", ["a", "b", "c"])], (0, 1, 2))
    for method in ("algorithm-6", "algorithm-6-as-printed", "exponential", "permute-and-flip"):
        with pytest.raises(ValueError, match="ordered"):
            plan_of(method, wards, 2, 1, Parameters())
    assert (
        plan_of("algorithm-6", Domain([Categorical("w", ["a", "b", "c"])], (0, 1)), 2, 1, Parameters()).n_parties == 2
    )


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
    spy = Spy(GRID, 2, 0)
    object.__setattr__(spy, "seen", [])
    object.__setattr__(spy, "whole", whole)
    shape = np.zeros((1, len(codes)), int)
    rows = Rows(GRID, [codes], shape, shape, [tests], np.zeros((1, len(tests)), int), 1)
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


def test_many_nodes_are_decided_in_chunks(monkeypatch):
    """One node at a time, or all at once: without noise the same trees."""
    source = ZeroWords()
    methods = {"central": None, "algorithm-6": 1, "default": 1, "algorithm-5": 1}
    shape = {"max_depth": 4, "min_samples_split": 2}
    at_once = [simulate(m, ROWS, epsilon=e, rng=source, **shape).tolist() for m, e in methods.items()]
    monkeypatch.setattr(growth, "CELLS", 1)
    assert [simulate(m, ROWS, epsilon=e, rng=source, **shape).tolist() for m, e in methods.items()] == at_once


def test_runs_are_gone_through_in_parts_where_memory_is_short(monkeypatch):
    """The number of runs side by side follows from the largest level that there may be, and changes no tree."""
    plan = plan_of(LAZY, GRID, 2, 1, Parameters(max_depth=10))
    whole = plan_of("default", GRID, 2, 1, Parameters(max_depth=10))
    assert runs_at_a_time(plan, ROWS) == MAX_BYTES // (9 * 4 * 2)
    assert runs_at_a_time(whole, ROWS) == MAX_BYTES // (1024 * 4 * 2)
    assert runs_at_a_time(plan_of(LAZY, GRID, 2, 1, Parameters(max_depth=1)), ROWS) == MAX_BYTES // (2 * 4 * 2)
    together = simulate("central", ROWS, rng=ZeroWords()).tolist()
    monkeypatch.setattr(runs, "MAX_BYTES", 1)
    assert runs_at_a_time(plan, ROWS) == 1
    assert simulate("central", ROWS, rng=ZeroWords()).tolist() == together


def test_memory_does_not_grow_with_the_number_of_runs(monkeypatch):
    """Beside the rows: twice as many runs, the same room, because no more nodes are looked at at a time."""
    monkeypatch.setattr(runs, "MAX_BYTES", 2**12)
    monkeypatch.setattr(growth, "CELLS", 2**12)

    def peak(times):
        rows, plan = ROWS.repeated(times), plan_of(LAZY, GRID, 2, 1, Parameters(max_depth=8))
        assert runs_at_a_time(plan, rows) < rows.n_runs / 2
        simulate(LAZY, rows, epsilon=1, max_depth=8, rng=np.random.default_rng(1))
        tracemalloc.start()
        simulate(LAZY, rows, epsilon=1, max_depth=8, rng=np.random.default_rng(1))
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    assert peak(200) < 1.1 * peak(100)
