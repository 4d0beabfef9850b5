"""What a ledger says and keeps, to the letter: refusals, accounts, what is in its file, and how the file is made."""

import hashlib
import json
import os
import sqlite3
import stat
from contextlib import closing
from fractions import Fraction

import pytest

from fdpedu.accounting import Charge, Ledger, budget_connection, budget_file, split_budget
from fdpedu.accounting.budget_file import BudgetFile
from fdpedu.domain import Categorical, Domain
from tests.support.accounting import WARDS, ward
from tests.support.budget_files import ALL, charge, sql
from tests.support.federations import DOMAIN

WIDE = Domain([Categorical("w", tuple(range(40)))], tuple(range(9)))


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "budget.db")


def refused(message, call):
    with pytest.raises((ValueError, TypeError)) as refusal:
        call()
    assert message in str(refusal.value)


# --- in memory --------------------------------------------------------------------------------------------------------


def test_refusals_name_what_was_wrong():
    ledger = Ledger(1)
    refused("measure must be 'pure', got 'zcdp'", lambda: Ledger(1, measure="zcdp"))
    refused("relation must be 'add-remove' (a substitution costs twice", lambda: Ledger(1, relation="substitution"))
    refused("domain must be a Domain, got int", lambda: ledger.bind(3))
    refused("charges must be a list, got 5", lambda: ledger.charge(5))
    refused("charge a non-empty list of Charge", lambda: ledger.charge([]))
    refused("charge a non-empty list of Charge", lambda: ledger.charge([1]))
    refused("a ledger is neither copied nor pickled: both would spend", ledger.__reduce__)
    refused("epsilon must be greater than 0, got 0", lambda: split_budget(0, "1/2"))
    refused("share must be a finite number", lambda: split_budget(1, "x"))
    small = Fraction(1, 10**399)
    refused("epsilon / (releases × sensitivity) must be a fraction of at most", lambda: charge(small, releases=10))
    assert repr(ledger) == "Ledger(budget 1, spent 0, add-remove)"


def test_a_derivation_needs_a_domain_and_a_charge():
    message = "a derivation needs a domain and at least one charge"
    refused(message, Ledger(1).derivation)
    refused(message, Ledger(1, domain=DOMAIN).derivation)
    refused(message, Ledger(1, domain=DOMAIN, colluders=1).derivation)
    ledger = Ledger(1)
    ledger.charge([charge()])
    refused(message, ledger.derivation)
    ledger.bind(DOMAIN)
    assert ledger.derivation().spent == Fraction(1, 4)


def test_nothing_spent_is_a_fraction_too():
    ledger = Ledger(1)
    assert [type(spent) for spent in (ledger.spent, ledger.spent_on(), ledger.spent_on(ALL))] == [Fraction] * 3


def test_what_remains_is_less_what_all_other_accounts_cost():
    """Accounts add up whatever their regions; within one, disjoint regions do not."""
    ledger = Ledger(1, domain=WARDS)
    for region, epsilon, account in ((ward(0), "1/4", "one"), (ward(1), "1/8", "one"), (ward(2), "1/16", "two")):
        ledger.charge([charge(epsilon, region)], account)
    for region, own, others in (
        (ward(0), Fraction(1, 4), Fraction(1, 16)),
        (ward(1), Fraction(1, 8), Fraction(1, 16)),
        (ward(3), Fraction(0), Fraction(1, 16)),
    ):
        assert ledger.remaining(region, "one") == 1 - own - others
    assert ledger.remaining(ward(2), "two") == 1 - Fraction(1, 16) - Fraction(1, 4)
    assert ledger.remaining(ward(0), "three") == 1 - Fraction(1, 4) - Fraction(1, 16) == ledger.remaining()


# --- in a file --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("colluders", [None, 0, 1, 5])
def test_what_is_promised_stands_in_the_file(path, colluders):
    assert Ledger.open(path, 1, colluders=colluders)._promised == colluders
    again = Ledger.open(path)
    assert again.colluders == colluders and again._promised == colluders
    assert sql(path, "SELECT colluders FROM ledger") == [(colluders,)]
    if colluders is not None:
        assert Ledger.open(path, colluders=colluders).colluders == colluders
        batch = [Charge(ALL, "1/4", "a count", "m", 1, "thm-histogram", max(colluders - 1, 0))]
        if colluders:
            refused(f"promises that every charge withstands colluders = {colluders}", lambda: again.charge(batch))
    refused(f"promises colluders = {colluders}, not 7: leave it out, or", lambda: Ledger.open(path, colluders=7))
    for wrong in (-1, True, 1.5):
        refused("colluders must be an integer ≥ 0", lambda wrong=wrong: Ledger.open(path, colluders=wrong))


def test_regions_of_many_codes_are_read_as_they_were_written(path):
    """Masks of many binary and hexadecimal digits."""
    regions = [WIDE.everything, WIDE.everything.restrict(0, [1, 3, 37, 39]).restrict_class([1, 3, 8])]
    ledger = Ledger.open(path, 1, domain=WIDE)
    ledger.charge([charge("1/4", region) for region in regions])
    assert list(Ledger.open(path).odometer()) == regions


