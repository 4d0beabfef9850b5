"""How tight exact numbers are, and where their ranges end."""

import decimal
import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.exact import (
    Enclosure,
    Rate,
    as_float,
    as_fraction,
    as_integers,
    as_positive_fraction,
    exp_enclosure,
    log_enclosure,
    shown,
)
from fdpedu.exact.enclosure import _decimals
from fdpedu.exact.reading import decimal_context

large = st.builds(Fraction, st.integers(-(2**400), 2**400), st.integers(1, 2**300))
fractions = st.fractions(-3, 3, max_denominator=10**6)
positive = st.fractions(Fraction(1, 10**6), 50)
alphas = st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=20)


def is_refused(value):
    try:
        as_fraction(value)
    except ValueError:
        return True
    return False


@given(large, st.integers(8, 80))
def test_rounding_keeps_what_is_short_and_shortens_what_is_not(x, bits):
    """A denominator of at most ``bits`` bits stays. Else both ends have few bits, and lie close together."""
    rounded = Enclosure.exactly(x).rounded(bits)
    if x.denominator.bit_length() <= bits:
        assert rounded == Enclosure.exactly(x)
        return
    assert x in rounded and rounded.upper - rounded.lower <= abs(x) * Fraction(4, 2**bits)
    for end in (rounded.lower, rounded.upper):
        odd = abs(end.numerator) // (end.numerator & -end.numerator)  # without the powers of 2 that it has
        assert odd.bit_length() <= bits + 1 and end.denominator.bit_count() == 1


@given(st.integers(8, 80), st.integers(-5, 5))
def test_the_longest_denominator_that_stays(bits, numerator):
    """One of as many bits as asked for stays, one of a bit more does not."""
    for denominator, stays in ((2**bits - 1, True), (2**bits + 1, False)):
        x = Enclosure.exactly(Fraction(numerator * denominator + 1, denominator))
        assert (x.rounded(bits) == x) == stays


@given(large, large)
def test_products_are_rounded_to_256_bits(a, b):
    assert Enclosure.exactly(a) * Enclosure.exactly(b) == Enclosure.exactly(a * b).rounded(256)
    assert Enclosure.exactly(a).rounded() == Enclosure.exactly(a).rounded(256)


@given(st.lists(fractions))
def test_a_sum_of_exact_numbers_is_exact(numbers):
    assert Enclosure.sum(map(Enclosure.exactly, numbers)) == Enclosure.exactly(sum(numbers, Fraction(0)))


@given(fractions | large)
def test_a_float_is_the_least_that_is_not_below(x):
    enclosure = Enclosure(x - 1, x)
    assert math.nextafter(float(enclosure), -math.inf) < x <= Fraction(float(enclosure))


@pytest.mark.parametrize(
    ("lower", "upper", "text"),
    [
        ("1/2", "1/2", "0.5"),
        ("0", "1", "1 (±1e+00)"),
        ("1/4", "1/2", "0.5 (±2e-1)"),
        ("1", "1.0000001", "1.0000001 (±1e-7)"),
        ("2/3", "0.66666666666667", "0.66666667 (±3e-15)"),
        ("-1e-12", "1e-12", "1e-12 (±2e-12)"),
    ],
)
def test_an_enclosure_shows_its_upper_end_and_its_width(lower, upper, text):
    assert repr(Enclosure(Fraction(lower), Fraction(upper))) == text


@given(fractions, st.integers(1, 60))
def test_decimals_lie_on_either_side(x, digits):
    """The nearest decimals of so many digits: none between them and the number."""
    down, up = map(Fraction, _decimals(x, digits))
    assert down <= x <= up and up - down <= 10 * abs(x) / Fraction(10) ** digits
    assert (down == up) == (x == down)


