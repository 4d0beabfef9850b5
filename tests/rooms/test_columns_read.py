"""What is read from a column is of the types that are promised, whatever it came in; what does not fit is NaN."""

import warnings
from decimal import Decimal

import numpy as np
import pytest

from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.domain.columns import FITS, MISSING, UNFIT, as_cells, members_of, numbers_of
from fdpedu.domain.tables import width_of
from tests.support.tables import Frame, objects

AGE = Numeric.grid("age", 0, 100, bins=4)


class Liar(np.ndarray):
    """An array that gives other numbers than it holds when it is asked in words of its own."""

    def astype(self, *_, **__):
        return np.full(self.shape, 99.0)

    def tolist(self):
        return [99.0] * len(self)


class Broken:
    """A column whose cells nobody can have."""

    def __iter__(self):
        return iter(())

    def __array__(self, dtype=None, copy=None):
        raise RuntimeError("secret")


COLUMNS = [
    [1, 2.5, 3],
    [1, None, "x"],
    [1, Decimal("2.5"), 10**400],
    np.array([1, 2, 3]),
    np.array([1.0, np.inf, np.nan]),
    np.array(["1", "x", ""]),
    np.array([True, False, True]),
    np.array([1, None, "x"], dtype=object),
    np.ma.array([1.0, 2.0, 3.0], mask=[False, True, False]),
    np.ma.array([1, "x", None], mask=[True, False, False], dtype=object),
    [],
]


@pytest.mark.parametrize("number", range(len(COLUMNS)))
def test_values_faults_and_codes_have_their_types(number):
    """Floats, and bytes for faults and codes; a value is NaN iff its cell has a fault."""
    cells = as_cells(COLUMNS[number], "rows")
    values, faults = numbers_of(cells)
    assert (values.dtype, faults.dtype) == (np.float64, np.uint8)
    assert np.isnan(values).tolist() == (faults != FITS).tolist()
    codes, faults = members_of(cells, (1, 2.0, "x"))
    assert (codes.dtype, faults.dtype) == (np.uint8, np.uint8)
    assert set(faults.tolist()) <= {FITS, MISSING, UNFIT}


def test_an_array_of_a_type_of_its_own_is_an_array():
    """It is read by what it holds, and not by what it says."""
    column = np.array([10.0, 30.0]).view(Liar)
    assert type(as_cells(column, "rows")) is np.ndarray
    assert Domain([AGE], (0, 1)).encode({"age": column}).tolist() == [[0], [1]]
    assert members_of(as_cells(column, "rows"), (30.0, 10.0, 99.0))[0].tolist() == [1, 0]


def test_a_column_that_has_no_array_is_told_by_its_type():
    with pytest.raises(ValueError) as caught:
        as_cells(Broken(), "rows, column 'age'")
    assert str(caught.value) == "rows, column 'age': cannot be read as a column of values (Broken)"


def test_a_long_float_beyond_all_floats_is_infinite_and_no_warning():
    column = np.array([1, "1e4000"], dtype=np.longdouble)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert numbers_of(column)[1].tolist() == [FITS, MISSING]


@pytest.mark.parametrize("unit", ["ns", "us", "D"])
@pytest.mark.parametrize("kind", ["m8", "M8"])
def test_a_time_is_no_integer(kind, unit):
    """Although NumPy would make one of it."""
    column = np.array([1, 2], dtype=np.int64).astype(f"{kind}[{unit}]")
    assert members_of(column, (1, 2))[1].tolist() == [UNFIT, UNFIT]
    assert numbers_of(column)[1].tolist() == [UNFIT, UNFIT]


@pytest.mark.parametrize("nothing", [np.nan, np.float32("nan"), Decimal("nan"), None, np.ma.masked])
def test_nothing_is_a_missing_category(nothing):
    found = members_of(as_cells([nothing, "A", "C"], "rows"), ("A", "B"))
    assert [part.tolist() for part in found] == [[0, 0, 0], [MISSING, FITS, UNFIT]]


def test_a_mask_hides_its_own_cells_only():
    column = np.ma.array([1, "x", None, 2], mask=[True, False, False, False], dtype=object)
    assert numbers_of(column)[1].tolist() == [MISSING, UNFIT, MISSING, FITS]
    assert members_of(column, (1, 2))[1].tolist() == [MISSING, UNFIT, MISSING, FITS]
    assert members_of(column, (1, 2))[0].tolist()[-1] == 1


def test_nothing_of_a_category_lies_outside():
    assert Categorical("ward", ("A", "B")).outside(["A", "B", "A"]) == 0


# Tables


class Arrow(Frame):
    """A table whose ``columns`` are its cells, and whose names are elsewhere."""

    @property
    def columns(self):
        return [column for _, column in self._columns]

    @property
    def column_names(self):
        return [name for name, _ in self._columns]


def test_a_table_whose_names_are_elsewhere():
    table = Arrow([("ward", ["B", "A"]), ("age", [17, 63])])
    assert Domain([AGE, Categorical("ward", ("A", "B"))], (0, 1)).encode(table).tolist() == [[0, 1], [2, 0]]


def test_a_matrix_is_a_table():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PendingDeprecationWarning)
        table = np.matrix([[17, 63], [63, 17]])
    assert Domain([AGE, Numeric.grid("weight", 0, 50, bins=2)], (0, 1)).encode(table).tolist() == [[0, 1], [2, 0]]


def test_an_array_of_rows_is_a_list_of_rows():
    domain = Domain([AGE, Categorical("ward", ("A", "B"))], (0, 1))
    for rows in ([[17, "A"], [63, "B"]], [{"ward": "A", "age": 17}, {"age": 63, "ward": "B"}]):
        assert domain.encode(objects(rows)).tolist() == domain.encode(rows).tolist() == [[0, 0], [2, 1]]


def test_a_table_of_nothing_has_no_width():
    assert width_of([]) is None and width_of([()]) == 0 and width_of(np.zeros((0, 3))) == 3
    assert Domain([AGE], (0, 1)).check([]).ok


@pytest.mark.parametrize(
    ("edge", "kind"), [(120.0, int), (-7.0, int), (0.5, float), (2.0**53 - 1, int), (2.0**53, float), (2.0**60, float)]
)
def test_a_whole_number_is_written_as_one_where_floats_hold_all_of_them(edge, kind):
    """Up to 2⁵³; from there on not every whole number is a float."""
    written = Domain([Numeric("x", (-100, edge / 2 if edge > 0 else -50, edge))], (0, 1)).to_spec()["features"]["x"]
    last = written[1] if isinstance(written, list) else written["edges"][-1]
    assert type(last) is kind and last == edge
