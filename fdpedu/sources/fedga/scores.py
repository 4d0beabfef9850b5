"""How many rows has a party that sends nothing but scores?

An accuracy is k/n with whole k, and a macro F1 is a fraction of four counts. A few dozen scores of one party, rounded
as tables round them, leave few numbers of rows at which all of them can arise; the least one is the guess. So a score
is no coarse statistic: it is counts that are written as a decimal.

Not guaranteed: that the guess is right. Every multiple of the true number of rows fits too, and with few scores or few
decimals a smaller number may. The F1 are those of two classes that both occur. Of trees that were fitted to the rows
they are scored on, as in FedGA's fitness for classes, it is used that none is worse than a single leaf.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fdpedu.exact import as_fraction, as_integer, as_list, quoted, require_type, shown

SCORES = ("accuracy", "f1")
MAX_DECIMALS = 12  # 10^12 · 10,000 is an int64
MOST_ROWS = {"accuracy": 10_000, "f1": 160}
_ROUNDING = 1e-12  # of floats near 1, with room
Pair = tuple[int, int]


@dataclass(frozen=True)
class Sizes:
    """The numbers of rows at which all of a party's scores can arise.

    Attributes
    ----------
    sizes : increasing; empty if the scores fit none up to the limit
    pairs : of F1 only: (rows, rows of the smaller class), in the order of the rows; macro F1 does not say which class
        the smaller one is
    """

    sizes: tuple[int, ...]
    pairs: tuple[Pair, ...] = ()

    @property
    def best(self) -> int | None:
        """The least size, which is the guess; None if there is none."""
        return self.sizes[0] if self.sizes else None


def sizes_from_scores(
    scores: Iterable[Any],
    score: str,
    decimals: int | None = None,
    *,
    truncated: bool = False,
    fitted: bool = True,
    at_most: int | None = None,
) -> Sizes:
    """The numbers of rows n at which all the scores can arise.

    An accuracy s of n rows is k/n, rounded: it can arise if some whole k has \\|k/n − s\\| ≤ u/2, with u the last
    decimal's unit. Ties count for both neighbours, so it does not matter which way they were rounded.

    Claims: lem-scores-are-counts

    Parameters
    ----------
    scores : of the same rows, at least one, each from 0 to 1
    score : ``"accuracy"``, or ``"f1"``: the unweighted mean of the F1 of two classes that both occur
    decimals : how many were kept, 1 to 12; None if the scores are as a program computed them
    truncated : whether further decimals were cut off and not rounded; then 0 ≤ k/n − s < u
    fitted : of F1 only: whether each leaf says what most of these rows in it are; otherwise any answers count
    at_most : the largest number of rows that is tried; by default 10,000 for accuracies and 160 for F1, which need a
        pass over all confusion matrices of each size

    Raises
    ------
    ValueError
        If a score is no number from 0 to 1, has further decimals than it says, or is a mean squared error: any number
        of rows can have it. What it tells is that of one leaf, the variance of the target.

    Examples
    --------
    >>> sizes_from_scores([0.667, 0.6, 0.867], "accuracy", 3).best
    15
    >>> sizes_from_scores([2 / 3, 3 / 5], "accuracy", at_most=60).sizes
    (15, 30, 45, 60)
    """
    limit = _limit(score, at_most)
    digits = MAX_DECIMALS if decimals is None else as_integer(decimals, "decimals", minimum=1, maximum=MAX_DECIMALS)
    require_type(truncated, bool, "truncated")
    require_type(fitted, bool, "fitted")
    units = _in_units(scores, digits, exact=decimals is not None)
    if score == "accuracy":
        return Sizes(tuple(_sizes_of_accuracies(units, digits, truncated, limit)))
    unit = 10.0**-digits
    reach = (0.0, unit) if truncated else (-unit / 2, unit / 2)
    kept = units.astype(np.float64) / 10**digits
    pairs = tuple(pair for n in range(2, limit + 1) for pair in _pairs_of_f1(kept, reach, fitted, n))
    return Sizes(tuple(dict.fromkeys(n for n, _ in pairs)), pairs)


def _limit(score: object, at_most: object) -> int:
    if score == "mse":
        raise ValueError("score must be 'accuracy' or 'f1', got 'mse': a mean of squares fits any number of rows")
    if not isinstance(score, str) or score not in SCORES:
        raise ValueError(f"score must be 'accuracy' or 'f1', got {quoted(score)}")
    most = MOST_ROWS[score]
    return most if at_most is None else as_integer(at_most, "at_most", minimum=2, maximum=most)


def _in_units(scores: Iterable[Any], digits: int, *, exact: bool) -> NDArray[np.int64]:
    """The scores as whole numbers of units of the last decimal, each once."""
    values = [as_fraction(value, "scores") for value in as_list(scores, "scores")]
    if not values:
        raise ValueError("scores must have at least one score, got none")
    for value in values:
        if not 0 <= value <= 1:
            raise ValueError(f"scores must be from 0 to 1, got {shown(value)}")
        if exact and (value * 10**digits).denominator > 1:
            raise ValueError(f"scores must have at most {digits} decimals, got {shown(value)}")
    return np.unique(np.array([round(value * 10**digits) for value in values], np.int64))


def _sizes_of_accuracies(units: NDArray[np.int64], digits: int, truncated: bool, limit: int) -> Iterator[int]:
    """All in whole numbers: with s = S/10^d, is a multiple of 10^d near enough to S·n?"""
    for n in range(1, limit + 1):
        above = -units * n % 10**digits  # to the next multiple from S·n on
        fits = above < n if truncated else 2 * np.minimum(above, 10**digits - above) <= n
        if fits.all():
            yield n


def _pairs_of_f1(scores: NDArray[np.float64], reach: tuple[float, float], fitted: bool, n: int) -> Iterator[Pair]:
    low, high = reach
    for smaller in range(1, n // 2 + 1):
        values = f1_values(n, smaller, fitted=fitted)
        first = np.searchsorted(values, scores + low - _ROUNDING)
        nearest = values[np.minimum(first, len(values) - 1)]
        if ((first < len(values)) & (nearest <= scores + high + _ROUNDING)).all():
            yield n, smaller


def f1_values(n: int, smaller: int, *, fitted: bool = True) -> NDArray[np.float64]:
    """All macro F1 that answers on n rows can have, so many of them of the smaller class: increasing.

    With a of the P rows of the smaller class found, and b of the N others taken for such, F1 is 2a/(P + a + b) for one
    class and 2(N − b)/(2N + P − a − b) for the other. The answers of a fitted tree are right at least as often as one
    leaf: a + N − b ≥ N, so a ≥ b.

    >>> f1_values(2, 1).tolist(), f1_values(2, 1, fitted=False).tolist()
    ([0.3333333333333333, 0.3333333333333333, 1.0], [0.0, 0.3333333333333333, 0.3333333333333333, 1.0])
    """
    negatives = n - smaller
    found, mistaken = np.arange(smaller + 1, dtype=np.int64)[:, None], np.arange(negatives + 1, dtype=np.int64)
    of_positives = found / (smaller + found + mistaken)
    of_negatives = (negatives - mistaken) / (n + negatives - found - mistaken)
    values = of_positives + of_negatives
    return np.sort(values[found >= mistaken] if fitted else values.ravel())


def class_ratio_from_f1(value: Any) -> Fraction:
    """The larger class's share q of the rows, from the macro F1 of a tree that is one leaf.

    One leaf says the larger class everywhere. Its F1 is 2q/(1 + q) for that class and 0 for the other, the mean of
    which is v = q/(1 + q); so q = v/(1 − v). The accuracy of one leaf is q itself.

    Claims: lem-one-leaf

    Parameters
    ----------
    value : v, from 1/3 (both classes alike) to 1/2, which it comes near as the smaller class vanishes

    Examples
    --------
    >>> class_ratio_from_f1(Fraction(3, 7)), round(float(class_ratio_from_f1(0.4286)), 3)
    (Fraction(3, 4), 0.75)
    """
    v = as_fraction(value, "value")
    if not Fraction(1, 3) <= v <= Fraction(1, 2):
        raise ValueError(f"value must be from 1/3 to 1/2, the macro F1 of one leaf, got {shown(v)}")
    return v / (1 - v)
