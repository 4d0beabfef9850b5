"""The mathematics that the exercises of chapter 13 rely on."""

from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product

import numpy as np
import pytest

from fdpedu.cart.losses import split_losses
from fdpedu.exercises.catalogue import find
from fdpedu.exercises.noisy_cells import at_most
from fdpedu.exercises.privatree.categories import best_beginning, best_subset, errors
from fdpedu.exercises.privatree.categories import found as found_in_table
from fdpedu.exercises.privatree.line_7 import chance
from fdpedu.exercises.privatree.line_7 import shown as shown_by_node
from fdpedu.exercises.privatree.quantiles import chances, edge_law
from fdpedu.exercises.privatree.quantiles import shown as shown_by_edges
from fdpedu.histograms import trusted_joint_quantiles_pmf
from fdpedu.mechanisms import discrete_laplace_pmf, leaf_error_constant, permute_and_flip_pmf
from fdpedu.sources.vos import epsilon_at_most, printed_shares
from fdpedu.trees import PrivaTree, leaf_share_by_rule
from fdpedu.trees.shape import Shape
from tests.support.exercises import cases_of, check

HALF = Fraction(1, 2)


# --- Prices and budgets ---


def test_the_price_is_the_library_s():
    """Of Algorithm 1 without line 7, at whatever its rule for leaves gives them."""
    reference = find("privatree-price").reference
    for numeric, categorical, depth, rows in product(range(4), range(3), (1, 2, 4), (1, 400, 5000)):
        if numeric + categorical:
            leaf = printed_shares(1, rows, max_depth=depth).leaf
            whole = {"numeric": numeric, "categorical": categorical, "rows": rows, "max_depth": depth, "stop": "depth"}
            assert reference(numeric, categorical, depth, Fraction(1), leaf) == epsilon_at_most(1, **whole)
    assert reference(30, 0, 4, Fraction(1), HALF) == Fraction(31, 2)


def test_a_divided_budget_is_spent_exactly():
    """On every path; and as the library divides it, which gives a level to each question of a node as a whole."""
    for (m, depth, epsilon, leaf_share, splits), (edges, node, leaf) in cases_of("privatree-budget"):
        at_a_level = m * node if splits == "histograms" else node
        assert m * edges + depth * at_a_level + leaf == epsilon
        design = PrivaTree(splits=splits, edges="joint")
        assert (at_a_level, leaf) == design.costs(epsilon, Shape(depth, leaf_share), asks_for_edges=True)
        assert m * edges == at_a_level


def test_the_repaired_rule_is_the_library_s():
    """But for 37/100, which is near 1/e from above, and for the library's rounding up to thousandths of ε."""
    constant, reference = leaf_error_constant(2), find("privatree-size").reference
    assert constant.upper < Fraction(37, 100) < constant.lower * Fraction(101, 100)
    for nominal, depth, error in product((10, 40, 1000, 10**5), range(4), ("1/10", "1/100")):
        share = reference([], nominal, depth, Fraction(1), Fraction(error))
        assert abs(share - leaf_share_by_rule(1, nominal, 2, depth, error)) <= share / 100 + Fraction(1, 1000)


def test_rates_that_differ_have_ratios_beyond_every_bound():
    """Of two discrete Laplace distributions, however near α = 1/2 and α' = 51/100 are."""

    def ratio(k):
        return discrete_laplace_pmf(k, alpha="51/100") / discrete_laplace_pmf(k, alpha="1/2")

    assert ratio(400) > 1000 and all(ratio(k + 1) == ratio(k) * Fraction(51, 50) for k in range(50))


# --- The label ---


def test_the_label_s_law_is_the_library_s():
    """With counts as utilities: α is then the coin for one row behind. The loss is the mean of what is lost."""
    for (zeros, ones, alpha), (zero, one, lost) in cases_of("privatree-label"):
        assert permute_and_flip_pmf([zeros, ones], alpha=alpha) == [zero, one]
        assert lost == zero * max(0, ones - zeros) + one * max(0, zeros - ones)


