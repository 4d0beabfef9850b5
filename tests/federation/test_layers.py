"""A type of queries may have a layer of its own: each party draws its answer itself, and the sum of all is released."""

from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
import pytest

from fdpedu.accounting import BudgetExceeded, Ledger
from fdpedu.derivation_checker import check_derivation
from fdpedu.domain import Domain, Numeric
from fdpedu.exact import Rate
from fdpedu.federation import ClassCounts, Federation, Limits, Party, Query
from fdpedu.federation.queries import closed_set, noisy
from fdpedu.mechanisms import permute_and_flip
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.sampling import require_drawable

AGE = Domain([Numeric.grid("age", 0, 100, bins=2)], ("well", "ill", "dead"))
ALL = AGE.everything
ROWS = [[[10, "ill"], [60, "ill"], [70, "well"]], [[20, "well"], [30, "well"]], [[90, "dead"], [5, "dead"]]]


class DrawnVotes:
    """Each party draws the class that it votes for, by permute-and-flip on its own counts."""

    mechanism = "permute-and-flip at each party"

    def require_drawable(self, query):
        require_drawable(query.rate)

    def noisy(self, exact, queries, domain, n_noise_shares, source):
        votes, begin = np.zeros_like(exact), 0
        for query in queries:
            size = query.size(domain)
            own = exact[begin : begin + size].tolist()
            votes[begin + permute_and_flip(own, query.epsilon, source, monotone=True)] = 1
            begin += size
        return votes


@dataclass(frozen=True)
class MostFrequentClass(Query):
    """A vote of each party for the class that is most frequent among its rows: a type for tests only."""

    type: ClassVar[str] = "most-frequent-class"
    claim: ClassVar[str] = "thm-permute-and-flip"
    layer: ClassVar[DrawnVotes] = DrawnVotes()

    def shape(self, domain):
        return (domain.n_classes,)

    def tally(self, records, rows, domain):
        return np.bincount(records.labels[rows], minlength=domain.n_classes)

    def describe(self, domain):
        return "votes for a class"


@contextmanager
def admitted(*types):
    """The closed set with further types in it."""
    before = closed_set.CLOSED_SET
    closed_set.CLOSED_SET = (*before, *types)
    try:
        yield
    finally:
        closed_set.CLOSED_SET = before


@pytest.fixture
def voting():
    with admitted(MostFrequentClass):
        yield


def federation(rng, budget=3, rows=ROWS, **own):
    return Federation([Party(part, AGE, **own) for part in rows], AGE, Ledger(budget), rng=rng)


def test_each_party_draws_its_own_vote(voting):
    """With words of zeros every draw takes what is most frequent at the party; the votes add up."""
    found = federation(ZeroWords()).release([MostFrequentClass(ALL, 1), ClassCounts(ALL, 1), MostFrequentClass(ALL, 1)])
    assert [answer.sum() for answer in (found[0], found[2])] == [len(ROWS)] * 2
    assert found[1].tolist() == [3, 2, 2]


def test_both_layers_draw_from_the_same_source_in_the_order_of_the_queries(voting):
    queries = [ClassCounts(ALL, "1/2"), MostFrequentClass(ALL, 1), MostFrequentClass(ALL, 1), ClassCounts(ALL, "1/2")]
    exact = np.array([1, 2, 0] * 4)
    found = noisy(exact, queries, AGE, 2, Rehearsal(7))
    source = Rehearsal(7)
    pieces = [
        layer.noisy(exact[:size], some, AGE, 2, source)
        for layer, some, size in (
            (ClassCounts.layer, queries[:1], 3),
            (MostFrequentClass.layer, queries[1:3], 6),
            (ClassCounts.layer, queries[3:], 3),
        )
    ]
    assert found.tolist() == np.concatenate(pieces).tolist()


def test_a_drawn_answer_is_charged_by_its_own_mechanism(voting):
    asked = federation(Rehearsal(1))
    asked.release([MostFrequentClass(ALL, "1/4"), ClassCounts(ALL, "1/4")])
    derivation = asked.ledger.derivation()
    assert check_derivation(derivation.to_json(), asked.manifest.to_json()).spent == Fraction(1, 2)
    votes, counts = (step for _, step in derivation.releases())
    assert (votes["mechanism"], votes["type"], votes["rate"]) == (DrawnVotes.mechanism, "most-frequent-class", "1/4")
    assert counts["mechanism"] == ClassCounts.layer.mechanism != votes["mechanism"]
    assert MostFrequentClass(ALL, "1/4").rate == Rate(rate=Fraction(1, 4))


def test_beyond_the_budget_nothing_is_drawn(voting):
    asked = federation(ZeroWords(), budget=1)
    with pytest.raises(BudgetExceeded):
        asked.release([MostFrequentClass(ALL, 2)])
    assert (asked.ledger.spent, asked.rounds) == (0, 0)


def test_an_owner_may_leave_it_out(voting):
    with pytest.raises(ValueError, match="most-frequent-class"):
        federation(ZeroWords(), limits=Limits(members="anybody", tolerate=0, queries=[ClassCounts])).release(
            [MostFrequentClass(ALL, 1)]
        )


def test_outside_the_closed_set_it_is_not_asked():
    with pytest.raises(ValueError, match="closed set"):
        federation(ZeroWords()).release([MostFrequentClass(ALL, 1)])
