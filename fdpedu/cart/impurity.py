"""Impurity of a node from its class counts: the field's Gini, the report's half of it, and n times that."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fdpedu.exact import as_floats


def gini(counts: ArrayLike) -> NDArray[np.float64]:
    """1 − Σ p̂², the probability that two random rows of the node differ in class; 0 when the node is empty.

    Parameters
    ----------
    counts : non-negative, at most 2**62, shape (…, C): rows of each class

    Examples
    --------
    >>> gini([[3, 1], [4, 0], [0, 0]]).tolist()
    [0.375, 0.0, 0.0]
    """
    return 2 * half_gini(counts)


def half_gini(counts: ArrayLike) -> NDArray[np.float64]:
    """(1 − Σ p̂²)/2, which is p̂(1−p̂) for two classes: the report's h. Shape (…, C) → (…).

    >>> float(half_gini([3, 1]))
    0.1875
    """
    table = _read(counts)
    n = table.sum(axis=-1)
    return scaled_half_gini(table) / np.where(n > 0, n, 1)


def entropy(counts: ArrayLike) -> NDArray[np.float64]:
    """−Σ p̂·log₂ p̂ in bits, what C4.5 calls the information of a node; 0 when the node is empty. Shape (…, C) → (…).

    Nothing bounds what a record adds to n times the entropy, so it is no score for a private choice.

    >>> entropy([[2, 2], [4, 0], [0, 0], [3, 1]]).round(3).tolist()
    [1.0, 0.0, 0.0, 0.811]
    """
    table = np.maximum(_read(counts), 0)
    n = table.sum(axis=-1, keepdims=True)
    share = table / np.where(n > 0, n, 1)
    # 0·log 0 is 0
    return np.abs((share * np.log2(np.where(share > 0, share, 1))).sum(axis=-1))


def scaled_half_gini(counts: ArrayLike) -> NDArray[np.float64]:
    """n·half_gini = (n² − Σ c²)/(2n), which is ab/(a+b) for a and b rows of two classes; 0 when empty.

    It is also the least squared error of a constant prediction of the class: min over a of Σ (y − a)² for y in {0, 1}.

    Claims: def-scaled-impurity, lem-least-squares, lem-increment

    >>> float(scaled_half_gini([3, 1]))
    0.75
    """
    table = _read(counts)
    n = table.sum(axis=-1)
    return (n * n - (table * table).sum(axis=-1)) / (2 * np.where(n > 0, n, 1))


def _read(counts: ArrayLike) -> NDArray[np.float64]:
    table = as_floats(counts, "counts")
    if (np.abs(table) > 2.0**62).any():
        raise ValueError("counts must lie within ±2**62, so that their squares are floats")
    return table


def exact_scaled_half_gini(counts: Sequence[int]) -> Fraction:
    """:func:`scaled_half_gini` of one node as a fraction.

    >>> exact_scaled_half_gini([2, 1])
    Fraction(2, 3)
    """
    try:
        whole = [operator.index(count) for count in counts if type(count) is not bool]
        if len(whole) != len(counts):
            raise TypeError
    except TypeError:
        raise ValueError("counts must be a list of integers") from None
    n = sum(whole)
    return Fraction(n * n - sum(c**2 for c in whole), 2 * n) if n else Fraction(0)
