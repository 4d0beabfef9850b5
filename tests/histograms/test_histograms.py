"""Private histograms and the impurity of their borders."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from fdpedu.accounting import Ledger
from fdpedu.cart import exact_scaled_half_gini
from fdpedu.domain import Domain, Numeric
from fdpedu.federation import Federation, Party
from fdpedu.histograms import clip, impurity_as_printed, impurity_from_counts, private_histogram
from fdpedu.randomness import ZeroWords

DOMAIN = Domain([Numeric.grid("age", 0, 100, bins=4)], ("well", "ill"))
tables = st.integers(2, 6).flatmap(lambda r: arrays(np.int64, (r, 2), elements=st.integers(-3, 9)))


def test_a_histogram_costs_its_epsilon_and_one_round():
    parties = [Party([[10, "ill"], [60, "well"]], DOMAIN), Party([[20, "ill"]], DOMAIN)]
    federation = Federation(parties, DOMAIN, Ledger(1), rng=ZeroWords())
    assert private_histogram(federation, "age", "1/3").tolist() == [[0, 2], [0, 0], [1, 0], [0, 0]]
    old = DOMAIN.everything.restrict(0, [2, 3])
    assert private_histogram(federation, 0, "1/3", old).tolist() == [[0, 0], [0, 0], [1, 0], [0, 0]]
    assert federation.ledger.spent == Fraction(2, 3) and federation.rounds == 2


@given(tables)
def test_impurity_of_every_border_by_definition(table):
    """G of border l from the clipped counts: (s(left) + s(right))/n, an empty side counting 0."""
    cells = clip(table)
    n = int(cells.sum())
    for border, value in enumerate(impurity_from_counts(table), 1):
        expected = exact_scaled_half_gini(cells[:border].sum(axis=0)) + exact_scaled_half_gini(
            cells[border:].sum(axis=0)
        )
        assert value == pytest.approx(float(expected / max(n, 1)), abs=1e-12) and 0 <= value <= 0.25


@given(tables)
def test_without_negative_counts_the_printed_rule_agrees(table):
    """Where both sides hold positive counts and nothing is negative, clipping changes nothing."""
    cells = clip(table) + 1
    assert impurity_as_printed(cells) == pytest.approx(impurity_from_counts(cells))


def test_the_printed_rule_prefers_nonsense():
    """A negative count makes a printed impurity below 0: better than a perfect split. The mended rule never goes below
    0.
    """
    table = np.array([[4, -1], [1, 1], [0, 5]])
    assert impurity_as_printed(table)[0] < 0 <= impurity_from_counts(table).min()
