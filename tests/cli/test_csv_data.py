"""What files are, said on the command line: for all of them, for one, for a column; and whose rows they are."""

import json
from argparse import Namespace
from pathlib import Path

import pytest

from fdpedu.cli import main
from fdpedu.cli.csv_data import forms_of
from fdpedu.domain import Domain, Numeric

DOMAIN = Domain([Numeric.grid("age", 0, 100, 4), Numeric.grid("dose", 0, 100, 4)], ("no", "yes"))
FILES = ["one/a.csv", "two/b.csv"]


def said(**given):
    options = {"delimiter": [], "decimal": [], "thousands": [], "encoding": [], "label": "ill", "data": FILES}
    return forms_of(Namespace(**{**options, **given}), DOMAIN)


@pytest.mark.parametrize(
    ("given", "one", "two"),
    [
        ({}, {}, {}),
        ({"decimal": [","]}, {"decimal": ","}, {"decimal": ","}),
        ({"decimal": ["two/b.csv=,"]}, {}, {"decimal": ","}),
        (
            {"decimal": ["b.csv=,"], "encoding": ["cp1252", "a.csv=utf-16"]},
            {"encoding": "utf-16"},
            {"decimal": ",", "encoding": "cp1252"},
        ),
        ({"decimal": [",", "a.csv=."]}, {}, {"decimal": ","}),
        ({"delimiter": [";", "b.csv==", "a.csv=|"]}, {"delimiter": "|"}, {"delimiter": "="}),
        ({"delimiter": ["="]}, {"delimiter": "="}, {"delimiter": "="}),
        ({"decimal": ["dose=,"]}, *[{"decimal": {"age": ".", "dose": ",", "ill": "."}}] * 2),
        ({"decimal": [",", "a.csv:dose=."]}, {"decimal": {"age": ",", "dose": ".", "ill": ","}}, {"decimal": ","}),
        ({"thousands": ["two/b.csv:age=."]}, {}, {"thousands": {"age": ".", "dose": None}}),
    ],
)
def test_what_is_said_of_a_file_holds_for_it(given, one, two):
    """The narrower word holds, in whatever order they come."""
    usual = {"delimiter": None, "decimal": ".", "thousands": None, "encoding": "utf-8-sig"}
    for order in (1, -1):
        found = said(**{name: values[::order] for name, values in given.items()})
        assert found == {FILES[0]: {**usual, **one}, FILES[1]: {**usual, **two}}


@pytest.mark.parametrize(
    "given",
    [
        *({"decimal": ["x"]}, {"decimal": ["c.csv=,"]}, {"decimal": ["dose=;"]}, {"thousands": ["ward=."]}),
        *(
            {"encoding": ["dose=cp1252"]},
            {"delimiter": ["dose=;"]},
            {"decimal": ["a.csv:ward=,"]},
            {"decimal": ["c.csv:age=,"]},
        ),
    ],
)
def test_what_is_said_of_nothing_is_refused(given):
    with pytest.raises(ValueError, match=f"--{next(iter(given))}"):
        said(**given)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Two sites with files of one name and of other habits."""
    monkeypatch.chdir(tmp_path)
    Path("domain.json").write_text(
        json.dumps({"features": {"age": [0, 100, 4], "dose": [0, 9, 3]}, "classes": ["no", "yes"]})
    )
    for site, text in (("north", "age,dose,ill\n30,2.5,no\n"), ("süd", "age;dose;ill\n30,5;2.5;no\n")):
        Path(site).mkdir()
        Path(site, "data.csv").write_text(text * 1, "cp1252")
    return tmp_path


FIT = ["fit", "--domain", "domain.json", "--label", "ill", "--epsilon", "1", "--max-depth", "0"]


def test_sites_with_other_habits_are_one_federation(folder, capsys):
    files = ["north/data.csv", "süd/data.csv"]
    assert main([*FIT, *files]) == 1
    assert "--decimal age=," in capsys.readouterr().err
    assert main([*FIT, *files, "--decimal", "süd/data.csv:age=,"]) == 0
    assert main(["check-data", "--domain", "domain.json", "--decimal", "süd/data.csv:age=,", *files]) == 0


def test_files_of_one_name_are_told_apart(folder, capsys):
    """Of two sites in files of one name the message says which."""
    Path("süd/data.csv").write_text("age,dose,ill\n30,2.5,perhaps\n")
    assert main([*FIT, "north/data.csv", "süd/data.csv"]) == 1
    assert "süd/data.csv line 2" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--epsilon", "0"], "--epsilon must be greater than 0"),
        (["--max-depth", "-1"], "--max-depth must be"),
        (["--min-samples-split", "-2"], "--min-samples-split must be"),
        (["--tolerate", "7"], "--tolerate must be"),
        (["--encoding", "nope"], "--encoding must be"),
        (["--delimiter", "::"], "--delimiter must be"),
        (["--thousands", "."], "--thousands must be"),
        (["--label", "age"], "--label must be"),
        (["--design", "none"], "--design must be"),
    ],
)
def test_refusals_name_the_options_of_the_command(folder, capsys, options, words):
    assert main(
        [
            *FIT,
            *options,
            "north/data.csv",
            "süd/data.csv",
            "--decimal",
            "." if options[0] == "--thousands" else "süd/data.csv:age=,",
        ]
    ) in (1, 2)
    error = capsys.readouterr().err
    assert words in error and "max_depth" not in error and "=" not in error.replace("ε =", "")
