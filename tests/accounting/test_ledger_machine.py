"""Ledgers under random sequences of calls, against a slow model that looks at every record of a small domain.

The model holds what was booked as sets of records. Accounts add up; within an account a region goes to the first group
in which it is nested in, around or apart from every other one, and a group costs what its worst record pays.
"""

import copy
import dataclasses
import json
import pickle
import sys
import threading
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from fdpedu.accounting import BudgetExceeded, Charge, Ledger, check_derivation
from fdpedu.claims.strategies import regions
from fdpedu.domain import Categorical, Domain, Numeric, Region

DOMAIN = Domain([Numeric.grid("x", 0, 3, bins=3), Categorical("w", ("A", "B"))], ("well", "ill"))
OTHER = Domain([Numeric.grid("x", 0, 3, bins=4), Categorical("w", ("A", "B"))], ("well", "ill"))
RECORDS = list(product(range(3), range(2), range(2)))
TINY = Fraction(1, 10**30)
halves = st.sampled_from([DOMAIN.everything.restrict(0, [0]), DOMAIN.everything.restrict(0, [1, 2])])
some_regions = st.one_of(st.just(DOMAIN.everything), halves, regions(DOMAIN))
costs = st.fractions(Fraction(1, 60), Fraction(1, 5), max_denominator=60)
accounts = st.sampled_from(["", "tree 1", "tree 2"])
bookings = st.lists(st.tuples(some_regions, costs), min_size=1, max_size=4)


def members(region):
    return frozenset(
        z for z in RECORDS if z[0] in region.codes(0) and z[1] in region.codes(1) and z[2] in region.class_codes
    )


def charge(region, epsilon, colluders=3, **others):
    how = ("a count", "noise in shares", 1, "thm-histogram", colluders)
    return Charge(region, epsilon, *how, **others)


class Model:
    """What a ledger of this budget must say: its rounds, and groups of regions by account."""

    def __init__(self, budget, promised=None):
        self.budget, self.promised, self.rounds, self.groups = budget, promised, [], []

    def booked(self, batch, account):
        """The groups after one more round."""
        groups = [(name, {region: [*costs] for region, costs in group.items()}) for name, group in self.groups]
        for region, epsilon in batch:
            self.place(groups, account, region).setdefault(region, []).append(epsilon)
        return groups

    @staticmethod
    def place(groups, account, region):
        for name, group in groups:
            inside = members(region)
            sets = map(members, group)
            if name == account and all(s <= inside or inside <= s or not s & inside for s in sets):
                return group
        groups.append((account, {}))
        return groups[-1][1]

    @staticmethod
    def cost(groups, among=RECORDS):
        """Each group costs what its worst record pays; groups add up."""
        total = Fraction(0)
        for _, group in groups:
            paid = dict.fromkeys(among, Fraction(0))
            for region, costs_of_it in group.items():
                for z in members(region) & set(among):
                    paid[z] += sum(costs_of_it)
            total += max(paid.values())
        return total

    def fits(self, batch, account):
        return self.cost(self.booked(batch, account)) <= self.budget

    def book(self, batch, account, colluders):
        self.groups = self.booked(batch, account)
        self.promised = colluders if self.promised is None else self.promised
        self.rounds.append((batch, account, colluders))

    def again(self, domain=DOMAIN):
        """A ledger that was charged the same."""
        ledger = Ledger(self.budget, domain=domain, colluders=self.promised)
        for batch, account, colluders in self.rounds:
            ledger.charge([charge(*entry, colluders) for entry in batch], account)
        return ledger


def subclassed(good):
    """A charge that claims another ε after it was booked."""
    cheap = type("Cheap", (Charge,), {"rate": Fraction(1, 10**6)})
    return cheap(**{field.name: getattr(good, field.name) for field in dataclasses.fields(Charge)})


def look_alike(good):
    return type("Charge", (), {name: getattr(good, name) for name in (*good.__dict__, "rate")})()


def fails(good):
    yield good
    raise RuntimeError("the caller fails")


