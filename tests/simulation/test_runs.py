"""What `simulate` looks at, and that its parts are the whole."""

import tracemalloc
from dataclasses import replace

import numpy as np
import pytest

from fdpedu.randomness import ZeroWords
from fdpedu.simulation import METHODS, CodedRows, Setting, growth, runs, simulate
from fdpedu.simulation.methods import plan_of
from fdpedu.simulation.parameters import Parameters
from fdpedu.simulation.runs import MAX_BYTES, runs_at_a_time
from fdpedu.trees import Design
from tests.support.simulated import SIX, SQUARE, TWO_ROWS

RNG = np.random.default_rng(2)
CODES = RNG.integers(0, 4, size=(3, 40, 2))
LABELS = ((CODES[..., 0] > 1) ^ (RNG.random((3, 40)) < 0.1)).astype(int)
ROWS = CodedRows(SQUARE, CODES, LABELS, RNG.integers(0, 2, (3, 40)), CODES[:, :9], LABELS[:, :9], 2)
PRIVATE = [name for name in METHODS if name not in ("central", "local")]
LAZY = Design(consistent=False)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_grows_a_tree_for_each_run(method):
    """From a generator; the same one gives the same numbers, another one others, but where there is no noise."""
    epsilon = 1 if method in PRIVATE else None

    def found(seed):
        depth = 4 if method == "owner" else 5
        return simulate(method, ROWS.repeated(20), epsilon=epsilon, max_depth=depth, rng=np.random.default_rng(seed))

    assert found(1).shape == (60,) and found(1).dtype == np.int64
    assert found(1).tolist() == found(1).tolist()
    assert (found(1).tolist() == found(2).tolist()) == (epsilon is None)
    assert 0 <= found(1).min() <= found(1).max() <= 9


@pytest.mark.parametrize("method", METHODS)
def test_a_large_budget_finds_what_is_there(method):
    """Nine labels in ten follow the first feature: every method finds it, as printed and on raw counts, too."""
    epsilon = 2000 if method in PRIVATE else None
    depth = 2 if method == "owner" else 1
    right = simulate(method, ROWS, epsilon=epsilon, max_depth=depth, rng=np.random.default_rng(1))
    assert right.tolist() == simulate("central", ROWS, max_depth=1, rng=ZeroWords()).tolist()


def test_runs_are_gone_through_in_parts_where_memory_is_short(monkeypatch):
    """The number of runs side by side follows from the largest level that there may be, and changes no tree."""
    plan = plan_of(LAZY, SQUARE, 2, 1, Parameters(max_depth=10))
    whole = plan_of("default", SQUARE, 2, 1, Parameters(max_depth=10))
    assert runs_at_a_time(plan, ROWS) == MAX_BYTES // (9 * 4 * 2)
    assert runs_at_a_time(whole, ROWS) == MAX_BYTES // (1024 * 4 * 2)
    assert runs_at_a_time(plan_of(LAZY, SQUARE, 2, 1, Parameters(max_depth=1)), ROWS) == MAX_BYTES // (2 * 4 * 2)
    together = simulate("central", ROWS, rng=ZeroWords()).tolist()
    monkeypatch.setattr(runs, "MAX_BYTES", 1)
    assert runs_at_a_time(plan, ROWS) == 1
    assert simulate("central", ROWS, rng=ZeroWords()).tolist() == together


def test_memory_does_not_grow_with_the_number_of_runs(monkeypatch):
    """Beside the rows: twice as many runs, the same memory, because no more nodes are looked at at a time."""
    monkeypatch.setattr(runs, "MAX_BYTES", 2**12)
    monkeypatch.setattr(growth, "CELLS", 2**12)

    def peak(times):
        rows, plan = ROWS.repeated(times), plan_of(LAZY, SQUARE, 2, 1, Parameters(max_depth=8))
        assert runs_at_a_time(plan, rows) < rows.n_runs / 2
        simulate(LAZY, rows, epsilon=1, max_depth=8, rng=np.random.default_rng(1))
        tracemalloc.start()
        simulate(LAZY, rows, epsilon=1, max_depth=8, rng=np.random.default_rng(1))
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    assert peak(200) < 1.1 * peak(100)


# --- each run once, in order, with noise of its own -------------------------------------------------------------------


def random_rows(number):
    rng = np.random.default_rng(number)
    codes, tests = (rng.integers(0, 4, (number, n, 2)) for n in (30, 30))
    labels = ((codes.sum(axis=2) + np.arange(number)[:, None]) % 4 < 2).astype(int)
    return CodedRows(SQUARE, codes, labels, labels * 0, tests, (tests[..., 0] < 2).astype(int), 1)


def at_a_time(monkeypatch, number):
    monkeypatch.setattr(runs, "runs_at_a_time", lambda plan, rows: number)


@pytest.mark.parametrize("number", [1, 2, 3, 4, 7, 8, 100])
def test_each_run_once_in_order(number, monkeypatch):
    """Without noise, seven runs of their own rows in parts of any size."""
    rows = random_rows(7)
    together = simulate("central", rows, rng=ZeroWords()).tolist()
    at_a_time(monkeypatch, number)
    assert simulate("central", rows, rng=ZeroWords()).tolist() == together and len(set(together)) > 3


@pytest.mark.parametrize("method", ["algorithm-5-clipped", "algorithm-6", "default", "exponential"])
def test_no_part_repeats_the_noise_of_another(method, monkeypatch):
    """The same rows forty times, in parts of ten: no two parts agree, and the generator goes on."""
    rows, rng = random_rows(1).repeated(40), np.random.default_rng(1)
    at_a_time(monkeypatch, 10)
    found = simulate(method, rows, epsilon=1, rng=rng)
    again = simulate(method, rows, epsilon=1, rng=rng)
    parts = [tuple(part) for part in np.concatenate([found, again]).reshape(8, 10).tolist()]
    assert len(set(parts)) == 8


def test_parameters_are_the_same_wherever_they_are_left_out(monkeypatch):
    """By a call, by a setting, and by the parameters themselves."""
    seen = []
    monkeypatch.setattr(runs, "plan_of", lambda *given: seen.append(given) or plan_of(*given))
    simulate("central", CodedRows(**TWO_ROWS), rng=np.random.default_rng(1))
    assert seen[0][1:] == (SQUARE, 2, None, Parameters()) and Setting(SIX).parameters == vars(Parameters())
    simulate("averaged", CodedRows(**TWO_ROWS), epsilon=1, max_depth=2, min_samples_split=3, leaf_share="1/3",
             bounds_share="1/5", lattice=7, tolerate=1, rng=np.random.default_rng(1))  # fmt: skip
    assert seen[1][3:] == (1, Parameters(2, 3, "1/3", "1/5", 7, 1))


def test_how_many_runs_are_grown_at_a_time_for_few_test_rows():
    """A node for each test row at most, and one if there is none."""
    rows = CodedRows(**TWO_ROWS)
    for more, nodes in ((0, 1), (1, 1), (2, 2), (3, 3)):
        tests = replace(rows, test_codes=np.zeros((1, more, 2), int), test_labels=np.zeros((1, more), int))
        lazy = plan_of("algorithm-5-clipped", SQUARE, 2, 1, Parameters(max_depth=9))
        assert runs_at_a_time(lazy, tests) == runs.MAX_BYTES // (nodes * 4 * 2)
