"""Numbers drawn afresh from a stated law: the report's mixture, scikit-learn's clusters, one strong feature.

Each generator has its public domain beside it. A range is part of the law's description and is fixed before a row is
drawn; rows beyond it are clipped when a party encodes them. Features are called x1, …, xp, classes 0 and 1.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fdpedu.domain import Domain, Numeric
from fdpedu.exact import Rational, as_float, as_integer, require_type

Table = tuple[NDArray[np.float64], NDArray[np.int64]]

COMPONENTS = 5
THRESHOLD = 0.43
FLIPPED = 0.1


def mixture(n: int, p: int, rho: Rational, rng: np.random.Generator) -> Table:
    """The report's Gaussian mixture (section 4.1.1): rows (n, p) and labels (n,), half of the rows in each class.

    A row of class 0 belongs to one of five components with equal probability; component i has the mean (i/5, …, i/5)
    and covariance Σ_jk = ρ^|j−k|. Class 1 is the mirror image, with mean (−i/5, …, −i/5). The order is random.

    Parameters
    ----------
    n : rows, n ≥ 1; if n is odd, class 0 has one more
    p : features, p ≥ 1
    rho : correlation ρ of two neighbouring features within a component, 0 ≤ ρ ≤ 1
    rng : where the rows come from; the same generator state gives the same rows

    Examples
    --------
    >>> X, y = mixture(250, 10, 0.3, np.random.default_rng(0))
    >>> X.shape, int(y.sum())
    ((250, 10), 125)
    """
    require_type(rng, np.random.Generator, "rng")
    n, p = as_integer(n, "n", minimum=1, maximum=10**9), as_integer(p, "p", minimum=1, maximum=10**6)
    correlation = as_float(rho, "rho")
    if not 0 <= correlation <= 1:
        raise ValueError(f"rho must lie between 0 and 1, got {rho}")
    y = rng.permutation(np.arange(n, dtype=np.int64) % 2)
    X = rng.standard_normal((n, p))
    innovation = np.sqrt(1 - correlation**2)
    for j in range(1, p):  # a stationary autoregression of order 1 has exactly the covariance ρ^|j−k|
        X[:, j] = correlation * X[:, j - 1] + innovation * X[:, j]
    means = rng.integers(1, COMPONENTS + 1, size=n) / COMPONENTS
    return X + np.where(y == 0, means, -means)[:, None], y


def mixture_domain(p: int, *, bins: int = 10) -> Domain:
    """The public domain of :func:`mixture`: every feature on [−5, 4].

    >>> mixture_domain(2, bins=3).features[1].edges
    (-5.0, -2.0, 1.0, 4.0)
    """
    return _domain(p, -5, 4, bins, "nearly all of a standard normal variable around means from −1 to 1")


def informative(n: int, rng: np.random.Generator) -> Table:
    """Clusters at the corners of a cube: scikit-learn's ``make_classification``, rows (n, 10) and labels (n,).

    Five of the ten features are informative, two are linear combinations of these, three are noise; class separation
    1. Cube, clusters and rows are drawn afresh, so rows that are to be compared must come from one call.

    >>> X, y = informative(100, np.random.default_rng(0))
    >>> X.shape, sorted(set(y.tolist()))
    ((100, 10), [0, 1])
    """
    from sklearn.datasets import make_classification

    require_type(rng, np.random.Generator, "rng")
    n = as_integer(n, "n", minimum=1, maximum=10**9)
    X, y = make_classification(
        n_samples=n,
        n_features=10,
        n_informative=5,
        n_redundant=2,
        class_sep=1.0,
        random_state=int(rng.integers(2**32)),
    )
    return X, y.astype(np.int64)


def informative_domain(*, bins: int = 10) -> Domain:
    """The public domain of :func:`informative`: every feature on [−6, 5]."""
    return _domain(
        10, -6, 5, bins, "corners at a distance of 1 from 0 in each direction, and a margin for their spread"
    )


def strong_feature(n: int, rng: np.random.Generator, *, p: int = 25) -> Table:
    """One feature decides: rows (n, p) uniform on the unit cube; y = 1[x_j > .43], flipped with probability .1.

    The feature j is drawn afresh, so rows that are to be compared must come from one call.

    >>> X, y = strong_feature(1000, np.random.default_rng(0))
    >>> agreement = ((X > 0.43) == y[:, None]).mean(axis=0)
    >>> int((agreement > 0.8).sum())
    1
    """
    require_type(rng, np.random.Generator, "rng")
    n, p = as_integer(n, "n", minimum=1, maximum=10**9), as_integer(p, "p", minimum=1, maximum=10**6)
    j = rng.integers(p)
    X = rng.random((n, p))
    flipped = rng.random(n) < FLIPPED
    return X, ((X[:, j] > THRESHOLD) ^ flipped).astype(np.int64)


def strong_feature_domain(p: int = 25, *, bins: int = 10) -> Domain:
    """The public domain of :func:`strong_feature`: every feature on [−.07, 1.04], so no bin border is the threshold."""
    return _domain(p, -0.07, 1.04, bins, "the unit interval with a margin, so that no bin border is the threshold")


def _domain(p: int, low: float, high: float, bins: int, reason: str) -> Domain:
    p = as_integer(p, "p", minimum=1, maximum=10**6)
    return Domain([Numeric.grid(f"x{j}", low, high, bins, reason=reason) for j in range(1, p + 1)], (0, 1))
