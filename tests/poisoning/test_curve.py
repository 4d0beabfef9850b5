"""The curve equals the iterates of one step, nothing ε-DP lies below it, and something ε-DP lies on it."""

import math
from decimal import Decimal, localcontext
from fractions import Fraction as F
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.exact import Rate
from fdpedu.mechanisms import permute_and_flip_pmf
from fdpedu.robust import attack_success_bound, certified_rows, poisoning_curve
from fdpedu.robust.curve import curve_enclosure, curve_table
from fdpedu.sources.vos import attack_success_bound_as_printed, poisoning_bound_as_printed

ALPHAS = st.sampled_from([F(1, 2), F(2, 3), F(9, 10), F(99, 100), F(1, 7)])
LEVELS = st.fractions(0, 1, max_denominator=50)
EPSILONS = st.fractions(F(1, 200), 4, max_denominator=200)
CLOSE = F(1, 2**60)


def step(p, alpha, delta=0):
    """One forged row."""
    return max(F(0), alpha * (p - delta), 1 - delta - (1 - p) / alpha)


def iterate(p, alpha, rows, delta=0):
    for _ in range(rows):
        p = step(p, alpha, delta)
    return p


def decimals(level, epsilon, rows):
    """The iterates of a step to 80 digits, for a rational ε."""
    with localcontext(prec=80):
        p = Decimal(level.numerator) / level.denominator
        alpha = (-Decimal(epsilon.numerator) / epsilon.denominator).exp()
        for _ in range(rows):
            p = max(alpha * p, 1 - (1 - p) / alpha)
        return F(p)


@given(level=LEVELS, alpha=ALPHAS, rows=st.integers(0, 200), delta=st.sampled_from([F(0), F(1, 10**6), F(1, 50)]))
def test_the_closed_form_is_the_iteration(level, alpha, rows, delta):
    """For rational e^{−ε}, the enclosure holds the exact iterate and is narrow, with and without δ."""
    found = curve_enclosure(level, Rate.of(alpha=alpha), rows, delta=delta)
    assert found.lower <= iterate(level, alpha, rows, delta) <= found.upper <= found.lower + CLOSE


@given(level=LEVELS, epsilon=EPSILONS, rows=st.integers(0, 40))
def test_bounds_are_rounded_to_the_safe_side(level, epsilon, rows):
    """For rational ε, down by at most 2⁻⁶⁰; the bound of an attack up, and so are those that are printed."""
    exact, noise = decimals(level, epsilon, rows), F(1, 10**60)  # what 80 digits may miss
    assert exact - CLOSE <= poisoning_curve(level, epsilon, rows) <= exact + noise
    assert 1 - exact - noise <= attack_success_bound(1 - level, epsilon, rows) <= 1 - exact + CLOSE
    with localcontext(prec=80):
        power = F((-Decimal(rows * epsilon.numerator) / epsilon.denominator).exp())
    assert power * level - CLOSE <= poisoning_bound_as_printed(level, epsilon, rows) <= power * level + noise
    printed = attack_success_bound_as_printed(1 - level, epsilon, rows)
    assert 1 - power * level - noise <= printed <= 1 - power * level + CLOSE


@given(level=LEVELS, epsilon=EPSILONS, rows=st.integers(0, 300), delta=st.sampled_from([F(0), F(1, 1000)]))
def test_more_rows_and_less_level_leave_less(level, epsilon, rows, delta):
    here = poisoning_curve(level, epsilon, rows, delta=delta)
    assert 0 <= poisoning_curve(level, epsilon, rows + 1, delta=delta) <= here <= level
    assert poisoning_curve(max(F(0), level - F(1, 100)), epsilon, rows, delta=delta) <= here
    assert poisoning_curve(level, epsilon + F(1, 10), rows, delta=delta) <= here
    assert poisoning_curve(level, epsilon, rows, delta=min(F(1), delta + F(1, 50))) <= here


@pytest.mark.parametrize(("alpha", "start"), [(F(1, 2), 27), (F(2, 3), 28), (F(4, 5), 15)])
def test_no_private_chain_on_a_lattice_lies_below(alpha, start):
    """Of all ways to go from p to q in thirtieths that are ε-DP, the lowest after x steps is on or above the curve."""
    lattice = [F(i, 30) for i in range(31)]

    def private(p, q):
        return all(alpha * a <= b and alpha * b <= a for a, b in ((p, q), (1 - p, 1 - q)))

    reached = {lattice[start]}
    for rows in range(1, 12):
        reached = {q for q in lattice if any(private(p, q) for p in reached)}
        assert iterate(lattice[start], alpha, rows) <= min(reached)
    assert min(reached) < lattice[start] / 2  # so something was put to the test


@given(level=st.fractions(F(1, 20), F(19, 20), max_denominator=40), alpha=ALPHAS)
def test_the_curve_itself_is_private(level, alpha):
    """p_{i+1} = f(p_i): any two of its levels, d rows apart, differ by a factor of at most e^{dε}, as do 1 − p."""
    chain = [iterate(level, alpha, rows) for rows in range(9)]
    for i, p in enumerate(chain):
        for d, q in enumerate(chain[i:]):
            assert all(alpha**d * a <= b and alpha**d * b <= a for a, b in ((p, q), (1 - p, 1 - q)))


