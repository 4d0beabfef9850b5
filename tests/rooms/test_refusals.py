"""What the shared rooms refuse, and in which words: in one table. Users see messages as they are."""

from fractions import Fraction

import numpy as np
import pytest

from fdpedu.domain import Categorical, Domain, Numeric, Region, domain_from_data_not_private
from fdpedu.exact import (
    Enclosure,
    Rate,
    as_float,
    as_floats,
    as_fraction,
    as_integer,
    as_integers,
    as_positive_fraction,
    exp_enclosure,
    log_enclosure,
)
from fdpedu.randomness import as_source

NUMBER = "must be a finite number (an int, a Fraction, a decimal, or text like '1/3')"
ONE_RATE = "a rate needs exactly one of rate and alpha, as a Fraction"
WIDE = "must be integers within ±2**62; got"
SOURCE = "rng must be None (operating system), a numpy.random.Generator or a source, got"
AGE, WARD = Numeric.grid("age", 0, 100, bins=4), Categorical("ward", ("A", "B", "C"))
DOMAIN = Domain([AGE, WARD], ("well", "ill"))
ALL = DOMAIN.everything
NAME = "a feature's name must be a non-empty string"
FEATURES = "features must be a non-empty list of Numeric and Categorical"
NO_TABLE = "X must be finite numbers of 2 dimensions, got float64 of"
TABLE = "X must be a non-empty table of finite numbers, shape (n, p)"
REGION = "a region must hold at least one code of every feature and of the class, of at most 256"
GRID = "feature 'x' needs low < high and 2 to 256 bins"
EDGES = "feature 'x' needs 3 to 257 edges in increasing order"
FILL = "expected a finite number; a missing value must be filled in or its row left out beforehand"
ONE_OF_2 = "expected one of the 2 public categories ('well', 'ill')"
ONE_OF_3 = "expected one of the 3 public categories ('A', 'B', 'C')"

REFUSED = [
    # exact
    (lambda: as_fraction("x"), f"value {NUMBER}, got 'x'"),
    (lambda: as_fraction(None, "budget"), f"budget {NUMBER}, got None"),
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
    # randomness
    (lambda: as_source(0), f"{SOURCE} int"),
    (lambda: as_source("seed"), f"{SOURCE} str"),
    # domain
    (lambda: Domain([], ("a", "b")), FEATURES),
    (lambda: Domain(["age"], ("a", "b")), FEATURES),
    (lambda: Domain([AGE, AGE], ("a", "b")), "the features' names must be 1 to 256 different values"),
    (lambda: Domain([AGE], ("a",)), "classes must be 2 to 256 different values"),
    (lambda: Domain([AGE], "ab"), "classes must be 2 to 256 different values"),
    (lambda: Domain([AGE], ([], {})), "classes must be 2 to 256 different values"),
    (lambda: Domain([AGE], range(257)), "classes must be 2 to 256 different values"),
    (lambda: DOMAIN.index("height"), "unknown feature 'height'; the domain has 'age', 'ward'"),
    (lambda: DOMAIN.encode(7), "rows: expected a sequence, got int"),
    (lambda: DOMAIN.encode("AB"), "rows: expected a sequence, got str"),
    (lambda: DOMAIN.admit({}, "party 3"), "party 3: the table has no column 'age', 'ward'"),
    (lambda: DOMAIN.encode(np.zeros((2, 3)), "party 3"), "party 3: expected 2 feature values a row, got 3"),
    (lambda: DOMAIN.encode(np.zeros((2, 2, 2))), "rows: expected one dimension, got 3"),
    (lambda: DOMAIN.admit([[1, "A"], [2]]), "rows row 1: expected 2 feature values"),
    (lambda: DOMAIN.encode([[1, "A"], [None, "A"]]), f"rows row 1, column 'age': {FILL}"),
    (lambda: DOMAIN.encode([[1, "A"], [True, "A"]]), "rows row 1, column 'age': expected a number"),
    (lambda: DOMAIN.encode([[10**400, "A"]]), f"rows row 0, column 'age': {FILL}"),
    (lambda: DOMAIN.admit([[np.nan, "A"]], "party 3"), f"party 3 row 0, column 'age': {FILL}"),
    (lambda: DOMAIN.encode([[1, "D"]]), f"rows row 0, column 'ward': {ONE_OF_3}"),
    (lambda: DOMAIN.encode_labels(["ill", "dead"]), f"labels row 1, the class: {ONE_OF_2}"),
    (lambda: DOMAIN.encode_labels(7, "party 3"), "party 3: expected a sequence, got int"),
    (
        lambda: DOMAIN.encode_labels([[]], "party 3"),
        f"party 3 row 0, the class: {ONE_OF_2}",
    ),
    (lambda: Numeric("x", (0, 1)), EDGES),
    (lambda: Numeric("x", (0, 1, 1)), EDGES),
    (lambda: Numeric("x", range(258)), EDGES),
    (lambda: Numeric("x", (0, 1, "b")), f"an edge of 'x' {NUMBER}, got 'b'"),
    (lambda: Numeric("  ", (0, 1, 2)), NAME),
    (lambda: Numeric(7, (0, 1, 2)), NAME),
    (lambda: Numeric.grid("x", 0, 1, bins=1), "bins must be an integer ≥ 2, got 1"),
    (lambda: Numeric.grid("x", 0, 1, bins=257), GRID),
    (lambda: Numeric.grid("x", 1, 1), GRID),
    (lambda: Numeric.grid("x", None, 1), f"low {NUMBER}, got None"),
    (lambda: Numeric.grid("x", 0, None), f"high {NUMBER}, got None"),
    (lambda: Categorical("w", ("A", "A")), "the categories of 'w' must be 2 to 256 different values"),
    (lambda: Region((), 0), REGION),
    (lambda: Region((1, 1 << 256), 1), REGION),
    (lambda: ALL.restrict(0, []), REGION),
    (lambda: ALL.restrict(2, [0]), "feature must be a position from 0 to 1, got 2"),
    (lambda: ALL.restrict(-1, [0]), "feature must be a position from 0 to 1, got -1"),
    (lambda: ALL.restrict(True, [0]), "feature must be a position from 0 to 1, got True"),
    (lambda: ALL.restrict(0, [256]), "codes must be integers from 0 to 255, got 256"),
    (lambda: ALL.restrict_class([-1]), "codes must be integers from 0 to 255, got -1"),
    (
        lambda: ALL.contains(Region((1,), 1)),
        "two regions must have the same number of features, got 2 and 1",
    ),
    (lambda: domain_from_data_not_private([1.0], [0]), f"{NO_TABLE} shape (1,)"),
    (lambda: domain_from_data_not_private(np.zeros((0, 2)), []), TABLE),
    (lambda: domain_from_data_not_private([[np.inf]], [0]), f"{NO_TABLE} shape (1, 1)"),
]


@pytest.mark.parametrize(("ask", "message"), REFUSED)
def test_what_is_refused_is_told_in_these_words(ask, message):
    with pytest.raises(ValueError) as caught:
        ask()
    assert str(caught.value) == message


@pytest.mark.parametrize("ends", [(-1, 1), (0, 1), (-1, 0), (0, 0)])
def test_what_may_be_zero_does_not_divide(ends):
    with pytest.raises(ZeroDivisionError) as caught:
        1 / Enclosure(*map(Fraction, ends))
    assert str(caught.value) == "an enclosure that may be 0 does not divide"
