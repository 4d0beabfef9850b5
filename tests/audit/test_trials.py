"""The mechanisms on trial are audited anew: each broken one is refuted about when it was predicted, no right one is.

False alarms: each right mechanism is audited once, with α = 10⁻⁶ divided by their number, so that in a run of this file
any of them is refuted wrongly with probability 10⁻⁶ at most. That a broken one is not refuted within four times the
predicted runs has a probability below 10⁻³; what is drawn is fixed by the names.
"""

import numpy as np
import pytest

from benchmarks.audit import BY_NAME, LEAST, play, predicted
from benchmarks.on_trial import GAUSS, at_least, noise, shared_at, trials

ALPHA = 1e-6 / len(BY_NAME)
CHEAP = [trial for trial in trials() if (predicted(trial) or 0) <= 100_000]


@pytest.mark.parametrize("trial", CHEAP, ids=lambda trial: trial.name)
def test_a_broken_mechanism_is_refuted_and_the_right_one_stands(trial):
    """With the event of the trial, or one that is learnt where it has none."""
    given = trial.guess is not None
    runs = max(LEAST if given else 2000, 4 * (predicted(trial) or 0))
    assert play(trial, "broken", 1, runs, given=given).refuted == trial.found
    assert not play(trial, "right", 1, runs, given=given, alpha=ALPHA).refuted


@pytest.mark.parametrize("trial", [t for t in trials() if t.shares and t.guess], ids=lambda trial: trial.name)
def test_the_predicted_shares_are_those_of_the_mechanism(trial):
    """Of 40,000 outputs on D and on D′, within five standard errors (a probability below 10⁻⁵ for all together)."""
    rng, n = (
        np.random.default_rng(2),
        4000 if isinstance(trial.broken(trial.pair[0], 1, np.random.default_rng(0)), list) else 40_000,
    )
    outputs = [trial.guess(trial.broken(data, n, rng)) for data in trial.pair]
    found = [np.mean(side == sign) for side in outputs for sign in (1, -1)]
    for share, told in zip(found, trial.shares, strict=True):
        assert abs(share - told) <= 5.2 * np.sqrt(told * (1 - told) / n) + 5 / n, trial.name


def test_the_laws_of_the_noises_are_those_of_formulas():
    """Tails of discrete Laplace noise; the noise that an insider leaves; shares of all parties together."""
    law = {k: shared_at(abs(k), 1.0) for k in range(-30, 31)}
    for k in (-3, 0, 1, 4):
        assert at_least(k, 1) == pytest.approx(sum(p for j, p in law.items() if j >= k), abs=1e-12)
    drawn = noise(np.random.default_rng(5), 1, 40_000)
    assert np.mean(drawn >= 1) == pytest.approx(at_least(1, 1), abs=0.013)
    assert GAUSS.sum() == pytest.approx(1) and GAUSS[61] / GAUSS[60] == pytest.approx(np.exp(-0.5))


def test_nothing_is_on_trial_twice():
    assert len(BY_NAME) == len(trials()) == 20


def stump_law(data, rate=1.0, cap=12):
    """How probable each of the eight trees is, by adding up all noisy counts from 0 to ``cap`` (or more)."""
    counts = np.indices((cap + 1,) * 4)
    left, right = counts[0] + counts[1], counts[2] + counts[3]
    halves = counts[0] * counts[1] / np.maximum(left, 1) + counts[2] * counts[3] / np.maximum(right, 1)
    label = 2 * (counts[1] > counts[0]) + (counts[3] > counts[2])
    values, place = np.unique(np.round(halves, 9), return_inverse=True)
    tables = []
    for feature in range(2):
        cells = [sum(x[feature] == value and y == k for *x, y in data) for value in (0, 1) for k in (0, 1)]
        laws = [np.diff([0, *(1 - at_least(k + 1 - n, rate) for k in range(cap)), 1]) for n in cells]
        table = np.zeros((len(values), 4))
        np.add.at(table, (place.ravel(), label.ravel()), np.einsum("a,b,c,d->abcd", *laws).ravel())
        tables.append(table)
    first, second = tables
    not_below = second.sum(axis=1)[::-1].cumsum()[::-1]
    above = 1 - first.sum(axis=1).cumsum()
    return np.concatenate([not_below @ first, above @ second])


def test_no_event_of_the_tree_refutes_features_in_parallel():
    """The exact law: no tree is more than 2.2 times as likely, where e is claimed. And it is that of what is drawn."""
    trial = BY_NAME["2 features in parallel: the tree"]
    laws = [stump_law(data) for data in trial.pair]
    assert np.max([laws[0] / laws[1], laws[1] / laws[0]]) < 2.2 < np.e
    for data, law in zip(trial.pair, laws, strict=True):
        drawn = trial.broken(data, 40_000, np.random.default_rng(4))
        found = np.bincount(drawn, minlength=8) / 40_000
        assert law.sum() == pytest.approx(1) and np.abs(found - law).max() <= 0.015
