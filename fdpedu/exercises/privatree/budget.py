"""An exercise to implement: dividing a budget so that a record pays all of it, and no more."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number, sequence


@cache
def trees() -> Sequence[Case]:
    """One to four features, one to three levels, two budgets, two shares of leaves, both kinds; smallest first."""
    rest = product((Fraction(1), Fraction(1, 2)), (Fraction(1, 5), Fraction(1, 2)), ("histograms", "choice"))
    more = list(rest)
    return tuple((m, depth, *case) for m in range(1, 5) for depth in range(1, 4) for case in more)


def shares(features: int, depth: int, epsilon: Fraction, leaf_share: Fraction, splits: str) -> list[Fraction]:
    """Of edges, of what is asked in a node, and of a label."""
    leaf = leaf_share * epsilon
    part = (epsilon - leaf) / (depth + 1)
    node = part / features if splits == "histograms" else part
    return [part / features, node, leaf]


def _leaf_divided(features: int, depth: int, epsilon: Fraction, leaf_share: Fraction, splits: str) -> list[Fraction]:
    edges, node, leaf = shares(features, depth, epsilon, leaf_share, splits)
    return [edges, node, leaf / 2**depth]


def _by(features: int, node_features: int, parts: int, epsilon: Fraction, leaf_share: Fraction) -> list[Fraction]:
    """Edges divided by the first, nodes by the second, of so many equal parts."""
    part = (1 - leaf_share) * epsilon / parts
    return [part / features, part / node_features, leaf_share * epsilon]


BUDGET = Exercise(
    id="privatree-budget",
    kind="implement",
    hint="Write down all that one record pays, from the edges to the label, and let it add up to ε. How many releases "
    "of a node is the record in?",
    domain="one to four features, one to three levels, two budgets, two shares of leaves, both kinds of splits; "
    "fewest features first",
    cases=trees,
    size=lambda features, depth, epsilon, leaf_share, splits: (features, depth),
    reference=shares,
    read=sequence(number, 3),
    explanation=(
        "A record is counted in the edges of all m features, in one node of each level, and in one leaf. Histograms: "
        "m·(part/m) for the edges, d·m·(part/m) for the levels, and the label: (d + 1) parts and the leaf share are ε. "
        "A choice is one number, drawn from all features at once: it has the whole part of its level.\n"
        "This is why choices need less noise than histograms: the number of features is not in what they may cost."
    ),
    wrong=(
        Misconception(
            "takes features for disjoint",
            lambda features, depth, epsilon, leaf_share, splits: _by(1, 1, depth + 1, epsilon, leaf_share),
            "Every record has a value in every feature. So what m features are asked adds up: with these numbers a "
            "record pays more than ε.",
        ),
        Misconception(
            "divides edges only among features",
            lambda features, depth, epsilon, leaf_share, splits: _by(features, 1, depth + 1, epsilon, leaf_share),
            "For edges and for choices this is right. But histograms of m features in one node are m releases about "
            "the same records.",
        ),
        Misconception(
            "divides a choice among features",
            lambda features, depth, epsilon, leaf_share, splits: _by(
                features, features, depth + 1, epsilon, leaf_share
            ),
            "A choice is one release, whatever it is chosen from. Divided by m it costs less than it may, and a record "
            "does not pay all of ε.",
        ),
        Misconception(
            "forgets to pay for edges",
            lambda features, depth, epsilon, leaf_share, splits: _by(
                features, features if splits == "histograms" else 1, depth, epsilon, leaf_share
            ),
            "Your levels use up all of ε together with the label. The edges come on top of that.",
        ),
        Misconception(
            "shares among all nodes",
            lambda features, depth, epsilon, leaf_share, splits: _by(
                features, features if splits == "histograms" else 1, 2**depth, epsilon, leaf_share
            ),
            "The nodes of one level hold different records, so each of them may have the whole part of its level.",
        ),
        Misconception(
            "shares a label's part among all leaves",
            _leaf_divided,
            "A record is in one leaf. The labels of the others are drawn from other records.",
        ),
    ),
)
