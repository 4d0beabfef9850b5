"""The guard where it fires: columns that are nearly or exactly alike, on real rows, and next to no noise."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from benchmarks.pooled import simulate_boosting
from benchmarks.public_data import public_set
from fdpedu.accounting import Budget
from fdpedu.boosting import course
from fdpedu.domain import Domain
from fdpedu.federation import Party
from fdpedu.randomness import Rehearsal


@cache
def rows_of(name, copies):
    """A domain with so many copies of each column, a party of four fifths of the rows, and the others."""
    found = public_set(name, bins=255, even=True)
    features = [replace(f, name=f"{f.name} {c}") for c in range(copies) for f in found.domain.features]
    domain, X = Domain(features, found.domain.classes), np.hstack([found.X] * copies)
    order = np.random.default_rng(0).permutation(found.size)
    kept, others = np.split(order, [4 * found.size // 5])
    party = Party([[*x, y] for x, y in zip(X[kept].tolist(), found.y[kept].tolist(), strict=True)], domain)
    return party, len(kept), X[others], found.y[others] == domain.classes[1]


def area(scores, truth):
    """Under the curve: how often a row of the second class has the higher score."""
    rank = np.argsort(np.argsort(scores, kind="stable"), kind="stable")
    ones, n = truth.sum(), len(truth)
    return (rank[truth].sum() - ones * (ones - 1) / 2) / ones / (n - ones)


def grown(name, copies, epsilon):
    party, size, X, truth = rows_of(name, copies)
    ensemble = simulate_boosting(party, Budget.of(epsilon, delta=1e-6), nominal_size=size, rng=Rehearsal(1))
    return area(ensemble.decision_function(X), truth), [batch.step for batch in ensemble.batches]


CASES = [("credit", 1, 16, 0.76, 0.04), ("magic", 5, 4, 0.89, 0.02), ("credit", 2, 4, 0.75, 0.01)]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.claim("lem-too-bold")
def test_columns_that_are_alike_let_steps_overshoot_and_the_guard_halves_them(pytestconfig):
    """It fires, and without it the same fit is worse; bills of six months, and columns that stand there five times."""
    for name, copies, epsilon, least, gain in CASES if pytestconfig.getoption("--deep") else CASES[:1]:
        guarded, steps = grown(name, copies, epsilon)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(course, "BACK", -5000)
            unguarded, same = grown(name, copies, epsilon)
        assert steps[0] == 30 * 4096 and 2 * steps[-1] <= steps[0] and set(same) == {30 * 4096}
        assert guarded > least and guarded > unguarded + gain


@pytest.mark.filterwarnings("ignore")
def test_where_columns_differ_it_does_not_fire():
    area, steps = grown("magic", 1, 4)
    assert set(steps) == {30 * 4096} and area > 0.9
