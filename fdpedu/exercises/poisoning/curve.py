"""An exercise to implement: what x forged rows certainly leave."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number


@cache
def settings() -> Sequence[Case]:
    """Six mean accuracies, three values of e^{−ε}, 0 to 6 forged rows; fewest rows first."""
    levels = [Fraction(k, 20) for k in (4, 10, 13, 16, 18, 19)]
    alphas = (Fraction(1, 2), Fraction(3, 4), Fraction(9, 10))
    return tuple((level, alpha, rows) for rows in range(7) for level in levels for alpha in alphas)


def left(level: Fraction, alpha: Fraction, rows: int) -> Fraction:
    """What one row leaves, repeated."""
    for _ in range(rows):
        level = max(alpha * level, 1 - (1 - level) / alpha)
    return level


def _error_only(level: Fraction, alpha: Fraction, rows: int) -> Fraction:
    return max(Fraction(0), 1 - (1 - level) / alpha**rows)


CURVE = Exercise(
    id="poisoning-curve",
    kind="implement",
    hint="First for one row: one bound comes from the accuracy, the other from the error. Then the same for the next "
    "row, beginning from what is left.",
    domain="six mean accuracies from 1/5 to 19/20, three values of e^{−ε}, 0 to 6 rows; fewest rows first",
    cases=settings,
    size=lambda level, alpha, rows: rows,
    reference=left,
    read=number,
    explanation=(
        "One row leaves f(p) = max(α·p, 1 − (1 − p)/α). Along the way every data set in between obeys it, so it is "
        "iterated: as long as p > 1/(1 + α) the error grows by the factor 1/α, and from there on the accuracy shrinks "
        "by the factor α. The larger of α^x·A and 1 − (1 − A)/α^x alone is right only if the change never happens on "
        "the way."
    ),
    wrong=(
        Misconception(
            "uses the accuracy only",
            lambda level, alpha, rows: alpha**rows * level,
            "That is the printed bound. It is right, but for a good model the error gives a better one.",
        ),
        Misconception(
            "uses the error only",
            _error_only,
            "That is the better bound while the model is good. Once it falls below 1/(1 + α), the factor on the "
            "accuracy takes over, and something is always left.",
        ),
        Misconception(
            "takes both bounds for all rows at once",
            lambda level, alpha, rows: max(alpha**rows * level, _error_only(level, alpha, rows)),
            "The better of the two for all x rows together is still too small: the first rows may be bounded by the "
            "error, and the later ones by the accuracy. Take the better one at each row.",
        ),
    ),
)
