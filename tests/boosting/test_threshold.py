"""A threshold that is made of class counts: what it costs, what it is, what its file says, and what it is good for."""

import argparse
import json
import re
from fractions import Fraction

import numpy as np
import pytest

from benchmarks.pooled import PooledSums
from fdpedu import files
from fdpedu.accounting import Budget, Cost, Ledger
from fdpedu.boosting import Ensemble, fit_federated_boosting, rules_for
from fdpedu.boosting.ensemble_file import OTHERS, SCHEMA
from fdpedu.boosting.growth import boosted, budget_of
from fdpedu.boosting.noise import query_deviation
from fdpedu.boosting.outcomes import CountedClasses
from fdpedu.cli.boosting import add_options
from fdpedu.domain import Domain, Numeric
from fdpedu.estimators import FederatedBoostingClassifier, noisy_score
from fdpedu.federation import Curator, Party
from fdpedu.gradients import UNIT
from fdpedu.randomness import Rehearsal, ZeroWords
from tests.boosting.test_growing import MIXED, PURE, RHO, federation, rows

N = 4000
DOMAIN = Domain([Numeric.grid(f"x{j}", 0, 1, 32) for j in range(4)], ("well", "ill"))
_PARSER = argparse.ArgumentParser()
add_options(_PARSER)
HELP = " ".join(_PARSER.format_help().split())
WAYS = {"pure": (PURE, "trees"), "trees": (RHO, "trees"), "curves": (RHO, "curves")}


def rare():
    """One row in fourteen is ill, the more likely the larger the sum of two numbers is."""
    draw = np.random.default_rng(3)
    X = draw.random((N, 4))
    return X, np.where(X[:, 0] + X[:, 1] + draw.normal(0, 0.3, N) > 1.75, "ill", "well")


def simulated(X, y, form, budget, threshold="counted"):
    """Of all rows, without noise."""
    asker = PooledSums(Party(X, DOMAIN, labels=y), Ledger(budget), 5, 1, ZeroWords())
    shape = {"rounds": 6, "trees_per_round": 6, "max_depth": 2}
    more = (form, len(X), lambda *_: None, Rehearsal(7), None, threshold)
    return boosted(asker, budget_of(asker, None), shape, *more)


def grown(way, one_owner=False, **options):
    budget, form = WAYS[way]
    parts = [rows(200, k, ill=6) for k in range(2)]
    asker = federation(parts, MIXED, budget, Rehearsal(1))
    if one_owner:
        asker = Curator(Party(parts[0] + parts[1], MIXED), Ledger(budget), Rehearsal(1))
    options = {"nominal_size": 40, "rounds": 2, "trees_per_round": 2, "max_depth": 2, **options}
    return fit_federated_boosting(asker, form=form, rng=Rehearsal(2), **options), asker


@pytest.mark.parametrize("rounds", [1, 7, 36, 64])
def test_shares_are_those_without_it_times_99_hundredths_and_add_up_to_1(rounds):
    for budget in (1, Cost("gaussian", "1/40")):
        plain = rules_for("trees", 500, budget, 4, rounds=rounds).shares
        shares = rules_for("trees", 500, budget, 4, rounds=rounds, outcome=CountedClasses()).shares
        assert shares == {**{k: v * Fraction(99, 100) for k, v in plain.items()}, "start": Fraction(1, 100)}
        assert shares["histograms"] + shares["start"] + rounds * shares["round"] + 2 * shares["intercept"] == 1


@pytest.mark.parametrize("one_owner", [False, True])
@pytest.mark.parametrize("way", WAYS)
def test_one_question_more_is_paid_with_a_hundredth(way, one_owner):
    """All of the budget is spent, and without the word nothing is asked: its file is that of two classes."""
    ensemble, asker = grown(way, one_owner, threshold="counted")
    (step,) = [step for _, step in ensemble.derivation.releases() if step["type"] == "class-counts"]
    limit = WAYS[way][0].limit
    assert Fraction(step["epsilon" if limit.is_pure else "rho"]) == limit.value / 100
    spent = asker.ledger.spent
    assert (spent if limit.is_pure else spent.value) == limit.value and ensemble.rounds == 2 + 4
    assert abs(sum(ensemble.start) - 400) < 300 and len(ensemble.start) == 2
    plain, _ = grown(way, one_owner)
    assert plain.rounds == 5 and plain.start == () and plain.threshold == 0 and plain.deciding() is plain.scorer
    assert f'"{SCHEMA}"' in plain.to_json() and '"threshold"' not in plain.to_json()


