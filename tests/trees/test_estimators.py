"""A private tree by the conventions of scikit-learn: what it conforms to, by name what it does not, and why."""

import pickle
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.estimator_checks import check_estimator

import fdpedu.estimators
from fdpedu.accounting import BudgetExceeded, Ledger
from fdpedu.domain import Domain
from fdpedu.domain.domain import domain_from_data_not_private
from fdpedu.domain.tables import Named, as_table
from fdpedu.estimators import FederatedTreeClassifier, FittedAgainWarning
from fdpedu.federation import ClippedWarning, Federation, Party
from fdpedu.randomness import ZeroWords
from fdpedu.trees import fit_federated_tree

SPEC = {"features": {"age": [0, 100, 4], "ward": ["A", "B"]}, "classes": ["well", "ill"]}
DOMAIN = Domain.from_spec(SPEC)
ROWS = [[10 + i % 80, "AB"[i % 2]] for i in range(60)]
LABELS = ["ill" if age > 50 else "well" for age, _ in ROWS]
SITES = ["north", "south", "west"] * 20
FRAME = pd.DataFrame(ROWS, columns=["age", "ward"]).assign(diagnosis=LABELS, site=SITES, patient=range(60))


def quiet(domain=SPEC, **options):
    """Without noise: the words are zero."""
    return FederatedTreeClassifier(domain, rng=ZeroWords(), min_samples_split=2, **options)


class FromItsRows(FederatedTreeClassifier):
    """What the rule forbids: a domain from the rows, so that scikit-learn's checks get as far as they can."""

    def fit(self, X=None, y=None, parties=None, **refused):
        self._seen = y
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", FittedAgainWarning)
                return super().fit(X, y, parties, **refused)
        finally:
            del self._seen

    def _domain(self, X):
        table, labels = as_table(X, "X"), np.asarray(self._seen).ravel().tolist()
        names = list(table.names) if isinstance(table, Named) else None
        if len(set(labels)) == 1:
            labels = [*labels, "another" if isinstance(labels[0], str) else labels[0] + 1]
        numbers = np.nan_to_num(np.asarray(X, dtype=float), posinf=0, neginf=0)
        numbers = np.vstack([numbers, numbers[: len(labels) - len(numbers)]])
        return domain_from_data_not_private(numbers, labels, names=names)


DIFFERENT = {
    "check_estimators_nan_inf": "a missing value is told as 'expected a finite number', with its row and column",
    "check_classifiers_regression_target": "a class is whatever the public domain lists, a fraction too",
    "check_supervised_y_2d": "labels of two dimensions are refused, not flattened",
}
NO_DOMAIN = """check_classifier_data_not_an_array check_classifiers_classes check_classifiers_regression_target
check_classifiers_train check_dict_unchanged check_dont_overwrite_parameters check_dtype_object
check_estimators_dtypes check_estimators_fit_returns_self check_estimators_nan_inf check_estimators_overwrite_params
check_estimators_pickle check_f_contiguous_array_estimator check_fit2d_1feature check_fit2d_predict1d
check_fit_check_is_fitted check_fit_idempotent check_fit_score_takes_y check_n_features_in
check_n_features_in_after_fitting check_positive_only_tag_during_fit check_readonly_memmap_input
check_supervised_y_2d""".split()


def failures(estimator, expected):
    """The names of the checks that fail; those that are expected to are told to scikit-learn with their reasons."""
    found = check_estimator(estimator, expected_failed_checks=expected, on_skip=None, on_fail=None)
    assert len(found) > 45
    assert {one["check_name"] for one in found if one["status"] == "failed"} == set()
    return [one for one in found if one["status"] == "xfail"]


def test_scikit_learn_s_checks_pass_but_for_three_that_are_named():
    """With a domain from the rows, which only a test may make: all others pass, and the three do fail."""
    small = FromItsRows(rng=ZeroWords(), n_parties=2, max_depth=2, min_samples_split=2, design="averaged")
    assert {one["check_name"] for one in failures(small, DIFFERENT)} == set(DIFFERENT)


def test_without_a_domain_the_checks_that_fit_are_refused_and_no_others():
    """Each exception that the rule of the public domain forces, by name; each fails with the words on the domain."""
    reason = "what is public is never taken from the rows, so a fit without a domain is refused"
    failed = failures(FederatedTreeClassifier(n_parties=2), dict.fromkeys(NO_DOMAIN, reason))
    assert {one["check_name"] for one in failed} == set(NO_DOMAIN)
    told = [chain(one["exception"]) for one in failed]
    assert all("needs a domain" in words for words in told), told


def chain(error):
    """The words of an error, and of those that it came from."""
    return f"{error} {chain(error.__cause__ or error.__context__)}" if error else ""


