"""A ledger's file on the disk: made and synced, in use by others, not writable, its process killed or interrupted."""

import itertools
import os
import resource
import shutil
import sqlite3
import stat
import tempfile
from contextlib import closing
from fractions import Fraction
from functools import partial

import pytest

from fdpedu.accounting import Budget, Ledger, budget_connection
from fdpedu.accounting.budget_file import BudgetFile
from fdpedu.claims.forks import count_lines, in_child
from tests.support.accounting import interrupted
from tests.support.budget_files import charge, connecting
from tests.support.federations import DOMAIN


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "budget.db")


def test_the_file_is_its_owner_s_and_durable(path):
    """Mode 0600 whatever the umask, nothing left beside it; write-ahead log and FULL, as each connection reads back."""
    before = os.umask(0)
    try:
        ledger = Ledger.open(path, 1)
    finally:
        os.umask(before)
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600 and os.listdir(os.path.dirname(path)) == ["budget.db"]
    with closing(budget_connection.connect(path)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
    ledger.charge([charge()])
    assert os.listdir(os.path.dirname(path)) == ["budget.db"]


@pytest.mark.parametrize("answers", [{"journal_mode = WAL": "delete"}, {"synchronous": 1}])
def test_a_file_that_cannot_be_durable_is_refused(answers):
    class Connection:
        def execute(self, statement):
            found = {"journal_mode = WAL": "wal", "synchronous": 2, **answers}
            row = (found.get(statement.removeprefix("PRAGMA ")),)
            return type("Rows", (), {"fetchone": lambda self: row})()

    with pytest.raises(ValueError, match="write-ahead log"):
        budget_connection.require_durable(Connection(), "budget.db")


def test_a_file_is_made_beside_its_place_and_both_are_on_the_disk(path, monkeypatch, tmp_path):
    """For its owner alone, under a name that nobody has; the file itself, then the folder's list of files."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    opened, synced, linked = [], [], []
    own_open, own_sync, own_link = os.open, os.fsync, os.link

    def opening(where, flags, mode=0o777):
        opened.append((os.path.isdir(where), flags, mode))
        return own_open(where, flags, mode)

    def syncing(handle):
        synced.append(stat.S_ISDIR(os.fstat(handle).st_mode))
        own_sync(handle)

    def linking(old, new):
        linked.append((os.path.dirname(old), new))
        own_link(old, new)

    for name, watched in (("open", opening), ("fsync", syncing), ("link", linking)):
        monkeypatch.setattr(os, name, watched)
    BudgetFile.at(path).create(Budget.of(1), None)
    new = (False, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
    assert opened == [new, (False, os.O_RDWR, 0o777), (True, os.O_RDONLY, 0o777)]
    assert synced == [False, True] and linked == [(os.path.dirname(path), path)]


def test_a_folder_that_goes_while_a_file_is_made_is_named_with_the_file(tmp_path):
    missing = str(tmp_path / "none" / "budget.db")
    with pytest.raises(ValueError, match=f"{missing}: .Errno 2"):
        BudgetFile.at(missing).create(Budget.of(1), None)


def test_a_name_that_goes_while_it_is_looked_at_is_no_failure(path, monkeypatch):
    """Another process may clear away the same leftover; a second name that stays is refused."""
    Ledger.open(path, 1)
    os.link(path, f"{path}.copy")
    monkeypatch.setattr(budget_connection.glob, "glob", lambda _: [f"{path}.gone.making"])
    with pytest.raises(ValueError, match="second name"):
        Ledger.open(path)


def test_every_connection_waits_half_a_minute_and_reads_a_file_that_is_there(path, monkeypatch):
    own_connect, asked = sqlite3.connect, []

    def connecting(where, **options):
        asked.append((where.rsplit("/")[-1], options))
        return own_connect(where, **options)

    Ledger.open(path, 1)
    monkeypatch.setattr(budget_connection.sqlite3, "connect", connecting)
    Ledger.open(path).charge([charge()])
    options = {"uri": True, "isolation_level": None, "check_same_thread": False, "timeout": 30.0}
    assert asked and all(one == ("budget.db?mode=rw", options) for one in asked)
    asked.clear()
    BudgetFile.at(f"{path}.new").create(Budget.of(1), None)
    assert [one[1] for one in asked] == [{"isolation_level": None, "timeout": 30.0}]


def test_a_file_s_log_is_asked_for_when_it_is_made_and_at_each_use(path, monkeypatch):
    seen = []
    monkeypatch.setattr(budget_connection, "require_durable", lambda _, where: seen.append(where))
    BudgetFile.at(path).create(Budget.of(1), None)
    assert len(seen) == 1 and os.path.basename(seen[0]).startswith(".budget.db.")
    with BudgetFile.at(path).transaction():
        assert seen[1:] == [path]


@pytest.fixture
def quick(monkeypatch):
    """Nobody waits long for another process."""
    monkeypatch.setattr(budget_connection, "WAIT", 0.1)


def test_a_process_killed_while_it_makes_the_file(tmp_path, pytestconfig):
    """At lines all along: there is no file, or the whole one; and the next one can be made or opened."""
    Ledger.open(tmp_path / "warm.db", 1, domain=DOMAIN)
    said, _ = in_child(lambda say: say(count_lines(lambda: Ledger.open(tmp_path / "whole.db", 1, domain=DOMAIN))))
    lines = int(said[0])  # a child has no connection of before to close, so that it runs fewer lines than its parent
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
        with pytest.raises(ValueError, match="another process"):
            ledger.charge([charge()])
        assert ledger.spent == 0, "reading does not wait"
        other.execute("ROLLBACK")
    assert ledger.charge([charge()]) == 1


def test_a_full_disk_charges_nothing(path, monkeypatch):
    ledger = Ledger.open(path, 1, domain=DOMAIN)
    ledger.charge([charge()])
    with monkeypatch.context() as patch:
        connecting(patch, "PRAGMA max_page_count = 1")
        with pytest.raises(ValueError, match="disk is full"):
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
        with pytest.raises(ValueError, match="cannot be written"):
            ledger.charge([charge()])
    assert ledger.spent == 0 and ledger.charge([charge()]) == 1


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