def test_the_file_holds_rounds_and_digests_as_any_version_writes_them(path):
    """The format by another hand: places count from 1, each digest is that of all before and of the round's content."""
    ledger = Ledger.open(path, 1, domain=DOMAIN)
    ledger.charge([charge("1/4"), charge("1/8")])
    ledger.charge([charge("1/16")], "a tree")

    def digest(*content):
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()

    before = digest("", *[list(sql(path, "SELECT name, budget, colluders FROM ledger")[0])], [])
    rows = sql(path, "SELECT * FROM charge ORDER BY round, place")
    assert [row[:2] for row in rows] == [(1, 1), (1, 2), (2, 1)]
    for number, account, when, stated in sql(path, "SELECT * FROM round ORDER BY number"):
        before = digest(before, [number, account, when], [row for row in rows if row[0] == number])
        assert stated == before


def test_a_file_is_whole_before_any_ledger_opens_it(path):
    """Budget, promise and domain, and nothing else in the folder."""
    BudgetFile.at(path).create(Fraction(2), DOMAIN, 3)
    assert os.listdir(os.path.dirname(path)) == ["budget.db"]
    with BudgetFile.at(path).transaction() as books:
        assert (books.budget(), books.domain(), books.colluders()) == (2, DOMAIN, 3)


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
    BudgetFile.at(path).create(Fraction(1), None)
    new = (False, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
    assert opened == [new, (False, os.O_RDWR, 0o777), (True, os.O_RDONLY, 0o777)]
    assert synced == [False, True] and linked == [(os.path.dirname(path), path)]


def test_where_a_folder_cannot_be_opened_its_list_is_left_to_the_system(monkeypatch, tmp_path):
    handles = []
    monkeypatch.setattr(os, "fsync", handles.append)
    (tmp_path / "file").touch()
    monkeypatch.setattr(budget_connection.os, "name", "nt")
    budget_connection.sync(str(tmp_path))
    assert handles == []
    budget_connection.sync(str(tmp_path / "file"))
    assert len(handles) == 1


def test_a_folder_that_goes_while_a_file_is_made_is_told_by_the_file_s_name(tmp_path):
    missing = str(tmp_path / "none" / "budget.db")
    refused(f"{missing}: [Errno 2]", lambda: BudgetFile.at(missing).create(Fraction(1), None))


def test_what_a_failure_leaves_while_a_file_is_made_is_cleared_away(path, monkeypatch):
    def failing(making, *_):
        for end in ("-wal", "-shm", "-journal"):
            with open(making + end, "w", encoding="utf8"):
                pass
        raise sqlite3.OperationalError("out of luck")

    monkeypatch.setattr(budget_file, "fill", failing)
    refused(f"{path}: out of luck; nothing is released", lambda: Ledger.open(path, 1))
    assert os.listdir(os.path.dirname(path)) == []


def test_a_name_that_goes_while_it_is_looked_at_is_no_failure(path, monkeypatch):
    """Another process may clear away the same leftover; a second name that stays is refused."""
    Ledger.open(path, 1)
    os.link(path, f"{path}.copy")
    monkeypatch.setattr(budget_connection.glob, "glob", lambda _: [f"{path}.gone.making"])
    refused("has a second name (a hard link)", lambda: Ledger.open(path))


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
    BudgetFile.at(f"{path}.new").create(Fraction(1), None)
    assert [one[1] for one in asked] == [{"isolation_level": None, "timeout": 30.0}]


def test_a_file_without_a_log_is_refused_by_its_name(path, monkeypatch):
    with closing(sqlite3.connect(":memory:")) as connection:
        refused(
            f"{path} must be on a local disk with a write-ahead log: got 'memory', synchronous 2",
            lambda: budget_connection.require_durable(connection, path),
        )
    seen = []
    monkeypatch.setattr(budget_connection, "require_durable", lambda _, where: seen.append(where))
    BudgetFile.at(path).create(Fraction(1), None)
    assert len(seen) == 1 and os.path.basename(seen[0]).startswith(".budget.db.")
    with BudgetFile.at(path).transaction():
        assert seen[1:] == [path]


def test_only_naming_a_domain_takes_the_file_for_writing(path, monkeypatch):
    """So that two who name one do so after one another, and one who names it again waits for nobody."""
    own, begun = BudgetFile.transaction, []
    monkeypatch.setattr(BudgetFile, "transaction", lambda self, begin="BEGIN": begun.append(begin) or own(self, begin))
    Ledger.open(path, 1)
    ledger = Ledger.open(path)
    begun.clear()
    ledger.bind(DOMAIN)
    assert begun == ["BEGIN", "BEGIN IMMEDIATE"]
    begun.clear()
    ledger.bind(DOMAIN)
    assert begun == ["BEGIN"]
    ledger.charge([charge()])
    assert begun == ["BEGIN", "BEGIN IMMEDIATE"]


def test_refusals_of_a_file_name_what_was_wrong(path, tmp_path):
    refused("domain must be a Domain, got int", lambda: Ledger.open(path, 1, domain=4))
    missing = str(tmp_path / "none" / "budget.db")
    told = f"there is no folder {os.path.dirname(missing)}: make it, or name another file"
    refused(told, lambda: Ledger.open(missing, 1))
    refused(told, lambda: Ledger.open(missing))
    ledger = Ledger.open(path, 1)
    refused("account must be text, got int", lambda: ledger.charge([charge()], 7))
    assert ledger.spent == 0 and repr(ledger) == f"Ledger({path!r}, budget 1, spent at least 0, add-remove)"
