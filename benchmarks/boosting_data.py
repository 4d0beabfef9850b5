"""The data sets of :mod:`benchmarks.boosting`: real ones whose ranges are public, and four drawn from a law.

Every number has 256 bins of equal width between public ends, which boosting puts together in groups as it pleases.
Four of five rows are for training, unless a size is said. Each seed divides the rows anew, or draws new ones.
Two sets, *marketing* and *nursery*, were chosen and named before any method was run on them. Two have a rare class:
the imitation of credit cards, and Adult, of whose richer people only so many are kept that three of a hundred are left.
"""

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer, make_classification

from benchmarks.public_data import SETS
from fdpedu.datasets import DataSet, Split, card_domain, card_like, divide, mixture
from fdpedu.domain import Domain, Numeric

BINS = 32  # of the rule before this one, and of the frameworks of others
FINE = 256
Ends = tuple[float, float]
Rows = tuple[np.ndarray, np.ndarray]

ADULT = {"age": (17, 91), "education-num": (0, 16), "capital-gain": (0, 1e5), "capital-loss": (0, 5000),
         "hours-per-week": (0, 100)}  # fmt: skip
CREDIT = {"limit": (0, 1e6), "age": (18, 82), "pay": (-2, 9), "bill": (-1e5, 5e5), "paid": (0, 1e5)}
SPAM = {"word": (0, 5), "char": (0, 3), "capitals-average": (0, 40), "capitals-longest": (0, 200),
        "capitals-total": (0, 2000)}  # fmt: skip
MAGIC = {"length": (0, 350), "width": (0, 260), "size": (1.5, 5.5), "conc": (0, 1), "conc1": (0, 0.7),
         "asym": (-460, 580), "m3long": (-340, 240), "m3trans": (-210, 180), "alpha": (0, 90),
         "dist": (0, 500)}  # fmt: skip
COMPAS = {"age": (18, 98), "juvenile": (0, 20), "priors": (0, 40)}
MARKETING = {"age": (0, 8), "education": (0, 7), "years-in-area": (0, 6), "household": (0, 10), "under-18": (0, 10)}


def binned(domain: Domain, bins: int = BINS) -> Domain:
    """The same features and ranges, with so many bins of equal width for each number."""
    features = [
        Numeric.grid(one.name, one.edges[0], one.edges[-1], bins) if isinstance(one, Numeric) else one
        for one in domain.features
    ]
    return Domain(features, domain.classes)


def _public(
    title: str,
    table: str,
    n: int,
    ends: dict[str, Ends],
    ones: tuple[str, ...],
    *,
    without: str = "",
    draw: Callable[..., Split] | None = None,
) -> DataSet:
    """A public set with ``n`` rows, of which the classes ``ones`` are class 1; ``ends`` by name or its first part."""
    columns = [column for column in SETS[table].columns if column.name != without]
    features = []
    for column in columns:
        low, high = ends.get(column.name, ends.get(column.name.split("-")[0], (0, 0)))
        plain = column.feature(FINE, True)
        features.append(Numeric.grid(column.name, low, high, FINE, reason=plain.reason) if plain.ordered else plain)
    train = n * 4 // 5
    drawn = partial(draw or _divided, partial(_rows, table, ones, without), n - train)
    return DataSet(title, train, Domain(features, (0, 1)), drawn)


@cache
def _rows(table: str, ones: tuple[str, ...], without: str) -> Rows:
    columns, y = SETS[table].rows()
    names = [column.name for column in SETS[table].columns]
    kept = [values for name, values in zip(names, columns, strict=True) if name != without]
    X = np.empty((len(y), len(kept)), dtype=object)
    for j, values in enumerate(kept):
        X[:, j] = values
    if all(values.dtype != object for values in kept):
        X = X.astype(np.float64)
    return X, np.isin(y, ones).astype(np.int64)


def _divided(rows: Callable[[], Rows], test: int, rng: np.random.Generator) -> Split:
    X, y = rows()
    (train,), tested = divide(len(y), 1, test, rng)
    return Split(X[train], y[train], X[tested], y[tested])


RARE_ROWS, RARE_ONES = 38_304, 1_149  # of Adult: all 37,155 of class 0, and 3 of 100 are of class 1


def _thinned(rows: Callable[[], Rows], test: int, rng: np.random.Generator) -> Split:
    X, y = rows()
    ones = rng.permutation(np.flatnonzero(y))[:RARE_ONES]
    kept = rng.permutation(np.concatenate([np.flatnonzero(y == 0), ones]))
    return _divided(lambda: (X[kept], y[kept]), test, rng)


