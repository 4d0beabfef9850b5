"""Boosting on pooled rows is boosting among parties, but for masks and messages."""

import numpy as np
import pytest

from benchmarks.pooled import PooledSums, simulate_boosting
from fdpedu.accounting import Budget, Ledger
from fdpedu.boosting import fit_federated_boosting
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import Federation, NodeHistograms, Party
from fdpedu.randomness import Rehearsal, ZeroWords

DOMAIN = Domain(
    [Numeric.grid("age", 0, 100, bins=8), Numeric.grid("dose", 0, 1, bins=4, missing=True),
     Categorical("ward", ("A", "B", "C"))], ("well", "ill"),
)  # fmt: skip


def rows(n, seed):
    rng = np.random.default_rng(seed)
    return [
        [float(a), None if d > 0.9 else float(d), "ABC"[w], "ill" if a > 60 or w == 2 else "well"]
        for a, d, w in zip(rng.uniform(0, 100, n), rng.random(n), rng.integers(0, 3, n), strict=True)
    ]


PURE, WITH_DELTA = Budget.of(1), Budget.of(1, delta=1e-6)


@pytest.mark.parametrize(("form", "budget"), [("trees", PURE), ("trees", WITH_DELTA), ("curves", WITH_DELTA)])
def test_without_noise_it_is_the_federations_ensemble(form, budget):
    """Tie for tie: the same trees, weights, scale and intercept, for the same public coins."""
    parts = [rows(40, k) for k in range(3)]
    federation = Federation([Party(p, DOMAIN) for p in parts], DOMAIN, Ledger(budget), rng=ZeroWords())
    own = {"nominal_size": 120, "rounds": 2, "trees_per_round": 5, "form": form}
    real = fit_federated_boosting(federation, rng=ZeroWords(), **own)
    pooled = simulate_boosting(
        Party([row for part in parts for row in part], DOMAIN), budget, n_parties=3, rng=ZeroWords(), **own
    )
    assert real.model == pooled.model and real.rules == pooled.rules and real.pairs == pooled.pairs
    assert (real.histograms == pooled.histograms).all() and real.intercepts == pooled.intercepts
    assert all((a.sums == b.sums).all() for a, b in zip(real.batches, pooled.batches, strict=True))
    steps = [[step for _, step in one.derivation.releases()] for one in (real, pooled)]
    assert [{**step, "region": ""} for step in steps[0]] == [{**step, "region": ""} for step in steps[1]]


def test_its_noise_is_that_of_all_parties():
    """Of 21,000 sums of an empty party the variance is K/m times that of one noise; five standard errors."""
    asker = PooledSums(Party([], DOMAIN), Ledger(10**6), 5, 2, Rehearsal(1))
    histograms = NodeHistograms(DOMAIN.everything, "3/4")  # 32 numbers, of the rate 1/4
    noise = np.array(asker.release([histograms] * 656)).ravel()
    alpha = np.exp(-0.25)
    expected = 5 / 3 * 2 * alpha / (1 - alpha) ** 2
    assert abs(noise.var() / expected - 1) < 5 * (10 / len(noise)) ** 0.5
    assert asker.ledger.spent == 492 and (asker.colluders, asker.rounds) == (2, 1)


@pytest.mark.parametrize(("n_parties", "tolerate"), [(1, 0), (3, 3), (3, -1), (2.5, 1)])
def test_what_no_federation_could_be_is_refused(n_parties, tolerate):
    with pytest.raises(ValueError, match=r"n_parties|tolerate"):
        PooledSums(Party([], DOMAIN), Ledger(1), n_parties, tolerate, Rehearsal(1))
