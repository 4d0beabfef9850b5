"""Exercises on two distributions: the factor between them, and what is left over when a factor is allowed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import close, number

MAX_ATOMS, PARTS = 3, 4
FACTORS = (1, Fraction(3, 2), 2, 4)
Law = Sequence[Fraction]


def _all_laws(atoms: int) -> list[list[Fraction]]:
    """All distributions on so many atoms, with probabilities in quarters."""
    rows = (row for row in product(range(PARTS + 1), repeat=atoms) if sum(row) == PARTS)
    return [[Fraction(part, PARTS) for part in row] for row in rows]


@cache
def pairs() -> Sequence[Case]:
    """All pairs of distributions on one, two and three atoms."""
    sizes = range(1, MAX_ATOMS + 1)
    return tuple((p, q) for atoms in sizes for p, q in product(_all_laws(atoms), repeat=2))


@cache
def pairs_with_factors() -> Sequence[Case]:
    """The pairs, with each of the factors."""
    cases = [(p, q, factor) for p, q in pairs() for factor in FACTORS]
    return tuple(sorted(cases, key=lambda case: (len(case[0]), case[2])))


def _ratio(raw: Any) -> int | float | Fraction:
    """A number, or +∞."""
    if isinstance(raw, float) and raw == math.inf:
        return math.inf
    return number(raw)


def _same(given: Any, expected: Any) -> bool:
    return bool(given == expected) if math.inf in (given, expected) else close(given, expected)


def max_ratio(p: Law, q: Law) -> Fraction | float:
    """The largest p/q of an atom that p can give; infinite if q never gives it."""
    return max(a / b if b else float("inf") for a, b in zip(p, q, strict=True) if a)


def _log_ratio(p: Law, q: Law) -> float:
    return math.log(max_ratio(p, q))


def _guarded(p: Law, q: Law) -> Fraction | float:
    return max(a / b if b else math.inf for a, b in zip(p, q, strict=True))


MAX_RATIO = Exercise(
    id="privacy-max-ratio",
    kind="implement",
    hint="Go through the outcomes side by side. What is to be done when q is 0, and what when both are?",
    domain=f"all pairs of distributions on one to {MAX_ATOMS} outcomes, in quarters, fewest outcomes first",
    cases=pairs,
    size=lambda p, q: len(p),
    reference=max_ratio,
    read=_ratio,
    agrees=lambda case, given, expected: _same(given, expected),
    alike=lambda case, one, other: _same(one, other),
    explanation=(
        "An outcome that p cannot give is never seen under p: it says nothing, even when q is 0 too.\n"
        "One that p can give and q cannot proves that it was p: no factor is large enough."
    ),
    wrong=(
        Misconception(
            "skips outcomes that q misses",
            lambda p, q: max(a / b for a, b in zip(p, q, strict=True) if b),
            "You leave out what q cannot give. That is the worst outcome of all: whoever sees it knows that it was p. "
            "The ratio is infinite.",
        ),
        Misconception(
            "counts 0/0 as infinite",
            _guarded,
            "An outcome that neither distribution gives is never seen. Leave it out: only outcomes with p > 0 count.",
        ),
        Misconception(
            "divides by 0",
            lambda p, q: max(a / b for a, b in zip(p, q, strict=True)),
            "q may be 0. Treat it before you divide: with p > 0 the ratio is infinite, with p = 0 there is none.",
        ),
        Misconception(
            "takes differences",
            lambda p, q: max(a - b for a, b in zip(p, q, strict=True)),
            "p − q is blind to small probabilities: 0.001 against 0 is a small difference, and tells everything. "
            "Divide.",
        ),
        Misconception(
            "takes the larger of both directions",
            lambda p, q: max(max_ratio(p, q), max_ratio(q, p)),
            "That is what ε-DP asks for in the end, both ways. Here p is on top only: the two directions may differ, "
            "and are worth seeing apart.",
        ),
        Misconception(
            "divides the other way round",
            lambda p, q: max_ratio(q, p),
            "You divide q by p. The first distribution is on top.",
        ),
        Misconception(
            "looks at the likeliest outcome",
            lambda p, q: max((a, a / b if b else math.inf) for a, b in zip(p, q, strict=True) if a)[1],
            "The likeliest outcome need not be the most revealing one. The worst ratio often sits where both are rare.",
        ),
        Misconception(
            "gives the logarithm",
            _log_ratio,
            "That is the privacy loss ε. The task asks for the factor e^ε, which is a fraction: take no logarithm.",
        ),
    ),
)


def delta(p: Law, q: Law, exp_epsilon: Any) -> Fraction | int:
    """The least δ with p(S) ≤ e^ε·q(S) + δ for every event S."""
    return sum(max(0, a - exp_epsilon * b) for a, b in zip(p, q, strict=True))


def _parts(p: Law, q: Law, factor: Any) -> list[Any]:
    return [a - factor * b for a, b in zip(p, q, strict=True)]


def _on_worst_ratio(p: Law, q: Law, factor: Any) -> Any:
    ratios = [a / b if b else math.inf * (a > 0) if a else 0 for a, b in zip(p, q, strict=True)]
    return max(0, sum(x for x, ratio in zip(_parts(p, q, factor), ratios, strict=True) if ratio == max(ratios)))


HOCKEY_STICK = Exercise(
    id="privacy-hockey-stick",
    kind="implement",
    hint="Which outcomes belong to the worst event? Those that add to p(S) − e^ε·q(S), and no others.",
    domain=(
        f"all pairs of distributions on one to {MAX_ATOMS} outcomes, in quarters, for e^ε = 1, 3/2, 2, 4; "
        "fewest outcomes first"
    ),
    cases=pairs_with_factors,
    size=lambda p, q, exp_epsilon: (len(p), exp_epsilon),
    reference=delta,
    read=number,
    explanation=(
        "p(S) − e^ε·q(S) is a sum over the outcomes of S. It is largest when S takes exactly those with a positive "
        "term."
    ),
    wrong=(
        Misconception(
            "takes the total variation",
            lambda p, q, exp_epsilon: delta(p, q, 1),
            "That is the total variation distance, the δ for ε = 0. A factor e^ε is free: subtract e^ε·q, not q.",
        ),
        Misconception(
            "looks at single outcomes only",
            lambda p, q, exp_epsilon: max(0, *_parts(p, q, exp_epsilon)),
            "The worst event may hold several outcomes, and their excesses add up. For the ratio one outcome is "
            "enough, for δ it is not.",
        ),
        Misconception(
            "takes the largest term, also where it is negative",
            lambda p, q, exp_epsilon: max(_parts(p, q, exp_epsilon)),
            "The worst event may hold several outcomes, whose excesses add up. And it may hold none: then δ is 0, and "
            "never negative.",
        ),
        Misconception(
            "takes e^ε for ε",
            lambda p, q, exp_epsilon: delta(p, q, math.exp(exp_epsilon)),
            "`exp_epsilon` is e^ε already: multiply q by it, without another exponential.",
        ),
        Misconception(
            "adds negative terms too",
            lambda p, q, exp_epsilon: sum(_parts(p, q, exp_epsilon)),
            "Without max(0, ·) the sum is 1 − e^ε whatever p and q are. An outcome with a negative term is left out of "
            "the worst event.",
        ),
        Misconception(
            "exchanges the distributions",
            lambda p, q, exp_epsilon: delta(q, p, exp_epsilon),
            "You have q − e^ε·p. The first distribution is the one that must not exceed the other.",
        ),
        Misconception(
            "adds up absolute values",
            lambda p, q, exp_epsilon: sum(map(abs, _parts(p, q, exp_epsilon))),
            "Where e^ε·q is larger than p, nothing is wrong: that is no excess. Take max(0, ·) and not |·|.",
        ),
        Misconception(
            "takes the larger of both directions",
            lambda p, q, exp_epsilon: max(delta(p, q, exp_epsilon), delta(q, p, exp_epsilon)),
            "(ε, δ)-DP asks for both directions in the end. Here p is the first one only.",
        ),
        Misconception(
            "stops at the largest ratio",
            _on_worst_ratio,
            "The outcomes of the largest ratio are in the worst event, but every outcome with p > e^ε·q belongs to it.",
        ),
    ),
)
