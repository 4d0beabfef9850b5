"""An exercise to implement: the weight of a root split, when its two sides are split as well."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number, sequence

Sides = Sequence[tuple[Sequence[int], Sequence[int]]]


@cache
def losses() -> Sequence[Case]:
    """One or two root splits, each with one or two splits on each side, losses 0 to 2; fewest losses first."""
    sides = [list(side) for k in (1, 2) for side in product(range(3), repeat=k)]
    pairs = [(left, right) for left, right in product(sides, repeat=2) if len(left) == len(right)]
    few = [([0], [1]), ([1, 2], [0, 0]), ([0, 2], [1, 1]), ([2, 2], [2, 0])]
    cases = [([pair], Fraction(1, 2)) for pair in pairs]
    cases += [([one, other], alpha) for one in pairs for other in few for alpha in (Fraction(1, 2), Fraction(1, 3))]
    return tuple(sorted(cases, key=lambda case: _size(*case)))


def _size(sides: Sides, alpha: Fraction) -> int:
    return sum(len(left) + len(right) for left, right in sides)


def root_probabilities(sides: Sides, alpha: Fraction) -> list[Fraction]:
    """Z_left·Z_right of each root split, divided by the sum of all of them."""
    weights = []
    for left, right in sides:
        z_left = sum(alpha**loss for loss in left)
        z_right = sum(alpha**loss for loss in right)
        weights.append(z_left * z_right)
    total = sum(weights)
    return [Fraction(weight) / total for weight in weights]


def _normed(weights: Sequence[Fraction]) -> list[Fraction]:
    return [Fraction(weight) / sum(weights) for weight in weights]


ROOT = Exercise(
    id="bounds-root",
    kind="implement",
    hint="A block that begins with r has the weight α^(loss on the left)·α^(loss on the right). Sum over both choices.",
    domain="one or two root splits with one or two splits on each side, losses from 0 to 2, α = 1/2 or 1/3",
    cases=losses,
    size=_size,
    reference=root_probabilities,
    read=sequence(number),
    explanation=(
        "The sum over all pairs is the product of two sums: Σ α^(l + r) = Σ α^l · Σ α^r. So there is no need to list "
        "the blocks: with S splits it takes 2S² powers in place of S³.\n"
        "After the root, each side is drawn on its own, with probability ∝ α^loss. All three splits together cost "
        "one ε."
    ),
    wrong=(
        Misconception(
            "looks at the best block only",
            lambda sides, alpha: _normed([alpha ** (min(left) + min(right)) for left, right in sides]),
            "A root split with many good continuations is drawn more often than one with a single one: sum over them.",
        ),
        Misconception(
            "adds the two sides",
            lambda sides, alpha: _normed([sum(alpha**x for x in [*left, *right]) for left, right in sides]),
            "A block has a split on each side, and every pair is a block: the two sums are multiplied.",
        ),
        Misconception(
            "does not divide",
            lambda sides, alpha: [sum(alpha**x for x in left) * sum(alpha**x for x in right) for left, right in sides],
            "These are the weights. Probabilities add up to 1.",
        ),
        Misconception(
            "adds the losses first",
            lambda sides, alpha: _normed([alpha ** (sum(left) + sum(right)) for left, right in sides]),
            "A block takes one split on each side, and leaves what these two leave; the others are other blocks.",
        ),
    ),
)
