"""Bin edges that are quantiles of released counts: the rule, what is charged, and how far the edges are off."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.accounting import BudgetExceeded, Ledger
from fdpedu.claims.histograms import edges as topic
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import Federation, Party
from fdpedu.histograms import prefix_error, private_quantile_domain, quantile_domain, quantile_edges
from fdpedu.histograms.edges import _rising
from fdpedu.randomness import Rehearsal, ZeroWords

AGE = Numeric("age", (0, 1, 2, 4, 8, 16), "years", "as registered")
FINE = Domain([AGE, Categorical("ward", ("A", "B", "C")), Numeric.grid("dose", 0, 3, bins=3)], ("well", "ill", "dead"))
ROWS = [[[0.5, "A", 1, "ill"], [3, "B", 2.5, "well"], [3, "C", 0, "dead"]], [[9, "A", 3, "ill"], [4, "A", 1.5, "dead"]]]


def federation(rng, budget=1, parts=ROWS, domain=FINE):
    return Federation([Party(rows, domain) for rows in parts], domain, Ledger(budget), rng=rng)


def test_two_classes_are_added_up():
    assert quantile_edges([[2, 0], [0, 2], [4, 0]], range(4), 2) == (0, 2, 3)
    assert quantile_edges(np.array([[2], [2], [4]]), [0, "1/2", 1.5, 3], 2) == (0, 1.5, 3)


def test_edges_are_charged_once_and_first():
    first = federation(ZeroWords(), "1/2")
    coarse = private_quantile_domain(first, "1/2", 3)
    assert [feature.n_codes for feature in coarse.features] == [3, 3, 3]
    assert coarse.features[0].edges == (0, 1, 4, 16) and coarse.features[2].edges == (0, 1, 2, 3)
    assert first.ledger.spent == Fraction(1, 2) and first.rounds == 1
    with pytest.raises(BudgetExceeded):
        private_quantile_domain(first, "1/2", 3)
    assert first.rounds == 1


def test_prefix_errors():
    """Values of the formula in floating point, where it is not near an integer; shares count as cells do."""
    known = {(1, 1, "1/2"): 2, (1, 65536, "1/1000"): 1416, ("1/100", 1, "1/2"): 294, (1, 1, "999/1000"): 1}
    known |= {(1, 125, "1/20"): 43, (1, 200, "1/20"): 54, ("1/7", 3, "1/1000000"): 150, (1, 255, "1/100"): 73}
    assert {case: prefix_error(*case) for case in known} == known
    exact = {(65536, "999/1000"): 433703759, (7, "1/20"): 11290700, (1, "1/100000"): 15271747}
    assert {case: prefix_error("1/1000000", *case) for case in exact} == exact
    assert prefix_error("1/1000000", 1000, "1/3", n_parties=7, tolerate=2) == 100214794
    assert prefix_error(1, 100, "1/20", n_parties=5, tolerate=1) == 43
    assert prefix_error(1, 100, "1/20", tolerate=1) == 54
    assert prefix_error(1, 255, "1/100", n_parties=1) == 73


def test_a_domain_keeps_what_is_not_numeric_and_says_where_its_edges_come_from():
    counts = [[3, 0, 0], [0, 0, 0], [0, 1, 0], [0, 0, 2], [0, 0, 0], *[[0, 0, 7]] * 3, [1, 1, 1], [1, 1, 1], [0, 0, 1]]
    coarse = quantile_domain(counts, FINE, 2)
    age, ward, dose = coarse.features
    assert age == Numeric("age", (0, 1, 16), "years", "as registered; inner edges are quantiles of released counts")
    assert ward is FINE.features[1] and coarse.classes == FINE.classes
    assert dose == Numeric("dose", (0, 1, 3), "", "inner edges are quantiles of released counts")


@given(st.lists(st.integers(-5, 9), min_size=2, max_size=9), st.integers(2, 6))
def test_the_rule_as_it_is_written_down(counts, bins):
    """Over random counts the edges are those of the definition, increase, and lie within the public range."""
    fine = [i * i for i in range(len(counts) + 1)]
    edges = quantile_edges(counts, fine, bins)
    assert edges == topic.by_definition(counts, fine, bins)
    assert 3 <= len(edges) <= bins + 1 and list(edges) == sorted(set(edges)) and set(edges) <= set(fine)
    assert (edges[0], edges[-1]) == (fine[0], fine[-1])
    assert all(type(edge) is float for edge in edges)


@given(st.lists(st.integers(-9, 9), min_size=1, max_size=9))
def test_the_sequence_rises_and_is_as_near_as_the_sums(noise):
    """It never falls, is twice a sequence that does not fall, and two sequences are no further apart than before."""
    rising = _rising(noise)
    assert rising == sorted(rising) and _rising(sorted(noise)) == [2 * x for x in sorted(noise)]
    true = list(range(len(noise)))
    furthest = max(abs(a - b) for a, b in zip(noise, true, strict=True))
    assert all(abs(a - 2 * b) <= 2 * furthest for a, b in zip(rising, true, strict=True))


@pytest.mark.parametrize(
    ("counts", "bins", "edges"),
    [
        ([1, 1, 1, 1], 4, (0, 1, 2, 3, 4)),
        ([1, 1, 1, 1], 2, (0, 2, 4)),
        ([0, 0, 0, 0], 4, (0, 2, 4)),  # nothing is known: the middle
        ([-3, -1, -2, -4], 3, (0, 2, 4)),  # only the last of four never rises: all the same
        ([9, 0, 0, 0], 4, (0, 2, 4)),
        ([0, 0, 0, 9], 4, (0, 2, 4)),
        ([0, 9, 0, 0], 2, (0, 2, 4)),  # 0 and 9 are as near to 4.5: the one in the middle of three
        ([5, -5, 5, 5], 2, (0, 3, 4)),  # 0, 5, 5, 10, 20, and half of 20 is reached at 3
        ([2**62, 2**62, 2**62, 2**62], 2, (0, 2, 4)),  # their sums are beyond 64 bits
    ],
)
def test_edges_of_four_cells(counts, bins, edges):
    assert quantile_edges(counts, range(5), bins) == edges


def test_bins_are_refused_before_anything_is_charged():
    first = federation(ZeroWords())
    for bins in (1, 257):
        with pytest.raises(ValueError, match="bins"):
            private_quantile_domain(first, 1, bins)
    assert first.ledger.spent == 0 and first.rounds == 0


def test_the_least_and_the_most_bins():
    assert len(quantile_edges([1] * 256, range(257), 256)) == 257
    assert len(quantile_edges([1] * 256, range(257), 2)) == 3


def test_seeded_edges_of_a_long_tail_are_near_their_quantiles():
    """4,000 rows of a long tail, ε = 1: all edges within the bound that holds but for 1/1000, and it is not wide."""
    rows = [[x, "no"] for x in np.random.default_rng(3).exponential(5, 4000).clip(0, 100).tolist()]
    fine = Domain([Numeric.grid("income", 0, 100, bins=200)], ("no", "yes"))
    coarse = private_quantile_domain(federation(Rehearsal(5), 1, [rows[:1500], rows[1500:]], fine), 1, 8)
    bound = prefix_error(1, 400, "1/1000", n_parties=2, tolerate=1)
    values = np.array([value for value, _ in rows])
    largest = np.bincount(fine.features[0].encode(values)).max()
    inner = np.array(coarse.features[0].edges[1:-1])
    misses = [min(abs((values[:, None] <= inner).sum(axis=0) - 500 * i)) for i in range(1, 8)]
    assert max(misses) <= largest + 4 * bound and bound < 200


HALF = Fraction(1, 2)


def test_edges_are_not_paid_for_where_there_are_none():
    """Categories have no edges: nothing is charged for them, and nothing at all if there is nothing else."""
    domain = Domain.from_spec({"features": {"ward": ["A", "B"]}, "classes": ["ill", "well"]})
    parties = [Party([["A", "ill"]], domain) for _ in range(2)]
    asked = Federation(parties, domain, Ledger(1), rng=ZeroWords())
    with pytest.raises(ValueError, match="numeric"):
        private_quantile_domain(asked, HALF, 4)
    assert asked.ledger.spent == 0 and asked.rounds == 0


@pytest.mark.claim("thm-quantile-edges")
@given(st.data())
def test_near_ties_are_decided_by_integers_at_every_size(data):
    """Two edges whose numbers miss a quantile by nearly the same: one record more or less decides, also past 2⁵³.

    The counts are S·b on either side of a middle, moved by up to two records: what a float cannot tell apart.
    """
    bins, size = data.draw(st.integers(2, 8)), data.draw(st.sampled_from([2**10, 2**53, 2**58]))
    moved = data.draw(st.lists(st.integers(-2, 2), min_size=4, max_size=9))
    counts = [data.draw(st.sampled_from([0, size // bins, size])) + move for move in moved]
    sums = [sum(counts[:k]) for k in range(len(counts) + 1)]
    rising = [Fraction(max(sums[: k + 1]) + min(sums[k:]), 2) for k in range(len(sums))]
    inner = set()
    for i in range(1, bins):
        misses = [abs(number - Fraction(i, bins) * rising[-1]) for number in rising[1:-1]]
        nearest = [k for k, miss in enumerate(misses, 1) if miss == min(misses)]
        inner.add(nearest[(len(nearest) - 1) // 2])
    assert quantile_edges(counts, range(len(counts) + 1), bins) == (0, *sorted(inner), len(counts))
