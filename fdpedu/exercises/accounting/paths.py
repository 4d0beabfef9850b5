"""An exercise: the account of a transcript is the most expensive path of a tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from typing import Any

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number

Tree = tuple[list[int], list[Any]]
MAX_RELEASES = 4
COSTS = (3, 2)


def _trees(releases: int, top: bool = True) -> Iterator[Tree]:
    """All trees with that many releases, at least one at every node but the top one."""
    for own in range(0 if top else 1, releases + 1):
        for costs in product(COSTS, repeat=own):
            for parts in _forests(releases - own, 2):
                if not parts or len(parts) > 1 or not top or own:
                    yield list(costs), parts


def _forests(releases: int, most: int) -> Iterator[list[Tree]]:
    if not releases:
        yield []
    elif most == 1:
        yield from ([tree] for tree in _trees(releases, False))
    else:
        yield from _forests(releases, 1)
        for first in range(1, releases):
            for tree in _trees(first, False):
                yield from ([tree, *rest] for rest in _forests(releases - first, 1))


@cache
def transcripts() -> Sequence[Case]:
    """All trees with up to four releases, the fewest first."""
    return tuple((tree,) for n in range(1, MAX_RELEASES + 1) for tree in _trees(n))


def _releases(tree: Tree) -> int:
    own, parts = tree
    return len(own) + sum(map(_releases, parts))


def most_paid(tree: Tree) -> Any:
    """The most that any record pays: its releases stand on one path from the top."""
    own, parts = tree
    return sum(own) + max(map(most_paid, parts), default=0)


def _all(tree: Tree) -> Any:
    own, parts = tree
    return sum(own) + sum(map(_all, parts))


def _columns_parallel(tree: Tree) -> Any:
    own, parts = tree
    return max(own, default=0) + max(map(_columns_parallel, parts), default=0)


def _levels(tree: Tree) -> Any:
    total: Any = 0
    level = [tree]
    while level:
        total += max(sum(own) for own, _ in level)
        level = [part for _, parts in level for part in parts]
    return total


def _most_expensive_node(tree: Tree) -> Any:
    own, parts = tree
    return max([sum(own), *map(_most_expensive_node, parts)])


def _first_path(tree: Tree) -> Any:
    own, parts = tree
    return sum(own) + (_first_path(parts[0]) if parts else 0)


def _leaves(tree: Tree) -> Any:
    own, parts = tree
    return max(map(_leaves, parts)) if parts else sum(own)


FILTER = Exercise(
    id="acc-filter",
    kind="implement",
    hint="Which releases look at one and the same record? Those on a way down from the top. Which way costs most?",
    domain=f"all trees of up to {MAX_RELEASES} releases at 3 or 2, with up to two parts a node; fewest releases first",
    cases=transcripts,
    size=_releases,
    reference=most_paid,
    read=number,
    explanation=(
        "A record is in the region of a node, and then in at most one of its parts: so its releases are those on one "
        "path. The most that is paid is the largest sum along a path.\n"
        "Early leaves, and budgets that differ between the branches, change nothing. But where regions or costs were "
        "chosen on the way, this is no guarantee yet: another run may have cost more."
    ),
    wrong=(
        Misconception(
            "adds all parts",
            _all,
            "The parts of a node are disjoint: a record is in one of them only, and does not pay for its neighbours.",
        ),
        Misconception(
            "takes the most expensive release of a node",
            _columns_parallel,
            "All releases of a node look at the same records. They add up; only disjoint parts are worth a maximum.",
        ),
        Misconception(
            "adds the most expensive node of each level",
            _levels,
            "The most expensive nodes of two levels may lie on different branches, and no record is in both. Follow "
            "a path.",
        ),
        Misconception(
            "takes the most expensive node",
            _most_expensive_node,
            "A record pays at every node on its way, not only at the most expensive one.",
        ),
        Misconception(
            "follows the first part",
            _first_path,
            "It is the most that any record pays, so the most expensive path counts, not the first.",
        ),
        Misconception(
            "counts the leaves only",
            _leaves,
            "The releases higher up looked at the records of the leaves too.",
        ),
    ),
)
