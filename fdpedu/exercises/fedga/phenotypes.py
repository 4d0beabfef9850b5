"""An exercise to implement: how many structures there are up to a depth."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import integer


@cache
def depths() -> Sequence[Case]:
    """Depths 0 to 4 with one to four features and with thirty; shallow first."""
    return tuple((p, depth) for depth, p in product(range(5), (1, 2, 3, 4, 30)))


def phenotypes(n_features: int, depth: int) -> int:
    """A leaf, or a feature with two structures of one level less below it."""
    count = 1
    for _ in range(depth):
        count = 1 + n_features * count**2
    return count


def _strings(n_features: int, depth: int) -> int:
    return int((n_features + 1) ** (2**depth - 1))


def _no_leaf(n_features: int, depth: int) -> int:
    return int(n_features ** (2**depth - 1))


def _one_side(n_features: int, depth: int) -> int:
    count = 1
    for _ in range(depth):
        count = 1 + n_features * count
    return count


def _mirrored(n_features: int, depth: int) -> int:
    count = 1
    for _ in range(depth):
        count = 1 + n_features * count * (count + 1) // 2
    return count


def _never_again(n_features: int, depth: int) -> int:
    if not depth:
        return 1
    return 1 + n_features * _never_again(max(0, n_features - 1), depth - 1) ** 2


def _same_depth(n_features: int, depth: int) -> int:
    return sum(_no_leaf(n_features, d) for d in range(depth + 1))


PHENOTYPES = Exercise(
    id="fedga-phenotypes",
    kind="implement",
    hint="What can a root be? If it asks for a feature, how many structures can each of its sides be?",
    domain="depths 0 to 4 with one to four features and with thirty; shallow first",
    cases=depths,
    size=lambda n_features, depth: depth,
    reference=phenotypes,
    read=integer,
    explanation=(
        "A structure of depth at most d is a leaf; or one of p features with two structures of depth at most d − 1, "
        "each chosen for itself. So T(0) = 1 and T(d) = 1 + p·T(d − 1)².\n"
        "With three features and depth 2 there are 49 structures for 64 strings; the 16 strings with a leaf at the "
        "root are one structure."
    ),
    wrong=(
        Misconception(
            "counts strings",
            _strings,
            "Two strings that differ below a leaf only are the same structure. With a leaf at the root all of them "
            "are.",
        ),
        Misconception(
            "lets every node ask",
            _no_leaf,
            "A node may be a leaf above the last level, and then there is less below it.",
        ),
        Misconception(
            "chooses one side only",
            _one_side,
            "A node has two sides, and each is a structure of its own: their numbers are multiplied.",
        ),
        Misconception(
            "takes mirrored structures for the same",
            _mirrored,
            "Left is what is at most the threshold and right what is above it. Exchanged, these are different trees.",
        ),
        Misconception(
            "asks for a feature only once on a path",
            _never_again,
            "A feature may be asked again, with another threshold: age at most 60, and then age at most 40.",
        ),
        Misconception(
            "makes both sides equally deep",
            _same_depth,
            "One side may be a leaf while the other asks again.",
        ),
    ),
)
