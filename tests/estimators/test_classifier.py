"""A private tree by the conventions of scikit-learn: what it conforms to, by name what it does not, and why."""

import pickle
import subprocess
import sys
from contextlib import nullcontext
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.estimator_checks import check_estimator

import fdpedu.estimators
from fdpedu.accounting import Ledger
from fdpedu.domain import Domain
from fdpedu.estimators import ClassWithoutRowsWarning, FederatedTreeClassifier, FittedAgainWarning
from fdpedu.federation import Federation, Party
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.trees import Design, Tree, fit_federated_tree
from tests.support.estimated import DOMAIN, FRAME, LABELS, ROWS, SITES, SPEC, DomainOfItsRows, quiet


class FromItsRows(DomainOfItsRows, FederatedTreeClassifier):
    """One with a domain from its rows."""


DIFFERENT = {
    "check_estimators_nan_inf": "a missing value is refused as 'expected a finite number', with its row and column",
    "check_classifiers_regression_target": "a class is whatever the public domain lists, a fraction too",
}
NO_DOMAIN = """check_classifier_data_not_an_array check_classifiers_classes check_classifiers_regression_target
check_classifiers_train check_dict_unchanged check_dont_overwrite_parameters check_dtype_object
check_estimators_dtypes check_estimators_fit_returns_self check_estimators_nan_inf check_estimators_overwrite_params
check_estimators_pickle check_f_contiguous_array_estimator check_fit2d_1feature check_fit2d_predict1d
check_fit_check_is_fitted check_fit_idempotent check_fit_score_takes_y check_n_features_in
check_n_features_in_after_fitting check_positive_only_tag_during_fit check_readonly_memmap_input
check_supervised_y_2d""".split()


def failures(estimator, expected):
    """The names of the checks that fail; those that are expected to are given to scikit-learn with their reasons."""
    found = check_estimator(estimator, expected_failed_checks=expected, on_skip=None, on_fail=None)
    assert len(found) > 45
    assert {one["check_name"] for one in found if one["status"] == "failed"} == set()
    return [one for one in found if one["status"] == "xfail"]


def test_scikit_learn_s_checks_pass_but_for_two_that_are_named():
    """With a domain from the rows, which only a test may make: all others pass, and the two do fail."""
    small = FromItsRows(rng=ZeroWords(), n_parties=2, max_depth=2, min_samples_split=2, design="averaged")
    assert {one["check_name"] for one in failures(small, DIFFERENT)} == set(DIFFERENT)


def test_without_a_domain_the_checks_that_fit_are_refused_and_no_others():
    """Each exception that the rule of the public domain forces, by name; each fails with the words on the domain."""
    reason = "what is public is never taken from the rows, so a fit without a domain is refused"
    failed = failures(FederatedTreeClassifier(n_parties=2), dict.fromkeys(NO_DOMAIN, reason))
    assert {one["check_name"] for one in failed} == set(NO_DOMAIN)
    messages = [chain(one["exception"]) for one in failed]
    assert all("needs a domain" in words for words in messages), messages


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
    assert (model.n_parties_, model.n_features_in_, model.classes_.tolist()) == (3, 2, ["ill", "well"])
    assert model.tree_ == quiet(max_depth=2, design="averaged").fit(ROWS, LABELS).tree_  # dealt out at random


@pytest.mark.parametrize("table", [FRAME, pl.DataFrame(FRAME.to_dict("list")), FRAME.to_dict("list")], ids=type)
def test_columns_are_found_by_name(table):
    """In frames and mappings, in any order, and what is no feature is left out; names are kept as scikit-learn does."""
    model = quiet().fit(table, table["diagnosis"], parties=table["site"])
    assert model.feature_names_in_.tolist() == ["age", "ward"] and model.n_parties_ == 3
    assert model.predict(FRAME[["ward", "age"]]).tolist() == LABELS == model.predict(ROWS).tolist()
    assert model.predict_proba(FRAME).shape == (60, 2) and model.score(FRAME, LABELS) == 1
    assert model.predict(FRAME[["age", "ward"]].set_axis([0, 1], axis=1)).tolist() == LABELS  # no names: by position
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
    with pytest.raises(ValueError, match=r'"x11": .*\n        …\n') as refused:
        FederatedTreeClassifier().fit(np.zeros((3, 40)), [0, 1, 0])
    assert "x12" not in str(refused.value)
    for odd in ([["a"]], [], object(), "text"):
        with pytest.raises(ValueError, match="LOW and HIGH"):
            FederatedTreeClassifier().fit(odd, ["a"])
    with pytest.raises(ValueError, match="domain must be a Domain"):
        FederatedTreeClassifier(3).fit(ROWS, LABELS)


