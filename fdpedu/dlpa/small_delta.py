"""For a small δ: sums of discrete Gaussian shares, and which noise is the cheapest where.

A sum of m discrete Gaussian shares of variance σ²/m has another law than one discrete Gaussian number of variance σ².
But the two are very close, at every value: :func:`gaussian_sum_distance` bounds the logarithm of their ratio by θ. So
what holds for the one holds for the other, with ε + 2θ in the place of ε and e^θ·δ in the place of δ.

(The variance of a discrete Gaussian law means its parameter σ², as in :mod:`fdpedu.mechanisms`; the true variance is a
little less.)

Guarantee: (ε, δ) against outsiders and at most ``tolerate`` insiders. Arithmetic: integers in the shares, enclosures in
θ and δ. :func:`noise_needed` computes in floats and is for planning.

Claims: thm-gaussian-sum
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from fdpedu.accounting import compose_optimal
from fdpedu.dlpa.real_noise import PI
from fdpedu.dlpa.shares import count_noise_shares
from fdpedu.exact import (
    Enclosure,
    Rational,
    as_fraction,
    as_integer,
    as_list,
    as_positive_fraction,
    exp_enclosure,
    log_enclosure,
    shown,
)
from fdpedu.mechanisms import discrete_gaussian, discrete_gaussian_delta
from fdpedu.randomness import Rng, as_source

Floats = NDArray[np.float64]

_ORDERS = 1 + np.geomspace(1 / 50, 10**6, 600)


def discrete_gaussian_shares(
    n_parties: int, variance: Rational, size: int = 1, rng: Rng = None, *, tolerate: int = 0
) -> NDArray[np.int64]:
    """The discrete Gaussian shares of all parties, shape (n_parties, size), each of variance σ²/(n_parties − tolerate).

    Claims: thm-gaussian-sum

    Parameters
    ----------
    n_parties : K ≥ 1
    variance : σ² of the noise that any n_parties − tolerate shares make up, nearly; σ²/m is at least 1/4
    size : how many numbers each party's share has
    rng : None for the operating system's entropy; a generator is for teaching, and warns
    tolerate : 0 ≤ c < K, how many colluders or drop-outs the noise withstands

    Examples
    --------
    >>> from fdpedu.randomness import ZeroWords
    >>> discrete_gaussian_shares(2, 8, 3, ZeroWords()).tolist()
    [[0, 0, 0], [0, 0, 0]]
    """
    share = _share_variance(count_noise_shares(n_parties, tolerate), variance)
    zeros = np.zeros(as_integer(size, "size", minimum=0, maximum=2**32), dtype=np.int64)
    return np.array([discrete_gaussian(zeros, 1 / (2 * share), source) for source in as_source(rng).spawn(n_parties)])


def gaussian_sum_distance(n_shares: int, variance: Rational) -> Enclosure:
    """θ: the sum of m discrete Gaussian shares has e^{±θ} times the mass of one discrete Gaussian law, at every value.

    θ = Σ_{k<m} ln((1 + q_k)/(1 − q_k)) with q_k = 2·Σ_{n≥1} e^{−2π²sn²}, where s = (σ²/m)·k/(k + 1).

    Claims: thm-gaussian-sum

    Parameters
    ----------
    n_shares : m from 1 to 1000
    variance : σ² of the sum; a share's σ²/m is at least 1/4

    Examples
    --------
    >>> gaussian_sum_distance(5, 10)
    1.0716638e-8 (±...e-...)
    """
    m = as_integer(n_shares, "n_shares", minimum=1, maximum=1000)
    share = _share_variance(m, variance)
    steps = (_added(share * k / (k + 1)) for k in range(1, m))
    return Enclosure.sum(steps)


def gaussian_sum_delta(epsilon: Rational, n_shares: int, variance: Rational) -> Enclosure:
    """A δ for which the sum of discrete Gaussian shares is (ε, δ)-DP, for a count: sensitivity 1.

    It is e^θ times the least δ of the discrete Gaussian law at ε − 2θ; its upper end is a guarantee.

    Claims: thm-gaussian-sum

    Parameters
    ----------
    epsilon : more than 2θ, read exactly
    n_shares : m from 1 to 1000
    variance : σ² of the sum; a share's σ²/m is at least 1/4

    Examples
    --------
    >>> gaussian_sum_delta(1, 5, 20)
    3.04...e-7 (±...e-...)
    """
    theta, eps = gaussian_sum_distance(n_shares, variance), as_fraction(epsilon, "epsilon")
    left = eps - 2 * theta.rounded(64).upper
    if left <= 0:
        raise ValueError(f"epsilon must be more than 2θ, about {float(2 * theta.upper):.3g}, got {shown(eps)}")
    delta = discrete_gaussian_delta(left, 1 / (2 * as_positive_fraction(variance, "variance")))
    return Enclosure(delta.lower, exp_enclosure(theta.rounded(64).upper).upper * delta.upper)


def _added(s: Fraction) -> Enclosure:
    """ln((1 + q)/(1 − q)) with q = 2·Σ_{n≥1} e^{−2π²sn²}; all terms from the fourth on are less than the third."""
    square = PI * PI * (2 * s)
    terms = [_power(square * (n * n)) for n in (1, 2, 3)]
    total = Enclosure.sum(terms) * 2
    q = Enclosure(total.lower, total.upper + 2 * terms[-1].upper)
    low, high = (log_enclosure((1 + end) / (1 - end), 60) for end in (q.lower, q.upper))
    return Enclosure(low.lower, high.upper)


def _power(exponent: Enclosure) -> Enclosure:
    """e^{−x}; far out merely between 0 and e^{−5000}."""
    low, high = (exp_enclosure(-min(end, Fraction(5000)), 60) for end in (exponent.upper, exponent.lower))
    return Enclosure(low.lower if exponent.upper <= 5000 else Fraction(0), high.upper)


def _share_variance(n_shares: int, variance: Rational) -> Fraction:
    share = as_positive_fraction(variance, "variance") / n_shares
    if share < Fraction(1, 4):
        raise ValueError(f"variance must be at least 1/4 for each share, got {shown(share)}")
    return share


# --- Which noise is the cheapest ---


@dataclass(frozen=True)
class NoiseNeeded:
    """The variances of three kinds of noise that keep the same (ε, δ), as floats.

    Parameters
    ----------
    polya : discrete Laplace noise from Pólya shares, by optimal composition
    skellam : Skellam noise, by its Rényi divergences, which are summed up
    gaussian : discrete Gaussian shares, by zCDP and the distance of their sum
    """

    polya: float
    skellam: float
    gaussian: float

    @property
    def cheapest(self) -> str:
        """The name of the smallest."""
        return min(("polya", "skellam", "gaussian"), key=lambda name: float(getattr(self, name)))


def noise_needed(epsilon: Rational, delta: Rational, releases: int, *, n_shares: int = 5) -> NoiseNeeded:
    """The variance that each of so many releases of a count needs, so that all together are (ε, δ)-DP.

    For planning: in floats. Pólya's composition is exact; the other two are converted from divergences, which costs
    them some percent.

    Parameters
    ----------
    epsilon : of all releases together, from 1/100 to 20
    delta : from 10⁻¹⁵ to 1/10
    releases : k from 1 to 1000, each of sensitivity 1
    n_shares : how many shares make up the noise, 1 to 1000; it matters for discrete Gaussian shares only

    Examples
    --------
    >>> noise_needed(1, 1e-6, 1).cheapest, noise_needed(1, 1e-6, 100).cheapest
    ('polya', 'skellam')
    """
    eps, small = as_fraction(epsilon, "epsilon"), as_fraction(delta, "delta")
    if not Fraction(1, 100) <= eps <= 20 or not Fraction(1, 10**15) <= small <= Fraction(1, 10):
        raise ValueError(
            f"epsilon must be from 1/100 to 20 and delta from 1e-15 to 1/10, got {shown(eps)}, {shown(small)}"
        )
    k = as_integer(releases, "releases", minimum=1, maximum=1000)
    m = as_integer(n_shares, "n_shares", minimum=1, maximum=1000)
    target, log_delta = float(eps), math.log(small)
    rate = 1 / _least(lambda scale: float(compose_optimal(_decimal(1 / scale), k, small)) <= target, 1 / target)
    return NoiseNeeded(
        polya=1 / (2 * math.sinh(rate / 2) ** 2),
        skellam=_least(lambda x: _skellam_epsilon(x, k, log_delta) <= target, 1e-3),
        gaussian=_least(lambda x: _gaussian_epsilon(x, k, m, log_delta) <= target, m / 4),
    )


def noise_map(
    epsilon: Rational, deltas: Iterable[Rational], releases: Iterable[int], *, n_shares: int = 5
) -> list[list[NoiseNeeded]]:
    """:func:`noise_needed` for every δ (a row each) and every number of releases (a column each).

    >>> [[needed.cheapest for needed in row] for row in noise_map(1, [1e-9, 1e-3], [1, 100])]
    [['polya', 'skellam'], ['polya', 'skellam']]
    """
    rows, columns = as_list(deltas, "deltas"), as_list(releases, "releases")
    return [[noise_needed(epsilon, delta, k, n_shares=n_shares) for k in columns] for delta in rows]


def _least(enough: Callable[[float], bool], start: float) -> float:
    """The least x ≥ start that is enough, to 10⁻⁶ of it; ``enough`` is increasing."""
    if enough(start):
        return start
    low, high = start, 2 * start
    while not enough(high):
        low, high = high, 2 * high
    while high - low > 1e-6 * high:
        middle = math.sqrt(low * high)
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _decimal(x: float) -> Fraction:
    return Fraction(f"{x:.12g}")


def _converted(orders: Floats, divergence: Floats, log_delta: float) -> float:
    """The best ε of all orders (Canonne, Kamath, Steinke 2020, Proposition 12)."""
    return float((divergence + np.log1p(-1 / orders) - (log_delta + np.log(orders)) / (orders - 1)).min())


def _skellam_epsilon(x: float, k: int, log_delta: float) -> float:
    """From D_α = ln(Σ P^α·Q^{1−α})/(α − 1), summed up at thirty orders; in between D_α/α hardly changes."""
    law = _skellam_logs(x)
    one, other = law[1:], law[:-1]
    coarse = 1 + np.geomspace(1 / 50, 4 * math.sqrt(x) + 20, 30)
    powers = coarse[:, None] * (one - other) + other
    most = powers.max(axis=1)
    slopes = (np.log(np.exp(powers - most[:, None]).sum(axis=1)) + most) / (coarse * (coarse - 1))
    orders = _ORDERS[coarse[-1] >= _ORDERS]
    return _converted(orders, k * orders * np.interp(orders, coarse, slopes), log_delta)


def _skellam_logs(x: float) -> Floats:
    """ln Pr[k] for k = −n, …, n, by the recurrence of the ratios."""
    last = math.ceil(17 * math.sqrt(x)) + 60
    ratios, ratio = np.empty(2 * last), 0.0
    for k in range(2 * last, 0, -1):
        ratio = 1 / (2 * k / x + ratio)
        ratios[k - 1] = ratio
    side = np.cumsum(np.log(ratios[:last]))
    law = np.concatenate([side[::-1], [0.0], side])
    return np.asarray(law - math.log(np.exp(law).sum()))


def _gaussian_epsilon(x: float, k: int, m: int, log_delta: float) -> float:
    """By zCDP with ρ = k/(2σ²) at δ·e^{−kθ}, and 2kθ more."""
    s = x / m * np.arange(1, m, dtype=np.int64) / np.arange(2, m + 1, dtype=np.int64)
    q = 2 * sum(np.exp(-2 * np.pi**2 * s * n * n) for n in (1, 2, 3, 4))
    theta = float(np.log((1 + q) / (1 - q)).sum())
    return _converted(_ORDERS, k * _ORDERS / (2 * x), log_delta - k * theta) + 2 * k * theta
