"""Transport: how messages travel, and the record of all that did.

Whoever carries messages need not be believed: what a party says is signed, what it is asked is signed where it lives
elsewhere, and masks are bound to what was asked. A carrier sees who is asked what, how long messages are, and when they
travel; of one answer nothing, and of all answers to a question their sum, as the aggregator does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from fdpedu.exact import require_callable
from fdpedu.federation.messages import name_of
from fdpedu.printable import require_printable

Respond = Callable[[bytes], bytes]
Head = bytes


class Member(Protocol):
    """A participant of one session, in this process or elsewhere: it has an identity, and answers bytes with bytes."""

    @property
    def identity(self) -> bytes:
        """The public half of what it signs with, 32 bytes."""
        ...

    def respond(self, message: bytes) -> bytes:
        """The signed answer to a message; an ``OSError`` if it is silent."""
        ...


class Message(NamedTuple):
    """One message: the round it belongs to, sender and receiver, what it is, its length in bytes, and how it begins."""

    round: int
    sender: str
    receiver: str
    kind: str
    bytes: int
    head: Head = b""


@dataclass(frozen=True)
class RemoteParty:
    """A party that lives elsewhere: it reads only what its aggregator has signed.

    Parameters
    ----------
    name : for messages
    identity : the public half of what it signs with, 32 bytes, as its owner has said it on another way
    respond : one message there and its answer back, bytes to bytes; an ``OSError`` if it is silent

    Examples
    --------
    >>> RemoteParty("north", bytes(32), lambda message: b"")
    RemoteParty('north')
    """

    name: str
    identity: bytes
    respond: Respond

    def __post_init__(self) -> None:
        if type(self.name) is not str or not self.name:
            raise ValueError(f"name must be a text, got {type(self.name).__name__}")
        require_printable(self.name, "name")
        if type(self.identity) is not bytes or len(self.identity) != 32:
            raise ValueError("identity must be 32 bytes, the public half of what the party signs with")
        require_callable(self.respond, "respond")

    def __repr__(self) -> str:
        return f"RemoteParty({self.name!r})"


class Reached(NamedTuple):
    """A member of a session by the way on which it is reached."""

    identity: bytes
    respond: Respond


class Transport(Protocol):
    """What carries messages, and records them: ``manifest`` has all, ``requests`` what was asked, by round.

    An answer of None stands for a party that is silent.
    """

    manifest: list[Message]
    requests: dict[int, bytes]

    def gather(
        self, round_number: int, names: Sequence[str], request: bytes, endpoints: Sequence[Respond]
    ) -> list[bytes | None]:
        """Send the request of a round to every party, and collect the answers; no round is sent twice."""
        ...

    def deliver(
        self, round_number: int, names: Sequence[str], messages: Sequence[bytes], endpoints: Sequence[Respond]
    ) -> list[bytes | None]:
        """Send each party its message, and collect what they answer."""
        ...


def entered(round_number: int, sender: str, receiver: str, message: bytes) -> Message:
    """What a record says of a message."""
    return Message(round_number, sender, receiver, name_of(message), len(message), message[:256])


class Recorded:
    """The record of one federation's messages: every one is entered in ``manifest``, before it is sent."""

    def __init__(self) -> None:
        self.manifest: list[Message] = []
        self.requests: dict[int, bytes] = {}

    def begin(self, round_number: int, request: bytes) -> None:
        """Enter what is asked in a round; no round is overwritten by another of its number."""
        if round_number in self.requests:
            raise ValueError(f"round {round_number} has been sent by this transport: give each ledger its own")
        self.requests[round_number] = request

    def enter(self, round_number: int, sender: str, receiver: str, message: bytes) -> None:
        """Enter one message."""
        self.manifest.append(entered(round_number, sender, receiver, message))


class InProcess(Recorded):
    """All parties in one process. Messages are real bytes, and every one is entered in ``manifest``, before it is sent.

    ``requests`` holds what was asked, by round. A transport serves one federation, whose record it is. A party is
    silent if its endpoint raises an ``OSError``, such as ``ConnectionError`` or ``TimeoutError``.
    """

    def gather(
        self, round_number: int, names: Sequence[str], request: bytes, endpoints: Sequence[Respond]
    ) -> list[bytes | None]:
        """Send the request to every party and collect the answers. No round is overwritten by another of its number.

        None stands for a party that is silent. Where a party refuses, those after it are not asked.
        """
        self.begin(round_number, request)
        answers: list[bytes | None] = []
        for name, respond in zip(names, endpoints, strict=True):
            answers.append(self._deliver(round_number, name, request, respond))
            if answers[-1] is not None and name_of(answers[-1]) == "refusal":
                break
        return answers + [None] * (len(names) - len(answers))

    def deliver(
        self, round_number: int, names: Sequence[str], messages: Sequence[bytes], endpoints: Sequence[Respond]
    ) -> list[bytes | None]:
        """Send each party its message, and collect what they answer; None for those that are silent."""
        return [
            self._deliver(round_number, name, message, respond)
            for name, message, respond in zip(names, messages, endpoints, strict=True)
        ]

    def _deliver(self, round_number: int, name: str, message: bytes, respond: Respond) -> bytes | None:
        self.enter(round_number, "aggregator", name, message)
        try:
            answer = respond(message)
        except OSError:
            return None
        self.enter(round_number, name, "aggregator", answer)
        return answer
