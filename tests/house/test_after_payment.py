"""After a payment nothing raises: what is made of released numbers is made of all that can be released.

Every way to a model is driven to its end with answers at the ends of what noise reaches; then the model is used in
every way there is.
"""

import itertools
import json
from fractions import Fraction

import numpy as np
import pytest

from fdpedu.accounting import Cost, Ledger
from fdpedu.boosting import Ensemble, fit_federated_boosting
from fdpedu.bounds import fit_saving_tree
from fdpedu.cli import main
from fdpedu.domain import Domain
from fdpedu.estimators import (
    FederatedBoostingClassifier,
    FederatedTreeClassifier,
    FederatedTreeRegressor,
    PrivaTreeClassifier,
    noisy_score,
)
from fdpedu.federation import Federation, Party
from fdpedu.histograms import private_histogram
from fdpedu.histograms.edges import private_quantile_domain
from fdpedu.randomness import Rehearsal
from fdpedu.structures import Structures, fit_private_structures
from fdpedu.trees import DESIGNS, SYSTEMS, Design, fit_federated_tree, fit_owner_tree, fit_privatree
from fdpedu.trees.recursive import fit_recursively
from tests.support.extreme_answers import PATTERNS, answering

FEATURES = {
    "age": {"low": 0, "high": 8, "bins": 8, "missing": True},
    "ward": ["a", "b", "c"],
    "one": {"low": 0, "high": 1, "bins": 2},
    "two": ["always", "never"],
}
CLASSES = Domain.from_spec({"features": FEATURES, "classes": ["no", "yes"]})
THREE = Domain.from_spec({"features": FEATURES, "classes": ["no", "maybe", "yes"]})
NUMBERS = Domain.from_spec({"features": FEATURES, "target": {"low": 0, "high": 8, "levels": 4}})
RHO = {"epsilon": 1, "delta": "1/1000000"}


def rows(domain, n=24):
    last = [1.0, 3.0, 7.0] if domain.target else domain.classes
    return [[None if k % 7 == 0 else k % 8 + 0.5, "abc"[k % 3], 0.5, "always", last[k % len(last)]] for k in range(n)]


def federation(domain=CLASSES, **budget):
    parts = [Party(rows(domain)[k::2], domain) for k in range(2)]
    return Federation(parts, domain, Ledger(**(budget or {"epsilon": 1})), rng=Rehearsal(1))


def owner(fit, **options):
    return lambda: fit(Party(rows(CLASSES), CLASSES), Ledger(1), rng=Rehearsal(1), **options)


def tree(domain=CLASSES, *, budget=None, **options):
    return lambda: fit_federated_tree(federation(domain, **(budget or {})), rng=Rehearsal(1), **options)


def boosting(budget, **options):
    return lambda: fit_federated_boosting(federation(**budget), nominal_size=24, rng=Rehearsal(1), **options)


COUNTING = [name for name in DESIGNS if name not in SYSTEMS]
WAYS = {
    **{f"{name} in ε": tree(design=name) for name in (*COUNTING, *SYSTEMS)},
    **{f"{name} in ρ": tree(design=name, budget=RHO) for name in COUNTING},
    **{f"{name} of three classes": tree(THREE, design=name) for name in ("default", *SYSTEMS)},
    "a number by votes": tree(NUMBERS, design="votes"),
    "no split at all": tree(max_depth=0),
    "of two features a node": tree(design=Design(features_per_node=2)),
    "histograms for leaves": tree(design=Design(fresh_leaves=False, prune=True)),
    "by recursion": lambda: fit_recursively(federation()),
    "by bounds": lambda: fit_saving_tree(federation(), max_depth=2),
    "one owner": owner(fit_owner_tree, nominal_size=24),
    **{
        f"privatree {splits} {edges} {leaves}": owner(
            fit_privatree, splits=splits, edges=edges, edge_bins=3, leaves=leaves, max_depth=2
        )
        for splits, edges, leaves in itertools.product(
            ("choice", "histograms"), ("joint", "histogram"), ("counts", "labels")
        )
    },
    "privatree random": owner(fit_privatree, splits="random", max_depth=2),
    "boosting in ε": boosting({"epsilon": 1}),
    "boosting in little ε": boosting({"epsilon": Fraction(1, 10**6)}),
    "boosting in ρ": boosting(RHO, rounds=4, trees_per_round=4),
    "curves in little ρ": boosting({"epsilon": "1/500", "delta": "1/1000000"}, form="curves", trees_per_round=4),
}
OURS = {"n_parties": 2, "rng": Rehearsal(1)}
ESTIMATORS = {
    "a tree": FederatedTreeClassifier(CLASSES, **OURS),
    "boosting": FederatedBoostingClassifier(CLASSES, nominal_size=24, trees_per_round=4, **OURS),
    "one owner's": PrivaTreeClassifier(CLASSES, leaves="counts", rng=Rehearsal(1)),
    "a number": FederatedTreeRegressor(NUMBERS, **OURS),
}


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def table(domain):
    return [row[:-1] for row in rows(domain)]


