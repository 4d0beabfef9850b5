"""An exercise to break: a Hessian that is not quite free."""

from __future__ import annotations

from typing import Any

from fdpedu.exercises.counterexample import find_one
from fdpedu.exercises.record import Misconception
from fdpedu.exercises.values import Unreadable, integer, sequence

MAX_STEPS = 4096


def _read(raw: Any) -> tuple[int, int]:
    m, P = sequence(integer, 2)(raw)
    if not 2 <= m <= MAX_STEPS or not 0 <= P <= m:
        raise Unreadable(f"the number m must be from 2 to {MAX_STEPS}, and P from 0 to m")
    return m, P


def hessian(m: int, P: int) -> int:
    """⌊3.4·P·(m − P)/m⌋, in integers."""
    return 34 * P * (m - P) // (10 * m)


def fails(m: int, P: int) -> bool:
    """Whether the pair is longer than m."""
    return P**2 + hessian(m, P) ** 2 > m**2


def found(m: int, P: int) -> tuple[str, str]:
    """What a row shows, as a word and as a sentence."""
    said = f"At m = {m} and P = {P}, G² + H² = {P**2} + {hessian(m, P) ** 2} = {P**2 + hessian(m, P) ** 2}"
    if fails(m, P):
        return "fails", f"{said}, which is more than m² = {m**2}."
    said = f"{said}, which is no more than m² = {m**2}."
    if P in (0, m):
        return "sure", said
    if 2 * P == m:
        return "half-way", said
    if fails(m, m - P):
        return "other class", said
    if 100 * m**2 * P**2 + (34 * P * (m - P)) ** 2 > 100 * m**4:
        return "rounded", f"{said} Only before H is rounded down it would be more."
    return "within", said


HESSIAN = find_one(
    id="boosting-hessian",
    kind="break",
    hint="A row of which the model is sure has no Hessian, and one half-way has a short gradient. Where between the "
    "two is the sum of squares largest? If rounding spoils it, take a larger m.",
    domain=f"all P from 0 to m, and m from 2 to {MAX_STEPS}",
    reference=(12, 8),
    read=_read,
    judge=lambda value: found(*value),
    sought="fails",
    wanted="m and P with P² + ⌊3.4·P·(m − P)/m⌋² > m²",
    praise="One such row is enough: noise that was measured by m² does not hide it for the announced ρ.",
    explanation=(
        "At P = 8 of 12 steps, G² = 64 and H = ⌊3.4·32/12⌋ = 9, and 64 + 81 = 145 > 144. No smaller m fails. In larger "
        "tables P near m/φ = 0.618·m does it, such as 40 of 64.\n"
        "With p = P/m the sum stays within m² iff κ² ≤ (1 + p)/(p²(1 − p)). The right side is least at p = 1/φ, where "
        "it is φ⁵ = 11.09. Now 3.33² = 11.0889 is just below it, and rounding down only makes H shorter; 3.4² = 11.56 "
        "is above."
    ),
    wrong=(
        Misconception(
            "takes the largest Hessian",
            (64, 32),
            "Half-way the Hessian is largest, but the gradient is only m/2: 1/4 + (3.4/4)² is less than 1. What counts "
            "is the sum.",
        ),
        Misconception(
            "takes the largest gradient",
            (64, 64),
            "A row of which the model is sure has no Hessian at all, so the sum is at most m², with equality at the "
            "most. Go a little back from it.",
        ),
        Misconception(
            "looks at a row of class 1",
            (64, 24),
            "With this P a row of class 1 would break it: its gradient is P − m. For a row of class 0 take m − P.",
        ),
        Misconception(
            "forgets to round",
            (16, 10),
            "P is well chosen, but H is rounded down to a whole number, and in a coarse table this is just enough. "
            "Take more steps.",
        ),
    ),
)
