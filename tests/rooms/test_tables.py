"""Tables of every kind give the same records; what does not fit is refused by row and column, and never by value."""

import datetime
import math
import warnings
from decimal import Decimal
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fdpedu.accounting import Ledger
from fdpedu.cart import fit_cart
from fdpedu.claims.strategies import domains, domains_with_parties, tables
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import ClassCounts, ClippedWarning, Federation, NodeHistograms, Party, parties_from_frame
from fdpedu.randomness import ZeroWords
from tests.support.tables import BY_NAME, BY_POSITION, DICTIONARIES, EVERY, Frame, Series, objects

DOMAIN = Domain([Numeric.grid("age", 0, 100, bins=4), Categorical("ward", ("A", "B"))], ("well", "ill"))
NAMES = ["age", "ward", "class"]


def held(party):
    """What a party counts, record by record."""
    return party._codes.tolist(), party._labels.tolist()


def turned(table_of, rows, names, data):
    """The table with its columns in some other order, and with one that nobody asked for."""
    order = data.draw(st.permutations(range(len(names) + 1)))
    wider = [[*row, object()] for row in rows]
    return table_of([[row[j] for j in order] for row in wider], [[*names, "id"][j] for j in order])


# --- kinds of tables --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", EVERY)
@settings(max_examples=25, deadline=None)
@given(st.data())
def test_every_kind_of_table_gives_the_same_records(kind, data):
    """The codes are those that one gets from each record on its own; by name, in any order of columns."""
    domain = data.draw(domains())
    rows = data.draw(tables(domain, least=int(kind in DICTIONARIES)))
    names = [*(feature.name for feature in domain.features), "class"]
    codes = [[domain.features[j].encode([x])[0] for j, x in enumerate(row[:-1])] for row in rows]
    expected = codes, [domain.classes.index(row[-1]) for row in rows]
    if kind in BY_POSITION:
        assert held(Party(EVERY[kind](rows, names), domain)) == expected
        features = EVERY[kind]([row[:-1] for row in rows], names[:-1])
        assert held(Party(features, domain, labels=[row[-1] for row in rows])) == expected
    else:
        assert held(Party(turned(EVERY[kind], rows, names, data), domain, label="class")) == expected
        unlabelled = turned(EVERY[kind], [row[:-1] for row in rows], names[:-1], data)
        assert held(Party(unlabelled, domain, labels=(row[-1] for row in rows))) == expected
        if rows:
            assert domain.encode(turned(EVERY[kind], rows, names, data)).tolist() == codes


@pytest.mark.parametrize("dtype", ["i1", "u2", "i8", "f2", "f4", "f8", "g", "O"])
def test_numbers_of_every_type_are_the_same_numbers(dtype):
    numbers = np.array([[0, 3], [50, 100], [7, 60]], dtype=dtype)
    domain = Domain([Numeric.grid("x", 0, 100, 7), Numeric.grid("y", 0, 100, 3)], (0, 1))
    expected = domain.encode([[0, 3], [50, 100], [7, 60]]).tolist()
    for table in (numbers, np.asfortranarray(numbers), numbers.tolist(), dict(zip("xy", numbers.T, strict=True))):
        assert domain.encode(table).tolist() == expected
    assert numbers.tolist() == np.array([[0, 3], [50, 100], [7, 60]], dtype=dtype).tolist()  # nothing was written


def test_a_large_integer_is_the_category_that_it_is():
    """No way through floats, where it would be its neighbour."""
    domain = Domain([Categorical("id", (2**53, 2**53 + 1)), Numeric.grid("x", 0, 1)], (0, 1))
    for rows in ([[2**53 + 1, 0.5]], np.array([[2**53 + 1, 0]]), {"id": [2**53 + 1], "x": [0.5]}):
        assert domain.encode(rows)[0, 0] == 1


# --- cells ------------------------------------------------------------------------------------------------------------

MARK = "7391"


class Odd:
    """It fails in whatever it is asked, and says its value."""

    def fail(self, *_):
        raise RuntimeError(MARK)

    __float__ = __hash__ = __eq__ = __bool__ = __len__ = __iter__ = __array__ = __repr__ = __str__ = fail


class OddFloat(float):
    """A number that cannot be compared."""

    def fail(self, *_):
        raise RuntimeError(MARK)

    __hash__ = __eq__ = __repr__ = fail


