"""Rounds that survive silent parties: what a party says at each stage, how it is read, and what it refuses."""

import random
from fractions import Fraction

import numpy as np
import pytest

from fdpedu.accounting import Ledger
from fdpedu.claims.secure_sum import messages as language
from fdpedu.claims.secure_sum import party_ledger as topic
from fdpedu.claims.secure_sum.messages import AGE, ALL, Setup, answer_of, request
from fdpedu.federation import (
    ClassCounts,
    Federation,
    InProcess,
    Party,
    messages,
)
from fdpedu.federation.messages import (
    Passed,
    Refusal,
    Request,
    Said,
    read,
    write,
)
from fdpedu.federation.queries import write_queries
from fdpedu.federation.stages import PASSED, SAID, read_said, rules_of, sum_of_survivors
from fdpedu.randomness import ZeroWords
from fdpedu.secure_sum import STAGES, Hello, Identity, Member, Occasion, Rules, is_signed, key_for
from fdpedu.trees import fit_federated_tree
from tests.support.desks import Desk, refusal
from tests.support.federations import federation


@pytest.mark.parametrize(
    ("n", "tolerate", "missing", "rules"),
    [(2, 1, 0, Rules(2, 2, 1, 1)), (5, 3, 1, Rules(5, 4, 2, 3)), (5, 2, 2, Rules(5, 3, 0, 2)), (2, 0, 0, Rules(2, 2))],
)
def test_the_rules_of_a_session(n, tolerate, missing, rules):
    assert rules_of(n, tolerate, missing) == rules


@pytest.mark.parametrize("k", [0, 1])
def test_an_announcement_is_signed_for_its_round_by_who_says_it(k):
    signers = [Identity.create(), Identity.create()]
    occasion = Occasion(bytes(32), 1, bytes(32), tuple(signer.public for signer in signers), 2)
    fields = (k, b"k" * 32, b"c" * 32)
    signature = signers[k].sign("round key", occasion.binding, *fields)
    assert read_said("announce", ((*fields, signature),), k, occasion) == [(*fields, signature)]
    for wrong in (
        signers[1 - k].sign("round key", occasion.binding, *fields),
        signers[k].sign("another", occasion.binding, *fields),
        signers[k].sign("round key", bytes(32), *fields),
        signers[k].sign("round key", occasion.binding, *fields[:2], bytes(32)),
    ):
        with pytest.raises(messages.Refused, match="not signed"):
            read_said("announce", ((*fields, wrong),), k, occasion)


def test_stages_are_asked_one_after_the_other():
    """Each with what the one before has ended with; at first everybody is asked, with nothing."""
    asked = []

    class Rules:
        n_parties = 3

    class Counting:
        rules = Rules

        def __getattr__(self, name):
            def collect(said):
                asked.append((name, said))
                return {
                    "hellos": (Party(2), Party(0)),
                    "boxes": {0: ((0, 1),), 2: ((2, 3), (2, 4))},
                    "survivors": (2, 0),
                    "consents": (Party(0),),
                }.get(name, "the sum")

            return collect

    class Party(tuple):
        def __new__(cls, party):
            one = super().__new__(cls, (party, "said"))
            one.party = party
            return one

    def answers(stage, ended, contents):
        asked.append((stage, ended, dict(contents)))
        return {k: [f"{stage} of {k}"] for k in contents}

    assert sum_of_survivors(Counting(), answers) == ("the sum", (2, 0))
    hellos, consents = ((2, "said"), (0, "said")), ((0, "said"),)
    assert asked == [
        ("announce", "", {0: (), 1: (), 2: ()}),
        ("hellos", ["announce of 0", "announce of 1", "announce of 2"]),
        ("share", "announce", {2: hellos, 0: hellos}),
        ("boxes", ["share of 2", "share of 0"]),
        ("mask", "share", {0: ((0, 1),), 2: ((2, 3), (2, 4))}),
        ("survivors", ["mask of 0", "mask of 2"]),
        ("agree", "mask", {2: (2, 0), 0: (2, 0)}),
        ("consents", ["agree of 2", "agree of 0"]),
        ("unmask", "agree", {0: consents}),
        ("total", ["unmask of 0"]),
    ]


def test_what_a_party_says_is_read_as_it_is():
    occasion = Occasion(bytes(32), 1, bytes(32), (bytes(32), bytes(32)), 1)
    assert read_said("share", ((0, 1, b"a"), (0, 2, b"b")), 0, occasion) == [(0, 1, b"a"), (0, 2, b"b")]
    assert read_said("share", (), 0, occasion) == []
    ((party, words),) = read_said("mask", ((0, bytes(7) + b"\x01"),), 0, occasion)
    assert party == 0 and words.tolist() == [2**56] and words.dtype == np.uint64
    assert set(SAID) == set(STAGES) and set(PASSED) == set(STAGES) - {"unmask"}


QUARTER = ClassCounts(ALL, Fraction(1, 4))


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
    name, reason = refusal(desk, passed(desk, "agree", consents))
    assert name == "out of order" and reason.endswith("unmask")
    assert type(desk.ask(4, QUARTER)) is Said


def hellos_of(desk, said):
    return [tuple(hello) for hello in sorted([Hello(*said.content[0]), *(m.announce() for m in desk.beside.values())])]


def test_stages_come_once_and_in_order():
    """What is not of this stage leaves the round as it was; what a stage may not hold ends the round."""
    desk, said = staged()
    hellos = hellos_of(desk, said)

    def name(stage, content=(), **changed):
        return refusal(desk, passed(desk, stage, content, **changed))[0]

    assert [name("share"), name("announce", [(0,)]), name("unmask")] == ["out of order", "malformed", "malformed"]
    for changed in ({"session": bytes(32)}, {"number": 2}, {"number": 4}):
        assert name("announce", hellos, **changed) == "another session"
    assert passed(desk, "announce", hellos).stage == "share"
    assert [name("announce", hellos), name("share"), name("share")] == ["out of order", "not allowed", "out of order"]


