"""The messages of El Zein et al.'s protocol, counted: who sends what to whom, and how many bytes it has.

A secret sum takes two rounds in which each of N parties sends to each other one: first shares, then sums of shares. The
coordinator is told what it needs by one party, and instructs all N.

Claims: lem-shared-messages
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations
from types import MappingProxyType

from fdpedu.exact import as_integer, quoted

COORDINATOR = "coordinator"
_WORD = 4  # bytes of a node's number, or of another word of the coordinator's
_SUMS, _ORDERS, _REPORTS = "sums", "orders", "reports"  # 2N(N−1) messages; N from the coordinator; 1 to it

KINDS = MappingProxyType(
    {
        "continuous": (_ORDERS, _SUMS, _REPORTS, _ORDERS, _SUMS),
        "leaf": (_ORDERS, _SUMS, _REPORTS, _ORDERS, _SUMS),
        "deepest": (_ORDERS, _ORDERS, _SUMS),
        "categorical": (_ORDERS, _SUMS, _REPORTS, _ORDERS),
        "tie": (_SUMS,),
        "coin": (_SUMS,),
        "histograms": (_ORDERS, _SUMS, _REPORTS, _ORDERS),
        "depth": (_SUMS, _REPORTS),
        "stop": (_ORDERS,),
    }
)
"""What a node, or another step, is made of."""


def node_messages(n_parties: int, kind: str) -> int:
    """How many messages a step takes: 2N(N−1) for a secret sum, N for an order, 1 for a report.

    Claims: lem-shared-messages

    Parameters
    ----------
    n_parties : N ≥ 2
    kind : ``continuous``, ``categorical``; a ``leaf`` where no split has won, or one at full depth, ``deepest``;
        ``tie`` and ``coin`` come on top of a node; ``histograms``; ``depth`` and ``stop`` come once

    Examples
    --------
    >>> [node_messages(4, kind) for kind in ("continuous", "leaf", "categorical", "tie", "depth", "stop")]
    [57, 57, 33, 24, 25, 4]
    """
    n = as_integer(n_parties, "n_parties", minimum=2, maximum=2**16)
    if not isinstance(kind, str) or kind not in KINDS:
        raise ValueError(f"kind must be one of {', '.join(KINDS)}; got {quoted(kind)}")
    each = {_SUMS: 2 * n * (n - 1), _ORDERS: n, _REPORTS: 1}
    return sum(each[part] for part in KINDS[kind])


def wire_bytes(modulus: int, numbers: int) -> int:
    """How many bytes hold so many residues: ⌈log₂ q⌉ bits each.

    >>> wire_bytes(5, 31)  # 31 numbers of three bits
    12
    """
    return -(-numbers * max(1, (modulus - 1).bit_length()) // 8)


@dataclass(frozen=True)
class Traffic:
    """How many messages, and how many bytes they have together.

    >>> Traffic(2, 10) + Traffic(1, 4)
    Traffic(messages=3, bytes=14)
    """

    messages: int
    bytes: int

    @classmethod
    def of_sum(cls, n_parties: int, size: int) -> Traffic:
        """Of a secret sum of vectors that have so many bytes."""
        messages = 2 * n_parties * (n_parties - 1)
        return cls(messages, messages * size)

    def __add__(self, other: Traffic) -> Traffic:
        return Traffic(self.messages + other.messages, self.bytes + other.bytes)


@dataclass(frozen=True)
class Message:
    """A message as it travels: parties are numbers from 0, the coordinator has its name."""

    sender: int | str
    receiver: int | str
    kind: str
    bytes: int


@dataclass(frozen=True)
class Sum:
    """A secret sum: the kind of what is added up, and the bytes of a vector."""

    kind: str
    size: int

    def travel(self, n_parties: int) -> Iterator[Message]:
        """Shares from each party to each other, then sums of shares."""
        for what in ("shares", "sums"):
            for sender, receiver in permutations(range(n_parties), 2):
                yield Message(sender, receiver, f"{what} of {self.kind}", self.size)


@dataclass(frozen=True)
class Order:
    """What the coordinator tells all parties."""

    kind: str
    size: int = _WORD

    def travel(self, n_parties: int) -> Iterator[Message]:
        """One message a party."""
        for receiver in range(n_parties):
            yield Message(COORDINATOR, receiver, self.kind, self.size)


@dataclass(frozen=True)
class Report:
    """What one party tells the coordinator."""

    kind: str
    size: int = _WORD

    def travel(self, n_parties: int) -> Iterator[Message]:
        """From the first party."""
        yield Message(0, COORDINATOR, self.kind, self.size)


Step = Sum | Order | Report


def traffic_of(steps: list[Step], n_parties: int) -> Traffic:
    """All of them together."""
    each = {Sum: 2 * n_parties * (n_parties - 1), Order: n_parties, Report: 1}
    return sum((Traffic(each[type(s)], each[type(s)] * s.size) for s in steps), Traffic(0, 0))
