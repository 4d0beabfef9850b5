"""The report's Algorithm 3: the noisy class × bin counts of one feature, summed over all parties."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fdpedu.domain import Region
from fdpedu.exact import Rational, as_integer, as_positive_fraction
from fdpedu.federation import ClassHistogram
from fdpedu.federation.asker import Asker, require_federation


def private_histogram(
    federation: Asker, feature: int | np.integer[Any] | str, epsilon: Rational, region: Region | None = None
) -> NDArray[np.int64]:
    """Algorithm 3: the noisy class × bin counts of one feature, summed over all parties.

    ε-DP for add/remove, against an outsider and ``federation.tolerate`` colluders; one round. Counts may be negative.

    Claims: thm-histogram, thm-histogram-substitution

    Parameters
    ----------
    federation : the parties, and the ledger that is charged before anything is drawn or sent
    feature : its name or its index in the domain
    epsilon : the cost, greater than 0, read exactly
    region : the records that are counted; all of them when left out

    Returns
    -------
    Integers of shape (codes, classes), the codes of the feature in the domain's order.

    Raises
    ------
    BudgetExceeded
        If the ledger refuses the round; then nothing is released and nothing charged.
    """
    require_federation(federation)
    if isinstance(feature, np.integer):
        feature = as_integer(feature, "feature", minimum=0)
    position = federation.domain.index(feature) if isinstance(feature, str) else feature
    where = region if region is not None else federation.domain.everything
    return federation.release([ClassHistogram(where, as_positive_fraction(epsilon, "epsilon"), position)])[0]
