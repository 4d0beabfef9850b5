"""A ledger in a file: what is charged stands there, whoever opens it; and whatever is wrong with it is said."""

import copy
import os
import pickle
import resource
import shutil
import sqlite3
import stat
import sys
import tempfile
import threading
from contextlib import closing
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from fdpedu.accounting import BudgetExceeded, Charge, Ledger, budget_file, check_derivation
from fdpedu.accounting.domain_text import domain_text, read_domain
from fdpedu.claims.forks import count_lines, in_child
from fdpedu.claims.histograms import laws_budget_file as law
from fdpedu.claims.strategies import domains, regions
from fdpedu.domain import Categorical, Domain, Numeric
from tests.support.federations import DOMAIN, OTHER

ALL = DOMAIN.everything
costs = st.fractions(Fraction(1, 12), Fraction(2, 3), max_denominator=12)


def charge(epsilon="1/4", region=ALL, query="a count", **others):
    return Charge(region, epsilon, query, "noise in shares", 1, "thm-histogram", 1, **others)


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "budget.db")


@pytest.fixture
def quick(monkeypatch):
    """Nobody waits long for another process."""
    monkeypatch.setattr(budget_file, "WAIT", 0.1)


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

    monkeypatch.setattr(budget_file.sqlite3, "connect", changed)


# --- what is kept -----------------------------------------------------------------------------------------------------


def test_a_ledger_opened_again_is_the_same_ledger(path):
    """Charges, accounts, domain and derivation, to the letter; and the numbers go on."""
    kept, one = Ledger.open(path, "3/2", domain=DOMAIN), Ledger("3/2", domain=DOMAIN)
    half = ALL.restrict(0, [0, 2]).restrict_class([1])
    rounds = [
        ([charge("1/7"), charge("1/3", half, 'a "count" of ä\n', randomness="seeded generator")], ""),
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


def test_the_file_is_its_owner_s_and_durable(path):
    """Mode 0600 whatever the umask, nothing left beside it; write-ahead log and FULL, as each connection reads back."""
    before = os.umask(0)
    try:
        ledger = Ledger.open(path, 1)
    finally:
        os.umask(before)
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600 and os.listdir(os.path.dirname(path)) == ["budget.db"]
    with closing(budget_file._connect(path)) as connection:
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

    with pytest.raises(ValueError, match="local disk with a write-ahead log"):
        budget_file._require_durable(Connection(), "budget.db")


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
    looked = type(second).domain.fget
    monkeypatch.setattr(Ledger, "domain", property(lambda ledger: (looked(ledger), first.bind(DOMAIN))[0]))
    with pytest.raises(ValueError, match="another domain"):
        second.bind(OTHER)
    monkeypatch.undo()
    assert Ledger.open(path).domain == DOMAIN


@settings(max_examples=60, deadline=None)
@given(domains())
def test_a_domain_is_read_as_it_was_written(domain):
    assert read_domain(domain_text(domain)) == domain


def test_categories_keep_their_types_or_are_refused(path):
    """Text, numbers, truth values and None come back as such; what JSON has no word for is refused before the file."""
    odd = Categorical("c", ("1", 2, 2.5, True, None, np.int64(7)), "units", "because")
    domain = Domain([odd, Numeric("n", (0.1, 1 / 3, 1e300))], (np.str_("a"), "b"))
    again = read_domain(domain_text(domain))
    assert again == domain and [type(c) for c in again.features[0].categories[:5]] == [
        str,
        int,
        float,
        bool,
        type(None),
    ]
    with pytest.raises(ValueError, match="a class must be text or a number to be kept in a file"):
        Ledger.open(path, 1, domain=Domain([odd], ((1, 2), "b")))
    assert not os.path.exists(path)


@pytest.mark.claim("thm-round")
@settings(max_examples=10, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2), costs.map(str)), min_size=3, max_size=6))
def test_ledgers_on_one_file_are_one_ledger(order):
    law.one_budget(tuple(order))


# --- what is refused --------------------------------------------------------------------------------------------------


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
    with pytest.raises(ValueError, match="nothing is released"):
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


def test_a_process_killed_while_it_makes_the_file(tmp_path, pytestconfig):
    """At lines all along: there is no file, or the whole one; and the next one can be made or opened."""
    lines = count_lines(lambda: Ledger.open(tmp_path / "counted.db", 1, domain=DOMAIN))
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


def test_one_who_waits_goes_on_with_what_is_left(path):
    """The other process charges in the meantime; what is left is what the second one may spend."""
    ledger, said = Ledger.open(path, 1), []

    def second():
        try:
            said.append(ledger.charge([charge("1/2")]))
        except BudgetExceeded:
            said.append(None)

    with Ledger.open(path)._file.transaction("BEGIN IMMEDIATE") as books:
        thread = threading.Thread(target=second)
        thread.start()
        books.append(1, "", [charge("3/4")])
    thread.join()
    assert said == [None] and ledger.spent == Fraction(3, 4)


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


# --- one budget -------------------------------------------------------------------------------------------------------


