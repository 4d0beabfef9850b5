"""CSV files as people have them: delimiters, decimal commas, marks of order, quotes; refused by line, never by text."""

import csv
import io

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fdpedu.domain import Categorical, Domain, Numeric, read_csv
from fdpedu.federation import Party

DOMAIN = Domain([Numeric.grid("age", 0, 100, bins=4), Categorical("ward", ("A", "B;C"))], ("well", "ill"))
ROWS = [["63.5", "A", "ill"], ["17", "B;C", "well"]]
CODES = [[2, 0], [0, 1]], [1, 0]


def held(party):
    """What a party counts, record by record."""
    return party._codes.tolist(), party._labels.tolist()


def read(tmp_path, content, domain=DOMAIN, **options):
    """The party of a file with this content."""
    path = tmp_path / "north.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return Party.from_csv(path, domain, **{"label": "class", **options})


def written(rows, names=("age", "ward", "class"), delimiter=",", end="\n", quoting=csv.QUOTE_MINIMAL):
    file = io.StringIO()
    csv.writer(file, delimiter=delimiter, lineterminator=end, quoting=quoting).writerows([names, *rows])
    return file.getvalue()


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_a_file_is_read_without_being_asked_for_its_form(tmp_path, delimiter, end, quoting, encoding):
    content = written(ROWS, delimiter=delimiter, end=end, quoting=quoting).encode(encoding)
    party = read(tmp_path, content)
    assert held(party) == CODES and party.name == "north.csv" and party.clipped == {"age": 0, "ward": 0}
    assert held(read(tmp_path, content, delimiter=delimiter, name="north")) == CODES


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_numbers_are_read_as_they_were_written(tmp_path, data):
    """Whole or not, with a sign or an exponent, with a point or a comma; columns in any order, others among them."""
    numbers = data.draw(st.lists(st.integers(0, 100) | st.floats(0, 100), min_size=1, max_size=6))
    decimal = data.draw(st.sampled_from(".,"))
    form = data.draw(st.sampled_from(["{!r}", " {!r} ", "+{!r}", "{:.3e}", "0{!r}"]))
    texts = [form.format(x) for x in numbers]
    order = data.draw(st.permutations(range(4)))
    table = [["age", "ward", "class", "id"]] + [[text.replace(".", decimal), "A", "ill", "x,1"] for text in texts]
    content = written([[row[j] for j in order] for row in table[1:]], [table[0][j] for j in order], ";")
    party = read(tmp_path, content, decimal=decimal)
    assert party._codes[:, 0].tolist() == DOMAIN.features[0].encode([float(text) for text in texts]).tolist()


def test_categories_are_read_as_the_domain_has_them(tmp_path):
    """Integers, truth values in any case, texts with blanks around them; classes too."""
    domain = Domain(
        [Categorical("n", (1, 2, 3)), Categorical("t", (False, True)), Categorical("s", ("a", " b"))], (0, 1)
    )
    content = "n,t,s,y\n2,TRUE,a,1\n 3 ,false,  a ,0\n1,True, b, 1\n"
    assert held(read(tmp_path, content, domain, label="y")) == ([[1, 1, 0], [2, 0, 0], [0, 1, 1]], [1, 0, 1])


def test_lines_that_are_empty_are_no_rows(tmp_path):
    assert held(read(tmp_path, "\nage,ward,class\n\n63.5,A,ill\n  \n17,B;C,well\n\n")) == CODES
    assert held(read(tmp_path, "age,ward,class\n")) == ([], [])


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16"])
def test_other_encodings_are_read_when_they_are_named(tmp_path, encoding):
    domain = Domain([Numeric.grid("Größe", 0, 250, 5)], ("ja", "nein"))
    content = "Größe;Fall\n171,5;ja\n".encode(encoding)
    assert held(read(tmp_path, content, domain, label="Fall", decimal=",", encoding=encoding)) == ([[3]], [0])
    with pytest.raises(ValueError, match="is no text in the encoding 'utf-8-sig'; give encoding=, such as 'cp1252'"):
        read(tmp_path, content, domain, label="Fall", decimal=",")


