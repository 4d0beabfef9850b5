"""When a node becomes a leaf: what each rule says of counts, and what the noise is taken to be."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.exact import Rate
from fdpedu.sources.gubler.tree import stops_as_printed
from fdpedu.trees import stopping
from fdpedu.trees.stopping import Level, as_printed, averaged, confident, noise_deviation


def level(totals, deviation=0.0, p=2, codes=3):
    """A level whose nodes have these totals, all rows in the first code of every feature."""
    tables = np.zeros((len(totals), p * codes, len(totals[0])), dtype=np.int64)
    tables[:, ::codes] = np.array(totals)[:, None, :]
    return Level(tables, np.ones(tables.shape[:2], dtype=bool), np.arange(p) * codes, deviation)


@given(st.lists(st.tuples(*[st.integers(0, 30)] * 2), min_size=1, max_size=5), st.integers(0, 40))
def test_without_noise_all_rules_agree(totals, least):
    """They are then CART's: fewer rows than asked for, or one class."""
    expected = [sum(node) < least or np.count_nonzero(node) <= 1 for node in totals]
    for rule in (confident, averaged, as_printed):
        assert rule(level(totals), least).tolist() == expected


@given(st.lists(st.tuples(*[st.integers(-50, 50)] * 3), min_size=1, max_size=4), st.integers(0, 40), st.integers(1, 60))
def test_confidence_only_keeps_nodes_open(totals, least, deviation):
    """More noise never stops a node that less noise kept open."""
    stops = [confident(level(totals, d), least) for d in (deviation, 2 * deviation)]
    assert not (stops[1] & ~stops[0]).any()


def test_the_bound_is_95_percent_of_a_normal_law():
    """4 features of 8 codes, 2 classes: the averaged total has 64 noises of deviation 5, divided by 4."""
    of = level([(3, 4)], 5.0, p=4, codes=8)
    assert of.bounds(of.totals().sum(axis=1), 2)[0] == pytest.approx(7 + 1.6449 * 5 * 8 / 4, abs=1e-3)
    assert of.bounds(of.totals(), 1)[0] == pytest.approx(np.array([3, 4]) + 1.6449 * 5 * 32**0.5 / 4, abs=1e-3)


@pytest.mark.claim("lem-confident-stopping")
@given(st.fractions(Fraction(1, 10), Fraction(99, 100), max_denominator=100), st.integers(1, 200), st.integers(1, 200))
def test_the_variance_of_a_cell(alpha, parties, n_noise_shares):
    """K/m·2α/(1−α)², as a fraction."""
    exact = Fraction(parties, n_noise_shares) * 2 * alpha / (1 - alpha) ** 2
    assert noise_deviation(Rate.of(alpha=alpha), parties, n_noise_shares) ** 2 == pytest.approx(float(exact), rel=1e-9)


def test_the_printed_rule_looks_at_every_feature():
    """One feature that counts enough rows, or sees a second class, keeps the node open."""
    tables = np.array(
        [[[3, 3], [0, 0], [9, 9], [0, 0]], [[3, 3], [0, 0], [4, 4], [0, 0]], [[9, 0], [0, 0], [9, 1], [0, 0]]]
    )
    seen = Level(tables, np.ones((3, 4), dtype=bool), np.array([0, 2]), 1.0)
    assert as_printed(seen, 10).tolist() == [False, True, False]


def test_codes_outside_the_node_carry_no_doubt():
    """The bound of a node of half the codes has half the noises."""
    seen = level([(5, 5), (5, 5)], 4.0)
    seen.inside[1, 1::3] = False
    wide, narrow = seen.bounds(seen.totals().sum(axis=1), 2) - 10
    assert narrow == pytest.approx(wide * (4 / 6) ** 0.5)


def test_the_printed_stops():
    """All features count too few; or all but one class have no positive total anywhere. Counts are raw."""
    first, ones = np.array([0, 2]), np.ones((4, 4), dtype=bool)
    tables = np.array(
        [
            [[9, 3], [-9, 4], [2, 2], [1, 1]],  # 7 and 6 rows; clipped, the first feature would count 16
            [[9, 3], [-2, 4], [2, 2], [1, 1]],  # 14
            [[9, -3], [2, 2], [8, -1], [9, 1]],  # the second class has −1 and 0
            [[9, -3], [2, 2], [8, -1], [9, 2]],  # and here 1
        ]
    )
    level = Level(tables, ones, first, 1.0)
    assert stops_as_printed(level, 10).tolist() == [True, False, True, False]
    assert stops_as_printed(level, 7).tolist() == [False, False, True, False]
    assert stops_as_printed(level, 8).tolist() == [True, False, True, False]


@pytest.mark.parametrize("rule", [averaged, as_printed, stops_as_printed, confident])
@pytest.mark.parametrize(("counts", "stops"), [((9, 1), False), ((9, 0), True), ((1, 9), False), ((0, 9), True)])
def test_one_row_of_a_second_class_keeps_a_node_open(rule, counts, stops):
    """One feature, no noise; and of ten rows that are asked for, none may lack."""
    tables = np.array([[[0, 0], counts]])
    level = Level(tables, np.ones((1, 2), dtype=bool), np.array([0]), 0.0)
    assert rule(level, 2).tolist() == [stops] == rule(level, sum(counts)).tolist()
    assert rule(level, sum(counts) + 1).tolist() == [True]


def one_node(counts, deviation):
    """One node of one feature with four codes, all rows in the first."""
    tables = np.zeros((1, 4, len(counts)), dtype=np.int64)
    tables[0, 0] = counts
    return Level(tables, np.ones((1, 4), dtype=bool), np.array([0]), deviation)


def test_a_class_is_there_if_beyond_the_noise_it_has_one_row():
    """The bound of a class is its total and 1.645 deviations of four cells; of both classes, of eight."""
    spread = 1.6448536269514722 * 2
    for total, deviation, there in (
        (1, 0.0, True),
        (0, 0.0, False),
        (0, 0.99 / spread, False),
        (0, 1.01 / spread, True),
        (-1, 1.99 / spread, False),
        (-1, 2.01 / spread, True),
    ):
        assert confident(one_node([90, total], deviation), 2).tolist() == [not there]
    for deviation, few in ((2.99 / spread / 2**0.5, True), (3.01 / spread / 2**0.5, False)):
        assert confident(one_node([4, 3], deviation), 10).tolist() == [few]


def test_totals_and_bounds_are_of_the_features_that_were_asked_for():
    """Two of three features: the averaged total is a half of the sum, and its noise that of the codes of two."""
    tables = np.zeros((1, 9, 2), dtype=np.int64)
    tables[0, [0, 3]] = [[6, 2], [4, 4]]
    inside = np.array([[True] * 6 + [False] * 3])
    seen = Level(tables, inside, np.array([0, 3, 6]), 2.0)
    assert seen.n_features == 2 and seen.totals().tolist() == [[10, 6]]
    means, variances = seen.best_totals()
    assert means.tolist() == [[5, 3]] and variances.tolist() == [4 / (2 / 3)]
    assert seen.bounds(seen.totals().sum(axis=1), 2)[0] == pytest.approx(8 + 1.6448536 * 2 * 12**0.5 / 2)
    assert [stopping.averaged(seen, n).tolist() for n in (8, 9)] == [[False], [True]]
    for rule in (stopping.as_printed, stops_as_printed):
        assert [rule(seen, n).tolist() for n in (8, 9)] == [[False], [True]]
    assert Level(tables[:0], inside[:0], np.array([0, 3, 6]), 2.0).n_features == 3
