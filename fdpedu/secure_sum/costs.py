"""What a secure sum costs, counted: messages, bytes, and how often one waits for everybody.

Three ways to the same sum, run on zeros in one process, and every message that would travel is counted with the bytes
that it really has. Pairwise masks and the recovery go through the aggregator, in a star; additive shares go from each
party to each other. A message that the aggregator passes on counts twice.

- *pairwise masks*: signed keys once a session; then one message a party and sum, as long as the numbers.
- *additive shares*: no keys, but K − 1 shares a party and sum, over channels that somebody else must keep secret (their
  keys are not counted).
- *masks with recovery*: five stages a sum, and secrets shared out anew for each.

All three hide the numbers of two or more honest parties from everybody else, up to their sum; only the third has a
result when somebody falls silent.

Guarantee: the counts are those of the shipped code. Arithmetic: integers. Not guaranteed: what a network adds.

Claims: lem-traffic
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np

from fdpedu.exact import Integers, as_integer
from fdpedu.secure_sum.additive import reconstruct, share
from fdpedu.secure_sum.binding import canonical
from fdpedu.secure_sum.collector import sum_with_dropouts
from fdpedu.secure_sum.identity import Identity, verify_announcements
from fdpedu.secure_sum.masks import KeyPair, decode_sum, encode, exchange
from fdpedu.secure_sum.messages import size_of
from fdpedu.secure_sum.modular import WORD, add_up
from fdpedu.secure_sum.rules import Rules


@dataclass(frozen=True)
class Traffic:
    """What travels, once a session and for every sum.

    Parameters
    ----------
    setup_messages, setup_bytes : once a session
    messages, bytes : for one sum
    rounds : for one sum, how often everybody waits for everybody
    colluders : how many parties, together with the aggregator, still learn the sum of the others only
    missing : how many parties may fall silent in a sum
    """

    setup_messages: int
    setup_bytes: int
    messages: int
    bytes: int
    rounds: int
    colluders: int
    missing: int


def count_messages(n_parties: int, size: int) -> Mapping[str, Traffic]:
    """The traffic of the three protocols, by name, for one sum of ``size`` numbers over ``n_parties``.

    Claims: lem-traffic

    Parameters
    ----------
    n_parties : K ≥ 3
    size : n ≥ 0

    Examples
    --------
    >>> {name: (traffic.messages, traffic.rounds) for name, traffic in count_messages(5, 100).items()}
    {'pairwise masks': (5, 1), 'additive shares': (25, 2), 'masks with recovery': (45, 5)}
    """
    size = as_integer(size, "size", minimum=0, maximum=10**8)
    n = as_integer(n_parties, "n_parties", minimum=3, maximum=1000)
    return {name: count(n, size) for name, count in _PROTOCOLS.items()}


def _pairwise(n: int, size: int) -> Traffic:
    announced = _announced(n)
    pairs = [KeyPair() for _ in range(n)]
    masks = [exchange(k, pair, [other.public for other in pairs]) for k, pair in enumerate(pairs)]
    answers = [encode(_zeros(size), own.draw(1, size)) for own in masks]
    assert not decode_sum(answers).any()
    sent = [answer.nbytes for answer in answers]
    return Traffic(*announced, len(sent), sum(sent), 1, n - 2, 0)


def _additive(n: int, size: int) -> Traffic:
    dealt = [share(_zeros(size), n) for _ in range(n)]
    sent = [dealt[k][j].nbytes for k, j in permutations(range(n), 2)]
    sums = [add_up([shares[k] for shares in dealt], WORD) for k in range(n)]
    assert not reconstruct(sums).any()
    published = [answer.nbytes for answer in sums]
    return Traffic(0, 0, len(sent) + n, sum(sent) + sum(published), 2, n - 2, 0)


def _recovery(n: int, size: int) -> Traffic:
    """With the most that may fall silent if nobody colludes and the aggregator lies: 2m < K."""
    rules = Rules.for_missing(n, (n - 1) // 2)
    sent: list[tuple[str, int, int]] = []

    def watch(stage: str, sender: int, message: Any) -> None:
        sent.append((stage, sender, size_of(message)))

    assert not sum_with_dropouts(np.zeros((n, size), dtype=np.int64), rules, watch=watch).any()
    up = {(stage, sender) for stage, sender, _ in sent}  # a party's boxes travel together
    of_stage = {stage: sum(nbytes for at, _, nbytes in sent if at == stage) for stage, _ in up}
    listed = len(canonical(tuple(range(n))))
    to_each = of_stage["announce"] + of_stage["agree"] + listed  # all keys, all signatures, the list of survivors
    down = n * to_each + of_stage["share"]  # and the boxes, each to its receiver: four messages to everybody
    return Traffic(
        *_announced(n), len(up) + 4 * n, sum(of_stage.values()) + down, 5, rules.colluders, n - rules.threshold
    )


def _announced(n: int) -> tuple[int, int]:
    """Messages and bytes of a session's beginning: signed keys to the aggregator, and all of them to everybody."""
    identities = [Identity.create() for _ in range(n)]
    members = [identity.public for identity in identities]
    announced = [identity.announce(bytes(32), KeyPair().public, members) for identity in identities]
    verify_announcements(announced, members, announced[0])
    sent = [len(canonical((*one.signed_fields(), one.signature))) for one in announced]
    return 2 * n, sum(sent) * (n + 1)


def _zeros(size: int) -> Integers:
    return np.zeros(size, dtype=np.int64)


_PROTOCOLS: Mapping[str, Callable[[int, int], Traffic]] = {
    "pairwise masks": _pairwise,
    "additive shares": _additive,
    "masks with recovery": _recovery,
}
