"""ε-DP as a statement about an adversary's test, and about beliefs."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from fdpedu.exact import Rational, as_fraction
from fdpedu.privacy.divergence import as_factor
from fdpedu.privacy.laws import as_law

Point = tuple[Fraction, Fraction]


def roc(p: Any, q: Any) -> list[Point]:
    """What the best tests can do: corners (FPR, TPR) of the region of tests that tell p ("in") from q ("out"). Exact.

    A test that answers "in" on the outcomes of largest p/q is best (Neyman and Pearson); randomised tests fill the
    lines between the corners. The list begins with (0, 0) and ends with (1, 1).

    Claims: thm-hypothesis-test, wording-not-possible-as-printed

    >>> roc(["2/3", "1/3"], ["1/3", "2/3"])
    [(Fraction(0, 1), Fraction(0, 1)), (Fraction(1, 3), Fraction(2, 3)), (Fraction(1, 1), Fraction(1, 1))]
    """
    first, second = as_law(p, "p"), as_law(q, "q")
    zero = Fraction(0)
    outcomes = [(first.get(o, zero), second.get(o, zero)) for o in dict.fromkeys([*first, *second])]
    certain = [(a, b) for a, b in outcomes if not b]
    others = sorted(((a, b) for a, b in outcomes if b), key=lambda pair: pair[0] / pair[1], reverse=True)
    corners: list[Point] = [(zero, zero)]
    for a, b in [*certain, *others]:
        fpr, tpr = corners[-1][0] + b, corners[-1][1] + a
        before = corners[-2:] if len(corners) > 1 else []
        if before and _same_slope(before[0], before[1], (fpr, tpr)):
            corners.pop()
        corners.append((fpr, tpr))
    return corners


def allowed_region(exp_epsilon: Rational, delta: Rational = 0) -> list[Point]:
    """The corners of the largest region that (ε, δ)-DP allows, from (0, δ) to (1−δ, 1).

    The region is TPR ≤ e^ε·FPR + δ and its mirror.

    >>> allowed_region(2)
    [(Fraction(0, 1), Fraction(0, 1)), (Fraction(1, 3), Fraction(2, 3)), (Fraction(1, 1), Fraction(1, 1))]
    """
    factor, slack = as_factor(exp_epsilon), as_fraction(delta, "delta")
    if not 0 <= slack <= 1:
        raise ValueError("delta must lie between 0 and 1")
    # The two lines TPR = e^ε·FPR + δ and 1 − FPR = e^ε·(1 − TPR) + δ meet where FPR = 1 − TPR.
    meeting = (1 - slack) / (1 + factor)
    return [(Fraction(0), slack), (meeting, 1 - meeting), (1 - slack, Fraction(1))]


def posterior(prior: Rational, p: Any, q: Any, outcome: Any) -> Fraction:
    """The probability of "in" after seeing the outcome, from the prior probability of "in": Bayes' rule, exact.

    The odds change by the factor p(outcome)/q(outcome), so by at most e^ε either way.

    Claims: thm-posterior

    >>> posterior("1/2", {"yes": "3/4", "no": "1/4"}, {"yes": "1/4", "no": "3/4"}, "yes")
    Fraction(3, 4)
    """
    belief = as_fraction(prior, "prior")
    if not 0 <= belief <= 1:
        raise ValueError("prior must lie between 0 and 1")
    first, second = as_law(p, "p"), as_law(q, "q")
    joint = [weight * _at(law, outcome) for weight, law in ((belief, first), (1 - belief, second))]
    if not sum(joint):
        raise ValueError(f"the outcome {outcome!r} cannot occur under this prior")
    return joint[0] / sum(joint)


def _at(law: Mapping[Any, Fraction], outcome: Any) -> Fraction:
    try:
        return law.get(outcome, Fraction(0))
    except TypeError:
        raise ValueError("an outcome must be hashable, such as a number, a string or a tuple") from None


def _same_slope(a: Point, b: Point, c: Point) -> bool:
    return (b[1] - a[1]) * (c[0] - b[0]) == (c[1] - b[1]) * (b[0] - a[0])
