"""Rows dealt to parties, for trials with one table: each row draws its party by itself.

A federation's promises take for granted that the party of a record is no function of other records, and that the number
of parties is fixed. Parts of equal size break that: one more row makes a part longer, and an old row may move to
another party, so that up to three changes at parties stand for one record. Independent draws keep it: all other rows
stay where they are, so what is ε-DP for a record at one party is ε-DP for a row of the table.

Not guaranteed: anything for rows in a known order that are dealt by a known seed, as their draws are then public.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fdpedu.exact import as_integer
from fdpedu.randomness import Rng, as_source, uniform_below


def deal(n_rows: int, n_parties: int, rng: Rng = None) -> list[NDArray[np.int64]]:
    """The row numbers of each party, in order: each row goes to a party of its own uniform draw.

    A part may be empty. The same seed deals the same way.

    Claims: lem-dealt-rows

    Parameters
    ----------
    n_rows : how many rows there are, from 0 to 10⁸
    n_parties : among how many parties they are dealt, from 1 to 10⁶
    rng : None for the operating system; a generator is for teaching, and warns

    Returns
    -------
    list of int64 arrays, one a party; each row stands in one of them

    Examples
    --------
    >>> from fdpedu.randomness import Rehearsal
    >>> deal(6, 2, Rehearsal(1))
    [array([1, 3, 5]), array([0, 2, 4])]
    """
    party = party_of_each(n_rows, n_parties, rng)
    return [np.flatnonzero(party == k) for k in range(n_parties)]


def party_of_each(n_rows: int, n_parties: int, rng: Rng = None) -> NDArray[np.int64]:
    """The same the other way round: for each row the number of its party, from 0; as :func:`deal` deals.

    Claims: lem-dealt-rows

    >>> from fdpedu.randomness import Rehearsal
    >>> party_of_each(6, 2, Rehearsal(1)).tolist()
    [1, 0, 1, 0, 1, 0]
    """
    n_rows = as_integer(n_rows, "n_rows", minimum=0, maximum=10**8)
    n_parties = as_integer(n_parties, "n_parties", minimum=1, maximum=10**6)
    return uniform_below(np.full(n_rows, n_parties, dtype=np.int64), as_source(rng))
