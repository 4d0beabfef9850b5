"""One split for ε, chosen among all splits of a grid at once, by a curator with access to all rows.

Noisy histograms divide ε by the number of features, because each of them is released. A choice releases one split
and nothing else. What a split leaves, n·G, rises by less than 1 with a record, and never falls; so the exponential
mechanism, and permute-and-flip, need no factor 2 and no number of features: Pr[t] ∝ e^{−ε·loss(t)} is ε-DP for any
number of splits.

Guarantee: against an outsider who sees the split, if one record is added or removed; the aggregator is trusted, there
are no shares and no masks here. Arithmetic: integers; the law is the stated one exactly. Not guaranteed: running time.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from fdpedu.bounds.scored import ScoredRows, Split, scored_rows
from fdpedu.exact import Rational, quoted
from fdpedu.mechanisms import exponential, exponential_pmf, permute_and_flip, permute_and_flip_pmf
from fdpedu.mechanisms.weights import Probability
from fdpedu.randomness import Rng

DRAWS: dict[str, Any] = {"exponential": exponential, "permute-and-flip": permute_and_flip}
LAWS: dict[str, Any] = {"exponential": exponential_pmf, "permute-and-flip": permute_and_flip_pmf}
MAX_LISTED = 32  # splits whose law under permute-and-flip is worked out: it takes the cube of their number


def private_split(
    codes: ArrayLike,
    labels: ArrayLike,
    sizes: list[int],
    epsilon: Rational | None = None,
    rng: Rng = None,
    *,
    n_classes: int = 2,
    mechanism: str = "exponential",
    score: str = "gini",
    lattice: int = 1,
    alpha: Rational | None = None,
) -> Split:
    """Draw one split (j, border) of all, for ε: codes up to the border, of feature j, go left.

    The loss of a split is the score of its two sides, rounded down to steps of 1/m. The split is drawn with
    probability ∝ e^{−ε·loss}, or by permute-and-flip, which has the smaller mean loss of the two.

    Claims: thm-private-split

    Parameters
    ----------
    codes : bins of each row, integers, shape (n, p), 0 ≤ codes[:, j] < sizes[j]
    labels : class codes, shape (n,), 0 ≤ label < n_classes
    sizes : for each of the p features its number of bins, from 2 to 256; public, as is all that follows; at most 500
        borders in all
    epsilon : greater than 0, read exactly (or give ``alpha``)
    rng : None for the operating system's entropy; a generator is for teaching, and warns
    n_classes : from 2 to 1000
    mechanism : ``exponential`` or ``permute-and-flip``
    score : ``gini`` (the report's n·h) or ``errors`` (of the majority class of a leaf)
    lattice : m from 1 to 10**6; for ``errors`` any m is the same
    alpha : in place of ``epsilon``, e^{−ε/m} itself, a fraction in (0, 1)

    Examples
    --------
    >>> from fdpedu.randomness import Rehearsal
    >>> codes, labels = [[0, 0], [1, 0], [2, 1], [0, 1]] * 50, [0, 0, 1, 1] * 50  # the second feature tells the class
    >>> private_split(codes, labels, [3, 2], 1, Rehearsal(1), mechanism="permute-and-flip")
    (1, 0)
    """
    rows = scored_rows(codes, labels, sizes, n_classes, score, lattice)
    draw = DRAWS[_known(mechanism)]
    return rows.splits[draw([-loss for loss in rows.losses()], rng=rng, **_rule(rows, epsilon, alpha))]


def split_pmf(
    codes: ArrayLike,
    labels: ArrayLike,
    sizes: list[int],
    epsilon: Rational | None = None,
    *,
    n_classes: int = 2,
    mechanism: str = "exponential",
    score: str = "gini",
    lattice: int = 1,
    alpha: Rational | None = None,
) -> dict[Split, Probability]:
    """The probability of every split: fractions when ``alpha`` is given, enclosures when ``epsilon`` is.

    Claims: thm-private-split

    Parameters
    ----------
    codes, labels, sizes, epsilon : as for :func:`private_split`; for permute-and-flip at most 32 borders in all
    n_classes, mechanism, score, lattice, alpha : as for :func:`private_split`

    Examples
    --------
    >>> law = split_pmf([[0], [1], [2]], [0, 1, 1], [3], alpha="1/2", score="errors")
    >>> law[0, 0], law[0, 1]  # one mistake more halves the weight
    (Fraction(2, 3), Fraction(1, 3))
    """
    rows = scored_rows(codes, labels, sizes, n_classes, score, lattice)
    if _known(mechanism) == "permute-and-flip" and len(rows.splits) > MAX_LISTED:
        raise ValueError(
            f"sizes must give at most {MAX_LISTED} borders for the law of permute-and-flip, got {len(rows.splits)}"
        )
    law = LAWS[mechanism]([-loss for loss in rows.losses()], **_rule(rows, epsilon, alpha))
    return dict(zip(rows.splits, law, strict=True))


def _known(mechanism: str) -> str:
    if not isinstance(mechanism, str) or mechanism not in DRAWS:
        raise ValueError(f"mechanism must be one of {', '.join(DRAWS)}; got {quoted(mechanism)}")
    return mechanism


def _rule(rows: ScoredRows, epsilon: Rational | None, alpha: Rational | None) -> dict[str, Any]:
    """A record raises every loss by 0 to m, and lowers none: sensitivity m, and no factor 2."""
    if epsilon is None:
        return {"alpha": alpha}
    return {"epsilon": epsilon, "alpha": alpha, "sensitivity": rows.lattice, "monotone": True}
