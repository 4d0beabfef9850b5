"""Where to look: a statistic and an event, learnt from runs that are not bet on.

The runs are halved. On the first half scores are made: of each part that is a number, that number; their sum, and a
linear score of them; and for whatever takes few values, how much more often each came from D′ than from D. On the
second half the ends of each score are set from where on it pays to bet, and the scores are compared. Whatever is
chosen, the bet on later runs is fair: this only decides how much it finds.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fdpedu.audit.betting import STAKES, Bet, Floats
from fdpedu.audit.events import Learnt, Sum, Table
from fdpedu.audit.outputs import Outputs

MOST_PARTS = 64
"""Of more parts those are looked at that differ most on the first half."""
MOST_TEXTS = 256
MOST_ENDS = 200
_U = np.array([float(stake) for stake in STAKES])


@dataclass(frozen=True)
class Goal:
    """What the event is for.

    Parameters
    ----------
    epsilon, delta : the claim that is to be refuted
    alpha : the error that is allowed
    ahead : how many runs will be bet on
    """

    epsilon: Fraction
    delta: Fraction
    alpha: Fraction
    ahead: int

    @property
    def need(self) -> float:
        """About how much the logarithm of the best gambler's wealth has to grow: ln 1/α, and what the others cost."""
        return 2 - math.log(self.alpha)

    def worth(self, right: Floats, wrong: Floats, runs: int) -> tuple[NDArray[np.bool_], Floats]:
        """Of each event, by its counts of guesses: whether it is expected to refute the claim, and how good it is.

        That is by how much a wealth grows in each run, if it is expected to refute; else what bound on ε it promises.
        """
        a, b = (right + 0.5) / (runs + 2), (wrong + 1) / (runs + 2)
        bet = Bet.against(self.epsilon, self.delta)
        gain, fee = np.log1p(float(bet.odds) * _U), np.log1p(-float(bet.fee) * _U)
        none = np.maximum(0, 1 - a - b)
        growth = (a[..., None] * gain + b[..., None] * np.log1p(-_U) + none[..., None] * fee).max(axis=-1)
        share = a / (a + b)
        spread = np.sqrt(2 * self.need / (max(1, self.ahead) * (a + b) * share * (1 - share)))
        refutes = growth * self.ahead >= self.need
        return refutes, np.where(refutes, growth, np.log(a / b) - spread)


class _Side(NamedTuple):
    """One set of outputs: where it ends, and its guesses on the second half."""

    end: float
    right: int
    wrong: int


def learnt_event(outputs: Outputs, primes: NDArray[np.bool_], goal: Goal) -> Learnt:
    """The event that promises most; one that never bets if nothing is seen.

    Parameters
    ----------
    outputs : of some runs
    primes : whether each was on D′
    goal : what the event is for
    """
    half = len(outputs) // 2
    first, second = outputs.some(slice(None, half)), outputs.some(slice(half, None))
    best: tuple[tuple[bool, float], Learnt] | None = None
    for score in _scores(first, primes[:half]):
        for event, right, wrong in _events(score, second, primes[half:], goal):
            refutes, worth = goal.worth(np.array([float(right)]), np.array([float(wrong)]), len(second))
            rank = bool(refutes[0]), float(worth[0]) - isinstance(score, Table) * (0.1 * abs(float(worth[0])))
            if best is None or rank > best[0]:
                best = rank, event
    return best[1] if best else Learnt(Table("nothing", "kind", 0, {}), None, None)


def _scores(outputs: Outputs, primes: NDArray[np.bool_]) -> Iterator[Sum | Table]:
    """All scores, made from these runs alone."""
    kinds = outputs.kinds
    yield from _table("the kind of " + outputs.what, "kind", 0, kinds, primes)
    yield from _table(outputs.what, "whole", 0, outputs.wholes, primes)
    for kind, _ in Counter(kinds).most_common(2):
        names = outputs.names(kind)
        numbers = outputs.numbers(kind, range(len(names)))
        with np.errstate(invalid="ignore"):
            ordered = [i for i in range(len(names)) if not np.isnan(numbers[:, i]).all()]
        for i in _most_telling(numbers, ordered, primes):
            yield Sum(names[i], kind, (i,), (1.0,))
        if len(names) > 1:
            for i in range(min(len(names), MOST_PARTS)):
                yield from _table(names[i], kind, i, outputs.part(kind, i), primes)
        if len(ordered) > 1:
            yield Sum(f"the sum of {outputs.what}", kind, tuple(ordered), (1.0,) * len(ordered))
            yield Sum(f"a linear score of {outputs.what}", kind, tuple(ordered), _weights(numbers[:, ordered], primes))


