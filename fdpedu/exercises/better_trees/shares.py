"""An exercise to implement: how a screened tree divides ε among its levels."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number


@cache
def screened() -> Sequence[Case]:
    """Up to 100 features, 1 to 9 of them kept, one to six levels; fewest levels first."""
    return tuple(
        (features, keep, depth)
        for depth in range(1, 7)
        for features in (1, 4, 9, 16, 25, 100)
        for keep in (1, 4, 9)
        if keep <= features
    )


def root_share(features: int, keep: int, depth: int) -> float:
    """√p of √p + (d − 1)·√k: the least sum of scales has shares that are proportional to the roots."""
    root, below = features**0.5, keep**0.5
    return root / (root + (depth - 1) * below)


SHARES = Exercise(
    id="better-shares",
    kind="implement",
    hint="At the best division, a little ε moved from one level to another changes nothing: the derivatives "
    "m/ε² are equal.",
    domain="1 to 100 features, 1, 4 or 9 of them kept, up to six levels; fewest levels first",
    cases=screened,
    size=lambda features, keep, depth: depth,
    reference=root_share,
    read=number,
    explanation=(
        "The derivative of m/ε is −m/ε². It has to be the same for all levels, so ε is proportional to √m: √p at the "
        "root, √k at each of the d − 1 levels below.\n"
        "Cauchy and Schwarz prove it without derivatives: (Σ m/ε)·(Σ ε) ≥ (Σ √m)², with equality where ε ∝ √m."
    ),
    wrong=(
        Misconception(
            "gives all levels the same",
            lambda features, keep, depth: 1 / depth,
            "Then the root, which asks for more histograms, has much larger noise than the levels below.",
        ),
        Misconception(
            "makes all noise equal",
            lambda features, keep, depth: features / (features + (depth - 1) * keep),
            "Shares proportional to m make all scales equal. That is fair, and it is not the least sum: the root "
            "takes too much from the others.",
        ),
        Misconception(
            "adds up variances",
            lambda features, keep, depth: features ** (2 / 3) / (features ** (2 / 3) + (depth - 1) * keep ** (2 / 3)),
            "That makes the sum of the variances, m²/ε², least. Here the scales are added.",
        ),
        Misconception(
            "counts one level below",
            lambda features, keep, depth: features**0.5 / (features**0.5 + keep**0.5 if depth > 1 else features**0.5),
            "There are depth − 1 levels below the root, and each needs its share.",
        ),
    ),
)
