"""The best split that noisy histograms of all features show: post-processing of what was released.

Cells below 0 count as 0. A feature with bins is split at the borders that are kept. Of two classes, the categories of a
feature are put in the order of their noisy class ratio, and every beginning of that order is a split; of more classes,
in the order of the domain. Every feature divides its loss by its own noisy total, because these totals differ by noise.

Claims: lem-noisy-search-free
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from fdpedu.cart import CodeSplit, candidates
from fdpedu.cart.candidates import ALL_BORDERS, Borders
from fdpedu.cart.losses import losses_of
from fdpedu.cart.split import Counts
from fdpedu.domain import Categorical, Domain, Region

_LATTICE = 1024


def best_noisy_split(
    table: Counts, domain: Domain, region: Region, score: str, borders: Borders = ALL_BORDERS
) -> CodeSplit | None:
    """The split of the least share of loss, the first of several; None where nothing divides the region.

    Claims: lem-noisy-search-free

    Parameters
    ----------
    table : released class × code counts of all features, one after the other, integers of any sign
    domain, region : of the node
    score : a name of :data:`fdpedu.cart.losses.LOSSES`
    borders : the only ones between bins at which a feature may be split

    Examples
    --------
    >>> domain = Domain.from_spec({"features": {"age": [0, 90, 3], "ward": ["A", "B", "C"]}, "classes": ["no", "yes"]})
    >>> noisy = np.array([[5, 1], [4, -2], [6, 1], [9, 0], [1, 8], [7, -1]])
    >>> best_noisy_split(noisy, domain, domain.everything, "errors")
    CodeSplit(feature=1, left=frozenset({0, 2}))
    """
    sizes = [feature.n_codes for feature in domain.features]
    inside = region.inside(sizes)
    counts = np.where(inside[:, None], np.maximum(table, 0), 0)
    first = np.cumsum([0, *sizes], dtype=np.int64)
    best: tuple[Fraction, CodeSplit] | None = None
    for split in splits_of(counts, domain, region, borders):
        own = counts[first[split.feature] : first[split.feature + 1]]
        share = _share(own, split, score)
        if share is not None and (best is None or share < best[0]):
            best = share, split
    return None if best is None else best[1]


def splits_of(counts: Counts, domain: Domain, region: Region, borders: Borders) -> Iterator[CodeSplit]:
    """The splits that are compared: borders, and beginnings of an order of categories."""
    found = candidates(domain, region, borders)
    for at in range(len(found)):
        if not isinstance(domain.features[found[at].feature], Categorical):
            yield found[at]
    first = np.cumsum([0, *(feature.n_codes for feature in domain.features)], dtype=np.int64)
    for j, feature in enumerate(domain.features):
        if isinstance(feature, Categorical):
            order = category_order(counts[first[j] : first[j + 1]], sorted(region.codes(j)))
            yield from (CodeSplit(j, frozenset(order[:k])) for k in range(1, len(order)))


def category_order(counts: Counts, codes: list[int]) -> list[int]:
    """The codes by the share of the first of two classes, falling; as they are where there are more classes.

    A category without counts stands as if it had half of each.

    >>> category_order(np.array([[1, 3], [0, 0], [4, 0]]), [0, 1, 2])
    [2, 1, 0]
    """
    if counts.shape[1] > 2:
        return codes
    # Coppersmith et al.: for two classes, some beginning of this order is the best subset
    shares = {
        code: Fraction(int(counts[code, 0]), total) if (total := int(counts[code].sum())) else Fraction(1, 2)
        for code in codes
    }
    return sorted(codes, key=lambda code: -shares[code])


def _share(own: Counts, split: CodeSplit, score: str) -> Fraction | None:
    """What a split leaves, in parts of the feature's own total; None without any count."""
    total = int(own.sum())
    if not total:
        return None
    left = own[sorted(code for code in split.left if code < len(own))].sum(axis=0)
    (loss,) = losses_of(left[None], (own.sum(axis=0) - left)[None], score, _LATTICE).tolist()
    return Fraction(loss, _LATTICE * total)
