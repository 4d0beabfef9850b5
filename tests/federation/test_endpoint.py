"""A party's side: each field of its answers, its noise, what it charges, and what it refuses."""

from fractions import Fraction

import numpy as np
import pytest

from fdpedu.accounting import Ledger
from fdpedu.claims.secure_sum import messages as messages_topic
from fdpedu.claims.secure_sum.messages import AGE, ALL
from fdpedu.dlpa import polya_share
from fdpedu.domain import Domain, Numeric
from fdpedu.federation import (
    ClassCounts,
    ClassHistogram,
    Federation,
    NodeBounds,
    NodeHistograms,
    Party,
    endpoint,
    messages,
)
from fdpedu.federation.messages import (
    Answer,
    Contribution,
    Refusal,
    Seated,
    SignedKey,
)
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.secure_sum import Identity, RoundLost, Rules, is_signed
from fdpedu.secure_sum.binding import VERSION
from tests.support.desks import Desk, refusal
from tests.support.faults import every_failure
from tests.support.federations import BELIEVING, federation, parties

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


AGED = [[10, "ill"], [10, "well"]]


@pytest.mark.parametrize(
    ("queries", "sizes", "exact"),
    [
        (
            [QUARTER, ClassCounts(ALL.restrict(0, [0]), Fraction(1, 4)), ClassHistogram(ALL, Fraction(1, 9), 0)],
            [4, 4],
            [1, 1, 1, 1, 1, 1, 0, 0],
        ),
        ([NodeBounds(ALL, 1, 4), QUARTER, NodeBounds(ALL, 1, 5)], [3, 1], [2, 1, 1, 2]),
    ],
)
def test_noise_is_drawn_for_the_rate_of_each_query(queries, sizes, exact):
    """With the words that the party's source has, the test draws the same shares; alike rates are drawn together."""
    desk = Desk(4, rows=AGED, source=Rehearsal(5)).begin(tolerate=1)
    request = desk.request(1, *queries)
    got = desk.counts(request, desk.say(request))
    source, rates = Rehearsal(5), (queries[0].rate, queries[-1].rate)
    shares = [share for rate, n in zip(rates, sizes, strict=True) for share in polya_share(rate, 3, n, source)]
    assert got == [number + share for number, share in zip(exact, shares, strict=True)] and got != exact


def test_a_party_answers_bounds_beside_counts():
    """Two ill of 60, and one of each class of 10; the masks are taken off by the test."""
    desk = Desk(3, rows=[[10, "ill"], [10, "well"], [60, "ill"], [60, "ill"]]).begin()
    young = ALL.restrict(0, [0])
    request = desk.request(
        1,
        NodeBounds(ALL, 1, 2),
        ClassCounts(ALL, "1/2"),
        NodeBounds(young, 1, 100),
        NodeHistograms(ALL, 1),
        account="a tree",
    )
    got = desk.say(request)
    assert type(got) is Answer and got.digest == desk.digest(request)
    counts = desk.counts(request, got)
    assert counts == [1, 1, 3, 50, 1, 1, 0, 2] and desk.endpoint.ledger.spent == Fraction(7, 2)
    steps = [step for _, step in desk.endpoint.ledger.derivation().releases()]
    assert sorted(step["sensitivity"] for step in steps) == [1, 1, 2, 100]


def test_a_request_for_another_lattice_is_another_request():
    """What an answer is bound to has the lattice in it."""
    desk = Desk(3).begin()
    digests = {desk.digest(desk.request(1, NodeBounds(ALL, 1, m))) for m in (1, 2, 4)}
    assert len(digests) == 3
    got = desk.ask(1, NodeBounds(ALL, 1, 4))
    assert got.digest == desk.digest(desk.request(1, NodeBounds(ALL, 1, 4)))


def test_noise_shares_are_made_for_the_parties_that_there_are():
    """However many parties an aggregator speaks of: a party counts the members of the list itself."""
    f = federation(3, tolerate=1)
    with pytest.MonkeyPatch.context() as patch:
        shares = []
        patch.setattr(
            "fdpedu.federation.queries.noise.polya_share",
            lambda rate, m, size, source: shares.append((rate.rate, m, size)) or np.zeros(size, dtype=np.int64),
        )
        f.release([ClassCounts(ALL, "1/4"), ClassHistogram(ALL, "1/8", 0)])
    assert shares == [(Fraction(1, 4), 2, 2), (Fraction(1, 8), 2, 4)] * 3


