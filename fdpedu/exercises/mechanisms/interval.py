"""An exercise on what a noisy count says: the smallest interval that holds the true one."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import count, product
from typing import Any

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import integer

ALPHAS = tuple(Fraction(a) for a in ("1/10", "1/3", "1/2", "3/4", "9/10"))
EDGES = tuple((Fraction(a), Fraction(m)) for a, m in (("1/10", "1/55000"), ("3/4", "27/56"), ("9/10", "729/950")))
MISSES = tuple(Fraction(m) for m in ("1/2", "1/5", "1/10", "1/20", "1/100", "1/1000"))


@cache
def intervals() -> Sequence[Case]:
    """All (alpha, miss), and three in which a miss has exactly the probability that is allowed; least noise first."""
    return tuple(sorted((*product(ALPHAS, MISSES), *EDGES), key=lambda case: case[0]))


def half_width(alpha: Any, miss: Any) -> int:
    """The smallest t with 2·α^(t+1)/(1+α) ≤ miss."""
    t, tail = 0, 2 * alpha / (1 + alpha)
    while tail > miss:
        t, tail = t + 1, tail * alpha
    return t


def _in_floats(alpha: Any, miss: Any) -> int:
    """The right formula, solved for t by logarithms."""
    return max(0, math.ceil(math.log(miss * (1 + alpha) / 2) / math.log(alpha) - 1))


def _smallest(tail: Callable[[Any, int], Any]) -> Callable[[Any, Any], int]:
    return lambda alpha, miss: next(t for t in count() if tail(alpha, t) <= miss)


INTERVAL = Exercise(
    id="mech-interval",
    kind="implement",
    hint="Add up the probabilities of t + 1, t + 2, …: a geometric series. Which other outcomes are outside as well?",
    domain="α = 1/10, 1/3, 1/2, 3/4, 9/10 and miss = 1/2, 1/5, 1/10, 1/20, 1/100, 1/1000, and three at the "
    "edge; the least noise first",
    cases=intervals,
    size=lambda alpha, miss: alpha,
    reference=half_width,
    read=integer,
    explanation=(
        "Pr[noise > t] is (1−α)/(1+α)·(α^(t+1) + α^(t+2) + …) = α^(t+1)/(1+α), and the other side is as large: "
        "2·α^(t+1)/(1+α).\n"
        "Each step multiplies it by α. With fractions the comparison is exact; logarithms of floats may be off by one "
        "at the edge.\n"
        "Nothing but α and miss goes in, and both are public: such an interval costs no budget."
    ),
    wrong=(
        Misconception(
            "counts one side",
            _smallest(lambda alpha, t: alpha ** (t + 1) / (1 + alpha)),
            "The noise may be too small as well as too large: both tails count, so the probability is twice as large.",
        ),
        Misconception(
            "calls ±t itself a miss",
            _smallest(lambda alpha, t: 2 * alpha**t / (1 + alpha)),
            "Within ±t includes ±t: a miss is |noise| > t, and begins at t + 1.",
        ),
        Misconception(
            "stops one too early",
            lambda alpha, miss: max(0, half_width(alpha, miss) - 1),
            "With this t a miss is still more likely than `miss`. One more step is needed.",
        ),
        Misconception(
            "takes the interval of ideal Laplace noise",
            lambda alpha, miss: math.ceil(math.log(miss) / math.log(alpha)),
            "ln(1/miss)/ε is the half-width for real-valued noise, rounded up. On integers it is often one more than "
            "needed.",
        ),
        Misconception(
            "computes in floats at the edge",
            _in_floats,
            "The formula is right. But here Pr[|noise| > t] is exactly `miss`, and a float of a logarithm lands on the "
            "wrong side of a whole number. Compare fractions, without logarithms.",
        ),
        Misconception(
            "takes confidence for miss",
            lambda alpha, miss: half_width(alpha, 1 - miss),
            "`miss` is the probability of being wrong, 1/20 for 95 %. You allow 1 − miss.",
        ),
        Misconception(
            "takes one-sided geometric noise",
            _smallest(lambda alpha, t: alpha ** (t + 1)),
            "α^(t+1) is the tail of a geometric number. The two-sided distribution has 2·α^(t+1)/(1+α).",
        ),
        Misconception(
            "looks at single outcomes",
            _smallest(lambda alpha, t: (1 - alpha) / (1 + alpha) * alpha ** (t + 1)),
            "That is the probability of one outcome, t + 1. All outcomes beyond ±t together are a miss.",
        ),
    ),
)
