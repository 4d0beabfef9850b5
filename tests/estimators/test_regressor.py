"""The regressor: scikit-learn's conventions hold as for the classifier, and it grows the tree that votes grow."""

import pickle
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.exceptions import DataConversionWarning, NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.estimator_checks import check_estimator

import fdpedu.estimators
from fdpedu.accounting import BudgetExceeded, Ledger
from fdpedu.domain import Domain, Numeric
from fdpedu.domain.tables import Named, as_table
from fdpedu.estimators import FederatedTreeClassifier, FederatedTreeRegressor, FittedAgainWarning, search_cost
from fdpedu.federation import Federation, Party
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.trees import Tree, fit_federated_tree
from tests.support.estimated import DomainOfItsRows
from tests.support.stays import DOMAIN, ROWS, SPEC

X, Y = [row[:2] for row in ROWS], [row[2] for row in ROWS]
SITES = ["north", "south"] * 30
FRAME = pd.DataFrame(X, columns=["age", "ward"])


def quiet(domain=SPEC, **options):
    """An estimator without noise: the words are zero."""
    return FederatedTreeRegressor(domain, rng=ZeroWords(), **{"epsilon": 10**6, **options})


class FromItsRows(DomainOfItsRows, FederatedTreeRegressor):
    """What the rule forbids: a domain from the rows, so that scikit-learn's checks get as far as they can.

    Rows are dealt in turn and not at random: what parties vote for depends on who has which rows.
    """

    def _members(self, X, y, parties, domain):
        n = 0 if y is None else len(np.asarray(y))
        dealt = [f"part {k % 2}" for k in range(n)] if parties is None and n > 1 else parties
        return super()._members(X, y, dealt, domain)

    def _domain(self, X):
        table = as_table(X, "X")
        numbers = np.nan_to_num(np.asarray(X, dtype=float), posinf=0, neginf=0)
        names = table.names if isinstance(table, Named) else [f"x{j}" for j in range(numbers.shape[1])]
        values = np.nan_to_num(np.asarray(self._seen, dtype=float).ravel(), posinf=0, neginf=0)
        ends = [(column.min(), column.max() + 1) for column in (*numbers.T, values)]
        grids = [Numeric.grid(name, *pair) for name, pair in zip([*names, "y"], ends, strict=True)]
        return Domain(grids[:-1], target=grids[-1])


def test_scikit_learn_s_checks_pass_but_for_one_that_is_named():
    small = FromItsRows(rng=ZeroWords(), n_parties=2, max_depth=2, epsilon=100)
    reason = "a missing value is refused as 'expected a finite number', with its row and column"
    found = check_estimator(
        small, expected_failed_checks={"check_estimators_nan_inf": reason}, on_skip=None, on_fail=None
    )
    assert len(found) > 45
    assert {one["check_name"] for one in found if one["status"] == "failed"} == set()
    assert {one["check_name"] for one in found if one["status"] == "xfail"} == {"check_estimators_nan_inf"}


def test_it_is_a_regressor_with_the_parameters_of_the_house():
    model = FederatedTreeRegressor()
    assert is_regressor(model) and not is_classifier(model)
    assert model.get_params() == {
        "domain": None,
        "epsilon": 1,
        "max_depth": 3,
        "leaf_share": "7/20",
        "tolerate": 1,
        "n_parties": 5,
        "sites": None,
        "budget": None,
        "rng": None,
    }
    assert clone(quiet(max_depth=2)).get_params()["max_depth"] == 2
    assert "FederatedTreeRegressor" in dir(fdpedu.estimators)


def test_it_grows_the_tree_that_votes_grow():
    parties = [Party(ROWS[k::2], DOMAIN) for k in range(2)]
    model = FederatedTreeRegressor(epsilon=2, rng=Rehearsal(7)).fit(parties=parties)
    federation = Federation(parties, DOMAIN, Ledger(2), rng=(rng := Rehearsal(7)))
    tree = fit_federated_tree(federation, design="votes", max_depth=3, leaf_share="7/20", rng=rng)
    assert model.tree_ == tree and model.derivation_.content == tree.derivation.content
    assert model.predict(X).tolist() == tree.predict(X).tolist() and model.n_parties_ == 2
    assert model.derivation_.spent == 2 and model.domain_ == DOMAIN and model.n_features_in_ == 2


@pytest.mark.parametrize("form", [X, FRAME, np.array(X, dtype=object)], ids=["rows", "a frame", "an array"])
def test_every_form_of_the_rows_gives_the_same(form):
    expected = quiet(n_parties=2).fit(X, Y, parties=SITES).predict(X).tolist()
    model = quiet().fit(form, pd.Series(Y) if form is FRAME else Y, parties=SITES)
    assert model.predict(form).tolist() == expected
    assert hasattr(model, "feature_names_in_") == (form is FRAME)


def test_a_score_is_r_squared_of_public_rows():
    model = quiet(max_depth=4).fit(X, Y, parties=SITES)
    y, found = np.array(Y), model.predict(X)
    expected = 1 - ((y - found) ** 2).sum() / ((y - y.mean()) ** 2).sum()
    assert model.score(X, Y) == pytest.approx(expected) and type(model.score(X, Y)) is float
    assert model.score(X, Y, sample_weight=[1] * 60) == pytest.approx(expected)
    assert model.score(X, Y, sample_weight=[1] * 30 + [0] * 30) == pytest.approx(model.score(X[:30], Y[:30]))
    assert quiet(max_depth=0).fit(X, Y).score(X, Y) == pytest.approx(0, abs=0.05)


