"""Votes: each party draws one split of a region on its own rows, and the votes for each split are added up.

A party's answer is a vector of zeros with a single 1, at the split that it has drawn. It is masked like all answers, so
what is released is how many parties drew each split. No noise is added: each party's draw hides its own rows, and what
the others do changes nothing of that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fdpedu.cart import ALL_LOSSES
from fdpedu.domain import Domain
from fdpedu.exact import Integers
from fdpedu.federation.queries.choices import Choice, Drawn
from fdpedu.federation.queries.noise import Layer
from fdpedu.randomness import Source


class OneHot(Drawn):
    """A choice is drawn, and a 1 stands at its place; all else is 0."""

    def noisy(
        self, exact: Integers, queries: Sequence[Any], domain: Domain, n_noise_shares: int, source: Source
    ) -> Integers:
        drawn = Drawn.noisy(self, exact, queries, domain, n_noise_shares, source)
        first = np.cumsum([0, *(query.size(domain) for query in queries)], dtype=np.int64)
        votes = np.zeros(first[-1], dtype=np.int64)
        votes[first[:-1] + drawn - 1] = 1  # the number that is drawn is 1 + a position
        return votes


@dataclass(frozen=True)
class SplitVote(Choice):
    """How many parties drew each split of a region: integers of shape (splits,).

    Each party draws by permute-and-flip on −loss, m steps to 1. A record lies at one party. It raises that party's loss
    of every candidate by 0 to m steps, and moves no other party's; so the sum of all votes is one release of
    sensitivity m at the rate ε/m, with no factor 2. A party whose region is empty votes, too.

    Guarantee: for a record added or removed, ε against all other parties together, as they know their own votes and
    share nothing of this party's draw; integers.

    Claims: lem-split-vote, thm-target-votes

    Parameters
    ----------
    region : a node
    cost : ε
    loss : a name of :data:`fdpedu.cart.LOSSES`; ``"squared"`` where the domain has a target
    lattice : m, from 1 to 2**16: losses are compared in steps of 1/m

    Examples
    --------
    >>> from fdpedu.domain import Numeric
    >>> ages = Domain([Numeric.grid("age", 0, 100, bins=4)], ("well", "ill"))
    >>> vote = SplitVote(ages.everything, "1/2", lattice=8)
    >>> vote.shape(ages), vote.sensitivity, vote.rate.rate, vote.describe(ages)
    ((3,), 8, Fraction(1, 16), 'votes of the parties for a split')
    """

    loss: str = "mixed"
    lattice: int = 1024
    type: ClassVar[str] = "split-vote"
    claim: ClassVar[str] = "lem-split-vote"
    losses: ClassVar[tuple[str, ...]] = ALL_LOSSES
    layer: ClassVar[Layer] = OneHot("votes by permute-and-flip")

    @property
    def sensitivity(self) -> int:
        # lem-mixed-loss: in steps of 1/m a record raises a loss by at most m
        return self.lattice

    def shape(self, domain: Domain) -> tuple[int, ...]:
        return (self.exact_size(domain),)

    def describe(self, domain: Domain) -> str:
        return "votes of the parties for a split"
