"""Three splits for one ε: a whole block of depth 2, chosen at once by a curator with access to all rows.

A score of which a record changes at most 1, always upwards when it is added, makes a whole tree as cheap as one split:
the record is in one leaf, so the sum over the leaves moves by at most 1 as well. The exponential mechanism over all
blocks T, Pr[T] ∝ e^{−ε·loss(T)}, is then ε-DP without the customary factor 2, and no number of features divides ε.

There are too many blocks to list, and no need to. A root split costs what its two sides cost together, so its weight
is a product, Z_left·Z_right, each factor a sum over the splits of that side; after the root, the two sides are drawn on
their own.

Guarantee: against an outsider who sees the block, if one record is added or removed; the aggregator is trusted, there
are no shares and no masks here. Arithmetic: integers; the law is the stated one exactly. Not guaranteed: running time.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from numpy.typing import ArrayLike

from fdpedu.bounds.scored import ScoredRows, Split, scored_rows
from fdpedu.exact import Rate, Rational
from fdpedu.mechanisms import draw_block
from fdpedu.mechanisms.blocks import SideLosses
from fdpedu.randomness import Rng, as_source

MAX_BLOCKS = 10**5


@dataclass(frozen=True)
class Block:
    """A root split and one for each of its sides; of each a feature and a border, up to which its codes go left."""

    root: Split
    left: Split
    right: Split


def private_block(
    codes: ArrayLike,
    labels: ArrayLike,
    sizes: list[int],
    epsilon: Rational | None = None,
    rng: Rng = None,
    *,
    n_classes: int = 2,
    score: str = "errors",
    lattice: int = 1,
    alpha: Rational | None = None,
) -> Block:
    """Draw a block of depth 2 with probability ∝ e^{−ε·loss}, exactly: three splits, for one ε in all.

    The loss of a block is the score of its four leaves, rounded down to steps of 1/m on each side of the root.

    Claims: thm-block

    Parameters
    ----------
    codes : bins of each row, integers, shape (n, p), 0 ≤ codes[:, j] < sizes[j]
    labels : class codes, shape (n,), 0 ≤ label < n_classes
    sizes : for each of the p features its number of bins, at least 2; public, as is all that follows
    epsilon : greater than 0, read exactly (or give ``alpha``)
    rng : None for the operating system's entropy; a generator is for teaching, and warns
    n_classes : at least 2
    score : ``errors`` (of the majority class of a leaf) or ``gini`` (the report's n·h)
    lattice : m ≥ 1; for ``errors`` any m is the same
    alpha : in place of ``epsilon``, e^{−ε/m} itself, a fraction in (0, 1)

    Examples
    --------
    >>> from fdpedu.randomness import Rehearsal
    >>> codes, labels = [[0, 0], [0, 1], [1, 0], [1, 1]] * 50, [0, 1, 1, 0] * 50  # no single split is of any use
    >>> private_block(codes, labels, [2, 2], 1, Rehearsal(1))
    Block(root=(1, 0), left=(0, 0), right=(0, 0))
    """
    rows = scored_rows(codes, labels, sizes, n_classes, score, lattice)
    rate = Rate.of(epsilon, alpha, rows.lattice if alpha is None else 1)
    source, losses = as_source(rng), _losses(rows)
    root, left, right = draw_block(losses, rate, source)
    return Block(rows.splits[root], rows.splits[left], rows.splits[right])


def block_pmf(
    codes: ArrayLike,
    labels: ArrayLike,
    sizes: list[int],
    *,
    alpha: Rational,
    n_classes: int = 2,
    score: str = "errors",
    lattice: int = 1,
) -> dict[Block, Fraction]:
    """The probability of every block, by listing them all: Pr[T] ∝ α^{m·loss(T)}, as fractions.

    Claims: thm-block

    Parameters
    ----------
    codes, labels, sizes : as for :func:`private_block`; at most 10**5 blocks
    alpha : e^{−ε/m}, a fraction in (0, 1)
    n_classes, score, lattice : as for :func:`private_block`

    Examples
    --------
    >>> law = block_pmf([[0], [1], [1]], [0, 1, 1], [3], alpha="1/2")
    >>> law[Block(root=(0, 0), left=(0, 0), right=(0, 1))], len(law)
    (Fraction(1, 7), 8)
    """
    rows, rate = scored_rows(codes, labels, sizes, n_classes, score, lattice), Rate.of(alpha=alpha)
    splits = rows.splits
    if len(splits) ** 3 > MAX_BLOCKS:
        raise ValueError(f"sizes must give at most {MAX_BLOCKS} blocks, got {len(splits) ** 3}")
    assert rate.alpha is not None
    weights = dict[Block, Fraction]()
    for root, (left, right) in zip(splits, _losses(rows), strict=True):
        pairs = product(zip(splits, left, strict=True), zip(splits, right, strict=True))
        for (a, of_left), (b, of_right) in pairs:
            weights[Block(root, a, b)] = rate.alpha ** (of_left + of_right)
    total = sum(weights.values(), Fraction(0))
    return {block: weight / total for block, weight in weights.items()}


def _losses(rows: ScoredRows) -> list[SideLosses]:
    """For each root split, what each split of its sides leaves there."""
    sides = [rows.codes[:, j] <= border for j, border in rows.splits]
    return [(rows.losses(left), rows.losses(~left)) for left in sides]
