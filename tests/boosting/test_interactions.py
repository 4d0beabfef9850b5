"""Pairs of features: what trees that hold both say beyond either, beside what noise alone would say."""

import math
from itertools import combinations

import numpy as np
import pytest

from benchmarks.pooled import simulate_boosting
from fdpedu.accounting import Budget
from fdpedu.boosting import Interaction
from fdpedu.boosting.interactions import Step, interactions_of, pair_energy, pair_noise
from fdpedu.boosting.orders import leaf_shares, noise_of_interactions, orders_apart
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import Party
from fdpedu.gradients import TreeShapes
from fdpedu.randomness import Rehearsal

RNG = np.random.default_rng(2)
SIDES = RNG.dirichlet(np.ones(2), (4, 3))


def test_pairs_of_three_questions_and_the_triple_are_the_interactions():
    """Energies of pairs and of what only all three say add up to the rest's, of weights and of noise."""
    share, weights, varies = leaf_shares(SIDES), RNG.normal(size=(4, 8)), RNG.random((4, 8))
    signs = np.array([[(1 - SIDES[:, i, 0], -SIDES[:, i, 0]) for i in range(3)]])[0]  # (3, 2, 4): of mean 0
    triple = np.stack([signs[0, a] * signs[1, b] * signs[2, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)], axis=1)
    along = (share * weights * triple).sum(axis=1) ** 2 / (share * triple**2).sum(axis=1)
    pairs = sum(pair_energy(weights, SIDES, i, j) for i, j in combinations(range(3), 2))
    assert pairs + along == pytest.approx((share * orders_apart(weights, SIDES)[2] ** 2).sum(axis=1))
    step = Step(TreeShapes(()), SIDES, weights, varies)
    noise = sum(pair_noise(step, i, j) for i, j in combinations(range(3), 2))
    of_triple = (share**2 * varies * triple**2).sum(axis=1) / (share * triple**2).sum(axis=1)
    assert noise + of_triple == pytest.approx(noise_of_interactions(varies, SIDES))


def test_each_pair_has_the_root_of_the_mean_over_its_trees():
    trees = TreeShapes((((2, 1), (0, 1)), ((0, 1), (1, 1)), ((0, 1), (2, 1)), ((0, 1), (2, 1))))
    weights, sides = RNG.normal(size=(4, 4)), RNG.dirichlet(np.ones(2), (4, 2))
    step = Step(trees, sides, weights, np.ones((4, 4)))
    found = {one.features: one for one in interactions_of(("a", "b", "c"), [step, step])}
    assert set(found) == {("a", "c"), ("a", "b")} and found["a", "c"].n_trees == 6 and found["a", "b"].n_trees == 2
    energy, noise = pair_energy(weights, sides, 0, 1), pair_noise(step, 0, 1)
    assert found["a", "c"].strength == pytest.approx(math.sqrt(energy[[0, 2, 3]].mean()))
    assert found["a", "c"].noise == pytest.approx(math.sqrt(noise[[0, 2, 3]].mean()))


def test_those_that_stand_out_the_furthest_come_first():
    """By the ratio to their noise: a weak pair with hardly any noise before a strong one with much."""
    trees = TreeShapes((((0, 1), (1, 1)), ((0, 1), (2, 1)), ((1, 1), (2, 1))))
    checkerboard = np.array([1.0, -1.0, -1.0, 1.0])
    weights = np.outer([4.0, 1.0, 2.0], checkerboard)
    step = Step(trees, np.full((3, 2, 2), 0.5), weights, np.outer([16.0, 0.01, 1.0], np.ones(4)))
    found = interactions_of(("a", "b", "c"), [step])
    assert [one.features for one in found] == [("a", "c"), ("b", "c"), ("a", "b")]
    assert [one.strength for one in found] == pytest.approx([1.0, 2.0, 4.0])


def test_what_stands_out():
    """Beyond 1 + 4·√(2/n) times the energy of noise alone."""
    assert Interaction(("a", "b"), math.sqrt(1 + 4 * math.sqrt(2 / 50)) + 1e-9, 1.0, 50).stands_out
    assert not Interaction(("a", "b"), math.sqrt(1 + 4 * math.sqrt(2 / 50)) - 1e-9, 1.0, 50).stands_out
    assert not Interaction(("a", "b"), 0.0, 0.0, 50).stands_out


DOMAIN = Domain([*(Numeric.grid(f"x{j}", 0, 1, bins=8) for j in range(4)), Categorical("w", ("A", "B"))], ("a", "b"))


def test_features_that_act_together_are_named_first_and_others_are_not_named():
    """The class is whether x0 and x1 are on the same side, and leans on x2: one pair stands out."""
    rng = np.random.default_rng(1)
    x, w = rng.random((4000, 4)), rng.integers(0, 2, 4000)
    ill = np.where(rng.random(4000) < 0.8, (x[:, 0] > 0.5) == (x[:, 1] > 0.5), x[:, 2] > 0.5)
    rows = [[*map(float, a), "AB"[b], "ab"[int(c)]] for a, b, c in zip(x, w, ill, strict=True)]
    options = {"nominal_size": 4000, "rounds": 12, "rng": Rehearsal(1)}
    ensemble = simulate_boosting(Party(rows, DOMAIN), Budget.of(4, delta=1e-6), **options)
    found = ensemble.interactions()
    assert found[0].features == ("x0", "x1") and found[0].strength > 2 * found[0].noise
    clear = [one.features for one in found if one.stands_out]
    assert clear == [("x0", "x1")] and len(found) == 10
    text = ensemble.to_text()
    assert "x0 × x1" in text and "by noise alone" in text and "x2 × x3" not in text
    html = ensemble._repr_html_()
    assert html.count("<table") == 2 and "x0 × x1" in html and "act together" in html
    curves = simulate_boosting(Party(rows, DOMAIN), Budget.of(4, delta=1e-6), form="curves", **options)
    assert curves.interactions() == () and "by noise alone" not in curves.to_text()
