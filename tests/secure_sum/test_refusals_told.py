"""What a party refuses, whoever asks: each refusal by its name and in its words, and what stays as it was then."""

from fractions import Fraction

import pytest

from fdpedu.accounting import Ledger
from fdpedu.claims.secure_sum.laws_federation import AGE, ALL
from fdpedu.domain import Domain, Numeric
from fdpedu.federation import ClassCounts, ClassHistogram, Limits, NodeHistograms, endpoint
from fdpedu.federation.messages import (
    Answer,
    Contributions,
    Passed,
    Refused,
    Request,
    Seated,
    SignedKey,
    SignedKeys,
)
from tests.support.desks import Desk, refusal

QUARTER = ClassCounts(ALL, Fraction(1, 4))
OTHER = Domain([Numeric.grid("age", 0, 100, bins=4)], ("well", "ill"))
STRANGER = bytes(range(32))


def limits(**given):
    return lambda: {"limits": Limits(**given)}


def promised(colluders):
    return lambda: {"ledger": Ledger(1, colluders=colluders)}


OF_ANOTHER = "this party's ledger takes no charge; its owner can see why"
ONCE = "each member stands on the list once, this party among them"
INVITED = {
    "another domain": (2, dict, lambda d: {"domain": bytes(32)}, "the session is about another public domain"),
    "not on it": (2, dict, lambda d: {"members": (STRANGER, d.members[1])}, ONCE),
    "twice on it": (2, dict, lambda d: {"members": (d.members[0],) * 2}, ONCE),
    "another one twice": (2, dict, lambda d: {"members": (*d.members, d.members[1])}, ONCE),
    "too few": (2, limits(minimum=3), lambda d: {}, "2 members are too few: this party wants 3"),
    "too many": (4, limits(maximum=3), lambda d: {}, "4 members are too many: this party wants 3 at most"),
    "not pinned": (
        2,
        limits(members=[STRANGER]),
        lambda d: {},
        "somebody is on the list whom this party's owner has not pinned",
    ),
    "too few colluders": (
        5,
        limits(tolerate=2),
        lambda d: {"tolerate": 2, "missing": 1},
        "the noise withstands 1 colluders: this party wants 2 or more",
    ),
    "all tolerated": (
        2,
        dict,
        lambda d: {"tolerate": 2},
        "tolerate must be less than the number of parties (2), got 2",
    ),
    "more missing": (
        4,
        dict,
        lambda d: {"missing": 2},
        "the noise withstands -1 colluders: this party wants 0 or more",
    ),
    "two lists": (
        2,
        dict,
        lambda d: {"missing": 1},
        "against a lying aggregator twice the threshold must exceed n_parties + colluders, got 2·1 and 2 + 0",
    ),
    "a promise": (
        5,
        promised(2),
        lambda d: {"tolerate": 2, "missing": 1},
        "this party's ledger promises to withstand 2 colluders",
    ),
    "a ledger of another domain": (2, lambda: {"ledger": Ledger(1, domain=OTHER)}, lambda d: {}, OF_ANOTHER),
}


@pytest.mark.parametrize("case", INVITED)
def test_invitations_are_refused_in_these_words(case):
    """And the party goes on waiting for one that it may accept."""
    n, own, changed, reason = INVITED[case]
    desk = Desk(n, **own())
    assert refusal(desk, desk.invite(**changed(desk))) == ("not allowed", reason)
    assert refusal(desk, desk.say(Contributions(()))) == (
        "out of order",
        "what may come now is invitation, got nonces",
    )


def test_a_budget_that_no_ledger_takes_is_none():
    desk = Desk()
    with pytest.raises(ValueError) as expected:
        Ledger(Fraction(1, 10**500), colluders=1)
    name, reason = refusal(desk, desk.invite(budget=Fraction(1, 10**500)))
    assert (name, reason) == ("not allowed", str(expected.value)) and reason


