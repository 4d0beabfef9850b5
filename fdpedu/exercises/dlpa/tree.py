"""An exercise to implement: the guarantee of a tree against an insider, before the tree is grown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from fdpedu.dlpa import insider_epsilon
from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number


@cache
def trees() -> Sequence[Case]:
    """One to three features, depths 1 to 3, ε = 1 and 4, two groups; fewest releases on a path first."""
    shapes = sorted(product((1, 2, 3), (1, 2, 3)), key=lambda shape: shape[0] * shape[1])
    return tuple((p, d, e, n, c) for (p, d), e, (n, c) in product(shapes, map(Fraction, ("1", "4")), [(5, 1), (2, 1)]))


def tree_cost(features: int, depth: int, epsilon: Any, n_parties: int, colluders: int) -> float:
    """The costliest path: s levels of histograms, then a leaf that gets what is left."""
    from fractions import Fraction

    from fdpedu.dlpa import insider_epsilon

    level = Fraction(epsilon) / 2 / depth
    one = features * float(insider_epsilon(level / features, n_parties, colluders))
    leaves = [float(insider_epsilon(epsilon - s * level, n_parties, colluders)) for s in range(depth + 1)]
    return max(s * one + leaf for s, leaf in enumerate(leaves))


def _path(costs: Callable[[Callable[[Any], float], int, int, Any], float]) -> Callable[..., float]:
    """An answer from what is made of one release's loss, p, d and ε."""
    return lambda p, d, e, n, c: costs(lambda rate: float(insider_epsilon(rate, n, c)), p, d, e)


TREE = Exercise(
    id="dlpa-tree",
    chapter="dlpa",
    level="extend",
    kind="implement",
    title="The guarantee of a tree, before it is grown",
    task=(
        "A tree of `depth` $d$ spends half of `epsilon` on its levels, equally, and on each level the same rate on "
        "each of its `features`. A leaf after $s$ levels, $0\\le s\\le d$, gets all that is left on its path, in one "
        "release. Shares tolerate nobody. Write `tree_cost(features, depth, epsilon, n_parties, colluders)`: the "
        "largest loss, as a float, that a record can suffer against the colluders, whatever tree comes out. Losses "
        "on a path add up; `fdpedu.dlpa.insider_epsilon` knows that of one release."
    ),
    hint="Write down the rates of all releases on a path that ends after s levels. For an outsider they add up to ε.",
    domain="1 to 3 features, depths 1 to 3, ε = 1 and 4, two parties or five, one curious; fewest releases on a path "
    "first",
    cases=trees,
    size=lambda features, depth, epsilon, n_parties, colluders: features * depth,
    reference=tree_cost,
    read=number,
    stub=(
        "def tree_cost(features, depth, epsilon, n_parties, colluders):\n"
        '    """The largest loss on any path, as a float."""\n    ...'
    ),
    explanation=(
        "A record is on one path. After s levels it has been in s·p histograms of rate ε/(2dp) and in one leaf of rate "
        "ε − sε/(2d). All of that is public before the tree is grown, so the maximum over s is a guarantee for every "
        "tree.\n"
        "Many small releases cost an insider's victim most, so the longest path is the worst here."
    ),
    wrong=(
        Misconception(
            "sums the rates first",
            _path(lambda loss, p, d, e: loss(e)),
            "That is the path of a root that becomes a leaf at once: one release of ε. Many small releases cost an "
            "insider's victim more than one large one: sum the losses.",
        ),
        Misconception(
            "forgets the features",
            _path(lambda loss, p, d, e: d * loss(e / (2 * d)) + loss(e / 2)),
            "A record is in the histogram of every feature: p releases on a level, each with a p-th of its rate.",
        ),
        Misconception(
            "forgets the leaf",
            _path(lambda loss, p, d, e: d * p * loss(e / (2 * d * p))),
            "A path ends in a leaf, which is a release too.",
        ),
        Misconception(
            "adds over the leaves",
            _path(lambda loss, p, d, e: d * p * loss(e / (2 * d * p)) + 2**d * loss(e / 2)),
            "Leaves are disjoint: a record is in one of them.",
        ),
        Misconception(
            "believes what was promised",
            _path(lambda loss, p, d, e: float(e)),
            "That is what the tree costs against an outsider.",
        ),
    ),
)
