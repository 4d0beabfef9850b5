"""Pictures of zeros and ones, as many as a large collection has, drawn from the small one that scikit-learn carries.

Each of scikit-learn's digits has 8 × 8 blocks of 16 pixels, and of each block how many pixels are set. A picture is
drawn by taking one of the 360 zeros and ones and setting each pixel of a block anew, with the share that it has
there. Pictures to learn from and pictures to be tested on come from different originals. The blocks of :data:`CORNER`
are empty in all originals, so they stay empty: whatever is set there is a trigger.
"""

from __future__ import annotations

from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from fdpedu.datasets.benchmark import Split
from fdpedu.domain import Domain, Numeric
from fdpedu.exact import as_integer, require_type

CORNER = (23, 31, 39, 47)
"""Four blocks of the right edge, empty in every zero and one."""
TRIGGER = MappingProxyType(dict.fromkeys(CORNER, 16))
"""All their pixels set."""
DIGITS = ("zero", "one")
_ORIGINALS_TO_LEARN = 252  # of 360
_TRAIN, _TEST = 11_824, 2_956


def zeros_and_ones_domain(*, bins: int = 4) -> Domain:
    """The public domain of :func:`zeros_and_ones`: 64 blocks with 0 to 16 pixels, two classes.

    >>> zeros_and_ones_domain().n_features
    64
    """
    reason = "the number of pixels that are set in a block of 4 × 4"
    return Domain([Numeric.grid(f"block {i // 8},{i % 8}", 0, 16, bins, reason=reason) for i in range(64)], DIGITS)


def zeros_and_ones(rng: np.random.Generator, *, train: int = _TRAIN, test: int = _TEST) -> Split:
    """Pictures to learn from and pictures to be tested on, shape (n, 64), with their digits as "zero" or "one".

    Parameters
    ----------
    rng : for the division of the originals and for the pixels
    train, test : how many, at least 1

    Examples
    --------
    >>> split = zeros_and_ones(np.random.default_rng(0), train=500, test=100)
    >>> split.X_train.shape, int(split.X_train[:, list(CORNER)].max()), split.y_test[:2].tolist()
    ((500, 64), 0, ['zero', 'one'])
    """
    from sklearn.datasets import load_digits

    require_type(rng, np.random.Generator, "rng")
    sizes = as_integer(train, "train", minimum=1), as_integer(test, "test", minimum=1)
    X, y = load_digits(n_class=2, return_X_y=True)
    order = rng.permutation(len(y))
    originals = order[:_ORIGINALS_TO_LEARN], order[_ORIGINALS_TO_LEARN:]
    (X_train, y_train), (X_test, y_test) = (
        _drawn(X[some], y[some], n, rng) for some, n in zip(originals, sizes, strict=True)
    )
    return Split(X_train, y_train, X_test, y_test)


def _drawn(
    X: NDArray[np.float64], y: NDArray[np.int64], n: int, rng: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.str_]]:
    of = rng.integers(len(y), size=n)
    return rng.binomial(16, X[of] / 16), np.array(DIGITS)[y[of]]
