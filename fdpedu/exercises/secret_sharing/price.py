"""An exercise to implement: what a tree of private votes costs outsiders and insiders."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number

Q = Fraction


@cache
def trees() -> Sequence[Case]:
    """Depths 0 to 3, three shares, two budgets, and what insiders gain: a factor and a constant; shallow first."""
    shares, budgets = (Fraction(1, 4), Fraction(1, 2), Fraction(7, 20)), (Fraction(1), Fraction(3, 2))
    gains = ((Fraction(1), Fraction(0)), (Fraction(2), Fraction(0)), (Fraction(1), Fraction(1, 8)))
    found = product(range(4), shares, budgets, gains)
    return tuple((epsilon, share, depth, *gain) for depth, share, epsilon, gain in found)


def insider_price(epsilon: Q, share: Q, depth: int, factor: Q, constant: Q) -> Q:
    """The votes at their price, and the leaf counts at what they cost insiders."""
    counts = share * epsilon if depth else epsilon
    return epsilon - counts + factor * counts + constant


def _all_of_it(epsilon: Q, share: Q, depth: int, factor: Q, constant: Q) -> Q:
    return factor * epsilon + constant


def _as_outsider(epsilon: Q, share: Q, depth: int, factor: Q, constant: Q) -> Q:
    return epsilon


def _each_level(epsilon: Q, share: Q, depth: int, factor: Q, constant: Q) -> Q:
    counts = share * epsilon if depth else epsilon
    return depth * (epsilon - counts) + factor * counts + constant


def _each_vote_dearer(epsilon: Q, share: Q, depth: int, factor: Q, constant: Q) -> Q:
    counts = share * epsilon if depth else epsilon
    return factor * (epsilon - counts) + depth * constant + factor * counts + constant


def _share_at_the_root(epsilon: Q, share: Q, depth: int, factor: Q, constant: Q) -> Q:
    counts = share * epsilon
    return epsilon - counts + factor * counts + constant


PRICE = Exercise(
    id="secret-sharing-price",
    kind="implement",
    hint="In which releases is noise of the colluders? And what does a record pay for on its way through the tree?",
    domain="depths 0 to 3, three shares, two budgets, three kinds of colluders; shallow first",
    cases=trees,
    size=lambda epsilon, share, depth, factor, constant: depth,
    reference=insider_price,
    read=number,
    explanation=(
        "A vote is drawn by its party alone, so it costs everybody the same: all levels together (1 − s)ε. Only the "
        "counts of the leaf have noise in shares. Without levels all of ε is in the counts."
    ),
    wrong=(
        Misconception(
            "makes all of it dearer",
            _all_of_it,
            "No noise of colluders is in a vote: its party draws it alone. Only leaf counts have noise in shares.",
        ),
        Misconception(
            "makes each vote dearer",
            _each_vote_dearer,
            "This adds what colluders gain once for each level and once for the leaf. At a level they gain nothing, "
            "because a vote has no noise in shares.",
        ),
        Misconception(
            "sees no difference to outsiders",
            _as_outsider,
            "For the votes that is right. But the colluders know a part of the noise in the leaf counts.",
        ),
        Misconception(
            "pays full price on each level",
            _each_level,
            "(1 − s)ε is for all levels together: each vote costs (1 − s)ε/d.",
        ),
        Misconception(
            "keeps the share where there are no levels",
            _share_at_the_root,
            "A tree without levels has no votes. The counts of its one leaf then have all of ε.",
        ),
    ),
)