@pytest.mark.parametrize(("form", "budget"), [("trees", RHO), ("curves", RHO), ("trees", Budget.of(1))])
def test_without_noise_more_rows_of_a_rare_class_are_found(form, budget):
    """Counts are those of the rows; the threshold is a quantile of made-up scores; the recall rises with it."""
    X, y = rare()
    ensemble = simulated(X, y, form, budget)
    assert ensemble.start == tuple(int((y == c).sum()) for c in DOMAIN.classes) and (y == "ill").mean() < 0.1
    made_up = ensemble.course.made_up
    scores = ensemble.scorer.scores(made_up, np.arange(made_up.shape[1]))
    wanted = len(scores) * (y == "ill").mean()
    others = [abs((scores > t).sum() - wanted) for t in [scores.min() - 1, *scores]]
    assert abs((scores > ensemble.threshold * 4096).sum() - wanted) == min(others)
    ill = y == "ill"
    found, before = ensemble.predict(X) == "ill", ensemble.predict(X, threshold=0) == "ill"
    assert found[ill].mean() > before[ill].mean() + 0.1 and found[ill].mean() > 0.4
    assert (found == (ensemble.decision_function(X) > ensemble.threshold)).all()
    assert ensemble.score(X, y) == np.mean(np.where(found, "ill", "well") == y)
    codes = np.ascontiguousarray(DOMAIN.encode(X).T)
    assert (ensemble.deciding().predict(codes, np.arange(N)) == found).all()
    assert "seldom" not in ensemble.to_text() and f"Of class ill {(y == 'ill').sum()} ± " in ensemble.to_text()
    assert f"a score above {ensemble.threshold:.3g} is ill" in ensemble.to_text()


@pytest.mark.parametrize(
    ("start", "found"),
    [
        ((3, 1), 1),
        ((1, 1), 1),
        ((1, 3), 0),
        ((8, 1), 2),
        ((1, 0), 2),
        ((0, 1), 0),
        ((-5, 2), 0),
        ((2, -5), 2),
        ((-1, -1), 1),
    ],
)
def test_ties_and_counts_below_zero(start, found):
    """Rows with one score lie on one side; of two as near the lower threshold; a share lies between 0 and 1."""
    assert CountedClasses(start).threshold(np.array([1, 1, 2, 2])) == found
    assert CountedClasses((2**62, 2**62)).threshold(np.arange(2000)) == 999


@pytest.mark.parametrize(("way", "one_owner"), [(way, one) for way in WAYS for one in (False, True)])
def test_it_says_what_was_counted_beside_two_deviations_of_its_noise(way, one_owner):
    """The rarer class, and whether noise alone may have made the number; a file read again says the same."""
    ensemble, _ = grown(way, one_owner, threshold="counted")
    epsilon_or_rho, sites = WAYS[way][0].limit.value / 100, 1 if one_owner else 2
    variance = sites * 2 / epsilon_or_rho**2 if way == "pure" else sites / (2 * epsilon_or_rho)
    least = min(zip(ensemble.start, ("well", "ill"), strict=True))
    text = ensemble.to_text()
    count, noise = map(int, re.search(rf"Of class {least[1]} (-?\d+) ± (\d+) rows were counted", text).groups())
    assert count == least[0] and noise == pytest.approx(2 * float(variance) ** 0.5, rel=0.02)
    assert ("alone may have made them" in text) == (count <= noise) != ("about as many are predicted" in text)
    assert Ensemble.from_json(ensemble.to_json()).to_text() == text


@pytest.mark.parametrize(("count", "says"), [(-3, "alone"), (84, "alone"), (85, "predicted"), (10**6, "predicted")])
def test_a_count_within_its_noise_is_no_basis(count, says):
    outcome = CountedClasses().begun([count, 10**7], 10, 42.25**2)
    assert says in outcome.in_words(("ill", "well")) and outcome.in_words(("ill", "well")).startswith("Of class ill ")


