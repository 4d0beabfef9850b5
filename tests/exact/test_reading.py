"""How parameters are read, refused and shown in messages."""

import decimal
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.exact import (
    as_float,
    as_fraction,
    as_integer,
    as_list,
    as_positive_fraction,
    quoted,
    require_writable,
    shown,
)
from fdpedu.exact.reading import decimal_context

large = st.builds(Fraction, st.integers(-(2**400), 2**400), st.integers(1, 2**300))
fractions = st.fractions(-3, 3, max_denominator=10**6)


def is_refused(value):
    try:
        as_fraction(value)
    except ValueError:
        return True
    return False


@pytest.mark.parametrize(
    ("value", "exact"),
    [
        (0.1, Fraction(1, 10)),
        ("1/3", Fraction(1, 3)),
        (Decimal("0.25"), Fraction(1, 4)),
        (np.int64(3), 3),
        (np.float64(0.3), Fraction(3, 10)),
        (1e-7, Fraction(1, 10**7)),
        (np.longdouble("0.1"), Fraction(1, 10)),
        (0.1 + 0.2, Fraction("0.30000000000000004")),
    ],
)
def test_numbers_are_read_as_they_print(value, exact):
    assert as_fraction(value) == exact


@given(st.integers(-(10**6), 10**6))
def test_a_short_float_is_the_decimal_that_it_prints_as(k):
    for kind in (np.float16, np.float32, np.float64):
        number = kind(k / 1000)
        assert as_fraction(number) == Fraction(str(number))


@given(st.integers(-(10**20), 10**20), st.integers(-300, 300), st.sampled_from("eE"))
def test_text_with_an_exponent_is_read(mantissa, exponent, letter):
    text = f"{mantissa}{letter}{exponent}"
    assert as_fraction(text) == as_fraction(Decimal(text)) == mantissa * Fraction(10) ** exponent


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
    with pytest.raises(ValueError, match="budget"):
        as_fraction(value, "budget")


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


@given(st.one_of(st.integers(), st.floats(), st.text(), st.booleans(), st.none(), st.complex_numbers()))
def test_as_integer_gives_an_integer_or_a_value_error(value):
    try:
        assert as_integer(value, "bins", minimum=2) == value and value >= 2
    except ValueError as error:
        assert "bins" in str(error)


@given(st.integers(-9, 9), st.integers(-9, 9))
def test_a_maximum_may_be_reached_and_not_passed(value, maximum):
    if value <= maximum:
        assert as_integer(value, "n", minimum=-9, maximum=maximum) == value
    else:
        with pytest.raises(ValueError, match="bins"):
            as_integer(value, "bins", minimum=-9, maximum=maximum)


@pytest.mark.parametrize("time", [np.timedelta64(1), np.timedelta64(1, "s"), np.timedelta64("NaT")], ids=str)
def test_a_time_is_no_number(time):
    """For NumPy it is an integer."""
    with pytest.raises(ValueError, match="bins"):
        as_integer(time, "bins", minimum=0)
    with pytest.raises(ValueError, match="budget"):
        as_fraction(time, "budget")


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


@pytest.mark.parametrize(
    ("value", "written"),
    [
        *(
            (3, "3"),
            (3.0, "3.0"),
            (True, "True"),
            (None, "None"),
            (1j, "1j"),
            ("one", "'one'"),
            (Fraction(1, 3), "1/3"),
        ),
        *((Decimal("NaN"), "Decimal('NaN')"), *((x, repr(x)) for x in (np.float32(0.5), np.int8(-3)))),
        *(([1], "list"), ({}, "dict"), (object(), "object"), (b"x", "bytes"), (len, "builtin_function_or_method")),
        *((np.array([1]), "ndarray"), (iter([]), "list_iterator"), (np.str_("secret"), "str_"), (range(2), "range")),
        *(("x" * 58, repr("x" * 58)), ("x" * 59, "'" + "x" * 39 + "…"), (type("N", (int,), {})(3), "N")),
    ],
)
def test_a_parameter_in_a_message(value, written):
    """A number or a short text as it is written, anything else by its type."""
    assert quoted(value) == written


def test_a_number_that_cannot_be_shown_is_named_by_its_type():
    assert quoted(type("Loud", (float,), {"__repr__": lambda self: 1 / 0})(3)) == "Loud"


@pytest.mark.parametrize("letter", ["\ud800", "\udbff", "\udc00", "\udfff"])
def test_every_lone_surrogate_is_refused(letter):
    with pytest.raises(ValueError, match="unit"):
        require_writable(f"a{letter}b", "unit")


@pytest.mark.parametrize("text", ["\ud7ff", "\ue000", "", "ü", "𝛼", None, 3])
def test_any_other_text_is_let_through(text):
    require_writable(text, "unit")


@given(st.lists(st.integers()))
def test_a_list_is_whatever_has_members(members):
    for value in (members, tuple(members), iter(members), dict.fromkeys(range(len(members)))):
        assert as_list(value, "x") == (list(range(len(members))) if isinstance(value, dict) else members)


@pytest.mark.parametrize("mode", [decimal.ROUND_FLOOR, decimal.ROUND_CEILING, decimal.ROUND_HALF_EVEN])
def test_decimal_arithmetic_signals_nothing_and_has_every_exponent(mode):
    context = decimal_context(5, mode)
    for exponent in (10**12, -(10**12)):
        number = Decimal((0, (1, 7), exponent))
        assert context.divide(number, Decimal(1)) == number
    assert context.exp(Decimal(10) ** 20).is_infinite() and context.divide(Decimal(1), Decimal(0)).is_infinite()
    assert context.divide(Decimal(2), Decimal(3)) == Decimal("0.66666" if mode == decimal.ROUND_FLOOR else "0.66667")
