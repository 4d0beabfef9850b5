"""Transport: how requests and answers travel, and the manifest of everything that did."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple


class Message(NamedTuple):
    """One message: the round it belongs to, sender and receiver, what it is, and its length in bytes."""

    round: int
    sender: str
    receiver: str
    kind: str
    bytes: int


class InProcess:
    """All parties in one process. Messages are real bytes, and every one is entered in ``manifest``, before it is sent.

    ``requests`` holds what was asked, by round. A transport serves one federation, whose record it is.
    """

    def __init__(self) -> None:
        self.manifest: list[Message] = []
        self.requests: dict[int, bytes] = {}

    def publish_keys(self, names: Sequence[str], keys: Sequence[bytes]) -> None:
        """Round 0: every party's public key goes to everybody. Later there is no other federation's round 0."""
        if self.manifest:
            raise ValueError("this transport serves another federation already: give each its own")
        for name, key in zip(names, keys, strict=True):
            self.manifest.append(Message(0, name, "all", "public key", len(key)))

    def gather(
        self, round_number: int, names: Sequence[str], request: bytes, endpoints: Sequence[Callable[[bytes], bytes]]
    ) -> list[bytes]:
        """Send the request to every party and collect the answers. No round is overwritten by another of its number."""
        if round_number in self.requests:
            raise ValueError(f"round {round_number} has been sent by this transport: give each ledger its own")
        answers = []
        self.requests[round_number] = request
        for name, respond in zip(names, endpoints, strict=True):
            self.manifest.append(Message(round_number, "aggregator", name, "queries", len(request)))
            answer = respond(request)
            self.manifest.append(Message(round_number, name, "aggregator", "masked sums", len(answer)))
            answers.append(answer)
        return answers
