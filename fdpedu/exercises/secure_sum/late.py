"""An exercise to break a protocol: drop-outs that are repaired without a mask of one's own."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import integer


@cache
def late_numbers() -> Sequence[Case]:
    """All late encodings and revealed masks of two to four parties, R from 2 to 5; fewest parties first."""
    return tuple(
        (encoding, list(masks), modulus)
        for others in (1, 2, 3)
        for modulus in range(2, 6)
        for encoding, *masks in product(range(modulus), repeat=others + 1)
    )


def read_late(encoding: int, revealed: Sequence[int], modulus: int) -> int:
    """Its own masks are the negatives of the others': add these to take them off, and lift."""
    value = (encoding + sum(revealed)) % modulus
    return value - modulus if 2 * value >= modulus else value


def _lifted(value: int, modulus: int) -> int:
    value %= modulus
    return value - modulus if 2 * value >= modulus else value


LATE = Exercise(
    id="secure-late",
    kind="break",
    hint="What is S_lj, if S_jl is known? How many masks stand in what l has sent?",
    domain="two to four parties, R from 2 to 5, all encodings and masks; fewest parties first",
    cases=late_numbers,
    size=lambda encoding, revealed, modulus: len(revealed),
    reference=read_late,
    read=integer,
    explanation=(
        "S_lj = −S_jl mod R, so what l has sent is x_l minus the revealed masks. Add them, and lift.\n"
        "The masks are revealed for the very digest that was answered, so binding them to it does not help. A "
        "self-mask helps: its seed is opened for survivors only, the pairwise masks for missing parties only."
    ),
    wrong=(
        Misconception(
            "subtracts the masks",
            lambda encoding, revealed, modulus: _lifted(encoding - sum(revealed), modulus),
            "These are the masks of the others with l. Those of l with the others are their negatives.",
        ),
        Misconception(
            "does not lift",
            lambda encoding, revealed, modulus: (encoding + sum(revealed)) % modulus,
            "This is right mod R, but x_l may be negative. Lift it to the centred range.",
        ),
        Misconception(
            "takes off one mask only",
            lambda encoding, revealed, modulus: _lifted(encoding + revealed[0], modulus),
            "There is a mask with each other party in what l has sent. As long as one mask is left, the result "
            "says nothing.",
        ),
        Misconception(
            "believes that it is still masked",
            lambda encoding, revealed, modulus: _lifted(encoding, modulus),
            "That is what l has sent. All its masks were revealed: take them off.",
        ),
    ),
)
