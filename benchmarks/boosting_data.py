"""The data sets of :mod:`benchmarks.boosting`: sixteen, and the bins of their numbers.

They are the thirteen of :data:`fdpedu.datasets.BENCHMARK`; a rare class, the imitation of credit cards; and two that
were chosen before anything was run on them: shells of a Gaussian (``make_gaussian_quantiles`` of scikit-learn) and wine
(``load_wine``, the first of three kinds against the rest).
"""

import numpy as np
from sklearn.datasets import load_wine, make_gaussian_quantiles

from benchmarks.public_data.keel import WINE
from fdpedu.datasets import BENCHMARK, DataSet, Split, card_domain, card_like, divide
from fdpedu.domain import Domain, Numeric

BINS = 32
MAIN = (
    "breast cancer",
    "clusters",
    "mixture n=1000 p=10 ρ=0.3",
    "mixture n=5000 p=25 ρ=0.3",
    "census imitation",
)

WINE_TRAIN, WINE_TEST = 120, 58


def binned(domain: Domain, bins: int = BINS) -> Domain:
    """The same features and ranges, with so many bins of equal width for each number."""
    features = [
        Numeric.grid(one.name, one.edges[0], one.edges[-1], bins) if isinstance(one, Numeric) else one
        for one in domain.features
    ]
    return Domain(features, domain.classes)


def _cards(rng: np.random.Generator) -> Split:
    X, y = card_like(10_000, rng)
    return Split(X[:7000], y[:7000], X[7000:], y[7000:])


def _shells(rng: np.random.Generator) -> Split:
    X, y = make_gaussian_quantiles(n_samples=8000, n_features=8, n_classes=2, random_state=int(rng.integers(2**32)))
    return Split(X[:4000], y[:4000], X[4000:], y[4000:])


def _wine(rng: np.random.Generator) -> Split:
    X, kinds = load_wine(return_X_y=True)
    y = (kinds == 0).astype(np.int64)
    (train,), test = divide(len(y), 1, WINE_TEST, rng)
    return Split(X[train], y[train], X[test], y[test])


DATA = (
    *BENCHMARK,
    DataSet("card imitation", 7000, card_domain(), _cards),
    DataSet("shells", 4000, Domain([Numeric.grid(f"x{j}", -4, 4, 10) for j in range(1, 9)], (0, 1)), _shells),
    DataSet("wine", WINE_TRAIN, Domain([Numeric.grid(*column[:3], 10) for column in WINE], (0, 1)), _wine),
)
