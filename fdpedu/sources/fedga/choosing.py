"""The best of P structures at one ε: chosen at random, by noisy scores, by votes, by somebody trusted.

A record that is added raises the losses of all P structures together, each by at most 1. So scores for each of them are
P releases on the same records, and each has an ε/P; a choice is one release, and has all of ε.

These are the draws alone, on exact losses of all parties, to compare them; no release is made here.

Claims: lem-score-price
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from fdpedu.exact import Integers, Rational, as_integer, as_integers, as_positive_fraction, occurrences, quoted
from fdpedu.mechanisms import discrete_laplace, permute_and_flip
from fdpedu.randomness import Rng, Source, as_source
from fdpedu.structures.genetic import below

WAYS = ("random", "scores", "votes", "trusted")
"""Blindly; the least of P noisy sums; the most votes; one draw on the sums of all parties."""


def score_rate(epsilon: Rational, n_structures: int, lattice: int = 1) -> Fraction:
    """The rate of the noise in each of P scores that cost ε together: ε/(P·m).

    Claims: lem-score-price

    Parameters
    ----------
    epsilon : ε > 0 of all scores
    n_structures : P ≥ 1
    lattice : m, the steps to 1 that a record may move each score by

    Examples
    --------
    >>> score_rate(1, 40)
    Fraction(1, 40)
    """
    # lem-score-price: one record moves all P of them, in the same direction
    size = as_integer(n_structures, "n_structures", minimum=1, maximum=2**16)
    steps = as_integer(lattice, "lattice", minimum=1, maximum=2**16)
    return as_positive_fraction(epsilon, "epsilon") / (size * steps)


def choose_structure(
    losses: ArrayLike, way: str, *, epsilon: Rational = 1, lattice: int = 1024, rng: Rng = None
) -> int:
    """The position of the structure that is chosen in one of :data:`WAYS`.

    Parameters
    ----------
    losses : in steps of 1/m, integers of shape (parties, structures), both at least 1
    way : a name of :data:`WAYS`
    epsilon : ε > 0; a random choice needs none
    lattice : m, from 1 to 2**16
    rng : of all draws

    Examples
    --------
    >>> from fdpedu.randomness import Rehearsal
    >>> [choose_structure([[0, 90], [0, 80]], way, epsilon=3, lattice=1, rng=Rehearsal(1)) for way in WAYS]
    [1, 0, 0, 0]
    """
    table = as_integers(losses, "losses")
    if table.ndim != 2 or not table.size:
        raise ValueError(f"losses must have shape (parties, structures), both at least 1, got {table.shape}")
    if not isinstance(way, str) or way not in WAYS:
        raise ValueError(f"way must be one of {', '.join(WAYS)}; got {quoted(way)}")
    steps = as_integer(lattice, "lattice", minimum=1, maximum=2**16)
    budget, source = as_positive_fraction(epsilon, "epsilon"), as_source(rng)
    if way == "random":
        return below(table.shape[1], source)
    if way == "scores":
        rate = score_rate(budget, table.shape[1], steps)
        return int(np.argmin(discrete_laplace(table.sum(axis=0), rate, source)))
    if way == "votes":
        drawn = [_drawn(row, budget, steps, source) for row in table]
        totals = occurrences(drawn, table.shape[1])
        best = np.flatnonzero(totals == totals.max())
        return int(best[below(len(best), source)])
    return _drawn(table.sum(axis=0), budget, steps, source)


def _drawn(losses: Integers, epsilon: Fraction, lattice: int, source: Source) -> int:
    return int(permute_and_flip((-losses).tolist(), epsilon, source, sensitivity=lattice, monotone=True))
