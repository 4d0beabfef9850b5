"""The query for lower bounds, field by field: what it answers, costs, says and is written as; and whom a party answers.

It is asked beside counts, of the same rates and of others, of parties whose owners allow it and of one who does not.
"""

from fractions import Fraction

import numpy as np
import pytest

from fdpedu.accounting import BudgetExceeded, Charge, Ledger
from fdpedu.domain import Categorical, Domain, Numeric, Region
from fdpedu.federation import ClassCounts, Federation, Limits, NodeBounds, NodeHistograms, Party, endpoint
from fdpedu.federation.messages import Answer, Request
from fdpedu.federation.queries import from_wire, read_queries, to_wire
from fdpedu.federation.records import Records
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.secure_sum import canonical
from tests.support.desks import AGE, Desk, refusal

DOMAIN = Domain([Numeric.grid("x", 0, 3, bins=3), Categorical("w", ("A", "B"))], ("a", "b", "c"))
WHOLE = DOMAIN.everything
PART = WHOLE.restrict(0, [1, 2]).restrict_class([0, 2])
THIRD = Fraction(1, 3)
ROWS = [(0.5, "A", "a"), (1.5, "A", "a"), (2.5, "A", "c"), (1.2, "B", "b"), (1.7, "B", "a"), (0.1, "A", "b")]
TOLD = "impurity lower bounds of all features, in steps of 1/"
ALL, HALF = AGE.everything, Fraction(1, 2)


def tally(query, rows=ROWS, domain=DOMAIN):
    party = Records(domain.encode([r[:-1] for r in rows]), domain.encode_labels([r[-1] for r in rows]), domain)
    (found,) = party.within([query.region])
    return query.tally(party, found, domain)


@pytest.mark.parametrize(
    ("region", "lattice", "written", "steps"),
    [
        (WHOLE, 1, ("node-bounds", (), THIRD, 1), [1, 1]),
        (WHOLE, 60, ("node-bounds", (), THIRD, 60), [72, 105]),
        (PART, 12, ("node-bounds", ((0, 6), (2, 5)), THIRD, 12), [0, 6]),
        (WHOLE.restrict(0, [2]), 7, ("node-bounds", ((0, 4),), THIRD, 7), [0, 0]),
    ],
)
def test_a_query_for_bounds_field_by_field(region, lattice, written, steps):
    query = NodeBounds(region, "1/3", np.int64(lattice))
    assert (query.lattice, type(query.lattice), query.sensitivity, query.n_releases) == (lattice, int, lattice, 2)
    assert query.rate.rate == Fraction(1, 6 * lattice) and query.epsilon == THIRD
    assert (query.shape(DOMAIN), query.size(DOMAIN), query.describe(DOMAIN)) == ((2,), 2, f"{TOLD}{lattice}")
    mechanism, claim = "discrete Laplace in Pólya shares", "thm-node-bounds"
    expected = Charge(region, THIRD, f"{TOLD}{lattice}", mechanism, lattice, claim, 3, "seeded", 2)
    assert query.charge(DOMAIN, 3, "seeded") == expected and expected.rate == query.rate.rate
    assert to_wire(query, DOMAIN) == written and from_wire(written, DOMAIN) == query
    assert read_queries(canonical((written,)), DOMAIN) == (query,)
    found = tally(query)
    assert found.tolist() == steps and found.dtype == np.int64
    empty = tally(query, [])
    assert empty.tolist() == [0, 0] and empty.dtype == np.int64


def test_what_a_manifest_says_of_bounds():
    assert NodeBounds(PART, THIRD, 4).to_json(DOMAIN) == {
        "query": "impurity lower bounds of all features, in steps of 1/4",
        "region": {"0": [1, 2], "class": [0, 2]},
        "releases": 2,
        "sensitivity": 4,
        "rate": "1/24",
    }


def test_bounds_of_exact_counts_leave_them_as_they_are():
    """The histograms that a party keeps of a round are those that it releases, and that the next round takes from."""
    party = Records(DOMAIN.encode([r[:-1] for r in ROWS]), DOMAIN.encode_labels([r[-1] for r in ROWS]), DOMAIN)
    histograms, bounds = NodeHistograms(WHOLE, 1), NodeBounds(WHOLE, 1, 60)
    first, second = party.within([WHOLE, WHOLE])
    assert bounds.tally(party, first, DOMAIN).tolist() == [72, 105]
    before = histograms.tally(party, second, DOMAIN).tolist()
    assert bounds.tally(party, first, DOMAIN).tolist() == [72, 105]
    assert histograms.tally(party, second, DOMAIN).tolist() == before
    assert before == [1, 1, 0, 2, 1, 0, 0, 0, 1, 2, 1, 1, 1, 1, 0]


