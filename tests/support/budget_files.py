"""Charges for ledgers in a file, and connections with a fault."""

import sqlite3
from contextlib import closing

from fdpedu.accounting import Charge, budget_connection
from tests.support.federations import DOMAIN

ALL = DOMAIN.everything


def charge(epsilon="1/4", region=ALL, query="a count", **others):
    return Charge(region, epsilon, query, "noise in shares", 1, "thm-histogram", 1, **others)


def sql(path, *statements):
    with closing(sqlite3.connect(path)) as connection:
        rows = [connection.execute(statement).fetchall() for statement in statements]
        connection.commit()
        return rows[-1]


def connecting(monkeypatch, *first, mode="rw"):
    """Every connection runs these statements first."""
    connect = sqlite3.connect

    def changed(where, **options):
        connection = connect(where.replace("mode=rw", f"mode={mode}"), **options)
        for statement in first:
            connection.execute(statement)
        return connection

    monkeypatch.setattr(budget_connection.sqlite3, "connect", changed)
