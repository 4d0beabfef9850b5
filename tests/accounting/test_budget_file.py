"""A ledger in a file: what is charged stands there, whoever opens it, and is spent once; damage is noticed."""

import copy
import hashlib
import json
import os
import pickle
import shutil
import sqlite3
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings

from fdpedu.accounting import Budget, BudgetExceeded, Charge, Ledger, budget_file, check_derivation
from fdpedu.accounting.budget_file import BudgetFile
from fdpedu.accounting.cost import NOTHING
from fdpedu.claims.strategies import domains
from fdpedu.domain import Categorical, Domain
from tests.support.accounting import at_once
from tests.support.budget_files import ALL, charge, sql
from tests.support.faults import every_failure
from tests.support.federations import DOMAIN, OTHER


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "budget.db")


def test_a_ledger_opened_again_is_the_same_ledger(path):
    """Charges, accounts, domain and derivation, to the letter; and the numbers go on."""
    kept, one = Ledger.open(path, "3/2", domain=DOMAIN), Ledger("3/2", domain=DOMAIN)
    half = ALL.restrict(0, [0, 2]).restrict_class([1])
    rounds = [
        ([charge("1/7"), charge("1/3", half, 'a "count" of ä', randomness="seeded generator")], ""),
        ([charge("1/9", half, releases=10**18)], "tree 2"),
    ]
    for batch, account in rounds:
        assert kept.charge(batch, account) == one.charge(batch, account)
    again = Ledger.open(path)
    assert again.derivation().to_json() == one.derivation().to_json() == kept.derivation().to_json()
    assert check_derivation(again.derivation().to_json()).spent == one.spent
    assert (again.budget, again.spent, again.rounds) == (one.budget, one.spent, 2)
    assert (again.accounts, again.odometer(), again.domain) == (one.accounts, one.odometer(), DOMAIN)
    assert again.remaining(half, "tree 2") == one.remaining(half, "tree 2")
    assert again.charge([charge("1/100")]) == one.charge([charge("1/100")]) == 3
    with pytest.raises(BudgetExceeded):
        again.charge([charge(1)])
    assert kept.spent == again.spent == one.spent and kept.spent_on(half) == one.spent_on(half)


def test_the_last_charge_has_a_time(path):
    ledger = Ledger.open(path, 1)
    assert ledger.last_charge is None and ledger.path == Path(path).resolve()
    for number in (1, 2):
        ledger.charge([charge()])
        last = Ledger.open(path).last_charge
        assert last.round == number and abs(datetime.now(UTC) - last.time) < timedelta(seconds=20)
        assert last.time.utcoffset() == timedelta(0)
    assert Ledger(1).last_charge is None and Ledger(1).path is None


def test_the_domain_is_kept_as_soon_as_it_is_named(path):
    """By whom ever; and nobody names another one."""
    first, second = Ledger.open(path, 1), Ledger.open(path)
    assert first.domain is None is second.domain
    first.charge([charge()])
    first.bind(DOMAIN)
    assert second.domain == DOMAIN == Ledger.open(path, domain=DOMAIN).domain
    for again in (second.bind, lambda domain: Ledger.open(path, domain=domain)):
        with pytest.raises(ValueError, match="another domain"):
            again(OTHER)
    assert Ledger.open(path).domain == DOMAIN


def test_two_that_name_a_domain_at_once(path, monkeypatch):
    """The second finds the first one's, although there was none when it looked."""
    first, second = Ledger.open(path, 1), Ledger.open(path)
    looked = Ledger.domain.fget

    def look(ledger):
        found = looked(ledger)
        if ledger is second:
            first.bind(DOMAIN)
        return found

    monkeypatch.setattr(Ledger, "domain", property(look))
    with pytest.raises(ValueError, match="another domain"):
        second.bind(OTHER)
    monkeypatch.undo()
    assert Ledger.open(path).domain == DOMAIN


@settings(max_examples=60, deadline=None)
@given(domains())
def test_a_domain_is_kept_as_it_is(tmp_path_factory, domain):
    """Whoever opens the file later has the same domain."""
    path = tmp_path_factory.mktemp("kept") / "budget.db"
    Ledger.open(path, 1, domain=domain)
    assert repr(Ledger.open(path).domain) == repr(domain)


def test_categories_that_no_file_can_hold_are_refused_before_it_is_made(path):
    odd = Categorical("c", (None, "a"))
    with pytest.raises(ValueError, match="truth value"):
        Ledger.open(path, 1, domain=Domain([odd], ("a", "b")))
    assert not os.path.exists(path)


def test_a_closed_ledger_refuses_everything(path):
    with Ledger.open(path, 1, domain=DOMAIN) as ledger:
        ledger.charge([charge()])
    uses = [ledger.derivation, ledger.odometer, ledger.remaining, partial(ledger.bind, DOMAIN), lambda: ledger.spent]
    for use in (*uses, partial(ledger.charge, [charge()]), lambda: ledger.last_charge, lambda: ledger.rounds):
        with pytest.raises(ValueError, match="closed"):
            use()
    assert repr(ledger) == f"Ledger({path!r}, budget 1, spent at least 1/4, add-remove)"
    with Ledger(1) as memory:
        pass
    assert memory.charge([charge()]) == 1, "a ledger in memory has nothing to close"


def test_a_copy_of_a_ledger_in_a_file_is_the_same_budget(path):
    ledger = Ledger.open(path, 1)
    ledgers = [ledger, copy.copy(ledger), copy.deepcopy(ledger), pickle.loads(pickle.dumps(ledger))]
    for one in ledgers:
        one.charge([charge()])
    assert [one.spent for one in ledgers] == [1, 1, 1, 1]


