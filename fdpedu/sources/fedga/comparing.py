"""How trees are compared: the source's mean improvement, the log-ratio beside it, and the edit distance of features.

The formula of eq. (3) is lost in our copy; it is reconstructed from its description, "the average percentage increase
in the test score of federated trees compared to local trees". Of two scores that are exchangeable, X and Y > 0, the
mean of X/Y is that of (X/Y + Y/X)/2, which is at least 1: so trees that are alike improve on each other, both. The mean
of ln(X/Y) is 0 then.

Claims: lem-ratio
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fdpedu.exact import as_floats, as_integer, as_list


def improvement(ours: Any, theirs: Any) -> float:
    """Eq. (3), in percent: the mean over parties of (ours − theirs)/theirs, times 100.

    Claims: fedga-benefit

    Parameters
    ----------
    ours, theirs : of each party a score above 0, shape (K,)

    Examples
    --------
    >>> improvement([0.5, 1.0], [1.0, 0.5]), improvement([1.0, 0.5], [0.5, 1.0])  # each is better than the other
    (25.0, 25.0)
    """
    one, other = _scores(ours, theirs)
    return float(100 * np.mean((one - other) / other))


def log_ratio(ours: Any, theirs: Any) -> float:
    """The mean over parties of ln(ours/theirs): the other way round it has the other sign.

    Claims: lem-ratio

    >>> log_ratio([0.5, 1.0], [1.0, 0.5])
    0.0
    """
    one, other = _scores(ours, theirs)
    return float(np.mean(np.log(one / other)))


def _scores(ours: Any, theirs: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    one, other = as_floats(ours, "ours", 1), as_floats(theirs, "theirs", 1)
    if one.shape != other.shape or not one.size:
        raise ValueError(f"ours and theirs must be as many, at least one; got {one.size} and {other.size}")
    for name, scores in (("ours", one), ("theirs", other)):
        if (scores <= 0).any():
            raise ValueError(f"{name} must be greater than 0, got {scores.min()}: a ratio needs it")
    return one, other


def edit_distance(a: Any, b: Any) -> float:
    """Levenshtein's distance of two lists of features, over the length of the longer one; 0 of two empty ones.

    Parameters
    ----------
    a, b : the features of two structures, each node before its sides: ``Structure.features``

    Examples
    --------
    >>> edit_distance([3, 1, 2], [3, 2]), edit_distance([], [4])
    (0.3333333333333333, 1.0)
    """
    one, other = (
        [as_integer(entry, name, minimum=0) for entry in as_list(value, name)] for name, value in (("a", a), ("b", b))
    )
    before = list(range(len(other) + 1))
    for i, entry in enumerate(one, 1):
        now = [i]
        for j, against in enumerate(other, 1):
            now.append(min(before[j] + 1, now[j - 1] + 1, before[j - 1] + (entry != against)))
        before = now
    return before[-1] / max(len(one), len(other), 1)
