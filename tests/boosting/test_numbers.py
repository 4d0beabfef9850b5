"""Boosting of a numeric target: the simulation's model, what is paid, what a file holds, and what is refused."""

import json
import math

import numpy as np
import pytest

from benchmarks import boosting_numbers as twice
from benchmarks.boosting_changes import public_of
from benchmarks.pooled import PooledSums
from fdpedu.accounting import Budget, Ledger, gaussian_budget
from fdpedu.boosting import Ensemble, boosting_guarantee, fit_federated_boosting, rules_for
from fdpedu.boosting.growth import Growth
from fdpedu.boosting.noise import pull_deviation, query_deviation
from fdpedu.boosting.outcomes import Number, outcome_of
from fdpedu.claims.federations import federate
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.estimators import FederatedBoostingRegressor, NoisyFit, noisy_score
from fdpedu.federation import Curator, Party
from fdpedu.files import FileRefused
from fdpedu.randomness import Rehearsal, ZeroWords
from tests.boosting.test_simulation import those_of
from tests.support.private_trees import resigned

FEATURES = [Numeric.grid("age", 0, 100, 256), Numeric("dose", (0, 1, 2, 3, 5, 8, 13), missing=True)]
FEATURES += [Categorical("ward", ("A", "B", "C", "D", "E"))]
DELTA = "1/1000000"
WAYS = {"trees": ("trees", DELTA), "curves": ("curves", DELTA), "trees, without δ": ("trees", None)}


def rows(n, rng):
    """Days that grow with age and dose, more so in a ward, with a long tail; some doses are missing."""
    age, dose, ward = rng.uniform(0, 100, n), rng.uniform(0, 13, n), rng.integers(0, 5, n)
    days = 5 + age / 10 + (ward == 2) * dose + rng.exponential(3, n)
    dose = np.where(rng.random(n) < 0.1, math.nan, dose)
    return np.array([age, dose, np.array(list("ABCDE"))[ward]], dtype=object).T, days


def deviations(growth):
    """The standard deviation of the noise in each kind of release, as the package knows it."""
    pulls = growth._cost("round"), growth.rules.trees_per_round, growth.domain, 5, 4, growth.outcome
    counts = {"counts": growth._counts(), "start": growth._start()}
    return {"pulls": pull_deviation(*pulls), **{kind: query_deviation(query, 5, 4) for kind, query in counts.items()}}


@pytest.mark.parametrize("delta", [DELTA, None])
def test_the_noise_has_the_same_variance(delta):
    """Of every kind of release, but for what rounding to integers adds."""
    domain, budget = Domain(FEATURES, target=Numeric.grid("stay", 0, 40, 256)), Budget.of(1, delta=delta)
    rules = rules_for("trees", 900, budget.limit, 3, outcome=outcome_of(domain))
    growth = Growth(PooledSums(Party([], domain), Ledger(budget), 5, 1, ZeroWords()), budget.limit, rules, None, None)
    rho = float(gaussian_budget(1, DELTA).limit.value)
    own = twice.NumberNoise(twice.number_rule(public_of(domain, 900), rho, pure=0 if delta else 1), 3, None).deviation
    for kind, expected in deviations(growth).items():
        assert own[kind] == pytest.approx(expected, rel=0.01)


