"""Boosting twice: without noise and on the same trees the package and a simulation in NumPy have the same model."""

import math
from functools import cache

import numpy as np
import pytest

from benchmarks import boosting_pieces as pieces
from benchmarks import boosting_simulation as twice
from benchmarks.boosting_changes import public_of
from benchmarks.pooled import PooledSums
from fdpedu.accounting import Budget, Ledger, gaussian_budget
from fdpedu.boosting import rules_for
from fdpedu.boosting.growth import Growth
from fdpedu.boosting.noise import query_deviation
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import Party
from fdpedu.gradients import AdditiveModel, TreeShapes
from fdpedu.randomness import Rehearsal, ZeroWords

CLASSES = ("well", "ill")
NUMBERS = [Numeric.grid("age", 0, 100, 256), Numeric("dose", (0, 1, 2, 3, 5, 8, 13), missing=True)]
WARD = Categorical("ward", ("A", "B", "C", "D", "E"))
MORE = [Numeric.grid(f"x{j}", 0, 1, 40 + j, missing=j == 2) for j in range(3)]
SETS = {  # features, rows, and how often each column stands there
    "one number": (NUMBERS[:1], 300, 1),
    "two features": ([NUMBERS[1], WARD], 500, 1),
    "six features": ([*NUMBERS, WARD, *MORE], 3000, 1),
    "interactions": ([Numeric.grid(f"x{j}", 0, 1, 256) for j in range(6)], 9000, 1),
    "columns seven times": ([Numeric.grid(f"x{j}", 0, 1, 32) for j in range(14)], 2000, 7),
}
DELTA = "1/1000000"
WAYS = {"trees": ("trees", DELTA), "curves": ("curves", DELTA), "trees, without δ": ("trees", None)}


