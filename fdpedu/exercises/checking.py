"""From an answer to a reply."""

from __future__ import annotations

import contextlib
import time
import warnings
from typing import Any

from fdpedu.exercises.deadline import Ending, run_within
from fdpedu.exercises.record import Exercise
from fdpedu.exercises.reply import Reply, Verdict
from fdpedu.exercises.trial import BLANK, Failure, Trial
from fdpedu.exercises.values import kind, nearly

Lines = tuple[tuple[str, str], ...]


def judge(exercise: Exercise, answer: Any, seconds: float) -> Reply:
    """Try the answer on the exercise's cases, and say what came out."""
    if any(answer is nothing for nothing in BLANK):
        return _reply(exercise, "NOT ANSWERED YET", _where_to_start(exercise))
    if exercise.asks_for_function and not callable(answer):
        note = f"hand over `{exercise.reference.__name__}` itself, without calling it"
        return _reply(exercise, "FAIL", (("why", f"A function was expected, not {kind(answer)}: {note}."),))
    if not exercise.asks_for_function and callable(answer):
        return _reply(exercise, "FAIL", (("why", "A value was expected, not a function: see the task."),))
    trial = Trial(exercise, exercise.as_function(answer))
    started = time.monotonic()
    ending = _run(trial, seconds)
    if trial.failure:
        return _failed(trial, trial.failure)
    if ending == "ended":
        return _passed(trial)
    return _undecided(trial, ending, seconds, started)


def _run(trial: Trial, seconds: float) -> Ending:
    """Nothing that the answer prints or warns of comes through; a printed text is part of the reply."""
    with contextlib.redirect_stdout(trial.page), contextlib.redirect_stderr(trial.page), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return run_within(seconds, trial.run)


def _reply(exercise: Exercise, verdict: Verdict, rows: Lines, **more: Any) -> Reply:
    filled = tuple((label, text) for label, text in rows if text)
    return Reply(exercise.id, exercise.title, verdict, filled, **more)


def _where_to_start(exercise: Exercise) -> Lines:
    wanted = f"a function {exercise.call}" if exercise.asks_for_function else "a value"
    return (
        ("why", f"There is no answer yet: {wanted} is expected in the place of the dots."),
        ("next", f'`hint("{exercise.id}")` helps, `stub("{exercise.id}")` gives the start again.'),
    )


def _passed(trial: Trial) -> Reply:
    exercise, count = trial.exercise, trial.agreed
    evidence = f"Agrees on all {count:,} cases of: {exercise.domain}. This is evidence, not a proof."
    note = "Floats were compared within rounding, a relative 10⁻⁹." if trial.rounded else ""
    said = exercise.praise(trial.last) if exercise.praise else evidence
    return _reply(exercise, "PASS", (("checked", said), ("note", note)), tried=count)


def _failed(trial: Trial, failure: Failure) -> Reply:
    exercise, outcome = trial.exercise, failure.outcome
    given = (
        ("input", exercise.show_case(failure.case)),
        ("your answer", outcome.shown),
        ("expected", exercise.wanted(failure.case, failure.expected)),
    )
    if trial.all_blank and outcome.blank:
        forgotten = "It gives nothing for any input. (A function without a `return` gives None.)"
        if outcome.printed:
            forgotten = (
                "It prints something and gives nothing. `print` shows a value, `return` hands it over: use `return`."
            )
        rows = (given[0], given[2], ("printed", outcome.printed), ("why", forgotten), _where_to_start(exercise)[1])
        return _reply(exercise, "NOT ANSWERED YET", rows)
    known = failure.misconception
    fault = outcome.reason or exercise.remark(failure.case, outcome.value, failure.expected)
    if not outcome.fault and not exercise.any_of_many and nearly(outcome.value, failure.expected):
        fault = "That is close, but more than rounding away: compute it, do not round it."
    diagnosis = (("looks like", known.name), ("why", known.hint)) if known else (("hint", exercise.hint),)
    rows = (*given, ("printed", outcome.printed), ("seen", fault), *diagnosis, ("tried", _tried(trial, failure)))
    name = known.name if known else None
    return _reply(exercise, "FAIL", rows, counterexample=failure.case, misconception=name, tried=failure.before)


def _tried(trial: Trial, failure: Failure) -> str:
    if not trial.exercise.asks_for_function:
        return ""
    first = "This is the very first input." if not failure.before else "No smaller input fails."
    return f"{first} Agreed before: {failure.before:,}. The domain: {trial.exercise.domain}."


def _undecided(trial: Trial, ending: Ending, seconds: float, started: float) -> Reply:
    exercise, case = trial.exercise, trial.current or ()
    stuck = trial.since - started < seconds / 2
    why = f"Your answer was still busy with this input after {seconds:g} s, and was stopped. Does its loop end?"
    if not stuck:
        why = f"{seconds:g} s were over. Nothing is wrong so far: `check(…, seconds={10 * seconds:g})` waits longer."
    left = "It could not be stopped and still runs: restart the kernel." if ending == "left behind" else ""
    count = f"It agrees on {trial.agreed:,} of {len(exercise.cases()):,} cases of: {exercise.domain}."
    expected = exercise.as_function(exercise.reference)(*case) if case or not exercise.asks_for_function else None
    rows = (
        ("input", exercise.show_case(case)),
        ("expected", exercise.wanted(case, expected)),
        ("why", f"{why} This is no verdict on it."),
        ("note", left),
        ("tried", count),
    )
    return _reply(exercise, "NOT DECIDED", rows, tried=trial.agreed)
