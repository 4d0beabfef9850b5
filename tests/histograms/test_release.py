"""Algorithm 3 and what it costs: one histogram, many of them, its noise, and how a feature is named."""

from fractions import Fraction

import numpy as np
import pytest

from fdpedu.accounting import Ledger
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import ClassHistogram, Federation, Party
from fdpedu.histograms import private_histogram
from fdpedu.randomness import Rehearsal, ZeroWords

DOMAIN = Domain([Numeric.grid("age", 0, 100, bins=4)], ("well", "ill"))


def test_a_histogram_costs_its_epsilon_and_one_round():
    parties = [Party([[10, "ill"], [60, "well"]], DOMAIN), Party([[20, "ill"]], DOMAIN)]
    federation = Federation(parties, DOMAIN, Ledger(1), rng=ZeroWords())
    assert private_histogram(federation, "age", "1/3").tolist() == [[0, 2], [0, 0], [1, 0], [0, 0]]
    old = DOMAIN.everything.restrict(0, [2, 3])
    assert private_histogram(federation, 0, "1/3", old).tolist() == [[0, 0], [0, 0], [1, 0], [0, 0]]
    assert federation.ledger.spent == Fraction(2, 3) and federation.rounds == 2


WARDS = Domain([Numeric.grid("age", 0, 90, bins=3), Categorical("ward", ("A", "B"))], ("well", "ill", "cured"))
ROWS = [[10, "A", "ill"], [40, "B", "cured"], [85, "A", "well"], [41, "B", "cured"]]


def federation(rng, budget=10, **options):
    return Federation([Party(ROWS[:1], WARDS), Party(ROWS[1:], WARDS)], WARDS, Ledger(budget), rng=rng, **options)


def test_one_histogram_of_three_classes():
    """By name and by position, everywhere and in a region; each costs its ε, and one round."""
    asked = federation(ZeroWords())
    assert private_histogram(asked, "age", "1/3").tolist() == [[0, 1, 0], [0, 0, 2], [1, 0, 0]]
    assert private_histogram(asked, 1, "1/3").tolist() == [[1, 1, 0], [0, 0, 2]]
    assert private_histogram(asked, "ward", 1, WARDS.everything.restrict(0, [1, 2])).tolist() == [[1, 0, 0], [0, 0, 2]]
    assert asked.ledger.spent == Fraction(5, 3) and asked.rounds == 3


def test_its_noise_is_that_of_the_query():
    """From the same words: what the federation releases for the query, of the stated ε."""
    for epsilon in ("1/10", Fraction(2)):
        query = ClassHistogram(WARDS.everything, epsilon, 1)
        (released,) = federation(Rehearsal(5)).release([query])
        assert private_histogram(federation(Rehearsal(5)), "ward", epsilon).tolist() == released.tolist()


DOSES = Domain([Numeric.grid("age", 0, 40, bins=4), Numeric.grid("dose", 0, 4, bins=2)], ("well", "ill"))


def two_parties():
    parties = [Party([[5, 1, "ill"], [35, 3, "well"]], DOSES), Party([[35, 3, "ill"]], DOSES)]
    return Federation(parties, DOSES, Ledger(10), rng=ZeroWords())


@pytest.mark.parametrize("kind", [np.int8, np.uint64, np.intp])
def test_positions_of_numpy(kind):
    asked = two_parties()
    for position, name in enumerate(("age", "dose")):
        found = private_histogram(asked, kind(position), 1).tolist()
        assert found == private_histogram(asked, position, 1).tolist() == private_histogram(asked, name, 1).tolist()


@pytest.mark.parametrize(("feature", "epsilon"), [(0, 0), (0, "x"), (2, 1), (np.int64(-1), 1)])
def test_what_is_refused_costs_nothing(feature, epsilon):
    asked = two_parties()
    with pytest.raises(ValueError, match=r"feature|epsilon"):
        private_histogram(asked, feature, epsilon)
    assert asked.ledger.spent == 0