@pytest.mark.parametrize(("way", "levels", "n"), [*((way, 256, 900) for way in WAYS), ("trees", 9, 300)])
def test_without_noise_the_simulation_has_the_same_model(way, levels, n):
    """Tie for tie: where scores begin, the spread, weights, intercept, and what each round has decided."""
    form, delta = WAYS[way]
    domain, budget = Domain(FEATURES, target=Numeric.grid("stay", 0, 40, levels)), Budget.of(8, delta=delta)
    X, y = rows(n, np.random.default_rng(n))
    rules = rules_for(form, n, budget.limit, 3, outcome=outcome_of(domain))
    asker = PooledSums(Party(X, domain, labels=y), Ledger(budget), 5, 1, ZeroWords())
    growth = Growth(asker, budget.limit, rules, Rehearsal(7), lambda *_: None)
    ensemble = growth.ensemble()
    deviation = deviations(growth)
    rule = twice.number_rule(
        public_of(domain, n), float(gaussian_budget(8, DELTA).limit.value), form, pure=0 if delta else 8
    )
    codes = np.ascontiguousarray(domain.encode(X).T)
    other = twice.NumberGrowth(
        public_of(domain, n), rule, codes, domain.encode_labels(y), levels, None, draw=those_of(ensemble),
        deviation=deviation,
    )  # fmt: skip
    assert (ensemble.outcome.spread, ensemble.outcome.first(n).intercept) == (other.spread, other.fit.intercept)
    fit = other.whole()
    assert [w for _, w in ensemble.model.trees] == [tuple(row) for _, ws in fit.trees for row in ws.tolist()]
    assert ensemble.model.intercept == fit.intercept and ensemble.model.scale == 16
    for batch, decided in zip(ensemble.batches, fit.decided, strict=True):
        assert all(getattr(batch, name) == decided[name] for name in ("curvature", "step", "second_step", "ratio"))
    low, high = 0, 40
    expected = low + (high - low) * twice.predicted(fit, other.spread, codes, levels)
    assert np.allclose(ensemble.predict(X), expected, rtol=1e-12, atol=1e-9)


DOMAIN = Domain(FEATURES, target=Numeric.grid("stay", 0, 40, 256, unit="days"))
SMALL = {"nominal_size": 200, "rounds": 3, "trees_per_round": 4, "progress": lambda *_: None}
TABLE, DAYS = rows(200, np.random.default_rng(1))
PARTS = [[[*x, d] for x, d in zip(TABLE[k::2], DAYS[k::2], strict=True)] for k in range(2)]


def grown(budget=8, **options):
    return fit_federated_boosting(
        federate(PARTS, DOMAIN, budget, Rehearsal(3)), **{**SMALL, "rng": Rehearsal(4), **options}
    )


ENSEMBLE = grown()


def test_what_is_paid_was_promised():
    assert (ENSEMBLE.cost.value, ENSEMBLE.rounds, ENSEMBLE.unfinished) == (8, 5, False)
    promise = boosting_guarantee(8, nominal_size=200, n_features=3, n_parties=2, outcome=outcome_of(DOMAIN))
    assert str(promise.outsider) == "8" and promise.path.endswith("once where scores begin (1/10, 87/100, 3/100)")


def test_where_scores_begin_is_a_function_of_what_was_released():
    """Of counts, N and the noise alone: within the range whatever the noise is; of nothing it is the middle."""
    for counts in ([0] * 64, [-50] * 64, [10**9] + [0] * 63, [0] * 63 + [7], list(range(64))):
        for variance in (0.0, 1.0, 1e12):
            number = Number().begun(counts, rows=100, variance=variance)
            middle = number.first(100).intercept / 4096 * number.spread / 512
            assert 8 <= number.spread <= 512 and 0 <= middle <= 1
    flat = Number().begun([0] * 64, rows=100, variance=1e9)
    assert flat.first(100).intercept / 4096 * flat.spread == pytest.approx(256, abs=1)


