"""The rules on counts, one by one: as printed, and as the published code has them."""

import numpy as np
import pytest

from fdpedu.experiments import Faults, Setting
from fdpedu.experiments.budget import Budget
from fdpedu.experiments.choosing import choose_and_remove, choose_split, leaf_labels, scaled_impurities, stops
from fdpedu.experiments.counting import (
    bins_of,
    class_counts,
    histograms,
    raw_ranges,
    short_counts,
    some_party_lacks_class_1,
    true_bounds,
)
from fdpedu.histograms import choice_as_printed


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


def test_short_counts_forget_that_class_1_is_empty():
    assert short_counts(np.array([[7.0, 0], [0, 7], [2, 1], [0, 0]])).tolist() == [[7, 7], [0, 7], [2, 1], [0, 0]]


def test_bins_on_borders():
    """On a border: above it with x < t, below it with x ≤ t; ends and what lies outside are in the end bins."""
    values, low, high = np.array([-1.0, 0, 0.5, 1, 2]), np.zeros(5), np.ones(5)
    assert bins_of(values, low, high, strict=True).tolist() == [0, 0, 5, 9, 9]
    assert bins_of(values, low, high, strict=False).tolist() == [0, 0, 4, 9, 9]


def test_a_range_of_width_0_has_all_rows_in_its_last_bin():
    """One row, or equal ones: x < t holds for no border, so all of them go right."""
    one = np.array([2.0])
    assert [bins_of(one, one, one, strict=strict).tolist() for strict in (True, False)] == [[9], [9]]


def test_budgets_and_noise():
    """Shares of what a node has with what was handed down; the scale of a bound paid for, and as printed."""
    setting = Setting(3, 250, 10, 5, "0.3")
    budget = Budget(2.0, setting, True, Faults(), np.random.default_rng(1))
    assert (budget.leaf, budget.node) == (1.0, pytest.approx(0.2))
    for_bounds, for_hists = budget.divided(np.array([0.0, 0.6]))
    assert for_bounds == pytest.approx([0.05, 0.2]) and for_hists == pytest.approx([0.15, 0.6])
    assert budget.scale_of_bounds(np.array([0.05])) == pytest.approx([250])
    printed = Budget(2.0, setting, True, Faults(undivided_bounds=True), None)
    assert printed.scale_of_bounds(np.array([0.05])) == pytest.approx([25])
    assert Budget(2.0, setting, False, Faults(), None).divided(np.zeros(1))[1] == pytest.approx([0.2])
    noise = budget.noise(np.array([1.0, 5.0]), (2, 20_000))
    assert abs(noise).mean(axis=1) == pytest.approx([1, 5], rel=0.05) and abs(noise.mean(axis=1)).max() < 0.2
    assert (
        noise.std(axis=1) == pytest.approx([2**0.5, 5 * 2**0.5], rel=0.06)
        and not printed.noise(noise[:, 0], (2, 3)).any()
    )


@pytest.mark.parametrize("seed", range(5))
def test_counts_one_by_one(seed):
    """Histograms, class counts, ranges, bounds and missing classes, against loops over rows."""
    rng = np.random.default_rng(seed)
    X, y, at = rng.normal(size=(40, 2)), rng.integers(2, size=40), rng.integers(4, size=40)
    at[at == 2] = 3  # a node without rows
    at.sort()
    party, codes = rng.integers(-1, 5, size=40), rng.integers(10, size=(40, 2))
    tables, classes = histograms(codes, y, at, 4), class_counts(y, at, 4)
    low, high = raw_ranges(X, at, 4)
    lacks, bounds = some_party_lacks_class_1(y, party, at, 4), true_bounds(codes, y, party, at, 4)
    for node in range(4):
        own = at == node
        assert classes[node].tolist() == [np.sum(own & (y == c)) for c in (0, 1)]
        assert lacks[node] == any(not np.any(own & (party == k) & (y == 1)) for k in range(5))
        for j in range(2):
            for c in (0, 1):
                expected = np.bincount(codes[own & (y == c), j], minlength=10)
                assert tables[node, j, c].tolist() == expected.tolist()
            if own.any():
                assert (low[node, j], high[node, j]) == (X[own, j].min(), X[own, j].max())
            best = [least(codes[own & (party == k), j], y[own & (party == k)]) for k in range(5)]
            assert bounds[node, j] == pytest.approx(sum(best))


def least(codes, y):
    """The least n·G over all borders, and no split."""
    sides = [[y[codes <= t], y[codes > t]] for t in range(10)]
    return min(sum(len(s) * s.mean() * (1 - s.mean()) for s in pair if len(s)) for pair in sides)
