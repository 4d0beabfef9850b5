"""The one cell of a record: its bin, and a histogram's dummies."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fdpedu.domain import Numeric
from fdpedu.exact import Rational, as_float, as_integers, as_list


def bin_of(value: Rational, edges: Sequence[Rational]) -> int:
    """The bin i with edges[i] < value ≤ edges[i+1]; the first bin holds its lower end, too.

    A value beyond the ends is clipped into the end bin, so that every finite number has exactly one bin. "The bins up
    to i" and "value ≤ edges[i+1]" are then the same question, for every inner border. This is the form to read;
    ``fdpedu.domain.Numeric.encode`` does the same for whole columns.

    Claims: lem-one-cell

    Parameters
    ----------
    value : a finite number; what is no float is rounded to the nearest one, as in a table of floats
    edges : t[0] < t[1] < … < t[r], public; at least 3

    Examples
    --------
    >>> [bin_of(age, [0, 25, 50, 100]) for age in (-3, 0, 25, 25.5, 100, 130)]
    [0, 0, 0, 1, 2, 2]
    """
    x, inner = as_float(value, "value"), Numeric("value", edges_of(edges)).edges[1:-1]
    return next((i for i, border in enumerate(inner) if x <= border), len(inner))


def edges_of(edges: Sequence[Rational]) -> tuple[float, ...]:
    """Edges out of a list or whatever else has members one after the other, as the nearest floats."""
    return tuple(as_float(edge, "an edge") for edge in as_list(edges, "edges"))


def one_hot_histograms(counts: ArrayLike) -> NDArray[np.int64]:
    """The 2-bin histograms of all l dummies of a categorical feature, from its one l-bin histogram.

    Post-processing: it costs nothing beyond the one ε of the histogram, where l histograms of dummies cost l·ε.

    Claims: lem-one-hot

    Parameters
    ----------
    counts : integers of any sign, shape (l, C): one row a category

    Returns
    -------
    Integers of shape (l, 2, C): for each category the records that do not have it, and those that have it.

    Examples
    --------
    >>> one_hot_histograms([[4, 1], [0, 2], [3, 3]])[0].tolist()
    [[3, 5], [4, 1]]
    """
    table = as_integers(counts, "counts")
    if table.ndim != 2 or not table.size:
        raise ValueError(f"counts must have shape (categories, classes), at least one each, got {table.shape}")
    if len(table) * int(np.abs(table).max()) >= 2**63:
        raise ValueError("counts must be small enough that those of all categories add up to less than 2**63")
    return np.stack([table.sum(axis=0) - table, table], axis=1)
