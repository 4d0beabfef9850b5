"""What a simulation refuses, in its exact words, each with the last value that it takes; and what it is named by."""

from dataclasses import replace
from fractions import Fraction
from functools import partial

import numpy as np
import pytest

from fdpedu.datasets import DataSet, Split
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.randomness import ReplayedWords, ZeroWords
from fdpedu.simulation import METHODS, Rows, Setting, Study, draw_rows, rows, simulate
from fdpedu.simulation.methods import Parameters, needs_epsilon, plan_of
from fdpedu.trees import Design

GRID = Domain([Numeric.grid("x", 0, 4, 4), Numeric.grid("y", 0, 4, 4)], (0, 1))
WARDS = Domain([Categorical("w", ["a", "b", "c"]), Numeric.grid("x", 0, 2, 2)], (0, 1))
MANY = replace(WARDS, classes=(0, 1, 2))
ROWS = {
    "domain": GRID,
    "codes": np.array([[[0, 0], [2, 3]]]),
    "labels": np.array([[0, 1]]),
    "parties": np.array([[1, 0]]),
    "test_codes": np.array([[[1, 1]]]),
    "test_labels": np.array([[1]]),
    "n_parties": 2,
}
KNOWN = "method must be one of " + ", ".join(map(repr, METHODS)) + ", or a Design, got "
SHAPE = "codes must have the shape (runs, rows, 2), at least one run, got "
CODES = "codes must be codes of the domain, from 0 to the number of a feature's codes less 1"
DRAWABLE = "epsilon/sensitivity must be at least 2**-40, so that the noise fits 64-bit integers"
SOURCE = "rng must be a numpy.random.Generator or a source of words of 64 bits, got "


def six(rng):
    return Split(rng.uniform(0, 4, (6, 2)), [0, 1, 0, 1, 0, 1], rng.uniform(0, 4, (3, 2)), [0, 1, 1])


DATA = DataSet("six rows", 6, GRID, six)
STUDY = {"settings": [Setting(DATA, 2, 2)], "methods": ["default"], "epsilons": [1]}
SEED = np.random.SeedSequence(1)


def told(call, *args, **options):
    """The words of a refusal."""
    with pytest.raises(ValueError) as refused:
        call(*args, **options)
    return str(refused.value)


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [("max_depth", 0, 64), ("min_samples_split", 0, 2**62), ("lattice", 1, 2**16), ("tolerate", 0, None)],
)
def test_the_ends_of_each_parameter(name, least, most):
    """Taken up to the end, refused beyond it, by trees and by settings alike."""
    for make in (Parameters, partial(Setting, DATA)):
        for value in (least, most or 10**30):
            assert getattr(make(**{name: value}), name) == value
        assert told(make, **{name: least - 1}) == f"{name} must be an integer ≥ {least}, got {least - 1}"
        if most:
            assert told(make, **{name: most + 1}) == f"{name} must be at most {most}, got {most + 1}"


@pytest.mark.parametrize("name", ["leaf_share", "bounds_share"])
def test_the_ends_of_each_share(name):
    for make in (Parameters, partial(Setting, DATA)):
        assert make(**{name: "999/1000"}) and make(**{name: "1/1000"})
        for share in (1, "5/4"):
            assert told(make, **{name: share}) == f"{name} must lie strictly between 0 and 1, got {share}"
        assert told(make, **{name: 0}) == f"{name} must be greater than 0, got 0"


PLANS = [
    ("nobody", GRID, 1, {}, KNOWN + "'nobody'"),
    (["default"], GRID, 1, {}, KNOWN + "['default']"),
    ("x" * 99, GRID, 1, {}, KNOWN + "'" + "x" * 39),
    ("default", GRID, None, {}, "epsilon must be given: this method is private"),
    ("central", GRID, 1, {}, "epsilon must be None for the method 'central', which is not private"),
    ("local", GRID, 1, {}, "epsilon must be None for the method 'local', which is not private"),
    ("default", GRID, 0, {}, "epsilon must be greater than 0, got 0"),
    ("default", GRID, 2**40 + 1, {}, "epsilon must be at most 1099511627776; for no noise at all give rng=ZeroWords()"),
    ("algorithm-6", GRID, 1, {"tolerate": 1}, "tolerate must be 0 for Algorithm 6, got 1"),
    ("exponential", GRID, 1, {"tolerate": 1}, "tolerate must be 0 for a trusted aggregator, got 1"),
    ("default", GRID, 1, {"tolerate": 2}, "tolerate must be less than the number of parties (2), got 2"),
    ("algorithm-5", GRID, "1e-13", {}, DRAWABLE),
    ("permute-and-flip", GRID, "1e-13", {}, DRAWABLE),
    ("algorithm-6", GRID, "1e-9", {"lattice": 2**16}, DRAWABLE),
    ("algorithm-6", MANY, 1, {}, "with more than two classes, all features must be ordered for Algorithm 6"),
    ("exponential", WARDS, 1, {}, "all features must be ordered where a trusted aggregator chooses among all borders"),
    (Design(), GRID, 1, {"max_depth": 13}, "max_depth must be at most 12 for a design that reconciles"),
]


