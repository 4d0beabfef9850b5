"""A ledger's file: an SQLite database on a local disk, in which a round stands before anything of it is sent.

A round is one transaction: its charges, beside them what is asked for them, the entry of a manifest, and what its owner
keeps with them, such as the answer. Others who want to write wait until it is over, so two processes share one budget.
It is committed with a write-ahead log and ``synchronous = FULL``: the system has said that the log is on the disk. A
process that is killed leaves the round whole or not at all. A connection lives for one transaction, and never across a
fork.

What is read is checked: rounds are numbered without gaps, and each carries a digest of its content and of all before.

Not covered: that the disk keeps what it said it kept when power fails (that cannot be tried here); network disks, whose
locks cannot be relied on; an old copy of the file put back, which looks like the file at that time.
"""

from __future__ import annotations

import json
import os
import secrets
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from fractions import Fraction
from functools import wraps
from itertools import groupby
from typing import Any, NamedTuple, TypeVar

from fdpedu.accounting.budget import Budget, require_new
from fdpedu.accounting.budget_connection import REASONS, connect, explained, fill
from fdpedu.accounting.budget_conversion import digest_of_round
from fdpedu.accounting.charge import BY_HAND, Charge, Entry
from fdpedu.accounting.cost import Cost, as_cost
from fdpedu.domain import Domain, Region
from fdpedu.domain.region import ALL
from fdpedu.exact import require_type
from fdpedu.files import as_path, sync
from fdpedu.process import undivided

R = TypeVar("R")


class LastCharge(NamedTuple):
    """Number and time (UTC) of a round."""

    round: int
    time: datetime


