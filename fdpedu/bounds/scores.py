"""Impurities of which one record changes at most 1: the least loss of a constant prediction.

Let every prediction cost each class something between 0 and 1, and let a node pay what its best prediction costs all
its rows. One more row adds between 0 and 1 to the cost of every prediction, and so to the least. This is all there is
to it: the report's Gini is such a score (squared error), so is the number of errors, and for two classes these are all
concave h with h(0) = h(1) = 0 and slopes of at most 1 at the ends, as S(a, b) = n·h(b/n). The number of errors is the
largest of them.

Not guaranteed: any privacy. These are exact functions of rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Any

from fdpedu.exact import (
    Enclosure,
    Rational,
    as_fraction,
    as_integer,
    as_list,
    exp_enclosure,
    log_enclosure,
    require_callable,
    shown,
)

Weights = list[Fraction]  # of the classes: counts, or sums of weights


@dataclass(frozen=True)
class LossScore:
    """S(counts) = the least, over the predictions, of Σ_c loss_c·count_c.

    Claims: thm-concave-scores, lem-concave-lower-bound

    Parameters
    ----------
    losses : for each prediction what it costs a row of each class, numbers from 0 to 1; at least one prediction

    Examples
    --------
    >>> errors = LossScore(((0, 1), (1, 0)))
    >>> errors([3, 5]), LossScore(((0, 1), (1, 0), ("1/4", "1/4")))([3, 5])
    (Fraction(3, 1), Fraction(2, 1))
    """

    losses: tuple[tuple[Rational, ...], ...]

    def __post_init__(self) -> None:
        rows = [tuple(as_fraction(loss, "losses") for loss in as_list(row, "losses")) for row in _rows(self.losses)]
        if not rows or len(set(map(len, rows))) > 1 or not rows[0] or any(not 0 <= x <= 1 for row in rows for x in row):
            raise ValueError("losses must be at least one row of numbers from 0 to 1, one for each class, all as long")
        object.__setattr__(self, "losses", tuple(rows))

    def __call__(self, counts: Sequence[Rational]) -> Fraction:
        """The score of a node with these counts, or sums of weights, one for each class."""
        weights = _weights(counts)
        if len(weights) != len(self.losses[0]):
            raise ValueError(f"counts must be {len(self.losses[0])} numbers, one for each class; got {len(weights)}")
        return min(_cost(row, weights) for row in self.losses)


def half_gini_score(counts: Sequence[Rational]) -> Fraction:
    """(N² − Σ w²)/(2N), N = Σ w: the report's n·h for any number of classes, also of rows with weights; 0 when empty.

    The least of Σ_i w_i·½‖e_{y_i} − q‖² over all shares q of the classes: predictions that cost 1 at most.

    Claims: lem-local-weights, thm-concave-scores

    >>> half_gini_score([2, 1]), half_gini_score(["1/2", 1, 0])
    (Fraction(2, 3), Fraction(1, 3))
    """
    weights = _weights(counts)
    total = sum(weights, Fraction(0))
    return (total**2 - sum(w**2 for w in weights)) / (2 * total) if total else Fraction(0)


def power_score(counts: Sequence[int], k: Rational) -> Fraction | Enclosure:
    """n·h_k(b/n) for a and b rows of two classes, where ``h_k(q) = (1 − |1 − 2q|^k)/(2k)`` and 1 ≤ k ≤ 2.

    k = 2 is the report's Gini, k = 1 the number of errors min(a, b). A fraction for these two, else an enclosure.

    Claims: thm-concave-scores

    Parameters
    ----------
    counts : a and b, integers ≥ 0
    k : from 1 to 2

    Examples
    --------
    >>> power_score([3, 5], 1), power_score([3, 5], 2), float(power_score([3, 5], "3/2"))
    (Fraction(3, 1), Fraction(15, 8), 2.3333333333333335)
    """
    pair = [as_integer(count, "counts", minimum=0) for count in as_list(counts, "counts")]
    power = as_fraction(k, "k")
    if len(pair) != 2:
        raise ValueError(f"counts must be two numbers, one for each class; got {len(pair)}")
    if not 1 <= power <= 2:
        raise ValueError(f"k must lie between 1 and 2, got {shown(power)}")
    n, apart = sum(pair), abs(pair[0] - pair[1])
    if not n or apart == n:
        return Fraction(0)
    if power.denominator == 1 or not apart:
        return n * (1 - Fraction(apart, n) ** int(power if apart else 1)) / (2 * power)
    log = log_enclosure(Fraction(apart, n)) * power
    share = Enclosure(exp_enclosure(log.lower).lower, exp_enclosure(log.upper).upper)
    return (1 - share) * (n / (2 * power))


def least_score(table: Sequence[Sequence[Rational]], score: Callable[[Weights], Any]) -> Any:
    """The least S(left) + S(right) over all borders of a table's bins, and the division with all rows on one side.

    Claims: lem-local-weights, lem-concave-lower-bound

    Parameters
    ----------
    table : for each bin the counts of the classes, or sums of weights, numbers ≥ 0; at least one bin
    score : of a node, such as :func:`half_gini_score` or a :class:`LossScore`

    Examples
    --------
    >>> least_score([["1/2", 0], [0, 1], ["1/2", 2]], half_gini_score)
    Fraction(3, 7)
    """
    require_callable(score, "score")
    bins = [_weights(row) for row in _rows(table, "table")]
    if not bins or len(set(map(len, bins))) > 1:
        raise ValueError("table must be at least one row of counts, all of one length")
    prefixes = list(accumulate(bins, _plus))
    return min(score(left) + score([t - x for t, x in zip(prefixes[-1], left, strict=True)]) for left in prefixes)


def _rows(table: Any, name: str = "losses") -> list[list[Any]]:
    return [as_list(row, name) for row in as_list(table, name)]


def _weights(counts: Any) -> Weights:
    weights = [as_fraction(count, "counts") for count in as_list(counts, "counts")]
    if not weights or min(weights) < 0:
        raise ValueError("counts must be at least one number, none below 0")
    return weights


def _plus(one: Weights, other: Weights) -> Weights:
    return [a + b for a, b in zip(one, other, strict=True)]


def _cost(losses: tuple[Rational, ...], weights: Weights) -> Fraction:
    return sum((Fraction(loss) * w for loss, w in zip(losses, weights, strict=True)), Fraction(0))
