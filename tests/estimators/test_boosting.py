"""Boosting by the conventions of scikit-learn: what it shares with the tree, and what is its own."""

import pickle
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score

from fdpedu.accounting import BudgetExceeded, Ledger
from fdpedu.boosting import Ensemble, fit_federated_boosting
from fdpedu.estimators import (
    ClassWithoutRowsWarning,
    FederatedBoostingClassifier,
    FederatedTreeClassifier,
    FittedAgainWarning,
    SharedBudgetWarning,
    noisy_score,
    search_cost,
)
from fdpedu.estimators.base import FederatedClassifier
from fdpedu.estimators.scoring import model_of
from fdpedu.federation import Federation, Party
from fdpedu.randomness import Rehearsal
from fdpedu.secure_sum import hashed
from tests.estimators.test_classifier import DIFFERENT, NO_DOMAIN, chain, failures
from tests.support.estimated import DOMAIN, FRAME, LABELS, ROWS, SITES, SPEC, DomainOfItsRows

SMALL = {"nominal_size": 60, "rounds": 2, "trees_per_round": 3}


def made(domain=SPEC, **options):
    return FederatedBoostingClassifier(domain, **{"epsilon": 8, "rng": Rehearsal(1), **SMALL, **options})


@pytest.fixture(scope="module")
def fitted():
    return made().fit(FRAME, LABELS, parties=SITES)


class FromItsRows(DomainOfItsRows, FederatedBoostingClassifier):
    """One with a domain from its rows."""


def test_scikit_learn_s_checks_pass_but_for_two_that_are_named():
    """The same two as of the tree: a missing value has words of ours, and a class is what the domain lists.

    With the 8 rounds that are usual in ε and little noise the intercept of ten rows of one class is learnt.
    """
    small = FromItsRows(epsilon=500, n_parties=2, nominal_size=20, rounds=8, trees_per_round=3)
    assert {one["check_name"] for one in failures(small, DIFFERENT)} == set(DIFFERENT)


def test_without_a_domain_the_checks_that_fit_are_refused_and_no_others():
    """As of the tree, and the one that only classifiers with scores have."""
    expected = {*NO_DOMAIN, "check_decision_proba_consistency"}
    reason = "what is public is never taken from the rows, so a fit without a domain is refused"
    failed = failures(FederatedBoostingClassifier(n_parties=2), dict.fromkeys(expected, reason))
    assert {one["check_name"] for one in failed} == expected
    assert all("needs a domain" in chain(one["exception"]) for one in failed)


def test_it_is_the_ensemble_of_the_same_federation(fitted):
    """Same rows, same words: the ensemble of fit_federated_boosting."""
    parts = [[[*row, label] for row, label, at in zip(ROWS, LABELS, SITES, strict=True) if at == site]
             for site in ("north", "south", "west")]  # fmt: skip
    source = Rehearsal(1)
    ledger = Ledger(8, delta=1e-6)
    federation = Federation([Party(part, DOMAIN) for part in parts], DOMAIN, ledger, rng=source)
    expected = fit_federated_boosting(federation, rng=source, **SMALL)
    assert fitted.ensemble_.to_json() == expected.to_json()
    assert (fitted.n_parties_, fitted.n_features_in_, fitted.classes_.tolist()) == (3, 2, ["ill", "well"])
    assert fitted.feature_names_in_.tolist() == ["age", "ward"] and fitted.domain_ == DOMAIN
    assert fitted.derivation_.guarantee.delta == Fraction(1, 10**6)


def test_it_shares_its_base_with_the_tree():
    """One base, so that fit, predict, score and noisy_score are the same; what a subclass has is its own."""
    assert issubclass(FederatedTreeClassifier, FederatedClassifier)
    for name in ("fit", "predict", "predict_proba", "score", "noisy_score"):
        assert getattr(FederatedBoostingClassifier, name) is getattr(FederatedTreeClassifier, name)
    assert not hasattr(FederatedTreeClassifier, "decision_function")


