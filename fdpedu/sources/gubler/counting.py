"""Exact counts of many nodes at once: bins, histograms, true bounds, and class counts. Pure; nothing here is noisy.

``at`` says for each row in which node it lies (0, 1, …). The bins of a node lie between public limits, or, as in the
published code, between the least and the largest value among its own rows. Long arrays are gone through in pieces that
stay in the processor's cache; the results do not depend on it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fdpedu.exact import as_indices, occurrences
from fdpedu.sources.gubler.setting import BINS, PARTIES

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Codes = NDArray[np.int16]
_PIECE = 2**14  # values at a time
LOW, HIGH = -5.0, 4.0  # the public range of the report's mixture, see fdpedu.datasets.mixture_domain


class Ranges(NamedTuple):
    """Where the bins of each node and feature begin and end, (nodes, p)."""

    low: Floats
    high: Floats


def public_ranges(nodes: int, p: int) -> Ranges:
    """The public range of every feature, at every node."""
    return Ranges(np.full((nodes, p), LOW), np.full((nodes, p), HIGH))


def raw_ranges(X: Floats, at: Ints, nodes: int) -> Ranges:
    """Minimum and maximum among the rows of each node; 0 and 1 where there is none. Rows stand in the order of nodes.

    >>> raw_ranges(np.array([[3.0], [5], [4]]), np.array([0, 0, 2]), 3)
    Ranges(low=array([[3.], [0.], [4.]]), high=array([[5.], [1.], [4.]]))
    """
    low, high = np.full((nodes, X.shape[1]), np.inf), np.full((nodes, X.shape[1]), -np.inf)
    if len(at):
        starts = np.flatnonzero(np.diff(at, prepend=-1))
        low[at[starts]], high[at[starts]] = (f.reduceat(X, as_indices(starts)) for f in (np.minimum, np.maximum))
    empty = np.isinf(low)
    return Ranges(np.where(empty, 0.0, low), np.where(empty, 1.0, high))


def bins_of(values: Floats, low: Floats, high: Floats, *, strict: bool) -> Codes:
    """The bin of each value among ten of equal width; what lies outside is in the first or the last.

    With ``strict`` a value on a border is in the bin above it (x < t goes left), else in the bin below it (x ≤ t). A
    range of width 0 has all values in its last bin.

    >>> bins_of(np.array([0.0, 0.1, 1.0]), np.zeros(3), np.ones(3), strict=True).tolist()
    [0, 1, 9]
    >>> bins_of(np.array([0.0, 0.1, 1.0]), np.zeros(3), np.ones(3), strict=False).tolist()
    [0, 0, 9]
    """
    width = high - low
    with np.errstate(divide="ignore", invalid="ignore"):
        place = (values - low) * (BINS / width)
    if not strict:
        place = np.subtract(np.ceil(place, out=place), 1, out=place)
    place[np.broadcast_to(width == 0, place.shape)] = BINS - 1
    return place.clip(0, BINS - 1, out=place).astype(np.int16)  # towards 0, so down


def bins_in_nodes(X: Floats, at: Ints, ranges: Ranges, *, strict: bool) -> Codes:
    """The bins of rows (rows, p), each between the limits of its node."""
    codes, step = np.empty(X.shape, dtype=np.int16), max(1, _PIECE // X.shape[1])
    for start in range(0, len(X), step):
        piece = slice(start, start + step)
        low, high = (limits.take(as_indices(at[piece]), axis=0) for limits in ranges)
        codes[piece] = bins_of(X[piece], low, high, strict=strict)
    return codes


def histograms(codes: Codes, y: Ints, at: Ints, nodes: int) -> Floats:
    """How many rows of each class lie in each bin, (nodes, p, 2, bins), from bins (rows, p)."""
    p = codes.shape[1]
    first, of_feature = (at * p * 2 + y) * BINS, np.arange(0, 2 * p * BINS, 2 * BINS, dtype=np.int64)
    counts, step = np.zeros(nodes * p * 2 * BINS, dtype=np.int64), max(1, max(_PIECE, nodes * p * BINS) // p)
    for start in range(0, len(codes), step):
        piece = slice(start, start + step)
        cells = codes[piece] + of_feature
        cells += first[piece, None]
        counts += occurrences(cells.ravel(), len(counts))
    return counts.reshape(nodes, p, 2, BINS).astype(float)


def true_bounds(codes: Codes, y: Ints, party: Ints, at: Ints, nodes: int) -> Floats:
    """Theorem 7's sum Σ_k n_k·G(Q_k, θ*_kj) on the bins' borders, (nodes, p); no split at all is a split too.

    Rows of no party (−1) are left out.

    >>> y, party = np.array([0, 1]), np.array([0, 1])
    >>> true_bounds(np.array([[2], [2]]), y, party, np.array([0, 0]), 1)
    array([[0.]])
    >>> true_bounds(np.array([[2], [2]]), y, party * 0, np.array([0, 0]), 1)
    array([[0.5]])
    """
    own, p = party >= 0, codes.shape[1]
    tables = histograms(codes[own], y[own], (at * PARTIES + party)[own], nodes * PARTIES)
    of_bins = np.ascontiguousarray(tables.reshape(-1, 2, BINS).transpose(2, 1, 0))
    left, right = np.zeros(of_bins.shape[1:]), of_bins.sum(axis=0)
    least = np.full(right.shape[1], np.inf)
    for counts in of_bins:  # up to the last border: all rows on the left
        left, right = left + counts, right - counts
        scaled = (side[0] * side[1] / np.maximum(side[0] + side[1], 1) for side in (left, right))
        least = np.minimum(least, sum(scaled), out=least)
    return np.asarray(least.reshape(nodes, PARTIES, p).sum(axis=1))


def some_party_lacks_class_1(y: Ints, party: Ints, at: Ints, nodes: int) -> NDArray[np.bool_]:
    """For each node, whether some party has no row of class 1 in it, which an infinite bound reveals."""
    ill = (party >= 0) & (y == 1)
    counts = occurrences((at * PARTIES + party)[ill], nodes * PARTIES)
    return (counts.reshape(nodes, PARTIES) == 0).any(axis=1)


def class_counts(y: Ints, at: Ints, nodes: int) -> Floats:
    """How many rows of each class lie in each node, (nodes, 2)."""
    return occurrences(at * 2 + y, nodes * 2).reshape(nodes, 2).astype(float)


def short_counts(counts: Floats) -> Floats:
    """The same as the published code has them: where class 1 has no row, the number of class 0 stands for both.

    >>> short_counts(np.array([[3.0, 0], [3, 1]])).tolist()
    [[3.0, 3.0], [3.0, 1.0]]
    """
    return np.where((counts[:, 1:] == 0), counts[:, :1], counts)