def test_a_long_reason_is_cut():
    """To a thousand characters, which any reader takes."""
    desk, said = staged()
    hellos = hellos_of(desk, said)
    boxes = {k: member.share([Hello(*one) for one in hellos]) for k, member in desk.beside.items()}
    passed(desk, "announce", hellos)
    passed(desk, "share", [tuple(box) for dealt in boxes.values() for box in dealt if box.receiver == 0])
    name, reason = refusal(desk, passed(desk, "mask", range(2**63, 2**63 + 100)))
    assert name == "not allowed" and len(reason) == 1000
    assert reason.startswith("survivors") and "(9223372036854775808," in reason


COUNTS = [ClassCounts(ALL, Fraction(1, 4))]


@pytest.mark.claim("thm-messages")
def test_altered_messages_in_stages():
    """The same in a round that survives silent parties: at every stage, before the true message."""
    chance = random.Random(3)

    class Meddling(InProcess):
        def _deliver(self, number, name, message, respond):
            if number and name == "party 1":
                for _ in range(60):
                    spoilt = language.altered(message, chance, [b"", messages.write(language.NOTHING_ASKED)])
                    if spoilt == message:
                        continue
                    got = messages.read(respond(spoilt), Refusal, Said)
                    if type(got) is Said or got.name == "not allowed":  # another round, or this one is over for it
                        return None
            return super()._deliver(number, name, message, respond)

    for _ in range(12):
        f = federation(4, tolerate=1, missing=1, transport=Meddling())
        assert f.release(COUNTS)[0].tolist() in (
            topic.counted(range(4)).tolist(),
            topic.counted([1, 2, 3]).tolist(),
        )


def test_a_tree_that_survives_a_silent_party():
    """With nobody silent it is the tree without stages; with one, that of the others' rows."""
    rows = [[[10 + 20 * (k % 5), "ill" if k % 5 < 2 else "well"] for k in range(30)] for _ in range(3)]

    class Away(InProcess):
        def deliver(self, number, names, contents, endpoints):
            def away(message):
                raise ConnectionError

            ways = [away if number and name == "party 2" else way for name, way in zip(names, endpoints, strict=True)]
            return super().deliver(number, names, contents, ways)

    def tree(rows, **options):
        f = Federation([Party(part, AGE) for part in rows], AGE, Ledger(1), rng=ZeroWords(), **options)
        return fit_federated_tree(f, max_depth=1, min_samples_split=2), f

    plain, _ = tree(rows)
    staged, f = tree(rows, tolerate=1, missing=1)
    assert staged.root == plain.root and f.ledger.colluders == 0
    assert f.ledger.spent == 1
    without, _ = tree(rows, tolerate=1, missing=1, transport=Away())
    assert without.root == tree([rows[0], rows[2]])[0].root


def test_a_stage_comes_once_and_in_order():
    """What is passed on twice, too early, or for another round is refused, and nothing is counted for it."""
    seen = []

    class Twice(InProcess):
        def _deliver(self, number, name, message, respond):
            if number and name == "party 1" and messages.name_of(message).startswith("passed on"):
                got = messages.read(message, Passed)
                for wrong in (
                    got._replace(number=number + 1),
                    got._replace(stage="unmask"),
                    got._replace(session=bytes(32)),
                ):
                    seen.append(messages.read(respond(messages.write(wrong)), Refusal).name)
                answer = respond(message)
                seen.append(messages.read(respond(message), Refusal).name)
                return answer
            return super()._deliver(number, name, message, respond)

    f = federation(3, tolerate=1, missing=1, transport=Twice())
    assert f.release(COUNTS)[0].tolist() == topic.counted(range(3)).tolist()
    assert seen == ["another session", "malformed", "another session", "out of order"] * 4


@pytest.mark.parametrize("missing", [0, 1])
def test_channels_belong_to_their_session(missing):
    """The same key pairs in another session would seal with other keys."""
    setups = [Setup(4, missing=missing) for _ in range(2)]
    sessions = [setup.begin() for setup in setups]
    for setup, session in zip(setups, sessions, strict=True):
        message = messages.write(request(session, 1, QUARTER))
        assert answer_of(setup.endpoints[0], message).session == session.nonce
    if missing:
        assert key_for(bytes(32), "channel", sessions[0].nonce) != key_for(bytes(32), "channel", sessions[1].nonce)
        for k, endpoint in enumerate(setups[0].endpoints):
            expected = {j: key_for(key, "channel", sessions[0].nonce) for j, key in endpoint._shared.items()}
            assert endpoint._seat._channels == expected if k == 0 else not hasattr(endpoint, "_seat")
        assert setups[0].endpoints[0]._rules == Rules.for_missing(4, 1)


def test_a_stage_that_was_refused_ends_the_round_for_that_party():
    """It does not count and draw again: the right message comes too late; and the next round is answered."""
    f = federation(3, tolerate=1, missing=1)
    f.release(COUNTS)
    endpoint, nonce = f._endpoints[0].__self__, f._session.nonce
    written = write_queries(COUNTS, AGE)
    read(endpoint.respond(write(Request(nonce, 7, "", written))), Said)
    passed = write(Passed("announce", nonce, 7, ((9, bytes(32), bytes(32), bytes(64)),)))
    names = [read(endpoint.respond(passed), Refusal).name for _ in range(2)]
    assert names == ["not allowed", "out of order"]
    assert f.release(COUNTS)[0].tolist() == topic.counted([1, 2]).tolist()  # round 2 comes after round 7 for this party
