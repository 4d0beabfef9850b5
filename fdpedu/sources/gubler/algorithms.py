"""Algorithms 1 to 4 as the report prints them, each to the letter: one sum, one split, one bin, one node's best split.

The printed impurity of a split is not bounded below once counts are negative. The search for the smallest one then
finds the borders where the noise is worst. :func:`negative_choices` counts how often.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fdpedu.cart.federated import CountsByParty
from fdpedu.domain import Numeric
from fdpedu.exact import Rate, Rational, as_float, as_integer, as_integers, as_list, as_positive_fraction
from fdpedu.histograms.cells import edges_of
from fdpedu.histograms.impurity import MAX_COUNT, as_table
from fdpedu.mechanisms import discrete_laplace_noise
from fdpedu.randomness import Rng, Source, as_source

MAX_RUNS = 10**6


def algorithm_1_as_printed(
    values: Sequence[int], keys: Sequence[Sequence[int]], modulus: int
) -> tuple[tuple[int, ...], int]:
    """Report, Algorithm 1, to the letter: the encodings, and their sum mod R.

    It is what :func:`~fdpedu.secure_sum.private_sum` mends. The sum is not lifted, so a negative one comes out as R
    less; and the keys are inputs, which nothing keeps from being used again. (Its line 3 counts every value K−1 times;
    read is what is meant.)

    Claims: alg-private-sum-as-printed

    Parameters
    ----------
    values : x_k, one a party
    keys : S_kj by k and j; S_kj + S_jk must be 0 mod R. The diagonal is not read
    modulus : R ≥ 2

    Examples
    --------
    >>> algorithm_1_as_printed([1, -4, 1], [[0, 10, 60], [54, 0, 7], [4, 57, 0]], 64)
    ((7, 57, 62), 62)
    """
    x, s = as_integers(values, "values").tolist(), as_integers(keys, "keys").tolist()
    modulus = as_integer(modulus, "modulus", minimum=2, maximum=2**62)
    n = len(x) if np.ndim(values) == 1 else 0
    pairs = [(k, j) for k in range(n) for j in range(k)]
    if np.shape(keys) != (n, n) or not n or any((s[k][j] + s[j][k]) % modulus for k, j in pairs):
        raise ValueError(
            f"values must be a list, and keys as many rows with S_kj + S_jk = 0 mod {modulus}, got {n} values"
        )
    encodings = tuple((x[k] + sum(s[k][j] for j in range(n) if j != k)) % modulus for k in range(n))
    return encodings, sum(encodings) % modulus


def federated_impurity_as_printed(left: CountsByParty, right: CountsByParty) -> Fraction:
    """Algorithm 2 as the report prints it: every party divides by its own n_k, which may be 0.

    Claims: alg-federated-split-as-printed

    Examples
    --------
    >>> federated_impurity_as_printed(left=[(2, 1), (0, 0)], right=[(0, 1), (0, 4)])
    Traceback (most recent call last):
    ZeroDivisionError: Fraction(0, 0)
    """
    impurity = Fraction(0)
    n = sum(a + b for a, b in [*left, *right])
    for parties in (left, right):
        sizes = [a + b for a, b in parties]
        shares = [Fraction(b, a + b) for a, b in parties]  # Alg. 2, line 3
        total = sum((n_k * p_k for n_k, p_k in zip(sizes, shares, strict=True)), Fraction(0))
        p_hat = total / sum(sizes)  # Alg. 2, line 4
        impurity += Fraction(sum(sizes), n) * p_hat * (1 - p_hat)  # Alg. 2, line 5
    return impurity


def bin_as_printed(value: Rational, edges: Sequence[Rational]) -> int | None:
    """The bin i with edges[i] ≤ value < edges[i+1], as the report prints it; None if there is none.

    The largest value of the public range has no bin. A value on an inner border is counted to the right of it, although
    the split there sends value ≤ border to the left.

    Claims: alg-bins-as-printed

    Parameters
    ----------
    value : a finite number
    edges : t[0] < t[1] < … < t[r], public; at least 3

    Examples
    --------
    >>> [bin_as_printed(age, [0, 25, 50, 100]) for age in (-3, 0, 25, 25.5, 100, 130)]
    [None, 0, 1, 1, None, None]
    """
    x, t = as_float(value, "value"), Numeric("value", edges_of(edges)).edges
    return next((i for i in range(len(t) - 1) if t[i] <= x < t[i + 1]), None)


def impurity_as_printed(counts: ArrayLike) -> NDArray[np.float64]:
    """Algorithm 4 as the report prints it, on raw noisy counts of two classes.

    The result is negative, infinite or NaN where such counts make it so.

    Claims: alg-noisy-impurity-as-printed

    >>> float(impurity_as_printed([[4, -1], [1, 1], [0, 5]])[0]) < 0  # "better" than a perfect split
    True
    """
    cells = as_table(counts)
    if cells.shape[1] != 2:
        raise ValueError(f"counts must have two classes, got {cells.shape[1]}")
    left = np.cumsum(cells, axis=0)[:-1]
    right = cells.sum(axis=0) - left
    n_left, n_right = left.sum(axis=1), right.sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        p_left, p_right = left[:, 1] / n_left, right[:, 1] / n_right
        return (n_left * p_left * (1 - p_left) + n_right * p_right * (1 - p_right)) / (n_left + n_right)


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
