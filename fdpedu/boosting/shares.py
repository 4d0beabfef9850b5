"""How many rows have each code, from noisy counts of groups of codes: the mean of a smooth estimate and a spiked one.

Two ways to read a noisy histogram fail in opposite cases. Halving it again and again, and believing each half as far as
its noise lets it stand out, smears a spike. Taking the nearest histogram without negative counts keeps spikes, and
takes noise for some. The mean of both has neither fault entirely. All of it is post-processing.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fdpedu.domain import Domain, code_groups
from fdpedu.exact import Integers, occurrences

Floats = NDArray[np.float64]


def number_of_rows(domain: Domain, released: Integers, groups: int) -> float:
    """About how many rows there are, at least 1: every histogram counts all of them, those with few cells best.

    Parameters
    ----------
    domain : what is public
    released : noisy counts of the cells, the features one after the other
    groups : how many groups of adjacent codes a number has at most
    """
    parts = by_feature(domain, released, groups)
    weights = [1 / len(part) for part in parts]
    sums = [weight * float(part.sum()) for weight, part in zip(weights, parts, strict=True)]
    return max(1.0, sum(sums) / sum(weights))


def by_feature(domain: Domain, released: Integers, groups: int) -> list[Integers]:
    """The counts of each feature."""
    ends = np.cumsum([1 + int(code_groups(feature, groups)[-1]) for feature in domain.features])
    return np.split(released, ends[:-1])


def estimated(domain: Domain, released: Integers, groups: int, variance: float) -> Floats:
    """About how many rows have each code, none below 0: the features one after the other.

    Parameters
    ----------
    domain, released, groups : as for :func:`number_of_rows`
    variance : of the noise in a count
    """
    total, found = number_of_rows(domain, released, groups), []
    for feature, part in zip(domain.features, by_feature(domain, released, groups), strict=True):
        cells = code_groups(feature, groups)
        sizes = occurrences(cells, 0)
        counts = part.astype(np.float64)
        smooth = (
            halved(counts, sizes, total, variance, feature.missing)
            if feature.ordered
            else on_simplex(shrunk(counts, total, variance), total)
        )
        found.append(((smooth + on_simplex(counts, total)) / 2 / sizes)[cells])
    return np.concatenate(found)


def halved(counts: Floats, sizes: Integers, total: float, variance: float, missing: bool) -> Floats:
    """The rows are divided among halves of the cells, again and again: as noise lets the halves stand out.

    Parameters
    ----------
    counts : of the cells
    sizes : how many codes each cell has
    total : of all rows
    variance : of the noise in a count
    missing : whether the last cell is that of missing values, which is divided from all others first

    Examples
    --------
    >>> halved(np.array([30.0, 10, 0, 0]), np.ones(4, dtype=int), 40, 0.0, False).tolist()
    [30.0, 10.0, 0.0, 0.0]
    >>> halved(np.array([30.0, 10, 0, 0]), np.ones(4, dtype=int), 40, 1e9, False).round().tolist()
    [10.0, 10.0, 10.0, 10.0]
    """
    found = np.empty(len(counts))
    open_nodes = [(0, len(counts), total)]
    while open_nodes:
        begin, end, rows = open_nodes.pop()
        if end - begin == 1:
            found[begin] = rows
            continue
        middle = end - 1 if missing and end - begin == len(counts) else begin + (end - begin) // 2
        more = _by_how_much(counts[begin:end], sizes[begin:end], middle - begin, rows, variance)
        open_nodes += [(begin, middle, (rows + more) / 2), (middle, end, (rows - more) / 2)]
    return found


def _by_how_much(counts: Floats, sizes: Integers, middle: int, rows: float, variance: float) -> float:
    """By how many rows the left part has more than the right one: believed as far as noise lets it."""
    expected = rows * float(sizes[:middle].sum() - sizes[middle:].sum()) / float(sizes.sum())
    seen = float(counts[:middle].sum() - counts[middle:].sum())
    spread = rows**2 / 3  # of a difference that may be anything from −rows to rows
    noise = len(counts) * variance
    believed = spread / (spread + noise) if spread + noise > 0 else 0.0
    return min(rows, max(-rows, expected + (seen - expected) * believed))


def shrunk(counts: Floats, total: float, variance: float) -> Floats:
    """Counts of categories, drawn to their mean as far as noise explains how they differ."""
    spread = max(float(counts.var()) - variance, 0.0)
    if not spread:
        return np.full(len(counts), total / len(counts))
    return total / len(counts) + (counts - counts.mean()) * spread / (spread + variance)


def on_simplex(counts: Floats, total: float) -> Floats:
    """The nearest numbers that are not negative and add up to the total: all less by the same, those below 0 are 0.

    >>> on_simplex(np.array([5.0, 3.0, -4.0]), 6.0).tolist()
    [4.0, 2.0, 0.0]
    """
    falling = np.sort(counts)[::-1]
    less = (np.cumsum(falling) - total) / np.arange(1, len(counts) + 1, dtype=np.int64)
    kept = int(np.flatnonzero(falling > less)[-1])
    return np.maximum(counts - less[kept], 0.0)
