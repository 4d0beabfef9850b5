"""Geometric laws, one-sided and two-sided, and their digits.

A geometric number, Pr[k] = (1−α)α^k on k = 0, 1, 2, …, decays slowly when α is near 1, and would need a long table. But
its digits in any base M are independent: k = low + M·high gives α^k = α^low·(α^M)^high, a product. So a long table
becomes two or three short ones, and the highest digit is geometric again, with α^M.

The two-sided law, Pr[k] = (1−α)/(1+α)·α^|k|, is a geometric number g and a sign: k = g with probability 1/(1+α), and
k = −1−g otherwise. The sign goes into the highest digit's table, so it costs nothing.
"""

from __future__ import annotations

import math
from functools import lru_cache, partial

from fdpedu.exact import LOG_2_ROUNDED_UP, Integers, Rate, ceil_div, ceil_shift
from fdpedu.randomness import Source
from fdpedu.sampling.alias import sample
from fdpedu.sampling.law import Bounds, Law

_BASE = 1023  # with the residual a table of 1024 columns
_LEAST_RATE = 2.0**-40
_MIN_DECAY = 2.0**-7  # a slower decay is written in digits
_MAX_DIGIT = 4095
_TAIL_BITS = 24  # what lies beyond the table is met about once in 2**24 draws, and goes the slow way


def _terms(decay: float, sides: int = 1) -> int:
    return max(2, min(_MAX_DIGIT, int(sides * (_TAIL_BITS * LOG_2_ROUNDED_UP / decay + 1))))


@lru_cache(maxsize=256)
def geometric_law(rate: Rate, stride: int = 1) -> Law:
    """Pr[k] = (1−β)β^k on k = 0, 1, 2, … with β = α^stride, where α = e^{−rate}."""
    return Law(partial(_geometric_bounds, rate, stride), terms=_terms(float(rate) * stride))


def _geometric_bounds(rate: Rate, stride: int, n: int, bits: int) -> Bounds:
    """F(k) = 1 − β^{k+1}, enclosed."""
    low, high, scale = _powers(rate, stride, n, bits)
    shift, one = scale - bits, 1 << scale
    return [(one - p) >> shift for p in high], [ceil_shift(one - p, shift) for p in low]


@lru_cache(maxsize=256)
def geometric_digit_law(rate: Rate, stride: int, base: int) -> Law:
    """Pr[k] ∝ β^k on k = 0, …, base−1 with β = α^stride: one digit of a geometric number written in that base."""
    return Law(partial(_digit_bounds, rate, stride, base), terms=base, last=base - 1)


