"""Raw rows without missing values: two of the printed systems work on numbers, and have no code for what is not there.

Nothing here is noisy, and nothing is private.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fdpedu.domain import Domain, Numeric
from fdpedu.domain.columns import FILL_IN
from fdpedu.domain.features import DECLARE

Floats = NDArray[np.float64]


def require_filled(domain: Domain) -> None:
    """Refuse a domain that gives missing values a code."""
    if gaps := [feature.name for feature in domain.features if getattr(feature, "missing", False)]:
        raise ValueError(f"domain must have no codes for missing values, and has one for {', '.join(gaps)}")


def read_values(X: Any, domain: Domain, where: str, *, on_edges: bool = False) -> Floats:
    """Numbers, clipped to the public ranges, and positions of categories; shape (n, p).

    Nobody is advised to give missing values a code, because such domains are refused.

    Parameters
    ----------
    X : raw rows; refused by row and column, never by value
    domain : public, without codes for missing values
    where : whose they are, for messages
    on_edges : whether numbers become the upper edges of their bins
    """
    columns = domain.columns(X, where)
    try:
        codes = domain.encode(columns, where)
    except ValueError as refusal:
        raise ValueError(str(refusal).replace(DECLARE, FILL_IN)) from None
    found = codes.astype(np.float64)
    for j, (feature, cells) in enumerate(zip(domain.features, columns.cells, strict=True)):
        if isinstance(feature, Numeric):
            edges = np.asarray(feature.edges)
            raw = np.clip(feature.check(list(cells), where), edges[0], edges[-1])
            found[:, j] = edges[codes[:, j].astype(np.int64) + 1] if on_edges else raw
    return found
