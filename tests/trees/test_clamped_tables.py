"""The clamped cells of a small node: which records each counts, their masses at any size, and what is decided."""

from fractions import Fraction
from itertools import product
from math import prod

import numpy as np
import pytest

from fdpedu.claims.trees import transcripts as topic
from fdpedu.claims.trees.exact_law import HALF, ONE, TWO
from fdpedu.domain import Categorical, Domain
from fdpedu.mechanisms import discrete_laplace_pmf
from fdpedu.trees.clamped_tables import clamped
from fdpedu.trees.exact_law import SmallTrees, Split

THIRD = Fraction(1, 3)
YOUNG_ILL, OLD_ILL, OLD_WELL = (0.5, "ill"), (1.5, "ill"), (1.5, "well")
LEFT = frozenset({0})
YOUNG, OLD = ONE.everything.restrict(0, [0]), ONE.everything.restrict(0, [1])


def small(domain=ONE, alpha=THIRD, depth=1, **options):
    return SmallTrees(domain, alpha, depth, **{"low": 0, "high": 1, "design": "algorithm-5-clipped", **options})


DATA = ((0, 0, 1), (0, 1, 0), (0, 1, 0), (1, 0, 0), (1, 1, 1), (1, 1, 1), (1, 0, 1))  # two codes and a class


def nodes(domain=TWO, alpha=THIRD, **options):
    return SmallTrees(domain, alpha, 1, **{"low": 0, "high": 1, **options}).nodes


@pytest.mark.parametrize(("low", "high"), [(0, 1), (-2, 3), (1, 4), (-5, -1)])
@pytest.mark.parametrize("count", range(-3, 7))
def test_a_clamped_count_has_the_mass_of_all_that_is_clamped_to_it(count, low, high):
    """Inner values as the mechanism says; the ends hold the tails, summed up to where next to nothing is left."""
    masses = dict(enumerate(clamped(count, THIRD, low, high), low))
    assert list(masses) == list(range(low, high + 1)) and sum(masses.values()) == 1
    far = {k: discrete_laplace_pmf(k - count, alpha=THIRD) for k in range(count - 60, count + 61)}
    for value, mass in masses.items():
        summed = sum(p for k, p in far.items() if min(max(k, low), high) == value)
        assert 0 <= mass - summed < THIRD**50


@pytest.mark.claim("thm-tree-law")
@pytest.mark.parametrize(("low", "high"), [(0, 1), (-2, 3), (1, 4), (0, 4)])
@pytest.mark.parametrize("count", range(6))
def test_where_one_cell_has_the_worst_ratio(count, low, high):
    """1/α exactly at or below the smaller count and below the upper clamp; α above it and above the lower clamp."""
    for k, p, q in zip(
        range(low, high + 1), clamped(count, THIRD, low, high), clamped(count + 1, THIRD, low, high), strict=True
    ):
        assert THIRD <= p / q <= 3
        assert (p / q == 3) == (k <= count and k < high)
        assert (p / q == THIRD) == (k > count and k > low)


@pytest.mark.parametrize("records", [DATA, DATA[:1], DATA[1:3], DATA[3:], ()])
def test_a_cell_counts_the_records_of_its_code_and_class(records):
    """Feature by feature, code by code, class by class: as a histogram of NumPy does."""
    table = np.zeros((2, 2, 2), dtype=int)
    for *codes, label in records:
        for feature, code in enumerate(codes):
            table[feature, code, label] += 1
    expected = [clamped(int(count), THIRD, 0, 1) for count in table.ravel()]
    assert nodes().cell_laws(TWO.everything, records) == expected
    right = TWO.everything.restrict(1, [1])
    assert nodes().cell_laws(right, records) == [*expected[:4], *expected[6:]]


