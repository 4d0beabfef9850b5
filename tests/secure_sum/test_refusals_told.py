"""What a party says to whatever is said to it: each field of its answers, each refusal by its name and in its words."""

import pickle
from fractions import Fraction

import numpy as np
import pytest

from fdpedu.accounting import Ledger
from fdpedu.claims.secure_sum.laws_federation import AGE, ALL, NAMES
from fdpedu.domain import Domain, Numeric
from fdpedu.federation import ClassCounts, ClassHistogram, Limits, NodeHistograms, endpoint
from fdpedu.federation.messages import (
    NO_SESSION,
    Answer,
    Contribution,
    Contributions,
    Passed,
    Refusal,
    Refused,
    Request,
    Said,
    Seated,
    SignedKey,
    SignedKeys,
)
from fdpedu.process import Process
from fdpedu.randomness import Rehearsal
from fdpedu.secure_sum import Hello, Member, Occasion, Rules, is_signed, key_for
from fdpedu.secure_sum.binding import VERSION
from tests.support.desks import Desk

QUARTER = ClassCounts(ALL, Fraction(1, 4))
OTHER = Domain([Numeric.grid("age", 0, 100, bins=4)], ("well", "ill"))
STRANGER = bytes(range(32))


def refusal(desk, said):
    """The name and the words of a refusal, after what was public about it is looked at."""
    assert type(said) is Refusal and said.name in NAMES
    assert (said.session, said.number) == (getattr(desk, "session", NO_SESSION), desk.endpoint._last)
    return said.name, said.reason


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


WRITTEN = "no query of the closed set is written so: a party answers histograms and class counts only"
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
    monkeypatch.setattr(endpoint, "MOST_NUMBERS", 4)
    monkeypatch.setattr(endpoint, "MOST_QUERIES", 2)
    assert type(desk.ask(1, QUARTER, QUARTER)) is Answer
    told = refusal(desk, desk.ask(2, QUARTER, ClassHistogram(ALL, 1, 0)))
    assert told == ("oversized", "an answer has at most 4 numbers, this one would have 6")
    told = refusal(desk, desk.ask(2, *[QUARTER] * 3))
    assert told == ("oversized", "a request has at most 2 queries, this one has 3")


def test_so_much_at_once_is_the_documented_limit():
    assert (endpoint.MOST_NUMBERS, endpoint.MOST_QUERIES) == (2**25 - 2**10, 2**12)


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


# --- rounds in stages -------------------------------------------------------------------------------------------------


def staged(n=4, index=0):
    """A desk in the midst of a round in stages, with the other members of the round beside it."""
    desk = Desk(n, index=index).begin(tolerate=1, missing=1)
    request = desk.request(3, QUARTER)
    said = desk.say(request)
    occasion = Occasion(desk.session, 3, desk.digest(request), desk.members, 2)
    rules = Rules(n, n - 1, 0, 1)
    keys = {k: {} for k in desk.others}
    for k in desk.others:
        keys[k][index] = key_for(desk.shared[k], "channel", desk.session)
        for j in desk.others:
            if j != k:
                shared = desk.pairs[k].shared_key(desk.pairs[j].public)
                keys[k][j] = key_for(shared, "channel", desk.session)
    desk.beside = {k: Member(k, rules, occasion, desk.identities[k], keys[k]) for k in desk.others}
    desk.occasion = occasion
    return desk, said


def passed(desk, stage, content, **changed):
    return desk.say(Passed(stage, desk.session, 3, tuple(content))._replace(**changed))


