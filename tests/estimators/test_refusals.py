"""What the estimator refuses, and in which words: one table of rows, one of parameters. Nothing is charged for them."""

import numpy as np
import pytest

from fdpedu.accounting import Ledger
from fdpedu.estimators import FederatedBoostingClassifier, FederatedTreeClassifier
from fdpedu.federation import Party
from fdpedu.trees import DESIGNS, SYSTEMS
from tests.support.estimated import DOMAIN, FRAME, LABELS, ROWS, SITES, SPEC, quiet

SPARSE = type("Sparse", (), {"nnz": 3})()
FILLED = "; a missing value must be filled in or its row left out beforehand"
NAMED = "design must be one of " + ", ".join(map(repr, (*DESIGNS, *SYSTEMS))) + ", or a Design, got"
ONE = (
    "n_parties must be at least 2 for the design 'rotating', in which each party is asked by itself, got 1: one owner "
    "takes a design of noisy counts, such as 'screened', or PrivaTreeClassifier"
)
PARTIES = [Party(ROWS[k::2], DOMAIN, labels=LABELS[k::2]) for k in range(2)]
ROWS_REFUSED = {
    "other labels": (
        ROWS,
        [*LABELS[:-1], "SECRET"],
        None,
        "y row 59, the class: expected one of the 2 public categories ('well', 'ill')",
    ),
    "missing label": (
        ROWS,
        [*LABELS[:-1], None],
        None,
        "y row 59, the class: expected one of the 2 public categories ('well', 'ill')" + FILLED,
    ),
    "unknown category": (
        [*ROWS[:-1], [9, "SECRET"]],
        LABELS,
        None,
        "X row 59, column 'ward': expected one of the 2 public categories ('A', 'B')",
    ),
    "missing value": (
        [[np.nan, "A"], *ROWS[1:]],
        LABELS,
        None,
        "X row 0, column 'age': expected a finite number"
        + FILLED
        + ', or the domain gives it a code of its own: "missing": true',
    ),
    "text for a number": ([["SECRET", "A"], *ROWS[1:]], LABELS, None, "X row 0, column 'age': expected a number"),
    "columns by other names": (
        FRAME.rename(columns={"age": "Age"}),
        LABELS,
        None,
        "X: the table has no column 'age' (its column 'Age' should perhaps be called so)",
    ),
    "a column too many": (
        [[*row, 1] for row in ROWS],
        LABELS,
        None,
        "X has 3 features, but FederatedTreeClassifier is expecting 2 features as input",
    ),
    "a row too few": (ROWS[1:], LABELS, None, "X and y must have as many rows, got 59 and 60"),
    "a row too few in a frame": (FRAME[1:], LABELS, None, "X and y must have as many rows, got 59 and 60"),
    "no rows": ([], [], None, "Found array with 0 sample(s): a fit, or a score, needs a table with rows"),
    "no labels": (ROWS, None, None, "FederatedTreeClassifier requires y to be passed, but the target y is None"),
    "labels in two dimensions": (
        ROWS,
        [[label, label] for label in LABELS],
        None,
        "y row 0, the class: expected one of the 2 public categories ('well', 'ill')",
    ),
    "one site only": (ROWS, LABELS, ["north"] * 60, "parties names one site only: a federation needs at least 2"),
    "a site too few": (ROWS, LABELS, SITES[1:], "parties must name a site for each row, got 59 names for 60 rows"),
    "a site that is missing": (
        ROWS,
        LABELS,
        [None, *SITES[1:]],
        "the frame row 0, column 'parties': expected the name of a site; a missing value must be filled in or its row "
        "left out beforehand",
    ),
    "persons for sites": (
        ROWS,
        LABELS,
        range(60),
        "column 'parties' has 60 values in 60 rows: does it name sites, or persons?",
    ),
    "one party for all rows": (ROWS, LABELS, Party([], DOMAIN), "parties: expected a sequence, got Party"),
    "no name for any row": (ROWS, LABELS, [], "parties must name a site for each row, got 0 names for 60 rows"),
    "text for sites": (ROWS, LABELS, "north", "parties: expected a sequence, got str"),
    "labels in another order": (
        FRAME,
        FRAME["diagnosis"][::-1],
        None,
        "y has another index than X; order both alike, then reset_index(). permutation_test_score shuffles a series "
        "so, with its index: give it y.to_numpy()",
    ),
    "sites in another order": (
        FRAME,
        LABELS,
        FRAME["site"][::-1],
        "parties has another index than X; order both alike, then reset_index()",
    ),
    "sparse": (SPARSE, LABELS, None, "FederatedTreeClassifier takes no sparse data: give X.toarray(), or a data frame"),
    "one dimension": (
        np.zeros(60),
        LABELS,
        None,
        "X must have two dimensions, got 1. Reshape your data: X.reshape(1, -1) is a row",
    ),
    "no columns": (
        np.zeros((60, 0)),
        LABELS,
        None,
        "Found array with 0 feature(s) (shape=(60, 0)) while a minimum of 1 is required.",
    ),
    "complex": (
        np.zeros((60, 2), dtype=complex),
        LABELS,
        None,
        "Complex data not supported: X must hold real numbers and categories",
    ),
    "a ragged row": ([*ROWS[:-1], [3]], LABELS, None, "X row 59: expected 2 feature values"),
    "a mapping for labels": (ROWS, {"a": 1}, None, "y: expected a sequence, got dict"),
    "a mapping for sites": (ROWS, LABELS, {"a": 1}, "parties: expected a sequence, got dict"),
    "three dimensions": (
        np.zeros((1, 2, 3)),
        LABELS,
        None,
        "X must have two dimensions, got 3. Reshape your data: X.reshape(1, -1) is a row",
    ),
    "a column too few": (FRAME.drop(columns="ward"), LABELS, None, "X: the table has no column 'ward'"),
    "nothing": (None, None, None, "give X and y, or parties, a list of Party(rows, domain): one for each site"),
    "a set": (set("ab"), LABELS, None, "X: expected a sequence, got set"),
    "rows beside parties": (
        ROWS,
        None,
        PARTIES,
        "parties that are a list of Party have their rows and labels: leave out X and y",
    ),
    "labels beside parties": (
        None,
        LABELS,
        PARTIES,
        "parties that are a list of Party have their rows and labels: leave out X and y",
    ),
}


