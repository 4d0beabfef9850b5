"""tmp"""

import pytest

from fdpedu.bounds import (
    LossScore,
    half_gini_score,
    impurity_gap,
    least_score,
    local_bounds_of_rows,
    power_score,
    search_near_one,
)
from fdpedu.domain import Categorical, Domain, Numeric

NUMBER = "a finite number (an int, a Fraction, a decimal, or text like '1/3')"
FLOATS = "X must be finite numbers of 2 dimensions, got"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: impurity_gap(None, []), "tables must be a list, got None"),
        (lambda: local_bounds_of_rows([1.0], [0]), f"{FLOATS} float64 of shape (1,)"),
        (lambda: local_bounds_of_rows([[[1.0]]], [0]), f"{FLOATS} float64 of shape (1, 1, 1)"),
        (lambda: local_bounds_of_rows([[None]], [0]), f"{FLOATS} object of shape (1, 1)"),
        (
            lambda: local_bounds_of_rows([[1.0]], [0.5]),
            "y must be integers within ±2**62; got float64 (round real data before the noise)",
        ),
        (lambda: LossScore(3), "losses must be a list, got 3"),
        (lambda: LossScore((3,)), "losses must be a list, got 3"),
        (lambda: power_score(3, 1), "counts must be a list, got 3"),
        (lambda: power_score([1, 2], None), f"k must be {NUMBER}, got None"),
        (lambda: half_gini_score(3), "counts must be a list, got 3"),
        (lambda: half_gini_score([None]), f"counts must be {NUMBER}, got None"),
        (lambda: least_score(3, max), "table must be a list, got 3"),
        (lambda: least_score([3], max), "table must be a list, got 3"),
        (lambda: search_near_one(None), f"goal must be {NUMBER}, got None"),
    ],
)
def test_refusals_name_what_was_given(call, message):
    with pytest.raises(ValueError) as refused:
        call()
    assert str(refused.value) == message


SMALL = Domain([Numeric.grid("x", 0, 3, bins=3), Categorical("w", ("A", "B", "C"))], ("a", "b"))