def test_a_fitted_estimator_holds_what_was_released_and_no_rows(fitted):
    public = {"ensemble_", "derivation_", "domain_", "classes_", "n_parties_", "n_features_in_", "feature_names_in_"}
    assert set(vars(fitted)) == {*fitted.get_params(), *public}


@pytest.mark.parametrize("classes", [["well", "ill"], ["ill", "well"]])
def test_columns_and_scores_are_in_the_order_of_sorted_classes(classes):
    """Above 0 speaks for classes_[1], whatever the order of the domain is; predictions are the ensemble's."""
    model = made({**SPEC, "classes": classes}).fit(ROWS, LABELS, parties=SITES)
    scores, shares = model.decision_function(ROWS), model.predict_proba(ROWS)
    assert model.classes_.tolist() == ["ill", "well"] and list(model.ensemble_.classes) == classes
    assert np.array_equal(model.classes_[(scores > 0).astype(int)], model.predict(ROWS))
    assert np.allclose(shares[:, 1], 1 / (1 + np.exp(-scores))) and np.allclose(shares.sum(axis=1), 1)
    assert model.predict(ROWS).tolist() == model.ensemble_.predict(ROWS).tolist()
    assert model.score(ROWS, LABELS) == model.ensemble_.score(ROWS, LABELS) > 0.6


def test_a_score_of_zero_is_the_domain_s_first_class():
    """Also where it is the last of the sorted ones."""
    model = made().fit(ROWS, LABELS, parties=SITES)
    model.ensemble_ = Ensemble(**{**vars(model.ensemble_), "model": type(model.ensemble_.model)()})
    assert set(model.predict(ROWS)) == {"well"} and (model.decision_function(ROWS) > 0).all()


def test_of_equal_scores_of_several_classes_the_domain_s_first_one_is_the_highest():
    """Also where it is the last of the sorted ones: what is predicted is where decision_function is highest."""
    model = made({**SPEC, "classes": ["well", "ill", "dead"]}, delta=1e-6)
    model.fit(ROWS, ["dead", *list(LABELS)[1:]], parties=SITES)
    for scores, predicted in (((9, 9, 9), "well"), ((1, 9, 9), "ill"), ((9, 1, 9), "well"), ((1, 2, 9), "dead")):
        of_all = type(model.ensemble_.model)((), scores)
        model.ensemble_ = replace(model.ensemble_, model=of_all)
        found = model.decision_function(ROWS)
        assert set(model.predict(ROWS)) == {predicted} == set(model.classes_[found.argmax(axis=1)])
        assert np.allclose(found[0], np.array(scores)[[2, 1, 0]] / 4096)


def test_predictions_need_the_ensemble_alone():
    """From its document, and after a pickle: the same; and an estimator that was not fitted says so."""
    fitted = made(rng=None).fit(ROWS, LABELS)
    read = Ensemble.from_json(fitted.ensemble_.to_json())
    copy = pickle.loads(pickle.dumps(fitted))
    for other in (read, copy):
        assert other.predict(ROWS).tolist() == fitted.predict(ROWS).tolist()
    assert copy.decision_function(ROWS).tolist() == fitted.decision_function(ROWS).tolist()
    for ask in ("predict", "predict_proba", "decision_function"):
        with pytest.raises(NotFittedError):
            getattr(made(), ask)(ROWS)
        with pytest.raises(ValueError, match="X row 0, column 'age'"):
            getattr(fitted, ask)([[None, "A"]])
        with pytest.raises(ValueError, match="X has 1 features, but FederatedBoostingClassifier is expecting 2"):
            getattr(fitted, ask)([[1]])
    with pytest.raises(NotFittedError):
        made().noisy_score(ROWS, LABELS, 1)
    for y in (LABELS[:1], LABELS[:9], []):
        with pytest.raises(ValueError, match="as many rows"):
            fitted.score(ROWS, y)


