"""Messages that are not what they should be, on their way to a party and back."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from fdpedu.accounting import Ledger
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.domain import Domain, Numeric
from fdpedu.federation import ClassCounts, ClassHistogram, InProcess, Limits, Party
from fdpedu.federation import messages as language
from fdpedu.federation.endpoint import Endpoint, digest_of
from fdpedu.federation.messages import Answer, Refusal, Refused, Request
from fdpedu.federation.queries import Query, write_queries
from fdpedu.federation.session import Session
from fdpedu.gradients.packing import packed_trees, unpacked_trees
from fdpedu.randomness import ZeroWords
from fdpedu.secure_sum import Identity, canonical, read_canonical

AGE = Domain([Numeric.grid("age", 0, 100, bins=2)], ("well", "ill"))
ROWS = ([[10, "ill"], [60, "ill"], [70, "well"]], [[20, "well"]], [[90, "ill"], [5, "ill"]])
ALL, ONE = AGE.everything, Fraction(1)
NOTHING_ASKED = Request(bytes(32), 1, "", b"")
Reply = bytes | None

NAMES = {
    *("malformed", "oversized", "another version", "out of order", "another session", "replayed", "not allowed"),
    *("over budget", "not signed"),
}


class Setup:
    """Parties without noise whose endpoints can be talked to past any aggregator; and one that has seated them."""

    def __init__(self, parties: int = 2, budget: int = 3, missing: int = 0, **own: Any) -> None:
        self.identities = [Identity.create() for _ in range(parties)]
        self.ledgers = [Ledger(budget) for _ in range(parties)]
        pinned = Limits(members=[identity.public for identity in self.identities], tolerate=0)
        members = [
            Party(ROWS[k % len(ROWS)], AGE, ledger=ledger, limits=pinned, identity=identity, rng=ZeroWords(), **own)
            for k, (ledger, identity) in enumerate(zip(self.ledgers, self.identities, strict=True))
        ]
        self.endpoints = [member.endpoint(ZeroWords()) for member in members]
        self.transport, self.names = InProcess(), [f"party {k}" for k in range(parties)]
        self.missing = missing

    def begin(self) -> Session:
        return Session(
            self.transport,
            self.names,
            self.endpoints,
            AGE,
            tolerate=max(1, self.missing) if len(self.names) > 1 else 0,
            missing=self.missing,
            budget=Fraction(100),
        )


def request(session: Session, number: int, *queries: Query, account: str = "") -> Request:
    """A request of this session."""
    return Request(session.nonce, number, account, write_queries(queries, AGE))


def answer_of(endpoint: Endpoint, message: bytes) -> Any:
    """What a party answers, which is signed, whatever it was sent."""
    reply = endpoint.respond(message)
    kinds = [kind for kind, _ in language.KINDS.values() if "signature" in kind._fields]
    got = language.read_signed(reply, endpoint.identity, *kinds)
    require(type(got) is not Refusal or got.name in NAMES, f"it refuses without a known name: {got}")
    return got


def old_session(parties: int) -> None:
    """What was said in an older session is none of this one: nonces, keys, requests."""
    setups = [Setup(parties) for _ in range(2)]
    setups[1].endpoints = [
        Endpoint(seat._records, AGE, ZeroWords(), identity, seat._limits, seat.ledger)
        for seat, identity in zip(setups[0].endpoints, setups[0].identities, strict=True)
    ]
    old: list[bytes] = []

    class Keeping(InProcess):
        def _deliver(self, number: int, name: str, message: bytes, respond: Callable[[bytes], bytes]) -> Reply:
            old.append(message)
            return super()._deliver(number, name, message, respond)

    class Replaying(InProcess):
        def _deliver(self, number: int, name: str, message: bytes, respond: Callable[[bytes], bytes]) -> Reply:
            if language.name_of(message) in ("nonces", "signed keys"):
                again = next(one for one in old if language.name_of(one) == language.name_of(message))
                got = answer_of(setups[1].endpoints[setups[1].names.index(name)], again)
                require(type(got) is Refusal, f"old {language.name_of(message)} are accepted")
            return super()._deliver(number, name, message, respond)

    setups[0].transport, setups[1].transport = Keeping(), Replaying()
    first, second = setups[0].begin(), setups[1].begin()
    require(first.nonce != second.nonce, "two sessions have one nonce")
    got = answer_of(setups[1].endpoints[0], language.write(request(first, 1, ClassCounts(ALL, ONE))))
    require(type(got) is Refusal and got.name == "another session", f"a request of an old session: {got}")


def altered(message: bytes, chance: random.Random, others: Sequence[bytes]) -> bytes:
    """Another message, made from this one in one of a dozen ways."""
    ways: list[Callable[[], bytes]] = [
        *_spoiling(message, chance),
        lambda: chance.choice(others),
        *[lambda: canonical(_with_another_field(read_canonical(message), chance))] * 6,
    ]
    return chance.choice(ways)()


def _spoiling(message: bytes, chance: random.Random) -> list[Callable[[], bytes]]:
    """Ways to make other bytes: one is changed, some are left out or put in; or all are random."""
    at = chance.randrange(len(message))
    return [
        lambda: message[:at] + bytes([message[at] ^ 1 << chance.randrange(8)]) + message[at + 1 :],
        lambda: message[:at],
        lambda: message[:at] + message[at + chance.randrange(1, 9) :],
        lambda: message[:at] + chance.randbytes(chance.randrange(1, 9)) + message[at:],
        lambda: message + chance.randbytes(chance.randrange(1, 9)),
        lambda: chance.randbytes(chance.randrange(40)),
    ]


def _with_another_field(value: Any, chance: random.Random) -> Any:
    """The value with one thing in it changed, so that it still has a canonical form."""
    if type(value) is tuple and value and chance.random() < 0.85:
        at = chance.randrange(len(value))
        return (*value[:at], _with_another_field(value[at], chance), *value[at + 1 :])
    if type(value) is tuple:
        return chance.choice([(), value * 2, value[:-1], (*value, 1), value[::-1]])
    odd = [0, -1, 2**70, "", "x", b"", bytes(32), bytes(64), Fraction(1, 3), Fraction(-1), (), ((),), {}, {"a": 1}]
    near: dict[type, Callable[[], Any]] = {
        int: lambda: value + chance.choice([-1, 1]),
        bytes: lambda: value[:-1] + bytes([chance.randrange(256)]),
        str: lambda: value + "x",
        Fraction: lambda: value / 2,
    }
    return chance.choice([*odd, *[near[type(value)]() for _ in range(3) if type(value) in near]])


def mutated_messages(seed: int, each: int = 40) -> None:
    """Before each true message come ``each`` altered ones: each is refused by a name, or read as what it says."""
    chance, setup = random.Random(seed), Setup(missing=0)
    endpoint, ledger = setup.endpoints[0], setup.ledgers[0]
    others = [b"", language.write(language.SignedKeys(((bytes(32), bytes(64)),))), language.write(NOTHING_ASKED)]

    class Meddling(InProcess):
        def _deliver(self, number: int, name: str, message: bytes, respond: Callable[[bytes], bytes]) -> Reply:
            if name == "party 0":
                for _ in range(each):
                    spoilt = altered(message, chance, others)
                    if spoilt != message and not _is_another_offer(spoilt):
                        got = answer_of(endpoint, spoilt)
                        require(type(got) is Refusal, f"before any round it goes along with {spoilt!r}: {got}")
                others.append(message)
            return super()._deliver(number, name, message, respond)

    setup.transport = Meddling()
    session = setup.begin()
    spent, last = Fraction(0), 0
    for number in (1, 2):
        true = language.write(
            request(session, 10 * number, ClassCounts(ALL, Fraction(1, 100)), ClassHistogram(ALL, Fraction(1, 50), 0))
        )
        for _ in range(each):
            spoilt = altered(true, chance, others)
            got = answer_of(endpoint, spoilt)
            if type(got) is Refusal:
                require(ledger.spent == spent, f"refused, and charged: {got}")
                continue
            read = language.read(spoilt, Request)
            require(language.write(read) == spoilt, "two messages are read alike")
            require(got.number == read.number > last, f"round {read.number} is answered after round {last}")
            require(got.digest == digest_of(session._binding, read, session._invitation), "it answers something else")
            require(ledger.spent > spent, "it has answered, and not charged")
            spent, last = ledger.spent, read.number
        others.append(true)
        if last < 10 * number:
            got = answer_of(endpoint, true)
            require(type(got) is Answer, f"after altered messages the true one is refused: {got}")
            spent, last = ledger.spent, 10 * number
    require(ledger.spent <= ledger.budget, "more is spent than there was")


def _is_another_offer(message: bytes) -> bool:
    """An invitation and others' nonces may be what they like: a session begins otherwise then."""
    try:
        language.read(message, language.Invitation, language.Contributions)
    except Refused:
        return False
    return True


