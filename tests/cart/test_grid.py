"""The search over all nodes of a level at once chooses what the readable search chooses, whatever the counts."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.cart import CodeSplit, best_grid_split, exact_scaled_half_gini
from fdpedu.cart.grid import GridSearch, cumulated, shrunk_gain
from fdpedu.claims.strategies import domains
from fdpedu.domain import Categorical, Domain, Numeric
from tests.support.records import SPECIAL


def tables(domain, nodes, seed, most):
    """Random counts of a level; about a fifth of the codes are empty."""
    rng = np.random.default_rng(seed)
    shape = (nodes, domain.n_codes, domain.n_classes)
    return rng.integers(0, most, size=shape) * (rng.random((*shape[:2], 1)) < 0.8)


def by_feature(domain, table):
    return np.split(table, np.cumsum([f.n_codes for f in domain.features])[:-1])


@pytest.mark.claim("lem-split-never-hurts")
@settings(max_examples=150, deadline=None)
@given(domains(), st.integers(1, 70), st.integers(0, 2**32 - 1), st.sampled_from([1, 2, 5, 40, 10**6, 2**40]))
def test_it_is_the_readable_search(domain, nodes, seed, most):
    """Small counts tie often, with counts of 2⁴⁰ floats do not tell all shares apart; 70 nodes are three blocks."""
    level = tables(domain, nodes, seed, most)
    expected = [best_grid_split(by_feature(domain, table), domain) for table in level]
    assert GridSearch(domain).best_splits(level) == expected


@settings(max_examples=100, deadline=None)
@given(domains(), st.integers(0, 2**32 - 1), st.sampled_from([2, 5, 1000]))
def test_relative_search_takes_the_least_impurity_of_a_feature(domain, seed, most):
    """By going through all splits with fractions: no split leaves less in proportion to its own feature's rows."""
    (table,) = tables(domain, 1, seed, most)
    (chosen,) = GridSearch(domain).best_splits(table[None], relative=True)
    ordered = [(j, part) for j, part in enumerate(by_feature(domain, table)) if domain.features[j].ordered]
    if chosen is None:
        assert all(len(part[part.sum(axis=1) > 0]) <= 1 for _, part in ordered)
        return
    own = chosen.impurity / (sum(chosen.left) + sum(chosen.right))
    for j, part in ordered:
        one = Domain([domain.features[j]], domain.classes)
        best = best_grid_split([part], one)
        assert best is None or own <= best.impurity / int(part.sum())


@given(st.lists(st.tuples(*[st.integers(0, 9)] * 2), min_size=2, max_size=2), st.integers(0, 20))
def test_the_gain_in_fractions(sides, rows):
    """The formula in fractions; and without shrinking it is twice the impurity that the split takes away."""
    left, right = sides
    n_left, n_right = sum(left), sum(right)
    if not n_left or not n_right:
        return
    total = [a + b for a, b in zip(left, right, strict=True)]
    q = [Fraction(c, n_left + n_right) for c in total]
    surplus = sum((a - share * n_left) ** 2 for a, share in zip(left, q, strict=True))
    expected = surplus * (Fraction(1, n_left + rows) + Fraction(1, n_right + rows))
    assert abs(float(shrunk_gain(np.array(left), np.array(right), rows)) - float(expected)) < 1e-9

    def half(counts):
        n = sum(counts)
        return Fraction(n * n - sum(c * c for c in counts), 2 * n)

    if rows == 0:
        assert expected == 2 * (half(total) - half(left) - half(right))


def test_shrinking_distrusts_small_sides():
    """A pure side of one row gains most at first; with noise of three rows the larger side wins."""
    ages = Domain([Numeric.grid("age", 0, 40, bins=4)], ("well", "ill"))
    table = np.array([[[0, 2], [20, 14], [10, 14], [10, 10]]])
    chosen = [GridSearch(ages).best_splits(table, shrink=rows)[0].split.left for rows in (1e-9, 30)]
    assert chosen == [frozenset({0}), frozenset({0, 1})] or chosen[0] != chosen[1]
    assert GridSearch(ages).best_splits(np.zeros((1, 4, 2), dtype=np.int64), shrink=3) == [None]


def test_permuted_features_are_chosen_alike():
    """A feature is found where it stands: with the features in another order, the same split under its new number."""
    features = [Numeric.grid("a", 0, 3, bins=3), Categorical("b", tuple("uvwx")), Numeric.grid("c", 0, 6, bins=6)]
    rng = np.random.default_rng(5)
    counts = [rng.integers(0, 50, size=(f.n_codes, 3)) for f in features]
    found = []
    for order in ([0, 1, 2], [2, 0, 1], [1, 2, 0]):
        domain = Domain([features[j] for j in order], (0, 1, 2))
        level = np.concatenate([counts[j] for j in order])[None]
        for options in ({}, {"relative": True}, {"shrink": 4.0}):
            (best,) = GridSearch(domain).best_splits(level, **options)
            found.append((str(options), features[order[best.split.feature]].name, best.split.left, best.left))
    assert len(set(found)) == 3


PAIR = Domain([Numeric.grid(name, 0, 3, bins=3) for name in "ab"], (0, 1))
FOUR = Domain([Numeric.grid("x", 0, 4, bins=4)], (0, 1))


