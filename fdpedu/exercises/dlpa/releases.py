"""An exercise to implement: what p histograms of one node cost an insider's victim."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from fdpedu.dlpa import insider_epsilon
from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number


@cache
def nodes() -> Sequence[Case]:
    """One to ten features, two ε, 2 to 5 parties with one or two colluders; fewest features first."""
    groups = [(2, 1), (5, 1), (5, 2)]
    return tuple((p, e, n, c) for p, e, (n, c) in product((1, 2, 5, 10), map(Fraction, ("1", "1/2")), groups))


def node_cost(features: int, epsilon: Any, n_parties: int, colluders: int) -> float:
    """p releases of ε/p each."""
    from fractions import Fraction

    from fdpedu.dlpa import insider_epsilon

    return features * float(insider_epsilon(Fraction(epsilon) / features, n_parties, colluders))


RELEASES = Exercise(
    id="dlpa-releases",
    kind="implement",
    hint="What is ε of one histogram? Is the insider's loss proportional to it?",
    domain="1, 2, 5, 10 features, ε = 1, 1/2, two parties or five, one colluder or two; fewest features first",
    cases=nodes,
    size=lambda features, epsilon, n_parties, colluders: features,
    reference=node_cost,
    read=number,
    explanation=(
        "One record is in all p histograms, so their losses add up: the node costs p times the loss of one histogram "
        "with ε/p.\n"
        "For an outsider that is ε again. For an insider it is more, and it grew with the number of parts in all cases "
        "computed. With five parties and ε = 1, ten histograms lose 2.12 to one of the parties, and one histogram "
        "loses 1.21."
    ),
    wrong=(
        Misconception(
            "counts the node as one release",
            lambda p, e, n, c: float(insider_epsilon(e, n, c)),
            "That is one release at ε. The node makes p releases at ε/p, and an insider's loss is not proportional to "
            "ε.",
        ),
        Misconception(
            "counts one release of sensitivity p",
            lambda p, e, n, c: float(insider_epsilon(e, n, c, sensitivity=p)),
            "That is one number that moves by p. In the node p numbers move by 1 each: there are p peaks, and p "
            "losses to add up.",
        ),
        Misconception(
            "believes what was promised",
            lambda p, e, n, c: float(e),
            "That is what the node costs against an outsider.",
        ),
        Misconception(
            "counts one histogram",
            lambda p, e, n, c: float(insider_epsilon(e / p, n, c)),
            "That is the loss of one histogram. A record is in all of them, so their losses add up.",
        ),
        Misconception(
            "does not divide the budget",
            lambda p, e, n, c: p * float(insider_epsilon(e, n, c)),
            "The node has ε for all its histograms together, so each has ε/p.",
        ),
    ),
)
