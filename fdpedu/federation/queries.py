"""The closed set of queries. Each computes its cells, its sensitivity and its charge; callers declare none of these.

A query is asked of a region of the record domain at a cost of ε. Its answer is an array of integer counts. Adding or
removing one record changes one cell of it by 1, or nothing, so the ℓ₁ sensitivity is 1.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from fdpedu.accounting import Charge
from fdpedu.domain import Codes, Domain, Region
from fdpedu.exact import Rate, as_positive_fraction

Counts = NDArray[np.int64]
MECHANISM = "discrete Laplace in Pólya shares"


@dataclass(frozen=True)
class Query:
    """What the two types have in common: a region, a cost, and noise of rate ε/sensitivity on every cell."""

    region: Region
    epsilon: Fraction
    type: ClassVar[str]
    claim: ClassVar[str] = "thm-histogram"
    sensitivity: ClassVar[int] = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", as_positive_fraction(self.epsilon, "epsilon"))

    @property
    def rate(self) -> Rate:
        return Rate(rate=self.epsilon / self.sensitivity)

    def shape(self, domain: Domain) -> tuple[int, ...]:
        raise TypeError("ask one of the closed set of queries")

    def cells(self, codes: Codes, labels: Codes, domain: Domain) -> NDArray[np.int64]:
        """For each record of the region, the flat index of the one cell that it is counted in."""
        raise TypeError("ask one of the closed set of queries")

    def describe(self, domain: Domain) -> str:
        raise TypeError("ask one of the closed set of queries")

    def size(self, domain: Domain) -> int:
        return int(np.prod(self.shape(domain)))

    def count(self, codes: Codes, labels: Codes, domain: Domain) -> Counts:
        """The exact local counts: pure, and never sent anywhere by itself."""
        inside = self.region.holds(codes, labels, domain.everything)
        return np.bincount(self.cells(codes[inside], labels[inside], domain), minlength=self.size(domain))

    def charge(self, domain: Domain, colluders: int, randomness: str) -> Charge:
        return Charge(
            self.region,
            self.epsilon,
            self.describe(domain),
            MECHANISM,
            self.sensitivity,
            self.claim,
            colluders,
            randomness,
        )

    def to_json(self, domain: Domain) -> dict[str, Any]:
        """What a manifest says of the query."""
        where, rate = self.region.to_json(domain.everything), str(self.epsilon / self.sensitivity)
        return {"query": self.describe(domain), "region": where, "sensitivity": self.sensitivity, "rate": rate}

    def check(self, domain: Domain) -> None:
        """Refuse a query that the domain does not know."""
        if len(self.region.features) != domain.n_features or not domain.everything.contains(self.region):
            raise ValueError("the query's region does not belong to the federation's domain")


@dataclass(frozen=True)
class ClassHistogram(Query):
    """The class × bin counts of one feature, in a region: integers of shape (codes, classes).

    Claims: thm-histogram
    """

    feature: int
    type: ClassVar[str] = "class-histogram"

    def shape(self, domain: Domain) -> tuple[int, ...]:
        return (domain.features[self.feature].n_codes, domain.n_classes)

    def cells(self, codes: Codes, labels: Codes, domain: Domain) -> NDArray[np.int64]:
        return codes[:, self.feature].astype(np.int64) * domain.n_classes + labels

    def describe(self, domain: Domain) -> str:
        return f"class × bin histogram of {domain.features[self.feature].name}"

    def check(self, domain: Domain) -> None:
        super().check(domain)
        if type(self.feature) is not int or not 0 <= self.feature < domain.n_features:
            raise ValueError(f"feature must be a position from 0 to {domain.n_features - 1}")


@dataclass(frozen=True)
class ClassCounts(Query):
    """The number of records of each class in a region (a leaf): integers of shape (classes,). No class is ever
    left out.

    Claims: thm-histogram
    """

    type: ClassVar[str] = "class-counts"

    def shape(self, domain: Domain) -> tuple[int, ...]:
        return (domain.n_classes,)

    def cells(self, codes: Codes, labels: Codes, domain: Domain) -> NDArray[np.int64]:
        return labels.astype(np.int64)

    def describe(self, domain: Domain) -> str:
        return "class counts of a leaf"


CLOSED_SET: tuple[type[Query], ...] = (ClassHistogram, ClassCounts)


def write_request(round_number: int, queries: Sequence[Query], domain: Domain) -> bytes:
    """The message by which the aggregator asks all parties the queries of one round."""
    asked: list[dict[str, Any]] = []
    for query in queries:
        entry = {"type": query.type, "region": query.region.to_json(domain.everything), "epsilon": str(query.epsilon)}
        asked.append({**entry, "feature": query.feature} if isinstance(query, ClassHistogram) else entry)
    return json.dumps({"round": round_number, "queries": asked}, separators=(",", ":")).encode()


def read_request(request: bytes, domain: Domain) -> tuple[int, list[Query]]:
    """What a party reads from the message; an unknown type of query is refused."""
    content = json.loads(request)
    queries: list[Query] = []
    for entry in content["queries"]:
        region = domain.everything
        for name, codes in entry["region"].items():
            region = region.restrict_class(codes) if name == "class" else region.restrict(int(name), codes)
        epsilon = Fraction(entry["epsilon"])
        if entry["type"] == ClassHistogram.type:
            queries.append(ClassHistogram(region, epsilon, entry["feature"]))
        elif entry["type"] == ClassCounts.type:
            queries.append(ClassCounts(region, epsilon))
        else:
            raise ValueError("unknown type of query; a party answers class histograms and class counts only")
    return int(content["round"]), queries
