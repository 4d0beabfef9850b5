"""Curves add up to the score; their bands are the noise of their sums; missing values have an interval of their own."""

from fractions import Fraction

import numpy as np
import pytest

from benchmarks.pooled import simulate_boosting
from fdpedu.accounting import Budget
from fdpedu.boosting.curves import Curve, on_noise, weight_variance
from fdpedu.boosting.orders import of_leaves, orders_apart
from fdpedu.boosting.steps import newton, variances
from fdpedu.domain import Categorical
from fdpedu.federation import Party
from fdpedu.gradients import UNIT
from fdpedu.gradients.additive import leaf_of_codes
from fdpedu.randomness import Rehearsal
from tests.boosting.test_pooled import DOMAIN, rows

ENSEMBLE = simulate_boosting(
    Party(rows(400, 1), DOMAIN), Budget.of(4, delta=1e-6), form="curves", nominal_size=400, rounds=4,
    rng=Rehearsal(1),
)  # fmt: skip


def test_curves_and_intercept_add_up_to_the_score():
    table = [[a, d, w] for a in (5, 60, 95) for d in (0.1, 0.8, None) for w in "ABC"]
    codes, curves = DOMAIN.encode(table), ENSEMBLE.curves()
    total = ENSEMBLE.intercept + sum(curve.values[codes[:, j]] for j, curve in enumerate(curves))
    assert np.abs(total - ENSEMBLE.decision_function(table)).max() <= 1 / UNIT
    assert [curve.name for curve in curves] == ["age", "dose", "ward"]
    assert curves[0].values[-1] > curves[0].values[0]  # the old are ill here


def test_a_missing_value_has_an_interval_of_its_own():
    """In every tree about the number, no bin shares the leaf of the missing code."""
    about = [q for q, _ in ENSEMBLE.model.trees if q[0][0] == 1]
    assert about and ENSEMBLE.rules.questions == 2
    for questions in about:
        leaf = leaf_of_codes(questions, 5)
        assert (leaf[:4] != leaf[4]).all()


def test_a_band_is_the_deviation_of_the_weights_by_noise():
    """4,000 rounds of noise alone: each leaf's weight varies as stated, within five standard errors."""
    questions, n, sigma, factor = ((0, 0b00000111), (0, 0b00111111)), 4000, 300.0, 8.0
    share = ENSEMBLE.marginals.leaf_shares(questions)
    sides, sums = np.broadcast_to(share, (n, 1, 4)), np.random.default_rng(7).normal(0, sigma, (n, 4))
    steps = newton(sums, sides, rows=400.0, curvature=900, steps=64)
    got = np.var(factor * of_leaves(orders_apart(steps, sides)[1]), axis=0)
    varies = variances(sides[:1], rows=400.0, curvature=900, sigma=sigma / 64)[0]
    stated = factor**2 * weight_variance(share, varies)
    filled = share > 0
    assert filled.sum() == 3 and np.abs(got[filled] / stated[filled] - 1).max() < 5 * (2 / n) ** 0.5
    assert not got[~filled].any() and not stated[~filled].any()


def test_bands_go_by_each_rounds_own_step_and_curvature():
    """Of one feature in one code: the variances of all trees about it, added up, at the scale of the model."""
    rules, batches = ENSEMBLE.rules, ENSEMBLE.batches
    assert len({batch.curvature for batch in batches}) > 1
    found, begin = np.zeros(8), 0
    for batch in batches:
        for questions, _ in ENSEMBLE.model.trees[begin : begin + batch.n_trees]:
            if questions[0][0] == 0:
                share = ENSEMBLE.marginals.leaf_shares(questions)
                weight = 400 * batch.curvature / 4096 * (share + 1 / len(share))
                varies = np.where(share > 0, (ENSEMBLE.noise / 64 / weight) ** 2, 0)
                one = (batch.step / 4096 / rules.rounds) ** 2 * weight_variance(share, varies)
                found += one[leaf_of_codes(questions, 8)]
        begin += batch.n_trees
    expected = np.sqrt(found) * ENSEMBLE.model.scale / 16
    assert ENSEMBLE.curves()[0].deviations == pytest.approx(expected)


def test_the_noise_of_a_round_is_read_off_the_derivation():
    (variance,) = {step["variance"] for _, step in ENSEMBLE.derivation.releases() if step["type"] == "gradient-sums"}
    shares = ENSEMBLE.n_parties / (ENSEMBLE.n_parties - ENSEMBLE.tolerate)
    assert ENSEMBLE.noise == pytest.approx((float(Fraction(variance)) * shares) ** 0.5)


def test_labels_are_the_values_in_words():
    assert DOMAIN.features[1].code_texts == ("0 to 0.25", "0.25 to 0.5", "0.5 to 0.75", "0.75 to 1", "missing")
    assert DOMAIN.features[2].code_texts == ("A", "B", "C")
    assert Categorical("x", ("X", "Y")).code_texts == ("X", "Y")


def test_what_is_drawn_and_written():
    html, text = ENSEMBLE._repr_html_(), ENSEMBLE.to_text()
    assert html.count("<svg") == 3 and "Above 0 speaks for ill" in html
    assert {"age", "dose", "ward"} <= set(text.split()) and "noise" in text
    age = ENSEMBLE.curves()[0].to_dict()
    assert (age["edges"][0], age["edges"][-1]) == ("0", "100") and len(age["values"]) == len(age["labels"]) == 8


def curve(name, values, deviations, of=""):
    return Curve(name, ("a", "b", "c"), np.array(values), np.array(deviations), of=of)


def test_curves_that_noise_alone_may_have_made_are_named():
    """Those in whose band a level line lies: of ± 2 deviations, to the last bit at its border."""
    flat, steep = curve("flat", [0, 1, 0.5], [0.25] * 3), curve("steep", [0, 1.001, 0.5], [0.25] * 3)
    sure, of = curve("sure", [0, 0.1, 0], [0.5, 0, 0]), curve("flat", [0, 0, 0], [0] * 3, of="ill")
    assert [one.may_be_noise for one in (flat, steep, sure, of)] == [True, False, False, True]
    means = "± is 2 standard deviations of the noise, which alone may have made the shape of"
    for curves, which in (
        ([flat, steep, of], "every curve but steep"),
        ([flat, of, sure, steep], "flat, flat → ill"),
        ([flat, of], "every curve"),
        ([steep], "no curve"),
    ):
        assert on_noise(curves).startswith(f"{means} {which}; noise also makes about one curve in 20 stand out")
    assert of.ends() == ("", "", "not asked") and sure.ends()[2] == "± 1.00"
    assert ENSEMBLE.to_text().splitlines()[-1] == on_noise(ENSEMBLE.curves())


def test_trees_have_no_curves():
    trees = simulate_boosting(Party(rows(50, 2), DOMAIN), Budget.of(1), nominal_size=50, rounds=1, rng=Rehearsal(2))
    with pytest.raises(ValueError, match="form"):
        trees.curves()
    assert "share of the spread" in trees._repr_html_() and abs(sum(trees.strengths()) - 1) < 1e-9
