"""The course of an ensemble: k, steps and guard follow from released sums, round after round."""

import numpy as np
import pytest

from fdpedu.boosting import Course, Marginals, Rules
from fdpedu.boosting.course import Round
from fdpedu.boosting.steps import second_step
from fdpedu.domain import Domain, Numeric
from fdpedu.gradients import AdditiveModel, TreeShapes

P = 5
DOMAIN = Domain([Numeric.grid(f"x{j}", 0, 2, bins=2) for j in range(P)], ("a", "b"))
HALVES = Marginals(DOMAIN, np.ones(2 * P))
MADE_UP = HALVES.rows(50, b"")
EACH = TreeShapes(tuple(((j, 0b01),) for j in range(P)))  # asks about each feature once
PAIRS = TreeShapes((((0, 0b01), (1, 0b01), (2, 0b01)), ((2, 0b01), (3, 0b01), (4, 0b01))))


def rules(rounds=8, trees=P, k=1, most=1, step=6 * 4096, form="trees"):
    return Rules(form, 1000, rounds, trees, k, most, 8, 32, step)


def gone(course, trees, all_sums):
    """The rounds that these sums make, and the models before them."""
    model, rounds, models = AdditiveModel(), [], []
    for sums in all_sums:
        models.append(model)
        added, kept = course.after(model, trees, np.array(sums))
        model = AdditiveModel(model.trees + added, kept.intercept)
        rounds.append(kept)
    return rounds, [*models, model]


def curves(*signs):
    """Sums by which each feature's curve has this sign and size."""
    return [[-600 * s, 600 * s] for s in signs]


def test_steps_that_turn_back_are_halved_from_this_very_round_on_and_again():
    """All features together: what one of them does is nothing, as long as the others go on."""
    on, back = curves(1, 1, 1, 1, 1), curves(-1, -1, -1, -1, -1)
    rounds, _ = gone(Course(rules(), HALVES, MADE_UP, 1.0), EACH, [on, on, back, on, on])
    assert [r.step for r in rounds] == [6 * 4096, 6 * 4096, 3 * 4096, 6144, 6144]
    fewer = curves(-1, -1, 1, 1, 1)  # the cosine is 1/5
    rounds, _ = gone(Course(rules(), HALVES, MADE_UP, 1.0), EACH, [on, fewer])
    assert [r.step for r in rounds] == [6 * 4096, 6 * 4096]
    most = curves(-1, -1, -1, -1, 1)  # −3/5
    rounds, _ = gone(Course(rules(), HALVES, MADE_UP, 1.0), EACH, [on, most])
    assert [r.step for r in rounds] == [6 * 4096, 3 * 4096]


def test_the_guard_applies_to_the_weights_of_the_round_that_it_fires_in():
    on, back = curves(1, 1, 1, 1, 1), curves(-1, -1, -1, -1, -1)
    (_, last), models = gone(Course(rules(), HALVES, MADE_UP, 1.0), EACH, [on, back])
    _, alone = gone(Course(rules(step=3 * 4096), HALVES, MADE_UP, 1.0), EACH, [back])
    h = last.curvature / 1024  # of the model of the first round
    for (_, w), (_, v) in zip(models[-1].trees[P:], alone[-1].trees, strict=True):
        assert [x * h for x in w] == pytest.approx(v, abs=1)


def test_the_guard_looks_at_each_features_mean_curve():
    """Two trees about the same feature that say opposite things leave no curve, and no feature is compared alone."""
    twice = TreeShapes((((0, 0b01),), ((0, 0b01),), ((1, 0b01),)))
    first = [[-600, 600], [600, -600], [-60, 60]]
    second = [[600, -600], [-600, 600], [-60, 60]]
    rounds, _ = gone(Course(rules(trees=3), HALVES, MADE_UP, 1.0), twice, [first, second])
    assert rounds[1].step == rounds[0].step


def test_a_feature_that_more_trees_ask_about_counts_no_more_for_the_guard():
    """Of three trees the mean curve turns back, of one it goes on as far: the cosine is 0, that of sums −4/5."""
    often = TreeShapes((((0, 0b01),),) * 3 + (((1, 0b01),),))
    on, back = [[-600, 600]] * 4, [[600, -600]] * 3 + [[-600, 600]]
    rounds, _ = gone(Course(rules(trees=4), HALVES, MADE_UP, 1.0), often, [on, back])
    assert [r.step for r in rounds] == [6 * 4096] * 2


def test_a_curve_has_the_main_effect_of_its_intervals_and_no_interactions():
    """Two questions about one feature are four intervals: one factor of four levels, multiplied by M₁ alone."""
    domain = Domain([Numeric.grid("x", 0, 4, bins=4)], ("a", "b"))
    marginals = Marginals(domain, np.array([10.0, 20.0, 30.0, 40.0]))
    course = Course(rules(rounds=4, trees=1, k=2, most=2, form="curves"), marginals, marginals.rows(50, b""), 1.0)
    curve = TreeShapes((((0, 0b0011), (0, 0b1001)),))  # leaves 0, 1, 3, 2 of the codes
    sums = np.array([[-700, 300, -64, 900]])
    rounds, models = gone(course, curve, [sums] * 2)
    share = np.array([0.1, 0.2, 0.4, 0.3])  # of leaf 2 code 3, of leaf 3 code 2
    step = -sums[0] / 64 / (1000 / 4 * (share + 1 / 4))
    expected = 6 * 4096 * (step - share @ step) / 4
    assert np.array(models[1].trees[0][1]) == pytest.approx(expected, abs=0.51)
    assert [r.ratio for r in rounds] == [0, 0] and course.questions == 2


