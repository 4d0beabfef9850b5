"""The mathematics that the exercises of chapter 14 rely on, held against the library."""

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.exact import Rate
from fdpedu.exercises.catalogue import find
from fdpedu.exercises.poisoning.loose import found as judged
from fdpedu.exercises.poisoning.loose import left as left_by_one
from fdpedu.exercises.poisoning.lucky import CLAIMED, MISS
from fdpedu.exercises.poisoning.lucky import found as lucky
from fdpedu.robust import plant_backdoor
from fdpedu.robust.curve import curve_enclosure
from fdpedu.robust.ensemble import certified_rows_of_votes
from fdpedu.robust.knapsack import least_value
from tests.support.exercises import cases_of


def test_the_curve_is_the_library_s():
    for (level, alpha, rows), left in cases_of("poisoning-curve"):
        found = curve_enclosure(level, Rate.of(alpha=alpha), rows)
        assert found.lower <= left <= found.upper


def test_rows_that_a_target_stands_are_read_off_the_curve():
    left = find("poisoning-curve").reference
    for (level, target, alpha), (added, changed) in cases_of("poisoning-rows"):
        assert left(level, alpha, added) >= target > left(level, alpha, added + 1) and changed == added // 2


def test_the_printed_bound_is_exact_up_to_two_thirds():
    for k in range(1, 61):
        level = Fraction(k, 60)
        assert (judged(level)[0] == "kept") == (level > Fraction(2, 3))
        assert left_by_one(level) == find("poisoning-curve").reference(level, Fraction(1, 2), 1)


def test_divided_rows_are_those_of_the_library_s_knapsack():
    for (tables, rows), least in cases_of("poisoning-divide"):
        assert least_value([table[: rows + 1] for table in tables], rows)[0] == least


def test_votes_stand_what_the_library_says():
    for (votes,), stands in cases_of("poisoning-votes"):
        assert certified_rows_of_votes([votes]).tolist() == [stands]


def test_forged_pictures_are_those_of_the_library():
    for (pictures, forged), whole in cases_of("poisoning-forge"):
        table = np.array(pictures)
        X, y = plant_backdoor(table[:, :2], table[:, 2], {1: 16}, source=0, target=1, rows=forged)
        assert [(*row, label) for row, label in zip(X.tolist(), y.tolist(), strict=True)] == whole


@given(st.fractions(0, 1, max_denominator=60))
def test_a_rule_of_one_tree_fails_between_its_miss_and_its_claim(p):
    """Made with probability p, and false iff the mean is less than what was claimed."""
    assert (lucky(p)[0] == "fails") == (p > MISS and p < CLAIMED)


def test_a_sure_lead_is_what_is_left_of_the_released_one():
    """By hand: ahead by 4, noise up to 2, one forged row; the same leaf for test rows of the other class."""
    lead = find("poisoning-lead").reference
    assert lead((5, 1), (6, 1), 2, 1) == 1 and lead((5, 1), (2, 5), 2, 1) == -7
