"""Questions to a curator of all rows: the label of a leaf, edges of one feature, and a split among some borders."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.accounting import BudgetExceeded, Cost, Ledger
from fdpedu.cart import candidates
from fdpedu.cart.candidates import ALL_BORDERS, Borders
from fdpedu.claims import strategies as draw
from fdpedu.claims.better_trees.law import class_counts, coded
from fdpedu.derivation_checker import check_derivation
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import ChosenSplit, Curator, Federation, JointEdges, LeafLabel, Party
from fdpedu.federation.queries import closed_set, read_queries, write_queries
from fdpedu.randomness import Rehearsal, ZeroWords

GAPS = Domain(
    [Numeric.grid("x", 0, 6, bins=6, missing=True), Categorical("w", ("A", "B")), Numeric.grid("z", 0, 6, bins=6)],
    ("a", "b", "c"),
)
OTHER = Domain([Numeric.grid("x", 0, 6, bins=6)], ("a", "b", "c"))
EVERYTHING = GAPS.everything
ROWS = [[0.5, "A", 1.5, "a"], [None, "B", 5.5, "b"], [5.5, "A", 0.5, "b"], [2.5, "B", 2.5, "c"]]
BORDERS = st.one_of(st.none(), st.sets(st.integers(1, 5)))
KINDS = [
    LeafLabel(EVERYTHING, "1/2"),
    JointEdges(EVERYTHING, "1/2", 2, 3),
    ChosenSplit(EVERYTHING, "1/2", "errors", 1024, Borders([[2, 4], None, [3]])),
]


def curator(rows=ROWS, budget=10, rng=None):
    return Curator(Party(rows, GAPS), Ledger(budget), rng or Rehearsal(1))


def counted(query, rows=ROWS):
    records = Party(rows, GAPS).records()
    (at,) = records.within([query.region])
    return query.tally(records, at, GAPS)


# --- what is counted and told -----------------------------------------------------------------------------------------


@pytest.mark.claim("lem-leaf-label", "thm-joint-quantiles", "lem-chosen-split")
@settings(max_examples=25, deadline=None)
@given(st.data())
def test_what_is_drawn_by_are_the_counts_of_the_region(data):
    """Label: records by class. Edges: records by bin, of those that have a value. By hand, on random domains."""
    domain = data.draw(draw.domains(3, 6))
    table, region = data.draw(draw.tables(domain)), data.draw(draw.regions(domain))
    party, own = Party(table, domain), coded(domain, table)
    records = party.records()
    (at,) = records.within([region])
    assert LeafLabel(region, 1).tally(records, at, domain).tolist() == list(class_counts(domain, region, own))
    for j, feature in enumerate(domain.features):
        if isinstance(feature, Numeric) and feature.n_bins > 1:
            found = JointEdges(region, 1, j, 2).tally(records, at, domain).tolist()
            expected = [
                sum(class_counts(domain, region.restrict(j, {code}), own)) if code in region.codes(j) else 0
                for code in range(feature.n_bins)
            ]
            assert found == expected


def test_the_code_of_a_missing_value_is_no_bin():
    assert counted(JointEdges(EVERYTHING, 1, 0, 3)).tolist() == [1, 0, 1, 0, 0, 1]
    assert counted(JointEdges(EVERYTHING, 1, 2, 3)).tolist() == [1, 1, 1, 0, 0, 1]
    gaps = EVERYTHING.restrict(0, {6})
    assert counted(JointEdges(gaps, 1, 0, 3)).tolist() == [0] * 6
    assert counted(LeafLabel(gaps, 1)).tolist() == [0, 1, 0]


def test_shapes():
    for query, shape, exact in zip(KINDS, [(1,), (2,), (1,)], [3, 6, 7], strict=True):
        assert query.shape(GAPS) == shape and query.exact_size(GAPS) == exact == len(counted(query))
        (told,) = curator().release([query])
        assert told.shape == shape and told.dtype == np.int64
        assert (query.n_releases, query.sensitivity) == (1, 1)


@pytest.mark.parametrize("query", KINDS, ids=lambda query: query.type)
def test_of_a_region_without_rows_something_is_drawn_all_the_same(query):
    """Nothing comes that may not; that all of sixty draws are among two answers has a chance below 10⁻⁸."""
    told = {tuple(curator([], rng=Rehearsal(seed)).release([query])[0].tolist()) for seed in range(60)}
    possible = {
        "leaf-label": {(c,) for c in range(3)},
        "joint-edges": {(a, b) for b in range(1, 6) for a in range(1, b)},
        "chosen-split": {(k,) for k in range(1, 8)},
    }[query.type]
    assert told <= possible and len(told) > 2


@pytest.mark.claim("lem-chosen-split")
@settings(max_examples=20, deadline=None)
@given(st.sets(st.integers(1, 5), min_size=1), st.sets(st.integers(1, 5), min_size=1), st.integers(0, 99))
def test_a_split_is_chosen_among_the_borders_that_are_named(x, z, seed):
    borders = Borders([sorted(x), None, sorted(z)])
    query = ChosenSplit(EVERYTHING, 1, "gini", 12, borders)
    found = candidates(GAPS, EVERYTHING, borders)
    assert query.exact_size(GAPS) == len(found) == 2 * len(x) + 1 + 1 + len(z) == len(counted(query))
    (told,) = curator(rng=Rehearsal(seed)).release([query])
    assert 1 <= told[0] <= len(found)
    everything = counted(ChosenSplit(EVERYTHING, 1, "gini", 12))
    positions = [k for k, left in enumerate(candidates(GAPS, EVERYTHING).lefts) if left in found.lefts]
    assert counted(query).tolist() == everything[positions].tolist()


# --- what is charged --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "mechanism", "claim", "parameters", "words"),
    [
        (KINDS[0], "permute-and-flip", "lem-leaf-label", {}, "label of a leaf"),
        (
            KINDS[1],
            "joint exponential mechanism",
            "thm-joint-quantiles",
            {"feature": 2, "bins": 3},
            "edges of 3 bins of z",
        ),
    ],
)
def test_the_charge_says_what_was_drawn_and_why(query, mechanism, claim, parameters, words):
    charge = query.charge(GAPS, 0, "any")
    assert (charge.type, charge.mechanism, charge.claim) == (query.type, mechanism, claim)
    assert dict(charge.parameters) == parameters == dict(query.parameters) and charge.query == words
    assert (charge.sensitivity, charge.releases, charge.rate, charge.region) == (1, 1, Fraction(1, 2), EVERYTHING)


def test_edges_of_several_features_add_up_and_labels_of_siblings_do_not():
    owner = curator(budget=2)
    owner.release([JointEdges(EVERYTHING, "1/2", 0, 3), JointEdges(EVERYTHING, "1/2", 2, 3)])
    assert owner.ledger.spent == 1
    owner.release([LeafLabel(EVERYTHING.restrict(1, {k}), 1) for k in (0, 1)])
    assert owner.ledger.spent == 2 == check_derivation(owner.ledger.derivation().to_json()).spent
    for query in KINDS:
        with pytest.raises(BudgetExceeded):
            owner.release([query])
    assert owner.rounds == 2 and owner.ledger.spent == 2


@pytest.mark.claim("lem-chosen-split")
@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(BORDERS, BORDERS), min_size=2, max_size=6))
def test_queries_among_different_borders_have_different_parameters(kept):
    """What a file is held against: one parameter for one list of borders, and never one for two."""
    lists = [Borders([None if x is None else sorted(x), None, None if z is None else sorted(z)]) for x, z in kept]
    named = {borders: ChosenSplit(EVERYTHING, 1, "errors", 1024, borders).parameters["borders"] for borders in lists}
    assert len(set(named.values())) == len(set(lists))
    again = {borders: ChosenSplit(EVERYTHING, 2, "gini", 7, borders).parameters["borders"] for borders in lists}
    assert again == named


def test_no_list_of_borders_is_read_as_another():
    """Neither where numbers run together, nor where a feature has none, or all."""
    lists = [
        ALL_BORDERS,
        Borders([None, None, None]),
        Borders([[], None, None]),
        Borders([[1, 2], None, None]),
        Borders([[1], None, [2]]),
        Borders([[12], None, None]),
        Borders([None, None, [1, 2]]),
        Borders([[1], [2], None]),
    ]
    names = Counter(str(ChosenSplit(EVERYTHING, 1, borders=some).parameters["borders"]) for some in lists)
    assert len(names) == len(lists)


# --- what is refused, before anything is charged ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: LeafLabel("all", 1), "region must be a Region, got str"),
        (lambda: LeafLabel(EVERYTHING, 0), "epsilon must be greater than 0"),
        (lambda: JointEdges(EVERYTHING, 1, -1, 3), "feature must be an integer ≥ 0, got -1"),
        (lambda: JointEdges(EVERYTHING, 1, 0.5, 3), "feature must be an integer"),
        (lambda: JointEdges(EVERYTHING, 1, 0, 1), "bins must be an integer ≥ 2, got 1"),
        (lambda: JointEdges(EVERYTHING, 1, 0, 257), "bins must be at most 256, got 257"),
        (lambda: ChosenSplit(EVERYTHING, 1, borders=[[1]]), "borders must be a Borders, got list"),
    ],
)
def test_questions_that_cannot_be_made(make, words):
    with pytest.raises(ValueError) as refusal:
        make()
    assert str(refusal.value).startswith(words)


@pytest.mark.parametrize(
    ("query", "words"),
    [
        (LeafLabel(OTHER.everything, 1), "the query's region does not belong"),
        (JointEdges(OTHER.everything, 1, 0, 3), "the query's region does not belong"),
        (ChosenSplit(OTHER.everything, 1), "the query's region does not belong"),
        (LeafLabel(EVERYTHING.of_party({0}, "0" * 64), 1), "the query's region must be of all parties"),
        (JointEdges(EVERYTHING, 1, 1, 2), "feature must be the position of a numeric feature"),
        (JointEdges(EVERYTHING, 1, 3, 2), "feature must be the position of a numeric feature"),
        (JointEdges(EVERYTHING, 1, 2, 7), "bins must be at most 6, the number of the feature's fine bins"),
        (JointEdges(EVERYTHING, 1, 0, 7), "bins must be at most 6, the number of the feature's fine bins"),
        (ChosenSplit(EVERYTHING, 1, borders=Borders([[1]])), "borders must have an entry for each"),
        (ChosenSplit(EVERYTHING, 1, borders=Borders([[6], None, None])), "borders of x must lie between its bins"),
        (ChosenSplit(EVERYTHING, 1, borders=Borders([None, [1], None])), "borders of w must lie between its bins"),
        (LeafLabel(EVERYTHING, Cost("gaussian", "1/2")), "a leaf-label is a choice and costs ε"),
        (JointEdges(EVERYTHING, Cost("gaussian", "1/2"), 2, 3), "a joint-edges is a choice and costs ε"),
        (LeafLabel(EVERYTHING, Fraction(1, 2**41)), "epsilon/sensitivity must be at least"),
        (JointEdges(EVERYTHING, Fraction(1, 2**41), 2, 3), "epsilon/sensitivity must be at least"),
    ],
)
def test_what_a_curator_refuses(query, words):
    owner = curator()
    for asked in ([query], [KINDS[0], query]):
        with pytest.raises(ValueError) as refusal:
            owner.release(asked)
        assert str(refusal.value).startswith(words)
    assert owner.ledger.spent == 0 and owner.rounds == 0


def test_no_split_among_the_borders_of_a_region_is_refused():
    region = EVERYTHING.restrict(0, {0, 1}).restrict(1, {0}).restrict(2, {3})
    assert len(candidates(GAPS, region)) == 1
    query = ChosenSplit(region, 1, borders=Borders([[3], None, [3]]))
    owner = curator()
    with pytest.raises(ValueError, match="nothing divides the region"):
        owner.release([query])
    assert owner.ledger.spent == 0


@pytest.mark.parametrize("query", KINDS, ids=lambda query: query.type)
def test_they_are_questions_to_a_curator_and_to_no_party(query):
    assert type(query) in closed_set.CURATED and type(query) not in closed_set.CLOSED_SET
    with pytest.raises(ValueError, match="no query of the closed set"):
        read_queries(write_queries([query], GAPS), GAPS)
    federation = Federation([Party(ROWS, GAPS), Party([], GAPS)], GAPS, Ledger(1), rng=ZeroWords())
    with pytest.raises(ValueError, match="closed set of types"):
        federation.release([query])
    assert federation.ledger.spent == 0
