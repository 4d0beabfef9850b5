"""The least impurity of one party's rows: on grids, among categories, and over raw values."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.cart import best_grid_split, best_split, exact_scaled_half_gini, local_best_impurities, local_best_impurity
from fdpedu.claims.bounds import local as topic
from fdpedu.domain import Categorical, Domain


@pytest.mark.claim("lem-local-bound")
@pytest.mark.parametrize(
    ("table", "bound"),
    [
        ([[3, 1]], Fraction(3, 4)),
        ([[0, 0], [0, 0]], 0),
        ([[2, 0], [2, 1], [0, 2], [0, 0]], Fraction(4, 5)),
        ([[0, 2], [3, 0]], 0),
        ([[1, 1, 1], [0, 2, 0]], Fraction(1)),
        ([[5], [2]], 0),
    ],
)
def test_bounds_by_hand(table, bound):
    assert local_best_impurity(table) == bound and type(local_best_impurity(table)) is Fraction
    topic.step(table)


def test_the_last_class_and_the_last_bin_count():
    """Three classes in three bins, each alone; and all in one."""
    assert local_best_impurity(np.diag([4, 4, 4])) == 2
    assert local_best_impurity([[0, 0, 0], [0, 0, 0], [4, 4, 4]]) == 4
    assert local_best_impurity([[0, 0, 3], [0, 0, 0], [0, 3, 0]]) == 0


@pytest.mark.parametrize("n", [10**8, 2**50])
def test_large_counts_are_exact(n):
    """Where floats no longer see a row."""
    assert local_best_impurity([[n, 1], [0, n]]) == Fraction(n, n + 1)
    assert local_best_impurity([[n, 0], [0, n - 1], [1, 0]]) == Fraction(n - 1, n)
    assert local_best_impurity([[n, n + 1], [n + 1, n]]) == 2 * Fraction(n * (n + 1), 2 * n + 1)


def test_fractions_distinguish_close_splits():
    """Two borders whose n·G agree to sixteen digits."""
    n = 2**45
    table = [[n, 1], [n, n], [1, n]]
    halves = [Fraction(n, n + 1) + Fraction((n + 1) * 2 * n, 3 * n + 1), Fraction(2 * n * (n + 1), 3 * n + 1)]
    assert local_best_impurity(table) == min(halves[0], halves[1] + Fraction(n, n + 1))
    assert local_best_impurity([[n, n + 1], [n, n], [n, n + 2]]) == min(
        exact_scaled_half_gini([a, b]) + exact_scaled_half_gini([c, d])
        for (a, b), (c, d) in (((n, n + 1), (2 * n, 2 * n + 2)), ((2 * n, 2 * n + 1), (n, n + 2)))
    )


def test_floats_would_choose_another_split():
    """Of 6·10¹² rows the first border is better by floats, the second in truth, by 5·10⁻²⁵; both by little."""
    table = [[10**12 - 1, 10**12 + 1], [10**12 + 2, 10**12 + 1], [10**12 - 2, 10**12]]
    left = [(10**12 - 1, 10**12 + 1), (2 * 10**12 + 1, 2 * 10**12 + 2)]
    right = [(2 * 10**12, 2 * 10**12 + 1), (10**12 - 2, 10**12)]
    one, other = (exact_scaled_half_gini(a) + exact_scaled_half_gini(b) for a, b in zip(left, right, strict=True))
    assert 0 < one - other < Fraction(1, 10**24) and local_best_impurity(table) == other


@pytest.mark.parametrize("more", [(1, 2), (2, 1)])
def test_close_thresholds_of_raw_rows(more):
    """Of 180,000 rows two borders and no division at all are within 10⁻⁵: the better border is found."""
    table = [[30_000, 30_000 + more[0]], [30_000, 30_000], [30_000, 30_000 + more[1]]]
    X = np.repeat([0.0, 1.0, 2.0], [sum(row) for row in table])
    y = np.concatenate([np.repeat([0, 1], row) for row in table])
    assert local_best_impurities(X[:, None], y) == [local_best_impurity(table)]
    assert local_best_impurity(table) == min(
        local_best_impurity([table[0], np.sum(table[1:], axis=0)]),
        local_best_impurity([np.sum(table[:2], axis=0), table[2]]),
    )


def test_subsets_and_not_only_prefixes():
    """Two classes by the order of shares, which is all subsets; several classes by all subsets."""
    table = [[1, 0], [0, 1], [1, 0]]
    assert local_best_impurity(table) == Fraction(1, 2) and local_best_impurity(table, ordered=False) == 0
    assert local_best_impurity([[1, 0, 0], [0, 1, 0], [1, 0, 0]], ordered=False) == 0
    assert local_best_impurity([[0, 0, 1], [1, 0, 0], [0, 0, 1], [1, 0, 0]], ordered=False) == 0
    topic.definition(topic.FIVE_CATEGORIES, False)


@given(st.lists(st.tuples(*[st.integers(0, 4)] * 3), min_size=2, max_size=5))
def test_categories_of_three_classes(table):
    topic.definition(table, False)
    topic.step(table, False)


def test_the_order_of_shares_would_break_the_lemma():
    """For four classes the tree's own search tries prefixes that depend on the rows: one moves it by more than 1."""
    domain = Domain([Categorical("ward", tuple(range(5)))], tuple(range(4)))
    tables = (topic.FIVE_THAT_MOVE, topic.added(topic.FIVE_THAT_MOVE, 3, 3))
    before, after = (best_grid_split([np.array(table)], domain).impurity for table in tables)
    assert after - before > Fraction(5, 4)
    least, most = (local_best_impurity(table, ordered=False) for table in tables)
    assert 0 <= most - least < 1 and least <= before and most <= after


def test_a_limit_of_categories_is_public():
    """Fifteen are refused, whatever the counts; two classes have no limit but that of a feature."""
    full = [[1, 0, 0]] * 14
    assert local_best_impurity(full, ordered=False) == 0
    with pytest.raises(ValueError, match="table"):
        local_best_impurity([*full, [0, 0, 0]], ordered=False)
    assert local_best_impurity([[1, 0], [0, 1]] * 100, ordered=False) == 0


@given(
    st.lists(st.tuples(st.sampled_from([-1e308, 0.0, 0.1, 0.2, 1e308]), st.integers(0, 2)), max_size=9),
    st.sampled_from([-1e308, 0.0, 0.15, 1e308]),
    st.integers(0, 2),
)
def test_raw_values(rows, x, label):
    column, y = [row[0] for row in rows], [row[1] for row in rows]
    topic.raw_definition(column, y)
    topic.raw_step(column, y, x, label)


def test_raw_bounds_are_what_the_tree_finds():
    """For each column the impurity of its best split, of 300 rows and four classes; constant columns leave the node."""
    rng = np.random.default_rng(0)
    X, y = np.round(rng.normal(size=(300, 5)), 1), rng.integers(0, 4, 300)
    X[:, 3] = 7
    bounds = local_best_impurities(X, y)
    for j in (0, 1, 2, 4):
        assert bounds[j] == best_split(X[:, [j]], y).impurity
    assert bounds[3] == topic.impurity(y.tolist()) and best_split(X[:, [3]], y) is None


def test_no_rows_and_no_columns():
    assert local_best_impurities(np.zeros((0, 3)), []) == [0, 0, 0]
    assert local_best_impurities(np.zeros((2, 0)), [0, 1]) == []
    assert local_best_impurities([[1.0]], [2], 5) == [0]


def test_the_largest_table():
    assert local_best_impurity([[2**52, 0], [0, 2**52]]) == 0