@pytest.mark.parametrize("alpha", [THIRD, Fraction(1, 997), Fraction(996, 997), Fraction(1, 10**9 + 7)])
def test_masses_are_exact_however_long_they_are(alpha):
    """The first table holds the lowest value of each cell, the last the highest; all together they are certain."""
    for domain, data in ((TWO, DATA[:2]), (ONE, ((0, 1), (1, 0)))):
        found = nodes(domain, alpha)
        masses, unit = found.masses(domain.everything, data)
        laws = found.cell_laws(domain.everything, data)
        assert sum(masses.tolist()) == unit and len(masses) == 2 ** len(laws)
        assert Fraction(masses[0], unit) == prod(law[0] for law in laws)
        assert Fraction(masses[-1], unit) == prod(law[-1] for law in laws)
        assert Fraction(masses[1], unit) == prod(law[0] for law in laws[:-1]) * laws[-1][1]


def test_no_table_distinguishes_records_of_the_same_histograms():
    one, other = ((0, 0, 1), (1, 1, 1)), ((0, 1, 1), (1, 0, 1))
    ratios = nodes().worst_tables(TWO.everything, one, other)
    assert set(ratios) == {1} and {type(ratio) for ratio in ratios} == {Fraction}


def test_the_decisions_on_two_bins_by_hand():
    """Printed test on counts of 0 and 1: split if both bins and both classes have somebody."""
    nodes = small().nodes
    decided = nodes.decided(ONE.everything)
    assert nodes.cells(ONE.everything) == [(0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 1)]
    assert decided.cuts == (None, (0, LEFT)) and decided.sides == ((), (YOUNG, OLD))
    tables = nodes.tables(ONE.everything).tolist()
    assert tables == [list(table) for table in product((0, 1), repeat=4)]
    for (a, b, c, d), number in zip(tables, decided.numbers.tolist(), strict=True):
        assert number == bool((a or b) and (c or d) and (a or c) and (b or d))


def test_a_side_of_one_bin_is_a_leaf_whatever_is_counted():
    nodes = small().nodes
    assert nodes.cells(OLD) == [(0, 1, 0), (0, 1, 1)]
    assert nodes.decided(OLD).cuts == (None,)
    assert nodes.decision_law(OLD, ((1, 0),)) == [1]


def test_categories_are_divided_in_the_order_of_their_shares():
    ward = Domain([Categorical("ward", ("A", "B", "C"))], ("well", "ill"))
    decided = small(ward).nodes.decided(ward.everything)
    assert {cut[1] for cut in decided.cuts[1:]} == {
        frozenset(codes) for codes in ({0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2})
    }


def test_few_rows_are_known_by_what_is_asked_for():
    """Averaged test: a least number of five rows stops every table of four cells at 0 or 1; of four, all but one."""
    assert [
        small(design="averaged", min_samples_split=n).nodes.decided(ONE.everything).numbers.sum() for n in (4, 5)
    ] == [
        1,
        0,
    ]


def test_a_decision_to_which_no_table_leads_has_no_probability():
    """Counts of 1 and 2 are always split: there is no leaf at the root, in any law, and no ratio of it."""
    trees = small(low=1, high=2)
    assert set(trees.nodes.decided(ONE.everything).numbers.tolist()) == {1}
    assert trees.nodes.worst_tables(ONE.everything, ((0, 0),), ()) == [0, 3]
    law = trees.law([OLD_WELL])
    assert len(law) == 16 and all(isinstance(tree, Split) for tree in law) and min(law.values()) > 0
    assert {count for tree in law for count in (*tree.left, *tree.right)} == {1, 2}
    topic.transcripts(trees, [OLD_WELL])


def test_the_confident_test_knows_the_noise_of_one_cell():
    """α = 1/2: a deviation of 2, so 1.645·2·2 = 6.58 beyond the total of four cells, and 4.65 beyond that of two."""
    nodes = small(alpha=HALF, low=-2, high=2, design="default", min_samples_split=5).nodes
    decided, split = nodes.decided(ONE.everything), 0
    for (a, b, c, d), number in zip(nodes.tables(ONE.everything).tolist(), decided.numbers.tolist(), strict=True):
        few, absent = a + b + c + d + 6.58 < 5, min(a + c, b + d) + 4.65 < 1
        assert number == (max(a, b) > 0 and max(c, d) > 0 and not few and not absent)
        split += number
    assert 0 < split < sum(max(a, b) > 0 and max(c, d) > 0 for a, b, c, d in nodes.tables(ONE.everything).tolist())
