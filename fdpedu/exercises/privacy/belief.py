"""Exercises on what a guarantee means further on: for groups, and for what somebody believes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number

MAX_STEPS, MAX_PARTS = 3, 5
FACTORS = (1, Fraction(3, 2), 2, 3)


@cache
def groups() -> Sequence[Case]:
    """All (e^ε, added, substituted), fewest differing records first."""
    steps = range(MAX_STEPS + 1)
    return tuple(sorted(product(FACTORS, steps, steps), key=lambda case: case[1] + case[2]))


def group_factor(exp_epsilon: Any, added: int, substituted: int) -> Any:
    """e^{ε·(added + 2·substituted)}: a changed record is one that leaves and one that arrives."""
    return exp_epsilon ** (added + 2 * substituted)


GROUP = Exercise(
    id="privacy-group",
    kind="implement",
    hint="Walk from one data set to the other, one record at a time. How many steps does a changed record take?",
    domain=f"e^ε = 1, 3/2, 2, 3 and 0 to {MAX_STEPS} records of either kind, fewest records first",
    cases=groups,
    size=lambda exp_epsilon, added, substituted: added + substituted,
    reference=group_factor,
    read=number,
    explanation=(
        "Take D = D_0, D_1, …, D_k = D′ with neighbours side by side. Each step costs a factor e^ε, on every event, so "
        "k steps cost e^{kε}.\n"
        "Adding or removing a record takes one step, changing one two. With no step the distributions are equal: 1."
    ),
    wrong=(
        Misconception(
            "multiplies instead of taking powers",
            lambda exp_epsilon, added, substituted: exp_epsilon * (added + 2 * substituted),
            "The ε add up, so the factors e^ε multiply: a power. With no difference at all the factor is 1, not 0.",
        ),
        Misconception(
            "multiplies, and counts a changed record once",
            lambda exp_epsilon, added, substituted: exp_epsilon * (added + substituted),
            "The ε add up, so the factors e^ε multiply: a power. And a changed record is two steps, one removal and "
            "one addition.",
        ),
        Misconception(
            "counts a changed record once",
            lambda exp_epsilon, added, substituted: exp_epsilon ** (added + substituted),
            "The mechanism is private for add/remove. A changed record is one removal and one addition: two steps.",
        ),
        Misconception(
            "adds the two factors",
            lambda exp_epsilon, added, substituted: exp_epsilon**added + exp_epsilon ** (2 * substituted),
            "The steps follow each other, so their factors multiply.",
        ),
        Misconception(
            "squares for every substitution, and forgets the others",
            lambda exp_epsilon, added, substituted: exp_epsilon ** (2 * substituted),
            "Records that were added or removed cost one step each.",
        ),
        Misconception(
            "stops at one record",
            lambda exp_epsilon, added, substituted: exp_epsilon,
            "e^ε is the factor for one record added or removed. Two differing records may be told apart twice as well.",
        ),
        Misconception(
            "takes e^ε for ε",
            lambda exp_epsilon, added, substituted: math.exp(exp_epsilon * (added + 2 * substituted)),
            "`exp_epsilon` is e^ε already: take its power, without another exponential.",
        ),
    ),
)


@cache
def priors() -> Sequence[Case]:
    """All (prior, e^ε) with the prior a fraction of denominator at most 5, the smallest denominators first."""
    beliefs = {Fraction(i, n) for n in range(1, MAX_PARTS + 1) for i in range(n + 1)}
    ordered = sorted(beliefs, key=lambda belief: (belief.denominator, belief))
    return tuple(product(ordered, FACTORS))


def largest_posterior(prior: Any, exp_epsilon: Any) -> Any:
    """Where the odds of the prior, times e^ε, lead."""
    return exp_epsilon * prior / (1 - prior + exp_epsilon * prior)


POSTERIOR = Exercise(
    id="privacy-posterior",
    kind="implement",
    hint="Which number does Bayes' rule multiply by p(o)/q(o)? Not the probability: the odds, prior/(1 − prior).",
    domain=(
        f"priors that are fractions of denominator at most {MAX_PARTS}, and e^ε = 1, 3/2, 2, 3; smallest denominators "
        "first"
    ),
    cases=priors,
    size=lambda prior, exp_epsilon: prior.denominator,
    reference=largest_posterior,
    read=number,
    explanation=(
        "With π = prior: odds afterwards = π/(1−π) · p(o)/q(o) ≤ e^ε·π/(1−π), and the probability is odds/(1 + odds).\n"
        "Multiply by 1−π, so that π = 1 needs no case of its own: e^ε·π / (1 − π + e^ε·π).\n"
        "Doubt remains for every ε and every prior below 1, and may be small: nothing becomes impossible to determine."
    ),
    wrong=(
        Misconception(
            "multiplies the probability",
            lambda prior, exp_epsilon: exp_epsilon * prior,
            "e^ε·π is only a bound, and may exceed 1. Bayes' rule multiplies the odds π/(1−π).",
        ),
        Misconception(
            "multiplies the probability, and cuts at 1",
            lambda prior, exp_epsilon: min(1, exp_epsilon * prior),
            "A bound, but too large: a probability of 1 would be certainty, and ε-DP never gives that from a prior "
            "below 1. Multiply the odds.",
        ),
        Misconception(
            "gives the odds",
            lambda prior, exp_epsilon: exp_epsilon * prior / (1 - prior),
            "These are the odds. The probability is odds/(1 + odds); in this form π = 1 divides by 0 too.",
        ),
        Misconception(
            "starts from even odds",
            lambda prior, exp_epsilon: Fraction(exp_epsilon) / (1 + exp_epsilon),
            "That is the answer for the prior 1/2. What somebody believed before counts.",
        ),
        Misconception(
            "gives the least posterior",
            lambda prior, exp_epsilon: prior / (prior + exp_epsilon * (1 - prior)),
            "That is how far the belief can fall: the odds divided by e^ε. The largest is their product.",
        ),
        Misconception(
            "believes that nothing changes",
            lambda prior, exp_epsilon: prior,
            "ε-DP does not keep beliefs from changing. It bounds by how much one record can change them: odds by e^ε.",
        ),
    ),
)
