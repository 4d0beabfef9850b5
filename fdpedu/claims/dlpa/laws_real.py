"""Checks of chapter 6: real-valued shares, what rounding does to them, and data on a lattice."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import numpy as np

from fdpedu.claims.checking import require
from fdpedu.claims.dlpa.laws import coefficient
from fdpedu.claims.dlpa.laws_joint import own_sources
from fdpedu.claims.mechanisms.laws_streams import require_moments
from fdpedu.dlpa.gamma import gamma_shares, underflow_probability
from fdpedu.dlpa.lattice import lattice_sensitivity, on_lattice
from fdpedu.dlpa.real_noise import rounded_sum_loss
from fdpedu.mechanisms import discrete_laplace_pmf
from fdpedu.randomness import Rehearsal

Series = list[Fraction]


def product_of(one: Series, other: Series) -> Series:
    """The product of two power series, cut off where the first ends."""
    return [sum((one[i] * other[n - i] for i in range(n + 1)), Fraction(0)) for n in range(len(one))]


def laplace_series(m: int, most: int) -> None:
    """((1 − z)(1 + z))^{−1/m}, to the m-th power, is 1 + z² + z⁴ + …: the moments of m shares are those of Laplace.

    With z = ibt the first is the characteristic function of a share, the last that of Laplace noise of scale b.
    """
    gamma = [coefficient(n, Fraction(1, m)) for n in range(most + 1)]
    share = product_of(gamma, [(-1) ** n * c for n, c in enumerate(gamma)])
    total = [Fraction(n == 0) for n in range(most + 1)]
    for _ in range(m):
        total = product_of(total, share)
    require(total == [Fraction(n % 2 == 0) for n in range(most + 1)], f"the series of {m} shares is {total}")


def gamma_variance(scale: Fraction, n_parties: int, tolerate: int, draws: int) -> None:
    """Any K − c shares have the variance 2b², those of all K/(K − c) times as much; and the mean of |sum| is b."""
    drawn = gamma_shares(n_parties, scale, draws, Rehearsal(29), tolerate=tolerate) / float(scale)
    honest = n_parties - tolerate
    require_moments(drawn[tolerate:].sum(axis=0), 2.0, 1)
    require_moments(drawn.sum(axis=0), 2.0 * n_parties / honest, n_parties / honest)
    size = float(np.abs(drawn[:honest].sum(axis=0)).mean())
    require(abs(size - 1) <= 7 / math.sqrt(draws), f"the mean of |sum| is {size:.4g} scales, and 1 is promised")


def gamma_divisions(draws: int) -> Iterator[tuple[Fraction, int, int, int]]:
    """Scales 1/4 to 1000, 1 to 14 parties, up to two tolerated."""
    yield Fraction(2), 1, 0, draws
    yield Fraction(3), 2, 0, draws
    yield Fraction(1, 4), 5, 1, draws
    yield Fraction(1000), 14, 2, draws


def gamma_words(seed: int) -> None:
    """Each number of a share is made of words of its own, from its party's source."""
    own_sources(lambda source: gamma_shares(3, 2, 4, source, tolerate=1), seed)


def underflows(n_parties: int, draws: int) -> None:
    """Shares that are exactly 0 are as frequent as they should be: both gamma numbers are, within 7 standard errors."""
    drawn, p = gamma_shares(n_parties, 1, draws, Rehearsal(31)), underflow_probability(n_parties) ** 2
    found, spread = float((drawn == 0).mean()), math.sqrt(p * (1 - p) / drawn.size)
    require(abs(found - p) <= 7 * spread, f"{found:.5f} of all shares are 0, expected is {p:.5f} ± {spread:.1g}")


def incomplete_gamma(n_parties: int) -> None:
    """The formula is the regularised incomplete gamma function at the smallest float, taken to half of it."""
    from scipy.special import gammainc

    expected = float(gammainc(1 / n_parties, 2.0**-1074)) * 0.5 ** (1 / n_parties)
    found = underflow_probability(n_parties)
    require(abs(found - expected) <= 1e-11 * expected, f"it is {found!r}, expected {expected!r}")


def loss_within(value: Fraction, other: Fraction, k: int, epsilon: Fraction) -> None:
    """Where one party's value grows by 1, the sum of rounded noisy values loses at most ε."""
    loss = rounded_sum_loss(k, [value, other], [value + 1, other], epsilon)
    require(loss.upper <= epsilon, f"the loss at the sum {k} is {float(loss.lower):.6f}, more than {epsilon}")


def offsets(parts: int) -> Iterator[tuple[Fraction, Fraction, int, Fraction]]:
    """Values that are multiples of 1/parts, integers first; sums near them."""
    fractions = [Fraction(i, parts) for i in range(parts)]
    pairs = sorted(product(fractions, repeat=2), key=lambda pair: (sum(v != 0 for v in pair), pair))
    return ((one, other, k, Fraction(1)) for one, other in pairs for k in (0, 1, -1))


# --- Data on a lattice ---


def floors(value: Fraction, lattice: int) -> None:
    """The lattice's value is the next one below: 0 ≤ F − z/L < 1/L."""
    (z,) = on_lattice([value], lattice).tolist()
    error = value - Fraction(z, lattice)
    require(0 <= error < Fraction(1, lattice), f"{value} becomes {z}/{lattice}, which is off by {error}")


def moves(sensitivity: Fraction, lattice: int, parts: int) -> None:
    """Of all pairs of multiples of 1/parts within Δ of each other, none is more than ⌈LΔ⌉ apart; some pair is so far.

    ``parts`` is a multiple of the denominators of 1/L and of Δ; with one step more than that all residues occur.
    """
    stated = lattice_sensitivity(sensitivity, lattice)
    values = [Fraction(i, parts) for i in range(math.ceil(parts * (sensitivity + 1)) + 1)]
    z = on_lattice(values, lattice).tolist()
    reach = math.floor(sensitivity * parts)
    most = max(abs(b - a) for i, a in enumerate(z) for b in z[i : i + reach + 1])
    require(most <= stated, f"a value moves by {most}, stated are {stated}")
    require(most == stated, f"no value moves by more than {most}, stated are {stated}")
    if (lattice * sensitivity).denominator == 1:
        require(stated == lattice * sensitivity, f"stated are {stated}, and L·Δ is {lattice * sensitivity}")


def movements(most: int) -> Iterator[tuple[Fraction, int, int]]:
    """Δ of 1, 1/2, 1/4, 5/4 and 2/3, lattices from 1."""
    for lattice, delta in product(range(1, most + 1), map(Fraction, ("1", "1/2", "1/4", "5/4", "2/3"))):
        yield delta, lattice, 2 * math.lcm(lattice, delta.denominator)


def lattice_ratio(sensitivity: Fraction, lattice: int, beta: Fraction) -> None:
    """With α = β the noise of neighbours on the lattice has a ratio of at most β^{−⌈LΔ⌉} = e^ε, which occurs."""
    step = lattice_sensitivity(sensitivity, lattice)
    z = on_lattice([0, sensitivity], lattice).tolist()
    laws = [[discrete_laplace_pmf(k - centre, alpha=beta) for k in range(-9, 10)] for centre in z]
    ratios = [a / b for a, b in zip(*laws, strict=True)]
    require(max(ratios) <= beta**-step, f"the ratio is {max(ratios)}, more than {beta**-step}")
    if (lattice * sensitivity).denominator == 1:
        require(max(ratios) == beta**-step, f"the ratio is {max(ratios)} only, not {beta**-step}")
