"""Queries, field by field: what they count, cost, say and are written as; and the rows that a party finds for them."""

from fractions import Fraction

import numpy as np
import pytest

from fdpedu.accounting import Charge
from fdpedu.domain import Categorical, Domain, Numeric, Region
from fdpedu.exact import Rate
from fdpedu.federation import ClassCounts, ClassHistogram, NodeHistograms
from fdpedu.federation.queries import Query, from_wire, to_wire
from fdpedu.federation.records import Records

DOMAIN = Domain([Numeric.grid("x", 0, 3, bins=3), Categorical("w", ("A", "B"))], ("a", "b", "c"))
WHOLE = DOMAIN.everything
PART = WHOLE.restrict(0, [1, 2]).restrict_class([0, 2])
THIRD = Fraction(1, 3)
ROWS = [(0.5, "A", "a"), (1.5, "A", "a"), (2.5, "A", "c"), (1.2, "B", "b"), (1.7, "A", "a"), (0.1, "A", "b")]


def records(rows=ROWS, domain=DOMAIN):
    return Records(domain.encode([r[:-1] for r in rows]), domain.encode_labels([r[-1] for r in rows]), domain)


QUERIES = {
    "nodes": (
        NodeHistograms(PART, THIRD),
        (5, 3),
        "class × bin histograms of all features",
        "thm-node-histograms",
        2,
        ("node-histograms", ((0, 6), (2, 5)), THIRD),
        [0, 0, 0, 2, 0, 0, 0, 0, 1, 2, 0, 1, 0, 0, 0],
    ),
    "histogram": (
        ClassHistogram(PART, THIRD, 0),
        (3, 3),
        "class × bin histogram of x",
        "thm-histogram",
        1,
        ("class-histogram", ((0, 6), (2, 5)), THIRD, 0),
        [0, 0, 0, 2, 0, 0, 0, 0, 1],
    ),
    "second histogram": (
        ClassHistogram(WHOLE, THIRD, 1),
        (2, 3),
        "class × bin histogram of w",
        "thm-histogram",
        1,
        ("class-histogram", (), THIRD, 1),
        [3, 1, 1, 0, 1, 0],
    ),
    "counts": (
        ClassCounts(WHOLE.restrict(1, [0]), THIRD),
        (3,),
        "class counts of a leaf",
        "thm-histogram",
        1,
        ("class-counts", ((1, 1),), THIRD),
        [3, 1, 1],
    ),
    "counts of one class": (
        ClassCounts(WHOLE.restrict_class([0]), THIRD),
        (3,),
        "class counts of a leaf",
        "thm-histogram",
        1,
        ("class-counts", ((2, 1),), THIRD),
        [3, 0, 0],
    ),
}


@pytest.mark.parametrize("case", QUERIES)
def test_a_query_field_by_field(case):
    """A class or a bin without rows, at the end too, has a count of its own."""
    query, shape, told, claim, releases, written, counts = QUERIES[case]
    assert (query.shape(DOMAIN), query.size(DOMAIN), query.describe(DOMAIN)) == (shape, len(counts), told)
    assert query.n_releases == releases and query.rate == Rate(rate=THIRD / releases)
    charge = query.charge(DOMAIN, 3, "seeded")
    expected = Charge(query.region, THIRD, told, "discrete Laplace in Pólya shares", 1, claim, 3, "seeded", releases)
    assert charge == expected
    assert to_wire(query, DOMAIN) == written and from_wire(written, DOMAIN) == query
    assert type(from_wire(written, DOMAIN)) is type(query)
    party = records()
    (rows,) = party.within([query.region])
    found = query.tally(party, rows, DOMAIN)
    assert found.tolist() == counts and found.dtype == np.int64
    assert query.tally(party, rows[:0], DOMAIN).tolist() == [0] * len(counts)
    assert query.tally(party, rows[:0], DOMAIN).dtype == np.int64


def test_what_a_manifest_says_of_a_query():
    assert NodeHistograms(PART, THIRD).to_json(DOMAIN) == {
        "query": "class × bin histograms of all features",
        "region": {"0": [1, 2], "class": [0, 2]},
        "releases": 2,
        "sensitivity": 1,
        "rate": "1/6",
    }
    assert ClassHistogram(WHOLE, 2, 1).to_json(DOMAIN) == {
        "query": "class × bin histogram of w",
        "region": {},
        "releases": 1,
        "sensitivity": 1,
        "rate": "2",
    }


