"""Kinds of faults that nobody planted: streams that repeat, sizes past small integers, third parties and second blocks.

Nothing is grown where it is not needed: what grows trees is replaced by what notes its arguments.
"""

import random
from dataclasses import fields, replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from fdpedu.experiments import CONSEQUENCES, VARIANTS, Faults, Setting, Study, Variant, counting, draw_sample, growing
from fdpedu.experiments import tasks as tasks_module
from fdpedu.experiments.budget import Budget
from fdpedu.experiments.growing import Outcome, grow_runs
from fdpedu.experiments.readable import grow_tree
from fdpedu.experiments.sample import Sample
from fdpedu.experiments.store import Store
from fdpedu.experiments.stored import made_again, read_stored, stored_text
from fdpedu.experiments.tasks import Results, baseline

BASE = Setting(5, 40, 3, 2, "0.3")
OTHERS = {"figure": 4, "n": 50, "p": 4, "max_depth": 3, "rho": "9/10", "leaf_share": "1/3", "bounds_share": "1/5"}
SETTINGS = (BASE, *(Setting(**{**{f.name: getattr(BASE, f.name) for f in fields(BASE)}, name: value})
                    for name, value in OTHERS.items()), replace(BASE, rho="3/8"))  # fmt: skip
METHODS = ("algorithm-5", "algorithm-6", "algorithm-5-clipped", "algorithm-6-clipped")
BUDGETS = (Fraction(1, 2), Fraction(1), Fraction(3), Fraction(10))


@pytest.fixture
def noted(monkeypatch):
    """What a study draws rows and grows trees with: the first numbers of each stream, and what it was for."""
    rows, noise = [], []

    def draw(setting, faults, rng):
        rows.append((setting, faults, rng.integers(2**60)))
        return Sample(np.zeros((1, 1)), np.zeros(1, int), np.zeros(1, int), np.zeros((1, 1)), np.zeros(1, int))

    def grow(samples, setting, variant, *, saving, epsilon, rng):
        noise.append((setting, variant, saving, epsilon, rng.integers(2**60)))
        told = np.arange(len(samples)) + int(1000 * epsilon)
        return Outcome(told, ((1,),) * len(samples), np.zeros((len(samples), 2), dtype=np.int64))

    monkeypatch.setattr(tasks_module, "draw_sample", draw)
    monkeypatch.setattr(tasks_module, "grow_runs", grow)
    return rows, noise


def test_no_stream_of_noise_is_used_twice(noted):
    """Of settings, variants, methods, budgets, tens of runs and seeds, in one study or in several; a repetition is."""
    _, noise = noted
    for seed, variant in product((0, 1), VARIANTS.values()):
        Study(SETTINGS, variant, METHODS, BUDGETS, 30, seed).results()
    assert len(noise) == 2 * 3 * 9 * 4 * 4 * 3
    first = [number for *_, number in noise]
    assert len(set(first)) == len(first)
    noise.clear()
    for seed, variant in product((0, 1), VARIANTS.values()):
        Study(SETTINGS, variant, METHODS, BUDGETS, 30, seed).results()
    assert [number for *_, number in noise] == first


def test_rows_are_named_by_their_law_their_run_and_the_seed(noted):
    """Another n, p, ρ, run or seed: other rows. Another depth or share: the same; and no stream of noise."""
    rows, noise = noted
    for seed in (0, 1):
        Study(SETTINGS, VARIANTS["printed"], METHODS, BUDGETS, 25, seed).results()
    seen = {}
    for place, (setting, faults, number) in enumerate(rows):
        run, seed = place % 25, place // (25 * len(SETTINGS))
        assert faults == VARIANTS["printed"].faults
        seen.setdefault((setting.n, setting.p, setting.rho, run, seed), set()).add(number)
    assert len(rows) == 2 * 9 * 25 and len(seen) == 2 * 5 * 25 and all(len(numbers) == 1 for numbers in seen.values())
    assert len({number for numbers in seen.values() for number in numbers}) == len(seen)
    assert not {number for *_, number in rows} & {number for *_, number in noise}


