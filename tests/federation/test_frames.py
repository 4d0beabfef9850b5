"""Data frames of pandas and Polars, and one table with the rows of many sites: what a party has of them."""

import datetime

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.cart import fit_cart
from fdpedu.claims.strategies import domains, tables
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.domain.tables import Named
from fdpedu.federation import Party, parties_from_frame

DOMAIN = Domain([Numeric.grid("age", 0, 100, bins=4), Categorical("ward", ("A", "B"))], ("well", "ill"))
DATA = {"id": [7, 8, 9], "class": ["ill", "well", "ill"], "ward": ["A", "B", "A"], "age": [63, 17, 100]}
CODES = [[2, 0], [0, 1], [3, 0]], [1, 0, 1]
FRAMES = {"pandas": pd.DataFrame, "Polars": lambda data: pl.DataFrame(data, strict=False)}


def held(party):
    """What a party counts, record by record."""
    return party._codes.tolist(), party._labels.tolist()


@pytest.mark.parametrize("library", FRAMES)
@settings(max_examples=40, deadline=None)
@given(st.data())
def test_a_frame_has_the_records_of_its_rows(library, data):
    """Columns in any order, others among them, and an index that does not count."""
    domain = data.draw(domains())
    rows = data.draw(tables(domain))
    names = [*(feature.name for feature in domain.features), "class", "id"]
    order = data.draw(st.permutations(names))
    columns = {name: [[*row, i][names.index(name)] for i, row in enumerate(rows)] for name in order}
    frame = FRAMES[library](columns)
    if library == "pandas" and rows:
        frame.index = data.draw(st.permutations(range(5, 5 + len(rows))))
    assert held(Party(frame, domain, label="class")) == held(Party([row for row in rows], domain))
    assert domain.check(frame, label="class").ok and domain.check(frame, label="class").extra == ("id",)


@pytest.mark.parametrize("library", FRAMES)
def test_series_are_labels_and_columns(library):
    frame = FRAMES[library](DATA)
    assert held(Party(frame, DOMAIN, labels=frame["class"])) == CODES
    assert held(Party({"age": frame["age"], "ward": frame["ward"]}, DOMAIN, labels=frame["class"])) == CODES
    assert DOMAIN.encode(frame).tolist() == CODES[0] and DOMAIN.encode_labels(frame["class"]).tolist() == CODES[1]
    assert held(Party(frame[["age", "ward"]].to_numpy(), DOMAIN, labels=frame["class"])) == CODES


PANDAS = {
    "Int64": lambda frame: frame.astype({"age": "Int64"}),
    "Float32": lambda frame: frame.astype({"age": "Float32"}),
    "int8": lambda frame: frame.astype({"age": "int8"}),
    "object": lambda frame: frame.astype(object),
    "string": lambda frame: frame.astype({"ward": "string", "class": "string"}),
    "category": lambda frame: frame.astype({"ward": "category", "class": "category"}),
    "convert_dtypes": lambda frame: frame.convert_dtypes(),
    "sparse": lambda frame: frame.astype({"age": pd.SparseDtype("float", 0)}),
    "sorted": lambda frame: frame.sort_values("age").sort_values("id"),
    "a part": lambda frame: pd.concat([frame, frame]).iloc[:3],
}

POLARS = {
    "Int8": lambda frame: frame.with_columns(pl.col("age").cast(pl.Int8)),
    "Float32": lambda frame: frame.with_columns(pl.col("age").cast(pl.Float32)),
    "Decimal": lambda frame: frame.with_columns(pl.col("age").cast(pl.Decimal(10, 2))),
    "Categorical": lambda frame: frame.with_columns(pl.col("ward", "class").cast(pl.Categorical)),
    "Enum": lambda frame: frame.with_columns(pl.col("ward").cast(pl.Enum(["A", "B"]))),
    "chunks": lambda frame: pl.concat([frame[:1], frame[1:]], rechunk=False),
}


@pytest.mark.parametrize(
    ("library", "kind"),
    [(library, kind) for library, kinds in (("pandas", PANDAS), ("Polars", POLARS)) for kind in kinds],
)
def test_columns_of_every_type(library, kind):
    changed = {"pandas": PANDAS, "Polars": POLARS}[library][kind]
    assert held(Party(changed(FRAMES[library](DATA)), DOMAIN, label="class")) == CODES