def test_a_file_holds_what_was_released_and_predicts_the_same(tmp_path):
    ENSEMBLE.save(tmp_path / "e.json")
    again = Ensemble.load(tmp_path / "e.json")
    assert np.array_equal(again.predict(TABLE), ENSEMBLE.predict(TABLE)) and again.start == ENSEMBLE.start
    content = json.loads((tmp_path / "e.json").read_text("utf8"))
    assert (content["schema"], content["outcome"], len(content["start"])) == ("fdpedu-ensemble/3", "number", 64)
    assert 0 <= ENSEMBLE.predict(TABLE).min() and ENSEMBLE.predict(TABLE).max() <= 40


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"start": [5000] + [0] * 63}, "this ensemble is not the one it paid for"),
        ({"start": [1, 2]}, "start must have 64 integers"),
        ({"outcome": "classes"}, "the file says otherwise"),
        ({"scale": 20}, "scale must be 16"),
        ({"intercept": 7}, "its intercept is not the one that its rounds lead to"),
    ],
)
def test_what_does_not_follow_is_not_read(changed, words):
    content = {**json.loads(ENSEMBLE.to_json()), **changed}
    with pytest.raises(FileRefused, match=words):
        Ensemble.from_json(resigned(content))


def test_sums_that_were_not_released_are_not_read():
    content = json.loads(ENSEMBLE.to_json())
    content["batches"][0]["sums"][0][0] += 500
    with pytest.raises(FileRefused, match="not those that follow from its sums"):
        Ensemble.from_json(resigned(content))


def test_curves_are_in_the_target_s_unit():
    """They and the intercept add up to the prediction, where it is within the range."""
    curves = grown(Budget.of(8, delta=DELTA), form="curves")
    codes, found = DOMAIN.encode(TABLE), curves.predict(TABLE)
    total = curves.intercept + sum(curve.values[codes[:, j]] for j, curve in enumerate(curves.curves()))
    assert np.allclose(found, np.clip(total, 0, 40), atol=1e-6)
    text, page = curves.to_text(), curves._repr_html_()
    assert "they add up to stay in days, from 0 to 40" in text and "more stay" in page


def test_what_is_asked_of_classes_is_refused():
    for name, call in (("predict_proba", ENSEMBLE.predict_proba), ("score", lambda X: ENSEMBLE.score(X, DAYS))):
        with pytest.raises(ValueError, match=f"{name} is for classes, and the domain has a numeric target, 'stay'"):
            call(TABLE)
    assert ENSEMBLE.rarer is None


def test_a_paid_score_is_that_of_its_predictions():
    """The question carries the model and the spread; the sums are those of predictions, to 1/4096."""
    parties = [Party(part, DOMAIN) for part in PARTS]
    found = noisy_score(ENSEMBLE, parties, 1, rng=ZeroWords())
    middles = np.array(DOMAIN.classes)[DOMAIN.encode_labels(DAYS)]
    off = middles - ENSEMBLE.predict(TABLE)
    assert isinstance(found, NoisyFit) and found.rows == 200
    assert found.value == pytest.approx(1 - (off**2).sum() / ((middles - middles.mean()) ** 2).sum(), abs=2e-3)
    assert found.root_mean_squared_error == pytest.approx(np.sqrt((off**2).mean()), rel=2e-3)


def test_one_owner_and_the_regressor():
    """In ε and in (ε, δ); a regressor of one party is a curator's."""
    curator = Curator(Party([row for part in PARTS for row in part], DOMAIN), Ledger(2, delta=DELTA), Rehearsal(1))
    assert fit_federated_boosting(curator, **SMALL, rng=Rehearsal(2)).n_parties == 1
    model = FederatedBoostingRegressor(
        DOMAIN, nominal_size=200, rounds=2, trees_per_round=2, n_parties=1, rng=Rehearsal(1)
    )
    model.fit(TABLE, DAYS)
    assert model.n_parties_ == 1 and model.score(TABLE, DAYS) <= 1
    assert isinstance(model.noisy_score(TABLE, DAYS, 1), NoisyFit)


def test_a_domain_of_classes_is_not_for_the_regressor():
    with pytest.raises(ValueError, match=r'"target": \[low, high\] in place of them, or take FederatedBoostingClass'):
        FederatedBoostingRegressor({"features": {"x": [0, 9, 3]}, "classes": ["a", "b"]}, nominal_size=9).fit(
            [[1]], ["a"]
        )
