"""Algorithm 4 as the report prints it, for the nodes of a level: the split of the smallest impurity of raw counts.

Counts are neither clipped nor corrected, so an impurity may be negative or infinite. The printed formula is for two
classes; for more, p̂(1−p̂) becomes ½·Σ_c p̂_c(1−p̂_c), which for two classes is the same. Categories are compared as the
report's dummies are: all others, on the left, against one. An impurity that is 0/0 is passed over.
(Of one node and two classes it is :func:`fdpedu.histograms.choice_as_printed`.)
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from fdpedu.cart import CodeSplit
from fdpedu.cart.split import Counts
from fdpedu.domain import Domain

Floats = NDArray[np.float64]


def splits_as_printed(
    tables: Counts, inside: NDArray[np.bool_], domain: Domain, *, relative: bool = True
) -> list[CodeSplit | None]:
    """For each node the split of the smallest printed impurity, the first of equals; None where there is none.

    Parameters
    ----------
    tables : raw noisy counts, 0 outside of the node, shape (nodes, Σ codes, classes)
    inside : which codes lie in the node and were asked for, shape (nodes, Σ codes)
    domain : whose features they are
    relative : the printed G; else n·G

    Examples
    --------
    >>> from fdpedu.domain import Domain
    >>> domain = Domain.from_spec({"features": {"x": [0, 2, 2], "y": [0, 2, 2]}, "classes": ["a", "b"]})
    >>> raw = np.array([[[5, 1], [1, 6], [4, -1], [2, 8]]])
    >>> splits_as_printed(raw, np.ones((1, 4), dtype=bool), domain)
    [CodeSplit(feature=1, left=frozenset({0}))]
    """
    candidates = list(_candidates(domain))
    scores = np.concatenate([_scores(tables, inside, *where, relative) for where in _places(domain)], axis=1)
    best = scores.argmin(axis=1)
    return [candidates[at] if scores[i, at] < np.inf else None for i, at in enumerate(best.tolist())]


def _places(domain: Domain) -> Iterator[tuple[slice, bool]]:
    """Where the codes of each feature stand, and whether they are in an order."""
    first = 0
    for feature in domain.features:
        yield slice(first, first + feature.n_codes), feature.ordered
        first += feature.n_codes


def _candidates(domain: Domain) -> Iterator[CodeSplit]:
    """The splits of all features: each inner border, or each category against the others."""
    for j, feature in enumerate(domain.features):
        for code in range(feature.n_codes - feature.ordered):
            others = frozenset(range(feature.n_codes)) - {code}  # a dummy that is 0, hence at most the threshold
            yield CodeSplit(j, frozenset(range(code + 1)) if feature.ordered else others)


def _scores(tables: Counts, inside: NDArray[np.bool_], codes: slice, ordered: bool, relative: bool) -> Floats:
    """The printed impurity of each candidate of one feature; ∞ where it is 0/0, or a side has no code of the node."""
    cells, within = tables[:, codes].astype(np.float64), inside[:, codes].astype(np.int64)
    left, on_left = (cells.cumsum(axis=1)[:, :-1], within.cumsum(axis=1)[:, :-1]) if ordered else (cells, within)
    right, on_right = cells.sum(axis=1, keepdims=True) - left, within.sum(axis=1, keepdims=True) - on_left
    with np.errstate(divide="ignore", invalid="ignore"):
        score = _impurity(left) + _impurity(right)
        if relative:
            score = score / (left.sum(axis=2) + right.sum(axis=2))
    return np.where((on_left > 0) & (on_right > 0) & ~np.isnan(score), score, np.inf)


def _impurity(counts: Floats) -> Floats:
    """n·p̂(1−p̂), or n·½·Σ_c p̂_c(1−p̂_c), of counts of any sign, shape (…, C) → (…)."""
    n = counts.sum(axis=-1)
    shares = counts / n[..., None]
    if counts.shape[-1] == 2:  # the printed form, to the last digit
        return np.asarray(n * shares[..., 1] * (1 - shares[..., 1]))
    return np.asarray(n * (shares * (1 - shares)).sum(axis=-1) / 2)
