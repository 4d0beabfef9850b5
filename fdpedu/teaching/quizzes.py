"""The quiz of a chapter, as it stands on its pages, and as a file that Moodle imports."""

from __future__ import annotations

import importlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from fdpedu.exercises.stored import require_solutions
from fdpedu.teaching.sets import chapter_of
from fdpedu.teaching.texts import as_html, plain


@dataclass(frozen=True)
class Option:
    """What can be chosen, in Markdown, and what is said to those who choose it."""

    text: str
    right: bool
    feedback: str


@dataclass(frozen=True)
class Question:
    """One question, in Markdown, of whose options exactly one is right."""

    text: str
    options: tuple[Option, ...]


def quiz(chapter: int) -> tuple[Question, ...]:
    """The questions of a chapter's pages, in their order.

    >>> [option.text for option in quiz(2)[1].options if option.right]
    ['ε = 2.']
    """
    require_solutions("a quiz")
    folder = importlib.import_module(f"fdpedu.exercises.{chapter_of(chapter).name}")
    questions = json.loads(Path(next(iter(folder.__path__)), "quiz.json").read_text("utf8"))
    return tuple(Question(plain(text), _options(said["options"])) for text, said in questions.items())


def _options(said: list[dict[str, Any]]) -> tuple[Option, ...]:
    return tuple(Option(plain(one["option"]), one["right"], plain(one["feedback"])) for one in said)


def as_moodle(chapter: int) -> str:
    """The quiz of a chapter as Moodle XML: a category, and questions of one choice with a reply to each option."""
    entry, root = chapter_of(chapter), Element("quiz")
    category = SubElement(root, "question", type="category")
    title = f"Chapter {entry.number}: {entry.title}".replace("/", "//")  # Moodle's way to write one in a name
    _text(category, "category", f"$course$/top/{title}")
    for number, question in enumerate(quiz(chapter), start=1):
        asked = SubElement(root, "question", type="multichoice")
        _text(asked, "name", f"{entry.number:02}.{number:02}")
        _text(asked, "questiontext", as_html(question.text), format="html")
        for name, value in (("defaultgrade", "1"), ("penalty", "0.5"), ("hidden", "0"), ("single", "true")):
            SubElement(asked, name).text = value
        SubElement(asked, "shuffleanswers").text = "true"
        SubElement(asked, "answernumbering").text = "abc"
        for option in question.options:
            fraction = "100" if option.right else "0"
            _text(_text(asked, "answer", as_html(option.text), format="html", fraction=fraction), "feedback",
                  as_html(option.feedback), format="html")  # fmt: skip
    indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _text(parent: Element, name: str, text: str, **attributes: str) -> Element:
    made = SubElement(parent, name, attributes)
    SubElement(made, "text").text = text
    return made
