"""Exact numbers and enclosures."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.exact import (
    LOG_2_ROUNDED_UP,
    Enclosure,
    Rate,
    as_fraction,
    as_integer,
    ceil_div,
    ceil_shift,
    exp_enclosure,
    log_enclosure,
)


@pytest.mark.parametrize(
    ("value", "exact"),
    [
        (0.1, Fraction(1, 10)),
        ("1/3", Fraction(1, 3)),
        (Decimal("0.25"), Fraction(1, 4)),
        (np.int64(3), 3),
        (np.float64(0.3), Fraction(3, 10)),
        (1e-7, Fraction(1, 10**7)),
    ],
)
def test_numbers_are_read_as_they_print(value, exact):
    assert as_fraction(value) == exact


@pytest.mark.parametrize(
    "value",
    [
        float("nan"),
        float("inf"),
        True,
        None,
        "x",
        "1/0",
        [1],
        1j,
        "9" * 500,
        Decimal("NaN"),
        "1e999999999",
        "1E-999999999",
        Decimal("1e-99999"),
    ],
)
def test_what_is_no_number_is_refused(value):
    with pytest.raises(ValueError, match="finite number"):
        as_fraction(value)


@given(st.one_of(st.integers(), st.floats(), st.text(), st.booleans(), st.none(), st.complex_numbers()))
def test_as_integer_gives_an_integer_or_a_value_error(value):
    try:
        assert as_integer(value, "n", minimum=2) == value and value >= 2
    except ValueError as error:
        assert "n must be an integer ≥ 2" in str(error)


def series_exp(x, terms=200):
    """e^x for 0 ≤ x ≤ 3 by its series: a lower bound, and the upper one from a geometric tail."""
    total, term = Fraction(0), Fraction(1)
    for k in range(terms):
        total, term = total + term, term * x / (k + 1)
    return total, total + 2 * term


@given(st.fractions(0, 3, max_denominator=50), st.integers(5, 60))
def test_exp_is_enclosed(x, digits):
    """The enclosure meets the series' own bounds, is as narrow as it says, and also encloses e^{−x}."""
    low, high = series_exp(x)
    positive, negative = exp_enclosure(x, digits), exp_enclosure(-x, digits)
    assert positive.lower <= high and low <= positive.upper
    assert negative.lower <= 1 / low and 1 / high <= negative.upper
    assert positive.upper - positive.lower <= positive.upper * Fraction(10) ** (3 - digits)


@given(st.fractions(Fraction(1, 50), 50, max_denominator=50))
def test_log_inverts_exp(x):
    log = log_enclosure(x)
    assert exp_enclosure(log.lower).lower <= x <= exp_enclosure(log.upper).upper
    assert log.upper - log.lower <= Fraction(1, 10**30)


@given(st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=20), st.integers(1, 200))
def test_powers_of_a_rational_alpha(alpha, exponent):
    power = Rate.of(alpha=alpha).power(exponent)
    assert power.lower <= alpha**exponent <= power.upper


@pytest.mark.parametrize("distance", [Fraction(1, 10**70), Fraction(-1, 10**45), Fraction(1, 10**300)])
def test_a_logarithm_very_near_one_neither_hangs_nor_vanishes(distance):
    """ln(1 + d) lies between d/(1 + d) and d, however small d is, and the enclosure is as narrow as it says."""
    log = log_enclosure(1 + distance)
    assert log.lower <= distance and distance / (1 + distance) <= log.upper
    assert 0 < log.upper - log.lower <= abs(distance) / 10**35


def test_exponentials_far_out_are_enclosed_from_zero_or_refused():
    assert (
        exp_enclosure(Fraction(-(10**12))).lower == 0 < exp_enclosure(Fraction(-(10**12))).upper < Fraction(1, 10**8000)
    )
    with pytest.raises(ValueError, match="e\\^x is not computed"):
        exp_enclosure(Fraction(10**12))


@given(
    st.fractions(-3, 3),
    st.fractions(0, 2),
    st.fractions(-3, 3),
    st.fractions(0, 2),
    st.fractions(0, 1),
    st.fractions(0, 1),
)
def test_arithmetic_of_enclosures_holds_the_truth(a, wa, b, wb, s, t):
    """Whatever the two numbers inside, their sum, difference, product and quotient lie inside the result."""
    first, second = Enclosure(a, a + wa), Enclosure(b, b + wb)
    x, y = a + s * wa, b + t * wb
    assert x + y in first + second and x - y in first - second and x * y in first * second
    assert 1 - x in 1 - first and 2 * x in 2 * first and x + 1 in 1 + first
    if second.lower > 0 or second.upper < 0:
        assert x / y in first / second and 1 / y in 1 / second
    else:
        with pytest.raises(ZeroDivisionError):
            first / second


@given(st.fractions(), st.integers(8, 80))
def test_rounding_only_widens(x, bits):
    rounded = Enclosure.exactly(x).rounded(bits)
    assert x in rounded and rounded.upper - rounded.lower <= abs(x) * Fraction(4, 2**bits)


@given(st.fractions(-3, 3), st.fractions(0, 1))
def test_an_enclosure_as_a_float_is_its_upper_end(lower, width):
    enclosure = Enclosure(lower, lower + width)
    assert Fraction(float(enclosure)) >= enclosure.upper


@given(st.integers(-(2**80), 2**80), st.integers(-(2**70), 2**70).filter(bool), st.integers(0, 90))
def test_division_rounds_up(number, divisor, bits):
    """The quotient that is rounded up is the ceiling of the fraction, whatever the signs and sizes."""
    assert ceil_div(number, divisor) == math.ceil(Fraction(number, divisor))
    assert ceil_shift(number, bits) == math.ceil(Fraction(number, 2**bits))


def test_the_logarithm_of_two_is_rounded_up():
    """It is above ln 2, by less than one in ten thousand."""
    assert log_enclosure(Fraction(2)).upper < LOG_2_ROUNDED_UP < 1.0001 * float(log_enclosure(Fraction(2)).lower)
