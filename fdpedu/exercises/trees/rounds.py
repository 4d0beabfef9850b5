"""An exercise to implement: how many rounds and releases a tree of a given shape takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import product
from typing import Any

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.trees.shapes import Shape, depth, shapes, splits
from fdpedu.exercises.values import integer, sequence


@cache
def grown() -> Sequence[Case]:
    """All shapes of up to four leaves, up to two levels more than they have, one or three features."""
    found = [(tree, depth(tree) + more, p) for n in range(1, 5) for tree in shapes(n) for more, p in _more()]
    return tuple(found)


def _more() -> Sequence[tuple[int, int]]:
    return tuple(product(range(3), (1, 3)))


def messages(tree: Any, max_depth: int, features: int) -> tuple[int, int, int]:
    """Level by level; a leaf that was made early waits for the next round."""
    rounds, asked, leaves, level = 0, 0, 0, [tree]
    for t in range(max_depth + 1):
        if not level:
            break
        stopped = level.count(None)
        early = t < max_depth
        asked += len(level) if early else 0
        leaves += stopped
        rounds = t + 1 + (1 if early and stopped else 0)
        level = [side for node in level if node for side in node]
    return rounds, features * asked, leaves


def _early(tree: Shape, max_depth: int) -> int:
    """How many leaves stand above the last level."""
    return int(max_depth > 0) if tree is None else sum(_early(side, max_depth - 1) for side in tree)


Numbers = tuple[int, int, int]


def _instead(change: Callable[[Shape, int, int, Numbers], Numbers]) -> Callable[..., Numbers]:
    """An answer that makes something else of the right one."""
    return lambda tree, most, features: change(tree, most, features, messages(tree, most, features))


ROUNDS = Exercise(
    id="tree-rounds",
    kind="implement",
    hint="Draw a tree of depth 1 whose `max_depth` is 2. Who is asked in rounds 1, 2 and 3?",
    domain="all shapes of up to four leaves, up to two levels more than they use, one or three features; fewest leaves "
    "first",
    cases=grown,
    size=lambda tree, max_depth, features: splits(tree) + 1,
    reference=messages,
    read=sequence(integer, 3),
    explanation=(
        "Every node above level max_depth is asked for its histograms, also one that then stops, because nobody knows "
        "beforehand which nodes will stop. Every leaf is asked for its counts, once.\n"
        "The histograms of level 0 are asked for in round 1, those of level 1 in round 2, and so on. A leaf above "
        "level max_depth is asked for its counts one round after its histograms, and one on level max_depth in round "
        "max_depth + 1. So a tree takes at most max_depth + 1 rounds, however many nodes it has."
    ),
    wrong=(
        Misconception(
            "asks one node after the other",
            _instead(lambda tree, most, p, right: (splits(tree) + _early(tree, most) + right[2], *right[1:])),
            "This is Algorithm 5 as it is printed: a recursion, with a round for every release. Nodes of one level do "
            "not need each other's answers, so one round asks them all.",
        ),
        Misconception(
            "forgets the histograms of early leaves",
            _instead(lambda tree, most, p, right: (right[0], p * splits(tree), right[2])),
            "A leaf above the last level was an open node first, and was asked for its histograms before it stopped.",
        ),
        Misconception(
            "asks all leaves for histograms",
            _instead(lambda tree, most, p, right: (right[0], p * (splits(tree) + right[2]), right[2])),
            "On level `max_depth` a node is a leaf whatever its histograms would say, so it is not asked for any.",
        ),
        Misconception(
            "always takes all rounds",
            _instead(lambda tree, most, p, right: (most + 1, *right[1:])),
            "If no node is open and no leaf waits, there is no further round: a tree may be finished early.",
        ),
        Misconception(
            "forgets the round in which leaves wait",
            _instead(lambda tree, most, p, right: (depth(tree) + 1, *right[1:])),
            "A node that stops above the last level was asked for its histograms in this round. It is asked for its "
            "counts in the next one.",
        ),
        Misconception(
            "asks for each class by itself",
            _instead(lambda tree, most, p, right: (right[0], 2 * right[1], right[2])),
            "A class × bin histogram holds all classes: it is one release.",
        ),
        Misconception(
            "forgets the features",
            _instead(lambda tree, most, p, right: (right[0], right[1] // p, right[2])),
            "Each open node is asked for one histogram of every feature.",
        ),
    ),
)