MARK = 7391
AGES = {
    "pandas": {
        "None": pd.Series([MARK, None]),
        "NaN": pd.Series([MARK, np.nan]),
        "NA": pd.Series([MARK, pd.NA], dtype="Int64"),
        "NA among objects": pd.Series([MARK, pd.NA], dtype=object),
        "NaT": pd.Series([MARK, pd.NaT], dtype=object),
        "text": pd.Series([MARK, "7391"], dtype=object),
        "list": pd.Series([MARK, [MARK]], dtype=object),
        "truth": pd.Series([MARK, True], dtype=object),
        "infinite": pd.Series([MARK, np.inf]),
    },
    "Polars": {
        "None": pl.Series([MARK, None]),
        "NaN": pl.Series([float(MARK), float("nan")]),
        "object": pl.Series([MARK, "7391"], dtype=pl.Object),
    },
}

WHOLE = {
    "pandas": {
        "text": pd.Series(["7391", "7391"]),
        "dates": pd.Series(pd.to_datetime(["2020-07-03", None])),
        "truth": pd.Series([True, False]),
        "complex": pd.Series([7391j, 0]),
        "categories": pd.Series(["7391", "7391"], dtype="category"),
    },
    "Polars": {
        "text": pl.Series(["7391", "7391"]),
        "dates": pl.Series([datetime.date(2020, 7, 3), None]),
        "truth": pl.Series([True, False]),
        "durations": pl.Series([datetime.timedelta(MARK), None]),
        "lists": pl.Series([[MARK], [MARK, 1]]),
    },
}


def frame_with(library, ages):
    data = {"ward": ["A", "B"], "class": ["ill", "well"]}
    return pd.DataFrame({**data, "age": ages}) if library == "pandas" else pl.DataFrame({**data, "age": ages})


@pytest.mark.parametrize(
    ("library", "kind", "row"),
    [(library, kind, row) for row, cases in ((1, AGES), (0, WHOLE)) for library in cases for kind in cases[library]],
)
def test_what_is_no_number_is_refused_by_row_and_column(library, kind, row):
    frame = frame_with(library, (AGES if row else WHOLE)[library][kind])
    for call in (
        lambda: Party(frame, DOMAIN, label="class"),
        lambda: DOMAIN.encode(frame),
        lambda: fit_cart(frame[["age"]], ["ill", "well"]),
    ):
        with pytest.raises(ValueError) as caught:
            call()
        assert f"row {row}, column 'age': expected" in str(caught.value) and "7391" not in str(caught.value)
    assert DOMAIN.check(frame, label="class").columns[0].missing + DOMAIN.check(frame).columns[0].unfit > 0


@pytest.mark.parametrize(
    "wards",
    [
        pd.Series(["A", None]),
        pd.Series(["A", np.nan], dtype=object),
        pd.Series(["A", pd.NA], dtype="string"),
        pd.Series(["A", pd.NA], dtype=object),
        pd.Series(["A", "7391"], dtype="category"),
        pd.Series(["A", ["B"]], dtype=object),
        pl.Series(["A", None]),
        pl.Series(["A", "7391"]),
        pl.Series(["A", None], dtype=pl.Categorical),
    ],
    ids=str,
)
def test_what_is_no_category_is_refused_by_row_and_column(wards):
    frame = (pd if isinstance(wards, pd.Series) else pl).DataFrame({"age": [1, 2], "ward": wards})
    with pytest.raises(ValueError, match="row 1, column 'ward': ") as caught:
        Party(frame, DOMAIN, labels=["ill", "well"])
    assert "7391" not in str(caught.value)


@pytest.mark.parametrize(
    ("frame", "name"),
    [
        (frame_with("Polars", pl.Series([{"v": MARK}, {"v": 1}])), "row 0, column 'age': expected a number$"),
        (pd.DataFrame([[63, "A"]]), "'age', 'ward'.* not named"),
        (pd.DataFrame([[63, "A"]], columns=pd.MultiIndex.from_tuples([("age", "x"), ("ward", "x")])), "not named"),
        (pd.DataFrame([[63, 17, "A"]], columns=["age", "age", "ward"]), "column 'age' .*more than once"),
        (pd.DataFrame({"Age": [1], "ward": ["A"]}), "column 'Age' .*perhaps"),
        (pl.DataFrame({"age ": [1], "ward": ["A"]}), "column 'age ' .*perhaps"),
        (pl.DataFrame(DATA).lazy(), "LazyFrame"),  # no table yet
    ],
)
def test_columns_that_are_none_are_named(frame, name):
    """Structures; numbers that pandas gives, tuples of several levels, a name that stands twice or is written so."""
    with pytest.raises(ValueError, match=name):
        DOMAIN.encode(frame)


@pytest.mark.parametrize("library", FRAMES)
@pytest.mark.parametrize("sites", [["s", "n", "s"], [10, 9, 10]])
def test_parties_of_a_frame(library, sites):
    frame = FRAMES[library]({**DATA, "site": sites})
    parties = parties_from_frame(frame, DOMAIN, label="class", by="site")
    assert [party.name for party in parties] == list(map(str, sorted(set(sites))))
    assert [held(party) for party in parties] == [([[0, 1]], [0]), ([[2, 0], [3, 0]], [1, 1])]