def test_a_ledger_of_one_s_own_outlives_its_sessions():
    """Two federations ask the same party: it adds both up, whatever their own ledgers say."""
    own = Ledger(1)
    careful = Party(messages_topic.ROWS[0], AGE, ledger=own, limits=BELIEVING)
    for spent in (Fraction(1, 2), Fraction(1)):
        federation(members=[careful, *parties(1)]).release([ClassCounts(ALL, Fraction(1, 2))])
        assert own.spent == spent
    third = federation(members=[*parties(1), careful, *parties(1)])
    with pytest.raises(RoundLost, match=r"^'party 2' .* round 1, .*over budget"):
        third.release([QUARTER])
    assert own.spent == 1 and third.ledger.spent == Fraction(1, 4)
    asked = [m.receiver for m in third.transport.manifest if m.kind == "queries"]
    assert asked == ["party 1", "party 2"], "after a refusal nobody else is asked"


def test_what_a_party_s_own_ledger_has_promised_is_kept():
    own = Ledger(1, colluders=2)
    with pytest.raises(RoundLost, match=r"^'party 1' .*2 colluders"):
        federation(members=[Party([], AGE, ledger=own, limits=BELIEVING), *parties(3)], tolerate=2, missing=1)
    federation(members=[Party([], AGE, ledger=own, limits=BELIEVING), *parties(3)], tolerate=2).release([QUARTER])
    assert own.spent == Fraction(1, 4)


def test_a_party_in_a_file_charges_its_file(tmp_path):
    own = Ledger.open(tmp_path / "own.db", 1)
    Federation([Party([], AGE, ledger=own, limits=BELIEVING), Party([], AGE)], AGE, Ledger(9), rng=ZeroWords()).release(
        [QUARTER]
    )
    assert Ledger.open(tmp_path / "own.db").spent == Fraction(1, 4)


def test_every_query_of_a_round_is_charged_to_each_party():
    """To the second party too, all of them, in the account that was named: as the federation's own ledger has it."""
    ledgers = [Ledger(3, colluders=1) for _ in range(2)]
    members = [Party(messages_topic.ROWS[k], AGE, ledger=own, limits=BELIEVING) for k, own in enumerate(ledgers)]
    f = Federation(members, AGE, Ledger(3, colluders=1), rng=ZeroWords())
    young = ALL.restrict(0, [0])
    f.release([ClassCounts(ALL, Fraction(1, 4)), ClassCounts(young, Fraction(1, 3)), ClassCounts(ALL, 1)], "a tree")
    f.release([ClassCounts(young, Fraction(1, 5))])
    for own in ledgers:
        assert own.spent == f.ledger.spent == Fraction(1, 4) + Fraction(1, 3) + 1 + Fraction(1, 5)
        assert own.accounts == f.ledger.accounts == ("a tree", "") and own.odometer() == f.ledger.odometer()
        assert own.derivation().content == f.ledger.derivation().content


@pytest.mark.parametrize("epsilon", [Fraction(1, 10**401 + 7), Fraction(10**41, 10**41 + 1), Fraction(1, 2**41)])
def test_a_cost_that_would_fill_a_ledger_is_refused_by_party_and_aggregator(epsilon):
    """One of more digits than a ledger writes, too. Nothing is charged, and the next round is answered."""
    desk = Desk().begin()
    assert type(desk.ask(1, ClassCounts(ALL, epsilon))) is Refusal and desk.endpoint.ledger.spent == 0
    assert type(desk.ask(2, QUARTER)) is Answer
    f = federation()
    with pytest.raises(ValueError):
        f.release([ClassCounts(ALL, epsilon)])
    assert f.ledger.spent == 0 and f.rounds == 0


def test_a_ledger_without_a_promise_is_bound_to_none():
    """A session that withstands four colluders does not keep the party from one that withstands one."""
    own = Ledger(1)
    for tolerate in (4, 1):
        members = [Party([], AGE, ledger=own, limits=BELIEVING), *(Party([], AGE) for _ in range(4))]
        federation(members=members, tolerate=tolerate).release([QUARTER])
    assert own.spent == Fraction(1, 2) and own.colluders == 0


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_ledger_that_is_gone_is_a_refusal_that_names_no_file(tmp_path, when):
    """Why it takes no charge is its owner's affair."""
    own = Ledger.open(tmp_path / "own.db", 1)
    members = [Party([], AGE, ledger=own, limits=BELIEVING), Party([], AGE)]
    with pytest.raises(RoundLost, match=r"^'party 1' .*not allowed") as lost:
        if when == "before":
            own.close()
        f = federation(members=members)
        own.close()
        f.release([QUARTER])
    assert "own.db" not in str(lost.value) and ("round 1" in str(lost.value)) == (when == "after")


