"""Enclosures: arithmetic, e^x and ln x hold the truth, are as narrow as they say, and end where they say."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.exact import LOG_2_ROUNDED_UP, Enclosure, exp_enclosure, log_enclosure
from fdpedu.exact.enclosure import _decimals
from tests.support.both_ends import both_ends
from tests.support.truths import exp, ln

large = st.builds(Fraction, st.integers(-(2**400), 2**400), st.integers(1, 2**300))
fractions = st.fractions(-3, 3, max_denominator=10**6)
positive = st.fractions(Fraction(1, 10**6), 50)


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


@pytest.mark.parametrize("distance", [Fraction(1, 10**70), Fraction(-1, 10**45), Fraction(1, 10**300)])
def test_a_logarithm_very_near_one_neither_hangs_nor_vanishes(distance):
    """ln(1 + d) lies between d/(1 + d) and d, however small d is, and the enclosure is as narrow as it says."""
    log = log_enclosure(1 + distance)
    assert log.lower <= distance and distance / (1 + distance) <= log.upper
    assert 0 < log.upper - log.lower <= abs(distance) / 10**35


def test_exponentials_far_out_are_enclosed_from_zero_or_refused():
    far = exp_enclosure(Fraction(-(10**12)))
    assert far.lower == 0 < far.upper < Fraction(1, 10**8000)
    with pytest.raises(ValueError, match="x = 1000000000000"):
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


@pytest.mark.parametrize("ends", [(-1, 1), (0, 1), (-1, 0), (0, 0)])
def test_what_may_be_zero_does_not_divide(ends):
    with pytest.raises(ZeroDivisionError):
        1 / Enclosure(*map(Fraction, ends))


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


def test_the_logarithm_of_two_is_rounded_up():
    """It is above ln 2, by less than one in ten thousand."""
    assert log_enclosure(Fraction(2)).upper < LOG_2_ROUNDED_UP < 1.0001 * float(log_enclosure(Fraction(2)).lower)


# --- both ends, against decimals of 130 digits and more ---------------------------------------------------------------


@pytest.mark.parametrize("digits", [40, 100])
@pytest.mark.parametrize("x", ["-19999", "-700", "-1/3", "1e-40", "1/7", "45", "90000"])
def test_both_ends_of_the_exponential(x, digits):
    both_ends(lambda: exp_enclosure(Fraction(x), digits), lambda: exp(x), digits - 3)


@pytest.mark.parametrize("x", ["1e-300", "1/3", "999999/1000000", "1000001/1000000", "7", "1e300"])
def test_both_ends_of_the_logarithm(x):
    both_ends(lambda: log_enclosure(Fraction(x)), lambda: ln(x), 36)


@settings(max_examples=max(20, settings().max_examples // 2), deadline=None)
@given(st.fractions(Fraction(1, 50), 3, max_denominator=50), st.integers(15, 60))
def test_both_ends_at_any_number(x, digits):
    """An end that is off by one unit of the last place shows at some number, if not at those above."""
    both_ends(lambda: exp_enclosure(x, digits), lambda: exp(x), digits - 4)
    if x != 1:
        both_ends(lambda: log_enclosure(x, digits), lambda: ln(x), digits - 4)


def test_both_ends_of_arithmetic():
    low, high = exp_enclosure(Fraction(-3)), log_enclosure(Fraction(5))
    both_ends(lambda: Enclosure.sum([low, high, Enclosure.exactly(Fraction(2))]), lambda: exp(-3) + ln(5) + 2, 36)
    both_ends(lambda: exp_enclosure(Fraction(2)) - high, lambda: exp(2) - ln(5), 36)
    both_ends(lambda: 3 / (1 - exp_enclosure(Fraction(-2))), lambda: 3 / (1 - exp(-2)), 36)
