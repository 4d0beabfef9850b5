"""What a study draws rows and grows trees with: streams that never repeat, and the baselines of a run.

Nothing is grown where it is not needed: what grows trees is replaced by what notes its arguments.
"""

from itertools import product

import numpy as np
import pytest

from fdpedu.experiments import VARIANTS, Study
from fdpedu.experiments.tasks import baseline
from fdpedu.sources.gubler import Setting
from fdpedu.sources.gubler.sample import Sample
from tests.support.reports_settings import BASE, BUDGETS, METHODS, SETTINGS


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
