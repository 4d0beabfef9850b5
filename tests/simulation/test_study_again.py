"""Studies and plans: what is kept of what was given, what runs beside what, and results as soon as they are there."""

import threading
from dataclasses import replace
from fractions import Fraction

import joblib
import numpy as np
import pytest

from fdpedu.simulation import Rows, Setting, Study, runs, simulate
from fdpedu.simulation.methods import Parameters, plan_of
from fdpedu.simulation.runs import runs_at_a_time
from fdpedu.simulation.study import Task
from fdpedu.trees import Design
from tests.simulation.test_told import DATA, GRID, ROWS, told


def test_what_is_given_as_a_list_is_kept_as_it_was():
    """Tuples, whole numbers and fractions, whatever they came as; and not to be changed from outside."""
    settings, methods, epsilons = [Setting(DATA, 2, 2)], ["central", "default"], ["1/2", 1]
    study = Study(settings, methods, epsilons, runs=2)
    for given in (settings, methods, epsilons):
        given.clear()
    assert study.settings == (Setting(DATA, 2, 2),) and study.methods == ("central", "default")
    assert study.epsilons == (Fraction(1, 2), Fraction(1))
    found = next(study.results()).correct
    assert list(found) == [("central", ""), ("default", "1/2"), ("default", "1")]
    rows = Rows(**{**ROWS, "n_parties": np.int64(2)})
    assert type(rows.n_parties) is int and rows.of_runs(0, 1).n_parties == rows.repeated(2).n_parties == 2
    words = told(Rows, **{**ROWS, "labels": [[0.5, 1]]})
    assert words.startswith("labels must be integers within")


def test_designs_as_plans():
    """Early leaves and leaves that read histograms, as the design says."""
    for to_leaf in (False, True):
        plan = plan_of(Design(unspent_to_leaf=to_leaf), GRID, 2, 1, Parameters())
        assert plan.costs.unspent_to_leaf is to_leaf
    fresh, reusing = (plan_of(Design(fresh_leaves=own), GRID, 2, 1, Parameters()) for own in (True, False))
    assert (type(fresh).__name__, type(reusing).__name__) == ("Noisy", "Reusing")
    assert reusing.costs.node == 2 * fresh.costs.node


@pytest.mark.parametrize("method", ["exponential", "permute-and-flip"])
def test_the_least_budget_of_an_aggregator(method):
    """To the last ε at which a split and a leaf can be drawn: one of a level, whatever the number of features."""
    epsilon, given = Fraction(2, 2**40), Parameters(max_depth=1)
    assert plan_of(method, GRID, 2, epsilon, given).costs.node == Fraction(1, 2**40)
    assert "at least 2**-40" in told(plan_of, method, GRID, 2, epsilon - Fraction(1, 2**60), given)


def test_parameters_are_the_same_wherever_they_are_left_out(monkeypatch):
    """By a call, by a setting, and by the parameters themselves."""
    seen = []
    monkeypatch.setattr(runs, "plan_of", lambda *given: seen.append(given) or plan_of(*given))
    simulate("central", Rows(**ROWS), rng=np.random.default_rng(1))
    assert seen[0][1:] == (GRID, 2, None, Parameters()) and Setting(DATA).parameters == vars(Parameters())
    simulate("algorithm-5", Rows(**ROWS), epsilon=1, max_depth=2, min_samples_split=3, leaf_share="1/3",
             bounds_share="1/5", lattice=7, tolerate=1, rng=np.random.default_rng(1))  # fmt: skip
    assert seen[1][3:] == (1, Parameters(2, 3, "1/3", "1/5", 7, 1))


def test_how_many_runs_are_grown_at_a_time_for_few_test_rows():
    """A node for each test row at most, and one if there is none."""
    rows = Rows(**ROWS)
    for more, nodes in ((0, 1), (1, 1), (2, 2), (3, 3)):
        tests = replace(rows, test_codes=np.zeros((1, more, 2), int), test_labels=np.zeros((1, more), int))
        lazy = plan_of("algorithm-5", GRID, 2, 1, Parameters(max_depth=9))
        assert runs_at_a_time(lazy, tests) == runs.MAX_BYTES // (nodes * 4 * 2)


def test_threads_share_a_study():
    """In order, each once, the same as alone."""
    study = Study([Setting(DATA, 2, 2), Setting(DATA, 3, 1)], ["default"], [1, 3], runs=7, chunk=2)
    alone = list(study.results())
    with joblib.parallel_config(backend="threading"):
        assert list(study.results(jobs=3)) == alone
    assert [result.first for result in alone] == [0, 2, 4, 6] * 2


def test_results_are_there_before_the_last_task_is_done(monkeypatch):
    """Later tasks wait until somebody has the first result."""
    told_of, waited, run = threading.Event(), [], Task.run

    def patient(task):
        if task.first:
            waited.append(told_of.wait(5))
        return run(task)

    monkeypatch.setattr(Task, "run", patient)
    study = Study([Setting(DATA, 2, 1)], ["central"], [], runs=3, chunk=1)
    with joblib.parallel_config(backend="threading"):
        results = study.results(jobs=2)
        assert next(results).first == 0
        told_of.set()
        assert [result.first for result in results] == [1, 2] and waited == [True, True]
