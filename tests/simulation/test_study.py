"""Studies: the same numbers for every number of processes, whatever else is in the study, and wherever one goes on."""

import json
import threading
from fractions import Fraction
from functools import partial

import joblib
import numpy as np
import pytest

from fdpedu.datasets import BENCHMARK, DataSet, Split, mixture, mixture_domain
from fdpedu.simulation import CodedRows, Setting, Study, draw_rows, simulate
from fdpedu.simulation.study import Task
from fdpedu.trees import Design
from tests.support.simulated import SIX, SIX_STUDY, TWO_ROWS


def draw(n, rng):
    return Split(*mixture(n, 2, "1/2", rng), *mixture(20, 2, "1/2", rng))


DATA = DataSet("small mixture", 30, mixture_domain(2), partial(draw, 30))
SETTING = Setting(DATA, 2, 2)
STUDY = Study([SETTING, Setting(DATA, 2, 3)], ["central", "default"], ["1", "5"], runs=5, seed=4, chunk=2)


def found(study, **options):
    return {result.key: result.correct for result in study.results(**options)}


def test_results_come_in_order_and_hold_what_was_asked_for():
    results = list(STUDY.results())
    assert [(result.setting.max_depth, result.first) for result in results] == [
        (d, f) for d in (2, 3) for f in (0, 2, 4)
    ]
    assert [result.key for result in results] == [task.key for task in STUDY.tasks()]
    for result in results:
        assert list(result.correct) == [("central", ""), ("default", "1"), ("default", "5")]
        runs = 1 if result.first == 4 else 2
        assert all(
            len(right) == runs and 0 <= min(right) <= max(right) <= result.n_test == 20
            for right in result.correct.values()
        )
        assert json.loads(json.dumps(result.to_json()))["correct"][1] == [
            "default",
            "1",
            list(result.correct["default", "1"]),
        ]


def test_results_do_not_depend_on_the_number_of_processes():
    """Nor on joblib's back end: threads, and processes of its own."""
    alone = found(STUDY)
    assert found(STUDY, jobs=2) == alone
    with joblib.parallel_config(backend="threading"):
        assert found(STUDY, jobs=3) == alone


def test_results_do_not_depend_on_what_else_is_in_the_study():
    """One method, one ε, one setting for itself: the same integers."""
    whole = found(STUDY)
    part = Study([SETTING], ["default"], [5], runs=5, seed=4, chunk=2)
    for key, correct in found(part).items():
        assert correct == {("default", "5"): whole[key]["default", "5"]}


def test_what_is_done_is_left_out():
    """So a study can be gone on with; progress counts what is left."""
    keys, shown = [task.key for task in STUDY.tasks()], []
    rest = found(STUDY, done=keys[:4], progress=lambda done, of: shown.append((done, of)))
    assert list(rest) == keys[4:] and shown == [(1, 2), (2, 2)]
    assert rest == {key: correct for key, correct in found(STUDY).items() if key in keys[4:]}


def test_rows_are_the_same_for_every_depth_method_and_chunk():
    """So differences are paired; CART of another chunk size finds the same, run by run."""

    def central(**options):
        study = Study([Setting(DATA, 2, 2, **options.pop("trees", {}))], ["central"], [], runs=6, seed=4, **options)
        return [right for result in study.results() for right in result.correct["central", ""]]

    assert central(chunk=1) == central(chunk=4) == central(chunk=6, trees={"leaf_share": "1/3"})
    assert len(set(central())) > 1


def test_random_numbers_are_named_by_what_they_are_for():
    """Another seed, method, ε, share or first run draws other noise; 1/2 and 0.5 are the same share."""

    def noise(first=0, seed=4, method="algorithm-5-clipped", epsilon=1, **trees):
        task = next(
            task
            for task in Study([Setting(DATA, 2, 2, **trees)], [method], [epsilon], runs=8, seed=seed, chunk=4).tasks()
            if task.first == first
        )
        return tuple(task._seed(f"noise: {task.setting.key}; {method}; {epsilon}", first).generate_state(2).tolist())

    base = noise()
    others = [noise(4), noise(seed=5), noise(method="algorithm-6"), noise(epsilon=2), noise(leaf_share="1/3")]
    assert len({base, *others}) == 6
    assert noise(leaf_share="0.5") == noise(leaf_share="1/2") == noise(leaf_share=Fraction(1, 2)) == base


def test_a_task_can_be_done_by_hand():
    """Rows by their seeds, noise by its own: what `Task.run` does."""
    task = Study([SETTING], ["algorithm-6"], ["3/2"], runs=4, seed=1, chunk=2).tasks()[1]
    rows = draw_rows(DATA, 2, [task._seed("rows: small mixture; K=2", run) for run in (2, 3)])
    rng = np.random.default_rng(task._seed(f"noise: {SETTING.key}; ('algorithm-6', '3/2')", 2))
    by_hand = simulate("algorithm-6", rows, epsilon="3/2", max_depth=2, rng=rng)
    assert task.run().correct["algorithm-6", "3/2"] == tuple(by_hand.tolist())


