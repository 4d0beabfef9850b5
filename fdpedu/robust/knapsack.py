"""How a forger divides rows among leaves so that they do most: the best of all divisions, not a greedy one.

For each leaf a table says what it is worth after 0, 1, …, x forged rows. What all leaves together are worth at least is
a minimum over all divisions. Leaf by leaf: with x rows for the leaves so far, the last one gets some of them, and those
before it the rest. Tables need not be convex, so giving each row to the leaf where it does most at the moment is wrong.

Integers; exact.

Claims: thm-structured-poisoning
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fdpedu.exact import Integers, as_integer, as_integers

MAX_TOTAL = 2**62


def least_value(tables: Sequence[Sequence[int]], rows: int) -> tuple[int, tuple[int, ...]]:
    """The least sum over the leaves, and a division of at most ``rows`` rows that has it.

    Claims: thm-structured-poisoning

    Parameters
    ----------
    tables : for each leaf its values after 0, 1, …, rows forged rows: integers that never rise; shape (leaves, rows +
        1)
    rows : x ≥ 0

    Examples
    --------
    >>> least_value([[9, 9, 2], [9, 7, 6]], 2)  # the first row in the first leaf does nothing, the second one most
    (11, (2, 0))
    """
    x = as_integer(rows, "rows", minimum=0)
    worth = as_integers(tables, "tables")
    if worth.ndim != 2 or worth.shape[1] != x + 1 or not len(worth):
        raise ValueError(f"tables must have the shape (leaves, {x + 1}), one leaf or more, got {worth.shape}")
    if (np.diff(worth, axis=1) > 0).any():
        raise ValueError("tables must never rise: more forged rows leave no more")
    if sum(int(abs(table).max()) for table in worth) > MAX_TOTAL:
        raise ValueError("tables must have sums that fit into 62 bits")
    least, choices = best_sums(worth.astype(np.int64))
    return int(least[x]), allocation(choices, x)


def best_sums(worth: Integers) -> tuple[Integers, list[Integers]]:
    """For each number of rows the least sum; and for each leaf and number, how many of these rows it gets then."""
    least, choices = worth[0], [np.arange(worth.shape[1], dtype=np.int64)]
    for table in worth[1:]:
        # thm-structured-poisoning: of x rows the leaf gets some, and the leaves before it the rest
        least, chosen = _together(least, table)
        choices.append(chosen)
    return least, choices


def _together(before: Integers, table: Integers) -> tuple[Integers, Integers]:
    """The least before[x − i] + table[i] over i, for each x; and that i."""
    best, chosen = np.empty_like(before), np.empty_like(before)
    turned = before[::-1]
    for x in range(len(before)):
        found = turned[len(before) - 1 - x :] + table[: x + 1]
        chosen[x] = i = found.argmin()
        best[x] = found[i]
    return best, chosen


def allocation(choices: Sequence[Integers], rows: int) -> tuple[int, ...]:
    """How many of the rows each leaf gets, read off from the last leaf to the first."""
    found, left = list[int](), rows
    for chosen in reversed(choices[1:]):
        found.append(int(chosen[left]))
        left -= found[-1]
    return tuple(reversed([*found, left]))
