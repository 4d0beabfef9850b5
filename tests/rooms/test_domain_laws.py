"""Domains and regions against sets of records and plain comparisons: words, codes, positions, and what is counted."""

import itertools
import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.claims.strategies import domains, raw, regions, tables
from fdpedu.domain import Categorical, Domain, Numeric, Region, domain_from_data_not_private

DATA = st.data()


# --- words ------------------------------------------------------------------------------------------------------------


def holds(words, record):
    """Whether a record, name → raw value, fits a description as people read it: each part is a condition."""
    if words == "all records":
        return True
    for part in re.split(r", (?![^{]*\})", words):
        if part.startswith("class "):
            fits = record["class"] in part.removeprefix("class ").split(" or ")
        elif found := re.fullmatch(r"(\w+) in \{(.*)\}", part):
            fits = record[found[1]] in found[2].split(", ")
        else:
            low, name, high = re.fullmatch(r"(?:(\S+) < )?(\w+)(?: ≤ (\S+))?", part).groups()
            fits = (low is None or float(low) < record[name]) and (high is None or record[name] <= float(high))
        if not fits:
            return False
    return True


def values(feature):
    """For each code a raw value that has it; beyond the ends of the range, too."""
    if isinstance(feature, Categorical):
        return list(feature.categories)
    return [feature.edges[0] - 9, *feature.edges[2:-1], feature.edges[-1] + 9]


@given(DATA)
def test_a_description_holds_for_the_records_of_the_region(data):
    """Whoever reads the words finds the same records as whoever looks at the codes (a numeric part is a range)."""
    domain = data.draw(domains())
    region = domain.everything.restrict_class(data.draw(st.sets(st.integers(0, domain.n_classes - 1), min_size=1)))
    for j, feature in enumerate(domain.features):
        first, last = sorted(data.draw(st.integers(0, feature.n_codes - 1)) for _ in range(2))
        region = region.restrict(j, range(first, last + 1))
    words = domain.describe(region)
    assert (words == "all records") == (region == domain.everything)
    records = list(itertools.product(*map(values, domain.features), domain.classes))
    codes = domain.encode([list(record[:-1]) for record in records])
    inside = region.holds(codes, domain.encode_labels([record[-1] for record in records]), domain.everything)
    names = [*(feature.name for feature in domain.features), "class"]
    for record, expected in zip(records, inside, strict=True):
        assert holds(words, dict(zip(names, [*record[:-1], str(record[-1])], strict=True))) == expected


@given(st.integers(2, 9), st.sampled_from(["", "years"]), DATA)
def test_a_split_is_told_as_the_condition_of_its_left_side(bins, unit, data):
    """A prefix of the bins ends at an edge, with its unit if there is one; categories stand in their order."""
    feature = Numeric.grid("age", 0, 3 * bins, bins=bins, unit=unit)
    last = data.draw(st.integers(0, bins - 1))
    assert feature.describe_split(range(last + 1)) == f"age ≤ {3 * (last + 1)}" + {"": "", "years": " years"}[unit]
    left = data.draw(st.sets(st.sampled_from("dcba"), min_size=1))
    ward = Categorical("ward", ("d", "c", "b", "a"))
    words = f"ward in {{{', '.join(sorted(left, reverse=True))}}}"
    assert ward.describe_split({ward.categories.index(category) for category in left}) == words


# --- features ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("codes", [2, 255, 256])
def test_up_to_256_codes_a_feature_and_as_many_classes(codes):
    features = [Numeric.grid("x", 0, 1, bins=codes), Numeric("y", range(codes + 1)), Categorical("z", range(codes))]
    domain = Domain(features, np.arange(codes))
    assert [feature.n_codes for feature in domain.features] == [codes] * 3 and domain.n_classes == codes
    assert all(type(category) is int for category in (*domain.classes, *features[2].categories))
    last = domain.encode([[1, codes, codes - 1]])
    assert last.tolist() == [[codes - 1] * 3] and domain.encode_labels([codes - 1]).tolist() == [codes - 1]
    assert domain.everything.restrict(0, [codes - 1]).codes(0) == {codes - 1}


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


@pytest.mark.parametrize("kind", [np.int8, np.uint16, np.int64, np.float32, np.float64, object])
def test_numbers_of_every_type_are_numbers(kind):
    column = np.array([0, 3, 7], dtype=kind)
    checked = Numeric.grid("x", 0, 9).check(column, "rows")
    assert checked.dtype == np.float64 and checked.tolist() == [0, 3, 7]


@pytest.mark.parametrize("column", [np.array([True]), np.array(["1"]), [np.True_, 1], [True, 0.5], [1j], [b"1"]])
def test_what_is_no_number_is_none(column):
    with pytest.raises(ValueError, match="rows row 0, column 'x': expected a number"):
        Numeric.grid("x", 0, 9).check(column, "rows")


