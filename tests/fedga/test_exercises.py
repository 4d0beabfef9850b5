"""The mathematics that the exercises of chapter 16 rely on."""

import math
from fractions import Fraction
from itertools import product

import pytest

from fdpedu.accounting import Charge, Ledger
from fdpedu.cart.least_loss import least_loss
from fdpedu.cart.structures import LEAF, count_structures, to_structure
from fdpedu.domain import Domain
from fdpedu.exercises.catalogue import find
from fdpedu.exercises.fedga.person import accuracies
from fdpedu.mechanisms import permute_and_flip_pmf
from fdpedu.sources.fedga import sizes_from_scores
from tests.support.exercises import cases_of

DOMAIN = Domain.from_spec({"features": {"a": [0, 3, 3], "b": [0, 2, 2]}, "classes": ["well", "ill"]})


def test_sizes_are_the_library_s():
    """In every case; the two long lists are of 26 and 40 rows."""
    for (scores, unit), size in cases_of("fedga-sizes"):
        decimals = len(str(unit)) - 1
        assert sizes_from_scores([Fraction(s, unit) for s in scores], "accuracy", decimals, at_most=50).best == size
    assert [size for _, size in cases_of("fedga-sizes")][-2:] == [26, 40]


def test_structures_are_counted_as_the_library_counts_them():
    """And by reading every string of up to seven entries."""
    for (p, depth), count in cases_of("fedga-phenotypes"):
        assert count == count_structures(p, depth)
        if (p + 1) ** (2**depth - 1) <= 3**7:
            strings = product(range(LEAF, p), repeat=2**depth - 1)
            assert count == len({to_structure(string) for string in strings})


def errors(rows):
    codes, labels = [row[:2] for row in rows], [row[2] for row in rows]
    return least_loss(codes, labels, (0, 1, 1), DOMAIN, "errors")


def test_the_least_errors_are_the_library_s_and_move_by_at_most_one():
    """For every case, and with each row left out; greedy thresholds jump by half of the rows."""
    exercise = find("fedga-greedy")
    for (rows,), least in cases_of("fedga-greedy"):
        assert least == errors(rows)
        assert all(0 <= least - errors(rows[:i] + rows[i + 1 :]) <= 1 for i in range(len(rows)))
    (greedy,) = (wrong.answer for wrong in exercise.wrong if "Gini" in wrong.name)
    four = [(0, 0, 1), (0, 1, 0), (1, 0, 0), (1, 1, 1)]
    for m in (1, 2, 5):
        assert (greedy(four * m), greedy([*four * m, (2, 0, 0)])) == (0, 2 * m)
        assert (errors(four * m), errors([*four * m, (2, 0, 0)])) == (0, 0)


def test_a_mean_relative_change_is_not_below_0_and_a_mean_of_logarithms_is_0():
    """It is 0 if and only if all scores are the same; for two it is (a − b)²/(2ab)."""
    for (scores,), mean in cases_of("fedga-relative"):
        assert mean >= 0 and (mean == 0) == (len(set(scores)) == 1)
        if len(scores) == 2:
            a, b = scores
            assert mean == (a - b) ** 2 / (2 * a * b)
        logs = [math.log(a / b) for i, a in enumerate(scores) for j, b in enumerate(scores) if i != j]
        assert abs(math.fsum(logs)) < 1e-12


def test_the_price_is_what_a_ledger_charges():
    """Draws of one party that read the same rows, one after the other; with scores there are so many more."""
    for (each, generations, structures, _), (outsider, insider, scores) in cases_of("fedga-price"):
        if structures > 3:
            continue
        for price, releases in ((outsider, generations), (insider, generations), (scores, structures * generations)):
            ledger = Ledger(price)
            for _ in range(releases):
                ledger.charge([Charge(DOMAIN.everything, each, "a draw", "permute and flip", 1, "thm-histogram")])
            assert ledger.spent == price


@pytest.mark.parametrize("structures", [2, 3, 4])
def test_a_draw_costs_the_same_among_any_number_of_structures(structures):
    """Its law with one row more, over all errors up to two: no probability changes by more than e^ε, here by 2."""
    worst = Fraction(1)
    for before in product(range(3), repeat=structures):
        law = permute_and_flip_pmf([-n for n in before], alpha="1/2")
        for more in product((0, 1), repeat=structures):
            after = [n + one for n, one in zip(before, more, strict=True)]
            other = permute_and_flip_pmf([-n for n in after], alpha="1/2")
            worst = max(worst, *(max(p / q, q / p) for p, q in zip(law, other, strict=True)))
    assert Fraction(3, 2) < worst <= 2


def test_a_person_is_found_whatever_the_other_rows_are():
    """Every list of up to two rows of two bits and a label, and every person."""
    kinds, reference = list(product((0, 1), repeat=3)), find("fedga-person").reference
    for n in (1, 2):
        for rows, row in product(product(kinds, repeat=n), kinds):
            assert reference(n, accuracies(rows), accuracies([*rows, row])) == list(row)