@pytest.mark.parametrize("index", [0, 2])
def test_a_round_in_stages_field_by_field(index):
    """The party says what a member of chapter 5 would: its boxes open, its consent counts, its shares come last."""
    desk, said = staged(index=index)
    assert type(said) is Said and (said.stage, said.session, said.number) == ("announce", desk.session, 3)
    (own,) = said.content
    hello = Hello(*own)
    assert is_signed(desk.members[index], hello.signature, "round key", desk.occasion.binding, *own[:3])
    hellos = sorted([hello, *(member.announce() for member in desk.beside.values())])
    boxes = {k: member.share(hellos) for k, member in desk.beside.items()}
    said = passed(desk, "announce", map(tuple, hellos))
    assert (said.stage, said.number, len(said.content)) == ("share", 3, 3)
    assert [(sender, receiver) for sender, receiver, _ in said.content] == [(index, k) for k in desk.others]
    boxes[index] = [type(boxes[desk.others[0]][0])(*box) for box in said.content]
    sent = [box for dealt in boxes.values() for box in dealt]
    to = {k: [box for box in sent if box.receiver == k] for k in range(4)}
    seen = {k: member.mask(np.array([k, 10]), to[k]) for k, member in desk.beside.items()}
    said = passed(desk, "share", map(tuple, to[index]))
    ((party, words),) = said.content
    assert (said.stage, party, len(words)) == ("mask", index, 16)
    assert len(seen) == 3
    said = passed(desk, "mask", range(4))
    assert (said.stage, said.content[0][0]) == ("agree", index)
    listed = tuple(range(4))
    assert is_signed(desk.members[index], said.content[0][1], "survivors", desk.occasion.binding, listed, listed)
    consents = [tuple(member.agree(range(4))) for member in desk.beside.values()]
    said = passed(desk, "agree", sorted([*consents, said.content[0]]))
    ((party, seeds, keys),) = said.content
    assert (said.stage, party, [k for k, _ in seeds], keys) == ("unmask", index, [0, 1, 2, 3], ())
    told = refusal(desk, passed(desk, "agree", consents))
    assert told == ("out of order", "each stage comes once and in order; ended has unmask")
    assert type(desk.ask(4, QUARTER)) is Said


def hellos_of(desk, said):
    return [tuple(hello) for hello in sorted([Hello(*said.content[0]), *(m.announce() for m in desk.beside.values())])]


@pytest.mark.parametrize("changed", [{"session": bytes(32)}, {"number": 2}, {"number": 4}])
def test_what_is_passed_on_is_of_this_round(changed):
    desk, said = staged()
    hellos = hellos_of(desk, said)
    told = passed(desk, "announce", hellos, **changed)
    assert refusal(desk, told) == ("another session", "what was passed on is not of round 3 of this session")
    assert passed(desk, "announce", hellos).stage == "share"


FORM = ("malformed", "what was passed on does not have the form of this stage")


def test_stages_come_once_and_in_order():
    desk, said = staged()
    hellos = hellos_of(desk, said)
    order = "each stage comes once and in order; ended has "
    assert refusal(desk, passed(desk, "share", ())) == ("out of order", f"{order}announce")
    assert refusal(desk, passed(desk, "announce", [(0,)])) == FORM
    assert refusal(desk, passed(desk, "unmask", ())) == FORM
    assert passed(desk, "announce", hellos).stage == "share"
    assert refusal(desk, passed(desk, "announce", hellos)) == ("out of order", f"{order}share")
    few = "round 3 is lost while secrets are shared out: 3 of 4 parties are needed, 1 are there; not there: 1, 2, 3"
    assert refusal(desk, passed(desk, "share", ())) == ("not allowed", few)
    assert refusal(desk, passed(desk, "share", ())) == ("out of order", f"{order}the round")


def test_a_long_reason_is_cut():
    """To a thousand characters, which any reader takes."""
    desk, said = staged()
    hellos = hellos_of(desk, said)
    boxes = {k: member.share([Hello(*one) for one in hellos]) for k, member in desk.beside.items()}
    passed(desk, "announce", hellos)
    passed(desk, "share", [tuple(box) for dealt in boxes.values() for box in dealt if box.receiver == 0])
    name, reason = refusal(desk, passed(desk, "mask", range(2**63, 2**63 + 100)))
    assert name == "not allowed" and len(reason) == 1000
    assert reason.startswith(
        "survivors must be in order, this party among them, and have shared: got (9223372036854775808,"
    )


# --- what is not said to anybody --------------------------------------------------------------------------------------


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