class NAType:
    """As pandas' NA: neither true nor false, equal to nothing."""

    def __bool__(self):
        raise TypeError("boolean value of NA is ambiguous")

    def __eq__(self, other):
        return self

    __hash__ = object.__hash__


NOTHING = [None, math.nan, np.float32("nan"), Decimal("nan"), Decimal("sNaN"), NAType(), np.ma.masked, -math.inf]
UNFIT = [
    MARK,
    f"{MARK}.5",
    b"7391",
    "",
    [73.91],
    (7391,),
    [],
    {MARK: 7391},
    {7391},
    complex(7391, 1),
    True,
    np.True_,
    np.array(7391.0),
    np.array([7391.0, 7391.0]),
    np.datetime64("2020-07-03"),
    np.timedelta64(7391, "D"),
    datetime.date(1973, 9, 1),
    datetime.timedelta(7391),
    Odd(),
    type,
]
NUMBERS = [0, -7391, 73.91, Fraction(7391, 100), Decimal("73.91"), np.int8(73), np.float16(73), np.longdouble("73.91")]
TOO_LARGE = [10**400 + 7391, Fraction(10**400), Decimal("1e7391"), np.longdouble("1e4000")]
ODD = [*NOTHING, *UNFIT, *TOO_LARGE, *NUMBERS, OddFloat(7.391)]


def messages(error):
    """All that a user could be shown: the error and what it came from."""
    while error is not None:
        yield str(error)
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def is_number(cell):
    """By its type; a truth value is none."""
    wanted = (int, float, Fraction, Decimal, np.integer, np.floating)
    return (
        isinstance(cell, wanted)
        and not isinstance(cell, (bool, np.timedelta64))
        and not any(cell is bad for bad in [*NOTHING, *TOO_LARGE])
    )


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
            with pytest.raises(ValueError, match="rows row 0, column 'x': expected"):
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


# --- names ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (
            {"Age": [1], "ward": ["A"]},
            "p: the table has no column 'age' (its column 'Age' should perhaps be called so)",
        ),
        ({"agee": [1], "id": [7]}, "no column 'age' (its column 'agee' should perhaps be called so), 'ward'"),
        ({"weight": [1], "ward": ["A"]}, "p: the table has no column 'age'"),
        ({}, "p: the table has no column 'age', 'ward'"),
        (Frame([(0, [1]), (1, ["A"])]), "its columns are not named by text: rename them, or give an array"),
        (Frame([(("age", ""), [1]), (("ward", ""), ["A"])]), "its columns are not named by text"),
        (Frame([("age", [1]), ("age", [2]), ("ward", ["A"])]), "column 'age' stands there more than once"),
        ({"age": [1, 2], "ward": ["A"]}, "columns 'age' and 'ward' must have the same number of rows"),
        ({"age": {0: 1}, "ward": ["A"]}, "p, column 'age': expected a sequence, got dict"),
        ({"age": {1}, "ward": ["A"]}, "p, column 'age': expected a sequence, got set"),
        ({"age": "17", "ward": ["A"]}, "p, column 'age': expected a sequence, got str"),
        ({"age": 17, "ward": "A"}, "p, column 'age': expected a sequence, got int"),
        ({"age": np.zeros((1, 2)), "ward": ["A"]}, "p, column 'age': expected one dimension, got 2"),
        ({"age": Odd(), "ward": ["A"]}, "p, column 'age': cannot be read as a column of values"),
        (SimpleNamespace(columns=["age", "ward"]), "p: expected a sequence, got SimpleNamespace"),
        ([{"age": 1, "ward": "A"}, [1, "A"]], "p row 1: expected a dictionary, as the other rows are"),
        ([{"age": 1, "ward": "A"}, {"age": 1}], "p row 1, column 'ward': expected one of the 2 public categories"),
        ([{1, "A"}], "p row 0: expected 2 feature values"),
        ([[1, "A"], Odd()], "p row 1: expected 2 feature values"),
        ([np.array(5)], "p row 0: expected 2 feature values"),
        ({1, "A"}, "p: expected a sequence, got set"),
        (np.zeros((1, 2), dtype=[("age", int)]), "p: expected one dimension, got 2"),
    ],
)
def test_what_is_wrong_with_a_table_is_told_by_its_names(table, message):
    with pytest.raises(ValueError) as caught:
        Party(table, DOMAIN, labels=["ill"], name="p")
    assert message in str(caught.value) and not any(MARK in text for text in messages(caught.value))


