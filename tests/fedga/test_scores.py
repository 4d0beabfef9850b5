"""How many rows a party has, read off its scores."""

import math
import re
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from fdpedu.randomness import Rehearsal, uniform_below
from fdpedu.sources.fedga import Sizes, class_ratio_from_f1, sizes_from_scores
from fdpedu.sources.fedga.scores import f1_values

REFUSALS = [
    (lambda: sizes_from_scores([], "accuracy"), "scores must have at least one score, got none"),
    (lambda: sizes_from_scores(0.5, "accuracy"), "scores must be a list, got 0.5"),
    (lambda: sizes_from_scores(["half"], "accuracy"), "scores must be a finite number"),
    (lambda: sizes_from_scores([float("nan")], "f1"), "scores must be a finite number"),
    (lambda: sizes_from_scores([0.5, 1.25], "accuracy"), "scores must be from 0 to 1, got 5/4"),
    (lambda: sizes_from_scores([-0.25], "f1", 2), "scores must be from 0 to 1, got -1/4"),
    (lambda: sizes_from_scores([0.667], "accuracy", 2), "scores must have at most 2 decimals, got 667/1000"),
    (lambda: sizes_from_scores([0.5], "accuracy", 0), "decimals must be an integer ≥ 1, got 0"),
    (lambda: sizes_from_scores([0.5], "accuracy", 13), "decimals must be at most 12, got 13"),
    (lambda: sizes_from_scores([0.5], "accuracy", 1.5), "decimals must be an integer ≥ 1, got 1.5"),
    (lambda: sizes_from_scores([0.5], "accuracy", truncated="yes"), "truncated must be a bool, got str"),
    (lambda: sizes_from_scores([0.5], "f1", fitted=1), "fitted must be a bool, got int"),
    (lambda: sizes_from_scores([0.5], "accuracy", at_most=1), "at_most must be an integer ≥ 2, got 1"),
    (lambda: sizes_from_scores([0.5], "accuracy", at_most=10_001), "at_most must be at most 10000, got 10001"),
    (lambda: sizes_from_scores([0.5], "f1", at_most=161), "at_most must be at most 160, got 161"),
    (lambda: sizes_from_scores([0.5], "gini"), "score must be 'accuracy' or 'f1', got 'gini'"),
    (lambda: sizes_from_scores([0.5], ["f1"]), "score must be 'accuracy' or 'f1', got list"),
    (lambda: sizes_from_scores([0.5], "mse"), "got 'mse': a mean of squares fits any number of rows"),
    (lambda: class_ratio_from_f1(0.32), "value must be from 1/3 to 1/2, the macro F1 of one leaf, got 8/25"),
    (lambda: class_ratio_from_f1("51/100"), "value must be from 1/3 to 1/2, the macro F1 of one leaf, got 51/100"),
    (lambda: class_ratio_from_f1(None), "value must be a finite number"),
]


