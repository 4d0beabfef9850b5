"""A ledger in a file: what is charged stands there, whoever opens it, and is spent once."""

import copy
import os
import pickle
import stat
import tempfile
import threading
from contextlib import closing
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from fdpedu.accounting import BudgetExceeded, Ledger, budget_connection, check_derivation
from fdpedu.claims.histograms import laws_budget_file as law
from fdpedu.claims.strategies import domains, regions
from fdpedu.domain import Categorical, Domain
from tests.support.budget_files import ALL, charge, connecting
from tests.support.federations import DOMAIN, OTHER

costs = st.fractions(Fraction(1, 12), Fraction(2, 3), max_denominator=12)


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "budget.db")


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

    with pytest.raises(ValueError, match="local disk with a write-ahead log"):
        budget_connection.require_durable(Connection(), "budget.db")


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
    assert Ledger.open(path).domain == domain


def test_categories_that_no_file_can_hold_are_refused_before_it_is_made(path):
    odd = Categorical("c", (None, "a"))
    with pytest.raises(ValueError, match="must be text, a finite number or a truth value to be written"):
        Ledger.open(path, 1, domain=Domain([odd], ("a", "b")))
    assert not os.path.exists(path)


@pytest.mark.claim("thm-round")
@settings(max_examples=10, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2), costs.map(str)), min_size=3, max_size=6))
def test_ledgers_on_one_file_are_one_ledger(order):
    law.one_budget(tuple(order))


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
