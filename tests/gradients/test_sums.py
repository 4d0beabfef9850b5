"""Exact sums that a party computes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.gradients import curvatures, intercept_sums, positions, pull_sums, pulls


@pytest.mark.claim("lem-one-leaf-a-tree")
@given(st.integers(1, 6), st.integers(1, 10), st.lists(st.integers(-4096, 4096), max_size=12), st.integers(0, 999))
def test_a_leaf_has_the_pulls_of_its_rows(k, trees, pull, seed):
    leaves = np.random.default_rng(seed).integers(0, 2**k, (trees, len(pull)), dtype=np.uint8)
    expected = [[sum(g for g, at in zip(pull, leaf, strict=True) if at == i) for i in range(2**k)] for leaf in leaves]
    found = pull_sums(leaves, 2**k, np.array(pull, dtype=np.int64))
    assert found.dtype == np.int64 and found.tolist() == expected


def test_of_no_rows_all_sums_are_0():
    assert pull_sums(np.zeros((3, 0), dtype=np.uint8), 4, np.zeros(0, dtype=np.int64)).tolist() == [[0] * 4] * 3
    assert intercept_sums(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.uint8), 8).tolist() == [0, 0]


@pytest.mark.claim("lem-intercept-sums")
@given(
    st.lists(st.tuples(st.integers(-40_000, 40_000), st.integers(0, 1)), max_size=9), st.sampled_from([1, 2, 3, 32, 99])
)
def test_the_pair_is_row_by_row(rows, half):
    scores, labels = np.array([s for s, _ in rows], dtype=np.int64), np.array([y for _, y in rows], dtype=np.uint8)
    at = positions(scores)
    g = sum(int(pulls(2 * half, half)[y, i]) for y, i in zip(labels, at, strict=True))
    assert intercept_sums(scores, labels, 2 * half).tolist() == [g, sum(int(curvatures(2 * half)[i]) for i in at)]
