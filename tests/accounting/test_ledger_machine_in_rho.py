"""Ledgers in either measure under random sequences of charges, against a slow model that looks at every record.

In ρ the model is one of ε for each of the two parts: both must fit, and both are what is spent and left.
"""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from fdpedu.accounting import Amount, Budget, BudgetExceeded, Charge, Cost, Ledger, check_derivation
from fdpedu.claims.accounting.two_currencies import charge_in_rho
from fdpedu.claims.strategies import regions
from fdpedu.domain import Categorical, Domain, Numeric

DOMAIN = Domain([Numeric.grid("x", 0, 3, bins=3), Categorical("w", ("A", "B"))], ("well", "ill"))
RECORDS = list(product(range(3), range(2), range(2)))
TINY = Fraction(1, 10**30)
halves = st.sampled_from([DOMAIN.everything.restrict(0, [0]), DOMAIN.everything.restrict(0, [1, 2])])
some_regions = st.one_of(st.just(DOMAIN.everything), halves, regions(DOMAIN))
values = st.fractions(Fraction(1, 60), Fraction(1, 5), max_denominator=60)
xis = st.one_of(st.just(Fraction(0)), st.fractions(0, Fraction(1, 5), max_denominator=60))
accounts = st.sampled_from(["", "tree 1"])
batches = st.lists(st.tuples(some_regions, values, xis), min_size=1, max_size=3)
limits = st.fractions(Fraction(1, 4), 1, max_denominator=4)


def members(region):
    return frozenset(
        z for z in RECORDS if z[0] in region.codes(0) and z[1] in region.codes(1) and z[2] in region.class_codes
    )


def booked(rounds):
    """The groups of regions of each account: a region joins the first group in which all are nested or apart."""
    groups = []
    for batch, account in rounds:
        for region, *amount in batch:
            inside = members(region)
            for name, group in groups:
                sets = [members(r) for r, *_ in group]
                if name == account and all(s <= inside or inside <= s or not s & inside for s in sets):
                    group.append((region, *amount))
                    break
            else:
                groups.append((account, [(region, *amount)]))
    return groups


def cost(rounds):
    """Of each part what the worst record pays in a group, added over the groups."""
    return Amount(
        *(
            sum(
                (
                    max(sum((amount[part] for r, *amount in group if z in members(r)), Fraction(0)) for z in RECORDS)
                    for _, group in booked(rounds)
                ),
                Fraction(0),
            )
            for part in (0, 1)
        )
    )


class TwoMeasures(RuleBasedStateMachine):
    @initialize(pure=st.booleans(), limit=limits, xi=limits)
    def first(self, pure, limit, xi):
        self.pure, self.rounds, self.limit = pure, [], Amount(limit, Fraction(0) if pure else xi)
        self.ledger = Ledger(limit, domain=DOMAIN)
        if not pure:
            self.ledger = Ledger(Budget(Cost("gaussian", limit, xi), None), domain=DOMAIN)

    def charge_of(self, region, value, xi, pure=None):
        if self.pure if pure is None else pure:
            return Charge(region, value, "a count", "noise in shares", 1, "thm-histogram", 1)
        return charge_in_rho(region, Amount(value, xi))

    def as_amount(self, found):
        return Amount(found) if self.pure else found

    @rule(batch=batches, account=accounts)
    def charge(self, batch, account):
        """A round is booked as a whole if both parts fit, and not at all if either does not."""
        batch = [(region, value, Fraction(0) if self.pure else xi) for region, value, xi in batch]
        then = [*self.rounds, (batch, account)]
        charges = [self.charge_of(*one) for one in batch]
        if all(paid <= most for paid, most in zip(cost(then), self.limit, strict=True)):
            assert self.ledger.charge(charges, account) == len(then)
            self.rounds = then
        else:
            with pytest.raises(BudgetExceeded, match="nothing was charged"):
                self.ledger.charge(charges, account)

    @rule(batch=batches, account=accounts)
    def other_measure(self, batch, account):
        """One charge in the other measure, and the whole round is refused."""
        charges = [self.charge_of(*one) for one in batch]
        charges[-1] = self.charge_of(*batch[-1], pure=not self.pure)
        with pytest.raises(ValueError, match="does not belong in a ledger"):
            self.ledger.charge(charges, account)

    @rule(region=some_regions, account=accounts)
    def what_remains(self, region, account):
        """It can be charged, and no more of either part."""
        left = self.as_amount(self.ledger.remaining(region, account))
        most = Amount(Fraction(1000), Fraction(1000))
        model = cost([*self.rounds, ([(region, *most)], account)])
        assert left[0] == self.limit[0] + 1000 - model[0]
        assert self.pure or left[1] == self.limit[1] + 1000 - model[1]
        too_much = [left.plus(Amount(TINY))]
        if not self.pure and left[0] > 0:
            too_much.append(left.plus(Amount(Fraction(0), TINY)))
        for amount in too_much:
            with pytest.raises(BudgetExceeded):
                self.ledger.charge([self.charge_of(region, *amount)], account)
        again = Ledger(self.ledger.total, domain=DOMAIN)
        for batch, name in self.rounds:
            again.charge([self.charge_of(*one) for one in batch], name)
        if left[0] > 0:
            again.charge([self.charge_of(region, *left)], account)
            assert self.as_amount(again.remaining(region, account)) == (0, 0)

    @rule()
    def derived(self):
        """The checker finds the same cost, and promises the limits."""
        if self.rounds:
            proved = check_derivation(self.ledger.derivation().to_json())
            assert self.as_amount(proved.spent) == cost(self.rounds)
            assert (proved.value, proved.delta, proved.order) == (self.limit[0], 0, None)
            assert proved.rho == (None if self.pure else self.limit[0])

    @invariant()
    def what_is_spent(self):
        if hasattr(self, "ledger"):
            spent = cost(self.rounds)
            assert self.as_amount(self.ledger.spent) == spent
            assert self.as_amount(self.ledger.remaining()) == self.limit.less(spent)
            assert self.ledger.rounds == len(self.rounds)


TestTwoMeasures = TwoMeasures.TestCase
TestTwoMeasures.settings = settings(max_examples=30, stateful_step_count=12, deadline=None)
