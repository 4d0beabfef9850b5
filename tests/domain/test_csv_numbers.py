"""What the commas, dots and decimals of a file may mean: read as it was said, or refused, never guessed."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fdpedu.domain import Categorical, Domain, Numeric, read_csv

DOMAIN = Domain([Numeric.grid("pay", 0, 100_000, bins=4)], ("no", "yes"))
SIGNS = {",": ",", ".": ".", " ": "\u202f", "'": "’"}


def column(folder, cells, **options):
    """The numbers that are read, of cells in quotation marks."""
    path = folder / "pay.csv"
    path.write_text("pay\n" + "".join(f'"{cell}"\n' for cell in cells), "utf8")
    return read_csv(path, DOMAIN, **options).column("pay")


def grouped(number, thousands, decimal):
    """As people write a number: signs between the thousands, and a decimal sign."""
    whole, _, part = f"{number:,.2f}".partition(".")
    return whole.replace(",", thousands) + decimal + part


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    numbers=st.lists(st.integers(-(10**9), 10**9).map(lambda n: n / 100), min_size=1, max_size=5),
    thousands=st.sampled_from([*SIGNS]),
    decimal=st.sampled_from(".,"),
    variant=st.booleans(),
)
def test_numbers_with_separators_are_read_as_it_is_said(tmp_path, numbers, thousands, decimal, variant):
    if thousands == decimal:
        return
    cells = [grouped(number, SIGNS[thousands] if variant else thousands, decimal) for number in numbers]
    assert column(tmp_path, cells, thousands=thousands, decimal=decimal) == numbers


@pytest.mark.parametrize("decimal", [".", ","])
@pytest.mark.parametrize("sign", [",", "."])
@pytest.mark.parametrize("cells", [["52300", "52{}300"], ["1{}234{}567"], ["-7{}000", "12{}345", "5"]])
def test_what_may_be_thousands_is_refused_until_it_is_said(tmp_path, cells, sign, decimal):
    """52,300 and 52.300 may be 52300 or 52.3, whatever the decimal sign is; the refusal says how to say it."""
    cells = [cell.replace("{}", sign) for cell in cells]
    with pytest.raises(ValueError, match="pay") as refused:
        column(tmp_path, cells, decimal=decimal)
    assert f"thousands={sign!r}" in str(refused.value) and "thousands='none'" in str(refused.value)
    plain = [float(cell.replace(sign, "")) for cell in cells]
    if sign != decimal:
        assert column(tmp_path, cells, decimal=decimal, thousands=sign) == plain
    elif all(cell.count(sign) < 2 for cell in cells):
        said = column(tmp_path, cells, decimal=decimal, thousands="none")
        assert said == [float(cell.replace(sign, ".")) for cell in cells]


@pytest.mark.parametrize(
    ("cells", "decimal", "numbers"),
    [
        (["52.300", "7.25"], ".", [52.3, 7.25]),
        (["0.125", "0.500"], ".", [0.125, 0.5]),
        (["52,300", "7,25"], ",", [52.3, 7.25]),
        (["0,125"], ",", [0.125]),
        (["1234.500"], ".", [1234.5]),
        (["12", "7"], ".", [12, 7]),
    ],
)
def test_what_cannot_be_thousands_needs_no_word(tmp_path, cells, decimal, numbers):
    assert column(tmp_path, cells, decimal=decimal) == numbers


@pytest.mark.parametrize("cell", ["1,23", "1,2345", "12,34,567", "0,100", ",100", "1,,000", "1,000,", "1,000,00"])
def test_what_is_not_grouped_by_three_is_no_number(tmp_path, cell):
    """It stays text, and is refused by its line where numbers are due."""
    assert column(tmp_path, [cell], thousands=",") == [cell]


@pytest.mark.parametrize("options", [{"thousands": "_"}, {"thousands": ","}, {"thousands": 3}, {"thousands": ""}])
def test_separators_are_one_of_a_few_and_not_the_decimal_sign(tmp_path, options):
    with pytest.raises(ValueError, match="thousands must be one of"):
        column(tmp_path, ["1"], decimal=",", **options)


SPELLINGS = ("1", "1.0", "1.00")


@pytest.mark.parametrize(
    "categories", [(1, 2, 3), (1.0, 2.0, 3.0), ("1", "2", "3"), ("1.0", "2.0", "3.0"), (3, 1.0, "2")]
)
@pytest.mark.parametrize("decimal", [".", ","])
def test_one_number_is_one_category_however_it_is_written(tmp_path, categories, decimal):
    """In files, whatever the domain's spelling; of frames the same numbers are read where the domain has numbers."""
    domain = Domain([Categorical("grade", categories)], (0, 1))
    by_number = {Fraction(str(category)): code for code, category in enumerate(categories)}
    cells = [spelling.replace("1", str(k), 1) for k in (1, 2, 3) for spelling in SPELLINGS]
    expected = [by_number[Fraction(cell)] for cell in cells]
    path = tmp_path / "grade.csv"
    path.write_text("grade,label\n" + "".join(f'"{cell.replace(".", decimal)}",1.0\n' for cell in cells), "utf8")
    table = read_csv(path, domain, label="label", decimal=decimal if decimal == "." else ",")
    assert domain.encode(table)[:, 0].tolist() == expected
    if decimal == ".":
        assert domain.encode_labels(table.column("label")).tolist() == [1] * len(cells)
    if all(not isinstance(category, str) for category in categories):
        for kind in (int, float, np.float32, object):
            frame = pd.DataFrame({"grade": np.array([float(cell) for cell in cells]).astype(kind)})
            assert domain.encode(frame)[:, 0].tolist() == expected


@pytest.mark.parametrize("cell", ["01", "1e0", "+1", "1.", "1.5", "4", "one", "1.0.0", "0x1", "1" * 500])
def test_codes_and_other_texts_are_no_numbers(tmp_path, cell):
    domain = Domain([Categorical("grade", (1, 2, "03"))], (0, 1))
    path = tmp_path / "grade.csv"
    path.write_text(f"grade\n{cell}\n3\n03\n", "utf8")
    assert read_csv(path, domain).column("grade") == [cell, "3", "03"]


def test_two_spellings_that_are_two_categories_stay_two(tmp_path):
    domain = Domain([Categorical("version", ("1", "1.0", "2"))], (0, 1))
    path = tmp_path / "version.csv"
    path.write_text("version\n1\n1.0\n2.0\n", "utf8")
    assert read_csv(path, domain).column("version") == ["1", "1.0", "2.0"]


def test_truth_values_are_no_numbers(tmp_path):
    domain = Domain([Categorical("back", (True, False))], (0, 1))
    path = tmp_path / "back.csv"
    path.write_text("back\n1\ntrue\n0\n", "utf8")
    assert read_csv(path, domain).column("back") == ["1", True, "0"]


def test_in_a_file_of_one_column_a_blank_line_is_a_row_without_a_value(tmp_path):
    """It is refused by its line, and not passed over; at the end of a file it is none."""
    path = tmp_path / "pay.csv"
    path.write_text("pay\n10\n\n90\n", "utf8")
    with pytest.raises(ValueError, match="line 3: it is blank"):
        read_csv(path, DOMAIN)
    path.write_text("pay\n10\n90\n\n\n", "utf8")
    assert read_csv(path, DOMAIN).column("pay") == [10, 90]
