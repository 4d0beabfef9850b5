"""A value that is set to null is missing, whatever table it stands in; what hides a mask or a unit is refused."""

import numpy as np
import numpy.ma.mrecords
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.cart import fit_cart
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.domain.columns import as_cells
from fdpedu.domain.tables import as_table
from fdpedu.estimators import FederatedTreeClassifier
from fdpedu.federation import Party, parties_from_frame
from fdpedu.randomness import Rehearsal
from tests.support.tables import Arrow, Covered, Frame, Pint, Quantity, Unheard, held, masked

WARDS, GRADES, CLASSES = ("A", "B", "C"), (2**53, 2**53 + 1, 7), ("well", "ill")
NAMES = ("age", "ward", "grade", "days", "class", "site")
ROW = st.tuples(
    st.integers(0, 90),
    st.sampled_from(WARDS),
    st.sampled_from(GRADES),
    st.integers(0, 9),
    st.sampled_from(CLASSES),
    st.sampled_from(("north", "south")),
)


def domain(missing, target=False):
    features = [
        Numeric.grid("age", 0, 90, 3, missing=missing),
        Categorical("ward", WARDS, missing=missing),
        Categorical("grade", GRADES, missing=missing),
    ]
    return Domain(features, None if target else CLASSES, target=Numeric.grid("days", 0, 8, 4) if target else None)


def framed(column):
    return lambda table: Frame([(name, column(name, cells)) for name, cells in table.items()])


NUMBERS = ("age", "grade", "days")
TABLES = {
    "lists": dict,
    "records": lambda table: [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)],
    "pandas": lambda table: pd.DataFrame({n: pd.Series(c, dtype=object) for n, c in table.items()}),
    "nullable": lambda table: pd.DataFrame(
        {n: pd.Series(c, dtype="Int64" if n in NUMBERS else "string") for n, c in table.items()}
    ),
    "pandas categories": lambda table: pd.DataFrame({n: pd.Categorical(c) for n, c in table.items()}),
    "Polars": pl.DataFrame,
    "Polars categories": lambda table: pl.DataFrame(table).with_columns(pl.col(pl.String).cast(pl.Categorical)),
    "Arrow": framed(lambda name, cells: Arrow(cells)),
    "Arrow dictionaries": framed(lambda name, cells: Arrow(cells, dictionary=True)),
    "a library unheard of": framed(lambda name, cells: Unheard(cells)),
    "masked arrays": lambda table: {name: masked(cells) for name, cells in table.items()},
    "a masked array with names": lambda table: np.ma.array(
        list(zip(*({n: masked(c).data.tolist() for n, c in table.items()}).values(), strict=True)),
        mask=list(zip(*([cell is None for cell in c] for c in table.values()), strict=True)),
        dtype=[(name, "i8" if name in NUMBERS else object) for name in table],
    ),
}


@pytest.mark.parametrize("kind", TABLES)
@settings(max_examples=10, deadline=None)
@given(st.lists(ROW, min_size=3, max_size=6), st.data())
def test_null_is_a_missing_value(kind, rows, data):
    """Of a feature it has the code for these, or is refused; as a label, a target or a site it is refused."""
    at, where = data.draw(st.integers(0, len(rows) - 1)), data.draw(st.sampled_from(NAMES))
    cells = [list(row) for row in rows]
    cells[at][NAMES.index(where)] = None
    table = TABLES[kind]({name: [row[j] for row in cells] for j, name in enumerate(NAMES)})
    plain, gaps, numbers = domain(False), domain(True), domain(False, target=True)
    expected = gaps.encode([row[:3] for row in cells]).tolist()
    assert gaps.encode(table).tolist() == expected
    if where in NAMES[:3]:
        assert expected[at][NAMES.index(where)] == gaps.features[NAMES.index(where)].n_codes - 1
        refused = [lambda: plain.encode(table), lambda: Party(table, plain, label="class")]
        (report,) = [column for column in plain.check(table, "class").columns if column.name == where]
        assert (report.missing, report.unfit) == (1, 0)
    elif where == "class":
        column = as_table(table, "p").column("class")
        refused = [lambda: Party(table, plain, label="class"), lambda: plain.encode_labels(column)]
    elif where == "days":
        refused = [lambda: Party(table, numbers, label="days")]
    else:
        refused = [lambda: parties_from_frame(table, plain, label="class", by="site", parties=["north", "south"])]
    for ask in refused:
        with pytest.raises(ValueError, match=rf"row {at}, .*must be filled in or its row left out"):
            ask()


