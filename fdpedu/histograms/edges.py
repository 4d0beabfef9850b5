"""Bin edges that are quantiles, chosen from released counts on a fine public grid.

The fine grid is a :class:`Domain` like any other, with up to 256 bins a feature. One round releases its noisy class ×
bin counts, which is paid for. Everything after that is post-processing: the cells are added up from the first one to
each fine edge, this sequence is made to rise, and the fine edges whose numbers are nearest to 1/b, 2/b, … of the total
become the edges of b coarse bins. The parties then encode their rows anew, and the tree is grown on the coarse domain
with what is left of the budget; :func:`fdpedu.histograms.combined_derivation` adds the two accounts up.

Least squares have nothing to add here: the released cells are single views of unrelated noise, so the raw sums of cells
are already their best linear estimates. Clipping the cells at 0 before they are added up is worse for long tails,
because each of many empty cells then brings a positive number of records that are not there.

Guarantee: that of the round, ε-DP for add/remove, against an outsider and ``tolerate`` colluders; integers.

Claims: thm-quantile-edges, lem-edge-ranks
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from operator import add

import numpy as np
from numpy.typing import ArrayLike

from fdpedu.domain import Domain, Numeric
from fdpedu.domain.features import MAX_CODES, Feature
from fdpedu.exact import (
    Integers,
    Rational,
    as_float,
    as_fraction,
    as_integer,
    as_integers,
    as_list,
    as_positive_fraction,
    log_enclosure,
    quoted,
    require_type,
)
from fdpedu.federation import ClassHistogram
from fdpedu.federation.asker import Asker, require_federation

_REASON = "inner edges are quantiles of released counts"


def private_quantile_domain(federation: Asker, epsilon: Rational, bins: int) -> Domain:
    """The federation's fine domain with the edges of each numeric feature thinned out to quantiles; one round.

    All numeric features together cost ε, so the noise in the counts of each of these q has rate ε/q; of categorical
    ones nothing is asked. What the edges reveal is post-processing of that round. The parties join a second
    federation, on the domain that is returned and with a ledger of its own; for every record the two budgets add
    up.

    Claims: thm-quantile-edges

    Parameters
    ----------
    federation : on the fine domain; its ledger is charged before anything is drawn or sent
    epsilon : the cost of the edges of all numeric features, greater than 0, read exactly
    bins : how many coarse bins a numeric feature has at most, 2 to 256; fewer where noise or a public grid of few bins
        leaves fewer edges that differ. Categorical features stay as they are

    Returns
    -------
    A domain of the same features and classes. Its outer edges are those of the fine domain, its inner ones among them.

    Raises
    ------
    BudgetExceeded
        If the ledger refuses the round; then nothing is released and nothing charged.
    ValueError
        If no feature is numeric; before anything is charged.

    Examples
    --------
    >>> from fdpedu.accounting import Ledger
    >>> from fdpedu.federation import Federation, Party
    >>> from fdpedu.randomness import ZeroWords
    >>> fine = Domain([Numeric.grid("income", 0, 100, bins=50)], ("no", "yes"))
    >>> clinics = [[[1, "no"], [1.5, "no"], [3, "yes"], [5, "no"]], [[7, "yes"], [9, "no"], [33, "yes"], [80, "yes"]]]
    >>> parties = [Party(rows, fine) for rows in clinics]
    >>> first = Federation(parties, fine, Ledger("1/4"), rng=ZeroWords())  # noise of zero, to show the rule
    >>> coarse = private_quantile_domain(first, "1/4", bins=4)
    >>> coarse.features[0].edges, first.ledger.spent
    ((0.0, 2.0, 6.0, 20.0, 100.0), Fraction(1, 4))
    """
    require_federation(federation)
    cost = as_positive_fraction(epsilon, "epsilon")
    most = _as_bins(bins)
    domain = federation.domain
    numeric = [j for j, feature in enumerate(domain.features) if isinstance(feature, Numeric)]
    if not numeric:
        raise ValueError("the federation's domain must have a numeric feature: categories have no edges")
    answers = iter(federation.release([ClassHistogram(domain.everything, cost / len(numeric), j) for j in numeric]))
    blank = [np.zeros((feature.n_codes, domain.n_classes), dtype=np.int64) for feature in domain.features]
    released = np.concatenate([next(answers) if j in numeric else table for j, table in enumerate(blank)])
    return quantile_domain(released, domain, most)


def quantile_domain(counts: ArrayLike, domain: Domain, bins: int) -> Domain:
    """The domain with the edges of each numeric feature thinned out to quantiles of released counts; pure.

    Parameters
    ----------
    counts : released integers of shape (codes of all features, classes), one feature after the other
    domain : the fine grid
    bins : how many coarse bins a numeric feature has at most, 2 to 256

    Examples
    --------
    >>> fine = Domain([Numeric.grid("age", 0, 4, bins=4)], ("well", "ill"))
    >>> quantile_domain([[5, 1], [3, -1], [0, 2], [-2, 0]], fine, bins=2).features[0].edges
    (0.0, 1.0, 4.0)
    """
    require_type(domain, Domain, "domain")
    table, shape = as_integers(counts, "counts"), (domain.n_codes, domain.n_classes)
    if table.shape != shape:
        raise ValueError(f"counts must have the shape {shape} of the domain's codes and classes, got {table.shape}")
    features, start = list[Feature](), 0
    for feature in domain.features:
        features.append(_thinned(feature, table[start : start + feature.n_codes], bins))
        start += feature.n_codes
    return domain.with_features(features)


def _thinned(feature: Feature, counts: Integers, bins: int) -> Feature:
    if not isinstance(feature, Numeric):
        return feature
    reason = f"{feature.reason}; {_REASON}" if feature.reason else _REASON
    edges = quantile_edges(counts[: feature.n_bins], feature.edges, bins)  # a missing value has no place among them
    return Numeric(feature.name, edges, feature.unit, reason, feature.missing)


def quantile_edges(counts: ArrayLike, edges: Sequence[Rational], bins: int) -> tuple[float, ...]:
    """Edges of at most ``bins`` bins that share the counted records about evenly; from released counts, so it is free.

    With S_k the sum of the first k cells, the rising sequence is R_k = max(S_0, …, S_k) + min(S_k, …, S_r), which is
    2·S_k where nothing falls. The i-th target takes the inner fine edge k, 1 ≤ k ≤ r − 1, for which R_k is nearest to
    (i/b)·R_r; of several, for example all those in a gap without records, one in the middle. Integers decide, no
    floats.

    Claims: thm-quantile-edges, lem-edge-ranks

    Parameters
    ----------
    counts : integers of any sign, shape (r,) or (r, classes), r ≥ 2: one row a fine bin, in the order of the bins
    edges : the r + 1 fine edges, increasing finite numbers
    bins : b, the number of coarse bins that is asked for, 2 to 256

    Returns
    -------
    The first fine edge, 1 to b − 1 inner ones in increasing order, and the last; fewer where targets take the same.

    Examples
    --------
    >>> quantile_edges([5, 1, 1, 1, 0, 0], [0, 1, 2, 3, 4, 5, 6], bins=4)  # the first bin has more than two quarters
    (0.0, 1.0, 2.0, 6.0)
    >>> quantile_edges([2, 0, 0, 0, 2], [0, 1, 2, 3, 4, 5], bins=2)  # in the middle of the gap
    (0.0, 2.0, 5.0)
    """
    places = quantile_places(counts, bins)
    cells = len(as_integers(counts, "counts"))
    fine = as_increasing(edges, cells)
    return tuple(fine[k] for k in (0, *places, cells))


def quantile_places(counts: ArrayLike, bins: int) -> tuple[int, ...]:
    """The positions of the inner edges of :func:`quantile_edges` among the fine ones, increasing.

    Claims: thm-quantile-edges, lem-edge-ranks

    Parameters
    ----------
    counts, bins : as there

    Examples
    --------
    >>> quantile_places([5, 1, 1, 1, 0, 0], 4)
    (1, 2)
    """
    most = _as_bins(bins)
    table = as_integers(counts, "counts")
    if table.ndim not in (1, 2) or len(table) < 2 or not table.size:
        raise ValueError(f"counts must have the shape (bins,) or (bins, classes), 2 bins or more, got {table.shape}")
    totals = [sum(np.ravel(row).tolist()) for row in table]  # as Python's integers: no sum is too large
    return tuple(_places(totals, most))


def _places(totals: Sequence[int], bins: int) -> list[int]:
    """The positions of the inner edges that are chosen, in increasing order."""
    rising = _rising([0, *accumulate(totals)])
    chosen = set()
    for i in range(1, bins):
        misses = {k: abs(bins * rising[k] - i * rising[-1]) for k in range(1, len(totals))}
        least = min(misses.values())
        nearest = [k for k, miss in misses.items() if miss == least]
        chosen.add(nearest[(len(nearest) - 1) // 2])
    return sorted(chosen)


def _rising(sums: Sequence[int]) -> list[int]:
    """The largest so far plus the least from here on: a sequence that never falls, and 2·sums where they never do."""
    lowest = list(accumulate(reversed(sums), min))
    return list(map(add, accumulate(sums, max), reversed(lowest)))


def prefix_error(epsilon: Rational, cells: int, failure: Rational, *, n_parties: int = 2, tolerate: int = 0) -> int:
    """B such that, but for a probability of ``failure``, no prefix of a feature's noisy cells is off by more than B.

    With a the rate of the noise, N the number of cells and κ = n_parties/(n_parties − tolerate) shares of noise in
    each, B is the least of (ln(2/β) − κN·ln(1 − u²))/(a·u) over u = 1/256, …, 255/256, rounded down.

    Claims: lem-edge-ranks

    Parameters
    ----------
    epsilon : what the histogram of one feature costs, greater than 0: the rate a of the noise
    cells : how many noisy numbers the feature has, fine bins × classes, 1 to 65,536
    failure : β, 0 < β < 1
    n_parties : K ≥ 1, that answer
    tolerate : the number of colluders that the noise withstands, 0 to K − 1

    Examples
    --------
    >>> prefix_error(1, 64, "1/20"), prefix_error(1, 64, "1/20", n_parties=5, tolerate=1)
    (31, 34)
    """
    rate, beta = as_positive_fraction(epsilon, "epsilon"), as_fraction(failure, "failure")
    if not 0 < beta < 1:
        raise ValueError(f"failure must lie strictly between 0 and 1, got {quoted(failure)}")
    parties = as_integer(n_parties, "n_parties", minimum=1)
    honest = parties - as_integer(tolerate, "tolerate", minimum=0, maximum=parties - 1)
    shares = Fraction(parties, honest) * as_integer(cells, "cells", minimum=1, maximum=MAX_CODES**2)
    start = log_enclosure(2 / beta).upper
    speeds = [Fraction(i, 256) for i in range(1, 256)]
    return int(min((start - shares * log_enclosure(1 - u * u).lower) / u for u in speeds) / rate)


def as_increasing(edges: Sequence[Rational], cells: int) -> tuple[float, ...]:
    """The edges of ``bins`` bins as floats, if their number is right and they increase."""
    fine = tuple(as_float(edge, "edges") for edge in as_list(edges, "edges"))
    if len(fine) != cells + 1 or any(a >= b for a, b in pairwise(fine)):
        raise ValueError(f"edges must be {cells + 1} increasing numbers, one more than counts has bins")
    return fine


def _as_bins(bins: int) -> int:
    return as_integer(bins, "bins", minimum=2, maximum=MAX_CODES)