def test_each_method_and_budget_is_grown_as_it_is_named(noted):
    """Which algorithm, clipped or not, at which of four ε; runs come in their order, the last task is shorter."""
    _, noise = noted
    (found,) = Study((BASE,), VARIANTS["printed"], METHODS, BUDGETS, 25).results()
    assert list(found.correct) == list(product(METHODS, BUDGETS))
    for (_, epsilon), counts in found.correct.items():
        start = int(1000 * epsilon)
        assert counts == (*range(start, start + 10), *range(start, start + 10), *range(start, start + 5))
    assert set(found.dearest) == {(method, epsilon) for method in METHODS[1::2] for epsilon in BUDGETS}
    asked = [(saving, variant.clip, variant.faults, epsilon) for _, variant, saving, epsilon, _ in noise[:16]]
    wanted = [(method.startswith("algorithm-6"), method.endswith("-clipped"), epsilon)
              for method, epsilon in product(METHODS, BUDGETS)]  # fmt: skip
    assert asked == [(saving, clip, VARIANTS["printed"].faults, float(epsilon)) for saving, clip, epsilon in wanted]


# --- what was stored --------------------------------------------------------------------------------------------------

STUDY = Study((BASE,), VARIANTS["printed"], METHODS[:2], BUDGETS[:2], 12)
CHANGED = [
    *({"settings": (setting,)} for setting in SETTINGS[1:]),
    {"variant": VARIANTS["published"]},
    {"variant": Variant("printed", Faults())},
    {"methods": METHODS[1::-1]},
    {"methods": METHODS[:1]},
    {"epsilons": BUDGETS[1:3]},
    {"epsilons": BUDGETS[:1]},
    {"runs": 13},
    {"seed": 1},
]


@pytest.mark.parametrize("changed", CHANGED, ids=lambda changed: next(iter(changed)))
def test_what_was_stored_for_another_study_is_not_taken(changed, tmp_path, monkeypatch):
    """Another seed, budget, method, setting, variant or number of runs, in the same folder: grown anew."""
    ran = []

    def run(task):
        ran.append(task)
        shape = product(task.methods, task.epsilons)
        return Results(task.setting, task.variant, 9, {key: (len(ran),) * task.runs for key in shape}, {})

    monkeypatch.setattr(tasks_module.Task, "run", run)
    first = STUDY.results(keep=Store(tmp_path))
    assert STUDY.results(keep=Store(tmp_path)) == first and len(ran) == 2
    other = replace(STUDY, **changed)
    new = [task for task in other.tasks() if task not in STUDY.tasks()]
    other.results(keep=Store(tmp_path))
    assert ran[2:] == new and new


def test_what_is_made_again_has_the_seed_the_runs_and_the_variant_of_its_file(tmp_path, noted):
    """Not those of a new study; results are found by variant and figure."""
    _, noise = noted
    studies = [
        Study(SETTINGS[:2], VARIANTS[name], METHODS[:2], BUDGETS[:2], 12, 7) for name in ("printed", "corrected")
    ]
    found = [result for study in studies for result in study.results()]
    numbers = {(s, v, saving, e): [n for *key, n in noise if key == [s, v, saving, e]] for s, v, saving, e, _ in noise}
    head = {"code": "c", "designs": "d", "seed": 7, "runs": 12}
    file = tmp_path / "stored.json"
    file.write_text(stored_text([replace(result, n_test=10**6) for result in found], head), "utf8")
    stored = read_stored(file)
    assert (stored.seed, stored.runs) == (7, 12)
    for name, setting in product(("printed", "corrected"), SETTINGS[:2]):
        (one,) = stored.of(name, setting.figure)
        assert (one.variant.name, one.setting) == (name, setting)
        for method, epsilon in one.correct:
            noise.clear()
            assert made_again(stored, one, method, epsilon) == one.correct[method, epsilon]
            key = setting, VARIANTS[name], method == "algorithm-6", float(epsilon)
            assert [number for *_, number in noise] == numbers[key] and len(noise) == 2


