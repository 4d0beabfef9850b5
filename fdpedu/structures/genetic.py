"""The genetic operators on strings: random strings, tournament, one-point crossover, and three mutations.

A string has an entry for each inner node of the full tree, in preorder: the position of a feature, or ``LEAF``. The
coins are the server's, and public. Whatever an operator makes is a string of the same length over the same letters.

- Crossover cuts two strings at one place and exchanges the tails. So the root comes with the head of the string.
- Node flip gives a share of the places another letter; node swap exchanges two places, several times; substring swap
  cuts the string into three and puts the parts into a random order.

Reconstructed, for Table II is lost in our copy: the share of leaves of a random string, the shares of places that are
flipped and swapped, that contestants of a tournament are drawn with replacement, and that the order of three parts may
be the one that they had.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from fdpedu.cart.structures import LEAF
from fdpedu.randomness import Source, uniform_below
from fdpedu.trees.subset import shuffled

LEAF_RATIO, FLIP_SHARE, SWAP_SHARE = 0.2, 0.2, 0.2  # reconstructed
String = tuple[int, ...]


def below(bound: int, coins: Source) -> int:
    """A uniform integer from 0 to ``bound`` − 1."""
    return int(uniform_below(np.array([bound]), coins)[0])


def places(share: float, length: int) -> int:
    """How many places a share of a string is: rounded half up, and at least one.

    >>> [places(0.2, length) for length in (1, 3, 7, 15)]
    [1, 1, 1, 3]
    """
    return max(1, int(share * length + 0.5))


def random_string(n_features: int, depth: int, leaf_ratio: float, coins: Source) -> String:
    """Uniform features at all places; then a share of the places, rounded half up, becomes leaves.

    >>> from fdpedu.randomness import Rehearsal
    >>> random_string(5, 2, 0.4, Rehearsal(1))
    (2, -1, 0)
    """
    length = 2**depth - 1
    entries = uniform_below(np.full(length, n_features), coins).tolist()
    for at in shuffled(range(length), coins)[: int(leaf_ratio * length + 0.5)]:
        entries[at] = LEAF
    return tuple(entries)


def tournament(fitness: Sequence[float], pressure: int, coins: Source) -> int:
    """The fittest of ``pressure`` members that are drawn uniformly, with replacement; of equals the first.

    Parameters
    ----------
    fitness : of the population, more is better
    pressure : k ≥ 1. The member of rank r of n wins with probability ((n − r + 1)^k − (n − r)^k)/n^k
    coins : public

    Returns
    -------
    The position of the winner.
    """
    drawn = uniform_below(np.full(pressure, len(fitness)), coins).tolist()
    return min(drawn, key=lambda i: (-fitness[i], i))


def one_point_crossover(mother: String, father: String, coins: Source) -> tuple[String, String]:
    """Head of one and tail of the other, cut at a uniform place inside; strings of one entry stay as they are.

    >>> from fdpedu.randomness import ZeroWords
    >>> one_point_crossover((0, 1, 2), (3, 4, 5), ZeroWords())
    ((0, 4, 5), (3, 1, 2))
    """
    if len(mother) < 2:
        return mother, father
    cut = 1 + below(len(mother) - 1, coins)
    return mother[:cut] + father[cut:], father[:cut] + mother[cut:]


def node_flip(string: String, n_features: int, coins: Source) -> String:
    """A share of the places, drawn uniformly, gets another letter each: one of the features, or ``LEAF``."""
    entries = list(string)
    for at in shuffled(range(len(string)), coins)[: places(FLIP_SHARE, len(string))]:
        others = [letter for letter in (*range(n_features), LEAF) if letter != entries[at]]
        entries[at] = others[below(len(others), coins)]
    return tuple(entries)


def node_swap(string: String, n_features: int, coins: Source) -> String:
    """The entries of two different places are exchanged, as many times as a share of the length says."""
    entries, length = list(string), len(string)
    if length > 1:
        for _ in range(places(SWAP_SHARE, length)):
            one, other = below(length, coins), below(length - 1, coins)
            other += other >= one
            entries[one], entries[other] = entries[other], entries[one]
    return tuple(entries)


def substring_swap(string: String, n_features: int, coins: Source) -> String:
    """Three parts, none empty, in a uniformly random order; a string of fewer than three entries stays as it is."""
    if len(string) < 3:
        return string
    first, second = sorted(shuffled(range(1, len(string)), coins)[:2])
    parts = shuffled([string[:first], string[first:second], string[second:]], coins)
    return tuple(entry for part in parts for entry in part)


Mutation = Callable[[String, int, Source], String]
MUTATIONS: Mapping[str, Mutation] = MappingProxyType(
    {"node flip": node_flip, "node swap": node_swap, "substring swap": substring_swap}
)
"""The three mutations; each generation takes one of them at random, for all its offspring."""


def offspring(
    strings: Sequence[String], fitness: Sequence[float], size: int, pressure: int, n_features: int, coins: Source
) -> list[String]:
    """The next generation's strings: parents by tournament, crossover, and the mutation that this generation drew.

    Parameters
    ----------
    strings, fitness : of the population, more is better
    size : how many are made
    pressure : of the tournament
    n_features : p
    coins : public
    """
    mutation = list(MUTATIONS.values())[below(len(MUTATIONS), coins)]
    made = list[String]()
    while len(made) < size:
        mother, father = (strings[tournament(fitness, pressure, coins)] for _ in range(2))
        made += one_point_crossover(mother, father, coins)
    return [mutation(string, n_features, coins) for string in made[:size]]
