"""What k pure releases cost together: the sum of their ε when δ = 0, and much less when a small δ is allowed.

Of all ε-DP mechanisms the worst is randomised response: any two laws P, Q within a factor e^ε of each other are what
one and the same post-processing makes of the two coins (e^ε, 1)/(1 + e^ε) and (1, e^ε)/(1 + e^ε). So the worst of k
adaptively chosen ε-DP releases is k tosses of that coin. If i of the tosses speak against P, the privacy loss is
(k − 2i)·ε, and that has probability C(k, i)·e^{(k−i)ε}/(1 + e^ε)^k. Hence (Kairouz, Oh, Viswanath 2015)

    δ(ε') = Σ_{i < (k − ε'/ε)/2}  C(k, i)·(e^{(k−i)ε} − e^{ε' + iε}) / (1 + e^ε)^k.

It is attained by every discrete Laplace release of sensitivity 1. The budgets must be fixed beforehand; where they are
chosen as one goes along, the sum of the ε is what the filter lemma gives.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

from fdpedu.accounting.lattice import LossLattice, delta_at, epsilon_at, outward
from fdpedu.accounting.parameters import as_count, as_delta, as_epsilon
from fdpedu.exact import Enclosure, Rational, as_fraction, ceil_div, ceil_shift, exp_enclosure, shown

_LOG_2 = math.log(2)


def compose_optimal(epsilon: Rational, k: int, delta: Rational) -> Enclosure:
    """The least ε' such that k releases of ε each are (ε', δ)-DP, whatever ε-DP mechanisms they are; an enclosure.

    Neighbours are those of the single releases. Rigorous at both ends; ``float()`` gives the upper end, which is
    safe. The ends differ by less than 10⁻²⁰ relative to ε.

    Claims: thm-optimal-composition

    Parameters
    ----------
    epsilon : of one release, 10⁻³⁰⁰ to 1000
    k : number of releases, 1 to 10⁶
    delta : 0, or from 10⁻³⁰⁰ to less than 1; with 0 the answer is k·ε

    Raises
    ------
    ValueError
        For parameters outside these domains.

    Examples
    --------
    >>> compose_optimal("1/4", 16, 1e-6)  # the sum would be 4
    3.9899022 (±...e-...)
    >>> compose_optimal("1/10", 30, 1e-6)
    2.3458877 (±...e-...)
    """
    each, count, allowed = as_epsilon(epsilon, "epsilon"), as_count(k), as_delta(delta, zero=True)
    if allowed == 0:
        return Enclosure.exactly(count * each)
    bits = 96 + math.ceil(1 / allowed).bit_length() + math.ceil(1 / (1 - allowed)).bit_length()
    found = epsilon_at(_losses(each, count, bits), allowed)
    assert found is not None  # what lies beyond the window is less than 2^(-bits)
    return found


def optimal_delta(epsilon: Rational, k: int, epsilon_prime: Rational) -> Enclosure:
    """The least δ such that k releases of ε each are (ε', δ)-DP, whatever ε-DP mechanisms they are; an enclosure.

    Parameters as in :func:`compose_optimal`; ``epsilon_prime`` ≥ 0. A δ below 10⁻⁶⁰⁰ may have the lower end 0.

    Claims: thm-optimal-composition

    Examples
    --------
    >>> optimal_delta("1/4", 16, 4)
    0
    >>> optimal_delta("1/4", 16, "3.98990")
    1.0002143e-6 (±...e-...)
    """
    each, count = as_epsilon(epsilon, "epsilon"), as_count(k)
    allowed = as_fraction(epsilon_prime, "epsilon_prime")
    if allowed < 0:
        raise ValueError(f"epsilon_prime must be at least 0, got {shown(allowed)}")
    if allowed >= count * each:
        return Enclosure.exactly(Fraction(0))
    for bits in (192, 640, 2240):
        found = delta_at(_losses(each, count, bits), allowed)
        if (found.upper - found.lower) * 10**20 < found.lower:
            break
    return found


def _losses(epsilon: Fraction, k: int, bits: int) -> LossLattice:
    """The privacy loss of k tosses, but for about 2^(−bits) of its mass on either side, which is bounded.

    With r = e^{−ε} the masses are a_i = C(k, i)·r^i/(1 + r)^k, and a_{i+1}/a_i = r·(k−i)/(i+1) decreases in i. So
    they are found from a window of weights w_i, with w_s = 1, divided by their sum; and what is left out is at most
    a geometric series, w_s·q/(1−q) before the window and the same after it, q the ratio of neighbours there. Where the
    window lies is Hoeffding's bound in floating point: a poor choice would only widen the enclosure.
    """
    precision = 2 * bits + 64 + k.bit_length() + 2 * math.ceil(epsilon)
    scale = 1 << precision
    ratio = outward(exp_enclosure(-epsilon, precision * 3 // 10 + 20), scale)
    mean, reach = k / (1 + math.exp(min(700.0, float(epsilon)))), math.sqrt(k * bits * _LOG_2 / 2) + bits
    start, stop = max(0, int(mean - reach)), min(k, int(mean + reach))
    weights = list(_weights(k, start, stop, ratio, precision))
    before = _series(weights[0][1], Fraction(start * scale, (k - start + 1) * ratio[0]))
    after = _series(weights[-1][1], Fraction((k - stop) * ratio[1], (stop + 1) * scale))
    low = sum(weight[0] for weight in weights)
    high = sum(weight[1] for weight in weights) + before + after
    weights[-1] = (weights[-1][0], weights[-1][1] + after)  # a larger loss than the true one: safe for upper ends
    masses = [((a << precision) // high, ceil_div(b << precision, low)) for a, b in weights]
    beyond = ceil_div(before << precision, low)
    return LossLattice((k - 2 * start) * epsilon, 2 * epsilon, scale, masses, (0, beyond))


def _weights(k: int, start: int, stop: int, ratio: tuple[int, int], precision: int) -> Iterator[tuple[int, int]]:
    """w_i for i = start, …, stop, by w_{i+1} = w_i·r·(k−i)/(i+1), rounded outwards."""
    low = high = 1 << precision
    for i in range(start, stop + 1):
        yield low, high
        low = (low * ratio[0] >> precision) * (k - i) // (i + 1)
        high = ceil_div(ceil_shift(high * ratio[1], precision) * (k - i), i + 1)


def _series(first: int, ratio: Fraction) -> int:
    """first·(q + q² + …), rounded up."""
    assert ratio < 1, "the window does not reach past the mode"
    return math.ceil(first * ratio / (1 - ratio))
