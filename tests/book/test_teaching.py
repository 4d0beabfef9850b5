"""The page for teachers: lessons fill their time, and no plan of lectures has a chapter before what it needs."""

import re
from itertools import pairwise

import pytest
from what_needs_what import drawing, in_words, needed, needs, skipped

from tests.support.repository import ROOT

PAGE = (ROOT / "book/teaching.md").read_text("utf8")
LESSONS = re.findall(r"^### (.*?)(?=^##)", PAGE, re.M | re.S)
PLANS = re.findall(r"^\*\*(Four|Eight|Twelve) lectures.*?\n\n(.*?)\n\n", PAGE, re.M | re.S)
EXERCISE = re.compile(r"<(ex-[\w-]+)>`\s\((\d+)\sminutes")


def gaps(lesson):
    """Where a part of a lesson does not begin when the one before it ends; they go from 0 to 90."""
    times = [(0, 0), *((int(a), int(b)) for a, b in re.findall(r"^\| (\d+)–(\d+) \|", lesson, re.M)), (90, 90)]
    yield from (later for (_, end), (later, _) in pairwise(times) if end != later)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.splitlines()[0])
def test_a_lesson_takes_ninety_minutes(lesson):
    """Without gaps; with three exercises, each with its minutes and its answer, a board, and what goes wrong."""
    assert list(gaps(lesson)) == []
    exercises = EXERCISE.findall(lesson)
    assert len(exercises) == 3
    assert re.findall(r"glue:md\} ([\w-]+)-solution", lesson) == [name.removeprefix("ex-") for name, _ in exercises]
    assert all(part in lesson for part in ("**On the board**", "**What goes wrong.**", "**At home.**"))


def test_the_commands_make_what_the_lessons_need():
    """The sheet of a lesson has its three exercises, and the deck is that of its chapter."""
    asked = [ids.split(",") for ids in re.findall(r"--exercises (?:\\\n *)?([\w,-]+)", PAGE)]
    assert asked == [[name.removeprefix("ex-") for name, _ in EXERCISE.findall(lesson)] for lesson in LESSONS]
    decks = re.findall(r"`(?:_build/decks/)?(\d\w+)\.html`", PAGE)
    assert decks == [re.search(r"\]\(chapters/(\w+)\.md", lesson)[1] for lesson in LESSONS]
    targets = set(re.findall(r"^make (\w+)$|`make (\w+)`", PAGE, re.M))
    makefile = (ROOT / "Makefile").read_text("utf8")
    assert all(re.search(rf"^{one or other}:", makefile, re.M) for one, other in targets)


def test_there_are_three_lessons_and_three_plans():
    """As the page says; a plan has as many lectures as its name."""
    assert len(LESSONS) == 3
    assert [(name, len(re.findall(r"^\| \d+ \|", rows, re.M))) for name, rows in PLANS] == [
        ("Four", 4),
        ("Eight", 8),
        ("Twelve", 12),
    ]


@pytest.mark.parametrize(("name", "plan"), PLANS, ids=[name for name, _ in PLANS])
def test_no_plan_has_a_chapter_before_what_it_needs(name, plan):
    """Or it says that this is taken as given."""
    assert list(skipped(plan)) == []


@pytest.mark.parametrize(
    ("card", "numbers"),
    [
        ("sums. The first chapter helps.", []),
        ("from chapter 2 what ε is; from\nchapter 3 noise", [2, 3]),
        ("from [chapter 4](04_accounting.md) costs; from chapters 5 and 6 sums", [4, 5, 6]),
        ("from chapter 4 costs. How one is grown is the matter of chapter 8", [4]),
        ("from [chapter 5](05_secure_sum.md) and\n  [chapter 6](06_dlpa.md) that", [5, 6]),
    ],
)
def test_what_a_card_names(card, numbers):
    """Every chapter that it names as needed, however it is linked; none that it names for something else."""
    assert needed(f":::{{card}} C\n**You need first**\n: {card}\n\n**Time**\n: x\n:::\n") == numbers


def test_needs_point_back():
    """A chapter needs earlier ones only; and the drawing has an arc for each need, and says it in words."""
    assert all(other < number for number, others in needs().items() for other in others)
    svg = drawing().svg
    assert svg.count('fill="none"') == sum(map(len, needs().values())) and "8 needs 1, 2, 4, 5, 6, 7" in svg
    assert in_words().text.count("\n") == len(needs()) + 1


@pytest.mark.parametrize(
    ("check", "broken"),
    [
        (gaps, "| 0–12 | a | b |\n| 13–90 | a | b |\n"),
        (gaps, "| 0–12 | a | b |\n| 12–80 | a | b |\n"),
        (gaps, "| 5–90 | a | b |\n"),
        (skipped, "| 1 | [chapter 3](x.md) | |\n| 2 | [chapter 2](x.md) | 1 |\n"),
        (skipped, "| 1 | [chapter 4](x.md) | 3 |\n"),
        (skipped, "| 1 | [chapter 8](x.md) | 1, 2, 4, 5, 6 |\n"),
    ],
)
def test_the_checks_can_fail(check, broken):
    """A gap, a late beginning, an early end; a chapter too early, and one thing that is not given."""
    assert list(check(broken))
