"""Edges that are paid for: who is asked, what is kept, and what it costs."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.accounting import Ledger
from fdpedu.cart.candidates import ALL_BORDERS, Borders
from fdpedu.domain import Domain, Numeric
from fdpedu.federation import ClassHistogram, Curator, JointEdges, Party
from fdpedu.histograms import joint_utility
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.trees.designs.privatree.edges import EDGES, edge_queries, features_to_thin, kept_borders, require_kept
from tests.support.privatrees import MIXED, fitted, rows

LONG = Domain([Numeric.grid("x", 0, 40, bins=40), Numeric.grid("z", 0, 40, bins=40, missing=True)], ("a", "b"))


def skewed(n=400, seed=0):
    """Values of a long tail: most of them in the first few of forty bins."""
    rng = np.random.default_rng(seed)
    x = np.minimum(39.9, rng.exponential(3, n))
    z = np.minimum(39.9, rng.exponential(2, n))
    pairs = enumerate(zip(x.tolist(), z.tolist(), strict=True))
    return [[a, None if k % 5 == 0 else b, "ab"[int(a > 2)]] for k, (a, b) in pairs]


@pytest.mark.claim("lem-edges-add-up")
@pytest.mark.parametrize("kind", ["joint", "histogram"])
def test_edges_follow_the_rows_at_a_generous_epsilon(kind):
    """Of forty equal bins the kept borders divide the rows that have a value into parts of about the same size."""
    queries = edge_queries(LONG, kind, 5, Fraction(100))
    table = skewed()
    answers = Curator(Party(table, LONG), Ledger(100), ZeroWords()).release(queries)
    kept = kept_borders(LONG, kind, 5, answers)
    for j in (0, 1):
        values = np.array([row[j] for row in table if row[j] is not None])
        parts = np.histogram(values, [0, *kept.kept[j], 40])[0]
        best = np.histogram(values, np.arange(41))[0].max()
        assert len(kept.kept[j]) == 4 or kind == "histogram"  # two quantiles may be one border
        assert max(abs(parts - len(values) / 5)) <= best


@pytest.mark.claim("thm-joint-quantiles", "lem-edges-add-up")
def test_rows_without_a_value_say_nothing_of_edges():
    """With more of them the same utilities are drawn by, and the noisy histograms lose their own column only."""
    table, gaps = skewed(50), [[5.0, None, "a"]] * 300
    for at in (0, 1):
        query = JointEdges(LONG.everything, 1, at, 4)
        counts = [tally(query, LONG, some) for some in (table, table + gaps)]
        differs = counts[1] - counts[0]
        assert differs.sum() == (300 if at == 0 else 0)
        assert len(counts[0]) == 40


def tally(query, domain, table):
    party = Party(table, domain)
    (at,) = party.records().within([query.region])
    return query.tally(party.records(), at, domain)


def test_what_is_asked():
    assert EDGES == ("public", "joint", "histogram")
    assert features_to_thin(MIXED, 2) == (0, 1) and features_to_thin(MIXED, 6) == (0,)
    assert features_to_thin(MIXED, 8) == () == features_to_thin(MIXED, 9)
    assert edge_queries(MIXED, "public", 2, Fraction(1)) == []
    assert edge_queries(MIXED, "joint", 8, Fraction(1)) == []
    joint = edge_queries(MIXED, "joint", 3, Fraction(1, 2))
    assert joint == [JointEdges(MIXED.everything, "1/4", j, 3) for j in (0, 1)]
    assert edge_queries(MIXED, "histogram", 6, Fraction(1, 2)) == [ClassHistogram(MIXED.everything, "1/2", 0)]


def test_what_is_kept():
    tables = [np.array([[1, 1, 1]] * 8), np.array([[9, 0, 0], *[[0, 0, 0]] * 4, [0, 0, 9], [5, 5, 5]])]
    assert kept_borders(MIXED, "histogram", 2, tables) == Borders([[4], [3], None, None])
    assert kept_borders(MIXED, "joint", 3, [np.array([1, 7]), np.array([2, 3])]) == Borders(
        [[1, 7], [2, 3], None, None]
    )
    assert kept_borders(MIXED, "joint", 8, []).kept == (None,) * 4


@pytest.mark.claim("lem-edges-add-up")
@pytest.mark.parametrize(
    ("borders", "kind", "bins", "fits"),
    [
        (Borders([[1, 7], [2, 3], None, None]), "joint", 3, True),
        (Borders([[7], [2, 3], None, None]), "joint", 3, False),
        (Borders([[7], [2, 3], None, None]), "histogram", 3, True),
        (Borders([[], [2, 3], None, None]), "histogram", 3, False),
        (Borders([[1, 2, 3], [2, 3], None, None]), "histogram", 3, False),
        (Borders([[1, 7], None, None, None]), "joint", 3, False),
        (Borders([[1, 7], [2, 3], None, [1]]), "joint", 3, False),
        (ALL_BORDERS, "joint", 3, False),
        (ALL_BORDERS, "public", 3, True),
        (ALL_BORDERS, "joint", 8, True),
        (Borders([[1, 7], [2, 3], None, None]), "public", 3, False),
    ],
)
def test_borders_that_may_have_been_kept(borders, kind, bins, fits):
    if fits:
        require_kept(MIXED, kind, bins, borders)
    else:
        with pytest.raises(ValueError, match=f"borders are none that {kind} edges"):
            require_kept(MIXED, kind, bins, borders)


def test_kept_borders_of_another_domain_are_refused_by_name():
    for borders, words in (
        (Borders([[1]]), "borders must have an entry for each"),
        (Borders([[8], None, None, None]), "borders of x must lie between its bins"),
        (Borders([None, None, [1], None]), "borders of w must lie between its bins"),
    ):
        with pytest.raises(ValueError, match=words):
            require_kept(MIXED, "joint", 3, borders)


def test_what_borders_allow():
    kept = Borders([[2, 5], [3], None, None])
    everything = MIXED.everything
    for feature, codes, allowed in (
        (0, range(2), True),
        (0, range(3), False),
        (0, range(5), True),
        (1, range(3), True),
        (1, (0, 1, 2, 6), True),  # a missing value on either side
        (1, range(6), True),  # alone
        (1, range(4), False),
        (1, (6,), False),
        (2, (1,), True),
        (3, (0,), True),
    ):
        assert kept.allow(MIXED, everything, feature, codes) is allowed, (feature, codes)
        assert ALL_BORDERS.allow(MIXED, everything, feature, codes)
    below = everything.restrict(0, {2, 3, 4, 5})
    assert kept.allow(MIXED, below, 0, range(5)) and kept.allow(MIXED, below, 0, (2, 3, 4))
    assert not kept.allow(MIXED, below, 0, range(2)) and not kept.allow(MIXED, below, 0, range(4))


def test_a_tree_at_paid_edges_is_better_than_at_as_many_equal_bins():
    """Sixteen trees at ε = 4; equal bins of the long tail have no border where the label changes."""
    wide = Domain([Numeric.grid("x", 0, 40, bins=4), Numeric.grid("z", 0, 40, bins=4, missing=True)], ("a", "b"))
    table, test = skewed(600), skewed(600, 1)
    X, y = [row[:-1] for row in test], [row[-1] for row in test]
    for kind in ("joint", "histogram"):
        gained = [
            fitted(table, domain=LONG, budget=4, edges=kind, edge_bins=4, max_depth=2, seed=k)[0].score(X, y)
            - fitted(table, domain=wide, budget=4, max_depth=2, seed=k)[0].score(X, y)
            for k in range(4)
        ]
        assert np.mean(gained) > 0.1


def test_the_largest_number_of_bins():
    """256 fine bins, where the kept positions are past one byte's half; the joint draw is exact there, too."""
    line = Domain([Numeric.grid("x", 0, 256, bins=256)], ("a", "b"))
    table = [[k + 0.5, "ab"[k > 200]] for k in range(0, 256, 2)]
    for kind in ("joint", "histogram"):
        tree, ledger = fitted(table, domain=line, edges=kind, edge_bins=3, max_depth=1)
        assert ledger.spent == 1 and all(1 <= k <= 255 for k in tree.design.borders.kept[0])
    tree, _ = fitted(table, domain=line, edges="joint", edge_bins=256, max_depth=1)
    assert tree.design.borders == Borders([None]) or tree.design.borders == ALL_BORDERS


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(0, 9), min_size=3, max_size=8), st.integers(2, 4), st.integers(0, 99))
@pytest.mark.claim("thm-joint-quantiles")
def test_a_joint_answer_is_a_choice_of_increasing_borders(counts, bins, seed):
    """And at an ε beyond all need one of the largest utility."""
    domain = Domain([Numeric.grid("x", 0, len(counts), bins=len(counts))], ("a", "b"))
    bins = min(bins, len(counts))
    table = [[k + 0.5, "a"] for k, n in enumerate(counts) for _ in range(n)]
    for epsilon in (1, 10**5):
        curator = Curator(Party(table, domain), Ledger(10**6), Rehearsal(seed))
        (told,) = curator.release([JointEdges(domain.everything, epsilon, 0, bins)])
        places = told.tolist()
        assert places == sorted(set(places)) and len(places) == bins - 1 and 0 < places[0] <= places[-1] < len(counts)
    from itertools import combinations

    best = max(joint_utility(counts, some) for some in combinations(range(1, len(counts)), bins - 1))
    assert joint_utility(counts, places) == best


def test_edges_that_are_paid_for_cost_the_same_whatever_the_rows_are():
    for table in ([], rows(3), rows(200)):
        tree, ledger = fitted(table, edges="joint", edge_bins=3, max_depth=1)
        assert ledger.spent == 1 and tree.rounds == 3
