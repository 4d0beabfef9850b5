"""A ledger's file while it is used by others, cannot be written, or its process is killed or interrupted."""

import itertools
import os
import resource
import shutil
import sqlite3
import sys
import tempfile
from contextlib import closing
from fractions import Fraction
from functools import partial

import pytest

from fdpedu.accounting import Ledger, budget_connection
from fdpedu.claims.forks import count_lines, in_child
from fdpedu.claims.histograms import laws_budget_file as law
from fdpedu.process import undivided
from tests.support.budget_files import charge, connecting
from tests.support.federations import DOMAIN


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "budget.db")


@pytest.fixture
def quick(monkeypatch):
    """Nobody waits long for another process."""
    monkeypatch.setattr(budget_connection, "WAIT", 0.1)


def test_a_process_killed_while_it_makes_the_file(tmp_path, pytestconfig):
    """At lines all along: there is no file, or the whole one; and the next one can be made or opened."""
    lines = [count_lines(lambda k=k: Ledger.open(tmp_path / f"{k}.db", 1, domain=DOMAIN)) for k in "ab"][1]  # warm
    made = set()
    for at in range(1, lines, 1 if pytestconfig.getoption("--deep") else lines // 25):
        path = tmp_path / f"{at}.db"
        _, status = in_child(lambda say, at=at, path=path: count_lines(lambda: Ledger.open(path, 1, domain=DOMAIN), at))
        assert status == -9
        made.add(path.exists())
        if path.exists():
            assert Ledger.open(path).domain == DOMAIN
        with Ledger.open(path, 1, domain=DOMAIN) as ledger:
            assert ledger.charge([charge()]) == 1 and ledger.spent == Fraction(1, 4)
    assert made == {False, True}


def test_a_file_in_use_is_waited_for_and_then_an_error(path, quick):
    ledger = Ledger.open(path, 1)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(ValueError, match="another process has been using it"):
            ledger.charge([charge()])
        assert ledger.spent == 0, "reading does not wait"
        other.execute("ROLLBACK")
    assert ledger.charge([charge()]) == 1


@pytest.mark.claim("thm-round")
@pytest.mark.parametrize(("cost", "expected"), [("1/2", 2), ("1/3", 2), ("501/1000", None)])
def test_one_who_waits_goes_on_with_what_is_left(cost, expected):
    law.waits(cost, expected)


def test_a_full_disk_charges_nothing(path, monkeypatch):
    ledger = Ledger.open(path, 1, domain=DOMAIN)
    ledger.charge([charge()])
    with monkeypatch.context() as patch:
        connecting(patch, "PRAGMA max_page_count = 1")
        with pytest.raises(ValueError, match="the disk is full, or the file may not grow; nothing is released"):
            ledger.charge([charge(query="x" * 20_000)])
        assert ledger.spent == Fraction(1, 4)
    assert Ledger.open(path).rounds == 1 and ledger.charge([charge()]) == 2


def test_a_file_that_may_not_grow_charges_nothing(path):
    """By the system's own limit, in a child: the round is refused, and then the parent goes on."""
    ledger = Ledger.open(path, 1, domain=DOMAIN)

    def limited(say):
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
        try:
            say(ledger.charge([charge()]))
        except ValueError as error:
            say(error)

    said, status = in_child(limited)
    assert status == 0 and said[0].startswith(path) and said[0].endswith("nothing is released")
    assert ledger.spent == 0 and ledger.charge([charge()]) == 1


def test_a_file_that_cannot_be_written_charges_nothing():
    """Neither opened by another person, nor used by one who may no longer write."""
    folder = tempfile.mkdtemp()
    try:
        path = os.path.join(folder, "budget.db")
        ledger = Ledger.open(path, 1, domain=DOMAIN)
        ledger.charge([charge()])
        os.chmod(path, 0o444)
        os.chmod(folder, 0o555)

        def other(say):
            if os.getuid() == 0:
                os.setuid(65534)
            for attempt in (lambda: Ledger.open(path), lambda: ledger.charge([charge()])):
                try:
                    say(attempt())
                except ValueError as error:
                    say(error)

        said, _ = in_child(other)
        assert "it cannot be written; nothing is released" in said[0] and said[1].endswith("nothing is released")
        os.chmod(folder, 0o755)
        os.chmod(path, 0o600)
        assert Ledger.open(path).rounds == 1
    finally:
        shutil.rmtree(folder)


def test_a_connection_that_only_reads_charges_nothing(path, monkeypatch):
    ledger = Ledger.open(path, 1)
    with monkeypatch.context() as patch:
        connecting(patch, "PRAGMA query_only = 1")
        with pytest.raises(ValueError, match="it cannot be written; nothing is released"):
            ledger.charge([charge()])
    assert ledger.spent == 0 and ledger.charge([charge()]) == 1


@pytest.mark.parametrize("account", [None, 3, b"a", "\ud800"])
def test_an_account_in_a_file_is_text(path, account):
    ledger = Ledger.open(path, 1)
    with pytest.raises(ValueError):
        ledger.charge([charge()], account)
    assert ledger.rounds == 0 and ledger.charge([charge()], "a") == 1


def interrupted(instruction, action):
    """Run it, with a KeyboardInterrupt at the n-th instruction within the ledger's code; whether it came to that."""
    seen = 0

    def trace(frame, event, _):
        nonlocal seen
        if not frame.f_globals.get("__name__", "").startswith("fdpedu.accounting"):
            return None
        frame.f_trace_opcodes = True
        if event == "opcode":
            seen += 1
            if seen == instruction:
                raise KeyboardInterrupt
        return trace

    previous = sys.gettrace()
    sys.settrace(trace)
    try:
        action()
        return False
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(previous)


def test_an_interrupt_leaves_the_file_and_the_ledger_agreed(tmp_path, pytestconfig):
    """Ctrl-C at instructions all along: the round is charged as a whole or not at all, and the ledger says which.

    Other processes are not kept waiting: a connection that was not closed is closed by the next one.
    """
    step, outcomes = 7 if pytestconfig.getoption("--deep") else 41, set()
    for instruction in itertools.count(1, step):
        ledger = Ledger.open(tmp_path / f"{instruction}.db", 1, domain=DOMAIN)
        stopped = interrupted(instruction, partial(ledger.charge, [charge("1/8"), charge("1/8")]))
        rounds = ledger.rounds
        assert rounds in (0, 1) and ledger.spent == Fraction(rounds, 4)
        outcomes.add((stopped, rounds))
        while undivided._is_owned():  # stopped before the call that leaves a `with`, where no signal is looked for
            undivided.release()
        assert ledger.charge([charge()]) == rounds + 1 == Ledger.open(ledger.path).rounds
        if not stopped:
            break
    assert (True, 0) in outcomes and (False, 1) in outcomes and instruction > 1000


@pytest.mark.parametrize("forks", [False, True])
def test_a_connection_that_was_left_open_keeps_nobody_out(path, forks, quick):
    """It holds the file for writing; the next use in this process closes it, and so does a fork."""
    ledger = Ledger.open(path, 1)
    left = budget_connection.connect(path)
    left.execute("BEGIN IMMEDIATE")
    if forks:
        assert in_child(lambda say: say(ledger.charge([charge()]))) == (["1"], 0)
    assert ledger.charge([charge()]) == 1 + forks
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        left.execute("ROLLBACK")
