"""An exercise to predict: the least modulus in which a sum fits."""

from __future__ import annotations

from fdpedu.exercises.record import Exercise, Misconception
from fdpedu.exercises.values import integer

N_PARTIES, MAX_COUNT = 5, 1000

MODULUS = Exercise(
    id="secure-room",
    kind="predict",
    hint="What are the largest and the smallest sum that can occur? Both have to lie in the centred range.",
    domain="the one sum of the task",
    cases=lambda: ((N_PARTIES, MAX_COUNT),),
    size=lambda n_parties, largest: 0,
    reference=2 * N_PARTIES * MAX_COUNT + 1,
    read=integer,
    wanted=lambda case, expected: "the least R for which all sums lie in the centred range",
    praise=lambda value: "There is one residue for each of the sums from −5000 to 5000, and there are no more.",
    explanation=(
        "The sums lie between −5000 and 5000: these are 10001 different integers, and each needs its own residue.\n"
        "With R = 10001 the centred range holds exactly these. With R = 10000 the sum 5000 is lifted to −5000."
    ),
    wrong=(
        Misconception(
            "lets the ends meet",
            10_000,
            "With R = 10000 the sums 5000 and −5000 have the same residue. The range [−R/2, R/2) does not hold R/2.",
        ),
        Misconception(
            "forgets negative sums",
            5001,
            "That is enough for sums from 0 to 5000. Noise may make sums negative, so there are about twice as many.",
        ),
        Misconception(
            "counts one party only",
            2001,
            "Each party's number fits into this range, but the sum of five does not.",
        ),
        Misconception(
            "takes the largest sum",
            5000,
            "5000 is the largest sum. R has to be greater than twice that: the range has a negative half, too.",
        ),
    ),
)
