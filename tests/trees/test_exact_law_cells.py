"""The clamped cells of a small node: which records each counts, and that their masses are exact at any size."""

from fractions import Fraction
from math import prod

import numpy as np
import pytest

from fdpedu.claims.trees.laws_exact import ONE, TWO
from fdpedu.trees import Design
from fdpedu.trees.clamped_tables import clamped
from fdpedu.trees.exact_law import SmallTrees, tree_law, tree_loss
from fdpedu.trees.stopping import as_printed_unclipped

THIRD = Fraction(1, 3)
DATA = ((0, 0, 1), (0, 1, 0), (0, 1, 0), (1, 0, 0), (1, 1, 1), (1, 1, 1), (1, 0, 1))  # two codes and a class


def nodes(domain=TWO, alpha=THIRD, **options):
    return SmallTrees(domain, alpha, 1, **{"low": 0, "high": 1, **options}).nodes


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


def test_unless_told_no_number_of_rows_is_asked_for():
    """On raw counts, a node whose features count 0 rows each may be split, if both see a class; not if 1 is asked."""
    options = {"low": -1, "high": 1, "design": Design(stop=as_printed_unclipped, clip=False)}
    rows, trees = [[0.5, 1.5, "well"]], SmallTrees(TWO, THIRD, 1, **options)
    of_none, of_one = (SmallTrees(TWO, THIRD, 1, **options, min_samples_split=n) for n in (0, 1))
    assert trees.law(rows) == of_none.law(rows) == tree_law(rows, TWO, THIRD, 1, **options) != of_one.law(rows)
    assert of_one.law(rows) == tree_law(rows, TWO, THIRD, 1, **options, min_samples_split=1)
    losses = [t.loss(rows, []) for t in (trees, of_none, of_one)]
    assert losses[0] == losses[1] == tree_loss(rows, [], TWO, THIRD, 1, **options) != losses[2]
    assert losses[2] == tree_loss(rows, [], TWO, THIRD, 1, **options, min_samples_split=1)


def test_other_records_of_the_same_histograms_are_told_apart_by_no_table():
    one, other = ((0, 0, 1), (1, 1, 1)), ((0, 1, 1), (1, 0, 1))
    ratios = nodes().worst_tables(TWO.everything, one, other)
    assert set(ratios) == {1} and {type(ratio) for ratio in ratios} == {Fraction}


@pytest.mark.parametrize("records", [DATA, DATA[:1], DATA[3:5]])
def test_a_leaf_counts_classes_and_no_codes(records):
    """At depth 0 the law is that of the class counts; and of a bare root at any depth."""
    rows = [[x + 0.5, y + 0.5, ("well", "ill")[label]] for x, y, label in records]
    counts = [sum(label == k for *_, label in records) for k in (0, 1)]
    well, ill = (clamped(count, THIRD**2, 0, 1) for count in counts)
    trees = SmallTrees(TWO, THIRD, 0, low=0, high=1, leaf_steps=2)
    assert trees.law(rows) == {(a, b): well[a] * ill[b] for a in (0, 1) for b in (0, 1)}
    never = Design(stop=lambda level, least: np.ones(len(level.tables), dtype=bool), unspent_to_leaf=False)
    assert SmallTrees(TWO, THIRD, 3, low=0, high=1, leaf_steps=2, design=never).law(rows) == trees.law(rows)