@pytest.mark.parametrize(("call", "sentence"), REFUSALS, ids=[sentence for _, sentence in REFUSALS])
def test_refusals(call, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        call()


def hospital(n, seed, trees=40):
    """Rows with a noisy label, and what trees of two questions say of them, each cell the label that most rows have."""
    source = Rehearsal(seed)
    rows = uniform_below(np.full(n * 6, 100), source).reshape(n, 6)
    labels = (rows[:, :2].sum(axis=1) + uniform_below(np.full(n, 60), source) > 130).astype(int)
    for _ in range(trees):
        first, second = uniform_below(np.full(2, 6), source)
        at, below = uniform_below(np.full(2, 60), source) + 20
        cells = 2 * (rows[:, first] > at) + (rows[:, second] > below)
        counts = np.array([[np.sum((cells == cell) & (labels == y)) for y in (0, 1)] for cell in range(4)])
        yield labels, counts.argmax(axis=1)[cells]


def accuracies(n, seed):
    return [float(np.mean(labels == said)) for labels, said in hospital(n, seed)]


def macro_f1(labels, said):
    of = [2 * np.sum((labels == y) & (said == y)) / (np.sum(labels == y) + np.sum(said == y)) for y in (0, 1)]
    return float(sum(of) / 2)


@pytest.mark.parametrize("decimals", [3, 4, None])
@pytest.mark.parametrize("n", [20, 40, 80])
def test_forty_accuracies_tell_the_number_of_rows(n, decimals):
    """Of ten hospitals the least size is right for nine at least; and the true one is never missing."""
    found = []
    for seed in range(10):
        scores = accuracies(n, seed)
        kept = scores if decimals is None else [round(score, decimals) for score in scores]
        sizes = sizes_from_scores(kept, "accuracy", decimals, at_most=200)
        assert n in sizes.sizes
        found.append(sizes.best == n)
    assert sum(found) >= 9


@pytest.mark.parametrize("n", [20, 40, 80])
def test_forty_f1_tell_the_rows_and_how_many_are_ill(n):
    """Of six hospitals the size is right, and the middle of the smaller class to within 1; the true pair is there."""
    for seed in range(6):
        answers = list(hospital(n, seed))
        ill = int(answers[0][0].sum())
        found = sizes_from_scores([round(macro_f1(*answer), 4) for answer in answers], "f1", 4, at_most=100)
        assert found.best == n and (n, min(ill, n - ill)) in found.pairs
        smaller = [number for rows, number in found.pairs if rows == n]
        assert abs(smaller[len(smaller) // 2] - min(ill, n - ill)) <= 1


@pytest.mark.parametrize("truncated", [False, True])
@pytest.mark.parametrize("decimals", [1, 2, 3])
def test_a_size_fits_if_every_score_is_one_of_its_accuracies(decimals, truncated):
    """All sizes up to 40, by writing down each accuracy k/n and rounding it; in the middle to both neighbours."""
    unit = Fraction(1, 10**decimals)

    def written(n):
        for k in range(n + 1):
            steps = Fraction(k, n) / unit
            low = steps.numerator // steps.denominator
            if truncated or steps - low <= Fraction(1, 2):
                yield low * unit
            if not truncated and steps - low >= Fraction(1, 2):
                yield (low + 1) * unit

    for scores in ([0.5], [0.3, 0.7], [0.1, 0.6, 0.9], [0, 1], [1]):
        expected = tuple(n for n in range(1, 41) if {Fraction(str(s)) for s in scores} <= set(written(n)))
        found = sizes_from_scores(scores, "accuracy", decimals, truncated=truncated, at_most=40)
        assert found == Sizes(expected) and found.best == (expected or [None])[0]


def test_rounded_ties_are_no_trouble():
    """One row of eight is .125: half to even writes .12, half up .13."""
    assert {8} <= {*sizes_from_scores([0.12], "accuracy", 2).sizes} & {*sizes_from_scores([0.13], "accuracy", 2).sizes}
    assert 8 not in sizes_from_scores([0.13], "accuracy", 2, truncated=True).sizes


def test_floats_as_a_program_computes_them():
    """Every k/n of up to 300 rows fits its own size and its multiples; a float next to it is the same score."""
    for n in (7, 97, 300):
        for score in (k / n for k in range(n + 1)):
            assert n in sizes_from_scores([score, np.nextafter(score, 0.5)], "accuracy", at_most=300).sizes
    assert sizes_from_scores([1 / 7], "accuracy", at_most=50).sizes == (7, 14, 21, 28, 35, 42, 49)
    assert sizes_from_scores([Fraction(1, 7), 1 / 9999, 2 / 3], "accuracy").best is None


def test_every_limit_is_tried():
    """The largest number of rows is among those tried, and by default ten thousand are."""
    assert sizes_from_scores([1 / 9973], "accuracy").sizes == (9973,)
    assert sizes_from_scores([1], "accuracy").sizes[-1] == 10_000
    assert sizes_from_scores([1], "f1").sizes[-1] == 160
    assert sizes_from_scores([1], "f1", at_most=3).pairs == ((2, 1), (3, 1))


@pytest.mark.parametrize("n", [2, 5, 8])
def test_the_f1_of_a_size_are_those_of_all_predictions(n):
    """By going through all answers to rows of which some are of the smaller class; each value is found."""
    for smaller, fitted in product(range(1, n // 2 + 1), (True, False)):
        labels = np.arange(n) < smaller
        said = [np.array([mask >> row & 1 for row in range(n)], bool) for mask in range(2**n)]
        right = [answer for answer in said if not fitted or np.sum(answer == labels) >= n - smaller]
        expected = sorted({round(macro_f1(labels, answer), 9) for answer in right})
        values = f1_values(n, smaller, fitted=fitted)
        assert sorted({round(value, 9) for value in values.tolist()}) == expected
        how = {"fitted": fitted, "at_most": n}
        assert all((n, smaller) in sizes_from_scores([value], "f1", **how).pairs for value in values)
        cut = [Fraction(int(value * 1000 + 1e-9), 1000) for value in expected]
        assert (n, smaller) in sizes_from_scores(cut, "f1", 3, truncated=True, **how).pairs


@pytest.mark.parametrize("decimals", [1, 2, 3])
def test_an_f1_fits_a_pair_if_it_is_one_of_its_values_rounded(decimals):
    """Every score with so many decimals, against all values as fractions; in the middle to both neighbours."""
    unit, written = Fraction(1, 10**decimals), {}
    for smaller, others in ((p, q) for q in range(1, 8) for p in range(1, q + 1) if p + q <= 8):
        n = smaller + others
        for a, b in ((x, y) for x in range(smaller + 1) for y in range(min(x, others) + 1)):
            steps = (Fraction(a, smaller + a + b) + Fraction(others - b, n + others - a - b)) / unit
            low = math.floor(steps)
            near = (
                {low} if steps - low < Fraction(1, 2) else {low + 1} if steps - low > Fraction(1, 2) else {low, low + 1}
            )
            for step in near:
                written.setdefault(step, set()).add((n, smaller))
    for step in range(10**decimals + 1):
        assert {*sizes_from_scores([step * unit], "f1", decimals, at_most=8).pairs} == written.get(step, set())


def test_an_f1_that_no_prediction_has_fits_nothing():
    assert sizes_from_scores([0.99], "f1", 4, at_most=12) == Sizes(())
    assert sizes_from_scores([0], "f1", at_most=9) == Sizes(())
    assert sizes_from_scores([0], "f1", at_most=9, fitted=False).best == 2
    assert 2 not in sizes_from_scores([0.4], "f1", at_most=9).sizes


def test_one_leaf_tells_the_ratio_of_the_classes():
    """For up to thirty rows, from its macro F1 as a fraction."""
    for n in range(2, 31):
        for larger in range((n + 1) // 2, n + 1):
            labels, said = np.arange(n) >= larger, np.zeros(n, bool)
            assert class_ratio_from_f1(Fraction(larger, n + larger)) == Fraction(larger, n)
            if larger < n:
                assert abs(macro_f1(labels, said) - larger / (n + larger)) < 1e-12
