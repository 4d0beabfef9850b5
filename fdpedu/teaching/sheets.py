"""A hand-out: the tasks of a set, each with its minutes and space to write, and nothing of their solutions."""

from __future__ import annotations

from fdpedu.exact import require_type
from fdpedu.teaching.quizzes import plain
from fdpedu.teaching.sets import ExerciseSet, Item, shown_points

LINES_A_MINUTE = 1


def sheet_text(chosen: ExerciseSet) -> str:
    """The sheet in Markdown.

    >>> from fdpedu.teaching import choose
    >>> print(sheet_text(choose(1, minutes=5)))
    # Chapter 1: CART: one good question after another
    <BLANKLINE>
    Exercises: 1. Minutes: 5. Points: 1. Name:
    <BLANKLINE>
    ## 1. The scaled impurity of a node
    <BLANKLINE>
    5 minutes, 1 point
    ...
    """
    require_type(chosen, ExerciseSet, "chosen")
    counted = f"Exercises: {len(chosen.items)}. Minutes: {chosen.minutes}. Points: {shown_points(chosen.points)}. Name:"
    tasks = [_task(number, item) for number, item in enumerate(chosen.items, start=1)]
    return "\n\n".join([f"# {chosen.title}", counted, *tasks]) + "\n"


def heading(number: int, item: Item) -> str:
    points = shown_points(item.points)
    return (
        f"## {number}. {item.exercise.title}\n\n{item.minutes} minutes, {points} point{'s' * (item.points != 1)}"
        f"{f', {item.attempts} attempts' * (item.attempts > 1)}"
    )


def _task(number: int, item: Item) -> str:
    space = "<br>" * (item.minutes * LINES_A_MINUTE)
    return f"{heading(number, item)}\n\n{plain(item.exercise.task)}\n\n{space}"
