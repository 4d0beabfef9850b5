"""A ledger's file: an SQLite database on a local disk, in which a round stands before anything is drawn for it.

A round is one transaction. Others who want to write wait until it is over, so two processes share one budget. It is
committed with a write-ahead log and ``synchronous = FULL``: the system has said that the log is on the disk. A process
that is killed leaves the round whole or not at all. A connection lives for one transaction, and never across a fork.

What is read is checked: rounds are numbered without gaps, and each carries a digest of its content and of all before.

Not covered: that the disk keeps what it said it kept when power fails (that cannot be tried here); network disks, whose
locks cannot be relied on; an old copy of the file put back, which looks like the file at that time.
"""

from __future__ import annotations

import glob
import hashlib
import json
import os
import secrets
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from fdpedu.accounting.charge import Charge
from fdpedu.accounting.domain_text import domain_text, read_domain
from fdpedu.domain import Domain, Region

APPLICATION, VERSION = 0x66647062, 1  # of the file: "fdpb", and which tables it has
WAIT = 30.0  # seconds for which another process may hold the file
_TABLES = """
CREATE TABLE ledger (one INTEGER PRIMARY KEY CHECK (one = 1), name TEXT NOT NULL, budget TEXT NOT NULL, domain TEXT)
CREATE TABLE round (number INTEGER PRIMARY KEY, account TEXT NOT NULL, time TEXT NOT NULL, digest TEXT NOT NULL)
CREATE TABLE charge (round INTEGER NOT NULL REFERENCES round, place INTEGER NOT NULL, region TEXT NOT NULL, \
epsilon TEXT NOT NULL, query TEXT NOT NULL, mechanism TEXT NOT NULL, sensitivity INTEGER NOT NULL, \
claim TEXT NOT NULL, colluders INTEGER NOT NULL, randomness TEXT NOT NULL, releases INTEGER NOT NULL, \
PRIMARY KEY (round, place)) WITHOUT ROWID
""".strip().splitlines()
_REASONS = {
    "SQLITE_BUSY": f"another process has been using it for {WAIT:g} s; try again when it is done",
    "SQLITE_FULL": "the disk is full, or the file may not grow",
    "SQLITE_READONLY": "it cannot be written",
    "SQLITE_NOTADB": "it is no budget file",
    "SQLITE_CORRUPT": "it is damaged",
}


class LastCharge(NamedTuple):
    """Number and time (UTC) of a round."""

    round: int
    time: datetime


class Round(NamedTuple):
    """A round as the file holds it; ``digest`` is that of its content and of all rounds before it."""

    number: int
    account: str
    time: str
    charges: tuple[Charge, ...]
    digest: str


