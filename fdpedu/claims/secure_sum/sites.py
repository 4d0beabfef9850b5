"""A site answers each question once and pays for it once, whoever asks, and wherever its process is killed."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import suppress
from fractions import Fraction
from functools import partial
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from fdpedu.claims.checking import require
from fdpedu.claims.forks import Say, count_lines, in_child, require_fork
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.secure_sum.messages import AGE, ALL, request
from fdpedu.claims.sites import BUDGET, Drawing, Field, counted
from fdpedu.federation import ClassCounts, InProcess
from fdpedu.federation import messages as language
from fdpedu.federation.messages import Answer, Farewell, Left, Refusal, Said
from fdpedu.federation.session import Session
from fdpedu.federation.signed import SIGNATURE_BYTES, signed
from fdpedu.federation.site import Site
from fdpedu.secure_sum import Identity, decode_sum

COST = Fraction(1, 4)


def _asked(session: Session, number: int, cost: Fraction = COST) -> bytes:
    return language.write(request(session, number, ClassCounts(ALL, cost)))


# --- killed -----------------------------------------------------------------------------------------------------------


def _answering(field: Field, message: bytes, moment: int | None, say: Say) -> None:
    """A process of the first site, started anew, that answers and is killed at a line; 0: when the answer is out."""
    site, carried = field.site(0), field.carried(message)

    def answer() -> None:
        say(site.respond(carried).hex())
        if moment == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    lines = count_lines(answer, moment)
    if moment is None:
        say(f"{lines}")


def killed(moment: int) -> None:
    """However its process was killed, a site that is asked again answers, the same if it had answered; charged once.

    And what it answers fits what the others have answered: the sum is right.
    """
    with TemporaryDirectory() as folder:
        field = Field(folder)
        session = field.begin()
        message = _asked(session, 1)
        said, status = in_child(partial(_answering, field, message, moment))
        require(status == -signal.SIGKILL, f"the process was not killed: {said}, {status}")
        again = field.site(0)
        got = field.say(again, message)
        require(type(got) is Answer, f"killed at line {moment} and asked again, it says {got}")
        require(not said or said[0] == again.respond(field.carried(message)).hex(), "another answer to one question")
        require(again._ledger.rounds == 1 and again._ledger.spent == COST, f"charged is {again._ledger}")
        words = [np.frombuffer(one.words, dtype=np.uint64) for one in (got, field.say(field.sites[1], message))]
        found, right = decode_sum(words).tolist(), counted(2)
        require(found == right, f"the sum is {found}, and {right} are counted")


def moments(most: int) -> Iterator[tuple[int]]:
    """When the answer is out; and so many lines: half of them spread, half of them where the answer is kept."""
    require_fork()
    yield (0,)  # which leaves the caches filled, so that all children run through as many lines
    with TemporaryDirectory() as folder:
        field = Field(folder)
        said, _ = in_child(partial(_answering, field, _asked(field.begin(), 1), None))
    lines, half = int(said[-1]) - 20, most // 2
    yield from ((1 + lines * i // half,) for i in range(half))
    yield from ((lines - 8 * i,) for i in range(half))


# --- asked again ------------------------------------------------------------------------------------------------------

QUESTIONS = ("1", "2", "1 otherwise", "2 otherwise")
EVENTS = (*product(("one", "other"), QUESTIONS), ("anew", "1"), ("anew", "2"), ("anew", "1 otherwise"))
Order = tuple[tuple[str, str], ...]


def asked_again(first: tuple[str, str], most: int) -> None:
    """Of two processes on one file either is asked, or one that is started anew: together they are one site.

    Each number is answered once, never after a later one, with the same bytes each time, and charged when it is. All
    sequences of questions that begin with one are tried, one after the other, in one session.
    """
    with TemporaryDirectory() as folder:
        field = Field(folder, budget=10**6)
        session, processes = field.begin(), {"one": field.sites[0], "other": field.site(0)}
        orders = [(first, *then) for n in range(most) for then in product(EVENTS, repeat=n)]
        for k, order in enumerate(orders):
            _ask_in_order(field, session, processes, order, 2 * k)


def _ask_in_order(field: Field, session: Session, processes: dict[str, Site], order: Order, before: int) -> None:
    answered, last, at_first = dict[int, tuple[str, bytes]](), 0, processes["one"]._ledger.spent
    for who, what in order:
        number, cost = int(what[0]), COST / 2 if "otherwise" in what else COST
        process = processes[who] = field.site(0) if who == "anew" else processes[who]
        message, drawn = _asked(session, before + number, cost), Drawing.drawn
        reply = process.respond(field.carried(message))
        got = language.read(reply, Answer, Refusal)
        if number > last:
            require(type(got) is Answer, f"asked {what} by {who}, it says {got}")
            answered[number], last = (what, reply), number
        elif number == last and answered[number][0] == what:
            require(reply == answered[number][1], f"asked {what} again by {who}, it gives other bytes")
            require(Drawing.drawn == drawn, "it draws for a question that it has answered")
        else:
            require(type(got) is Refusal and got.name == "replayed", f"asked {what} after {last}, it says {got}")
        spent = sum(COST / 2 if "otherwise" in asked else COST for asked, _ in answered.values())
        require(process._ledger.spent == at_first + spent, f"{process._ledger} for the answers {sorted(answered)}")


def opened_again(missing: int) -> None:
    """At every message of the opening, and of each stage of two rounds, a site is started anew and asked once more.

    Within stages it is silent after a restart, and in the next round it is back; an older number is refused.
    """
    with TemporaryDirectory() as folder:
        field = Field(folder, 2 + 2 * missing, missing=missing)
        asked: list[bytes] = []

        class Again(InProcess):
            def _deliver(self, number: int, name: str, message: bytes, respond: Callable[[bytes], bytes]) -> bytes:
                reply = respond(message)
                k = int(name[-1])
                again = field.site(k).respond(field.carried(message))
                require(again == reply, f"site {k}, started anew, answers {language.name_of(message)} otherwise")
                if k == 0 and number:
                    asked.append(message)
                return reply

        session, size = field.begin(Again()), len(AGE.classes)
        for number in (1, 2):
            queries = request(session, number, ClassCounts(ALL, COST)).queries
            sums, _ = session.ask(number, "", queries, size, session._respond)
            require(sums.tolist() == counted(len(field.sites)), f"the sum of round {number} is {sums}")
        anew = field.site(0)
        for message in asked[: len(asked) // 2]:  # of round 1
            got = field.say(anew, message)
            require(type(got) is Refusal, f"after round 2, an older question gets {got}")
        require(anew._ledger.spent == 2 * COST, f"charged is {anew._ledger}")
        if missing:  # in the midst of a round: silent until the next one
            first = field.say(field.site(0), _asked(session, 3))
            got = field.say(field.site(0), language.Passed("announce", session.nonce, 3, ()))
            require(type(first) is Said and type(got) is Refusal, f"in the midst of a round it says {got}")


# --- strangers --------------------------------------------------------------------------------------------------------

STRANGE = ("nobody", "another", "cut off", "of another message", "changed", "the members'")


def strangers(how: str, kind: str) -> None:
    """What the agreed aggregator has not signed is answered by nothing, charges nothing, and ends no session."""
    with TemporaryDirectory() as folder:
        field = Field(folder)
        session = field.begin()
        invited = session._invitation._replace(name=bytes(32))
        message = {"invitation": language.write(invited), "queries": _asked(session, 1, BUDGET)}.get(kind, b"")
        message = message or language.write(Farewell(session.name))
        right, other = field.carried(message), field.carried(_asked(session, 2))
        carried = {
            "nobody": message,
            "another": signed(message, Identity.create()),
            "cut off": right[:-1],
            "of another message": other[:SIGNATURE_BYTES] + message,
            "changed": right[:-1] + bytes([right[-1] ^ 1]),
            "the members'": signed(message, field.identities[1]),
        }[how]
        replies: list[bytes] = []
        with suppress(ConnectionRefusedError):
            replies.append(field.sites[0].respond(carried))
        require(not replies, f"a message signed by {how} is answered: {replies}")
        require(field.sites[0]._ledger.rounds == 0, "it is charged")
        got = field.say(field.sites[0], _asked(session, 1))
        require(type(got) is Answer, f"then the session has ended: {got}")


# --- handed over ------------------------------------------------------------------------------------------------------


def handed_over(end: str, rounds: int) -> None:
    """During a session its keys stand sealed in the file; after it they do not, and nothing is left to be opened."""
    with TemporaryDirectory() as folder:
        field = Field(folder)
        session, site, sealed = field.begin(), field.sites[0], list[bytes]()
        for number in range(1, rounds + 1):
            field.say(site, _asked(session, number))
            sealed += [kept for key in ("site: opening", "site: round") if (kept := site._ledger.kept(key))]
        assert site._kept is not None
        secret = site._kept.private
        require(secret not in _bytes_of(field.folder), "the key stands in the file as it is")
        if end == "farewell":
            got = field.say(site, Farewell(session.name))
            require(got[:-1] == Left(session.name)[:-1], f"it leaves so: {got}")
            require(site.respond(field.carried(Farewell(session.name))) == language.write(got), "then otherwise")
        elif end == "another session":
            field.begin()
        else:
            site.end()
        left = _bytes_of(field.folder)
        found = [piece for one in sealed for piece in _pieces(one) if piece in left]
        require(not found, f"{len(found)} pieces of what was sealed are left in the file")
        got = field.say(field.site(0), _asked(session, rounds + 1))
        require(type(got) is Refusal, f"after its end the session goes on: {got}")
        got = field.say(field.site(0), session._invitation)
        require(type(got) is Refusal and got.name == "replayed", f"an old invitation begins anew: {got}")


def _bytes_of(folder: str) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(Path(folder).iterdir()))


def _pieces(content: bytes) -> list[bytes]:
    return [content[i : i + 32] for i in range(0, len(content) - 31, 32)]  # too long to stand there by chance


CLAIMS = (
    Claim(
        "thm-site",
        status="proved+checked",
        code=(
            "fdpedu.federation.signed.read_signed_by",
            "fdpedu.federation.site",
            "fdpedu.federation.site.Site",
            "fdpedu.federation.site.Site.respond",
        ),
        checks=(
            Check(
                "killed",
                "exact",
                "a site's process that is killed when its answer is out, and at {size} lines from the question to the "
                "answer: what the next process answers, what is charged, and the sum",
                killed,
                moments,
                24,
                200,
            ),
            Check(
                "asked again",
                "exhaustive",
                "all sequences of up to {size} questions, under two numbers, to two processes on one file or to one "
                "that is started anew: what is answered, drawn and charged",
                asked_again,
                lambda most: ((first, most) for first in EVENTS),
                2,
                3,
            ),
            Check(
                "opened again",
                "exact",
                "at each message of an opening and of two rounds, without and with a missing party, a process is "
                "started anew and asked the same",
                opened_again,
                lambda _: ((missing,) for missing in (0, 1)),
            ),
            Check(
                "strangers",
                "exact",
                "invitations, requests and farewells that the agreed aggregator has not signed, in six ways",
                strangers,
                lambda _: product(STRANGE, ("invitation", "queries", "farewell")),
            ),
            Check(
                "handed over",
                "exact",
                "the bytes of the file after a session of up to {size} rounds that has ended in three ways",
                handed_over,
                lambda most: product(("farewell", "another session", "its owner"), (1, most)),
                2,
                3,
            ),
        ),
        assumptions=(
            "no old copy of the file is put back; signatures are not forged; the disk keeps what it says it keeps",
            "the aggregator and whoever carries the messages may deviate from the protocol",
        ),
        uses=("thm-party-ledger", "thm-round", "thm-messages", "lem-filter", "asm-signatures"),
    ),
)

TWINS = (
    Broken(
        "sent before committed",
        "fdpedu.accounting.budget_file.Transaction.commit",
        'self._connection.execute("COMMIT")',
        'self._connection.execute("SELECT 1" if self._file.known[0] else "COMMIT")',
        "The disk is slow, and the answer is wanted: what stands in memory can be written while it is carried.",
        "thm-site",
        "killed",
    ),
    Broken(
        "charge and answer in two transactions",
        "fdpedu.federation.site.Site.respond",
        "with self._ledger.step():",
        "with self._ledger._lock:",
        "First the charge, then the answer: each of the two is on the disk before anything is sent.",
        "thm-site",
        "killed",
    ),
    Broken(
        "key pair new after a restart",
        "fdpedu.federation.site.Site._restarted",
        "KeyPair(self._kept.private)",
        "KeyPair()",
        "Keys belong in memory; a process that is started again makes its own.",
        "thm-site",
        "killed",
    ),
    Broken(
        "fresh noise for a repeated question",
        "fdpedu.federation.site.Site._answered",
        "return again",
        "self._kept, self._endpoint = replace(self._kept, number=self._kept.number - 1), None",
        "Whoever asks twice has two answers, and pays for both.",
        "thm-site",
        "asked again",
    ),
    Broken(
        "an older number answered after a restart",
        "fdpedu.federation.site.Site._restarted",
        "endpoint.resume(self._kept.number)",
        "endpoint.resume(0)",
        "The answers that are kept say what was asked before.",
        "thm-site",
        "asked again",
    ),
    Broken(
        "each process remembers for itself",
        "fdpedu.federation.site.Site._look",
        "if (opening, last) != self._seen:",
        "if self._kept is None:",
        "What this process has answered last is what the site has answered last.",
        "thm-site",
        "asked again",
    ),
    Broken(
        "the last answer to whatever is asked",
        "fdpedu.federation.site._Kept.answer_to",
        "dict(self.answers).get(question) if said is None else said",
        "next(iter(dict(self.answers).values()), None) if said is None else said",
        "After a crash the open question is asked again, so the last answer is the right one.",
        "thm-site",
        "asked again",
    ),
    Broken(
        "a message that nobody signed",
        "fdpedu.federation.signed.read_signed_by",
        "return message if is_signed(",
        "return message if signature or is_signed(",
        "The socket is reached by the aggregator only.",
        "thm-site",
        "strangers",
    ),
    Broken(
        "deleted rows left on the disk",
        "fdpedu.accounting.budget_connection.connect",
        "PRAGMA secure_delete = ON",
        "PRAGMA secure_delete = OFF",
        "A row that is deleted is gone.",
        "thm-site",
        "handed over",
    ),
    Broken(
        "keys kept for the next session",
        "fdpedu.federation.site.Site._leave",
        "self._forget()",
        "self._endpoint = None",
        "They are sealed, so they may lie there until they are replaced.",
        "thm-site",
        "handed over",
    ),
    Broken(
        "an old invitation begins anew",
        "fdpedu.federation.site._Names.add",
        'self._ledger.keep(_SESSION + name.hex(), b"")',
        "pass",
        "The session has ended, so its name is free.",
        "thm-site",
        "handed over",
    ),
)
