"""An aggregator that is sent wrong answers, or none."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from fdpedu.accounting import Ledger
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.secure_sum.messages import AGE, ALL, ONE, ROWS, Reply, Setup, request
from fdpedu.claims.secure_sum.party_ledger import counted
from fdpedu.federation import ClassCounts, Federation, InProcess, Party
from fdpedu.federation import messages as language
from fdpedu.federation.messages import Answer, Request
from fdpedu.federation.queries import write_queries
from fdpedu.randomness import ZeroWords
from fdpedu.secure_sum import Identity, RoundLost

# --- parties that fall silent -----------------------------------------------------------------------------------------


def silent_parties(parties: int, missing: int, completes: tuple[int, ...]) -> None:
    """Each party completes so many of the five stages: the exact sum of the survivors, or a lost round that is paid.

    The manifest names those, and only those, whose numbers are in the sum; of a lost round nobody.
    """
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
    (entry,), heard = federation.manifest.rounds, [f"party {k + 1}" for k in survivors if enough]
    require(entry["answers"] == heard, f"the manifest says that {entry['answers']} are in the sum, it is {heard}")


def silent_patterns(most: int) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """Up to so many parties, one of which may be missing: all stages that each may complete."""
    for parties in range(3, most + 1):
        stages = (0, 1, 2, 3, 4, 5) if most > 3 else (0, 2, 3, 4, 5)
        yield from ((parties, 1, completes) for completes in product(stages, repeat=parties))


# --- answers that are not what is due ---------------------------------------------------------------------------------
FAULTS = (
    *("silent", "another's", "round before", "bit", "unsigned", "other session", "request"),
    *("shorter", "longer", "other number", "other digest"),  # signed by the party itself
)


def answers_checked(parties: int, k: int, fault: str) -> None:
    """With one wrong answer the round is lost, by the name of the party; else it has the sum."""
    other = Setup(parties)
    elsewhere = other.begin()
    kept: dict[int, list[Reply]] = {}

    class Faulty(InProcess):
        def gather(
            self, round_number: int, names: Sequence[str], request: bytes, endpoints: Sequence[Callable[[bytes], bytes]]
        ) -> list[Reply]:
            answers = super().gather(round_number, names, request, endpoints)
            kept[round_number] = list(answers)
            if round_number == 2:
                answers[k] = _spoilt(answers, k, fault, kept[1], foreign, setup.identities[k])
            return answers

    setup = Setup(parties)
    setup.transport = Faulty()
    session = setup.begin()
    query = ClassCounts(ALL, Fraction(1, 4))
    foreign = other.endpoints[k].respond(language.write(request(elsewhere, 2, query)))
    written = write_queries([query], AGE)
    respond = [endpoint.respond for endpoint in setup.endpoints]
    first, present = session.ask(1, "", written, 2, respond)
    require(first.tolist() == counted(present).tolist() == counted(range(parties)).tolist(), f"the sum is {first}")
    try:
        found, _ = session.ask(2, "", written, 2, respond)
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


CLAIMS = (
    Claim(
        "thm-answers-checked",
        status="proved+checked",
        code=("fdpedu.federation.session.Session.ask", "fdpedu.federation.federation.Federation.release"),
        checks=(
            Check(
                "wrong answers",
                "exhaustive",
                "2 to {size} parties, each of them, eleven ways to answer wrongly: the round is lost by its name",
                answers_checked,
                all_faults,
                2,
                5,
            ),
            Check(
                "silent parties",
                "exhaustive",
                "3 to {size} parties, one of which may be missing: all stages at which each may fall silent",
                silent_parties,
                silent_patterns,
                3,
                4,
                more=lambda draw: draw.integers(1, 2).flatmap(
                    lambda t: draw.tuples(*map(draw.st.just, (3 + t, t)), draw.tuples(*[draw.integers(0, 5)] * (3 + t)))
                ),
            ),
        ),
        assumptions=("the aggregator follows the protocol", "signatures are not forged", "integers mod $R$"),
        uses=("thm-messages", "asm-signatures", "thm-private-sum", "thm-dropout-sum"),
    ),
)

TWINS = (
    Broken(
        "answer to another request added",
        "fdpedu.federation.session.Session._words",
        "(got.session, got.number, got.digest) != (self.nonce, number, digest)",
        "got.session != self.nonce",
        "What a party of this session has signed can be added.",
        "thm-answers-checked",
        "wrong answers",
    ),
    Broken(
        "unsigned answer added",
        "fdpedu.federation.messages.read_signed",
        'not is_signed(identity, got.signature, "message", _signed(got))',
        "not got.signature",
        "Nobody would send masked numbers in another's name.",
        "thm-answers-checked",
        "wrong answers",
    ),
    Broken(
        "whoever was asked has answered",
        "fdpedu.federation.federation.Federation.release",
        "[self._names[k] for k in present]",
        "[*self._names]",
        "A round that has a result has the answers of all.",
        "thm-answers-checked",
        "silent parties",
    ),
    Broken(
        "broadcast answer",
        "fdpedu.federation.session.Session._words",
        "len(got.words) != 8 * size",
        "len(got.words) % 8",
        "NumPy will complain if lengths differ.",
        "thm-answers-checked",
        "wrong answers",
    ),
)