@given(gap=st.integers(-6, 9), rows=st.integers(0, 20), alpha=ALPHAS)
def test_a_leaf_of_two_classes_lies_on_the_curve(gap, rows, alpha):
    """Monotone permute-and-flip, exactly: rows of the other class take the probability of a label to f^{∘x}."""

    def right(own, other):
        return permute_and_flip_pmf([own, other], alpha=alpha)[0]

    base = max(0, -gap)
    clean, forged = right(base + gap, base), right(base + gap, base + rows)
    assert forged == iterate(clean, alpha, rows)
    assert forged in curve_enclosure(clean, Rate.of(alpha=alpha), rows)


@given(level=LEVELS, epsilon=EPSILONS, rows=st.integers(1, 30))
def test_the_printed_bound_is_exact_only_for_low_levels(level, epsilon, rows):
    """e^{−xε}·A is the curve iff A ≤ 1/(1 + e^{−ε}), and less else."""
    printed, here = poisoning_bound_as_printed(level, epsilon, rows), poisoning_curve(level, epsilon, rows)
    low = level <= 1 / (1 + F(math.exp(-epsilon)))  # never a tie: e^{−ε} is irrational
    assert abs(printed - here) < 2 * CLOSE if low else printed < here or here < CLOSE


@given(level=LEVELS, epsilon=st.fractions(F(1, 50), 3, max_denominator=100), data=st.data())
def test_certified_rows_are_where_the_curve_leaves_the_target(level, epsilon, data):
    target = level * data.draw(st.fractions(F(1, 100), 1, max_denominator=100))
    if 0 < level < 1:
        rows = certified_rows(level, epsilon, target)
        assert poisoning_curve(level, epsilon, rows) >= target - CLOSE
        assert poisoning_curve(level, epsilon, rows + 1) < target
        if target >= F(1, 2):
            assert rows == math.floor(math.log((1 - target) / (1 - level)) / epsilon + 1e-9)


def test_certified_rows_of_the_text():
    assert (certified_rows("0.9", "0.01", "0.75"), certified_rows("0.9", "0.01", "0.9")) == (91, 0)
    assert certified_rows("0.2", 1, "0.2") == 0 and certified_rows("0.9", 5, "0.3") == 0
    # one steep step takes 0.9 to 0.261, two take 0.99 to 0.454: past the target at once
    assert certified_rows("0.9", 2, "0.3") == 0 and certified_rows("0.99", 2, "0.48") == 1
    assert poisoning_bound_as_printed("0.9", "0.01", 18) > F(3, 4) > poisoning_bound_as_printed("0.9", "0.01", 19)
    with localcontext(prec=60):  # ε = 10⁻³⁰: thirty digits of ln 4
        flat = Decimal(10) ** 30
        assert certified_rows("0.4", F(1, 10**30), "0.1") == int(Decimal(4).ln() * flat)


@given(level=LEVELS, epsilon=st.one_of(st.just(F(0)), EPSILONS), rows=st.integers(0, 120))
def test_a_table_of_the_curve_is_the_curve(level, epsilon, rows):
    table = curve_table(level, epsilon, rows)
    assert len(table) == rows + 1 and all(a >= b for a, b in pairwise(table))
    for x in {0, rows // 2, rows}:
        assert -CLOSE <= poisoning_curve(level, epsilon, x) - F(table[x], 2**64) <= CLOSE


def test_a_table_of_extremes():
    assert curve_table(F(1), F(1), 3, bits=8) == [256] * 4
    assert curve_table(F(99, 100), F(10**6), 2, bits=8) == [253, 0, 0]
    almost = 1 - F(1, 10**30)
    assert curve_table(almost, F(1), 80)[40] / 2**64 == pytest.approx(float(poisoning_curve(almost, 1, 40)), abs=1e-15)


@pytest.mark.parametrize(
    ("level", "epsilon", "rows", "delta", "left"),
    [
        (0, 1, 5, 0, 0),
        (1, 1, 10**9, 0, 1),
        (F(3, 7), 1, 0, F(1, 9), F(3, 7)),
        (F(3, 7), 0, 10**50, 0, F(3, 7)),
        (F(3, 7), 0, 2, F(1, 7), F(1, 7)),
        (F(3, 7), 0, 4, F(1, 7), 0),
        (F(3, 7), 1, 10**50, 0, 0),
        (F(3, 7), 10**9, 1, 0, 0),
        (F(3, 7), 1, 1, 1, 0),
        (1, 1, 2, F(1, 2), 0),
    ],
)
def test_ends_of_the_curve(level, epsilon, rows, delta, left):
    assert poisoning_curve(level, epsilon, rows, delta=delta) == left
    assert attack_success_bound(1 - F(level), epsilon, rows, delta=delta) == 1 - left


def test_tiny_rates_cost_digits_and_nothing_else():
    """ε = 10⁻³⁰⁰ over 10³⁰⁰ rows is one whole ε; a level of almost 1 needs rows that are counted, too."""
    assert float(poisoning_curve("0.5", "1e-300", 10**300)) == pytest.approx(0.5 / math.e, abs=1e-15)
    left = poisoning_curve(1 - F(1, 10**40), 1, 90)  # 40·ln 10 = 92.1
    assert float(left) == pytest.approx(1 - math.exp(90 - 40 * math.log(10)), abs=1e-12)
