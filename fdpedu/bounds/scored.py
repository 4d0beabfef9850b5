"""What each split of a public grid leaves of rows, in whole steps: the losses among which splits and blocks are drawn.

The family of splits is public and the same for all rows: every border of every feature. A split that sends all rows to
one side is one of them, since which splits do that depends on the rows.

Not guaranteed: any privacy. These are exact functions of rows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fdpedu.cart.losses import losses_of
from fdpedu.exact import Integers, as_integer, as_integers, as_list, occurrences, quoted

Split = tuple[int, int]  # a feature and a border: its codes up to the border go left
SCORES = ("errors", "gini")
MAX_SPLITS = 500


@dataclass(frozen=True)
class ScoredRows:
    """Rows as codes and labels; what is public of them; and in how many steps of a unit they are scored."""

    codes: Integers
    labels: Integers
    sizes: list[int]
    classes: int
    score: str
    lattice: int

    @property
    def splits(self) -> list[Split]:
        """All borders of all features, in order."""
        return [(j, border) for j, size in enumerate(self.sizes) for border in range(size - 1)]

    def losses(self, rows: NDArray[np.bool_] | slice = slice(None)) -> list[int]:
        """The loss of each split, on all rows or on some."""
        total = occurrences(self.labels[rows], self.classes)
        lefts = np.concatenate([self._lefts(j, rows) for j in range(len(self.sizes))])
        return [int(loss) for loss in losses_of(lefts, total - lefts, self.score, self.lattice)]

    def _lefts(self, j: int, rows: NDArray[np.bool_] | slice) -> Integers:
        """The class counts up to each border of feature j, shape (borders, classes)."""
        cells = self.codes[rows, j] * self.classes + self.labels[rows]
        table = occurrences(cells, self.sizes[j] * self.classes).reshape(-1, self.classes)
        return np.cumsum(table, axis=0)[:-1]


def scored_rows(
    codes: ArrayLike, labels: ArrayLike, sizes: list[int], n_classes: int, score: str, lattice: int
) -> ScoredRows:
    """Read what :func:`fdpedu.bounds.private_split` and :func:`fdpedu.bounds.private_block` are given.

    Parameters
    ----------
    codes : bins of each row, integers, shape (n, p), 0 ≤ codes[:, j] < sizes[j]
    labels : class codes, shape (n,), 0 ≤ label < n_classes
    sizes : for each of the p features its number of bins, from 2 to 256; at most 500 borders in all
    n_classes : from 2 to 1000
    score : ``errors`` or ``gini``
    lattice : from 1 to 10**6

    Examples
    --------
    >>> scored_rows([[0, 1], [1, 1], [1, 0]], [0, 1, 1], [2, 2], 2, "gini", 10).losses()
    [0, 5]
    """
    bins = [as_integer(size, "sizes", minimum=2, maximum=256) for size in as_list(sizes, "sizes")]
    borders = sum(bins) - len(bins)
    if not 1 <= borders <= MAX_SPLITS:
        raise ValueError(f"sizes must be of features with 1 to {MAX_SPLITS} borders in all, got {borders}")
    classes = as_integer(n_classes, "n_classes", minimum=2, maximum=1000)
    if not isinstance(score, str) or score not in SCORES:
        raise ValueError(f"score must be one of {', '.join(SCORES)}; got {quoted(score)}")
    steps = as_integer(lattice, "lattice", minimum=1, maximum=10**6)
    table, y = as_integers(codes, "codes"), as_integers(labels, "labels")
    if table.size == 0 and y.size == 0:
        table = np.zeros((0, len(bins)), dtype=np.int64)
    if table.ndim != 2 or table.shape[1] != len(bins) or y.shape != table.shape[:1]:
        raise ValueError(f"codes must be of shape (n, {len(bins)}), and labels of shape (n,)")
    if np.any((table < 0) | (table >= np.array(bins, dtype=np.int64))) or np.any((y < 0) | (y >= classes)):
        raise ValueError("codes must be from 0 to below the feature's size, and labels from 0 to below n_classes")
    return ScoredRows(table, y, bins, classes, score, steps)
