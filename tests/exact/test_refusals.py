"""What `exact` refuses, sentence by sentence: users see messages as they are. Other tests name the parameter only."""

from fractions import Fraction

import numpy as np
import pytest

from fdpedu.exact import (
    Enclosure,
    Rate,
    as_float,
    as_floats,
    as_fraction,
    as_integer,
    as_integers,
    as_list,
    as_positive_fraction,
    exp_enclosure,
    log_enclosure,
    require_callable,
    require_type,
    require_writable,
)
from tests.support.sentences import said_in_full

NUMBER = "must be a finite number (an int, a Fraction, a decimal, or text like '1/3')"
ONE_RATE = "a rate needs exactly one of rate and alpha, as a Fraction"
WIDE = "must be integers within ±2**62; got"
DATES, TIMES = np.array(["2026-01-01"], dtype="M8[D]"), np.array([1], dtype="m8[D]")

REFUSED = [
    (lambda: as_fraction("x"), f"value {NUMBER}, got 'x'"),
    (lambda: as_fraction(None, "budget"), f"budget {NUMBER}, got None"),
    (lambda: as_fraction(float("inf"), "budget"), f"budget {NUMBER}, got inf"),
    (lambda: as_fraction(np.float16("nan"), "budget"), f"budget {NUMBER}, got np.float16(nan)"),
    (lambda: as_fraction("1" * 401, "budget"), f"budget {NUMBER}, got '{'1' * 39}…"),
    (lambda: as_fraction("a\udc00", "budget"), rf"budget {NUMBER}, got 'a\udc00'"),
    (lambda: as_positive_fraction("x", "rate"), f"rate {NUMBER}, got 'x'"),
    (lambda: as_positive_fraction(0, "rate"), "rate must be greater than 0, got 0"),
    (lambda: as_positive_fraction("-1/3", "rate"), "rate must be greater than 0, got -1/3"),
    (lambda: as_float("x", "low"), f"low {NUMBER}, got 'x'"),
    (lambda: as_float(10**400, "low"), "low is too large for a float"),
    (lambda: as_integer(1, "bins", minimum=2), "bins must be an integer ≥ 2, got 1"),
    (lambda: as_integer(2.5, "bins", minimum=2), "bins must be an integer ≥ 2, got 2.5"),
    (lambda: as_integer("x", "bins", minimum=2), "bins must be an integer ≥ 2, got 'x'"),
    (lambda: as_integer(None, "bins", minimum=2), "bins must be an integer ≥ 2, got None"),
    (lambda: as_integer(True, "bins", minimum=0), "bins must be an integer ≥ 0, got True"),
    (lambda: as_integer(np.float64(3), "bins", minimum=2), "bins must be an integer ≥ 2, got np.float64(3.0)"),
    (lambda: as_integer(-(10**5000), "bins", minimum=2), "bins must be an integer ≥ 2, got about -1.00000E+5000"),
    (lambda: as_integer(8, "bins", minimum=2, maximum=7), "bins must be at most 7, got 8"),
    (lambda: as_floats([1j], "counts"), "counts must be finite numbers, got complex128 of shape (1,)"),
    (
        lambda: as_floats([[1]], "counts", ndim=1),
        "counts must be finite numbers of 1 dimension, got int64 of shape (1, 1)",
    ),
    (lambda: as_floats(np.ones(2), "X", ndim=2), "X must be finite numbers of 2 dimensions, got float64 of shape (2,)"),
    (lambda: as_floats([np.inf], "counts"), "counts must be finite numbers, got float64 of shape (1,)"),
    (lambda: as_integers([1.5], "counts"), f"counts {WIDE} float64 (round real data before the noise)"),
    (lambda: as_integers([True], "counts"), f"counts {WIDE} bool (round real data before the noise)"),
    (lambda: as_integers([2**62 + 1], "counts"), f"counts {WIDE} int64 (round real data before the noise)"),
    (lambda: as_integers([-(2**62) - 1, 0], "counts"), f"counts {WIDE} int64 (round real data before the noise)"),
    (lambda: as_integers([2**63], "counts"), f"counts {WIDE} uint64 (round real data before the noise)"),
    (lambda: as_integers([2**64], "counts"), f"counts {WIDE} object (round real data before the noise)"),
    (lambda: Enclosure(Fraction(1), Fraction(0)), "an enclosure needs lower ≤ upper"),
    (lambda: exp_enclosure(Fraction(100_001)), "e^x is not computed for x = 100001, more than 100000"),
    (lambda: log_enclosure(Fraction(0)), "the logarithm needs a number greater than 0, got 0"),
    (lambda: log_enclosure(Fraction(-1, 2)), "the logarithm needs a number greater than 0, got -1/2"),
    (lambda: Rate.of(), "give exactly one of epsilon and alpha (alpha = e^(−epsilon/sensitivity))"),
    (lambda: Rate.of(1, "1/2"), "give exactly one of epsilon and alpha (alpha = e^(−epsilon/sensitivity))"),
    (lambda: Rate.of(epsilon="x"), f"epsilon {NUMBER}, got 'x'"),
    (lambda: Rate.of(epsilon=-1), "epsilon must be greater than 0, got -1"),
    (lambda: Rate.of(epsilon=1, sensitivity=0), "sensitivity must be an integer ≥ 1, got 0"),
    (lambda: Rate.of(alpha="1/2", sensitivity=0), "sensitivity must be an integer ≥ 1, got 0"),
    (
        lambda: Rate.of(alpha="1/2", sensitivity=2),
        "alpha is e^(−epsilon/sensitivity) itself: give it alone, or epsilon and sensitivity",
    ),
    (lambda: Rate.of(alpha="x"), f"alpha {NUMBER}, got 'x'"),
    (lambda: Rate.of(alpha=0), "alpha must lie strictly between 0 and 1, got 0"),
    (lambda: Rate.of(alpha=1), "alpha must lie strictly between 0 and 1, got 1"),
    (lambda: Rate.of(alpha="3/2"), "alpha must lie strictly between 0 and 1, got 3/2"),
    (lambda: Rate(), ONE_RATE),
    (lambda: Rate(Fraction(1), Fraction(1, 2)), ONE_RATE),
    (lambda: Rate(rate=1), ONE_RATE),
    (lambda: Rate(alpha=0.5), ONE_RATE),
    (lambda: Rate(rate=Fraction(0)), "rate must be greater than 0, got 0"),
    (lambda: Rate(rate=Fraction(-1, 3)), "rate must be greater than 0, got -1/3"),
    (lambda: Rate(alpha=Fraction(0)), "alpha must lie strictly between 0 and 1, got 0"),
    (lambda: Rate(alpha=Fraction(1)), "alpha must lie strictly between 0 and 1, got 1"),
    (lambda: Rate(alpha=Fraction(3, 2)), "alpha must lie strictly between 0 and 1, got 3/2"),
    (
        lambda: Rate.of(alpha="1/2").weight(500_001),
        "alpha**500001 would be a fraction of a million digits; give epsilon instead",
    ),
    *(
        (lambda value=value: as_floats(value, "x"), f"x must be finite numbers, got {name} of shape (1,)")
        for value, name in [
            (["a"], "str32"),
            (np.array([b"1"]), "bytes8"),
            ([None], "object"),
            ([10**400], "object"),
            ([float("nan")], "float64"),
            (DATES, DATES.dtype.name),
            (TIMES, TIMES.dtype.name),
        ]
    ),
    *(
        (lambda value=value: as_list(value, "x"), f"x must be a list, got {name}")
        for value, name in [("ab", "'ab'"), (b"ab", "bytes"), (bytearray(b"a"), "bytearray"), (3, "3")]
    ),
    (lambda: require_type("3", int, "n"), "n must be a int, got str"),
    (lambda: require_callable(3, "f"), "f must be a function, got 3"),
    (lambda: require_writable("a\ud800", "unit"), "unit must be text that can be written, got a lone surrogate"),
]


test_sentences_of_refusals = said_in_full(REFUSED)


def test_the_sentence_of_a_division():
    with pytest.raises(ZeroDivisionError, match=r"^an enclosure that may be 0 does not divide$"):
        1 / Enclosure(Fraction(0), Fraction(1))