def _digit_bounds(rate: Rate, stride: int, base: int, n: int, bits: int) -> Bounds:
    """F(k) = (1 − β^{k+1})/(1 − β^base), enclosed for all k, however many are asked for."""
    low, high, scale = _powers(rate, stride, base, bits)
    one = 1 << scale
    most, least = one - low[-1], one - high[-1]  # 1 − β^base, enclosed
    lower = [((one - p) << bits) // most for p in high[:-1]]
    upper = [min(ceil_div((one - p) << bits, least), 1 << bits) for p in low[:-1]]
    return [*lower, 1 << bits], [*upper, 1 << bits]


def _powers(rate: Rate, stride: int, n: int, bits: int) -> tuple[list[int], list[int], int]:
    """β, β², …, βⁿ as integers that enclose 2^scale·β^k, with β = α^stride and scale some 64 bits beyond ``bits``."""
    smallness = max(0, -math.frexp(float(rate) * stride)[1])  # 1 − β needs as many bits more
    scale = bits + 64 + n.bit_length() + 2 * smallness
    beta = rate.power(stride, digits=scale // 3 + 10)
    low_beta = (beta.lower.numerator << scale) // beta.lower.denominator
    high_beta = ceil_div(beta.upper.numerator << scale, beta.upper.denominator)
    low, high = [low_beta], [high_beta]
    for _ in range(n - 1):
        low.append(low[-1] * low_beta >> scale)
        high.append(ceil_shift(high[-1] * high_beta, scale))
    return low, high, scale


@lru_cache(maxsize=256)
def two_sided_law(rate: Rate, stride: int = 1) -> Law:
    """A sign and a digit: g ≥ 0 with probability (1−β)β^g/(1+α), and −1−g with α times that, where β = α^stride.

    In the order 0, −1, 1, −2, 2, …: F(2g+1) = 1 − β^{g+1} and F(2g) = 1 − β^g·(α+β)/(1+α).
    """
    return Law(partial(_two_sided_bounds, rate, stride), terms=_terms(float(rate) * stride, sides=2), value=_signed)


def _signed(index: int) -> int:
    """0, −1, 1, −2, 2, …"""
    return -1 - index // 2 if index % 2 else index // 2


def _two_sided_bounds(rate: Rate, stride: int, n: int, bits: int) -> Bounds:
    low, high, scale = _powers(rate, stride, n // 2 + 1, bits)
    (low_alpha,), (high_alpha,), alpha_scale = _powers(rate, 1, 1, scale)
    one, shift = 1 << scale, scale - bits
    a_low = low_alpha >> (alpha_scale - scale)
    a_high = ceil_shift(high_alpha, alpha_scale - scale)
    least = ((a_low + low[0]) << scale) // (one + a_low)  # (α+β)/(1+α), enclosed
    most = ceil_div((a_high + high[0]) << scale, one + a_high)
    low, high = [one, *low], [one, *high]
    lower, upper = [], []
    for index in range(n):
        g = index // 2
        if index % 2:
            lower.append((one - high[g + 1]) >> shift)
            upper.append(ceil_shift(one - low[g + 1], shift))
        else:
            beyond_low, beyond_high = low[g] * least >> scale, ceil_shift(high[g] * most, scale)
            lower.append(max(0, one - beyond_high) >> shift)
            upper.append(ceil_shift(one - beyond_low, shift))
    return lower, upper


def require_drawable(rate: Rate) -> None:
    """Refuse what is no :class:`Rate`, and noise that would not fit 64-bit integers."""
    if type(rate) is not Rate:
        raise ValueError(f"rate must be a Rate, got {type(rate).__name__}")
    if float(rate) < _LEAST_RATE:
        raise ValueError("epsilon/sensitivity must be at least 2**-40, so that the noise fits 64-bit integers")


def low_digits(rate: Rate, size: int, source: Source) -> tuple[Integers | None, int]:
    """The lower digits of a slowly decaying geometric number, as one number, and the stride of the highest digit."""
    require_drawable(rate)
    low, stride = None, 1
    # thm-alias-table (4): digits of a geometric number are independent, and the rest is geometric with α^stride
    while float(rate) * stride < _MIN_DECAY:
        digit = stride * sample(geometric_digit_law(rate, stride, _BASE), size, source)
        low = digit if low is None else low + digit
        stride *= _BASE
    return low, stride


def geometric(rate: Rate, size: int, source: Source) -> Integers:
    """Independent exact geometric numbers, Pr[k] = (1−α)α^k for k = 0, 1, 2, …, with α = e^{−rate}.

    Examples
    --------
    >>> from fdpedu.randomness import ZeroWords
    >>> geometric(Rate.of(epsilon="1/1000000"), 4, ZeroWords()).tolist()
    [0, 0, 0, 0]
    """
    low, stride = low_digits(rate, size, source)
    high = sample(geometric_law(rate, stride), size, source)
    return high if low is None else low + stride * high


def two_sided_geometric(rate: Rate, size: int, source: Source) -> Integers:
    """Independent exact integers with Pr[k] = (1−α)/(1+α)·α^|k|, α = e^{−rate}: the discrete Laplace law.

    Examples
    --------
    >>> from fdpedu.randomness import ZeroWords
    >>> two_sided_geometric(Rate.of(epsilon="1/1000000"), 4, ZeroWords()).tolist()
    [0, 0, 0, 0]
    """
    low, stride = low_digits(rate, size, source)
    top = sample(two_sided_law(rate, stride), size, source)
    if low is None:
        return top
    sign = top >> 63  # −1 − g is g with all bits flipped
    return (low + stride * (top ^ sign)) ^ sign