def test_of_two_features_with_the_same_impurity_a_row_the_first_is_chosen():
    """The larger table has the larger n·G, and the same G: by n·G the second feature would be chosen."""
    table = np.array([[4, 1], [2, 2], [1, 6]])
    for scale in (1, 10**6):
        both = np.concatenate([2 * scale * table, scale * table])[None]
        for relative, feature in ((True, 0), (False, 1)):
            (found,) = GridSearch(PAIR).best_splits(both, relative=relative)
            assert found.split.feature == feature


@given(st.lists(st.integers(0, 6), min_size=8, max_size=8), st.fractions(Fraction(1, 100), Fraction(99, 100)))
def test_the_largest_shrunk_gain_is_chosen(cells, shrink):
    """Also where the shrinking is by less than a row."""
    table, rows = np.array(cells).reshape(4, 2), float(shrink)
    left = np.cumsum(table, axis=0)[:-1]
    right = table.sum(axis=0) - left
    allowed = (left.sum(axis=1) > 0) & (right.sum(axis=1) > 0)
    (found,) = GridSearch(FOUR).best_splits(table[None], shrink=rows)
    if not allowed.any():
        assert found is None
    else:
        gains = np.where(allowed, shrunk_gain(left, right, rows), -1)
        assert max(found.split.left) == int(gains.argmax())


NARROW = Domain([Numeric.grid("x", 0, 3, bins=3)], (0, 1))


@pytest.mark.parametrize("many", [10**3, 10**6, 10**9, 10**12])
def test_a_first_side_of_one_row(many):
    """What floats may be wrong by grows with all rows, and not with how unevenly they are divided."""
    for table, best in (
        ([[1, 0], [many, 0], [0, many]], {0, 1}),
        ([[many, 0], [0, many], [0, 1]], {0}),
        ([[1, 1], [many, 0], [0, many]], {0, 1}),
    ):
        split = CodeSplit(0, frozenset(best))
        (found,) = GridSearch(NARROW).best_splits(np.array([table]))
        assert found.split == best_grid_split([np.array(table)], NARROW).split == split


def first_least(table):
    """The first of the best prefixes of a table, in fractions, and what it leaves."""
    whole = [sum(column) for column in zip(*table, strict=True)]
    found = []
    for k in range(1, len(table)):
        left = [sum(column) for column in zip(*table[:k], strict=True)]
        right = [n - m for n, m in zip(whole, left, strict=True)]
        if sum(left) and sum(right):
            found.append((exact_scaled_half_gini(left) + exact_scaled_half_gini(right), k))
    return min(found, key=lambda pair: pair[0], default=None)


counts_of = st.integers(0, 3)


@settings(max_examples=200)
@given(st.integers(3, 2**40), st.lists(counts_of, min_size=6, max_size=6), st.booleans())
def test_near_ties_of_large_counts_are_decided_exactly(large, small, mirrored):
    """Both borders leave almost the same: floats do not tell which leaves less."""
    a, b, c, d, e, f = small
    table = [[large + a, b], [c, d], [e, large + f]]
    table = table[::-1] if mirrored else table
    least, k = first_least(table)
    for found in (best_grid_split([np.array(table)], NARROW), *GridSearch(NARROW).best_splits(np.array([table]))):
        assert found.split == CodeSplit(0, frozenset(range(k))) and found.impurity == least


def test_gains_of_single_rows_and_of_none():
    one, none = np.array([1, 0]), np.array([0, 0])
    assert shrunk_gain(one, none, 0) == shrunk_gain(none, none, 0) == 0
    gain = float(shrunk_gain(one, np.array([0, 1]), 0))
    assert math.isclose(gain, 2 * 0.5, rel_tol=1e-12)  # two classes share what one row of each loses
    for left, right in ([1, 0], [2, 3]), ([0, 1], [5, 0]):
        whole = [a + b for a, b in zip(left, right, strict=True)]
        gained = exact_scaled_half_gini(whole) - exact_scaled_half_gini(left) - exact_scaled_half_gini(right)
        assert math.isclose(shrunk_gain(np.array(left), np.array(right), 0), 2 * Fraction(gained), rel_tol=1e-12)


def test_shares_of_many_nodes_are_sorted_each_by_itself():
    """Categories of two nodes, beyond counts that floats divide exactly too."""
    domain = Domain([Categorical("c", ("a", "b", "c", "d"))], (0, 1))
    for scale in (1, 2**26, 2**40):
        tables = scale * np.array([[[1, 3], [2, 2], [3, 1], [9, 1]], [[9, 1], [3, 1], [2, 2], [1, 3]]])
        for table, found in zip(tables, GridSearch(domain).best_splits(tables), strict=True):
            assert found == best_grid_split([table], domain)


@pytest.mark.parametrize("n", [1, 31, 32, 33, 64, 65])
def test_nodes_do_not_depend_on_their_neighbours(n):
    """As many nodes as fit in a block and one more: each is searched as if it were alone."""
    tables_of = np.random.default_rng(n).integers(0, 9, (n, 21, 3))
    search = GridSearch(SPECIAL)
    for options in ({}, {"relative": True}, {"shrink": 2.5}):
        together = search.best_splits(tables_of, **options)
        assert together == [search.best_splits(table[None], **options)[0] for table in tables_of]


def test_cumulative_sums_are_those_of_numpy():
    cells = np.random.default_rng(1).integers(-9, 9, size=(3, 5, 4, 2)).astype(float)
    assert np.array_equal(cumulated(cells), np.cumsum(cells, axis=1))