def test_what_may_come_is_said_at_every_stage():
    desk, coming = Desk(4), []
    for step in (lambda: None, lambda: desk.invite(missing=1), desk.contribute, desk.take_seat):
        step()
        coming.append(desk.say(b"").name)
        coming.append(refusal(desk, desk.say(Seated(bytes(32), bytes(64))))[1].split("what may come now is ")[1])
    desk.ask(1, QUARTER)
    coming.append(refusal(desk, desk.say(Seated(bytes(32), bytes(64))))[1].split("what may come now is ")[1])
    kinds = ["invitation", "nonces", "signed keys", "queries", "queries or passed on"]
    assert [what for what in coming if what != "malformed"] == [f"{kind}, got seated" for kind in kinds]
    assert coming.count("malformed") == 4


@pytest.mark.parametrize(
    "change",
    [
        lambda nonces: nonces[::-1],
        lambda nonces: nonces[:1],
        lambda nonces: [*nonces, bytes(32)],
        lambda nonces: [bytes(32), nonces[1]],
        lambda nonces: [],
    ],
)
def test_a_party_finds_its_nonce_in_its_place(change):
    desk = Desk()
    desk.invite()
    told = desk.say(Contributions(tuple(change(desk.nonces))))
    assert refusal(desk, told) == ("another session", "what this party has contributed is not in its place")
    assert type(desk.contribute()) is SignedKey


def with_key(k, key):
    def change(desk):
        desk.keys[k] = desk.announced(k, key)

    return change


def forged(desk):
    desk.keys[2] = (desk.keys[2][0], bytes(64))


def swapped(desk):
    desk.keys[1:] = desk.keys[:0:-1]


def without_own(desk):
    desk.keys[0] = (desk.keys[0][0], bytes(64))


ZERO = "the other party's public key makes every shared secret zero, or is none: refuse that party"
SEATS = {
    "a key less": ("another session", lambda desk: desk.keys.pop(), "3 members need as many keys, got 2"),
    "a key more": ("another session", lambda d: d.keys.append(d.keys[0]), "3 members need as many keys, got 4"),
    "not its own": (
        "not allowed",
        without_own,
        "the announcements are not those of the members that this party has signed for, in order",
    ),
    "forged": ("not allowed", forged, "announcement 3 of 3 is refused: it is not signed by that identity"),
    "swapped": ("not allowed", swapped, "announcement 2 of 3 is refused: it is not signed by that identity"),
    "a key of no use": ("not allowed", with_key(1, bytes(32)), ZERO),
    "another key of no use": ("not allowed", with_key(2, bytes(32)), ZERO),
    "twice the same": (
        "not allowed",
        lambda desk: with_key(2, desk.keys[1][0])(desk),
        "an identity or a key stands twice among the announcements: each member has its own",
    ),
}


@pytest.mark.parametrize("case", SEATS)
def test_keys_are_refused_in_these_words(case):
    name, change, reason = SEATS[case]
    desk = Desk(3)
    desk.invite()
    desk.contribute()
    right = list(desk.keys)
    change(desk)
    assert refusal(desk, desk.say(SignedKeys(tuple(desk.keys)))) == (name, reason)
    desk.keys = right
    assert type(desk.take_seat()) is Seated


WRITTEN = "no query of the closed set is written so: a party answers histograms, class counts and lower bounds only"
ASKED = {
    "another session": (
        lambda d: d.request(5, QUARTER)._replace(session=bytes(32)),
        "another session",
        "the request is not of this session",
    ),
    "the last round": (lambda d: d.request(4, QUARTER), "replayed", "round 4 does not come after round 4"),
    "an older round": (lambda d: d.request(3, QUARTER), "replayed", "round 3 does not come after round 4"),
    "no query": (lambda d: d.request(5), "malformed", "a request has at least one query"),
    "no known query": (lambda d: Request(d.session, 5, "", (("rows", (), Fraction(1)),)), "malformed", WRITTEN),
    "no such feature": (
        lambda d: Request(d.session, 5, "", (("class-histogram", (), Fraction(1), 1),)),
        "malformed",
        "feature must be a position from 0 to 0",
    ),
    "another way": (
        lambda d: Request(d.session, 5, "", (("class-counts", (), 1),)),
        "malformed",
        "these queries are written in another way than the one that there is",
    ),
    "not answered": (
        lambda d: d.request(5, QUARTER, NodeHistograms(ALL, 1)),
        "not allowed",
        "this party does not answer node-histograms",
    ),
    "too cheap": (
        lambda d: d.request(5, QUARTER, ClassCounts(ALL, Fraction(1, 101))),
        "not allowed",
        "this party answers at 1/100 or more for a query",
    ),
    "too dear": (
        lambda d: d.request(5, QUARTER, ClassCounts(ALL, Fraction(5, 2))),
        "over budget",
        "the round would bring some record to ε = 13/4, more than the budget 3; nothing was charged",
    ),
    "passed on": (
        lambda d: Passed("announce", d.session, 4, ()),
        "out of order",
        "what may come now is queries, got passed on",
    ),
}


