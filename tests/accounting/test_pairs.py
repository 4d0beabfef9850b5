"""Wherever two amounts of ρ are compared both parts are: once ρ is too large, once ξ, each by as little as there is."""

import json
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.accounting import Amount, BudgetExceeded, Cost, Derivation, Ledger
from fdpedu.accounting.cost import GAUSSIAN
from fdpedu.claims.accounting.two_currencies import charge_in_rho
from fdpedu.domain import Domain
from fdpedu.estimators.search import SearchCost
from fdpedu.files import FileRefused
from fdpedu.trees.costs import budget_within

DOMAIN = Domain.from_spec({"features": {"age": {"low": 0, "high": 8, "bins": 2}}, "classes": ["no", "yes"]})
ALL, YOUNG = DOMAIN.everything, DOMAIN.everything.restrict(0, [0])
TINY = Fraction(1, 10**9)
TOO_MUCH = Amount(TINY), Amount(xi=TINY), Amount(-TINY, TINY), Amount(TINY, -TINY)
"""One part more than there is, the other as it is, or less."""


def ledger():
    return Ledger(1, delta="1/1000000", domain=DOMAIN)


LIMIT = ledger().total.amount
parts = st.fractions(Fraction(1, 50), Fraction(49, 50), max_denominator=50)


def stored(path):
    Ledger.open(path, 1, delta="1/1000000", domain=DOMAIN).close()
    return Ledger.open(path)


def charged(own, amounts):
    """Charge one after the other, on all records and on some."""
    for amount, region in zip(amounts, (ALL, YOUNG), strict=True):
        own.charge([charge_in_rho(region, amount)])


@pytest.mark.parametrize("kind", ["in memory", "in a file"])
@settings(max_examples=8)
@given(share=parts)
def test_a_ledger_takes_all_of_both_parts_and_no_more_of_either(kind, share, tmp_path_factory):
    first = Amount(LIMIT.value * share, LIMIT.xi * (1 - share))
    rest = LIMIT.less(first)
    for more, fits in ((Amount(), True), *((more, False) for more in TOO_MUCH)):
        own = ledger() if kind == "in memory" else stored(tmp_path_factory.mktemp("pairs") / "b.db")
        if fits:
            charged(own, (first, rest))
            assert own.spent == LIMIT and own.left() == Amount()
            continue
        with pytest.raises(BudgetExceeded):
            charged(own, (first, rest.plus(more)))
        assert own.spent == first and own.rounds == 1


def test_a_document_is_refused_where_either_part_is_less_than_what_was_paid():
    """The budget, the root, and a sum in between, each with one part a little too small, and the promise restated."""
    own = ledger()
    charged(own, (Amount(LIMIT.value / 2, LIMIT.xi / 2), LIMIT.less(Amount(LIMIT.value / 2, LIMIT.xi / 2))))
    text = own.derivation().to_json()
    assert Derivation.from_json(text, DOMAIN).spent == LIMIT
    for part in ("rho", "xi"):
        for at in (("budget",), ("proof",), ("proof", "premises", 0), ("proof", "premises", 0, "premises", 0)):
            content = json.loads(text)
            step = content
            for key in at:
                step = step[key]
            step[part] = str(Fraction(step[part]) - TINY)
            if at == ("budget",):
                content["proof"][part] = content["guarantee"][part] = step[part]
            with pytest.raises(FileRefused):
                Derivation.from_json(json.dumps(content), DOMAIN)


@given(st.tuples(parts, parts))
def test_what_may_be_asked_is_within_both_parts_of_what_is_left(pair):
    left = Amount(*pair)
    for asked, fits in ((left, True), *((left.plus(more), False) for more in TOO_MUCH)):
        cost = Cost(GAUSSIAN, *asked)
        assert asked.within(left) == fits == SearchCost(1, asked, left, GAUSSIAN).is_affordable
        if fits:
            assert budget_within(left, GAUSSIAN, cost) == cost
            continue
        with pytest.raises(BudgetExceeded):
            budget_within(left, GAUSSIAN, cost)
    assert Amount(Fraction(2), Fraction(1)).joined(Amount(Fraction(1), Fraction(2))) == (2, 2)
