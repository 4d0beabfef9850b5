"""What `domain` refuses, sentence by sentence: users see messages as they are.

Other tests name the parameter only, or the row, the line and the column.
"""

# Longer than 400 lines because all sentences of the module are one table.

import math
from fractions import Fraction

import numpy as np
import pytest

from fdpedu.domain import Categorical, Domain, Numeric, Region, domain_from_data_not_private, read_csv
from fdpedu.domain.tables import as_table
from tests.support.sentences import said_in_full
from tests.support.tables import Covered, Frame, Quantity, objects

AGE, WARD = Numeric.grid("age", 0, 100, bins=4), Categorical("ward", ("A", "B", "C"))
DOMAIN = Domain([AGE, WARD], ("well", "ill"))
ALL = DOMAIN.everything
FEATURES = {"age": [0, 100, 4]}

NUMBER = "must be a finite number (an int, a Fraction, a decimal, or text like '1/3')"
NAME = "a feature's name must be a non-empty string"
NO_FEATURES = "features must be a non-empty list of Numeric and Categorical"
NO_CLASSES = "classes must be 2 to 256 different values"
NO_CATEGORIES = "the categories of {} must be 2 to 256 different values"
NO_TABLE = "X must be finite numbers of 2 dimensions, got float64 of"
TABLE = "X must be a non-empty table of finite numbers, shape (n, p)"
REGION = "a region must hold at least one code of every feature and of the class, of at most 256"
MASKS = "a region needs a tuple of bit masks and one for the classes, all of them integers"
CODES = "codes must be a list of integers from 0 to 255, got"
GRID = "feature 'x' needs low < high and 2 to 256 bins"
EDGES = "feature 'x' needs 3 to 257 edges in increasing order"
MISSING = "a missing value must be filled in or its row left out beforehand"
CODED = f'{MISSING}, or the domain gives it a code of its own: "missing": true'
FILL = f"expected a finite number; {CODED}"
ONE_OF_2 = "expected one of the 2 public categories ('well', 'ill')"
ONE_OF_3 = "expected one of the 3 public categories ('A', 'B', 'C')"
ORDER = "must be a list or a dictionary, got {}: its order must be explicit"
THREE = (
    " (three numbers are low, high and the number of bins; three categories that are numbers are written "
    '{"categories": […]})'
)
WRITTEN = "must be text, a finite number or a truth value to be written, got Fraction"
SPEC = "a specification must be a dictionary, or a path ending in .json, got"
VISIBLE = "must be one line of visible characters, got"
LABEL = "label must be the name of"
UNNAMED = "its columns are not named by text: rename them, or give an array with the columns in their order"


class Refusing(Frame):
    """A table that has names and gives no column."""

    def __init__(self, names):
        super().__init__([(name, []) for name in names])

    def __getitem__(self, name):
        raise KeyError(name)


LOST = "which would be lost; give plain values, in the domain's unit, and None where one is missing"


class Unreadable:
    """A column whose cells nobody can have."""

    def __iter__(self):
        raise RuntimeError("secret")

    def __array__(self, dtype=None, copy=None):
        raise RuntimeError("secret")


def spec(features=FEATURES, classes=(0, 1), **more):
    return lambda: Domain.from_spec({"features": features, "classes": classes, **more})


def row_one(table, where):
    return as_table(table, "party").take(np.array([1]), where)