@pytest.mark.parametrize("mode", [decimal.ROUND_FLOOR, decimal.ROUND_CEILING, decimal.ROUND_HALF_EVEN])
def test_decimal_arithmetic_signals_nothing_and_has_every_exponent(mode):
    context = decimal_context(5, mode)
    for exponent in (10**12, -(10**12)):
        number = Decimal((0, (1, 7), exponent))
        assert context.divide(number, Decimal(1)) == number
    assert context.exp(Decimal(10) ** 20).is_infinite() and context.divide(Decimal(1), Decimal(0)).is_infinite()
    assert context.divide(Decimal(2), Decimal(3)) == Decimal("0.66666" if mode == decimal.ROUND_FLOOR else "0.66667")


@given(fractions, st.integers(5, 60))
def test_the_exponential_is_as_narrow_as_it_says(x, digits):
    """Three units of the last digit, at most; the same at 40 digits if none are asked for; exact at 0."""
    found = exp_enclosure(x, digits)
    assert found.upper - found.lower <= found.upper * 3 * Fraction(10) ** (1 - digits)
    assert (found.lower < found.upper) == (x != 0)
    assert exp_enclosure(x) == exp_enclosure(x, 40)


@given(positive, st.integers(5, 60))
def test_the_logarithm_is_as_narrow_as_it_says(x, digits):
    found = log_enclosure(x, digits)
    assert found.upper - found.lower <= max(map(abs, (found.lower, found.upper))) * 3 * Fraction(10) ** (1 - digits)
    assert (found.lower < found.upper) == (x != 1)
    assert log_enclosure(x) == log_enclosure(x, 40)


@given(st.fractions(Fraction(1, 9), 9), st.integers(5, 30))
def test_the_logarithm_of_a_reciprocal_and_of_a_square(x, digits):
    """ln(1/x) = −ln x and ln x² = 2·ln x: the enclosures of each two meet."""
    log = log_enclosure(x, digits)
    for other, same in ((log_enclosure(1 / x, digits), -log), (log_enclosure(x * x, digits), 2 * log)):
        assert max(other.lower, same.lower) <= min(other.upper, same.upper)


def test_what_is_rational_is_exact():
    """e^0 and ln 1 are."""
    assert exp_enclosure(Fraction(0)) == Enclosure.exactly(Fraction(1))
    assert log_enclosure(Fraction(1)) == Enclosure.exactly(Fraction(0))


@pytest.mark.parametrize("digits", [7, 30])
def test_where_the_exponential_ends(digits):
    """Enclosed from 0 below −20,000, with the upper end that it has there; computed up to 100,000."""
    last, beyond = (exp_enclosure(Fraction(x), digits) for x in (-20_000, -20_001))
    assert last.lower > 0 == beyond.lower and beyond.upper == last.upper
    assert exp_enclosure(Fraction(-20_000) - Fraction(1, 10**9), digits).lower == 0
    assert exp_enclosure(Fraction(100_000), digits).lower > 10**43429


@given(st.integers(5, 60), st.integers(2, 9))
def test_near_one_the_logarithm_is_between_two_fractions(digits, factor):
    """ln(1 + d) lies between d/(1+d) and d; that is the enclosure only where it is good enough."""
    for distance in (Fraction(1, 10**digits), Fraction(-1, 10**digits)):
        found, nearer = log_enclosure(1 + distance, digits), log_enclosure(1 + distance / factor, digits)
        assert nearer == Enclosure(1 - 1 / (1 + distance / factor), distance / factor)
        assert found != Enclosure(1 - 1 / (1 + distance), distance)


# --- rates ------------------------------------------------------------------------------------------------------------


@given(positive, st.integers(1, 9), st.integers(0, 200), st.integers(5, 50))
def test_powers_of_a_rate(epsilon, sensitivity, exponent, digits):
    rate = Rate.of(epsilon=epsilon, sensitivity=sensitivity)
    assert rate == Rate(rate=epsilon / sensitivity)
    assert rate.power(exponent, digits) == exp_enclosure(-epsilon / sensitivity * exponent, digits)
    assert rate.weight(exponent) == rate.power(exponent) == rate.power(exponent, 40)
    assert float(rate) == float(epsilon / sensitivity)


