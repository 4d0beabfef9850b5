"""What exact scores tell of rows of two bits and a label, counted."""

import math
import re
from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement, product

import pytest
from sklearn.metrics import f1_score

from fdpedu.cart.least_loss import least_loss
from fdpedu.cart.structures import Structure, count_structures, to_string
from fdpedu.domain import Domain
from fdpedu.sources.fedga import fit_at_structure, last_row, membership_advantage, score_leakage, score_vector
from fdpedu.sources.fedga.leakage import ROWS, STRUCTURES

BITS = Domain.from_spec({"features": {"a": [0, 2, 2], "b": [0, 2, 2]}, "classes": ["well", "ill"]})
SOME = [(0, 0, 0), (0, 1, 1), (0, 1, 1), (1, 0, 1), (1, 1, 0)]

REFUSALS = [
    (lambda: score_vector(3), "rows must be a list, got 3"),
    (lambda: score_vector([(0, 1)]), "a row must be two bits and a label, got 2 values"),
    (lambda: score_vector([(0, 1, 0, 1)]), "a row must be two bits and a label, got 4 values"),
    (lambda: score_vector([(0, 1, 2)]), "a row must be at most 1, got 2"),
    (lambda: score_vector([(0, -1, 1)]), "a row must be an integer ≥ 0, got -1"),
    (lambda: score_leakage(0), "n_rows must be an integer ≥ 1, got 0"),
    (lambda: score_leakage(9), "n_rows must be at most 8, got 9"),
    (lambda: membership_advantage(0), "n_rows must be an integer ≥ 1, got 0"),
    (lambda: membership_advantage(9), "n_rows must be at most 8, got 9"),
    (lambda: last_row([0] * 18, []), "scores must be those of 19 structures, got 18"),
    (lambda: last_row(["one"] * 19, []), "scores"),
    (lambda: score_vector([]), "rows must be at least one, got none"),
    (lambda: last_row([5] * 19, SOME), "scores must be those of the known rows and one more; no row fits"),
    (lambda: last_row([0] * 19, [(0, 0)]), "a row must be two bits and a label, got 2 values"),
]


@pytest.mark.parametrize(("call", "sentence"), REFUSALS, ids=[sentence for _, sentence in REFUSALS])
def test_refusals(call, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        call()


@pytest.mark.parametrize("n", [1, 2])
def test_the_scores_are_those_of_the_trees_that_stay_at_home(n):
    """Of what they predict, by another library's macro F1; each structure is there once, the first is one leaf."""
    assert len(set(STRUCTURES)) == count_structures(2, 2) == 19 and STRUCTURES[0] == Structure()
    for rows in combinations_with_replacement(ROWS, n):
        X, y = [row[:2] for row in rows], [BITS.classes[row[2]] for row in rows]
        for structure, score in zip(STRUCTURES, score_vector(rows), strict=True):
            said = fit_at_structure(X, y, to_string(structure, 2), BITS, task="classification").predict(X)
            assert f1_score(y, said, average="macro", zero_division=0) == pytest.approx(float(score), abs=1e-12)


def test_thresholds_one_by_one_do_not_always_make_the_fewest_errors():
    """Both rows are alike in the bit that is asked first: CART's tree ends there, and the other bit would do."""
    rows, structure = [(0, 0, 0), (0, 1, 1)], Structure(0, Structure(1), Structure(1))
    assert least_loss([row[:2] for row in rows], [0, 1], structure, BITS, "errors") == 0
    assert score_vector(rows)[STRUCTURES.index(structure)] == Fraction(1, 3) == score_vector(rows)[0]


def test_the_numbers_of_the_facts():
    """62 lists of scores of 330 data sets of four rows; 7.01 of 10.74 bits at six; advantages 0 and .144."""
    four, six = score_leakage(4), score_leakage(6)
    assert (four.vectors, four.data_sets) == (62, 330) and (six.vectors, six.data_sets) == (380, 1716)
    assert round(six.bits, 2) == 7.01 and round(six.of_bits, 2) == 10.74
    assert [membership_advantage(n) for n in (1, 2, 4)] == [0, 0, Fraction(147, 1024)]


@pytest.mark.parametrize("n", [1, 2, 3])
def test_leakage_counts_every_data_set_once(n):
    """Data sets in any order are one; the bits are the entropy of their scores."""
    scores = Counter(score_vector(rows) for rows in {tuple(sorted(rows)) for rows in product(ROWS, repeat=n)})
    found, total = score_leakage(n), math.comb(n + 7, n)
    assert (found.data_sets, found.vectors) == (total, len(scores)) and found.of_bits == math.log2(total)
    assert math.isclose(found.bits, -sum(c / total * math.log2(c / total) for c in scores.values()), abs_tol=1e-12)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_no_adversary_has_a_larger_advantage(n):
    """By its definition, row after row: the best answer to each pair of a row and scores, and what it gains."""
    inside, outside = Counter(), Counter()
    for rows in product(ROWS, repeat=n):
        scores = score_vector(rows)
        inside.update((row, scores) for row in rows for _ in ROWS)
        outside.update((row, scores) for row in ROWS for _ in rows)
    assert inside.total() == outside.total()
    gain = sum(inside[seen] - outside[seen] for seen in inside if inside[seen] > outside[seen])
    assert membership_advantage(n) == Fraction(gain, inside.total())


def test_who_knows_all_rows_but_one_sees_which_values_it_can_have():
    """The true row is always among them, and exactly those that give the same scores are."""
    for known in combinations_with_replacement(ROWS, 3):
        scores = {row: score_vector([*known, row]) for row in ROWS}
        for row in ROWS:
            assert last_row(scores[row], known) == [other for other in ROWS if scores[other] == scores[row]]
            assert row in last_row(scores[row], known)


def test_a_last_row_is_one_of_two_at_most():
    """Two rows in each cell, by exclusive or, are known: six of eight further rows are read off, and two are alike."""
    rows = [(a, b, a ^ b) for a, b in product((0, 1), repeat=2)] * 2
    found = {row: last_row(score_vector([*rows, row]), rows) for row in ROWS}
    alike = [(0, 0, 0), (1, 1, 0)]
    assert found == {row: alike if row in alike else [row] for row in ROWS}
