"""Exercises on how noise is made: from digits and a sign, and in a toy machine that rounds."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import integer, sequence

MAX_HIGH = 3


@cache
def digits() -> Sequence[Case]:
    """All (negative, low, high, base), the smallest base first."""
    return tuple(
        (negative, low, high, base)
        for base in (2, 3, 4)
        for high in range(MAX_HIGH + 1)
        for low in range(base)
        for negative in (False, True)
    )


def noise(negative: bool, low: int, high: int, base: int) -> int:
    """g = low + base·high; g itself, or −1 − g on the negative side."""
    g = low + base * high
    return -1 - g if negative else g


def _remark(case: Case) -> str:
    negative, low, high, base = case
    if not negative:
        return ""
    return f"Without the sign the same digits give {low + base * high}: every number must be reached exactly once."


DIGITS = Exercise(
    id="mech-digits",
    kind="implement",
    hint="Positive side: which numbers have probability ∝ α^k? Negative side: it is α times as likely, and begins at "
    "−1.",
    domain=f"bases 2, 3, 4, high digits 0 to {MAX_HIGH}, all low digits, both signs; smallest base first",
    cases=digits,
    size=lambda negative, low, high, base: (base, high, low),
    reference=noise,
    read=integer,
    remark=lambda case, given, expected: _remark(case),
    explanation=(
        "g = low + base·high is geometric: α^low·α^(base·high) = α^g, and every g has exactly one pair of digits.\n"
        "The positive side has probability 1/(1+α)·(1−α)·α^g, which is the distribution for k = g. The negative side "
        "has α times that, (1−α)/(1+α)·α^(g+1): the distribution for k = −(g+1) = −1 − g.\n"
        "With −g instead, zero would be reached from both sides. On a computer −1 − g is g with all bits flipped: "
        "`~g`."
    ),
    wrong=(
        Misconception(
            "gives minus g",
            lambda negative, low, high, base: -(low + base * high) if negative else low + base * high,
            "Then 0 and −0 are both 0, which is reached twice, and the negative side is shifted by one. It has to "
            "begin at −1.",
        ),
        Misconception(
            "exchanges the digits",
            lambda negative, low, high, base: -1 - (high + base * low) if negative else high + base * low,
            "`high` counts in steps of the base, because it decays by α^base. `low` counts in steps of 1.",
        ),
        Misconception(
            "flips the high digit only",
            lambda negative, low, high, base: low + base * (-1 - high) if negative else low + base * high,
            "That is how floor division writes negative numbers: the low digit still counts upwards. Then −base is "
            "the likeliest negative number, and not −1. Flip the whole number.",
        ),
        Misconception(
            "flips each digit",
            lambda negative, low, high, base: (-1 - low) + base * (-1 - high) if negative else low + base * high,
            "You subtract 1 in each digit, so the negative side begins at −1 − base. Put the number together first.",
        ),
        Misconception(
            "has the sign the wrong way round",
            lambda negative, low, high, base: noise(not negative, low, high, base),
            "`negative` is the less likely case: the negative side has no zero.",
        ),
        Misconception(
            "adds the digits",
            lambda negative, low, high, base: -1 - (low + high) if negative else low + high,
            "The sum of two digits reaches most numbers in several ways. The high digit counts in steps of the base.",
        ),
    ),
)


NOISES = ([0], [-1, 0, 1], [-5, -1, 0, 1, 5], [-11, -6, -3, 0, 3, 6, 11], [-40, -17, -9, 0, 9, 17, 40])
INPUTS = ([0, 1], [0, 2], [3, 4], [10, 11])


def _kept(total: int) -> Any:
    step = 1
    while abs(total) >= 8 * step:
        step *= 2
    return step * round(Fraction(total, step))


@cache
def outputs() -> Sequence[Case]:
    """All (output, inputs, noises): what some input can give, and a neighbour of it; fewest noises first."""
    cases = []
    for noises, inputs in product(NOISES, INPUTS):
        reached = {_kept(x + z) for x in inputs for z in noises}
        cases += [
            (output, inputs, noises) for output in sorted(reached | {max(reached) + 1}, key=lambda y: (abs(y), y))
        ]
    return tuple(sorted(cases, key=lambda case: (len(case[2]), abs(case[0]))))


def possible_inputs(output: int, inputs: Any, noises: Any) -> list[int]:
    """Go forwards: add every noise to every input, as the machine does, and compare."""

    def machine(total: int) -> int:
        step = 1
        while abs(total) >= 8 * step:
            step *= 2
        return int(step * round(Fraction(total, step)))

    return [x for x in inputs if any(machine(x + z) == output for z in noises)]


def _possible(output: int, inputs: Any, noises: Any, gives: Any) -> list[int]:
    return [x for x in inputs if any(gives(x, z, output) for z in noises)]


def _down(total: int) -> int:
    step = 1
    while abs(total) >= 8 * step:
        step *= 2
    return step * (total // step)


def _away(total: int) -> int:
    step = 1
    while abs(total) >= 8 * step:
        step *= 2
    size = step * ((abs(total) + step // 2) // step)
    return size if total >= 0 else -size


REACHABLE = Exercise(
    id="mech-reachable",
    kind="break",
    hint="Is output − input the noise? The machine has rounded in between. Can you go forwards instead of backwards?",
    domain=f"{len(NOISES)} lists of noises, {len(INPUTS)} pairs of inputs, all outputs; fewest noises first",
    cases=outputs,
    size=lambda output, inputs, noises: (len(noises), abs(output)),
    reference=possible_inputs,
    read=sequence(integer),
    explanation=(
        "Rounding cannot be undone, but it can be repeated: try every input with every noise, forwards.\n"
        "Real floats are the same with 53 bits for 3. One does not try 2^53 noises, one finds the few candidates by "
        "bisection: see `fdpedu.mechanisms.reachable`.\n"
        "An output that leaves one input is certain evidence: the ratio of probabilities is infinite, for every ε."
    ),
    wrong=(
        Misconception(
            "subtracts",
            lambda output, inputs, noises: _possible(output, inputs, noises, lambda x, z, y: x + z == y),
            "The machine rounds its sum, so output − input need not be a noise, although the input is possible. Add, "
            "round, compare.",
        ),
        Misconception(
            "rounds the difference",
            lambda output, inputs, noises: _possible(output, inputs, noises, lambda x, z, y: _kept(y - x) == z),
            "You compute output − input on the machine. That rounds another number than the one that was rounded: go "
            "forwards, from the input.",
        ),
        Misconception(
            "rounds downwards",
            lambda output, inputs, noises: _possible(output, inputs, noises, lambda x, z, y: _down(x + z) == y),
            "The machine rounds to the nearest multiple, not downwards.",
        ),
        Misconception(
            "rounds halves away from zero",
            lambda output, inputs, noises: _possible(output, inputs, noises, lambda x, z, y: _away(x + z) == y),
            "Halfway between two multiples the machine takes the even one. An attack has to repeat the machine "
            "exactly.",
        ),
        Misconception(
            "allows for an error of one",
            lambda output, inputs, noises: _possible(
                output, inputs, noises, lambda x, z, y: abs(_kept(x + z) - y) <= 1
            ),
            "An attacker compares exactly. That the outputs of two inputs are near each other protects nobody.",
        ),
        Misconception(
            "guesses the nearest input",
            lambda output, inputs, noises: [min(inputs, key=lambda x: abs(output - x))],
            "That is a guess. The attack is about what is possible: an input is in the list iff some noise leads "
            "from it to the output.",
        ),
        Misconception(
            "believes that noise hides everything",
            lambda output, inputs, noises: list(inputs),
            "Not every input can give every output: look which ones the noises lead to.",
        ),
    ),
)
