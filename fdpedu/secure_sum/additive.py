"""Additive sharing: a value as a sum of N random residues, one for each party.

El Zein et al., section 3.3. Of the N shares of s in Z_q, N−1 are uniform and the last is s minus their sum, equation
(1); so they add up to s, equation (2). Every party gets one share of every value, adds what it has, equation (3), and
publishes the sum; these N sums add up to the sum of the values, equation (4). Any N−1 shares of a value are uniform and
independent of it: fewer than N shares say nothing of the value.

Beside pairwise masks: the same sum, no keys, and shares that need not be symmetric to anything; but each of N parties
sends a share to each other one for every sum, over a channel that nobody else reads, where masks cost one key exchange
for all sums and then one message a party (:func:`fdpedu.secure_sum.costs.count_messages`).

Guarantee: perfect, given the sum, against any N−2 parties that are honest but curious, if the channels between the
others are private; against N−1 a sum hides nothing. Arithmetic: integers mod q. Not guaranteed: anything when a party
falls silent, or sends shares of something else.

Claims: lem-additive-shares
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fdpedu.exact import Integers, as_integer, as_integers, as_list, unmasked
from fdpedu.randomness import Rng, Source, Words, as_source, uniform_below
from fdpedu.secure_sum.modular import MAX_PARTIES, WORD, add_up, check_modulus, lift, residues, subtract


def share(values: Any, n: int, modulus: int = WORD, rng: Rng = None) -> Words:
    """N shares of each value, one more dimension of length n before those of the values: El Zein, equation (1).

    Claims: lem-additive-shares

    Parameters
    ----------
    values : integers, of any shape
    n : N ≥ 1, how many shares
    modulus : q, either 2**64 or 2 ≤ q ≤ 2**62
    rng : None for the operating system; a generator is for teaching, and warns

    Examples
    --------
    >>> from fdpedu.randomness import ReplayedWords
    >>> share(5, 3, 16, ReplayedWords([3, 9], word_bits=4)).tolist()  # 5 − 3 − 9 = 9 mod 16
    [3, 9, 9]
    """
    modulus, n = check_modulus(modulus), as_integer(n, "n", minimum=1, maximum=MAX_PARTIES)
    whole = residues(as_integers(values, "values"), modulus)
    # lem-additive-shares: N − 1 shares are independent and uniform, the last one is determined
    first = _uniform(as_source(rng), (n - 1, *whole.shape), modulus)
    last = subtract(whole, add_up(list(first), modulus), modulus) if n > 1 else whole
    return np.concatenate([first, last[np.newaxis]])


def reconstruct(shares: Sequence[Words] | Words, modulus: int = WORD) -> Integers:
    """The value, from all of its shares: El Zein, equations (2) and (4), lifted to [−q/2, q/2).

    Claims: lem-additive-shares

    Parameters
    ----------
    shares : residues mod q, one array a party and all of one shape
    modulus : q

    Examples
    --------
    >>> reconstruct(share([3, -4], 5, 97), 97).tolist()
    [3, -4]
    """
    modulus = check_modulus(modulus)
    rows = [unmasked(row, "shares") for row in as_list(shares, "shares")]
    if any(row.dtype.kind not in "iu" for row in rows):
        raise ValueError(f"shares must be integers, got {', '.join(sorted({row.dtype.name for row in rows}))}")
    if not rows or any(row.shape != rows[0].shape for row in rows):
        raise ValueError(f"shares must be at least one array, all of one shape, got {[row.shape for row in rows]}")
    return lift(add_up([row.astype(np.uint64) for row in rows], modulus), modulus)


def shared_sum(values: Any, modulus: int = WORD, rng: Rng = None) -> Integers:
    """The sum over parties, by additive sharing in one process: El Zein, equations (1) to (4).

    Claims: lem-additive-shares

    Parameters
    ----------
    values : integers, shape (N, n): one row a party
    modulus : q, and the true sums must lie in [−q/2, q/2), or they come out reduced mod q
    rng : None for the operating system

    Examples
    --------
    >>> shared_sum([[3, -10], [4, 1], [0, 2]], 64).tolist()
    [7, -7]
    """
    table = as_integers(values, "values")
    if table.ndim != 2 or not len(table):
        raise ValueError(f"values must have shape (parties, numbers), got {table.shape}")
    modulus = check_modulus(modulus)
    dealt = [share(row, len(table), modulus, source) for row, source in zip(table, _own(rng, len(table)), strict=True)]
    held = [add_up([shares[k] for shares in dealt], modulus) for k in range(len(table))]  # what party k publishes
    return reconstruct(held, modulus)


def _own(rng: Rng, n: int) -> Sequence[Source]:
    return as_source(rng).spawn(n)


def _uniform(source: Source, shape: tuple[int, ...], modulus: int) -> Words:
    """Independent uniform residues."""
    size = int(np.prod(shape))
    if modulus == WORD:
        return source.words(size).reshape(shape)
    return uniform_below(np.full(size, modulus, dtype=np.int64), source).astype(np.uint64).reshape(shape)
