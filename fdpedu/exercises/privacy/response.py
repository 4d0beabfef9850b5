"""An exercise on randomised response: the factor between two distributions, by hand."""

from __future__ import annotations

import math
from fractions import Fraction

from fdpedu.exercises.record import Exercise, Misconception
from fdpedu.exercises.values import number

RANDOMIZED_RESPONSE = Exercise(
    id="privacy-randomized-response",
    kind="predict",
    hint="Write the distribution of the answer when the truth is yes, below it that when the truth is no. Divide.",
    domain="the one mechanism of the task",
    cases=lambda: ((Fraction(3, 4),),),
    size=lambda truthful: 0,
    reference=3,
    read=number,
    wanted=lambda case, expected: "the largest ratio of the probabilities of one answer under the two truths",
    praise=lambda value: "Both answers have the ratio 3, one each way round: no event has a larger one.",
    explanation=(
        "Yes has probability 3/4 when yes is true, and 1/4 when no is true: 3/4 : 1/4 = 3. No is the mirror image.\n"
        "So ε = ln 3. Nobody needs to guess the population: ε is about the two distributions of the answer only."
    ),
    wrong=(
        Misconception(
            "gives the probability of the truth",
            Fraction(3, 4),
            "3/4 is how often the answer is true. e^ε compares two distributions: divide the probability of the same "
            "answer under one truth by that under the other.",
        ),
        Misconception(
            "gives the probability of a lie",
            Fraction(1, 4),
            "1/4 is the probability of an answer, not the ratio of two. And e^ε is never below 1.",
        ),
        Misconception(
            "compares with certainty",
            Fraction(4, 3),
            "You compare with a patient who always tells the truth. The neighbour uses the same mechanism: that "
            "patient says yes too, with probability 1/4.",
        ),
        Misconception(
            "compares with a fair coin",
            Fraction(3, 2),
            "You compare with an answer that says nothing, 1/2. The definition compares the two neighbours with each "
            "other, and they lie on opposite sides of 1/2.",
        ),
        Misconception(
            "takes the difference",
            Fraction(1, 2),
            "3/4 − 1/4 is the advantage, or total variation. Differential privacy bounds the ratio: small "
            "probabilities matter too.",
        ),
        Misconception(
            "divides the other way round",
            Fraction(1, 3),
            "That is e^−ε, the smallest ratio. Both ways must hold, so the larger one counts: e^ε is at least 1.",
        ),
        Misconception("gives ε", math.log(3), "That is ε = ln 3. The task asks for e^ε, which is a fraction."),
    ),
)
