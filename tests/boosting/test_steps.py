"""One formula a function: steps and their noise, coverage, interactions, the second step, the guard's cosine."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.accounting import Cost
from fdpedu.boosting import rules_for
from fdpedu.boosting.orders import leaf_shares, noise_of_interactions, of_leaves, orders_apart
from fdpedu.boosting.outcomes import curvature_of
from fdpedu.boosting.steps import (
    Coverage,
    Energy,
    cosine,
    coverage,
    newton,
    second_step,
    variances,
)

RNG = np.random.default_rng(5)
RULES = rules_for("trees", 9000, Cost("gaussian", Fraction(1, 40)), 6)


def random_sides(trees, factors, levels=2, empty=False):
    sides = RNG.dirichlet(np.ones(levels), (trees, factors))
    if empty:
        sides[:, 0] = np.eye(levels)[0]
    return sides


@pytest.mark.parametrize(("factors", "levels"), [(1, 2), (2, 2), (3, 2), (5, 2), (1, 8)])
@pytest.mark.parametrize("empty", [False, True])
def test_the_first_factor_is_the_first_digit_and_orders_add_up(factors, levels, empty):
    """By the definition, leaf by leaf; the rest has no mean over any factor, so orders are orthogonal."""
    sides = random_sides(3, factors, levels, empty)
    share = leaf_shares(sides)
    for tree, (number, leaf) in product(range(3), enumerate(product(range(levels), repeat=factors))):
        assert share[tree, number] == pytest.approx(math.prod(sides[tree, i, b] for i, b in enumerate(leaf)))
    weights = np.where(share > 0, RNG.normal(size=share.shape), 0.0)
    mean, main, rest = orders_apart(weights, sides)
    kept = share > 0
    assert (mean[:, None] + of_leaves(main) + rest)[kept] == pytest.approx(weights[kept])
    assert mean == pytest.approx((share * weights).sum(axis=1))
    assert (sides * main).sum(axis=2) == pytest.approx(np.zeros((3, factors))) and not rest[~kept].any()
    for i, b in product(range(factors), range(levels)):
        inside = np.array([leaf[i] == b for leaf in product(range(levels), repeat=factors)])
        assert (share * rest)[:, inside].sum(axis=1) == pytest.approx(np.zeros(3))
        assert not main[:, i, b][sides[:, i, b] == 0].any()


def test_noise_alone_has_the_energy_that_is_stated():
    """By the projection itself, as a matrix: the expectation of Σ μ·w₂² over independent noise of the leaves."""
    for factors in (1, 2, 3, 5):
        sides = random_sides(2, factors, empty=factors == 3)
        share = leaf_shares(sides)
        varies = np.where(share > 0, RNG.random(share.shape), 0.0)
        expected = np.zeros(2)
        for leaf in range(2**factors):
            one = np.where(share > 0, np.eye(2**factors)[leaf], 0.0)
            expected += varies[:, leaf] * (share * orders_apart(one, sides)[2] ** 2).sum(axis=1)
        assert noise_of_interactions(varies, sides) == pytest.approx(expected)


@pytest.mark.parametrize("form_levels", [(3, 2), (1, 4)])
def test_a_step_is_newtons_and_its_variance_that_of_its_sum(form_levels):
    sides = random_sides(2, *form_levels, empty=True)
    share, n_leaves = leaf_shares(sides), form_levels[1] ** form_levels[0]
    sums = RNG.integers(-900, 900, share.shape)
    got, varies = (
        newton(sums, sides, rows=500, curvature=700, steps=64),
        variances(sides, rows=500, curvature=700, sigma=3.0),
    )
    for tree, leaf in product(range(2), range(n_leaves)):
        mu = share[tree, leaf]
        weight = 500 * 700 / 4096 * (mu + 1 / n_leaves)
        assert got[tree, leaf] == pytest.approx(-sums[tree, leaf] / 64 / weight if mu else 0)
        assert varies[tree, leaf] == pytest.approx((3.0 / weight) ** 2 if mu else 0)


@pytest.mark.parametrize(
    ("asked", "trees", "features", "expected"),
    [(3, 25, 10, (7.5, 75 / 45)), (3, 25, 100, (1, 1)), (1, 25, 1, (25, 1)), (2, 25, 2, (25, 25)), (5, 6, 5, (6, 6)),
     (1, 113, 200, (1, 1))],
)  # fmt: skip
def test_weights_are_divided_by_how_often_a_round_asks_and_by_1_at_least(asked, trees, features, expected):
    assert coverage(asked, trees, features) == Coverage(*map(pytest.approx, expected))


def test_the_curvature_is_the_mean_over_rows_and_eight_hundredths_at_least():
    scores = RNG.integers(-5 * 4096, 5 * 4096, 300)
    at = [max(-512, min(512, (s + 32) // 64)) / 64 for s in scores.tolist()]
    p = [round(4096 / (1 + math.exp(-s))) for s in at]
    exact = Fraction(sum(q * (4096 - q) for q in p), 300 * 4096)
    assert abs(curvature_of(scores) - exact) <= Fraction(1, 2) and exact > 328
    assert curvature_of(np.full(3, 10 * 4096)) == 328 and curvature_of(np.zeros(1, dtype=np.int64)) == 1024


def energy_of(*rounds):
    """What rounds of 25 trees leave: each its signal and noise, and its number of questions."""
    found = Energy()
    for signal, noise, k in rounds:
        found = Energy(
            found.signal + signal, found.noise + noise, found.degrees + 25 * (2**k - 1 - k),
            found.pairs + math.comb(k, 2), found.rounds + 1,
        )  # fmt: skip
    return found


@pytest.mark.parametrize("rounds", [[(3.0, 1.0, 3)], [(3.0, 1.0, 3), (2.5, 1.5, 5)], [(9.0, 2.0, 5)] * 4])
def test_interactions_stand_out_by_their_energy_less_that_of_noise(rounds):
    """Less four standard deviations of it; times how often all rounds ask about a pair."""
    degrees = sum(25 * (2**k - 1 - k) for _, _, k in rounds)
    above = sum(e for e, _, _ in rounds) / sum(v for _, v, _ in rounds) - 1 - 4 * math.sqrt(2 / degrees)
    pairs = sum(math.comb(k, 2) for _, _, k in rounds) / len(rounds)
    expected = 36 * 25 * pairs / 15 * above
    assert above > 0 and energy_of(*rounds).ratio(RULES, 6) == pytest.approx(4096 * expected, abs=1)


def test_where_nothing_stands_out_the_ratio_is_0():
    assert energy_of((1.2, 1.0, 3)).ratio(RULES, 6) == 0  # within four standard deviations
    assert Energy().ratio(RULES, 6) == 0 and energy_of((9.0, 1.0, 3)).ratio(RULES, 1) == 0
    assert energy_of((1.0, 0.0, 3)).ratio(RULES, 6) == 0
    assert energy_of((1e300, 1e-9, 3)).ratio(RULES, 6) == 2**40  # a bound, so that it can be kept


def test_what_a_round_adds_to_the_energies():
    sides, rest = random_sides(25, 3), RNG.normal(size=(25, 8))
    varies = RNG.random((25, 8))
    found = Energy(1.0, 2.0, 3, 4, 5).and_of(rest, varies, sides)
    assert found.signal == pytest.approx(1 + (leaf_shares(sides) * rest**2).sum() / 25)
    assert found.noise == pytest.approx(2 + noise_of_interactions(varies, sides).mean())
    assert (found.degrees, found.pairs, found.rounds) == (3 + 25 * 4, 4 + 3, 6)


@given(st.integers(0, 30 * 4096), st.integers(0, 10**9), st.integers(1, 5), st.integers(1, 60))
def test_the_second_step_is_its_part_of_the_first_and_larger_where_interactions_stand_out(step, ratio, k, p):
    least = Fraction(step * (k - 1), max(1, p - 1))
    assert abs(second_step(step, 0, k, p) - least) <= Fraction(1, 2)
    grown = min(step, 5 * 4096 * math.log(1 + ratio / 4096))
    assert second_step(step, ratio, k, p) == pytest.approx(max(float(least), grown), abs=0.51)


def test_the_cosine_is_of_all_codes_together_by_their_shares():
    one, other, share = RNG.normal(size=(3, 12))
    share = np.abs(share)
    exact = (share * one * other).sum() / math.sqrt((share * one**2).sum() * (share * other**2).sum())
    assert cosine(one, other, share) == pytest.approx(4096 * exact, abs=0.51)
    assert cosine(one, 3 * one, share) == 4096 and cosine(one, -one, share) == -4096
    assert cosine(np.zeros(12), one, share) == cosine(one, np.zeros(12), share) == 0