# --- sizes ------------------------------------------------------------------------------------------------------------


def one_by_one(codes, y, at, nodes):
    counts = np.zeros((nodes, codes.shape[1], 2, 10))
    for j in range(codes.shape[1]):
        np.add.at(counts, (at, j, y, codes[:, j]), 1)
    return counts


@pytest.mark.parametrize(("rows", "p", "nodes"), [(150_000, 2, 1), (3_000, 7, 1_500), (2_000, 400, 20), (0, 3, 4)])
def test_histograms_of_any_size(rows, p, nodes):
    """Counts beyond 2¹⁶ in a cell, 2¹⁶ cells and more, rows of all nodes to the last; and nodes without rows."""
    rng = np.random.default_rng(rows)
    codes, y = (rng.random((rows, p)) ** 4 * 10).astype(np.int64), (rng.random(rows) < 0.1).astype(np.int64)
    at = np.sort(rng.integers(0, nodes, rows))
    expected = one_by_one(codes, y, at, nodes)
    assert np.array_equal(counting.histograms(codes, y, at, nodes), expected)
    assert np.array_equal(counting.class_counts(y, at, nodes), expected[:, 0].sum(axis=2))
    assert rows < 100_000 or expected.max() > 2**16


def test_bounds_and_parties_of_many_nodes():
    """Each node for itself, to the last; each of five parties for itself, rows of nobody left out."""
    rng = np.random.default_rng(2)
    rows, nodes = 6_000, 700
    codes, y, party = rng.integers(0, 10, (rows, 3)), rng.integers(0, 2, rows), rng.integers(-1, 5, rows)
    at = np.sort(rng.integers(0, nodes, rows))
    bounds = counting.true_bounds(codes, y, party, at, nodes)
    lacks = counting.some_party_lacks_class_1(y, party, at, nodes)
    for node in (0, 1, 350, nodes - 1):
        own = at == node
        alone = codes[own], y[own], party[own], at[own] * 0
        assert np.array_equal(counting.true_bounds(*alone, 1)[0], bounds[node])
        parts = [own & (party == k) for k in range(5)]
        summed = sum(counting.true_bounds(codes[k], y[k], party[k], at[k] * 0, 1)[0] for k in parts)
        assert np.allclose(summed, bounds[node])
        assert lacks[node] == any(not y[k].any() for k in parts)


@pytest.fixture
def scales(monkeypatch):
    """Of every release of a node or leaf its shape and the scale of its noise; there is no noise."""
    found = []

    def noise(budget, scale, shape):
        found.extend((shape[1:], round(float(s), 9)) for s in np.broadcast_to(scale, shape[:1]))
        return np.zeros(shape)

    monkeypatch.setattr(Budget, "noise", noise)
    return found


def in_blocks(rows, setting, variant, block, scales):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(growing, "CELLS", block * setting.p * 20)
        grown = grow_runs(rows, setting, variant, saving=True, epsilon=1, rng=None)
    told = grown.correct.tolist(), grown.dearest, sorted(scales)
    scales.clear()
    return told


def one_tree_each(rows, setting, variant, scales):
    labels = [grow_tree(one, setting, variant, saving=True, epsilon=1, rng=None) for one in rows]
    told = [int((own == one.y_test).sum()) for own, one in zip(labels, rows, strict=True)], sorted(scales)
    scales.clear()
    return told


