"""Curves of one direction: as scikit-learn's isotonic regression has them, in files, pictures and scores."""

import json

import numpy as np
import pytest
from sklearn.isotonic import IsotonicRegression

from fdpedu import files
from fdpedu.accounting import Ledger
from fdpedu.boosting import Ensemble, fit_federated_boosting
from fdpedu.boosting.ensemble_file import SCHEMA
from fdpedu.boosting.monotone import isotonic, released_curve, units_of
from fdpedu.domain import Domain
from fdpedu.estimators import FederatedBoostingClassifier, noisy_score
from fdpedu.federation import Curator, Party
from fdpedu.gradients import UNIT
from fdpedu.randomness import Rehearsal

FEATURES = {
    "age": {"range": [0, 200], "bins": 200},
    "gap": {"range": [0, 8], "bins": 8, "missing": True},
    "ward": ["A", "B"],
}
DOMAIN = Domain.from_spec({"features": FEATURES, "classes": ["well", "ill"]})
SMALL = {"form": "curves", "nominal_size": 500, "rounds": 6, "progress": lambda *_: None}


def rows(n=500):
    draw = np.random.default_rng(3)
    ages, ill = draw.uniform(0, 200, n), draw.random(n)
    gaps = [None if k % 7 == 0 else k % 8 + 0.5 for k in range(n)]
    return [
        [age, gap, "AB"[k % 2], ("well", "ill")[int(one < age / 200)]]
        for k, (age, gap, one) in enumerate(zip(ages, gaps, ill, strict=True))
    ]


@pytest.fixture(scope="module")
def released():
    curator = Curator(Party(rows(), DOMAIN), Ledger("1/4", delta="1e-6"), Rehearsal(1))
    return fit_federated_boosting(curator, rng=Rehearsal(2), **SMALL)


@pytest.mark.claim("lem-monotone")
@pytest.mark.parametrize("seed", range(20))
def test_it_is_scikit_learns_isotonic_regression(seed):
    draw = np.random.default_rng(seed)
    n = int(draw.integers(1, 60))
    values, weights = draw.integers(-5000, 5000, n), draw.integers(1, 2**30, n)
    found = [value for (a, b), value in isotonic(values.tolist(), weights.tolist()) for _ in range(a, b)]
    expected = IsotonicRegression().fit(np.arange(n), values, sample_weight=weights).predict(np.arange(n))
    assert np.abs(np.array(found) - expected).max() <= 0.5 + 1e-6


@pytest.mark.claim("lem-monotone")
@pytest.mark.parametrize(
    ("name", "direction", "bins"), [("age", 1, 200), ("age", -1, 200), ("gap", 1, 8), ("gap", -1, 8)]
)
def test_a_fitted_curve_turns_never_back_and_is_the_nearest(released, name, direction, bins):
    """Up to 200 levels; missing values stay, and the others' curves; scores are what curves add up to."""
    model = released.with_monotone({name: direction})
    j = DOMAIN.index(name)
    curve, before = model.curves()[j], released.curves()[j]
    assert (direction * np.diff(curve.values[:bins]) >= 0).all() and (direction * np.diff(before.values) < 0).any()
    weights = np.maximum(1, units_of(released.marginals, j)[:bins])
    values = released_curve(DOMAIN, released.model, j)[:bins]
    fit = IsotonicRegression(increasing=direction > 0).fit(np.arange(bins), values, sample_weight=weights)
    scale = released.model.scale / 16 / UNIT
    assert np.abs(curve.values[:bins] - fit.predict(np.arange(bins)) * scale).max() <= 0.6 * scale
    assert np.array_equal(curve.values[bins:], before.values[bins:]) and curve.monotone == direction
    assert (curve.deviations > 0).all() and curve.deviations.max() <= before.deviations.max() + 1e-12
    table = [row[:3] for row in rows()]
    codes = DOMAIN.encode(table, "X")
    added = sum(one.values[codes[:, i]] for i, one in enumerate(model.curves())) + model.intercept
    assert np.abs(model.decision_function(table) - added).max() <= 1 / 2048
    assert len(model.scorer.trees) <= len(released.model.trees) and model.model is released.model


def test_what_is_fitted_afterwards_is_what_is_fitted_at_once(released):
    curator = Curator(Party(rows(), DOMAIN), Ledger("1/4", delta="1e-6"), Rehearsal(1))
    at_once = fit_federated_boosting(curator, rng=Rehearsal(2), monotone={"age": 1, "gap": -1}, **SMALL)
    assert at_once.monotone == released.with_monotone({"gap": -1, "age": 1}).monotone
    assert curator.ledger.spent == Ledger(1, delta="1e-6").total.limit or at_once.cost.value == released.cost.value
    assert (
        released.with_monotone(None).monotone == ()
        and at_once.with_monotone({}).to_json() == at_once.with_monotone(None).to_json()
    )


def test_a_file_says_it_and_is_held_against_what_was_released(released):
    model = released.with_monotone({"age": 1})
    document = json.loads(model.to_json())
    assert document["monotone"]["age"]["direction"] == 1 and len(document["monotone"]["age"]["values"]) == 200
    assert "monotone" not in json.loads(released.to_json())
    again = Ensemble.from_json(model.to_json())
    assert again.to_json() == model.to_json() and again.monotone == model.monotone
    moved = kept(model)
    moved["monotone"]["age"]["values"][-1] += 1  # within a unit: another processor may round so
    assert read(moved).monotone[0].values[-1] == model.monotone[0].values[-1] + 1


