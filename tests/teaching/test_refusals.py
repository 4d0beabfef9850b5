"""What is wrong with a set or a notebook is said by its name."""

import json

import pytest

from fdpedu.files import FileRefused
from fdpedu.teaching import choose, grade, quiz, read_notebook, read_set
from tests.support.notebooks import SET, written

GOOD = '[[exercise]]\nid = "privacy-delta"\n'
SETS = {
    "id = ": "the set: it is not TOML",
    "": "at least one table [[exercise]]",
    "exercise = []": "at least one table [[exercise]]",
    'exercise = ["a"]': "exercise 1 must be a table, got 'a'",
    "titel = 'x'": "the set has title, exercise, and no 'titel'; did you mean title?",
    f"title = 3\n{GOOD}points = 1": "title must be a text of at most 200 characters, got 3",
    f'title = "a\\u202E"\n{GOOD}points = 1': "take out U+202E",
    GOOD: "exercise 1 needs points",
    "[[exercise]]\npoints = 1": "exercise 1 needs id",
    f"{GOOD}point = 1": "exercise 1 has id, points, attempts, and no 'point'; did you mean points?",
    f"{GOOD}points = 0": "exercise 1 (privacy-delta): points must be a number from 0.000001 to 1,000,000, got 0",
    f"{GOOD}points = nan": "points must be a number",
    f"{GOOD}points = true": "points must be a number",
    f"{GOOD}points = 1e999999999": "points must be a number",
    f"{GOOD}points = 1\nattempts = 0": "attempts must be a whole number from 1 to 1,000, got 0",
    f"{GOOD}points = 1\nattempts = 1.5": "attempts must be a whole number",
    f"{GOOD}points = 1\npoints = 2": "it is not TOML",
    f"{GOOD}points = 1\n{GOOD}points = 2": "the exercise privacy-delta stands there twice",
    GOOD.replace("delta", "delte") + "points = 1": "exercise 1: id must be an exercise in catalogue(), got 'privacy-",
}  # fmt: skip


@pytest.mark.parametrize("text", SETS)
def test_sets(text):
    with pytest.raises(FileRefused) as refused:
        read_set(text)
    assert SETS[text] in str(refused.value) and str(refused.value).startswith("the set: ")


NOTEBOOKS = {
    "hello": "it is not JSON",
    "[]": "expected an object",
    '{"nbformat": 3}': "expected a notebook of nbformat 4, got 3",
    "{}": "expected a notebook of nbformat 4, got 'none'",
    '{"nbformat": 4, "metadata": {"kernelspec": {"language": "R"}}}': "expected a notebook in Python, got one in 'r'",
    '{"nbformat": 4}': "a list of at most 10,000 cells",
    '{"nbformat": 4, "cells": [1]}': "cell 1: it must be an object with a cell_type",
    '{"nbformat": 4, "cells": [{"cell_type": "code"}]}': "cell 1: its source must be text, or a list of lines",
    '{"nbformat": 4, "cells": [{"cell_type": "code", "source": [1]}]}': "cell 1: its source must be text",
    '{"nbformat": 4, "nbformat": 4}': "'nbformat' stands more than once",
}


@pytest.mark.parametrize("text", NOTEBOOKS)
def test_notebooks(text, tmp_path):
    place = tmp_path / "n.ipynb"
    place.write_text(text, "utf8")
    with pytest.raises(FileRefused) as refused:
        read_notebook(place)
    assert NOTEBOOKS[text] in str(refused.value) and str(place) in str(refused.value)


def test_a_notebook_of_lines_and_of_texts_is_read(tmp_path):
    cells = [{"cell_type": "markdown", "source": "no"}, {"cell_type": "code", "source": ["a\n", "b"]}]
    (tmp_path / "n.ipynb").write_text(json.dumps({"nbformat": 4, "cells": cells}), "utf8")
    assert read_notebook(tmp_path / "n.ipynb") == ("a\nb",)


CALLS = [
    (lambda: choose(99, minutes=45), "chapter must be at most"),
    (lambda: choose(0, minutes=45), "chapter must be"),
    (lambda: choose(2, minutes=4), "minutes must be at least 5 for chapter 2, got 4"),
    (lambda: quiz("two"), "chapter must be"),
    (lambda: grade([], read_set(SET)), "notebooks must name at least one file"),
    (lambda: grade("a.ipynb", read_set(SET)), "notebooks"),
    (lambda: grade(["a.ipynb", "./a.ipynb"], read_set(SET)), "a.ipynb and a.ipynb are one"),
    (lambda: grade(["a.ipynb"], SET), "chosen must be a ExerciseSet, got str"),
    (lambda: grade(["a.ipynb"], read_set(SET), seconds=0), "seconds"),
    (lambda: grade(["a.ipynb"], read_set(SET), memory=1), "memory must be an integer ≥ 256"),
]


@pytest.mark.parametrize(("call", "said"), CALLS, ids=[said for _, said in CALLS])
def test_calls(call, said):
    with pytest.raises(ValueError) as refused:
        call()
    assert said in str(refused.value)


def test_nothing_runs_before_all_is_well(tmp_path):
    """A notebook that would leave a file behind has not run when the second one is the same."""
    left = tmp_path / "left"
    book = written(tmp_path, "n", f"open({str(left)!r}, 'w')")
    with pytest.raises(ValueError, match="are one"):
        grade([book, book], read_set(SET))
    assert not left.exists()