def use(model):
    """All that can be done with a model, and the same of what is read from its file."""
    model.save("model.json")
    again = type(model).load("model.json")
    X = table(model.domain)
    for one in (model, again):
        assert one.to_text() and len(repr(one)) > 10 and "<" in one._repr_html_()
        assert np.array_equal(one.predict(X), model.predict(X))
        assert one.cost.value > 0 and one.rounds > 0
    if isinstance(model, Ensemble):
        assert np.isfinite(model.decision_function(X)).all() and np.isfinite(model.predict_proba(X)).all()
        assert sum(model.strengths()) == pytest.approx(1) or not any(model.strengths())
        assert all(np.isfinite(scores).all() for scores in model.staged(X))
        assert all(
            np.isfinite([*c.values, *c.deviations]).all() for c in (model.curves() if model.form == "curves" else ())
        )
    else:
        json.dumps(model.to_dict(), allow_nan=False)
        assert model.to_sklearn_text() and model.to_graphviz()
        if not (model.has_labels_only or model.domain.target):
            assert np.isfinite(model.predict_proba(X)).all()
    assert main(["show", "model.json", "--as", "html"]) == main(["show", "model.json", "--json"]) == 0


def pytest_generate_tests(metafunc):
    """Each way with two patterns, which are others for the next way; ``--deep``: with all."""
    if "way" in metafunc.fixturenames:
        deep, n = metafunc.config.getoption("--deep"), len(PATTERNS)
        pairs = itertools.product(enumerate(WAYS), enumerate(PATTERNS))
        chosen = [(way, name) for (i, way), (j, name) in pairs if deep or (j - i) % n in (0, 3)]
        metafunc.parametrize(("way", "pattern"), chosen)


def test_a_model_is_delivered_and_used_whatever_was_released(way, pattern, capsys):
    with answering(pattern) as asked:
        model = WAYS[way]()
    assert asked
    use(model)
    if model.domain.target is None:
        with answering(pattern):
            score = noisy_score(
                model, [Party(rows(model.domain), model.domain), Party([], model.domain)], 1, rng=Rehearsal(1)
            )
        assert 0 <= score.value <= 1 and str(score) and score._repr_html_()


@pytest.mark.filterwarnings("ignore::fdpedu.estimators.FittedAgainWarning")
@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("name", ESTIMATORS)
def test_an_estimator_is_fitted_and_used_whatever_was_released(name, pattern):
    model = ESTIMATORS[name]
    X, y = table(model.domain), [row[-1] for row in rows(model.domain)]
    with answering(pattern) as asked:
        model.fit(X, y)
        assert asked and len(model.predict(X)) == len(X) and np.isfinite(model.score(X, y))
        if model.domain is CLASSES:
            assert np.isfinite(model.predict_proba(X)).all() and 0 <= model.noisy_score(X, y, 1).value <= 1


@pytest.mark.parametrize("pattern", PATTERNS)
def test_what_is_no_model_is_delivered_too(pattern):
    with answering(pattern):
        found = fit_private_structures(federation(), max_depth=1, population=4, rng=Rehearsal(1))
        histogram = private_histogram(federation(), "age", Fraction(1, 2))
        coarse = private_quantile_domain(federation(), Fraction(1, 2), 3)
    found.save("structures.json")
    assert Structures.load("structures.json").summary() == found.summary() and found._repr_html_()
    assert histogram.shape == (9, 2) and coarse.features[0].n_bins <= 3 and found.cost == Cost("pure", 1)
