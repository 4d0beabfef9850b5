"""What a split leaves of rows, in steps: against fractions, for one record more, and for any number of rows."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.cart import LOSSES, exact_scaled_half_gini, split_losses
from fdpedu.cart.losses import MAX_LATTICE

PARTS = {"errors": (1, 0), "gini": (0, 1), "mixed": (Fraction(3, 4), Fraction(1, 4))}
SMALL, ANY = st.integers(0, 9), st.one_of(st.integers(0, 9), st.integers(0, 10**6), st.integers(0, 2**43))


def counts(values, classes=3):
    return st.lists(values, min_size=classes, max_size=classes)


def exact(left, right, loss):
    a, b = PARTS[loss]
    errors = sum(sum(side) - max(side) for side in (left, right))
    return a * errors + b * (exact_scaled_half_gini(left) + exact_scaled_half_gini(right))


@given(counts(ANY), counts(ANY), st.sampled_from(LOSSES), st.sampled_from([1, 4, 1024, 2**16]))
def test_they_are_the_fractions_rounded_down(left, right, loss, lattice):
    found = split_losses([left, right, left], [right, left, [0, 0, 0]], loss, lattice)
    assert found.dtype == np.int64
    assert found.tolist() == [
        math.floor(lattice * exact(*sides, loss)) for sides in ((left, right), (right, left), (left, [0, 0, 0]))
    ]


@pytest.mark.claim("lem-mixed-loss")
@given(counts(ANY), counts(ANY), st.integers(0, 2), st.booleans(), st.sampled_from(LOSSES), st.integers(1, 2**11))
def test_one_record_more_raises_them_by_at_most_the_lattice(left, right, c, to_left, loss, lattice):
    (before,) = split_losses([left], [right], loss, lattice).tolist()
    side = left if to_left else right
    side[c] += 1
    (after,) = split_losses([left], [right], loss, lattice).tolist()
    assert before <= after <= before + lattice


def test_the_mixed_loss_tells_apart_what_errors_do_not():
    left, right = [[5, 0], [3, 1]], [[3, 2], [5, 1]]
    assert split_losses(left, right, "errors", 1).tolist() == [2, 2]
    one, other = split_losses(left, right, "mixed", 1024).tolist()
    assert one < other


def test_many_rows_and_few_are_computed_alike():
    """Where the products are longer than 64 bits, Python's integers take over."""
    for n in (2**17, 2**18, 10**6, 2**30):
        left, right = [[n, n // 3]], [[n // 7, n]]
        for loss in LOSSES:
            assert split_losses(left, right, loss, 1024).tolist() == [math.floor(1024 * exact(left[0], right[0], loss))]


def test_the_largest_losses_are_exact():
    half = [[2**60, 2**60]]
    assert split_losses(half, half, "errors", 1).tolist() == [2**61]
    assert split_losses(half, half, "gini", 1).tolist() == [2**60]
    assert split_losses([[2**51, 0]], [[0, 2**51]]).tolist() == [0]
    assert split_losses([[0, 0], [2**52, 0]], [[0, 0], [0, 0]], "mixed", 2**10).tolist() == [0, 0]


def test_there_may_be_no_split_and_one_class():
    assert split_losses(np.zeros((0, 2), dtype=np.int64), np.zeros((0, 2), dtype=np.int64)).shape == (0,)
    assert split_losses([[3]], [[4]]).tolist() == [0]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (([1, 2], [1, 2]), "left and right must both be of shape (splits, classes), got (2,) and (2,)"),
        (([[1, 2]], [[1, 2, 3]]), "left and right must both be of shape (splits, classes), got (1, 2) and (1, 3)"),
        ((np.zeros((1, 0), int), np.zeros((1, 0), int)), "left and right must both be of shape (splits, classes), got"),
        (([[1, -2]], [[1, 2]]), "left and right must be counts of rows, none below 0"),
        (([[1, 2]], [[-1, 2]]), "left and right must be counts of rows, none below 0"),
        (([[1, 2]], [[1, 2]], "entropy"), "loss must be one of errors, gini, mixed, squared; got 'entropy'"),
        (([[1, 2]], [[1, 2]], 3), "loss must be one of errors, gini, mixed, squared; got 3"),
        (([[1, 2]], [[1, 2]], "gini", 0), "lattice must be an integer ≥ 1, got 0"),
        (([[1, 2]], [[1, 2]], "gini", MAX_LATTICE + 1), "lattice must be at most 1000000, got 1000001"),
        (([[2**62, 2**62]], [[1, 0]], "errors", 1), f"left and right must have at most {2**62} rows together, so that"),
        (
            ([[0, 2**52 + 1]], [[0, 0]]),
            f"left and right must have at most {2**52} rows together, so that losses fit, got",
        ),
        (([[1.5, 2]], [[1, 2]]), "left must be integers within ±2**62"),
        (([[1, 2]], [[1.5, 2]]), "right must be integers within ±2**62"),
    ],
)
def test_the_sentences_of_refusals(arguments, words):
    with pytest.raises(ValueError) as refusal:
        split_losses(*arguments)
    assert str(refusal.value).startswith(words)
