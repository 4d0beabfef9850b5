"""An exercise to implement: which releases count a record."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import product
from typing import Any

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.trees.shapes import CODES, Split, depth, split_trees, splits
from fdpedu.exercises.values import Unreadable, kind, sequence

Release = tuple[str, str]


@cache
def routes() -> Sequence[Case]:
    """All small trees, all records, depths that are used up or not; fewest splits first."""
    records = [list(record) for record in product(*map(range, CODES))]
    return tuple((tree, record, depth(tree) + more) for tree in split_trees() for more in (0, 1) for record in records)


def route(tree: Any, record: Sequence[int], max_depth: int) -> list[Release]:
    """Down to the leaf; histograms wherever a node was open, counts at the end."""
    found, path = [], ""
    while tree is not None:
        feature, codes, left, right = tree
        found.append(("histograms", path))
        yes = record[feature] in codes
        path += "L" if yes else "R"
        tree = left if yes else right
    if len(path) < max_depth:
        found.append(("histograms", path))
    return [*found, ("counts", path)]


def _text(raw: Any) -> str:
    if not isinstance(raw, str):
        raise Unreadable(f"a pair of texts such as ('histograms', 'L') was expected in the list, not {kind(raw)}")
    return raw


def _steered(goes_left: Callable[[int, list[int]], bool]) -> Callable[..., list[Release]]:
    """The right answer on a tree whose records are routed by another test."""

    def answer(tree: Split, record: Sequence[int], max_depth: int) -> list[Release]:
        def bent(node: Split) -> Split:
            if node is None:
                return None
            feature, codes, left, right = node
            return feature, [c for c in range(CODES[feature]) if goes_left(c, codes)], bent(left), bent(right)

        return route(bent(tree), record, max_depth)

    return answer


def _all(tree: Split, most: int, path: str = "") -> Iterator[Release]:
    if tree is not None or len(path) < most:
        yield "histograms", path
    if tree is None:
        yield "counts", path
    else:
        yield from _all(tree[2], most, path + "L")
        yield from _all(tree[3], most, path + "R")


ROUTE = Exercise(
    id="tree-route",
    kind="implement",
    hint="Follow the record down in a loop. What was released at the leaf where it ends, if this leaf is an early one?",
    domain="trees of up to three splits on a feature of three categories and one of two, all records; fewest splits "
    "first",
    cases=routes,
    size=lambda tree, record, max_depth: splits(tree),
    reference=route,
    read=sequence(sequence(_text, 2)),
    explanation=(
        "A record is in one node of each level, down to its leaf. So the histograms of these nodes count it, and the "
        "counts of this one leaf. A leaf above level max_depth has released both.\n"
        "The way depends only on the record and on released splits. So each party finds it for its own records, and "
        "tells nobody where a record is."
    ),
    wrong=(
        Misconception(
            "forgets the histograms of an early leaf",
            lambda tree, record, most: [pair for pair in route(tree, record, 0) if most or pair[0] == "counts"],
            "A leaf above level `max_depth` was asked for its histograms before it became a leaf.",
        ),
        Misconception(
            "asks a leaf of the last level for histograms",
            lambda tree, record, most: route(tree, record, most + 1),
            "On level `max_depth` every node is a leaf at once: only its counts are released.",
        ),
        Misconception(
            "forgets the counts of the leaf",
            lambda tree, record, most: route(tree, record, most)[:-1],
            "The leaf's class counts are a release, too, and they count the record.",
        ),
        Misconception(
            "counts the record everywhere",
            lambda tree, record, most: list(_all(tree, most)),
            "These are all releases of the tree. A record is in only one node of each level, and pays only for it.",
        ),
        Misconception(
            "sends it to the wrong side",
            _steered(lambda code, codes: code not in codes),
            "A record whose code is one of `codes` goes left.",
        ),
        Misconception(
            "takes categories for numbers",
            _steered(lambda code, codes: code <= max(codes)),
            "The codes that go left need not be the smallest ones, because categories have no order. Ask whether the "
            "code is in the list.",
        ),
        Misconception(
            "begins below the root",
            lambda tree, record, most: [pair for pair in route(tree, record, most) if pair != ("histograms", "")],
            "The root is a node like any other: its histograms count every record.",
        ),
    ),
)
