"""A site: a party whose process may be killed at any time and started again, and that answers nothing twice.

A site has rows, an identity, and one file, its budget, in which its session stands too. Whatever one message causes is
one step of its ledger: under the lock of the file the round is admitted, counted and drawn, then charge and answer are
committed in one transaction, and only then is the answer sent. A process that is killed before has charged nothing and
sent nothing; after it, the same question gets the same bytes, from any process on that file.

What a session needs to go on (its part of the nonce, its keys, what was said in the opening, the answers of the last
round) is sealed under the site's identity, and overwritten when the session ends or another one begins. So a budget's
file that is handed over afterwards opens no mask, not even with the identity.

Threat model: whoever carries the messages may read, drop, repeat, reorder and invent them; the aggregator may ask what
it likes. Not covered: an old copy of the whole file put back.

Claims: thm-site
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, replace
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from fdpedu.accounting import Ledger
from fdpedu.exact import require_type
from fdpedu.federation import messages
from fdpedu.federation.endpoint import Endpoint
from fdpedu.federation.messages import (
    MAX_REQUEST_BYTES,
    NO_SESSION,
    Farewell,
    Left,
    Refusal,
    Refused,
    name_of,
)
from fdpedu.federation.party import Party
from fdpedu.federation.signed import read_signed_by
from fdpedu.process import require_same_process, this_process
from fdpedu.randomness import as_source
from fdpedu.secure_sum import Identity, KeyPair, canonical, fingerprint, read_canonical

_OPENING, _ROUND, _SESSION = "site: opening", "site: round", "site: session "  # keys in the budget's file
_SALT = 32  # bytes: each sealing has a key of its own, so its nonce is zero
_Said = tuple[tuple[bytes, bytes], ...]  # questions, or their hashes, and answers


@dataclass(frozen=True)
class _Kept:
    """What the file says of the session in which the site is."""

    nonce: bytes
    private: bytes  # of its key pair
    opening: _Said
    number: int = 0  # of the last round that was answered
    answers: _Said = ()  # what was said in it, by the hash of the question

    def answer_to(self, message: bytes) -> bytes | None:
        """The bytes that this very question got."""
        question = hashlib.sha256(message).digest()
        said = dict(self.opening).get(message)
        return dict(self.answers).get(question) if said is None else said

    def with_opening(self, message: bytes, answer: bytes) -> _Kept:
        return replace(self, opening=(*self.opening, (message, answer)))

    def with_answer(self, number: int, message: bytes, answer: bytes) -> _Kept:
        before = self.answers if number == self.number else ()
        return replace(self, number=number, answers=(*before, (hashlib.sha256(message).digest(), answer)))


class Site:
    """A party in a process of its own, on its budget's file: bytes that its aggregator has signed in, signed bytes out.

    Any number of processes may be sites on one file, one after the other or at the same time: they answer each question
    of a session once, and charge it once.

    Claims: thm-site

    Parameters
    ----------
    party : with a ledger in a file, its own identity, and limits
    aggregator : the identity of the one who may ask, 32 bytes, as its owner has compared it

    Raises
    ------
    ValueError
        If the party has no ledger in a file or no identity, or if others may read the file.

    Examples
    --------
    >>> import tempfile
    >>> from fdpedu.accounting import Ledger
    >>> from fdpedu.domain import Domain, Numeric
    >>> from fdpedu.federation import Limits
    >>> domain = Domain([Numeric.grid("age", 0, 100, bins=2)], ("well", "ill"))
    >>> own, other, aggregator = (Identity.create() for _ in range(3))
    >>> limits = Limits(members=[own.public, other.public], tolerate=1)
    >>> with tempfile.TemporaryDirectory() as folder, Ledger.open(f"{folder}/budget.db", 1) as ledger:
    ...     party = Party([[63, "ill"]], domain, ledger=ledger, limits=limits, identity=own)
    ...     Site(party, aggregator.public).respond(b"who is there?")
    Traceback (most recent call last):
    ConnectionRefusedError: the message is not signed by the agreed aggregator: it gets no answer
    """

    def __init__(self, party: Party, aggregator: bytes) -> None:
        require_type(party, Party, "party")
        if type(aggregator) is not bytes or len(aggregator) != 32:
            raise ValueError("aggregator must be an identity, 32 bytes, that the party's owner has compared")
        if party.ledger is None or party.ledger.path is None or party._identity is None:
            raise ValueError("party must have a ledger in a file, Ledger.open(path, ε), and an identity of its own")
        path = party.ledger.path
        if os.name == "posix" and path.stat().st_mode & 0o077:
            raise ValueError(f"{path} may be read by others than its owner: take their rights away (chmod 600), first")
        self._party, self._aggregator = party, aggregator
        self._ledger: Ledger = party.ledger
        self._identity: Identity = party._identity
        self._source = as_source(None) if party._source is None else party._source
        self._records = party.records()
        self._seen: tuple[bytes | None, bytes | None] = None, None  # what stood in the file
        self._kept: _Kept | None = None  # what that says
        self._endpoint: Endpoint | None = None  # as far as that
        self._made_in = this_process()

    def __repr__(self) -> str:
        return f"Site({self._party.name!r}, {fingerprint(self.identity)})"

    def __reduce__(self) -> Any:
        raise TypeError("a site is neither copied nor pickled: make one in each process, from its party")

    @property
    def identity(self) -> bytes:
        """The public half of what it signs with."""
        return self._identity.public

    def respond(self, carried: bytes) -> bytes:
        """Answer a message that its aggregator has signed, or refuse it; the answer is on the disk when this returns.

        Claims: thm-site

        Parameters
        ----------
        carried : as :func:`fdpedu.federation.signed.signed` gives it

        Raises
        ------
        ConnectionRefusedError
            If the aggregator has not signed it: a stranger hears nothing.
        ValueError
            If the site was made before this process was forked, or a step of its ledger is open in this thread.
        """
        require_same_process(self._made_in, "this site", "make one here, from its party")
        message = read_signed_by(self._aggregator, carried)
        if message is None:
            raise ConnectionRefusedError("the message is not signed by the agreed aggregator: it gets no answer")
        self._ledger.require_no_step("an answer")
        try:
            # thm-site: charge and answer are committed together
            with self._ledger.step():
                answer = self._answered(message)
        except ValueError:  # of the file: nothing of this step is in it
            self._endpoint = None
            return self._refuse("not allowed", "this party's ledger takes no charge; its owner can see why")
        except BaseException:
            self._endpoint = None
            raise
        return answer

    def end(self) -> None:
        """End the session for good, and overwrite what was kept for it: its owner may do so at any time."""
        with self._ledger.step():
            self._forget()

    # --- one step -----------------------------------------------------------------------------------------------------

    def _answered(self, message: bytes) -> bytes:
        self._look()
        # thm-site: the same question gets the same bytes
        if self._kept is not None and (again := self._kept.answer_to(message)) is not None:
            return again
        kind = name_of(message)
        if kind == "farewell":
            return self._leave(message)
        if kind == "invitation":
            return self._begin(message)
        endpoint = self._endpoint = self._endpoint or self._restarted()
        answer = endpoint.respond(message)
        if name_of(answer) == "refusal":
            if self._kept is None or endpoint.last != self._kept.number:  # it is ahead of what the file says
                self._endpoint = None
        elif self._kept is not None and endpoint.last:
            self._keep(self._kept.with_answer(endpoint.last, message, answer))
        elif self._kept is not None:
            self._keep(self._kept.with_opening(message, answer), opening=True)
        return answer

    def _begin(self, message: bytes) -> bytes:
        """A new session, if it is allowed; it ends the one before."""
        nonce, pair = os.urandom(32), KeyPair()
        endpoint = self._seated(nonce, pair, _Names(self._ledger))
        answer = endpoint.respond(message)
        if name_of(answer) != "refusal":
            self._forget()
            self._keep(_Kept(nonce, pair.private_bytes(), ((message, answer),)), opening=True)
            self._endpoint = endpoint
        return answer

    def _leave(self, message: bytes) -> bytes:
        try:
            name = messages.read(message, Farewell, largest=MAX_REQUEST_BYTES).name
        except Refused as refused:
            return self._refuse(refused.name, refused.reason)
        if self._kept is not None and messages.read(self._kept.opening[0][0], messages.Invitation).name == name:
            self._forget()
        return messages.write_signed(Left(name), self._identity)

    def _restarted(self) -> Endpoint:
        """Its side of the session that the file knows, as it was; unless its owner allows something else now."""
        if self._kept is None:
            return self._seated(None, None, _Names(self._ledger))
        endpoint = self._seated(self._kept.nonce, KeyPair(self._kept.private), set())
        if all(endpoint.respond(message) == answer for message, answer in self._kept.opening):
            # thm-site: an older number is not answered after a restart
            endpoint.resume(self._kept.number)
            return endpoint
        return self._seated(None, None, _Names(self._ledger))

    def _seated(self, nonce: bytes | None, pair: KeyPair | None, sessions: Any) -> Endpoint:
        party = self._party
        owner = self._identity, party._limits, self._ledger
        own: Any = {"sessions": sessions, "nonce": nonce, "pair": pair, "within_step": True}
        return Endpoint(self._records, party.domain, self._source, *owner, **own)

    def _refuse(self, name: str, reason: str) -> bytes:
        return messages.write_signed(Refusal(NO_SESSION, 0, name, reason[:1000]), self._identity)

    # --- what the file keeps ------------------------------------------------------------------------------------------

    def _look(self) -> None:
        """See what stands in the file; the endpoint is used on only if nobody else has answered meanwhile."""
        opening, last = (self._ledger.kept(key) for key in (_OPENING, _ROUND))
        if (opening, last) != self._seen:
            self._endpoint, self._kept = None, self._unsealed(opening, last)
            self._seen = opening, last

    def _unsealed(self, opening: bytes | None, last: bytes | None) -> _Kept | None:
        try:
            kept = None if opening is None else _Kept(*self._unseal(_OPENING, opening))
            return kept if kept is None or last is None else replace(kept, **dict(self._unseal(_ROUND, last)))
        except InvalidTag:  # of another identity: that session is nobody's
            return None

    def _keep(self, kept: _Kept, *, opening: bool = False) -> None:
        key = _OPENING if opening else _ROUND
        content: Any = (kept.nonce, kept.private, kept.opening)
        sealed = self._seal(key, content if opening else {"number": kept.number, "answers": kept.answers})
        self._ledger.keep(key, sealed)
        self._kept, self._seen = kept, (sealed, None) if opening else (self._seen[0], sealed)

    def _forget(self) -> None:
        """Overwrite what a session needs to go on."""
        for key in (_OPENING, _ROUND):
            self._ledger.forget(key)
        self._kept, self._seen, self._endpoint = None, (None, None), None

    def _seal(self, key: str, content: Any) -> bytes:
        salt = os.urandom(_SALT)
        cipher = ChaCha20Poly1305(self._identity.key_for(key, salt))
        return salt + cipher.encrypt(bytes(12), canonical(content), None)

    def _unseal(self, key: str, sealed: bytes) -> Any:
        cipher = ChaCha20Poly1305(self._identity.key_for(key, sealed[:_SALT]))
        return read_canonical(cipher.decrypt(bytes(12), sealed[_SALT:], None))


class _Names:
    """The names of all sessions that the site has taken part in, in its budget's file."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def __contains__(self, name: object) -> bool:
        assert isinstance(name, bytes)
        return self._ledger.kept(_SESSION + name.hex()) is not None

    def add(self, name: bytes) -> None:
        self._ledger.keep(_SESSION + name.hex(), b"")