@pytest.mark.parametrize(("X", "y", "parties", "sentence"), ROWS_REFUSED.values(), ids=ROWS_REFUSED)
def test_rows_are_refused_before_any_budget_is_spent(X, y, parties, sentence):
    """By row and column, never by value; and nothing is charged, to the ledger of a fit or of a score."""
    ledger = Ledger(2)
    with pytest.raises(ValueError) as refused:
        quiet(budget=ledger).fit(X, y, parties=parties)
    assert str(refused.value) == sentence and "SECRET" not in sentence and ledger.spent == 0
    fitted = quiet(budget=ledger).fit(ROWS, LABELS)
    with pytest.raises(ValueError):
        fitted.noisy_score(X, y, "1/2", parties=parties)
    assert ledger.spent == 1


PARAMETERS = [
    ({"epsilon": 0}, "epsilon must be greater than 0, got 0"),
    ({"epsilon": -1}, "epsilon must be greater than 0, got -1"),
    (
        {"epsilon": float("nan")},
        "epsilon must be a finite number (an int, a Fraction, a decimal, or text like '1/3'), got nan",
    ),
    (
        {"epsilon": None},
        "epsilon must be a finite number (an int, a Fraction, a decimal, or text like '1/3'), got None",
    ),
    ({"epsilon": "1e-30"}, "epsilon/sensitivity must be at least 2**-40, so that the noise fits 64-bit integers"),
    ({"max_depth": -1}, "max_depth must be an integer ≥ 0, got -1"),
    ({"max_depth": 65}, "max_depth must be at most 64, got 65"),
    ({"max_depth": "deep"}, "max_depth must be an integer ≥ 0, got 'deep'"),
    ({"min_samples_split": -1}, "min_samples_split must be an integer ≥ 0, got -1"),
    ({"nominal_size": 0}, "nominal_size must be an integer ≥ 1, got 0"),
    ({"nominal_size": 2.5}, "nominal_size must be an integer ≥ 1, got 2.5"),
    (
        {"min_samples_split": 2},
        "the design 'rotating' has no use for min_samples_split: leave it out, or take another design; it knows "
        "max_depth, leaf_share, nominal_size",
    ),
    ({"leaf_share": 1}, "leaf_share must lie strictly between 0 and 1, got 1"),
    (
        {"design": "best"},
        NAMED + " 'best'",
    ),
    ({"tolerate": 5}, "tolerate must be less than the number of parties (5), got 5"),
    ({"tolerate": -1}, "tolerate must be an integer ≥ 0, got -1"),
    ({"n_parties": 1}, ONE),
    ({"n_parties": 0}, "n_parties must be an integer ≥ 1, got 0"),
    ({"rng": 7}, "rng must be None (operating system), a numpy.random.Generator or a source, got int"),
    ({"budget": 3}, "budget must be a Ledger, got int"),
    ({"budget": "/nowhere/budget.db"}, "there is no folder /nowhere: make it, or name another file"),
    ({"n_parties": None}, "n_parties must be an integer ≥ 1, got None"),
    ({"domain": 3}, "domain must be a Domain, or a specification of one, got int"),
]


