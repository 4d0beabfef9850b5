"""Boosting on rows in one place, with the noise that a federation would have: for experiments, and no release.

The sums of all parties together are counted at once, and noise is added K times, by the shares that K parties would
draw. Whoever asks is the same code as in a federation, so a simulation differs from a federated fit in masks and
messages only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fdpedu.accounting import Budget, Ledger
from fdpedu.boosting.ensemble import Ensemble
from fdpedu.boosting.growth import boosted, budget_of
from fdpedu.dlpa import count_noise_shares
from fdpedu.domain import Domain
from fdpedu.exact import Integers, Rational, as_integer, require_type
from fdpedu.federation import Party, Query
from fdpedu.federation.asker import Progress
from fdpedu.federation.queries import noisy
from fdpedu.randomness import Rng, Source, as_source
from fdpedu.trees.subset import public_coins


class PooledSums:
    """What K parties would release, made from the rows of all of them.

    Parameters
    ----------
    party : with all rows
    ledger : charged as a federation would charge it
    n_parties, tolerate : how many there would be, and how many the noise withstands
    source : of the noise of all
    """

    def __init__(self, party: Party, ledger: Ledger, n_parties: int, tolerate: int, source: Source) -> None:
        require_type(party, Party, "party")
        require_type(ledger, Ledger, "ledger")
        self.n_parties = as_integer(n_parties, "n_parties", minimum=2)
        self.tolerate = as_integer(tolerate, "tolerate", minimum=0, maximum=self.n_parties - 1)
        self.domain: Domain = party.domain
        self.ledger, self.rounds = ledger, 0
        self._records, self._source = party.records(), source
        ledger.bind(self.domain)

    @property
    def colluders(self) -> int:
        """As many as the noise withstands."""
        return self.tolerate

    def release(
        self, queries: Sequence[Query], account: str = "", *, answered: Progress | None = None
    ) -> list[Integers]:
        """The sums with noise, charged before they are drawn."""
        shares = count_noise_shares(self.n_parties, self.tolerate)
        for query in queries:
            query.check(self.domain)
        kind = self._source.kind
        self.ledger.charge(
            [query.charge(self.domain, self.tolerate, kind, n_noise_shares=shares) for query in queries], account
        )
        self.rounds += 1
        rows = self._records.within(query.region for query in queries)
        found = []
        for query, inside in zip(queries, rows, strict=True):
            total = query.tally(self._records, inside, self.domain)
            for _ in range(self.n_parties):
                total = total + noisy(np.zeros_like(total), [query], self.domain, shares, self._source)
            found.append(total.reshape(query.shape(self.domain)))
        return found


def simulate_boosting(
    party: Party,
    budget: Budget | Rational,
    *,
    n_parties: int = 5,
    tolerate: int = 1,
    form: str = "trees",
    nominal_size: int | None = None,
    rounds: int | None = None,
    trees_per_round: int | None = None,
    max_depth: int | None = None,
    rng: Rng = None,
) -> Ensemble:
    """The ensemble that K parties would grow whose rows are all at one party; no release, although it is charged.

    Parameters
    ----------
    party : with all rows
    budget : of the ensemble, in ε or in ρ
    n_parties, tolerate : K ≥ 2, and how many the noise withstands
    form, nominal_size, rounds, trees_per_round, max_depth : as for :func:`fdpedu.boosting.fit_federated_boosting`
    rng : of noise and of public coins
    """
    asker: Any = PooledSums(party, Ledger(budget), n_parties, tolerate, as_source(rng))
    shape = {"rounds": rounds, "trees_per_round": trees_per_round, "max_depth": max_depth}
    return boosted(asker, budget_of(asker, None), shape, form, nominal_size, lambda *_: None, public_coins(rng))
