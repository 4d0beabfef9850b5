"""Rows and their classes that each say in which order they are, and not the same, are refused by all who take both."""

import pandas as pd
import pytest

from tests.house.test_odd_input import called, folder, written  # noqa: F401 (fixtures)
from tests.support.odd_calls import EVERY

UNPAIRED = {
    "domain.domain_from_data_not_private": "the classes that occur; no row is paired with its own",
    "estimators.search_cost": "only the number of rows is read",
}
PAIRS = [("X", "y"), ("train_X", "train_y"), ("rows", "labels"), ("X", "sample_weight"), ("X", "parties")]
CASES = [
    (name, *pair)
    for name, arguments in EVERY.items()
    for pair in PAIRS
    if set(pair) <= set(arguments) and name not in UNPAIRED and not (pair[1] == "parties" and "Priva" in name)
]


def ordered(values, step):
    """Such rows, or such a column, with an index of its own, forwards or backwards."""
    listed = [list(row) if isinstance(row, (list, tuple)) else row for row in values]
    kind = pd.DataFrame if isinstance(listed[0], list) else pd.Series
    return kind(listed, index=range(step, step + len(listed))[::step])


@pytest.mark.parametrize(("name", "rows", "column"), CASES)
def test_another_order_is_refused(name, rows, column, folder):  # noqa: F811
    """Whether they are of one length or not; and where both are of one order nobody speaks of it."""
    given = {**EVERY[name]}
    table = ordered(given[rows], 1)
    listed = given[column] if given[column] is not None else [1.0] * len(table)
    for step in (1, -1):
        answer = called(name, {**given, rows: table, column: ordered(listed, step)})
        refused = isinstance(answer, ValueError) and "has another index" in str(answer)
        assert refused is (step == -1), answer
