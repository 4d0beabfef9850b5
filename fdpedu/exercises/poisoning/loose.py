"""An exercise to break: the printed bound is not exact."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from fdpedu.exercises.counterexample import find_one
from fdpedu.exercises.record import Misconception
from fdpedu.exercises.values import Unreadable, number


def _read(raw: Any) -> Fraction:
    value = Fraction(number(raw))
    if not 0 < value <= 1:
        raise Unreadable("a mean accuracy must be above 0 and at most 1")
    return value


def left(level: Fraction) -> Fraction:
    """What one forged row certainly leaves of a mean accuracy at e^ε = 2."""
    return max(level / 2, 1 - 2 * (1 - level))


def found(level: Fraction) -> tuple[str, str]:
    """What the level is, as a word and as a sentence."""
    half, other = level / 2, 1 - 2 * (1 - level)
    said = f"A = {level}: the error of {1 - level} is at most doubled, so at least {other} is left; half of A is {half}"
    if other > half:
        return "kept", f"{said}. No ε-DP learner falls to half of A."
    if other == half:
        return "equal", f"{said}. Both bounds are the same here, and a learner attains it."
    return "attained", f"{said}. Some ε-DP learner falls to half of A."


LOOSE = find_one(
    id="poisoning-loose",
    chapter="poisoning",
    level="warm-up",
    kind="break",
    title="Why is the printed bound not exact?",
    task=(
        "A learner is ε-DP with $e^\\varepsilon=2$. Somebody has read that one forged row leaves at least half of a "
        "mean accuracy $A$, and claims that this is exact: for every $A$ there are an ε-DP learner and a forged row "
        "that bring it down to $\\frac A2$. Break it: give the `answer`, a fraction $A$ with $0<A\\le1$, for which no "
        "ε-DP learner can fall to $\\frac A2$ by one forged row."
    ),
    hint="The mean error is a number between 0 and 1, too. How much can one row raise it? Which of the two bounds is "
    "the stronger one for a good model?",
    domain="all fractions A with 0 < A ≤ 1",
    reference=Fraction(9, 10),
    read=_read,
    stub="answer = ...  # a fraction, such as Fraction(1, 3)",
    judge=found,
    sought="kept",
    wanted="a mean accuracy A for which 1 − 2(1 − A) is more than A/2",
    praise="A good model cannot lose half at once: its error has to grow first.",
    explanation=(
        "One row multiplies the mean error by 2 at most, so at least 1 − 2(1 − A) is left. This is more than A/2 iff "
        "A > 2/3, that is 1/(1 + e^{−ε}). At A = 9/10 it leaves 8/10, where the printed bound has 9/20. Up to 2/3 the "
        "printed bound is exact for one row."
    ),
    wrong=(
        Misconception(
            "takes a bad model",
            Fraction(1, 2),
            "Here the error is so large that doubling it leaves less than half of A. So the factor on the accuracy is "
            "the stronger bound, and it is attained.",
        ),
        Misconception(
            "stops at the border",
            Fraction(2, 3),
            "At 2/3 both bounds say 1/3, and a learner attains it. Go a little further.",
        ),
    ),
)
