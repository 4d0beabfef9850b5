"""An exercise to implement: sibling leaves of one label become one leaf."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import count, product
from typing import Any

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.trees.shapes import Shape, shapes
from fdpedu.exercises.values import Unreadable, integer, kind, sequence

Leaf = list[int]
TWO: tuple[Leaf, ...] = ([2, 1], [1, 2], [1, 1], [-1, -2])
THREE: tuple[Leaf, ...] = ([3, 1, 1], [0, 2, 2], [1, 2, 2], [0, 1, 3], [1, 0, 2])


def _filled(shape: Shape, leaves: Sequence[Leaf]) -> Any:
    """The shape with these leaves from left to right, and a test a, b, c, … in each split."""
    left_over, names = iter(leaves), count()

    def fill(node: Shape) -> Any:
        if node is None:
            return list(next(left_over))
        name = "abcdefg"[next(names)]
        return (name, fill(node[0]), fill(node[1]))

    return fill(shape)


@cache
def trees() -> Sequence[Case]:
    """All shapes of up to four leaves with two classes, of up to three with three; fewest leaves first."""
    found: list[Case] = []
    for n in range(1, 5):
        choices = (TWO, THREE) if n < 4 else (TWO[:3],)
        for shape, leaves in product(shapes(n), choices):
            found += [(_filled(shape, combination),) for combination in product(leaves, repeat=n)]
    return tuple(found)


def _leaves(tree: Any) -> int:
    return 1 if isinstance(tree, list) else _leaves(tree[1]) + _leaves(tree[2])


def pruned(tree: Any) -> Any:
    """From the leaves up: merge two leaves of one label, and look at the parent again."""
    if isinstance(tree, list):
        return tree
    test, left, right = tree
    left, right = pruned(left), pruned(right)
    if isinstance(left, list) and isinstance(right, list):
        if left.index(max(left)) == right.index(max(right)):
            return [a + b for a, b in zip(left, right, strict=True)]
    return (test, left, right)


def _read(raw: Any) -> Any:
    """A leaf as a list of numbers, a split as a tuple; whether lists or tuples were given does not matter."""
    if isinstance(raw, (list, tuple)) and len(raw) == 3 and isinstance(raw[0], str):
        return (raw[0], _read(raw[1]), _read(raw[2]))
    if not isinstance(raw, (list, tuple)):
        raise Unreadable(f"a leaf is a list of counts, and a split (test, left, right); {kind(raw)} is neither")
    return sequence(integer)(raw)


def _merge(left: Leaf, right: Leaf) -> Leaf:
    return [a + b for a, b in zip(left, right, strict=True)]


def _bottom_up(alike: Callable[[Leaf, Leaf], bool], merge: Callable[[Leaf, Leaf], Leaf] = _merge) -> Callable[..., Any]:
    """The right way up, with another question of two leaves, or another merged leaf."""

    def answer(tree: Any) -> Any:
        if isinstance(tree, list):
            return tree
        test, left, right = tree[0], answer(tree[1]), answer(tree[2])
        both = isinstance(left, list) and isinstance(right, list)
        return merge(left, right) if both and alike(left, right) else (test, left, right)

    return answer


def _label(leaf: Leaf) -> int:
    return leaf.index(max(leaf))


def _alike(left: Leaf, right: Leaf) -> bool:
    return _label(left) == _label(right)


def _once(tree: Any) -> Any:
    if isinstance(tree, list):
        return tree
    test, left, right = tree
    if isinstance(left, list) and isinstance(right, list) and _alike(left, right):
        return _merge(left, right)
    return (test, _once(left), _once(right))


PRUNE = Exercise(
    id="tree-prune",
    kind="implement",
    hint="A merged leaf may have a sibling that predicts the same class. If you prune both sides first, is it enough "
    "to compare them once?",
    domain="all shapes of up to four leaves with two classes and of up to three with three classes, with ties and "
    "negative counts; fewest leaves first",
    cases=trees,
    size=_leaves,
    reference=pruned,
    read=_read,
    explanation=(
        "Both sides are pruned first. If they then are leaves that predict the same class c, the sums predict c, too: "
        "in both leaves the count of c is at least that of every class, and larger than that of every class before c. "
        "So one comparison is enough at each split, from the leaves up.\n"
        "The merged tree is a function of the released counts, so it costs nothing. The shares of the classes do "
        "change, and a merged leaf has the noise of both leaves."
    ),
    wrong=(
        Misconception(
            "looks once",
            _once,
            "A merged leaf can have a sibling with the same label: look again, from the leaves up.",
        ),
        Misconception(
            "merges all siblings",
            _bottom_up(lambda left, right: True),
            "If the two leaves predict different classes, the split changes predictions. Compare their classes first.",
        ),
        Misconception(
            "lets the last of equals win",
            _bottom_up(lambda left, right: _label(left[::-1]) == _label(right[::-1])),
            "Among classes with equal counts the first one is predicted. With another rule for ties the pruned tree "
            "predicts something else.",
        ),
        Misconception(
            "compares the counts",
            _bottom_up(lambda left, right: left == right),
            "Leaves need not have equal counts to predict the same class.",
        ),
        Misconception(
            "knows only whether it is the first class",
            _bottom_up(lambda left, right: (_label(left) == 0) == (_label(right) == 0)),
            "There may be more than two classes: two leaves that do not predict the first one may still differ.",
        ),
        Misconception(
            "asks for more than half",
            _bottom_up(lambda left, right: _alike(left, right) and all(2 * max(x) > sum(x) for x in (left, right))),
            "A leaf predicts the class with the largest count. It need not be more than half, and there may be a tie.",
        ),
        Misconception(
            "keeps the counts of the left side",
            _bottom_up(_alike, lambda left, right: left),
            "The records of the right side are in the merged leaf, too: add up the counts.",
        ),
        Misconception(
            "clips the counts",
            _bottom_up(_alike, lambda left, right: [max(0, n) for n in _merge(left, right)]),
            "Released counts contain noise, so they and their sums may be negative. Clipped counts could predict "
            "another class.",
        ),
    ),
)
