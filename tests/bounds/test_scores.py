"""Scores of sensitivity 1, weights, and the changes of the bound that break the lemma."""

import math
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.bounds import (
    LossScore,
    bound_with_fields_gini,
    bound_with_least_rows,
    entropy_increment,
    half_gini_score,
    least_score,
    power_score,
)
from fdpedu.cart import exact_scaled_half_gini
from fdpedu.claims.bounds import laws_scores as law
from fdpedu.claims.checking import Refuted
from fdpedu.exact import Enclosure

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)

# --- scores ---


@pytest.mark.claim("thm-concave-scores")
def test_the_least_loss():
    score = LossScore(((0, 1, "1/2"), (1, 0, 0.25)))
    assert score.losses == ((0, 1, HALF), (1, 0, Fraction(1, 4)))
    assert score([3, 2, 2]) == 3 and score([1, 2, 2]) == Fraction(3, 2) and score(["1/3", 0, 0]) == 0
    law.loss_score(score.losses, [[1, 0, 2], [0, 3, 1]])


@pytest.mark.parametrize("k", [1, Fraction(5, 4), Fraction(3, 2), 2])
def test_powers(k):
    for a, b in product(range(5), repeat=2):
        law.power(a, b, Fraction(k))
    assert isinstance(power_score((3, 5), k), Fraction) == (Fraction(k).denominator == 1)
    assert power_score((4, 4), k) == Fraction(8) / (2 * Fraction(k)) and power_score((7, 0), k) == 0 == power_score(
        (0, 0), k
    )


def test_powers_that_no_fraction_holds():
    """7 and 1 rows, k = 3/2: (1 − (3/4)^{3/2})·8/3, and k = 5/4 by its fourth power."""
    law.power_by_squares(7, 1)
    value = power_score((1, 3), "5/4")
    left, right = ((1 - x * Fraction(5, 8)) ** 4 for x in (value.lower, value.upper))
    assert isinstance(value, Enclosure) and right <= HALF**5 <= left


@pytest.mark.claim("lem-local-weights")
@settings(max_examples=25)
@given(st.lists(st.tuples(*[st.fractions(0, 2, max_denominator=4)] * 3), min_size=1, max_size=3), st.fractions(1, 3))
def test_weights(table, weight):
    law.weighted(table, weight)


def test_scores_of_weights_by_hand():
    assert half_gini_score([HALF, HALF]) == Fraction(1, 4) and half_gini_score([0, 0]) == 0
    assert half_gini_score([3, 4, 5]) == exact_scaled_half_gini([3, 4, 5])
    assert least_score([[HALF, 0], [0, 3], [HALF, 0]], half_gini_score) == Fraction(3, 7)
    assert least_score([[1, 1]], law.ERRORS) == 1 and least_score([[1, 0], [0, 1]], law.ERRORS) == 0
    assert least_score([[1, 2], [3, 4]], lambda counts: -counts[1]) == -6


# --- traps ---


@pytest.mark.claim("lem-least-rows")
@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=4), st.integers(1, 6))
def test_a_least_number_of_rows(table, least):
    law.least_rows(table, least)
    law.non_empty(table)


def test_the_report_s_own_ten_rows():
    """Nine rows against many: the tenth is worth almost 9, not 5/4."""
    law.least_rows_tight(10, 10**6)
    assert bound_with_least_rows([[9, 0], [0, 10**6]], 10) > Fraction(8999, 1000)
    assert bound_with_least_rows([[10, 0], [0, 10**6]], 10) == 0
    assert bound_with_least_rows([[9, 0], [0, 10]], 10) == Fraction(90, 19)
    with pytest.raises(Refuted, match="changes it by -90/19"):
        law.least_rows_of_one([[9, 0], [0, 10]], 10)


@pytest.mark.claim("non-empty-sides-or-nothing", "local-bound-with-least-rows")
def test_nothing_where_there_is_no_split():
    assert bound_with_least_rows([[5, 5], [0, 0]], 1) == Fraction(5, 2)
    assert bound_with_least_rows([[5, 5], [0, 0]], 1, none="zero") == 0
    for n in (1, 2, 50):
        law.zero_tight(n)
    law.non_empty_or_zero([[1, 1], [0, 0]])


@pytest.mark.claim("five-quarters-of-the-fields-gini")
def test_the_field_s_gini():
    assert bound_with_fields_gini([[99, 1]]) == Fraction(99, 50)
    law.fields_gini([[1, 0], [0, 0]])
    with pytest.raises(Refuted, match="4/3"):
        law.fields_gini([[0, 0], [2, 0]])


@pytest.mark.claim("lem-entropy")
def test_entropy():
    """2·ln 2, and 4·ln 4 − 3·ln 3 = ln(256/27); the law sees an increment that stays below a constant."""
    for n, value in ((1, math.log(4)), (3, math.log(256 / 27))):
        assert abs(float(entropy_increment(n)) - value) < 1e-14
    assert entropy_increment(10**9).upper - entropy_increment(10**9).lower < Fraction(1, 10**20)
    law.entropy_grows(10**9)


# --- refusals ---

TABLE = "table must be counts ≥ 0 of shape (codes, classes) that add up to at most 2**53"
NUMBER = "losses must be a finite number (an int, a Fraction, a decimal, or text like '1/3'), got None"
LOSSES = "losses must be at least one row of numbers from 0 to 1, one for each class, all as long"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: LossScore(()), LOSSES),
        (lambda: LossScore(((),)), LOSSES),
        (lambda: LossScore(((0, 1), (1,))), LOSSES),
        (lambda: LossScore(((0, "5/4"),)), LOSSES),
        (lambda: LossScore(((0, -1),)), LOSSES),
        (lambda: LossScore((1, 2)), "losses must be a list, got 1"),
        (lambda: LossScore(((0, None),)), NUMBER),
        (lambda: LossScore(((0, 1),))([1]), "counts must be 2 numbers, one for each class; got 1"),
        (lambda: LossScore(((0, 1),))([1, -1]), "counts must be at least one number, none below 0"),
        (lambda: half_gini_score([]), "counts must be at least one number, none below 0"),
        (lambda: power_score([1, 2, 3], 1), "counts must be two numbers, one for each class; got 3"),
        (lambda: power_score([1, -2], 1), "counts must be an integer ≥ 0, got -2"),
        (lambda: power_score([1, 2], "1/2"), "k must lie between 1 and 2, got 1/2"),
        (lambda: power_score([1, 2], "5/2"), "k must lie between 1 and 2, got 5/2"),
        (lambda: least_score([], max), "table must be at least one row of counts, all of one length"),
        (lambda: least_score([[1], [1, 2]], max), "table must be at least one row of counts, all of one length"),
        (lambda: least_score([[1]], 3), "score must be a function, got 3"),
        (lambda: least_score([1], max), "table must be a list, got 1"),
        (lambda: bound_with_least_rows([[1]], 0), "least must be an integer ≥ 1, got 0"),
        (lambda: bound_with_least_rows([[1]], 1, none="nought"), "none must be 'node' or 'zero'"),
        (lambda: bound_with_least_rows([1], 1), TABLE),
        (lambda: entropy_increment(0), "n must be an integer ≥ 1, got 0"),
        (lambda: entropy_increment(10**9 + 1), "n must be at most 1000000000, got 1000000001"),
    ],
)  # fmt: skip
def test_refusals(call, message):
    with pytest.raises(ValueError) as refused:
        call()
    assert str(refused.value) == message


@pytest.mark.parametrize("k", [1, 2])
def test_the_ends_of_k_are_admitted(k):
    assert power_score([1, 1], k) == Fraction(1, k)
