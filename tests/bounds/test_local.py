"""Local bounds: what they are, on grids, categories and raw values; what is refused."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.bounds import (
    REPORT_SENSITIVITY,
    SENSITIVITY,
    impurity_lower_bound,
    joint_sensitivity,
    largest_increment,
    lattice_bound,
    local_bound,
    local_bounds_of_rows,
    search_near_one,
)
from fdpedu.cart import best_grid_split, best_split, exact_scaled_half_gini, local_best_impurity
from fdpedu.claims.bounds import laws as law
from fdpedu.domain import Categorical, Domain

# --- what they are ---


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
    assert local_bound(table) == bound and type(local_bound(table)) is Fraction
    law.step(table)


def test_the_last_class_and_the_last_bin_count():
    """Three classes in three bins, each alone; and all in one."""
    assert local_bound(np.diag([4, 4, 4])) == 2
    assert local_bound([[0, 0, 0], [0, 0, 0], [4, 4, 4]]) == 4
    assert local_bound([[0, 0, 3], [0, 0, 0], [0, 3, 0]]) == 0


@pytest.mark.parametrize("n", [10**8, 2**50])
def test_large_counts_are_exact(n):
    """Where floats no longer see a row."""
    assert local_bound([[n, 1], [0, n]]) == Fraction(n, n + 1)
    assert local_bound([[n, 0], [0, n - 1], [1, 0]]) == Fraction(n - 1, n)
    assert local_bound([[n, n + 1], [n + 1, n]]) == 2 * Fraction(n * (n + 1), 2 * n + 1)


def test_close_splits_are_told_apart_by_fractions():
    """Two borders whose n·G agree to sixteen digits."""
    n = 2**45
    table = [[n, 1], [n, n], [1, n]]
    halves = [Fraction(n, n + 1) + Fraction((n + 1) * 2 * n, 3 * n + 1), Fraction(2 * n * (n + 1), 3 * n + 1)]
    assert local_bound(table) == min(halves[0], halves[1] + Fraction(n, n + 1))
    assert local_bound([[n, n + 1], [n, n], [n, n + 2]]) == min(
        exact_scaled_half_gini([a, b]) + exact_scaled_half_gini([c, d])
        for (a, b), (c, d) in (((n, n + 1), (2 * n, 2 * n + 2)), ((2 * n, 2 * n + 1), (n, n + 2)))
    )


def test_floats_would_choose_another_split():
    """Of 6·10¹² rows the first border is better by floats, the second in truth, by 5·10⁻²⁵; both by little."""
    table = [[10**12 - 1, 10**12 + 1], [10**12 + 2, 10**12 + 1], [10**12 - 2, 10**12]]
    left = [(10**12 - 1, 10**12 + 1), (2 * 10**12 + 1, 2 * 10**12 + 2)]
    right = [(2 * 10**12, 2 * 10**12 + 1), (10**12 - 2, 10**12)]
    one, other = (exact_scaled_half_gini(a) + exact_scaled_half_gini(b) for a, b in zip(left, right, strict=True))
    assert 0 < one - other < Fraction(1, 10**24) and local_bound(table) == other


@pytest.mark.parametrize("more", [(1, 2), (2, 1)])
def test_close_thresholds_of_raw_rows(more):
    """Of 180,000 rows two borders and no division at all are within 10⁻⁵: the better border is found."""
    table = [[30_000, 30_000 + more[0]], [30_000, 30_000], [30_000, 30_000 + more[1]]]
    X = np.repeat([0.0, 1.0, 2.0], [sum(row) for row in table])
    y = np.concatenate([np.repeat([0, 1], row) for row in table])
    assert local_bounds_of_rows(X[:, None], y) == [local_bound(table)]
    assert local_bound(table) == min(
        local_bound([table[0], np.sum(table[1:], axis=0)]), local_bound([np.sum(table[:2], axis=0), table[2]])
    )


# --- categories ---


def test_subsets_and_not_only_prefixes():
    """Two classes by the order of shares, which is all subsets; several classes by all subsets."""
    table = [[1, 0], [0, 1], [1, 0]]
    assert local_bound(table) == Fraction(1, 2) and local_bound(table, ordered=False) == 0
    assert local_bound([[1, 0, 0], [0, 1, 0], [1, 0, 0]], ordered=False) == 0
    assert local_bound([[0, 0, 1], [1, 0, 0], [0, 0, 1], [1, 0, 0]], ordered=False) == 0
    law.definition(law.FIVE_CATEGORIES, False)


@given(st.lists(st.tuples(*[st.integers(0, 4)] * 3), min_size=2, max_size=5))
def test_categories_of_three_classes(table):
    law.definition(table, False)
    law.step(table, False)


def test_the_order_of_shares_would_break_the_lemma():
    """For four classes the tree's own search tries prefixes that depend on the rows: one moves it by more than 1."""
    domain = Domain([Categorical("ward", tuple(range(5)))], tuple(range(4)))
    tables = (law.FIVE_THAT_MOVE, law.added(law.FIVE_THAT_MOVE, 3, 3))
    before, after = (best_grid_split([np.array(table)], domain).impurity for table in tables)
    assert after - before > Fraction(5, 4)
    least, most = (local_bound(table, ordered=False) for table in tables)
    assert 0 <= most - least < 1 and least <= before and most <= after