@pytest.mark.parametrize(("options", "sentence"), PARAMETERS, ids=range(len(PARAMETERS)))
def test_parameters_are_refused_when_they_are_used(options, sentence):
    """Not in the constructor, as clones need it, and before any budget is spent."""
    ledger = None if {"epsilon", "budget"} & set(options) else Ledger(1)
    model = FederatedTreeClassifier(**{"domain": SPEC, "budget": ledger, **options})
    with pytest.raises(ValueError) as refused:
        model.fit(ROWS, LABELS)
    assert str(refused.value) == sentence
    assert ledger is None or ledger.spent == 0


BOOSTED = [
    (
        {"nominal_size": None},
        "boosting needs a nominal_size: about how many rows all parties have, a public number that is fixed "
        "beforehand, never their true number",
    ),
    ({"nominal_size": 0}, "nominal_size must be an integer ≥ 1, got 0"),
    (
        {"domain": {**SPEC, "classes": ["well", "ill", *range(31)]}},
        "boosting is for 2 to 32 classes, and the domain has 33: grow a tree instead, or put rare classes together",
    ),
    ({"form": "bumps"}, "form must be 'trees' or 'curves', got 'bumps'"),
    ({"rounds": 0}, "rounds must be an integer ≥ 1, got 0"),
    ({"trees_per_round": 4097, "rounds": 1}, "trees_per_round must be at most 4096, got 4097"),
    ({"max_depth": 7}, "max_depth must be at most 6, got 7"),
    ({"delta": 0}, "delta must be from 10^-300 to less than 1, got 0"),
    ({"epsilon": None}, "delta must be None where epsilon is None: say delta=None, got 1e-06"),
    ({"tolerate": 5}, "tolerate must be less than the number of parties (5), got 5"),
]
PURE = [
    ({}, "delta must be None where the budget holds ε = 1 and no δ: say delta=None, got 1e-06"),
    (
        {"form": "curves", "delta": None},
        "form 'curves' is for a budget in ρ: give a delta, or take form 'trees'",
    ),
    ({"epsilon": 0, "delta": None}, "epsilon must be greater than 0, got 0"),
]


@pytest.mark.parametrize(
    ("ledger", "options", "sentence"),
    [(Ledger(1, delta=1e-6), *row) for row in BOOSTED] + [(Ledger(1), *row) for row in PURE],
)
def test_what_boosting_refuses_is_refused_before_any_budget_is_spent(ledger, options, sentence):
    model = FederatedBoostingClassifier(**{"domain": SPEC, "budget": ledger, "nominal_size": 60, **options})
    with pytest.raises(ValueError) as refused:
        model.fit(ROWS, LABELS)
    assert str(refused.value) == sentence
    assert ledger.rounds == 0
