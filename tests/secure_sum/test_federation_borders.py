"""What an attack on the federation found: messages that take long, ledgers that are filled, lies in stages."""

import time
from fractions import Fraction

import pytest

from fdpedu.accounting import Ledger
from fdpedu.claims.secure_sum import laws_federation as law
from fdpedu.claims.secure_sum.laws_federation import AGE, ALL, Room, answer_of, request
from fdpedu.federation import ClassCounts, Federation, InProcess, Limits, Party, messages
from fdpedu.federation.endpoint import MAX_QUERIES
from fdpedu.federation.messages import Answer, Refusal, Refused, Said
from fdpedu.randomness import ZeroWords
from fdpedu.secure_sum import RoundLost, canonical
from fdpedu.trees import fit_federated_tree, grow
from tests.support.small_federations import federation

COUNTS = [ClassCounts(ALL, Fraction(1, 4))]
ODD = Fraction(1, 10**401 + 7)  # more digits than a ledger writes


@pytest.mark.parametrize("epsilon", [ODD, Fraction(10**41, 10**41 + 1), Fraction(1, 2**41)])
def test_a_cost_that_would_fill_a_ledger_is_refused_by_party_and_aggregator(epsilon):
    """Nothing is charged, and the next round is answered."""
    room = Room()
    session = room.begin()
    got = answer_of(room.endpoints[0], messages.write(request(session, 1, ClassCounts(ALL, epsilon))))
    assert type(got) is Refusal and room.ledgers[0].spent == 0
    assert type(answer_of(room.endpoints[0], messages.write(request(session, 2, *COUNTS)))) is Answer
    f = federation()
    with pytest.raises(ValueError):
        f.release([ClassCounts(ALL, epsilon)])
    assert f.ledger.spent == 0 and f.rounds == 0


def test_costs_below_what_an_owner_wants_are_refused():
    room = Room()
    room.endpoints[0]._limits = Limits(least_epsilon="1/100")
    session = room.begin()
    got = answer_of(room.endpoints[0], messages.write(request(session, 1, ClassCounts(ALL, Fraction(1, 101)))))
    assert (type(got), got.name, room.ledgers[0].spent) == (Refusal, "not allowed", 0)
    got = answer_of(room.endpoints[0], messages.write(request(session, 2, ClassCounts(ALL, Fraction(1, 100)))))
    assert type(got) is Answer


def test_more_members_than_an_owner_wants():
    with pytest.raises(RoundLost, match="3 members are too many"):
        federation(members=[Party([], AGE, limits=Limits(maximum=2)), Party([], AGE), Party([], AGE)])
    with pytest.raises(ValueError, match="maximum"):
        Limits(minimum=5, maximum=4)


def test_a_ledger_without_a_promise_is_bound_to_none():
    """A session that withstands four colluders does not keep the party from one that withstands one."""
    own = Ledger(1)
    for tolerate in (4, 1):
        members = [Party([], AGE, ledger=own), *(Party([], AGE) for _ in range(4))]
        federation(members=members, tolerate=tolerate).release(COUNTS)
    assert own.spent == Fraction(1, 2) and own.colluders == 0


def test_missing_parties_are_not_counted_as_withstood():
    with pytest.raises(RoundLost, match="withstands 0 colluders: this party wants 1"):
        federation(members=[Party([], AGE, limits=Limits(tolerate=1)), *(Party([], AGE) for _ in range(3))], missing=1)


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_ledger_that_is_gone_is_a_refusal_that_names_no_file(tmp_path, when):
    own = Ledger.open(tmp_path / "own.db", 1)
    members = [Party([], AGE, ledger=own), Party([], AGE)]
    if when == "before":
        own.close()
        with pytest.raises(RoundLost, match="its owner can see why") as lost:
            federation(members=members)
    else:
        f = federation(members=members)
        own.close()
        with pytest.raises(RoundLost, match="its owner can see why") as lost:
            f.release(COUNTS)
    assert "own.db" not in str(lost.value)


@pytest.mark.parametrize(
    "form",
    [
        canonical(Fraction(3**400_000, 2**400_000)),
        canonical(10**4000),
        canonical(tuple({} for _ in range(2**18 + 1))),
        b"T" + (2**40).to_bytes(8, "big") + bytes(9) * 2**18,
    ],
)
def test_what_would_take_long_is_refused_at_once(form):
    """Long fractions take a square of their length to be reduced; the processor's time says so, with room to spare."""
    start = time.process_time()
    with pytest.raises(Refused) as refused:
        messages.read(form, messages.Request)
    assert refused.value.name == "oversized" and time.process_time() - start < 2


