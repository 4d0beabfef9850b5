"""Studies: the same numbers for every number of processes, whatever else is in the study, and wherever one goes on."""

import json
from fractions import Fraction
from functools import partial

import joblib
import numpy as np
import pytest

from fdpedu.datasets import BENCHMARK, DataSet, Split, mixture, mixture_domain
from fdpedu.simulation import Setting, Study, draw_rows, simulate
from fdpedu.trees import Design


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
    keys, told = [task.key for task in STUDY.tasks()], []
    rest = found(STUDY, done=keys[:4], progress=lambda done, of: told.append((done, of)))
    assert list(rest) == keys[4:] and told == [(1, 2), (2, 2)]
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

    def noise(first=0, seed=4, method="algorithm-5", epsilon=1, **trees):
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


REFUSED = {
    "settings": ([DATA], "settings"),
    "methods": (["default", "nobody"], "method must be one of"),
    "epsilons": ([], "is private"),
    "runs": (0, "runs"),
    "seed": (-1, "seed"),
    "chunk": (0, "chunk"),
}


@pytest.mark.parametrize(("name", "value", "told"), [(name, *rest) for name, rest in REFUSED.items()])
def test_what_some_task_would_refuse_is_refused_before(name, value, told):
    with pytest.raises(ValueError, match=told):
        Study(**{"settings": [SETTING], "methods": ["default"], "epsilons": [1], name: value})


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"n_parties": 0}, "n_parties"),
        ({"max_depth": 65}, "max_depth"),
        ({"min_samples_split": -1}, "min_samples_split"),
        ({"leaf_share": 1}, "leaf_share"),
        ({"bounds_share": "5/4"}, "bounds_share"),
        ({"lattice": 0}, "lattice"),
        ({"tolerate": -1}, "tolerate"),
    ],
)
def test_a_setting_refuses_what_no_tree_can_have(options, told):
    with pytest.raises(ValueError, match=told):
        Setting(DATA, **options)


def test_results_refuse_odd_ways_to_run():
    for options in ({"jobs": 0}, {"progress": 1}, {"done": [1]}, {"done": "key"}):
        with pytest.raises(ValueError, match=next(iter(options))):
            STUDY.results(**options)


def test_several_jobs_without_joblib_are_refused_with_advice(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "joblib", None)
    with pytest.raises(ValueError, match=r"pip install"):
        next(STUDY.results(jobs=2))
    assert next(STUDY.results()).first == 0


def test_the_data_sets_of_the_benchmark_can_be_sent_to_other_processes():
    study = Study([Setting(BENCHMARK[0])], ["central"], [], runs=2, chunk=1)
    assert found(study, jobs=2) == found(study)
