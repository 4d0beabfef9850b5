"""Parallel or sequential across features? Settled by exact computation: columns are not regions.

Theorem 3 of Vos et al. composes the histograms of m features in parallel, at the price of one. But a record has a value
in every feature: adding it raises one cell in each of the m histograms. Take the event that all of these m noisy cells
are at most what they would be without noise and without the record. With discrete Laplace noise, α = e^{−ε},

    without the record  Pr[noise ≤ 0]^m = (1/(1+α))^m,        with it  Pr[noise ≤ −1]^m = (α/(1+α))^m.

The ratio is α^{−m} = e^{mε}, exactly what sequential composition says, and no smaller ε will do. Each of the cells has
a privacy loss of ±ε and nothing else, so the best test of membership is a vote of the m cells.

Claims: lem-columns
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from fdpedu.accounting.parameters import as_count
from fdpedu.exact import Rational, as_fraction, shown


def exact_factor(alpha: Rational, m: int) -> Fraction:
    """The ratio of the event's probabilities, without and with the record: e^{mε} for α = e^{−ε}, and not e^ε.

    Claims: lem-columns

    Parameters
    ----------
    alpha : e^{−ε} as a fraction strictly between 0 and 1
    m : number of features, at least 1

    Examples
    --------
    >>> exact_factor("1/2", 10)
    Fraction(1024, 1)
    """
    a, columns = _alpha(alpha), as_count(m, "m")
    return (_at_most(0, a) / _at_most(-1, a)) ** columns


def _at_most(t: int, alpha: Fraction) -> Fraction:
    """Pr[noise ≤ t] for t ≤ 0: a geometric series of the masses (1−α)/(1+α)·α^{|k|}."""
    return alpha**-t / (1 + alpha)


def vote(without: Sequence[int], released: Sequence[int]) -> bool:
    """Was the record there? Every cell that came out above its value ``without`` the record votes yes; ties say no.

    >>> vote([3, 0, 5], [4, 2, 1])
    True
    """
    if len(without) != len(released) or not len(without):
        raise ValueError("released must hold one noisy cell for each of the cells without the record, at least 1")
    return 2 * sum(noisy > plain for plain, noisy in zip(without, released, strict=True)) > len(without)


def success(alpha: Rational, m: int) -> Fraction:
    """The exact probability that :func:`vote` is right, when the record is there with probability ½. m is odd.

    Claims: lem-columns

    >>> float(success("3/5", 25)) > 0.9
    True
    """
    a, columns = _alpha(alpha), as_count(m, "m")
    if columns % 2 == 0 or columns > 9999:
        raise ValueError(f"m must be odd and at most 9999, so that no vote is tied, got {columns}")
    right = 1 / (1 + a)  # Pr[noise ≥ 0] = Pr[noise ≤ 0]
    return sum(
        (
            math.comb(columns, votes) * right**votes * (1 - right) ** (columns - votes)
            for votes in range(columns // 2 + 1, columns + 1)
        ),
        Fraction(0),
    )


def most_allowed(alpha: Rational) -> Fraction:
    """What no test can exceed against an ε-DP mechanism, prior ½: e^ε/(1 + e^ε) = 1/(1 + α).

    >>> most_allowed("3/5")
    Fraction(5, 8)
    """
    return 1 / (1 + _alpha(alpha))


def _alpha(value: Any) -> Fraction:
    alpha = as_fraction(value, "alpha")
    if not 0 < alpha < 1:
        raise ValueError(f"alpha must lie strictly between 0 and 1, got {shown(alpha)}")
    return alpha
