"""Files as programs write them: lines above the names, blanks before quotes, columns that differ, and no CSV at all."""

import gzip
import io
import zipfile

import polars as pl
import pytest

from fdpedu.domain import Categorical, Domain, Numeric, read_csv

DOMAIN = Domain([Numeric.grid("age", 0, 100, 4), Numeric.grid("dose", 0, 100, 4)], ("no", "yes"))
NAMES = ["age", "dose", "ill"]
ROWS = [["30", "2.5", "no"], ["40", "7.25", "yes"]]


def written(tmp_path, text, encoding="utf-8"):
    path = tmp_path / "file.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode(encoding))
    return path


def values(path, domain=DOMAIN, **options):
    table = read_csv(path, domain, label="ill", **options)
    return [list(table.column(name)) for name in NAMES]


def lines(rows, delimiter):
    return "\n".join(delimiter.join(row) for row in rows)


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|", "^"])
@pytest.mark.parametrize("first", ["sep={}", "SEP={}", '"sep={}"', "\ufeffsep={}", "sep={}\r"])
def test_a_line_that_names_the_separator_is_followed(tmp_path, delimiter, first):
    """As Excel does; also a separator that nobody would guess. Lines keep their numbers."""
    path = written(tmp_path, f"{first.format(delimiter)}\n{lines([NAMES, *ROWS], delimiter)}")
    assert values(path) == [[30, 40], [2.5, 7.25], ["no", "yes"]]
    assert read_csv(path, DOMAIN).row(1) == "line 4"


def test_a_separator_that_is_given_is_followed_first(tmp_path):
    assert values(written(tmp_path, f"sep=;\n{lines([NAMES, *ROWS], '|')}"), delimiter="|")[0] == [30, 40]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize(
    "above",
    [["Patients, 2024"], ["# exported; by hand", "# on a Monday"], ["", "Report", ""], ['"a title', 'of two lines"']],
)
def test_lines_above_the_names_are_refused_by_the_line_of_the_names(tmp_path, delimiter, above):
    path = written(tmp_path, "\n".join([*above, lines([NAMES, *ROWS], delimiter)]))
    with pytest.raises(ValueError, match=f"stand in line {len(above) + 1}, and must be first"):
        values(path)


@pytest.mark.parametrize("content", ["a,b\n1,2\n", "title\n1,2,no\n"])
def test_a_file_without_the_names_is_refused_by_them(tmp_path, content):
    with pytest.raises(ValueError, match="none of the names 'age', 'dose', 'ill'"):
        values(written(tmp_path, content))


@pytest.mark.parametrize("delimiter", [",", ";", "|"])
def test_a_blank_before_a_quote_is_none_of_the_cell(tmp_path, delimiter):
    domain = Domain([Categorical("age", ("a, b; c|d", "e")), Numeric.grid("dose", 0, 1)], ("no", "yes"))
    text = lines([['"age"', ' "dose"', ' "ill"'], ['"a, b; c|d"', ' "0.5"', ' "no"'], ["e", "1", " yes"]], delimiter)
    assert values(written(tmp_path, text), domain) == [["a, b; c|d", "e"], [0.5, 1], ["no", "yes"]]


def test_blanks_that_begin_a_category_are_found(tmp_path):
    """Also where a file cannot keep them; but two categories that differ in them only are compared as they are."""
    domain = Domain([Categorical("age", (" A", "B ")), Numeric.grid("dose", 0, 1)], ("no", "yes"))
    assert values(written(tmp_path, "age,dose,ill\n A,1,no\nB,1,no\n"), domain)[0] == [" A", "B "]
    two = Domain([Categorical("age", ("B ", "B")), Numeric.grid("dose", 0, 1)], ("no", "yes"))
    assert values(written(tmp_path, "age,dose,ill\nB ,1,no\nB,1,no\n"), two)[0] == ["B ", "B"]


@pytest.mark.parametrize("quote", ["", '"'])
@pytest.mark.parametrize("pair", [("u", " u"), ("u", "u "), ("u", "  u", " u"), (" u ", "u")])
def test_categories_that_differ_by_blanks_are_read_exactly(tmp_path, pair, quote):
    """Of a feature, or of the class; wherever they stand in a line, quoted or not."""
    feature = Domain([Numeric.grid("dose", 0, 1), Categorical("age", pair)], ("no", "yes"))
    text = lines([["dose", "age", "ill"], *(["1", f"{quote}{one}{quote}", "no"] for one in pair)], ",")
    assert values(written(tmp_path, text), feature)[0] == list(pair)
    classes = Domain([Numeric.grid("dose", 0, 1), Numeric.grid("age", 0, 1)], pair)
    text = lines([["dose", "age", "ill"], *(["1", " 1", f"{quote}{one}{quote}"] for one in pair)], ",")
    assert values(written(tmp_path, text), classes) == [[1] * len(pair), [1] * len(pair), list(pair)]


