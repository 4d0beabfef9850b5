"""What a search costs is known before it begins, and is what it then charges; a copy on a budget says that it pays."""

import warnings
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from scipy.stats import randint
from sklearn.base import clone
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    LeaveOneGroupOut,
    RandomizedSearchCV,
    ShuffleSplit,
    TunedThresholdClassifierCV,
    cross_val_score,
)
from sklearn.pipeline import Pipeline

from fdpedu.accounting import Amount, BudgetExceeded, Ledger
from fdpedu.estimators import FederatedTreeClassifier, FittedAgainWarning, SharedBudgetWarning, search_cost

DOMAIN = {"features": {"age": [0, 100, 4]}, "classes": ["no", "yes"]}
X = np.arange(60).reshape(-1, 1)
Y = np.where(X[:, 0] > 50, "yes", "no")
GROUPS = np.arange(60) % 3


@pytest.fixture
def path(tmp_path):
    with Ledger.open(tmp_path / "budget.db", 20):
        return str(tmp_path / "budget.db")


def model(path=None, epsilon="1/10"):
    return FederatedTreeClassifier(DOMAIN, epsilon=epsilon, max_depth=1, budget=path)


GRID, COSTS = {"max_depth": [0, 1]}, {"epsilon": ["1/10", "1/5"]}
SEARCHES = {
    "folds": (lambda tree: GridSearchCV(tree, GRID, cv=3), 7, "7/10"),
    "not fitted again": (lambda tree: GridSearchCV(tree, GRID, cv=3, refit=False), 6, "6/10"),
    "of several costs": (lambda tree: GridSearchCV(tree, COSTS, cv=2, refit=False), 4, "6/10"),
    "grids": (lambda tree: GridSearchCV(tree, [GRID, {"leaf_share": ["1/3"]}], cv=KFold(2)), 7, "7/10"),
    "draws": (lambda tree: GridSearchCV(tree, GRID, cv=ShuffleSplit(5)), 11, "11/10"),
    "groups": (lambda tree: GridSearchCV(tree, GRID, cv=LeaveOneGroupOut()), 7, "7/10"),
    "random": (lambda tree: RandomizedSearchCV(tree, {"max_depth": randint(0, 3)}, n_iter=3, cv=2), 7, "7/10"),
    "random of few": (lambda tree: RandomizedSearchCV(tree, GRID, n_iter=9, cv=2), 5, "5/10"),
    "pipeline": (lambda tree: GridSearchCV(Pipeline([("t", tree)]), {"t__epsilon": ["1/10"]}, cv=2), 3, "3/10"),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("made", "fits", "epsilon"), SEARCHES.values(), ids=SEARCHES)
def test_what_is_said_beforehand_is_what_is_charged(path, made, fits, epsilon):
    search = made(model(path))
    said = search_cost(search, X, Y, GROUPS)
    assert (said.fits, said.epsilon, said.left) == (
        fits,
        Fraction(epsilon),
        Amount(Fraction(20)),
    ) and said.is_affordable
    search.fit(X, Y, groups=GROUPS)
    with Ledger.open(path) as ledger:
        assert ledger.spent == said.epsilon and len(ledger.accounts) == fits


@pytest.mark.filterwarnings("ignore")
def test_if_the_best_is_fitted_again_it_is_the_dearest_at_most(path):
    search = GridSearchCV(model(path), COSTS, cv=2)
    said = search_cost(search, X, Y)
    search.fit(X, Y)
    with Ledger.open(path) as ledger:
        assert said.epsilon == Fraction(8, 10) >= ledger.spent


def test_what_is_too_little_is_said(path):
    said = search_cost(GridSearchCV(model(path, epsilon=3), GRID, cv=5))
    assert not said.is_affordable and "33" in str(said) and "13 too little" in str(said)
    assert search_cost(GridSearchCV(model(), GRID, cv=5)).is_affordable
    assert search_cost(GridSearchCV(model(Ledger(1)), GRID, cv=5)).left == Amount(Fraction(1))


