"""Connections to a ledger's file: how one is made, what each must promise, and what is said when it fails."""

from __future__ import annotations

import glob
import os
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from fdpedu.accounting.budget import Budget
from fdpedu.accounting.budget_conversion import ADDED, convert
from fdpedu.accounting.cost import GAUSSIAN
from fdpedu.files import PROGRAM, sync
from fdpedu.process import undivided

APPLICATION = 0x66647062  # of the file: "fdpb"
VERSION, OLDER = 4, (1, 2, 3)  # what is written; what becomes so when it is opened
IN_GAUSSIAN = 5  # what is written in the measure gaussian, which fdpedu 0.2.0 does not know; all else is as in 4
WAIT = 30.0  # seconds for which another process may hold the file
TABLES = """
CREATE TABLE ledger (one INTEGER PRIMARY KEY CHECK (one = 1), name TEXT NOT NULL, budget TEXT NOT NULL, \
colluders INTEGER, domain TEXT, program TEXT NOT NULL DEFAULT '')
CREATE TABLE round (number INTEGER PRIMARY KEY, account TEXT NOT NULL, time TEXT NOT NULL, digest TEXT NOT NULL)
CREATE TABLE charge (round INTEGER NOT NULL REFERENCES round, place INTEGER NOT NULL, region TEXT NOT NULL, \
epsilon TEXT NOT NULL, query TEXT NOT NULL, mechanism TEXT NOT NULL, sensitivity INTEGER NOT NULL, \
claim TEXT NOT NULL, colluders INTEGER NOT NULL, randomness TEXT NOT NULL, releases INTEGER NOT NULL, \
type TEXT NOT NULL, parameters TEXT NOT NULL, PRIMARY KEY (round, place)) WITHOUT ROWID
""".strip().splitlines()
TABLES += ADDED
REASONS = {
    "SQLITE_BUSY": f"another process has been using it for {WAIT:g} s; try again when it is done",
    "SQLITE_FULL": "the disk is full, or the file may not grow",
    "SQLITE_READONLY": "it cannot be written",
    "SQLITE_NOTADB": "it is no budget file",
    "SQLITE_CORRUPT": "it is damaged",
}


_last: list[sqlite3.Connection] = []  # of this process; there is one at a time, under the lock `undivided`


def close_last() -> None:
    """Close the last connection, if an interrupt kept it from being closed: it may still hold the file."""
    with undivided:
        while _last:
            _last.pop().close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=close_last)


@contextmanager
def explained(path: str) -> Iterator[None]:
    """Raise an error of the file as a ValueError that gives its reason; after any error nothing is released."""
    try:
        yield
    except FileExistsError:
        raise
    except (sqlite3.Error, OSError) as error:
        name = getattr(error, "sqlite_errorname", "")
        reason = next((text for start, text in REASONS.items() if name.startswith(start)), str(error))
        raise ValueError(f"{path}: {reason}; nothing is released") from error


def connect(path: str) -> sqlite3.Connection:
    """A connection that is durable, to a file that is a ledger's and has one name."""
    require_one_name(path)
    close_last()
    options: dict[str, Any] = {"uri": True, "isolation_level": None, "check_same_thread": False}
    connection = sqlite3.connect(f"{Path(path).as_uri()}?mode=rw", timeout=WAIT, **options)
    _last.append(connection)
    try:
        found = [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")]
        if found[0] != APPLICATION:
            raise ValueError(f"{path} is no budget file, or one that was never finished")
        if found[1] in OLDER:
            require_durable(connection, path)
            convert(connection, path, VERSION)
        elif found[1] not in (VERSION, IN_GAUSSIAN):
            raise ValueError(
                f"{path} is a budget file of version {found[1]}, which a newer fdpedu has made; {PROGRAM} reads the "
                f"versions up to {IN_GAUSSIAN}"
            )
        require_durable(connection, path)
        connection.execute("PRAGMA secure_delete = ON")  # what is replaced or deleted is overwritten
    except BaseException:
        connection.close()
        raise
    return connection


def require_durable(connection: sqlite3.Connection, path: str) -> None:
    (log,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    connection.execute("PRAGMA synchronous = FULL")
    (level,) = connection.execute("PRAGMA synchronous").fetchone()
    if (log, level) != ("wal", 2):
        raise ValueError(f"{path} must be on a local disk with a write-ahead log: got {log!r}, synchronous {level}")


def require_one_name(path: str) -> None:
    """A file with two names would have two logs. What a killed process left of making it is cleared away."""
    if os.stat(path).st_nlink > 1:
        folder, name = os.path.split(path)
        for other in glob.glob(os.path.join(glob.escape(folder), f".{glob.escape(name)}.*.making")):
            with suppress(FileNotFoundError):
                if os.path.samefile(other, path):
                    os.unlink(other)
        if os.stat(path).st_nlink > 1:
            raise ValueError(f"{path} has a second name (a hard link): it must have one, or its budget is spent twice")


def fill(path: str, budget: Budget, colluders: int | None, domain: str | None) -> None:
    """Everything that a ledger's file holds before its first round, on the disk."""
    with closing(sqlite3.connect(path, timeout=WAIT, isolation_level=None)) as connection:
        require_durable(connection, path)
        connection.execute("BEGIN IMMEDIATE")
        for table in TABLES:
            connection.execute(table)
        row = (secrets.token_hex(16), budget.to_text(), colluders, domain, PROGRAM)
        connection.execute("INSERT INTO ledger VALUES (1, ?, ?, ?, ?, ?)", row)
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {IN_GAUSSIAN if budget.measure == GAUSSIAN else VERSION}")
        connection.execute("COMMIT")
    sync(path)
