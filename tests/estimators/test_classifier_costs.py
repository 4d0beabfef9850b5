"""What fits and scores of the estimator cost: budgets, copies, fits that are repeated, and what costs nothing."""

import warnings
from fractions import Fraction

import pytest
from sklearn.base import clone

from fdpedu.accounting import BudgetExceeded, Ledger
from fdpedu.estimators import FederatedTreeClassifier, FittedAgainWarning, SharedBudgetWarning
from fdpedu.federation import ClippedWarning, Party
from fdpedu.randomness import Rehearsal
from tests.support.estimated import DOMAIN, LABELS, ROWS, SITES, SPEC, quiet


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
    with pytest.warns(SharedBudgetWarning):
        clone(model).fit(ROWS, LABELS)
    with pytest.raises(BudgetExceeded):
        quiet(budget=str(path), epsilon="1/8").fit(ROWS, LABELS)
    with pytest.raises(BudgetExceeded):
        model.noisy_score(ROWS, LABELS, 1)
    with Ledger.open(path) as ledger:
        assert ledger.spent == 2
    with pytest.raises(ValueError, match="another domain"):
        quiet({"features": {"age": [0, 9, 3]}, "classes": ["well", "ill"]}, budget=path).fit(
            [[1]] * 4, ["ill", "well"] * 2
        )


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
    with pytest.warns(FittedAgainWarning, match="the two trees cost the sum of both ε") as warned:
        model.fit(ROWS, LABELS)
    assert warned[0].filename == __file__


def test_clipped_values_are_reported_once_and_not_for_each_party():
    with pytest.warns(ClippedWarning, match="X: values outside the public range") as warned:
        quiet(n_parties=4).fit([[age + 70, ward] for age, ward in ROWS], LABELS)
    assert len([one for one in warned if one.category is ClippedWarning]) == 1


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
    assert "The counts are 1/2-differentially private" in table._repr_html_()
    with pytest.raises(ValueError, match="epsilon"):
        model.noisy_score(ROWS, LABELS)