TABLE = {"age": [63], "ward": ["A"], "class": ["ill"]}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Party(TABLE, DOMAIN), "give label=, the name of the column of classes, or labels=, the classes"),
        (lambda: Party(TABLE, DOMAIN, label="class", labels=["ill"]), "not both"),
        (lambda: Party(TABLE, DOMAIN, label="Class"), "no column 'Class' (its column 'class' should perhaps"),
        (lambda: Party(TABLE, DOMAIN, label="age"), "got that of the feature 'age'"),
        (lambda: Party(TABLE, DOMAIN, label=2), "label must be the name of a column, got int"),
        (lambda: Party([[63, "A", "ill"]], DOMAIN, label="class"), "the rows have no names, so no column 'class'"),
        (lambda: Party(TABLE, DOMAIN, labels=["ill"] * 2), "there must be as many labels as rows"),
        (lambda: Party(TABLE, DOMAIN, labels={"ill"}), "expected a sequence, got set"),
        (lambda: parties_from_frame([[63]], DOMAIN, label="class", by="ward"), "frame must be a table with names"),
        (lambda: parties_from_frame(TABLE, "domain", label="class", by="ward"), "domain must be a Domain, got str"),
        (lambda: parties_from_frame(TABLE, DOMAIN, label="class", by="site"), "the table has no column 'site'"),
    ],
)
def test_where_the_class_stands_is_said_once(make, message):
    with pytest.raises(ValueError) as caught:
        make()
    assert message in str(caught.value)


def test_a_party_without_rows_needs_no_names():
    assert (
        held(Party([], DOMAIN, label="class")) == held(Party({n: [] for n in NAMES}, DOMAIN, label="class")) == ([], [])
    )


# --- what is clipped --------------------------------------------------------------------------------------------------


@given(st.integers(0, 30), st.integers(1, 30), st.booleans())
def test_a_party_warns_of_a_column_clipped_beyond_a_twentieth(outside, inside, named):
    """Exactly then; it says which column and how much, and nothing of a value."""
    rows = [[-5 if i % 2 else 7391, "A"] for i in range(outside)] + [[50, "A"]] * inside
    table = BY_NAME["lists by name"](rows, NAMES[:2]) if named else rows
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        party = Party(table, DOMAIN, labels=["ill"] * len(rows), name="north")
    assert party.clipped == {"age": outside, "ward": 0}
    assert len(caught) == (20 * outside > len(rows))
    for warning in caught:
        told = str(warning.message)
        assert warning.category is ClippedWarning and warning.filename == __file__
        assert told.startswith("north: ") and f"{outside / len(rows):.0%} of 'age'" in told and "7391" not in told
        assert ("order" in told) == (not named) and "Seen by you only" in told


def test_swapped_columns_are_noticed():
    """Without names they are two columns of numbers, and only the ranges can tell."""
    domain = Domain([Numeric.grid("age", 0, 100), Numeric.grid("cholesterol", 100, 400)], (0, 1))
    rows, labels = [[63, 240], [17, 180]], [0, 1]
    Party(rows, domain, labels=labels)
    with pytest.warns(
        ClippedWarning, match="100% of 'age', 100% of 'cholesterol'; are the columns in the domain's order"
    ):
        Party([row[::-1] for row in rows], domain, labels=labels)


# --- what an owner is told --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", sorted(EVERY))
def test_a_report_counts_what_a_party_would_refuse(kind):
    rows = [
        [17, "A", "ill"],
        [-3, "B", "well"],
        [130, "A", "dead"],
        [None, "C", "ill"],
        ["x", None, None],
        [200, "B", 7],
    ]
    report = DOMAIN.check(EVERY[kind](rows, NAMES), label="class")
    found = [(c.rows, c.below, c.above, c.missing, c.unfit, c.ok) for c in report.columns]
    assert found == [(6, 1, 2, 1, 1, False), (6, 0, 0, 1, 1, False), (6, 0, 0, 1, 2, False)]
    assert [column.name for column in report.columns] == [
        "age",
        "ward",
        "the class" if kind in BY_POSITION else "class",
    ]
    assert not report.ok and report.columns[0].told == "refused: 2 rows"
    good = DOMAIN.check(EVERY[kind](rows[:2], NAMES), label="class")
    assert good.ok and [column.told for column in good.columns] == ["clipped: 50.0%", "ok", "ok"]