@given(alphas, st.integers(0, 300), st.integers(5, 50))
def test_powers_of_an_alpha(alpha, exponent, digits):
    """Exact up to the exponent 64, beyond it as narrow as asked for; as a weight always exact."""
    rate = Rate.of(alpha=alpha)
    power, truth = rate.power(exponent, digits), alpha**exponent
    assert truth in power and rate.weight(exponent) == truth
    assert power.upper - power.lower <= (exponent > 64) * truth * Fraction(10) ** (2 - digits)
    assert float(rate) == pytest.approx(-math.log(alpha), rel=1e-14)
    if exponent <= 100:
        assert rate.power(exponent) == rate.power(exponent, 40)


def test_a_power_is_exact_up_to_64():
    assert Rate.of(alpha="2/3").power(64) == Enclosure.exactly(Fraction(2, 3) ** 64)


def test_where_weights_and_rates_end():
    """A weight has a million bits at most; a rate as a float is at most 10⁹."""
    assert Rate.of(alpha="1/2").weight(500_000) == Fraction(1, 2**500_000)
    assert float(Rate.of(epsilon=10**9 - 1)) == 10**9 - 1 and float(Rate.of(epsilon=10**400)) == 10**9


# --- reading ----------------------------------------------------------------------------------------------------------


@given(st.integers(-(10**20), 10**20), st.integers(-300, 300), st.sampled_from("eE"))
def test_text_with_an_exponent_is_read(mantissa, exponent, letter):
    text = f"{mantissa}{letter}{exponent}"
    assert as_fraction(text) == as_fraction(Decimal(text)) == mantissa * Fraction(10) ** exponent


@pytest.mark.parametrize(
    ("last", "beyond"),
    [
        ("9" * 400, "9" * 401),
        ("1e10000", "1e10001"),
        ("1e-10000", "1e-10001"),
        (Decimal("-12.5e9999"), Decimal("-12.5e10000")),
    ],
)
def test_where_numbers_end(last, beyond):
    assert not is_refused(last) and is_refused(beyond)


@given(st.fractions(Fraction(1, 10**30), 10**30))
def test_positive_numbers_and_floats_are_read(x):
    assert as_positive_fraction(str(x), "x") == x and as_float(x, "x") == float(x)


@given(large | fractions)
def test_a_fraction_is_shown_exactly_or_to_six_digits(x):
    text, bits = shown(x), x.numerator.bit_length() + x.denominator.bit_length()
    if bits < 80:
        assert text == str(x)
    else:
        rounded = Decimal(text.removeprefix("about "))
        assert text.startswith("about ") and len(rounded.as_tuple().digits) <= 6
        assert abs(Fraction(rounded) - x) <= abs(x) / (2 * 10**5)


@given(st.integers(1, 79))
def test_the_longest_fraction_that_is_shown_exactly(bits):
    """Its numerator and denominator have 79 bits together."""
    for total, exact in ((79, True), (80, False)):
        number = Fraction(2 ** (bits - 1) + (bits > 1), 2 ** (total - bits - 1)) if bits < total else Fraction(0)
        lengths = number.numerator.bit_length() + number.denominator.bit_length()
        if lengths == total:
            assert (shown(number) == str(number)) == exact


# --- arrays of integers -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64])
def test_integers_of_every_type_keep_their_values(kind):
    numbers = [min(np.iinfo(kind).max, 2**62), max(np.iinfo(kind).min, -(2**62)), 0]
    for value in (numbers, [numbers], numbers[0]):
        read = as_integers(np.array(value, dtype=kind), "values")
        assert read.dtype == np.int64 and read.tolist() == value


@pytest.mark.parametrize("empty", [[], [[], []], np.zeros((0, 3)), np.array([], dtype="U1")])
def test_an_empty_array_may_be_of_any_type(empty):
    read = as_integers(empty, "values")
    assert read.dtype == np.int64 and read.shape == np.shape(empty)
