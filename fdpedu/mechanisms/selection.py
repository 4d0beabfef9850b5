"""Choosing the best of several candidates, privately: exponential mechanism, permute-and-flip, report-noisy-max.

Each candidate r has a utility u_r. A record changes every utility by at most Δ. Where it can only raise them all, or
only lower them all (``monotone=True``: counts, and minus n times an impurity), half of the noise is enough. All three
mechanisms are governed by one number, the *base* α of their coins: α = e^{−ε/(2Δ)}, or e^{−ε/Δ} for monotone utilities.

- exponential: candidate r with probability ∝ α^{u* − u_r}, where u* is the largest utility;
- permute-and-flip: go through the candidates in random order; take r if its coin, of probability α^{u* − u_r}, shows
  heads. These probabilities are fixed beforehand, and the best candidate's coin always shows heads;
- report-noisy-max: add a geometric number, Pr[k] = (1−α)α^k, to every utility; the largest wins, ties go to the first.

Claims: thm-exponential, thm-exponential-monotone, thm-permute-and-flip, thm-report-noisy-max
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from fdpedu.exact import Enclosure, Integers, Rational, as_fraction, as_integer, exp_enclosure, log_enclosure
from fdpedu.mechanisms.utilities import Utilities
from fdpedu.mechanisms.weights import Probability, Weights, drawn
from fdpedu.randomness import Rng, Source, uniform_below


def exponential(
    utilities: Sequence[Any],
    epsilon: Rational | None = None,
    rng: Rng = None,
    *,
    sensitivity: Rational = 1,
    monotone: bool = False,
    alpha: Rational | None = None,
    size: int | None = None,
) -> Any:
    """Choose an index with probability ∝ α^{u* − u_r}, exactly; an int, or ``size`` independent ones as an array.

    Contract: the caller answers for ``sensitivity`` and ``monotone``, on every pair of neighbours. If ``monotone`` is
    said and is not true, the loss may be up to twice ε.

    Claims: thm-exponential, thm-exponential-monotone

    Parameters
    ----------
    utilities : at least one rational number, read exactly: a list, or a NumPy array
    epsilon : greater than 0, read exactly (or give ``alpha``)
    rng : None for the operating system's entropy; a generator is for teaching, and warns
    sensitivity : Δ > 0, rational: the most by which one record changes a utility
    monotone : whether a record that is added changes all utilities in the same direction
    alpha : in place of ``epsilon``, the base of the coins itself, a fraction in (0, 1): then utilities must be
        integers, and neither ``sensitivity`` nor ``monotone`` may be given
    size : how many independent choices, ≥ 0; None for a single int

    Examples
    --------
    >>> from fdpedu.randomness import ZeroWords
    >>> exponential([3, 9, 4], 1, ZeroWords())
    1
    """
    weights = Weights(utilities, epsilon, alpha, sensitivity, monotone)
    return drawn(weights.choose, size, rng)


def exponential_pmf(
    utilities: Sequence[Any],
    epsilon: Rational | None = None,
    *,
    sensitivity: Rational = 1,
    monotone: bool = False,
    alpha: Rational | None = None,
) -> list[Probability]:
    """The probability of each candidate: fractions when ``alpha`` is given, enclosures when ``epsilon`` is.

    Claims: exponential-without-two

    >>> exponential_pmf([2, 1, 1], alpha="1/2")
    [Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)]
    """
    weights = Weights(utilities, epsilon, alpha, sensitivity, monotone).all()
    total = sum(weights[1:], weights[0])
    return [weight / total for weight in weights]


def permute_and_flip(
    utilities: Sequence[Any],
    epsilon: Rational | None = None,
    rng: Rng = None,
    *,
    sensitivity: Rational = 1,
    monotone: bool = False,
    alpha: Rational | None = None,
    size: int | None = None,
) -> Any:
    """Go through the candidates in random order and take the first whose coin, α^{u* − u_r}, shows heads.

    Parameters and contract as for :func:`exponential`. Never a larger expected error than that.

    All coins are flipped beforehand. Of those that show heads each comes first in a random order equally often.

    Claims: thm-permute-and-flip

    Examples
    --------
    >>> from fdpedu.randomness import ZeroWords
    >>> permute_and_flip([3, 9, 9], 1, ZeroWords())
    1
    """
    weights = Weights(utilities, epsilon, alpha, sensitivity, monotone)

    def draw(n: int, source: Source) -> Integers:
        heads = weights.flip(n, source)
        # thm-permute-and-flip: the best candidate's coin always shows heads, so the count is at least 1
        count = np.count_nonzero(heads, axis=1)
        turn = np.zeros(n, dtype=np.int64)
        turn[count > 1] = uniform_below(count[count > 1], source)
        place = np.argmax(np.cumsum(heads, axis=1, dtype=np.int64) > turn[:, None], axis=1)
        return np.asarray(weights.in_row(place), dtype=np.int64)

    return drawn(draw, size, rng, width=len(weights))


def permute_and_flip_pmf(
    utilities: Sequence[Any],
    epsilon: Rational | None = None,
    *,
    sensitivity: Rational = 1,
    monotone: bool = False,
    alpha: Rational | None = None,
) -> list[Probability]:
    """The probability of each candidate: p_r·∫₀¹ Π_{s≠r} (1 − t·p_s) dt, where p_r = α^{u* − u_r}.

    A random order is a random time of arrival, uniform on [0, 1], for each candidate. If r arrives at t, another s has
    not been taken before it with probability 1 − t·p_s.

    Claims: lem-permute-and-flip-dominates

    >>> permute_and_flip_pmf([1, 0], alpha="1/2")  # exponential: 2/3, 1/3
    [Fraction(3, 4), Fraction(1, 4)]
    """
    weights = Weights(utilities, epsilon, alpha, sensitivity, monotone).all()
    law = []
    for r, p in enumerate(weights):
        polynomial: list[Any] = [Fraction(1)]  # Π (1 − t·p_s), the coefficient of t^k at k
        for s, q in enumerate(weights):
            if s != r:
                polynomial = [a - q * b for a, b in zip([*polynomial, 0], [0, *polynomial], strict=True)]
        parts = [coefficient * Fraction(1, k + 1) for k, coefficient in enumerate(polynomial)]
        law.append(p * sum(parts[1:], parts[0]))
    return law


def permute_and_flip_as_described(utilities: Sequence[Any], *, alpha: Rational) -> list[Fraction]:
    """The law that Vos et al. describe: "new probabilities assigned" after each coin that shows tails.

    Read as: the coin of r has probability w_r/Σw, with w = α^{u* − u} and the sum over those not yet refused.

    Claims: permute-and-flip-as-described-by-vos
    """
    weights = [Fraction(w) for w in Weights(utilities, None, alpha, 1, False).all()]

    def choose(waiting: tuple[int, ...]) -> dict[int, Fraction]:
        law: dict[int, Fraction] = {}
        total = sum((weights[s] for s in waiting), Fraction(0))
        for r in waiting:
            coin, turn = weights[r] / total, Fraction(1, len(waiting))
            law[r] = law.get(r, Fraction(0)) + turn * coin
            rest = tuple(s for s in waiting if s != r)
            for s, mass in (choose(rest) if rest else {}).items():
                law[s] = law.get(s, Fraction(0)) + turn * (1 - coin) * mass
        return law

    law = choose(tuple(range(len(weights))))
    return [law[r] for r in range(len(weights))]


def report_noisy_max(
    utilities: Sequence[int],
    epsilon: Rational | None = None,
    rng: Rng = None,
    *,
    sensitivity: int = 1,
    monotone: bool = False,
    alpha: Rational | None = None,
    size: int | None = None,
) -> Any:
    """The index of the largest utility + geometric noise; ties go to the first. Only the index is released.

    Parameters and contract as for :func:`exponential`, with integer utilities and an integer sensitivity.

    Claims: thm-report-noisy-max

    Examples
    --------
    >>> from fdpedu.randomness import ZeroWords
    >>> report_noisy_max([3, 9, 4], 1, ZeroWords())
    1
    """
    weights = Weights(utilities, epsilon, alpha, sensitivity, monotone)
    scaled = weights.integers()

    def draw(n: int, source: Source) -> Integers:
        # thm-report-noisy-max: the index only, and ties to the first
        return np.argmax(scaled + weights.noise(n, source), axis=1).astype(np.int64)

    return drawn(draw, size, rng, width=scaled.size)


def report_noisy_max_pmf(
    utilities: Sequence[int],
    epsilon: Rational | None = None,
    *,
    sensitivity: int = 1,
    monotone: bool = False,
    alpha: Rational | None = None,
) -> list[Probability]:
    """The probability that each candidate wins: Σ_z Pr[u_r + noise = z]·Π_s Pr[u_s + noise ≤ z] (< z for s before r).

    From the largest utility on, each factor is 1 − α^{z − u_s + 1} or 1 − α^{z − u_s}; the product is a polynomial in
    α^z and the sum over z geometric, so for rational α it is an exact fraction.

    >>> report_noisy_max_pmf([1, 0], alpha="1/2")
    [Fraction(5, 6), Fraction(1, 6)]
    """
    weights = Weights(utilities, epsilon, alpha, sensitivity, monotone)
    scaled = weights.integers().tolist()
    law = []
    for r, own in enumerate(scaled):
        # None wins below the largest utility; at z = top + j: own noise z − own, the others at most (or less than) z.
        polynomial: list[Any] = [Fraction(0), (1 - weights.unit(1)) * weights.unit(max(scaled) - own)]
        for s, other in enumerate(scaled):
            if s != r:
                factor = weights.unit(max(scaled) - other + (1 if s > r else 0))
                polynomial = [a - factor * b for a, b in zip([*polynomial, 0], [0, *polynomial], strict=True)]
        parts = [c / (1 - weights.unit(k)) for k, c in enumerate(polynomial) if k]
        law.append(sum(parts[1:], parts[0]))
    return law


def expected_error(pmf: Sequence[Any], utilities: Sequence[Any]) -> Any:
    """max u − Σ pmf_r·u_r: how much utility the choice gives away, on average.

    >>> expected_error(exponential_pmf([2, 1, 1], alpha="1/2"), [2, 1, 1])
    Fraction(1, 2)
    """
    gaps = Utilities(utilities).gaps
    if not isinstance(pmf, Sequence) or len(pmf) != len(gaps):
        raise ValueError(f"pmf must be a list of {len(gaps)} probabilities, one for each utility")
    masses = [p if isinstance(p, Enclosure) else as_fraction(p, "pmf") for p in pmf]
    parts: list[Any] = [p * gap for p, gap in zip(masses, gaps, strict=True)]
    return sum(parts[1:], parts[0])


def leaf_error_constant(classes: int) -> Enclosure:
    """max over 0 < p < 1 of 2·ln(1/p)·(1 − (1 − (1−p)^K)/(K·p)), the constant of Vos et al., Corollary 1.

    The worst expected error of permute-and-flip on K utilities of sensitivity 1 is this constant over ε (half of it for
    monotone ones, such as class counts). For two classes the function is p·ln(1/p), and the constant 1/e.

    Claims: lem-leaf-error

    >>> leaf_error_constant(2)
    0.36787944 (±2e-40)
    """
    k = as_integer(classes, "classes", minimum=2)
    if k > 100:
        raise ValueError(f"classes must be at most 100, got {k}")
    if k == 2:
        return exp_enclosure(Fraction(-1))

    def log(p: Fraction) -> Enclosure:
        return -log_enclosure(p, 20)

    def rising(p: Fraction) -> Fraction:
        """1 − (1 − (1−p)^K)/(K·p), which rises with p, while ln(1/p) falls."""
        return 1 - (1 - (1 - p) ** k) / (k * p)

    def ceiling(a: Fraction, b: Fraction) -> Fraction:
        """At least the function on [a, b]; on [0, b] it is at most (K−1)·p·ln(1/p), which rises up to 1/e."""
        return 2 * log(a).upper * rising(b) if a else (k - 1) * b * log(b).upper

    ends = [Fraction(0), *(Fraction(1, 2**i) for i in range(16, -1, -1))]
    best, cells = Fraction(0), [(-ceiling(a, b), a, b) for a, b in itertools.pairwise(ends)]
    heapq.heapify(cells)
    while -cells[0][0] - best > Fraction(1, 10**5):
        _, a, b = heapq.heappop(cells)
        middle = Fraction(math.floor((a + b) / 2 * 2**40), 2**40)
        best = max(best, 2 * log(middle).lower * rising(middle))
        for cell in ((a, middle), (middle, b)):
            heapq.heappush(cells, (-ceiling(*cell), *cell))
    return Enclosure(best, -cells[0][0])
