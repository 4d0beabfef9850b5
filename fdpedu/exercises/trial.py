"""Trying an answer on one case after the other, and finding which misconception a wrong one shares."""

from __future__ import annotations

import copy
import inspect
import io
import linecache
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from fdpedu.exercises.deadline import Stopped
from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import Unreadable, rounded, show

BLANK = (None, ..., NotImplemented)
_PROBES = 200  # cases after the counterexample on which a misconception must also give what the answer gives
_MAX_PRINTED = 400
_MAX_LINE = 100


@dataclass(frozen=True)
class Outcome:
    """What an answer gave for one case: a value, or a fault when there is none to compare."""

    shown: str
    value: Any = None
    fault: str = ""
    reason: str = ""
    blank: bool = False
    printed: str = ""


@dataclass(frozen=True)
class Failure:
    """The smallest case on which the answer is wrong."""

    case: Case
    outcome: Outcome
    expected: Any
    before: int  # cases on which it was right
    misconception: Misconception | None = None


class Elsewhere(Exception):
    """What became of a case in another process, which the exception carries here."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome.shown)
        self.outcome = outcome


class Page(io.TextIOBase):
    """Takes what an answer prints, keeps the beginning of it, and shows none of it."""

    text = ""

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if len(self.text) < _MAX_PRINTED:
            self.text = (self.text + text)[:_MAX_PRINTED]
        return len(text)


def observe(exercise: Exercise, answer: Callable[..., Any], case: Case, page: Page | None = None) -> Outcome:
    """Call the answer with a copy of the case that is its own, and read what it gives; never raises."""
    page = page or Page()
    page.text = ""
    try:
        raw = answer(*copy.deepcopy(case))
        shown = show(raw)
        blank = any(raw is nothing for nothing in BLANK)
        value = exercise.read(raw)
    except Stopped:
        raise
    except Elsewhere as there:
        return there.outcome
    except Unreadable as problem:
        return Outcome(shown, fault=str(problem), reason=_sentence(problem), blank=blank, printed=page.text)
    except BaseException as error:  # an answer may raise anything, SystemExit too
        return raised(error, answer, page.text)
    return Outcome(shown, value, blank=blank, printed=page.text)


def raised(error: BaseException, answer: Callable[..., Any], printed: str = "") -> Outcome:
    """The outcome of a case on which an answer raised something, after it had printed something."""
    name = type(error).__name__
    said = show(error.args[0]) if error.args and not isinstance(error.args[0], str) else "".join(error.args[:1])
    shown = f"raised {name}: {said[:200]}" if said else f"raised {name}"
    unwritten = isinstance(error, NotImplementedError)
    return Outcome(shown, fault=name, reason=_where(error, answer), blank=unwritten, printed=printed)


def _sentence(problem: Unreadable) -> str:
    text = str(problem)
    return f"{text[:1].upper()}{text[1:]}."


def _where(error: BaseException, answer: Callable[..., Any]) -> str:
    """The line of the answer in which the error arose, as far as it is known."""
    source = getattr(getattr(answer, "__code__", None), "co_filename", None)
    lines = [at for frame, at in traceback.walk_tb(error.__traceback__) if frame.f_code.co_filename == source]
    if source is None or not lines:
        return "It was raised before the first line of your answer: does it take these arguments?"
    text = linecache.getline(source, lines[-1]).strip()[:_MAX_LINE]
    return f"It was raised in line {lines[-1]}: `{text}`." if text else f"It was raised in line {lines[-1]}."


def exchanged(exercise: Exercise) -> Iterator[Misconception]:
    """Right answers with two of their arguments in each other's place, one for each pair."""
    if not exercise.asks_for_function:
        return
    names = list(inspect.signature(exercise.reference).parameters)
    for i, j in combinations(range(len(names)), 2):

        def answer(*case: Any, i: int = i, j: int = j) -> Any:
            order = list(case)
            order[i], order[j] = order[j], order[i]
            return exercise.reference(*order)

        hint = f"Your answer would be right if {names[i]} and {names[j]} changed places. It is called {exercise.call}."
        yield Misconception("exchanges two arguments", answer, hint)


@dataclass
class Trial:
    """One answer on its way through the cases. Its fields are true at every moment, so it can be stopped at any."""

    exercise: Exercise
    answer: Callable[..., Any]
    agreed: int = 0
    current: Case | None = None
    since: float = 0.0
    all_blank: bool = True
    rounded: bool = False
    last: Any = None
    failure: Failure | None = None
    page: Page = field(default_factory=Page)

    def run(self, still_in_time: Callable[[], None]) -> None:
        cases = self.exercise.cases()
        reference = self.exercise.as_function(self.exercise.reference)
        for index, case in enumerate(cases):
            expected = reference(*copy.deepcopy(case))
            self.current, self.since = case, time.monotonic()
            outcome = observe(self.exercise, self.answer, case, self.page)
            still_in_time()
            self.all_blank &= outcome.blank
            if outcome.fault or not self.exercise.agrees(case, outcome.value, expected):
                self.failure = Failure(case, outcome, expected, index)
                self.failure = Failure(case, outcome, expected, index, self._diagnose(cases, index, still_in_time))
                return
            self.rounded |= rounded(outcome.value, expected)
            self.agreed, self.last = index + 1, outcome.value

    def _diagnose(self, cases: Sequence[Case], at: int, still_in_time: Callable[[], None]) -> Misconception | None:
        """The first known wrong answer that gives what this one gives: there, after it, and before it."""
        suspects = [*self.exercise.wrong, *exchanged(self.exercise)]
        for case in [*cases[at : at + 1 + _PROBES], *cases[:at]]:
            if not suspects:
                return None
            given = observe(self.exercise, self.answer, case, self.page)
            still_in_time()
            suspects = [wrong for wrong in suspects if self._gives(wrong, case, given)]
        return suspects[0] if suspects else None

    def _gives(self, wrong: Misconception, case: Case, given: Outcome) -> bool:
        other = observe(self.exercise, self.exercise.as_function(wrong.answer), case)
        if given.fault or other.fault:
            return given.fault == other.fault
        return self.exercise.alike(case, given.value, other.value)
