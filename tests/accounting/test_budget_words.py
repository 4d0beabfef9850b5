"""A budget is of a domain's codes: units and reasons, which are words for people, do not lock it."""

from fractions import Fraction

import pytest

from fdpedu.accounting import Ledger
from fdpedu.domain import Domain, Numeric
from tests.support.budget_files import charge


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "budget.db")


WORDS = [("years", "the form"), ("", ""), ("a", "it was agreed"), ("", "why ever")]


@pytest.mark.parametrize("before", WORDS)
@pytest.mark.parametrize("after", WORDS)
def test_other_words_in_a_domain_leave_its_budget_usable(path, before, after):
    """Units and reasons may be added, changed and left out; the file keeps those that it was made with."""
    old, new = (Domain([Numeric.grid("x", 0, 3, 3, unit=unit, reason=why)], (0, 1)) for unit, why in (before, after))
    with Ledger.open(path, 1, domain=old) as ledger:
        ledger.charge([charge("1/2", old.everything)])
    with Ledger.open(path, domain=new) as ledger:
        assert ledger.remaining() == Fraction(1, 2) and repr(ledger.domain) == repr(old)
        ledger.charge([charge("1/2", new.everything)])
        assert ledger.derivation().guarantee.spent == 1


OTHERS = {
    "bins": Domain([Numeric.grid("x", 0, 3, 4)], (0, 1)),
    "range": Domain([Numeric.grid("x", 0, 4, 3)], (0, 1)),
    "name": Domain([Numeric.grid("y", 0, 3, 3)], (0, 1)),
    "classes": Domain([Numeric.grid("x", 0, 3, 3)], (1, 0)),
}


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
def test_what_programs_compare_locks_a_budget(path, other):
    Ledger.open(path, 1, domain=Domain([Numeric.grid("x", 0, 3, 3)], (0, 1)))
    with pytest.raises(ValueError, match="another domain"):
        Ledger.open(path, domain=other)
