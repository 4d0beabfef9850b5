"""Conditions of the claims on cases of one's own."""

from fractions import Fraction

import numpy as np
import pytest

from fdpedu.boosting.orders import orders_apart
from fdpedu.claims.boosting import bold, framework, noise, orders, questions, rounds, table
from fdpedu.claims.checking import Refuted
from fdpedu.gradients import AdditiveModel, TreeShapes
from fdpedu.sources.maddock import poisson_rdp2


@pytest.mark.claim("lem-gentle-loss")
def test_the_loss_at_even_odds_and_at_a_class_that_is_almost_sure():
    for eta in (Fraction(1, 2), Fraction(99, 100), Fraction(1, 1000)):
        table.minimiser(eta)
    table.derivative(100)
    table.convex(511, 513)
    with pytest.raises(Refuted, match="pulls with"), pytest.MonkeyPatch.context() as patch:
        patch.setattr(table, "slope", lambda i, y: table.Enclosure.exactly(Fraction(0)))
        table.derivative(64)


@pytest.mark.claim("lem-one-leaf-a-tree", "thm-gradient-sums")
def test_many_trees_and_a_model_that_is_sure():
    sure = AdditiveModel((((questions.OLD,), (2**20, -(2**20))),), 0, 64)
    shapes = TreeShapes(((questions.OLD, questions.WARD, questions.GAP) * 2,) * 5)
    for clip in (1, 32, 64):
        query = questions.GradientSums(questions.SMALL.everything, Fraction(1, 3), 64, sure, clip, 256, 256, shapes)
        for record in questions.EVERY:
            questions.one_leaf(query, questions.EVERY[::5], record)
    moved = {abs(int(questions.answer(query, [record]).sum())) for record in questions.EVERY}
    assert moved == {0, 5 * 64}  # without a clip below m a row that is wrong pulls with all of it


@pytest.mark.claim("lem-direct-noise")
def test_the_noise_of_400_trees_is_that_of_one():
    noise.step_only(16, 25)
    noise.step_only(1, 1)
    noise.in_epsilon(4, 6)
    noise.response(((0, 0b011), (0, 0b001), (0, 0b100)))
    with pytest.raises(Refuted, match="variance"), pytest.MonkeyPatch.context() as patch:
        patch.setattr(noise, "gammas", lambda q: [Fraction(1)] * 2 ** len(q))
        noise.step_only(2, 2)


@pytest.mark.claim("lem-hessian-free", "lem-maddock-sensitivity")
def test_kappas_of_ones_own():
    framework.border(Fraction("3.33"))
    framework.pairs(Fraction(5, 8), Fraction(7, 2))
    framework.whole_steps(100, Fraction(10, 3))
    with pytest.raises(Refuted, match="not √17/4"):
        framework.as_printed(64)
    with pytest.raises(Refuted, match="no pair"):
        framework.beyond(Fraction(3), 64)


@pytest.mark.claim("lem-sample-once")
def test_of_one_query_and_of_all_rows_the_sum_is_right():
    framework.one_sample(Fraction(1, 10), Fraction(5), 1)
    framework.one_sample(Fraction(1), Fraction(3), 20)
    framework.one_sample(Fraction(1, 10), Fraction(5), 90)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(framework, "poisson_rdp2", lambda q, sigma, k, once: k * poisson_rdp2(q, sigma, 1, once=False))
        with pytest.raises(Refuted, match="second moment"):
            framework.one_sample(Fraction(1, 10), Fraction(5), 2)


@pytest.mark.claim("lem-orders-apart", "lem-noise-of-interactions")
def test_additive_weights_have_no_rest_and_a_parity_is_nothing_else():
    for factors in ((orders.HALVES, orders.UNEVEN), (orders.UNEVEN, orders.SURE, orders.HALVES)):
        sides, k = np.array([factors], dtype=float), len(factors)
        additive = np.array([[sum(3 * i + b for i, b in enumerate(f"{leaf:0{k}b}".encode())) for leaf in range(2**k)]])
        assert np.allclose(orders_apart(additive.astype(float), sides)[2], 0)
    parity = np.array([[1.0, -1, -1, 1]])
    mean, main, rest = orders_apart(parity, np.full((1, 2, 2), 0.5))
    assert not mean.any() and not main.any() and (rest == parity).all()
    orders.noise_alone((orders.UNEVEN,) * 4, [Fraction(i) for i in range(16)])
    orders.dimensions(5)


@pytest.mark.claim("lem-too-bold", "lem-coverage")
def test_six_bills_at_the_border():
    bold.too_bold(6, Fraction(9, 10), 36, Fraction(72) / Fraction(11, 2))
    bold.too_bold(6, Fraction(9, 10), 36, Fraction(30))
    bold.guarded(6, 36, Fraction(30))
    bold.covered(13, 25, 3, 2)
    with pytest.raises(Refuted, match="the loss grows"), pytest.MonkeyPatch.context() as patch:
        patch.setattr(bold, "stepped", lambda lack, r, pull: [-2 * e for e in lack])
        bold.too_bold(2, Fraction(1, 2), 36, Fraction(1))


@pytest.mark.claim("def-boosting-round", "thm-federated-boosting")
def test_rounds_of_ones_own():
    for kind in ("interactions", "some turn back"):
        rounds.by_hand("trees", {"most_questions": 4, "step": 40960}, kind, 300, 7)
    rounds.of_a_fit(4, 2, "trees", Fraction(3))
    with pytest.raises(Refuted, match="M₁"), pytest.MonkeyPatch.context() as patch:
        patch.setattr("fdpedu.boosting.course.BACK", -4096)
        rounds.by_hand("trees", {}, "all turn back", 300, 1)
