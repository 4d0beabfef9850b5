"""A feature of a histogram may be named by NumPy's integers, as a loop over positions has them."""

import numpy as np
import pytest

from fdpedu.accounting import Ledger
from fdpedu.domain import Domain, Numeric
from fdpedu.federation import Federation, Party
from fdpedu.histograms import private_histogram
from fdpedu.randomness import ZeroWords

DOMAIN = Domain([Numeric.grid("age", 0, 40, bins=4), Numeric.grid("dose", 0, 4, bins=2)], ("well", "ill"))


def federation():
    parties = [Party([[5, 1, "ill"], [35, 3, "well"]], DOMAIN), Party([[35, 3, "ill"]], DOMAIN)]
    return Federation(parties, DOMAIN, Ledger(10), rng=ZeroWords())


@pytest.mark.parametrize("kind", [np.int8, np.uint64, np.intp])
def test_positions_of_numpy(kind):
    asked = federation()
    for position, name in enumerate(("age", "dose")):
        found = private_histogram(asked, kind(position), 1).tolist()
        assert found == private_histogram(asked, position, 1).tolist() == private_histogram(asked, name, 1).tolist()


def test_a_position_is_not_negative():
    asked = federation()
    with pytest.raises(ValueError) as refusal:
        private_histogram(asked, np.int64(-1), 1)
    assert str(refusal.value) == "feature must be an integer ≥ 0, got np.int64(-1)"
    assert asked.ledger.spent == 0
