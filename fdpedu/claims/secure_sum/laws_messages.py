"""Checks of chapter 5: messages that are not what they should be, on their way to a party and back."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from fdpedu.claims.checking import require
from fdpedu.claims.secure_sum.laws_federation import (
    AGE,
    ALL,
    NOTHING_ASKED,
    Reply,
    Room,
    answer_of,
    counted,
    request,
)
from fdpedu.federation import ClassCounts, ClassHistogram, InProcess
from fdpedu.federation import messages as language
from fdpedu.federation.endpoint import digest_of
from fdpedu.federation.messages import Answer, Refusal, Refused, Request
from fdpedu.federation.queries import write_queries
from fdpedu.secure_sum import Identity, RoundLost, canonical, read_canonical

# --- messages that are not what they should be ------------------------------------------------------------------------


def altered(message: bytes, chance: random.Random, others: Sequence[bytes]) -> bytes:
    """Another message, made from this one in one of a dozen ways."""
    at = chance.randrange(len(message))
    ways: list[Callable[[], bytes]] = [
        lambda: message[:at] + bytes([message[at] ^ 1 << chance.randrange(8)]) + message[at + 1 :],
        lambda: message[:at],
        lambda: message[:at] + message[at + chance.randrange(1, 9) :],
        lambda: message[:at] + chance.randbytes(chance.randrange(1, 9)) + message[at:],
        lambda: message + chance.randbytes(chance.randrange(1, 9)),
        lambda: chance.randbytes(chance.randrange(40)),
        lambda: chance.choice(others),
        *[lambda: canonical(_with_another_field(read_canonical(message), chance))] * 6,
    ]
    return chance.choice(ways)()


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
    chance, room = random.Random(seed), Room(missing=0)
    endpoint, ledger = room.endpoints[0], room.ledgers[0]
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

    room.transport = Meddling()
    session = room.begin()
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


# --- answers that are not what is due ---------------------------------------------------------------------------------

FAULTS = (
    *("silent", "another's", "round before", "bit", "unsigned", "other session", "request"),
    *("shorter", "longer", "other number", "other digest"),  # signed by the party itself
)


def answers_checked(parties: int, k: int, fault: str) -> None:
    """With one wrong answer the round is lost, by the name of the party; else it has the sum."""
    other = Room(parties)
    elsewhere = other.begin()
    kept: dict[int, list[Reply]] = {}

    class Faulty(InProcess):
        def gather(
            self, round_number: int, names: Sequence[str], request: bytes, endpoints: Sequence[Callable[[bytes], bytes]]
        ) -> list[Reply]:
            answers = super().gather(round_number, names, request, endpoints)
            kept[round_number] = list(answers)
            if round_number == 2:
                answers[k] = _spoilt(answers, k, fault, kept[1], foreign, room.identities[k])
            return answers

    room = Room(parties)
    room.transport = Faulty()
    session = room.begin()
    query = ClassCounts(ALL, Fraction(1, 4))
    foreign = other.endpoints[k].respond(language.write(request(elsewhere, 2, query)))
    written = write_queries([query], AGE)
    respond = [endpoint.respond for endpoint in room.endpoints]
    first = session.ask(1, "", written, 2, respond)
    require(first.tolist() == counted(range(parties)).tolist(), f"the sum is {first}")
    try:
        found = session.ask(2, "", written, 2, respond)
    except RoundLost as lost:
        require(fault != "nothing" and f"'party {k}'" in str(lost), f"the round is lost so: {lost}")
        return
    require(fault == "nothing", f"a wrong answer ({fault}) of party {k} was added: {found}")
    require(found.tolist() == first.tolist(), f"the sum is {found}")


def _spoilt(
    answers: Sequence[Reply], k: int, fault: str, before: Sequence[Reply], foreign: bytes, identity: Identity
) -> Reply:
    own = answers[k] or b""
    got = language.read(own, Answer)

    def signed(**changed: Any) -> bytes:
        return language.write_signed(got._replace(**changed), identity)

    ways: dict[str, Callable[[], Reply]] = {
        "nothing": lambda: own,
        "silent": lambda: None,
        "another's": lambda: answers[k - 1],
        "round before": lambda: before[k],
        "shorter": lambda: signed(words=got.words[:-8]),
        "longer": lambda: signed(words=got.words + bytes(8)),
        "other number": lambda: signed(number=1),
        "other digest": lambda: signed(digest=bytes(32)),
        "bit": lambda: language.write(got._replace(words=bytes([got.words[0] ^ 1]) + got.words[1:])),
        "unsigned": lambda: language.write(got._replace(signature=bytes(64))),
        "other session": lambda: foreign,
        "request": lambda: language.write(Request(got.session, 2, "", b"")),
    }
    return ways[fault]()


def all_faults(most: int) -> Iterator[tuple[int, int, str]]:
    """Two to ``most`` parties, each of them, each way to answer wrongly."""
    for parties in range(2, most + 1):
        yield from product([parties], range(parties), ("nothing", *FAULTS))
