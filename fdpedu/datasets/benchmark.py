"""The thirteen data sets on which the accuracy of private trees is compared.

A data set here is a law, not a table: every repetition draws its rows anew. What is public is fixed beforehand: the
domain, with ten bins of equal width for each number, and the nominal size N, the number of training rows that the
owners have agreed to speak of (the true number is private).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fdpedu.datasets.census import adult_domain, adult_like
from fdpedu.datasets.division import divide
from fdpedu.datasets.patients import wisconsin, wisconsin_domain, wisconsin_features
from fdpedu.datasets.synthetic import (
    informative,
    informative_domain,
    mixture,
    mixture_domain,
    strong_feature,
    strong_feature_domain,
)
from fdpedu.domain import Domain, require_classes

Generate = Callable[[int, np.random.Generator], tuple[NDArray[Any], NDArray[Any]]]

BREAST_CANCER_TRAIN, BREAST_CANCER_TEST = 398, 171


class Split(NamedTuple):
    """Rows to learn from and rows to be tested on."""

    X_train: NDArray[Any]
    y_train: NDArray[Any]
    X_test: NDArray[Any]
    y_test: NDArray[Any]


@dataclass(frozen=True)
class DataSet:
    """A law of rows with what is public about it.

    Parameters
    ----------
    name : for tables
    size : the nominal number N of training rows, public
    domain : the public domain, built without data
    draw : from a generator to fresh rows; the same state of the generator gives the same rows

    Examples
    --------
    >>> strong = next(data for data in BENCHMARK if data.name == "one strong feature")
    >>> split = strong.draw(np.random.default_rng(0))
    >>> strong.size, strong.domain.n_features, split.X_train.shape, split.X_test.shape
    (1000, 25, (1000, 25), (4000, 25))
    """

    name: str
    size: int
    domain: Domain = field(repr=False)
    draw: Callable[[np.random.Generator], Split] = field(repr=False)

    def __post_init__(self) -> None:
        if isinstance(self.domain, Domain):
            require_classes(self.domain, "a data set of the benchmark")


def _draw_mixture(n: int, p: int, rho: float, rng: np.random.Generator) -> Split:
    """Both parts have half of their rows in each class, so they are drawn one after the other."""
    return Split(*mixture(n, p, rho, rng), *mixture(min(max(n, 1000), 4000), p, rho, rng))


def _draw_in_one_call(generate: Generate, train: int, test: int, rng: np.random.Generator) -> Split:
    X, y = generate(train + test, rng)
    return Split(X[:train], y[:train], X[train:], y[train:])


def _draw_breast_cancer(rng: np.random.Generator) -> Split:
    X, y, _ = wisconsin(wisconsin_features())
    (train,), test = divide(len(y), 1, BREAST_CANCER_TEST, rng)
    return Split(X[train], y[train], X[test], y[test])


def _benchmark() -> tuple[DataSet, ...]:
    settings = [(250, 10, 0.9), (250, 25, 0.3), (250, 50, 0.3), (1000, 10, 0.3), (1000, 50, 0.9)]
    settings += [(5000, 25, 0.3), (5000, 50, 0.9), (20000, 10, 0.3), (20000, 25, 0.9)]
    domains = {p: mixture_domain(p) for p in (10, 25, 50)}
    mixtures = [
        DataSet(f"mixture n={n} p={p} ρ={rho}", n, domains[p], partial(_draw_mixture, n, p, rho))
        for n, p, rho in settings
    ]
    return (
        *mixtures,
        DataSet("breast cancer", BREAST_CANCER_TRAIN, wisconsin_domain(wisconsin_features()), _draw_breast_cancer),
        DataSet("clusters", 5000, informative_domain(), partial(_draw_in_one_call, informative, 5000, 4000)),
        DataSet(
            "one strong feature", 1000, strong_feature_domain(), partial(_draw_in_one_call, strong_feature, 1000, 4000)
        ),
        DataSet("census imitation", 20000, adult_domain(), partial(_draw_in_one_call, adult_like, 20000, 5000)),
    )


#: Nine settings of the report's mixture, real patients, clusters, one strong feature, and an imitation of a census.
BENCHMARK = _benchmark()
