"""An upper end is at least the same number at more digits, and a lower end at most: no last digit is lost."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from fdpedu.exact import exp_enclosure, log_enclosure

ODD = st.fractions(Fraction(1, 997), Fraction(991, 7), max_denominator=997)  # hardly ever a short decimal


def nested(few, many):
    """The longer enclosure lies in the shorter one, and each is as narrow as its digits say."""
    assert few.lower <= many.lower <= many.upper <= few.upper
    assert many.upper - many.lower <= (few.upper - few.lower) / 10**3 or few.lower == few.upper


@given(ODD, st.booleans(), st.integers(5, 40))
def test_exponentials(x, negative, digits):
    x = -x if negative else x
    nested(exp_enclosure(x, digits), exp_enclosure(x, 2 * digits))


@given(ODD, st.integers(5, 40))
def test_logarithms(x, digits):
    nested(log_enclosure(x, digits), log_enclosure(x, 2 * digits))
    delta = x / 10**9
    nested(log_enclosure(1 / delta, digits), log_enclosure(1 / delta, 2 * digits))
    assert exp_enclosure(log_enclosure(x, digits).upper, 3 * digits).upper >= x
    assert exp_enclosure(log_enclosure(x, digits).lower, 3 * digits).lower <= x
