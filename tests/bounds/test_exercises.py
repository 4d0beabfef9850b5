"""The mathematics that the exercises of chapter 9 rely on."""

from fractions import Fraction
from itertools import product

import pytest

from fdpedu.bounds import bound_with_least_rows, entropy_increment, impurity_gap, lattice_bound, local_bound
from fdpedu.claims.bounds.local import added, tables
from fdpedu.exact import Rate
from fdpedu.exercises.bounds.pairs import beyond_five_quarters, near_one, refuted
from fdpedu.exercises.catalogue import find
from fdpedu.mechanisms.blocks import root_law
from tests.support.exercises import cases_of, check


def test_bounds_are_the_library_s():
    for (table,), bound in cases_of("bounds-local"):
        assert bound == local_bound(table)
    for (bound, m), steps in cases_of("bounds-lattice"):
        assert 0 <= bound * m - steps < 1
    assert find("bounds-lattice").reference(local_bound([[3, 1]]), 5) == lattice_bound([[3, 1]], 5) == 3


def test_the_variance_between_parties_is_the_library_s():
    for (side,), value in cases_of("bounds-between"):
        assert value == impurity_gap([[counts] for counts in side], [0]).between >= 0


def test_what_bounds_cost():
    """Half of ε for leaves, a quarter of the nodes' for bounds: a branch costs 2.125 ε with ten features; 4; 7.125."""
    cost = find("bounds-cost").reference
    for p, whole in ((10, "17/8"), (25, "4"), (50, "57/8")):
        assert Fraction(1, 2) + cost(p, 0, Fraction(1, 2), Fraction(1, 4)) == Fraction(whole)


def test_root_probabilities_are_those_of_the_sampler():
    for (sides, alpha), masses in cases_of("bounds-root")[::17]:
        low, high = root_law([(list(a), list(b)) for a, b in sides], Rate.of(alpha=alpha)).bounds(len(sides), 40)
        for k in range(len(sides)):
            assert low[k] <= 2**40 * sum(masses[: k + 1]) <= high[k]


def test_no_pair_of_two_rows_breaks_the_wrong_gini():
    """Three rows are the fewest: of all tables of at most one row no record moves it by more than 5/4."""
    for (table,) in tables(2, 2, 1):
        for code, c in product((0, 1), (0, 1)):
            assert beyond_five_quarters(table, added(table, code, c))[0].startswith("within")
    assert check("bounds-gini", ([[0, 2], [0, 0]], [[1, 2], [0, 0]])).passed


def test_other_pairs_are_right_too():
    """In other bins, with the other class, in the other order; a pair that is too close is answered with that."""
    assert check("bounds-near-one", ([[0, 0], [1, 150]], [[0, 0], [0, 150]])).passed
    assert near_one([[99, 0]], [[99, 1]]) == ("close", "The bounds are 99/100 apart.")
    assert check("bounds-refute", ([[0, 500], [10, 0], [0, 0]], [[0, 500], [9, 0], [0, 0]])).passed
    assert refuted([[9, 0], [0, 72]], [[10, 0], [0, 72]])[0] == "more"
    assert bound_with_least_rows([[9, 0], [0, 72]], 10) == 8


def test_the_fewest_rows_for_entropy():
    assert entropy_increment(8102).upper < 10 < entropy_increment(8103).lower


@pytest.mark.parametrize(
    ("exercise", "answer", "said"),
    [
        ("bounds-near-one", ([[1, 0]],), "2 values"),
        ("bounds-near-one", ([[1, 0]], [[1, 0], [0, 0]]), "equally many bins"),
        ("bounds-near-one", ([[-1, 0]], [[0, 0]]), "counts are 0 or more"),
        ("bounds-near-one", ([[10_001, 0]], [[10_000, 0]]), "at most 10,000"),
        ("bounds-refute", ([], []), "1 to 5 bins"),
        ("bounds-refute", ([[1, 2, 3]], [[1, 2, 3]]), "2 values"),
        ("bounds-gini", ([[2, 0]], [[2, 0]]), "differ in 0 rows"),
        ("bounds-entropy", 8103.0, "whole number"),
    ],
)
def test_the_reply_to_what_is_no_answer(exercise, answer, said):
    reply = check(exercise, answer)
    assert not reply.passed and said in " ".join(str(reply).split()).lower()
