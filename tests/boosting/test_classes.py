"""Boosting of five classes twice: without noise the package and a second computation have the same model."""

import math

import numpy as np
import pytest

from benchmarks import boosting_pieces as pieces
from benchmarks.pooled import PooledSums
from fdpedu.accounting import Budget, Ledger
from fdpedu.boosting import Ensemble
from fdpedu.boosting.growth import boosted, budget_of
from fdpedu.domain import Domain, Numeric
from fdpedu.federation import Party
from fdpedu.randomness import Rehearsal, ZeroWords

K, P, N, UNIT = 5, 6, 3000, 4096
DOMAIN = Domain([Numeric.grid(f"x{j}", 0, 1, 32) for j in range(P)], [f"c{k}" for k in range(K)])
SMALL = {"rounds": 4, "trees_per_round": 5}


def rows():
    draw = np.random.default_rng(5)
    X = draw.random((N, P))
    y = (X[:, 0] + X[:, 1] * (X[:, 2] > 0.5) > np.array([[0.3], [0.6], [0.9], [1.2]])).sum(axis=0)
    return X, np.where(draw.random(N) < 0.1, draw.integers(0, K, N), y)


X, Y = rows()
LABELS = np.array([f"c{k}" for k in Y])


def grown(form="trees", source=None):
    """An ensemble with the noise of five parties, or with none; the trees are drawn by the same coins."""
    budget = Budget.of(4, delta="1/1000000")
    asker = PooledSums(Party(X, DOMAIN, labels=LABELS), Ledger(budget), 5, 1, source or ZeroWords())
    shape = {**SMALL, "max_depth": None}
    return boosted(asker, budget_of(asker, None), shape, form, N, lambda *_: None, Rehearsal(7))


