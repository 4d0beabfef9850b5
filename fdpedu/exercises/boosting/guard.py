"""An exercise to implement: a guard that halves the step where a model turns back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import product

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number, sequence


@cache
def runs() -> Sequence[Case]:
    """One to six copies, three steps, four and six rounds; smallest whole steps of all copies first."""
    cases = product(range(1, 7), map(Fraction, ("1/2", "3/2", "5")), (4, 6))
    return tuple(sorted(cases, key=lambda case: (case[0] * case[1], case)))


def guarded(copies: int, step: Fraction, rounds: int) -> list[Fraction]:
    """The sums of a round say what is missing; where they point backwards, the step is halved before it is taken."""
    found: list[Fraction] = []
    missing, before = Fraction(1), Fraction(1)
    for _ in range(rounds):
        if missing * before < 0:
            step /= 2
        found.append(step)
        missing, before = missing * (1 - copies * step / rounds), missing
    return found


def _other(turn: Callable[[Fraction, Fraction], bool], late: bool = False, once: bool = False) -> Callable[..., object]:
    """A run that halves by another rule, a round late, or once only."""

    def steps(copies: int, step: Fraction, rounds: int) -> list[Fraction]:
        found: list[Fraction] = []
        missing, before, halved = Fraction(1), Fraction(1), False
        for _ in range(rounds):
            fires = turn(missing, before) and not (once and halved)
            taken = step if late or not fires else step / 2
            step, halved = step / 2 if fires else step, halved or fires
            found.append(taken)
            missing, before = missing * (1 - copies * taken / rounds), missing
        return found

    return steps


def _shortened_once_each(copies: int, step: Fraction, rounds: int) -> list[Fraction]:
    """Halve for the round that turns back, and go on with the whole step."""
    found: list[Fraction] = []
    missing, before = Fraction(1), Fraction(1)
    for _ in range(rounds):
        found.append(step / 2 if missing * before < 0 else step)
        missing, before = missing * (1 - copies * found[-1] / rounds), missing
    return found


def _back(missing: Fraction, before: Fraction) -> bool:
    return missing * before < 0


GUARD = Exercise(
    id="boosting-guard",
    kind="implement",
    hint="Keep two numbers: what is missing now, and what was missing a round ago. When do they have different signs?",
    domain="one to six copies, whole steps of 1/2, 3/2 and 5, and 4 or 6 rounds; smallest steps of all copies first",
    cases=runs,
    size=lambda copies, step, rounds: copies * step,
    reference=guarded,
    read=sequence(number),
    explanation=(
        "The pulls of a round point to where something is missing. If they point against those of the round before, "
        "the last step went too far: copies·M/R > 1. Halving repairs this after finitely many rounds, because then "
        "copies·M/R ≤ 1, and the missing part keeps its sign.\n"
        "The guard looks at released sums only, so it costs nothing. It acts in the same round: a step that is known "
        "to be too long is not taken once more."
    ),
    wrong=(
        Misconception(
            "halves a round late",
            _other(_back, late=True),
            "The sums of this round are released before its step is taken. So the shorter step is due in this round; a "
            "round later the too long step has been taken once more.",
        ),
        Misconception(
            "halves where the error has grown",
            _other(lambda missing, before: abs(missing) > abs(before)),
            "The error may shrink while each step goes too far, and how large it is cannot be seen under noise. A "
            "direction can.",
        ),
        Misconception(
            "halves once only",
            _other(_back, once=True),
            "Half of a step may still be too long. The guard may act again.",
        ),
        Misconception(
            "takes 0 for a turn",
            _other(lambda missing, before: (missing > 0) != (before > 0)),
            "Where nothing is missing any more, the last step was exactly right, and it may stay as it is.",
        ),
        Misconception(
            "halves wherever less than nothing is missing",
            _other(lambda missing, before: missing < 0),
            "After a step that went too far the next one goes back. If what is missing stays below 0, that step was "
            "not too long.",
        ),
        Misconception(
            "forgets the shorter step",
            _shortened_once_each,
            "The halved M holds from then on. The old one would go too far again in the next round.",
        ),
        Misconception(
            "never halves",
            _other(lambda missing, before: False),
            "Where copies·M/R is more than 1, the model goes too far in each round. Which step do you take then?",
        ),
        Misconception(
            "halves where anything is missing",
            _other(lambda missing, before: missing != 1 and missing != 0),
            "Something is missing in nearly every round. The sign says whether the last step was too long.",
        ),
    ),
)
