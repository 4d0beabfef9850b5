"""Counts that add up: least squares on a tree of totals, in floats and in fractions."""

from fractions import Fraction

import numpy as np
import pytest

from fdpedu.claims.histograms import least_squares as topic
from fdpedu.histograms import consistent_totals, least_squares
from fdpedu.histograms.parents import as_parents, is_inner
from fdpedu.trees.counts import View, combined, estimates_and_counts

CHAIN, STAR = [-1, 0, 1, 2], [-1, 0, 0, 0, 0]


@pytest.mark.claim("thm-least-squares-tree")
@pytest.mark.parametrize("variances", [[3, 1, 4, 1], [None, 1, None, "1/2"], [None, None, None, 2]])
def test_a_chain_has_one_total(variances):
    """Its views are all of the same number: their inverse-variance mean."""
    topic.normal_equations(CHAIN, [None if v is None else Fraction(v) for v in variances])
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
    topic.normal_equations(parents, [Fraction(1)] * 7)


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
    topic.smallest_variance(STAR, [Fraction(1)] * 5)
    rows = topic.estimator(STAR, [Fraction(1)] * 5)
    assert [sum(x * x for x in row) for row in rows] == [Fraction(4, 5)] * 5


def test_views_of_one_node_are_averaged_by_their_variances():
    views = [View(np.array([6, 0]), 4.0), View(np.array([2, 1]), 1.0), View(np.array([1, 1]), 2.0)]
    best = combined(views)
    assert best.variance == pytest.approx(4 / 7) and best.counts.tolist() == pytest.approx([16 / 7, 6 / 7])


def test_noise_that_no_float_can_tell_from_none():
    """With a budget beyond all need variances are 0 as floats, and the counts are kept."""
    views = [[View(np.array([5, 2]), 0.0)], [View(np.array([3, 2]), 0.0)], [View(np.array([2, 0]), 0.0)]]
    estimates, counts = estimates_and_counts([-1, 0, 0], views)
    assert counts == [(5, 2), (3, 2), (2, 0)] == estimates
