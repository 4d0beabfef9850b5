"""Ledgers on one file under random sequences of calls and faults, beside one ledger in memory."""

import os
import tempfile
from fractions import Fraction

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from fdpedu.accounting import BudgetExceeded, Ledger
from fdpedu.claims.strategies import regions
from tests.support.budget_files import charge, connecting
from tests.support.federations import DOMAIN

costs = st.fractions(Fraction(1, 12), Fraction(2, 3), max_denominator=12)


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
