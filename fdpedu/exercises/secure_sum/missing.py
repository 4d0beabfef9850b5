"""An exercise to implement: how many parties may fall silent."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import integer


@cache
def groups() -> Sequence[Case]:
    """2 to 20 parties, and as many colluders as leave one honest party; fewest parties first."""
    return tuple((n, c) for n in range(2, 21) for c in range(n))


def most_missing(n_parties: int, colluders: int) -> int:
    """The largest m with 2m + c < K."""
    return (n_parties - colluders - 1) // 2


MISSING = Exercise(
    id="secure-missing",
    kind="implement",
    hint="How many signatures do two lists need together? How many are there, if the honest sign once?",
    domain="2 to 20 parties and 0 to K − 1 colluders; fewest parties first",
    cases=groups,
    size=lambda n_parties, colluders: n_parties,
    reference=most_missing,
    read=integer,
    explanation=(
        "Two lists need 2t signatures. The honest parties give K − c of them and the colluders 2c: K + c in all.\n"
        "So 2t > K + c, which is 2m + c < K. Of two parties none may fall silent; of five two may, or one if two "
        "others collude."
    ),
    wrong=(
        Misconception(
            "forgets the colluders",
            lambda n_parties, colluders: (n_parties - 1) // 2,
            "A colluder signs both lists, so it counts twice: 2t > K + c.",
        ),
        Misconception(
            "lets half be enough",
            lambda n_parties, colluders: (n_parties - colluders) // 2,
            "With 2t = K + c the honest divide evenly, and both lists are signed. The inequality is strict.",
        ),
        Misconception(
            "believes the aggregator",
            lambda n_parties, colluders: n_parties - colluders - 1,
            "c < t is enough if the aggregator is honest about who survived. Here it may show each of two groups a "
            "list of its own.",
        ),
        Misconception(
            "takes one off twice",
            lambda n_parties, colluders: max(0, (n_parties - 2 * colluders - 1) // 2),
            "A colluder signs twice instead of once: that is one signature more, not two. 2t > K + c.",
        ),
    ),
)