HEAD = "age,ward,class\n"


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        ("", {}, "is empty; its first line must have the names of the columns"),
        (" \n\n", {}, "is empty"),
        (
            "63,A,ill\n7391,A,ill\n",
            {},
            "has none of the names 'age', 'ward', 'class'; is the line with the names missing?",
        ),
        ("Age,ward,class\n7391,A,ill\n", {}, "no column 'age' (its column 'Age' should perhaps be called so)"),
        ("age,age,ward,class\n1,7391,A,ill\n", {}, "column 'age' stands there more than once"),
        (HEAD + "63,A,ill\n7391,A\n", {}, "line 3: expected 3 cells, as in the first line, got 2"),
        (HEAD + "63,A,ill\n1,7391,A,ill\n", {}, "line 3: expected 3 cells, as in the first line, got 4"),
        (HEAD + '63,"A\n",ill\n7391,A\n', {}, "line 4: expected 3 cells"),
        (HEAD + '63,"A"7391,ill\n', {}, "line 2: quotation marks do not match"),
        (HEAD + '63,"7391,ill\n', {}, "line 2: quotation marks do not match"),
        (HEAD + "63,A,ill\n\n 73.91.1 ,A,ill\n", {}, "north.csv line 4, column 'age': expected a number"),
        (HEAD + '"7,391",A,ill\n', {}, "column 'age': numbers have a comma; if it is the decimal sign: decimal=','"),
        (HEAD + "7_391,A,ill\n", {}, "line 2, column 'age': expected a number"),
        (HEAD + "0x7391,A,ill\n", {}, "line 2, column 'age': expected a number"),
        (HEAD + "٧,A,ill\n", {}, "line 2, column 'age': expected a number"),
        (HEAD + "NaN,A,ill\n", {}, "line 2, column 'age': expected a finite number; a missing value"),
        (HEAD + "infinity,A,ill\n", {}, "line 2, column 'age': expected a number"),
        (HEAD + "1e7391,A,ill\n", {}, "line 2, column 'age': expected a finite number; a missing value"),
        (HEAD + ",A,ill\n", {}, "line 2, column 'age': expected a finite number; a missing value"),
        (
            HEAD + "63,,ill\n",
            {},
            "line 2, column 'ward': expected one of the 2 public categories ('A', 'B;C'); a missing",
        ),
        (HEAD + "63,7391,ill\n", {}, "line 2, column 'ward': expected one of the 2 public categories"),
        (HEAD + "63,A,7391\n", {"name": "north"}, "north line 2, the class: expected one of the 2 public categories"),
        ("age;ward;class\n1.234,5;A;ill\n", {"decimal": ","}, "line 2, column 'age': expected a number"),
        ("age;ward;class\n1.5;A;ill\n", {"decimal": ","}, "line 2, column 'age': expected a number"),
        ("age;ward;class\n1,5;A;ill\n", {}, "column 'age': numbers have a comma; if it is the decimal sign"),
        (HEAD, {"label": "age"}, "got that of the feature 'age'"),
        (HEAD, {"label": None}, "label must be the name of a column, got None"),
        (HEAD, {"decimal": "'"}, "decimal must be '.' or ','"),
        (HEAD, {"decimal": ";"}, "decimal must be '.' or ','"),
        (HEAD, {"delimiter": ";;"}, "delimiter must be one character"),
        (HEAD, {"delimiter": '"'}, "delimiter must be one character"),
        (HEAD, {"encoding": "klingon"}, "encoding must be the name of one, such as 'utf-8', got 'klingon'"),
        (HEAD + "6" * 200_000 + ",A,ill\n", {}, "line 2: quotation marks do not match, or a cell is too long"),
        (HEAD, {"domain": "clinic"}, "domain must be a Domain, got str"),
    ],
)
def test_a_file_is_refused_by_its_line(tmp_path, content, options, message):
    with pytest.raises(ValueError) as caught:
        read(tmp_path, content, **options)
    assert message in str(caught.value) and "7391" not in str(caught.value)


@pytest.mark.parametrize("name", ["nowhere.csv", ".", "no\0name.csv"])
def test_a_file_that_cannot_be_opened_is_named(tmp_path, name):
    with pytest.raises(ValueError, match=r"cannot read|must be the name of a file"):
        Party.from_csv(tmp_path / name, DOMAIN, label="class")


def test_categories_that_are_written_alike_cannot_be_told_apart(tmp_path):
    domain = Domain([Categorical("n", (1, "1"))], (0, 1))
    with pytest.raises(ValueError, match="the categories of 'n' must differ when they are written in a file"):
        read(tmp_path, "n,class\n1,0\n", domain)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=60) | st.text(max_size=40).map(lambda text: (HEAD + text).encode("utf-8", "replace")))
def test_whatever_stands_in_a_file_is_read_or_refused(tmp_path, content):
    """A ValueError or a party; and what is read has as many records as classes."""
    try:
        party = read(tmp_path, content)
    except ValueError:
        return
    assert len(party._codes) == len(party._labels)


def test_a_comma_in_quoted_numbers_is_read_where_commas_divide_cells(tmp_path):
    """As some programs write it: every cell in quotation marks, commas inside and outside."""
    (tmp_path / "d.csv").write_text('"age","ward","class"\n"70,5","A","ill"\n', "utf8")
    table = read_csv(tmp_path / "d.csv", DOMAIN, label="class", decimal=",")
    assert table.column("age") == [70.5]


@pytest.mark.parametrize("nothing", ["", "NA", "n/a", "NaN", "null", "None"])
def test_what_programs_write_for_nothing_is_a_missing_value(tmp_path, nothing):
    (tmp_path / "d.csv").write_text(f"age,ward,class\n{nothing},A,ill\n", "utf8")
    report = DOMAIN.check(read_csv(tmp_path / "d.csv", DOMAIN, label="class"), label="class")
    assert (report.columns[0].missing, report.columns[0].unfit) == (1, 0)


@given(st.integers(0, 6), st.sampled_from(["age", "size"]))
def test_a_comma_in_any_row_of_any_number_is_noticed(tmp_path_factory, at, column):
    """Not only in the first one."""
    domain = Domain([Numeric.grid("age", 0, 99), Numeric.grid("size", 0, 99)], ("ill", "well"))
    rows = [{"age": "7", "size": "8"} for _ in range(7)]
    rows[at][column] = "7,5"
    path = tmp_path_factory.mktemp("commas") / "d.csv"
    path.write_text("age;size;class\n" + "".join(f"{r['age']};{r['size']};ill\n" for r in rows), "utf8")
    with pytest.raises(ValueError, match=f"column '{column}': numbers have a comma"):
        read_csv(path, domain, label="class")