@pytest.mark.parametrize(("method", "domain", "epsilon", "options", "words"), PLANS)
def test_what_no_plan_is_made_of(method, domain, epsilon, options, words):
    found = told(plan_of, method, domain, 2, epsilon, Parameters(**options))
    assert found == words if "reconciles" not in words and "xxx" not in words else found.startswith(words)


def test_the_last_of_what_plans_are_made_of():
    """ε = 2⁴⁰; depth 12 of a tree that is grown whole, 64 of others; three categories and two classes; no histogram."""
    assert plan_of("default", GRID, 2, 2**40, Parameters(12)).costs.leaf == 2**39
    assert plan_of(Design(consistent=False), GRID, 2, 1, Parameters(64)).depth == 64
    assert plan_of("algorithm-6", WARDS, 2, 1, Parameters()).n_parties == 2
    assert plan_of("algorithm-6", replace(GRID, classes=(0, 1, 2)), 3, 1, Parameters()).n_parties == 3
    assert plan_of("algorithm-6", GRID, 2, "1e-9", Parameters(max_depth=0, lattice=2**16)).depth == 0
    assert [name for name in METHODS if not needs_epsilon(name)] == ["central", "local"] and needs_epsilon(Design())


def least_rate(domain, lattice):
    """The ε at which a bound's rate is exactly 2⁻⁴⁰: ¼ of half of it at one level, for p bounds in steps of 1/m."""
    return Fraction(8 * domain.n_features * lattice, 2**40)


@pytest.mark.parametrize("lattice", [1000, 2**16])
def test_the_least_budget_of_bounds(lattice):
    """To the last ε at which the noise of a bound can be drawn."""
    epsilon, given = least_rate(GRID, lattice), Parameters(max_depth=1, lattice=lattice)
    assert plan_of("algorithm-6", GRID, 2, epsilon, given).lattice == lattice
    assert told(plan_of, "algorithm-6", GRID, 2, epsilon - Fraction(1, 2**60), given) == DRAWABLE


def test_what_a_plan_makes_of_its_parameters():
    """Each at its place."""
    given = Parameters(3, 7, "1/3", "1/5", 6)
    six, printed = (plan_of(f"algorithm-6{end}", GRID, 4, 9, given) for end in ("", "-as-printed"))
    for plan in (six, printed):
        assert (plan.depth, plan.least, plan.bounds_share, plan.lattice, plan.n_parties) == (3, 7, 0.2, 6, 4)
        assert (plan.costs.node, plan.costs.leaf) == (2, 3)
    assert six.costs.unspent_to_leaf and not printed.costs.unspent_to_leaf
    for flips, name in enumerate(("exponential", "permute-and-flip")):
        plan = plan_of(name, GRID, 4, 9, given)
        assert (plan.depth, plan.lattice, plan.flips, plan.costs.node) == (3, 6, bool(flips), 2)
        assert plan.costs.unspent_to_leaf
    five = plan_of("algorithm-5", GRID, 4, 9, replace(given, tolerate=2))
    assert (five.depth, five.least, five.n_parties, five.tolerate, five.costs.node) == (3, 7, 4, 2, 2)
    central, local = (plan_of(name, GRID, 4, None, given) for name in ("central", "local"))
    assert (central.depth, central.least, central.party) == (3, 7, None) and local.party == 0
    assert plan_of("central", GRID, 4, None, Parameters(min_samples_split=0)).least == 2


