"""The aggregator's side: charge the round, ask the parties, add what comes back."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, suppress
from functools import partial
from itertools import count
from typing import Any

import numpy as np

from fdpedu.accounting import Ledger
from fdpedu.dlpa import count_noise_shares
from fdpedu.domain import Domain
from fdpedu.exact import Integers, as_integer, as_list, require_callable
from fdpedu.federation import messages
from fdpedu.federation.asker import Progress
from fdpedu.federation.endpoint import MAX_NUMBERS, MAX_QUERIES, read_once
from fdpedu.federation.journal import Journal, Journaled
from fdpedu.federation.manifest import Manifest, entry_of
from fdpedu.federation.members import journal_of, members_of, reached, require_signer, unused
from fdpedu.federation.party import Party
from fdpedu.federation.queries import DesignedSplit, Query, read_queries, write_queries
from fdpedu.federation.queries.closed_set import is_known, require_designers
from fdpedu.federation.session import Session
from fdpedu.federation.stages import rules_of
from fdpedu.federation.transcript import Transcript
from fdpedu.federation.transport import InProcess, Member, RemoteParty, Respond, Transport
from fdpedu.federation.turn import Turn
from fdpedu.files import Location
from fdpedu.process import require_same_process, this_process
from fdpedu.randomness import Rng, SystemSource, as_source
from fdpedu.secure_sum import STAGES, Identity, RoundLost


class Federation(AbstractContextManager["Federation"]):
    """Parties with a common domain and a common ledger.

    Parameters
    ----------
    parties : at least 2, all with this domain: each a :class:`Party`, which lives in this process, a
        :class:`RemoteParty`, or another member of one session, with ``identity`` and ``respond(bytes) -> bytes``
    domain : what is public, the same for all
    ledger : what may be spent; used from now on for this domain
    transport : :class:`InProcess` unless given
    tolerate : 0 ≤ c < K colluders or missing noise shares that the guarantee withstands; each honest party's share is
        larger; less ``missing``, it is at least what the ledger promises (``Ledger.colluders``)
    missing : how many of these may fall silent in a round without its being lost; costs five messages a party and round
        in place of one
    identity : the aggregator's, with which it signs whatever is for a :class:`RemoteParty`; needed where there is one
    journal : the path of a :class:`Journal`, by which a fit that was killed is finished when it is started again; then
        all parties live elsewhere
    rng : None for the operating system; a generator is for teaching, and warns

    Examples
    --------
    >>> from fdpedu.domain import Numeric
    >>> from fdpedu.federation import ClassCounts
    >>> from fdpedu.randomness import ZeroWords
    >>> domain = Domain([Numeric.grid("age", 0, 100, bins=4)], ("well", "ill"))
    >>> parties = [Party([[63, "ill"], [17, "well"]], domain), Party([[31, "ill"]], domain)]
    >>> federation = Federation(parties, domain, Ledger(1), rng=ZeroWords())  # a test: zero words, zero noise
    >>> [counts.tolist() for counts in federation.release([ClassCounts(domain.everything, "1/2")])]
    [[1, 2]]
    >>> federation.ledger.spent, federation.rounds
    (Fraction(1, 2), 1)
    """

    def __init__(
        self,
        parties: Sequence[Party | Member],
        domain: Domain,
        ledger: Ledger,
        *,
        transport: Transport | None = None,
        tolerate: int = 1,
        missing: int = 0,
        identity: Identity | None = None,
        journal: Location | None = None,
        rng: Rng = None,
    ) -> None:
        members = members_of(parties, domain, ledger)
        require_signer(members, identity)
        self._tolerate = as_integer(tolerate, "tolerate", minimum=0)
        self._missing = as_integer(missing, "missing", minimum=0)
        rules_of(len(members), self.tolerate, self.missing)
        source = as_source(rng)
        self._require_promised(ledger)
        self._domain, self._ledger = domain, ledger
        self.transport: Transport = InProcess() if transport is None else unused(transport)
        self._journal = None if journal is None else journal_of(members, journal, ledger)
        if self._journal is not None:
            self.transport = Journaled(self.transport, self._journal)
        kinds = [source.kind, *(party.randomness for party in members if isinstance(party, Party) and party.randomness)]
        self._randomness = next((kind for kind in kinds if kind != SystemSource.kind), SystemSource.kind)
        self.rounds = 0
        self._answered: dict[int, list[str]] = {}
        self._turn = Turn("federation")  # rounds are sent in the order of their numbers, or masks would be refused
        self._made_in = this_process()
        self._names = [f"{getattr(party, 'name', 'member')} {k + 1}" for k, party in enumerate(members)]
        seated = reached(members, source.spawn(len(members)), identity)
        self._endpoints = [member.respond for member in seated]
        self._away = [k for k, party in enumerate(members) if isinstance(party, RemoteParty)]
        try:
            self._session = self._begun(seated)
            self._accept()
        except BaseException:
            self._let_go()
            raise
        ledger.bind(domain)

    def _begun(self, seated: Sequence[Member]) -> Session:
        """Invite the parties; or begin again as the journal says."""
        return Session(
            self.transport,
            self._names,
            seated,
            self.domain,
            tolerate=self.tolerate,
            missing=self.missing,
            budget=self.ledger.total,
            begun=None if self._journal is None else self._journal.session,
        )

    def _require_promised(self, ledger: Ledger) -> None:
        """Refuse a ledger that promises to withstand more than the noise does."""
        if self.colluders < (ledger.colluders or 0):
            raise ValueError(
                f"the ledger promises to withstand {ledger.colluders} colluders, more than tolerate = {self.tolerate}"
                f"{f' less missing = {self.missing}' if self.missing else ''}; "
                f"make it with Ledger(…, colluders={self.colluders}), or raise tolerate"
            )

    def __enter__(self) -> Federation:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.close()
        else:
            self._let_go()  # whoever begins it again finds the session as it is

    def close(self) -> None:
        """End the session: a party elsewhere forgets its keys, and the journal is let go. Nothing is asked after it.

        A party that does not hear of it forgets them when it is invited to another session. Where the journal lacks the
        last answers, because the disk is full, nobody is told: they are asked for again when the fit is begun again.
        """
        with suppress(ValueError):
            self._accept()
            for k in self._away:
                self._session.take_leave(k, self._endpoints[k])
        self._let_go()

    def _let_go(self) -> None:
        if self._journal is not None:
            self._journal.close()

    def __repr__(self) -> str:
        return f"Federation({self.n_parties} parties, tolerate {self.tolerate}, {self.rounds} rounds, {self.ledger!r})"

    def __reduce__(self) -> Any:
        raise TypeError("a federation is neither copied nor pickled: the copy would use the same masks again")

    @property
    def domain(self) -> Domain:
        """What is public, the same for all parties."""
        return self._domain

    @property
    def ledger(self) -> Ledger:
        """What may be spent; a federation keeps the one that it was made with."""
        return self._ledger

    @property
    def tolerate(self) -> int:
        """How many colluders and missing parties the noise withstands."""
        return self._tolerate

    @property
    def missing(self) -> int:
        """How many parties may fall silent in a round without its being lost."""
        return self._missing

    @property
    def colluders(self) -> int:
        """How many colluders the guarantee withstands: those tolerated less those that may be missing."""
        return self._tolerate - self._missing

    @property
    def n_parties(self) -> int:
        return len(self._endpoints)

    @property
    def journal(self) -> Journal | None:
        """What it keeps of its messages; None unless it was asked to."""
        return self._journal

    @property
    def coins(self) -> np.random.Generator | None:
        """Public coins that are the same when a fit with a journal is started again; None without a journal."""
        return None if self._journal is None else self._journal.coins

    def _accept(self) -> None:
        """What was answered last is what is due: the journal keeps it."""
        if self._journal is not None:
            self._journal.accept()

    @property
    def session(self) -> str:
        """The name of its session, by which books and manifests know it: 32 random bytes, in hexadecimal digits."""
        return self._session.name.hex()

    @property
    def bytes_sent(self) -> int:
        """All bytes that crossed the transport, in both directions."""
        return sum(message.bytes for message in self.transport.manifest)

    @property
    def manifest(self) -> Manifest:
        """What crossed the transport so far; each request is shown as a party reads it.

        Claims: thm-manifest-complete
        """
        return Manifest.of(
            {"round": number, **self.entry(self._asked_in(request)), "answers": self._answered.get(number, [])}
            for number, request in self.transport.requests.items()
        )

    def entry(self, queries: Sequence[Query]) -> dict[str, Any]:
        """What a round that asks this has in a manifest; nobody has answered yet."""
        shares = count_noise_shares(self.n_parties, self.tolerate)
        # of all for whom it is meant
        return entry_of(queries, self.domain, self._names, session=self.session, shares=shares, missing=self.missing)

    def _entry_of_request(self, form: bytes) -> dict[str, Any]:
        return self.entry(read_once(form, self.domain))  # as a party reads it

    def last_answers(self) -> list[str]:
        """The parties whose numbers the sums of the last round hold; none if it was lost."""
        return self._answered.get(max(self.transport.requests, default=0), [])

    @property
    def transcript(self) -> Transcript:
        """Every message so far: who sent what to whom, how long it was, and what can be seen of it."""
        return Transcript(tuple(self.transport.manifest), self._describe)

    def _asked_in(self, request: bytes) -> Sequence[Query]:
        return read_queries(messages.read(request, messages.Request).queries, self.domain)

    def _describe(self, number: int) -> str:
        """What was asked in a round, in words."""
        asked = [query.describe(self.domain) for query in self._asked_in(self.transport.requests[number])]
        return "; ".join(f"{asked.count(what)} × {what}" for what in dict.fromkeys(asked))

    def release(
        self, queries: Sequence[Query], account: str = "", *, answered: Progress | None = None
    ) -> list[Integers]:
        """One round: the noisy sums that answer the queries, as int64 arrays in their shapes; charged to ``account``.

        Claims: thm-round, thm-answers-checked

        Parameters
        ----------
        queries : at least one, of the closed set of types
        account : that of one computation, as in :meth:`Ledger.charge`
        answered : called with the number of answers so far, and the number that are due

        Raises
        ------
        BudgetExceeded
            Before anything is drawn or sent; then nothing is charged either.
        ValueError
            Before anything is charged, if a query is none of the closed set or not of this domain, if there are too
            many, if the federation was made before this process was forked, or if this thread is in the midst of
            another round.
        RoundLost
            If a party is silent, refuses, or answers something else; what was charged stays charged. A party refuses
            what its own ledger does not admit, and that may hold other rounds than this one's.
        """
        require_same_process(self._made_in, "this federation", "make one here, from the parties")
        asked = as_list(queries, "queries")
        if not asked or not all(map(is_known, asked)):
            raise ValueError("a round needs at least one query, of the closed set of types")
        for query in asked:
            query.check(self.domain)
        form = write_queries(asked, self.domain)
        ends = np.cumsum([query.size(self.domain) for query in asked], dtype=np.int64)
        if ends[-1] > MAX_NUMBERS or len(asked) > MAX_QUERIES:
            limits = f"{MAX_QUERIES} queries and {MAX_NUMBERS} numbers"
            raise ValueError(f"a round has at most {limits}, got {len(asked)} and {ends[-1]}: ask in two rounds")
        _require_readable(form)
        if type(account) is not str or len(account) > 1000:
            raise ValueError("account must be a text of at most 1,000 characters")
        require_designers(asked, self.n_parties)
        shares = count_noise_shares(self.n_parties, self.tolerate)
        # lem-party-coordinate: positions mean parties of this session, and are booked under its name
        charges = [
            query.charge(self.domain, self.colluders, self._randomness, n_noise_shares=shares, session=self.session)
            for query in asked
        ]
        if answered is not None:
            require_callable(answered, "answered")
        messages_each = len(STAGES) if self.missing else 1
        respond = self._endpoints if answered is None else _counted(self._endpoints, answered, messages_each)
        with self._turn.taken():
            # thm-round: all are charged in one step, before any draw
            asked_for = partial(self._entry_of_request, form)
            number = self.ledger.charge(charges, account, asked=asked_for)  # what fails from here on has been paid for
            self.rounds += 1
            sums, present = self._session.ask(number, account, form, int(ends[-1]), respond)
            self._answered[number] = [self._names[k] for k in present]
            with suppress(ValueError):  # it is paid for: if nobody can write down who has answered, it is not lost
                self.ledger.note_answers(number, self._answered[number])
            with suppress(ValueError):  # nor is it lost if the disk is full: the next question says so
                self._accept()
        answers = [
            part.reshape(query.shape(self.domain)) for query, part in zip(asked, np.split(sums, ends[:-1]), strict=True)
        ]
        self._require_splits(asked, answers, number)
        return answers

    def _require_splits(self, asked: Sequence[Query], answers: Sequence[Integers], number: int) -> None:
        """A designer that is silent, or tells no split of the list, loses the round: 0 is no split."""
        for query, answer in zip(asked, answers, strict=True):
            if type(query) is DesignedSplit and not 1 <= int(answer[0]) <= query.exact_size(self.domain):
                raise RoundLost(
                    f"{self._names[query.designer]!r} tells no split in round {number}, which is lost (what was "
                    "answered stays charged)"
                )


def _require_readable(form: bytes) -> None:
    """Refuse queries that no party would read, before anything is charged."""
    try:
        messages.require_readable(form)
    except messages.Refused as refusal:
        raise ValueError(f"no party would read this round: {refusal.reason}; ask in two rounds") from None


def _counted(parties: Sequence[Respond], answered: Progress, messages_each: int) -> list[Respond]:
    """The same parties, which report after each answer how many there have been."""
    done = count(1)

    def counted(respond: Respond) -> Respond:
        def answer(request: bytes) -> bytes:
            reply = respond(request)
            answered(next(done), messages_each * len(parties))
            return reply

        return answer

    return [counted(respond) for respond in parties]