def test_a_closed_ledger_refuses_everything(path):
    with Ledger.open(path, 1, domain=DOMAIN) as ledger:
        ledger.charge([charge()])
    uses = [ledger.derivation, ledger.odometer, ledger.remaining, partial(ledger.bind, DOMAIN), lambda: ledger.spent]
    for use in (*uses, partial(ledger.charge, [charge()]), lambda: ledger.last_charge, lambda: ledger.rounds):
        with pytest.raises(ValueError, match="closed: open its file again"):
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
    shared, numbers, start = Ledger.open(path, 3, domain=DOMAIN), [], threading.Barrier(12)

    def spend(k):
        ledger = shared if k % 2 else Ledger.open(path)
        start.wait()
        for _ in range(2):
            try:
                numbers.append(ledger.charge([charge("1/5", ALL.restrict(0, [k % 3])), charge("1/10")]))
            except BudgetExceeded:
                pass

    team = [threading.Thread(target=spend, args=(k,)) for k in range(12)]
    for thread in team:
        thread.start()
    for thread in team:
        thread.join()
    assert sorted(numbers) == list(range(1, len(numbers) + 1)) and len(numbers) == shared.rounds
    assert shared.spent <= 3 and check_derivation(shared.derivation().to_json()).spent == shared.spent
    assert shared.remaining() < Fraction(3, 10)


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


def test_an_interrupt_leaves_the_file_and_the_ledger_agreed(path, pytestconfig):
    """Ctrl-C at instructions all along: the round is charged as a whole or not at all, and the ledger says which."""
    ledger, rounds, outcomes = Ledger.open(path, 1000, domain=DOMAIN), 0, set()
    instruction, step = 1, 1 if pytestconfig.getoption("--deep") else 41
    while True:
        stopped = interrupted(instruction, partial(ledger.charge, [charge("1/8"), charge("1/8")]))
        found = ledger.rounds
        assert found in (rounds, rounds + 1) and ledger.spent == Fraction(found, 4)
        outcomes.add((stopped, found - rounds))
        assert ledger.charge([charge()]) == found + 1 and Ledger.open(path).rounds == found + 1
        rounds, instruction = found + 1, instruction + step
        if not stopped:
            break
    assert (True, 0) in outcomes and (False, 1) in outcomes and instruction > 10 * step


class Files(RuleBasedStateMachine):
    """Several ledgers on one file, opened, closed, full and read-only; one ledger in memory says what is right."""

    def __init__(self):
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "a budget?.db")
        self.ledgers = []

    @initialize(budget=st.fractions(Fraction(1, 2), 2, max_denominator=4))
    def first(self, budget):
        self.one = Ledger(budget, domain=DOMAIN)
        self.ledgers.append(Ledger.open(self.path, budget, domain=DOMAIN))

    @precondition(lambda self: len(self.ledgers) < 3)
    @rule(known=st.booleans())
    def another(self, known):
        self.ledgers.append(Ledger.open(self.path, self.one.budget if known else None))

    def pick(self, data):
        return self.ledgers[data.draw(st.integers(0, len(self.ledgers) - 1), label="ledger")]

    def tried(self, ledger, batch, account):
        try:
            return ledger.charge(batch, account)
        except BudgetExceeded as refusal:
            return str(refusal)

    @rule(
        data=st.data(),
        batch=st.lists(st.builds(charge, costs, regions(DOMAIN)), min_size=1, max_size=3),
        account=st.sampled_from(["", "tree 1"]),
    )
    def charge(self, data, batch, account):
        assert self.tried(self.pick(data), batch, account) == self.tried(self.one, batch, account)

    @rule(data=st.data())
    def reopened(self, data):
        ledger = self.pick(data)
        ledger.close()
        with pytest.raises(ValueError, match="closed"):
            ledger.charge([charge()])
        self.ledgers[self.ledgers.index(ledger)] = Ledger.open(self.path)

    @rule(data=st.data(), fault=st.sampled_from(["PRAGMA max_page_count = 1", "PRAGMA query_only = 1"]))
    def failed(self, data, fault):
        ledger = self.pick(data)
        with pytest.MonkeyPatch.context() as patch:
            connecting(patch, fault)
            with pytest.raises(ValueError, match="nothing"):
                ledger.charge([charge("1/1000", query="x" * 20_000)])

    @invariant()
    def all_say_the_same(self):
        for ledger in self.ledgers:
            assert ledger.spent == self.one.spent <= ledger.budget == self.one.budget
        if self.ledgers:
            assert self.ledgers[-1].odometer() == self.one.odometer()
            assert self.ledgers[-1].accounts == self.one.accounts

    def teardown(self):
        if self.ledgers and self.one.rounds:
            assert Ledger.open(self.path).derivation().to_json() == self.one.derivation().to_json()
        self.folder.cleanup()


Files.TestCase.settings = settings(
    max_examples=max(5, settings().max_examples // 10), stateful_step_count=10, deadline=None
)
TestFiles = Files.TestCase
