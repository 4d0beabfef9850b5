"""Lower bounds of the same rows in other words: other classes and orders, other parties, other rounds before them."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.accounting import Ledger
from fdpedu.cart import local_impurity_steps
from fdpedu.claims.bounds.laws_query import by_hand
from fdpedu.claims.strategies import tables
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import ClassHistogram, Federation, NodeBounds, NodeHistograms, Party
from fdpedu.federation.records import Records
from fdpedu.randomness import ZeroWords

MIXED = Domain([Numeric.grid("x", 0, 4, bins=4), Categorical("w", ("A", "B", "C"))], ("a", "b", "c"))
WHOLE = MIXED.everything
FINE = Domain([Numeric.grid("x", 0, 6, bins=6)], ("a", "b", "c"))
COARSE = Domain([Numeric.grid("x", 0, 6, bins=3)], ("a", "b", "c"))
counts = st.lists(st.tuples(*[st.integers(0, 9)] * 3), min_size=6, max_size=6)
FEWER = settings(max_examples=max(10, settings().max_examples // 3))
lattices = st.sampled_from([1, 2, 4, 60, 1000])


@FEWER
@given(st.lists(st.tuples(*[st.integers(0, 9)] * 3), min_size=7, max_size=7), st.permutations(range(3)), lattices)
def test_other_names_and_orders(table, order, lattice):
    """Which class is which, which category is which, and from which end the bins are counted, is of no account."""
    cells = np.array(table)
    before = local_impurity_steps(cells, MIXED, lattice).tolist()
    assert local_impurity_steps(cells[:, order], MIXED, lattice).tolist() == before
    turned = np.concatenate([cells[:4][::-1], cells[4:][list(order)]])
    assert local_impurity_steps(turned, MIXED, lattice).tolist() == before


@FEWER
@given(counts, lattices)
def test_fewer_borders_leave_more(table, lattice):
    """Bins in pairs have fewer splits, so what they leave is no less; and no more than what all rows have."""
    cells = np.array(table)
    (fine,) = local_impurity_steps(cells, FINE, lattice)
    (coarse,) = local_impurity_steps(cells[::2] + cells[1::2], COARSE, lattice)
    (at_most,) = local_impurity_steps([cells.sum(axis=0).tolist(), *[[0] * 3] * 5], FINE, lattice)
    assert 0 <= fine <= coarse <= at_most


@FEWER
@given(counts, counts, lattices)
def test_rows_of_two_parties_leave_less_than_all_together(table, other, lattice):
    parts = [int(local_impurity_steps(cells, FINE, lattice)[0]) for cells in (table, other)]
    (together,) = local_impurity_steps(np.array(table) + np.array(other), FINE, lattice)
    assert sum(parts) <= together


@FEWER
@given(counts, st.integers(2, 50))
def test_a_multiple_of_all_counts(table, k):
    """k times the rows leave k times as much: in steps of 1/m what once the rows leave in steps of 1/(k·m)."""
    (many,) = local_impurity_steps(np.array(table) * k, FINE, 3)
    (fine,) = local_impurity_steps(table, FINE, 3 * k)
    assert many == fine


@FEWER
@given(tables(MIXED, most=15), st.integers(1, 3), st.booleans(), lattices)
def test_bounds_of_sides_that_were_not_counted(rows, cut, turned, lattice):
    """After a round about the node, a side's histograms may come as a difference; its bounds are those of its rows."""
    codes, labels = MIXED.encode([r[:-1] for r in rows]), MIXED.encode_labels([r[-1] for r in rows])
    party, sides = Records(codes, labels, MIXED), [WHOLE.restrict(0, range(cut)), WHOLE.restrict(0, range(cut, 4))]
    rounds = [[NodeHistograms(WHOLE, 1)], [NodeBounds(side, 1, lattice) for side in sides[:: -1 if turned else 1]]]
    rounds.append([NodeBounds(sides[0].restrict(1, [1]), 1, lattice), NodeBounds(sides[0].restrict(1, [0, 2]), 1, 7)])
    for asked in rounds:
        found = party.within(query.region for query in asked)
        answers = [query.tally(party, some, MIXED).tolist() for query, some in zip(asked, found, strict=True)]
        if asked is not rounds[0]:
            assert answers == [by_hand(query, rows, MIXED) for query in asked]


def test_bounds_among_other_queries_are_the_same():
    """Before and after histograms of the same node, and twice in one round."""
    rows = [[x + 0.5, "ABC"[(x * y) % 3], "abc"[(x + y) % 3]] for x in range(4) for y in range(5)]
    parties = [Party(rows[k::2], MIXED) for k in range(2)]
    federation = Federation(parties, MIXED, Ledger(99), rng=ZeroWords())
    bounds = NodeBounds(WHOLE, 1, 12)
    expected = np.sum([by_hand(bounds, rows[k::2], MIXED) for k in range(2)], axis=0).tolist()
    others = [NodeHistograms(WHOLE, 1), ClassHistogram(WHOLE, 1, 1)]
    for asked in ([bounds], [bounds, *others], [*others, bounds], [bounds, others[0], bounds]):
        answers = federation.release(asked)
        assert [a.tolist() for a, query in zip(answers, asked, strict=True) if query is bounds] == [
            expected
        ] * asked.count(bounds)
        told = [a.tolist() for a, query in zip(answers, asked, strict=True) if query is others[0]]
        assert all(sum(map(sum, answer)) == 40 for answer in told)