def packed_alike(seed: int, sizes: Sequence[int], each: int = 40) -> None:
    """Trees are read as they were packed; altered blocks are refused, or are those of the trees that are read."""
    chance = random.Random(seed)
    trees = [_random_tree(k, chance) for k in sizes]
    weightless = [(questions, ()) for questions, _ in trees]
    for some in (trees, weightless):
        blocks = packed_trees(some)
        require(unpacked_trees(blocks) == tuple(some), f"{some} are read as {unpacked_trees(blocks)}")
        for _ in range(each):
            other = [chance.choice(_spoiling(b, chance))() if chance.random() < 0.5 else b for b in blocks]
            if chance.random() < 0.2:
                other = [packed for tree in some for packed in packed_trees([tree])]
            try:
                read = unpacked_trees(other)
            except ValueError:
                continue
            require(list(packed_trees(read)) == other, f"two packings are read alike, as {read}")


def _random_tree(k: int, chance: random.Random) -> Any:
    """Questions that are cuts or any sets, of few features or many; weights of one to three bytes."""
    bits, features, most = chance.choice([2, 9, 256]), chance.choice([3, 256]), 2 ** chance.choice([3, 7, 15, 20])
    sets = (lambda: (1 << chance.randrange(bits + 1)) - 1, lambda: chance.getrandbits(bits))
    questions = tuple((chance.randrange(features), chance.choice(sets)()) for _ in range(k))
    return questions, tuple(chance.randint(-most, most) for _ in range(1 << k))


