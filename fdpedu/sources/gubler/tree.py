"""Algorithm 5 as the report prints it: a design of trees that takes the smallest printed impurity of raw noisy counts.

Counts are neither clipped nor corrected, so an impurity may be negative or infinite. The printed formula is for two
classes; for more, p̂(1−p̂) becomes ½·Σ_c p̂_c(1−p̂_c), which for two classes is the same. Categories are compared as the
report's dummies are: one against all others, which go left. An impurity that is 0/0 is passed over. Missing values,
which the report does not have, may go to either side of each border.
(Of one node and two classes it is :func:`~fdpedu.sources.gubler.choice_as_printed`.)

A tree of this design costs ε at most, as one of any other does: it reads nothing but released counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from fdpedu.cart import CodeSplit, GridSearch
from fdpedu.cart.grid import cumulated
from fdpedu.cart.split import Counts
from fdpedu.domain import Domain
from fdpedu.exact import as_indices
from fdpedu.trees import Design, stopping
from fdpedu.trees.stopping import Level

Floats = NDArray[np.float64]


def stops_as_printed(level: Level, min_samples_split: int) -> NDArray[np.bool_]:
    """Algorithm 5, line 6, on raw noisy counts.

    Stop if every feature counts fewer rows than asked for, or if of all classes but one no feature's total is positive.

    Claims: stopping-as-printed
    """
    totals = np.add.reduceat(level.tables, as_indices(level.first), axis=1)
    few = (totals.sum(axis=2) < min_samples_split).all(axis=1)
    return np.asarray(few | (np.count_nonzero((totals > 0).any(axis=1), axis=1) <= 1))


@dataclass(frozen=True, repr=False)
class AsPrinted(Design):
    """Algorithm 5 to the letter: raw noisy counts, the printed impurity, the printed test, and leaves of their own.

    It is given as ``design=AsPrinted()`` to :func:`fdpedu.trees.fit_federated_tree`, or as a method to
    :func:`fdpedu.simulation.simulate`. Its trees are not read from files, which are for what is for use.

    Examples
    --------
    >>> AsPrinted(), AsPrinted(relative=False)
    (AsPrinted(), AsPrinted(relative=False))
    """

    stop: stopping.Rule = stops_as_printed
    relative: bool = True
    unspent_to_leaf: bool = False
    consistent: bool = False
    clip: bool = False
    own_comparison: ClassVar[bool] = True

    def best_splits(
        self, tables: Counts, inside: NDArray[np.bool_], search: GridSearch, deviation: float
    ) -> list[CodeSplit | None]:
        """For each node the split of the smallest printed impurity; None where there is none."""
        return splits_as_printed(tables, inside, search.domain, relative=self.relative)


def splits_as_printed(
    tables: Counts, inside: NDArray[np.bool_], domain: Domain, *, relative: bool = True
) -> list[CodeSplit | None]:
    """For each node the split of the smallest printed impurity, the first of equals; None where there is none.

    Parameters
    ----------
    tables : raw noisy counts, 0 outside of the node, shape (nodes, Σ codes, classes)
    inside : which codes lie in the node and were asked for, shape (nodes, Σ codes)
    domain : whose features they are
    relative : the printed G; else n·G

    Examples
    --------
    >>> from fdpedu.domain import Domain
    >>> domain = Domain.from_spec({"features": {"x": [0, 2, 2], "y": [0, 2, 2]}, "classes": ["a", "b"]})
    >>> raw = np.array([[[5, 1], [1, 6], [4, -1], [2, 8]]])
    >>> splits_as_printed(raw, np.ones((1, 4), dtype=bool), domain)
    [CodeSplit(feature=1, left=frozenset({0}))]
    """
    candidates, first, scores = list(_candidates(domain)), 0, list[Floats]()
    for feature in domain.features:
        for order in feature.orders or [range(feature.n_codes)]:
            own = first + np.array(order, dtype=np.int64)
            cells = tables[:, own].T.astype(np.float64)
            scores.append(scores_as_printed(cells, inside[:, own].T, ordered=feature.ordered, relative=relative))
        first += feature.n_codes
    of_all = np.concatenate(scores)
    best = of_all.argmin(axis=0)
    return [candidates[at] if of_all[at, i] < np.inf else None for i, at in enumerate(best.tolist())]


def _candidates(domain: Domain) -> Iterator[CodeSplit]:
    """For each code of each feature the split at its upper border, or of the other categories from it."""
    for j, feature in enumerate(domain.features):
        for order in feature.orders:
            yield from (CodeSplit(j, frozenset(order[: at + 1])) for at in range(len(order)))
        if not feature.orders:
            codes = frozenset(range(feature.n_codes))  # a dummy that is 0, hence at most the threshold
            yield from (CodeSplit(j, codes - {code}) for code in range(feature.n_codes))


def scores_as_printed(cells: Floats, inside: NDArray[np.bool_], *, ordered: bool, relative: bool = True) -> Floats:
    """The printed impurity of the split at each code's upper border, or of each category from the others.

    It is ∞ where it is 0/0, or where a side has no code of the node; so at the last border.

    Parameters
    ----------
    cells : raw noisy counts, 0 outside of the node, shape (classes, codes, …)
    inside : which codes lie in the node and were asked for, shape (codes, …)
    ordered : whether the codes have borders, or are categories
    relative : the printed G; else n·G

    Examples
    --------
    >>> scores_as_printed(np.array([[5.0, 1], [1, 5]]), np.ones(2, dtype=bool), ordered=True).round(3).tolist()
    [0.139, inf]
    """
    total, codes = cells.sum(axis=1), inside.sum(axis=0)
    left, on_left = (cumulated(cells), cumulated(inside[None].astype(np.int64))[0]) if ordered else (cells, inside)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        score = _impurity(left) + _impurity(total[:, None] - left)
        if relative:
            score /= total.sum(axis=0)
    score[np.isnan(score) | (on_left == 0) | (on_left == codes)] = np.inf
    return score


def _impurity(counts: Floats) -> Floats:
    """n·p̂(1−p̂), or n·½·Σ_c p̂_c(1−p̂_c), of counts of any sign, shape (C, …) → (…)."""
    n = counts.sum(axis=0)
    if len(counts) == 2:  # the printed form, to the last digit
        share = counts[1] / n
        return np.asarray(n * share * (1 - share))
    shares = counts / n
    return np.asarray(n * (shares * (1 - shares)).sum(axis=0) / 2)