class Evidenced(NamedTuple):
    """A round with what was asked in it; None if nobody has said so: charged by hand, or before files kept evidence."""

    number: int
    account: str
    time: str
    asked: dict[str, Any] | None


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

    def create(self, budget: Budget, domain: Domain | None, colluders: int | None = None) -> None:
        """Make the file, for its owner alone; FileExistsError if there is one.

        It is made under another name and gets its own when it is whole, so a file that is half made is never opened.
        """
        text = None if domain is None else domain.to_json()
        folder, name = os.path.split(self.path)
        making = os.path.join(folder, f".{name}.{secrets.token_hex(8)}.making")
        with undivided, explained(self.path):
            try:
                os.close(os.open(making, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
                fill(making, budget, colluders, text)
                os.link(making, self.path)
            finally:
                for end in ("", "-wal", "-shm", "-journal"):
                    with suppress(FileNotFoundError):
                        os.unlink(making + end)
            sync(folder)

    @contextmanager
    def transaction(self, begin: str = "BEGIN", *, synced: bool = True) -> Iterator[Transaction]:
        """An isolated transaction, which may write after ``BEGIN IMMEDIATE``; it is committed, or fails as a whole.

        When the block has ended, the system has said that all of it is on the disk. One that is not ``synced`` does not
        wait for the disk, and may be lost with the machine's power.
        """
        known = self.known
        with undivided, explained(self.path), closing(connect(self.path)) as connection:
            try:
                if not synced:
                    connection.execute("PRAGMA synchronous = NORMAL")
                connection.execute(begin)
                transaction = Transaction(self, connection)
                yield transaction
                transaction.commit()
            except BaseException:
                self.known = known
                raise
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")


def _checked(read: Callable[..., R]) -> Callable[..., R]:
    """Refuse the file as damaged if reading fails."""

    @wraps(read)
    def checked(books: Transaction, *arguments: Any) -> R:
        try:
            return read(books, *arguments)
        except (ValueError, TypeError, LookupError, ArithmeticError) as error:
            raise ValueError(f"{books.path}: it is damaged, or was replaced ({error}); nothing is released") from error

    return checked


class Transaction:
    """An open transaction on a budget file."""

    def __init__(self, file: BudgetFile, connection: sqlite3.Connection) -> None:
        self.path, self._file, self._connection = file.path, file, connection
        self._require_the_same(*file.known)

    def commit(self) -> None:
        """Put on the disk what was written, if anything was."""
        if self._connection.total_changes:
            self._connection.execute("COMMIT")

    @_checked
    def _require_the_same(self, number: int, digest: str) -> None:
        if number and self._digest_of(number) != digest:
            raise ValueError(f"round {number} is not as it was read before")

    @_checked
    def budget(self) -> Budget:
        return Budget.from_text(self._one("SELECT budget FROM ledger")[0])

    @_checked
    def colluders(self) -> int | None:
        """The number that was promised when the file was made, if one was."""
        return self._one("SELECT colluders FROM ledger")[0]

    @_checked
    def domain(self) -> Domain | None:
        """The domain that was named, if one was."""
        (text,) = self._one("SELECT domain FROM ledger")
        return None if text is None else Domain.from_spec(text)

    def name_domain(self, domain: Domain) -> None:
        """Keep the domain, for good."""
        self._connection.execute("UPDATE ledger SET domain = ? WHERE domain IS NULL", (domain.to_json(),))

    @contextmanager
    def part(self) -> Iterator[None]:
        """For the length of a block; if it fails, what it has written is taken back, and what was before stays."""
        known = self._file.known
        self._connection.execute("SAVEPOINT part")
        try:
            yield
        except BaseException:
            self._file.known = known
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK TO part")
            raise
        finally:
            if self._connection.in_transaction:
                self._connection.execute("RELEASE part")

    def kept(self, key: str) -> bytes | None:
        """What is kept under a key."""
        row = self._connection.execute("SELECT bytes FROM kept WHERE key = ?", (key,)).fetchone()
        return None if row is None else bytes(row[0])

    def keep(self, key: str, content: bytes) -> None:
        """Keep it in place of what was kept under the key before, which is overwritten."""
        self._connection.execute("INSERT OR REPLACE INTO kept VALUES (?, ?)", (key, content))

    def forget(self, beginning: str) -> None:
        """Overwrite what is kept under all keys that begin so."""
        self._connection.execute("DELETE FROM kept WHERE substr(key, 1, ?) = ?", (len(beginning), beginning))

    @_checked
    def last_charge(self) -> LastCharge | None:
        row = self._connection.execute("SELECT number, time FROM round ORDER BY number DESC LIMIT 1").fetchone()
        return None if row is None else LastCharge(row[0], datetime.fromisoformat(row[1]))

    @_checked
    def rounds(self, after: int) -> list[Round]:
        """The rounds after a number, each as its digest says."""
        digest, found, measure = self._digest_of(after), list[Round](), self.budget().measure
        heads = self._all("SELECT number, account, time, digest FROM round WHERE number > ? ORDER BY number", after)
        rows = self._all("SELECT * FROM charge WHERE round > ? ORDER BY round, place", after)
        charges = {number: [*of_round] for number, of_round in groupby(rows, key=lambda row: row[0])}
        for number, account, when, stated in heads:
            digest = digest_of_round(digest, (number, account, when), charges.get(number, []))
            if digest != stated or number != after + 1 + len(found):
                raise ValueError(f"round {number} is not what its digest says")
            of_round = tuple(_read_charge(row, measure) for row in charges[number])
            found.append(Round(number, account, when, of_round, digest))
        if len(charges) != len(found):
            raise ValueError("charges of no round")
        if found:
            self._file.known = (found[-1].number, digest)
        return found

    def append(self, number: int, account: str, charges: Sequence[Charge], asked: Entry | None = None) -> None:
        """Write the round; it is on the disk when the transaction is."""
        if type(account) is not str:
            raise ValueError(f"account must be text, got {type(account).__name__}")
        when = datetime.now(UTC).isoformat(timespec="seconds")
        rows = [(number, place, *_written(charge)) for place, charge in enumerate(charges, 1)]
        digest = digest_of_round(self._digest_of(number - 1), (number, account, when), rows)
        self._connection.execute("INSERT INTO round VALUES (?, ?, ?, ?)", (number, account, when, digest))
        self._connection.executemany(f"INSERT INTO charge VALUES ({', '.join('?' * 13)})", rows)
        if asked is not None:
            self._keep_asked(number, {"round": number, **asked})
        self._file.known = (number, digest)

    def _keep_asked(self, number: int, entry: Entry) -> None:
        row = (number, entry.get("session", ""), json.dumps(entry, ensure_ascii=False, separators=(",", ":")))
        self._connection.execute("INSERT OR REPLACE INTO manifest VALUES (?, ?, ?)", row)

    def note_answers(self, number: int, names: Sequence[str]) -> None:
        """Write down who has answered in a round, if what was asked there is known."""
        found = next((one.asked for one in self.evidence(number - 1) if one.number == number), None)
        if found is not None:
            self._keep_asked(number, {**found, "answers": list(names)})

    def next_round_of(self, session: str, after: int) -> Round | None:
        """The next round that was charged in a session; None if there is none."""
        select = "SELECT min(round) FROM manifest WHERE session = ? AND round > ?"
        (number,) = self._connection.execute(select, (session, after)).fetchone()
        return None if number is None else self.rounds(number - 1)[0]

    def accounts_of(self, session: str, after: int) -> list[str]:
        """The accounts of the rounds that were charged in a session, in their order."""
        select = "SELECT account FROM round JOIN manifest ON manifest.round = number"
        rows = self._connection.execute(f"{select} WHERE session = ? AND number > ? ORDER BY number", (session, after))
        return list(dict.fromkeys(row[0] for row in rows))

    @_checked
    def evidence(self, after: int = 0) -> list[Evidenced]:
        """The rounds after a number, each with what was asked in it."""
        select, kept = "SELECT number, account, time, text FROM round", "LEFT JOIN manifest ON manifest.round = number"
        rows = self._all(f"{select} {kept} WHERE number > ? ORDER BY number", after)
        found = [Evidenced(row[0], row[1], row[2], row[3] and json.loads(row[3])) for row in rows]
        for one in found:
            if one.asked is not None and (type(one.asked) is not dict or one.asked.get("round") != one.number):
                raise ValueError(f"what was asked in round {one.number} is of another round")
        return found

    def _digest_of(self, number: int) -> str:
        """The digest of a round, or of the ledger itself for round 0; empty if there is no such round."""
        if not number:
            return digest_of_round("", self._one("SELECT name, budget, colluders FROM ledger"), [])
        row = self._connection.execute("SELECT digest FROM round WHERE number = ?", (number,)).fetchone()
        return "" if row is None else str(row[0])

    def _one(self, query: str) -> tuple[Any, ...]:
        (row,) = self._connection.execute(query).fetchall()
        return tuple(row)

    def _all(self, query: str, after: int) -> list[Any]:
        return self._connection.execute(query, (after,)).fetchall()


def opened(
    path: str | os.PathLike[str], budget: Budget | None, domain: Domain | None, colluders: int | None
) -> tuple[BudgetFile, Budget, int | None]:
    """The file, made if it is not there, its budget, and how many colluders it promises, if it does."""
    file = BudgetFile.at(as_path(path))
    if domain is not None:
        require_type(domain, Domain, "domain")
    if not os.path.isdir(folder := os.path.dirname(file.path)):
        raise ValueError(f"there is no folder {folder}: make it, or name another file")
    if budget is not None:
        if not os.path.exists(file.path):
            require_new(budget)
        with suppress(FileExistsError):
            file.create(budget, domain, colluders)
    if os.path.isdir(file.path):
        raise ValueError(f"{file.path} is a folder: name a file in it")
    if not os.path.isfile(file.path):
        if os.path.exists(file.path):
            raise ValueError(f"{file.path} is no regular file, but a device, a pipe or a socket: name another file")
        raise ValueError(f"there is no file {file.path}: give a budget to make it")
    if not os.access(file.path, os.W_OK):
        raise ValueError(f"{file.path}: {REASONS['SQLITE_READONLY']}; nothing is released")
    with file.transaction() as books:
        found, promised = books.budget(), books.colluders()
    if colluders not in (None, promised):
        raise ValueError(
            f"{file.path} promises colluders = {promised}, not {colluders}: leave it out, or make another file"
        )
    if budget is not None and budget.measure != found.measure:
        if budget.delta and (budget.epsilon, budget.delta) == (found.epsilon, found.delta):  # as it always did
            return file, found, promised
        raise ValueError(
            f"{file.path} is a budget of {found}, in the measure {found.measure}: leave the budget out, or name "
            "another file"
        )
    if budget not in (None, found):
        stated = [str(one.limit.value) if one.is_pure else str(one) for one in (found, budget) if one is not None]
        raise ValueError(
            f"{file.path} has the budget {stated[0]}, not {stated[1]}: leave the budget out, or name another file"
        )
    return file, found, promised


def _written(charge: Charge) -> tuple[Any, ...]:
    """A charge as a row, without its round and its place in it."""
    region = " ".join(f"{mask:x}" for mask in (*charge.region.features, charge.region.classes))
    if not charge.region.of_all_parties:
        region += f" @{charge.region.parties:x} {charge.region.session}"
    what = (charge.query, charge.mechanism, charge.sensitivity, charge.claim)
    asked = (charge.type, json.dumps(dict(charge.parameters)))
    cost = str(charge.cost.value)
    if not charge.cost.is_pure:
        cost += f" {charge.cost.xi} {charge.l2_squared} {charge.cells} {charge.variance}"
    return (region, cost, *what, charge.colluders, charge.randomness, charge.releases, *asked)


def _read_charge(row: Sequence[Any], measure: str) -> Charge:
    of_rows, _, parties = row[2].partition(" @")  # without the second part: all parties
    *features, classes = (int(mask, 16) for mask in of_rows.split(" "))
    positions, _, session = parties.partition(" ")
    region = Region(tuple(features), classes, int(positions, 16) if parties else ALL, session)
    what: Any = (*row[4:12], tuple(json.loads(row[12]).items()))
    value, *of_noise = row[3].split(" ")
    if not of_noise:
        return Charge(region, as_cost(value), *what)
    xi, l2_squared, cells, variance = of_noise
    cost = Cost(measure, value, xi)
    noise: Any = {"l2_squared": int(l2_squared), "cells": int(cells), "variance": Fraction(variance)}
    charge = Charge(region, cost, *what, **noise)
    # Charge.in_rho() once left a release in ε its type, and no type is paid so
    return charge if "Gaussian" in charge.mechanism else replace(charge, type=BY_HAND, parameters=())
