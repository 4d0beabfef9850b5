"""What a party says to what may be said to it: each field of its answers, its noise, and what it enters."""

import pickle
from fractions import Fraction

import numpy as np
import pytest

from fdpedu.accounting import Ledger
from fdpedu.claims.secure_sum.laws_federation import AGE, ALL
from fdpedu.federation import ClassCounts, ClassHistogram, NodeHistograms, endpoint
from fdpedu.federation.messages import Answer, Contribution, Seated, SignedKey
from fdpedu.process import Process
from fdpedu.randomness import Rehearsal
from fdpedu.secure_sum import Rules, is_signed
from fdpedu.secure_sum.binding import VERSION
from tests.support.desks import Desk

QUARTER = ClassCounts(ALL, Fraction(1, 4))


@pytest.mark.parametrize("index", [0, 1])
def test_a_session_from_the_invitation_to_two_answers(index):
    """Every field of every answer, as the test computes it; the masks come off as the other member's are made."""
    desk = Desk(index=index)
    assert desk.endpoint.identity == desk.members[index] and repr(desk.endpoint) == "Endpoint(after round 0)"
    got = desk.invite()
    assert type(got) is Contribution and len(got.nonce) == 32
    assert got.nonce != Desk().invite().nonce
    got = desk.contribute()
    assert type(got) is SignedKey and got.key == desk.endpoint._pair.public
    fields = (VERSION, desk.session, desk.members[index], got.key, desk.members)
    assert is_signed(desk.members[index], got.announced, "announcement", *fields)
    got = desk.take_seat()
    assert type(got) is Seated and got.session == desk.session
    for number, queries, counts in (
        (3, [QUARTER], [1, 2]),
        (7, [ClassHistogram(ALL, 1, 0), ClassCounts(ALL.restrict(0, [1]), 2)], [0, 1, 1, 1, 1, 1]),
    ):
        request = desk.request(number, *queries, account="a tree")
        got = desk.say(request)
        assert type(got) is Answer and (got.session, got.number) == (desk.session, number)
        assert got.digest == desk.digest(request) and desk.counts(request, got) == counts
        assert np.frombuffer(got.words, dtype="<u8").tolist() != counts
    assert repr(desk.endpoint) == "Endpoint(after round 7)"
    ledger = desk.endpoint.ledger
    assert (ledger.budget, ledger.colluders, ledger.domain) == (100, 1, AGE)
    assert ledger.spent == Fraction(13, 4) and ledger.accounts == ("a tree",)


def test_a_ledger_of_a_session_withstands_what_is_tolerated_less_what_is_missing():
    desk = Desk(5)
    desk.invite(tolerate=2, missing=1, budget=Fraction(7, 2))
    assert (desk.endpoint.ledger.budget, desk.endpoint.ledger.colluders) == (Fraction(7, 2), 1)
    assert desk.endpoint._rules == Rules(5, 4, 1, 2)


def test_what_a_ledger_enters_names_the_noise_and_whom_it_withstands():
    """A seeded source says so in the party's own derivation, too; a promise of the ledger's is kept there."""
    ledger = Ledger(3, colluders=1)
    desk = Desk(4, source=Rehearsal(1), ledger=ledger).begin(tolerate=2)
    assert type(desk.ask(1, QUARTER, NodeHistograms(ALL, 1), account="a")) is Answer
    proved = ledger.derivation()
    assert proved.content["randomness"] == ["seeded generator"] and proved.guarantee.colluders == 1
    assert ledger.spent == Fraction(5, 4) and ledger.accounts == ("a",)


def test_noise_is_drawn_for_the_rate_of_each_query():
    """With the words that the party's source has, the test draws the same shares: of two rates, and of one twice."""
    queries = [QUARTER, ClassCounts(ALL.restrict(0, [0]), Fraction(1, 4)), ClassHistogram(ALL, Fraction(1, 9), 0)]
    desk = Desk(4, source=Rehearsal(5)).begin(tolerate=1)
    request = desk.request(1, *queries)
    got = desk.counts(request, desk.say(request))
    source = Rehearsal(5)
    shares = [
        *endpoint.polya_share(QUARTER.rate, 3, 4, source),
        *endpoint.polya_share(queries[2].rate, 3, 4, source),
    ]
    exact = [1, 2, 0, 1, 0, 1, 1, 1]
    assert got == [count + share for count, share in zip(exact, shares, strict=True)] and got != exact


def test_an_endpoint_is_neither_copied_nor_used_after_a_fork():
    desk = Desk()
    with pytest.raises(TypeError) as refused:
        pickle.dumps(desk.endpoint)
    told = "an endpoint is neither copied nor pickled: the copy would use the same masks again"
    assert str(refused.value) == told
    desk.endpoint._made_in = Process(0, None)
    with pytest.raises(ValueError) as refused:
        desk.endpoint.respond(b"")
    told = "this endpoint was made before this process was forked, and the other one may use it: join a session here"
    assert str(refused.value) == told