def softmax(scores):
    """Probabilities in floats, of scores to the nearest 64th below the highest."""
    below = np.minimum((scores.max(axis=1, keepdims=True) - scores + 32) // 64, 1024)
    powers = np.rint(2**20 * np.exp(-below / 64))
    return powers / powers.sum(axis=1, keepdims=True), powers


def pulls(scores):
    """Of each row what it pulls, row by row."""
    found = np.zeros(scores.shape, dtype=int)
    for i, (powers, y) in enumerate(zip(softmax(scores)[1].astype(int).tolist(), Y.tolist(), strict=True)):
        rest, whole = sum(powers) - powers[y], sum(powers)
        g = min(32, (128 * rest + whole) // (2 * whole))
        shares = [divmod(g * w, rest) if k != y and rest else (0, 0) for k, w in enumerate(powers)]
        found[i] = [share for share, _ in shares]
        for k in sorted(range(K), key=lambda k: (-shares[k][1], k))[: g - int(found[i].sum())]:
            found[i, k] += 1
        found[i, y] = -g
    return found


def leaves_of(questions, codes):
    """The leaf of each row."""
    return sum(((1 - (mask >> codes[f] & 1)) << (len(questions) - 1 - i) for i, (f, mask) in enumerate(questions)), 0)


@pytest.mark.claim("thm-boosting-classes")
def test_without_noise_both_have_the_same_model():
    """Start, sums, curvatures, weights and intercepts of every round, each class by itself."""
    ensemble, codes = grown(), DOMAIN.encode(X).T.astype(int)
    counts = np.bincount(Y, minlength=K)
    assert ensemble.start == tuple(counts)
    logs = np.log(counts)
    intercepts = np.rint(UNIT * (logs - logs.mean())).astype(int)
    scores, made_up = np.tile(intercepts, (N, 1)), ensemble.course.made_up.astype(int)
    own, begin = np.tile(intercepts, (made_up.shape[1], 1)), 0
    for batch in ensemble.batches:
        p = softmax(own)[0]
        h = np.maximum((p * (1 - p)).mean(axis=0), 0.32 * (K - 1) / K**2)
        assert np.abs(np.array(batch.curvature) - UNIT * h).max() <= 1
        pull, means = pulls(scores), []
        for b, (questions, weights) in enumerate(ensemble.model.trees[begin : begin + batch.n_trees]):
            leaf, size = leaves_of(questions, codes), 2 ** len(questions)
            sums = np.stack([np.bincount(leaf, pull[:, k], size) for k in range(K)], axis=1)
            assert (batch.sums[b] == sums).all()
            own_weights, mean = steps(ensemble, questions, sums, np.array(batch.curvature) / UNIT, batch)
            assert np.abs(own_weights - np.array(weights).reshape(size, K)).max() <= 1
            means.append(mean)
        assert np.abs(np.array(batch.intercept) - np.array(moved(intercepts, means, ensemble, batch))).max() <= 1
        for questions, weights in ensemble.model.trees[begin : begin + batch.n_trees]:
            table = np.array(weights).reshape(-1, K)
            scores = scores + table[leaves_of(questions, codes)]
            own = own + table[leaves_of(questions, made_up)]
        scores, own = (some - intercepts + np.array(batch.intercept) for some in (scores, own))
        intercepts, begin = np.array(batch.intercept), begin + batch.n_trees
    assert np.array_equal(ensemble.decision_function(X) * UNIT, scores)
    assert ensemble.score(X, LABELS) > 1.5 * counts.max() / N


def steps(ensemble, questions, sums, h, batch):
    """The weights of a tree's leaves in units of 1/4096, class by class, and the mean of each."""
    shares = [ensemble.marginals.leaf_shares((one,))[0] for one in questions]
    digits = [[leaf >> (len(shares) - 1 - i) & 1 for i in range(len(shares))] for leaf in range(len(sums))]
    mu = np.array([math.prod(1 - s if d else s for s, d in zip(shares, one, strict=True)) for one in digits])
    w = -sums / 64 / (N * h * (mu[:, None] + 1 / len(mu)))
    mean, main = mu @ w, np.zeros_like(w)
    for i in range(len(shares)):
        for d in (0, 1):
            side = np.array([one[i] == d for one in digits])
            main[side] += (mu[side] @ w[side]) / mu[side].sum() - mean
    asked, trees = len(questions), SMALL["trees_per_round"]
    pairs = max(1, trees * math.comb(asked, 2) / math.comb(P, 2))
    parts = batch.step * main / max(1, trees * asked / P) + batch.second_step * (w - mean - main) / pairs
    return np.rint(parts / SMALL["rounds"]), mean


def moved(intercepts, means, ensemble, batch):
    """By the mean of all trees, the less the more noise that has: of its known variance."""
    sigma, found = ensemble.noise / 64, []
    for k in range(K):
        h, doubt = batch.curvature[k] / UNIT, []
        begin = sum(one.n_trees for one in ensemble.batches[: ensemble.batches.index(batch)])
        for questions, _ in ensemble.model.trees[begin : begin + batch.n_trees]:
            mu = ensemble.marginals.leaf_shares(questions)
            doubt.append(((mu * sigma / (N * h * (mu + 1 / len(mu)))) ** 2).sum())
        noise = np.mean(doubt) / len(doubt)
        step = np.mean([mean[k] for mean in means]) / (1 + 4 * SMALL["rounds"] * noise)
        found.append(intercepts[k] + round(UNIT * step))
    return found


@pytest.mark.parametrize("form", ["trees", "curves"])
def test_a_file_is_read_as_it_was_written(form):
    """With noise; a changed start, sum or weight is refused."""
    ensemble = grown(form, Rehearsal(3))
    text = ensemble.to_json()
    again = Ensemble.from_json(text)
    assert again.to_json() == text and '"fdpedu-ensemble/3"' in text
    assert np.array_equal(again.predict_proba(X[:50]), ensemble.predict_proba(X[:50]))
    assert np.allclose(ensemble.predict_proba(X).sum(axis=1), 1)
    assert ensemble.decision_function(X[:7]).shape == (7, K)
    if form == "curves":
        curves = ensemble.curves()
        assert [(one.name, one.of) for one in curves[: K + 1]] == [*(("x0", c) for c in DOMAIN.classes), ("x1", "c0")]
        codes = DOMAIN.encode(X[:9])
        for k in range(K):
            total = sum(curves[K * j + k].values[codes[:, j]] for j in range(P)) + ensemble.intercept[k]
            assert np.allclose(total, ensemble.decision_function(X[:9])[:, k])


def test_pieces_have_the_same_floor():
    """Of two classes the floor of the curvature is that of the logistic loss."""
    assert round(0.32 * UNIT / 4) == pieces.LEAST_CURVATURE