REFUSED_ROWS = [
    ("domain", "x", "domain must be a Domain, got str"),
    ("codes", [[0, 0]], SHAPE + "(1, 2)"),
    ("codes", [[[0]]], SHAPE + "(1, 1, 1)"),
    ("codes", np.zeros((0, 2, 2), int), SHAPE + "(0, 2, 2)"),
    ("codes", [[[0, 4], [0, 0]]], CODES),
    ("codes", [[[0, -1], [0, 0]]], CODES),
    ("codes", ROWS["codes"].repeat(2, 0), "codes and test_codes must have as many runs, got 2 and 1"),
    ("codes", [[[0.5, 0.0]]], "codes must be integers within ±2**62; got float64 (round real data before the noise)"),
    ("test_codes", [[0, 0]], f"test_{SHAPE}(1, 2)"),
    ("test_codes", [[[4, 0]]], f"test_{CODES}"),
    ("labels", [[0]], "labels must have the shape (1, 2), got (1, 1)"),
    ("labels", [[0, 2]], "labels must be integers from 0 to 1"),
    ("labels", [[-1, 0]], "labels must be integers from 0 to 1"),
    ("parties", [[0, 2]], "parties must be integers from 0 to 1"),
    ("parties", [0, 1], "parties must have the shape (1, 2), got (2,)"),
    ("test_labels", [[2]], "test_labels must be integers from 0 to 1"),
    ("test_labels", [1], "test_labels must have the shape (1, 1), got (1,)"),
    ("n_parties", 0, "n_parties must be an integer ≥ 1, got 0"),
    ("n_parties", 10**6 + 1, "n_parties must be at most 1000000, got 1000001"),
]


@pytest.mark.parametrize(("name", "value", "words"), REFUSED_ROWS)
def test_what_are_no_rows(name, value, words):
    assert told(Rows, **{**ROWS, name: value}) == words


def test_the_last_rows_that_there_are(monkeypatch):
    """A million parties, a million repetitions, and as many numbers as there may be; one more is refused."""
    found = Rows(**{**ROWS, "n_parties": 10**6})
    assert found.n_parties == 10**6 and Rows(**{**ROWS, "n_parties": 1, "parties": [[0, 0]]}).n_parties == 1
    assert told(found.repeated, 0) == "times must be an integer ≥ 1, got 0"
    assert told(found.repeated, 10**6 + 1) == "times must be at most 1000000, got 1000001"
    assert found.repeated(1).n_runs == 1 and found.repeated(10**6).n_runs == 10**6
    monkeypatch.setattr(rows, "MAX_NUMBERS", 33)  # eleven numbers a run: 4 codes, 2 labels, 2 parties, 2 + 1 tests
    assert found.repeated(3).n_runs == 3
    assert told(found.repeated, 4) == "times must be small enough that there are at most 33 numbers, got 4"
    monkeypatch.setattr(rows, "MAX_NUMBERS", 4)
    assert Rows(**ROWS).n_runs == 1
    monkeypatch.setattr(rows, "MAX_NUMBERS", 3)
    assert told(Rows, **ROWS) == "codes must be at most 3 numbers, got 4: take fewer runs at a time"


def test_rows_as_they_are_told():
    """One is one, and two are two."""
    one = Rows(**ROWS)
    assert repr(one) == "Rows(1 run, 2 rows of 2 features to learn from, 1 to be tested on, 2 parties)"
    age = Domain([Numeric.grid("age", 0, 3, 3)], (0, 1))
    few = Rows(age, [[[0]], [[1]]], [[0], [1]], [[0], [0]], [[[0], [1]]] * 2, [[0, 1]] * 2, 1)
    assert repr(few) == "Rows(2 runs, 1 row of 1 feature to learn from, 2 to be tested on, 1 parties)"
    kinds = [getattr(few, name).dtype for name in ("codes", "labels", "parties", "test_codes", "test_labels")]
    assert kinds == [np.uint8, np.int64, np.int64, np.uint8, np.int64] and few.n_test == 2


def test_what_no_rows_are_drawn_from():
    seeds = "seeds must be one numpy.random.SeedSequence for each run, at least one"
    assert told(draw_rows, DATA, 2, []) == told(draw_rows, DATA, 2, [1]) == told(draw_rows, DATA, 2, [SEED, 1]) == seeds
    assert told(draw_rows, DATA, 2, SEED) == "seeds must be a list, got SeedSequence"
    assert told(draw_rows, "six", 2, [SEED]) == "data must be a DataSet, got str"
    assert told(draw_rows, DATA, 0, [SEED]) == "n_parties must be an integer ≥ 1, got 0"
    assert told(draw_rows, DATA, 10**6 + 1, [SEED]) == "n_parties must be at most 1000000, got 1000001"
    assert "each of 1000000 parties" in told(draw_rows, DATA, 10**6, [SEED])
    drawn = draw_rows(DATA, 6, [SEED, SEED])
    assert sorted(drawn.parties[0].tolist()) == [0, 1, 2, 3, 4, 5] and drawn.n_parties == 6
    assert draw_rows(DATA, 1, [SEED]).parties.tolist() == [[0] * 6]
    assert [drawn.labels.dtype, drawn.test_labels.dtype, drawn.parties.dtype] == [np.int64] * 3


