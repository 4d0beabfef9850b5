"""Which outputs a gambler bets on: for S₁ he guesses that the data were D′, for S₀ that they were D.

An event must be fixed before the runs that are bet on. It is the caller's own, or learnt from earlier runs
(:mod:`fdpedu.audit.learning`): then each output has a score, and a high one speaks for one of the two, a low one for
the other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import update_wrapper
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from fdpedu.audit.betting import Floats
from fdpedu.audit.outputs import Outputs, Raised
from fdpedu.exact import require_callable

Guesses = NDArray[np.int8]  # 1 for D′, −1 for D, 0 for none
Predicate = Callable[[Any], Any]
_SHOWN, _LONG = 4, 50


class Event(Protocol):
    """Two disjoint sets of outputs, by what they make a gambler guess."""

    @property
    def words(self) -> str: ...

    @property
    def directions(self) -> int: ...

    def guesses(self, outputs: Outputs) -> Guesses: ...


def vectorised(predicate: Predicate) -> Predicate:
    """Mark a predicate as one that takes an array of outputs, of a mechanism that gives many, and returns an array.

    Parameters
    ----------
    predicate : from outputs to whether each lies in the set

    Examples
    --------
    >>> @vectorised
    ... def high(outputs):
    ...     return outputs >= 1
    """
    require_callable(predicate, "predicate")

    def of_all(outputs: Any) -> Any:
        return predicate(outputs)

    update_wrapper(of_all, predicate)
    of_all.vectorised = True  # type: ignore[attr-defined]
    return of_all


@dataclass(frozen=True)
class Given:
    """The caller's own event.

    Claims: lem-guess

    Parameters
    ----------
    for_prime, for_d : predicates of S₁ and S₀; None if there is none
    """

    for_prime: Predicate
    for_d: Predicate | None = None

    @property
    def directions(self) -> int:
        """2, or 1 if no output makes a gambler guess D."""
        return 1 if self.for_d is None else 2

    @property
    def words(self) -> str:
        """What the predicates say of themselves."""
        second = f"; {_called(self.for_d)}: D" if self.for_d is not None else ""
        return f"{_called(self.for_prime)}: D′{second}"

    def guesses(self, outputs: Outputs) -> Guesses:
        """Of each output.

        Raises
        ------
        ValueError
            If an output lies in both sets.
        """
        first = _holds(self.for_prime, outputs)
        second = _holds(self.for_d, outputs) if self.for_d is not None else np.zeros_like(first)
        if (first & second).any():
            raise ValueError("event must be two sets without a common output, and one of the outputs lies in both")
        return first.astype(np.int8) - second.astype(np.int8)


@dataclass(frozen=True)
class Remembered:
    """An event of the caller's own that was read from a file: its words, and nothing that could be asked.

    Parameters
    ----------
    words : as it called itself
    directions : how many sets it had
    """

    words: str
    directions: int

    def guesses(self, outputs: Outputs) -> Guesses:
        """None can be had."""
        raise ValueError("this audit's event was the caller's own: give it to Audit.load again, as event")


def _called(predicate: Predicate) -> str:
    """The first line of what a function says of itself, or its name."""
    about = (getattr(predicate, "__doc__", None) or "").strip().splitlines()
    name = getattr(predicate, "__name__", type(predicate).__name__)
    return about[0].rstrip(".") if about else "the given event" if name == "<lambda>" else name


def _holds(predicate: Predicate, outputs: Outputs) -> NDArray[np.bool_]:
    if getattr(predicate, "vectorised", False):
        found = np.asarray(predicate(outputs.found))
        if found.shape != (len(outputs),) or found.dtype != bool:
            raise ValueError(f"event must give one truth value for each output, got {found.dtype} {found.shape}")
        return found
    return np.array([_lies_in(predicate, output) for output in outputs.found], dtype=bool)


def _lies_in(predicate: Predicate, output: Any) -> bool:
    """Whether an output is in a set; an exception, of which the predicate itself fails, is in none."""
    try:
        return bool(predicate(output))
    except Exception:
        if isinstance(output, Raised):
            return False
        raise


@dataclass(frozen=True)
class Sum:
    """A weighted sum of the parts that are numbers; of one part with weight 1, that number.

    Parameters
    ----------
    words : what it is called
    kind : of outputs that have it
    parts, weights : which ones, and how much each counts
    """

    words: str
    kind: str
    parts: tuple[int, ...]
    weights: tuple[float, ...]

    def of(self, outputs: Outputs) -> Floats:
        """The sum; NaN if one of the parts is no number, or it is not a number itself."""
        with np.errstate(invalid="ignore", over="ignore"):
            numbers = outputs.numbers(self.kind, self.parts)
            if len(self.weights) == 1:
                return numbers[:, 0] * self.weights[0]
            found: Floats = numbers @ np.array(self.weights)
            return found


@dataclass(frozen=True)
class Table:
    """A number for each text that was seen before.

    Parameters
    ----------
    words : what the texts are of
    of_what : ``"kind"``, ``"whole"``, or the kind of outputs that have the part
    part : its number
    scores : by text
    """

    words: str
    of_what: str
    part: int
    scores: Mapping[str, float] = field(hash=False)

    def of(self, outputs: Outputs) -> Floats:
        """The number of each output's text; NaN if it is not in the table."""
        if self.of_what in ("kind", "whole"):
            texts = outputs.kinds if self.of_what == "kind" else outputs.wholes
        else:
            texts = outputs.part(self.of_what, self.part)
        return np.array([self.scores.get(text, np.nan) for text in texts], dtype=np.float64)


@dataclass(frozen=True)
class Learnt:
    """High scores make a gambler guess one of the two data sets, low ones the other.

    Parameters
    ----------
    score : of an output
    high, low : from where on a score is high or low; None if there is no guess on that side
    rising : whether a high score makes one guess D′, and a low one D; else it is the other way round
    """

    score: Sum | Table
    high: float | None
    low: float | None
    rising: bool = True

    @property
    def directions(self) -> int:
        """2, or 1 if there is a guess on one side only."""
        return 1 if self.high is None or self.low is None else 2

    @property
    def words(self) -> str:
        """Both sets, or the one that there is."""
        names = ("D′", "D") if self.rising else ("D", "D′")
        sides = ((self.high, "≥", names[0]), (self.low, "≤", names[1]))
        return "; ".join(f"{self._side(end, sign)}: {name}" for end, sign, name in sides if end is not None) or "none"

    def _side(self, end: float, sign: str) -> str:
        if isinstance(self.score, Sum):
            return f"{self.score.words} {sign} {end:.6g}"
        chosen = [text for text, score in self.score.scores.items() if (score >= end if sign == "≥" else score <= end)]
        more = f" and {len(chosen) - _SHOWN} more" if len(chosen) > _SHOWN else ""
        texts = (text if len(text) < _LONG else f"{text[:_LONG]}…" for text in chosen[:_SHOWN])
        return f"{self.score.words} is {', '.join(texts)}{more}"

    def guesses(self, outputs: Outputs) -> Guesses:
        """Of each output."""
        score = self.score.of(outputs)
        top, bottom = score >= _or_nan(self.high), score <= _or_nan(self.low)
        found = top.astype(np.int8) - bottom.astype(np.int8)
        return found if self.rising else -found


def _or_nan(end: float | None) -> float:
    """The end; in place of none what no score is above or below."""
    return np.nan if end is None else end
