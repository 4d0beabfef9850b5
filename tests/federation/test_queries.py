"""Queries, field by field: what they count, cost, say and are written as."""

from fractions import Fraction

import numpy as np
import pytest

from fdpedu.accounting import Charge, Ledger
from fdpedu.domain import Categorical, Domain, Numeric, Region
from fdpedu.exact import Rate
from fdpedu.federation import (
    ClassCounts,
    ClassHistogram,
    Federation,
    NodeBounds,
    NodeHistograms,
    Party,
)
from fdpedu.federation.queries import read_queries, write_queries
from fdpedu.federation.records import Records
from fdpedu.randomness import ZeroWords
from fdpedu.secure_sum import canonical
from tests.support.queries import DOMAIN, PARAMETERS, QUERIES, ROWS, THIRD, WHOLE


def records(rows=ROWS, domain=DOMAIN):
    return Records(domain.encode([r[:-1] for r in rows]), domain.encode_labels([r[-1] for r in rows]), domain)


@pytest.mark.parametrize("case", QUERIES)
def test_a_query_field_by_field(case):
    """What it is, costs and says; how it is written, which is read as the same query; and what it counts.

    A class or a bin without rows, at the end too, has a count of its own.
    """
    query, (shape, words, claim, releases, sensitivity), written, counts = QUERIES[case]
    assert (query.shape(DOMAIN), query.size(DOMAIN), query.describe(DOMAIN)) == (shape, len(counts), words)
    assert (query.n_releases, query.sensitivity, query.epsilon) == (releases, sensitivity, THIRD)
    assert query.rate == Rate(rate=THIRD / (releases * sensitivity)) and query.check(DOMAIN) is None
    charge, asked = query.charge(DOMAIN, 3, "seeded"), (query.type, tuple(query.parameters.items()))
    mechanism = "discrete Laplace in Pólya shares"
    assert charge == Charge(query.region, THIRD, words, mechanism, sensitivity, claim, 3, "seeded", releases, *asked)
    assert charge.rate == query.rate.rate
    assert write_queries([query], DOMAIN) == canonical((written,))
    (read,) = read_queries(canonical((written,)), DOMAIN)
    assert read == query and type(read) is type(query) and read.parameters == query.parameters
    party = records()
    (rows,) = party.within([query.region])
    for found, expected in ((rows, counts), (rows[:0], [0] * len(counts))):
        answer = query.tally(party, found, DOMAIN)
        assert answer.tolist() == expected and answer.dtype == np.int64


@pytest.mark.parametrize("case", QUERIES)
def test_what_a_manifest_says_of_a_query(case):
    query, (_, words, _, releases, sensitivity), _, _ = QUERIES[case]
    assert query.to_json(DOMAIN) == {
        "type": query.type,
        "parameters": PARAMETERS.get(case, {}),
        "query": words,
        "region": query.region.to_json(WHOLE),
        "releases": releases,
        "sensitivity": sensitivity,
        "rate": str(THIRD / (releases * sensitivity)),
    }


def test_forms_differ_where_queries_do():
    asked = [query for query, *_ in QUERIES.values()]
    assert len({write_queries([query], DOMAIN) for query in asked}) == len(asked) == len(set(asked))
    assert read_queries(write_queries(asked, DOMAIN), DOMAIN) == tuple(asked)


def test_bounds_of_exact_counts_leave_them_as_they_are():
    """The histograms that a party keeps of a round are those that it releases, and that the next round takes from."""
    party = records()
    histograms, bounds = NodeHistograms(WHOLE, 1), NodeBounds(WHOLE, 1, 60)
    first, second = party.within([WHOLE, WHOLE])
    assert bounds.tally(party, first, DOMAIN).tolist() == [72, 84]
    before = histograms.tally(party, second, DOMAIN).tolist()
    assert bounds.tally(party, first, DOMAIN).tolist() == [72, 84]
    assert histograms.tally(party, second, DOMAIN).tolist() == before


# --- what can be asked ------------------------------------------------------------------------------------------------

MAX_FIELD = 10**40


def wards(n, classes):
    features = [Numeric.grid("x", 0, 3, bins=40), Categorical("ward", tuple(range(n)))]
    return Domain(features, tuple("abc"[:classes]))


@pytest.mark.parametrize(
    ("query", "domain"),
    [
        (ClassCounts(WHOLE, MAX_FIELD - 1), DOMAIN),
        (ClassCounts(WHOLE, Fraction(MAX_FIELD - 2, MAX_FIELD - 1)), DOMAIN),
        (ClassCounts(WHOLE, Fraction(1, 2**40)), DOMAIN),
        (NodeBounds(WHOLE, 1, 2**16), DOMAIN),
        (NodeBounds(WHOLE, Fraction(1, 2**37), 4), DOMAIN),
        (NodeBounds(wards(15, 2).everything, 1, 4), wards(15, 2)),
        (NodeBounds(wards(14, 3).everything, 1, 4), wards(14, 3)),
    ],
)
def test_the_last_that_can_be_asked_is_admitted(query, domain):
    assert query.check(domain) is None


