"""An exercise to implement: what a printed algorithm costs at most."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number


@cache
def algorithms() -> Sequence[Case]:
    """Up to three numeric, two categorical features, one to three levels, three budgets; fewest features first."""
    budgets = (Fraction(1), Fraction(1, 2)), (Fraction(1), Fraction(1, 5)), (Fraction(1, 2), Fraction(1, 10))
    cases = [
        (numeric, categorical, depth, epsilon, leaf)
        for numeric, categorical, depth in product(range(4), range(3), range(1, 4))
        for epsilon, leaf in budgets
        if numeric + categorical
    ]
    return tuple(sorted(cases, key=lambda case: case[0] + case[1]))


def at_most(numeric: int, categorical: int, depth: int, epsilon: Fraction, leaf: Fraction) -> Fraction:
    """The quantiles of each feature, a histogram of each feature at each level, and one label."""
    rest = epsilon - leaf
    quantiles = numeric * rest / (1 + depth)
    histograms = depth * (numeric * rest / (1 + depth) + categorical * rest / depth)
    return quantiles + histograms + leaf


def _in_every_node(numeric: int, categorical: int, depth: int, epsilon: Fraction, leaf: Fraction) -> Fraction:
    rest, nodes = epsilon - leaf, 2**depth - 1
    each = numeric * rest / (1 + depth) + categorical * rest / depth
    return numeric * rest / (1 + depth) + nodes * each + leaf


PRICE = Exercise(
    id="privatree-price",
    kind="implement",
    hint="Follow one record from the root to its leaf. In which releases is it counted?",
    domain="up to three numeric and two categorical features, one to three levels, three budgets; fewest features "
    "first",
    cases=algorithms,
    size=lambda numeric, categorical, depth, epsilon, leaf: numeric + categorical,
    reference=at_most,
    read=number,
    explanation=(
        "A record has a value in every feature, so it pays for all quantiles, and at each level for the histograms of "
        "all features in one node. Both kinds of features come to ε − ε_leaf each: 1/(1 + d) for the quantiles and "
        "d/(1 + d) for the levels, or d times 1/d. One label follows.\n"
        "With m features this is m(ε − ε_leaf) + ε_leaf. At ε = 1 and ε_leaf = 1/2, 30 features cost at most 15.5."
    ),
    wrong=(
        Misconception(
            "takes features for disjoint",
            lambda numeric, categorical, depth, epsilon, leaf: epsilon,
            "This is what the source claims: columns in parallel. But parallel composition is for disjoint sets of "
            "records, and each record has a value in every column.",
        ),
        Misconception(
            "takes both kinds of features for disjoint",
            lambda numeric, categorical, depth, epsilon, leaf: max(numeric, categorical) * (epsilon - leaf) + leaf,
            "Within each kind you add up, which is right. But a record has values in the features of both kinds.",
        ),
        Misconception(
            "pays for the label once a feature",
            lambda numeric, categorical, depth, epsilon, leaf: (numeric + categorical) * epsilon,
            "A leaf has one label, and it is not drawn from one feature: its rows are counted once.",
        ),
        Misconception(
            "forgets the quantiles",
            lambda numeric, categorical, depth, epsilon, leaf: (
                (Fraction(numeric * depth, 1 + depth) + categorical) * (epsilon - leaf) + leaf
            ),
            "The quantiles are computed from the rows as well, before the tree is grown, and each numeric feature has "
            "its own.",
        ),
        Misconception(
            "takes all features for numeric",
            lambda numeric, categorical, depth, epsilon, leaf: (
                (numeric + Fraction(categorical * depth, 1 + depth)) * (epsilon - leaf) + leaf
            ),
            "A categorical feature has no quantiles, so what is left is divided by d for it, and not by 1 + d.",
        ),
        Misconception(
            "pays in every node",
            _in_every_node,
            "The nodes of one level are disjoint: a record is in one of them. So it pays once a level.",
        ),
    ),
)
