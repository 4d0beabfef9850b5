"""A round of boosting by hand, in fractions: what the released sums give, written without the library's functions.

Leaves are tuples of answers. A tree of k questions has k factors of two answers each; a tree of a curve has one factor,
whose answers are its leaves.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import product

Share = Sequence[Fraction]
Leaf = tuple[int, ...]
UNIT, STEPS = 4096, 64


def leaves_of(factors: Sequence[Share]) -> list[Leaf]:
    """All leaves in the order of their numbers: the first factor counts most."""
    return list(product(*(range(len(share)) for share in factors)))


def share_of(leaf: Leaf, factors: Sequence[Share], without: int | None = None) -> Fraction:
    """The product of the shares of a leaf's answers, one factor left out."""
    return math.prod(
        (share[b] for i, (b, share) in enumerate(zip(leaf, factors, strict=True)) if i != without), start=Fraction(1)
    )


def orders(weights: Sequence[Fraction], factors: Sequence[Share]) -> tuple[Fraction, list[Fraction], list[Fraction]]:
    """w₀, w₁ and w₂ as in the lemma, leaf by leaf."""
    leaves = leaves_of(factors)
    whole = sum((share_of(leaf, factors) * w for leaf, w in zip(leaves, weights, strict=True)), Fraction(0))
    first = [
        sum((m[i][b] for i, b in enumerate(leaf)), Fraction(0)) for m in [mains(weights, factors)] for leaf in leaves
    ]
    return whole, first, [w - whole - one for w, one in zip(weights, first, strict=True)]


def mains(weights: Sequence[Fraction], factors: Sequence[Share]) -> list[list[Fraction]]:
    """w̄ᵢ(b) − w₀ of every answer of every factor; 0 for an answer of share 0."""
    leaves = leaves_of(factors)
    whole = sum((share_of(leaf, factors) * w for leaf, w in zip(leaves, weights, strict=True)), Fraction(0))
    return [
        [
            sum(
                (share_of(leaf, factors, i) * w for leaf, w in zip(leaves, weights, strict=True) if leaf[i] == b),
                Fraction(0),
            )
            - whole
            if share[b]
            else Fraction(0)
            for b in range(len(share))
        ]
        for i, share in enumerate(factors)
    ]


def energy(second: Sequence[Fraction], factors: Sequence[Share]) -> Fraction:
    """Σ μ·w₂²."""
    return sum(
        (share_of(leaf, factors) * w**2 for leaf, w in zip(leaves_of(factors), second, strict=True)), Fraction(0)
    )


def noise_energy(variances: Sequence[Fraction], factors: Sequence[Share]) -> Fraction:
    """The mean of Σ μ·w₂² where leaves have independent noise: leaf by leaf, from the split of a single 1."""
    leaves = leaves_of(factors)
    ones = ([Fraction(i == j) for j in range(len(leaves))] for i in range(len(leaves)))
    return sum(
        (v * energy(orders(one, factors)[2], factors) for v, one in zip(variances, ones, strict=True)), Fraction(0)
    )


def made_up(seed: bytes, ends: Sequence[Sequence[int]], n: int) -> list[list[int]]:
    """Made-up rows, feature by feature: words of SHAKE-256, looked up in cumulated shares in units of 2⁻³⁰."""
    stream = hashlib.shake_256(b"fdpedu made-up rows\0" + seed).digest(8 * n * len(ends))
    words = [int.from_bytes(stream[i : i + 8], "little") >> 34 for i in range(0, len(stream), 8)]
    return [[sum(end <= word for end in of) for word in words[j * n : (j + 1) * n]] for j, of in enumerate(ends)]
