"""The choice of Algorithm 4 as printed, and how often it rests on negative counts."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.sources.gubler import (
    PrintedChoice,
    choice_as_printed,
    federated_impurity_as_printed,
    impurity_as_printed,
    negative_choices,
)


def test_the_choice_as_printed():
    """The smallest over all features and borders, the first of equals; NaN is passed over."""
    plain = [[5, 1], [1, 6], [2, 0]]
    choice = choice_as_printed([plain, [[4, -1], [2, 4], [2, 4]]])
    assert choice == PrintedChoice(1, 0, impurity_as_printed([[4, -1], [2, 4], [2, 4]])[0], (4, -1), (4, 8))
    assert choice.rests_on_a_negative_count
    assert choice_as_printed([plain, plain]) == choice_as_printed([plain]) == choice_as_printed([np.array(plain)])
    assert choice_as_printed([plain]).feature == 0 and choice_as_printed([plain]).border == 0
    assert choice_as_printed([plain]).left == (5, 1) and choice_as_printed([plain]).right == (3, 6)
    assert not choice_as_printed([plain]).rests_on_a_negative_count
    late = choice_as_printed([[[0, 0], [9, 1], [1, 8]]])
    assert (late.border, late.left, late.right) == (1, (9, 1), (1, 8))
    second = choice_as_printed([[[0, 0], [1, 1]], [[3, 3], [2, 2]], [[3, 0], [0, 3]]])
    assert (second.feature, second.impurity) == (2, 0)


@pytest.mark.parametrize(
    "sides", [((-1, 2), (3, 4)), ((1, -2), (3, 4)), ((1, 2), (-3, 4)), ((1, 2), (3, -4)), ((0, 0), (0, 0))]
)
def test_a_choice_rests_on_each_of_its_four_counts(sides):
    expected = min(*sides[0], *sides[1]) < 0
    assert PrintedChoice(0, 0, 0.0, *sides).rests_on_a_negative_count == expected


def test_how_often_the_printed_choice_rests_on_negative_counts():
    """Ten features at 1/10: nearly always. Of many rows: never. Without noise: never. The share of ε is that of p."""
    counts = [[[9, 2], [4, 5], [0, 8]]] * 10
    assert negative_choices(counts, 1, runs=100, rng=Rehearsal(1)) == 100
    assert negative_choices(counts, 1, 100, ZeroWords()) == 0
    assert negative_choices([[[900, 200], [400, 500], [300, 800]]] * 10, 1, runs=30, rng=Rehearsal(1)) == 0
    one, ten = (negative_choices(counts[:p], p, 400, Rehearsal(2)) for p in (1, 10))
    assert 0 < one < ten < 400
    assert negative_choices(counts[:1], 1, rng=Rehearsal(2)) == negative_choices(counts[:1], 1, 200, Rehearsal(2))


tables = st.tuples(st.integers(2, 9), st.integers(1, 6)).flatmap(
    lambda shape: arrays(np.int64, shape, elements=st.integers(-50, 99))
)


def test_runs_are_counted_one_by_one():
    """From the same words: the choices from what a release of rate ε/p adds to the counts, run by run."""
    from fdpedu.exact import Rate
    from fdpedu.mechanisms import discrete_laplace_noise

    tables, source, found = [np.array([[3, 1], [1, 2]]), np.array([[2, 0], [1, 1], [1, 2]])], Rehearsal(4), 0
    for _ in range(40):
        noisy = [t + discrete_laplace_noise(Rate.of("1/4"), t.size, source).reshape(t.shape) for t in tables]
        found += choice_as_printed(noisy).rests_on_a_negative_count
    assert negative_choices([t.tolist() for t in tables], "1/2", 40, Rehearsal(4)) == found > 0


def test_the_largest_counts_have_a_choice():
    assert choice_as_printed([[[2**52, 0], [0, 2**52]]]).left == (2**52, 0)


def test_a_run_in_which_every_border_divides_by_nothing_rests_on_nothing():
    assert negative_choices([[[0, 0], [0, 0]]], 50, 10, Rehearsal(1)) == 0


pairs_of_counts = st.tuples(st.integers(0, 9), st.integers(0, 9)).filter(any)


@given(*[st.lists(pairs_of_counts, min_size=1, max_size=4)] * 2)
def test_the_federated_impurity_is_that_of_the_sums(left, right):
    """Algorithm 2, where no party is empty: of both sides n/N·(b/n)(1 − b/n), and b = Σ n_k·(b_k/n_k) with any n_k."""
    sides = [[sum(column) for column in zip(*side, strict=True)] for side in (left, right)]
    total = sum(map(sum, sides))
    expected = sum(Fraction(a * b, (a + b) * total) for a, b in sides)
    assert federated_impurity_as_printed(left, right) == expected
