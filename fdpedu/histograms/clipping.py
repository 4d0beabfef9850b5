"""What clipping at 0 does to a noisy count, exactly: it never takes it farther from the truth, and raises its mean."""

from __future__ import annotations

from fractions import Fraction

from fdpedu.exact import Enclosure, Rate, Rational, as_integer


def clipping_bias(
    count: int, epsilon: Rational | None = None, *, alpha: Rational | None = None
) -> Fraction | Enclosure:
    """By how much the mean of max(count + noise, 0) exceeds the count: α^(count+1)/(1 − α²), α = e^{−ε}.

    The noise is discrete Laplace. Clipping is post-processing and free; but sums of clipped cells are too large, the
    more cells are empty the more, so totals are taken from counts that are not clipped.

    Claims: lem-clipping

    Parameters
    ----------
    count : the true count of the cell, an integer ≥ 0
    epsilon : of the release, greater than 0, read exactly (or give ``alpha``)
    alpha : in place of ``epsilon``, a fraction in (0, 1)

    Returns
    -------
    A fraction if ``alpha`` is given, an enclosure if ``epsilon`` is.

    Examples
    --------
    >>> clipping_bias(0, alpha="1/2"), clipping_bias(3, alpha="1/2")
    (Fraction(2, 3), Fraction(1, 12))
    >>> round(float(clipping_bias(0, "1/10")), 3)
    4.992
    """
    rate = Rate.of(epsilon, alpha)
    cell = as_integer(count, "count", minimum=0, maximum=2**53)
    return rate.weight(cell + 1) / (1 - rate.weight(2))
