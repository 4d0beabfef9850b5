"""What the estimator refuses: before any budget is spent, by row and column, never by value."""

import numpy as np
import pytest

from fdpedu.accounting import Ledger
from fdpedu.estimators import FederatedTreeClassifier
from fdpedu.federation import Party
from tests.support.estimated import DOMAIN, FRAME, LABELS, ROWS, SITES, SPEC, quiet

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
    "no name for any row": (ROWS, LABELS, [], "a site for each row, got 0 names for 60 rows"),
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
