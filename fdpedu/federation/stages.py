"""Rounds that survive silent parties: the five stages of chapter 5, as messages of the federation.

At each stage a party says something, and the aggregator passes on what all have said. What each says is a tuple of the
messages of :mod:`fdpedu.secure_sum.messages`, written as tuples; both sides read them strictly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from fdpedu.dlpa import count_noise_shares
from fdpedu.exact import Integers
from fdpedu.federation.fields import (
    Field,
    all_are,
    each_is,
    has_shape,
    is_bytes,
    is_hash,
    is_number,
    is_signature,
)
from fdpedu.federation.messages import Refused, Signer
from fdpedu.secure_sum import STAGES, Box, Collector, Consent, Hello, Masked, Member, Occasion, Reveal, Rules, is_signed

_SHARES = each_is(is_number, is_bytes)
HELLO: tuple[Field, ...] = (is_number, is_hash, is_hash, is_signature)
BOX: tuple[Field, ...] = (is_number, is_number, is_bytes)
CONSENT: tuple[Field, ...] = (is_number, is_signature)
SAID: Mapping[str, tuple[type[Any], tuple[Field, ...]]] = {
    "announce": (Hello, HELLO),
    "share": (Box, BOX),
    "mask": (Masked, (is_number, is_bytes)),
    "agree": (Consent, CONSENT),
    "unmask": (Reveal, (is_number, _SHARES, _SHARES)),
}
PASSED: Mapping[str, Field] = {
    "announce": each_is(*HELLO),
    "share": each_is(*BOX),
    "mask": all_are(is_number),
    "agree": each_is(*CONSENT),
}


def rules_of(n_parties: int, tolerate: int, missing: int) -> Rules:
    """What is enough in each round: ``missing`` of the ``tolerate`` parties may be silent, the others may collude.

    Parameters
    ----------
    n_parties : K ≥ 2
    tolerate : less than K
    missing : at most ``tolerate``
    """
    count_noise_shares(n_parties, tolerate)
    if missing > tolerate:
        raise ValueError(
            f"the noise of a missing party is missing: tolerate must be at least missing, got {tolerate} and {missing}"
        )
    return Rules.for_missing(n_parties, missing, tolerate - missing)


class Seat:
    """A party in one round that survives silent parties.

    Parameters
    ----------
    index : its place among the members
    rules : of the session
    identity : what it signs with
    channels : for each other party, a key that only the two know
    """

    def __init__(self, index: int, rules: Rules, identity: Signer, channels: Mapping[int, bytes]) -> None:
        self._index, self._rules, self._identity, self._channels = index, rules, identity, channels
        self._said = ""

    def begin(self, occasion: Occasion) -> tuple[Any, ...]:
        """What it says at the first stage."""
        self._member = Member(self._index, self._rules, occasion, self._identity, self._channels)
        self._said = "announce"
        return (tuple(self._member.announce()),)

    def go_on(self, ended: str, content: tuple[Any, ...], values: Callable[[], Integers]) -> tuple[str, Any]:
        """The stage that follows on the one that has ended, and what the party says there.

        Parameters
        ----------
        ended : one of the stages but the last
        content : what the aggregator passes on
        values : called when the numbers are to be masked
        """
        if ended not in PASSED or not PASSED[ended](content):
            raise Refused("malformed", "what was passed on does not have the form of this stage")
        if ended != self._said:
            raise Refused("out of order", f"each stage comes once and in order; ended has {self._said or 'the round'}")
        self._said = ""  # if it fails now, the round is over for this party
        counted = values() if ended == "share" else None
        try:
            self._said, said = self._say(ended, content, counted)
            return self._said, said
        except ValueError as refusal:
            raise Refused("not allowed", str(refusal)) from None

    def _say(self, ended: str, content: tuple[Any, ...], counted: Integers | None) -> tuple[str, Any]:
        member = self._member
        if ended == "announce":
            return "share", tuple(map(tuple, member.share([Hello(*one) for one in content])))
        if counted is not None:
            index, words = member.mask(counted, [Box(*one) for one in content])
            return "mask", ((index, words.tobytes()),)
        if ended == "mask":
            return "agree", (tuple(member.agree(content)),)
        return "unmask", (tuple(member.unmask([Consent(*one) for one in content])),)


def read_said(stage: str, content: tuple[Any, ...], sender: int, occasion: Occasion) -> list[Any]:
    """What a party says at a stage of a round, as messages of chapter 5; only what it may say for itself.

    Raises
    ------
    Refused
        If it is not of this form, speaks for somebody else, or is not for this occasion.
    """
    kind, shape = SAID[stage]
    sound = all(has_shape(shape, one) and one[0] == sender for one in content)
    if not sound or (stage != "share" and len(content) != 1):
        raise Refused("malformed", f"a party says one thing for itself at the stage {stage!r}")
    if kind is Masked:
        return [Masked(sender, _words(content[0][1], occasion.size))]
    said = [kind(*one) for one in content]
    if kind is Hello and not _is_for(said[0], occasion):
        raise Refused("not signed", "the key is not signed for this round")
    return said


def _is_for(hello: Hello, occasion: Occasion) -> bool:
    identity = occasion.identities[hello.party]
    return is_signed(identity, hello.signature, "round key", occasion.binding, *hello[:3])


def _words(raw: bytes, size: int) -> Any:
    if len(raw) != 8 * size:
        raise Refused("malformed", f"{size} masked numbers have 8 bytes each, got {len(raw)} bytes")
    return np.frombuffer(raw, dtype="<u8").astype(np.uint64, copy=False)


def sum_of_survivors(
    collector: Collector,
    ask: Callable[[str, str, Mapping[int, tuple[Any, ...]]], Mapping[int, list[Any]]],
) -> tuple[Integers, tuple[int, ...]]:
    """The aggregator's side of all five stages: the sum, and the parties whose numbers are in it.

    Parameters
    ----------
    collector : of this round
    ask : called with a stage, the one that has ended (none at first), and what it has ended with, for each party that
        is still asked; it gives what those who have answered have said, by party
    """
    stages = ["", *STAGES]

    def said(contents: Mapping[int, Sequence[Any]]) -> list[Any]:
        ended, stage = stages.pop(0), stages[0]
        written = {k: tuple(map(_written, content)) for k, content in contents.items()}
        return [one for answer in ask(stage, ended, written).values() for one in answer]

    hellos = collector.hellos(said(dict.fromkeys(range(collector.rules.n_parties), ())))
    boxes = collector.boxes(said({hello.party: hellos for hello in hellos}))
    survivors = collector.survivors(said(boxes))
    consents = collector.consents(said({k: survivors for k in survivors}))
    return collector.total(said({consent.party: consents for consent in consents})), survivors


def _written(one: Any) -> Any:
    return one if type(one) is int else tuple(one)
