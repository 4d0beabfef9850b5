"""Scores of sensitivity 1, by hand, with powers and with weights."""

from fractions import Fraction
from itertools import product

import pytest

from fdpedu.bounds import LossScore, half_gini_score, least_score, power_score
from fdpedu.cart import exact_scaled_half_gini
from fdpedu.claims.bounds import scores as topic
from fdpedu.exact import Enclosure

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


@pytest.mark.claim("thm-concave-scores")
def test_the_least_loss():
    score = LossScore(((0, 1, "1/2"), (1, 0, 0.25)))
    assert score.losses == ((0, 1, HALF), (1, 0, Fraction(1, 4)))
    assert score([3, 2, 2]) == 3 and score([1, 2, 2]) == Fraction(3, 2) and score(["1/3", 0, 0]) == 0
    topic.loss_score(score.losses, [[1, 0, 2], [0, 3, 1]])


@pytest.mark.parametrize("k", [1, Fraction(5, 4), Fraction(3, 2), 2])
def test_powers(k):
    for a, b in product(range(5), repeat=2):
        topic.power(a, b, Fraction(k))
    assert isinstance(power_score((3, 5), k), Fraction) == (Fraction(k).denominator == 1)
    assert power_score((4, 4), k) == Fraction(8) / (2 * Fraction(k)) and power_score((7, 0), k) == 0 == power_score(
        (0, 0), k
    )


def test_powers_that_no_fraction_holds():
    """7 and 1 rows, k = 3/2: (1 − (3/4)^{3/2})·8/3, and k = 5/4 by its fourth power."""
    topic.power_by_squares(7, 1)
    value = power_score((1, 3), "5/4")
    left, right = ((1 - x * Fraction(5, 8)) ** 4 for x in (value.lower, value.upper))
    assert isinstance(value, Enclosure) and right <= HALF**5 <= left


def test_scores_of_weights_by_hand():
    assert half_gini_score([HALF, HALF]) == Fraction(1, 4) and half_gini_score([0, 0]) == 0
    assert half_gini_score([3, 4, 5]) == exact_scaled_half_gini([3, 4, 5])
    assert least_score([[HALF, 0], [0, 3], [HALF, 0]], half_gini_score) == Fraction(3, 7)
    assert least_score([[1, 1]], topic.ERRORS) == 1 and least_score([[1, 0], [0, 1]], topic.ERRORS) == 0
    assert least_score([[1, 2], [3, 4]], lambda counts: -counts[1]) == -6


@pytest.mark.parametrize("k", [1, 2])
def test_the_ends_of_k_are_admitted(k):
    assert power_score([1, 1], k) == Fraction(1, k)
