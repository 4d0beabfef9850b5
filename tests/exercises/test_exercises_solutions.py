"""A solution is prose and code: a notebook sets its explanation as sentences, and the text alone runs."""

import ast
import re

import pytest

from fdpedu.exercises import solution
from fdpedu.exercises.record import Solution
from tests.support.exercises import each


@each
def test_a_notebook_shows_sentences_above_the_code(exercise):
    """Every line of the explanation is a paragraph before the fence; within the fence no comment repeats it."""
    shown = solution(exercise.id)._repr_markdown_()
    prose, code = re.fullmatch(r"(.*?)```python\n(.*)\n```", shown, re.S).groups()
    assert prose.split("\n\n")[:-1] == exercise.explanation.splitlines()
    assert not re.search(r"^#", code, re.M)


@each
def test_the_code_of_a_notebook_is_the_solution(exercise):
    """It is the text that a terminal prints, which runs alone and passes, but for the comments."""
    found = solution(exercise.id)
    assert re.sub(r"^# .*\n", "", found, flags=re.M) == found.code
    assert ast.dump(ast.parse(found.code)) == ast.dump(ast.parse(found))


def test_a_solution_has_comments_only_if_something_is_said():
    """Imports come first, with two empty lines after them; an explanation of two parts has two paragraphs."""
    assert Solution.of("import a", "One.\nTwo.", "b") == "import a\n\n\n# One.\n# Two.\nb"
    assert Solution.of("import a", "", "b") == "import a\n\n\nb" and Solution.of("", "One.", "b") == "# One.\nb"
    assert Solution.of("", "One.\nTwo.", "b")._repr_markdown_() == "One.\n\nTwo.\n\n```python\nb\n```"
    assert Solution.of("", "", "b")._repr_markdown_() == "```python\nb\n```"


def test_the_edition_for_students_has_none(monkeypatch):
    """There an exercise answers with a sentence, without code, that runs; an unknown one is refused as ever."""
    monkeypatch.setenv("FDPEDU_EDITION", "student")
    found = solution("tree-path")
    assert found.code == "" and "def " not in found and ast.parse(found).body == []
    assert "```" not in found._repr_markdown_() and "no solutions" in found._repr_markdown_()
    with pytest.raises(ValueError, match="tree-path"):
        solution("tree-pat")