def read(content):
    return Ensemble.from_json(files.dumps(SCHEMA, content))


def kept(model):
    return files.loads(model.to_json(), SCHEMA, "x")


def _with(path, value):
    def change(document):
        *most, last = path
        for key in most:
            document = document[key]
        document[last] = value(document[last]) if callable(value) else value

    return change


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (_with(["monotone"], {}), "monotone must name features, each with its direction and its values"),
        (_with(["monotone"], [1]), "monotone must name features, each with its direction and its values"),
        (_with(["monotone", "age"], 1), "monotone must name features, each with its direction and its values"),
        (_with(["monotone", "age"], {"direction": 1}), "needs exactly the keys direction and values"),
        (_with(["monotone"], lambda m: {"wage": m["age"]}), "monotone must name features of the domain, and 'wage'"),
        (_with(["monotone"], lambda m: {"ward": m["age"]}), "monotone must name numeric features, and the categories"),
        (_with(["monotone", "age", "direction"], -1), "are not those that follow from what was released"),
        (_with(["monotone", "age", "direction"], True), "monotone must say +1 of 'age'"),
        (_with(["monotone", "age", "values"], lambda v: v[:-1]), "are not those that follow from what was released"),
        (_with(["monotone", "age", "values", 3], lambda v: v + 2), "are not those that follow from what was released"),
        (_with(["monotone", "age", "values", 3], 1.5), "values must be an integer"),
        (_with(["form"], "trees"), ""),
        (_with(["steep"], 1), "an ensemble needs exactly the keys"),
    ],
)
def test_what_a_file_may_not_say(released, change, words):
    document = kept(released.with_monotone({"age": 1}))
    change(document)
    with pytest.raises(files.FileRefused) as refused:
        read(document)
    assert words in str(refused.value)


def test_a_curve_that_turns_back_by_a_unit_is_refused(released):
    document = kept(released.with_monotone({"age": 1}))
    values = document["monotone"]["age"]["values"]
    at = next(k for k in range(1, 200) if values[k] == values[k - 1])
    values[at] -= 1
    with pytest.raises(files.FileRefused, match="the curve of 'age' turns back"):
        read(document)


def test_table_and_picture_say_it(released):
    model = released.with_monotone({"age": 1, "gap": -1})
    assert "age (may only rise)" in model.to_text() and "gap (may only fall)" in model.to_text()
    page = model._repr_html_()
    assert "(may only rise)" in page and "It may only rise." in page and "may only" not in released._repr_html_()
    assert model.curves()[0].to_dict()["name"] == "age" and model.curves()[0].to_dict()["note"] == "may only rise"


def test_a_paid_score_is_of_the_fitted_curves(released):
    model = released.with_monotone({"age": -1})  # which is wrong, so that predictions differ
    owner = Party(rows(), DOMAIN)
    right = round(500 * model.score([row[:3] for row in rows()], [row[3] for row in rows()]))
    score = noisy_score(model, owner, 100, rng=Rehearsal(4))
    assert abs(score.right - right) <= 2 and right < 500 * released.score(
        [r[:3] for r in rows()], [r[3] for r in rows()]
    )


def test_an_estimator_of_one_owner_takes_it():
    table = np.array([[row[0], row[1], row[2]] for row in rows()], dtype=object)
    model = FederatedBoostingClassifier(
        DOMAIN, form="curves", nominal_size=500, rounds=3, monotone={"age": 1}, n_parties=1, rng=Rehearsal(5)
    )
    model.fit(table, [row[3] for row in rows()])
    assert model.n_parties_ == 1 and model.ensemble_.n_parties == 1 and model.ensemble_.monotone[0].direction == 1
    assert model.derivation_.guarantee.colluders == 0
    assert model.noisy_score(table, [row[3] for row in rows()], epsilon=1).right > 250


REFUSED = [
    (["age"], {}, 'monotone must be a mapping such as {"age": +1}, got list'),
    ({"wage": 1}, {}, "monotone must name features of the domain, and 'wage' is none"),
    ({3: 1}, {}, "monotone must name features of the domain, and 3 is none"),
    ({"ward": 1}, {}, "monotone must name numeric features, and the categories of 'ward' have no order"),
    ({"age": 0}, {}, "monotone must say +1 of 'age'"),
    ({"age": "+1"}, {}, "monotone must say +1 of 'age'"),
    ({"age": True}, {}, "monotone must say +1 of 'age'"),
    ({"age": 1}, {"form": "trees"}, "monotone must be left out for form 'trees'"),
]


@pytest.mark.parametrize(("monotone", "options", "words"), REFUSED)
def test_what_is_refused_before_anything_is_charged(monotone, options, words):
    curator = Curator(Party([], DOMAIN), Ledger(1, delta="1e-6"), Rehearsal(1))
    with pytest.raises(ValueError) as refused:
        fit_federated_boosting(curator, monotone=monotone, rng=Rehearsal(2), **{**SMALL, **options})
    assert str(refused.value).startswith(words) and curator.ledger.rounds == 0


def test_several_classes_are_refused():
    three = Domain.from_spec({"features": {"x": [0, 4, 4]}, "classes": ["a", "b", "c"]})
    curator = Curator(Party([], three), Ledger(1, delta="1e-6"), Rehearsal(1))
    with pytest.raises(ValueError, match="monotone must be left out for several classes"):
        fit_federated_boosting(curator, form="curves", nominal_size=50, monotone={"x": 1})
    assert curator.ledger.rounds == 0