@pytest.mark.parametrize(
    ("query", "domain", "name"),
    [
        (ClassCounts(WHOLE, MAX_FIELD), DOMAIN, "epsilon"),
        (ClassCounts(WHOLE, Fraction(1, 2**40 + 1)), DOMAIN, "epsilon"),
        (NodeHistograms(WHOLE, Fraction(1, 2**40)), DOMAIN, "epsilon"),
        (NodeBounds(WHOLE, Fraction(1, 2**37), 5), DOMAIN, "epsilon"),
        (NodeBounds(WHOLE, Fraction(1, 2**38), 4), DOMAIN, "epsilon"),
        (ClassHistogram(WHOLE, 1, 2), DOMAIN, "feature"),
        (NodeBounds(wards(15, 3).everything, 1, 4), wards(15, 3), "ward"),
        (NodeBounds(wards(15, 3).everything.restrict(1, [0, 1]), 1, 4), wards(15, 3), "ward"),
        (NodeBounds(Region((7, 3, 1), 7), 1, 4), DOMAIN, "region"),
    ],
)
def test_beyond_it_nothing_is_charged_drawn_or_sent(query, domain, name):
    federation = Federation([Party([], domain), Party([], domain)], domain, Ledger(2 * MAX_FIELD), rng=ZeroWords())
    for ask in (lambda: query.check(domain), lambda: federation.release([ClassCounts(domain.everything, 1), query])):
        with pytest.raises(ValueError, match=name):
            ask()
    assert federation.ledger.rounds == federation.rounds == 0


# --- how it is written ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fields", [(), ("class-counts", ()), ("class-counts", ((0, 1, 1),), THIRD)])
def test_what_has_too_few_or_too_many_parts_is_none(fields):
    with pytest.raises(ValueError):
        read_queries(canonical((fields,)), DOMAIN)


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        (7, "closed set"),
        (("rows", (), THIRD), "closed set"),
        (("class-counts", (), THIRD, 0), "closed set"),
        (("class-counts", (), THIRD, 4), "closed set"),
        (("node-histograms", (), THIRD, 4), "closed set"),
        (("class-histogram", (), THIRD), "closed set"),
        (("class-histogram", (), THIRD, 2), "feature"),
        (("class-histogram", (), THIRD, -1), "feature"),
        (("node-bounds", (), THIRD), "closed set"),
        (("node-bounds", (), THIRD, 4, 4), "closed set"),
        (("outcome-counts", (), THIRD), "closed set"),
        (("outcome-counts", (), THIRD, 4), "model"),
        (("outcome-counts", (), THIRD, "ab"), "model"),
        (("outcome-counts", (), THIRD, ()), "model"),
        (("outcome-counts", (), THIRD, (0,)), "model"),
        (("outcome-counts", (), THIRD, ((3,),)), "model"),  # classes are 0 to 2
        (("outcome-counts", (), THIRD, ((-1,),)), "model"),
        (("outcome-counts", (), THIRD, ((0,), (1,))), "model"),  # two trees
        (("outcome-counts", (), THIRD, ((0, 1), (1,))), "model"),  # a side is missing
        (("outcome-counts", (), THIRD, ((0, 8), (1,), (0,))), "model"),  # a code that the feature does not have
        (("outcome-counts", (), THIRD, ((2, 1), (1,), (0,))), "model"),  # no feature
        (("outcome-counts", (), THIRD, ((0, 1, 1), (1,), (0,))), "model"),
        (("outcome-counts", (), THIRD, ((0, "1"), (1,), (0,))), "model"),
        (("node-bounds", (), THIRD, 0), "lattice"),
        (("node-bounds", (), THIRD, b"4"), "lattice"),
        (("node-bounds", (), THIRD, 2**70), "lattice"),
        (("node-bounds", (), Fraction(1, 2**40), 4), "epsilon"),
        (("class-counts", (), Fraction(1, 2**60)), "epsilon"),
        (("class-counts", (), Fraction(-1)), "epsilon"),
        (("class-counts", (), "1/3"), "closed set"),
        (("class-counts", ((0, 7),), THIRD), "closed set"),  # not restricted: written in two ways
        (("class-counts", ((2, 7),), THIRD), "closed set"),
        (("node-bounds", ((0, 7),), THIRD, 4), "closed set"),
        (("class-counts", ((1, 1), (0, 1)), THIRD), "closed set"),
        (("class-counts", ((-1, 1),), THIRD), "closed set"),
        (("class-counts", ((3, 1),), THIRD), "closed set"),
        (("class-counts", (1,), THIRD), "closed set"),
        (("class-counts", ((0, 8),), THIRD), "region"),
    ],
)
def test_what_is_not_written_as_a_query_is_none(fields, name):
    with pytest.raises(ValueError, match=name):
        read_queries(canonical((fields,)), DOMAIN)


@pytest.mark.parametrize("queries", [(), ("class-counts", (), THIRD), (("class-counts", (), 1),)])
def test_what_is_not_written_as_queries_is_none(queries):
    """None at all, one by itself, and a cost that is equal and has not the same bytes."""
    with pytest.raises(ValueError):
        read_queries(canonical(queries), DOMAIN)


@pytest.mark.parametrize("region", [Region((7,), 7), Region((7, 3, 1), 7)])
def test_a_query_of_other_features_is_not_written(region):
    """As if it were one of those that both domains have."""
    with pytest.raises(ValueError):
        write_queries([ClassCounts(region, 1)], DOMAIN)