def test_it_is_the_tree_of_the_same_federation():
    """Same rows, same words: the tree of fit_federated_tree, whoever holds the rows."""
    parts = [[[*row, label] for row, label, at in zip(ROWS, LABELS, SITES, strict=True) if at == site]
             for site in ("north", "south", "west")]  # fmt: skip
    options = {"max_depth": 2, "min_samples_split": 2, "leaf_share": "1/3", "design": "averaged"}
    federation = Federation([Party(part, DOMAIN) for part in parts], DOMAIN, Ledger(1), rng=ZeroWords())
    expected = fit_federated_tree(federation, **options)
    model = FederatedTreeClassifier(SPEC, rng=ZeroWords(), **options).fit(ROWS, LABELS, parties=SITES)
    assert model.tree_ == expected and model.derivation_.content == expected.derivation.content
    assert (model.n_parties_, model.n_features_in_, model.classes_.tolist()) == (3, 2, ["well", "ill"])
    assert model.tree_ == quiet(max_depth=2, design="averaged").fit(ROWS, LABELS).tree_  # dealt out at random


@pytest.mark.parametrize("table", [FRAME, pl.DataFrame(FRAME.to_dict("list")), FRAME.to_dict("list")], ids=type)
def test_columns_are_found_by_name(table):
    """In frames and mappings, in any order, and what is no feature is left out; names are kept as scikit-learn does."""
    model = quiet().fit(table, table["diagnosis"], parties=table["site"])
    assert model.feature_names_in_.tolist() == ["age", "ward"] and model.n_parties_ == 3
    assert model.predict(FRAME[["ward", "age"]]).tolist() == LABELS == model.predict(ROWS).tolist()
    assert model.predict_proba(FRAME).shape == (60, 2) and model.score(FRAME, LABELS) == 1
    with pytest.warns(FittedAgainWarning):
        assert not hasattr(model.fit(ROWS, LABELS), "feature_names_in_")


def test_sites_that_hold_their_own_rows():
    """A list of Party in place of X and y: no table holds the rows of two, and the domain is theirs."""
    sites = [Party(ROWS[k::2], DOMAIN, labels=LABELS[k::2]) for k in range(2)]
    model = quiet(None).fit(parties=sites)
    assert model.predict(ROWS).tolist() == LABELS and model.domain_ == DOMAIN and model.n_parties_ == 2
    for given in ({"X": ROWS}, {"y": LABELS}):
        with pytest.raises(ValueError, match="leave out X and y"):
            quiet().fit(parties=sites, **given)
    with pytest.raises(ValueError, match="share the federation's domain"):
        quiet({"features": {"age": [0, 9, 3]}, "classes": ["well", "ill"]}).fit(parties=sites)
    with pytest.raises(ValueError, match="give X and y, or parties"):
        quiet().fit()


def test_a_missing_domain_is_answered_by_how_to_write_one():
    """By the names of the columns and the types that they have, and by nothing that stands in them."""
    with pytest.raises(ValueError, match="needs a domain") as refused:
        FederatedTreeClassifier().fit(FRAME[["age", "ward"]].assign(ward="SECRET", age=4711), LABELS)
    words = str(refused.value)
    assert '"age": [LOW, HIGH, BINS],' in words and '"ward": ["one category", "another"],' in words
    assert "SECRET" not in words and "4711" not in words
    example = words.split("\n\n")[1].rpartition("\n")[0].replace("LOW, HIGH, BINS", "0, 100, 4")
    written = {}
    exec(example, written)
    assert Domain.from_spec(written["domain"]).n_features == 2
    with pytest.raises(ValueError, match='"x11": .*\n        …\n') as refused:
        FederatedTreeClassifier().fit(np.zeros((3, 40)), [0, 1, 0])
    assert "x12" not in str(refused.value)
    for odd in ([["a"]], [], object(), "text"):
        with pytest.raises(ValueError, match="LOW and HIGH"):
            FederatedTreeClassifier().fit(odd, ["a"])
    with pytest.raises(ValueError, match="domain must be a Domain"):
        FederatedTreeClassifier(3).fit(ROWS, LABELS)


def test_a_domain_may_be_a_file(tmp_path):
    DOMAIN.save(tmp_path / "domain.json")
    for path in (tmp_path / "domain.json", str(tmp_path / "domain.json")):
        assert quiet(path).fit(ROWS, LABELS).domain_ == DOMAIN


