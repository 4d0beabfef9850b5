"""A nominal size that the released counts contradict is said: what is compared is public and released, so it is free.

A nominal size chooses depth and steps. One that is wrong by a factor of four and more makes an erratic model, which
nothing else would show. The counts that are released add up to about as many rows as there are, and how far their noise
reaches is known: so it is said only where noise alone would say it once in a million models, or more seldom.

Claims: thm-count-interval
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from fractions import Fraction

from fdpedu.dlpa import sub_gaussian_reach
from fdpedu.exact import shown
from fdpedu.federation import Query
from fdpedu.trees.noise_law import reach, shapes_of

FACTOR = 4
FALSE_ALARM = Fraction(1, 10**6)
"""The probability, at most, of a warning where the true number of rows is within the factor of the nominal size."""
Counted = Sequence[tuple[Query, int]]  # what was asked, and how many of its cells are in a sum


class NominalSizeWarning(UserWarning):
    """The released counts speak of four times as many rows as the nominal size, or more; or of a fourth, or fewer."""


class LargeDeltaWarning(UserWarning):
    """δ is so large that an (ε, δ)-private model may show whole rows."""


def warn_of_delta(delta: Fraction | None, nominal_size: int | None) -> None:
    """Warn, before anything is charged, of a δ of 1/N or more; of 1/100 or more, where no N is named.

    What publishes one row, chosen at random, is (0, 1/n)-private.
    """
    if delta and delta * (nominal_size or 100) >= 1:
        least = "1/nominal_size" if nominal_size else "1/100"
        warnings.warn(
            f"delta is {shown(delta)}, not less than {least}: what publishes a row of n, chosen at random, is private "
            "with a δ of 1/n. Take one far below, such as 1e-6",
            LargeDeltaWarning,
            stacklevel=3,
        )


def warn_of_size(
    nominal_size: int | None, total: int, times: int, counted: Counted, n_parties: int, n_noise_shares: int
) -> None:
    """Warn if released counts contradict a nominal size.

    Parameters
    ----------
    nominal_size : N; None if none was named
    total : of released cells
    times : how many of them count each row
    counted : the cells, all with independent noise
    n_parties, n_noise_shares : K, and how many shares make up the full noise
    """
    if nominal_size is None or not counted:
        return
    named = nominal_size * times

    def contradicted(t: int) -> tuple[bool, bool]:
        return total - t > FACTOR * named, FACTOR * (total + t) < named

    if not any(contradicted(0)):  # whatever the noise: how far that reaches takes longer than some fits
        return
    many, few = contradicted(reach_of(counted, n_parties, n_noise_shares))
    if many or few:
        warnings.warn(
            f"nominal_size is {nominal_size}, and the released counts speak of {'more' if many else 'fewer'} rows, "
            f"about {max(0, round(Fraction(total, times)))}: with a size that is wrong by a factor of {FACTOR} or more "
            "a model can be poor. Name a public number that is nearer to theirs in the next fit, which costs again. "
            "(Where the size is within that factor, noise alone says this once in a million fits at most)",
            NominalSizeWarning,
            stacklevel=3,
        )


def reach_of(counted: Counted, n_parties: int, n_noise_shares: int) -> int:
    """A t beyond which the noise of the sum of these cells lies with a probability of at most :data:`FALSE_ALARM`.

    >>> from fdpedu.domain import Domain
    >>> from fdpedu.federation import ClassCounts
    >>> domain = Domain.from_spec({"features": {"x": [0, 100, 4]}, "classes": ["a", "b"]})
    >>> reach_of([(ClassCounts(domain.everything, "1/10"), 2)], 5, 4)
    169
    """
    if counted[0][0].cost.is_pure:
        rates = [query.rate for query, cells in counted for _ in range(cells)]
        return reach(shapes_of(rates, Fraction(n_parties, n_noise_shares)), FALSE_ALARM)[0]
    # lem-gaussian-sum-renyi: parameters of independent discrete Gaussian numbers add up
    variance = sum(cells * query.gaussian(n_noise_shares).share for query, cells in counted) * n_parties
    return sub_gaussian_reach(variance, FALSE_ALARM)