@pytest.mark.parametrize(
    ("categories", "fits", "unfit"),
    [
        ((0, 1), [1, 0, 1.0], [True, False, 2]),
        ((False, True), [True, False, 1], []),
        (("a", True), [True, "a"], [False]),
    ],
)
def test_true_is_a_category_only_if_it_is_listed(categories, fits, unfit):
    """Python takes True for 1; a list of categories does not."""
    feature = Categorical("w", categories)
    assert feature.check(fits, "rows") == fits
    for value in unfit:
        with pytest.raises(ValueError, match="row 0, column 'w'"):
            feature.check([value], "rows")


def test_what_cannot_be_hashed_is_no_category():
    with pytest.raises(ValueError, match="the categories of 'w' must be 2 to 256 different values"):
        Categorical("w", ([1], [2]))


# --- domains ----------------------------------------------------------------------------------------------------------


@given(DATA)
def test_a_part_of_the_features_has_their_codes(data):
    """In the order asked for, with the same classes; and codes are bytes, whatever the rows come in."""
    domain = data.draw(domains())
    rows = data.draw(tables(domain, least=0))
    X, y = [row[:-1] for row in rows], [row[-1] for row in rows]
    codes, labels = domain.encode(X), domain.encode_labels(y)
    assert codes.dtype == labels.dtype == np.uint8 and codes.shape == (len(rows), domain.n_features)
    names = data.draw(st.permutations([feature.name for feature in domain.features]))
    names = names[: data.draw(st.integers(1, len(names)))]
    positions = [domain.index(name) for name in names]
    part = domain.select(names)
    assert [feature.name for feature in part.features] == names and part.classes == domain.classes
    assert np.array_equal(part.encode([[row[j] for j in positions] for row in X]), codes[:, positions])
    for feature, column in zip(domain.features, codes.T, strict=True):
        column_of_rows = [row[domain.index(feature.name)] for row in X]
        assert feature.encode(column_of_rows).dtype == np.uint8
        assert feature.encode(column_of_rows).tolist() == column.tolist()
    if rows:
        assert np.array_equal(domain.encode(raw(rows, domain)[0]), codes)


@given(st.lists(st.lists(st.fractions(-9, 9), min_size=2, max_size=2), min_size=1, max_size=6), st.integers(2, 9))
def test_a_domain_from_data_reaches_from_minimum_to_maximum(table, bins):
    """A column with one value gets a range of length 1; features have the names given, or x0, x1, …"""
    domain = domain_from_data_not_private(table, ["b", *["a"] * len(table)], bins=bins, names=("u", "v"))
    for j, feature in enumerate(domain.features):
        low, high = (float(end([row[j] for row in table])) for end in (min, max))
        assert (feature.edges[0], feature.edges[-1]) == (low, high if low < high else low + 1)
        assert feature.n_codes == bins and feature.name == "uv"[j]
    assert domain.classes == ("a", "b")
    unnamed = domain_from_data_not_private(table, [0, 1])
    assert [feature.name for feature in unnamed.features] == ["x0", "x1"]
    assert [feature.n_codes for feature in unnamed.features] == [16, 16]
    for names in (["u"], ["u", "v", "w"]):
        with pytest.raises(ValueError):
            domain_from_data_not_private(table, [0, 1], names=names)


# --- regions ----------------------------------------------------------------------------------------------------------


@given(DATA)
def test_restricting_intersects(data):
    domain = data.draw(domains())
    region = data.draw(regions(domain))
    j = data.draw(st.integers(0, domain.n_features - 1))
    for codes, restrict in (
        (region.codes(j), lambda some: region.restrict(j, some).codes(j)),
        (region.class_codes, lambda some: region.restrict_class(some).class_codes),
    ):
        some = data.draw(st.sets(st.integers(0, 255))) | {min(codes)}
        assert restrict(some) == restrict(list(some) * 2) == codes & some


@given(DATA)
def test_how_much_two_regions_differ(data):
    """The coordinates whose codes differ, and how many codes the region has there; from nothing at all, every one."""
    domain = data.draw(domains())
    a, b = data.draw(regions(domain)), data.draw(regions(domain))
    parts = [[*(r.codes(j) for j in range(domain.n_features)), r.class_codes] for r in (a, b)]
    differing = [len(mine) for mine, theirs in zip(*parts, strict=True) if mine != theirs]
    assert a.differing(b) == (len(differing), sum(differing)) and a.differing(a) == (0, 0)
    assert a.differing(None) == (domain.n_features + 1, sum(map(len, parts[0])))


@pytest.mark.parametrize("n", [1, 3])
def test_regions_of_different_domains_are_never_compared(n):
    """Two features or another number of them: every operation on two regions says no."""
    two, other = Region((3, 3), 3), Region((3,) * n, 3)
    codes, labels = np.zeros((1, 2), dtype=np.uint8), np.zeros(1, dtype=np.uint8)
    for ask in (
        lambda: two.is_disjoint(other),
        lambda: two.contains(other),
        lambda: two.hull(other),
        lambda: two.differing(other),
        lambda: two.to_json(other),
        lambda: two.holds(codes, labels, other),
        lambda: other.holds(codes, labels, other),
    ):
        with pytest.raises(ValueError):
            ask()


def test_a_fraction_is_a_number_of_a_table():
    assert domain_from_data_not_private([[Fraction(1, 2)], [2]], [0, 1], bins=3).features[0].edges == (0.5, 1, 1.5, 2)
