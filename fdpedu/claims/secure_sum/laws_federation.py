"""Checks of chapter 5: a federation whose aggregator, parties or network say what they should not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from fdpedu.accounting import Ledger
from fdpedu.claims.checking import require
from fdpedu.domain import Domain, Numeric
from fdpedu.exact import Integers
from fdpedu.federation import ClassCounts, ClassHistogram, Federation, InProcess, Limits, NodeHistograms, Party
from fdpedu.federation import messages as language
from fdpedu.federation.endpoint import Endpoint
from fdpedu.federation.messages import Answer, Refusal, Request
from fdpedu.federation.queries import Query, write_queries
from fdpedu.federation.session import Session
from fdpedu.randomness import ZeroWords
from fdpedu.secure_sum import Identity, RoundLost, decode_sum

AGE = Domain([Numeric.grid("age", 0, 100, bins=2)], ("well", "ill"))
ROWS = ([[10, "ill"], [60, "ill"], [70, "well"]], [[20, "well"]], [[90, "ill"], [5, "ill"]])
ALL, ONE = AGE.everything, Fraction(1)
NAMES = {
    *("malformed", "oversized", "another version", "out of order", "another session", "replayed", "not allowed"),
    *("over budget", "not signed"),
}
NOTHING_ASKED = Request(bytes(32), 1, "", b"")
Reply = bytes | None


class Room:
    """Parties without noise whose endpoints can be talked to past any aggregator; and one that has seated them."""

    def __init__(self, parties: int = 2, budget: int = 3, missing: int = 0, **own: Any) -> None:
        self.identities = [Identity.create() for _ in range(parties)]
        self.ledgers = [Ledger(budget) for _ in range(parties)]
        members = [
            Party(ROWS[k % len(ROWS)], AGE, ledger=ledger, identity=identity, **own)
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


# --- a cheating aggregator --------------------------------------------------------------------------------------------


def own_ledger(costs: Sequence[Fraction], budget: int, asked: Sequence[int]) -> None:
    """Past its aggregator, each party is asked what it likes: it counts only what its own ledger has charged before."""
    room = Room(budget=budget)
    session = room.begin()
    spent = [Fraction(0) for _ in room.endpoints]
    for number, (cost, k) in enumerate(zip(costs, asked, strict=True), 1):
        endpoint, ledger, seen = room.endpoints[k], room.ledgers[k], list[Fraction]()
        counts = endpoint._counts

        def watched(queries: Sequence[Query], counts: Any = counts, ledger: Ledger = ledger) -> Any:
            seen.append(ledger.spent)  # noqa: B023  # called in this turn of the loop only
            return counts(queries)

        endpoint._counts = watched  # type: ignore[method-assign]
        got = answer_of(endpoint, language.write(request(session, number, ClassCounts(ALL, cost))))
        endpoint._counts = counts  # type: ignore[method-assign]
        fits = spent[k] + cost <= budget
        require((type(got) is Answer) == fits, f"asked for {cost} after {spent[k]} of {budget}, it says {got}")
        spent[k] += cost if fits else 0
        require(ledger.spent == spent[k], f"its ledger says {ledger.spent}, answered is {spent[k]}")
        require(seen == [spent[k]] * fits, f"it counts when its ledger says {seen}")
        if not fits:
            require(got.name == "over budget" and got.number == endpoint._last, f"it refuses so: {got}")


def small_costs(most: int) -> Iterator[tuple[tuple[Fraction, ...], int, tuple[int, ...]]]:
    """All sequences of requests of 1/2 and 2/3 to either of two parties, whose owners allow 1."""
    for n in range(1, most + 1):
        for costs in product((Fraction(1, 2), Fraction(2, 3)), repeat=n):
            yield from ((costs, 1, asked) for asked in product((0, 1), repeat=n))


TRIED = (
    *("nobody pinned", "all pinned", "one is not pinned", "three at least", "two tolerated", "one tolerated"),
    "counts only",
)


def limits_hold(tried: str) -> None:
    """What an owner does not allow, the party does not do, whoever asks; and nothing is charged."""
    others = [Identity.create().public for _ in range(2)]
    pinned: dict[str, Callable[[Room], Limits]] = {
        "nobody pinned": lambda room: Limits(),
        "all pinned": lambda room: Limits(members=[one.public for one in room.identities]),
        "one is not pinned": lambda room: Limits(members=[room.identities[0].public, *others]),
        "three at least": lambda room: Limits(minimum=3),
        "two tolerated": lambda room: Limits(tolerate=2),
        "one tolerated": lambda room: Limits(tolerate=1),
        "counts only": lambda room: Limits(queries=[ClassCounts]),
    }
    room = Room()
    room.endpoints[0]._limits = pinned[tried](room)
    try:
        session = room.begin()
    except RoundLost as refusal:
        require(tried in ("one is not pinned", "three at least", "two tolerated"), f"it takes no part: {refusal}")
        require("not allowed" in str(refusal), f"it refuses so: {refusal}")
        return
    require(tried not in ("one is not pinned", "three at least", "two tolerated"), "it takes part")
    queries: list[Query] = [ClassCounts(ALL, ONE), ClassHistogram(ALL, Fraction(1, 2), 0), NodeHistograms(ALL, ONE)]
    for number, query in enumerate(queries, 1):
        got = answer_of(room.endpoints[0], language.write(request(session, number, query)))
        allowed = tried != "counts only" or type(query) is ClassCounts
        require((type(got) is Answer) == allowed, f"asked for {query.type}, it says {got}")
    require(room.ledgers[0].spent == (1 if tried == "counts only" else Fraction(5, 2)), "refused, and charged")


def old_session(parties: int) -> None:
    """What was said in an older session is none of this one: nonces, keys, requests."""
    rooms = [Room(parties) for _ in range(2)]
    rooms[1].endpoints = [
        Party(ROWS[k % 3], AGE, ledger=ledger, identity=identity).endpoint(ZeroWords())
        for k, (ledger, identity) in enumerate(zip(rooms[0].ledgers, rooms[0].identities, strict=True))
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
                got = answer_of(rooms[1].endpoints[rooms[1].names.index(name)], again)
                require(type(got) is Refusal, f"old {language.name_of(message)} are accepted")
            return super()._deliver(number, name, message, respond)

    rooms[0].transport, rooms[1].transport = Keeping(), Replaying()
    first, second = rooms[0].begin(), rooms[1].begin()
    require(first.nonce != second.nonce, "two sessions have one nonce")
    got = answer_of(rooms[1].endpoints[0], language.write(request(first, 1, ClassCounts(ALL, ONE))))
    require(type(got) is Refusal and got.name == "another session", f"a request of an old session: {got}")


def asked_otherwise(parties: int, alone: int, cost: Fraction) -> None:
    """One party is asked more than the others, or for less noise: what they answer adds up to no number at all."""
    room = Room(parties)
    session = room.begin()
    same, other = (request(session, 1, ClassCounts(ALL, epsilon)) for epsilon in (Fraction(1, 2), cost))
    words = []
    for k, endpoint in enumerate(room.endpoints):
        got = answer_of(endpoint, language.write(other if k == alone else same))
        words.append(np.frombuffer(got.words, dtype=np.uint64))
    counts = counted(range(parties))
    agree = decode_sum(words).tolist() == counts.tolist()  # by chance with a probability of 2⁻⁶⁴ a number
    require(agree == (cost == Fraction(1, 2)), f"the sum {'is' if agree else 'is not'} learnt")


def counted(parties: Sequence[int]) -> Integers:
    rows = [row for k in parties for row in ROWS[k % len(ROWS)]]
    return np.array([sum(label == name for _, label in rows) for name in AGE.classes])


# --- parties that fall silent -----------------------------------------------------------------------------------------


def silent_parties(parties: int, missing: int, completes: tuple[int, ...]) -> None:
    """Each party completes so many of the five stages: the exact sum of the survivors, or a lost round that is paid."""
    turns = dict.fromkeys(range(parties), 0)

    class Fading(InProcess):
        def _deliver(self, number: int, name: str, message: bytes, respond: Callable[[bytes], bytes]) -> Reply:
            k = int(name.split()[-1]) - 1
            if number:
                turns[k] += 1
                if turns[k] > completes[k]:
                    return None
            return super()._deliver(number, name, message, respond)

    members = [Party(ROWS[k % len(ROWS)], AGE) for k in range(parties)]
    federation = Federation(
        members, AGE, Ledger(1), transport=Fading(), tolerate=missing, missing=missing, rng=ZeroWords()
    )
    survivors = [k for k, done in enumerate(completes) if done >= 3]
    enough = min(len(survivors), sum(done >= 5 for done in completes)) >= parties - missing
    try:
        found = federation.release([ClassCounts(ALL, ONE)])[0]
    except RoundLost as lost:
        require(not enough, f"enough have answered, and the round is lost: {lost}")
    else:
        require(enough, f"too few have answered, and there is a sum: {found}")
        require(found.tolist() == counted(survivors).tolist(), f"the sum is {found}, of {survivors}")
    require(federation.ledger.spent == 1, f"charged is {federation.ledger.spent}")


def silent_patterns(most: int) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """Up to so many parties, one of which may be missing: all stages that each may complete."""
    for parties in range(3, most + 1):
        stages = (0, 1, 2, 3, 4, 5) if most > 3 else (0, 2, 3, 4, 5)
        yield from ((parties, 1, completes) for completes in product(stages, repeat=parties))