@pytest.mark.parametrize("case", ASKED)
def test_requests_are_refused_in_these_words(case):
    """Nothing is charged then, the number is not used, and the next request is answered."""
    make, name, reason = ASKED[case]
    ledger = Ledger(3)
    desk = Desk(ledger=ledger, limits=Limits(queries=[ClassCounts, ClassHistogram], least_epsilon="1/100")).begin()
    assert type(desk.ask(4, ClassCounts(ALL, Fraction(1, 2)))) is Answer
    assert refusal(desk, desk.say(make(desk))) == (name, reason)
    assert ledger.spent == Fraction(1, 2)
    assert type(desk.ask(5, QUARTER)) is Answer and ledger.spent == Fraction(3, 4)


def test_an_answer_has_at_most_so_many_numbers(monkeypatch):
    desk = Desk().begin()
    monkeypatch.setattr(endpoint, "MAX_NUMBERS", 4)
    monkeypatch.setattr(endpoint, "MAX_QUERIES", 2)
    assert type(desk.ask(1, QUARTER, QUARTER)) is Answer
    told = refusal(desk, desk.ask(2, QUARTER, ClassHistogram(ALL, 1, 0)))
    assert told == ("oversized", "an answer has at most 4 numbers, this one would have 6")
    told = refusal(desk, desk.ask(2, *[QUARTER] * 3))
    assert told == ("oversized", "a request has at most 2 queries, this one has 3")


def test_so_much_at_once_is_the_documented_limit():
    assert (endpoint.MAX_NUMBERS, endpoint.MAX_QUERIES) == (2**25 - 2**10, 2**12)


def test_what_a_charge_refuses_is_malformed(monkeypatch):
    """Whatever the reason: the party does not crash, and nothing is counted."""

    def refuse(*arguments):
        raise ValueError("no such charge")

    desk = Desk().begin()
    monkeypatch.setattr(ClassCounts, "charge", refuse)
    assert refusal(desk, desk.ask(1, QUARTER)) == ("malformed", "no such charge")
    assert desk.endpoint.ledger.spent == 0


def test_a_closed_ledger_takes_no_charge(tmp_path):
    ledger = Ledger.open(tmp_path / "own.db", 1)
    desk = Desk(ledger=ledger).begin()
    ledger.close()
    assert refusal(desk, desk.ask(1, QUARTER)) == ("not allowed", OF_ANOTHER)


def test_messages_that_are_no_bytes_are_refused_like_others():
    desk = Desk()
    assert refusal(desk, desk.say("abc")) == ("malformed", "a message is bytes, got str")


def test_a_refusal_of_a_computation_bears_the_name_that_is_given():
    def refuse(x):
        raise ValueError(f"not {x}")

    assert endpoint._understood("a name", lambda x, y: x + y, 1, 2) == 3
    with pytest.raises(Refused) as refused:
        endpoint._understood("a name", refuse, 7)
    assert (refused.value.name, refused.value.reason) == ("a name", "not 7")


def test_a_domain_has_a_digest_of_its_own():
    assert endpoint.domain_digest(AGE) != endpoint.domain_digest(OTHER)