@settings(deadline=None)
@given(st.sampled_from(sorted(EVERY)), st.data())
def test_a_report_is_fine_iff_a_party_can_be_made(kind, data):
    rows = data.draw(
        st.lists(st.tuples(*[st.sampled_from([7, 130, "A", "ill", None, 0.5])] * 3), min_size=1, max_size=3)
    )
    report = DOMAIN.check(EVERY[kind](rows, NAMES), label="class")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ClippedWarning)
            party = Party(EVERY[kind](rows, NAMES), DOMAIN, **({} if kind in BY_POSITION else {"label": "class"}))
    except ValueError:
        assert not report.ok
    else:
        assert report.ok and [c.below + c.above for c in report.columns] == [*party.clipped.values(), 0]


def test_a_report_shows_names_and_numbers():
    report = DOMAIN.check({"Age": [7391], "ward": ["<i>7391</i>"], "<b>": [7391]}, label="class")
    assert str(report).splitlines() == [
        "column | rows | below | above | missing | unfit |",
        "age    |    – |     – |     – |       – |     – | not there; is it 'Age'?",
        "ward   |    1 |     0 |     0 |       0 |     1 | refused: 1 row",
        "class  |    – |     – |     – |       – |     – | not there",
        "'Age' is no column of the domain and is left out",
        "'<b>' is no column of the domain and is left out",
    ]
    shown = report._repr_html_()
    assert shown.count("<tr>") == 4 and "&lt;b&gt;" in shown and "<b>" not in shown and "7391" not in shown


@pytest.mark.parametrize(
    "table", [7, None, "AB", [[1]], [[1, "A"], [1]], {"age": [1, 2], "ward": ["A"]}, np.zeros((2, 7))]
)
def test_a_table_that_cannot_be_read_has_a_report_too(table):
    report = DOMAIN.check(table)
    assert not report.ok and report.problem and str(report).splitlines()[-1] == report.problem
    assert report.problem in report._repr_html_()


# --- sites ------------------------------------------------------------------------------------------------------------


@settings(max_examples=50, deadline=None)
@given(domains_with_parties(), st.data())
def test_parties_of_a_frame_have_the_rows_of_their_sites(case, data):
    """In sorted order of the sites, whatever the order of rows."""
    domain, parts = case
    sites = data.draw(
        st.permutations([f"site {i}" for i in range(len(parts))] if len(parts) % 2 else range(len(parts)))
    )
    rows = data.draw(st.permutations([[*row, site] for site, part in zip(sites, parts, strict=True) for row in part]))
    names = [*(feature.name for feature in domain.features), "class", "site"]
    frame = BY_NAME[data.draw(st.sampled_from(sorted(BY_NAME)))](rows, names) if rows else {name: [] for name in names}
    if not rows or data.draw(st.booleans()):
        found, expected = parties_from_frame(frame, domain, label="class", by="site", parties=sites), list(sites)
    else:
        found, expected = parties_from_frame(frame, domain, label="class", by="site"), sorted({row[-1] for row in rows})
    assert [party.name for party in found] == list(map(str, expected))
    for party, site in zip(found, expected, strict=True):
        assert held(party) == held(Party([row[:-1] for row in rows if row[-1] == site], domain))


@pytest.mark.parametrize(
    ("change", "options", "message"),
    [
        ({"site": ["n", None, "n"]}, {}, "the frame row 1, column 'site': expected the name of a site"),
        ({"site": ["n", 7.5, "n"]}, {}, "the frame row 1, column 'site': expected the name of a site"),
        ({"site": ["n", "s", "7391"]}, {"parties": ["n", "s"]}, "row 2, column 'site': expected one of the 2 parties"),
        ({}, {"parties": {"n", "s"}}, "parties must be a list of the values of the column, got set"),
        ({}, {"parties": ["n", "n"]}, "parties must be different names of sites"),
        ({"age": [1, 2, "7391"]}, {}, "n row 2, column 'age': expected a number"),
        ({"class": ["ill", "7391", "ill"]}, {}, "s row 1, the class: expected one of the 2"),
    ],
)
def test_a_frame_of_sites_is_refused_by_its_own_rows(change, options, message):
    frame = {"age": [1, 2, 3], "ward": ["A"] * 3, "class": ["ill"] * 3, "site": ["n", "s", "n"], **change}
    with pytest.raises(ValueError) as caught:
        parties_from_frame(frame, DOMAIN, label="class", by="site", **options)
    assert message in str(caught.value) and "7391" not in str(caught.value)


