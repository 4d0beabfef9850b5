"""Ensembles that the first rule made: their files are read, predict and are drawn as before, and say so."""

import math
from fractions import Fraction
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from fdpedu import files
from fdpedu.accounting import Cost, gaussian_budget
from fdpedu.boosting import Ensemble
from fdpedu.boosting.ensemble_file import FIRST
from fdpedu.boosting.first_rule import FirstRules
from tests.boosting.test_growing import rows

KEPT = Path(__file__).parent / "data"
SCORES = {  # as the program that wrote them has said, in units of 1/4096
    "trees": [-17294, -21276, -21276, -17294, -12431],
    "curves": [-120404, -117872, -117872, -120404, -124829],
    "weighted": [-7695, -4209, 7309, -7695, -8895],
}
TABLE = [r[:-1] for r in rows(5, 9)]


def text_of(name):
    return (KEPT / f"ensemble-1-{name}.json").read_text("utf8")


def changed(name, **parts):
    return files.dumps(FIRST, {**files.loads(text_of(name), FIRST, "x"), **parts})


@pytest.mark.parametrize("name", SCORES)
def test_it_predicts_as_before_and_is_written_as_it_was(name):
    ensemble = Ensemble.from_json(text_of(name))
    assert (ensemble.decision_function(TABLE) * 4096).tolist() == SCORES[name]
    assert ensemble.to_json() == text_of(name) and ensemble.rule == "first"
    assert "made by the first rule" in ensemble.to_text() and ensemble.interactions() == ()
    assert [batch.n_trees for batch in ensemble.batches] == [2, 2] and ensemble.rounds == 5
    assert abs(sum(ensemble.strengths()) - 1) < 1e-9 and len(list(ensemble.staged(TABLE))) == 3
    with pytest.raises(ValueError, match="first rule"):
        _ = ensemble.course


def test_its_curves_have_their_bands():
    curves = Ensemble.from_json(text_of("curves")).curves()
    assert curves[0].deviations.round(4).tolist() == [1.4054, 0.9415, 0.7164, 0.7164, 0.4583, 0.4583, 0.5846, 0.5846]
    assert curves[1].deviations.round(4).tolist() == [0.4287, 0.4287, 0.7573, 0.7034, 1.082]


def test_its_rarer_class_is_read_off_histograms_by_class():
    name, share = Ensemble.from_json(text_of("weighted")).rarer
    assert name == "ill" and 0 <= share < 0.05


def test_a_class_that_weighs_otherwise_than_the_histograms_say_is_refused():
    content = files.loads(text_of("weighted"), FIRST, "x")
    assert content["weights"] == [10, 256]
    with pytest.raises(files.FileRefused, match="weights"):
        Ensemble.from_json(changed("weighted", histograms=[[a, b + 400] for a, b in content["histograms"]]))


@pytest.mark.parametrize(
    ("name", "key", "value", "named"),
    [("trees", "step", 9.5, "rules are not those"), ("trees", "step", 2.0, "rules are not those"),
     ("trees", "step", 3.3, "rules are not those"), ("curves", "quantiles", 9, "rules are not those"),
     ("curves", "weighted", True, "weights of its classes|rules are not those"), ("trees", "weighted", 1, "weighted"),
     ("trees", "questions", 3, "as many questions"), ("weighted", "weights", [256, 256], "weights"),
     ("trees", "weights", [0, 256], r"\bweights\b"), ("trees", "histograms", [[1, 2]], "each code and class"),
     ("trees", "nominal_size", 400, "rules are not those"), ("trees", "clip", 31, "not the one it paid for")],
)  # fmt: skip
def test_what_the_first_rule_did_not_make_is_refused(name, key, value, named):
    with pytest.raises(files.FileRefused, match=named):
        Ensemble.from_json(changed(name, **{key: value}))


def test_a_changed_weight_or_intercept_is_refused():
    for name in SCORES:
        content = files.loads(text_of(name), FIRST, "x")
        batches = content["batches"]
        for k in range(2):
            one = [dict(batch) for batch in batches]
            one[k]["intercept"] += 1
            with pytest.raises(files.FileRefused):
                Ensemble.from_json(changed(name, batches=one))
            tree = batches[k]["trees"][1]
            more = {**tree, "weights": [tree["weights"][0] + 1, *tree["weights"][1:]]}
            one = [dict(batch) for batch in batches]
            one[k]["trees"] = [batches[k]["trees"][0], more]
            with pytest.raises(files.FileRefused):
                Ensemble.from_json(changed(name, batches=one))


def test_its_step_was_a_thirtieth_of_how_far_a_feature_stands_out():
    """Of a budget in ρ it is known exactly; of one in ε within what its conversions have made of it."""
    rho, step = Fraction(1, 40), 5000 * math.sqrt(1 / 40) / 10 / 30
    of = partial(FirstRules, "trees", 5000, 16, 25, 3, 12, weighted=True)
    assert of(step=step).follow_from(Cost("gaussian", rho * Fraction(21, 400)), 10)
    assert not any(of(step=step * by).follow_from(Cost("gaussian", rho * Fraction(21, 400)), 10) for by in (0.99, 1.01))
    pure = partial(FirstRules, "trees", 5000, 4, 6, 3, 8, weighted=True)
    now = 5000 * math.sqrt(gaussian_budget(1, "1e-6").limit.value) / 10 / 30
    found = [pure(step=now * by).follow_from(Cost("pure", Fraction(21, 100)), 10) for by in (1.01, 1, 0.93, 0.89)]
    assert found == [False, True, True, False]


def test_its_shares_are_counts_that_are_not_negative():
    ensemble = Ensemble.from_json(text_of("trees"))
    counts = np.maximum(ensemble.histograms[:8].sum(axis=1), 0)
    assert ensemble.marginals.shares[0].tolist() == pytest.approx((counts / counts.sum()).tolist(), abs=1e-8)
