"""Algorithm 4 as the report prints it, on the noisy histograms of a whole node: which split it takes, and from what.

The printed impurity of a split is not bounded below once counts are negative. The search for the smallest one then
finds the borders where the noise is worst. :func:`negative_choices` counts how often.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fdpedu.exact import Rate, Rational, as_integer, as_integers, as_list, as_positive_fraction
from fdpedu.histograms.impurity import MAX_COUNT, impurity_as_printed
from fdpedu.mechanisms import discrete_laplace_noise
from fdpedu.randomness import Rng, Source, as_source

MAX_RUNS = 10**6


@dataclass(frozen=True)
class PrintedChoice:
    """The split of the smallest impurity as printed, and the counts of class 0 and 1 on its two sides.

    Parameters
    ----------
    feature, border : bins 0, …, ``border`` of this feature go left
    impurity : as printed; may be negative, and −∞
    left, right : cumulative noisy counts
    """

    feature: int
    border: int
    impurity: float
    left: tuple[int, int]
    right: tuple[int, int]

    @property
    def rests_on_a_negative_count(self) -> bool:
        """Is one of the four cumulative counts that the impurity was computed from below 0?"""
        return min(*self.left, *self.right) < 0


def choice_as_printed(histograms: Sequence[ArrayLike]) -> PrintedChoice:
    """The argmin of Algorithm 4 as printed over all features and inner borders of a node; the first one of equals.

    An impurity that is 0/0 is passed over.

    Claims: alg-noisy-impurity-as-printed

    Parameters
    ----------
    histograms : for each feature its noisy counts, integers of any sign, shape (bins, 2), at least 2 bins

    Raises
    ------
    ValueError
        If no border of any feature has an impurity as printed.

    Examples
    --------
    >>> choice = choice_as_printed([[[5, 1], [1, 6]], [[4, -1], [2, 8]]])
    >>> choice.feature, round(choice.impurity, 3), choice.left, choice.rests_on_a_negative_count
    (1, 0.021, (4, -1), True)
    """
    choice = _chosen(_two_class_tables(histograms))
    if choice is None:
        raise ValueError("no border has an impurity as printed: every one of them divides 0 by 0")
    return choice


def _chosen(tables: Sequence[NDArray[np.int64]]) -> PrintedChoice | None:
    """The argmin; None where every border divides 0 by 0."""
    scores = [np.where(np.isnan(g := impurity_as_printed(table)), np.inf, g) for table in tables]
    feature = min(range(len(tables)), key=lambda j: scores[j].min())
    border = int(scores[feature].argmin())
    if scores[feature][border] == np.inf:
        return None
    left = tables[feature][: border + 1].sum(axis=0)
    right = tables[feature][border + 1 :].sum(axis=0)
    sides = (int(left[0]), int(left[1])), (int(right[0]), int(right[1]))
    return PrintedChoice(feature, border, float(scores[feature][border]), *sides)


def negative_choices(histograms: Sequence[ArrayLike], epsilon: Rational, runs: int = 200, rng: Rng = None) -> int:
    """The number of releases in which the printed argmin rests on a negative cumulative count.

    Each run adds noise of rate ε/p to every cell of the p histograms, as a node's release does, and chooses.

    Parameters
    ----------
    histograms : for each of the p features its exact counts, integers of shape (bins, 2), at least 2 bins
    epsilon : of the node, divided by the p histograms; greater than 0
    runs : from 1 to 10**6
    rng : None for the operating system's entropy; a generator is for teaching, and warns

    Examples
    --------
    >>> from fdpedu.randomness import Rehearsal
    >>> counts = [[[9, 2], [4, 5], [0, 8]]] * 10
    >>> negative_choices(counts, 1, runs=50, rng=Rehearsal(1))
    50
    """
    tables, times = _two_class_tables(histograms), as_integer(runs, "runs", minimum=1, maximum=MAX_RUNS)
    rate, source = Rate(rate=as_positive_fraction(epsilon, "epsilon") / len(tables)), as_source(rng)
    chosen = (_chosen(_noisy(tables, rate, source)) for _ in range(times))
    return sum(choice is not None and choice.rests_on_a_negative_count for choice in chosen)


def _noisy(tables: Sequence[NDArray[np.int64]], rate: Rate, source: Source) -> list[NDArray[np.int64]]:
    return [table + discrete_laplace_noise(rate, table.size, source).reshape(table.shape) for table in tables]


def _two_class_tables(histograms: Sequence[ArrayLike]) -> list[NDArray[np.int64]]:
    """The histograms of at least one feature, each of at least two bins and of two classes."""
    tables = [as_integers(table, "histograms") for table in as_list(histograms, "histograms")]
    if not tables or any(table.ndim != 2 or table.shape[0] < 2 or table.shape[1] != 2 for table in tables):
        raise ValueError("histograms must be a list of tables of shape (bins, 2), with at least 2 bins each")
    if any(len(table) * int(np.abs(table).max()) > MAX_COUNT for table in tables):
        raise ValueError("histograms must have counts that add up to at most 2**53, where floats are whole numbers")
    return tables
