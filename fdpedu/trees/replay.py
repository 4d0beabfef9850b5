"""What a recursion had grown before it failed: the same on the answers that it had, with leaves where they end.

A recursion asks for one node after the other, so what is known when a party falls silent lies in calls that are not
over. It depends on answers and on what is public only: repeated with the answers that were released it does the same.
What is known of a leaf that waits is what the last histogram holds that was released of it, or above it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

import numpy as np

from fdpedu.cart import Node
from fdpedu.domain import Domain, Region
from fdpedu.exact import Integers
from fdpedu.federation import ClassHistogram, NodeHistograms, Query
from fdpedu.histograms import clip

Released = Sequence[tuple[Query, Integers]]


class NothingLeft(Exception):
    """All that was answered was read."""


class Replay:
    """An account that charges nobody: it has the answers that were released, in their order."""

    def __init__(self, released: Released) -> None:
        self._left = iter(tuple(released))

    def release(self, queries: Sequence[Query]) -> list[Integers]:
        """The next answers."""
        found = [answer.copy() for _, answer in islice(self._left, len(queries))]
        if len(found) < len(queries):
            raise NothingLeft
        return found


def with_leaves(procedure: type[Any], released: Released, domain: Domain) -> type[Any]:
    """The procedure whose nodes are leaves where no answer is left.

    Parameters
    ----------
    procedure : grows the tree of a region by its method ``fit``
    released : what was answered
    domain : what is public
    """

    class SoFar(procedure):  # type: ignore[misc]
        def fit(self, region: Region, *rest: Any) -> Node:
            try:
                found: Node = super().fit(region, *rest)
                return found
            except NothingLeft:
                return Node(tuple(clip(known(region, released, domain)).tolist()))

    return SoFar


def known(region: Region, released: Released, domain: Domain) -> Integers:
    """The class counts of a region in the last histogram that was released of it or of its parent; else zeros."""
    first = np.cumsum([0, *(feature.n_codes for feature in domain.features)], dtype=np.int64)
    for query, answer in reversed(released):
        if not isinstance(query, ClassHistogram | NodeHistograms) or not query.region.contains(region):
            continue
        narrower = [j for j in range(domain.n_features) if region.codes(j) != query.region.codes(j)]
        of_one = isinstance(query, ClassHistogram)
        j = query.feature if isinstance(query, ClassHistogram) else (narrower or [0])[0]
        if set(narrower) <= {j}:
            begin = 0 if of_one else int(first[j])
            cells: Integers = answer[[begin + code for code in sorted(region.codes(j))]].sum(axis=0)
            return cells
    return np.zeros(domain.n_classes, dtype=np.int64)
