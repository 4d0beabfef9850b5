"""Moodle reads back the quiz that stands on the pages; a sheet has the tasks and nothing of their solutions."""

import json
import re
from fractions import Fraction
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from fdpedu.chapters import CHAPTERS
from fdpedu.exercises import catalogue
from fdpedu.teaching import ExerciseSet, Item, answer_notebook, as_moodle, choose, quiz, read_set, sheet_text
from fdpedu.teaching.quizzes import as_html, plain
from tests.support.repository import ROOT

NUMBERS = [chapter.number for chapter in CHAPTERS]


def words(markup):
    """The words of HTML whose elements are closed in order, and are a few harmless ones."""
    met, open_ones, parser = [], [], HTMLParser()
    parser.handle_starttag = lambda tag, attributes: (open_ones.append(tag), met.append(tag), met.extend(attributes))
    parser.handle_endtag = lambda tag: None if open_ones.pop() == tag else pytest.fail(markup)
    said = []
    parser.handle_data = said.append
    parser.feed(markup)
    parser.close()
    assert set(met) <= {"p", "em", "strong", "code"} and not open_ones, markup
    return re.findall(r"[\w’]+", "".join(said))


def of_markdown(text):
    return re.findall(r"[\w’]+", text)


@pytest.mark.parametrize("number", NUMBERS)
def test_moodle_reads_the_quiz_of_the_pages(number):
    """One category, then every question with one right option, each with what the page says to it, word for word."""
    category, *asked = ElementTree.fromstring(as_moodle(number).encode("utf8")).findall("question")
    assert category.get("type") == "category" and category.findtext("category/text").startswith("$course$/top/Chapter")
    pages = "".join((ROOT / f"{page}.md").read_text("utf8") for page in CHAPTERS[number - 1].pages)
    assert len(asked) == len(quiz(number)) == len(re.findall(r"^\*\*\d+\.\*\* ", pages, re.M)) >= 3
    assert len({one.findtext("name/text") for one in asked}) == len(asked)
    fixed = {"defaultgrade": "1", "penalty": "0.5", "hidden": "0", "shuffleanswers": "true", "answernumbering": "abc"}
    for found, question in zip(asked, quiz(number), strict=True):
        assert {name: found.findtext(name) for name in fixed} == fixed
        assert (found.get("type"), found.findtext("single")) == ("multichoice", "true")
        assert words(found.findtext("questiontext/text")) == of_markdown(question.text)
        answers = found.findall("answer")
        assert sorted(answer.get("fraction") for answer in answers) == [*["0"] * (len(answers) - 1), "100"]
        for answer, option in zip(answers, question.options, strict=True):
            assert (answer.get("fraction") == "100") == option.right == option.feedback.startswith("**Right.**")
            assert words(answer.findtext("text")) == of_markdown(option.text)
            assert words(answer.findtext("feedback/text")) == of_markdown(option.feedback)


def test_markup_is_text():
    assert as_html("<b> & `a<b` $p<q$") == "<p>&lt;b&gt; &amp; <code>a&lt;b</code> \\(p&lt;q\\)</p>"
    assert as_html("`x` < b") == "<p><code>x</code> &lt; b</p>"


@pytest.mark.parametrize("role", ["{glue:text}`x`", "{prf:ref}`lem-nobody`", "{term}`ε`"])
def test_what_only_a_page_can_say_is_refused(role):
    with pytest.raises(ValueError, match="outside its page"):
        plain(f"See {role}.")


@pytest.mark.parametrize("number", NUMBERS)
def test_a_sheet_has_tasks_only(number):
    """All tasks of the chapter, no hint, no solution, no wrong answer; it is what the notebook asks, too."""
    chosen = choose(number, minutes=10_000)
    sheet, book = sheet_text(chosen), json.loads(answer_notebook(chosen))
    text = "".join(cell["source"] for cell in book["cells"])
    exercises = list(catalogue(CHAPTERS[number - 1].name))
    assert [item.id for item in chosen.items] == [exercise.id for exercise in exercises]
    for exercise in exercises:
        assert plain(exercise.task) in sheet and plain(exercise.task) in text
        assert str(exercise.stub_source()) in text and exercise.hint not in sheet + text
        assert all(wrong.hint not in sheet + text for wrong in exercise.wrong)
    assert "{" not in re.sub(r"\$[^$]*\$|`[^`]*`", "", sheet)
    assert read_set(chosen.to_toml()) == chosen


@pytest.mark.parametrize("points", ["0.000001", "0.1", "2.5", "7", "1000000"])
@pytest.mark.parametrize("attempts", [1, 2, 1000])
def test_a_set_that_is_written_is_read_as_it_was(points, attempts):
    """With quotation marks, a backslash and other letters in its title, whatever an exercise is worth."""
    items = tuple(Item(id, Fraction(points), attempts) for id in ("privacy-sensitivity", "privacy-max-ratio"))
    chosen = ExerciseSet('Blatt "3" \\ ε ≤ 1', items)
    assert read_set(chosen.to_toml()) == chosen


@pytest.mark.parametrize("minutes", [5, 14, 45])
def test_a_sheet_fits_into_its_minutes(minutes):
    """And no exercise that is left out would fit."""
    for number in NUMBERS:
        try:
            chosen = choose(number, minutes=minutes)
        except ValueError as error:
            assert minutes < 10 and "minutes must be at least" in str(error)
            continue
        assert 0 < chosen.minutes <= minutes and f"Minutes: {chosen.minutes}." in sheet_text(chosen)
        left = {item.id for item in choose(number, minutes=10_000).items} - {item.id for item in chosen.items}
        rest = minutes - chosen.minutes
        assert all(item.minutes > rest for item in choose(number, minutes=10_000).items if item.id in left)
