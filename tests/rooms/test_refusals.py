"""What the shared rooms refuse, and in which words: in one table. Users see messages as they are."""

import numpy as np
import pytest

from fdpedu.domain import Categorical, Domain, Numeric, Region, domain_from_data_not_private

NUMBER = "must be a finite number (an int, a Fraction, a decimal, or text like '1/3')"
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
