"""What a split leaves of rows, in steps: against fractions, for one record more, and for any number of rows."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.cart import ALL_LOSSES, LOSSES, TARGET_LOSSES, exact_scaled_half_gini, split_losses
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


# --- numbers: the squared loss ----------------------------------------------------------------------------------------


def squared(left, right):
    """Σ(y−mean)² of both sides from the definition: each record at its place, one after the other."""
    total = Fraction(0)
    for side in (left, right):
        records = [Fraction(k, max(len(side) - 1, 1)) for k, n in enumerate(side) for _ in range(n)]
        mean = sum(records) / max(len(records), 1)
        total += sum((y - mean) ** 2 for y in records)
    return total


def by_moments(left, right):
    """The same by Σy² − (Σy)²/n, for any number of rows."""
    total, last = Fraction(0), max(len(left) - 1, 1)
    for side in (left, right):
        first, second = (sum(n * Fraction(k, last) ** power for k, n in enumerate(side)) for power in (1, 2))
        total += second - first**2 / max(sum(side), 1)
    return total


@given(
    st.integers(1, 6).flatmap(lambda K: st.tuples(counts(SMALL, K), counts(SMALL, K))),
    st.sampled_from([1, 3, 1024, 2**16]),
)
def test_the_squared_loss_is_the_scatter_around_two_means_rounded_down(sides, lattice):
    left, right = sides
    assert squared(left, right) == by_moments(left, right)
    found = split_losses([left, right], [right, [0] * len(left)], "squared", lattice)
    expected = [squared(left, right), squared(right, [0] * len(left))]
    assert found.dtype == np.int64 and found.tolist() == [math.floor(lattice * loss) for loss in expected]


@pytest.mark.parametrize(("levels", "most", "lattice"), [(2, 5, 1), (3, 3, 7), (4, 2, 1024), (3, 3, 2**16)])
def test_one_record_more_raises_the_squared_loss_by_at_most_the_lattice_exhaustively(levels, most, lattice):
    """Every pair of sides of so few rows a level, and every level of the record that comes."""
    every = list(product(range(most + 1), repeat=levels))
    greatest, before = 0, {}
    for right in every[:: max(1, len(every) // 40)]:
        losses = split_losses(every, [right] * len(every), "squared", lattice).tolist()
        before[right] = dict(zip(every, losses, strict=True))
        for c in range(levels):
            more = [tuple(n + (k == c) for k, n in enumerate(side)) for side in every]
            after = split_losses(more, [right] * len(every), "squared", lattice).tolist()
            steps = [late - early for late, early in zip(after, losses, strict=True)]
            assert 0 <= min(steps) and max(steps) <= lattice
            greatest = max(greatest, *steps)
    assert greatest >= lattice // 2  # a second record at the other end: n/(n+1) of a step of 1


@given(
    st.integers(2, 40).flatmap(lambda K: st.tuples(counts(ANY, K), counts(ANY, K), st.integers(0, K - 1))),
    st.booleans(),
    st.integers(1, 2**11),
)
def test_one_record_more_raises_the_squared_loss_by_at_most_the_lattice(drawn, to_left, lattice):
    left, right, c = drawn
    (before,) = split_losses([left], [right], "squared", lattice).tolist()
    (left if to_left else right)[c] += 1
    (after,) = split_losses([left], [right], "squared", lattice).tolist()
    assert before <= after <= before + lattice


@given(st.integers(2, 5).flatmap(lambda K: st.tuples(counts(SMALL, K), st.integers(0, K - 1))))
def test_a_record_raises_the_scatter_by_n_over_n_plus_1_of_its_square(drawn):
    side, c = drawn
    n, last = sum(side), len(side) - 1
    mean = Fraction(sum(k * m for k, m in enumerate(side)), max(n, 1) * last)
    more = [m + (k == c) for k, m in enumerate(side)]
    nothing = [0] * len(side)
    assert squared(more, nothing) - squared(side, nothing) == Fraction(n, n + 1) * (Fraction(c, last) - mean) ** 2


@pytest.mark.parametrize("levels", [2, 16, 256])
@pytest.mark.parametrize("rows", [9, 70_000, 2**31])
def test_the_squared_loss_is_exact_for_any_number_of_rows(levels, rows):
    """Where the products are longer than 64 bits, Python's integers take over."""
    left = [[rows - k for k in range(levels)] if rows > levels else [rows] * levels]
    right = [[rows // (k + 1) for k in range(levels)]]
    (found,) = split_losses(left, right, "squared", 1024).tolist()
    assert found == math.floor(1024 * by_moments(left[0], right[0]))


def test_the_size_at_which_long_integers_take_over_is_no_border():
    """Around the last number of rows for which 64 bits are used, for K levels."""
    for levels in (2, 16, 256):
        last = round((2**62 / (24 * 1024 * levels**2)) ** (1 / 3))
        for rows in range(last - 2, last + 3):
            left, right = [rows // 2] + [0] * (levels - 2) + [rows // 4], [rows // 4] * 1 + [0] * (levels - 1)
            (found,) = split_losses([left], [right], "squared", 1024).tolist()
            assert found == math.floor(1024 * by_moments(left, right))


@pytest.mark.parametrize("rows", [1000, 50_000])
def test_many_levels_need_longer_integers_than_few(rows):
    """So few rows that 64 bits would do for two levels; of 256 they do not."""
    ends = [rows // 4] + [0] * 254 + [rows // 4]
    assert split_losses([ends], [ends], "squared", 1024).tolist() == [256 * rows]


def test_the_largest_squared_losses_fit():
    half = [[2**60, 2**60]]
    assert split_losses(half, half, "squared", 1).tolist() == [2**60]
    assert split_losses([[2**61, 0]], [[0, 2**61]], "squared", 1).tolist() == [0]
    with pytest.raises(ValueError, match="at most 4611686018427387904 rows together, so that losses fit"):
        split_losses(half, [[2**61, 1]], "squared", 1)


def test_of_two_levels_the_squared_loss_is_gini_and_levels_have_an_order():
    left, right = [[3, 1]], [[0, 2]]
    assert split_losses(left, right, "squared", 4096).tolist() == split_losses(left, right, "gini", 4096).tolist()
    near, far = [[2, 2, 0]], [[2, 0, 2]]
    none = [[0, 0, 0]]
    assert split_losses(near, none, "gini", 8).tolist() == split_losses(far, none, "gini", 8).tolist()
    assert split_losses(near, none, "squared", 8).tolist() < split_losses(far, none, "squared", 8).tolist()


def test_losses_are_those_of_classes_and_those_of_targets():
    assert ALL_LOSSES == (*LOSSES, *TARGET_LOSSES) and TARGET_LOSSES == ("squared",)
    assert split_losses([[5]], [[0]], "squared", 8).tolist() == [0]
    assert split_losses(np.zeros((0, 3), dtype=np.int64), np.zeros((0, 3), dtype=np.int64), "squared").shape == (0,)
