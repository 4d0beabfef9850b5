"""Trees on tables with gaps: the whole way from rows to a file and back, where the domain declares a code for them."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from fdpedu.accounting import Ledger
from fdpedu.cart import fit_cart
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.estimators import FederatedTreeClassifier, noisy_score
from fdpedu.federation import Federation, Party
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.trees import DESIGNS, Tree, fit_federated_tree
from tests.support.private_trees import content_of, read

AGE = Numeric.grid("age", 0, 90, bins=6, missing=True)
WARD = Categorical("ward", ("A", "B"), missing=True)
DOMAIN = Domain([AGE, WARD], ("well", "ill"))


def patients(n, seed):
    """The old are ill, and so are those of whom no age is known; wards say nothing, and have gaps."""
    rng = np.random.default_rng(seed)
    ages = rng.integers(1, 90, n).astype(float)
    ages[rng.random(n) < 0.25] = np.nan
    wards = rng.choice(np.array(["A", "B", None], dtype=object), n)
    ill = np.isnan(ages) | (ages > 60)
    return pd.DataFrame({"age": ages, "ward": wards}), np.where(ill, "ill", "well")


def grown(X, y, rng, **options):
    parties = [Party(X[k::3], DOMAIN, labels=y[k::3]) for k in range(3)]
    ledger = Ledger(options.pop("budget", 50))
    return fit_federated_tree(Federation(parties, DOMAIN, ledger, rng=rng), **options)


@pytest.mark.claim("lem-missing-code")
def test_a_tree_sends_missing_values_to_the_side_where_they_belong():
    X, y = patients(600, 1)
    tree = grown(X, y, ZeroWords(), max_depth=1)
    plain = fit_cart(X, y, grid=DOMAIN, max_depth=1)
    assert tree.root.split == plain.root.split and tree.score(X, y) == plain.score(X, y) == 1
    words = tree.to_text()
    assert "age ≤ 60" in words and "or missing" not in words.splitlines()[0]
    turned = grown(X, np.where(X.age.isna(), "well", y), ZeroWords(), max_depth=1)
    assert "age ≤ 60 or missing" in turned.to_text()
    assert turned.predict([[None, "A"], [np.nan, None], [80, "A"]]).tolist() == ["well", "well", "ill"]


def test_without_the_code_such_rows_are_refused_before_anything_is_charged():
    X, y = patients(60, 2)
    plain = Domain([Numeric.grid("age", 0, 90, bins=6), WARD], ("well", "ill"))
    with pytest.raises(ValueError, match='"missing": true'):
        Party(X, plain, labels=y)


def test_a_budget_knows_whether_its_domain_has_gaps(tmp_path):
    """The code is no word: with it records have other codes, so one budget cannot serve both domains."""
    plain = Domain([Numeric.grid("age", 0, 90, bins=6), WARD], ("well", "ill"))
    assert plain.identity() != DOMAIN.identity()
    Ledger.open(tmp_path / "budget.db", 1, domain=plain).close()
    with pytest.raises(ValueError, match="another domain"):
        Ledger.open(tmp_path / "budget.db", domain=DOMAIN)
    X, y = patients(60, 2)
    parties = [Party(X.dropna(), plain, labels=y[~X.isna().any(axis=1)]), Party(X, DOMAIN, labels=y)]
    with pytest.raises(ValueError, match="share the federation's domain"):
        Federation(parties, DOMAIN, Ledger(1))


@pytest.mark.parametrize("design", DESIGNS)
def test_every_design_grows_a_tree_that_a_file_keeps(design, tmp_path):
    """Files say the domain, so they know the code; the checker accepts what was paid, which has not changed."""
    X, y = patients(300, 3)
    tree = grown(X, y, np.random.default_rng(4), max_depth=3, design=design, budget=2)
    assert tree.derivation.guarantee.value <= Fraction(2)
    tree.save(tmp_path / "tree.json")
    again = Tree.load(tmp_path / "tree.json")
    assert again == tree and again.to_text() == tree.to_text() and again.domain == DOMAIN
    assert again.predict(X).tolist() == tree.predict(X).tolist()


def test_a_file_whose_split_is_no_prefix_is_refused():
    X, y = patients(600, 1)
    tree = grown(X, y, Rehearsal(1), max_depth=1)
    assert content_of(tree)["root"]["split"]["left"] == [0, 1, 2, 3]
    for codes, fits in (([0, 6], True), ([6], True), ([0, 1, 2, 3, 4, 5], True), ([1, 6], False), ([0, 2, 6], False)):
        content = content_of(tree)
        content["root"]["split"]["left"] = codes
        found = refusal_of(content)
        assert ("smallest codes" not in found) == fits, (codes, found)


def refusal_of(content):
    """What a file with another split is refused for; its leaves are not those that were paid for."""
    try:
        read(content)
    except ValueError as error:
        return str(error)
    return ""


def test_exports_say_on_which_side_missing_values_are():
    X, y = patients(600, 1)
    tree = grown(X, np.where(X.age.isna(), "well", y), ZeroWords(), max_depth=1)
    rules = tree.to_sklearn_text()
    assert "|--- age <= 60.00 or missing\n" in rules and "|--- age >  60.00\n" in rules
    rules = grown(X, y, ZeroWords(), max_depth=1).to_sklearn_text()
    assert "|--- age <= 60.00\n" in rules and "|--- age >  60.00 or missing\n" in rules
    known = grown(X, np.where(X.age.isna(), "ill", "well"), ZeroWords(), max_depth=1)
    assert "|--- age not missing\n" in known.to_sklearn_text() and "|--- age missing\n" in known.to_sklearn_text()
    assert "age missing" in known.to_graphviz() and "age missing" in known._repr_html_()


def test_an_estimator_takes_gaps_where_its_domain_does_and_says_so():
    X, y = patients(600, 5)
    model = FederatedTreeClassifier(DOMAIN.to_spec(), max_depth=2, epsilon=50, rng=ZeroWords())
    assert make_pipeline(model).fit(X, y).score(X, y) == 1
    assert model.__sklearn_tags__().input_tags.allow_nan
    for other in (None, "no.json", {"features": {"age": [0, 90, 6]}, "classes": ["well", "ill"]}):
        assert not FederatedTreeClassifier(other).__sklearn_tags__().input_tags.allow_nan


def test_a_noisy_score_counts_rows_with_gaps():
    X, y = patients(300, 6)
    tree = grown(X, y, ZeroWords(), max_depth=2)
    parties = [Party(X[k::3], DOMAIN, labels=y[k::3]) for k in range(3)]
    score = noisy_score(tree, parties, 5, rng=ZeroWords())
    assert score.value == 1


def test_on_known_ages_it_finds_what_scikit_learn_finds_with_gaps():
    """Its trees send missing values to the better side, too; edges of the grid are among its thresholds."""
    X, y = patients(2000, 7)
    theirs = DecisionTreeClassifier(max_depth=1, random_state=0).fit(X[["age"]], y)
    assert theirs.score(X[["age"]], y) == grown(X, y, ZeroWords(), max_depth=1).score(X, y)
