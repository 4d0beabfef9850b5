"""One owner's tree by the conventions of scikit-learn: what it shares with the others, and what is its own."""

import inspect
import pickle
from fractions import Fraction

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import VotingClassifier
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from fdpedu.accounting import BudgetExceeded, Ledger
from fdpedu.cart import fit_cart
from fdpedu.domain import Domain
from fdpedu.estimators import (
    FederatedTreeClassifier,
    FittedAgainWarning,
    PrivaTreeClassifier,
    SharedBudgetWarning,
    search_cost,
)
from fdpedu.estimators.base import FederatedClassifier, PrivateClassifier
from fdpedu.federation import ClippedWarning, Party
from fdpedu.randomness import Rehearsal
from fdpedu.trees import fit_privatree
from tests.estimators.test_classifier import DIFFERENT, NO_DOMAIN, chain, failures
from tests.support.estimated import DOMAIN, FRAME, LABELS, ROWS, SITES, SPEC, DomainOfItsRows
from tests.support.federations import BELIEVING

PUBLIC = fit_cart(ROWS[::2], LABELS[::2], max_depth=1, min_samples_split=2, grid=DOMAIN)


def made(domain=SPEC, **options):
    return PrivaTreeClassifier(domain, **{"epsilon": 8, "max_depth": 1, "rng": Rehearsal(1), **options})


class FromItsRows(DomainOfItsRows, PrivaTreeClassifier):
    """One with a domain from its rows."""


@pytest.mark.parametrize("leaves", ["labels", "counts"])
def test_scikit_learn_s_checks_pass_but_for_those_that_are_named(leaves):
    """The same two as of the others, and of labels one more; with these no check asks for probabilities."""
    small, named = FromItsRows(epsilon=50, max_depth=3, leaves=leaves), dict(DIFFERENT)
    if leaves == "labels":
        named["check_classifiers_one_label"] = "a leaf without rows may draw any class of the public domain"
    assert {one["check_name"] for one in failures(small, named)} == set(named)


def test_without_a_domain_the_checks_that_fit_are_refused_and_no_others():
    reason = "what is public is never taken from the rows, so a fit without a domain is refused"
    failed = failures(PrivaTreeClassifier(), dict.fromkeys(NO_DOMAIN, reason))
    assert {one["check_name"] for one in failed} == set(NO_DOMAIN)
    assert all("needs a domain" in chain(one["exception"]) for one in failed)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"splits": "histograms", "split_score": "gini", "leaf_share": "rule", "nominal_size": 60},
        {"splits": "random", "leaves": "counts"},
        {"splits": PUBLIC, "leaves": "counts", "max_depth": 2},
        {"edges": "joint", "edge_bins": 2, "split_score": "mixed"},
        {"edges": "histogram", "edge_bins": 3, "epsilon": "7/2"},
    ],
    ids=str,
)
def test_it_is_the_tree_of_the_same_owner(options):
    """Same rows, same words, every option: the tree of fit_privatree, from a table or from the owner as a party."""
    model = made(**options).fit(FRAME, LABELS)
    said = {name: value for name, value in model.get_params().items() if name not in ("domain", "budget", "rng")}
    expected = fit_privatree(
        Party(ROWS, DOMAIN, labels=LABELS),
        Ledger(model.epsilon),
        score=said.pop("split_score"),
        rng=Rehearsal(1),
        **said,
    )
    assert model.tree_.to_json() == expected.to_json()
    of_party = made(None, **options).fit(parties=[Party(ROWS, DOMAIN, labels=LABELS)])
    assert of_party.tree_.to_json() == expected.to_json()
    assert (model.n_parties_, model.n_features_in_, model.classes_.tolist()) == (1, 2, ["ill", "well"])
    assert model.feature_names_in_.tolist() == ["age", "ward"] and model.domain_ == DOMAIN
    assert not hasattr(of_party, "feature_names_in_") and model.derivation_.guarantee.colluders == 0


def test_its_parameters_are_those_of_the_fit():
    """All but those of progress, and with the same defaults; the score of splits is called split_score."""
    ours = inspect.signature(PrivaTreeClassifier).parameters
    theirs = inspect.signature(fit_privatree).parameters
    names = {name: "split_score" if name == "score" else name for name in list(theirs)[2:] if name != "progress"}
    assert set(ours) == {"domain", "budget", *names.values()}
    for name, own in names.items():
        if name != "epsilon":
            same = ours[own].default, theirs[name].default
            assert same[0] == same[1] or [Fraction(value) for value in same] == [Fraction(1, 5)] * 2