REFUSED = {
    "other labels": (ROWS, [*LABELS[:-1], "SECRET"], None, "y row 59, the class: expected one of the 2 public"),
    "missing label": (ROWS, [*LABELS[:-1], None], None, "y row 59, the class: .*must be filled in"),
    "unknown category": ([*ROWS[:-1], [9, "SECRET"]], LABELS, None, "X row 59, column 'ward': expected one of the 2"),
    "missing value": ([[np.nan, "A"], *ROWS[1:]], LABELS, None, "X row 0, column 'age': expected a finite number"),
    "text for a number": ([["SECRET", "A"], *ROWS[1:]], LABELS, None, "X row 0, column 'age': expected a number"),
    "columns by other names": (FRAME.rename(columns={"age": "Age"}), LABELS, None, "no column 'age' .*'Age'"),
    "a column too many": ([[*row, 1] for row in ROWS], LABELS, None, "X has 3 features, .* expecting 2 features"),
    "a row too few": (ROWS[1:], LABELS, None, "X and y must have as many rows, got 59 and 60"),
    "no rows": ([], [], None, "without rows"),
    "no labels": (ROWS, None, None, "requires y to be passed"),
    "labels in two dimensions": (ROWS, [[label] for label in LABELS], None, "the class"),
    "one site only": (ROWS, LABELS, ["north"] * 60, "names one site only"),
    "a site too few": (ROWS, LABELS, SITES[1:], "a site for each row, got 59 names for 60 rows"),
    "a site that is missing": (ROWS, LABELS, [None, *SITES[1:]], "row 0, column 'parties': expected the name of a"),
    "persons for sites": (ROWS, LABELS, range(60), "does it name sites, or persons"),
    "one party for all rows": (ROWS, LABELS, Party([], DOMAIN), "parties: expected a sequence, got Party"),
    "text for sites": (ROWS, LABELS, "north", "parties: expected a sequence, got str"),
    "labels in another order": (FRAME, FRAME["diagnosis"][::-1], None, "y has another index than X"),
    "sites in another order": (FRAME, LABELS, FRAME["site"][::-1], "parties has another index than X"),
    "sparse": (type("Sparse", (), {"nnz": 3})(), LABELS, None, "no sparse data"),
    "one dimension": (np.zeros(60), LABELS, None, "Reshape your data"),
    "no columns": (np.zeros((60, 0)), LABELS, None, r"0 feature\(s\) \(shape=\(60, 0\)\)"),
    "complex": (np.zeros((60, 2), dtype=complex), LABELS, None, "Complex data not supported"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_rows_are_refused_before_any_budget_is_spent(case):
    """By row and column, never by value; and nothing is charged, to the ledger of a fit or of a score."""
    X, y, parties, words = REFUSED[case]
    ledger = Ledger(2)
    with pytest.raises(ValueError, match=words) as refused:
        quiet(budget=ledger).fit(X, y, parties=parties)
    assert "SECRET" not in str(refused.value) and ledger.spent == 0
    fitted = quiet(budget=ledger).fit(ROWS, LABELS)
    with pytest.raises(ValueError, match=words):
        fitted.noisy_score(X, y, "1/2", parties=parties)
    assert ledger.spent == 1


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"epsilon": 0}, "epsilon must be greater than 0"),
        ({"epsilon": -1}, "epsilon must be greater than 0"),
        ({"epsilon": float("nan")}, "epsilon must be a finite number"),
        ({"epsilon": None}, "epsilon"),
        ({"epsilon": "1e-30"}, "must be at least"),
        ({"max_depth": -1}, "max_depth must be an integer ≥ 0"),
        ({"max_depth": 65}, "max_depth must be at most 64"),
        ({"max_depth": "deep"}, "max_depth must be an integer"),
        ({"min_samples_split": -1}, "min_samples_split"),
        ({"leaf_share": 1}, "strictly between 0 and 1"),
        ({"design": "best"}, "design must be one of"),
        ({"tolerate": 5}, "tolerate"),
        ({"tolerate": -1}, "tolerate"),
        ({"n_parties": 1}, "n_parties must be an integer ≥ 2"),
        ({"n_parties": 0}, "n_parties must be an integer ≥ 2"),
        ({"rng": 7}, "rng must be None"),
        ({"budget": 3}, "budget must be a Ledger"),
        ({"budget": "/nowhere/budget.db"}, "nowhere"),
    ],
)
def test_parameters_are_refused_when_they_are_used(options, words):
    """Not in the constructor, as clones need it, and before any budget is spent."""
    ledger = None if {"epsilon", "budget"} & set(options) else Ledger(1)
    model = FederatedTreeClassifier(SPEC, **{"budget": ledger, **options})
    with pytest.raises(ValueError, match=words):
        model.fit(ROWS, LABELS)
    assert ledger is None or ledger.spent == 0


def test_weights_are_refused_by_name():
    """With the reason; None is no weight, and another word is unknown."""
    with pytest.raises(ValueError, match="takes no sample_weight: a row that counts w times"):
        quiet().fit(ROWS, LABELS, sample_weight=[1] * 60)
    quiet().fit(ROWS, LABELS, sample_weight=None)
    with pytest.raises(TypeError, match="unexpected keyword argument 'weights'"):
        quiet().fit(ROWS, LABELS, weights=[1])
