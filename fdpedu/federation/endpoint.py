"""A party's side of a federation: it reads bytes, answers bytes, and trusts no sender.

Every message is parsed strictly (:mod:`fdpedu.federation.messages`); one that may not come now is refused by name.
When a session begins, the party checks that it is a member, that its owner allows the other members, and that all of
them have signed their keys for this session. In a round it computes the digest of what it will execute, to which its
answer is bound. Its own ledger admits the round before it counts, adds its noise share and masks; charge and answer are
one step, on the disk before anything is sent.

A refusal is signed, and depends only on what is public: requests, limits, earlier charges. A message never raises.

Threat model: the sender may say anything, and may collude with as many parties as the noise withstands. Not
guaranteed: that a session has results.

Claims: thm-messages, thm-party-ledger
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any, Protocol, TypeVar

import numpy as np

from fdpedu.accounting import Budget, BudgetExceeded, Charge, Ledger
from fdpedu.accounting.cost import KINDS
from fdpedu.dlpa import count_noise_shares
from fdpedu.domain import Domain
from fdpedu.exact import Integers
from fdpedu.federation import messages
from fdpedu.federation.limits import Limits
from fdpedu.federation.manifest import entry_of
from fdpedu.federation.messages import (
    MAX_MESSAGE_BYTES,
    MAX_REQUEST_BYTES,
    NO_SESSION,
    Answer,
    Contribution,
    Contributions,
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
from fdpedu.federation.queries import Query, noisy, read_queries
from fdpedu.federation.queries.choices import Silent
from fdpedu.federation.records import Records
from fdpedu.federation.stages import Seat, rules_of
from fdpedu.process import require_same_process, this_process
from fdpedu.randomness import Source
from fdpedu.secure_sum import WORD, Identity, KeyPair, Masks, Occasion, encode, hashed, joint_nonce, key_for
from fdpedu.secure_sum.binding import VERSION, Binding, Canonical
from fdpedu.secure_sum.identity import Announcement, verify_announcements

MAX_NUMBERS = MAX_MESSAGE_BYTES // 8 - 2**10  # that one answer has
MAX_QUERIES = 2**12  # that one request has
T = TypeVar("T")


class Names(Protocol):
    """The names of sessions that a party has taken part in."""

    def __contains__(self, name: object, /) -> bool: ...
    def add(self, name: bytes, /) -> None: ...


class Endpoint:
    """One party in one session: it reads a message and writes an answer, bytes to bytes.

    Parameters
    ----------
    records : the party's rows, encoded
    domain : what is public
    source : of its noise
    identity : what it signs with
    limits : what its owner allows
    ledger : its own; None: a new one for this session, with the budget that the invitation names
    sessions : the names of those that the party has taken part in; that of this one is added
    nonce, pair : its part of the session's nonce, and its keys; new ones unless a site begins again where it was
    within_step : whether whoever asks it sends its answers only when a step of the ledger has ended, as a site does
    """

    def __init__(
        self,
        records: Records,
        domain: Domain,
        source: Source,
        identity: Identity,
        limits: Limits,
        ledger: Ledger | None = None,
        *,
        sessions: Names | None = None,
        nonce: bytes | None = None,
        pair: KeyPair | None = None,
        within_step: bool = False,
    ) -> None:
        self._within_step = within_step
        self._sessions: Names = set() if sessions is None else sessions
        self._records, self._domain, self._source = records, domain, source
        self._identity, self._limits, self.ledger = identity, limits, ledger
        self._made_in, self._lock = this_process(), threading.Lock()
        self._coming: tuple[type[Any], ...] = (Invitation,)
        self._nonce, self._pair = os.urandom(32) if nonce is None else nonce, KeyPair() if pair is None else pair
        self._session, self._last = NO_SESSION, 0
        self._answering: dict[type[Any], Callable[[Any], bytes]] = {
            Invitation: self._invited,
            Contributions: self._announce,
            SignedKeys: self._take_seat,
            Request: self._asked,
            Passed: self._passed,
        }

    def __repr__(self) -> str:
        return f"Endpoint(after round {self._last})"

    def __reduce__(self) -> Any:
        raise TypeError("an endpoint is neither copied nor pickled: the copy would use the same masks again")

    @property
    def identity(self) -> bytes:
        """The public half of what it signs with; the list of members is made of these."""
        return self._identity.public

    @property
    def last(self) -> int:
        """The number of the last round that it has answered; 0 before the first one."""
        return self._last

    def resume(self, number: int) -> None:
        """Go on after a round, in a process that has not answered it: it and those before are not answered again."""
        self._last = number

    def respond(self, message: bytes) -> bytes:
        """Answer a message, or refuse it; both signed.

        Claims: thm-messages
        """
        require_same_process(self._made_in, "this endpoint", "join a session here")
        with self._lock:
            try:
                got = messages.read(message, *self._coming, largest=MAX_REQUEST_BYTES)
                return self._answering[type(got)](got)
            except Refused as refused:
                name, reason = refused.name, refused.reason[:1000]
                return self._signed(Refusal(self._session, self._last, name, reason))

    def _signed(self, message: messages.Anything) -> bytes:
        return messages.write_signed(message, self._identity)

    # --- the beginning of a session -----------------------------------------------------------------------------------

    def _invited(self, got: Invitation) -> bytes:
        if got.domain != domain_digest(self._domain):
            raise Refused("not allowed", "the session is about another public domain")
        if got.members.count(self.identity) != 1 or len(set(got.members)) != len(got.members):
            raise Refused("not allowed", "each member stands on the list once, this party among them")
        # lem-party-coordinate: under one name there is one session, so that positions are those of one list
        if got.name in self._sessions:
            raise Refused("replayed", "this party has taken part in a session of this name")
        # thm-party-ledger: the owner has pinned all members
        self._limits.check_members(got.members, got.tolerate - got.missing)
        self._rules = _understood("not allowed", rules_of, len(got.members), got.tolerate, got.missing)
        self._index, self._invitation = got.members.index(self.identity), got
        if self.ledger is None:
            budget = _understood("not allowed", Budget.from_wire, got.budget)
            self.ledger = _understood(
                "not allowed", partial(Ledger.going_on, colluders=got.tolerate - got.missing), budget
            )
        self._require_measure(got.budget)
        promised = self._ask_ledger(lambda ledger: ledger.colluders or 0)
        if promised > got.tolerate - got.missing:
            raise Refused("not allowed", f"this party's ledger promises to withstand {promised} colluders")
        self._ask_ledger(lambda ledger: ledger.bind(self._domain))
        self._coming = (Contributions,)
        self._sessions.add(got.name)
        return self._signed(Contribution(self._nonce))

    def _require_measure(self, budget: Any) -> None:
        """Refuse a session in the measure that this party's own ledger has not: no charge would fit."""
        measure = self._ask_ledger(lambda ledger: ledger.measure)
        if measure != _understood("not allowed", Budget.from_wire, budget).measure:
            raise Refused(
                "not allowed", f"this party's own ledger is one of {KINDS[measure]}, and the session's is not"
            )

    def _announce(self, got: Contributions) -> bytes:
        members = self._invitation.members
        if len(got.nonces) != len(members) or got.nonces[self._index] != self._nonce:
            raise Refused("another session", "what this party has contributed is not in its place")
        self._session = joint_nonce((self._invitation.name, *got.nonces))
        own = self._identity.announce(self._session, self._pair.public, members)
        self._announcement, self._coming = own, (SignedKeys,)
        return self._signed(SignedKey(own.key, own.signature))

    def _take_seat(self, got: SignedKeys) -> bytes:
        members = self._invitation.members  # whom the owner allows, as was checked when they were invited
        if len(got.keys) != len(members):
            raise Refused("another session", f"{len(members)} members need as many keys, got {len(got.keys)}")
        announced = [
            Announcement(VERSION, self._session, identity, key, members, signature)
            for identity, (key, signature) in zip(members, got.keys, strict=True)
        ]
        self._binding = _understood("not allowed", verify_announcements, announced, members, self._announcement)
        others = [(j, key) for j, (key, _) in enumerate(got.keys) if j != self._index]
        self._shared = {j: _understood("not allowed", self._pair.shared_key, key) for j, key in others}
        self._masks = Masks(self._index, self._shared, session=self._session, identities=members)
        self._coming = (Request,)
        return self._signed(Seated(self._session))

    # --- rounds -------------------------------------------------------------------------------------------------------

    def _asked(self, got: Request) -> bytes:
        """Validate; charge, count, draw and mask in one step of the party's own ledger.

        Claims: thm-party-ledger
        """
        if got.session != self._session:
            raise Refused("another session", "the request is not of this session")
        # thm-messages: numbers grow, so no request is answered twice
        if got.number <= self._last:
            raise Refused("replayed", f"round {got.number} does not come after round {self._last}")
        queries = _understood("malformed", read_once, got.queries, self._domain)
        if len(queries) > MAX_QUERIES:
            raise Refused("oversized", f"a request has at most {MAX_QUERIES} queries, this one has {len(queries)}")
        for query in queries:
            self._limits.check_query(query)
        size = sum(query.size(self._domain) for query in queries)
        if size > MAX_NUMBERS:
            raise Refused("oversized", f"an answer has at most {MAX_NUMBERS} numbers, this one would have {size}")
        mine = tuple(query.asked_of(self._index) for query in queries)
        # thm-equivocation (a): computed from what this party will execute
        digest = digest_of(self._binding, got, self._invitation)
        before = self._last, self._coming
        self._last, self._coming = got.number, (Request,)  # from here on nothing is answered again under this number
        try:
            # thm-party-ledger: admitted by the party's own ledger before it counts, on the disk before it answers
            return self._charge(mine, got.account, partial(self._answer, got, mine, size, digest))
        except Refused as refused:
            if refused.name in ("over budget", "malformed"):  # nothing is charged; after another failure it may be
                self._last, self._coming = before
            raise

    def _answer(self, got: Request, mine: Sequence[Query], size: int, digest: bytes) -> bytes:
        """Count, draw and mask; or, in a round that survives silent parties, begin its first stage."""
        if self._invitation.missing:
            channels = {j: key_for(key, "channel", self._session) for j, key in self._shared.items()}
            seat = Seat(self._index, self._rules, self._identity, channels)
            occasion = Occasion(self._session, got.number, digest, self._invitation.members, size)
            self._seat, self._queries = seat, mine
            self._coming = (Request, Passed)
            return self._say("announce", seat.begin(occasion))
        mask = self._masks.draw(got.number, size, WORD, digest)
        words = encode(self._noisy(mine), mask).tobytes()
        return self._signed(Answer(self._session, got.number, digest, words))

    def _passed(self, got: Passed) -> bytes:
        """The next stage of a round that survives silent parties."""
        if (got.session, got.number) != (self._session, self._last):
            raise Refused("another session", f"what was passed on is not of round {self._last} of this session")
        stage, content = self._seat.go_on(got.stage, got.content, lambda: self._noisy(self._queries))
        return self._say(stage, content)

    def _say(self, stage: str, content: tuple[Any, ...]) -> bytes:
        return self._signed(Said(stage, self._session, self._last, content))

    def _charge(self, queries: Sequence[Query], account: str, answer: Callable[[], bytes]) -> bytes:
        """The answer, which is made while its charges are admitted and not yet on the disk; all in one step."""
        made: list[bytes] = []

        def make() -> bytes:
            made.append(answer())
            return made[0]

        def charged(ledger: Ledger) -> bytes:
            if not self._within_step:
                ledger.require_no_step("an answer")
            with ledger.step():
                if charges := self._charges(queries, ledger.colluders or 0):  # more would bind it for later sessions
                    ledger.charge(charges, account, asked=partial(self._entry, queries), answer=make)
                else:
                    make()
            return made[0]

        return self._ask_ledger(charged)

    def _charges(self, queries: Sequence[Query], promised: int) -> list[Charge]:
        charging = (partial(query.charge, n_noise_shares=self._n_noise_shares) for query in queries)
        given = self._domain, promised, self._source.kind
        return [
            _understood("malformed", charge, *given)
            for query, charge in zip(queries, charging, strict=True)
            if type(query) is not Silent
        ]

    def _entry(self, queries: Sequence[Query]) -> dict[str, Any]:
        """What its own ledger keeps as evidence: what it was asked itself, and with whom; it does not see a sum."""
        asked = [query for query in queries if type(query) is not Silent]
        members = [member.hex() for member in self._invitation.members]
        session, missing = self._invitation.name.hex(), self._invitation.missing
        shares = self._n_noise_shares
        return entry_of(asked, self._domain, members, session=session, shares=shares, missing=missing, own=True)

    def _ask_ledger(self, ask: Callable[[Ledger], T]) -> T:
        """Query the party's own ledger; hide the details of an error, which may name its file."""
        assert self.ledger is not None
        try:
            return ask(self.ledger)
        except BudgetExceeded as refusal:
            raise Refused("over budget", str(refusal)) from None
        except Refused:
            raise
        except ValueError:
            raise Refused("not allowed", "this party's ledger takes no charge; its owner can see why") from None

    def _noisy(self, queries: Sequence[Query]) -> Integers:
        """Exact counts, then noise: two steps that are never mixed."""
        return noisy(self._counts(queries), queries, self._domain, self._n_noise_shares, self._source)

    @property
    def _n_noise_shares(self) -> int:
        """How many shares make up the full noise."""
        return count_noise_shares(len(self._invitation.members), self._invitation.tolerate)

    def _counts(self, queries: Sequence[Query]) -> Integers:
        """The exact counts of all queries, one after the other."""
        rows = self._records.within(query.region for query in queries)
        parts = [query.tally(self._records, found, self._domain) for query, found in zip(queries, rows, strict=True)]
        return np.concatenate(parts)


@lru_cache(maxsize=4)  # parties in one process are asked the same
def read_once(form: bytes, domain: Domain) -> tuple[Query, ...]:
    """The queries of a request, if it is not so long that reading it is a risk."""
    messages.require_readable(form)
    return read_queries(form, domain)


@lru_cache(maxsize=16)
def domain_digest(domain: Domain) -> bytes:
    """The hash of bins, ranges, categories and classes: 32 bytes."""
    return hashed(domain.identity())


def digest_of(binding: Binding, request: Request, invitation: Invitation) -> bytes:
    """What answers are bound to: domain, modulus, what the noise withstands, account, and every query.

    Claims: thm-equivocation
    """
    executed: Canonical = {
        "domain": invitation.domain,
        "modulus": WORD,
        "tolerate": invitation.tolerate,
        "missing": invitation.missing,
        "account": request.account,
        "queries": request.queries,
    }
    return binding.digest(request.number, executed)


def _understood(name: str, attempt: Callable[..., T], *arguments: Any) -> T:
    """The result of ``attempt``, or its ValueError as a refusal of this name."""
    try:
        return attempt(*arguments)
    except Refused:
        raise
    except ValueError as refusal:
        raise Refused(name, str(refusal)) from None
