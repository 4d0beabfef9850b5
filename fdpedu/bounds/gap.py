"""Why the parties' best splits bound every split: what is lost on the way from one to the other, exactly.

Take a split θ of all rows. Its n·G exceeds the sum of what the parties' best splits leave by two numbers, none of them
negative. Parties that differ on a side of θ would each predict something else there; that is the variance between
them. And a party may have a better split than θ; that is its regret. Both vanish only if the bound is attained.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fdpedu.bounds.local import local_bound
from fdpedu.cart import exact_scaled_half_gini
from fdpedu.exact import as_integer, as_integers, as_list


@dataclass(frozen=True)
class ImpurityGap:
    """Of one split of all rows: ``impurity`` = ``bound`` + ``between`` + ``regret``.

    Parameters
    ----------
    impurity : n·G of the split, from the summed counts
    bound : Σ_k n_k·G(Q_k, θ*_k), what the parties' own best splits leave
    between : Σ over sides and parties of n_k^side·½Σ_c (p̂_kc^side − p̂_c^side)², the variance between the parties
    regret : Σ_k (n_k·G(Q_k, θ) − n_k·G(Q_k, θ*_k)), what the parties lose by not taking their own best split
    """

    impurity: Fraction
    bound: Fraction
    between: Fraction
    regret: Fraction


def impurity_gap(tables: Sequence[ArrayLike], left: Iterable[int], *, ordered: bool = True) -> ImpurityGap:
    """What lies between the n·G of one split and the parties' lower bound.

    Claims: thm-impurity-lower-bound

    Parameters
    ----------
    tables : for each party its class × bin counts, integers ≥ 0 of one shape (codes, classes); it may have no rows
    left : the codes that go left; for an ordered feature 0, 1, …, up to a border
    ordered : whether the codes are bins; else they are categories

    Examples
    --------
    >>> impurity_gap([[[3, 0], [0, 1]], [[0, 1], [0, 1]]], {0})
    ImpurityGap(impurity=Fraction(3, 4), bound=Fraction(0, 1), between=Fraction(3, 4), regret=Fraction(0, 1))
    """
    parties = [as_integers(table, "tables") for table in as_list(tables, "tables")]
    if not parties or any(table.ndim != 2 or table.shape != parties[0].shape for table in parties):
        raise ValueError("tables must be counts of one shape (codes, classes), at least one table")
    bounds = [local_bound(table, ordered=ordered) for table in parties]  # refuses what are no counts
    goes_left = _sides(left, len(parties[0]), ordered)
    sides = [[table[goes].sum(axis=0) for table in parties] for goes in (goes_left, ~goes_left)]
    pooled = sum((exact_scaled_half_gini(np.sum(side, axis=0).tolist()) for side in sides), Fraction(0))
    local = sum((exact_scaled_half_gini(counts.tolist()) for side in sides for counts in side), Fraction(0))
    between = sum((_between([counts.tolist() for counts in side]) for side in sides), Fraction(0))
    bound = sum(bounds, Fraction(0))
    return ImpurityGap(pooled, bound, between, local - bound)


def _sides(left: Iterable[int], n_codes: int, ordered: bool) -> NDArray[np.bool_]:
    codes = {as_integer(code, "left", minimum=0, maximum=n_codes - 1) for code in as_list(left, "left")}
    if ordered and codes != set(range(len(codes))):
        raise ValueError("left must be the codes 0, 1, … up to a border, because the feature is ordered")
    return np.isin(np.arange(n_codes, dtype=np.int64), sorted(codes))


def _between(side: list[list[int]]) -> Fraction:
    """Σ_k n_k·½Σ_c (p̂_kc − p̂_c)² on one side, by its definition; parties without rows there add nothing."""
    total = [sum(counts) for counts in zip(*side, strict=True)]
    found = Fraction(0)
    for counts in filter(any, side):
        n_k, n = sum(counts), sum(total)
        apart = [Fraction(c, n_k) - Fraction(t, n) for c, t in zip(counts, total, strict=True)]
        found += n_k * sum((share * share for share in apart), Fraction(0)) / 2
    return found
