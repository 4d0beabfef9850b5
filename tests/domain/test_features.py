"""Bins and categories: which code a value has, what lies outside, and what is no value of a feature."""

import collections
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.domain import Categorical, Domain, Numeric

AGE = Numeric.grid("age", 0, 100, bins=4)


@given(st.floats(-50, 150), st.integers(0, 3))
def test_a_bin_is_an_inequality(x, i):
    """x has code i iff edges[i] < x ≤ edges[i+1], with the ends clipped in: so code ≤ i is exactly x ≤ edges[i+1]."""
    code = int(AGE.encode([x])[0])
    clipped = min(max(x, AGE.edges[0]), AGE.edges[-1])
    assert clipped <= AGE.edges[code + 1] and (clipped > AGE.edges[code] or code == 0)
    if i < 3:
        assert (code <= i) == (x <= AGE.edges[i + 1])


@pytest.mark.parametrize(("x", "code"), [(0, 0), (25, 0), (math.nextafter(25, 100), 1), (100, 3), (-1, 0), (1e300, 3)])
def test_the_borders_of_bins(x, code):
    assert AGE.encode([x]).tolist() == [code]


def test_edges_are_exact_decimals():
    """Ten bins on [0, 1] have the edges 0, 0.1, …, 1 and not accumulated sums."""
    assert Numeric.grid("x", 0, 1, bins=10).edges == tuple(i / 10 for i in range(11))


def test_fractions_are_numbers():
    assert AGE.encode(AGE.check([Fraction(51, 2)], "rows")).tolist() == [1]


THOUSANDTHS = st.fractions(-9, 9, max_denominator=1000)  # so far apart that sixteen floats fit between any two


@given(st.lists(THOUSANDTHS, min_size=3, max_size=9, unique=True).map(sorted), st.sampled_from(["", "m"]))
def test_edges_are_floats_of_what_is_given(edges, text):
    feature = Numeric("x", [str(edge) for edge in edges], unit=text, reason=text)
    assert feature.edges == tuple(map(float, edges)) and all(type(edge) is float for edge in feature.edges)
    assert feature == Numeric("x", edges, text, text)
    grid = Numeric.grid("x", edges[0], edges[-1], unit=text, reason=text)
    assert grid == Numeric.grid("x", str(edges[0]), str(edges[-1]), 16, unit=text, reason=text)
    assert (grid.unit, grid.reason, grid.n_codes) == (text, text, 16)
    assert (Numeric.grid("x", 0, 1).unit, Numeric.grid("x", 0, 1).reason) == ("", "")
    assert Categorical("w", ["a", "b"]).categories == Categorical("w", np.array(["a", "b"])).categories == ("a", "b")


NUMBERS = st.lists(st.integers(-4, 14) | st.floats(-4, 14) | st.fractions(-4, 14), max_size=9)


@given(NUMBERS)
def test_what_lies_outside_is_counted_exactly(column):
    """The ends belong to the range, the same numbers in whatever type."""
    feature = Numeric.grid("x", 0, 10, bins=5)
    checked = feature.check(column, "rows")
    assert checked.dtype == np.float64 and checked.tolist() == [float(x) for x in column]
    assert feature.outside(checked) == feature.outside(column) == sum(not 0 <= float(x) <= 10 for x in column)
    codes = [next((i for i, edge in enumerate(feature.edges[1:]) if float(x) <= edge), 4) for x in column]
    assert feature.encode(column).dtype == np.uint8 and feature.encode(column).tolist() == codes


def test_nothing_of_a_category_lies_outside():
    assert Categorical("ward", ("A", "B")).outside(["A", "B", "A"]) == 0


@pytest.mark.parametrize("kind", [np.int8, np.uint16, np.int64, np.float32, np.float64, object])
def test_numbers_of_every_type_are_numbers(kind):
    column = np.array([0, 3, 7], dtype=kind)
    checked = Numeric.grid("x", 0, 9).check(column, "rows")
    assert checked.dtype == np.float64 and checked.tolist() == [0, 3, 7]


@pytest.mark.parametrize("column", [np.array([True]), np.array(["1"]), [np.True_, 1], [True, 0.5], [1j], [b"1"]])
def test_what_is_no_number_is_none(column):
    with pytest.raises(ValueError, match="rows row 0, column 'x'"):
        Numeric.grid("x", 0, 9).check(column, "rows")