CLAIMS = (
    Claim(
        "thm-messages",
        status="proved+checked",
        code=(
            "fdpedu.federation.messages",
            "fdpedu.federation.messages.read",
            "fdpedu.federation.endpoint",
            "fdpedu.federation.endpoint.Endpoint.respond",
            "fdpedu.gradients.packing",
            "fdpedu.gradients.packing.packed_trees",
            "fdpedu.gradients.packing.unpacked_trees",
        ),
        checks=(
            Check(
                "altered messages",
                "property",
                "{size} sessions, in each 40 altered messages before every true one: refused by name, or read as what "
                "they say",
                mutated_messages,
                lambda s: s.st.tuples(s.st.integers(0, 10**9)),
                8,
                500,
                more=[(seed, 40) for seed in range(50)],
            ),
            Check(
                "old sessions",
                "exact",
                "2 to {size} parties: nonces, keys and requests of an older session",
                old_session,
                lambda most: ((n,) for n in range(2, most + 1)),
                3,
                6,
            ),
            Check(
                "packed trees",
                "property",
                "{size} random models with and without weights, packed and read, and 40 altered packings of each",
                packed_alike,
                lambda s: s.st.tuples(
                    s.st.integers(0, 10**9), s.st.lists(s.st.sampled_from((1, 2, 2, 3)), max_size=6).map(tuple)
                ),
                20,
                2000,
                more=[(seed, (2,) * 33 + (1,) * 2) for seed in range(20)],
            ),
        ),
        assumptions=("SHA-256 has no known collisions",),
        uses=("lem-canonical", "asm-signatures"),
    ),
)

TWINS = (
    Broken(
        "round numbers used again",
        "fdpedu.federation.endpoint.Endpoint._asked",
        "got.number <= self._last",
        "got.number < self._last",
        "The aggregator counts the rounds.",
        "thm-messages",
        "altered messages",
    ),
    Broken(
        "request of any session",
        "fdpedu.federation.endpoint.Endpoint._asked",
        "got.session != self._session",
        "len(got.session) != 32",
        "The connection is the session.",
        "thm-messages",
        "old sessions",
    ),
    Broken(
        "own nonce not looked for",
        "fdpedu.federation.endpoint.Endpoint._announce",
        "or got.nonces[self._index] != self._nonce",
        "",
        "The aggregator has no reason to leave a party's bytes out of the nonce.",
        "thm-messages",
        "old sessions",
    ),
    Broken(
        "blocks that are not compared",
        "fdpedu.gradients.packing._unpacked",
        "found is None or _block(found, n_scores) != block",
        "found is None",
        "Bytes that can be read are what was written.",
        "thm-messages",
        "packed trees",
    ),
    Broken(
        "blocks that end early",
        "fdpedu.gradients.packing.unpacked_trees",
        "len(one) < TREES and",
        "len(one) > TREES and",
        "Trees are the same, however they are divided.",
        "thm-messages",
        "packed trees",
    ),
    Broken(
        "weights without a sign",
        "fdpedu.gradients.packing._widened",
        '"<i8"',
        '"<u8"',
        "A byte is a number from 0 to 255.",
        "thm-messages",
        "packed trees",
    ),
)
