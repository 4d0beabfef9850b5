"""The aggregator's side of a session: it invites, passes on keys, asks, and checks every answer before it adds."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from fdpedu.accounting import Budget
from fdpedu.domain import Domain
from fdpedu.exact import Integers, Rational
from fdpedu.federation import messages
from fdpedu.federation.endpoint import digest_of, domain_digest
from fdpedu.federation.messages import (
    Answer,
    Contribution,
    Contributions,
    Farewell,
    Invitation,
    Passed,
    Refusal,
    Refused,
    Request,
    Said,
    Seated,
    SignedKey,
    SignedKeys,
)
from fdpedu.federation.stages import read_said, rules_of, sum_of_survivors
from fdpedu.federation.transport import Member, Respond, Transport, entered
from fdpedu.printable import one_line
from fdpedu.secure_sum import Collector, Occasion, RoundLost, decode_sum, joint_nonce
from fdpedu.secure_sum.binding import VERSION
from fdpedu.secure_sum.identity import Announcement, verify_announcements


class Session:
    """Parties that have accepted one another's keys, and the rounds that they are asked.

    Parameters
    ----------
    transport : carries the messages
    names : of the parties, for messages
    members : whose names these are, in order: each with an identity, and an answer to every message
    domain : what is public
    tolerate, missing : what the noise withstands, and how many parties of these may be silent
    budget : of the whole, which a party without a ledger of its own takes for its own
    begun : the name of a session that is begun again, 32 random bytes

    Raises
    ------
    ValueError
        If a party does not take part, with its reason.
    """

    def __init__(
        self,
        transport: Transport,
        names: Sequence[str],
        members: Sequence[Member],
        domain: Domain,
        *,
        tolerate: int,
        missing: int,
        budget: Budget | Rational,
        begun: bytes | None = None,
    ) -> None:
        self._transport, self._names, self._respond = transport, names, [member.respond for member in members]
        identities = tuple(member.identity for member in members)
        self._members, self._rules = identities, rules_of(len(identities), tolerate, missing)
        self.name = os.urandom(32) if begun is None else begun  # books know the session by it; the nonce is bound to it
        promised = Budget.of(budget).to_wire()
        self._invitation = Invitation(self.name, domain_digest(domain), identities, tolerate, missing, promised)
        nonces = tuple(reply.nonce for reply in self._begin(self._invitation, Contribution))
        self.nonce = joint_nonce((self.name, *nonces))
        keys = tuple((reply.key, reply.announced) for reply in self._begin(Contributions(nonces), SignedKey))
        announced = [
            Announcement(VERSION, self.nonce, identity, key, identities, signature)
            for identity, (key, signature) in zip(identities, keys, strict=True)
        ]
        self._binding = verify_announcements(announced, identities, announced[0])
        for name, reply in zip(names, self._begin(SignedKeys(keys), Seated), strict=True):
            if reply.session != self.nonce:
                raise RoundLost(f"{name!r} takes no part: it has its seat in another session")

    def take_leave(self, k: int, respond: Respond) -> None:
        """Say to a party that the session is over, once; whether it hears it is of no matter here."""
        message = messages.write(Farewell(self.name))
        self._transport.manifest.append(entered(0, "aggregator", self._names[k], message))
        with suppress(OSError):
            self._transport.manifest.append(entered(0, self._names[k], "aggregator", respond(message)))

    def _begin(self, message: Any, expected: type[Any]) -> list[Any]:
        """Send all parties the same message before the first round; the session fails unless all of them accept."""
        replies = self._transport.deliver(0, self._names, [messages.write(message)] * len(self._names), self._respond)
        return [self._read(k, reply, expected, "takes no part") for k, reply in enumerate(replies)]

    def _read(self, k: int, reply: bytes | None, expected: type[Any], otherwise: str) -> Any:
        """The reply of party k, if it is signed by that party and of the expected kind."""
        if reply is None:
            raise RoundLost(f"{self._names[k]!r} {otherwise}: it is silent")
        try:
            got = messages.read_signed(reply, self._members[k], expected, Refusal)
        except Refused as refused:
            raise RoundLost(f"{self._names[k]!r} {otherwise}: its answer is {refused}") from None
        if type(got) is Refusal:
            raise RoundLost(f"{self._names[k]!r} {otherwise}: it refuses, {one_line(got.name)}: {one_line(got.reason)}")
        return got

    def ask(
        self, number: int, account: str, queries: bytes, size: int, respond: Sequence[Respond]
    ) -> tuple[Integers, tuple[int, ...]]:
        """One round: the sums of the parties' noisy counts, ``size`` of them, and the parties whose counts these are.

        Claims: thm-answers-checked

        Parameters
        ----------
        number : of the round, larger than before
        account : what the parties' ledgers enter it under
        queries : in their one form
        size : how many numbers each answer has
        respond : by which the parties are asked

        Raises
        ------
        RoundLost
            If an answer is missing, refused, or not what is due. What was answered stays charged.
        """
        request = Request(self.nonce, number, account, queries)
        digest = digest_of(self._binding, request, self._invitation)
        if self._invitation.missing:
            return self._ask_in_stages(request, digest, size, respond)
        answers = self._transport.gather(number, self._names, messages.write(request), respond)
        if len(answers) != len(self._names):
            raise RoundLost(_missing(number, len(self._names), len(answers)))
        words = [self._words(k, answer, number, digest, size) for k, answer in enumerate(answers)]
        return decode_sum(words), tuple(range(len(words)))

    def _words(self, k: int, reply: bytes | None, number: int, digest: bytes, size: int) -> Any:
        """The masked numbers of party k, if they are its answer to this request, and as many as are due."""
        lost = f"does not answer in round {number}, which is lost (what was answered stays charged)"
        got = self._read(k, reply, Answer, lost)
        # thm-answers-checked: an answer counts only if it is to this very request, in this session
        if (got.session, got.number, got.digest) != (self.nonce, number, digest):
            raise RoundLost(f"{self._names[k]!r} {lost}: its answer is to another request")
        if len(got.words) != 8 * size:
            raise RoundLost(f"{self._names[k]!r} {lost}: {size} numbers are due, its answer has {len(got.words)} bytes")
        return np.frombuffer(got.words, dtype="<u8").astype(np.uint64, copy=False)

    def _ask_in_stages(
        self, request: Request, digest: bytes, size: int, respond: Sequence[Respond]
    ) -> tuple[Integers, tuple[int, ...]]:
        number = request.number
        occasion = Occasion(self.nonce, number, digest, self._members, size)
        first = messages.write(request)
        self._transport.requests[number] = first

        def ask(stage: str, ended: str, contents: Mapping[int, tuple[Any, ...]]) -> Mapping[int, list[Any]]:
            written = [
                messages.write(Passed(ended, self.nonce, number, content)) if ended else first
                for content in contents.values()
            ]
            names, ways = [self._names[k] for k in contents], [respond[k] for k in contents]
            replies = self._transport.deliver(number, names, written, ways)
            if len(replies) != len(contents):
                raise RoundLost(_missing(number, len(contents), len(replies)))
            said = {k: self._said(k, reply, occasion, stage) for k, reply in zip(contents, replies, strict=True)}
            return {k: content for k, content in said.items() if content is not None}

        try:
            return sum_of_survivors(Collector(self._rules, occasion), ask)
        except RoundLost:
            raise
        except (KeyError, ValueError) as wrong:  # shares that are missing, false, or of another's secret
            raise RoundLost(f"round {number} is lost: what parties have said does not fit together: {wrong}") from None

    def _said(self, k: int, reply: bytes | None, occasion: Occasion, stage: str) -> list[Any] | None:
        """The messages of party k at this stage; None if it counts as silent, because nothing valid came."""
        try:
            got = self._read(k, reply, Said, "")
            if (got.session, got.number, got.stage) == (self.nonce, occasion.number, stage):
                return read_said(stage, got.content, k, occasion)
        except (Refused, RoundLost):
            pass
        return None


def _missing(number: int, due: int, come: int) -> str:
    return f"round {number} is lost: {due} answers are due, {come} have come"
