"""How large the noise of a released cell is, in either measure; and how much ε a budget in ρ is worth to a rule."""

from __future__ import annotations

import math
from fractions import Fraction

from fdpedu.accounting import Cost, as_cost
from fdpedu.dlpa.gaussian_noise import gaussian_noise
from fdpedu.exact import Rate, Rational
from fdpedu.trees.stopping import noise_deviation


def cell_deviation(cost: Cost | Rational, n_parties: int, n_noise_shares: int) -> float:
    """The standard deviation of the noise of all parties in one cell.

    Parameters
    ----------
    cost : of one release of sensitivity 1, as if it were alone: of a cell of p histograms a p-th of what they cost
        together. A number is ε
    n_parties : K, each with one share
    n_noise_shares : m, how many shares make up the full noise

    Examples
    --------
    >>> round(cell_deviation("1/10", 5, 4), 2), round(cell_deviation(Cost("gaussian", "1/200"), 5, 4), 2)
    (15.8, 11.24)
    """
    whole = as_cost(cost)
    if whole.is_pure:
        return noise_deviation(Rate(rate=whole.value), n_parties, n_noise_shares)
    noise = gaussian_noise(whole, l2_squared=1, cells=1, n_shares=n_noise_shares)
    return math.sqrt(n_parties * noise.share)


def as_if_pure(budget: Cost | Rational) -> Fraction:
    """ε, or for a budget in ρ 4·√(2ρ): the rules for the shape of a tree read N·ε.

    For Gaussian noise √(2ρ) is what ε is for Laplace noise. A node has p histograms, whose deviations grow with √p in
    ρ and with p in ε; the factor stands for 16 of them.

    >>> as_if_pure("1/2"), float(as_if_pure(Cost("gaussian", "1/32")))
    (Fraction(1, 2), 1.0)
    """
    whole = as_cost(budget, "epsilon")
    return whole.value if whole.is_pure else Fraction(4 * math.sqrt(2 * whole.value))