def test_a_fit_learns_a_number():
    rows = [[age % 80 + 0.5, "AB"[age % 2]] for age in range(1000)]
    days = [age // 5 for age, _ in rows]
    noisy = FederatedTreeRegressor(SPEC, epsilon=5, n_parties=3, rng=Rehearsal(3)).fit(rows, days)
    assert noisy.score(rows, days) > 0.8


def test_it_is_pickled_and_put_into_a_pipeline():
    model = make_pipeline(FunctionTransformer(lambda rows: rows), quiet(max_depth=1)).fit(X, Y)
    assert np.isfinite(model.predict(X)).all()
    again = pickle.loads(pickle.dumps(quiet().fit(X, Y).tree_))
    assert isinstance(again, Tree) and np.isfinite(again.predict(X)).all()


def test_its_domain_may_be_a_file(tmp_path):
    DOMAIN.save(tmp_path / "domain.json")
    assert quiet(tmp_path / "domain.json").fit(X, Y).domain_ == DOMAIN


def test_every_fit_is_charged_to_the_budget(tmp_path):
    ledger = Ledger(1)
    FederatedTreeRegressor(SPEC, epsilon="3/5", budget=ledger, rng=Rehearsal(1)).fit(X, Y)
    assert ledger.spent == Fraction(3, 5)
    with pytest.raises(BudgetExceeded):
        FederatedTreeRegressor(SPEC, epsilon="3/5", budget=ledger, rng=Rehearsal(1)).fit(X, Y)
    assert FederatedTreeRegressor(SPEC, epsilon=None, budget=ledger, rng=Rehearsal(1)).fit(X, Y)
    assert ledger.remaining() == 0


def test_a_second_fit_without_a_budget_says_so():
    model = quiet().fit(X, Y)
    with pytest.warns(FittedAgainWarning, match="two trees cost the sum"):
        model.fit(X, Y)


def test_a_search_says_what_it_costs():
    search = GridSearchCV(FederatedTreeRegressor(SPEC, epsilon="1/10"), {"max_depth": [1, 2]}, cv=5)
    assert search_cost(search).fits == 11


def test_without_a_domain_it_says_how_one_is_written():
    with pytest.raises(ValueError) as refused:
        FederatedTreeRegressor().fit(FRAME, Y)
    words = str(refused.value)
    assert words.startswith("FederatedTreeRegressor needs a domain") and '"age": [LOW, HIGH, BINS]' in words
    assert '"target": [LOW, HIGH, LEVELS]' in words and "classes" not in words


CLASSES = {"features": SPEC["features"], "classes": [0, 1]}
SENTENCES = [
    (
        {"domain": CLASSES},
        Y,
        "FederatedTreeRegressor is for a numeric target, and the domain has classes: write "
        '"target": [low, high] in place of them, or take FederatedTreeClassifier',
    ),
    ({}, [*Y[:-1], "SECRET"], "y row 59, the target 'stay': expected a number"),
    (
        {},
        [*Y[:-1], None],
        "y row 59, the target 'stay': expected a finite number; a missing value must be filled in or its row left out "
        "beforehand",
    ),
    ({}, [*Y[:-1], float("inf")], "y row 59, the target 'stay': expected a finite number"),
    ({}, Y[1:], "X and y must have as many rows, got 60 and 59"),
    ({}, None, "FederatedTreeRegressor requires y to be passed, but the target y is None"),
    ({"max_depth": 9}, Y, "max_depth must be at most 8 for the design 'votes', got 9: every node is split, so"),
    ({"max_depth": -1}, Y, "max_depth must be an integer ≥ 0, got -1"),
    ({"leaf_share": 1}, Y, "leaf_share must"),
    ({"epsilon": 0}, Y, "epsilon must be greater than 0, got 0"),
    ({"tolerate": 5}, Y, "tolerate must be less than the number of parties (5), got 5"),
    ({"n_parties": 1}, Y, "n_parties must be at least 2, got 1: a regression tree"),
]


@pytest.mark.parametrize(("options", "y", "sentence"), SENTENCES, ids=range(len(SENTENCES)))
def test_sentences_of_refusals_and_nothing_is_charged(options, y, sentence):
    ledger = Ledger(1)
    with pytest.raises(ValueError) as refused:
        FederatedTreeRegressor(**{"domain": SPEC, "budget": ledger, **options}).fit(X, y)
    assert str(refused.value).startswith(sentence)
    assert ledger.rounds == 0


def test_a_budget_in_rho_is_refused():
    ledger = Ledger(1, delta=1e-6)
    for epsilon in (1, None):
        with pytest.raises(
            ValueError, match="a numeric target is learnt by votes, which cost ε, and the budget is in ρ"
        ):
            FederatedTreeRegressor(SPEC, epsilon=epsilon, budget=ledger).fit(X, Y)
    assert ledger.rounds == 0


def test_before_a_fit_there_is_nothing_to_ask():
    for ask in (lambda model: model.predict(X), lambda model: model.score(X, Y)):
        with pytest.raises(NotFittedError):
            ask(FederatedTreeRegressor(SPEC))
    assert not hasattr(FederatedTreeRegressor(SPEC), "predict_proba")


def test_the_classifier_sends_numbers_to_the_regressor():
    with pytest.raises(ValueError, match="FederatedTreeClassifier is for classes, and the domain has a numeric target"):
        FederatedTreeClassifier(SPEC).fit(X, Y)


def test_a_score_reads_its_numbers_as_a_fit_does():
    """A column is taken with the same warning, and texts are refused."""
    model = quiet().fit(X, Y)
    with pytest.warns(DataConversionWarning):
        assert model.score(X, np.asarray(Y, dtype=float)[:, None]) == model.score(X, Y)
    with pytest.raises(ValueError, match="y"):
        model.score(X, [str(number) for number in Y])
