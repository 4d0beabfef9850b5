"""Whatever order the domain has its classes in, scikit-learn's tools read the estimator's columns rightly."""

import warnings
from itertools import permutations

import numpy as np
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import BaggingClassifier, StackingClassifier, VotingClassifier
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score

from fdpedu.accounting import Ledger
from fdpedu.estimators import ClassWithoutRowsWarning, FederatedTreeClassifier, FittedAgainWarning
from fdpedu.randomness import ZeroWords

AGES = (np.arange(300) % 90)[:, None]
KINDS = {
    "texts": ("ill", "well"),
    "numbers": (0, 1),
    "numbers from elsewhere": (-3, 7),
    "truth values": (False, True),
    "capitals first": ("Z", "a"),
    "three texts": ("a", "b", "c"),
    "three numbers": (0, 1, 2),
}
CASES = [(kind, order) for kind, classes in KINDS.items() for order in permutations(classes)]


def estimator(classes, **options):
    spec = {"features": {"age": [0, 90, 9]}, "classes": list(classes)}
    options = {"epsilon": 50, "max_depth": 2, "design": "default", "rng": ZeroWords(), **options}
    return FederatedTreeClassifier(spec, **options)


def labels(classes):
    """The class rises with the age, in the order of scikit-learn, at borders of bins."""
    return np.array(sorted(classes))[np.digitize(AGES[:, 0], [51] if len(classes) == 2 else [31, 61])]


@pytest.mark.parametrize(("kind", "order"), CASES)
def test_columns_are_those_of_sorted_classes(kind, order):
    """So are scores that read columns by position: equal to the last digit, however the domain is written."""
    y, sorted_order = labels(order), KINDS[kind]
    model = estimator(order).fit(AGES, y)
    assert model.classes_.tolist() == np.unique(y).tolist() and list(model.tree_.classes) == list(order)
    likeliest = model.classes_[model.predict_proba(AGES).argmax(axis=1)]
    assert np.array_equal(likeliest, model.predict(AGES)) and model.score(AGES, y) > 0.9
    scoring = ["accuracy", "neg_log_loss", "roc_auc" if len(order) == 2 else "roc_auc_ovr"]
    found, expected = (
        [cross_val_score(estimator(way), AGES, y, cv=2, scoring=each).mean() for each in scoring]
        for way in (order, sorted_order)
    )
    assert found[2] > 0.9 and found[1] > -0.5 and found[0] > 0.8
    assert np.allclose(found, expected, atol=0.1)  # rows are dealt out at random


@pytest.mark.parametrize("order", [(0, 1), (1, 0), (2, 0, 1)])
def test_ensembles_are_right(order):
    y, model = labels(order), estimator(order)
    for ensemble in (
        VotingClassifier([("one", model), ("two", model)], voting="soft"),
        BaggingClassifier(model, 3, random_state=0),
        StackingClassifier([("one", model)]),
        CalibratedClassifierCV(model, cv=2),
    ):
        assert ensemble.fit(AGES, y).score(AGES, y) > 0.9, ensemble
    shares = cross_val_predict(model, AGES, y, cv=2, method="predict_proba")
    assert np.mean(shares.argmax(axis=1) == y) > 0.8


@pytest.mark.parametrize("order", [("ill", "well"), ("well", "ill")])
def test_a_search_finds_the_better_depth_and_calibration_works(order):
    y = labels(order)
    search = GridSearchCV(estimator(order), {"max_depth": [0, 1]}, scoring="roc_auc", cv=2).fit(AGES, y)
    assert search.best_params_ == {"max_depth": 1}
    assert CalibratedClassifierCV(estimator(order), cv=2).fit(AGES, y).score(AGES, y) > 0.9


def test_codes_in_the_place_of_texts_are_explained():
    y = labels(("ill", "well"))
    with pytest.raises(ValueError, match=r"y holds numbers from 0 to 1: VotingClassifier.* classes are \[0, 1\]"):
        VotingClassifier([("one", estimator(("well", "ill")))], voting="soft").fit(AGES, y)
    for given in ([0.5] * 300, [2] * 300, ["dead"] * 300):
        with pytest.raises(ValueError, match="y row 0") as refused:
            estimator(("well", "ill")).fit(AGES, given)
        assert "VotingClassifier" not in str(refused.value)


def test_a_class_without_rows_is_said_before_anything_is_charged():
    """The warning, made an error, leaves the budget whole; else the tree knows the class, and what can work does."""
    ledger, y = Ledger(5), labels(("ill", "well"))
    model = estimator(("dead", "ill", "well"), budget=ledger, epsilon=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ClassWithoutRowsWarning, match="no row of y is of class 'dead'"):
            model.fit(AGES, y)
    assert ledger.spent == 0
    with pytest.warns(ClassWithoutRowsWarning):
        model.fit(AGES, y)
    assert ledger.spent == 1 and model.predict_proba(AGES).shape == (300, 3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClassWithoutRowsWarning)
        warnings.simplefilter("ignore", FittedAgainWarning)
        assert cross_val_score(estimator(("dead", "ill", "well")), AGES, y, cv=2).min() > 0.8
