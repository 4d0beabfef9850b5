"""`exercise`, `sheet`, `quiz` and `grade`, as one types them."""

import csv
import io
import json
from pathlib import Path

import pytest

from fdpedu.cli.teaching import _as_csv
from fdpedu.teaching import as_moodle, read_set
from tests.support.notebooks import DIVIDES, PAIR, RATIO, SET, written
from tests.support.two_sites import run


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("set.toml").write_text(SET, "utf8")
    return tmp_path


def test_an_exercise_from_its_task_to_a_pass(capsys):
    """The first time it writes the file; then the file is checked, and is never written again."""
    assert run("exercise", "privacy-max-ratio") == 0
    assert "Written: privacy-max-ratio.py" in capsys.readouterr().out
    place = Path("privacy-max-ratio.py")
    assert run("exercise", "privacy-max-ratio", "--hint") == 1
    said = capsys.readouterr().out
    assert "One direction only." in said and "NOT ANSWERED YET" in said and "Hint: Go through the outcomes" in said
    for answer, status, word in ((DIVIDES, 1, "divides by 0"), (RATIO, 0, "PASS")):
        place.write_text("import math\nfrom fdpedu.exercises import check\n" + answer, "utf8")
        assert run("exercise", "privacy-max-ratio", "--json") == status
        assert word in capsys.readouterr().out and answer in place.read_text("utf8")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = (", "other.py, line 1: '(' was never closed"),
        ("\n1 / 0", "other.py, line 2: ZeroDivisionError"),
        ("pass", "must define max_ratio"),
        ("\nraise SystemExit(0)", "other.py, line 2: SystemExit: 0"),
        ("x = 1\0", "other.py: source code string cannot contain null bytes"),
        (None, "Written: other.py"),
    ],
)
def test_a_file_of_an_exercise_that_does_not_run(text, said, capsys):
    if text is not None:
        Path("other.py").write_text(text, "utf8")
    assert run("exercise", "privacy-max-ratio", "--file", "other.py") == (text is not None)
    printed = capsys.readouterr()
    assert said in printed.out + printed.err and "Traceback" not in printed.err


def test_an_unknown_exercise_names_the_nearest(capsys):
    assert run("exercise", "privacy-max-rate") == 2 and not Path("privacy-max-rate.py").exists()
    assert "privacy-max-ratio" in capsys.readouterr().err


def test_from_a_sheet_to_marks(capsys):
    """What `sheet` writes `grade` reads."""
    assert run("sheet", "--chapter", "2", "--minutes", "25", "--out", "new") == 0
    assert run("sheet", "--chapter", "2", "--minutes", "25") == 0
    assert Path("new/sheet.md").read_text("utf8") in capsys.readouterr().out
    assert run("sheet", "--set", "new/set.toml") == 0
    assert Path("new/sheet.md").read_text("utf8") == capsys.readouterr().out
    assert read_set(Path("new/set.toml").read_text("utf8")).minutes == 20
    assert "<title>Chapter 2: Privacy" in Path("new/sheet.html").read_text("utf8")
    chosen = read_set(Path("new/set.toml").read_text("utf8"))
    assert run("sheet", "--exercises", ", ".join(item.id for item in chosen.items), "--out", "named") == 0
    assert read_set(Path("named/set.toml").read_text("utf8")).items == chosen.items
    capsys.readouterr()
    assert run("grade", "new/answers.ipynb", "--set", "new/set.toml") == 0
    assert "not answered" in capsys.readouterr().out


def test_marks_as_a_table_as_csv_and_in_a_folder(folder, capsys):
    books = [str(written(folder, name, *cells)) for name, cells in {"=1+2": [RATIO, PAIR], "b": [DIVIDES]}.items()]
    assert run("grade", *books, "--set", "set.toml", "--out", "marks") == 0
    said = capsys.readouterr().out
    assert "b, privacy-max-ratio: FAIL at max_ratio([0, 1], [0, 1]): divides by 0" in " ".join(said.split())
    assert said.index("Missed most") < said.index("privacy-max-ratio: 1 failed, 0 not answered, 1 passed")
    assert run("grade", *books, "nobody.ipynb", "--set", "set.toml", "--csv") == 1
    rows = list(csv.reader(io.StringIO(capsys.readouterr().out)))
    assert [row[:3] for row in rows] == [["notebook", "points", "of"], ["'=1+2", "3.5", "3.5"], ["b", "0", "3.5"],
                                         ["nobody", "", "3.5"]]  # fmt: skip
    assert list(csv.reader(Path("marks/marks.csv").read_text("utf-8-sig").splitlines())) == rows[:-1]
    assert Path("marks/marks.csv").read_text("utf8").startswith("\ufeffnotebook,")
    assert "looks like   divides by 0" in Path("marks/b.txt").read_text("utf8")
    assert run("grade", *books, "--set", "set.toml", "--json") == 0
    content = json.loads(capsys.readouterr().out)
    assert [student["points"] for student in content["students"]] == ["3.5", "0"]
    assert content["most missed"][0]["misconceptions"] == [["divides by 0", 1]]