@pytest.mark.parametrize(
    ("categories", "fits", "unfit"),
    [
        ((0, 1), [1, 0, 1.0], [True, False, 2]),
        ((False, True), [True, False], [1, 0, 1.0]),
        (("a", True), [True, "a"], [False]),
    ],
)
def test_true_is_a_category_only_if_it_is_listed(categories, fits, unfit):
    """Python takes True for 1, and 1 for True; a list of categories does not."""
    feature = Categorical("w", categories)
    assert feature.check(fits, "rows") == fits
    for value in unfit:
        with pytest.raises(ValueError, match="row 0, column 'w'"):
            feature.check([value], "rows")


@pytest.mark.parametrize(
    "values",
    [{"A", "B"}, frozenset("AB"), {"A": 1, "B": 2}, {"A": 1, "B": 2}.keys(), {1: "A", 2: "B"}.values()],
    ids=lambda values: type(values).__name__,
)
def test_what_has_no_order_of_its_own_is_no_list_of_categories(values):
    """The same set is another order in another process, and two sites would have two domains."""
    for make in (lambda: Categorical("ward", values), lambda: Domain([Numeric.grid("x", 0, 1)], values)):
        with pytest.raises(ValueError, match=r"ward|classes"):
            make()
    with pytest.raises(ValueError, match="features"):
        Domain({Numeric.grid("x", 0, 1)}, (0, 1))


@pytest.mark.parametrize("values", [("A", math.nan), (np.float64("nan"), 1), ([], "A"), ([1], [2]), "AB", b"AB", 7])
def test_what_is_no_list_of_different_values(values):
    with pytest.raises(ValueError, match="ward"):
        Categorical("ward", values)


@pytest.mark.parametrize("make", [iter, collections.deque, np.array, list, lambda values: (v for v in values)])
def test_categories_come_in_anything_with_an_order(make):
    assert Categorical("ward", make(["B", "A"])).categories == ("B", "A")
    assert list(map(type, Categorical("ward", make([np.int64(2), np.int64(1)])).categories)) == [int, int]


@pytest.mark.parametrize("codes", [2, 255, 256])
def test_up_to_256_codes_a_feature_and_as_many_classes(codes):
    features = [Numeric.grid("x", 0, 1, bins=codes), Numeric("y", range(codes + 1)), Categorical("z", range(codes))]
    domain = Domain(features, np.arange(codes))
    assert [feature.n_codes for feature in domain.features] == [codes] * 3 and domain.n_classes == codes
    assert all(type(category) is int for category in (*domain.classes, *features[2].categories))
    last = domain.encode([[1, codes, codes - 1]])
    assert last.tolist() == [[codes - 1] * 3] and domain.encode_labels([codes - 1]).tolist() == [codes - 1]
    assert domain.everything.restrict(0, [codes - 1]).codes(0) == {codes - 1}


@given(st.integers(2, 9), st.sampled_from(["", "years"]), st.data())
def test_a_split_is_described_by_the_condition_of_its_left_side(bins, unit, data):
    """A prefix of the bins ends at an edge, with its unit if there is one; categories stand in their order."""
    feature = Numeric.grid("age", 0, 3 * bins, bins=bins, unit=unit)
    last = data.draw(st.integers(0, bins - 1))
    assert feature.describe_split(range(last + 1)) == f"age ≤ {3 * (last + 1)}" + {"": "", "years": " years"}[unit]
    left = data.draw(st.sets(st.sampled_from("dcba"), min_size=1))
    ward = Categorical("ward", ("d", "c", "b", "a"))
    words = f"ward in {{{', '.join(sorted(left, reverse=True))}}}"
    assert ward.describe_split({ward.categories.index(category) for category in left}) == words


@pytest.mark.parametrize("length", [118, 119, 120, 121, 122, 300])
def test_categories_are_listed_where_that_is_short(length):
    """Up to 120 characters, with blank and brackets."""
    first = "a" * (length - len(f" ({'b'!r}, '')"))
    listed = f" ({first!r}, 'b')"
    feature = Categorical("x", (first, "b"))
    assert len(listed) == length
    assert feature.expects(2) == "expected one of the 2 public categories" + (listed if length <= 120 else "")