SPOILT = {
    "empty": lambda good: [],
    "subclass": lambda good: [good, subclassed(good)],
    "look-alike": lambda good: [look_alike(good), good],
    "no charge": lambda good: [good, good.region],
    "another domain's region": lambda good: [good, charge(OTHER.everything, good.epsilon)],
    "another number of features": lambda good: [good, charge(Region((1,), 1), good.epsilon)],
    "a generator that fails": fails,
    "no list": lambda good: good,
    "more digits than the checker reads": lambda good: [
        good,
        *(charge(good.region, Fraction(1, 10**300 + i)) for i in (1, 3)),
    ],
}


class Ledgers(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.pairs = []

    @initialize(budget=st.fractions(Fraction(1, 2), 2, max_denominator=4))
    def first(self, budget):
        self.pairs.append((Ledger(budget, domain=DOMAIN), Model(budget)))

    @precondition(lambda self: len(self.pairs) < 3)
    @rule(budget=st.fractions(Fraction(1, 2), 2, max_denominator=4), known=st.booleans(), promised=st.integers(0, 3))
    def another(self, budget, known, promised):
        self.pairs.append(
            (Ledger(budget, domain=DOMAIN if known else None, colluders=promised), Model(budget, promised))
        )

    def pick(self, data):
        return self.pairs[data.draw(st.integers(0, len(self.pairs) - 1), label="ledger")]

    @rule(data=st.data(), batch=bookings, account=accounts, colluders=st.integers(1, 3))
    def charge(self, data, batch, account, colluders):
        """It is booked as a whole if the model fits the budget, and not at all if not, or if one withstands less."""
        ledger, model = self.pick(data)
        round_of = [charge(*entry, colluders) for entry in batch]
        if colluders < (model.promised or 0):
            round_of[1:] = [charge(*entry, 9) for entry in batch[1:]]
            with pytest.raises(ValueError, match="nothing was charged"):
                ledger.charge(round_of, account)
        elif model.fits(batch, account):
            assert ledger.charge(iter(round_of), account) == len(model.rounds) + 1
            model.book(batch, account, colluders)
        else:
            with pytest.raises(BudgetExceeded):
                ledger.charge(round_of, account)

    @rule(data=st.data(), region=some_regions, account=accounts, kind=st.sampled_from(sorted(SPOILT)))
    def spoilt(self, data, region, account, kind):
        """What is not a list of charges on the domain is refused, whatever good charges it holds."""
        ledger, _ = self.pick(data)
        ledger.bind(DOMAIN)
        with pytest.raises((ValueError, TypeError, RuntimeError)):
            ledger.charge(SPOILT[kind](charge(region, Fraction(1, 1000))), account)

    @rule(data=st.data())
    def bound_once(self, data):
        """The domain is named once, and a look-alike of it never."""
        ledger, _ = self.pick(data)
        ledger.bind(DOMAIN)
        subclass = type("Wide", (Domain,), {})(DOMAIN.features, DOMAIN.classes)
        for domain in (OTHER, subclass, DOMAIN.everything, None):
            with pytest.raises(ValueError, match="domain"):
                ledger.bind(domain)
        assert ledger.domain == DOMAIN

    @rule(data=st.data(), region=st.none() | some_regions, account=accounts)
    def what_remains(self, data, region, account):
        """Exactly what remains can be charged, in this account, and nothing more."""
        ledger, model = self.pick(data)
        where = DOMAIN.everything if region is None else region
        left = ledger.remaining(region, account)
        assert left == model.budget + 1000 - Model.cost(model.booked([(where, Fraction(1000))], account))
        with pytest.raises(BudgetExceeded):
            ledger.charge([charge(where, left + TINY, 3)], account)
        copied = model.again()
        if left > 0:
            copied.charge([charge(where, left, 3)], account)
            assert copied.spent == model.budget
        assert copied.remaining(where, account) == 0

    @rule(data=st.data(), region=some_regions)
    def reads(self, data, region):
        """Reading changes nothing, and a part of the records has paid what its worst record has."""
        ledger, model = self.pick(data)
        assert ledger.spent_on(region) == Model.cost(model.groups, sorted(members(region)))
        odometer = ledger.odometer()
        assert set(odometer) == {r for batch, _, _ in model.rounds for r, _ in batch}
        assert all(paid == Model.cost(model.groups, sorted(members(r))) for r, paid in odometer.items())

    @rule(data=st.data())
    def derived(self, data):
        """The checker finds the same cost, the colluders that were promised, and every release once, in its round."""
        self.prove(*self.pick(data))

    def prove(self, ledger, model):
        if ledger.domain is None or not model.rounds:
            with pytest.raises(ValueError, match="domain"):
                ledger.derivation()
            return
        derivation = ledger.derivation()
        proved = check_derivation(derivation.to_json())
        assert (proved.value, proved.spent) == (model.budget, model.cost(model.groups))
        assert proved.colluders == model.promised <= min(colluders for _, _, colluders in model.rounds)
        assert json.loads(derivation.to_json()) == json.loads(derivation.to_json(indent=1)) == derivation.content
        found = []
        derivation.total(lambda step: found.append((step["round"], step["index"], Fraction(step["epsilon"]))) or 0)
        assert sorted(found) == [
            (number, index, epsilon)
            for number, (batch, _, _) in enumerate(model.rounds, 1)
            for index, (_, epsilon) in enumerate(batch, 1)
        ]

    @rule(data=st.data())
    def another_order(self, data):
        """Where every account's regions are nested or apart, the order of the rounds does not matter."""
        ledger, model = self.pick(data)
        if len({name for name, _ in model.groups}) < len(model.groups):
            return
        other = Model(model.budget, model.promised)
        other.rounds = data.draw(st.permutations(model.rounds))
        shuffled = other.again()
        assert shuffled.spent == ledger.spent
        assert all(shuffled.spent_on(r) == paid for r, paid in ledger.odometer().items())

    @rule(data=st.data(), region=some_regions, account=accounts, epsilon=costs, threads=st.integers(2, 8))
    def at_once(self, data, region, account, epsilon, threads):
        """Threads that charge at the same time: as many succeed as fit, each with a number of its own."""
        ledger, model = self.pick(data)
        start, numbers = threading.Barrier(threads), []

        def spend():
            start.wait()
            try:
                numbers.append(ledger.charge([charge(region, epsilon, 3)], account))
            except BudgetExceeded:
                numbers.append(None)

        switch = sys.getswitchinterval()
        sys.setswitchinterval(1e-6)
        team = [threading.Thread(target=spend) for _ in range(threads)]
        for thread in team:
            thread.start()
        for thread in team:
            thread.join()
        sys.setswitchinterval(switch)
        expected = []
        for _ in range(threads):
            if model.fits([(region, epsilon)], account):
                model.book([(region, epsilon)], account, 3)
                expected.append(len(model.rounds))
        assert sorted(filter(None, numbers)) == expected and len(numbers) == threads

    @rule(data=st.data(), how=st.sampled_from([copy.copy, copy.deepcopy, pickle.dumps]))
    def never_copied(self, data, how):
        """Two copies of a ledger would spend one budget twice."""
        ledger, _ = self.pick(data)
        with pytest.raises(TypeError, match="neither copied nor pickled"):
            how(ledger)

    def teardown(self):
        for ledger, model in self.pairs:
            self.prove(ledger, model)

    @invariant()
    def as_the_model_says(self):
        """Every ledger, also those that were not touched."""
        for ledger, model in self.pairs:
            assert ledger.spent == model.cost(model.groups) <= ledger.budget == model.budget
            assert ledger.colluders == model.promised
            assert ledger.rounds == len(model.rounds) and ledger.spent_on() == ledger.spent
            assert ledger.remaining() == model.budget - ledger.spent
            assert ledger.accounts == tuple(dict.fromkeys(account for _, account, _ in model.rounds))


Ledgers.TestCase.settings = settings(max_examples=settings().max_examples, stateful_step_count=20, deadline=None)
TestLedgers = Ledgers.TestCase