# --- trees ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", sorted(BY_NAME) + sorted(DICTIONARIES))
@pytest.mark.parametrize("on_grid", [True, False])
@settings(max_examples=15, deadline=None)
@given(st.data())
def test_a_tree_takes_tables_by_name(kind, on_grid, data):
    """It predicts what it predicts of rows; columns in any order, others among them."""
    domain = Domain([Numeric.grid(name, 0, 9, 9) for name in ("u", "v")], ("no", "yes"))
    rows = data.draw(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=9))
    labels = data.draw(st.lists(st.sampled_from(domain.classes), min_size=len(rows), max_size=len(rows)))
    options = {"grid": domain} if on_grid else {"feature_names": ["u", "v"]}
    tree = fit_cart(rows, labels, **options)
    table = turned(EVERY[kind], rows, ["u", "v"], data)
    assert tree.predict(table).tolist() == tree.predict(rows).tolist()
    again = turned(EVERY[kind], rows, ["u", "v"], data)
    assert np.array_equal(tree.predict_proba(again), tree.predict_proba(rows))
    assert tree.score(turned(EVERY[kind], rows, ["u", "v"], data), labels) == tree.score(rows, labels)
    assert fit_cart(turned(EVERY[kind], rows, ["u", "v"], data), labels, **options) == tree
    with pytest.raises(ValueError, match="the table has no column 'v'"):
        tree.predict(EVERY[kind](rows, ["u", "w"]))


def test_a_raw_tree_has_the_names_of_its_table():
    tree = fit_cart({"height": [1.5, 1.9], "age": [3, 4]}, ["no", "yes"])
    assert tree.feature_names == ("height", "age") and tree.predict([[1.6, 9]]).tolist() == ["no"]
    for table in (Frame([(0, [1.0]), (1, [2.0])]), {}):
        with pytest.raises(ValueError, match="X must have columns with text as names"):
            fit_cart(table, [0])


ON_GRID = fit_cart([[1], [8]], ["no", "yes"], grid=Domain([Numeric.grid("u", 0, 9, 9)], ("no", "yes", "never")))
RAW = fit_cart([[1], [8]], [0, 1])


def test_labels_of_another_type_are_an_error_and_no_score():
    assert ON_GRID.score([[1], [8]], ["no", "no"]) == 0.5 and ON_GRID.score([[1]], Series(["never"])) == 0
    assert RAW.score([[1], [8]], [0.0, np.int8(1)]) == 1 and RAW.score([[1]], [2]) == 0
    for tree, labels, message in (
        (ON_GRID, [0, 1], "y row 0, the class: expected one of the 3 public categories"),
        (ON_GRID, ["no", "nein"], "y row 1, the class"),
        (RAW, [0, "0"], "y row 1: expected a label of the type of the classes, number"),
        (RAW, [False, True], "y row 0: expected a label of the type"),
        (RAW, [0, None], "y row 1: expected a label of the type"),
        (RAW, [0, math.nan], "y row 1: expected a label of the type"),
        (RAW, [0], "X and y must have as many rows, at least 1; got 2 and 1"),
        (RAW, 7, "y: expected a sequence, got int"),
    ):
        with pytest.raises(ValueError) as caught:
            tree.score([[1], [8]], labels)
        assert message in str(caught.value)
    with pytest.raises(ValueError, match="at least 1"):
        ON_GRID.score([], [])


@pytest.mark.parametrize("number", range(len([*NOTHING, *UNFIT, *TOO_LARGE])), ids=lambda n: type(ODD[n]).__name__)
def test_a_raw_tree_refuses_what_is_no_number(number):
    cell = ODD[number]
    for table in ([[1.0], [cell]], {"u": [1.0, cell]}, np.ma.array([[1.0], [2.0]], mask=[[0], [1]])):
        with pytest.raises(ValueError) as caught:
            fit_cart(table, [0, 1])
        assert "X row 1, column " in str(caught.value) and not any(MARK in text for text in messages(caught.value))


def test_classes_are_predicted_as_they_are():
    """NumPy would make text of the number beside the text."""
    domain = Domain([Numeric.grid("u", 0, 9, 9)], (1, "one"))
    assert fit_cart([[1], [8]], [1, "one"], grid=domain).predict([[1], [8]]).tolist() == [1, "one"]
