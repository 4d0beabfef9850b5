"""Budget files of older versions are converted when they are opened: refused, people would spend again.

A charge of version 1 says what was asked in words only, later ones say it for programs too, by a type and parameters.
The words of the types that version 1 knew are read here, once and for all. What was asked by hand stays in words.
Versions 2 (a budget in ε) and 3 (one in ρ) name no session where some parties' records pay: an account was of one.

The digests of all rounds are checked as they were written and then written anew, all in one transaction: a process
that is killed leaves the file as it was.
"""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
from collections.abc import Sequence
from itertools import groupby
from typing import Any

ADDED = [  # tables since version 4: the evidence of what was paid, and answers that are kept
    "CREATE TABLE manifest (round INTEGER PRIMARY KEY, session TEXT NOT NULL, text TEXT NOT NULL)",
    "CREATE TABLE kept (key TEXT PRIMARY KEY, bytes BLOB NOT NULL)",
]
_WORDS = {
    "class × bin histograms of all features": "node-histograms",
    "class counts of a leaf": "class-counts",
    "right and wrong predictions": "outcome-counts",
}
_HISTOGRAM = re.compile("class × bin histogram of (.+)", re.DOTALL)
_BOUNDS = re.compile("impurity lower bounds of all features, in steps of 1/([0-9]{1,5})")


def digest_of_round(before: str, head: Sequence[Any], rows: Sequence[Sequence[Any]]) -> str:
    """The digest of a round: of its head, its charges, and all rounds before it."""
    return hashlib.sha256(json.dumps([before, head, rows]).encode()).hexdigest()


def convert(connection: sqlite3.Connection, path: str, version: int) -> None:
    """Convert a file of an older version to this one; does nothing if another process has just done so.

    Raises
    ------
    ValueError
        If a round is not what its digest says, or something cannot be read; then the file stays as it is.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        (found,) = connection.execute("PRAGMA user_version").fetchone()
        if found < version:
            _convert(connection, found)
            connection.execute(f"PRAGMA user_version = {version}")
        connection.execute("COMMIT")
    except (ValueError, TypeError, LookupError) as error:
        raise ValueError(f"{path}: it is damaged, or was replaced ({error}); nothing is released") from error
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _convert(connection: sqlite3.Connection, found: int) -> None:
    (row,) = connection.execute("SELECT name, budget, colluders, domain FROM ledger").fetchall()
    *ledger, domain = row
    features = list(json.loads(domain)["features"]) if domain else []
    if found == 1:
        for column in ("type", "parameters"):
            connection.execute(f"ALTER TABLE charge ADD COLUMN {column} TEXT NOT NULL DEFAULT ''")
    connection.execute("ALTER TABLE ledger ADD COLUMN program TEXT NOT NULL DEFAULT ''")
    for table in ADDED:
        connection.execute(table)
    rows = connection.execute("SELECT * FROM charge ORDER BY round, place").fetchall()
    charges = {number: [*of_round] for number, of_round in groupby(rows, key=lambda row: row[0])}
    old = new = digest_of_round("", ledger, [])
    for number, account, when, stated in connection.execute("SELECT * FROM round ORDER BY number").fetchall():
        own, head = charges.pop(number, []), (number, account, when)
        old = digest_of_round(old, head, [row[:11] if found == 1 else row for row in own])
        if old != stated:
            raise ValueError(f"round {number} is not what its digest says")
        written = [
            (
                *row[:2],
                _in_session(row[2], account),
                *row[3:11],
                *(_asked(row[4], features) if found == 1 else row[11:]),
            )
            for row in own
        ]
        new = digest_of_round(new, head, written)
        connection.execute("UPDATE round SET digest = ? WHERE number = ?", (new, number))
        connection.executemany(
            "UPDATE charge SET region = ?, type = ?, parameters = ? WHERE round = ? AND place = ?",
            [(row[2], *row[11:], *row[:2]) for row in written],
        )
    if charges:
        raise ValueError("there are charges of no round")


def _in_session(region: str, account: str) -> str:
    """A region of some parties with its session, which until version 3 was one for each account: it is called by it."""
    return f"{region} {hashlib.sha256(account.encode()).hexdigest()}" if " @" in region else region


def _asked(words: str, features: Sequence[str]) -> tuple[str, str]:
    """Type and parameters, as version 2 writes them, of what version 1 says in words."""
    histogram, bounds = _HISTOGRAM.fullmatch(words), _BOUNDS.fullmatch(words)
    if histogram and features.count(histogram[1]) == 1:
        return "class-histogram", json.dumps({"feature": features.index(histogram[1])})
    if bounds:
        return "node-bounds", json.dumps({"lattice": int(bounds[1])})
    return _WORDS.get(words, "by-hand"), "{}"
