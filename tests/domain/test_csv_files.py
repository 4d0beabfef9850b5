"""CSV files as people have them: delimiters, decimal commas, marks of order, quotes; refused by line, never by text."""

import csv
import io
import re

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


def file(tmp_path, content):
    """The path of a file with this content."""
    path = tmp_path / "north.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def read(tmp_path, content, domain=DOMAIN, **options):
    """The party of a file with this content."""
    return Party.from_csv(file(tmp_path, content), domain, **{"label": "class", **options})


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
    with pytest.raises(ValueError, match="utf-8-sig"):
        read(tmp_path, content, domain, label="Fall", decimal=",")


HEAD = "age,ward,class\n"


@pytest.mark.parametrize(
    ("content", "options", "place"),
    [
        ("", {}, "north.csv'"),
        (" \n\n", {}, "north.csv'"),
        ("63,A,ill\n7391,A,ill\n", {}, "'age', 'ward', 'class'"),
        ("Age,ward,class\n7391,A,ill\n", {}, "'age' (its column 'Age'"),
        ("age,age,ward,class\n1,7391,A,ill\n", {}, "column 'age'"),
        (HEAD + "63,A,ill\n7391,A\n", {}, "line 3"),
        (HEAD + "63,A,ill\n1,7391,A,ill\n", {}, "line 3"),
        (HEAD + '63,"A\n",ill\n7391,A\n', {}, "line 4"),
        (HEAD + '63,"A"7391,ill\n', {}, "line 2"),
        (HEAD + '63,"7391,ill\n', {}, "line 2"),
        (HEAD + "63,A,ill\n\n 73.91.1 ,A,ill\n", {}, "north.csv line 4, column 'age'"),
        (HEAD + '"7,391",A,ill\n', {}, "column 'age'"),
        *(
            (HEAD + f"{number},A,ill\n", {}, "line 2, column 'age'")
            for number in ("7_391", "0x7391", "٧", "NaN", "infinity", "1e7391", "")
        ),
        (HEAD + "63,,ill\n", {}, "line 2, column 'ward'"),
        (HEAD + "63,7391,ill\n", {}, "line 2, column 'ward'"),
        (HEAD + "63,A,7391\n", {"name": "north"}, "north line 2, the class"),
        ("age;ward;class\n1.234,5;A;ill\n", {"decimal": ","}, "line 2, column 'age'"),
        ("age;ward;class\n1.5;A;ill\n", {"decimal": ","}, "line 2, column 'age'"),
        ("age;ward;class\n1,5;A;ill\n", {}, "column 'age'"),
        (HEAD + "6" * 200_000 + ",A,ill\n", {}, "line 2"),
        *(
            (HEAD, {parameter: value}, parameter)
            for parameter, value in [
                *(("label", "age"), ("label", None), ("decimal", "'"), ("decimal", ";"), ("delimiter", ";;")),
                *(("delimiter", '"'), ("encoding", "klingon"), ("domain", "clinic")),
            ]
        ),
    ],
)
def test_a_file_is_refused_by_its_line(tmp_path, content, options, place):
    with pytest.raises(ValueError) as caught:
        read(tmp_path, content, **options)
    assert place in str(caught.value) and "7391" not in str(caught.value)


@pytest.mark.parametrize("name", ["nowhere.csv", ".", "no\0name.csv"])
def test_a_file_that_cannot_be_opened_is_named(tmp_path, name):
    with pytest.raises(ValueError, match=re.escape(str(tmp_path)[:20])):
        Party.from_csv(tmp_path / name, DOMAIN, label="class")


def test_categories_that_are_written_alike_cannot_be_distinguished(tmp_path):
    domain = Domain([Categorical("n", (1, "1"))], (0, 1))
    with pytest.raises(ValueError, match="'n'"):
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
    table = read_csv(file(tmp_path, '"age","ward","class"\n"70,5","A","ill"\n'), DOMAIN, label="class", decimal=",")
    assert table.column("age") == [70.5]


@pytest.mark.parametrize("nothing", ["", "NA", "n/a", "NaN", "null", "None"])
def test_what_programs_write_for_nothing_is_a_missing_value(tmp_path, nothing):
    table = read_csv(file(tmp_path, f"age,ward,class\n{nothing},A,ill\n"), DOMAIN, label="class")
    report = DOMAIN.check(table, label="class")
    assert (report.columns[0].missing, report.columns[0].unfit) == (1, 0)


@given(st.integers(0, 6), st.sampled_from(["age", "size"]))
def test_a_comma_in_any_row_of_any_number_is_noticed(tmp_path_factory, at, column):
    """Not only in the first one."""
    domain = Domain([Numeric.grid("age", 0, 99), Numeric.grid("size", 0, 99)], ("ill", "well"))
    rows = [{"age": "7", "size": "8"} for _ in range(7)]
    rows[at][column] = "7,5"
    text = "age;size;class\n" + "".join(f"{r['age']};{r['size']};ill\n" for r in rows)
    with pytest.raises(ValueError, match=f"column '{column}'"):
        read_csv(file(tmp_path_factory.mktemp("commas"), text), domain, label="class")


def test_a_file_is_read_as_it_stands(tmp_path):
    """Any character may stand between cells, a cell may have an end of a line in it."""
    ward = Categorical("ward", ("A west", "B"))
    table = read_csv(
        file(tmp_path, 'ageXwardXnote\r\n17X"A\r\nwest"X x \r\n1.5XCX\r\n'),
        Domain([DOMAIN.features[0], ward], (0, 1)),
        delimiter="X",
    )
    assert table.names == ("age", "ward", "note")
    assert [table.column(name) for name in table.names] == [[17.0, 1.5], ["A\r\nwest", "C"], ["x", ""]]


def test_a_category_that_nobody_listed_is_not_missing(tmp_path):
    report = DOMAIN.check(read_csv(file(tmp_path, "age,ward\n1,C\n2, \n3,A\n"), DOMAIN))
    ward = report.columns[1]
    assert (ward.missing, ward.unfit) == (1, 1)
