"""What a CSV file is refused for, to the letter, and what is read from one that is not as others are."""

import pytest

from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.domain.csv_files import read_csv

AGE, WARD = Numeric.grid("age", 0, 100, bins=4), Categorical("ward", ("A", "B"))
DOMAIN = Domain([AGE, WARD], ("well", "ill"))
NO_NAMES = "{{path}}: the first line has none of the names {}; is the line with the names missing?"
COMMA = "{path}, column 'age': numbers have a comma; if it is the decimal sign: decimal=','"


@pytest.fixture
def written(tmp_path):
    """A function that writes a file and gives its path."""

    def write(content):
        (tmp_path / "ward.csv").write_bytes(content.encode())
        return tmp_path / "ward.csv"

    return write


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        ("age,ward\n1,A\n", {"encoding": 7}, "encoding must be the name of one, such as 'utf-8', got 7"),
        ("age,ward\n1,A\n", {"label": 7}, "label must be the name of a column, got 7"),
        (
            "age,ward\n1,A\n",
            {"label": "ward"},
            "label must be the name of the column of classes, got that of the feature 'ward'",
        ),
        ("age,ward\n1,A\n2\n", {}, "{path} line 3: expected 2 cells, as in the first line, got 1"),
        ('age,ward\n1,A\n2,"B\n', {}, "{path} line 3: quotation marks do not match, or a cell is too long"),
        ("\n \n", {}, "{path} is empty; its first line must have the names of the columns"),
        ('age,ward\n"1,5",A\n', {}, COMMA),
        *[
            (content, options, NO_NAMES.format("'age', 'ward'"))
            for content, options in (("1,A\n", {}), (";;\n", {}), (",", {"delimiter": ","}), ("|", {"delimiter": "|"}))
        ],
        ("1,A\n", {"label": "class"}, NO_NAMES.format("'age', 'ward', 'class'")),
    ],
)  # fmt: skip
def test_a_file_is_refused_in_these_words(written, content, options, message):
    path = written(content)
    with pytest.raises(ValueError) as caught:
        read_csv(path, DOMAIN, **options)
    assert str(caught.value) == message.format(path=repr(str(path)))


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(ValueError) as caught:
        read_csv(tmp_path / "no.csv", DOMAIN)
    assert str(caught.value) == f"cannot read {str(tmp_path / 'no.csv')!r}: No such file or directory"


def test_what_is_no_domain_and_classes_that_look_alike_are_told(written):
    with pytest.raises(ValueError) as caught:
        read_csv(written("age\n1\n"), "age")
    assert str(caught.value) == "domain must be a Domain, got str"
    with pytest.raises(ValueError) as caught:
        read_csv(written("age,y\n1,1\n"), Domain([AGE], (1, "1")), label="y")
    assert str(caught.value) == "the categories of the class must differ when they are written in a file"


def test_a_file_is_read_as_it_stands(written):
    """Any character may stand between cells, a category may have an end of a line in it."""
    ward = Categorical("ward", ("A\r\nwest", "B"))
    table = read_csv(
        written('ageXwardXnote\r\n17X"A\r\nwest"X x \r\n1.5XCX\r\n'), Domain([AGE, ward], (0, 1)), delimiter="X"
    )
    assert table.names == ("age", "ward", "note")
    assert [table.column(name) for name in table.names] == [[17.0, 1.5], ["A\r\nwest", "C"], ["x", ""]]


def test_a_category_that_nobody_listed_is_not_missing(written):
    report = DOMAIN.check(read_csv(written("age,ward\n1,C\n2, \n3,A\n"), DOMAIN))
    ward = report.columns[1]
    assert (ward.missing, ward.unfit) == (1, 1)
