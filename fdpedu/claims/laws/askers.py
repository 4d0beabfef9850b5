"""Askers for checks: what stands between a fit and whoever it asks, keeps what is answered, and may replace it."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from fdpedu.domain import Domain
from fdpedu.exact import Integers
from fdpedu.federation import ChosenBlock, JointEdges, LeafLabel, NodeBounds, Query, SplitVote, StructureVote
from fdpedu.federation.queries.choices import Choice

Answer = Callable[[Query, Integers], Any]


class Kept:
    """Asks as the asker behind it does; each query is kept with its answer, and with what is given in its place.

    Parameters
    ----------
    asker : a federation or a curator
    answer : what is given, by the query and its answer; the answer itself unless something else is said
    """

    def __init__(self, asker: Any, answer: Answer = lambda query, exact: exact) -> None:
        self._asker, self._answer = asker, answer
        self.queries, self.exact, self.given = list[Query](), list[Any](), list[Any]()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._asker, name)

    def release(self, queries: Sequence[Query], account: str = "", **options: Any) -> list[Integers]:
        """One round."""
        exact = self._asker.release(queries, account, **options)
        given = [self._answer(query, one) for query, one in zip(queries, exact, strict=True)]
        self.queries += queries
        self.exact += exact
        self.given += given
        return [np.array(one) for one in given]


def coins_of(query: Query, seed: int) -> np.random.Generator:
    """Coins that depend on what is asked and on a seed, not on when, and not on whom."""
    name = f"{seed} {query.type} {query.region.features} {query.parameters}"
    return np.random.default_rng(zlib.crc32(name.encode()))


def given(domain: Domain, seed: int) -> Answer:
    """In place of every answer another one that there may be, by coins of what is asked and of the seed."""

    def answer(query: Query, exact: Integers) -> Any:
        return any_answer(query, exact.shape, domain, coins_of(query, seed), 3 if seed % 3 == 0 else 9)

    return answer


def any_answer(query: Query, shape: tuple[int, ...], domain: Domain, coins: np.random.Generator, most: int) -> Any:
    """An answer that the query may have; counts are from −2 to below ``most``: few numbers are often equal."""
    if isinstance(query, ChosenBlock):
        return _block(query, domain, coins)
    if isinstance(query, Choice) and shape == (1,):
        return 1 + coins.integers(0, len(query.candidates(domain, query.region)), 1)
    if isinstance(query, LeafLabel):
        return coins.integers(0, domain.n_classes, 1)
    if isinstance(query, JointEdges):
        return np.sort(1 + coins.permutation(query.exact_size(domain) - 1)[: query.bins - 1])
    if isinstance(query, NodeBounds):
        step = query.lattice if coins.integers(0, 2) else 1  # whole numbers are often equal to an n·G
        return step * coins.integers(-query.lattice // step, 6 * query.lattice // step, shape)
    votes = query.type in (SplitVote.type, StructureVote.type)  # which are few, so that many tie
    return coins.integers(-2, 3 if votes else most, shape)


def _block(query: ChosenBlock, domain: Domain, coins: np.random.Generator) -> Any:
    """A split, and one of each side that has one."""
    found = query.candidates(domain, query.region)
    root = int(coins.integers(0, len(found)))
    split, below = found[root], list[int]()
    here = query.region.codes(split.feature)
    for side in (split.left & here, here - split.left):
        n = len(query.candidates(domain, query.region.restrict(split.feature, side)))
        below.append(1 + int(coins.integers(0, n)) if n else 0)
    return np.array([1 + root, *below])


def with_noise(seed: int, most: int) -> Answer:
    """The answer, and noise of −most to most that depends on what is asked, where, at what cost, and on the seed."""

    def answer(query: Query, exact: Integers) -> Any:
        name = f"{seed} {query.type} {query.region.features} {query.epsilon}"
        return exact + np.random.default_rng(zlib.crc32(name.encode())).integers(-most, most + 1, exact.shape)

    return answer
