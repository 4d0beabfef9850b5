"""One step after another: what a ledger has booked and keeps, as it is now, in memory or in a file.

A step is one transaction. What is done within a step is a part of it: it is taken back alone if it fails, and stands or
falls with the whole otherwise. So a charge, what was asked for it and the answer are on the disk together, or not at
all; and whoever reads while a step is open, in the same thread, sees what it has booked so far.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from fdpedu import process
from fdpedu.accounting import booking
from fdpedu.accounting.booking import Books, InMemory, RegionTrees
from fdpedu.accounting.budget import Budget
from fdpedu.accounting.charge import Charge
from fdpedu.accounting.parameters import as_stated_integer
from fdpedu.domain import Domain
from fdpedu.exact import require_type, require_writable

if TYPE_CHECKING:
    from fdpedu.accounting.budget_file import BudgetFile


class Steps:
    """What a :class:`~fdpedu.accounting.Ledger` reads and writes, one step at a time."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._domain: Domain | None = None
        self._region_trees: RegionTrees = []
        self._lock = threading.RLock()  # an interrupt on leaving `with` must not lock out its own thread
        self._file: BudgetFile | None = None
        self._memory = InMemory()
        self._in_use: Books | None = None  # of the step in which this thread is
        self._upto: int | None = None  # the last round that is seen while rounds are stepped over
        self._session = ""  # whose rounds these are
        self._closed, self._made_in = False, process.this_process()

    def close(self) -> None:
        """End the use of a ledger in a file; a ledger in memory has nothing to end."""
        self._closed = self._file is not None

    @contextmanager
    def _books(self, begin: str = "BEGIN", *, synced: bool = True) -> Iterator[Books]:
        """The state as it is now, for one thread; of a file, for one process. A block that fails changes nothing."""
        if self._closed:
            raise ValueError("this ledger is closed: open its file again with Ledger.open(path)")
        if self._file is None:
            process.require_same_process(self._made_in, "this ledger", "share one in a file: Ledger.open(path, ε)")
        with self._held():
            before = self._region_trees, self._domain, self._upto
            try:
                with self._opened(begin, synced) as books:
                    yield books
            except BaseException:
                self._region_trees, self._domain, self._upto = before
                raise

    @contextmanager
    def _held(self) -> Iterator[None]:
        """The lock. A thread that has it anew is in no step, whatever an interrupt has kept from being put back."""
        anew = not self._lock._is_owned()  # type: ignore[attr-defined]  # as threading.Condition asks
        with self._lock:
            if anew:
                self._in_use = None
            yield

    @contextmanager
    def _opened(self, begin: str, synced: bool) -> Iterator[Books]:
        """The books, in a transaction of their own, or as a part of the one that this thread is in."""
        if self._in_use is not None:
            with self._in_use.part():
                yield self._in_use
        elif self._file is None:
            with self._memory.part():
                yield from self._using(self._memory)
        else:
            with self._file.transaction(begin, synced=synced) as books:
                self._catch_up(books)
                yield from self._using(books)

    def _using(self, books: Books) -> Iterator[Books]:
        self._in_use = books
        try:
            yield books
        finally:
            self._in_use = None

    def _catch_up(self, books: Any) -> None:
        if self._file is not None:
            now = booking.caught_up(books, self._region_trees, self._domain, self._budget, self._upto)
            self._region_trees, self._domain = now

    def _now(self) -> RegionTrees:
        """The charges of all processes so far."""
        if self._file is not None:
            with self._books():
                pass
        return self._region_trees

    @contextmanager
    def step(self) -> Iterator[None]:
        """For the length of a block, one step: all that is charged and kept in it, or nothing of it if the block fails.

        Of a ledger in a file it is one transaction, on the disk when the block has ended. Others wait meanwhile.

        >>> from fdpedu.accounting import Ledger
        >>> ledger = Ledger(1)
        >>> with ledger.step():
        ...     ledger.keep("one", b"1")
        ...     ledger.keep("two", b"2")
        >>> ledger.kept("two")
        b'2'
        """
        with self._books("BEGIN IMMEDIATE"):
            yield

    def require_no_step(self, what: str) -> None:
        """Refuse to let go of something within a step of this thread: if the step fails, its charge is taken back.

        Parameters
        ----------
        what : would leave, for the message
        """
        with self._held():  # so a step that is open is this thread's own
            if self._in_use is not None:
                raise ValueError(
                    f"{what} is not allowed within a step of its ledger: what is released there would be free if the "
                    "step failed; end the step first"
                )

    def kept(self, key: str) -> bytes | None:
        """What is kept under a key, beside the charges; None if nothing is."""
        require_type(key, str, "key")
        with self._books() as books:
            return books.kept(key)

    def keep(self, key: str, content: bytes) -> None:
        """Keep bytes under a key, in place of what was kept there before, which is overwritten; in the file, if any."""
        require_key(key, content)
        with self._books("BEGIN IMMEDIATE") as books:
            books.keep(key, as_bytes(content, "content"))

    def forget(self, beginning: str) -> None:
        """Overwrite what is kept under all keys that begin so; charges are never forgotten."""
        require_type(beginning, str, "beginning")
        with self._books("BEGIN IMMEDIATE") as books:
            books.forget(beginning)

    def replay(self, after: int, session: str) -> None:
        """Go back to how this ledger was after a round, and step over the rounds that a session has charged since.

        So a computation that is started again does what it did: it sees what was left then; each round that it charges
        is compared with the next one of the session in the file, is not charged again, and has the number that it had;
        and ``new_account`` names the account that it had. A differing round is refused. When all are stepped over,
        the ledger is as it is now, and charges.

        Parameters
        ----------
        after : the number of rounds when the computation began (``Ledger.rounds``)
        session : what entries of its rounds say as ``session`` (:attr:`fdpedu.federation.Federation.session`)
        """
        require_type(session, str, "session")
        after = as_stated_integer(after, "after", 0)
        if (there := booking.last_round(self._now())) < after or (self._file is None and there > after):
            raise ValueError(
                f"after must be a number of rounds that this ledger had, got {after}, and there are {there}: is it the "
                "ledger of this computation? (What a ledger in memory has charged cannot be stepped over.)"
            )
        if self._file is not None:
            with self._books() as books:
                self._region_trees, self._session = [], session
                self._see(books, after)

    def _step_over(self, books: Books, batch: Sequence[Charge], account: str) -> int:
        """The number of the round, if this computation has charged it before; 0 if it is to be charged."""
        if self._upto is None:
            return 0
        found = books.next_round_of(self._session, self._upto)
        if found is not None and (found.account, found.charges) != (account, tuple(batch)):
            raise ValueError(
                f"round {found.number} was charged by another computation than this one: it is not gone on with, and "
                "nothing is charged; begin anew"
            )
        self._see(books, self._upto if found is None else found.number)
        return 0 if found is None else found.number

    def _see(self, books: Books, number: int) -> None:
        """See the ledger as of a round, if the session has charged later ones; else as it is now."""
        self._upto = None if books.next_round_of(self._session, number) is None else number
        self._catch_up(books)


def require_key(key: object, content: object) -> None:
    """Refuse a key that is none, or one without anything to keep under it."""
    require_type(key, str, "key")
    require_writable(key, "key")
    if key and content is None:
        raise ValueError("key must come with an answer: it is what is kept under it")


def as_bytes(content: object, name: str) -> bytes:
    """What is kept is bytes."""
    require_type(content, bytes, name)
    return content  # type: ignore[return-value]
