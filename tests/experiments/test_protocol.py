"""The protocol as data: settings, budgets, variants and faults; and the rows of a run."""

from dataclasses import fields
from fractions import Fraction

import numpy as np
import pytest

from fdpedu.experiments import EPSILONS, VARIANTS, settings
from fdpedu.sources.gubler import CONSEQUENCES, PRINTED, PUBLISHED, Faults, Setting, Variant, draw_sample


def test_the_report_s_protocol():
    """Section 4.1: three figures of twelve settings, ten budgets; n as its captions say."""
    every = [setting for figure in (3, 4, 5) for setting in settings(figure)]
    assert len(set(every)) == 36 and {s.figure: s.n for s in every} == {3: 250, 4: 1000, 5: 100}
    assert {(s.p, s.max_depth, s.rho) for s in every} == {
        (p, d, Fraction(rho)) for p in (10, 25, 50) for d in (5, 10) for rho in ("9/10", "3/10")
    }
    assert {(s.leaf_share, s.bounds_share) for s in every} == {(Fraction(1, 2), Fraction(1, 4))}
    assert [float(e) for e in EPSILONS] == [0.1, 1.2, 2.3, 3.4, 4.5, 5.6, 6.7, 7.8, 8.9, 10.0]


def test_figure_2_has_two_panels():
    """Nine leaf shares for Algorithm 5, and 81 pairs of shares for Algorithm 6; 300 rows, 10 features, depth 7."""
    every = settings(2)
    assert {(s.n, s.p, s.max_depth, s.rho) for s in every} == {(300, 10, 7, Fraction(3, 10))}
    assert len(set(every)) == 90 and sum(s.bounds_share == Fraction(1, 4) for s in every) == 9


def test_keys_differ():
    every = [setting.key for figure in (2, 3, 4, 5) for setting in settings(figure)]
    assert len(set(every)) == len(every) == 126


def test_every_fault_has_its_consequence_and_can_be_mended_alone():
    names = [field.name for field in fields(Faults)]
    assert names == list(CONSEQUENCES) and len(names) == 14
    assert PUBLISHED.names() == tuple(names) and PRINTED.names() == ("undivided_bounds",) and Faults().names() == ()
    for name in names:
        assert set(names) - set(PUBLISHED.without(name).names()) == {name}
        assert Faults().with_(name).names() == (name,)
    assert VARIANTS["published"].faults == PUBLISHED and VARIANTS["printed"].faults == PRINTED
    assert VARIANTS["corrected"] == Variant("corrected", Faults(), clip=True)


def test_rows_as_printed():
    """n rows and n test rows, half of them in each class; five parties of n/5."""
    sample = draw_sample(Setting(3, 250, 10, 5, "0.3"), PRINTED, np.random.default_rng(3))
    assert [len(part) for part in sample] == [250, 250, 250, 250, 250]
    assert np.bincount(sample.y).tolist() == np.bincount(sample.y_test).tolist() == [125, 125]
    assert np.bincount(sample.party).tolist() == [50] * 5
    assert not np.intersect1d(sample.X, sample.X_test).size


def test_rows_as_published():
    """2n rows and 2n test rows, 2n of each class together; the parties hold n of the first, and the others nobody."""
    sample = draw_sample(Setting(3, 250, 10, 5, "0.3"), PUBLISHED, np.random.default_rng(3))
    assert [len(part) for part in sample] == [500] * 5
    assert (np.bincount(sample.y) + np.bincount(sample.y_test)).tolist() == [500, 500]
    assert np.bincount(sample.party + 1).tolist() == [250, *[50] * 5]
    assert not np.intersect1d(sample.X, sample.X_test).size


def test_rows_are_as_stated_in_every_component():
    """Means ±i/5 with equal probability, correlation ρ: the mean of a class is ±.6, its variance 1 + .08 (5 se)."""
    X, y, *_ = draw_sample(Setting(3, 40_000, 3, 5, "0.9"), PRINTED, np.random.default_rng(5))
    for label, sign in ((0, 1), (1, -1)):
        own = X[y == label]
        assert own.mean(axis=0) == pytest.approx([0.6 * sign] * 3, abs=0.04)
        assert np.cov(own.T)[0] == pytest.approx([1.08, 0.98, 0.89], abs=0.06)