MIXED = "age;dose;ill\n30.5;2,5;no\n40;7,25;yes\n"


def test_columns_may_have_decimal_signs_of_their_own(tmp_path):
    path = written(tmp_path, MIXED)
    assert values(path, decimal={"dose": ","}) == [[30.5, 40], [2.5, 7.25], ["no", "yes"]]
    assert values(path, decimal={"age": ".", "dose": ","})[0] == [30.5, 40]
    grouped = written(tmp_path, "age;dose;ill\n1.030,5;2,500.5;no\n")
    assert values(grouped, decimal={"age": ","}, thousands={"age": ".", "dose": ","}) == [[1030.5], [2500.5], ["no"]]
    with pytest.raises(ValueError, match="thousands names the column 'ill', which has categories"):
        values(grouped, decimal={"age": ","}, thousands={"age": ".", "dose": ",", "ill": "none"})


@pytest.mark.parametrize("decimal", [".", ",", {"age": ","}])
def test_the_refusal_says_which_column_has_a_comma(tmp_path, decimal):
    """What it says to give is what reads the file."""
    with pytest.raises(ValueError, match=r"numbers have a (comma|dot); .*decimal=\{'dose': ','\}$"):
        values(written(tmp_path, MIXED), decimal=decimal)


@pytest.mark.parametrize(
    "options",
    [
        *({"decimal": {"dosis": ","}}, {"thousands": {"Dose": ","}}, {"decimal": {"dose": "·"}}),
        *({"decimal": {"dose": None}}, {"decimal": {"dose": ","}, "thousands": {"dose": ","}}),
        *({"thousands": {"age": "."}}, {"decimal": {}, "thousands": {"age": "x"}}),
    ],
)
def test_signs_of_columns_are_refused_as_signs_of_all(tmp_path, options):
    with pytest.raises(ValueError, match=r"decimal|thousands"):
        values(written(tmp_path, MIXED), **options)


def zipped(name):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(name, "age,dose,ill")
    return file.getvalue()


def parquet():
    file = io.BytesIO()
    pl.DataFrame({"age": [1]}).write_parquet(file)
    return file.getvalue()


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (zipped("xl/workbook.xml"), "workbook"),
        (zipped("[Content_Types].xml"), "workbook"),
        (zipped("data.csv"), "zip"),
        (gzip.compress(b"age,dose,ill\n", mtime=0), "gzip"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(99), "Excel"),
        (parquet(), "Parquet"),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8-sig", "cp1252", "utf-16"])
def test_what_is_no_text_is_named_as_what_it_is(tmp_path, content, name, encoding):
    """In any encoding: trying another one would not help."""
    with pytest.raises(ValueError, match=name) as refused:
        values(written(tmp_path, content), encoding=encoding)
    assert "encoding" not in str(refused.value)
    with pytest.raises(ValueError, match=name):
        Domain.load(written(tmp_path, content))


def test_a_file_in_two_bytes_a_letter_is_told_by_its_beginning(tmp_path):
    path = written(tmp_path, lines([NAMES, *ROWS], ","), "utf-16")
    with pytest.raises(ValueError, match="encoding='utf-16'"):
        values(path)
    assert values(path, encoding="utf-16")[0] == [30, 40]


@pytest.mark.parametrize("name", ["sep=;", "sep"])
def test_a_column_of_such_a_name_is_a_column(tmp_path, name):
    """It names no separator where the names below it are none of the domain's."""
    domain = Domain([Categorical(name, ("a", "b"))], ("no", "yes"))
    assert list(read_csv(written(tmp_path, f"{name}\na\nb\n"), domain).column(name)) == ["a", "b"]


ARFF = "% patients\n@RELATION patients\n@attribute age numeric\n@data\n30,2.5,no\n"
ORANGE = "age\tdose\till\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (ARFF, "ARFF"),
        (ARFF.removeprefix("% patients\n").lower(), "ARFF"),
        (f"{ORANGE}continuous\tc\tdiscrete\n\t\tclass\n30\t2.5\tno\n", "line 2.*Orange"),
        (f"{ORANGE}c\tc\tno yes\n\t\tclass\n30\t2.5\tno\n", "line 3.*Orange"),
        (f"{ORANGE}c\td\tno yes\n\tmeta\tclass\n30\t2.5\tno\n", "line 3.*Orange"),
    ],
)
def test_what_describes_columns_in_other_lines_is_named(tmp_path, text, words):
    with pytest.raises(ValueError, match=words):
        values(written(tmp_path, text))


def test_rows_that_look_like_types_are_rows(tmp_path):
    """Letters alone, a word beside numbers, or one of a column that is full."""
    domain = Domain([Categorical("kind", ("c", "d", "time")), Categorical("part", ("class", "c"))], ("no", "yes"))
    path = written(tmp_path, "kind,part,ill\nc,c,no\nd,class,yes\ntime,class,no\n,class,no\n")
    assert read_csv(path, domain).column("kind") == ["c", "d", "time", None]