def test_a_limit_of_categories_is_public():
    """Fifteen are refused, whatever the counts; two classes have no limit but that of a feature."""
    full = [[1, 0, 0]] * 14
    assert local_bound(full, ordered=False) == 0
    with pytest.raises(ValueError) as refused:
        local_bound([*full, [0, 0, 0]], ordered=False)
    assert str(refused.value) == (
        "table must have at most 14 categories for more than two classes, got 15: "
        "merge categories, or give them a public order (ordered=True)"
    )
    assert local_bound([[1, 0], [0, 1]] * 100, ordered=False) == 0


# --- raw values ---


@given(
    st.lists(st.tuples(st.sampled_from([-1e308, 0.0, 0.1, 0.2, 1e308]), st.integers(0, 2)), max_size=9),
    st.sampled_from([-1e308, 0.0, 0.15, 1e308]),
    st.integers(0, 2),
)
def test_raw_values(rows, x, label):
    column, y = [row[0] for row in rows], [row[1] for row in rows]
    law.raw_definition(column, y)
    law.raw_step(column, y, x, label)


def test_raw_bounds_are_what_the_tree_finds():
    """For each column the impurity of its best split, of 300 rows and four classes; constant columns leave the node."""
    rng = np.random.default_rng(0)
    X, y = np.round(rng.normal(size=(300, 5)), 1), rng.integers(0, 4, 300)
    X[:, 3] = 7
    bounds = local_bounds_of_rows(X, y)
    for j in (0, 1, 2, 4):
        assert bounds[j] == best_split(X[:, [j]], y).impurity
    assert bounds[3] == law.impurity(y.tolist()) and best_split(X[:, [3]], y) is None


def test_no_rows_and_no_columns():
    assert local_bounds_of_rows(np.zeros((0, 3)), []) == [0, 0, 0]
    assert local_bounds_of_rows(np.zeros((2, 0)), [0, 1]) == []
    assert local_bounds_of_rows([[1.0]], [2], 5) == [0]


# --- sums, vectors, integers, search ---


def test_the_sum_over_parties():
    assert impurity_lower_bound([[[1, 1], [0, 2]], [[0, 0], [0, 0]], [[2, 0], [1, 1]]]) == 1
    assert impurity_lower_bound([[[1, 0], [0, 1], [1, 0]]] * 3, ordered=False) == 0
    assert impurity_lower_bound([]) == 0


@pytest.mark.claim("lem-bounds-vector")
def test_constants():
    assert (SENSITIVITY, REPORT_SENSITIVITY) == (1, Fraction(5, 4))
    assert [joint_sensitivity(7, norm) for norm in ("l1", "l2 squared", "linf")] == [7, 7, 1]
    assert joint_sensitivity(1) == 1
    law.vector([(0, 1, 2), (0, 1, 2)], (0, 1, 0))
    law.vector_tight(7, 50)


@pytest.mark.claim("lem-lattice-bound")
@pytest.mark.parametrize(("lattice", "whole"), [(1, 0), (2, 1), (4, 3), (5, 3), (10**9, 750_000_000)])
def test_rounded_down(lattice, whole):
    assert lattice_bound([[3, 1]], lattice) == whole
    assert lattice_bound([[1, 0], [0, 1], [1, 0]], lattice, ordered=False) == 0
    assert lattice_bound([[2, 1]], 10**17) == 2 * 10**17 // 3
    law.on_lattice([[3, 1], [2, 2]], lattice)


