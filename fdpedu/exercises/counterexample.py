"""Exercises that ask for one object, such as a pair of neighbours on which a claim fails."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fdpedu.exercises.record import Exercise

Judge = Callable[[Any], tuple[str, str]]


def find_one(
    *, judge: Judge, sought: str, wanted: str, praise: str | Callable[[Any], str] = "", **fields: Any
) -> Exercise:
    """An exercise without inputs, whose answer is judged by what it is and not by being equal to the reference.

    Parameters
    ----------
    judge : the value given → what it is, as a word and as a sentence; wrong answers with one word are wrong alike
    sought : the word of a right answer
    wanted : what was expected, in words
    praise : what a PASS says after the judge's sentence; made from the value given if it is a function
    **fields : the other fields of the :class:`Exercise`
    """
    after = praise if callable(praise) else lambda value: praise
    return Exercise(
        cases=lambda: ((),),
        size=lambda: 0,
        agrees=lambda case, given, expected: judge(given)[0] == sought,
        alike=lambda case, one, other: judge(one)[0] == judge(other)[0],
        remark=lambda case, given, expected: judge(given)[1],
        wanted=lambda case, expected: wanted,
        any_of_many=True,
        praise=lambda value: f"{judge(value)[1]} {after(value)}".strip(),
        **fields,
    )
