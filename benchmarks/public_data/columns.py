"""How a column is written down: its public range or categories, and where they come from."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from fdpedu.domain import Categorical, Feature, Numeric

DOCUMENTED = "the set's documentation"
ROUND = "round numbers around the extremes that are published with the set"


@dataclass(frozen=True)
class Column:
    """A column's name, and its public feature at a number of bins (a short list of values ignores that)."""

    name: str
    feature: Callable[[int, bool], Feature]
    numeric: bool = True


def number(name: str, low: float, high: float, unit: str = "", why: str = DOCUMENTED) -> Column:
    """A number whose bins are of equal width between two public ends."""
    return Column(name, lambda bins, even: Numeric.grid(name, low, high, bins, unit=unit, reason=why))


def amount(name: str, high: float, first: float, unit: str = "", why: str = DOCUMENTED, low: float = 0) -> Column:
    """A skewed number: the first bin ends at ``first``, and each bin after it is wider by the same factor.

    With ``even``, the bins are of equal width.
    """

    def feature(bins: int, even: bool) -> Numeric:
        if even:
            return Numeric.grid(name, low, high, bins, unit=unit, reason=why)
        inner = (float(f"{edge:.3g}") for edge in np.geomspace(first, high, bins))
        return Numeric(name, (low, *inner), unit, why)

    return Column(name, feature)


def steps(name: str, first: int, last: int, unit: str = "", why: str = DOCUMENTED) -> Column:
    """A whole number with few values: each has a bin of its own, whatever the number of bins."""
    edges = tuple(step - 0.5 for step in range(first, last + 2))
    return Column(name, lambda bins, even: Numeric(name, edges, unit, why))


def kinds(name: str, categories: str, why: str = DOCUMENTED) -> Column:
    """A category; the public list is written with blanks between, or with bars where a category has blanks."""
    listed = tuple(categories.split("|") if "|" in categories else categories.split())
    return Column(name, lambda bins, even: Categorical(name, listed, reason=why), numeric=False)