def rows(domain, n, copies, rng):
    """Uniform values, some missing; the class by the first feature and the last together, and by chance."""
    draws = np.tile(rng.random((n, domain.n_features // copies)), copies)
    score, columns = (draws[:, 0] > 0.6) ^ (draws[:, -1] > 0.8), []
    for f, u in zip(domain.features, draws.T, strict=True):
        low, high = (f.edges[0], f.edges[-1]) if f.ordered else (0, 0)
        cells = (low + u * (high - low) if f.ordered else np.array(f.categories)[(u * 5).astype(int)]).astype(object)
        if f.ordered and f.missing:
            cells[rng.random(n) < 0.1] = math.nan
        columns.append(cells)
    flipped = 0.2 if domain.n_features > 1 else 0
    labels = np.array(CLASSES)[(score ^ (rng.random(n) < flipped)).astype(int)]
    return np.array(columns, dtype=object).T, labels


@cache
def grown(name, way, epsilon):
    """The package's ensemble without noise, and the simulation's fit on its trees; with the codes of the rows."""
    (features, n, copies), (form, delta) = SETS[name], WAYS[way]
    domain = Domain(features, CLASSES)
    X, y = rows(domain, n, copies, np.random.default_rng(n))
    budget = Budget.of(epsilon, delta=delta)
    rules = rules_for(form, n, budget.limit, domain.n_features)
    growth = Growth(PooledSums(Party(X, domain, labels=y), Ledger(budget), 5, 1, ZeroWords()), budget.limit, rules,
                    Rehearsal(7), lambda *_: None)  # fmt: skip
    ensemble, deviation = growth.ensemble(), deviations(growth)
    rho = float(gaussian_budget(epsilon, DELTA).limit.value)
    public, codes = public_of(domain, n), np.ascontiguousarray(domain.encode(X).T)
    rule = pieces.rule_of(public, rho, form, pure=0 if delta else epsilon)
    labels, draw = domain.encode_labels(y).astype(int), those_of(ensemble)
    fit = twice.Growth(public, rule, codes, labels, None, draw=draw, deviation=deviation).whole()
    return ensemble, fit, codes


def deviations(growth):
    """The standard deviation of the noise in each kind of release, as the package knows it."""
    trees = TreeShapes((((0, 1),) * growth.rules.questions,) * growth.rules.trees_per_round)
    asked = {
        "counts": growth._counts(),
        "pulls": growth._gradients(AdditiveModel(), trees),
        "last": growth._intercept(AdditiveModel()),
    }
    return {kind: query_deviation(query, 5, 4) for kind, query in asked.items()}


def those_of(ensemble):
    """The questions of an ensemble's trees, round after round, as levels of codes."""
    trees, begin = [questions for questions, _ in ensemble.model.trees], 0
    rounds = []
    for batch in ensemble.batches:
        rounds.append(trees[begin : begin + batch.n_trees])
        begin += batch.n_trees
    rounds = iter(rounds)
    return lambda questions: levels(next(rounds), one_factor=ensemble.form == "curves")


def levels(trees, *, one_factor):
    bit = np.array([[[left >> code & 1 for code in range(256)] for _, left in tree] for tree in trees])
    features, right = np.array([[feature for feature, _ in tree] for tree in trees]), 1 - bit
    if not one_factor:
        return pieces.Levels(features, right.astype(np.uint8), 2)
    number = sum(right[:, [i]] << (right.shape[1] - 1 - i) for i in range(right.shape[1]))
    return pieces.Levels(features[:, :1], number.astype(np.uint8), 1 << right.shape[1])


CASES = [("one number", "trees", 8), ("one number", "curves", 8), ("one number", "trees, without δ", 1)]
CASES += [("two features", way, 8) for way in WAYS] + [("six features", way, 1) for way in WAYS]
CASES += [("interactions", "trees", 8), ("columns seven times", "trees", 8)]


@pytest.mark.parametrize(("name", "way", "epsilon"), CASES)
def test_without_noise_both_have_the_same_model(name, way, epsilon):
    """Tie for tie: weights, intercept and scale; and what each round has decided."""
    ensemble, fit, codes = grown(name, way, epsilon)
    units = [weights for _, weights in ensemble.model.trees]
    assert units == [tuple(row) for _, weights in fit.trees for row in weights.tolist()]
    assert (ensemble.model.intercept, ensemble.model.scale) == (fit.intercept, fit.scale)
    for batch, own in zip(ensemble.batches, fit.decided, strict=True):
        said = {name: getattr(batch, name) for name in ("curvature", "step", "second_step", "ratio", "intercept")}
        assert said == {name: own[name] for name in said}
    assert np.array_equal(ensemble.model.scores(codes, np.arange(codes.shape[1])), fit.scores(codes))


def test_cases_reach_every_decision():
    """Interactions that stand out, more questions, a step that the guard halves, an enlarged model, the least h."""
    decided = {case: grown(*case)[1].decided for case in CASES}
    assert {one["questions"] for one in decided["interactions", "trees", 8]} == {3, 5}
    assert (
        decided["columns seven times", "trees", 8][-1]["step"] < decided["columns seven times", "trees", 8][0]["step"]
    )
    assert {grown(*case)[1].scale for case in CASES} > {16, 64}
    assert decided["one number", "curves", 8][-1]["curvature"] == pieces.LEAST_CURVATURE


def test_both_have_the_same_rules():
    """R, B, k, quantiles, groups and the step, for a grid of public numbers."""
    for n in (1, 30, 250, 4000, 39_073, 10**6):
        for p in (1, 2, 4, 13, 57, 256):
            for epsilon in ("1/50", "1", "16"):
                for form, delta in WAYS.values():
                    budget, rho = Budget.of(epsilon, delta=delta), float(gaussian_budget(epsilon, DELTA).limit.value)
                    public = pieces.Public(n, (2,) * p, (True,) * p, (False,) * p)
                    ours = rules_for(form, n, budget.limit, p)
                    other = pieces.rule_of(public, rho, form, pure=float(budget.limit.value) if delta is None else 0)
                    assert (ours.rounds, ours.trees_per_round, ours.quantiles, ours.groups, ours.step) == (
                        other.rounds, other.trees, other.quantiles, other.groups, other.step
                    )  # fmt: skip
                    digits = other.levels.bit_length() - 1
                    asked = (digits, digits) if other.levels else (other.questions, other.most_questions)
                    assert (ours.questions, ours.most_questions) == asked


def test_the_noise_has_the_same_variance():
    """Of every kind of release, but for what rounding to integers adds."""
    features, n, _ = SETS["six features"]
    domain = Domain(features, CLASSES)
    for delta in (DELTA, None):
        budget = Budget.of(1, delta=delta)
        rules = rules_for("trees", n, budget.limit, domain.n_features)
        asker = PooledSums(Party([], domain), Ledger(budget), 5, 1, ZeroWords())
        rule = pieces.rule_of(
            public_of(domain, n), float(gaussian_budget(1, DELTA).limit.value), pure=0 if delta else 1
        )
        own = twice.Noise(rule, domain.n_features, np.random.default_rng(0))
        for kind, expected in deviations(Growth(asker, budget.limit, rules, None, None)).items():
            assert own.deviation[kind] == pytest.approx(expected, rel=0.01)
            assert own.on(np.zeros(20_000, dtype=np.int64), kind).std() == pytest.approx(expected, rel=0.05)
