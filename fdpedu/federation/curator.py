"""A curator: one owner of all rows, who charges a ledger, counts, and draws alone.

There is nothing to hide from anybody while a query is answered: no shares, no masks. What is released is charged,
counted and drawn as in a federation, by the same types of queries, and stands in a manifest: its receiver is the owner.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from fdpedu.accounting import Charge, Ledger
from fdpedu.exact import Integers, as_list, require_callable, require_type
from fdpedu.federation.manifest import Manifest, entry_of
from fdpedu.federation.party import Party
from fdpedu.federation.queries import Query, noisy
from fdpedu.federation.queries.closed_set import CURATED, require_designers
from fdpedu.federation.turn import Turn
from fdpedu.randomness import Rng, as_source


class Curator:
    """One owner with all rows, and what may be spent of them: in ε, or in ρ for (ε, δ).

    Guarantee: for records added or removed, against whoever sees the answers; integers. The curator sees the rows, and
    adds all of the noise alone.

    Claims: thm-one-owner

    Parameters
    ----------
    party : the owner, with its rows and no ledger of its own
    ledger : what may be spent; used from now on for the party's domain. It must not promise to withstand colluders, as
        there is nobody who could share the noise
    rng : None for the operating system; a generator is for teaching, and warns

    Examples
    --------
    >>> from fdpedu.domain import Domain, Numeric
    >>> from fdpedu.federation import ChosenSplit
    >>> from fdpedu.randomness import ZeroWords
    >>> ages = Domain([Numeric.grid("age", 0, 100, bins=4)], ("well", "ill"))
    >>> owner = Party([[20, "well"]] * 9 + [[80, "ill"]] * 9, ages)
    >>> curator = Curator(owner, Ledger(1), ZeroWords())  # a test: zero words
    >>> (split,) = curator.release([ChosenSplit(ages.everything, "1/2")])
    >>> split.tolist(), curator.ledger.spent
    ([1], Fraction(1, 2))
    """

    def __init__(self, party: Party, ledger: Ledger, rng: Rng = None) -> None:
        require_type(party, Party, "party")
        require_type(ledger, Ledger, "ledger")
        if party.ledger is not None:
            raise ValueError(
                "party must have no ledger of its own: the curator's is charged, and would be charged twice"
            )
        if ledger.colluders:
            raise ValueError(
                f"the ledger promises to withstand {ledger.colluders} colluders, and a curator has all rows: make it "
                "with Ledger(…, colluders=0)"
            )
        self._source, self._ledger, self.domain = as_source(rng), ledger, party.domain
        self._turn = Turn("curator")  # what is kept of the last round is of one round
        self._records, self.rounds, self._name = party.records(), 0, party.name
        self._asked: dict[int, list[Query]] = {}
        self._session = os.urandom(32).hex()  # by which manifests know the rounds of this curator
        ledger.bind(party.domain)

    def __repr__(self) -> str:
        return f"Curator({self.rounds} rounds, {self.ledger!r})"

    @property
    def ledger(self) -> Ledger:
        """What may be spent."""
        return self._ledger

    @property
    def n_parties(self) -> int:
        """The owner alone."""
        return 1

    @property
    def tolerate(self) -> int:
        """There is nobody else."""
        return 0

    @property
    def colluders(self) -> int:
        """There is nobody else."""
        return 0

    @property
    def manifest(self) -> Manifest:
        """What was asked so far, of its own rows."""
        return Manifest.of({"round": number, **self.entry(asked)} for number, asked in [*self._asked.items()])

    def entry(self, queries: Sequence[Query]) -> dict[str, Any]:
        """What a round that asks this has in a manifest."""
        return {
            **entry_of(queries, self.domain, [self._name], session=self._session, shares=1),
            "answers": self.last_answers(),
        }

    def last_answers(self) -> list[str]:
        """There is nobody else."""
        return [self._name]

    def release(
        self, queries: Sequence[Query], account: str = "", *, answered: Callable[[int, int], None] | None = None
    ) -> list[Integers]:
        """Charge all queries in one step, then answer them.

        Parameters
        ----------
        queries : at least one, of any type that parties are asked; or of one owner's: chosen splits, chosen blocks,
            labels and edges
        account : that they are charged to
        answered : called after each answer with how many there are, and how many there will be

        Raises
        ------
        BudgetExceeded
            If the ledger has less left; then nothing is charged, and nothing is answered.
        ValueError
            If a query is none that a curator answers, or not of its domain, or if this thread is in the midst of
            another round; before anything is charged.
        """
        asked = as_list(queries, "queries")
        if not asked or not all(type(query) in CURATED for query in asked):
            known = ", ".join(kind.type for kind in CURATED)
            raise ValueError(f"a curator needs at least one query, and answers {known}")
        for query in asked:
            query.check(self.domain)
        if type(account) is not str or len(account) > 1000:
            raise ValueError("account must be a text of at most 1,000 characters")
        if answered is not None:
            require_callable(answered, "answered")
        require_designers(asked, self.n_parties)
        # thm-one-owner: one share is the whole noise, and there is nobody to withstand
        charges = [query.charge(self.domain, 0, self._source.kind, session=self._session) for query in asked]
        with self._turn.taken():
            return self._paid_and_answered(asked, charges, account, answered)

    def _paid_and_answered(
        self,
        asked: Sequence[Query],
        charges: Sequence[Charge],
        account: str,
        answered: Callable[[int, int], None] | None,
    ) -> list[Integers]:
        # thm-round: all are charged in one step, before any draw
        number = self.ledger.charge(charges, account, asked=partial(self.entry, asked))
        self.rounds += 1
        self._asked[number] = list(asked)
        answers = []
        rows = self._records.within(query.region for query in asked)
        for done, (query, own) in enumerate(zip(asked, rows, strict=True), 1):
            exact = query.tally(self._records, own, self.domain)
            # thm-one-owner: one share of noise, drawn here; no second one will come
            answer = noisy(np.asarray(exact).ravel(), [query], self.domain, 1, self._source)
            answers.append(answer.reshape(query.shape(self.domain)))
            if answered is not None:
                answered(done, len(asked))
        return answers