def test_a_label_spends_all_of_its_budget_and_no_more():
    """Over all neighbours: the largest ratio is 1/α; with the ½ of the source it is the root of that."""
    reference, alpha = find("privatree-label").reference, Fraction(1, 4)
    largest = {}
    for base in (alpha, HALF):
        ratios = []
        for zeros, ones in product(range(6), repeat=2):
            law = reference(zeros, ones, base)
            for more in (reference(zeros + 1, ones, base), reference(zeros, ones + 1, base)):
                ratios += [max(p / q, q / p) for p, q in zip(law[:2], more[:2], strict=True)]
        largest[base] = max(ratios)
    assert largest == {alpha: 4, HALF: 2}


# --- What is broken ---


def test_a_node_s_law_is_that_of_its_noise():
    """By summing up the noise; whether rows are split depends on their number and on whether both classes occur."""
    for n in range(7):
        for rows in combinations_with_replacement((0, 1), n):
            tail = 1 - sum(discrete_laplace_pmf(k, alpha="1/2") for k in range(-60, 2 - n))
            split = tail if len(set(rows)) == 2 else 0
            assert 0 <= split - chance(list(rows), "split") < Fraction(1, 2**59)
            assert chance(list(rows), "leaf") + chance(list(rows), "split") == 1
    assert at_most(-1) == Fraction(1, 3)


def test_only_a_split_shows_a_row_for_certain():
    """All neighbours of up to five rows: broken are those of which one has two classes, and the other has one."""
    for n, row, event in product(range(5), (0, 1), ("leaf", "split")):
        for rows in combinations_with_replacement((0, 1), n):
            more = [*rows, row]
            expected = event == "split" and len(set(rows)) == 1 and len(set(more)) == 2
            assert (shown_by_node(more, list(rows), event)[0] == "broken") == expected
            assert shown_by_node(list(rows), more, event)[0] != "broken"


def test_the_ratio_of_a_leaf_grows_with_the_rows():
    ratios = [chance([0] * n, "leaf") / chance([0] * n + [1], "leaf") for n in range(1, 8)]
    assert ratios == sorted(ratios) and ratios[-1] > 100


def test_errors_are_the_library_s():
    table = [[1, 0, 1], [1, 2, 0], [0, 0, 1]]
    cells = np.array(table)
    for left in ((0,), (1,), (0, 2)):
        one = cells[list(left)].sum(axis=0)
        assert split_losses([one], [cells.sum(axis=0) - one], "errors", 1).tolist() == [errors(table, left)]


def test_six_rows_are_the_fewest_that_break_an_order_of_three_categories():
    """Among all tables of three categories with up to six rows."""
    cells = [cell for cell in product(range(4), repeat=3) if 0 < sum(cell) <= 4]
    tables = [table for table in combinations_with_replacement(cells, 3) if sum(map(sum, table)) <= 6]
    broken = [table for table in tables if found_in_table([list(cell) for cell in table])[0] == "broken"]
    assert len(broken) == 2 and {sum(map(sum, table)) for table in broken} == {6}


def test_of_two_classes_no_order_is_broken():
    """Three categories of up to three rows of each class, whatever the order of those with equal shares is."""
    cells = [(a, b, 0) for a, b in product(range(4), repeat=2) if a + b]
    for table in combinations_with_replacement(cells, 3):
        rows = [list(cell) for cell in table]
        assert best_beginning(rows) == best_subset(rows)[0]


def test_the_edges_law_is_the_library_s():
    """With another base, because the library counts 2·|2c − n|, and its α is the root of the base."""
    for n in range(5):
        for values in combinations_with_replacement(range(4), n):
            counts = np.bincount(np.array(values, dtype=np.int64), minlength=4)
            law = trusted_joint_quantiles_pmf(counts, 2, alpha="1/2")
            assert edge_law(list(values), Fraction(1, 4)) == [law[(k,)] for k in (1, 2, 3)]


