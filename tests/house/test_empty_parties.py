"""A party may have no rows, as a part that is dealt may: every fit, score and simulation goes to its end without them.

The sources' systems on raw rows, `fit_shared_tree`, `fit_fedga` and `fit_local`, are no private ones: they refuse a
party without rows before anything is sent.
"""

import json

import numpy as np
import pytest
from sklearn.base import clone

from fdpedu.accounting import Ledger
from fdpedu.boosting import fit_federated_boosting
from fdpedu.bounds import fit_saving_tree
from fdpedu.domain import Domain
from fdpedu.estimators import (
    FederatedBoostingClassifier,
    FederatedTreeClassifier,
    FederatedTreeRegressor,
    noisy_score,
)
from fdpedu.experiments.own import compare_with_own, mixture_of
from fdpedu.federation import Federation, Party
from fdpedu.histograms import private_histogram, private_quantile_domain
from fdpedu.randomness import Rehearsal
from fdpedu.simulation import METHODS, CodedRows, simulate
from fdpedu.structures import fit_private_structures
from fdpedu.trees import DESIGNS, SYSTEMS, Votes, fit_federated_tree
from fdpedu.trees.recursive import fit_recursively

FEATURES = {"age": {"low": 0, "high": 8, "bins": 8, "missing": True}, "ward": ["a", "b", "c"]}
CLASSES = Domain.from_spec({"features": FEATURES, "classes": ["no", "yes"]})
NUMBERS = Domain.from_spec({"features": FEATURES, "target": [0, 8, 4]})
RHO = {"epsilon": 1, "delta": "1/1000000"}
WHERE = {"one": 0, "two": 1, "all but the first": 2, "all": 3}  # whose rows go to the next party, or to nobody


def rows(domain, n=24):
    last = domain.classes if domain.target is None else [1.0, 3.0, 7.0]
    return [[None if k % 7 == 0 else k % 8 + 0.5, "abc"[k % 3], last[k % len(last)]] for k in range(n)]


def divided(domain, empty):
    """Three parties: the last is empty; the first and the last; the last two; all."""
    whole = rows(domain)
    some = {"one": (whole[:9], whole[9:], []), "two": ([], whole, []), "all but the first": (whole, [], [])}
    return some.get(empty, ([], [], []))


def federation(domain, empty, **budget):
    parts = [Party(part, domain) for part in divided(domain, empty)]
    return Federation(parts, domain, Ledger(**(budget or {"epsilon": 1})), rng=Rehearsal(1))


def tree(domain=CLASSES, *, budget=None, **options):
    return lambda empty: fit_federated_tree(
        federation(domain, empty, **(budget or {})), rng=Rehearsal(1), **{"nominal_size": 24, **options}
    )


COUNTING = [name for name in DESIGNS if name not in SYSTEMS]
SIZED = ("screened", "rotating")
FITS = {
    **{
        f"{name} in ε": tree(design=name, **({} if name in SIZED else {"nominal_size": None}))
        for name in (*COUNTING, *SYSTEMS)
    },
    **{f"{name} in ρ": tree(design=name, nominal_size=24 if name in SIZED else None, budget=RHO) for name in COUNTING},
    **{f"votes by {loss}": tree(design=Votes(loss=loss), nominal_size=None) for loss in ("errors", "gini", "mixed")},
    "a number by votes": tree(NUMBERS, design="votes", nominal_size=None),
    "by recursion": lambda empty: fit_recursively(federation(CLASSES, empty)),
    "by bounds": lambda empty: fit_saving_tree(federation(CLASSES, empty), max_depth=2),
    **{
        f"boosting by {form}": lambda empty, form=form: fit_federated_boosting(
            federation(CLASSES, empty, **RHO), form=form, nominal_size=24, rounds=2, trees_per_round=2, rng=Rehearsal(1)
        )
        for form in ("trees", "curves")
    },
}


@pytest.mark.parametrize("empty", WHERE)
@pytest.mark.parametrize("fit", FITS)
def test_a_model_is_fitted_and_scored_among_empty_parties(fit, empty):
    model = FITS[fit](empty)
    X = [row[:-1] for row in rows(model.domain)]
    assert len(model.predict(X)) == 24
    if model.domain.target is None:
        members = [Party(part, CLASSES) for part in divided(CLASSES, empty)]
        assert 0 <= noisy_score(model, members, 1, rng=Rehearsal(1)).value <= 1


@pytest.mark.parametrize("empty", WHERE)
def test_structures_and_histograms_are_released_among_empty_parties(empty):
    """And a party without rows makes of the structures a tree at home: a leaf."""
    for domain in (CLASSES, NUMBERS):
        found = fit_private_structures(federation(domain, empty), max_depth=2, population=4, rng=Rehearsal(1))
        for part in divided(domain, empty):
            home = found.fit_at_home([row[:-1] for row in part], [row[-1] for row in part])
            assert len(home.predict([row[:-1] for row in rows(domain)])) == 24
        assert found.summary()
    histogram = private_histogram(federation(CLASSES, empty), "age", "1/2")
    coarse = private_quantile_domain(federation(CLASSES, empty), "1/2", 3)
    assert histogram.shape == (9, 2) and coarse.features[0].n_bins <= 3


@pytest.mark.parametrize(
    "model",
    [
        *(FederatedTreeClassifier(CLASSES, design=name) for name in (*COUNTING, *SYSTEMS)),
        FederatedTreeClassifier(CLASSES, delta="1/1000000"),
        FederatedBoostingClassifier(CLASSES, nominal_size=24, rounds=2, trees_per_round=2),
        FederatedTreeRegressor(NUMBERS),
    ],
    ids=lambda model: f"{type(model).__name__} {getattr(model, 'design', None)} {getattr(model, 'delta', None)}",
)
def test_an_estimator_deals_rows_to_more_parties_than_there_are_rows(model):
    domain = model.domain
    X, y = [row[:-1] for row in rows(domain, 8)], [row[-1] for row in rows(domain, 8)]
    model = clone(model).set_params(n_parties=10).fit(X, y)
    assert len(model.predict(X)) == 8 and model.n_parties_ == 10 and np.isfinite(model.score(X, y))
    if domain.target is None:
        assert 0 <= model.noisy_score(X, y, 1).value <= 1


@pytest.mark.parametrize("where", [0, 1])
@pytest.mark.parametrize("method", METHODS)
def test_a_simulation_goes_on_if_one_party_has_all_rows(method, where):
    """The other of two has none; a tree of no rows at all answers with the first class."""
    codes, labels = np.array([[[k % 9, k % 3] for k in range(24)]] * 2), np.array([[k % 2 for k in range(24)]] * 2)
    whole = CodedRows(CLASSES, codes, labels, np.full((2, 24), where), codes, labels, n_parties=2)
    options = {"max_depth": 2} if method in ("central", "local") else {"epsilon": 1, "max_depth": 2}
    assert ((0 <= (right := simulate(method, whole, rng=np.random.default_rng(1), **options))) & (right <= 24)).all()
    if method == "local" and where == 1:
        assert right.tolist() == [12, 12]


def test_own_trees_are_compared_where_a_party_may_have_no_rows():
    (found,) = compare_with_own(mixture_of(200, 2, 0), [1], parties=100, runs=3)
    assert 0 <= found.own <= 1 and json.dumps(found.difference)
