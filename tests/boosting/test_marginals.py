"""What follows from released histograms, against exact fractions."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.boosting import Marginals, Rules
from fdpedu.boosting.marginals import class_weights
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.randomness import ReplayedWords

DOMAIN = Domain([Numeric.grid("x", 0, 4, bins=4, missing=True), Categorical("w", ("A", "B", "C"))], ("well", "ill"))
tables = st.lists(st.tuples(st.integers(-5, 40), st.integers(-5, 40)), min_size=8, max_size=8)


def exact_shares(table):
    for part in (table[:5], table[5:]):
        kept = [max(0, a + b) for a, b in part]
        yield [Fraction(k, sum(kept)) if any(kept) else Fraction(1, len(kept)) for k in kept]


@given(tables)
def test_shares_are_counts_that_are_not_negative(table):
    found = Marginals(DOMAIN, np.array(table)).shares
    for got, exact in zip(found, exact_shares(table), strict=True):
        assert got.tolist() == [float(share) for share in exact]


def test_where_nothing_is_left_all_codes_are_alike():
    found = Marginals(DOMAIN, np.full((8, 2), -3))
    assert found.shares[0].tolist() == [0.2] * 5 and found.cuts(0, 8) == (0, 1, 2)


@given(tables, st.integers(2, 12))
def test_cuts_are_the_least_codes_up_to_which_a_share_lies(table, quantiles):
    """Of the bins alone: missing values are no part of it. The last bin's edge divides nothing."""
    bins = next(exact_shares(table))[:4]
    found = Marginals(DOMAIN, np.array(table)).cuts(0, quantiles)
    if not sum(bins):
        assert found == (0, 1, 2)
        return
    ends = [sum(bins[: c + 1]) / sum(bins) for c in range(4)]
    expected = {min(c for c in range(4) if ends[c] >= Fraction(k, quantiles)) for k in range(1, quantiles)} - {3}
    assert found == (tuple(sorted(expected)) or (0, 1, 2))


def test_where_all_rows_are_in_the_last_bin_every_cut_is_allowed():
    table = np.zeros((8, 2), dtype=np.int64)
    table[3] = table[6] = 9
    assert Marginals(DOMAIN, table).cuts(0, 8) == (0, 1, 2)
    table[4] = 99  # values that are missing change nothing
    assert Marginals(DOMAIN, table).cuts(0, 8) == (0, 1, 2)


@given(tables)
def test_classes_are_counted_by_every_feature_those_with_few_codes_best(table):
    sums = [[sum(row[y] for row in part) for y in (0, 1)] for part in (table[:5], table[5:])]
    exact = [(Fraction(sums[0][y], 5) + Fraction(sums[1][y], 3)) / (Fraction(1, 5) + Fraction(1, 3)) for y in (0, 1)]
    assert Marginals(DOMAIN, np.array(table)).class_counts() == pytest.approx([float(x) for x in exact], abs=1e-9)


questions = st.one_of(st.tuples(st.just(0), st.integers(0, 31)), st.tuples(st.just(1), st.integers(0, 7)))


@given(tables, st.lists(questions, min_size=1, max_size=4).map(tuple))
def test_a_leaf_has_the_share_of_its_cells(table, asked):
    shares, found = list(exact_shares(table)), [Fraction(0)] * 2 ** len(asked)
    for cell in product(range(5), range(3)):
        leaf = int("".join("10"[mask >> cell[feature] & 1] for feature, mask in asked), 2)
        found[leaf] += shares[0][cell[0]] * shares[1][cell[1]]
    got = Marginals(DOMAIN, np.array(table)).leaf_shares(asked)
    assert got.tolist() == pytest.approx([float(x) for x in found], abs=1e-12) and sum(found) == 1


def test_made_up_rows_are_drawn_feature_by_feature_from_the_shares():
    """A word is a place between 0 and 1, and the code is the one whose part of it that is; nothing has no part."""
    table = np.array([[0, 0], [1, 0], [2, 1], [0, 0], [4, 0], [3, 0], [0, -1], [0, 1]])
    places = [0, 31, 32, 127, 128, 255]
    words = [place * 2**56 for place in places] * 2
    found = Marginals(DOMAIN, table).rows(6, ReplayedWords(words))
    assert found.dtype == np.uint8 and found.shape == (2, 6)
    assert found.tolist() == [[1, 1, 2, 2, 4, 4], [0, 0, 0, 0, 0, 2]]


def test_rounding_makes_no_code_that_there_is_not():
    shares = np.array([[1, 0]] * 5 + [[1, 0]] * 3)
    found = Marginals(DOMAIN, shares).rows(1, ReplayedWords([2**64 - 1] * 2))
    assert found.tolist() == [[4], [2]]


def weights(first, second, weighted=True):
    table = np.zeros((8, 2), dtype=np.int64)
    table[0] = table[5] = first, second
    return class_weights(Marginals(DOMAIN, table), Rules("trees", 1000, 1, 1, 1, 8, 2.0, weighted))


@given(st.integers(-3, 5000), st.integers(-3, 5000))
def test_the_more_frequent_class_weighs_less_by_the_root_of_the_ratio(first, second):
    """In units of 256; never more than 1, never 0; and what all rows weigh together is N times their mean weight."""
    a, b, whole = weights(first, second)
    n, m = max(1, first), max(1, second)
    lighter = max(1, round(256 * math.sqrt(min(n, m) / max(n, m))))
    assert (a, b) == (lighter if n > m else 256, lighter if m > n else 256)
    assert whole == pytest.approx(1000 * (a * n + b * m) / (256 * (n + m)))


def test_without_a_rule_for_it_classes_weigh_the_same():
    assert weights(10, 9000, weighted=False) == (256, 256, 1000.0)
    assert weights(1, 10**9)[:2] == (256, 1)