def test_it_shares_its_base_with_the_others():
    assert issubclass(PrivaTreeClassifier, PrivateClassifier) and issubclass(FederatedClassifier, PrivateClassifier)
    assert not issubclass(PrivaTreeClassifier, FederatedClassifier)
    for name in ("fit", "predict", "score", "noisy_score"):
        assert getattr(PrivaTreeClassifier, name) is getattr(FederatedTreeClassifier, name)
    assert not {"delta", "tolerate", "n_parties"} & set(PrivaTreeClassifier().get_params())


def test_a_fitted_estimator_holds_what_was_released_and_no_rows():
    fitted = made().fit(FRAME, LABELS)
    public = {"tree_", "derivation_", "domain_", "classes_", "n_parties_", "n_features_in_", "feature_names_in_"}
    assert set(vars(fitted)) == {*fitted.get_params(), *public}


# --- probabilities ----------------------------------------------------------------------------------------------------


def test_there_are_probabilities_where_there_are_counts_and_nowhere_else():
    """Before a fit by the parameter, after it by the tree; refused by name; and tools of scikit-learn see it."""
    labels, counts = made().fit(ROWS, LABELS), made(leaves="counts").fit(ROWS, LABELS)
    for model in (made(), labels, labels.set_params(leaves="counts")):
        if model is labels or model.leaves == "labels":
            assert not hasattr(model, "predict_proba")
            with pytest.raises(AttributeError, match=r"no predict_proba with leaves='labels': .* or fit with leaves="):
                model.predict_proba(ROWS)
    assert hasattr(made(leaves="counts"), "predict_proba") and hasattr(
        counts.set_params(leaves="labels"), "predict_proba"
    )
    shares = counts.predict_proba(ROWS)
    assert shares.shape == (60, 2) and np.allclose(shares, counts.tree_.predict_proba(ROWS)[:, ::-1])
    assert counts.classes_[shares.argmax(axis=1)].tolist() == counts.predict(ROWS).tolist()


def test_tools_that_need_probabilities_say_so_and_others_work():
    y = np.array([int(label == "ill") for label in LABELS])
    model = made({**SPEC, "classes": [0, 1]}, rng=None)
    for of_labels in (
        lambda: VotingClassifier([("a", model)], voting="soft").fit(ROWS, y).predict_proba(ROWS),
        lambda: CalibratedClassifierCV(model, cv=2).fit(ROWS, y),
        lambda: cross_val_score(model, ROWS, y, cv=2, scoring="roc_auc", error_score="raise"),
    ):
        with pytest.raises((AttributeError, ValueError), match="predict_proba"):
            of_labels()
    counts = model.set_params(leaves="counts")
    assert CalibratedClassifierCV(counts, cv=2).fit(ROWS, y).predict_proba(ROWS).shape == (60, 2)
    assert len(cross_val_score(counts, ROWS, y, cv=2, scoring="roc_auc", error_score="raise")) == 2


# --- what it costs ----------------------------------------------------------------------------------------------------


def test_what_fits_and_scores_cost(tmp_path):
    """One ledger for both; all that is left; a file; and never more than there is."""
    ledger = Ledger(3)
    model = made(epsilon=1, budget=ledger).fit(ROWS, LABELS)
    score = model.noisy_score(ROWS, LABELS, "1/2")
    assert ledger.spent == Fraction(3, 2) and score.derivation.guarantee.colluders == 0 and score.epsilon == 0.5
    assert model.noisy_score(epsilon="1/2", parties=[Party(ROWS, DOMAIN, labels=LABELS)]).epsilon == 0.5
    made(epsilon=None, budget=ledger).fit(ROWS, LABELS)
    assert ledger.spent == 3
    with pytest.raises(BudgetExceeded):
        made(epsilon=1, budget=ledger).fit(ROWS, LABELS)
    path = tmp_path / "b.db"
    Ledger.open(path, 2).close()
    with pytest.warns(SharedBudgetWarning, match="budget .*b.db: ε = 1, which it can pay 2 times more. A search"):
        clone(made(epsilon=1, budget=path, rng=None)).fit(ROWS, LABELS)
    with pytest.warns(FittedAgainWarning, match="the two trees cost"):
        made().fit(ROWS, LABELS).fit(ROWS, LABELS)
    own = made().fit(ROWS, LABELS).noisy_score(ROWS, LABELS, 40, delta=1e-6)
    assert "ρ" in str(own)


def test_a_search_says_what_it_costs():
    """Also over a parameter of the fit, in a pipeline; a tree as splits is copied with it."""
    pipe = make_pipeline(FunctionTransformer(), made(epsilon=1, rng=None))
    search = GridSearchCV(pipe, {"privatreeclassifier__splits": ["choice", "random", PUBLIC]}, cv=2)
    assert (search_cost(search, ROWS, LABELS).fits, search_cost(search, ROWS, LABELS).epsilon) == (7, 7)
    assert search.fit(ROWS, LABELS).best_estimator_.predict(ROWS).shape == (60,)
    costs = search_cost(GridSearchCV(made(), {"epsilon": [1, 2]}, cv=3, refit=False), ROWS, LABELS)
    assert (costs.fits, costs.epsilon) == (6, 9)