def test_a_party_is_sent_less_than_it_sends():
    name, reason = refusal(desk := Desk(), desk.say(bytes(messages.MAX_REQUEST_BYTES + 1)))
    assert name == "oversized" and str(messages.MAX_REQUEST_BYTES) in reason


def test_a_budget_that_no_ledger_takes_is_none():
    desk = Desk()
    with pytest.raises(ValueError) as expected:
        Ledger(Fraction(1, 10**500), colluders=1)
    name, reason = refusal(desk, desk.invite(budget=Fraction(1, 10**500)))
    assert (name, reason) == ("not allowed", str(expected.value)) and reason


def test_what_may_come_is_said_at_every_stage():
    desk, coming = Desk(4), []
    for step in (
        lambda: None,
        lambda: desk.invite(missing=1),
        desk.contribute,
        desk.take_seat,
        lambda: desk.ask(1, QUARTER),
    ):
        step()
        assert refusal(desk, desk.say(b""))[0] == "malformed"
        name, reason = refusal(desk, desk.say(Seated(bytes(32), bytes(64))))
        assert name == "out of order"
        coming.append(reason)
    kinds = ["invitation", "nonces", "signed keys", "queries", "queries or passed on"]
    assert all(f" is {kind}, got seated" in reason for kind, reason in zip(kinds, coming, strict=True))


def test_an_answer_has_at_most_so_many_numbers_of_so_many_queries(monkeypatch):
    desk = Desk().begin()
    assert (endpoint.MAX_NUMBERS, endpoint.MAX_QUERIES) == (2**25 - 2**10, 2**12)
    monkeypatch.setattr(endpoint, "MAX_NUMBERS", 4)
    monkeypatch.setattr(endpoint, "MAX_QUERIES", 2)
    assert type(desk.ask(1, QUARTER, QUARTER)) is Answer
    for queries in ([QUARTER, ClassHistogram(ALL, 1, 0)], [QUARTER] * 3):
        assert refusal(desk, desk.ask(2, *queries))[0] == "oversized"


def test_what_a_charge_refuses_is_malformed(monkeypatch):
    """Whatever the reason: the party does not crash, and nothing is counted."""

    def refuse(*arguments, **options):
        raise ValueError("no such charge")

    desk = Desk().begin()
    monkeypatch.setattr(ClassCounts, "charge", refuse)
    assert refusal(desk, desk.ask(1, QUARTER)) == ("malformed", "no such charge")
    assert desk.endpoint.ledger.spent == 0


def test_a_domain_has_a_digest_of_its_own():
    other = Domain([Numeric.grid("age", 0, 100, bins=4)], ("well", "ill"))
    assert endpoint.domain_digest(AGE) != endpoint.domain_digest(other)


class Failing(Rehearsal):
    """Noise whose source breaks down at a step of the disk that fails."""

    disk = None

    def words(self, size):
        return self.disk.step("noise", lambda: super(Failing, self).words(size)) if self.disk else super().words(size)


@pytest.mark.claim("thm-party-ledger")
@pytest.mark.parametrize("missing", [0, 1])
def test_whatever_fails_between_question_and_answer_the_same_question_is_charged_once_and_answered_once(
    tmp_path, monkeypatch, missing
):
    """A failure at each step of ledger, noise and signature; then the same bytes again, and once more.

    It is charged at most once, as what is answered was charged before; and what failed after the charge is refused.
    """
    source, ledger = Failing(1), Ledger.open(tmp_path / "own.db", 1000)
    desk = Desk(4, source=source, ledger=ledger).begin(missing=missing)
    sign = Identity.sign

    def signing(identity, *given):
        return source.disk.step("sign", lambda: sign(identity, *given)) if source.disk else sign(identity, *given)

    monkeypatch.setattr(Identity, "sign", signing)
    for number, failing in enumerate(every_failure(), 1):
        request, rounds, answers = desk.request(number, QUARTER), ledger.rounds, []
        with failing as source.disk:
            try:
                answers.append(desk.say(request))
            except OSError:
                pass
        failed, source.disk = source.disk.failed, None
        if not failed:
            assert type(answers[0]) is not Refusal
        answers += [desk.say(request), desk.say(request)]
        answered = sum(type(answer) is not Refusal for answer in answers)
        assert answered <= ledger.rounds - rounds <= 1
