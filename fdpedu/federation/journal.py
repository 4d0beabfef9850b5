"""The aggregator's journal: what it asked and what was answered, so that a fit that was killed is finished.

A file of lines, each one JSON object, for its owner alone (mode 0600). The first one, the head, says with which public
coins the fit draws, by which name books know its session, and how many rounds the ledger had before it. Then questions
and answers alternate, in order. Answers are written before the next question is sent, and after a round whose answers
were accepted; a question without them is *open*. A line that was half written is none.

Whoever starts the same fit again asks the same questions: answers come from the journal, the open question is sent once
more in the same bytes, and what follows is new. A question that differs is another fit's, and is refused. Parties
answer the same bytes with the same bytes and charge once (:class:`Site`); the aggregator's ledger steps over the rounds
that it has charged (``Ledger.replay``). A round that was lost because somebody was silent or refused is thus open, too.

Nothing in a journal is secret from the aggregator's owner: answers are masked, and coins are public.

Claims: lem-journal
"""

from __future__ import annotations

import base64
import json
import os
import secrets
import stat
import threading
import weakref
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from fdpedu.exact import as_integer
from fdpedu.federation.messages import is_of_this_version
from fdpedu.federation.transport import Respond, Transport, entered
from fdpedu.files import PROGRAM, FileRefused, Location, as_path, other_schema, read_object, reason, understood

try:
    import fcntl
except ModuleNotFoundError:  # not of this system
    fcntl = None  # type: ignore[assignment]

SCHEMA = "fdpedu-journal/1"
_ANOTHER = "give the command its first options again, or begin anew with another journal"


@dataclass(frozen=True)
class Question:
    """What was asked of whom, in one round: each party's message."""

    round: int
    names: tuple[str, ...]
    messages: tuple[bytes, ...]

    def to_json(self) -> dict[str, Any]:
        """As a line of the journal has it; what all are asked stands there once."""
        same = len(set(self.messages)) == 1
        written = [_text(message) for message in (self.messages[:1] if same else self.messages)]
        return {"round": self.round, "to": list(self.names), "messages": written}

    @classmethod
    def from_json(cls, line: dict[str, Any]) -> Question:
        names, messages = tuple(line["to"]), tuple(map(_bytes, line["messages"]))
        return cls(line["round"], names, messages * len(names) if len(messages) == 1 else messages)