def _table(words: str, of_what: str, part: int, texts: Sequence[str], primes: NDArray[np.bool_]) -> Iterator[Table]:
    """Of each text how much more often it came from D′: the logarithm of the ratio. None if texts hardly recur."""
    here, there = Counter[str](), Counter[str]()
    for text, prime in zip(texts, primes.tolist(), strict=True):
        (there if prime else here)[text] += 1
    known = {**here, **there}
    if 0 < len(known) <= MOST_TEXTS and (len(known) > 1 or of_what == "kind"):
        yield Table(words, of_what, part, {t: math.log((there[t] + 0.5) / (here[t] + 0.5)) for t in known})


def _most_telling(numbers: Floats, ordered: Sequence[int], primes: NDArray[np.bool_]) -> list[int]:
    """Of these parts those whose means differ most, beside how much they spread."""
    if len(ordered) <= MOST_PARTS:
        return list(ordered)
    clean = np.nan_to_num(numbers[:, ordered], posinf=1e300, neginf=-1e300)
    with np.errstate(over="ignore", invalid="ignore"):
        apart = np.abs(clean[primes].mean(axis=0) - clean[~primes].mean(axis=0)) / (clean.std(axis=0) + 1e-300)
    best = np.argsort(-np.nan_to_num(apart), kind="stable")[:MOST_PARTS]
    return [ordered[i] for i in sorted(best)]


def _weights(numbers: Floats, primes: NDArray[np.bool_]) -> tuple[float, ...]:
    """Fisher's linear discriminant, with a ridge."""
    sound = np.isfinite(numbers).all(axis=1)
    x, y = numbers[sound], primes[sound]
    if y.all() or not y.any():
        return (1.0,) * numbers.shape[1]
    centred = np.where(y[:, None], x - x[y].mean(axis=0), x - x[~y].mean(axis=0))
    with np.errstate(over="ignore", invalid="ignore"):
        spread = centred.T @ centred / len(x)
        ridge = (np.trace(spread) / len(spread) * 0.1 + 1e-12) * np.eye(len(spread))
        try:
            found = np.linalg.solve(spread + ridge, x[y].mean(axis=0) - x[~y].mean(axis=0))
        except np.linalg.LinAlgError:
            return (1.0,) * numbers.shape[1]
    return tuple(np.nan_to_num(found).tolist())


def _events(
    score: Sum | Table, outputs: Outputs, primes: NDArray[np.bool_], goal: Goal
) -> Iterator[tuple[Learnt, int, int]]:
    """The best events of a score, with their counts of guesses on these runs."""
    values = score.of(outputs)
    known = ~np.isnan(values)
    values, b = values[known], primes[known]
    if not len(values):
        return
    for rising in (True, False):
        high = _side(values, b if rising else ~b, goal, len(outputs))
        low = _side(-values, ~b if rising else b, goal, len(outputs))
        yield Learnt(score, high.end, None, rising), high.right, high.wrong
        yield Learnt(score, None, -low.end, rising), low.right, low.wrong
        if high.end > -low.end:
            right, wrong = high.right + low.right, high.wrong + low.wrong
            yield Learnt(score, high.end, -low.end, rising), right, wrong


def _side(values: Floats, right: NDArray[np.bool_], goal: Goal, runs: int) -> _Side:
    """From where on it pays most to guess that a high value is right."""
    order = np.argsort(-values, kind="stable")
    sorted_values = values[order]
    rights = np.cumsum(right[order])
    lasts = np.flatnonzero(np.append(sorted_values[1:] != sorted_values[:-1], True))
    if len(lasts) > MOST_ENDS:
        lasts = lasts[np.linspace(0, len(lasts) - 1, MOST_ENDS).astype(int)]
    hits = rights[lasts].astype(np.float64)
    refutes, worth = goal.worth(hits, lasts + 1 - hits, runs)
    best = int(np.lexsort((worth, refutes))[-1])
    return _Side(float(sorted_values[lasts[best]]), int(hits[best]), int(lasts[best] + 1 - hits[best]))