@pytest.mark.filterwarnings("ignore")
def test_a_model_predicts_the_same_for_one_row_in_every_table():
    rng = np.random.default_rng(5)
    rows = [[int(a), WARDS[w], GRADES[g]] for a, w, g in rng.integers(0, [90, 3, 3], (200, 3))]
    for row, column in zip(rows, rng.integers(0, 6, 200), strict=True):
        row[column % 3] = None if column < 3 else row[column % 3]
    labels = [CLASSES[row[1] in (None, "B")] for row in rows]
    model = FederatedTreeClassifier(domain(True), epsilon=50, rng=Rehearsal(3)).fit(rows, labels)
    expected = model.predict(rows).tolist()
    assert len(set(expected)) == 2
    for kind, table_of in TABLES.items():
        table = table_of({name: [row[j] for row in rows] for j, name in enumerate(NAMES[:3])})
        assert model.predict(table).tolist() == expected, kind


UNITS = {
    "of astropy": lambda cells: np.array(cells).view(Quantity),
    "of pint": Pint,
    "a mask not of NumPy": lambda cells: np.array(cells).view(Covered),
}


@pytest.mark.parametrize("kind", UNITS)
def test_what_has_a_unit_or_another_mask_is_refused(kind):
    """As a column, in a table, as a table, as labels; and each of its cells alone is no number."""
    age, made = Domain([Numeric.grid("age", 0, 90, 3)], (0, 1)), UNITS[kind]
    for ask in (
        lambda: as_cells(made([1.0, 0.0]), "p"),
        lambda: age.encode({"age": made([1.0, 0.0])}),
        lambda: age.encode(made([[1.0], [0.0]])),
        lambda: age.encode_labels(made([1, 0])),
        lambda: age.features[0].encode(made([1.0, 0.0])),
        lambda: Party([[1], [2]], age, labels=made([1, 0])),
        lambda: fit_cart(made([[1.0], [2.0]]), [0, 1]),
        lambda: FederatedTreeClassifier(age).fit(made([[1.0], [2.0]]), [0, 1]),
        lambda: age.encode([[np.array(1.0).view(Quantity)]]),
    ):
        with pytest.raises(ValueError, match=r"unit|expected a number"):
            ask()


def test_a_masked_array_that_something_makes_of_itself_keeps_its_mask():
    class Maker:
        def __array__(self, dtype=None, copy=None):
            return np.ma.array([1, 2], mask=[True, False])

    assert as_cells(Maker(), "p").tolist() == [None, 2]


def test_a_feature_by_itself_refuses_what_it_cannot_encode():
    """Also what is masked, or not a number: it has no last bin to go to."""
    age, ward = domain(False).features[:2]
    for feature, column in (
        (age, [1, None]),
        (age, masked([None, 1])),
        (ward, ["A", None]),
        (ward, masked(["A", None])),
    ):
        with pytest.raises(ValueError, match=f"column '{feature.name}'"):
            feature.encode(column)
    assert domain(True).features[0].encode(masked([None, 1])).tolist() == [3, 0]


@pytest.mark.parametrize("kind", ["pandas", "Arrow dictionaries", "masked arrays"])
def test_labels_in_every_form_are_what_a_party_holds(kind):
    table = TABLES[kind]({"class": ["ill", "well", "ill"]})
    column = as_table(table, "p").column("class")
    assert held(Party([[1], [2], [3]], Domain([Numeric.grid("age", 0, 90, 3)], CLASSES), labels=column))[1] == [1, 0, 1]


def test_masked_arrays_of_a_kind_of_numpys_own_keep_their_masks():
    """Records with masks."""
    records = np.ma.array([(1,), (2,)], mask=[(True,), (False,)], dtype=[("age", "i8")]).view(
        np.ma.mrecords.MaskedRecords
    )
    with pytest.raises(ValueError, match="row 0, column 'age'"):
        Domain([Numeric.grid("age", 0, 90, 3)], (0, 1)).encode(records)