@pytest.mark.parametrize(
    ("lattice", "told"),
    [
        (0, "lattice must be an integer ≥ 1, got 0"),
        (-4, "lattice must be an integer ≥ 1, got -4"),
        (True, "lattice must be an integer ≥ 1, got True"),
        (4.0, "lattice must be an integer ≥ 1, got 4.0"),
        (Fraction(4), "lattice must be an integer ≥ 1, got 4"),
        ("4", "lattice must be an integer ≥ 1, got '4'"),
        (None, "lattice must be an integer ≥ 1, got None"),
        (2**16 + 1, "lattice must be at most 65536, got 65537"),
    ],
)
def test_a_lattice_that_is_none_is_refused_in_these_words(lattice, told):
    with pytest.raises(ValueError) as refused:
        NodeBounds(WHOLE, 1, lattice)
    assert str(refused.value) == told


def test_the_finest_lattice_is_one():
    assert NodeBounds(WHOLE, 1, 2**16).check(DOMAIN) is None


def wards(n, classes):
    features = [Numeric.grid("x", 0, 3, bins=40), Categorical("ward", tuple(range(n)))]
    return Domain(features, tuple("abc"[:classes]))


RATE = "epsilon/sensitivity must be at least 2**-40, so that the noise fits 64-bit integers"
MANY = (
    "for lower bounds with more than two classes, a feature may have at most 14 categories; 'ward' has 15: merge some "
    "of them, or give them a public order"
)


@pytest.mark.parametrize(
    ("query", "domain", "told"),
    [
        (NodeBounds(WHOLE, Fraction(1, 2**37), 4), DOMAIN, None),
        (NodeBounds(WHOLE, Fraction(1, 2**37), 5), DOMAIN, RATE),
        (NodeBounds(WHOLE, Fraction(1, 2**38), 4), DOMAIN, RATE),
        (NodeBounds(wards(15, 2).everything, 1, 4), wards(15, 2), None),
        (NodeBounds(wards(14, 3).everything, 1, 4), wards(14, 3), None),
        (NodeBounds(wards(15, 3).everything, 1, 4), wards(15, 3), MANY),
        (NodeBounds(wards(15, 3).everything.restrict(1, [0, 1]), 1, 4), wards(15, 3), MANY),
        (
            NodeBounds(Region((7, 3, 1), 7), 1, 4),
            DOMAIN,
            "the query's region does not belong to the federation's domain",
        ),
    ],
)
def test_bounds_are_checked_in_these_words(query, domain, told):
    """Before anything is charged, drawn or sent."""
    if told is None:
        assert query.check(domain) is None
        return
    federation = Federation([Party([], domain), Party([], domain)], domain, Ledger(9), rng=ZeroWords())
    for ask in (lambda: query.check(domain), lambda: federation.release([ClassCounts(domain.everything, 1), query])):
        with pytest.raises(ValueError) as refused:
            ask()
        assert str(refused.value) == told
    assert federation.ledger.rounds == federation.rounds == 0


WRITTEN = "no query of the closed set is written so: a party answers histograms, class counts and lower bounds only"


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        (("node-bounds", (), THIRD), WRITTEN),
        (("node-bounds", (), THIRD, 4, 4), WRITTEN),
        (("node-bounds", (), THIRD, True), "lattice must be an integer ≥ 1, got True"),
        (("node-bounds", (), THIRD, 0), "lattice must be an integer ≥ 1, got 0"),
        (("node-bounds", (), THIRD, b"4"), "lattice must be an integer ≥ 1, got bytes"),
        (("node-bounds", (), THIRD, 2**70), f"lattice must be at most 65536, got {2**70}"),
        (("node-histograms", (), THIRD, 4), WRITTEN),
        (("class-counts", (), THIRD, 4), WRITTEN),
        (("node-bounds", ((0, 7),), THIRD, 4), WRITTEN),
        (("node-bounds", (), Fraction(1, 2**40), 4), RATE),
    ],
)
def test_what_is_not_written_as_a_query_for_bounds_is_none(fields, told):
    with pytest.raises(ValueError) as refused:
        from_wire(fields, DOMAIN)
    assert str(refused.value) == told


def test_a_query_of_another_lattice_is_written_otherwise():
    forms = {canonical((to_wire(NodeBounds(WHOLE, 1, m), DOMAIN),)) for m in (1, 2, 3)}
    assert len(forms) == 3


# --- a party, and what it is asked ------------------------------------------------------------------------------------


