"""Counts that add up: least squares on a tree of totals, rounding from the root down, and what a tree shows."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.claims.histograms import laws_consistency as law
from fdpedu.claims.histograms import laws_tree_counts as grown
from fdpedu.claims.strategies import growths, trees_of_estimates, trees_of_views
from fdpedu.claims.trees import laws as trees
from fdpedu.domain import Domain
from fdpedu.histograms import consistent_totals, least_squares, round_with_sums
from fdpedu.histograms.parents import as_parents, children_of, is_inner, levels_of
from fdpedu.histograms.rounding import project, share_out
from fdpedu.trees.counts import View, combined, estimates_and_counts

CHAIN, STAR = [-1, 0, 1, 2], [-1, 0, 0, 0, 0]


@pytest.mark.claim("thm-least-squares-tree")
@pytest.mark.parametrize("variances", [[3, 1, 4, 1], [None, 1, None, "1/2"], [None, None, None, 2]])
def test_a_chain_has_one_total(variances):
    """Its views are all of the same number: their inverse-variance mean."""
    law.normal_equations(CHAIN, [None if v is None else Fraction(v) for v in variances])
    views = [8, 5, -1, 4]
    weights = [0 if v is None else 1 / Fraction(v) for v in variances]
    mean = sum(w * y for w, y in zip(weights, views, strict=True)) / sum(weights)
    assert least_squares(CHAIN, views, variances) == [mean] * 4


@pytest.mark.claim("thm-least-squares-tree")
def test_the_example_of_hay_and_others():
    """A binary tree of equal variances, by their recursion: at height l the own view has weight 2^(l−1)/(2^l − 1)."""
    parents = [-1, 0, 0, 1, 1, 2, 2]
    views = [13, 3, 11, 4, 1, 12, 1]
    z1, z2 = (Fraction(2, 3) * 3 + Fraction(1, 3) * 5), (Fraction(2, 3) * 11 + Fraction(1, 3) * 13)
    root = Fraction(4, 7) * 13 + Fraction(3, 7) * (z1 + z2)
    u1, u2 = (z + (root - z1 - z2) / 2 for z in (z1, z2))
    leaves = [4 + (u1 - 5) / 2, 1 + (u1 - 5) / 2, 12 + (u2 - 13) / 2, 1 + (u2 - 13) / 2]
    assert least_squares(parents, views, [1] * 7) == [root, u1, u2, *leaves]
    law.normal_equations(parents, [Fraction(1)] * 7)


@pytest.mark.claim("thm-least-squares-tree")
@settings(max_examples=50, deadline=None)
@given(trees_of_views(8))
def test_floats_and_fractions_agree_and_both_solve_the_normal_equations(case):
    parents, views, variances = case
    law.fast(parents, views, variances)
    law.normal_equations(parents, variances)


@pytest.mark.claim("thm-least-squares-tree")
def test_a_large_tree_of_five_classes():
    """2,047 nodes and a star of 300 children, with variances of very different size: the sums hold, the views weigh."""
    rng = np.random.default_rng(0)
    for parents in ([-1, *((i - 1) // 2 for i in range(1, 2047))], [-1] + [0] * 300, list(range(-1, 400))):
        views, variances = rng.normal(50, 30, (len(parents), 5)), 10 ** rng.uniform(-6, 6, len(parents))
        found = consistent_totals(parents, views, variances)
        sums = np.zeros_like(found)
        np.add.at(sums, parents[1:], found[1:])
        inner = is_inner(as_parents(parents))
        assert found[inner] == pytest.approx(sums[inner], abs=1e-6)
        pull = (views - found) / variances[:, None]
        for node in range(1, len(parents)):
            pull[node] += pull[parents[node]]  # of all nodes above
        scale = (np.abs(views) / variances[:, None]).sum(axis=0).max()
        assert (np.abs(pull[~inner]) <= 1e-9 * scale).all()


@pytest.mark.claim("thm-least-squares-tree")
def test_variances_as_far_apart_as_allowed():
    """A view of nearly no variance is kept; one of nearly all is not looked at."""
    sure, unsure = 1e-100, 1e100
    assert consistent_totals([-1, 0, 0], [10.0, 3.0, 1.0], [sure, 1, 3]).tolist() == pytest.approx([10, 4.5, 5.5])
    assert consistent_totals([-1, 0, 0], [10.0, 3.0, 1.0], [unsure, sure, sure]).tolist() == pytest.approx([4, 3, 1])
    assert consistent_totals([-1], [2.0**62], [unsure]).tolist() == [2.0**62]


def test_what_is_given_stays_as_it_is():
    values, variances = np.array([[7.0], [3.0], [1.0]]), np.ones(3)
    assert consistent_totals([-1, 0, 0], values, variances).tolist() == [[6], [4], [2]]
    assert values.tolist() == [[7], [3], [1]] and variances.tolist() == [1, 1, 1]
    listed = [7, 3, 1]
    assert least_squares([-1, 0, 0], listed, [1, 1, 1]) == [6, 4, 2] and listed == [7, 3, 1]
    assert all(type(total) is Fraction for total in least_squares([-1, 0, 0], listed, [None, 1, 1]))


def test_the_value_of_a_node_without_a_view_does_not_matter():
    for value in (0, 5, -(10**6)):
        assert least_squares([-1, 0, 0], [value, 3, 1], [None, 1, 2]) == [4, 3, 1]
        assert consistent_totals([-1, 0, 0], [value, 3, 1], [None, 1, 2]).tolist() == [4, 3, 1]
    assert consistent_totals([-1, 0, 0], [2**60, 3, 1], [None, 1e100, 1e100]).tolist() == [4, 3, 1]


@pytest.mark.claim("thm-consistency-variance")
def test_the_variance_of_the_root_and_of_a_leaf():
    """Four leaves and their sum, all of variance 1: the root's falls to 4/5, a leaf's to 4/5, too."""
    law.smallest_variance(STAR, [Fraction(1)] * 5)
    rows = law.estimator(STAR, [Fraction(1)] * 5)
    assert [sum(x * x for x in row) for row in rows] == [Fraction(4, 5)] * 5


@pytest.mark.claim("lem-selected-histogram")
def test_a_selected_histogram_errs_by_more_than_its_noise():
    law.selected(4_000, seed=1)


@pytest.mark.claim("lem-rounding-with-sums")
@settings(max_examples=60, deadline=None)
@given(trees_of_estimates())
def test_whole_counts_of_random_trees(case):
    law.whole_counts(*case)


@pytest.mark.claim("lem-rounding-with-sums")
@settings(max_examples=100, deadline=None)
@given(st.lists(st.fractions(-5, 9, max_denominator=8), min_size=1, max_size=6), st.integers(0, 12))
def test_shares_of_random_wishes(wishes, total):
    law.shares(wishes, total)


@pytest.mark.claim("lem-rounding-with-sums")
@pytest.mark.parametrize(
    ("wishes", "total", "shares"),
    [
        (["1/2", "1/2", "1/2", "1/2"], 2, [1, 1, 0, 0]),  # ties go to the first
        (["5/2", "5/2", -3], 5, [3, 2, 0]),
        ([-1, -2], 0, [0, 0]),
        ([-1, -2], 3, [2, 1]),
        ([0], 7, [7]),
        ([9, 0, 0], 0, [0, 0, 0]),
        (["4/3", "4/3", "4/3"], 4, [2, 1, 1]),
        (["1/3", "2/3"], 1, [0, 1]),
        ([2, 0, "1/2"], 2, [2, 0, 0]),
    ],
)
def test_shares_by_hand(wishes, total, shares):
    assert share_out([Fraction(wish) for wish in wishes], total) == shares


@pytest.mark.claim("lem-rounding-with-sums")
@pytest.mark.parametrize("nodes", [1, 2, 3, 4])
def test_what_is_whole_and_adds_up_is_kept(nodes):
    for parents in law.trees(nodes):
        law.kept(parents, 1)


@pytest.mark.parametrize(
    ("root", "whole"), [(2.5, 3), (-0.5, 0), (-7, 0), (0.49, 0), (0.5, 1), (2**62, 2**62), (-(2**62), 0)]
)
def test_the_root_goes_to_the_nearest_integer_and_half_goes_up(root, whole):
    assert round_with_sums([-1], [root]).tolist() == [whole]
    assert round_with_sums([-1, 0], [[root, 1], [0, 0]]).tolist() == [[whole, 1]] * 2


def test_floats_are_the_fractions_that_they_are():
    """Of 0.1 and 0.2 the sum is not 0.3 as floats: the third, 0.3, has the smaller remainder by a little."""
    assert round_with_sums([-1, 0, 0], np.array([1.0, 0.5, 0.5 - 2**-54])).tolist() == [1, 1, 0]
    assert round_with_sums([-1, 0, 0], np.array([1.0, 0.5 - 2**-54, 0.5])).tolist() == [1, 0, 1]
    assert project([Fraction(1, 3), Fraction(1, 3)], 1) == [Fraction(1, 2)] * 2


def test_numbers_of_any_kind_are_rounded():
    """Integers of NumPy among fractions, floats of one word, unsigned integers: all as the numbers that they are."""
    mixed = [[Fraction(7, 2), np.int64(1)], [np.float64(2.5), 1], [1, Fraction(0)]]
    assert round_with_sums([-1, 0, 0], mixed).tolist() == [[4, 1], [3, 1], [1, 0]]
    far = [[Fraction(2**62)], [np.int64(2**62)], [np.int64(-(2**62))]]
    assert round_with_sums([-1, 0, 0], far).tolist() == [[2**62], [2**62], [0]]
    assert round_with_sums([-1, 0, 0], np.array([4.5, 2.5, 2], dtype=np.float32)).tolist() == [5, 3, 2]
    assert round_with_sums([-1, 0], np.array([2**62, 7], dtype=np.uint64)).tolist() == [2**62] * 2
    assert consistent_totals([-1, 0, 0], np.array([7, 3, 1], dtype=np.uint8), [1, 1, 1]).tolist() == [6, 4, 2]


def test_a_tree_as_the_list_of_its_parents():
    above = as_parents([-1, 0, 1, 0, 2, 2])
    assert children_of(above) == [[1, 3], [2], [4, 5], [], [], []]
    assert is_inner(above).tolist() == [True, True, True, False, False, False]
    assert [level.tolist() for level in levels_of(above)] == [[0], [1, 3], [2], [4, 5]]
    assert children_of(as_parents([-1])) == [[]] and [a.tolist() for a in levels_of(as_parents([-1]))] == [[0]]


REFUSED = [
    ([], "parents must be a list of indices that begins with the root's, which is -1"),
    ([0], "parents must be a list of indices that begins with the root's, which is -1"),
    ([[-1]], "parents must be a list of indices that begins with the root's, which is -1"),
    ([-1, -1], r"parents\[1\] must be the index of an earlier node, from 0 to 0, got -1"),
    ([-1, 0, 2], r"parents\[2\] must be the index of an earlier node, from 0 to 1, got 2"),
    ([-1, 0, 3, 9], r"parents\[2\] must be the index of an earlier node, from 0 to 1, got 3"),
    ([-1, 0.0], "parents must be integers"),
]


@pytest.mark.parametrize(("parents", "message"), REFUSED)
def test_what_is_no_tree_is_refused(parents, message):
    views = np.zeros(len(parents)).tolist()
    for function in (consistent_totals, least_squares):
        with pytest.raises(ValueError, match=f"^{message}"):
            function(parents, views, [1] * len(parents))
    with pytest.raises(ValueError, match=f"^{message}"):
        round_with_sums(parents, views)


@pytest.mark.parametrize(
    ("values", "variances", "message"),
    [
        ([1, 2], [1, 1, 1], r"values must have shape \(3,\) or \(3, classes\), got \(2,\)"),
        ([[[1]], [[2]], [[3]]], [1, 1, 1], r"values must have shape \(3,\) or \(3, classes\), got \(3, 1, 1\)"),
        (5, [1, 1, 1], r"values must have shape \(3,\) or \(3, classes\), got \(\)"),
        ([1, 2, float("nan")], [1, 1, 1], "values must be finite numbers"),
        (np.array([1, 2, np.nan]), [1, 1, 1], "values must be finite numbers"),
        (np.array([1, 2, -np.inf]), [1, 1, 1], "values must be finite numbers"),
        ([1, 2, 2.0**62 + 1024], [1, 1, 1], r"values must be numbers within ±2\*\*62"),
        ([1, 2, 3], [1, 1], "variances must be 3 numbers, one for each node, got 2"),
        ([1, 2, 3], [1, 1, None], r"variances\[2\] must be a number, got None: a node without children needs a view"),
        ([1, 2, 3], [1, None, None], r"variances\[1\] must be a number, got None"),
        ([1, 2, 3], [0, 1, 1], "variances must be from 1e-100 to 1e100"),
        ([1, 2, 3], [1, 1, 1e101], "variances must be from 1e-100 to 1e100"),
        ([1, 2, 3], [1, 9e-101, 1], "variances must be from 1e-100 to 1e100"),
        ([1, 2, 3], [1, "x", 1], "variances must be finite numbers"),
        ([1, 2, 3], [[1], [1], [1]], "variances must be finite numbers of 1 dimension"),
        ([1, 2, 3], 7, "variances must be a list, got 7"),
    ],
)
def test_bad_views_are_refused(values, variances, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        consistent_totals([-1, 0, 0], values, variances)


@pytest.mark.parametrize(
    ("values", "variances", "message"),
    [
        ([1, 2], [1, 1, 1], "values must be 3 numbers, one for each node, got 2"),
        ([1, 2, "x"], [1, 1, 1], "values must be a finite number"),
        ([None, 2, 3], [None, 1, 1], "values must be a finite number"),
        (7, [1, 1, 1], "values must be a list, got 7"),
        ([1, 2, 3], [1, 1, 0], "variances must be greater than 0, got 0"),
        ([1, 2, 3], [1, 1, None], r"variances\[2\] must be a number, got None"),
        ([1, 2, 3], [1, 1], "variances must be 3 numbers, one for each node, got 2"),
    ],
)
def test_bad_views_in_fractions_are_refused(values, variances, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        least_squares([-1, 0, 0], values, variances)


@pytest.mark.parametrize(
    ("estimates", "message"),
    [
        ([1, 2], r"estimates must be numbers of shape \(3,\) or \(3, classes\), got \(2,\)"),
        ([[[1]]] * 3, r"estimates must be numbers of shape \(3,\) or \(3, classes\), got \(3, 1, 1\)"),
        (5, r"estimates must be numbers of shape \(3,\) or \(3, classes\), got \(\)"),
        (["1", "2", "3"], r"estimates must be numbers of shape \(3,\)"),
        ([True, False, True], r"estimates must be numbers of shape \(3,\)"),
        ([1, 2, None], r"estimates must be numbers within ±2\*\*62"),
        ([1, Fraction(2), True], r"estimates must be numbers within ±2\*\*62"),
        ([1, 2, float("nan")], r"estimates must be numbers within ±2\*\*62"),
        ([1, 2, 2.0**62 + 1024], r"estimates must be numbers within ±2\*\*62"),
        ([1, 2, -(2**62) - 1], r"estimates must be numbers within ±2\*\*62"),
    ],
)
def test_bad_estimates_are_refused(estimates, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        round_with_sums([-1, 0, 0], estimates)


@pytest.mark.claim("lem-tree-counts")
@settings(max_examples=25, deadline=None)
@given(growths())
def test_the_counts_of_random_trees(case):
    grown.all_views(*case)
    grown.shown(*case)


@pytest.mark.claim("lem-consistency-free")
def test_counts_come_from_what_was_released():
    rows = [[x % 4, (x * 7) % 5, x % 3] for x in range(30)]
    domain = Domain.from_spec({"features": {"x": [0, 4, 4], "z": [0, 5, 5]}, "classes": [0, 1, 2]})
    trees.only_released((domain, [rows[::2], rows[1::2]]), depth=2, seed=5)


def test_views_of_one_node_are_averaged_by_their_variances():
    views = [View(np.array([6, 0]), 4.0), View(np.array([2, 1]), 1.0), View(np.array([1, 1]), 2.0)]
    best = combined(views)
    assert best.variance == pytest.approx(4 / 7) and best.counts.tolist() == pytest.approx([16 / 7, 6 / 7])


def test_noise_that_no_float_can_tell_from_none():
    """With a budget beyond all need variances are 0 as floats, and the counts are kept."""
    views = [[View(np.array([5, 2]), 0.0)], [View(np.array([3, 2]), 0.0)], [View(np.array([2, 0]), 0.0)]]
    estimates, counts = estimates_and_counts([-1, 0, 0], views)
    assert counts == [(5, 2), (3, 2), (2, 0)] == estimates