def test_a_party_is_told_less_than_it_tells():
    room = Room()
    got = answer_of(room.endpoints[0], bytes(messages.MAX_REQUEST_BYTES + 1))
    assert (got.name, got.reason.split(",")[0]) == (
        "oversized",
        f"a message has at most {messages.MAX_REQUEST_BYTES} bytes",
    )


def test_too_many_queries_are_refused_on_both_sides():
    many = [ClassCounts(ALL, Fraction(1, 10**9))] * (MAX_QUERIES + 1)
    f, room = federation(), Room()
    with pytest.raises(ValueError, match="ask in two rounds"):
        f.release(many)
    assert f.ledger.spent == 0
    got = answer_of(room.endpoints[0], messages.write(request(room.begin(), 1, *many)))
    assert (type(got), got.name, room.ledgers[0].spent) == (Refusal, "oversized", 0)


def test_a_level_that_would_not_fit_in_a_request_is_not_split_further(monkeypatch):
    """The tree ends there, with all its counts, and with what it may cost."""
    rows = [[age, "ill" if age % 7 < 3 else "well"] for age in range(100)] * 3
    monkeypatch.setattr(grow, "MAX_QUERIES", 4)
    from fdpedu.domain import Domain, Numeric

    fine = Domain([Numeric.grid("age", 0, 100, bins=32)], ("well", "ill"))
    f = Federation([Party(rows[::2], fine), Party(rows[1::2], fine)], fine, Ledger(1), rng=ZeroWords())
    tree = fit_federated_tree(f, max_depth=6, min_samples_split=2)
    assert all(len(entry["queries"]) <= 4 for entry in f.manifest.rounds) and len(tree.leaves()) >= 4
    assert sum(sum(leaf.counts) for leaf in tree.leaves()) == len(rows) and f.ledger.spent == 1


class Lying(InProcess):
    """One party says something else at a stage, and signs it."""

    def __init__(self, stage, change):
        super().__init__()
        self.stage, self.change, self.liars = stage, change, {}

    def _deliver(self, number, name, message, respond):
        reply = super()._deliver(number, name, message, respond)
        k = int(name.split()[-1]) - 1
        if k in self.liars and messages.name_of(reply) == f"says, {self.stage}":
            got = messages.read(reply, Said)
            return messages.write_signed(got._replace(content=self.change(got.content)), self.liars[k])
        return reply


def lied(stage, change, liars, n=4, missing=1):
    transport = Lying(stage, change)
    f = federation(n, tolerate=missing, missing=missing, transport=transport)
    transport.liars = {k: f._endpoints[k].__self__._identity for k in liars}
    return f


@pytest.mark.parametrize(
    ("stage", "change"),
    [
        ("mask", lambda content: ((content[0][0], content[0][1][:-8]),)),
        ("mask", lambda content: ((content[0][0], content[0][1] + bytes(8)),)),
        ("mask", lambda content: ((content[0][0] + 1, content[0][1]),)),
        ("mask", lambda content: ()),
        ("announce", lambda content: ((*content[0][:3], bytes(64)),)),
        ("announce", lambda content: content * 2),
    ],
)
def test_what_is_not_of_its_form_counts_as_not_said(stage, change):
    """The sum is that of the others."""
    f = lied(stage, change, [1])
    assert f.release(COUNTS)[0].tolist() == law.counted([0, 2, 3]).tolist()


@pytest.mark.parametrize("liars", [[0], [0, 1, 2]])
@pytest.mark.parametrize(
    "change",
    [
        lambda content: ((content[0][0], (), ()),),
        lambda content: ((content[0][0], content[0][1][:1], ()),),
        lambda content: ((content[0][0], tuple((k, bytes(66)) for k, _ in content[0][1]), ()),),
    ],
)
def test_shares_that_are_missing_or_false_end_a_round_as_lost(liars, change):
    """With an error of the kind that a lost round has, and no other sum than the right one."""
    f = lied("unmask", change, liars)
    try:
        assert f.release(COUNTS)[0].tolist() == law.counted(range(4)).tolist() and liars == [0]
    except RoundLost as lost:
        assert "round 1" in str(lost)
    assert f.ledger.spent == Fraction(1, 4)


def test_a_reason_does_not_reach_the_terminal_as_it_is():
    class Rude(InProcess):
        def _deliver(self, number, name, message, respond):
            if number and name == "party 1":
                refusal = Refusal(bytes(32), 1, "no", "\x1b[2Jgone")
                return messages.write_signed(refusal, respond.__self__._identity)
            return super()._deliver(number, name, message, respond)

    f = federation(2, transport=Rude())
    with pytest.raises(RoundLost, match=r"\?\[2Jgone") as lost:
        f.release(COUNTS)
    assert "\x1b" not in str(lost.value)