def test_one_edge_costs_less_than_was_said():
    """All neighbours of up to seven rows: the ratio stays below 4, and comes near it."""
    ratios = []
    for n in range(7):
        for values in combinations_with_replacement(range(4), n):
            law = edge_law(list(values))
            for value in range(4):
                more = edge_law([*values, value])
                ratios += [max(p / q, q / p) for p, q in zip(law, more, strict=True)]
    assert Fraction(39, 10) < max(ratios) < 4


def test_two_edges_are_broken_from_one_row_on_and_come_near_twice_the_epsilon():
    """Without rows nothing is shown; the reference's single row is enough; with many rows 16 is near."""
    pairs = list(product(range(4), repeat=2))
    edges = list(product((1, 2, 3), repeat=2))
    assert {shown_by_edges([], [row], at)[0] for row in pairs for at in edges} == {"nothing"}
    assert {shown_by_edges([row], [], at)[0] for row in pairs for at in edges} == {"nothing"}
    many, more = [(0, 0)] * 5 + [(2, 2)] * 4, [(0, 0)] * 5 + [(2, 2)] * 5
    first, second = (p / q for p, q in zip(chances(many, (3, 3)), chances(more, (3, 3)), strict=True))
    assert 15 < first * second < 16


@pytest.mark.parametrize(
    ("one", "other", "edges", "word"),
    [
        ([(0, 0)], [(0, 0), (1, 1)], (1, 1), "likelier"),
        ([(0, 0)], [(0, 0), (2, 1)], (1, 2), "opposed"),
        ([(0, 0)], [(0, 0), (2, 1)], (3, 3), "broken"),
    ],
)
def test_words_of_two_edges(one, other, edges, word):
    ratio = np.prod([p / q for p, q in zip(chances(one, edges), chances(other, edges), strict=True)])
    assert shown_by_edges(one, other, edges)[0] == word and (ratio > 4) == (word == "broken")


def test_other_answers_are_right_too():
    for rows in permutations([[1, 0, 1], [1, 2, 0], [0, 0, 1]]):
        assert check("privatree-categories", list(rows)).passed
    assert check("privatree-line-7", ([1, 0, 1, 1], (1, 1, 1), "split")).passed
    assert check("privatree-quantiles", ([(3, 0)], [(3, 0), (1, 2)], (1, 3))).passed


@pytest.mark.parametrize(
    ("exercise", "answer", "said"),
    [
        ("privatree-line-7", ([2], [], "split"), "0 or 1"),
        ("privatree-line-7", ([0] * 21, [0] * 20, "leaf"), "at most 20 rows"),
        ("privatree-line-7", ([0], [0, 1], "node"), "'leaf' or 'split'"),
        ("privatree-line-7", ([0], [0, 1], 1), "'leaf' or 'split'"),
        ("privatree-line-7", ([0, 1], [1, 1, 1], "split"), "one row more"),
        ("privatree-categories", [[1, 0, 0]], "two to 5 categories"),
        ("privatree-categories", [[1, 0, 21], [0, 1, 0]], "from 0 to 20"),
        ("privatree-categories", [[1, 0, 0], [0, 0, 0]], "a row at least"),
        ("privatree-categories", [[1, 0], [0, 1]], "3 values"),
        ("privatree-quantiles", ([(0, 4)], [], (1, 1)), "cells from 0 to 3"),
        ("privatree-quantiles", ([(0, 0)] * 21, [(0, 0)] * 20, (1, 1)), "at most 20 rows"),
        ("privatree-quantiles", ([(0, 0)], [], (0, 1)), "before the cell"),
        ("privatree-quantiles", ([(0, 0)], [], (1, 4)), "before the cell"),
        ("privatree-quantiles", ([(0, 0)], [(1, 1), (2, 2)], (1, 1)), "one row more"),
    ],
)
def test_the_reply_to_what_is_no_answer(exercise, answer, said):
    reply = check(exercise, answer)
    assert not reply.passed and said in " ".join(str(reply).split()).lower()
