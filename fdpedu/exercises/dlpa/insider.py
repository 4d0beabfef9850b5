"""An exercise to implement: play the insider, how sure can you be?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from math import exp
from typing import Any

from fdpedu.dlpa import insider_epsilon
from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number


@cache
def rounds() -> Sequence[Case]:
    """2 to 5 parties, some colluders, three ε, priors 1/2, 1/10, 9/10; fewest parties first."""
    priors = [Fraction(1, 2), Fraction(1, 10), Fraction(9, 10)]
    budgets = [Fraction(1), Fraction(1, 4), Fraction(3)]
    return tuple((e, n, c, prior) for n in range(2, 6) for c in range(n) for e in budgets for prior in priors)


def how_sure(epsilon: Any, n_parties: int, colluders: int, prior: Any) -> float:
    """The odds grow at most by the factor e^ε of the insider."""
    from math import exp

    from fdpedu.dlpa import insider_epsilon

    factor = exp(float(insider_epsilon(epsilon, n_parties, colluders)))
    return float(prior) * factor / (float(prior) * factor + 1 - float(prior))


Loss = Callable[[Any, int, int], float]


def _sure(loss: Loss) -> Callable[..., float]:
    def answer(epsilon: Any, n_parties: int, colluders: int, prior: Any) -> float:
        odds = float(prior / (1 - prior)) * exp(loss(epsilon, n_parties, colluders))
        return odds / (1 + odds)

    return answer


@cache
def _inside(epsilon: Any, n_parties: int, colluders: int) -> float:
    return float(insider_epsilon(epsilon, n_parties, colluders))


INSIDER = Exercise(
    id="dlpa-insider",
    kind="implement",
    hint="By how much can a release multiply the odds, prior : (1 − prior), at most? Which ε gives this factor for "
    "you?",
    domain="2 to 5 parties, 0 to K − 1 colluders, ε = 1, 1/4, 3, prior 1/2, 1/10, 9/10; fewest parties first",
    cases=rounds,
    size=lambda epsilon, n_parties, colluders, prior: n_parties,
    reference=how_sure,
    read=number,
    explanation=(
        "The posterior odds are the prior odds times a ratio: the probability of the released sum with the record over "
        "that without it. The largest such ratio is e^ε, with the ε of an insider. It is reached where the sum is the "
        "count with the record.\n"
        "With two parties, ε = 1 and a prior of 1/2 the posterior is at most 73 % for an outsider, and at most 84 % "
        "for the other party."
    ),
    wrong=(
        Misconception(
            "believes what was promised",
            _sure(lambda e, n, c: float(e)),
            "That is how sure an outsider can be. You know some of the noise, and the rest has another distribution. "
            "Ask `insider_epsilon` for the loss.",
        ),
        Misconception(
            "divides the noise's rate",
            _sure(lambda e, n, c: float(e) * n / (n - c)),
            "What is left is not Laplace noise of a smaller scale. Its distribution has a sharp peak at 0, where the "
            "loss is larger.",
        ),
        Misconception(
            "multiplies the probability",
            lambda e, n, c, prior: min(1.0, float(prior) * exp(_inside(e, n, c))),
            "The factor e^ε applies to the odds, not to the probability, which could exceed 1.",
        ),
        Misconception(
            "gives the odds",
            lambda e, n, c, prior: float(prior / (1 - prior)) * exp(_inside(e, n, c)),
            "Those are the odds, there : not there. A probability is odds/(1 + odds).",
        ),
        Misconception(
            "forgets what it knew before",
            lambda e, n, c, prior: 1 / (1 + exp(-_inside(e, n, c))),
            "That is right for a prior of 1/2 only. Begin with the odds prior : (1 − prior).",
        ),
        Misconception(
            "pays for both directions",
            _sure(lambda e, n, c: 2 * _inside(e, n, c)),
            "One record is there or not. That is one step between neighbours, and so one factor e^ε.",
        ),
    ),
)