def test_a_query_of_no_kind_is_none():
    query = Query(WHOLE, THIRD)
    for ask in (query.shape, query.size, query.describe, lambda domain: query.tally(records(), np.arange(2), domain)):
        with pytest.raises(TypeError) as refused:
            ask(DOMAIN)
        assert str(refused.value) == "ask one of the closed set of queries"


NUMBER = "epsilon must be a finite number (an int, a Fraction, a decimal, or text like '1/3'), got 'little'"


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: ClassCounts("everything", 1), "region must be a Region, got str"),
        (lambda: ClassCounts(None, 1), "region must be a Region, got NoneType"),
        (lambda: ClassCounts(WHOLE, 0), "epsilon must be greater than 0, got 0"),
        (lambda: ClassCounts(WHOLE, "little"), NUMBER),
    ],
)
def test_what_is_no_query_is_refused_in_these_words(make, told):
    with pytest.raises(ValueError) as refused:
        make()
    assert str(refused.value) == told


def test_a_cost_is_exact():
    assert ClassCounts(WHOLE, "0.1").epsilon == Fraction(1, 10)


OUTSIDE = "the query's region does not belong to the federation's domain"
LONG = "epsilon must be a fraction of numbers of at most 40 digits: ledgers add costs exactly"
MOST = 10**40


@pytest.mark.parametrize(
    ("query", "told"),
    [
        (ClassCounts(Region((7,), 7), 1), OUTSIDE),
        (ClassCounts(Region((7, 3, 1), 7), 1), OUTSIDE),
        (ClassCounts(Region((15, 3), 7), 1), OUTSIDE),
        (ClassCounts(Region((7, 3), 15), 1), OUTSIDE),
        (ClassHistogram(Region((7, 4), 7), 1, 0), OUTSIDE),
        (ClassCounts(WHOLE, MOST), LONG),
        (ClassCounts(WHOLE, Fraction(MOST, 3)), LONG),
        (ClassCounts(WHOLE, Fraction(MOST - 1, MOST)), LONG),
        (ClassCounts(WHOLE, Fraction(MOST + 1, MOST - 1)), LONG),
        (ClassCounts(WHOLE, MOST - 1), None),
        (ClassCounts(WHOLE, Fraction(MOST - 2, MOST - 1)), None),
        (ClassCounts(WHOLE, Fraction(1, 2**40)), None),
        (
            ClassCounts(WHOLE, Fraction(1, 2**40 + 1)),
            "epsilon/sensitivity must be at least 2**-40, so that the noise fits 64-bit integers",
        ),
        (
            NodeHistograms(WHOLE, Fraction(1, 2**40)),
            "epsilon/sensitivity must be at least 2**-40, so that the noise fits 64-bit integers",
        ),
        (ClassHistogram(WHOLE, 1, 0), None),
        (ClassHistogram(WHOLE, 1, 1), None),
        (ClassHistogram(WHOLE, 1, 2), "feature must be a position from 0 to 1"),
        (ClassHistogram(WHOLE, 1, -1), "feature must be a position from 0 to 1"),
        (ClassHistogram(WHOLE, 1, True), "feature must be a position from 0 to 1"),
        (ClassHistogram(WHOLE, 1, 0.0), "feature must be a position from 0 to 1"),
    ],
)
def test_queries_are_checked_in_these_words(query, told):
    if told is None:
        assert query.check(DOMAIN) is None
        return
    with pytest.raises(ValueError) as refused:
        query.check(DOMAIN)
    assert str(refused.value) == told


WRITTEN = "no query of the closed set is written so: a party answers histograms, class counts and lower bounds only"