def test_a_party_answers_bounds_beside_counts():
    """Two ill of 60, and one of each class of 10; the masks are taken off by the test."""
    desk = Desk(3, rows=[[10, "ill"], [10, "well"], [60, "ill"], [60, "ill"]]).begin()
    young = ALL.restrict(0, [0])
    request = desk.request(
        1,
        NodeBounds(ALL, 1, 2),
        ClassCounts(ALL, HALF),
        NodeBounds(young, 1, 100),
        NodeHistograms(ALL, 1),
        account="a tree",
    )
    got = desk.say(request)
    assert type(got) is Answer and got.digest == desk.digest(request)
    counts = desk.counts(request, got)
    assert counts == [1, 1, 3, 50, 1, 1, 0, 2] and desk.endpoint.ledger.spent == Fraction(7, 2)
    steps = [step for _, step in desk.endpoint.ledger.derivation().releases()]
    assert sorted(step["sensitivity"] for step in steps) == [1, 1, 2, 100]


def test_noise_of_bounds_is_drawn_for_their_rate():
    """With the words that the party's source has, the test draws the same shares; alike rates are drawn together."""
    asked = [NodeBounds(ALL, 1, 4), ClassCounts(ALL, Fraction(1, 4)), NodeBounds(ALL, 1, 5)]
    desk = Desk(4, rows=[[10, "ill"], [10, "well"]], source=Rehearsal(5)).begin(tolerate=1)
    request = desk.request(1, *asked)
    got = desk.counts(request, desk.say(request))
    source = Rehearsal(5)
    shares = [
        *endpoint.polya_share(asked[0].rate, 3, 3, source),
        *endpoint.polya_share(asked[2].rate, 3, 1, source),
    ]
    exact = [2, 1, 1, 2]
    assert got == [number + share for number, share in zip(exact, shares, strict=True)] and got != exact


def test_a_request_for_another_lattice_is_another_request():
    """What an answer is bound to has the lattice in it."""
    desk = Desk(3).begin()
    digests = {desk.digest(desk.request(1, NodeBounds(ALL, 1, m))) for m in (1, 2, 4)}
    assert len(digests) == 3
    got = desk.ask(1, NodeBounds(ALL, 1, 4))
    assert got.digest == desk.digest(desk.request(1, NodeBounds(ALL, 1, 4)))


def test_an_owner_may_refuse_bounds_and_may_allow_nothing_else():
    desk = Desk(3, limits=Limits(queries=[NodeHistograms, ClassCounts])).begin()
    said = desk.ask(1, ClassCounts(ALL, 1), NodeBounds(ALL, 1, 4))
    assert refusal(desk, said) == ("not allowed", "this party does not answer node-bounds")
    assert desk.endpoint.ledger.rounds == 0 and type(desk.ask(1, ClassCounts(ALL, 1))) is Answer
    only = Desk(3, limits=Limits(queries=[NodeBounds], least_epsilon="1/2")).begin()
    assert refusal(only, only.ask(1, ClassCounts(ALL, 1))) == ("not allowed", "this party does not answer class-counts")
    least = "this party answers at 1/2 or more for a query"
    assert refusal(only, only.ask(1, NodeBounds(ALL, "1/3", 4))) == ("not allowed", least)
    assert type(only.ask(1, NodeBounds(ALL, "1/2", 4))) is Answer and only.endpoint.ledger.spent == HALF


@pytest.mark.parametrize("own", [("node-bounds", (), Fraction(1), 0), ("node-bounds", (), Fraction(1))])
def test_a_request_that_no_query_has_is_malformed_and_free(own):
    desk = Desk(3).begin()
    said = desk.say(Request(desk.session, 1, "", (own,)))
    assert refusal(desk, said)[0] == "malformed" and desk.endpoint.ledger.rounds == 0


def test_bounds_beyond_the_budget_are_refused_whole():
    """One round: what could be paid for is not released either."""
    parties = [Party([[10, "ill"]], AGE), Party([[60, "well"], [60, "ill"]], AGE)]
    federation = Federation(parties, AGE, Ledger(1), rng=ZeroWords())
    asked = [NodeHistograms(ALL, HALF), NodeBounds(ALL, HALF, 4), NodeBounds(ALL.restrict(0, [0]), Fraction(1, 99), 1)]
    with pytest.raises(BudgetExceeded):
        federation.release(asked)
    assert federation.ledger.rounds == federation.rounds == 0
    histograms, bounds = federation.release(asked[:2])
    assert histograms.tolist() == [[0, 1], [1, 1]] and bounds.tolist() == [2] and federation.ledger.spent == 1
