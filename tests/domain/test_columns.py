"""What is read from a column is of the types that are promised, whatever it came in; what does not fit is NaN."""

import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fdpedu.accounting import Ledger
from fdpedu.claims.strategies import tables
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.domain.columns import FITS, INFINITE, MISSING, UNFIT, as_cells, members_of, numbers_of
from fdpedu.federation import ClassCounts, Federation, NodeHistograms, Party
from fdpedu.randomness import ZeroWords
from tests.support.odd_cells import MARK, ODD, is_number, messages
from tests.support.tables import BY_POSITION, DOMAIN, EVERY, NAMES, held, objects

AGE = Numeric.grid("age", 0, 100, bins=4)


class Broken:
    """A column whose cells nobody can have."""

    def __iter__(self):
        raise RuntimeError("secret")

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
    assert set(faults.tolist()) <= {FITS, MISSING, UNFIT, INFINITE}


def test_a_column_that_has_no_array_is_named_by_its_type():
    with pytest.raises(ValueError, match=r"rows, column 'age'.*Broken") as caught:
        as_cells(Broken(), "rows, column 'age'")
    assert not any("secret" in text for text in messages(caught.value))


def test_a_long_float_beyond_all_floats_is_infinite_and_no_warning():
    column = np.array([1, "1e4000"], dtype=np.longdouble)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert numbers_of(column)[1].tolist() == [FITS, INFINITE]


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


def an_odd_table(kind, rows, i, j, number):
    """Whatever of ``ODD`` stands in a cell is read right, or refused by its place; then a round goes as ever."""
    rows = [list(row) for row in rows]
    rows[i][j] = cell = ODD[number]
    fits = is_number(cell) if j == 0 else False
    table = EVERY[kind](rows, NAMES)
    try:
        party = Party(table, DOMAIN, **({} if kind in BY_POSITION else {"label": "class"}))
    except ValueError as error:
        assert not fits
        place = f"party row {i}, " + ("the class" if j == 2 else f"column '{NAMES[j]}'")
        assert str(error).startswith(place)
        assert not any(MARK in message for message in messages(error))
        report = DOMAIN.check(EVERY[kind](rows, NAMES), label="class")
        assert not report.ok and MARK not in str(report) and MARK not in report._repr_html_()
        return
    assert fits
    code = sum(Fraction(float(cell)) > edge for edge in (25, 50, 75))
    assert party._codes[i, 0] == code
    federation = Federation([party, Party([], DOMAIN)], DOMAIN, Ledger(1), rng=ZeroWords())
    histograms, counts = federation.release(
        [NodeHistograms(DOMAIN.everything, "1/2"), ClassCounts(DOMAIN.everything, "1/2")]
    )
    assert counts.sum() == len(rows) and sum(np.sum(part) for part in histograms) == 2 * len(rows)


odd_tables = st.tuples(
    st.sampled_from(sorted(EVERY)),
    tables(DOMAIN, least=1, most=4),
    st.integers(0, 3),
    st.integers(0, 2),
    st.integers(0, len(ODD) - 1),
).map(lambda case: (case[0], case[1], case[2] % len(case[1]), *case[3:]))


@pytest.mark.filterwarnings("ignore::fdpedu.federation.ClippedWarning")
def test_odd_cells_are_read_right_or_refused_by_their_place(request):
    """A thousand tables with something odd in one cell, thirty thousand with --deep."""
    many = 30_000 if request.config.getoption("--deep") else 1000
    quiet = settings(max_examples=many, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    quiet(given(odd_tables)(lambda case: an_odd_table(*case)))()


@pytest.mark.filterwarnings("ignore::fdpedu.federation.ClippedWarning")
@pytest.mark.parametrize("kind", ["lists", "a frame"])
@pytest.mark.parametrize("number", range(len(ODD)), ids=lambda number: type(ODD[number]).__name__)
def test_each_odd_cell_is_read_right_or_refused(number, kind):
    """In each kind of column, at least once."""
    for j in range(3):
        an_odd_table(kind, [[17, "A", "ill"], [63, "B", "well"]], 1, j, number)


@pytest.mark.parametrize("dtype", ["M8[D]", "m8[D]", "S3", "U3", "?", "V8", "M8[ns]"])
def test_arrays_of_other_types_hold_neither_numbers_nor_categories(dtype):
    column = np.zeros(2, dtype=dtype)
    for domain in (Domain([Numeric.grid("x", 0, 1)], (0, 1)), Domain([Categorical("x", (0, 5))], (0, 1))):
        for table in (column.reshape(2, 1), {"x": column}):
            with pytest.raises(ValueError, match="rows row 0, column 'x'"):
                domain.encode(table)


@pytest.mark.parametrize("missing", ["age", "ward", "class"])
def test_a_masked_cell_is_missing(missing):
    """Whatever lies under the mask; in tables, in columns by name, and in labels."""
    cells = {"age": np.ma.array([17, 63]), "ward": np.ma.array(["A", "B"]), "class": np.ma.array(["ill", "well"])}
    whole = Party(dict(cells), DOMAIN, label="class")
    cells[missing] = np.ma.array(cells[missing].data, mask=[False, True])
    place = "row 1, the class" if missing == "class" else f"row 1, column '{missing}'"
    square = np.ma.array(
        [objects([cells[n].data[i] for n in NAMES]) for i in range(2)], mask=[[0, 0, 0], [n == missing for n in NAMES]]
    )
    ages = np.ma.array([[17.0], [63.0]], mask=[[False], [True]])
    calls = [
        lambda: Party(cells, DOMAIN, label="class"),
        lambda: Party({n: cells[n] for n in NAMES[:2]}, DOMAIN, labels=cells["class"]),
        lambda: Party(square, DOMAIN),
        lambda: Party(square[:, :2], DOMAIN, labels=cells["class"]),
    ]
    for call in calls:
        with pytest.raises(ValueError, match=place):
            call()
    with pytest.raises(ValueError, match="row 1, column 'age'"):
        DOMAIN.select(["age"]).encode(ages)
    assert held(whole) == ([[0, 0], [2, 1]], [1, 0])