def test_the_help_has_the_size_of_the_noise():
    """Of one owner, at ε = 1."""
    for delta in (None, 1e-6):
        share = Budget.of(1, delta=delta).limit.scaled(CountedClasses.begins)
        deviation = query_deviation(CountedClasses().start_question(DOMAIN.everything, share), 1, 1)
        assert f" {deviation:.0f}" in HELP


@pytest.mark.parametrize("way", WAYS)
def test_its_file_is_read_as_it_was_written_and_no_other_threshold(way):
    ensemble, _ = grown(way, threshold="counted", **({"monotone": {"age": 1}} if way == "curves" else {}))
    text = ensemble.to_json()
    again, content = Ensemble.from_json(text), files.loads(text, OTHERS, "x")
    assert again.to_json() == text and again.threshold == ensemble.threshold and again.start == ensemble.start
    assert content["outcome"] == "counted" and content["threshold"] == round(ensemble.threshold * 4096)
    stated, start = content["threshold"], content["start"]
    hostile = [
        {"threshold": odd} for odd in (stated + 2, stated - 2, 2**70, float(stated), str(stated), None, [], True)
    ]
    hostile += [{"start": odd} for odd in ([], start[:1], [*start, 0], [1, 1], [0, 10**6], [0.5, 1], None, [2**63, 1])]
    hostile += [{"outcome": odd} for odd in ("classes", "number", "two classes", "count", None, ["counted"])]
    for change in hostile:
        with pytest.raises(files.FileRefused):
            Ensemble.from_json(files.dumps(OTHERS, {**content, **change}))
    for name in ("threshold", "start", "outcome"):
        with pytest.raises(files.FileRefused, match="needs exactly the keys"):
            Ensemble.from_json(files.dumps(OTHERS, {k: v for k, v in content.items() if k != name}))
    plain = {k: v for k, v in content.items() if k not in ("threshold", "start", "outcome")}
    with pytest.raises(files.FileRefused):
        Ensemble.from_json(files.dumps(SCHEMA, plain))
    before = json.loads(grown(way)[0].to_json())
    with pytest.raises(files.FileRefused, match="rounds are not as many"):
        unpaid = {**{k: v for k, v in before.items() if k not in ("schema", "digest")}, "threshold": 0}
        Ensemble.from_json(files.dumps(OTHERS, {**unpaid, "outcome": "counted", "start": [1, 1]}))


@pytest.mark.parametrize("classes", [("well", "ill"), ("ill", "well")])
def test_the_estimator_and_a_paid_score_know_it(classes):
    """What is scored on private rows are the predictions with the threshold, whatever the order of the classes is."""
    X, y = rare()
    domain = Domain(DOMAIN.features, classes)
    small = {"epsilon": 8, "nominal_size": N, "rounds": 4, "trees_per_round": 4, "rng": Rehearsal(1)}
    model = FederatedBoostingClassifier(domain, **small, threshold="counted", n_parties=2).fit(X, y)
    ensemble = model.ensemble_
    assert ensemble.threshold != 0 and (model.predict(X) == ensemble.predict(X)).all()
    assert (model.predict(X) == "ill").mean() > 0.02
    parties = [Party(X[k::2], domain, labels=y[k::2]) for k in range(2)]
    assert noisy_score(ensemble, parties, 200, rng=Rehearsal(5)).right == round(N * model.score(X, y))


def test_a_threshold_is_of_the_scores_that_predict():
    """Of curves of one direction too: above it lies the released share of made-up rows, as the fitted model scores."""
    model, _ = grown("curves", monotone={"age": -1}, threshold="counted", rounds=3)
    made_up, released = model.course.made_up, CountedClasses(model.start)
    everybody = np.arange(made_up.shape[1])
    found = [released.threshold(one.scores(made_up, everybody)) / UNIT for one in (model.scorer, model.model)]
    assert model.threshold == found[0] != found[1]
    assert Ensemble.from_json(model.to_json()).threshold == model.threshold
