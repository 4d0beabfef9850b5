"""Labels and rows in the shapes in which scikit-learn and its users hand them over."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.exceptions import DataConversionWarning
from sklearn.model_selection import permutation_test_score

from fdpedu.estimators import FederatedTreeClassifier
from fdpedu.randomness import ZeroWords

DOMAIN = {"features": {"age": [0, 100, 4]}, "classes": ["no", "yes"]}
X = pd.DataFrame({"age": np.arange(80)})
Y = np.where(X["age"] > 50, "yes", "no")
COLUMNS = {
    "array": Y.reshape(-1, 1),
    "pandas": pd.DataFrame({"ill": Y}),
    "polars": pl.DataFrame({"ill": Y.tolist()}),
    "lists": [[label] for label in Y.tolist()],
    "tuples": tuple((label,) for label in Y.tolist()),
}


def model():
    return FederatedTreeClassifier(DOMAIN, epsilon=1, max_depth=1, rng=ZeroWords())


@pytest.mark.parametrize("column", COLUMNS.values(), ids=COLUMNS)
def test_labels_in_a_table_of_one_column_are_its_column(column):
    """With scikit-learn's warning; whatever takes labels takes them so."""
    fitted = model().fit(X, Y)
    for call in (
        lambda: model().fit(X, column).predict(X).tolist() == fitted.predict(X).tolist(),
        lambda: fitted.score(X, column) == fitted.score(X, Y) == 1,
        lambda: fitted.noisy_score(X, column, 1).right == 80,
    ):
        with pytest.warns(DataConversionWarning, match="ravel"):
            assert call()


@pytest.mark.parametrize("table", [np.column_stack([Y, Y]), pd.DataFrame({"a": Y, "b": Y}), Y.reshape(-1, 1, 1)])
def test_labels_of_several_columns_are_refused(table):
    with pytest.raises(ValueError, match="1d array"):
        model().fit(X, table)


@pytest.mark.parametrize("rows", [[1, 2, 3], (1.5, 2.5), ["a", "b"], range(3), [np.float64(1)], [True]])
def test_a_list_of_numbers_is_no_table(rows):
    """It is said how it becomes one."""
    fitted = model().fit(X, Y)
    for call in (
        lambda: model().fit(rows, Y[: len(rows)]),
        lambda: fitted.predict(rows),
        lambda: fitted.score(rows, Y),
    ):
        with pytest.raises(ValueError, match=r"got 1D array.*Reshape your data.*\[\[x\] for x in X\]"):
            call()


@pytest.mark.filterwarnings("ignore::fdpedu.estimators.FittedAgainWarning")
def test_a_shuffled_series_is_refused_with_what_to_give_instead():
    """permutation_test_score shuffles a series with its index; what the refusal says to give is taken."""
    series = pd.Series(Y)
    with pytest.raises(ValueError, match=r"permutation_test_score.*y\.to_numpy\(\)"):
        permutation_test_score(model(), X, series, n_permutations=2, cv=2)
    assert permutation_test_score(model(), X, series.to_numpy(), n_permutations=2, cv=2)[0] > 0.5