@pytest.mark.parametrize("case", range(8))
def test_nodes_in_blocks_are_those_of_the_recursion(case, scales):
    """Labels and budgets, in blocks of three, of seven and of eleven nodes, whose last are shorter, or all at once."""
    draw = random.Random(case)
    faults = Faults(**{name: draw.random() < 0.5 for name in CONSEQUENCES} | {"leaf_margin": case % 2 == 0})
    variant, setting = Variant("tried", faults), Setting(3, 100, 4, 5, "0.3", "1/3", "2/5")
    rows = [draw_sample(setting, faults, np.random.default_rng([case, run])) for run in range(5)]
    found = [in_blocks(rows, setting, variant, block, scales) for block in (3, 7, 11, 10**6)]
    assert found[0] == found[1] == found[2] == found[3]
    assert one_tree_each(rows, setting, variant, scales) == (found[0][0], found[0][2])


@pytest.mark.parametrize("margin", [False, True])
def test_what_a_leaf_without_a_split_has_is_what_was_saved_above_it(margin, scales):
    """Each leaf for itself: features of two values are used up at nodes that differ in what was saved above them."""
    variant, setting = Variant("tried", Faults(leaf_margin=margin)), Setting(3, 800, 4, 6, 0, "1/3", "2/5")
    rng, rows = np.random.default_rng(5), []
    for _ in range(4):
        X, X_test = (rng.choice([-3.0, 3.0], (800, 4)) for _ in range(2))
        chance = 0.2 + (X > 0) @ [0.4, 0.2, 0.1, 0.0] - 0.3 * (X[:, 0] > 0) * (X[:, 3] > 0)
        y = (rng.random(800) < chance).astype(np.int64)
        rows.append(Sample(X, y, np.arange(800) % 5, X_test, rng.integers(0, 2, 800)))
    found = in_blocks(rows, setting, variant, 10**6, scales)
    assert one_tree_each(rows, setting, variant, scales) == (found[0], found[2])
    leaves = {scale for shape, scale in found[2] if shape == (2,)}
    assert (len(leaves) > 2) == margin


# --- baselines --------------------------------------------------------------------------------------------------------


def bands(rows, own=None):
    """Class 1 lies between two borders of the first feature: one split is not enough. Parties in turn."""
    rng = np.random.default_rng(3)
    X, X_test = rng.uniform(-1, 2, (rows, 2)), rng.uniform(-1, 2, (200, 2))
    inside = [((part[:, 0] > 0) & (part[:, 0] < 1)).astype(np.int64) for part in (X, X_test)]
    return Sample(X, inside[0], np.arange(rows) % 5, X_test, inside[1])


def test_the_local_baseline_learns_from_the_first_party_alone():
    """Whatever the other four say; central learns from all."""
    sample = bands(500)
    setting = Setting(5, 500, 2, 4, 0)
    for k in range(5):
        turned = sample._replace(y=np.where(sample.party == k, 1 - sample.y, sample.y))
        right = [baseline("local", each, setting, 0) for each in (sample, turned)]
        assert right[0] > 180 and (right[1] < 20 if k == 0 else right[1] == right[0])
    others = sample._replace(y=np.where(sample.party > 0, 1 - sample.y, sample.y))
    assert baseline("central", sample, setting, 0) > 190 > 100 > baseline("central", others, setting, 0)


@pytest.mark.parametrize("method", ["local", "central"])
def test_baselines_are_as_deep_as_their_setting_and_toss_coins_of_their_run(method):
    """One split is not enough, two are; of two equal columns each is taken in some run."""
    sample = bands(1000)
    right = [baseline(method, sample, Setting(5, 1000, 2, depth, 0), 0) for depth in (1, 2, 3)]
    assert right[0] < 160 and right[1] > 190
    twice = sample._replace(X=sample.X[:, [0, 0]])
    found = [baseline(method, twice, Setting(5, 1000, 2, 2, 0), run) for run in range(12)]
    assert len(set(found)) > 1 and found == [baseline(method, twice, Setting(5, 1000, 2, 2, 0), r) for r in range(12)]
