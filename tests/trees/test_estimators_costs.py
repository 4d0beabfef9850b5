"""What fits and scores of the estimator cost: budgets, copies, fits that are repeated, and what costs nothing."""

import pickle
import subprocess
import sys
import warnings
from fractions import Fraction

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import fdpedu.estimators
from fdpedu.accounting import BudgetExceeded, Ledger
from fdpedu.estimators import FederatedTreeClassifier, FittedAgainWarning
from fdpedu.federation import ClippedWarning, Party
from fdpedu.randomness import Rehearsal
from fdpedu.trees import Tree
from tests.support.estimated import DOMAIN, FRAME, LABELS, ROWS, SITES, SPEC, quiet


def test_a_ledger_of_its_own_holds_epsilon():
    """What the parameter says, exactly; with the colluders that were tolerated."""
    for epsilon, tolerate in (("1/3", 1), (Fraction(5, 2), 2), (0.1, 0)):
        options = {"epsilon": epsilon, "tolerate": tolerate, "n_parties": 4}
        guarantee = FederatedTreeClassifier(SPEC, rng=Rehearsal(2), **options).fit(ROWS, LABELS).derivation_.guarantee
        assert guarantee.value == Fraction(str(epsilon)) and guarantee.colluders == tolerate


def test_a_budget_pays_for_every_fit_and_score_until_it_is_empty():
    """One ledger for two fits and a score; the next is refused, charges nothing, and leaves the tree as it was."""
    ledger = Ledger(2)
    model = FederatedTreeClassifier(SPEC, rng=Rehearsal(2), budget=ledger, epsilon="3/4")
    model.fit(ROWS, LABELS, parties=SITES)
    assert model.fit(ROWS, LABELS, parties=SITES) is model and ledger.spent == Fraction(3, 2)
    score = model.noisy_score(ROWS, LABELS, "1/4", parties=SITES)
    assert ledger.spent == Fraction(7, 4) and score.derivation.guarantee.value == Fraction(1, 4)
    before = model.tree_
    for again in (lambda: model.fit(ROWS, LABELS), lambda: model.noisy_score(ROWS, LABELS, "3/4")):
        with pytest.raises(BudgetExceeded):
            again()
    assert ledger.spent == Fraction(7, 4) and model.tree_ is before
    rest = model.set_params(epsilon=None).fit(ROWS, LABELS)
    assert ledger.spent == 2 == rest.derivation_.guarantee.value


def test_the_budget_of_a_file_is_shared_by_all_copies(tmp_path):
    """A clone, and another process, charge the same file; it is closed after each."""
    path = tmp_path / "budget.db"
    Ledger.open(path, 2, domain=DOMAIN, colluders=1).close()
    model = quiet(budget=path).fit(ROWS, LABELS)
    clone(model).fit(ROWS, LABELS)
    with pytest.raises(BudgetExceeded):
        quiet(budget=str(path), epsilon="1/8").fit(ROWS, LABELS)
    with pytest.raises(BudgetExceeded):
        model.noisy_score(ROWS, LABELS, 1)
    with Ledger.open(path) as ledger:
        assert ledger.spent == 2
    with pytest.raises(ValueError, match="another domain"):
        quiet({"features": {"age": [0, 9, 3]}, "classes": ["well", "ill"]}, budget=path).fit([[1]] * 4, ["ill"] * 4)


def test_a_ledger_in_memory_is_not_copied():
    """So cross-validation with one is refused, and not paid from five copies of one budget."""
    with pytest.raises(TypeError, match=r"a ledger is neither copied nor pickled.*Ledger.open\(path"):
        clone(quiet(budget=Ledger(1)))


def test_fitting_again_without_a_budget_says_that_costs_add_up():
    """A warning at the second fit, none at the first, none of a clone, none where a budget counts."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = quiet().fit(ROWS, LABELS)
        clone(model).fit(ROWS, LABELS)
        paid = quiet(budget=Ledger(2)).fit(ROWS, LABELS).fit(ROWS, LABELS)
    assert paid.budget.spent == 2
    with pytest.warns(FittedAgainWarning, match="the two trees cost the sum of both ε") as told:
        model.fit(ROWS, LABELS)
    assert told[0].filename == __file__


def test_clipped_values_are_told_once_and_not_for_each_party():
    with pytest.warns(ClippedWarning, match="X: values outside the public range") as told:
        quiet(n_parties=4).fit([[age + 70, ward] for age, ward in ROWS], LABELS)
    assert len([one for one in told if one.category is ClippedWarning]) == 1


def test_predictions_need_the_tree_alone():
    """From the document of the tree, and after a pickle: the same; and an estimator that was not fitted says so."""
    model = FederatedTreeClassifier(SPEC, epsilon=50).fit(ROWS, LABELS, parties=SITES)
    read = Tree.from_json(model.tree_.to_json())
    copy = pickle.loads(pickle.dumps(model))
    for other in (read, copy):
        assert other.predict(ROWS).tolist() == model.predict(ROWS).tolist()
        assert other.predict_proba(ROWS).tolist() == model.predict_proba(ROWS).tolist()
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


def test_the_noisy_score_of_the_estimator_is_paid():
    """Without noise it is the exact score; with a seed, the same for parties that hold their rows."""
    model = quiet(max_depth=1).fit(ROWS, LABELS, parties=SITES)
    score = model.noisy_score(ROWS, LABELS, "1/2", parties=SITES)
    assert score.value == model.score(ROWS, LABELS) and score.right + score.wrong == 60
    assert "Nothing is promised: document: noise from" in score._repr_html_()
    model.set_params(rng=Rehearsal(3), tolerate=0)
    table = model.noisy_score(ROWS, LABELS, "1/2", parties=[f"s{i % 2}" for i in range(60)])
    parties = [Party(ROWS[k::2], DOMAIN, labels=LABELS[k::2]) for k in range(2)]
    model.set_params(rng=Rehearsal(3))
    assert model.noisy_score(epsilon="1/2", parties=parties) == table != score
    assert table.derivation.guarantee.colluders == 0 and table.derivation.guarantee.value == Fraction(1, 2)
    assert "The two counts are 1/2-differentially private" in table._repr_html_()
    with pytest.raises(ValueError, match="epsilon"):
        model.noisy_score(ROWS, LABELS)


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
    "more bins than values": ({**SPEC, "features": {"age": [0, 100, 256]}}, [[1], [2]], ["ill", "well"], None, {}),
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
    model = FederatedTreeClassifier(domain, rng=Rehearsal(1), **options).fit(X, y, parties=parties)
    assert model.classes_.tolist() == domain["classes"] and model.derivation_.guarantee.value == Fraction(model.epsilon)
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
import fdpedu.estimators as room
print(room.NoisyScore.__name__, room.noisy_score.__name__)
try:
    room.FederatedTreeClassifier
except ModuleNotFoundError as error:
    print(error.name, error)
"""


def test_the_room_opens_without_scikit_learn():
    """What needs none is there; the estimator says what to install, and an unknown name is told as Python tells it."""
    told = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, encoding="utf8", check=True).stdout
    assert told.split("\n")[0] == "NoisyScore noisy_score"
    assert told.split("\n")[1].startswith("sklearn FederatedTreeClassifier needs scikit-learn, which a plain")
    assert "pip install 'fdpedu[data]'" in told
    with pytest.raises(AttributeError, match="has no attribute 'Forest'"):
        _ = fdpedu.estimators.Forest
