"""The rules on counts, one by one: as printed, and as the published code has them; of odd counts, to the letter."""

import numpy as np
import pytest

from fdpedu.sources.gubler import Faults, choice_as_printed
from fdpedu.sources.gubler.choosing import choose_and_remove, choose_split, leaf_labels, scaled_impurities, stops


def table(*features):
    """One node: for each feature the counts of class 0 and of class 1, bin by bin."""
    return np.array([features], dtype=float)


def test_impurities_by_hand():
    """Left (3, 1), right (1, 3): 3/4 + 3/4; then left (4, 2), right (0, 2): 8/6."""
    found = scaled_impurities(table([[3, 1, 0], [1, 1, 2]]), clipped_shares=False)
    assert found[0, 0].tolist() == pytest.approx([3 / 4 + 3 / 4, 8 / 6])


def test_impurities_of_negative_counts():
    """As printed −2·3/1 counts as −6; with clipped shares the side is pure, and a side ≤ 0 is passed over."""
    counts = table([[-2, 1], [3, 1]])
    assert scaled_impurities(counts, clipped_shares=False)[0, 0, 0] == -6 + 1 / 2
    assert scaled_impurities(counts, clipped_shares=True)[0, 0, 0] == 1 / 2
    assert scaled_impurities(table([[-2, 1], [1, 1]]), clipped_shares=True)[0, 0, 0] == np.inf
    assert scaled_impurities(table([[0, 1], [0, 1]]), clipped_shares=False)[0, 0, 0] == np.inf


@pytest.mark.parametrize("seed", range(20))
def test_the_printed_choice_is_chapter_7_s(seed):
    """Algorithm 4 on raw counts of two features, negative ones too, as fdpedu.histograms has it."""
    counts = np.random.default_rng(seed).integers(-50, 200, size=(2, 6, 2))
    found = choose_split(counts.swapaxes(1, 2)[None].astype(float), Faults())
    expected = choice_as_printed(list(counts))
    assert (int(found.feature[0]), int(found.border[0])) == (expected.feature, expected.border)


def test_the_first_of_equals_wins():
    found = choose_split(table([[5, 0], [0, 5]], [[5, 0], [0, 5]]), Faults(clipped_shares=True))
    assert (found.feature.tolist(), found.border.tolist(), found.found.tolist()) == ([0], [0], [True])


def test_a_bound_above_the_best_removes_its_feature():
    """Features come in the order of their bounds; the second is better than the third's bound, so that is left out."""
    counts = table([[5, 5], [5, 5]], [[9, 1], [1, 9]], [[5, 0], [0, 5]])
    found = choose_and_remove(counts, np.array([[1.0, 0.5, 3.0]]), Faults(own_totals=True))
    assert found.visited.tolist() == [[True, True, False]] and found.feature.tolist() == [1]
    found = choose_and_remove(counts, np.array([[1.0, 0.5, 1.5]]), Faults(own_totals=True))
    assert found.visited.tolist() == [[True, True, True]] and found.feature.tolist() == [2]


def test_infinite_bounds_leave_the_first_feature_only():
    counts = table([[5, 5], [5, 5]], [[9, 1], [1, 9]])
    found = choose_and_remove(counts, np.full((1, 2), np.inf), Faults(own_totals=True))
    assert found.visited.tolist() == [[True, False]] and found.feature.tolist() == [0]


def test_own_totals_prefer_what_has_few_rows():
    """G is equal, and the totals are 20 and 10: by n·G the second feature is better, by G the first of equals."""
    counts, bounds = table([[9, 1], [1, 9]], [[4.5, 0.5], [0.5, 4.5]]), np.zeros((1, 2))
    assert choose_and_remove(counts, bounds, Faults(own_totals=True)).feature.tolist() == [1]
    assert choose_and_remove(counts, bounds, Faults()).feature.tolist() == [0]


def test_stopping_rules():
    """Fewer than 10 rows for all features; one class for all features; a visited feature may differ."""
    seen = np.ones((1, 2), dtype=bool)

    def stopped(totals, visited=seen, saving=False, **faults):
        return bool(stops(np.array([totals], dtype=float), visited, Faults(**faults), saving=saving)[0])

    assert (
        stopped([[4, 5], [5, 4.9]]) and not stopped([[4, 5], [5, 5]]) and stopped([[5, 5], [5, 5]], own_stopping=True)
    )
    assert stopped([[20, 0], [30, -1]]) and not stopped([[20, 0], [0, 30]])
    assert stopped([[20, 0], [0, 30]], saving=True, own_stopping=True)
    assert not stopped([[20, 0], [0, 30]], saving=False, own_stopping=True)
    assert stopped([[20, 0], [15, 15]], visited=np.array([[True, False]]))


