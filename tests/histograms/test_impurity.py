"""Algorithm 2 by secure sums, Algorithm 4 as printed and mended, clipping."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from fdpedu.claims.checking import Refuted
from fdpedu.claims.histograms import laws_impurity as law
from fdpedu.histograms import (
    PrintedChoice,
    choice_as_printed,
    clip,
    clipping_bias,
    impurity_as_printed,
    impurity_from_counts,
    negative_choices,
    summed_impurity,
)
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.secure_sum import pairwise_keys

tables = st.tuples(st.integers(2, 9), st.integers(1, 6)).flatmap(
    lambda shape: arrays(np.int64, shape, elements=st.integers(-50, 99))
)


# --- Algorithm 4, mended ---


@pytest.mark.claim("alg-noisy-impurity")
@given(tables)
def test_impurity_of_any_number_of_classes(table):
    law.noisy_impurity(table.tolist())


def test_impurity_of_large_counts():
    """Ten million in a cell, four classes; bins at the ends decide as those within."""
    law.noisy_impurity([[10**7, 0, -(10**7), 3], [0, 10**7, 5, 10**7 - 1], [10**7, 10**7, 10**7, 10**7]])
    assert impurity_from_counts([[1, 0], [0, 0], [0, 1]]).tolist() == [0.0, 0.0]
    assert impurity_from_counts([[1, 1, 1], [2, 0, 0]]).tolist() == [0.2]
    assert impurity_from_counts([[-1, -5], [0, -2]]).tolist() == [0.0]


@pytest.mark.parametrize("function", [impurity_from_counts, impurity_as_printed])
@pytest.mark.parametrize("counts", [[1, 2], [[None, 1]], "counts", [[[1, 2]]]])
def test_what_is_no_table_is_refused(function, counts):
    with pytest.raises(ValueError, match=r"^counts must be finite numbers of 2 dimensions, got \w+ of shape"):
        function(counts)


@pytest.mark.parametrize("function", [impurity_from_counts, impurity_as_printed])
def test_counts_that_floats_do_not_hold_are_refused(function):
    assert function([[2**53, 0], [0, 2**53]]).tolist() == [0.0]
    for count in (2.0**54, -(2.0**54), 1e308):
        with pytest.raises(ValueError) as refused:
            function([[count, 1], [1, 1]])
        assert str(refused.value) == "counts must lie within ±2**53, where floats are whole numbers"


def test_estimates_below_1_are_weighed_too():
    """Shares of a node that has less than one row by estimate: the impurity does not depend on the unit."""
    assert impurity_from_counts([[0.25, 0.25], [0, 0]]).tolist() == impurity_from_counts([[5, 5], [0, 0]]).tolist()


# --- Algorithm 4, as printed ---


@pytest.mark.claim("alg-noisy-impurity-as-printed")
def test_as_printed_it_can_be_better_than_perfect():
    with pytest.raises(Refuted, match=r"G of border 1 is -2\.0"):
        law.impurity_of_noisy_counts_as_printed([[-1, 2], [-1, 2]])
    law.impurity_of_noisy_counts_as_printed([[1, 2], [3, 2]])


@given(arrays(np.int64, st.tuples(st.integers(2, 6), st.just(2)), elements=st.integers(-4, 9)))
def test_as_printed_by_definition(table):
    """Line by line, in fractions, wherever nothing is divided by 0."""
    for border, value in enumerate(impurity_as_printed(table), 1):
        sides = [table[:border].sum(axis=0).tolist(), table[border:].sum(axis=0).tolist()]
        n = sum(map(sum, sides))
        if n and all(map(sum, sides)):
            shares = [(Fraction(sum(side), n), Fraction(side[1], sum(side))) for side in sides]
            assert value == pytest.approx(float(sum(weight * p * (1 - p) for weight, p in shares)), abs=1e-9)


def test_as_printed_where_it_divides_by_0():
    """0/0 gives no number, a total of 0 an infinite one; neither warns."""
    assert math.isnan(impurity_as_printed([[0, 0], [1, 1]])[0])
    assert math.isinf(impurity_as_printed([[-1, -1], [3, -1]])[0])
    with pytest.raises(ValueError) as refused:
        impurity_as_printed([[1, 2, 3], [1, 2, 3]])
    assert str(refused.value) == "counts must have two classes, got 3"


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
    with pytest.raises(ValueError) as refused:
        choice_as_printed([[[0, 0], [1, 1]]])
    assert str(refused.value) == "no border has an impurity as printed: every one of them divides 0 by 0"


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


def test_runs_are_counted_one_by_one():
    """From the same words: the choices from what a release of rate ε/p adds to the counts, run by run."""
    from fdpedu.exact import Rate
    from fdpedu.mechanisms import discrete_laplace_noise

    tables, source, found = [np.array([[3, 1], [1, 2]]), np.array([[2, 0], [1, 1], [1, 2]])], Rehearsal(4), 0
    for _ in range(40):
        noisy = [t + discrete_laplace_noise(Rate.of("1/4"), t.size, source).reshape(t.shape) for t in tables]
        found += choice_as_printed(noisy).rests_on_a_negative_count
    assert negative_choices([t.tolist() for t in tables], "1/2", 40, Rehearsal(4)) == found > 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([], 1), "histograms must be a list of tables of shape (bins, 2), with at least 2 bins each"),
        (([[[1, 2]]], 1), "histograms must be a list of tables of shape (bins, 2), with at least 2 bins each"),
        (([[1, 2], [3, 4]], 1), "histograms must be a list of tables of shape (bins, 2), with at least 2 bins each"),
        (([[[1, 2, 3]] * 2], 1), "histograms must be a list of tables of shape (bins, 2), with at least 2 bins each"),
        ((None, 1), "histograms must be a list, got None"),
        (([[[1, 2]] * 2], 0), "epsilon must be greater than 0, got 0"),
        (([[[1, 2]] * 2], 1, 0), "runs must be an integer ≥ 1, got 0"),
        (([[[1, 2]] * 2], 1, 10**6 + 1), "runs must be at most 1000000, got 1000001"),
    ],
)
def test_no_choices_of_what_is_no_node(arguments, message):
    with pytest.raises(ValueError) as refused:
        negative_choices(*arguments)
    assert str(refused.value) == message
    if len(arguments) == 2 and arguments[1]:
        with pytest.raises(ValueError) as refused:
            choice_as_printed(arguments[0])
        assert str(refused.value) == message


def test_counts_that_would_overflow_have_no_choice():
    assert choice_as_printed([[[2**52, 0], [0, 2**52]]]).left == (2**52, 0)
    for count in (2**52 + 1, -(2**52) - 1, 2**62):
        with pytest.raises(ValueError) as refused:
            choice_as_printed([[[1, 1], [1, 1]], [[count, 1], [1, 1]]])
        message = "histograms must have counts that add up to at most 2**53, where floats are whole numbers"
        assert str(refused.value) == message


def test_real_counts_have_no_choice():
    with pytest.raises(ValueError, match=r"^histograms must be integers within"):
        choice_as_printed([[[0.5, 1], [1, 1]]])


# --- clipping ---


@pytest.mark.claim("lem-clipping")
@pytest.mark.parametrize(("count", "alpha"), list(product((0, 1, 40), (Fraction(1, 5), Fraction(199, 200)))))
def test_clipping_raises_the_mean_by_so_much(count, alpha):
    law.clipping_mean(count, alpha, 3)
    law.clipping_mean(count, alpha, 0)


@pytest.mark.claim("lem-clipping")
def test_clipping_takes_no_count_farther_away():
    for count, noisy in product((0, 5), (-7, -1, 0, 3, 9)):
        law.clipping_is_no_farther(count, noisy)
    assert clip(np.array([[-2, 0], [3, -1]])).tolist() == [[0, 0], [3, 0]]


def test_the_bias_in_numbers():
    """By hand; enclosed with ε; and close to (b/2)·e^(−c/b) where b is large."""
    assert clipping_bias(0, alpha="1/2") == Fraction(2, 3) and clipping_bias(3, alpha="1/2") == Fraction(1, 12)
    enclosed = clipping_bias(0, "1/10")
    assert abs(float(enclosed) - 1 / (2 * math.sinh(0.1))) < 1e-12 and enclosed.upper - enclosed.lower < 1e-30
    b, c = 1000, 700
    assert float(clipping_bias(c, f"1/{b}")) == pytest.approx(b / 2 * math.exp(-c / b), rel=1e-5)
    assert float(clipping_bias(2**53, alpha=None, epsilon=1)) < 1e-30


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((-1, 1), "count must be an integer ≥ 0, got -1"),
        ((2**53 + 1, 1), "count must be at most 9007199254740992, got 9007199254740993"),
        ((0, 0), "epsilon must be greater than 0, got 0"),
        ((0,), "give exactly one of epsilon and alpha (alpha = e^(−epsilon/sensitivity))"),
    ],
)
def test_no_bias_of_what_is_no_count(arguments, message):
    with pytest.raises(ValueError) as refused:
        clipping_bias(*arguments)
    assert str(refused.value) == message


# --- Algorithm 2 by secure sums ---


@pytest.mark.claim("lem-summed-split")
@given(
    st.tuples(st.integers(1, 4), st.integers(1, 4)).flatmap(
        lambda s: arrays(np.int64, (2, *s), elements=st.integers(0, 9))
    )
)
def test_summed_counts_give_the_pooled_impurity(counts):
    law.summed_split(counts[0].tolist(), counts[1].tolist())


def test_parties_without_rows_on_a_side():
    """Where Algorithm 2 as printed divides by 0; without rows it is 0; the largest counts are not reduced."""
    assert summed_impurity([[2, 1], [0, 0]], [[0, 1], [0, 4]]) == Fraction(1, 12)
    assert summed_impurity([[0, 0]], [[0, 0]]) == 0 and summed_impurity([[0]], [[7]]) == 0
    most = [[2**40, 0, 2**40]] * 3
    assert summed_impurity(most, most) == Fraction(1, 4)


def test_the_given_keys_are_used_once():
    keys = pairwise_keys(2)
    assert summed_impurity([[1, 0], [1, 0]], [[0, 1], [0, 1]], keys=keys) == 0
    with pytest.raises(ValueError):
        summed_impurity([[1, 0], [1, 0]], [[0, 1], [0, 1]], keys=keys)
    with pytest.raises(ValueError, match="there are 3 parties but 2 sets of keys"):
        summed_impurity([[1, 0]] * 3, [[0, 1]] * 3, keys=pairwise_keys(2))


@pytest.mark.parametrize(
    ("left", "right", "message"),
    [
        ([[1, 2]], [[1, 2], [3, 4]], "left and right must have one shape, got (1, 2) and (2, 2)"),
        ([[1, -2]], [[1, 2]], "left must be counts from 0 to 2**40 of shape (parties, classes), got (1, 2)"),
        ([[1, 2]], [[1, 2**40 + 1]], "right must be counts from 0 to 2**40 of shape (parties, classes), got (1, 2)"),
        ([[1, 2]], [1, 2], "right must be counts from 0 to 2**40 of shape (parties, classes), got (2,)"),
        ([[]], [[1]], "left must be counts from 0 to 2**40 of shape (parties, classes), got (1, 0)"),
    ],
)
def test_no_impurity_of_what_are_no_counts(left, right, message):
    with pytest.raises(ValueError) as refused:
        summed_impurity(left, right)
    assert str(refused.value) == message


def test_quotients_are_no_counts():
    with pytest.raises(ValueError, match=r"^left must be integers within"):
        summed_impurity([[0.5]], [[1]])
    with pytest.raises(ValueError, match=r"^right must be integers within"):
        summed_impurity([[1]], [[0.5]])
