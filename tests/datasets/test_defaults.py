"""The imitation of credit cards follows the law that it states."""

import numpy as np
import pytest
from scipy import stats

from fdpedu.datasets import REPAYMENTS, card_domain, card_like
from tests.support.standard_errors import within

# By group, of those who do not study and of students: mean and standard deviation before what is negative becomes 0.
BALANCE, INCOME = ((760, 490), (980, 500)), ((40_000, 10_000), (18_000, 4_500))


@pytest.fixture(scope="module")
def cards():
    """Balance, income and whether one studies, of many holders; whether they default."""
    X, y = card_like(200_000, np.random.default_rng(6))
    assert set(X[:, 2]) == {"no", "yes"} and set(y) == set(REPAYMENTS)
    return X[:, 0].astype(float), X[:, 1].astype(float), X[:, 2] == "yes", y == REPAYMENTS[1]


def test_three_holders_in_ten_study(cards):
    student = cards[2]
    within(student.mean(), 0.3, np.sqrt(0.21 / len(student)))


@pytest.mark.parametrize("group", [0, 1])
def test_numbers_of_the_card_imitation(cards, group):
    """In each group the distribution function at some points; at 0 there is the mass of all that would be negative."""
    of_group = cards[2] == group
    for column, moments, points in (
        (cards[0], BALANCE[group], (0, 300, 900, 1500, 2500)),
        (cards[1], INCOME[group], (0, 9_000, 18_000, 30_000, 50_000)),
    ):
        values = column[of_group]
        assert values.min() >= 0
        for t in points:
            expected = stats.norm.cdf(t, *moments)
            within((values <= t).mean(), expected, np.sqrt(expected * (1 - expected) / len(values)))
    both = np.corrcoef(cards[0][of_group], cards[1][of_group])[0, 1]
    within(both, 0, 1 / np.sqrt(of_group.sum()))


def test_defaults_in_the_card_imitation(cards):
    """For each effect the defaults among the rows that have it are as many as the stated odds say; 3 % in all.

    Students default more often, and less often at the same balance.
    """
    balance, income, student, y = cards
    effects = [(np.ones(len(y)), -10.87), (balance, 0.00574), (income, 0.000003), (student, -0.647)]
    p = stats.logistic.cdf(sum(weight * np.asarray(effect, dtype=float) for effect, weight in effects))
    for effect, _ in effects:
        within(effect @ (y - p), 0, np.sqrt(np.square(effect.astype(float)) @ (p * (1 - p))))
    assert 0.03 < y.mean() < 0.036
    owing = (1700 < balance) & (balance < 1900)
    assert y[student].mean() > y[~student].mean() and y[owing & student].mean() < y[owing & ~student].mean()


def test_the_public_domain_of_the_cards_fits():
    """Few values are clipped; other bins have the same ends."""
    domain = card_domain()
    assert [feature.n_codes for feature in domain.features] == [10, 10, 2] and domain.classes == REPAYMENTS
    assert [(f.edges[0], f.edges[-1]) for f in card_domain(bins=32).features[:2]] == [(0, 2700), (0, 75_000)]
    assert all(feature.reason for feature in domain.features)
    X, _ = card_like(10_000, np.random.default_rng(1))
    assert max(domain.admit(X)[1].values()) <= 10
