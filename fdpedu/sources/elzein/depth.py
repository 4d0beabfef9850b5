"""The first phase: every party finds the depth at which its own tree does best, and the parties take the mean.

Cross-validation reads private rows, so the depth is an exact function of them, and the sum of depths is one more thing
that is known of them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fdpedu.randomness import Source
from fdpedu.sources.elzein.local import Rows, correct_by_depth
from fdpedu.sources.elzein.selection import shared_totals
from fdpedu.trees.subset import shuffled

FOLDS = 5
MAX_BY_VALIDATION = 12


def own_depth(rows: Rows, criterion: str, source: Source) -> int:
    """The depth, from 1 to 12, of most right predictions in five-fold cross-validation; of equals the least.

    A party with fewer rows than folds leaves out one row at a time; with a single row it says 1.

    Parameters
    ----------
    rows : of a party, at least one
    criterion : by which its trees are grown
    source : of the folds
    """
    n, folds = len(rows), min(FOLDS, len(rows))
    if folds < 2:
        return 1
    fold = np.empty(n, dtype=np.int64)
    fold[np.asarray(shuffled(range(n), source))] = np.arange(n) % folds
    attributes = list(range(rows.domain.n_features))
    correct = sum(
        correct_by_depth(rows.kept(fold != k), rows.kept(fold == k), criterion, attributes, MAX_BY_VALIDATION)
        for k in range(folds)
    )
    return 1 + int(np.argmax(np.asarray(correct)[1:]))


def mean_depth(depths: Sequence[int], source: Source) -> int:
    """The mean of the parties' depths, rounded half up, by a secret sum.

    >>> from fdpedu.randomness import Rehearsal
    >>> mean_depth([2, 3], Rehearsal(1))
    3
    """
    n = len(depths)
    (total,) = shared_totals(np.array(depths)[:, None], MAX_BY_VALIDATION * n + 1, source)
    return int((2 * total + n) // (2 * n))
