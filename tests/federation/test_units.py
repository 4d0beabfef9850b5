"""Parties of one federation have one domain; the words in it may differ, units that are named may not."""

from contextlib import nullcontext

import pytest

from fdpedu.accounting import Ledger
from fdpedu.domain import Domain, Numeric
from fdpedu.federation import ClassCounts, Federation, Party
from fdpedu.randomness import ZeroWords

UNITS = {
    unit: Domain(
        [Numeric.grid("age", 0, 9, bins=3, unit="years"), Numeric.grid("x", 0, 3, 3, unit=unit, reason=f"in {unit}")],
        ("well", "ill"),
    )
    for unit in ("", "kg", "lb")
}


@pytest.mark.parametrize("units", [("kg", "kg"), ("kg", ""), ("", ""), ("kg", "lb"), ("lb", "kg")])
@pytest.mark.parametrize("own", ["", "kg"])
def test_parties_count_in_one_unit(units, own):
    """Words do not keep parties apart, but numbers in different units are no numbers of one feature."""
    members, ledger = [Party([[5, 1, "well"]], UNITS[unit]) for unit in units], Ledger(1)
    with pytest.raises(ValueError, match="'x' in one unit") if "lb" in units else nullcontext():
        found = Federation(members, UNITS[own], ledger, rng=ZeroWords())
        assert found.release([ClassCounts(found.domain.everything, 1)])[0].tolist() == [2, 0]
    assert bool(ledger.spent) == ("lb" not in units)