def test_labels_of_leaves():
    counts = np.array([[5, 5.0], [5, 5.2], [5, 5.4], [5, 4]])
    assert leaf_labels(counts, Faults()).tolist() == [0, 1, 1, 0]
    assert leaf_labels(counts, Faults(leaf_margin=True)).tolist() == [0, 0, 1, 0]


# --- counts that are not counts any more ------------------------------------------------------------------------------


CLIPPED = Faults(clipped_shares=True)


def test_a_side_of_no_rows_and_two_classes_is_as_impure_as_division_says():
    """As printed: 1 and −1 rows have n = 0 and ab = −1; with clipped shares such a side is passed over."""
    counts = table([[1, 3], [-1, 4]])
    assert scaled_impurities(counts, clipped_shares=False)[0, 0, 0] == -np.inf
    assert scaled_impurities(counts, clipped_shares=True)[0, 0, 0] == np.inf


def test_the_switch_of_clipped_shares_reaches_both_algorithms():
    """Feature 0 has a side (−2, 3) of −6 as printed, which is the least; clipped it is 0, and feature 1 has less."""
    counts = table([[-2, 9], [3, 1]], [[5, 5], [0, 0.01]])
    for choose in (choose_split, lambda c, faults: choose_and_remove(c, np.zeros((1, 2)), faults)):
        assert choose(counts, Faults()).feature.tolist() == [0]
        assert choose(counts, CLIPPED).feature.tolist() == [1]


@pytest.mark.parametrize("own", [False, True])
def test_where_no_split_is_allowed_none_is_found(own):
    """Whatever the sign of the total: ∞ over −1 is not the least of all."""
    faults = Faults(clipped_shares=True, own_totals=own)
    without = [[-2, 1], [-1, 1]]
    found = choose_split(table(without), faults), choose_and_remove(table(without), np.zeros((1, 1)), faults)
    assert [one.found.tolist() for one in found] == [[False], [False]]
    both = table(without, [[5, 1], [1, 5]])
    assert choose_split(both, faults).feature.tolist() == [1]
    found = choose_and_remove(both, np.array([[0.0, 1.0]]), faults)
    assert (found.feature.tolist(), found.visited.tolist(), found.found.tolist()) == ([1], [[True, True]], [True])


def test_a_total_of_no_rows_is_no_warning():
    """0/0 and 1/0 are passed over, −4/0 is the least of all: as the arithmetic of the algorithm has it."""
    nothing, more, less, good = [[1, -1], [0, 0]], [[1, -2], [1, 0]], [[-2, 1], [3, -2]], [[5, 1], [1, 5]]
    for choose in (choose_split, lambda c, faults: choose_and_remove(c, np.zeros((1, 2)), faults)):
        for one, feature in ((nothing, 1), (more, 1), (less, 0)):
            assert choose(table(one, good), Faults()).feature.tolist() == [feature]


def test_a_later_feature_of_a_larger_total_does_not_lift_the_limit():
    """Feature 0 leaves n·G = 1.8; feature 1, no better, has ten times the rows; 3 is above 1.8."""
    counts = table([[9, 1], [1, 9]], [[50, 50], [50, 50]], [[10, 0], [0, 10]])
    found = choose_and_remove(counts, np.array([[0.0, 1.0, 3.0]]), Faults())
    assert found.visited.tolist() == [[True, True, False]] and found.feature.tolist() == [0]


def test_equal_bounds_are_taken_in_the_features_order():
    """Also of more features than a short sort compares one by one."""
    p = 300
    counts = np.tile(table([[5, 5], [5, 5]]), (1, p, 1, 1))
    found = choose_and_remove(counts, np.full((1, p), np.inf), Faults(own_totals=True))
    assert np.flatnonzero(found.visited[0]).tolist() == [0] and found.feature.tolist() == [0]


def test_of_equal_impurities_the_first_with_the_least_bound_wins():
    nodes, p = 200, 300
    counts = np.tile(table([[5, 5], [5, 5]]), (nodes, p, 1, 1))
    bounds = np.random.default_rng(1).integers(0, 3, size=(nodes, p)).astype(float)
    for faults in (Faults(), Faults(own_totals=True)):
        assert choose_and_remove(counts, bounds, faults).feature.tolist() == (bounds == 0).argmax(axis=1).tolist()


def test_less_than_a_row_is_a_row():
    """Noisy totals are no integers: a class is missing at 0, not at a half."""
    seen = np.ones((1, 1), dtype=bool)
    assert not stops(np.array([[[20, 0.5]]]), seen, Faults(), saving=False)[0]
    assert stops(np.array([[[20, 0.0]]]), seen, Faults(), saving=False)[0]


def test_the_margin_itself_is_enough():
    counts = np.array([[0, 0.3], [0, 0.29]])
    for faults, labels in ((Faults(leaf_margin=True), [1, 0]), (Faults(), [1, 1])):
        found = leaf_labels(counts, faults)
        assert found.tolist() == labels and found.dtype == np.int64
