"""The mathematics that the exercises of chapter 1 rely on."""

import itertools

import numpy as np
import pytest

from fdpedu.exercises.cart.categories import best_prefix, best_subset
from fdpedu.exercises.cart.weights import compare_criteria
from fdpedu.exercises.catalogue import find
from fdpedu.exercises.values import close
from tests.support.exercises import check

# --- The mathematics that the exercises rely on ---


def test_the_table_to_predict_has_one_best_threshold():
    """The best threshold by n·G is unique, scikit-learn finds it too, and without weights another one wins."""
    from sklearn.tree import DecisionTreeClassifier

    exercise = find("cart-threshold")
    (x, y), (threshold, impurity) = exercise.cases()[0], exercise.reference
    stump = DecisionTreeClassifier(max_depth=1).fit([[value] for value in x], y).tree_
    sides = [stump.impurity[side] * stump.n_node_samples[side] / 2 for side in (1, 2)]
    assert stump.threshold[0] == threshold and close(float(sum(sides)), impurity)
    assert compare_criteria(x, y)[0] == "broken"


def test_four_rows_are_the_fewest_that_break_the_unweighted_criterion():
    """Every pattern of equal and different values with two or three rows, and every labelling, fails to."""

    def broken(n):
        for steps, y in itertools.product(itertools.product((0, 1), repeat=n - 1), itertools.product((0, 1), repeat=n)):
            x = list(itertools.accumulate(steps, initial=1))
            if compare_criteria(x, y)[0] == "broken":
                yield x, list(y)

    assert not list(broken(2)) and not list(broken(3))
    x, y = find("cart-break-unweighted").reference
    assert len(x) == 4 and any(sorted(zip(*one, strict=True)) == sorted(zip(x, y, strict=True)) for one in broken(4))


def test_the_unknown_patient_is_the_only_consistent_one():
    """In every case exactly one age can be added so that it is a neighbour of t, with t halfway to the other."""
    exercise = find("cart-memory")
    for t, known in exercise.cases():

        def consistent(age, t=t, known=known):
            ages = sorted([*known, age])
            pairs = [pair for pair in itertools.pairwise(ages) if sum(pair) / 2 == t and pair[0] < pair[1]]
            return age not in known and any(age in pair for pair in pairs)

        assert [age for age in range(0, 130) if consistent(age)] == [exercise.reference(t, known)]


def test_any_order_that_works_is_right():
    """Downwards is as good as upwards; what counts is the best beginning."""
    upwards = find("cart-categories").reference
    assert check("cart-categories", lambda counts: upwards(counts)[::-1]).passed
    assert best_prefix([(0, 1), (1, 0), (0, 1)], [0, 2, 1]) == best_subset([(0, 1), (1, 0), (0, 1)]) == 0


@pytest.mark.parametrize(
    "rows", [([1, 2, 3, 3], [0, 0, 1, 0]), (np.array([1.0, 1.0, 2.5, 9.0]), np.array([0, 1, 0, 0]))]
)
def test_any_table_that_breaks_it_is_right(rows):
    """Also mirrored, from NumPy, or with more rows; the reply says how few would do."""
    reply = check("cart-break-unweighted", rows)
    assert reply.passed and "has 4 rows" in str(reply)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (([1, 2], [0]), "one label for each row"),
        (([1, 2], [0, 2]), "0 or 1"),
        (([1, float("nan")], [0, 1]), "NaN"),
        (([], []), "no threshold"),
        ((list(range(101)), [0] * 101), "at most 100"),
        (([1, 10**400], [0, 1]), "are enough"),
        (7, "2 values"),
    ],
)
def test_the_reply_to_an_invalid_table_says_what_is_wrong(rows, said):
    """A table that is none is not called a table that breaks nothing."""
    reply = check("cart-break-unweighted", rows)
    assert reply.verdict == "FAIL" and said in str(reply)
