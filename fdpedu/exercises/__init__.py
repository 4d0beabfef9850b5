"""Exercises that answer: ``check(id, answer)`` says PASS, or shows the smallest input on which the answer is wrong.

Every exercise states a finite domain of inputs, and the checker tries them all, the smallest first. So the input it
shows is the smallest, and the same answer gets the same reply. A wrong answer that gives what a known wrong answer
gives, on all inputs that were compared, is answered with the misconception behind it.

What a PASS is not: a proof. It says on how many inputs the answer agrees. Nor is the checker a sandbox: an answer runs
with all that its author may do, in a thread of its own, and is stopped when it does not end (see `deadline`).

>>> from fdpedu.exercises import check
>>> reply = check("cart-impurity", lambda a, b: a * b / (a + b))
>>> reply.passed, reply.counterexample
(False, (0, 0))
>>> check("cart-impurity", find("cart-impurity").reference).passed
True
"""

import os
import threading
from typing import Any

from fdpedu.exact import as_float, as_positive_fraction
from fdpedu.exercises.catalogue import Catalogue, catalogue, find
from fdpedu.exercises.checking import judge
from fdpedu.exercises.record import Exercise, Misconception, Prose, Solution, Source
from fdpedu.exercises.reply import Reply
from fdpedu.exercises.stored import has_solutions

__all__ = ["Catalogue", "Exercise", "Misconception", "Reply", "catalogue", "check", "hint", "solution", "stub", "task"]


def check(id: str, answer: Any, *, seconds: float = 5) -> Reply:
    """Check an answer: a function or a value, as the exercise asks.

    Parameters
    ----------
    id : one of those in :func:`catalogue`
    answer : may raise, return nonsense, print or never end: the reply says so
    seconds : greater than 0; after that long the reply is "not decided"

    Raises
    ------
    ValueError
        If there is no such exercise; the message names the nearest.
    """
    return judge(
        find(id), answer, min(as_float(as_positive_fraction(seconds, "seconds"), "seconds"), threading.TIMEOUT_MAX)
    )


def task(id: str) -> Prose:
    """What is asked, in Markdown."""
    return Prose(find(id).task)


def hint(id: str) -> Prose:
    """A first help, for those who have tried."""
    return Prose(find(id).hint)


def stub(id: str) -> Source:
    """A cell to start from: it runs, and its check says that there is no answer yet."""
    return find(id).stub_source()


def solution(id: str) -> Solution:
    """The reference solution, as source text that runs as it stands; in the edition for students, that it has none.

    That edition is a wheel of its own, without solutions (`make student`). With ``FDPEDU_EDITION`` set to ``student``
    the one for teachers says so, too, but hides nothing from those who read the library's files.
    """
    exercise = find(id)
    if not has_solutions() or os.environ.get("FDPEDU_EDITION") == "student":
        return Solution.of("", "The edition for students has no solutions. Your lecturer has the one that does.", "")
    return exercise.solution_source()