@pytest.mark.parametrize("kind", ["int64", "uint8", "float32", "Int64", "Float64"])
def test_columns_of_numbers_are_distinguished_from_others(kind):
    """In frames of pandas and of polars, by the type alone; text and truth values are categories."""
    frame = pd.DataFrame({"n": pd.array([1, 2], dtype=kind), "t": ["a", "b"], "b": [True, False]})
    other = pl.DataFrame({"n": np.array([1, 2], dtype=kind.lower()), "t": ["a", "b"], "b": [True, False]})
    for table in (frame, other):
        with pytest.raises(ValueError, match=r'"n": \[LOW, HIGH, BINS\]') as refused:
            FederatedTreeClassifier().fit(table, [0, 1])
        assert str(refused.value).count("[LOW, HIGH, BINS]") == 1


def test_a_feature_may_be_called_as_our_own_columns_are():
    """The class and the site of a row are handed on beside its features, under names that no feature has."""
    names = ["class", "parties", "class_", "parties_"]
    spec = {"features": {name: [0, 8, 2] for name in names}, "classes": ["a", "b"]}
    rows = [[1, 7, k % 8, 3] for k in range(40)]
    model = quiet(spec).fit(rows, ["b" if row[2] > 4 else "a" for row in rows], parties=["n", "s"] * 20)
    assert model.tree_.root.split.feature == 2 and model.n_parties_ == 2


def test_public_coins_come_from_the_same_source():
    """A design that draws features draws them from ``rng``, so a seed repeats the tree."""
    features = {f"x{j}": [0, 8, 2] for j in range(8)}
    design, rows = Design(features_per_node=1), [[k % 8] * 8 for k in range(40)]

    def grown():
        model = FederatedTreeClassifier({"features": features, "classes": [0, 1]}, rng=Rehearsal(3), design=design)
        return model.fit(rows, [k % 2 for k in range(40)]).tree_

    assert grown() == grown()


def test_its_tags():
    """Noise makes it random; it takes categories and text, and neither missing values nor sparse tables."""
    tags = FederatedTreeClassifier().__sklearn_tags__()
    assert tags.non_deterministic and tags.input_tags.categorical and tags.input_tags.string
    assert not tags.input_tags.allow_nan and not tags.input_tags.sparse and tags.estimator_type == "classifier"


def test_a_domain_may_be_a_file(tmp_path):
    DOMAIN.save(tmp_path / "domain.json")
    for path in (tmp_path / "domain.json", str(tmp_path / "domain.json")):
        assert quiet(path).fit(ROWS, LABELS).domain_ == DOMAIN


def test_one_party_is_the_owner_of_all_rows():
    """Who grows a tree of noisy counts alone, and none in which each party is asked by itself."""
    one = Party(ROWS, DOMAIN, labels=LABELS)
    with pytest.raises(ValueError, match="n_parties must be at least 2 for the design 'rotating'"):
        quiet(design="rotating").fit(parties=[one])
    model = quiet(design="screened").fit(parties=[one])
    assert model.n_parties_ == model.tree_.n_parties == 1
    assert model.noisy_score(parties=[one], epsilon=1).right > 0


class Frozen:
    """What makes an array of itself, and is none."""

    def __init__(self, cells):
        self.cells = cells

    def __array__(self, dtype=None, copy=None):
        return np.array(self.cells)


