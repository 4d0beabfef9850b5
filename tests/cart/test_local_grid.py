"""The same for all features of a table at once, in steps of a lattice: exact, whatever floats say."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.bounds import lattice_bound
from fdpedu.cart import local_best_impurity, local_impurity_steps
from fdpedu.cart.local_grid import layout_of, steps_of
from fdpedu.claims.bounds import query as topic
from fdpedu.domain import Categorical, Domain, Numeric


def each_by_itself(table, domain, lattice):
    """Feature by feature, as a fraction, rounded down."""
    parts = np.split(np.array(table), np.cumsum([feature.n_codes for feature in domain.features])[:-1])
    pairs = zip(parts, domain.features, strict=True)
    least = [local_best_impurity(part, ordered=f.ordered, missing=f.missing) for part, f in pairs]
    return [math.floor(lattice * number) for number in least]


X = Numeric.grid("x", 0, 3, bins=3)
MIXED = Domain([X, Categorical("w", tuple("ABCD")), Numeric.grid("y", 0, 2, bins=2)], ("a", "b", "c"))
BINARY = Domain([Categorical("w", tuple("ABCD")), X, Categorical("v", tuple("KLM"))], ("a", "b"))
WITH_GAPS = [
    Categorical("w", tuple("AB"), missing=True),
    Numeric.grid("x", 0, 3, bins=3, missing=True),
    Numeric.grid("y", 0, 2, 2),
]


def tables_of(domain, most):
    row = st.tuples(*[st.integers(0, most)] * domain.n_classes)
    return st.lists(st.one_of(row, st.just((0,) * domain.n_classes)), min_size=domain.n_codes, max_size=domain.n_codes)


@given(
    st.sampled_from([MIXED, BINARY, Domain(WITH_GAPS, ("a", "b")), Domain(WITH_GAPS[::-1], ("a", "b", "c"))]).flatmap(
        lambda domain: st.tuples(
            st.just(domain),
            st.sampled_from([3, 50, 10**5, 10**7, 2**38]).flatmap(lambda most: tables_of(domain, most)),
        )
    ),
    st.sampled_from([1, 2, 4, 60, 999, 2**16]),
)
def test_all_features_at_once_are_each_by_itself(case, lattice):
    """Of few rows and of many, with codes and features without rows, of two classes and of three."""
    domain, table = case
    assert local_impurity_steps(table, domain, lattice).tolist() == each_by_itself(table, domain, lattice)


@pytest.mark.parametrize("kind", [np.int64, np.uint8, np.int16])
def test_the_table_is_not_written_to(kind):
    table = np.array([[4, 0], [1, 3], [0, 9], [7, 7], [2, 2], [0, 5], [3, 1], [1, 1], [2, 4], [9, 0]], dtype=kind)
    before = table.copy()
    table.flags.writeable = False
    found = local_impurity_steps(table, BINARY, 1000)
    assert found.tolist() == each_by_itself(before, BINARY, 1000) and found.dtype == np.int64
    assert np.array_equal(table, before)


@pytest.mark.parametrize("lattice", [1, 4, 9, 2**16])
@pytest.mark.parametrize("rows", [2**21, 2**21 + 2**19, 2**22, 2**22 + 2**21])
@pytest.mark.parametrize("classes", [2, 3, 5])
def test_where_integers_grow_too_long(rows, lattice, classes):
    """The largest numerator there is: half of the rows on either side, each with as many of each class."""
    n = int(rows / lattice ** (1 / 3)) // (2 * classes)
    domain = Domain([Numeric.grid("x", 0, 2, bins=2)], range(classes))
    for off in (0, 1):
        table = [[n] * classes, [n + off] * classes]
        assert local_impurity_steps(table, domain, lattice).tolist() == [lattice_bound(table, lattice)]


@pytest.mark.parametrize("c", [7_586_713_596, 8_741_889_378, 193_995_355_336, 15_737_609_607_210])
def test_borders_that_floats_do_not_tell_apart(c):
    """The one in the middle leaves 3c/2, a whole number; those beside it leave less, in the 25th digit."""
    topic.large([[3 * c - 1, c - 1], [1, 1], [1, 1], [c - 1, 3 * c - 1]], 1)
    assert local_best_impurity([[3 * c - 1, c - 1], [1, 1], [1, 1], [c - 1, 3 * c - 1]]) < 3 * c // 2


def test_nearly_tied_splits_of_many_rows():
    """Two borders whose impurities differ in the seventeenth digit, on either side of a step."""
    n = 2**45
    for off in (-2, -1, 0, 1, 2):
        topic.large([[n, 0], [2**10, 2**10 + off], [0, n], [1, 1]], 3)
        topic.large([[n, n // 2, 3], [n // 2, n + off, 1], [n + off, n, n]], 2**9)


def test_large_counts_are_exact_for_many_classes():
    """Of categories, all subsets are tried, in numbers of any length."""
    rng = np.random.default_rng(4)
    for most in (10**6, 10**12):
        table = rng.integers(0, most, (MIXED.n_codes, 3))
        assert local_impurity_steps(table, MIXED, 2**12).tolist() == each_by_itself(table, MIXED, 2**12)


def wards(n, classes):
    return Domain([Categorical("ward", tuple(range(n))), X], tuple(range(classes)))


def test_many_categories():
    """Of two classes as many as one likes; of three up to 14, of which only those with rows take time."""
    rng = np.random.default_rng(5)
    for domain in (wards(200, 2), wards(14, 3)):
        table = rng.integers(0, 4, (domain.n_codes, domain.n_classes))
        assert local_impurity_steps(table, domain, 60).tolist() == each_by_itself(table, domain, 60)
    assert layout_of(wards(200, 2)).by_share == (0,) and layout_of(wards(14, 3)).in_subsets == (0,)


def test_the_most_rows_of_the_finest_lattice():
    table = [[2**45, 0], [0, 0], [0, 2**45], *[[0, 0]] * 7]
    assert local_impurity_steps(table, BINARY, 2**16).tolist() == [0, 0, 0]
    assert steps_of(np.array(table), layout_of(BINARY), 2**16).tolist() == [0, 0, 0]


THREE_BINS = Domain([Numeric.grid("x", 0, 3, bins=3)], ("a", "b"))


@pytest.mark.parametrize("k", [20_000, 10**7])
@pytest.mark.parametrize("turned", [False, True])
def test_a_row_that_is_worth_a_side_of_its_own(k, turned):
    """In the middle it cannot be alone; then splits leave 1/100 more, nine tenths of one class throughout."""
    many, one = [k, 9 * k], [0, 1]
    table = [one, many, many][:: -1 if turned else 1]
    (found,) = local_impurity_steps(table, THREE_BINS, 2**16)
    assert found == lattice_bound(table, 2**16) < lattice_bound([many, one, many], 2**16)


@pytest.mark.parametrize("c", [7_586_713_596, 8_741_889_378, 193_995_355_336, 15_737_609_607_210])
def test_an_empty_first_bin_changes_nothing_of_many_rows(c):
    """What floats may be wrong by is that of all rows, not of those before the first border."""
    table = [[3 * c - 1, c - 1], [1, 1], [1, 1], [c - 1, 3 * c - 1]]
    four, five = (Domain([Numeric.grid("x", 0, n, bins=n)], ("a", "b")) for n in (4, 5))
    expected = local_impurity_steps(table, four, 1).tolist()
    assert expected == [3 * c // 2 - 1] == local_impurity_steps([[0, 0], *table], five, 1).tolist()


FEW = settings(max_examples=max(10, settings().max_examples // 3))
lattices = st.sampled_from([1, 2, 4, 60, 1000])
MIXED_4 = Domain([Numeric.grid("x", 0, 4, bins=4), Categorical("w", ("A", "B", "C"))], ("a", "b", "c"))


@FEW
@given(st.lists(st.tuples(*[st.integers(0, 9)] * 3), min_size=7, max_size=7), st.permutations(range(3)), lattices)
def test_other_names_and_orders(table, order, lattice):
    """Which class is which, which category is which, and from which end the bins are counted, is of no account."""
    cells = np.array(table)
    before = local_impurity_steps(cells, MIXED_4, lattice).tolist()
    assert local_impurity_steps(cells[:, order], MIXED_4, lattice).tolist() == before
    turned = np.concatenate([cells[:4][::-1], cells[4:][list(order)]])
    assert local_impurity_steps(turned, MIXED_4, lattice).tolist() == before


counts = st.lists(st.tuples(*[st.integers(0, 9)] * 3), min_size=6, max_size=6)
FINE = Domain([Numeric.grid("x", 0, 6, bins=6)], ("a", "b", "c"))
COARSE = Domain([Numeric.grid("x", 0, 6, bins=3)], ("a", "b", "c"))


@FEW
@given(counts, lattices)
def test_fewer_borders_leave_more(table, lattice):
    """Bins in pairs have fewer splits, so what they leave is no less; and no more than what all rows have."""
    cells = np.array(table)
    (fine,) = local_impurity_steps(cells, FINE, lattice)
    (coarse,) = local_impurity_steps(cells[::2] + cells[1::2], COARSE, lattice)
    (at_most,) = local_impurity_steps([cells.sum(axis=0).tolist(), *[[0] * 3] * 5], FINE, lattice)
    assert 0 <= fine <= coarse <= at_most


@FEW
@given(counts, counts, lattices)
def test_rows_of_two_parties_leave_less_than_all_together(table, other, lattice):
    parts = [int(local_impurity_steps(cells, FINE, lattice)[0]) for cells in (table, other)]
    (together,) = local_impurity_steps(np.array(table) + np.array(other), FINE, lattice)
    assert sum(parts) <= together


@FEW
@given(counts, st.integers(2, 50))
def test_a_multiple_of_all_counts(table, k):
    """k times the rows leave k times as much: in steps of 1/m what once the rows leave in steps of 1/(k·m)."""
    (many,) = local_impurity_steps(np.array(table) * k, FINE, 3)
    (fine,) = local_impurity_steps(table, FINE, 3 * k)
    assert many == fine