@pytest.mark.parametrize("name", ["budget", "measure", "relation", "domain", "path", "last_charge", "spent"])
@pytest.mark.parametrize("kept", [False, True])
def test_what_a_ledger_says_cannot_be_set(path, kept, name):
    ledger = Ledger.open(path, 1) if kept else Ledger(1)
    with pytest.raises(AttributeError):
        setattr(ledger, name, Fraction(100))
    assert (ledger.budget, ledger.measure, ledger.relation) == (1, "pure", "add-remove")


def test_threads_on_ledgers_of_one_file_spend_it_exactly(path):
    """Twelve threads, six of them on ledgers of their own; as many rounds succeed as fit, each with its own number."""
    shared, numbers = Ledger.open(path, 3, domain=DOMAIN), []

    def spend(k):
        ledger = shared if k % 2 else Ledger.open(path)
        for _ in range(2):
            try:
                numbers.append(ledger.charge([charge("1/5", ALL.restrict(0, [k % 3])), charge("1/10")]))
            except BudgetExceeded:
                pass

    at_once(12, spend)
    assert sorted(numbers) == list(range(1, len(numbers) + 1)) and len(numbers) == shared.rounds
    assert shared.spent <= 3 and check_derivation(shared.derivation().to_json()).spent == shared.spent
    assert shared.remaining() < Fraction(3, 10)


@pytest.mark.parametrize("account", [None, 3, b"a", "\ud800"])
def test_an_account_in_a_file_is_text(path, account):
    ledger = Ledger.open(path, 1)
    with pytest.raises(ValueError):
        ledger.charge([charge()], account)
    assert ledger.rounds == 0 and ledger.charge([charge()], "a") == 1


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
            with pytest.raises(ValueError, match=f"colluders = {colluders}"):
                again.charge(batch)
    for other in (7, -1, True, 1.5):
        with pytest.raises(ValueError, match="colluders"):
            Ledger.open(path, colluders=other)


WIDE = Domain([Categorical("w", tuple(range(40)))], tuple(range(9)))


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
    BudgetFile.at(path).create(Budget.of(2), DOMAIN, 3)
    assert os.listdir(os.path.dirname(path)) == ["budget.db"]
    with BudgetFile.at(path).transaction() as books:
        assert (books.budget(), books.domain(), books.colluders()) == (Budget.of(2), DOMAIN, 3)


def test_what_a_failure_leaves_while_a_file_is_made_is_cleared_away(path, monkeypatch):
    def failing(making, *_):
        for end in ("-wal", "-shm", "-journal"):
            with open(making + end, "w", encoding="utf8"):
                pass
        raise sqlite3.OperationalError("out of luck")

    monkeypatch.setattr(budget_file, "fill", failing)
    with pytest.raises(ValueError, match="out of luck"):
        Ledger.open(path, 1)
    assert os.listdir(os.path.dirname(path)) == []


def test_only_naming_a_domain_takes_the_file_for_writing(path, monkeypatch):
    """So that two who name one do so after one another, and one who names it again waits for nobody."""
    own, begun = BudgetFile.transaction, []
    watched = lambda self, begin="BEGIN", **options: begun.append(begin) or own(self, begin, **options)  # noqa: E731
    monkeypatch.setattr(BudgetFile, "transaction", watched)
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


@pytest.mark.parametrize("content", [b"", b"My diary. " * 500])
def test_what_is_no_budget_file_is_left_as_it_is(path, content):
    Path(path).write_bytes(content)
    with pytest.raises(ValueError, match=r"budget\.db"):
        Ledger.open(path)
    assert Path(path).read_bytes() == content


def test_a_budget_is_given_once_or_again_the_same(path):
    with pytest.raises(ValueError, match="epsilon"):
        Ledger.open(path, -1)
    assert not os.path.exists(path)
    Ledger.open(path, "1/2").charge([charge()])
    assert Ledger.open(path, 0.5).spent == Fraction(1, 4)


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
        patch.setattr("fdpedu.accounting.ledger.booking.cost_of", lambda trees: NOTHING)
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
        with pytest.raises(ValueError, match="round 2"):
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


@pytest.mark.claim("thm-round")
def test_wherever_the_disk_fails_a_ledger_s_file_is_whole_or_not_there(path):
    """At every step of making it; a failure is named, never passed over, and leaves nothing else in the folder."""
    for failing in every_failure():
        with failing as disk:
            if done := _done(lambda: Ledger.open(path, "3/2", domain=DOMAIN, colluders=2)):
                disk.require_done()
        assert done != disk.failed, f"a failure is passed over: {disk.steps}"
        if os.path.exists(path):
            again = Ledger.open(path)
            assert (again.budget, again.domain, again.colluders) == (Fraction(3, 2), DOMAIN, 2)
            again.close()
            os.unlink(path)
        else:
            assert disk.failed
        assert set(os.listdir(os.path.dirname(path))) <= {"budget.db-wal", "budget.db-shm"}


@pytest.mark.claim("thm-round")
def test_wherever_the_disk_fails_a_round_is_charged_whole_or_not_at_all(path):
    """And if it says that it is charged, it is; the ledger goes on from what the file holds."""
    for failing in every_failure():
        ledger = Ledger.open(path, 1)
        before = ledger.rounds
        if before == 4:
            ledger.close()
            os.unlink(path)
            ledger, before = Ledger.open(path, 1), 0
        with failing as disk:
            done = _done(lambda ledger=ledger: ledger.charge([charge("1/8"), charge("1/8")], "a"))
        assert done != disk.failed, f"a failure is passed over: {disk.steps}"
        added = ledger.rounds - before
        assert added == 1 or (added == 0 and not done)
        assert ledger.spent == Fraction(ledger.rounds, 4) == Ledger.open(path).spent


def _done(act):
    try:
        act()
    except ValueError:
        return False
    return True
