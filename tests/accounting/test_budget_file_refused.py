"""What is wrong with a ledger's file is said, when it is opened or used; and nothing is charged."""

import os
import shutil
from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest

from fdpedu.accounting import Ledger
from tests.support.budget_files import charge, sql
from tests.support.federations import DOMAIN


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "budget.db")


def foreign(path):
    sql(path, "CREATE TABLE t (a)", "INSERT INTO t VALUES (1)")


def of_version_2(path):
    Ledger.open(path, 1).close()
    sql(path, "PRAGMA user_version = 2")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda path: None, "there is no file .*: give a budget to make it"),
        (os.mkdir, "there is no file"),
        (lambda path: Path(path).write_text(""), "no budget file, or one that was never finished"),
        (lambda path: Path(path).write_text("My diary. " * 500), "no budget file"),
        (foreign, "no budget file"),
        (of_version_2, "version 2; this program reads version 1"),
    ],
)
def test_what_is_no_budget_file_is_refused_and_left_as_it_is(path, make, message):
    make(path)
    before = Path(path).read_bytes() if os.path.isfile(path) else None
    with pytest.raises(ValueError, match=message):
        Ledger.open(path)
    assert before is None or Path(path).read_bytes() == before


def test_another_budget_is_refused(path):
    with pytest.raises(ValueError, match="budget must be"):
        Ledger.open(path, -1)
    assert not os.path.exists(path)
    Ledger.open(path, "1/2").charge([charge()])
    assert Ledger.open(path, 0.5).spent == Fraction(1, 4)
    with pytest.raises(ValueError, match="has the budget 1/2, not 1"):
        Ledger.open(path, 1)
    with pytest.raises(ValueError, match="there is no folder"):
        Ledger.open(os.path.join(path, "deeper", "budget.db"), 1)


CHANGES = {
    "a cheaper charge": ["UPDATE charge SET epsilon = '1/100' WHERE round = 2"],
    "another region": ["UPDATE charge SET region = '1 1 1' WHERE round = 1"],
    "another account": ["UPDATE round SET account = 'b' WHERE number = 2"],
    "no round 1": ["DELETE FROM round WHERE number = 1", "DELETE FROM charge WHERE round = 1"],
    "no charges": ["DELETE FROM charge WHERE round = 2"],
    "no round": ["DELETE FROM round WHERE number = 2"],
    "a larger budget": ["UPDATE ledger SET budget = '2'"],
    "no ledger": ["DELETE FROM ledger"],
    "no table": ["DROP TABLE charge"],
    "another domain": ["UPDATE ledger SET domain = 'x'"],
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_damaged_file_is_refused(path, change):
    """One that is open, too, where it is read again; and nothing is charged."""
    ledger = Ledger.open(path, 1, domain=DOMAIN)
    ledger.charge([charge()])
    ledger.charge([charge("1/3")])
    sql(path, *CHANGES[change])
    with pytest.raises(ValueError) as raised:
        Ledger.open(path)
    assert "damaged" in str(raised.value) or "nothing is released" in str(raised.value)
    assert str(raised.value).startswith(path)


def test_a_file_with_more_charges_than_its_budget_is_refused(path, monkeypatch):
    ledger = Ledger.open(path, 1)
    with monkeypatch.context() as patch:
        patch.setattr("fdpedu.accounting.ledger.booking.cost_of", lambda trees: Fraction(0))
        for _ in range(2):
            ledger.charge([charge("2/3")])
    with pytest.raises(ValueError, match="more than its budget"):
        Ledger.open(path)


@pytest.mark.parametrize("keep", [100, 5000])
def test_a_file_cut_off_or_scratched_is_refused(path, keep):
    Ledger.open(path, 1).charge([charge()])
    whole = Path(path).read_bytes()
    for damaged in (whole[:keep], whole[:keep] + b"\xff" * (len(whole) - keep)):
        Path(path).write_bytes(damaged)
        with pytest.raises(ValueError):
            Ledger.open(path)


def test_an_older_file_under_an_open_ledger_is_noticed(path):
    """Put back before a ledger is opened it is not: then it looks like what it was."""
    ledger = Ledger.open(path, 1)
    ledger.charge([charge()])
    shutil.copy(path, path + ".old")
    ledger.charge([charge()])
    shutil.copy(path + ".old", path)
    for read in (lambda: ledger.spent, partial(ledger.charge, [charge()])):
        with pytest.raises(ValueError, match="round 2 is not as it was read before"):
            read()
    assert Ledger.open(path).spent == Fraction(1, 4)
    os.unlink(path)
    with pytest.raises(ValueError, match="nothing is released"):
        ledger.charge([charge()])
    assert not os.path.exists(path), "a file that is gone is not made anew"


def test_a_second_name_is_refused_and_an_unfinished_one_cleared_away(path):
    """Two names would have two logs. A process killed right after the file got its name leaves the other one."""
    ledger = Ledger.open(path, 1)
    os.link(path, os.path.join(os.path.dirname(path), ".budget.db.0123.making"))
    assert ledger.charge([charge()]) == 1 and os.listdir(os.path.dirname(path)) == ["budget.db"]
    os.link(path, path + "2")
    for name in (path, path + "2"):
        with pytest.raises(ValueError, match="second name"):
            Ledger.open(name)
    os.symlink(path, path + "3")
    os.unlink(path + "2")
    assert Ledger.open(path + "3").path == Ledger.open(path).path
