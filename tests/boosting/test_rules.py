"""Public rules: how many trees, how large a step, what each release costs; what is made of sums."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.accounting import Cost, gaussian_budget
from fdpedu.boosting import Rules, rules_for
from fdpedu.boosting.rules import CLIP, STEPS
from fdpedu.boosting.stepping import as_units, enlarged, shifted
from fdpedu.gradients import AdditiveModel

RHO = Cost("gaussian", Fraction(1, 40))


@pytest.mark.parametrize(
    ("form", "budget", "features", "expected"),
    [("trees", 1, 10, (4, 6, 3, 8)), ("trees", RHO, 10, (16, 25, 3, 12)), ("curves", RHO, 10, (16, 20, 2, 12)),
     ("curves", RHO, 1, (16, 2, 2, 12)), ("curves", RHO, 500, (16, 256, 2, 12))],
)  # fmt: skip
def test_defaults(form, budget, features, expected):
    rules = rules_for(form, 500, budget, features)
    assert (rules.rounds, rules.trees_per_round, rules.questions, rules.quantiles) == expected
    assert (rules.form, rules.nominal_size, rules.clip) == (form, 500, CLIP) and 2 * CLIP == STEPS == 64
    assert rules.rounds * rules.trees_per_round <= 4096


def test_what_is_given_is_taken():
    rules = rules_for("curves", 500, RHO, 10, rounds=64, trees_per_round=64, max_depth=6)
    assert (rules.rounds, rules.trees_per_round, rules.questions) == (64, 64, 6)


@given(st.integers(1, 64))
def test_shares_make_1(rounds):
    shares = rules_for("trees", 10, 1, 3, rounds=rounds).shares
    assert shares["histograms"] + rounds * shares["round"] + 2 * shares["intercept"] == 1
    assert shares["histograms"] == Fraction(1, 10) and shares["intercept"] == Fraction(3, 100)


@given(st.integers(1, 10**6), st.integers(1, 60), st.sampled_from([Fraction(1, 150), Fraction(1, 40), Fraction(1, 11)]))
def test_the_step_grows_with_how_much_a_feature_stands_out(size, features, rho):
    """M = N·√ρ/(30p), from 0.35 to 4; classes are weighted from N·√ρ = 500 on."""
    rules = rules_for("trees", size, Cost("gaussian", rho), features)
    signal = size * math.sqrt(rho)
    assert rules.step == pytest.approx(min(4, max(0.35, signal / features / 30)))
    assert rules.weighted == (signal >= 500)


def test_the_border_of_weighted_classes():
    cost = Cost("gaussian", Fraction(1, 4))
    assert rules_for("trees", 1000, cost, 3).weighted and not rules_for("trees", 999, cost, 3).weighted


def test_a_budget_in_epsilon_takes_the_step_of_its_rho_at_a_millionth():
    rho = gaussian_budget(Fraction(1, 2), Fraction(1, 10**6)).limit
    pure, other = rules_for("trees", 3000, "1/2", 4), rules_for("trees", 3000, Cost("gaussian", rho.value), 4)
    assert pure.step == other.step and pure.weighted == other.weighted and 0.35 < pure.step < 4
    assert rules_for("trees", 3000, Cost("pure", "1/2"), 4) == pure


@pytest.mark.parametrize(("form", "asked"), [("trees", 3), ("curves", 1)])
def test_a_tree_takes_its_part_of_the_step(form, asked):
    rules = Rules(form, 100, 4, 6, 3, 8, 2.0, False)
    assert rules.factor(10) == pytest.approx(1.5 * 2 * 10 / (asked * 24))


def test_the_noise_is_that_of_all_parties():
    """K shares of which m make up the full noise: the deviation is √(K/m) times that."""
    from fdpedu.boosting.noise import query_deviation
    from fdpedu.domain import Domain
    from fdpedu.federation import InterceptSums

    everything = Domain.from_spec({"features": {"x": [0, 4, 4]}, "classes": ["a", "b"]}).everything
    pure, rho = (InterceptSums(everything, cost, 64, AdditiveModel()) for cost in (1, RHO))
    alpha = math.exp(-1 / 48)
    assert query_deviation(pure, 7, 4) == pytest.approx(math.sqrt(7 / 4 * 2 * alpha) / (1 - alpha))
    assert query_deviation(rho, 7, 4) == pytest.approx(math.sqrt(7 / 4 * float(rho.gaussian(4).variance)))


# --- what is made of sums ---------------------------------------------------------------------------------------------

STUMP = ((0, 0b01),)
COLUMNS = np.array([[0, 1]], dtype=np.uint8)


@pytest.mark.parametrize(
    ("weight", "scale"), [(4096, 16), (2048, 32), (1024, 64), (512, 64), (0, 64), (3000, 22), (8000, 16)]
)
def test_a_model_is_enlarged_to_a_spread_of_1_fourfold_at_most_and_never_made_smaller(weight, scale):
    model = enlarged(AdditiveModel(((STUMP, (-weight, weight)),), 160), COLUMNS)
    assert model == AdditiveModel(((STUMP, (-weight, weight)),), 10 * scale, scale)


@pytest.mark.parametrize(
    ("sums", "deviation", "step"),
    [((-640, 1280), 0, 0.5), ((640, 1280), 0, -0.5), ((-640, 1280), 640, 0.25), ((-640, 0), 0, 5), ((640, -9), 0, -5),
     ((-64, 10), 0, 0.5), ((-(10**6), 10**5), 0, 2), ((-(2 * 10**5), 10**5), 0, 2), ((0, 0), 3, 0)],
)  # fmt: skip
def test_the_intercept_moves_by_a_newton_step_and_by_2_at_most(sums, deviation, step):
    """The curvature is at least N·m/50 = 128 here, and twice the noise is added to it."""
    model = AdditiveModel(((STUMP, (1, 2)),), 4096, 20)
    found = shifted(model, sums, rows=100, steps=64, deviation=deviation)
    assert found == AdditiveModel(model.trees, 4096 + round(4096 * max(-2, min(2, step))), 20)


def test_units_are_4096_in_1_to_the_nearest_within_what_a_model_may_hold():
    assert as_units([1, -0.5, 0.4 / 4096, 0.6 / 4096, 300, -300]) == [4096, -2048, 0, 1, 2**20, -(2**20)]


def test_what_is_promised_has_the_form_of_a_guarantee_of_ensembles():
    from fdpedu.boosting import boosting_guarantee

    sizes = {"n_features": 10, "n_parties": 5, "colluders": 2}
    pure, rho = boosting_guarantee(1, **sizes), boosting_guarantee(1, delta=1e-6, **sizes)
    for found in (pure, rho):
        assert (found.model, found.levels, found.worst, found.chosen) == ("ensemble", {}, 0, 0)
        assert found.who == "2 curious parties of 5, shares made for 1"
    assert (pure.delta, rho.delta) == (0, Fraction(1, 10**6))
    assert pure.path == "10 histograms, 4 rounds of 6 trees, twice an intercept (1/10, 21/25, 3/50)"
    assert boosting_guarantee(1, n_features=3, n_parties=2, colluders=1, tolerate=0).insider.upper > 1
    real = boosting_guarantee(1, form="trees", rounds=2, trees_per_round=3, max_depth=6, **sizes)
    assert real.path.startswith("10 histograms, 2 rounds of 3 trees")
