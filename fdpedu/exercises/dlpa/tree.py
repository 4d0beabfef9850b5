"""An exercise to implement: the guarantee of a tree against an insider, before the tree is grown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from fdpedu.dlpa import insider_epsilon
from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number, sequence


@cache
def trees() -> Sequence[Case]:
    """One to three features, depths 1 to 3, ε = 1 and 4, two groups; fewest releases on a path first."""
    shapes = sorted(product((1, 2, 3), (1, 2, 3)), key=lambda shape: shape[0] * shape[1])
    return tuple((p, d, e, n, c) for (p, d), e, (n, c) in product(shapes, map(Fraction, ("1", "4")), [(5, 1), (2, 1)]))


def path_costs(features: int, depth: int, epsilon: Any, n_parties: int, colluders: int) -> list[float]:
    """After s levels of histograms the leaf gets what is left, for s from 1 to d."""
    from fractions import Fraction

    from fdpedu.dlpa import insider_epsilon

    level = Fraction(epsilon) / 2 / depth
    one = features * float(insider_epsilon(level / features, n_parties, colluders))
    leaves = [float(insider_epsilon(epsilon - s * level, n_parties, colluders)) for s in range(1, depth + 1)]
    return [s * one + leaf for s, leaf in enumerate(leaves, start=1)]


@cache
def _loss(epsilon: Any, n_parties: int, colluders: int) -> float:
    """Of one release: wrong answers ask for the same again and again."""
    return float(insider_epsilon(epsilon, n_parties, colluders))


Loss = Callable[[Any], float]


def _paths(cost: Callable[[Loss, int, int, Any, int], float], first: int = 1) -> Callable[..., list[float]]:
    """An answer from what is made of one release's loss, p, d, ε and s."""

    def answer(p: int, d: int, e: Any, n: int, c: int) -> list[float]:
        return [cost(lambda x: _loss(x, n, c), p, d, e, s) for s in range(first, d + 1)]

    return answer


def _at_once(p: int, d: int, e: Any, n: int, c: int) -> list[float]:
    """As if the p histograms of a node were one release that moves by p."""
    node = float(insider_epsilon(e / (2 * d), n, c, sensitivity=p))
    return [s * node + _loss(e - s * e / (2 * d), n, c) for s in range(1, d + 1)]


TREE = Exercise(
    id="dlpa-tree",
    kind="implement",
    hint="Write down the ε of every release on a path that ends after s levels. For an outsider they add up to "
    "`epsilon`.",
    domain="1 to 3 features, depths 1 to 3, ε = 1 and 4, two parties or five, one curious; fewest releases on a path "
    "first",
    cases=trees,
    size=lambda features, depth, epsilon, n_parties, colluders: features * depth,
    reference=path_costs,
    read=sequence(number),
    explanation=(
        "A record is on one path. After s levels it has been in s·p histograms with ε/(2dp) each and in one leaf with "
        "ε − sε/(2d). All these numbers are public before the tree is grown, so the maximum over s is a guarantee for "
        "every tree.\n"
        "Many small releases cost an insider's victim most. In all cases computed the longest path is the worst, and "
        "its leaf has ε/2. We have no proof that this is always so, so a program takes the maximum of all losses."
    ),
    wrong=(
        Misconception(
            "sums the budgets first",
            _paths(lambda loss, p, d, e, s: loss(e)),
            "That is the loss of one release of ε. Many small releases cost an insider's victim more than one large "
            "one. Add up the losses, not the budgets.",
        ),
        Misconception(
            "gives every leaf the same",
            _paths(lambda loss, p, d, e, s: s * p * loss(e / (2 * d * p)) + loss(e / 2)),
            "A leaf after all d levels has half of ε. A leaf that comes earlier also gets what its path has not spent.",
        ),
        Misconception(
            "takes the longest path for every leaf",
            _paths(lambda loss, p, d, e, s: d * p * loss(e / (2 * d * p)) + loss(e / 2)),
            "That is the path of d levels. A path of s levels has s·p histograms, and its leaf has more.",
        ),
        Misconception(
            "forgets the features",
            _paths(lambda loss, p, d, e, s: s * loss(e / (2 * d)) + loss(e - s * e / (2 * d))),
            "A record is in the histogram of every feature. So a level makes p releases, each with a p-th of the "
            "level's ε.",
        ),
        Misconception(
            "counts a node as one release of sensitivity p",
            _at_once,
            "That is one number that moves by p. A record is in p histograms and moves each of them by 1, so p losses "
            "add up.",
        ),
        Misconception(
            "forgets the leaf",
            _paths(lambda loss, p, d, e, s: s * p * loss(e / (2 * d * p))),
            "A path ends in a leaf, which is a release too.",
        ),
        Misconception(
            "adds over the leaves",
            _paths(lambda loss, p, d, e, s: s * p * loss(e / (2 * d * p)) + 2**s * loss(e - s * e / (2 * d))),
            "Leaves are disjoint, so a record is in only one of them.",
        ),
        Misconception(
            "begins with a root that is a leaf",
            _paths(lambda loss, p, d, e, s: s * p * loss(e / (2 * d * p)) + loss(e - s * e / (2 * d)), first=0),
            "The list begins with s = 1: where d is at least 1, the root is asked for histograms before it can become "
            "a leaf.",
        ),
        Misconception(
            "believes what was promised",
            _paths(lambda loss, p, d, e, s: float(e)),
            "That is what the tree costs against an outsider.",
        ),
    ),
)
