"""An exercise to prove and probe: entropy has no sensitivity."""

from __future__ import annotations

from fdpedu.bounds import entropy_increment
from fdpedu.exercises.counterexample import find_one
from fdpedu.exercises.record import Misconception
from fdpedu.exercises.values import integer

GOAL, MAX_ROWS = 10, 10**9


def _read(raw: object) -> int:
    return integer(raw)


def judge(n: int) -> tuple[str, str]:
    """Whether n rows are the fewest next to which a record moves n·H by more than the goal."""
    if not 1 <= n <= MAX_ROWS:
        return "no number of rows", f"That is no number of rows from 1 to {MAX_ROWS:,}."
    change = float(entropy_increment(n))
    said = f"Next to {n:,} rows of one class a row of another moves n·H by {change:.4f}."
    if change <= GOAL:
        return ("one too few" if float(entropy_increment(n + 1)) > GOAL else "too few"), said
    fewer = n > 1 and float(entropy_increment(n - 1)) > GOAL
    return ("too many" if fewer else "fewest"), said


ENTROPY = find_one(
    id="bounds-entropy",
    chapter="bounds",
    level="extend",
    kind="prove-and-probe",
    title="Entropy has no constant",
    task=(
        "With entropy in the place of Gini, $n\\cdot H=n\\ln n-\\sum_c n_c\\ln n_c$ (natural logarithms, "
        "$0\\ln0=0$). Show that no constant bounds what one record moves, and probe it: give the `answer`, the "
        "smallest $n$ for which a record of another class, added to $n$ rows of one class, raises $n\\cdot H$ by "
        f"more than {GOAL}."
    ),
    hint="The increment is (n+1)·ln(n+1) − n·ln n. Write it as ln n and something that is close to 1.",
    domain=f"whole numbers up to {MAX_ROWS:,}",
    reference=8103,
    read=_read,
    stub="answer = ...  # a whole number",
    judge=judge,
    sought="fewest",
    wanted=f"the smallest number of rows for which the increment is more than {GOAL}",
    praise="It is 1 + ln n and a little more, so it passes every constant.",
    explanation=(
        "(n+1)·ln(n+1) − n·ln n = ln n + (n+1)·ln(1 + 1/n), and the second term is a little more than 1. So it is more "
        "than 10 about where ln n is 9: e^9 = 8103.08, and the little more makes 8103 enough.\n"
        "Entropy is steep at its ends: its derivative is infinite there. Gini's is 1, and that is its sensitivity."
    ),
    wrong=(
        Misconception(
            "counts ln n alone",
            22027,
            "It is more than 10 there, but the increment is 1 + ln n and a little more: fewer rows are enough.",
        ),
        Misconception(
            "takes too few rows, as with bits",
            1024,
            "In bits 1024 rows would be about right, because 2^10 = 1024. With natural logarithms the increment grows "
            "more slowly: more rows are needed.",
        ),
        Misconception(
            "rounds down",
            8102,
            "Nearly: the increment is just below 10. One row more.",
        ),
        Misconception(
            "thinks that there is none",
            0,
            "There is one: the increment grows like ln n, slowly, but beyond every constant.",
        ),
    ),
)
