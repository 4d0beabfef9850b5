"""The closed set of queries. Each computes its cells, its sensitivity and its charge; callers declare none of these.

A query is asked of a region of the record domain at a cost of ε. Its answer is an array of integers. Adding or removing
one record changes one cell of a table of counts by 1, or nothing, so the ℓ₁ sensitivity is 1; in the histograms of p
features it changes one cell of each, so these are p releases of sensitivity 1, made at once. Lower bounds of p features
in steps of 1/m are p releases of sensitivity m.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from fdpedu.accounting import Charge
from fdpedu.cart.local_grid import MAX_LATTICE, layout_of, steps_of
from fdpedu.domain import Domain, Region
from fdpedu.exact import Rate, as_integer, as_positive_fraction
from fdpedu.federation.records import Records, Rows
from fdpedu.sampling import require_drawable
from fdpedu.secure_sum.binding import Canonical, canonical, read_canonical

Counts = NDArray[np.int64]
MECHANISM = "discrete Laplace in Pólya shares"
MAX_PART = 10**40  # of a cost, as a fraction
_charged = lru_cache(maxsize=2**12, typed=True)(Charge)  # the same for all parties in a process


@dataclass(frozen=True)
class Query:
    """What all types have in common: a region, a cost, and noise on every cell.

    The answer is ``n_releases`` arrays of integers at once, each of ℓ₁ sensitivity ``sensitivity``, so the noise has
    rate ε/(n_releases·sensitivity).
    """

    region: Region
    epsilon: Fraction
    type: ClassVar[str]
    claim: ClassVar[str] = "thm-histogram"

    def __post_init__(self) -> None:
        if type(self.region) is not Region:
            raise ValueError(f"region must be a Region, got {type(self.region).__name__}")
        object.__setattr__(self, "epsilon", as_positive_fraction(self.epsilon, "epsilon"))

    @property
    def n_releases(self) -> int:
        return 1

    @property
    def sensitivity(self) -> int:
        return 1

    @property
    def rate(self) -> Rate:
        return Rate(rate=self.epsilon / (self.n_releases * self.sensitivity))

    def shape(self, domain: Domain) -> tuple[int, ...]:
        raise TypeError("ask one of the closed set of queries")

    def tally(self, records: Records, rows: Rows, domain: Domain) -> Counts:
        """The exact local numbers of the given rows, flat: pure, and never sent anywhere by itself."""
        raise TypeError("ask one of the closed set of queries")

    def describe(self, domain: Domain) -> str:
        raise TypeError("ask one of the closed set of queries")

    def size(self, domain: Domain) -> int:
        return math.prod(self.shape(domain))

    def charge(self, domain: Domain, colluders: int, randomness: str) -> Charge:
        return _charged(
            self.region,
            self.epsilon,
            self.describe(domain),
            MECHANISM,
            self.sensitivity,
            self.claim,
            colluders,
            randomness,
            self.n_releases,
        )

    def to_json(self, domain: Domain) -> dict[str, Any]:
        """What a manifest says of the query."""
        return {
            "query": self.describe(domain),
            "region": self.region.to_json(domain.everything),
            "releases": self.n_releases,
            "sensitivity": self.sensitivity,
            "rate": str(self.rate.rate),
        }

    def check(self, domain: Domain) -> None:
        """Refuse a query that the domain does not know, or whose noise no party could draw."""
        if len(self.region.features) != domain.n_features or not domain.everything.contains(self.region):
            raise ValueError("the query's region does not belong to the federation's domain")
        if max(self.epsilon.numerator, self.epsilon.denominator) >= MAX_PART:
            raise ValueError("epsilon must be a fraction of numbers of at most 40 digits: ledgers add costs exactly")
        require_drawable(self.rate)


@dataclass(frozen=True)
class NodeHistograms(Query):
    """The class × bin counts of every feature, in a region (a node): integers of shape (Σ codes, classes).

    One record is counted once in each feature's histogram, so the answer is p releases of sensitivity 1, and each cell
    carries noise of rate ε/p. Never one release of sensitivity p: against insiders, and with a small δ, the two differ.

    Claims: thm-node-histograms
    """

    type: ClassVar[str] = "node-histograms"
    claim: ClassVar[str] = "thm-node-histograms"

    @property
    def n_releases(self) -> int:
        return len(self.region.features)

    def shape(self, domain: Domain) -> tuple[int, ...]:
        return (domain.n_codes, domain.n_classes)

    def tally(self, records: Records, rows: Rows, domain: Domain) -> Counts:
        return records.histograms(self.region, rows)

    def describe(self, domain: Domain) -> str:
        return "class × bin histograms of all features"


@dataclass(frozen=True)
class ClassHistogram(Query):
    """The class × bin counts of one feature, in a region: integers of shape (codes, classes).

    Claims: thm-histogram
    """

    feature: int
    type: ClassVar[str] = "class-histogram"

    def shape(self, domain: Domain) -> tuple[int, ...]:
        return (domain.features[self.feature].n_codes, domain.n_classes)

    def tally(self, records: Records, rows: Rows, domain: Domain) -> Counts:
        cells = records.columns[self.feature][rows].astype(np.int64) * domain.n_classes + records.labels[rows]
        return np.bincount(cells, minlength=self.size(domain))

    def describe(self, domain: Domain) -> str:
        return f"class × bin histogram of {domain.features[self.feature].name}"

    def check(self, domain: Domain) -> None:
        super().check(domain)
        if type(self.feature) is not int or not 0 <= self.feature < domain.n_features:
            raise ValueError(f"feature must be a position from 0 to {domain.n_features - 1}")


@dataclass(frozen=True)
class ClassCounts(Query):
    """The number of records of each class in a region, such as a leaf: integers of shape (classes,).

    No class is ever left out.

    Claims: thm-histogram
    """

    type: ClassVar[str] = "class-counts"

    def shape(self, domain: Domain) -> tuple[int, ...]:
        return (domain.n_classes,)

    def tally(self, records: Records, rows: Rows, domain: Domain) -> Counts:
        return np.bincount(records.labels[rows], minlength=domain.n_classes)

    def describe(self, domain: Domain) -> str:
        return "class counts of a leaf"


@dataclass(frozen=True)
class NodeBounds(Query):
    """A lower bound for the impurity of every split of each feature, in a region (a node): integers of shape (p,).

    Of each party and feature j it is ⌊m·F_j⌋, F_j the least n·G that a split of the public grid leaves of the party's
    rows in the region. What is released is the sum over the parties, plus noise; divided by m, the exact sum is at most
    the n·G of any split of all their rows. One record moves each ⌊m·F_j⌋ by at most m, and all of them at once. So the
    answer is p releases of sensitivity m, and each number carries noise of rate ε/(p·m).

    Claims: thm-node-bounds

    Parameters
    ----------
    region : the records that it looks at
    epsilon : of all bounds together
    lattice : m, the number of steps of 1, from 1 to 2**16; of more than two classes, a feature has at most 14
        categories

    Examples
    --------
    >>> from fdpedu.domain import Domain, Numeric
    >>> ages = Domain([Numeric.grid(name, 0, 100, bins=4) for name in ("age", "dose")], ("well", "ill"))
    >>> bounds = NodeBounds(ages.everything, "1/2", 4)
    >>> bounds.n_releases, bounds.sensitivity, bounds.rate.rate, bounds.describe(ages)
    (2, 4, Fraction(1, 16), 'impurity lower bounds of all features, in steps of 1/4')
    """

    lattice: int
    type: ClassVar[str] = "node-bounds"
    claim: ClassVar[str] = "thm-node-bounds"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "lattice", as_integer(self.lattice, "lattice", minimum=1, maximum=MAX_LATTICE))

    @property
    def n_releases(self) -> int:
        return len(self.region.features)

    @property
    def sensitivity(self) -> int:
        return self.lattice

    def shape(self, domain: Domain) -> tuple[int, ...]:
        return (domain.n_features,)

    def tally(self, records: Records, rows: Rows, domain: Domain) -> Counts:
        table = records.histograms(self.region, rows).reshape(domain.n_codes, domain.n_classes)
        return steps_of(table, layout_of(domain), self.lattice)

    def describe(self, domain: Domain) -> str:
        return f"impurity lower bounds of all features, in steps of 1/{self.lattice}"

    def check(self, domain: Domain) -> None:
        if type(self.lattice) is not int or not 1 <= self.lattice <= MAX_LATTICE:
            raise ValueError(f"lattice must be an integer from 1 to {MAX_LATTICE}")
        super().check(domain)
        layout_of(domain)  # refuses too many categories


CLOSED_SET: tuple[type[Query], ...] = (NodeHistograms, ClassHistogram, ClassCounts, NodeBounds)


def to_wire(query: Query, domain: Domain) -> tuple[Canonical, ...]:
    """A query as it stands in a request: its type, the restricted coordinates of its region, ε, the feature or lattice.

    The one form of this query: two different ones never have the same.
    """
    region, whole = query.region, domain.everything
    pairs = zip((*region.features, region.classes), (*whole.features, whole.classes), strict=True)
    masks = tuple((j, mask) for j, (mask, everything) in enumerate(pairs) if mask != everything)
    own = tuple(vars(query)[name] for name in ("feature", "lattice") if name in vars(query))
    return (query.type, masks, query.epsilon, *own)


def from_wire(fields: Any, domain: Domain) -> Query:
    """The query that was written so; anything else is refused.

    Raises
    ------
    ValueError
        If it is none, is not of this domain, or is written in another way.
    """
    try:
        name, masks, epsilon, *own = fields
        kind = {query.type: query for query in CLOSED_SET}[name]
        whole = [*domain.everything.features, domain.everything.classes]
        for j, mask in masks:
            whole[j] = mask
        query = kind(Region(tuple(whole[:-1]), whole[-1]), epsilon, *own)
        if to_wire(query, domain) == fields:
            query.check(domain)
            return query
    except (IndexError, KeyError, TypeError):
        pass
    raise ValueError(
        "no query of the closed set is written so: a party answers histograms, class counts and lower bounds only"
    )


@lru_cache(maxsize=4)  # parties in one process are asked the same
def read_queries(form: bytes, domain: Domain) -> tuple[Query, ...]:
    """The queries of a request, one or more, from their canonical form."""
    fields = read_canonical(form)
    if type(fields) is not tuple or not fields:
        raise ValueError("a request has at least one query")
    queries = tuple(from_wire(query, domain) for query in fields)
    if canonical(tuple(to_wire(query, domain) for query in queries)) != form:  # 1 for Fraction(1)
        raise ValueError("these queries are written in another way than the one that there is")
    return queries
