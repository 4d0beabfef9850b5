"""Transport: how messages travel, and the record of all that did."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from fdpedu.federation.messages import name_of

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


class InProcess:
    """All parties in one process. Messages are real bytes, and every one is entered in ``manifest``, before it is sent.

    ``requests`` holds what was asked, by round. A transport serves one federation, whose record it is. A party is
    silent if its endpoint raises an ``OSError``, such as ``ConnectionError`` or ``TimeoutError``.
    """

    def __init__(self) -> None:
        self.manifest: list[Message] = []
        self.requests: dict[int, bytes] = {}

    def require_unused(self) -> None:
        """Refuse to serve a second federation."""
        if self.manifest:
            raise ValueError("this transport serves another federation already: give each its own")

    def gather(
        self, round_number: int, names: Sequence[str], request: bytes, endpoints: Sequence[Respond]
    ) -> list[bytes | None]:
        """Send the request to every party and collect the answers. No round is overwritten by another of its number.

        None stands for a party that is silent. Where a party refuses, those after it are not asked.
        """
        if round_number in self.requests:
            raise ValueError(f"round {round_number} has been sent by this transport: give each ledger its own")
        self.requests[round_number] = request
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
        self._enter(round_number, "aggregator", name, message)
        try:
            answer = respond(message)
        except OSError:
            return None
        self._enter(round_number, name, "aggregator", answer)
        return answer

    def _enter(self, round_number: int, sender: str, receiver: str, message: bytes) -> None:
        head = message[:256]
        self.manifest.append(Message(round_number, sender, receiver, name_of(message), len(message), head))
