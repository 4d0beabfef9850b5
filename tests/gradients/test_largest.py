"""Sums at the largest sizes are those of Python's integers: no type is too narrow, no float stands still.

Columns are broadcast, so rows and trees take no memory of their own.
"""

import numpy as np
import pytest

from fdpedu.gradients import AdditiveModel, KnownSums
from fdpedu.gradients.additive import MAX_SCALE, MAX_TREES, MAX_WEIGHT
from fdpedu.gradients.sums import intercept_sums, pull_sums
from fdpedu.gradients.table import MAX_STEPS, curvatures, pulls

N = 2**22 + 3  # rows; times the longest pull more than 2³³, and odd, so that a float of 24 bits does not hold it


@pytest.mark.parametrize(("n_leaves", "trees"), [(2, 9), (4, 5), (8, 3), (16, 3), (64, 2)])
@pytest.mark.parametrize("pull", [MAX_STEPS, 1 - MAX_STEPS])
def test_pulls_add_up(n_leaves, trees, pull):
    """All rows in the last leaf but one row of each party's first, whose pull is 1."""
    leaves = np.full((trees, N), n_leaves - 1, dtype=np.uint8)
    leaves[:, 0] = 0
    each = np.full(N, pull)
    each[0] = 1
    found = pull_sums(leaves, n_leaves, each)
    assert found.dtype == np.int64
    assert (
        found.tolist() == [[1, *[0] * (n_leaves - 2), pull * (N - 1)] if n_leaves > 2 else [1, pull * (N - 1)]] * trees
    )


@pytest.mark.parametrize("score", [0, -(2**40), 2**40])
@pytest.mark.parametrize("label", [0, 1])
def test_intercepts_add_up(score, label):
    at = 512 + (512 if score > 0 else -512 if score else 0)
    scores = np.full(N, score)
    scores[0] = 4096  # one row else, so that no sum is a round number
    found = intercept_sums(scores, np.broadcast_to(np.uint8(label), N), MAX_STEPS)
    tables = pulls(MAX_STEPS, MAX_STEPS // 2)[label].tolist(), curvatures(MAX_STEPS).tolist()
    assert found.tolist() == [table[at] * (N - 1) + table[576] for table in tables] and found.dtype == np.int64


@pytest.mark.parametrize("weight", [MAX_WEIGHT, -MAX_WEIGHT, MAX_WEIGHT - 1])
@pytest.mark.parametrize("k", [1, 2, 3, 6])
def test_the_largest_model_is_added_up(weight, k):
    """4,096 trees of the largest weights at the largest scale, known in two steps as well."""
    trees = (((((0, 1),) * k), (weight,) * 2**k),) * MAX_TREES
    columns, rows = np.array([[0, 1, 1]], dtype=np.uint8), np.arange(3)
    model = AdditiveModel(trees, MAX_WEIGHT, MAX_SCALE)
    expected = [weight * MAX_TREES * MAX_SCALE // 16 + MAX_WEIGHT] * 3
    assert model.scores(columns, rows).tolist() == expected
    known = KnownSums(columns)
    known.of(AdditiveModel(trees[: MAX_TREES // 2]))
    assert known.of(model).tolist() == expected