def test_copies_are_equal_and_predict_alike():
    model = made(splits=PUBLIC, rng=None).fit(FRAME, LABELS)
    assert clone(model).get_params()["splits"] == PUBLIC
    copy = pickle.loads(pickle.dumps(model))
    assert copy.tree_ == model.tree_ and copy.predict(FRAME).tolist() == model.predict(FRAME).tolist()


def test_what_is_clipped_is_said_once():
    with pytest.warns(ClippedWarning) as found:
        made().fit([[200, "A"]] * 30 + ROWS[30:], LABELS)
    assert len(found) == 1


# --- refusals ---------------------------------------------------------------------------------------------------------

TWO = [Party(ROWS[k::2], DOMAIN, labels=LABELS[k::2]) for k in range(2)]
ONE = "parties must be left out, or a list of one Party: PrivaTreeClassifier is for one owner of all rows"
OTHER = fit_cart(
    ROWS, LABELS, max_depth=1, grid=Domain.from_spec({**SPEC, "features": {**SPEC["features"], "age": [0, 90, 4]}})
)
WITH_LEDGER = [Party(ROWS, DOMAIN, labels=LABELS, ledger=Ledger(1), limits=BELIEVING)]
REFUSED = [
    ({}, (ROWS, LABELS, SITES), f"{ONE}, and has no sites; got names of sites"),
    ({}, (None, None, TWO), f"{ONE}, and has no sites; got 2 parties"),
    ({}, (ROWS, LABELS, []), ONE),
    ({}, (ROWS, LABELS, TWO[:1]), "leave out X and y"),
    ({}, (None, None, WITH_LEDGER), "party must have no ledger of its own"),
    ({}, (ROWS[1:], LABELS), "X and y must have as many rows, got 59 and 60"),
    ({}, ([], []), "Found array with 0 sample"),
    ({}, ([*ROWS[:-1], [9, "SECRET"]], LABELS), "X row 59, column 'ward': expected one of the 2 public categories"),
    ({"split_score": "entropy"}, (ROWS, LABELS), "split_score must be one of errors, gini, mixed"),
    ({"split_score": None}, (ROWS, LABELS), "split_score must be one of"),
    ({"splits": "public"}, (ROWS, LABELS), "splits must be one of choice, histograms, random"),
    ({"splits": OTHER}, (ROWS, LABELS), "splits must be a tree on the grid of the party's domain"),
    ({"splits": PUBLIC, "max_depth": 0}, (ROWS, LABELS), "it must not be deeper"),
    ({"splits": "random", "edges": "joint"}, (ROWS, LABELS), "edges must be 'public' where splits are random"),
    ({"edges": "equal"}, (ROWS, LABELS), "edges must be one of"),
    ({"edge_bins": 1}, (ROWS, LABELS), "edge_bins must be an integer ≥ 2"),
    ({"leaves": "shares"}, (ROWS, LABELS), "leaves must be one of labels, counts"),
    ({"leaf_share": 1}, (ROWS, LABELS), "leaf_share must lie strictly between 0 and 1"),
    ({"leaf_share": "rule"}, (ROWS, LABELS), "nominal_size must be given for leaf_share='rule'"),
    ({"max_depth": 9}, (ROWS, LABELS), "max_depth must be at most 8"),
    ({"nominal_size": 0}, (ROWS, LABELS), "nominal_size must be an integer ≥ 1"),
    ({"epsilon": 0}, (ROWS, LABELS), "epsilon must be greater than 0"),
    ({"rng": 7}, (ROWS, LABELS), "rng must be None"),
]


@pytest.mark.parametrize(("options", "rows", "sentence"), REFUSED, ids=range(len(REFUSED)))
def test_what_is_refused_is_refused_by_name_and_costs_nothing(options, rows, sentence):
    ledger = Ledger(9)
    with pytest.raises(ValueError) as refused:
        made(**{"budget": ledger, **options}).fit(*rows)
    assert sentence in str(refused.value) and "SECRET" not in str(refused.value)
    assert (ledger.spent, ledger.rounds) == (0, 0)


def test_a_budget_in_rho_pays_for_no_choices():
    ledger = Ledger(1, delta=1e-6)
    with pytest.raises(ValueError, match="ρ"):
        made(budget=ledger, epsilon=None).fit(ROWS, LABELS)
    assert ledger.rounds == 0


def test_sites_have_no_place_in_a_score():
    fitted = made().fit(ROWS, LABELS)
    with pytest.raises(ValueError, match="parties must be left out, or a list of one Party"):
        fitted.noisy_score(ROWS, LABELS, 1, parties=SITES)
