"""Scores: against another library, and as counts of rows."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import f1_score, mean_squared_error

from fdpedu.sources.fedga import f1, mse, weighted_score
from fdpedu.sources.fedga.scoring import Errors

PAIRS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=12)


@given(PAIRS)
def test_macro_f1_is_another_librarys(pairs):
    """Over the classes that are there or said; one that is never right counts 0."""
    truth, said = map(list, zip(*pairs, strict=True))
    assert f1(truth, said) == pytest.approx(f1_score(truth, said, average="macro", zero_division=0))


@given(PAIRS)
def test_mse_is_another_librarys(pairs):
    truth, said = map(list, zip(*pairs, strict=True))
    assert mse(truth, said) == pytest.approx(mean_squared_error(truth, said))


@given(PAIRS)
def test_errors_add_up_over_leaves(pairs):
    """Each prediction is a leaf; the score of all is that of the predictions."""
    truth, said = (np.array(column) for column in zip(*pairs, strict=True))
    leaves = [(truth[said == one], float(one)) for one in sorted({*said.tolist()})]
    for n_classes, score in ((4, f1(truth, said)), (0, mse(truth, said))):
        parts = [Errors.of_leaf(rows if n_classes else rows.astype(float), one, n_classes) for rows, one in leaves]
        total = parts[0]
        for part in parts[1:]:
            total = total + part
        assert total.score == pytest.approx(score) and total.n == len(truth)


@pytest.mark.parametrize(("ill", "well", "others"), [(3, 5, 0), (5, 0, 0), (1, 9, 3)])
def test_the_f1_of_one_leaf_is_the_share_of_its_class_in_disguise(ill, well, others):
    """2q/((1 + q)·k) for k classes that are there: so q, a ratio of counts, follows from the score."""
    truth = [0] * ill + [1] * well + [2] * others
    q, k = Fraction(max(ill, well), len(truth)), len({*truth})
    assert f1(truth, [0 if ill > well else 1] * len(truth)) == pytest.approx(float(2 * q / ((1 + q) * k)))


def test_the_mse_of_one_leaf_is_the_variance():
    assert mse([1, 2, 6], [3, 3, 3]) == pytest.approx(np.var([1, 2, 6]))


def test_scores_are_weighted_by_sizes_of_at_least_one():
    """By hand; and noise that makes sizes negative leaves the mean among the scores."""
    assert weighted_score([0.25, 0.75], [10, 30]) == 0.625
    assert weighted_score([0.25, 0.75], [-3, 0.5]) == 0.5 == weighted_score([0.25, 0.75], [0, 1])
    assert weighted_score([0.25], [-100.0]) == 0.25 and weighted_score([0, 1], [1, 3]) == 0.75