def test_an_array_with_fields_and_columns_that_make_arrays_of_themselves():
    fields = np.array([tuple(row) for row in ROWS], dtype=[("age", float), ("ward", "U1")])
    columns = {"age": np.array([row[0] for row in ROWS]), "ward": [row[1] for row in ROWS]}
    labels, sites = Frozen(LABELS), Frozen(SITES)
    expected = quiet().fit(ROWS, LABELS, parties=SITES).tree_
    for X, y, parties in ((fields, labels, sites), (columns, LABELS, sites), (FRAME, labels, SITES)):
        assert quiet().fit(X, y, parties=parties).tree_ == expected
    numbers = Frozen([[age, "AB".index(ward)] for age, ward in ROWS])
    spec = {**SPEC, "features": {"age": [0, 100, 4], "ward": [0, 1]}}
    assert quiet(spec).fit(numbers, LABELS).predict(numbers).tolist() == LABELS
    assert FederatedTreeClassifier(spec).n_parties == 5


def test_predictions_need_the_tree_alone():
    """From the document of the tree, and after a pickle: the same; and an estimator that was not fitted says so."""
    model = FederatedTreeClassifier(SPEC, epsilon=50).fit(ROWS, LABELS, parties=SITES)
    read = Tree.from_json(model.tree_.to_json())
    copy = pickle.loads(pickle.dumps(model))
    for other in (read, copy):
        assert other.predict(ROWS).tolist() == model.predict(ROWS).tolist()
    assert copy.predict_proba(ROWS).tolist() == model.predict_proba(ROWS).tolist()
    assert read.predict_proba(ROWS)[:, ::-1].tolist() == model.predict_proba(ROWS).tolist()  # ill, well
    for ask in ("predict", "predict_proba"):
        with pytest.raises(NotFittedError):
            getattr(quiet(), ask)(ROWS)
        with pytest.raises(ValueError, match="X row 1, column 'ward': expected one of the 2 public categories"):
            getattr(model, ask)([[1, "A"], [2, "C"]])
        with pytest.raises(ValueError, match="X row 0, column 'age'"):
            getattr(model, ask)([[None, "A"]])
        with pytest.raises(ValueError, match="X has 1 features, but FederatedTreeClassifier is expecting 2"):
            getattr(model, ask)([[1]])
    for ask in ("score", "noisy_score"):
        with pytest.raises(NotFittedError):
            getattr(quiet(), ask)(ROWS, LABELS)


def test_a_fitted_estimator_holds_what_was_released_and_no_rows():
    """Its parameters, the tree, and what is public: nothing else is there to be pickled or looked at."""
    model = quiet().fit(FRAME, LABELS, parties=SITES)
    public = {"tree_", "derivation_", "domain_", "classes_", "n_parties_", "n_features_in_", "feature_names_in_"}
    assert set(vars(model)) == {*model.get_params(), *public}
    model.noisy_score(FRAME, LABELS, 1)
    model.predict(FRAME)
    assert set(vars(model)) == {*model.get_params(), *public}


def test_an_exact_score_is_that_of_the_tree():
    """With weights, too; a label that the domain does not have is refused, not counted as wrong."""
    model = quiet(max_depth=0).fit(ROWS, LABELS)
    assert model.score(ROWS, LABELS) == model.tree_.score(ROWS, LABELS) == LABELS.count(model.predict(ROWS)[0]) / 60
    hit = np.array(LABELS) == model.predict(ROWS)
    weights = np.where(hit, 3, 1)
    assert model.score(ROWS, LABELS, sample_weight=weights) == pytest.approx(3 * hit.sum() / weights.sum())
    for odd in ([1] * 59, [0] * 60, [-1, *[1] * 59], [np.nan] * 60, [[1] * 60], 3, "one"):
        with pytest.raises(ValueError, match="sample_weight"):
            model.score(ROWS, LABELS, sample_weight=odd)
    for more in ({}, {"sample_weight": [1] * 60}):
        with pytest.raises(ValueError, match="y row 0, the class"):
            model.score(ROWS, ["dead", *LABELS[1:]], **more)


def test_cross_validation_works_and_pays_nobody():
    """On public data that is right: grids, folds, pipelines, parties handed through by name."""
    found = cross_val_score(quiet(max_depth=1), ROWS, LABELS, cv=3)
    assert found.shape == (3,) and found.min() > 0.5
    by_site = cross_val_score(quiet(), FRAME, np.array(LABELS), cv=3, params={"parties": FRAME["site"]})
    assert by_site.min() > 0.5
    search = GridSearchCV(quiet(), {"max_depth": [0, 2], "design": ["default", "averaged"]}, cv=2).fit(ROWS, LABELS)
    assert search.best_params_["max_depth"] == 2
    pipe = make_pipeline(FunctionTransformer(lambda rows: rows), quiet())
    pipe.fit(ROWS, LABELS, federatedtreeclassifier__parties=SITES)
    assert pipe[-1].n_parties_ == 3 and pipe.predict(ROWS).tolist() == LABELS