@pytest.mark.parametrize("library", FRAMES)
def test_a_tree_takes_the_frames_that_parties_take(library):
    frame = FRAMES[library](DATA)
    for tree in (
        fit_cart(frame, frame["class"], grid=DOMAIN),
        fit_cart(frame[["id", "age"]], frame["class"]),
    ):
        assert tree.predict(frame).tolist() == DATA["class"] and tree.score(frame, frame["class"]) == 1
    assert tree.feature_names == ("id", "age")


def test_labels_of_another_order_are_refused():
    """pandas says in which order rows are; two that differ are not put side by side by their places."""
    rows = pd.DataFrame({"age": [30, 60], "ward": ["A", "B"]})
    labels = pd.Series(["ill", "well"], index=[1, 0])
    with pytest.raises(ValueError, match="labels"):
        Party(rows, DOMAIN, labels=labels)
    Party(rows, DOMAIN, labels=labels.reset_index(drop=True))


FRAME = {"age": [63, 17, 99], "ward": ["A", "B", "B"], "id": [7, 8, 9], "class": ["ill", "well", "ill"]}


def of_sites(sites, frame=FRAME, **options):
    return parties_from_frame({**frame, "site": sites}, DOMAIN, **{"label": "class", "by": "site", **options})


def listed(found):
    return [(party.name, party._codes.tolist(), party._labels.tolist()) for party in found]


NORTH, SOUTH = [[0, 1]], [[2, 0], [3, 1]]


@pytest.mark.parametrize(
    ("sites", "names"),
    [
        (["s", "n", "s"], ["n", "s"]),
        (["s", 9, "s"], ["9", "s"]),
        ([10, 9, 10], ["9", "10"]),
        (["s", -1, "s"], ["-1", "s"]),
        (["ä b", "A", "ä b"], ["A", "ä b"]),
    ],
)
def test_every_site_has_its_rows(sites, names):
    """In the order of numbers, then of names."""
    assert listed(of_sites(sites)) == [(names[0], NORTH, [0]), (names[1], SOUTH, [1, 1])]


def test_sites_that_are_fixed_beforehand_come_as_they_are_given():
    found = of_sites(["s", "n", "s"], parties=iter(["s", "nobody", "n"]))
    assert listed(found) == [("s", SOUTH, [1, 1]), ("nobody", [], []), ("n", NORTH, [0])]
    assert listed(of_sites(["s"] * 3, parties=("s",))) == [("s", [[2, 0], [0, 1], [3, 1]], [1, 0, 1])]
    empty = {name: [] for name in FRAME}
    assert listed(of_sites([], empty, parties=[])) == [] and listed(of_sites([], empty)) == []
    assert listed(of_sites([], empty, parties=["a", 7])) == [("a", [], []), ("7", [], [])]


def test_columns_that_can_be_read_once_are_read_once():
    """And for every party; columns that are not needed are not read."""
    asked = []

    def column(name):
        asked.append(name)
        return iter({**FRAME, "site": ["s", "n", "s"]}[name])

    table = Named(("age", "ward", "id", "class", "site"), column)
    found = parties_from_frame(table, DOMAIN, label="class", by="site")
    assert listed(found) == [("n", NORTH, [0]), ("s", SOUTH, [1, 1])]
    assert sorted(asked) == ["age", "class", "site", "ward"]


@pytest.mark.parametrize(
    ("changed", "place"),
    [
        ({"site": ["s", "n", 0.5]}, "the frame visit 2, column 'site'"),
        ({"ward": ["A", "B", "C"]}, "s visit 2, column 'ward'"),
    ],
)
def test_rows_are_called_as_their_table_calls_them(changed, place):
    columns = {**FRAME, "site": ["s", "n", "s"], **changed}
    table = Named(("age", "ward", "class", "site"), columns.get, "visit {}".format)
    with pytest.raises(ValueError, match=f"^{place}: "):
        parties_from_frame(table, DOMAIN, label="class", by="site")


@pytest.mark.parametrize(("n", "most"), [(12, 10), (20, 10), (21, 10), (22, 11), (24, 12), (60, 30)])
def test_more_names_than_sites_have_are_persons(n, most):
    """Ten, or one for two rows; if they are given, as many as one likes."""
    frame = {"age": [50] * n, "ward": ["A"] * n, "class": ["ill"] * n}
    assert len(of_sites([i % most for i in range(n)], frame)) == most
    sites = [i % (most + 1) for i in range(n)]
    with pytest.raises(ValueError, match=f"'site' has {most + 1} values in {n} rows"):
        of_sites(sites, frame)
    assert len(of_sites(sites, frame, parties=range(most + 1))) == most + 1
