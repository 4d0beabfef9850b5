"""All or nothing at limits: a fit that would end in its midst is refused before its first charge.

For every fit, and every way in which a derivation grows with what is asked: with as much as the whole fit needs it may
be done, with any less it is done or refused, and then nothing is charged. (Levels do not add up: a fit of the deepest
tree has fewer than a derivation may have.) The same of what others leave of a budget.
"""

from fractions import Fraction

import pytest

from fdpedu import derivation_checker as checker
from fdpedu.accounting import Charge
from tests.house.test_what_a_file_rests_on import FITS, MIXED

GROWING = ("steps", "names", "letters", "comparisons")
PARTS = 12  # of what a whole fit needs


def tried(name, *before):
    """A fit on a new ledger, after other charges: the ledger, and what the fit was refused with."""
    fit, budget, _ = FITS[name]
    ledger = budget()
    ledger.bind(MIXED)
    for charge in before:
        ledger.charge([charge])
    try:
        fit(ledger)
    except ValueError as refused:
        return ledger, refused
    return ledger, None


@pytest.mark.parametrize("what", GROWING)
@pytest.mark.parametrize("name", FITS)
def test_a_limit_that_ends_in_the_midst_of_a_fit_refuses_all_of_it(name, what, monkeypatch):
    whole, refused = tried(name)
    assert refused is None
    needed = getattr(whole.counts, what)
    for most in sorted({max(1, needed * i // PARTS) for i in range(1, PARTS + 1)} | {max(1, needed - 1)}):
        monkeypatch.setitem(checker.MAX_COUNTS, what, most)
        ledger, refused = tried(name)
        assert refused is None or ledger.rounds == 0, f"{what} = {most} of {needed}: {refused}"
    monkeypatch.setitem(checker.MAX_COUNTS, what, 10**9)
    assert tried(name)[1] is None


@pytest.mark.parametrize("name", FITS)
def test_a_budget_that_ends_in_the_midst_of_a_fit_refuses_all_of_it(name):
    """Whatever others have left, a fit that costs more is refused, or takes as much as there is from its beginning."""
    ledger = FITS[name][1]()
    for part in range(1, 12):
        cost = ledger.total.limit.scaled(Fraction(part, 12))
        if cost.is_pure:
            spent = Charge(MIXED.everything, cost, "others", "noise", 1, "c", colluders=1)
        else:
            noise = {"l2_squared": 1, "cells": 1, "variance": 1 / cost.value}
            spent = Charge(MIXED.everything, cost, "others", "noise", 1, "c", colluders=1, **noise)
        found, refused = tried(name, spent)
        assert refused is None or found.rounds == 1, f"{part}/12 of the budget are spent: {refused}"
