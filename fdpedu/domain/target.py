"""A numeric target: a number for each record, in levels of one width on a public range, in place of classes.

A target is clipped and counted at the border as a feature is: a value has level i iff edges[i] < x ≤ edges[i+1]. From
then on its levels are classes like any others, so what is asked, drawn and charged knows nothing of it. A level stands
for the number at its middle. So what is learnt of a value is its level, and what is predicted lies between the middles
of the first and of the last level.

Claims: thm-target-votes
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from fdpedu.domain.columns import Cells, numbers_of
from fdpedu.domain.features import MAX_CODES, Numeric
from fdpedu.exact import Rational, as_float, as_fraction, as_integer
from fdpedu.printable import require_printable

MAX_END = 1e150  # of the range
NAME = "target"
"""What a target is called, unless it has a name."""


def levels_of(
    low: Rational, high: Rational, levels: int = MAX_CODES, *, name: str = NAME, unit: str = "", reason: str = ""
) -> Numeric:
    """The target of that many levels of one width on [low, high], both public.

    >>> levels_of(0, 100, 4, unit="days").edges
    (0.0, 25.0, 50.0, 75.0, 100.0)
    """
    count = as_integer(levels, "the number of levels of the target", minimum=2, maximum=MAX_CODES)
    start, end = as_fraction(low, "low of the target"), as_fraction(high, "high of the target")
    if start >= end:
        raise ValueError("the target needs a range, low < high: a number that is the same for all is nothing to learn")
    return of_edges((start + (end - start) * Fraction(i, count) for i in range(count + 1)), name, unit, reason)


def of_edges(edges: Iterable[Rational], name: str = NAME, unit: str = "", reason: str = "") -> Numeric:
    """The target with these edges of its levels.

    >>> of_edges([0, 10, 20], "stay")
    Numeric(name='stay', edges=(0.0, 10.0, 20.0), unit='', reason='', missing=False)
    """
    if not isinstance(name, str) or not name.strip():
        raise ValueError("the target's name must be a non-empty string")
    require_printable(name, "the target's name")
    found = tuple(as_float(edge, "an edge of the target") for edge in edges)
    if not 3 <= len(found) <= MAX_CODES + 1 or any(low >= high for low, high in pairwise(found)):
        raise ValueError(f"the target needs 3 to {MAX_CODES + 1} edges in increasing order")
    return Numeric(name, found, unit, reason)


def checked_target(target: Any, names: Iterable[str]) -> Numeric:
    """The target, if its levels have one width and no code for missing values, and no feature has its name."""
    if type(target) is not Numeric:
        raise ValueError(f"target must be a Numeric, got {type(target).__name__}")
    if target.missing:
        raise ValueError("target must have no code for missing values: a row without a value teaches nothing")
    # a squared loss on the places k/(K−1) is one of the numbers only where levels have one width
    if not _is_even(target.edges):
        raise ValueError("target must have levels of equal width: write it [low, high, levels]")
    if target.name in names:
        raise ValueError(f"target must have a name of its own, got that of the feature {target.name!r}")
    if max(-target.edges[0], target.edges[-1]) > MAX_END:
        raise ValueError(f"target must have a range within ±{MAX_END:g}, so that means and squares are floats, too")
    if any(low >= high for low, high in pairwise(midpoints(target))):
        raise ValueError("target must have levels whose middles differ as floats: take a wider range, or fewer levels")
    return target


def _is_even(edges: Sequence[float]) -> bool:
    """Whether all widths are one, but for the rounding of edges to floats."""
    low, high = Fraction(edges[0]), Fraction(edges[-1])
    step, rounding = (high - low) / (len(edges) - 1), Fraction(math.ulp(max(-edges[0], edges[-1], key=abs)))
    return all(abs(Fraction(edge) - low - i * step) <= rounding for i, edge in enumerate(edges))


def midpoints(target: Numeric) -> tuple[float, ...]:
    """The number in the middle of each level, as the nearest float.

    >>> midpoints(levels_of(0, 100, 4))
    (12.5, 37.5, 62.5, 87.5)
    """
    ends = map(Fraction, target.edges)
    return tuple(as_float((low + high) / 2, "a middle") for low, high in pairwise(ends))


def note_of_counts(target: Numeric, cells: Cells) -> str:
    """What to consider where all values are whole numbers, and all edges are, too; empty otherwise.

    The whole numbers of a level (0, 2] are 1 and 2, and it stands for 1: half less than their mean. For the target's
    owner only, as it looks at its values.

    >>> note_of_counts(levels_of(0, 6, 3), np.array([0, 2, 5]))
    'has whole numbers only; a level (2, 4] has the mean 3.5 of them, and stands for 3: take edges from -0.5 to 5.5'
    """
    values, _ = numbers_of(cells)
    values = values[np.isfinite(values)]
    if not len(values) or (values % 1).any() or any(edge % 1 for edge in target.edges):
        return ""
    low, first, second, high = target.edges[0], *target.edges[1:3], target.edges[-1]
    middle = (first + second) / 2
    return (
        f"has whole numbers only; a level ({first:.15g}, {second:.15g}] has the mean {middle + 0.5:.15g} of them, "
        f"and stands for {middle:.15g}: take edges from {low - 0.5:.15g} to {high - 0.5:.15g}"
    )