@pytest.mark.parametrize(
    "fields",
    [
        7,
        ("rows", (), THIRD),
        ("class-counts", (), THIRD, 0),
        ("class-histogram", (), THIRD),
        ("class-counts", ((0, 7),), THIRD),
        ("class-counts", ((2, 7),), THIRD),
        ("class-counts", ((1, 1), (0, 1)), THIRD),
        ("class-counts", ((-1, 1),), THIRD),
        ("class-counts", ((3, 1),), THIRD),
        ("class-counts", (1,), THIRD),
        ("class-counts", (), "1/3"),
    ],
)
def test_what_is_not_written_as_a_query_is_none(fields):
    with pytest.raises(ValueError) as refused:
        from_wire(fields, DOMAIN)
    assert str(refused.value) == WRITTEN


@pytest.mark.parametrize("fields", [(), ("class-counts", ()), ("class-counts", ((0, 1, 1),), THIRD)])
def test_what_has_too_few_or_too_many_parts_is_none(fields):
    with pytest.raises(ValueError):
        from_wire(fields, DOMAIN)


@pytest.mark.parametrize("region", [Region((7,), 7), Region((7, 3, 1), 7)])
def test_a_query_of_other_features_is_not_written(region):
    """As if it were one of those that both domains have."""
    with pytest.raises(ValueError):
        to_wire(ClassCounts(region, 1), DOMAIN)


def test_a_query_of_a_region_outside_is_told_so():
    with pytest.raises(ValueError) as refused:
        from_wire(("class-counts", ((0, 8),), THIRD), DOMAIN)
    assert str(refused.value) == OUTSIDE


# --- the rows that are counted ----------------------------------------------------------------------------------------


def test_positions_take_as_few_bytes_as_they_need():
    """Two as long as all positions fit; the last position of the largest such domain is its own."""
    assert records().cells.dtype == np.uint16 and records().cells.tolist()[2] == [8, 11]
    x = Numeric.grid("x", 0, 1, bins=256)
    just = Domain([x], range(256))
    assert records([(1, 255), (0, 0)], just).cells.tolist() == [[2**16 - 1], [0]]
    assert records([(1, 255)], just).cells.dtype == np.uint16
    more = Domain([x, Categorical("w", ("A", "B"))], range(200))
    assert records([(1, "B", 199)], more).cells.tolist() == [[51199, 51599]]
    wide = Domain([x, Numeric.grid("y", 0, 1, bins=256)], range(200))
    party = records([(1, 1, 199), (0, 1, 3)], wide)
    assert party.cells.tolist() == [[51199, 102399], [3, 102203]] and party.cells.dtype == np.uint32


def test_rows_are_found_whatever_was_asked_before():
    """Inside the last regions, beside them, around them, and the same once more in one round."""
    party = records()
    young, second = WHOLE.restrict(0, [0]), WHOLE.restrict(1, [1])
    inner = WHOLE.restrict(0, [1]).restrict_class([0])
    found = {WHOLE: [0, 1, 2, 3, 4, 5], young: [0, 5], second: [3], PART: [1, 2, 4], inner: [1, 4]}
    for asked in (
        [WHOLE],
        [young, PART],
        [young, inner, young, inner],
        [second, WHOLE],
        [PART, PART, second, young],
        [inner, second, young],
        [WHOLE, inner],
    ):
        assert [rows.tolist() for rows in party.within(asked)] == [found[region] for region in asked]
        assert {region: rows.tolist() for region, rows in party._known.items()} == {
            region: found[region] for region in asked
        }
    assert party.within(iter([inner]))[0].dtype == np.intp


@pytest.mark.parametrize("region", [Region((7,), 7), Region((6, 3, 1), 7)])
def test_rows_of_a_region_of_other_features_are_not_found(region):
    party = records()
    with pytest.raises(ValueError):
        party.within([region])
    for outer in (WHOLE, region):
        with pytest.raises(ValueError):
            party._narrow(np.arange(6), outer, region)


def test_the_search_goes_on_where_it_ended():
    """Of regions that lie in the same order as those around them, each is compared with two at most."""
    domain = Domain([Numeric.grid("x", 0, 64, bins=64)], (0, 1))
    party = records([[i, i % 2] for i in range(64)], domain)
    outer = [domain.everything.restrict(0, [2 * k, 2 * k + 1]) for k in range(32)]
    party.within(outer)
    compared = []
    contains = Region.contains
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Region, "contains", lambda self, other: compared.append(self) or contains(self, other))
        party.within([domain.everything.restrict(0, [code]) for code in range(64)])
    assert len(compared) == 64 + 31