@pytest.mark.parametrize("cell", ["=1", "+1", "-1", "@A1", " =1", "\t=1", "\u00a0=1", "＝1", "\n=1", '=1,"2', "\r=1"])
def test_no_cell_of_marks_is_a_formula_or_several_lines(cell):
    (row,) = csv.reader(io.StringIO(_as_csv([("ann", cell)])))
    assert row[0] == "ann" and (row[1].startswith("'") or row[1].startswith("\\u000")) and "\n" not in row[1]


def test_on_a_terminal_one_sees_which_notebook_runs(folder, capsys, monkeypatch):
    """Also when marks are printed for a program, to another stream; elsewhere nothing is said."""
    books = [str(written(folder, name, PAIR)) for name in ("a\nb", "c")]
    for is_terminal in (True, False):
        monkeypatch.setattr("sys.stderr.isatty", lambda is_terminal=is_terminal: is_terminal)
        assert run("grade", *books, "--set", "set.toml", "--csv") == 0
        printed = capsys.readouterr()
        assert printed.err == "1 of 2: a\\u000ab …\n2 of 2: c …\n" * is_terminal and "of 2" not in printed.out


def test_a_quiz_is_printed_or_written(capsys):
    assert run("quiz", "--chapter", "2", "--format", "moodle") == 0
    assert capsys.readouterr().out == as_moodle(2)
    assert run("quiz", "--chapter", "2", "--out", "quiz.xml") == 0
    assert Path("quiz.xml").read_text("utf8") == as_moodle(2)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("sheet",), "one of --chapter, --exercises and --set must be given"),
        (("sheet", "--chapter", "2", "--set", "set.toml"), "--exercises and --set must be given, and not more"),
        (("sheet", "--exercises", "privacy-delta", "--set", "set.toml"), "must be given, and not more"),
        (("sheet", "--exercises", "privacy-delt"), "the nearest: privacy-delta"),
        (("sheet", "--exercises", ""), "must be an exercise in catalogue()"),
        (("sheet", "--exercises", "privacy-delta, privacy-delta"), "privacy-delta stands there twice"),
        (("sheet", "--exercises", "privacy-delta", "--minutes", "5"), "--minutes must be left out with --exercises"),
        (("sheet", "--set", "set.toml", "--minutes", "5"), "--minutes must be left out with --set"),
        (("sheet", "--chapter", "99"), "--chapter must be at most"),
        (("sheet", "--chapter", "2", "--minutes", "2"), "--minutes must be at least 5"),
        (("sheet", "--chapter", "2", "--overwrite"), "--overwrite must be left out without --out"),
        (("quiz", "--chapter", "0"), "--chapter must be"),
        (("grade", "a.ipynb", "--set", "no.toml"), "cannot read no.toml: no such file"),
        (("grade", "a.ipynb", "--set", "set.toml", "--seconds", "0"), "--seconds must be greater than 0"),
        (("grade", "a.ipynb", "--set", "set.toml", "--memory", "1"), "--memory must be an integer ≥ 256"),
        (
            ("grade", "a.ipynb", "a.ipynb", "--set", "set.toml"),
            "notebooks must be different files, and a.ipynb and a.ipynb are one",
        ),
    ],
)
def test_options_that_make_no_sense(words, said, capsys):
    assert run(*words) == 2
    assert said in capsys.readouterr().err


def test_a_set_in_the_wrong_form_is_refused_before_anything_runs(capsys):
    Path("bad.toml").write_text("[[exercise]]\nid = 'privacy-delta'\npoints = -1", "utf8")
    assert run("grade", "a.ipynb", "--set", "bad.toml") == 1
    assert "bad.toml: exercise 1 (privacy-delta): points must be a number" in capsys.readouterr().err


def test_the_help_says_what_grading_is_not(capsys):
    assert run("grade", "--help") == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "This is not a sandbox" in said and "attempts = 3" in said
