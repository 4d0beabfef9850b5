"""A budget that cannot be written can be looked at, and looking at one changes nothing."""

import os
import shutil
import sqlite3
import tempfile
from fractions import Fraction
from pathlib import Path

import pytest

from fdpedu.accounting import Ledger, budget_copy
from fdpedu.accounting.budget_copy import looked_at
from fdpedu.claims.forks import in_child
from fdpedu.cli import main
from tests.support.budget_files import charge
from tests.support.federations import DOMAIN

STORED = Path(__file__).parent / "data" / "budget-1.db"  # written by a program of version 1


@pytest.fixture
def path(tmp_path):
    (tmp_path / "a study").mkdir()
    return str(tmp_path / "a study" / "budget.db")


def contents(path):
    return {file.name: file.read_bytes() for file in Path(path).parent.iterdir()}


@pytest.mark.parametrize("log", [False, True])
def test_what_is_seen_is_what_was_charged_and_nothing_changes(path, log):
    """Also what stands in the log alone, because somebody has the file open."""
    with Ledger.open(path, 1, domain=DOMAIN) as ledger:
        ledger.charge([charge("1/3")])
    holder = sqlite3.connect(path)
    if log:
        holder.execute("SELECT * FROM round").fetchall()  # a reader keeps the log from being taken up
        with Ledger.open(path) as ledger:
            ledger.charge([charge("1/4")])
        assert os.path.getsize(f"{path}-wal")
    before = contents(path)
    with looked_at(path) as seen:
        assert seen.remaining() == (Fraction(5, 12) if log else Fraction(2, 3)) and seen.domain == DOMAIN
    assert contents(path) == before
    holder.close()


def test_a_file_of_an_older_version_is_shown_and_stays_one(path, capsys):
    shutil.copyfile(STORED, path)
    before = contents(path)
    assert main(["show", path]) == 0 and "remaining" in capsys.readouterr().out
    assert contents(path) == before


def test_a_budget_that_cannot_be_written_is_shown():
    """In a folder that cannot be written either, by somebody who is not its owner."""
    folder = tempfile.mkdtemp()
    try:
        path = os.path.join(folder, "budget.db")
        with Ledger.open(path, 1, domain=DOMAIN) as ledger:
            ledger.charge([charge("1/3")])
        os.chmod(path, 0o444)
        os.chmod(folder, 0o555)

        def other(say):
            if os.getuid() == 0:
                os.setuid(65534)
            with looked_at(path) as seen:
                say(seen.remaining())
            with pytest.raises(ValueError, match="cannot be written"):
                Ledger.open(path)

        assert in_child(other) == (["2/3"], 0)
    finally:
        os.chmod(folder, 0o755)
        shutil.rmtree(folder)


def test_a_file_that_changes_while_it_is_copied_is_copied_again(path, monkeypatch):
    ledger, own = Ledger.open(path, 1), shutil.copyfile
    ledger.charge([charge("1/8")])
    rounds = iter(["1/4", "1/8"])

    def copying(source, target):
        own(source, target)
        for epsilon in rounds:
            ledger.charge([charge(epsilon)])
            break

    monkeypatch.setattr(budget_copy.shutil, "copyfile", copying)
    monkeypatch.setattr(budget_copy, "_PAUSE", 0)
    with looked_at(path) as seen:
        assert seen.remaining() == ledger.remaining() == Fraction(1, 2)


def test_a_file_that_never_rests_is_refused(path, monkeypatch):
    ledger, own = Ledger.open(path, 10**6), shutil.copyfile

    def copying(source, target):
        own(source, target)
        ledger.charge([charge("1/8")])

    monkeypatch.setattr(budget_copy.shutil, "copyfile", copying)
    monkeypatch.setattr(budget_copy, "_PAUSE", 0)
    monkeypatch.setattr(budget_copy, "_TRIES", 3)
    with pytest.raises(ValueError, match="changes all the time"), looked_at(path):
        pass


@pytest.mark.parametrize(("content", "words"), [(b"SQLite format 3\0", "damaged|no budget"), (b"", "no budget")])
def test_what_is_no_budget_is_refused_by_its_own_name(path, content, words):
    Path(path).write_bytes(content)
    with pytest.raises(ValueError, match=words) as refused, looked_at(path):
        pass
    assert str(refused.value).startswith(os.path.realpath(path))


def test_a_budget_that_is_not_there_is_refused(path):
    with pytest.raises(ValueError, match="no such file"), looked_at(path):
        pass


@pytest.mark.parametrize("budget", [None, 1])
def test_a_folder_is_named_as_one(path, budget):
    with pytest.raises(ValueError, match="is a folder"):
        Ledger.open(os.path.dirname(path), budget)
