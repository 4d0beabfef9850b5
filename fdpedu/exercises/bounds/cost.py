"""Exercises on what bounds are as integers, and what they cost."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cache

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import integer, number


@cache
def bounds_and_steps() -> Sequence[Case]:
    """Bounds a·b/(a+b) of up to seven rows of each class, in steps of 1/m for m up to 5; smallest first."""
    bounds = sorted({Fraction(a * b, a + b) for a in range(1, 8) for b in range(1, 8)} | {Fraction(0)})
    cases = [(bound, m) for m in range(1, 6) for bound in bounds]
    return tuple(sorted(cases, key=lambda case: (case[1], case[0])))


def on_lattice(bound: Fraction, m: int) -> int:
    """The largest whole number of steps 1/m that is not above the bound."""
    return bound.numerator * m // bound.denominator


LATTICE = Exercise(
    id="bounds-lattice",
    kind="repair",
    hint="Which whole numbers of steps are not above the bound, and which of them is nearest?",
    domain="bounds of up to seven rows of each class, and m from 1 to 5, the coarsest steps first",
    cases=bounds_and_steps,
    size=lambda bound, m: m,
    reference=on_lattice,
    read=integer,
    explanation=(
        "⌊m·bound⌋, by exact division of integers: a float could be on the wrong side. Each party gives away less "
        "than one step, K parties less than K/m.\n"
        "The bound moves by less than 1, so m times it moves by less than m, and its floor by at most m, a whole "
        "number: that is the sensitivity of what is released."
    ),
    wrong=(
        Misconception(
            "rounds to the nearest",
            lambda bound, m: round(bound * m),
            "Half of the time that is above the bound, and the sum over the parties is then no lower bound any more.",
        ),
        Misconception(
            "rounds up",
            lambda bound, m: math.ceil(bound * m),
            "Rounding up keeps an upper bound an upper bound. This one is a lower bound.",
        ),
        Misconception(
            "rounds before it multiplies",
            lambda bound, m: math.floor(bound) * m,
            "That is below the bound, but it gives away up to a whole unit, m steps: with steps of 1/m only one need "
            "be given away.",
        ),
        Misconception(
            "stays one step below",
            lambda bound, m: max(0, math.ceil(bound * m) - 1),
            "Where the bound is a whole number of steps, nothing need be given away.",
        ),
    ),
)


@cache
def nodes() -> Sequence[Case]:
    """One to 50 features, several budgets and shares; fewest features first."""
    budgets = ((Fraction(1), Fraction(1, 4)), (Fraction(1, 10), Fraction(1, 4)), (Fraction(1), Fraction(1, 2)))
    cases = [
        (p, removed, epsilon, share)
        for p in (1, 2, 3, 10, 50)
        for removed in sorted({0, 1, p // 2, p - 1})
        if removed < p
        for epsilon, share in budgets
    ]
    return tuple(cases)


def cost_as_printed(p: int, removed: int, epsilon: Fraction, share: Fraction) -> Fraction:
    """p bounds of share·ε each, and a histogram of (1 − share)·ε/p for each feature that is left."""
    bounds = p * share * epsilon
    histograms = (p - removed) * (1 - share) * epsilon / p
    return bounds + histograms


COST = Exercise(
    id="bounds-cost",
    kind="predict",
    hint="Every release is about the same record. How many releases are there, and what does each cost?",
    domain="1 to 50 features, none to all but one removed, three pairs of budget and share; fewest features first",
    cases=nodes,
    size=lambda p, removed, epsilon, share: p,
    reference=cost_as_printed,
    read=number,
    explanation=(
        "p bounds at share·ε each, since each of them is a release of its own about the same record; and p − removed "
        "histograms. With ten features, a quarter for bounds and nothing removed it is 3.25ε in place of ε.\n"
        "To cost share·ε together, each bound may have share·ε/p. What is removed saves histograms only."
    ),
    wrong=(
        Misconception(
            "believes the text",
            lambda p, removed, epsilon, share: epsilon - removed * (1 - share) * epsilon / p,
            "That is what the algorithm means to spend. It releases a bound for every feature, each with all of "
            "ε_bounds: costs of releases about one record add up.",
        ),
        Misconception(
            "takes the dearest bound",
            lambda p, removed, epsilon, share: share * epsilon + (1 - share) * epsilon,
            "Bounds of several features are about the same record, so they add up, and what is removed is not paid.",
        ),
        Misconception(
            "saves removed bounds",
            lambda p, removed, epsilon, share: (p - removed) * (share + (1 - share) / p) * epsilon,
            "A feature is removed after its bound was released: only its histogram is saved.",
        ),
        Misconception(
            "pays 5/4 for a bound",
            lambda p, removed, epsilon, share: (Fraction(5, 4) * p * share + (p - removed) * (1 - share) / p) * epsilon,
            "The sensitivity sets the scale of the noise. Noise of scale (5/4)/ε_bounds on a bound costs ε_bounds.",
        ),
    ),
)