def test_designs_are_methods_by_their_text():
    design = Design(features_per_node=1, consistent=False)
    (result,) = Study([SETTING], [design], [1], runs=1).results()
    assert list(result.correct) == [(str(design), "1")]


def test_several_jobs_without_joblib_are_refused_with_advice(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "joblib", None)
    with pytest.raises(ValueError, match=r"pip install"):
        next(STUDY.results(jobs=2))
    assert next(STUDY.results()).first == 0


def test_the_data_sets_of_the_benchmark_can_be_sent_to_other_processes():
    study = Study([Setting(BENCHMARK[0])], ["central"], [], runs=2, chunk=1)
    assert found(study, jobs=2) == found(study)


def test_the_last_studies_that_there_are():
    assert Setting(SIX, 1).n_parties == 1 and Setting(SIX, 10**6).n_parties == 10**6
    for name, value in {"runs": 1, "seed": 0, "chunk": 1}.items():
        assert getattr(Study(**SIX_STUDY, **{name: value}), name) == value
    last = Study(**SIX_STUDY, runs=10**6, seed=2**63 - 1, chunk=10**6)
    assert [(task.first, task.runs, task.seed) for task in last.tasks()] == [(0, 10**6, 2**63 - 1)]
    assert (Study(**SIX_STUDY).runs, Study(**SIX_STUDY).seed, Study(**SIX_STUDY).chunk) == (50, 0, 25)
    assert Study(**{**SIX_STUDY, "methods": ["central"], "epsilons": []}).tasks()[0].epsilons == ()


def test_a_study_is_run_by_up_to_ten_thousand_processes():
    study = Study(**SIX_STUDY, runs=1)
    assert study.results(jobs=10**4) is not None
    assert [result.first for result in study.results()] == [0]


def test_what_random_numbers_are_named_by():
    """All that a task is made of, each number by its name and in one form."""
    setting = Setting(SIX, 3, 4, 5, "0.25", "1/3", 6, 2)
    trees = "max_depth=4; min_samples_split=5; leaf_share=1/4; bounds_share=1/3; lattice=6; tolerate=2"
    assert setting.key == f"six rows; K=3; {trees}"
    task = Study([setting], ["central"], [], runs=7, seed=8, chunk=3).tasks()
    assert [each.key for each in task] == [f"{setting.key}; seed=8; runs {r}" for r in ("0–2", "3–5", "6–6")]
    result = task[2].run()
    assert result.key == task[2].key and result.setting is setting and result.n_test == 3
    plain = {
        "key": result.key,
        "first": 6,
        "n_test": 3,
        "correct": [["central", "", [result.correct["central", ""][0]]]],
    }
    assert result.to_json() == plain


def test_what_is_given_as_a_list_is_kept_as_it_was():
    """Tuples, whole numbers and fractions, whatever they came as; and not to be changed from outside."""
    settings, methods, epsilons = [Setting(SIX, 2, 2)], ["central", "default"], ["1/2", 1]
    study = Study(settings, methods, epsilons, runs=2)
    for given in (settings, methods, epsilons):
        given.clear()
    assert study.settings == (Setting(SIX, 2, 2),) and study.methods == ("central", "default")
    assert study.epsilons == (Fraction(1, 2), Fraction(1))
    found = next(study.results()).correct
    assert list(found) == [("central", ""), ("default", "1/2"), ("default", "1")]
    rows = CodedRows(**{**TWO_ROWS, "n_parties": np.int64(2)})
    assert type(rows.n_parties) is int and rows.of_runs(0, 1).n_parties == rows.repeated(2).n_parties == 2


def test_threads_share_a_study():
    """In order, each once, the same as alone."""
    study = Study([Setting(SIX, 2, 2), Setting(SIX, 3, 1)], ["default"], [1, 3], runs=7, chunk=2)
    alone = list(study.results())
    with joblib.parallel_config(backend="threading"):
        assert list(study.results(jobs=3)) == alone
    assert [result.first for result in alone] == [0, 2, 4, 6] * 2


def test_results_are_there_before_the_last_task_is_done(monkeypatch):
    """Later tasks wait until somebody has the first result."""
    reported, waited, run = threading.Event(), [], Task.run

    def patient(task):
        if task.first:
            waited.append(reported.wait(5))
        return run(task)

    monkeypatch.setattr(Task, "run", patient)
    study = Study([Setting(SIX, 2, 1)], ["central"], [], runs=3, chunk=1)
    with joblib.parallel_config(backend="threading"):
        results = study.results(jobs=2)
        assert next(results).first == 0
        reported.set()
        assert [result.first for result in results] == [1, 2] and waited == [True, True]


def test_what_is_kept_is_an_integer_of_python():
    names = ("n_parties", "max_depth", "min_samples_split", "lattice", "tolerate")
    data = BENCHMARK[0]
    given = Setting(data, **dict(zip(names, map(np.int8, (4, 3, 9, 2, 1)), strict=True)))
    assert given == Setting(data, **dict(zip(names, (4, 3, 9, 2, 1), strict=True)))
    assert {type(getattr(given, name)) for name in names} == {int}
