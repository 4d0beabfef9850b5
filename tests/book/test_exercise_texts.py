"""An exercise's title, level and task are one text, on the page and in the record."""

import re

import pytest

from fdpedu.chapters import CHAPTERS
from fdpedu.exercises import catalogue
from fdpedu.exercises.record import Exercise
from tests.support.repository import ROOT

WRITTEN = [chapter for chapter in CHAPTERS if chapter.written]


def on_pages(chapter):
    return "\n".join((ROOT / f"{page}.md").read_text("utf8") for page in chapter.pages)


def plain(text):
    """Without line breaks, and without the signs of a quotation, which stand where lines happen to begin."""
    return " ".join(re.sub(r"^> ?", "", text, flags=re.M).split())


def differences(text, exercises: list[Exercise]):
    """Exercises whose heading or task on a page is not the record's; a page may say more before the task."""
    parts = re.findall(
        r"^### (.*)\n\n((?:(?!^#).*\n)*?)```\{code-cell\}[^`]*?^(?:reply = )?check\(\"([\w-]+)\"", text, re.M
    )
    found = {label: (heading, plain(task)) for heading, task, label in parts}
    for exercise in exercises:
        heading, task = found.get(exercise.id, ("", ""))
        if heading != f"{exercise.title} ({exercise.level})":
            yield f"{exercise.id} is headed {heading!r}, its record says {exercise.title} ({exercise.level})"
        if not task.endswith(plain(exercise.task)):
            yield f"{exercise.id} has another task on its page than in its record"


@pytest.mark.parametrize("chapter", WRITTEN, ids=lambda chapter: chapter.name)
def test_a_task_is_one_text(chapter):
    """Whoever asks `task(id)` in a terminal reads what stands on the page."""
    assert list(differences(on_pages(chapter), list(catalogue(chapter.name)))) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The empty node has impurity 0.", "The empty node has impurity 1."),
        ("The scaled impurity of a node (warm-up)", "The scaled impurity of a node (apply)"),
        ("### The scaled impurity of a node", "### The impurity of a node"),
        ('check("cart-impurity"', 'check("cart-purity"'),
    ],
)
def test_another_text_is_found(old, new):
    """One word of the task, the level, the title, or an exercise that no page asks for."""
    text = on_pages(CHAPTERS[0])
    assert text.count(old) == 1
    found = list(differences(text.replace(old, new), list(catalogue("cart"))))
    assert found and all("cart-impurity" in line for line in found)
