"""Residues: integers mod R, how a sum of them becomes an integer again, and when it is the right one.

A residue mod R stands for all integers that differ by multiples of R. Of these exactly one lies in the *centred range*
−R/2 ≤ s < R/2, and the *lift* takes a residue to it. So a sum that is computed mod R is the true sum if and only if the
true sum lies in the centred range; beyond it, it is wrong by a multiple of R, and nothing shows it. If every one of K
parties has a number of at most B in absolute value, the sum is at most K·B; and K·B < R/2 is enough. This bound is
public, so a sum that does not fit is refused before anything is sent (:func:`require_no_overflow`).

Threat model: none; this is arithmetic of public moduli. Arithmetic: integers. Not guaranteed: that a party's number
keeps its bound. Noise has no bound; what is left over of its law beyond the bound is a probability that the caller
states.

Claims: lem-no-overflow
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fdpedu.exact import Integers, as_integer
from fdpedu.randomness import Words

MAX_PARTIES = 10_000  # in one process
WORD = 2**64  # the modulus that machine integers give for free


def check_modulus(modulus: int) -> int:
    """R is 2**64, or an integer from 2 to 2**62."""
    if as_integer(modulus, "modulus", minimum=2) != WORD and modulus > 2**62:
        raise ValueError(f"modulus must be 2**64 or at most 2**62, got {modulus}")
    return int(modulus)


def require_no_overflow(largest: int, n_parties: int, modulus: int = WORD) -> int:
    """The largest sum K·B that can occur; refuses a modulus in which it would overflow.

    Claims: lem-no-overflow

    Parameters
    ----------
    largest : B ≥ 0, the largest absolute value of one party's number, noise included
    n_parties : K ≥ 1
    modulus : R

    Raises
    ------
    ValueError
        If K·B is not less than R/2.

    Examples
    --------
    >>> require_no_overflow(10, 3, 64)
    30
    >>> require_no_overflow(11, 3, 64)
    Traceback (most recent call last):
    ValueError: 3 numbers of up to 11 add up to as much as 33: the modulus must be greater than 66, got 64
    """
    bound = as_integer(largest, "largest", minimum=0, maximum=2**64) * as_integer(
        n_parties, "n_parties", minimum=1, maximum=MAX_PARTIES
    )
    if 2 * bound >= check_modulus(modulus):
        raise ValueError(
            f"{n_parties} numbers of up to {largest} add up to as much as {bound}: "
            f"the modulus must be greater than {2 * bound}, got {modulus}"
        )
    return bound


def residues(values: Integers, modulus: int = WORD) -> Words:
    """The residues mod R of integers, as 0, 1, …, R−1.

    >>> residues(np.array([5, -1]), 4).tolist()
    [1, 3]
    """
    return values.astype(np.uint64) if modulus == WORD else np.mod(values, modulus).astype(np.uint64)


def lift(numbers: Words, modulus: int = WORD) -> Integers:
    """The integers in [−R/2, R/2) that have these residues mod R.

    >>> lift(np.array([0, 1, 2, 3], dtype=np.uint64), 4).tolist()
    [0, 1, -2, -1]
    """
    if modulus == WORD:
        return numbers.view(np.int64)
    signed = numbers.astype(np.int64)
    return np.where(signed >= (modulus + 1) // 2, signed - modulus, signed)


def add(a: Words, b: Words, modulus: int, out: Words | None = None) -> Words:
    """The sum of residues mod R."""
    total = np.add(a, b, out=out)  # uint64 wraps, which is reduction mod 2**64
    return total if modulus == WORD else np.remainder(total, np.uint64(modulus), out=out)


def subtract(a: Words, b: Words, modulus: int, out: Words | None = None) -> Words:
    """The difference of residues mod R."""
    if modulus == WORD:
        return np.subtract(a, b, out=out)
    return add(a, np.uint64(modulus) - b, modulus, out)


def add_up(rows: Sequence[Words], modulus: int) -> Words:
    """The sum of one row of residues or more, cell by cell."""
    total = np.zeros(rows[0].shape, dtype=np.uint64)
    for row in rows:
        total = add(total, row, modulus)
    return total
