"""Equations (3), (4) and (5) of Maddock et al., for numbers, fractions and arrays alike.

S is what a gradient sum G is divided by: the Hessians' sum in (4), the number of rows in (3). Weights carry a minus
sign that got lost in our copy of the source: they descend.
"""

from __future__ import annotations

from typing import Any


def leaf_weight(gradients: Any, seconds: Any, regularisation: Any) -> Any:
    """−G/(S + λ): eq. (3) where S counts rows, eq. (4) where it adds up Hessians.

    Parameters
    ----------
    gradients, seconds : G and S ≥ 0 of a leaf
    regularisation : λ > 0

    Examples
    --------
    >>> from fractions import Fraction
    >>> leaf_weight(Fraction(-3, 2), Fraction(3, 4), 1)
    Fraction(6, 7)
    """
    return -gradients / (seconds + regularisation)


def split_score(left: Any, right: Any, regularisation: Any, gamma: Any = 0) -> Any:
    """½·(G₁²/(S₁+λ) + G₂²/(S₂+λ) − G²/(S+λ)) − γ, eq. (5): what a split gains.

    Parameters
    ----------
    left, right : (G₁, S₁) and (G₂, S₂) of both sides, with S ≥ 0; what both have together is G and S
    regularisation, gamma : λ > 0 and γ

    Examples
    --------
    >>> from fractions import Fraction
    >>> half = Fraction(1, 2)
    >>> split_score((-3 * half, 3 * half / 2), (3 * half, 3 * half / 2), 1)
    Fraction(9, 7)
    """
    (g_1, s_1), (g_2, s_2) = left, right
    both = (g_1 + g_2) ** 2 / (s_1 + s_2 + regularisation)
    return (g_1**2 / (s_1 + regularisation) + g_2**2 / (s_2 + regularisation) - both) / 2 - gamma