class Journal:
    """The journal of one fit, in a file that this process holds alone; made if it is not there.

    Claims: lem-journal

    Parameters
    ----------
    path : of the file, on a local disk
    after : how many rounds the ledger has now; of a journal that is there, its own number counts

    Raises
    ------
    ValueError
        If the file is no journal, is damaged, or another process has it open.
    """

    def __init__(self, path: Location, after: int = 0) -> None:
        self.path, after = as_path(path), as_integer(after, "after", minimum=0)
        self._questions: list[Question] = []
        self._answers: list[list[bytes | None]] = []
        self._at, self._lock = 0, threading.Lock()
        self._pending: list[bytes | None] | None = None
        self._handle = self._opened()
        self._end = weakref.finalize(self, os.close, self._handle)
        try:
            self._begin(after)
        except ValueError:
            self.close()
            raise
        self.session, self.after = bytes.fromhex(self._head["session"]), int(self._head["after"])
        self.coins = np.random.default_rng(int(self._head["coins"], 16))

    def _begin(self, after: int) -> None:
        """Read what is there, or write the head."""
        lines = self._read()
        if hasattr(os, "fchmod"):  # a file that was there already may have been everybody's
            os.fchmod(self._handle, 0o600)
        if not lines:
            seeds = {"session": secrets.token_hex(32), "coins": secrets.token_hex(32)}
            self._head: dict[str, Any] = {"schema": SCHEMA, "program": PROGRAM, "after": after, **seeds}
            self._write(self._head)
        else:
            understood(f"the journal {self.path}", lambda: self._understand(lines))

    def __reduce__(self) -> Any:
        raise TypeError("a journal is neither copied nor pickled: it is written by one process")

    def __repr__(self) -> str:
        return f"Journal({os.fspath(self.path)!r}, {len(self._questions)} questions)"

    def close(self) -> None:
        """Let another process have it."""
        self._end()

    def _opened(self) -> int:
        try:
            handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0), 0o600)
        except OSError as error:
            raise ValueError(f"cannot write the journal {self.path}: {reason(error)}") from None
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            os.close(handle)
            raise ValueError(f"cannot write the journal {self.path}: it is no file; name a new one")
        try:
            if fcntl is not None:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(handle)
            raise ValueError(
                f"the journal {self.path} is in use: its fit runs in another process; wait for it, or stop it first"
            ) from None
        return handle

    def _read(self) -> list[dict[str, Any]]:
        """The lines that are whole; what was half written when the process was killed is taken away."""
        content = self.path.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        if not content.startswith(f'{{"schema": "{SCHEMA}"'.encode()[: len(content)]):
            text = content[:1000].decode("utf8", "replace").partition("\n")[0]
            stated = other_schema(read_object(text, str(self.path)), SCHEMA) if text.startswith("{") else "it is not"
            raise FileRefused(f"{self.path}: expected a journal with the schema {SCHEMA!r}, {stated}; name a new file")
        if len(whole) < len(content):
            os.ftruncate(self._handle, len(whole))
        return [read_object(line.decode("utf8"), str(self.path)) for line in whole.splitlines()]

    def _understand(self, lines: Sequence[dict[str, Any]]) -> None:
        self._head = lines[0]
        if (
            len(bytes.fromhex(self._head["session"] + self._head["coins"])) != 64
            or type(self._head["after"]) is not int
        ):
            raise ValueError("its head is not one of a journal")
        for line in lines[1:]:
            if "answers" in line:
                self._answers.append([None if text is None else _bytes(text) for text in line["answers"]])
            else:
                self._questions.append(Question.from_json(line))
            if not 0 <= len(self._questions) - len(self._answers) <= 1:
                raise ValueError("questions and answers do not alternate")
        for question, answers in zip(self._questions, self._answers, strict=False):
            if len(question.names) != len(answers) or len(question.messages) != len(answers):
                raise ValueError("a question has other numbers of messages and answers")

    def _write(self, *lines: dict[str, Any]) -> None:
        """On the disk, as far as the system says, when this returns."""
        text = "".join(json.dumps(line, ensure_ascii=True) + "\n" for line in lines).encode()
        whole = os.fstat(self._handle).st_size
        try:
            while text:
                text = text[os.write(self._handle, text) :]
            os.fsync(self._handle)
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(self._handle, whole)  # no half line
            raise ValueError(
                f"cannot write the journal {self.path}: {reason(error)}; make room, and start the same command again"
            ) from None

    def ask(self, question: Question) -> list[bytes | None] | None:
        """The answers to the next question, if the journal has them; else it is open now, and is to be sent.

        Raises
        ------
        ValueError
            If the journal has another question in this place.
        """
        with self._lock:
            at, self._at = self._at, self._at + 1
            if at < len(self._questions):
                if self._questions[at] != question:
                    self._at = at
                    self._require_version(self._questions[at])
                    raise ValueError(
                        f"the journal {self.path} is another fit's: its question {at + 1} is not the one that is asked "
                        f"now; {_ANOTHER}"
                    )
                return self._answers[at] if at < len(self._answers) else None  # or it is the open one
            if self._pending is None and len(self._answers) < len(self._questions):
                # whoever asked was interrupted, and goes on: nobody has heard an answer
                self._pending = [None] * len(self._questions[-1].names)
            self._answer(question.to_json())
            self._questions.append(question)
            return None

    def _require_version(self, question: Question) -> None:
        """Refuse messages that another fdpedu has written, which this one neither writes nor reads."""
        if not all(is_of_this_version(message) for message in question.messages):
            raise ValueError(
                f"the journal {self.path} has messages of another version of fdpedu: finish its fit with that one, or "
                "begin anew with another journal"
            )

    def note(self, answers: Sequence[bytes | None]) -> None:
        """What was answered to the open question; it is written when it is accepted, or when the next one is asked."""
        self._pending = list(answers)

    def accept(self) -> None:
        """The answers to the open question were what is due: write them."""
        with self._lock:
            self._answer()

    def _answer(self, *then: dict[str, Any]) -> None:
        """Write the answers that are yet to be written, if there are any, and what follows."""
        if self._pending is None:
            return self._write(*then)
        self._write({"answers": [None if one is None else _text(one) for one in self._pending]}, *then)
        self._answers.append(self._pending)
        self._pending = None


class Journaled:
    """A transport whose messages a journal keeps: what it has is not sent again.

    Parameters
    ----------
    transport : that carries the others; the record of all is its own
    journal : of this fit
    """

    def __init__(self, transport: Transport, journal: Journal) -> None:
        self._transport, self._journal = transport, journal
        self.manifest, self.requests = transport.manifest, transport.requests

    def gather(
        self, round_number: int, names: Sequence[str], request: bytes, endpoints: Sequence[Respond]
    ) -> list[bytes | None]:
        """Send the request of a round to every party, and collect the answers; or take them from the journal."""
        question = Question(round_number, tuple(names), (request,) * len(names))
        answers = self._journal.ask(question)
        if answers is None:
            answers = self._transport.gather(round_number, names, request, endpoints)
            self._journal.note(answers)
        else:
            self.requests[round_number] = request
            self._enter(question, answers)
        return answers

    def deliver(
        self, round_number: int, names: Sequence[str], messages: Sequence[bytes], endpoints: Sequence[Respond]
    ) -> list[bytes | None]:
        """Send each party its message, and collect what they answer; or take it from the journal."""
        question = Question(round_number, tuple(names), tuple(messages))
        answers = self._journal.ask(question)
        if answers is None:
            answers = self._transport.deliver(round_number, names, messages, endpoints)
            self._journal.note(answers)
        else:
            self._enter(question, answers)
        return answers

    def _enter(self, question: Question, answers: Sequence[bytes | None]) -> None:
        for name, message, answer in zip(question.names, question.messages, answers, strict=True):
            self.manifest.append(entered(question.round, "aggregator", name, message))
            if answer is not None:
                self.manifest.append(entered(question.round, name, "aggregator", answer))


def _text(message: bytes) -> str:
    return base64.b64encode(message).decode("ascii")


def _bytes(text: str) -> bytes:
    return base64.b64decode(text, validate=True)
