"""An exercise to predict: how many records clipping adds to an empty node."""

from __future__ import annotations

import math
from fractions import Fraction

from fdpedu.exercises.record import Exercise, Misconception
from fdpedu.exercises.values import number

CELLS, ALPHA = 20, Fraction(1, 2)

CLIPPING = Exercise(
    id="hist-clipping",
    kind="predict",
    hint="What is the mean of one clipped cell: the sum of k·Pr[k] over positive k? Σ j·(1/2)^j over j ≥ 1 is 2.",
    domain="the one histogram of the task",
    cases=lambda: ((CELLS, ALPHA),),
    size=lambda cells, alpha: 0,
    reference=Fraction(40, 3),
    read=number,
    wanted=lambda case, expected: "20 times the mean of max(noise, 0)",
    praise=lambda value: (
        "These are more than 13 records that do not exist. Without clipping the mean is 0, so take totals from raw "
        "counts."
    ),
    explanation=(
        "A clipped empty cell has the mean 1/3·Σ j·(1/2)^j = 2/3, and twenty of them have 40/3. The formula of the "
        "chapter gives the same: α^(c+1)/(1 − α²) with c = 0.\n"
        "Clip the cells where shares and impurities are computed. Take totals from the counts as they were released: "
        "their noise has the mean 0."
    ),
    wrong=(
        Misconception(
            "trusts the mean of the noise",
            0,
            "The noise has the mean 0. But clipping raises negative values to 0 and keeps positive ones, so the mean "
            "of the clipped cell is positive.",
        ),
        Misconception(
            "takes the absolute value",
            Fraction(80, 3),
            "That is 20 times the mean of |noise|, 4/3. Negative noise does not become positive; it becomes 0, so "
            "only half of it is left.",
        ),
        Misconception(
            "counts one class",
            Fraction(20, 3),
            "Ten bins of two classes are twenty cells, and each is clipped for itself. (If 20/3 comes from "
            "Pr[noise > 0] = 1/3: that says how often a cell is raised, not by how much.)",
        ),
        Misconception(
            "puts real numbers into it",
            10 / math.log(2),
            "(b/2)·e^(−c/b) is the mean for real Laplace noise of scale b. This noise is of integers, and its mean "
            "is a fraction.",
        ),
        Misconception(
            "clips the total",
            Fraction(2, 3),
            "That is the mean of one cell. Each of the twenty is clipped before they are added up.",
        ),
    ),
)