@dataclass
class BudgetFile:
    """The file at an absolute path; ``known`` are number and digest of the last round that was read or written."""

    path: str
    known: tuple[int, str] = (0, "")

    @classmethod
    def at(cls, path: str | os.PathLike[str]) -> BudgetFile:
        """The file, whether or not it is there."""
        return cls(os.path.realpath(os.fspath(path)))

    def create(self, budget: Fraction, domain: Domain | None) -> None:
        """Make the file, for its owner alone; FileExistsError if there is one.

        It is made under another name and gets its own when it is whole, so a file that is half made is never opened.
        """
        text = None if domain is None else domain_text(domain)
        folder, name = os.path.split(self.path)
        making = os.path.join(folder, f".{name}.{secrets.token_hex(8)}.making")
        with _explained(self.path):
            try:
                os.close(os.open(making, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
                _fill(making, budget, text)
                os.link(making, self.path)
            finally:
                for end in ("", "-wal", "-shm", "-journal"):
                    with suppress(FileNotFoundError):
                        os.unlink(making + end)
            _sync(folder)

    @contextmanager
    def transaction(self, begin: str = "BEGIN") -> Iterator[Transaction]:
        """Read, and with ``BEGIN IMMEDIATE`` write, as if nobody else did; what is not committed is taken back."""
        with _explained(self.path), closing(_connect(self.path)) as connection:
            connection.execute(begin)
            try:
                yield Transaction(self, connection)
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")


class Transaction:
    """An open transaction on a budget file."""

    def __init__(self, file: BudgetFile, connection: sqlite3.Connection) -> None:
        self._file, self._connection = file, connection
        number, digest = file.known
        if number and self._digest_of(number) != digest:
            raise ValueError(f"round {number} is not as it was read before: another or an older file was put in place")

    def budget(self) -> Fraction:
        return Fraction(self._one("SELECT budget FROM ledger")[0])

    def domain(self) -> Domain | None:
        """The domain that was named, if one was."""
        (text,) = self._one("SELECT domain FROM ledger")
        return None if text is None else read_domain(text)

    def name_domain(self, domain: Domain) -> None:
        """Keep the domain, for good."""
        self._connection.execute("UPDATE ledger SET domain = ? WHERE domain IS NULL", (domain_text(domain),))
        self._connection.execute("COMMIT")

    def last_charge(self) -> LastCharge | None:
        row = self._connection.execute("SELECT number, time FROM round ORDER BY number DESC LIMIT 1").fetchone()
        return None if row is None else LastCharge(row[0], datetime.fromisoformat(row[1]))

    def rounds(self, after: int) -> list[Round]:
        """The rounds after a number, each as its digest says."""
        digest, found = self._digest_of(after), list[Round]()
        heads = self._all("SELECT number, account, time, digest FROM round WHERE number > ? ORDER BY number", after)
        rows = self._all("SELECT * FROM charge WHERE round > ? ORDER BY round, place", after)
        charges = {number: [*of_round] for number, of_round in groupby(rows, key=lambda row: row[0])}
        for number, account, when, stated in heads:
            digest = _digest(digest, (number, account, when), charges.get(number, []))
            if digest != stated or number != after + 1 + len(found):
                raise ValueError(f"round {number} is damaged: it is not what its digest says")
            found.append(Round(number, account, when, tuple(map(_read_charge, charges[number])), digest))
        if len(charges) != len(found):
            raise ValueError("it is damaged: it holds charges of no round")
        if found:
            self._file.known = (found[-1].number, digest)
        return found

    def append(self, number: int, account: str, charges: Sequence[Charge]) -> None:
        """Write the round and commit; when this returns, the system has said that it is on the disk."""
        if type(account) is not str:
            raise ValueError(f"account must be text, got {type(account).__name__}")
        when = datetime.now(UTC).isoformat(timespec="seconds")
        rows = [(number, place, *_written(charge)) for place, charge in enumerate(charges, 1)]
        digest = _digest(self._digest_of(number - 1), (number, account, when), rows)
        self._connection.execute("INSERT INTO round VALUES (?, ?, ?, ?)", (number, account, when, digest))
        self._connection.executemany(f"INSERT INTO charge VALUES ({', '.join('?' * 11)})", rows)
        self._connection.execute("COMMIT")
        self._file.known = (number, digest)

    def _digest_of(self, number: int) -> str:
        """That of a round; of round 0, that of the ledger itself. Empty if there is none."""
        if not number:
            return _digest("", self._one("SELECT name, budget FROM ledger"), [])
        row = self._connection.execute("SELECT digest FROM round WHERE number = ?", (number,)).fetchone()
        return "" if row is None else str(row[0])

    def _one(self, query: str) -> tuple[Any, ...]:
        (row,) = self._connection.execute(query).fetchall()
        return tuple(row)

    def _all(self, query: str, after: int) -> list[Any]:
        return self._connection.execute(query, (after,)).fetchall()


def opened(path: str | os.PathLike[str], budget: Fraction | None, domain: Domain | None) -> tuple[BudgetFile, Fraction]:
    """The file, made if it is not there, and its budget."""
    file = BudgetFile.at(path)
    if budget is not None:
        with suppress(FileExistsError):
            file.create(budget, domain)
    if not os.path.isfile(file.path):
        raise ValueError(f"there is no file {file.path}: give a budget to make it")
    if not os.access(file.path, os.W_OK):
        raise ValueError(f"{file.path}: {_REASONS['SQLITE_READONLY']}; nothing is released")
    with file.transaction() as books:
        found = books.budget()
    if budget not in (None, found):
        raise ValueError(
            f"{file.path} has the budget {found}, not {budget}: leave the budget out, or name another file"
        )
    return file, found


@contextmanager
def _explained(path: str) -> Iterator[None]:
    """What goes wrong with the file, as a ValueError that says so; no error lets anything be released."""
    try:
        yield
    except FileExistsError:
        raise
    except (sqlite3.Error, OSError) as error:
        name = getattr(error, "sqlite_errorname", "")
        reason = next((text for start, text in _REASONS.items() if name.startswith(start)), str(error))
        raise ValueError(f"{path}: {reason}; nothing is released") from error


def _connect(path: str) -> sqlite3.Connection:
    """A connection that is durable, to a file that is a ledger's and has one name."""
    _require_one_name(path)
    connection = sqlite3.connect(f"{Path(path).as_uri()}?mode=rw", uri=True, timeout=WAIT, isolation_level=None)
    try:
        found = [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")]
        if found[0] != APPLICATION:
            raise ValueError(f"{path} is no budget file, or one that was never finished")
        if found[1] != VERSION:
            raise ValueError(f"{path} is a budget file of version {found[1]}; this program reads version {VERSION}")
        _require_durable(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _require_durable(connection: sqlite3.Connection, path: str) -> None:
    (log,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    connection.execute("PRAGMA synchronous = FULL")
    (level,) = connection.execute("PRAGMA synchronous").fetchone()
    if (log, level) != ("wal", 2):
        raise ValueError(f"{path} must be on a local disk with a write-ahead log: got {log!r}, synchronous {level}")


def _require_one_name(path: str) -> None:
    """A file with two names would have two logs. What a killed process left of making it is cleared away."""
    if os.stat(path).st_nlink > 1:
        folder, name = os.path.split(path)
        for other in glob.glob(os.path.join(glob.escape(folder), f".{glob.escape(name)}.*.making")):
            with suppress(FileNotFoundError):
                if os.path.samefile(other, path):
                    os.unlink(other)
        if os.stat(path).st_nlink > 1:
            raise ValueError(f"{path} has a second name (a hard link): it must have one, or its budget is spent twice")


def _fill(path: str, budget: Fraction, domain: str | None) -> None:
    """Everything that a ledger's file holds before its first round, on the disk."""
    with closing(sqlite3.connect(path, timeout=WAIT, isolation_level=None)) as connection:
        _require_durable(connection, path)
        connection.execute("BEGIN IMMEDIATE")
        for table in _TABLES:
            connection.execute(table)
        connection.execute("INSERT INTO ledger VALUES (1, ?, ?, ?)", (secrets.token_hex(16), str(budget), domain))
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    _sync(path)


def _sync(path: str) -> None:
    """Ask the system that a file, or a folder's list of files, is on the disk."""
    if os.path.isdir(path) and os.name == "nt":  # there a folder cannot be opened
        return
    handle = os.open(path, os.O_RDONLY if os.path.isdir(path) else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _digest(before: str, head: Sequence[Any], rows: Sequence[Sequence[Any]]) -> str:
    return hashlib.sha256(json.dumps([before, head, rows]).encode()).hexdigest()


def _written(charge: Charge) -> tuple[Any, ...]:
    """A charge as a row, without its round and its place in it."""
    region = " ".join(f"{mask:x}" for mask in (*charge.region.features, charge.region.classes))
    what = (charge.query, charge.mechanism, charge.sensitivity, charge.claim)
    return (region, str(charge.epsilon), *what, charge.colluders, charge.randomness, charge.releases)


def _read_charge(row: Sequence[Any]) -> Charge:
    *features, classes = (int(mask, 16) for mask in row[2].split(" "))
    return Charge(Region(tuple(features), classes), Fraction(row[3]), *row[4:])