def test_what_is_no_setting():
    assert told(Setting, "six") == "data must be a DataSet, got str"
    assert told(Setting, DATA, 0) == "n_parties must be an integer ≥ 1, got 0"
    assert told(Setting, DATA, 10**6 + 1) == "n_parties must be at most 1000000, got 1000001"
    assert Setting(DATA, 1).n_parties == 1 and Setting(DATA, 10**6).n_parties == 10**6


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"settings": [DATA]}, "settings must be a Setting, got DataSet"),
        ({"settings": STUDY["settings"][0]}, "settings must be a list, got Setting"),
        ({"methods": "default"}, "methods must be a list, got 'default'"),
        ({"methods": ["default", "nobody"]}, KNOWN + "'nobody'"),
        ({"epsilons": 1}, "epsilons must be a list, got 1"),
        ({"epsilons": []}, "epsilons must name at least one ε: default is private"),
        ({"epsilons": [1, 0]}, "epsilons must be greater than 0, got 0"),
        ({"runs": 0}, "runs must be an integer ≥ 1, got 0"),
        ({"runs": 10**6 + 1}, "runs must be at most 1000000, got 1000001"),
        ({"seed": -1}, "seed must be an integer ≥ 0, got -1"),
        ({"seed": 2**63}, "seed must be at most 9223372036854775807, got 9223372036854775808"),
        ({"chunk": 0}, "chunk must be an integer ≥ 1, got 0"),
        ({"chunk": 10**6 + 1}, "chunk must be at most 1000000, got 1000001"),
        ({"settings": [*STUDY["settings"], Setting(DATA, 1, tolerate=1)]}, "tolerate must be less than the number of"),
        ({"epsilons": [1, 2**41]}, "epsilon must be at most 1099511627776"),
    ],
)
def test_what_is_no_study(options, words):
    found = told(Study, **{**STUDY, **options})
    assert found == words or (found.startswith(words) and len(words) > 30)


def test_the_last_studies_that_there_are():
    for name, value in {"runs": 1, "seed": 0, "chunk": 1}.items():
        assert getattr(Study(**STUDY, **{name: value}), name) == value
    last = Study(**STUDY, runs=10**6, seed=2**63 - 1, chunk=10**6)
    assert [(task.first, task.runs, task.seed) for task in last.tasks()] == [(0, 10**6, 2**63 - 1)]
    assert (Study(**STUDY).runs, Study(**STUDY).seed, Study(**STUDY).chunk) == (50, 0, 25)
    assert Study(**{**STUDY, "methods": ["central"], "epsilons": []}).tasks()[0].epsilons == ()


def test_how_a_study_is_run():
    study = Study(**STUDY, runs=1)
    assert told(study.results, jobs=0) == "jobs must be an integer ≥ 1, got 0"
    assert told(study.results, jobs=10**4 + 1) == "jobs must be at most 10000, got 10001"
    assert study.results(jobs=10**4) is not None
    assert told(study.results, progress=1) == "progress must be a function, got 1"
    assert told(study.results, done="key") == "done must be a list, got 'key'"
    assert told(study.results, done=[1]) == "done must be keys of tasks, which are texts"
    assert [result.first for result in study.results()] == [0]


def test_what_is_no_source_of_noise():
    found = Rows(**ROWS)
    for rng, kind in ((None, "NoneType"), (7, "int"), (ReplayedWords([1], word_bits=4), "ReplayedWords")):
        assert told(simulate, "central", found, rng=rng) == SOURCE + kind
    assert told(simulate, "central", 1, rng=ZeroWords()) == "rows must be a Rows, got int"


def test_what_random_numbers_are_named_by():
    """All that a task is made of, each number by its name and in one form."""
    setting = Setting(DATA, 3, 4, 5, "0.25", "1/3", 6, 2)
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
