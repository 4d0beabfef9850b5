"""A random subset of the features for each node: fewer histograms share the node's budget, so each is less noisy.

Of p features a node asks for q, by q :class:`fdpedu.federation.ClassHistogram` queries that cost ε_node/q each. Which
ones is drawn before any of the node's records are counted, by coins that are public and from the node's region, which
was released. So the subset is a function of the transcript and of coins that are independent of the data, as the filter
lemma asks for. Features that the region still leaves at least two codes come first: the others cannot divide it.

Claims: lem-feature-subset
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from fdpedu.domain import Region
from fdpedu.exact import as_indices, as_integer, require_type
from fdpedu.randomness import Rng, Source, SystemSource, Words, as_source, uniform_below

T = TypeVar("T")


class PublicCoins:
    """The words of a generator of NumPy as public coins. Nothing is hidden by them, so there is nothing to warn of."""

    kind = "public coins"
    word_bits = 64

    def __init__(self, generator: np.random.Generator) -> None:
        self._generator = generator

    def words(self, size: int) -> Words:
        return self._generator.integers(2**64, size=size, dtype=np.uint64)

    def spawn(self, n: int) -> Sequence[Source]:
        return [self] * n


def public_coins(rng: Rng = None, asker: object = None) -> Source:
    """Coins that everybody may know: a generator as it is, without the warning of a release; else a source.

    Without either they are those of the asker's journal, which are the same when a fit is started again, if it has one.

    >>> public_coins(np.random.default_rng(1)).kind
    'public coins'
    """
    rng = getattr(asker, "coins", None) if rng is None else rng
    if rng is None:
        return SystemSource()
    return PublicCoins(rng) if isinstance(rng, np.random.Generator) else as_source(rng)


def drawn_features(region: Region, n: int, coins: Source) -> tuple[int, ...]:
    """A uniform subset of n features, first of those that have two codes or more in the region.

    Claims: lem-feature-subset

    Parameters
    ----------
    region : of the node
    n : from 1 to the number of features
    coins : public

    Returns
    -------
    The positions of the features, ascending.

    Examples
    --------
    >>> from fdpedu.domain import Domain
    >>> from fdpedu.randomness import Rehearsal
    >>> everything = Domain.from_spec({"features": {n: [0, 4, 4] for n in "uvwx"}, "classes": ["a", "b"]}).everything
    >>> drawn_features(everything, 2, Rehearsal(1)), drawn_features(everything.restrict(3, {2}), 4, Rehearsal(2))
    ((0, 3), (0, 1, 2, 3))
    """
    require_type(region, Region, "region")
    p = len(region.features)
    wanted = as_integer(n, "n", minimum=1, maximum=p)
    # lem-feature-subset: the order depends on the region only
    wide = [j for j in range(p) if region.features[j].bit_count() > 1]
    narrow = [j for j in range(p) if region.features[j].bit_count() == 1]
    return tuple(sorted([*shuffled(wide, coins), *shuffled(narrow, coins)][:wanted]))


def shuffled(items: Sequence[T], coins: Source) -> list[T]:
    """The items in a uniformly random order: each place takes one of those that are left.

    >>> from fdpedu.randomness import Rehearsal
    >>> shuffled("abcd", Rehearsal(1))
    ['d', 'a', 'c', 'b']
    """
    left, order = list(items), []
    if left:
        for at in uniform_below(np.arange(len(left), 0, -1, dtype=np.int64), coins).tolist():
            order.append(left.pop(at))
    return order


def mask_of(features: Sequence[int] | None, sizes: Sequence[int]) -> NDArray[np.bool_]:
    """Which of all features' codes, one after the other, belong to these features; all of them if None.

    >>> mask_of((1,), [2, 3]).tolist()
    [False, False, True, True, True]
    """
    if features is None:
        return np.ones(sum(sizes), dtype=bool)
    return np.repeat(np.isin(np.arange(len(sizes), dtype=np.int64), features), as_indices(sizes))