def test_curves_are_fitted_with_a_delta():
    model = made(form="curves").fit(ROWS, LABELS, parties=SITES)
    assert [curve.name for curve in model.ensemble_.curves()] == ["age", "ward"]


def test_a_pure_budget_is_paid_in_epsilon():
    """delta=None: 8 rounds of 6 trees unless more is said; the budget of a ledger, too, and all that is left."""
    model = FederatedBoostingClassifier(SPEC, epsilon=8, delta=None, nominal_size=60, rng=Rehearsal(3))
    guarantee = model.fit(ROWS, LABELS).derivation_.guarantee
    assert (guarantee.value, guarantee.delta, len(model.ensemble_.batches)) == (8, 0, 8)
    ledger = Ledger(3)
    made(epsilon=1, delta=None, budget=ledger).fit(ROWS, LABELS)
    assert ledger.spent == 1
    made(epsilon=None, delta=None, budget=ledger).fit(ROWS, LABELS)
    assert ledger.spent == 3
    with pytest.raises(BudgetExceeded):
        made(epsilon=1, delta=None, budget=ledger).fit(ROWS, LABELS)


def test_copies_and_second_fits_say_that_they_pay(tmp_path):
    path = tmp_path / "b.db"
    Ledger.open(path, 9, delta=1e-6).close()
    with pytest.warns(SharedBudgetWarning, match="δ = 1/1000000"):
        clone(made(epsilon=1, budget=path, rng=None)).fit(ROWS, LABELS)
    again = made().fit(ROWS, LABELS)
    with pytest.warns(FittedAgainWarning, match="the two ensembles cost"):
        again.fit(ROWS, LABELS)
    with pytest.warns(ClassWithoutRowsWarning, match="The ensemble will know it"):
        made().fit(ROWS, ["well"] * 60)
    assert len(cross_val_score(made(rng=None), ROWS, LABELS, cv=2)) == 2


def test_a_search_says_what_it_costs():
    found = search_cost(GridSearchCV(made(epsilon=1), {"form": ["trees", "curves"]}, cv=3), ROWS, LABELS)
    assert (found.fits, found.cost.value) == (7, 7 * Fraction(2801, 100000))
    with pytest.raises(ValueError, match="FederatedBoostingClassifier or PrivaTreeClassifier, and there are 0"):
        search_cost(GridSearchCV(DummyClassifier(), {}), ROWS, LABELS)


# --- its score, paid for ----------------------------------------------------------------------------------------------


def test_an_ensemble_is_scored_as_a_tree_is(fitted):
    """Counts of the shipped predictions with noise; charged to the budget; the question carries the whole model."""
    parties = [Party(ROWS[k::3], DOMAIN, labels=LABELS[k::3]) for k in range(3)]
    budget = Ledger(60)
    found = noisy_score(fitted.ensemble_, parties, 50, budget=budget, rng=Rehearsal(5))
    right = round(60 * fitted.score(ROWS, LABELS))
    assert (found.right, found.wrong) == (right, 60 - right) and budget.spent == 50
    ((_, release),) = found.derivation.releases()
    assert release["parameters"] == {"model": hashed(model_of(fitted.ensemble_).to_wire()).hex()}
    assert model_of(fitted.ensemble_) == fitted.ensemble_.model
    again = fitted.noisy_score(ROWS, LABELS, 1, parties=SITES, delta=1e-6)
    assert "ρ" in str(again) and again.derivation.guarantee.delta == Fraction(1, 10**6)


@pytest.mark.parametrize("odd", [None, "tree", 3])
def test_what_is_no_model_has_no_score(odd):
    with pytest.raises(ValueError, match="tree must be a Tree or an Ensemble"):
        noisy_score(odd, [Party(ROWS, DOMAIN, labels=LABELS), Party([], DOMAIN)], 1)