@pytest.mark.parametrize(
    "made",
    [
        lambda: model(),
        lambda: GridSearchCV(model(epsilon=None), GRID),
        lambda: GridSearchCV(model(epsilon=-1), GRID),
        lambda: GridSearchCV(model(), {"budget": ["a", "b"]}),
        lambda: RandomizedSearchCV(model(), COSTS),
        lambda: GridSearchCV(Pipeline([("a", model()), ("b", model())]), {}),
        lambda: GridSearchCV(model(3), GRID),
    ],
)
def test_what_is_not_known_beforehand_is_refused(made):
    with pytest.raises(ValueError, match=r"search|epsilon|budget"):
        search_cost(made(), X, Y)


def test_the_first_fit_of_a_copy_says_what_each_costs_before_it_is_charged(path):
    with pytest.warns(SharedBudgetWarning, match=r"ε = 1/10.*search_cost"):
        cross_val_score(model(path), X, Y, cv=2)
    with warnings.catch_warnings():
        warnings.simplefilter("error", SharedBudgetWarning)
        model(path).fit(X, Y)
        with Ledger.open(path) as ledger:
            before = ledger.spent
            with pytest.raises(SharedBudgetWarning):
                clone(model(path)).fit(X, Y)
            assert ledger.spent == before
        clone(model()).fit(X, Y)


def test_a_copy_is_as_good_as_its_original(path):
    """It takes no other parameters, and refuses what the budget cannot pay."""
    copy = clone(model(path, epsilon=30))
    assert copy.get_params() == model(path, epsilon=30).get_params()
    with pytest.raises(BudgetExceeded), pytest.warns(SharedBudgetWarning):
        copy.fit(X, Y)
    with pytest.raises(BudgetExceeded), pytest.warns(SharedBudgetWarning, match="all that is left"):
        partial(copy.set_params(epsilon=None).fit, X, Y)()
        copy.fit(X, Y)


def test_copies_without_a_budget_say_that_nobody_adds_them_up():
    """From the second fit on: a cross-validation of five folds fits five times."""
    with pytest.warns(FittedAgainWarning) as said:
        cross_val_score(model(), X, Y, cv=5)
    times = [f"have been fitted {n} times before, each with a ledger of its own" for n in range(1, 5)]
    assert len(said) == 4 and all(words in str(one.message) for one, words in zip(said, times, strict=True))


@pytest.mark.filterwarnings("ignore")
def test_a_search_that_its_budget_cannot_pay_says_so_at_its_first_fit_and_what_was_paid_at_its_end(tmp_path):
    """ε = 1 pays for 10 of 16 fits at 1/10."""
    path = str(tmp_path / "one.db")
    Ledger.open(path, 1).close()
    search = GridSearchCV(model(path), {"max_depth": [0, 1, 2]}, cv=5)
    assert not search_cost(search, X, Y).is_affordable
    with pytest.warns(SharedBudgetWarning) as said, pytest.raises(BudgetExceeded, match="10 fits of copies were paid"):
        search.fit(X, Y)
    assert "which it can pay 10 times more" in str(said[0].message)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("cv", "refit", "fits"), [(3, True, 4), (0.5, False, 2), (0.5, True, 2)])
def test_a_threshold_costs_a_fit_for_each_fold(path, cv, refit, fits):
    """Of so many rows that noise never hides the split: scikit-learn refuses a model that says the same of all."""
    many, labels = np.repeat(X, 50, axis=0), np.repeat(Y, 50)
    search = TunedThresholdClassifierCV(model(path, epsilon=4), cv=cv, refit=refit)
    said = search_cost(search, many, labels)
    search.fit(many, labels)
    with Ledger.open(path) as ledger:
        assert (said.fits, said.epsilon) == (fits, 4 * fits) == (len(ledger.accounts), ledger.spent)
    ready = TunedThresholdClassifierCV(model(path), cv="prefit", refit=False)
    assert (search_cost(ready).fits, search_cost(ready).epsilon) == (0, 0)