def test_search():
    """The pairs it finds; the increments are 0, 1/2, 2/3, …; the shape of the tables is as asked."""
    data, neighbour, change = search_near_one("9/10", bins=3, classes=4)
    assert data.shape == (3, 4) and change == Fraction(9, 10) and data.sum() == 9 and neighbour.sum() == 10
    assert search_near_one(0)[2] == 0 and search_near_one(0)[0].sum() == 0
    assert search_near_one("1/2", bins=1)[0].tolist() == [[1, 0]]
    assert [largest_increment(n) for n in (0, 1, 2, 99)] == [0, Fraction(1, 2), Fraction(2, 3), Fraction(99, 100)]
    assert search_near_one("999/1000", bins=1)[0].sum() == 999


@pytest.mark.claim("lem-five-quarters")
def test_the_report_s_constant():
    law.five_quarters([[2, 0, 1], [0, 3, 1]])
    law.printed_chain(0, 1)
    law.printed_chain(17, 4)


@pytest.mark.claim("lem-grid-bound")
def test_the_grid_s_bound_is_larger():
    law.grid_above_raw([[(0.5, 0), (0.7, 1), (2.0, 2)], [], [(3.0, 0), (2.5, 0)]], 3)


# --- refusals ---

FLOATS = "table must be integers within ±2**62; got float64 (round real data before the noise)"
CODES = "y must be 1 class codes 0, 1, …, one for each row; got shape"


@pytest.mark.parametrize(
    "call", [local_bound, local_best_impurity, lambda t: lattice_bound(t, 1), lambda t: impurity_lower_bound([t])]
)
@pytest.mark.parametrize("table", [[1, 2], [[-1, 2]], [[]], [], [[[1]]], [[2**52, 2**52], [1, 0]]])
def test_what_are_no_counts_is_refused(call, table):
    with pytest.raises(ValueError) as refused:
        call(table)
    assert str(refused.value) == "table must be counts ≥ 0 of shape (codes, classes) that add up to at most 2**53"


def test_the_largest_table():
    assert local_bound([[2**52, 0], [0, 2**52]]) == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: local_bound([[1.5]]), FLOATS),
        (lambda: local_bound([[1]], ordered=1), "ordered must be True or False, got int"),
        (lambda: local_bounds_of_rows([[1.0]], [0, 1]), f"{CODES} (2,)"),
        (lambda: local_bounds_of_rows([[1.0]], [-1]), f"{CODES} (1,)"),
        (lambda: local_bounds_of_rows([[1.0]], [2], 2), "n_classes must be an integer ≥ 3, got 2"),
        (lambda: local_bounds_of_rows([[1.0]], [2], 10_001), "n_classes must be at most 10000, got 10001"),
        (lambda: lattice_bound([[1]], 0), "lattice must be an integer ≥ 1, got 0"),
        (lambda: lattice_bound([[1]], 2**62 + 1), f"lattice must be at most {2**62}, got {2**62 + 1}"),
        (lambda: joint_sensitivity(0), "n_features must be an integer ≥ 1, got 0"),
        (lambda: joint_sensitivity(1, "l3"), "norm must be one of l1, l2 squared, linf; got 'l3'"),
        (lambda: joint_sensitivity(1, None), "norm must be one of l1, l2 squared, linf; got None"),
        (lambda: impurity_lower_bound(3), "tables must be a list, got 3"),
        (lambda: search_near_one("1"), "goal must be at most 999/1000, got 1: 1 is never reached"),
        (lambda: search_near_one("1/2", bins=0), "bins must be an integer ≥ 1, got 0"),
        (lambda: search_near_one("1/2", bins=9), "bins must be at most 8, got 9"),
        (lambda: search_near_one("1/2", classes=1), "classes must be an integer ≥ 2, got 1"),
        (lambda: search_near_one("1/2", classes=9), "classes must be at most 8, got 9"),
        (lambda: largest_increment(-1), "n must be an integer ≥ 0, got -1"),
    ],
)  # fmt: skip
def test_refusals(call, message):
    with pytest.raises(ValueError) as refused:
        call()
    assert str(refused.value) == message
