"""How the cells of many nodes lie in memory: class by class, code by code, so that sums over codes are sums of arrays.

The histograms of N nodes are one array of the shape (C, B, N, p): classes, codes (B is the most that a feature has;
features with fewer have none there), nodes, features. A cumulative sum over the codes is then B − 1 additions of long
arrays. Cells are floats that hold integers: below 2⁵³ nothing is rounded.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fdpedu.cart.split import Counts
from fdpedu.domain import Domain
from fdpedu.exact import as_indices, occurrences

_AT_ONCE = 2**18  # rows × features that are counted at a time

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Grid:
    """The cells of a domain's features.

    Examples
    --------
    >>> from fdpedu.domain import Domain
    >>> grid = Grid(Domain.from_spec({"features": {"x": [0, 2, 2], "y": [0, 3, 3]}, "classes": ["a", "b"]}))
    >>> grid.most_codes, grid.cells_per_node
    (3, 12)
    """

    domain: Domain

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """How many codes each feature has, shape (p,)."""
        return np.array([feature.n_codes for feature in self.domain.features], dtype=np.int64)

    @cached_property
    def ordered(self) -> Mask:
        """Which features are in an order, shape (p,)."""
        return np.array([feature.ordered for feature in self.domain.features])

    @cached_property
    def orders(self) -> tuple[tuple[NDArray[np.int64] | None, ...], ...]:
        """The public orders of each feature's codes; None for the codes as they are, no order for categories.

        An order goes through all B codes: those that the feature does not have come last.
        """
        return tuple(tuple(self._whole(order) for order in feature.orders) for feature in self.domain.features)

    def _whole(self, order: tuple[int, ...]) -> NDArray[np.int64] | None:
        whole = np.array([*order, *range(len(order), self.most_codes)], dtype=np.int64)
        return None if (np.diff(whole) == 1).all() else whole

    @cached_property
    def most_codes(self) -> int:
        """B."""
        return int(self.sizes.max())

    @property
    def n_features(self) -> int:
        """p."""
        return len(self.sizes)

    @property
    def n_classes(self) -> int:
        """C."""
        return self.domain.n_classes

    @property
    def cells_per_node(self) -> int:
        """C·B·p, those that no feature has among them."""
        return self.n_classes * self.most_codes * self.n_features

    def everything(self, nodes: int) -> Mask:
        """All codes of the domain for each of the nodes: shape (B, nodes, p)."""
        there = np.arange(self.most_codes, dtype=np.int64)[:, None] < self.sizes
        return np.repeat(there[:, None], as_indices(nodes), axis=1)

    def places(self, codes: NDArray[np.uint8], labels: NDArray[np.int64]) -> NDArray[np.int32]:
        """For each row and feature the class and the code as one number, label·B + code: shape (rows, p)."""
        return (labels[:, None] * self.most_codes + codes).astype(np.int32)

    def count(self, places: NDArray[np.int32], at: NDArray[np.int64], nodes: int) -> Counts:
        """The exact histograms of all nodes: shape (C, B, nodes, p).

        Parameters
        ----------
        places : of :meth:`places`, shape (rows, p)
        at : the node of each row, 0 to nodes − 1
        nodes : how many there are
        """
        p, cells = self.n_features, nodes * self.cells_per_node
        counts = np.zeros(cells, dtype=np.int64)
        step = max(1, _AT_ONCE // p)
        for first in range(0, len(at), step):
            index = places[first : first + step] * np.int64(nodes * p)
            index += (at[first : first + step] * p)[:, None]
            index += np.arange(p, dtype=np.int64)
            counts += occurrences(index.ravel(), cells)
        return counts.reshape(self.n_classes, self.most_codes, nodes, p)