EDGES = {
    "one class only": (SPEC, ROWS, ["ill"] * 60, None, {}),
    "constant features": (SPEC, [[50, "A"]] * 60, LABELS, None, {}),
    "one feature": ({**SPEC, "features": {"age": [0, 100, 4]}}, [[age] for age, _ in ROWS], LABELS, None, {}),
    "more bins than values": ({**SPEC, "features": {"age": [0, 300, 256]}}, [[1], [2]], ["ill", "well"], None, {}),
    "depth 0": (SPEC, ROWS, LABELS, None, {"max_depth": 0}),
    "more parties than rows": (SPEC, ROWS[:2], LABELS[:2], None, {"n_parties": 9}),
    "huge ε": (SPEC, ROWS, LABELS, SITES, {"epsilon": 10**30}),
    "tiny ε": (SPEC, ROWS, LABELS, SITES, {"epsilon": "1e-9"}),
    "integer sites": (SPEC, ROWS, LABELS, np.arange(60) % 3, {}),
    "three classes, one of them nobody's": ({**SPEC, "classes": ["well", "ill", 3]}, ROWS, LABELS, SITES, {}),
}


@pytest.mark.parametrize("case", EDGES)
def test_cases_at_the_edge_are_fitted(case):
    """A tree of the domain, with all classes of the domain, whatever rows there are; it predicts and can be scored."""
    domain, X, y, parties, options = EDGES[case]
    model = FederatedTreeClassifier(domain, rng=Rehearsal(1), **options)
    with nullcontext() if set(y) == set(domain["classes"]) else pytest.warns(ClassWithoutRowsWarning):
        model.fit(X, y, parties=parties)
    assert set(model.classes_.tolist()) == set(domain["classes"]) and model.derivation_.guarantee.value == Fraction(
        model.epsilon
    )
    assert set(model.predict(X).tolist()) <= set(domain["classes"])
    assert model.predict_proba(X).sum(axis=1) == pytest.approx(1)
    assert 0 <= model.noisy_score(X, y, 1, parties=parties).value <= 1


def test_an_empty_party_takes_part():
    sites = [Party(ROWS, DOMAIN, labels=LABELS), Party([], DOMAIN)]
    model = quiet().fit(parties=sites)
    assert model.predict(ROWS).tolist() == LABELS
    assert model.noisy_score(epsilon=1, parties=sites).right == 60


WITHOUT = """
import sys
sys.modules["sklearn"] = None
import fdpedu.estimators as estimators
print(estimators.NoisyScore.__name__, estimators.noisy_score.__name__)
try:
    estimators.FederatedTreeClassifier
except ModuleNotFoundError as error:
    print(error.name, error)
"""


def test_the_room_opens_without_scikit_learn():
    """What needs none is there; the estimator says what to install, and an unknown name raises what Python raises."""
    printed = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, encoding="utf8", check=True).stdout
    assert printed.split("\n")[0] == "NoisyScore noisy_score"
    assert printed.split("\n")[1].startswith("sklearn FederatedTreeClassifier needs scikit-learn, which a plain")
    assert "pip install 'fdpedu[data]'" in printed
    with pytest.raises(AttributeError, match="has no attribute 'Forest'"):
        _ = fdpedu.estimators.Forest


def test_weights_are_refused_by_name():
    """With the reason; None is no weight, and another word is unknown."""
    with pytest.raises(ValueError, match="takes no sample_weight: a row that counts w times"):
        quiet().fit(ROWS, LABELS, sample_weight=[1] * 60)
    quiet().fit(ROWS, LABELS, sample_weight=None)
    with pytest.raises(TypeError, match="unexpected keyword argument 'weights'"):
        quiet().fit(ROWS, LABELS, weights=[1])
