"""A public domain encodes rows and labels, and refuses them by place and never by value."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.claims.strategies import domains, raw, tables
from fdpedu.domain import Categorical, Domain, Numeric, domain_from_data_not_private

AGE = Numeric.grid("age", 0, 100, bins=4)
WARD = Categorical("ward", ("A", "B", "C"))
DOMAIN = Domain([AGE, WARD], ("well", "ill"))


@pytest.mark.parametrize(
    ("rows", "place"),
    [
        ([[1.0, "A"], [math.nan, "A"]], "row 1, column 'age'"),
        ([[math.inf, "A"]], "row 0, column 'age'"),
        ([["7", "A"]], "row 0, column 'age'"),
        ([[None, "A"]], "row 0, column 'age'"),
        ([[True, "A"]], "row 0, column 'age'"),
        ([[10**400, "A"]], "row 0, column 'age'"),
        ([[1.0, "Z"]], "row 0, column 'ward'"),
        ([[1.0, ["A"]]], "row 0, column 'ward'"),
        ([[1.0, "A"], [1.0]], "row 1"),
        ([5], "row 0"),
    ],
)
def test_bad_rows_are_refused_by_place(rows, place):
    with pytest.raises(ValueError, match=place):
        DOMAIN.encode(rows)


SECRET = 98765.4321


@pytest.mark.parametrize("bad", [f"{SECRET}", {"v": SECRET}, complex(SECRET, 1), math.nan])
def test_messages_show_no_value(bad):
    """Neither the message nor any chained exception holds a patient's value."""
    for rows, labels in (([[SECRET, "A"], [bad, "A"]], None), ([[SECRET, bad]], None), (None, ["ill", bad])):
        with pytest.raises(ValueError) as caught:
            DOMAIN.encode(rows) if labels is None else DOMAIN.encode_labels(labels)
        error = caught.value
        while error is not None:
            assert "98765" not in str(error) and "nan" not in str(error)
            error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def test_clipped_values_are_counted():
    codes, clipped = DOMAIN.admit([[-3, "A"], [50, "B"], [101, "C"], [100, "A"]])
    assert codes[:, 0].tolist() == [0, 1, 3, 3] and clipped == {"age": 2, "ward": 0}


def test_empty_rows_are_rows():
    assert DOMAIN.encode([]).shape == (0, 2) and DOMAIN.encode_labels([]).shape == (0,)


@given(st.data())
def test_encoding_ignores_the_container(data):
    """Lists of lists and arrays of objects give the same codes."""
    domain = data.draw(domains())
    rows = data.draw(tables(domain, least=1))
    X, y = raw(rows, domain)
    assert np.array_equal(domain.encode(X), domain.encode([row[:-1] for row in rows]))
    assert domain.encode_labels(y).tolist() == [domain.classes.index(row[-1]) for row in rows]


@given(st.data())
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
        with pytest.raises(ValueError, match="names"):
            domain_from_data_not_private(table, [0, 1], names=names)


def test_a_fraction_is_a_number_of_a_table():
    assert domain_from_data_not_private([[Fraction(1, 2)], [2]], [0, 1], bins=3).features[0].edges == (0.5, 1, 1.5, 2)


def test_a_domain_as_a_table():
    weight = Numeric("weight", (0.5, 20, 1234567), "kg", "of a scale")
    assert Domain([weight, WARD, AGE], ("well", Fraction(1, 2))).to_text().split("\n") == [
        "feature  codes  values                 why these",
        "weight   2      0.5 to 1.23457e+06 kg  of a scale",
        "ward     3      A, B, C",
        "age      4      0 to 100",
        "",
        "classes: well, 1/2",
    ]
