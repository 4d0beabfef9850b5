"""Tables of many libraries whose columns stand in another order than the domain's: read by name or refused."""

import sqlite3
from collections import namedtuple

import narwhals
import numpy as np
import pandas as pd
import polars as pl
import pytest

from fdpedu.domain import Domain, Numeric
from fdpedu.domain.tables import has_names
from fdpedu.estimators import FederatedTreeClassifier
from fdpedu.randomness import ZeroWords

DOMAIN = Domain([Numeric.grid("age", 0, 100, bins=4), Numeric.grid("stay", 0, 100, bins=4)], ("no", "yes"))
COLUMNS = {"stay": [90, 80, 70, 60], "age": [10, 20, 30, 40]}  # the other way round
BY_NAME = DOMAIN.encode(np.array([COLUMNS["age"], COLUMNS["stay"]]).T)
ROWS = list(zip(*COLUMNS.values(), strict=True))
Stay = namedtuple("Stay", COLUMNS)


class Arrow:
    """As pyarrow's tables and record batches are: `columns` are arrays, names have another name."""

    column_names, columns = list(COLUMNS), [np.array(cells) for cells in COLUMNS.values()]

    def __len__(self):
        return len(ROWS)

    def __getitem__(self, name):
        return self.columns[self.column_names.index(name)]

    def __array__(self, dtype=None, copy=None):
        return np.array(ROWS, dtype=dtype)


class Stream:
    """A table that others may ask for its columns, by Arrow's interface or the interchange protocol; it has rows."""

    def __init__(self, interface):
        setattr(self, interface, None)

    def __iter__(self):
        return iter(ROWS)

    def __array__(self, dtype=None, copy=None):
        return np.array(ROWS, dtype=dtype)


class Labelled(Stream):
    """An array with labels, as xarray's."""

    dims, coords = ("patient", "what"), {"what": list(COLUMNS)}

    def __init__(self):
        self.shape = (4, 2)


def rows_of_a_database():
    with sqlite3.connect(":memory:") as opened:
        opened.row_factory = sqlite3.Row
        opened.execute("create table stays (stay, age)")
        opened.executemany("insert into stays values (?, ?)", ROWS)
        return opened.execute("select * from stays order by age").fetchall()


FIELDS = np.array(ROWS, dtype=[("stay", int), ("age", int)])
READ = {
    "pandas": pd.DataFrame(COLUMNS),
    "pandas, other columns and index": pd.DataFrame({"id": "a", **COLUMNS}, index=[7, 7, 8, 9]),
    "polars": pl.DataFrame(COLUMNS),
    "narwhals": narwhals.from_native(pl.DataFrame(COLUMNS)),
    "mapping": COLUMNS,
    "arrow": Arrow(),
    "fields": FIELDS,
    "record array": FIELDS.view(np.recarray),
    "records": list(FIELDS),
    "dictionaries": [dict(zip(COLUMNS, row, strict=True)) for row in ROWS],
    "named tuples": [Stay(*row) for row in ROWS],
    "rows of a frame": list(pd.DataFrame(COLUMNS).itertuples(index=False)),
    "rows of a database": rows_of_a_database(),
}
REFUSED = {
    "columns of two levels": pd.DataFrame(ROWS, columns=pd.MultiIndex.from_tuples([("a", "stay"), ("a", "age")])),
    "columns of pairs": pd.DataFrame(ROWS, columns=pd.Index([("stay",), ("age",)], tupleize_cols=False)),
    "numbered in another order": pd.DataFrame(ROWS, columns=[1, 0]),
    "numbered from one": pd.DataFrame(ROWS, columns=[1, 2]),
    "dates": pd.DataFrame(ROWS, columns=pd.to_datetime(["2020-01-01", "2020-01-02"])),
    "a stream": Stream("__arrow_c_stream__"),
    "the interchange protocol": Stream("__dataframe__"),
    "labelled": Labelled(),
    "names in some rows": [Stay(*ROWS[0]), ROWS[1]],
}


class MakesFields:
    dtype = FIELDS.dtype

    def __array__(self, dtype=None, copy=None):
        return FIELDS


READ["something that makes an array with fields"] = MakesFields()


def model():
    """Yes where the age is above 25; the stay goes the other way."""
    rows = [[age, 100 - age] for age in range(1, 100)]
    labels = ["yes" if age > 25 else "no" for age, _ in rows]
    fitted = FederatedTreeClassifier(DOMAIN, epsilon=50, max_depth=1, rng=ZeroWords())
    return fitted.fit(rows, labels)


MODEL = model()


@pytest.mark.parametrize("kind", READ)
def test_names_are_read(kind):
    table = READ[kind]
    assert has_names(table) or not isinstance(table, (pd.DataFrame, pl.DataFrame, dict))
    assert np.array_equal(DOMAIN.encode(table), BY_NAME)
    assert MODEL.predict(table).tolist() == ["no", "no", "yes", "yes"]


@pytest.mark.parametrize("kind", REFUSED)
def test_what_has_names_that_cannot_be_read_is_refused_and_not_read_by_position(kind):
    for ask in (DOMAIN.encode, MODEL.predict, MODEL.predict_proba):
        with pytest.raises(ValueError, match=r"not named by text|names that cannot be read|cells with names"):
            ask(REFUSED[kind])


@pytest.mark.parametrize(
    "table", [ROWS, np.array(ROWS), pd.DataFrame(ROWS), iter(ROWS), [np.array(row) for row in ROWS]]
)
def test_what_has_no_names_is_read_by_position(table):
    assert not has_names(table)
    if not isinstance(table, pd.DataFrame):  # a domain wants names, or an array
        assert np.array_equal(DOMAIN.encode(table), BY_NAME[:, ::-1])
    else:
        assert MODEL.predict(table).tolist() == ["yes"] * 4
