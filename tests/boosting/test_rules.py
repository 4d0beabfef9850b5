"""Public rules: how many trees, how many questions, how large a step, what each release costs; what is made of sums."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.accounting import Cost, gaussian_budget
from fdpedu.boosting import rules_for
from fdpedu.boosting.rules import CLIP, STEPS
from fdpedu.boosting.stepping import as_units, enlarged, shifted, within_limit
from fdpedu.gradients import AdditiveModel

RHO = Cost("gaussian", Fraction(1, 40))


@pytest.mark.parametrize(
    ("form", "budget", "features", "expected"),
    [("trees", 1, 10, (8, 6, 5, 5)), ("trees", 1, 2, (8, 6, 2, 2)), ("trees", RHO, 10, (36, 25, 3, 5)),
     ("trees", RHO, 4, (36, 25, 3, 4)), ("trees", RHO, 1, (36, 25, 1, 1)), ("curves", RHO, 10, (36, 10, 2, 2)),
     ("curves", RHO, 1, (36, 1, 2, 2)), ("curves", RHO, 500, (36, 113, 1, 1))],
)  # fmt: skip
def test_defaults(form, budget, features, expected):
    rules = rules_for(form, 500, budget, features)
    assert (rules.rounds, rules.trees_per_round, rules.questions, rules.most_questions) == expected
    assert (rules.form, rules.nominal_size, rules.clip) == (form, 500, CLIP) and 2 * CLIP == STEPS == 64
    assert rules.rounds * rules.trees_per_round <= 4096


def test_what_is_given_is_taken():
    rules = rules_for("curves", 500, RHO, 10, rounds=64, trees_per_round=64, max_depth=6)
    assert (rules.rounds, rules.trees_per_round, rules.questions, rules.most_questions) == (64, 64, 6, 6)
    rules = rules_for("trees", 500, RHO, 10, max_depth=4)
    assert (rules.questions, rules.most_questions) == (4, 4)  # one number of questions for all rounds
    assert rules_for("trees", 500, RHO, 3, max_depth=6).questions == 3  # each of another feature


@given(st.integers(1, 64))
def test_shares_make_1(rounds):
    rules = rules_for("trees", 10, 1, 3, rounds=rounds)
    shares = rules.shares
    assert shares["histograms"] + rounds * shares["round"] + 2 * shares["intercept"] == 1
    assert shares["histograms"] == Fraction(1, 10) and shares["intercept"] == Fraction(3, 100)
    assert rules.watched_from == rounds // 4


SIZES = st.sampled_from([1, 30, 250, 1000, 5000, 20_000, 10**6])
RHOS = st.sampled_from([Fraction(1, 5000), Fraction(1, 150), Fraction(1, 40), Fraction(1, 2)])


@given(SIZES, st.integers(1, 200), RHOS, st.sampled_from([1, 8, 16, 36]))
def test_all_grows_with_how_much_a_feature_stands_out(size, features, rho, rounds):
    """By ν = N·√ρ/p: the step, in whole units of 1/4096, never above 5/6 of the rounds; quantiles and groups."""
    nu = size * math.sqrt(rho) / features

    def step(divisor, most):
        return math.floor(4096 * min(max(0.35, min(nu / divisor, most)), 5 * rounds / 6))

    trees, curves = (
        rules_for(form, size, Cost("gaussian", rho), features, rounds=rounds) for form in ("trees", "curves")
    )
    assert trees.step == step(4, 30) and curves.step == step(16, 8)
    assert curves.questions == min(4, max(2 if nu > 5 else 1, round(math.log2(math.sqrt(nu) / 2))))
    for rules in (trees, curves):
        assert rules.groups == 2 ** min(8, max(5, round(math.log2(nu))))
        assert rules.quantiles == min(64, max(8, 4 * 2 ** min(4, max(1, round(math.log2(nu) / 2)))))


def test_a_budget_in_epsilon_goes_by_the_rho_of_a_millionth():
    """M = ν/30 there, and half of the rounds at most."""
    rho = gaussian_budget(Fraction(1, 2), Fraction(1, 10**6)).limit
    pure, other = rules_for("trees", 9000, "1/2", 4), rules_for("trees", 9000, Cost("gaussian", rho.value), 4)
    assert (pure.quantiles, pure.groups) == (other.quantiles, other.groups)
    nu = 9000 * math.sqrt(rho.value) / 4
    assert pure.step == math.floor(4096 * min(4, nu / 30)) and nu / 30 > 1
    assert rules_for("trees", 9000, Cost("pure", "1/2"), 4) == pure
    assert rules_for("trees", 10**6, "1/2", 4).step == 4 * 4096
    assert rules_for("trees", 10**6, "1/2", 4, rounds=1).step == 2048


def test_the_noise_is_that_of_all_parties():
    """K shares of which m make up the full noise: the deviation is √(K/m) times that."""
    from fdpedu.boosting.noise import pull_deviation, query_deviation
    from fdpedu.domain import Domain
    from fdpedu.federation import InterceptSums

    domain = Domain.from_spec({"features": {"x": [0, 4, 4]}, "classes": ["a", "b"]})
    pure, rho = (InterceptSums(domain.everything, cost, 64, AdditiveModel()) for cost in (1, RHO))
    alpha = math.exp(-1 / 48)
    assert query_deviation(pure, 7, 4) == pytest.approx(math.sqrt(7 / 4 * 2 * alpha) / (1 - alpha))
    assert query_deviation(rho, 7, 4) == pytest.approx(math.sqrt(7 / 4 * float(rho.gaussian(4).variance)))
    needed = 25 * 32**2 / 2 * 40
    assert pull_deviation(RHO, 25, domain, 5, 4) == pytest.approx(math.sqrt(5 / 4 * needed), rel=1e-3)
    assert pull_deviation(RHO, 25, domain, 5, 5) == pytest.approx(math.sqrt(needed), rel=1e-3)


# --- what is made of sums ---------------------------------------------------------------------------------------------

STUMP = ((0, 0b01),)
COLUMNS = np.array([[0, 1]], dtype=np.uint8)


@pytest.mark.parametrize(
    ("weight", "scale"), [(4096, 16), (2048, 32), (1024, 64), (512, 64), (0, 64), (3000, 22), (8000, 16)]
)
def test_a_model_is_enlarged_to_a_spread_of_1_fourfold_at_most_and_never_made_smaller(weight, scale):
    model = enlarged(AdditiveModel(((STUMP, (-weight, weight)),), 160), COLUMNS)
    assert model == AdditiveModel(((STUMP, (-weight, weight)),), 160, scale)


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
    assert within_limit(np.array([1e30, -1e30, 7.0])).tolist() == [2**20, -(2**20), 7]


def test_what_is_promised_has_the_form_of_a_guarantee_of_ensembles():
    from fdpedu.boosting import boosting_guarantee

    sizes = {"n_features": 10, "n_parties": 5, "colluders": 2}
    pure, rho = boosting_guarantee(1, **sizes), boosting_guarantee(1, delta=1e-6, **sizes)
    for found in (pure, rho):
        assert (found.model, found.levels, found.worst, found.chosen) == ("ensemble", {}, 0, 0)
        assert found.who == "2 curious parties of 5, shares made for 1"
    assert (pure.delta, rho.delta) == (0, Fraction(1, 10**6))
    assert pure.path == "10 histograms, 8 rounds of 6 trees, twice an intercept (1/10, 21/25, 3/50)"
    assert boosting_guarantee(1, n_features=3, n_parties=2, colluders=1, tolerate=0).insider.upper > 1
    real = boosting_guarantee(1, form="trees", rounds=2, trees_per_round=3, max_depth=6, **sizes)
    assert real.path.startswith("10 histograms, 2 rounds of 3 trees")
