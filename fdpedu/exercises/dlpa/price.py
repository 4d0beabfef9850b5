"""An exercise to predict: how many colluders a given variance pays for."""

from __future__ import annotations

from fractions import Fraction

from fdpedu.exercises.record import Exercise, Misconception
from fdpedu.exercises.values import integer

N_PARTIES, MAX_RATIO = 12, Fraction(3, 2)

PRICE = Exercise(
    id="dlpa-price",
    kind="predict",
    hint="What is the variance of one share, if any K − c of them make up a whole noise? The sum holds K shares.",
    domain="the one round of the task",
    cases=lambda: ((N_PARTIES, MAX_RATIO),),
    size=lambda n_parties, most: 0,
    reference=4,
    read=integer,
    wanted=lambda case, expected: "the largest c for which the variance is at most 3/2 of that for c = 0",
    praise=lambda value: (
        "12/(12 − 4) = 3/2 exactly. The standard deviation grows by the factor √(3/2), so by about 22 %."
    ),
    explanation=(
        "Any K − c shares have the variance of a whole noise, so K of them have K/(K − c) times as much.\n"
        "12/(12 − c) ≤ 3/2 means c ≤ 4. To tolerate a third of all parties costs 1.5 times the variance, and to "
        "tolerate half of them costs twice the variance."
    ),
    wrong=(
        Misconception(
            "adds one part for each colluder",
            6,
            "The factor is K/(K − c), not 1 + c/K: with six of twelve it is 2.",
        ),
        Misconception(
            "takes the standard deviation",
            5,
            "With c = 5 the variance is 12/7 of the one without. The *standard deviation* is 1.31 times as large, but "
            "the task limits the variance.",
        ),
        Misconception(
            "stays below the limit",
            3,
            '12/9 is less than 3/2, and one more colluder is possible, because "at most" includes the limit.',
        ),
        Misconception(
            "takes the colluders' part for the factor",
            8,
            "With c = 8 four shares make up a whole noise, and twelve have three times its variance. The factor is "
            "K/(K − c), not K/c.",
        ),
    ),
)
