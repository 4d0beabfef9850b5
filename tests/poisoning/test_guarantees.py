"""What Vos et al. print in Tables III and VIII follows from their own columns, and from no more than that."""

import math
from collections import Counter
from dataclasses import replace
from fractions import Fraction as F

from fdpedu.sources.vos import epsilon_at_most, printed_guarantees
from fdpedu.sources.vos.guarantees import METHODS


def every():
    """All guarantees, read anew."""
    return printed_guarantees()


def test_all_guarantees_are_recomputed():
    """Each of 311, within the rounding of the accuracy and of itself; with one row more or less most are not."""
    assert len(every()) == 311 and [g for g in every() if not g.agrees()] == []
    assert all(abs(g.recomputed() - g.guarantee) <= 2 * g.rounding for g in every())
    firm = [g for g in every() if g.rows and g.guarantee > 10 * g.rounding and g.epsilon == F(1, 10)]
    assert len(firm) > 40
    for wrong in (-1, 1):
        factor = [g.recomputed(g.epsilon * (g.rows + wrong) / g.rows) for g in firm]
        off = [abs(f - g.guarantee) > 2 * g.rounding for f, g in zip(factor, firm, strict=True)]
        assert sum(off) > 0.8 * len(firm)


def test_a_number_agrees_within_its_rounding_and_no_further():
    """Half a digit of the guarantee, and the same of the accuracy shrunk as the guarantee is."""
    for g in every()[::7]:
        factor = math.exp(-g.rows * g.epsilon)
        slack = float(g.rounding) * (1 + factor)
        for sign in (-1, 1):
            near, far = (F(factor * float(g.accuracy) + sign * slack * by) for by in (1 - 1e-6, 1 + 1e-6))
            assert replace(g, guarantee=near).agrees() and not replace(g, guarantee=far).agrees(), g


def test_eight_certify_no_row_at_all():
    none = [(g.data, g.method, g.epsilon, g.share) for g in every() if g.rows == 0]
    half, tenth = F(1, 200), F(1, 1000)
    assert Counter((data, share) for data, _, _, share in none) == {("breast-w", tenth): 4, ("vote", half): 4}
    assert all(g.guarantee == g.accuracy for g in every() if g.rows == 0)


def test_the_sets_are_those_of_the_source():
    assert len({(g.table, g.data) for g in every()}) == 29
    assert Counter(g.table for g in every()) == {3: 176, 8: 135}
    assert Counter(g.method for g in every())[METHODS[0]] == 170
    assert all(0 < g.accuracy <= 1 and g.guarantee <= g.accuracy and g.n > 200 for g in every())
    assert {g.epsilon for g in every()} == {F(1, 100), F(1, 10)}


def test_what_it_costs_at_most_leaves_fewer():
    """At m·(ε − ε_leaf) + ε_leaf: 112 of 170 are 0 as they are rounded, where 47 were printed as 0."""
    own = [g for g in every() if g.method == METHODS[0]]
    most = [epsilon_at_most(g.epsilon, numeric=g.features, rows=4 * g.n // 5, stop="depth") for g in own]
    left = [g.recomputed(cost) for g, cost in zip(own, most, strict=True)]
    assert sum(value < g.rounding for value, g in zip(left, own, strict=True)) == 112
    assert sum(g.guarantee == 0 for g in own) == 47
    assert all(value <= g.recomputed() for value, g in zip(left, own, strict=True))