def _grid(ends: Iterator[Ends] | list[Ends]) -> Domain:
    return Domain([Numeric.grid(f"x{j}", *one, FINE) for j, one in enumerate(ends, start=1)], (0, 1))


@cache
def _classified(n: int, seed: int, **shape: Any) -> Rows:
    X, y = make_classification(n_samples=n, class_sep=1.0, random_state=seed, **shape)
    return X, y


@cache
def _patients() -> Rows:
    X, y = load_breast_cancer(return_X_y=True)
    return X, y


def _ends_of_patients() -> list[Ends]:
    """From 0 to the largest value and a tenth of it, in two digits: the extremes are published with the set."""
    return [(0.0, float(f"{1.1 * most:.2g}")) for most in _patients()[0].max(axis=0)]


def _mixed(n: int, p: int, rng: np.random.Generator) -> Split:
    return Split(*mixture(n, p, 0.3, rng), *mixture(8000, p, 0.3, rng))


def _boxes(rng: np.random.Generator) -> Split:
    X = rng.uniform(size=(30_000, 20))
    score = (X[:, 0] > 0.5) & (X[:, 1] > 0.5)
    y = (score * 1.0 + (X[:, 2] > 0.3) * (X[:, 3] < 0.6) + 0.6 * rng.normal(size=len(X)) > 0.7).astype(np.int64)
    return Split(X[:20_000], y[:20_000], X[20_000:], y[20_000:])


def _cards(rng: np.random.Generator) -> Split:
    X, y = card_like(10_000, rng)
    return Split(X[:7000], (y[:7000] == card_domain().classes[1]).astype(np.int64),
                 X[7000:], (y[7000:] == card_domain().classes[1]).astype(np.int64))  # fmt: skip


_FEW = partial(_classified, 9000, 3, n_features=10, n_informative=5, n_redundant=2)
_MANY = partial(
    _classified, 76_000, 5, n_features=20, n_informative=10, n_redundant=3, n_clusters_per_class=8, flip_y=0.05
)
_RICH = (">50K",)

REAL = (
    _public("Adult", "adult_old", 48_842, ADULT, _RICH),
    _public("credit", "credit", 30_000, CREDIT, ("1",)),
    _public("magic", "magic", 19_020, MAGIC, ("g",)),
    _public("COMPAS", "compas", 6_167, COMPAS, ("1",), without="decile-score"),
    _public("spambase", "spambase", 4_597, SPAM, ("1",)),
    DataSet("breast cancer", 398, _grid(_ends_of_patients()), partial(_divided, _patients, 171)),
)
DRAWN = (
    DataSet("16 clusters", 60_000, _grid([(-8, 8)] * 20), partial(_divided, _MANY, 16_000)),
    DataSet("4 clusters", 5_000, _grid([(-6, 5)] * 10), partial(_divided, _FEW, 4_000)),
    DataSet("mixture of 20,000", 20_000, _grid([(-5, 4)] * 20), partial(_mixed, 20_000, 20)),
    DataSet("mixture of 1,000", 1_000, _grid([(-5, 4)] * 10), partial(_mixed, 1_000, 10)),
    DataSet("boxes", 20_000, _grid([(0, 1)] * 20), _boxes),
)
CHOSEN = (
    _public("marketing", "marketing", 6_876, MARKETING, tuple("6789")),
    _public("nursery", "nursery", 12_960, {}, ("spec_prior",)),
)
RARE = (
    DataSet("card imitation", 7_000, binned(Domain(card_domain().features, (0, 1)), FINE), _cards),
    _public("Adult, 3 of 100", "adult_old", RARE_ROWS, ADULT, _RICH, draw=_thinned),
)
DATA = (*REAL, *DRAWN, *CHOSEN, *RARE)


def _repeated(rows: Callable[[np.random.Generator], Split], times: int, rng: np.random.Generator) -> Split:
    one = rows(rng)
    return Split(np.tile(one.X_train, times), one.y_train, np.tile(one.X_test, times), one.y_test)


_MAGIC = next(data for data in REAL if data.name == "magic")
_COPIED = [
    Numeric(f"{one.name}-{copy}", one.edges)
    for copy in range(1, 6)
    for one in _MAGIC.domain.features
    if isinstance(one, Numeric)
]
EXTREME = (  # with the ε of each
    (DataSet("mixture of 250", 250, _grid([(-5, 4)] * 10), partial(_mixed, 250, 10)), "1"),
    (DataSet("mixture of 1,000,000", 10**6, _grid([(-5, 4)] * 20), partial(_mixed, 10**6, 20)), "1"),
    (DataSet("magic, columns ×5", _MAGIC.size, Domain(_COPIED, (0, 1)), partial(_repeated, _MAGIC.draw, 5)), "4"),
)