REFUSED = [
    (lambda: Domain([], ("a", "b")), NO_FEATURES),
    (lambda: Domain(["age"], ("a", "b")), NO_FEATURES),
    (
        lambda: Domain([Numeric.grid(f"x{j}", 0, 1) for j in range(300)], ("a", "b")),
        "features must be at most 256, got 300",
    ),
    (lambda: Domain([AGE, AGE], ("a", "b")), "the features' names must be 1 to 256 different values"),
    (lambda: Domain([AGE], ("a",)), NO_CLASSES),
    (lambda: Domain([AGE], "ab"), NO_CLASSES),
    (lambda: Domain([AGE], ([], {})), NO_CLASSES),
    (lambda: Domain([AGE], range(257)), NO_CLASSES),
    (lambda: DOMAIN.index("height"), "unknown feature 'height'; the domain has 'age', 'ward'"),
    (lambda: DOMAIN.encode(7), "rows: expected a sequence, got int"),
    (lambda: DOMAIN.encode("AB"), "rows: expected a sequence, got str"),
    (lambda: DOMAIN.admit({}, "party 3"), "party 3: the table has no column 'age', 'ward'"),
    (lambda: DOMAIN.encode(np.zeros((2, 3)), "party 3"), "party 3: expected 2 feature values a row, got 3"),
    (lambda: DOMAIN.encode(np.zeros((2, 2, 2))), "rows: expected one dimension, got 3"),
    (lambda: DOMAIN.admit([[1, "A"], [2]]), "rows row 1: expected 2 feature values"),
    (lambda: DOMAIN.encode([[1, "A"], [None, "A"]]), f"rows row 1, column 'age': {FILL}"),
    (lambda: DOMAIN.encode([[1, "A"], [True, "A"]]), "rows row 1, column 'age': expected a number"),
    (lambda: DOMAIN.encode([[10**400, "A"]]), "rows row 0, column 'age': expected a finite number"),
    (lambda: DOMAIN.admit([[np.nan, "A"]], "party 3"), f"party 3 row 0, column 'age': {FILL}"),
    (lambda: DOMAIN.encode([[1, "D"]]), f"rows row 0, column 'ward': {ONE_OF_3}"),
    (lambda: DOMAIN.encode_labels(["ill", "dead"]), f"labels row 1, the class: {ONE_OF_2}"),
    (lambda: DOMAIN.encode_labels(7, "party 3"), "party 3: expected a sequence, got int"),
    (
        lambda: DOMAIN.encode_labels([[]], "party 3"),
        f"party 3 row 0, the class: {ONE_OF_2}",
    ),
    (lambda: Numeric("x", (0, 1)), EDGES),
    (lambda: Numeric("x", (0, 1, 1)), EDGES),
    (lambda: Numeric("x", range(258)), EDGES),
    (lambda: Numeric("x", (0, 1, "b")), f"an edge of 'x' {NUMBER}, got 'b'"),
    (lambda: Numeric("  ", (0, 1, 2)), NAME),
    (lambda: Numeric(7, (0, 1, 2)), NAME),
    (lambda: Numeric.grid("x", 0, 1, bins=1), "bins must be an integer ≥ 2, got 1"),
    (lambda: Numeric.grid("x", 0, 1, bins=257), GRID),
    (lambda: Numeric.grid("x", 1, 1), GRID),
    (lambda: Numeric.grid("x", None, 1), f"low {NUMBER}, got None"),
    (lambda: Numeric.grid("x", 0, None), f"high {NUMBER}, got None"),
    (lambda: Categorical("w", ("A", "A")), NO_CATEGORIES.format("'w'")),
    (lambda: Region((), 0), REGION),
    (lambda: Region((1, 1 << 256), 1), REGION),
    (lambda: ALL.restrict(0, []), REGION),
    (lambda: ALL.restrict(2, [0]), "feature must be a position from 0 to 1, got 2"),
    (lambda: ALL.restrict(-1, [0]), "feature must be a position from 0 to 1, got -1"),
    (lambda: ALL.restrict(True, [0]), "feature must be a position from 0 to 1, got True"),
    (lambda: ALL.restrict(0.0, [0]), "feature must be a position from 0 to 1, got 0.0"),
    (lambda: ALL.restrict("age", [0]), "feature must be a position from 0 to 1, got 'age'"),
    (lambda: ALL.restrict_class([None]), "codes must be integers from 0 to 255, got None"),
    (lambda: ALL.restrict(0, [256]), "codes must be integers from 0 to 255, got 256"),
    (lambda: ALL.restrict_class([-1]), "codes must be integers from 0 to 255, got -1"),
    (
        lambda: ALL.contains(Region((1,), 1)),
        "two regions must have the same number of features, got 2 and 1",
    ),
    (lambda: domain_from_data_not_private([1.0], [0]), f"{NO_TABLE} shape (1,)"),
    (lambda: domain_from_data_not_private(np.zeros((0, 2)), []), TABLE),
    (lambda: domain_from_data_not_private([[np.inf]], [0]), f"{NO_TABLE} shape (1, 1)"),
    (lambda: DOMAIN.select(7), "names must be a list, got 7"),
    (
        lambda: DOMAIN.encode_labels(["ill", None]),
        f"labels row 1, the class: expected one of the 2 public categories ('well', 'ill'); {MISSING}",
    ),
    (lambda: domain_from_data_not_private([[1], [2]], [0, 1], names=7), "names must be a list, got 7"),
    (
        lambda: domain_from_data_not_private([[1], [2]], [0, 1], names=["a", "b"]),
        "names must name the 1 columns, got 2",
    ),
    (lambda: domain_from_data_not_private([[1], [2]], 7), "y must be a list, got 7"),
    (lambda: domain_from_data_not_private([[1], [2]], [0, "a"]), "y must be labels of one kind, that can be sorted"),
    (lambda: Numeric("x", 7), "the edges of 'x' must be a list, got 7"),
    (lambda: Numeric.grid("x", 0, 10**400), "an edge is too large for a float"),
    (lambda: Numeric("x", (0, 1, "1e400")), "an edge of 'x' is too large for a float"),
    (lambda: Domain([AGE], ("well", "a\udc00")), f"each of classes {VISIBLE} 'a\\udc00': take out a lone surrogate"),
    (lambda: Numeric("\ud800", (0, 1, 2)), f"a feature's name {VISIBLE} '\\ud800': take out a lone surrogate"),
    (
        lambda: Categorical("x", ("a", "\udfff")),
        f"each of the categories of 'x' {VISIBLE} '\\udfff': take out a lone surrogate",
    ),
    (
        lambda: Categorical("x", {"a"}),
        "the categories of 'x' must be a list or a tuple: their order must be explicit, a set has none",
    ),
    (lambda: DOMAIN.check({"a": 1}, 7.5), "label must be the name of a column, got 7.5"),
    (
        lambda: DOMAIN.check({"age": [1], "ward": ["A"]}, "ward"),
        "label must be the name of the column of classes, or of the target, got that of the feature 'ward'",
    ),
    (lambda: AGE.check(7, "here"), "here: expected a sequence, got int"),
    (lambda: AGE.check([1, None], "here"), f"here row 1, column 'age': {FILL}"),
    (lambda: AGE.check(["1"], "here"), "here row 0, column 'age': expected a number"),
    (lambda: WARD.check(7, "here"), "here: expected a sequence, got int"),
    (
        lambda: WARD.check(["A", None], "here"),
        f"here row 1, column 'ward': expected one of the 3 public categories ('A', 'B', 'C'); {CODED}",
    ),
    (
        lambda: WARD.check(["D"], "here"),
        "here row 0, column 'ward': expected one of the 3 public categories ('A', 'B', 'C')",
    ),
    (lambda: Region([1], 1), MASKS),
    (lambda: Region((1.0,), 1), MASKS),
    (lambda: DOMAIN.everything.restrict(0, 7), f"{CODES} 7"),
    (lambda: DOMAIN.everything.restrict(0, b"\x01"), f"{CODES} bytes"),
    (lambda: DOMAIN.everything.restrict(0, "1"), f"{CODES} '1'"),
    (spec(["age"]), "'features' must be a dictionary from names to features, got list"),
    (spec(**{"Class": 1}), "the specification must not have 'Class'; did you mean 'classes'?"),
    (
        lambda: Domain.from_spec({"features": FEATURES, "classes": [0, 1], 7: 1}),
        "the specification must not have 7; it may have 'features', 'classes', 'target', 'schema'",
    ),
    (
        spec({"x": {"edges": [0, 1, 2], "units": "m"}}),
        "the feature 'x' must not have 'units'; did you mean 'unit'?",
    ),
    (spec({"x": {"edges": 7}}), "'edges' of the feature 'x' must be a list, got int"),
    (
        spec({"x": [0, 1, float("inf")]}),
        "bins must be an integer ≥ 2, got inf (three numbers are low, high and the number of bins; three categories "
        'that are numbers are written {"categories": […]})',
    ),
    (
        lambda: Domain([AGE], (Fraction(1, 2), "a")).to_spec(),
        "a class must be text, a finite number or a truth value to be written, got Fraction",
    ),
    (
        lambda: Domain([Categorical("x", (Fraction(1, 2), "a"))], (0, 1)).to_spec(),
        "a category of 'x' must be text, a finite number or a truth value to be written, got Fraction",
    ),
    (
        lambda: DOMAIN.encode({"ward": ["A"], "sex": ["f"]}, "party 3"),
        "party 3: the table has no column 'age'",
    ),
    (
        lambda: DOMAIN.encode({0: [17], 1: ["A"]}),
        "rows: the table has no column 'age', 'ward'; its columns are not named by text: rename them, or give an array "
        "with the columns in their order",
    ),
    (lambda: DOMAIN.encode(Refusing(["age", "ward"])), "rows: column 'age' cannot be read from this kind of table"),
    (
        lambda: DOMAIN.encode(as_table({"age": np.zeros((2, 2))}, "party").take(np.array([1]), "party 3")),
        "rows: the table has no column 'ward'",
    ),
    (
        lambda: as_table({"age": np.zeros((2, 2))}, "party").take(np.array([1]), "party 3").column("age"),
        "party 3, column 'age': expected one dimension, got 2",
    ),
    (
        lambda: DOMAIN.encode(objects([{"age": 17, "ward": "A"}, 7]), "party 3"),
        "party 3 row 1: expected cells with names, as the other rows have",
    ),
    (lambda: DOMAIN.encode(np.array([17, 63]), "party 3"), "party 3 row 0: expected 2 feature values"),
    (
        lambda: Domain([Categorical("x", (None, "A"))], (0, 1)).encode([{"x": "A"}, {}]),
        f"rows row 1, column 'x': expected one of the 2 public categories (None, 'A'); {CODED}",
    ),
    (lambda: Domain([AGE], ("a", "a")), NO_CLASSES),
    (lambda: Domain([AGE], ("a", math.nan)), NO_CLASSES),
    (lambda: Numeric("x", (0, 1, math.nan)), f"an edge of 'x' {NUMBER}, got nan"),
    (lambda: Numeric.grid("x", 0, math.inf), f"high {NUMBER}, got inf"),
    (lambda: Numeric.grid("x", 0, 1, bins=2.5), "bins must be an integer ≥ 2, got 2.5"),
    (lambda: Categorical("w", ("A",)), NO_CATEGORIES.format("'w'")),
    (lambda: Categorical("w", tuple(range(257))), NO_CATEGORIES.format("'w'")),
    (lambda: Categorical("w", ([1], [2])), NO_CATEGORIES.format("'w'")),
    (
        lambda: Domain([AGE], {"a", "b"}),
        "classes must be a list or a tuple: their order must be explicit, a set has none",
    ),
    (
        lambda: DOMAIN.encode({"Age": [1], "ward": ["A"]}),
        "rows: the table has no column 'age' (its column 'Age' should perhaps be called so)",
    ),
    (
        lambda: DOMAIN.encode(Frame([("age", [1]), ("age", [2]), ("ward", ["A"])])),
        "rows: column 'age' stands there more than once; rename or leave out the others",
    ),
    (
        lambda: DOMAIN.encode({"age": [1, 2], "ward": ["A"]}),
        "rows: columns 'age' and 'ward' must have the same number of rows",
    ),
    (lambda: DOMAIN.encode({"age": {1}, "ward": ["A"]}), "rows, column 'age': expected a sequence, got set"),
    (
        lambda: DOMAIN.encode({"age": Unreadable(), "ward": ["A"]}),
        "rows, column 'age': cannot be read as a column of values (Unreadable)",
    ),
    (
        lambda: DOMAIN.encode({"age": np.array([1]).view(Quantity), "ward": ["A"]}),
        f"rows, column 'age': a Quantity has a unit, {LOST}",
    ),
    (
        lambda: DOMAIN.encode({"age": np.array([1]).view(Covered), "ward": ["A"]}),
        f"rows, column 'age': a Covered may have a unit or a mask, {LOST}",
    ),
    # specifications
    (spec({"x": {"A", "B"}}), f"the feature 'x' {ORDER.format('set')}"),
    (spec({"x": {"A": 1, "B": 2}.keys()}), f"the feature 'x' {ORDER.format('dict_keys')}"),
    (spec({"x": {"A": 1, "B": 2}.values()}), f"the feature 'x' {ORDER.format('dict_values')}"),
    (spec({"x": {"categories": frozenset("AB")}}), f"'categories' of the feature 'x' {ORDER.format('frozenset')}"),
    (spec(classes={0, 1}), f"'classes' {ORDER.format('set')}"),
    (spec(classes="iw"), "'classes' must be a list, got str"),
    (spec({"x": "AB"}), "the feature 'x' must be a list, got str"),
    (spec({"x": [0, 1, 2, 2]}), NO_CATEGORIES.format("'x'")),
    (spec({"x": ["A", math.nan]}), NO_CATEGORIES.format("'x'")),
    (
        spec({"x": [5, 7.5]}),
        "the feature 'x' has two numbers, which may be a range without its bins: "
        '{"low": 5, "high": 7.5, "bins": …}, or categories: {"categories": [5, 7.5]}',
    ),
    (
        spec({"x": [1, 2, 3]}),
        "the feature 'x' has three numbers, which may be a range in bins: "
        '{"low": 1, "high": 2, "bins": 3}, or categories: {"categories": [1, 2, 3]}',
    ),
    (
        spec({"x": [1, 2, 4, 8]}),
        "the feature 'x' has 4 numbers that increase, which may be edges of bins: "
        '{"edges": [1, 2, 4, 8]}, or categories: {"categories": [1, 2, 4, 8]}',
    ),
    (
        spec({"x": [1, "2", 4, 8]}),
        "the feature 'x' has numbers and text that reads as a number, which may be edges of bins: "
        '{"edges": [1, "2", 4, 8]}, or categories: {"categories": [1, "2", 4, 8]}',
    ),
    (
        lambda: Domain.from_spec({"features": FEATURES, "target": [0, 1, 2]}),
        '\'target\' may be a range in levels: {"low": 0, "high": 1, "levels": 2}, or classes: {"classes": [0, 1, 2]}',
    ),
    (spec({"x": [5, 1, 3]}), GRID + THREE),
    (spec({"x": [0, 10, 2.5]}), "bins must be an integer ≥ 2, got 2.5" + THREE),
    (spec({"x": {}}), 'the feature \'x\' must have "range" and "bins", or "edges", or "categories"'),
    (spec({"x": {"low": 0, "high": 1}}), "the feature 'x' must have 'bins'"),
    (
        spec({"x": {"edges": [0, 1, 2], "bins": 2}}),
        "the feature 'x' must not have 'bins'; it may have 'edges', 'unit', 'reason', 'missing'",
    ),
    (spec({"x": {"edges": [0, 1, 2], "unit": 7}}), "the unit of the feature 'x' must be text, got int"),
    (
        spec(schema="fdpedu-domain/0"),
        "the schema of the specification must be 'fdpedu-domain/2', got 'fdpedu-domain/0'",
    ),
    (lambda: Domain.from_spec({"features": FEATURES}), "the specification must have 'classes' or a numeric 'target'"),
    (spec({}), NO_FEATURES),
    (spec({7: ["A", "B"]}), NAME),
    (lambda: Domain.from_spec(["age"]), f"{SPEC} list"),
    (lambda: Domain.from_spec("age.csv"), f"{SPEC} str"),
    (
        lambda: Domain.from_spec('{"features": {"x": [0, 1, 2], "x": [0, 2, 2]}, "classes": [1, 2]}'),
        "the specification: 'x' stands more than once in one object; keep one of them",
    ),
    (
        lambda: Domain.from_spec('{"features": {"x": ["A", NaN]}, "classes": [1, 2]}'),
        "the specification: NaN is no number",
    ),
    (
        lambda: Domain.from_spec('{"features":' * 100_000),
        "the specification: it is not JSON that can be read, or is nested too deeply",
    ),
    (
        lambda: Domain.from_spec('{"features": {"x": ["A", null, null]}, "classes": [1, 2]}'),
        NO_CATEGORIES.format("'x'"),
    ),
]


