"""What an ensemble says of rows, and of itself."""

import numpy as np
import pytest

from benchmarks.pooled import simulate_boosting
from fdpedu.accounting import Budget
from fdpedu.federation import Party
from fdpedu.gradients import UNIT, AdditiveModel
from fdpedu.randomness import Rehearsal
from tests.boosting.test_pooled import DOMAIN, rows

TABLE = [r[:-1] for r in rows(50, 8)]
PARTY, OPTIONS = Party(rows(400, 1), DOMAIN), {"nominal_size": 400, "rounds": 3, "trees_per_round": 5}
ENSEMBLE = simulate_boosting(PARTY, Budget.of(4, delta=1e-6), rng=Rehearsal(1), **OPTIONS)


def by_hand(row):
    """The score of one row, tree by tree, in units of 1/4096."""
    (codes,) = DOMAIN.encode([row]).tolist()
    total = 0
    for questions, weights in ENSEMBLE.model.trees:
        leaf = 0
        for feature, mask in questions:
            leaf = 2 * leaf + (not mask >> codes[feature] & 1)
        total += weights[leaf]
    return total * ENSEMBLE.model.scale // 16 + ENSEMBLE.model.intercept


def test_scores_classes_and_probabilities_of_rows():
    scores = ENSEMBLE.decision_function(TABLE)
    assert scores.tolist() == [by_hand(row) / UNIT for row in TABLE] and len(set(scores)) > 5
    predicted = ENSEMBLE.predict(TABLE)
    assert predicted.tolist() == ["ill" if s > 0 else "well" for s in scores] and len(set(predicted)) == 2
    proba = ENSEMBLE.predict_proba(TABLE)
    assert proba.shape == (50, 2) and np.allclose(proba.sum(axis=1), 1)
    assert np.allclose(proba[:, 1], 1 / (1 + np.exp(-scores)))


def test_the_share_of_right_classes():
    right = [row[-1] == c for row, c in zip(rows(50, 8), ENSEMBLE.predict(TABLE), strict=True)]
    assert ENSEMBLE.score(TABLE, [row[-1] for row in rows(50, 8)]) == np.mean(right) > 0.6


def test_scores_round_by_round():
    """Each stage has the trees so far and their intercept, not enlarged; the last is the whole model."""
    stages = list(ENSEMBLE.staged(TABLE))
    columns = np.ascontiguousarray(DOMAIN.encode(TABLE).T)
    assert len(stages) == 4 and (stages[-1] == ENSEMBLE.decision_function(TABLE)).all()
    for k, (stage, batch) in enumerate(zip(stages, ENSEMBLE.batches, strict=False), 1):
        model = AdditiveModel(ENSEMBLE.model.trees[: 5 * k], batch.intercept)
        assert (stage == model.scores(columns, np.arange(50)) / UNIT).all()
    assert [batch.n_trees for batch in ENSEMBLE.batches] == [5, 5, 5]


def test_models_before_each_round_are_what_its_question_carried():
    models = list(ENSEMBLE.staged_models())
    assert models[0] == AdditiveModel() and len(models) >= 3
    for k, batch in enumerate(ENSEMBLE.batches[:-1], 1):
        assert models[k] == AdditiveModel(ENSEMBLE.model.trees[: 5 * k], batch.intercept)


def test_what_it_says_of_itself():
    text = ENSEMBLE.to_text()
    assert text.startswith("15 trees of 3 questions in 3 rounds; a score above 0 is ill, else well")
    assert text.split("\n")[1].split() == "feature share of the spread".split()
    html = ENSEMBLE._repr_html_()
    caption = html.partition("<caption>")[2].partition("</caption>")[0]
    assert caption and caption in text.partition("\n")[0] and html.count("<tr") >= 4
    assert "15 trees" in repr(ENSEMBLE) and "10⁻⁶" in repr(ENSEMBLE)
    assert ENSEMBLE.classes == ("well", "ill") and ENSEMBLE.form == "trees"
    assert ENSEMBLE.intercept == ENSEMBLE.model.intercept / UNIT and ENSEMBLE.guarantee == ENSEMBLE.derivation.guarantee


def test_strengths_are_shares_of_the_spread_and_a_feature_that_says_nothing_has_none():
    strengths = ENSEMBLE.strengths()
    assert sum(strengths) == pytest.approx(1) and strengths[0] == max(strengths) > 0.3  # age decides here
    expected = np.zeros(3)
    for questions, weights in ENSEMBLE.model.trees:
        share, w = ENSEMBLE.marginals.leaf_shares(questions), np.array(weights) / UNIT
        variance = (share * (w - share @ w) ** 2).sum()
        for feature, _ in questions:
            expected[feature] += variance / 3
    assert strengths == pytest.approx(tuple(expected / expected.sum()))
