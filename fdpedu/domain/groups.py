"""Adjacent codes counted together: which cell of a coarser histogram each code of a feature is in."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fdpedu.domain.features import MAX_CODES, Categorical, Feature, Numeric
from fdpedu.exact import as_integer


def code_groups(feature: Feature, groups: int) -> NDArray[np.uint8]:
    """The cell of each code of a feature whose bins are put together in so many groups; cells have no gaps.

    Groups are of adjacent bins, all of them as large as the others or larger by one. Where there are fewer bins than
    groups, each is a group. A missing value has a cell of its own, the last one. So has each category, as categories
    have no order.

    Claims: lem-group-counts

    Parameters
    ----------
    feature : of the domain
    groups : how many there are at most, from 2 to 256, a public number

    Examples
    --------
    >>> code_groups(Numeric.grid("age", 0, 100, bins=5, missing=True), 2).tolist()
    [0, 0, 0, 1, 1, 2]
    >>> code_groups(Numeric.grid("age", 0, 100, bins=3), 256).tolist()
    [0, 1, 2]
    """
    if not isinstance(feature, (Numeric, Categorical)):
        raise ValueError(f"feature must be a feature of a domain, got {type(feature).__name__}")
    most = as_integer(groups, "groups", minimum=2, maximum=MAX_CODES)
    bins = feature.n_bins if isinstance(feature, Numeric) else feature.n_codes
    n = min(most, bins) if feature.ordered else bins
    return np.array([*(code * n // bins for code in range(bins)), *range(n, n + feature.n_codes - bins)], np.uint8)
