"""The public domain: bins, categories, regions, and the border."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fdpedu.claims.strategies import domains, raw, regions, tables
from fdpedu.domain import Categorical, Domain, Numeric, Region, domain_from_data_not_private

AGE = Numeric.grid("age", 0, 100, bins=4)
WARD = Categorical("ward", ("A", "B", "C"))
DOMAIN = Domain([AGE, WARD], ("well", "ill"))


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


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([[1.0, "A"], [math.nan, "A"]], r"row 1, column 'age'"),
        ([[math.inf, "A"]], r"row 0, column 'age'"),
        ([["7", "A"]], r"row 0, column 'age': expected a number"),
        ([[None, "A"]], r"row 0, column 'age'"),
        ([[True, "A"]], r"row 0, column 'age'"),
        ([[10**400, "A"]], r"row 0, column 'age'"),
        ([[1.0, "Z"]], r"row 0, column 'ward': expected one of the 3"),
        ([[1.0, ["A"]]], r"row 0, column 'ward'"),
        ([[1.0, "A"], [1.0]], r"row 1: expected 2"),
        ([5], r"row 0"),
        ("AB", r"expected a sequence"),
        (7, r"expected a sequence"),
        (np.zeros((2, 3)), r"expected 2 feature values a row, got 3"),
        (np.zeros((2, 2, 2)), r"expected one dimension"),
    ],
)
def test_bad_rows_are_refused_by_place(rows, message):
    with pytest.raises(ValueError, match=message):
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


@pytest.mark.parametrize(
    "make",
    [
        lambda: Domain([], ("a", "b")),
        lambda: Domain([AGE, AGE], ("a", "b")),
        lambda: Domain([AGE], ("a",)),
        lambda: Domain([AGE], ("a", "a")),
        lambda: Domain([AGE], "ab"),
        lambda: Domain(["age"], ("a", "b")),
        lambda: Numeric("x", (0, 1)),
        lambda: Numeric("x", (0, 1, 1)),
        lambda: Numeric("x", (0, 1, math.nan)),
        lambda: Numeric("", (0, 1, 2)),
        lambda: Numeric.grid("x", 0, 1, bins=257),
        lambda: Numeric.grid("x", 1, 1),
        lambda: Numeric.grid("x", 0, math.inf),
        lambda: Numeric.grid("x", 0, 1, bins=2.5),
        lambda: Categorical("w", ("A",)),
        lambda: Categorical("w", ("A", "A")),
        lambda: Categorical("w", tuple(range(257))),
        lambda: DOMAIN.everything.restrict(0, []),
        lambda: DOMAIN.index("height"),
    ],
)
def test_bad_domains_are_refused(make):
    with pytest.raises(ValueError):
        make()


@given(st.data())
def test_region_algebra_is_the_algebra_of_record_sets(data):
    """Disjoint, contains and hull agree with the sets of records that the regions stand for."""
    domain = data.draw(domains(most_features=2, most_codes=3, most_classes=2))
    points = list(itertools.product(*(range(f.n_codes) for f in domain.features), range(domain.n_classes)))
    codes = np.array([p[:-1] for p in points], dtype=np.uint8)
    labels = np.array([p[-1] for p in points], dtype=np.uint8)
    a, b = data.draw(regions(domain)), data.draw(regions(domain))
    inside = [set(np.flatnonzero(r.holds(codes, labels, domain.everything))) for r in (a, b, a.hull(b))]
    assert a.is_disjoint(b) == (not inside[0] & inside[1])
    assert a.contains(b) == (inside[1] <= inside[0])
    assert inside[0] | inside[1] <= inside[2]


@given(st.data())
def test_encoding_ignores_the_container(data):
    """Lists of lists and arrays of objects give the same codes."""
    domain = data.draw(domains())
    rows = data.draw(tables(domain, least=1))
    X, y = raw(rows, domain)
    assert np.array_equal(domain.encode(X), domain.encode([row[:-1] for row in rows]))
    assert domain.encode_labels(y).tolist() == [domain.classes.index(row[-1]) for row in rows]


def test_the_name_of_the_function_that_looks_at_data_says_so():
    domain = domain_from_data_not_private([[1.0], [3.0]], ["a", "b"], bins=2)
    assert domain.features[0].edges == (1.0, 2.0, 3.0)


def test_fractions_are_numbers():
    assert AGE.encode(AGE.check([Fraction(51, 2)], "rows")).tolist() == [1]


@given(st.data())
def test_a_region_is_read_as_it_was_written(data):
    """Whatever part of whichever region: what is named restricts that region, and no more than that."""
    domain = data.draw(domains())
    whole, outer, inner = domain.everything, data.draw(regions(domain)), data.draw(regions(domain))
    assert Region.from_json(outer.to_json(whole), whole) == outer
    assume(not outer.is_disjoint(inner))
    both = Region.from_json(inner.to_json(whole), outer)
    assert outer.contains(both) and inner.contains(both)
    for j in range(domain.n_features):
        assert both.codes(j) == outer.codes(j) & inner.codes(j)
    assert both.class_codes == outer.class_codes & inner.class_codes