test_sentences_of_refusals = said_in_full(REFUSED)


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        (7, "the table: expected a sequence, got int"),
        ([[1, "A", "ill"], [1, "A"]], "the table row 1: expected 3 values, one for each feature"),
        (np.zeros((2, 7)), "the table: expected 2 values, one for each feature a row, got 7"),
    ],
)
def test_sentences_of_reports(table, problem):
    report = DOMAIN.check(table)
    assert report.problem == str(report) == problem


HEAD = "age,ward\n1,A\n"
NO_NAMES = "{{}}: the first line has none of the names {}; is the line with the names missing?"
COMMA = "{}, column 'age': numbers have a comma; if it is the decimal sign: decimal=','"
QUOTES = "quotation marks do not match, or a cell is too long"
FILES = [
    (HEAD, {"encoding": 7}, "encoding must be the name of one, such as 'utf-8', got 7"),
    (HEAD, {"encoding": "klingon"}, "encoding must be the name of one, such as 'utf-8', got 'klingon'"),
    (HEAD, {"label": 7}, f"{LABEL} a column, got 7"),
    (HEAD, {"label": "ward"}, f"{LABEL} the column of classes, or of the target, got that of the feature 'ward'"),
    (HEAD, {"decimal": ";"}, "decimal must be '.' or ',', got ';'"),
    (HEAD, {"delimiter": ";;"}, "delimiter must be one character, such as ';', got ';;'"),
    (HEAD, {"domain": "age"}, "domain must be a Domain, got str"),
    (HEAD + "2\n", {}, "{} line 3: expected 2 cells, as in the first line, got 1"),
    (HEAD + '2,"B\n', {}, f"{{}} line 3: {QUOTES}"),
    ("\n \n", {}, "{} is empty; its first line must have the names of the columns"),
    ('age,ward\n"1,5",A\n', {}, COMMA),
    (
        "@relation r\n@data\n1,A\n",
        {},
        "{} is an ARFF file, and no CSV file: keep the rows below @data, and write the names of its attributes above "
        "them, in one line",
    ),
    (
        "age\tward\ncontinuous\td\n1\tA\n",
        {},
        "{} line 2: it says what the columns are, as Orange writes it below their names; take out all lines that do",
    ),
    ("1,A\n", {}, NO_NAMES.format("'age', 'ward'")),
    (";;\n", {}, NO_NAMES.format("'age', 'ward'")),
    (",", {"delimiter": ","}, NO_NAMES.format("'age', 'ward'")),
    ("|", {"delimiter": "|"}, NO_NAMES.format("'age', 'ward'")),
    ("1,A\n", {"label": "class"}, NO_NAMES.format("'age', 'ward', 'class'")),
    (
        "age,y\n1,1\n",
        {"domain": Domain([AGE], (1, "1")), "label": "y"},
        "the categories of the class must differ when they are written in a file",
    ),
    (
        "größe\n".encode("cp1252"),
        {},
        "{} is no text in the encoding 'utf-8-sig'; give encoding=, such as 'cp1252' or 'utf-16'",
    ),
]


@pytest.mark.parametrize(("content", "options", "sentence"), FILES, ids=range(len(FILES)))
def test_sentences_of_refused_files(tmp_path, content, options, sentence):
    path = tmp_path / "ward.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(ValueError) as caught:
        read_csv(path, **{"domain": DOMAIN, **options})
    assert str(caught.value) == sentence.replace("{}", repr(str(path)))


def test_the_sentence_of_a_file_that_is_not_there(tmp_path):
    with pytest.raises(ValueError) as caught:
        read_csv(tmp_path / "no.csv", DOMAIN)
    assert str(caught.value) == f"cannot read {str(tmp_path / 'no.csv')!r}: No such file or directory"
