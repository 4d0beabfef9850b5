"""Depths and votes by cross-validation: each fold again by hand, and formulas on small numbers."""

import numpy as np
import pytest

from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.sources.fedga import f1, fit_local, mse
from fdpedu.sources.fedga.rows import read_rows
from fdpedu.sources.fedga.validation import (
    INTERACTION_LIMIT,
    NOISE_LIMIT,
    Votes,
    best_depth,
    fold_scores,
    median_depth,
    train_and_validation,
    variation,
    votes_of,
)
from tests.support.fedga import DOMAINS, hospitals


def rows_of(task, n=23, seed=0):
    pair = hospitals(task, 1, n, seed)[0]
    return pair, read_rows(*pair, DOMAINS[task], task, "here")


@pytest.mark.parametrize("task", list(DOMAINS))
def test_the_score_of_a_fold_is_that_of_a_tree_of_the_other_rows(task):
    """At each depth; every row is left out once."""
    (X, y), rows = rows_of(task)
    found = fold_scores(rows, 3, ZeroWords())  # with zeros the order is that of the rows
    assert found.shape == (3, 5)
    for depth in (1, 2, 3):
        for k in range(5):
            own, kept = ([i for i in range(23) if (i % 5 == k) == out] for out in (False, True))
            given = {"task": task, "max_depth": depth}
            tree = fit_local([X[i] for i in own], [y[i] for i in own], DOMAINS[task], **given)
            said, truth = tree.predict([X[i] for i in kept]), [y[i] for i in kept]
            if task == "classification":
                assert found[depth - 1, k] == pytest.approx(f1([ord(v) for v in truth], [ord(v) for v in said]))
            else:
                assert found[depth - 1, k] == pytest.approx(mse(truth, said))
    assert (fold_scores(rows, 3, Rehearsal(1)) != found).any()


def test_few_rows_are_left_out_one_at_a_time_and_a_single_one_never():
    assert fold_scores(rows_of("regression", 3)[1], 2, Rehearsal(1)).shape == (2, 3)
    assert fold_scores(rows_of("regression", 1)[1], 2, Rehearsal(1)).shape == (2, 0)
    assert best_depth(np.zeros((4, 0)), "regression") == 1


def test_the_best_depth_is_the_least_of_equals():
    scores = np.array([[0.3, 0.5], [0.6, 0.4], [0.5, 0.5]])
    assert best_depth(scores, "classification") == 2 and best_depth(scores, "regression") == 1
    assert best_depth(np.ones((3, 2)), "classification") == best_depth(np.zeros((3, 2)), "regression") == 1
    assert best_depth(np.array([[3.0], [2.0], [1.0]]), "regression") == 3


def test_the_median_is_the_lower_one_of_two():
    assert [median_depth(d) for d in ([3], [4, 1], [1, 4, 4], [1, 1, 3, 4])] == [3, 1, 4, 1]


def test_variation():
    assert variation(np.array([2.0, 4.0])) == pytest.approx(1 / 3) and variation(np.full(3, 7.0)) == 0
    assert variation(np.zeros(4)) == variation(np.array([5.0])) == variation(np.zeros(0)) == 0


def test_all_rows_are_voted_for_where_folds_agree_and_depths_do_not():
    """Both are needed; the noise is that of the folds at the global depth, not of another."""
    rows = rows_of("regression")[1]
    agree, differ = np.array([4.0, 4.1]), np.array([1.0, 8.0])
    for scores, depth, validation in (
        ([agree, agree / 4], 1, False),
        ([agree, agree / 4], 2, False),
        ([agree, agree], 1, True),
        ([agree, differ], 1, False),
        ([agree, differ], 2, True),
    ):
        assert votes_of(rows, np.array(scores), depth).validation == validation, scores
    assert votes_of(rows, np.zeros((2, 0)), 1).validation
    assert 0 < NOISE_LIMIT < 1 and 0 < INTERACTION_LIMIT < 1


def test_elitism_is_voted_for_where_more_than_half_of_the_targets_are_unique():
    X = [[1, "A", 0]] * 4
    for y, elitism in (([1, 2, 3, 3], True), ([1, 1, 2, 2], False), ([1, 1, 1, 1], False), ([1, 2, 3, 4], True)):
        rows = read_rows(X, y, DOMAINS["regression"], "regression", "here")
        assert votes_of(rows, np.ones((2, 2)), 1) == Votes(True, elitism)


def test_seven_tenths_are_for_training_and_both_parts_have_a_row():
    for n, train in ((10, 7), (23, 16), (3, 2), (2, 1)):
        rows = rows_of("regression", n)[1]
        one, other = train_and_validation(rows, Rehearsal(1))
        assert (len(one), len(other)) == (train, n - train)
        assert sorted([*one.targets, *other.targets]) == sorted(rows.targets)
    rows = rows_of("regression", 1)[1]
    assert train_and_validation(rows, Rehearsal(1)) == (rows, rows)
