"""How often the noise of a bound removes the better feature: what budget saving risks at a node.

Algorithm 6 asks each feature for a lower bound, with noise, and leaves out a feature whose noisy bound is greater than
the least n·G that it has seen. If the bound is truly smaller, the feature may be the better one, and only noise removes
it. p bounds of one node share its ε_bounds, so each has noise of scale p/ε_bounds: that is what the difference has to
stand out from, and n·G itself is at most n/4 for two classes.

Not guaranteed: any privacy; nothing here reads a record.

Claims: lem-pruning-probability
"""

from __future__ import annotations

import math

from fdpedu.exact import Enclosure, Rate, Rational, as_fraction, as_integer, as_positive_fraction

MAX_STEPS = 2**62  # of a gap, on the lattice


def pruning_probability(gap: Rational, epsilon_bounds: Rational, n_features: int, lattice: int = 1) -> Enclosure:
    """Pr[noise > m·gap]: how likely a feature is removed although its bound is ``gap`` below what removes it.

    The noise is discrete Laplace of rate ε_bounds/(p·m), as the sum of all parties' shares has it where nobody is
    missing or colludes. For large m it is e^{−ε_bounds·gap/p}/2.

    Claims: lem-pruning-probability

    Parameters
    ----------
    gap : by how much the threshold, a released n·G, exceeds the feature's bound, which is the sum of the parties'
        lattice bounds over m; negative if the feature is rightly removed
    epsilon_bounds : what all bounds of the node cost together, greater than 0
    n_features : p ≥ 1
    lattice : m ≥ 1, steps of a unit in which bounds are released

    Examples
    --------
    >>> pruning_probability(60, "1/40", 10)  # ε = 1, leaf share 1/2, five levels, a quarter for the bounds: scale 400
    0.42981605 (±1e-40)
    >>> float(pruning_probability(60, "5/2", 10)) < 2e-7  # a hundred times as much
    True
    """
    steps = as_integer(lattice, "lattice", minimum=1, maximum=2**62)
    features = as_integer(n_features, "n_features", minimum=1, maximum=2**62)
    above = math.floor(as_fraction(gap, "gap") * steps)
    if abs(above) > MAX_STEPS:
        raise ValueError(f"gap must be at most {MAX_STEPS} steps of the lattice, above 0 or below")
    rate = Rate(rate=as_positive_fraction(epsilon_bounds, "epsilon_bounds") / (features * steps))
    if above < 0:
        return 1 - _tail(rate, -above)
    return _tail(rate, above + 1)


def _tail(rate: Rate, k: int) -> Enclosure:
    """Pr[noise ≥ k] = Pr[noise ≤ −k] = α^k/(1 + α), for k ≥ 1."""
    return rate.power(k) / (1 + rate.power(1))
