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

from fdpedu.audit.betting import Floats
from fdpedu.audit.events import Learnt, Sum, Table
from fdpedu.audit.outputs import Outputs

MOST_PARTS = 64
"""Of more parts those are looked at that differ most on the first half."""
MOST_TEXTS = 256
MOST_ENDS = 200
_SHY = 0.75  # standard deviations
_LARGEST = 1e100  # of a number that is averaged
_STEPS = 14  # of a bisection, to a thousandth of ε


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

    def worth(self, right: Floats, wrong: Floats, runs: int, part: float = 1.0) -> tuple[NDArray[np.bool_], Floats]:
        """Of each event, by its counts of guesses: whether it is expected to refute the claim, and how good it is.

        That is by how much a wealth grows in each run, if it is expected to refute; else what bound on ε it promises.

        Parameters
        ----------
        right, wrong, runs : counts of guesses, and of runs
        part : of what is needed, for an event that is a part of another
        """
        # The best of many looks better than it is: it is counted as wrong a little more often than it was.
        a, b = (right + 0.5) / (runs + 2), (wrong + 1 + _SHY * np.sqrt(wrong + 1)) / (runs + 2)
        enough = part * self.need / max(1, self.ahead)
        growth = self._growth(a, b, np.full(a.shape, float(self.epsilon)))
        low, high = np.zeros(a.shape), np.full(a.shape, 16.0)
        for _ in range(_STEPS):
            middle = (low + high) / 2
            above = self._growth(a, b, middle) >= enough
            low, high = np.where(above, middle, low), np.where(above, high, middle)
        unseen = np.log(a / b) - 16  # of those that promise nothing, the one that looks best
        return growth >= enough, np.where(growth >= enough, growth, np.where(low > 0, low, unseen))

    def _growth(self, a: Floats, b: Floats, epsilon: Floats) -> Floats:
        """What the best stake gains in each run against a claim, if guesses are right and wrong so often."""
        slack, e = 2 * float(self.delta), np.exp(epsilon)
        odds, fee = (2 - slack) / (2 * e + slack), slack / (2 * e + slack)
        u = np.clip((a - b / odds) / (a + b), 0, 1 - 1e-9)
        found: Floats = a * np.log1p(odds * u) + b * np.log1p(-u) + np.maximum(0, 1 - a - b) * np.log1p(-fee * u)
        return found


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
            rank = bool(refutes[0]), float(worth[0]) - _doubt(score) * abs(float(worth[0]))
            if best is None or rank > best[0]:
                best = rank, event
    return best[1] if best else Learnt(Table("nothing", "kind", 0, {}), None, None)


def _doubt(score: Sum | Table) -> float:
    """What has been learnt of more numbers looks better on few runs than it is: which part of its worth is doubted."""
    if isinstance(score, Table):
        return min(0.5, 0.05 * len(score.scores))
    return 0.0 if len(score.parts) == 1 else 0.05 if len({*score.weights}) == 1 else 0.1


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
            linear = _linear(f"a linear score of {outputs.what}", kind, ordered, numbers[:, ordered], primes)
            yield from [linear] if linear else []


def _table(words: str, of_what: str, part: int, texts: Sequence[str], primes: NDArray[np.bool_]) -> Iterator[Table]:
    """Of each text how much more often it came from D′: the logarithm of the ratio. None if texts hardly recur."""
    here, there = Counter[str](), Counter[str]()
    for text, prime in zip(texts, primes.tolist(), strict=True):
        (there if prime else here)[text] += 1
    known = {**here, **there}
    if 1 < len(known) <= MOST_TEXTS:
        yield Table(words, of_what, part, {t: math.log((there[t] + 0.5) / (here[t] + 0.5)) for t in known})


def _most_telling(numbers: Floats, ordered: Sequence[int], primes: NDArray[np.bool_]) -> list[int]:
    """Of these parts those whose means differ most, beside how much they spread."""
    if len(ordered) <= MOST_PARTS:
        return list(ordered)
    clean = np.clip(np.nan_to_num(numbers[:, ordered]), -_LARGEST, _LARGEST)
    with np.errstate(over="ignore", invalid="ignore"):
        apart = np.abs(clean[primes].mean(axis=0) - clean[~primes].mean(axis=0)) / (clean.std(axis=0) + 1e-300)
    best = np.argsort(-np.nan_to_num(apart), kind="stable")[:MOST_PARTS]
    return [ordered[i] for i in sorted(best)]


def _linear(words: str, kind: str, ordered: Sequence[int], numbers: Floats, primes: NDArray[np.bool_]) -> Sum | None:
    """Fisher's linear discriminant with a ridge, in quarters of its largest weight: less can be learnt of few runs.

    None if it is nothing, or a part by itself.
    """
    sound = (np.abs(numbers) < _LARGEST).all(axis=1)
    x, y = numbers[sound], primes[sound]
    if y.all() or not y.any():
        return None
    scale = 2.0 ** np.round(np.log2(np.maximum(x.std(axis=0), 1e-12)))
    x = (x - x.mean(axis=0)) / scale
    apart = x[y].mean(axis=0) - x[~y].mean(axis=0)
    centred = np.where(y[:, None], x - x[y].mean(axis=0), x - x[~y].mean(axis=0))
    spread = centred.T @ centred / len(x)
    found = np.linalg.solve(spread + (np.trace(spread) / len(spread) * 0.1 + 1e-9) * np.eye(len(spread)), apart)
    quarters = np.round(4 * found / max(float(np.abs(found).max()), 1e-300)) / 4
    used = np.flatnonzero(quarters)
    if len(used) < 2:
        return None
    return Sum(words, kind, tuple(ordered[int(i)] for i in used), tuple((quarters / scale)[used].tolist()))


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
        lasts = lasts[np.linspace(0, len(lasts) - 1, MOST_ENDS).astype(np.int64)]
    hits = rights[lasts].astype(np.float64)
    refutes, worth = goal.worth(hits, lasts + 1 - hits, runs, 0.5)
    best = int(np.lexsort((worth, refutes))[-1])
    return _Side(float(sorted_values[lasts[best]]), int(hits[best]), int(lasts[best] + 1 - hits[best]))
