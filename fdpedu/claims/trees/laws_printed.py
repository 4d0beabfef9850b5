"""Checks of chapter 8: what the printed stopping test of Algorithm 5 does at a node that holds nobody."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from fdpedu.claims.checking import require


def at_most(features: int, alpha: Fraction, least: int, classes: int = 2) -> Fraction:
    """A bound of the probability with which the printed test makes a leaf of an empty node.

    No value of a sum of noises is likelier than m = (1 − α)/(1 + α), the largest probability of one noise; and its law
    is symmetric. So a total is below ``least`` with at most 1/2 + least·m, and not positive with at most 1/2 + m/2, for
    each feature independently.
    """
    m = (1 - alpha) / (1 + alpha)
    few, absent = Fraction(1, 2) + least * m, (1 + m) / 2
    return few**features + classes * absent**features


def empty_becomes_a_leaf(features: int, alpha: Fraction, least: int) -> None:
    """A node with fewer records than asked for becomes a leaf, more often than not; here, a node without any."""
    most = at_most(features, alpha, least)
    require(most >= Fraction(1, 2), f"an empty node becomes a leaf with a probability of at most {float(most):.4f}")


def numbers_of_features(_: int) -> Iterator[tuple[int, Fraction, int]]:
    """1 to 10 features, noise of rate about 1/100 in each cell, ten rows asked for."""
    return ((p, Fraction(99, 100), 10) for p in range(1, 11))
