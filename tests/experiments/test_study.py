"""Studies: the same whatever the processes, and paired by rows."""

from dataclasses import replace
from fractions import Fraction

import numpy as np

from fdpedu.experiments import VARIANTS, Study
from fdpedu.experiments import store as store_module
from fdpedu.sources.gubler import PUBLISHED, Faults, Setting, Variant

SMALL = {"runs": 12, "n": 40, "p": 3, "max_depth": 2, "epsilons": ["1/2", 5]}


def small(variant="published", figure=5, **others):
    return Study.of(figure, variant, **{**SMALL, "rho": "0.3", **others})


def test_results_do_not_depend_on_the_number_of_processes():
    assert small().results(jobs=2) == small().results()


def test_results_do_not_depend_on_what_else_is_asked():
    """A method's runs are the same alone and beside others, and for one ε and for two."""
    whole, alone = small().results()[0], small(methods=["algorithm-6"], epsilons=[5]).results()[0]
    assert alone.correct["algorithm-6", Fraction(5)] == whole.correct["algorithm-6", Fraction(5)]
    longer = small(runs=22).results()[0]
    assert longer.correct["local", None][:12] == whole.correct["local", None]


def test_seeds_settings_and_budgets_have_noise_of_their_own():
    base = small().results()[0].correct
    assert base["algorithm-5", Fraction(1, 2)] != base["algorithm-5", Fraction(5)]
    for other in (small(seed=1), small(max_depth=3), small("printed")):
        assert other.results()[0].correct["algorithm-5", Fraction(5)] != base["algorithm-5", Fraction(5)]


def test_rows_are_shared_by_depths_and_methods_and_not_by_runs():
    """The same rows at every depth and for every method; other rows in every run; noise apart from rows."""
    one, deeper = small().tasks()[0], small(max_depth=3).tasks()[0]
    assert all(np.array_equal(a, b) for a, b in zip(one._sample(3), deeper._sample(3), strict=True))
    assert not np.array_equal(one._sample(3).X, one._sample(4).X)
    streams = {one._noise(m, e).integers(2**60) for m in ("algorithm-5", "algorithm-6") for e in one.epsilons}
    assert len(streams) == 4


def test_each_fault_is_another_study():
    keys = {small().tasks()[0].key} | {
        replace(small(), variant=Variant("published", PUBLISHED.without(name))).tasks()[0].key
        for name in PUBLISHED.names()
    }
    assert len(keys) == 15


def test_clipped_is_the_same_on_clipped_counts(monkeypatch):
    """With the noise of the corrected trees, which are clipped, "-clipped" of a variant without faults is the same."""
    monkeypatch.setattr(store_module.Task, "_noise", lambda *_: np.random.default_rng(1))
    plain = Variant("plain", Faults())
    task = Study((Setting(5, 40, 3, 2, "0.3"),), plain, ("algorithm-6", "algorithm-6-clipped"), ("1",), 10).tasks()[0]
    corrected = replace(task, variant=VARIANTS["corrected"], methods=("algorithm-6",)).run().correct
    found = task.run().correct
    assert found["algorithm-6-clipped", Fraction(1)] == corrected["algorithm-6", Fraction(1)]
    assert found["algorithm-6", Fraction(1)] != found["algorithm-6-clipped", Fraction(1)]
