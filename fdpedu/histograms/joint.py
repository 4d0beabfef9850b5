"""All inner edges of one feature at once, for a trusted aggregator: the joint exponential mechanism.

Candidates are all ways to choose b − 1 of the inner edges of a fine public grid. The utility of one is minus the sum,
over its b bins, of |n_i − n/b|, the distance of the bin's count from an even share. One record that is added moves its
own bin's term by at most 1 − 1/b and each other term by at most 1/b, so the utility moves by at most 2(b − 1)/b. In
integers, the utility −Σ|b·n_i − n| has sensitivity 2(b − 1).

There are too many candidates to list. But the utility is a sum over neighbouring edges, so the chosen edges are a
Markov chain (:mod:`fdpedu.mechanisms.chain`), which is drawn exactly (Gillenwater, Joseph and Kulesza 2021, who use
floating point).

Threat model: the caller sees the EXACT counts: a trusted aggregator, or one party with its own rows. Neighbours
differ by adding or removing one record. It is charged to no ledger by itself: the caller charges ε.

Claims: thm-joint-quantiles, lem-joint-quantile-sensitivity
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations, pairwise

from numpy.typing import ArrayLike

from fdpedu.domain.features import MAX_CODES
from fdpedu.exact import Rate, Rational, as_integer, as_integers, as_list, as_positive_fraction
from fdpedu.histograms.edges import as_increasing
from fdpedu.mechanisms import exponential_pmf
from fdpedu.mechanisms.chain import Chain, joint_sensitivity
from fdpedu.mechanisms.weights import Probability
from fdpedu.randomness import Rng, as_source

MAX_RECORDS = 2**40
MAX_LISTED = 10**5


def trusted_joint_quantiles(
    counts: ArrayLike, edges: Sequence[Rational], bins: int, epsilon: Rational, rng: Rng = None
) -> tuple[float, ...]:
    """The edges of exactly ``bins`` bins, drawn with probability ∝ exp(−ε·Σ|b·n_i − n|/(4(b − 1))); ε-DP.

    For a trusted aggregator, or one party and its own rows: it reads exact counts, and charges no ledger.

    Claims: thm-joint-quantiles

    Parameters
    ----------
    counts : exact counts of all records in the r fine bins, integers ≥ 0, shape (r,), 2 ≤ r ≤ 256, at most 2**40 in all
    edges : the r + 1 public fine edges, increasing finite numbers
    bins : b, 2 to r
    epsilon : the cost, greater than 0, read exactly
    rng : None for the operating system's entropy; a generator is for teaching, and warns

    Examples
    --------
    >>> from fdpedu.randomness import Rehearsal
    >>> trusted_joint_quantiles([90, 60, 30, 40, 0, 20], range(7), 4, 2, Rehearsal(1))
    (0.0, 1.0, 2.0, 3.0, 6.0)
    """
    cells = _as_counts(counts)
    fine, most = as_increasing(edges, len(cells)), _as_bins(bins, cells)
    cost = as_positive_fraction(epsilon, "epsilon")
    places = Chain(cells, most, Rate(rate=cost / (2 * joint_sensitivity(most)))).draw(as_source(rng))
    return tuple(fine[k] for k in (0, *places, len(cells)))


def joint_utility(counts: ArrayLike, places: Sequence[int]) -> int:
    """−Σ|b·n_i − n| over the b bins between the inner fine edges at ``places``: 0 where all bins have the same share.

    Claims: lem-joint-quantile-sensitivity

    Parameters
    ----------
    counts : integers ≥ 0, shape (r,)
    places : b − 1 positions of inner edges, 1 ≤ k_1 < k_2 < … ≤ r − 1; the edge k is the upper one of the k-th cell

    Examples
    --------
    >>> joint_utility([2, 0, 1, 1], [1]), joint_utility([2, 0, 1, 1], [3])
    (0, -4)
    """
    cells = _as_counts(counts)
    inner = [as_integer(k, "places", minimum=1, maximum=len(cells) - 1) for k in as_list(places, "places")]
    if not inner or any(a >= b for a, b in pairwise(inner)):
        raise ValueError("places must be one inner edge or more, in increasing order")
    ends, total, bins = (0, *inner, len(cells)), sum(cells), len(inner) + 1
    return -sum(abs(bins * sum(cells[a:b]) - total) for a, b in pairwise(ends))


def trusted_joint_quantiles_pmf(
    counts: ArrayLike, bins: int, epsilon: Rational | None = None, *, alpha: Rational | None = None
) -> dict[tuple[int, ...], Probability]:
    """The probability of every choice of inner edges, for grids so small that all of them can be listed.

    Claims: thm-joint-quantiles

    Parameters
    ----------
    counts : integers ≥ 0, shape (r,)
    bins : b, 2 to r; there are C(r − 1, b − 1) choices, at most 100,000
    epsilon : greater than 0, for enclosures
    alpha : in place of ``epsilon``, the base of α^(Σ|b·n_i − n|) itself, for fractions; then e^ε is α^(−4(b − 1))

    Examples
    --------
    >>> law = trusted_joint_quantiles_pmf([1, 0, 1], 2, alpha="1/2")
    >>> law
    {(1,): Fraction(1, 2), (2,): Fraction(1, 2)}
    """
    cells = _as_counts(counts)
    most = _as_bins(bins, cells)
    if math.comb(len(cells) - 1, most - 1) > MAX_LISTED:
        raise ValueError(f"a grid of {len(cells)} bins has too many choices of {most - 1} edges to list")
    choices = list(combinations(range(1, len(cells)), most - 1))
    utilities = [joint_utility(cells, places) for places in choices]
    sensitivity = 1 if epsilon is None else joint_sensitivity(most)
    law = exponential_pmf(utilities, epsilon, sensitivity=sensitivity, alpha=alpha)
    return {places: law[i] for i, places in enumerate(choices)}


def _as_counts(counts: ArrayLike) -> list[int]:
    table = as_integers(counts, "counts")
    if table.ndim != 1 or not 2 <= len(table) <= MAX_CODES or table.min() < 0:
        raise ValueError(f"counts must be 2 to {MAX_CODES} integers ≥ 0, one a fine bin, got the shape {table.shape}")
    cells: list[int] = table.tolist()
    if sum(cells) > MAX_RECORDS:
        raise ValueError("counts must be of at most 2**40 records in all")
    return cells


def _as_bins(bins: int, cells: Sequence[int]) -> int:
    return as_integer(bins, "bins", minimum=2, maximum=len(cells))
