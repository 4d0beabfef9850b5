"""Masks with a few neighbours instead of with everybody, after Bell et al. (2020).

With K parties each pair of which shares masks, each party makes K − 1 of them for every number. But masks hide a
number already if its party shares them with a few honest others, these with others, and so on: what is seen is the sum
over each *component* of the graph of those honest parties that are not missing, and so the total only, if that graph is
connected. A random graph with few neighbours nearly always is. How nearly is computed exactly in
:mod:`fdpedu.secure_sum.splits`.

Two kinds of graphs are drawn here, exactly, from coins that all have tossed together:

- :class:`Ring`: the parties in a random order around a circle, each with its k nearest (a Harary graph);
- :class:`Edges`: each pair by itself, with a rational probability.

Whoever chooses the graph chooses who stands alone. So each party commits to 32 random bytes of its own *and to the list
of members* before any are shown (:func:`commit_coins`, :func:`joint_coins`). The joint coins are the nonce of the
session too: parties with other coins have another session, and :func:`fdpedu.secure_sum.verify_announcements` refuses.

Threat model: that of :mod:`fdpedu.secure_sum.masks`; who colludes is settled before the coins are shown, and at least
one party that commits is honest. Arithmetic: integers, fractions. Not guaranteed: that coins are shown. A party that
sees the others' coins and refuses to show its own forces another toss; after r refusals the probability of a bad graph
is up to r + 1 times as large.

Claims: thm-neighbours
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np

from fdpedu.exact import Rational, as_fraction, as_integer, as_list, require_type
from fdpedu.randomness import Source, Words, uniform_below
from fdpedu.secure_sum.binding import VERSION, hashed
from fdpedu.secure_sum.keys import key_for
from fdpedu.secure_sum.masks import KeyPair, Masks, one_mask
from fdpedu.secure_sum.modular import MAX_PARTIES

Graph = tuple[frozenset[int], ...]  # by party: those that it shares masks with
_MAX_STEPS = 10**6  # of a probability; what is computed from it is exact, and grows with them


def commit_coins(coins: bytes, members: Sequence[bytes]) -> bytes:
    """A party's commitment before any coins are shown: the hash of its own coins and of the ordered list of members.

    Claims: thm-neighbours

    Parameters
    ----------
    coins : 32 bytes or more of the party's own randomness
    members : the identities of all, in order, as the party has accepted them
    """
    if type(coins) is not bytes or len(coins) < 32:
        raise ValueError("coins must be at least 32 random bytes of one's own, or others could guess them")
    return hashed((VERSION, "coins", _identities(members), coins))


def joint_coins(coins: Sequence[bytes], commitments: Sequence[bytes], members: Sequence[bytes]) -> bytes:
    """The coins that all have tossed: 32 bytes, for the graph and as the nonce of the session.

    Claims: thm-neighbours

    Parameters
    ----------
    coins : what each member has shown, in the order of the list
    commitments : what each has sent before that
    members : the same list of identities

    Raises
    ------
    ValueError
        If one is missing, or is not what its member had committed to.
    """
    shown, promised, listed = as_list(coins, "coins"), as_list(commitments, "commitments"), _identities(members)
    if not len(shown) == len(promised) == len(listed):
        raise ValueError(
            f"coins and commitments of all {len(listed)} members are needed, got {len(shown)} and {len(promised)}"
        )
    for k, (own, commitment) in enumerate(zip(shown, promised, strict=True)):
        # thm-neighbours: no party may choose its coins after seeing those of others
        if commit_coins(own, listed) != commitment:
            raise ValueError(f"the coins of member {k} are not those that it had committed to, or are for another list")
    return hashed((VERSION, "joint coins", listed, tuple(shown)))


def _identities(members: Sequence[bytes]) -> tuple[bytes, ...]:
    listed = tuple(as_list(members, "members"))
    if not all(type(one) is bytes for one in listed) or len(set(listed)) != len(listed):
        raise ValueError("members must be a list of different identities, each of them bytes")
    return listed


@dataclass(frozen=True)
class Ring:
    """A circle in random order, on which each party has the k/2 next ones on either side for neighbours.

    Claims: lem-ring-splits

    Parameters
    ----------
    neighbours : k, even; with k ≥ K − 1 each pair shares masks

    Examples
    --------
    >>> [sorted(near) for near in Ring(2).around([0, 3, 1, 2])]
    [[2, 3], [2, 3], [0, 1], [0, 1]]
    """

    neighbours: int

    def __post_init__(self) -> None:
        near = as_integer(self.neighbours, "neighbours", minimum=2, maximum=2 * MAX_PARTIES)
        if near % 2:
            raise ValueError(f"neighbours must be even, half of them on either side, got {near}")
        object.__setattr__(self, "neighbours", near)

    def draw(self, coins: bytes, n_parties: int) -> Graph:
        """The graph that these coins determine."""
        n = as_integer(n_parties, "n_parties", minimum=1, maximum=MAX_PARTIES)
        return self.around(random_order(n, _CoinWords(coins)))

    def around(self, order: Sequence[int]) -> Graph:
        """The graph of parties that stand around the circle in this order."""
        n = len(order)
        if sorted(order) != list(range(n)):
            raise ValueError(f"order must hold each party from 0 to {n - 1} once, got {list(order)}")
        reach = min(self.neighbours // 2, n // 2)
        near = {party: {order[(i + d) % n] for d in range(-reach, reach + 1)} for i, party in enumerate(order)}
        return tuple(frozenset(near[k] - {k}) for k in range(n))


@dataclass(frozen=True)
class Edges:
    """Each pair shares masks with one probability, independently of the others.

    Claims: lem-edges-split

    Parameters
    ----------
    probability : that a pair does, from 0 to 1, rational

    Examples
    --------
    >>> Edges("1").draw(bytes(32), 3)
    (frozenset({1, 2}), frozenset({0, 2}), frozenset({0, 1}))
    """

    probability: Rational

    def __post_init__(self) -> None:
        value = as_fraction(self.probability, "probability")
        if not 0 <= value <= 1 or value.denominator > _MAX_STEPS:
            raise ValueError(
                f"probability must be from 0 to 1, a fraction of at most {_MAX_STEPS} parts, got {self.probability}"
            )
        object.__setattr__(self, "probability", value)

    @property
    def absent(self) -> Fraction:
        """q, the probability that a pair shares no masks."""
        return 1 - as_fraction(self.probability, "probability")

    def draw(self, coins: bytes, n_parties: int) -> Graph:
        """The graph that these coins determine."""
        n = as_integer(n_parties, "n_parties", minimum=1, maximum=MAX_PARTIES)
        return self.drawn(n, _CoinWords(coins))

    def drawn(self, n_parties: int, source: Source) -> Graph:
        """The graph of a source of words: one uniform number a pair."""
        pairs = list(combinations(range(n_parties), 2))
        near: list[set[int]] = [set() for _ in range(n_parties)]
        q = self.absent
        present = uniform_below(np.full(len(pairs), q.denominator), source) >= q.numerator
        for at in np.flatnonzero(present).tolist():
            k, j = pairs[at]
            near[k].add(j)
            near[j].add(k)
        return tuple(map(frozenset, near))


def random_order(n: int, source: Source) -> list[int]:
    """The numbers below n in an order each of which is equally likely (Fisher and Yates).

    Claims: lem-ring-splits

    >>> from fdpedu.randomness import ReplayedWords
    >>> random_order(3, ReplayedWords([0, 1], word_bits=2))  # the last changes places with the first, then none
    [2, 1, 0]
    """
    order = list(range(n))
    for done, chosen in enumerate(uniform_below(np.arange(n, 1, -1, dtype=np.int64), source).tolist(), start=1):
        order[-done], order[chosen] = order[chosen], order[-done]
    return order


class _CoinWords:
    """Words for a graph, from coins that everybody knows."""

    kind = "joint coins"
    word_bits = 64

    def __init__(self, coins: bytes) -> None:
        if type(coins) is not bytes or len(coins) != 32:
            raise ValueError("coins must be the 32 bytes that joint_coins gives")
        self._coins, self._call = coins, 0

    def words(self, size: int) -> Words:
        self._call += 1
        return one_mask(key_for(self._coins, "graph", self._call), size)

    def spawn(self, n: int) -> Sequence[Source]:
        return [self] * n


def components(graph: Graph, among: Collection[int]) -> tuple[tuple[int, ...], ...]:
    """The connected components of a graph on these parties only, each in order: over each of them a sum is seen.

    Claims: thm-neighbours

    Parameters
    ----------
    graph : by party, its neighbours
    among : the honest parties that are not missing

    Examples
    --------
    >>> components(Ring(2).around([0, 1, 2, 3, 4]), [0, 1, 3])
    ((0, 1), (3,))
    """
    left, found = set(among), []
    while left:
        inside, new = set[int](), {min(left)}
        while new:
            inside |= new
            new = {j for k in new for j in graph[k] & left} - inside
        left -= inside
        found.append(tuple(sorted(inside)))
    return tuple(found)


def neighbour_masks(
    index: int,
    pair: KeyPair,
    publics: Sequence[bytes],
    graph: Graph,
    *,
    session: bytes = b"",
    identities: Sequence[bytes] | None = None,
) -> Masks:
    """Party ``index``'s masks with its neighbours only; in all else those of :class:`fdpedu.secure_sum.Masks`.

    Claims: thm-neighbours

    Parameters
    ----------
    index : of the party
    pair : its own keys
    publics : everybody's public keys
    graph : the same for all, of the same coins
    session, identities : as for :class:`fdpedu.secure_sum.Masks`
    """
    require_type(pair, KeyPair, "pair")
    if len(graph) != len(publics):
        raise ValueError(f"the graph must have the {len(publics)} parties that have keys, got {len(graph)}")
    # thm-neighbours: masks with neighbours only
    keys = {j: pair.shared_key(publics[j]) for j in sorted(graph[index])}
    return Masks(index, keys, session=session, identities=identities)
