"""What a domain, a report and a refusal say: to the letter, because it is read."""

import json
from fractions import Fraction

import numpy as np
import pytest

from fdpedu.domain import Categorical, Domain, Numeric, Region, domain_from_data_not_private
from fdpedu.domain.tables import as_table, similar
from tests.support.tables import Frame, objects

AGE, WARD = Numeric.grid("age", 0, 100, bins=4), Categorical("ward", ("A", "B"))
DOMAIN = Domain([AGE, WARD], ("well", "ill"))
FILL = "a missing value must be filled in or its row left out beforehand"
FEATURES = {"age": [0, 100, 4]}


class Refusing(Frame):
    """A table that has names and gives no column."""

    def __init__(self, names):
        super().__init__([(name, []) for name in names])

    def __getitem__(self, name):
        raise KeyError(name)


def spec(features=FEATURES, classes=(0, 1), **more):
    return lambda: Domain.from_spec({"features": features, "classes": classes, **more})


REFUSED = [
    (lambda: DOMAIN.select(7), "names must be a list, got 7"),
    (
        lambda: DOMAIN.encode_labels(["ill", None]),
        f"labels row 1, the class: expected one of the 2 public categories ('well', 'ill'); {FILL}",
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
    (lambda: Numeric("\ud800", (0, 1, 2)), "a feature's name must be text that can be written, got a lone surrogate"),
    (
        lambda: Categorical("x", ("a", "\udfff")),
        "each of the categories of 'x' must be text that can be written, got a lone surrogate",
    ),
    (
        lambda: Categorical("x", {"a"}),
        "the categories of 'x' must be a list or a tuple: their order must be explicit, a set has none",
    ),
    (lambda: DOMAIN.check({"a": 1}, 7.5), "label must be the name of a column, got 7.5"),
    (
        lambda: DOMAIN.check({"age": [1], "ward": ["A"]}, "ward"),
        "label must be the name of the column of classes, got that of the feature 'ward'",
    ),
    (lambda: AGE.check(7, "here"), "here: expected a sequence, got int"),
    (lambda: AGE.check([1, None], "here"), f"here row 1, column 'age': expected a finite number; {FILL}"),
    (lambda: AGE.check(["1"], "here"), "here row 0, column 'age': expected a number"),
    (lambda: WARD.check(7, "here"), "here: expected a sequence, got int"),
    (
        lambda: WARD.check(["A", None], "here"),
        f"here row 1, column 'ward': expected one of the 2 public categories ('A', 'B'); {FILL}",
    ),
    (
        lambda: WARD.check(["C"], "here"),
        "here row 0, column 'ward': expected one of the 2 public categories ('A', 'B')",
    ),
    (lambda: Region([1], 1), "a region needs a tuple of bit masks and one for the classes, all of them integers"),
    (lambda: Region((1.0,), 1), "a region needs a tuple of bit masks and one for the classes, all of them integers"),
    (lambda: DOMAIN.everything.restrict(0, 7), "codes must be a list of integers from 0 to 255, got 7"),
    (lambda: DOMAIN.everything.restrict(0, b"\x01"), "codes must be a list of integers from 0 to 255, got bytes"),
    (lambda: DOMAIN.everything.restrict(0, "1"), "codes must be a list of integers from 0 to 255, got '1'"),
    (spec(["age"]), "'features' must be a dictionary from names to features, got list"),
    (spec(**{"Class": 1}), "the specification must not have 'Class'; did you mean 'classes'?"),
    (
        lambda: Domain.from_spec({"features": FEATURES, "classes": [0, 1], 7: 1}),
        "the specification must not have 7; it may have 'features', 'classes', 'schema'",
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
        "party 3 row 1: expected a dictionary, as the other rows are",
    ),
    (lambda: DOMAIN.encode(np.array([17, 63]), "party 3"), "party 3 row 0: expected 2 feature values"),
    (
        lambda: Domain([Categorical("x", (None, "A"))], (0, 1)).encode([{"x": "A"}, {}]),
        f"rows row 1, column 'x': expected one of the 2 public categories (None, 'A'); {FILL}",
    ),
]


@pytest.mark.parametrize(("call", "message"), REFUSED, ids=range(len(REFUSED)))
def test_a_refusal_is_told_in_these_words(call, message):
    with pytest.raises(ValueError) as caught:
        call()
    assert str(caught.value) == message


@pytest.mark.parametrize("length", [118, 119, 120, 121, 122, 300])
def test_categories_are_listed_where_that_is_short(length):
    """Up to 120 characters, with blank and brackets."""
    first = "a" * (length - len(f" ({'b'!r}, '')"))
    listed = f" ({first!r}, 'b')"
    feature = Categorical("x", (first, "b"))
    assert len(listed) == length
    assert feature.expects(2) == "expected one of the 2 public categories" + (listed if length <= 120 else "")


# A domain


def test_a_domain_as_a_table():
    weight = Numeric("weight", (0.5, 20, 1234567), "kg", "of a scale")
    assert Domain([weight, WARD, AGE], ("well", Fraction(1, 2))).to_text().split("\n") == [
        "feature  codes  values                 why these",
        "weight   2      0.5 to 1.23457e+06 kg  of a scale",
        "ward     2      A, B",
        "age      4      0 to 100",
        "",
        "classes: well, 1/2",
    ]


def test_a_domain_as_json_on_one_line_or_laid_out(tmp_path):
    domain = Domain([Numeric.grid("größe", 0, 2, bins=2), Categorical("ward", ("A" * 60, "B" * 60))], ("no", "yes"))
    short, laid_out = domain.to_json(), domain.to_json(indent=1)
    assert short == json.dumps({"schema": "fdpedu-domain/1", **domain.to_spec()}, ensure_ascii=False)
    assert "größe" in short and "\n" not in short
    assert laid_out.startswith('{\n "schema": "fdpedu-domain/1",\n "features": {\n  "größe": [0, 2, 2],')
    assert json.loads(laid_out) == json.loads(short)
    domain.save(tmp_path / "domain.json")
    assert (tmp_path / "domain.json").read_text("utf8") == laid_out + "\n"
    assert Domain.from_spec(f"\n  {short}") == Domain.load(tmp_path / "domain.json") == domain


def test_a_file_that_is_no_domain_is_named(tmp_path):
    path = tmp_path / "domain.json"
    path.write_text('{"features": {}, "features": {}}')
    for call in (Domain.load, Domain.from_spec):
        with pytest.raises(ValueError) as caught:
            call(path)
        assert str(caught.value).startswith(f"{path}: ")


# A report


def test_a_report_as_plain_data_and_as_html():
    report = DOMAIN.check({"age": [17, 130, None], "ward": ["A", "C", None], "<b>": [1, 2, 3], "c": [0, 0, 0]})
    age, ward = {"name": "age", "rows": 3, "below": 0, "above": 1}, {"name": "ward", "rows": 3, "below": 0, "above": 0}
    assert report.to_dict() == {
        "ok": False,
        "columns": (
            {**age, "missing": 1, "unfit": 0, "problem": ""},
            {**ward, "missing": 1, "unfit": 1, "problem": ""},
        ),
        "extra": ("<b>", "c"),
        "problem": "",
    }

    def line(tag, *cells):
        sides = ["left", *["right"] * 5, "left"]
        made = [
            f'<{tag} style="text-align: {side}; padding: 0 0.6em">{cell}</{tag}>'
            for side, cell in zip(sides, cells, strict=True)
        ]
        return f"<tr>{''.join(made)}</tr>"

    assert report._repr_html_() == (
        "<table>"
        + line("th", "column", "rows", "below", "above", "missing", "unfit", "verdict")
        + line("td", "age", "3", "0", "1", "1", "0", "refused: 1 row")
        + line("td", "ward", "3", "0", "0", "1", "1", "refused: 2 rows")
        + "</table><p>&#x27;&lt;b&gt;&#x27; is no column of the domain and is left out</p>"
        + "<p>&#x27;c&#x27; is no column of the domain and is left out</p>"
    )


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        (7, "the table: expected a sequence, got int"),
        ([[1, "A", "ill"], [1, "A"]], "the table row 1: expected 3 values, one for each feature"),
        (np.zeros((2, 7)), "the table: expected 2 values, one for each feature a row, got 7"),
    ],
)
def test_a_report_says_why_a_table_cannot_be_read(table, problem):
    report = DOMAIN.check(table)
    assert (report.problem, str(report), report.ok) == (problem, problem, False)


def test_a_report_says_why_a_column_cannot_be_read():
    report = DOMAIN.check({"age": np.zeros((2, 2)), "ward": 7})
    assert [column.problem for column in report.columns] == [
        "the table, column 'age': expected one dimension, got 2",
        "the table, column 'ward': expected a sequence, got int",
    ]


def test_a_name_is_told_with_a_similar_one_only_if_it_is_text():
    assert [similar(name, ("7", " Age")) for name in ("age", "ward", 7, None, ["age"])] == [" Age", *[None] * 4]


def test_a_class_may_stand_in_a_column_without_a_name():
    report = DOMAIN.check({"age": [1], "ward": ["A"], "": ["ill"]}, label="")
    assert report.ok and [column.name for column in report.columns] == ["age", "ward", ""]