def interacting(size):
    """Each tree says something of its first two features together only: a checkerboard."""
    return [[-size, -size, size, size, size, size, -size, -size]] * 2


def test_interactions_are_looked_for_from_a_quarter_of_the_rounds_on_and_in_earlier_rounds_only():
    course = Course(rules(rounds=8, trees=2, k=3, most=5), HALVES, MADE_UP, 64.0)
    asked, rounds, model = [], [], AdditiveModel()
    for _ in range(5):
        asked.append(course.questions)
        added, kept = course.after(model, PAIRS, np.array(interacting(3000)))
        model = AdditiveModel(model.trees + added, kept.intercept)
        rounds.append(kept)
    assert asked == [3, 3, 3, 5, 5]  # round 2 is the first that is looked at, so round 3 the first that knows
    assert [bool(r.ratio) for r in rounds] == [False, False, False, True, True]
    assert [r.second_step for r in rounds[:3]] == [second_step(6 * 4096, 0, 3, P)] * 3
    assert all(r.second_step == second_step(6 * 4096, r.ratio, 3, P) > rounds[0].second_step for r in rounds[3:])


def test_where_interactions_are_noise_trees_ask_three_questions():
    rng = np.random.default_rng(3)
    course = Course(rules(rounds=4, trees=2, k=3, most=5), HALVES, MADE_UP, 400.0)
    sums = [rng.normal(0, 400, (2, 8)).round().astype(int) for _ in range(4)]
    rounds, _ = gone(course, PAIRS, sums)
    assert {r.ratio for r in rounds} == {0} and course.questions == 3


def test_the_intercept_moves_less_the_more_noise_it_has():
    """c̄/(1 + 4·R·v), with v the variance of the mean over trees of what they say of the whole."""
    both = [[[-64000, -64000]] * P]
    moved = {}
    for sigma in (0.0, 64000.0):
        (kept,), _ = gone(Course(rules(), HALVES, MADE_UP, sigma), EACH, both)
        moved[sigma] = kept.intercept
    weight = 1000 / 4 * (1 / 2 + 1 / 2)
    assert moved[0.0] == round(4096 * 1000 / weight)
    v = 2 * 0.25 * (1000 / weight) ** 2 / P
    assert moved[64000.0] == pytest.approx(moved[0.0] / (1 + 4 * 8 * v), abs=1)


def test_the_curvature_is_that_of_the_model_that_was_asked_with():
    rounds, models = gone(Course(rules(), HALVES, MADE_UP, 1.0), EACH, [curves(*[5] * P)] * 3)
    assert rounds[0].curvature == 1024 > rounds[1].curvature > rounds[2].curvature >= 328
    assert [r.intercept for r in rounds] == [m.intercept for m in models[1:]]
    assert isinstance(rounds[0], Round) and rounds[0].n_trees == P and rounds[0].questions == 1


def test_weights_keep_within_the_limits_at_the_largest_step():
    """M = 30, and sums as large as can be: what a model may hold is not exceeded."""
    huge = [[[-(2**61), 2**61]] * P] * 2
    rounds, models = gone(Course(rules(step=30 * 4096), HALVES, MADE_UP, 1.0), EACH, huge)
    models[-1].check(DOMAIN)
    assert max(max(map(abs, w)) for _, w in models[-1].trees) == 2**20
    assert all(abs(r.intercept) <= 2**20 for r in rounds)


def test_a_tree_of_several_questions_is_multiplied_order_by_order():
    """With the same shares for all leaves: mains by M₁ over the coverage, the rest by M₂ over that of pairs."""
    course = Course(rules(rounds=8, trees=2, k=3, most=3), HALVES, MADE_UP, 1.0)
    sums = np.random.default_rng(4).integers(-900, 900, (2, 8))
    (kept,), models = gone(course, PAIRS, [sums])
    step = -sums / 64 / (1000 / 4 * (1 / 8 + 1 / 8))
    signs = np.array([[1 - 2 * (leaf >> 2 - i & 1) for leaf in range(8)] for i in range(3)])
    main = sum(np.outer((step * s).mean(axis=1), s) for s in signs)
    rest = step - step.mean(axis=1)[:, None] - main
    features, pairs = max(1, 2 * 3 / 5), max(1, 2 * 3 / 10)
    expected = (kept.step * main / features + kept.second_step * rest / pairs) / 8
    assert np.array([w for _, w in models[-1].trees]) == pytest.approx(expected, abs=0.51)
    assert kept.second_step == round(6 * 4096 * 2 / 4)


def test_a_course_begins_with_what_was_released():
    released = np.array([30, 70] * P)
    own = rules()
    one, other = (Course.of(own, DOMAIN, r, 4.0, 64.0) for r in (released, released + np.arange(2 * P)))
    assert (one.made_up == Course.of(own, DOMAIN, released, 4.0, 64.0).made_up).all()
    assert (one.made_up != other.made_up).any() and one.made_up.shape == (P, 2000)
    assert one.marginals.shares[0][1] > 0.6
