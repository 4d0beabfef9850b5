"""How far the noise of released counts reaches, enclosed: the law of a sum of releases, and what lies within ±t.

The noise of one released cell is the sum of K parties' shares, each the difference of two NB(1/m, α) numbers, m the
number of shares that make up the full noise. So it is X − Y with X and Y of the law NB(K/m, α). Of n releases at one
rate the noises add up to X − Y of NB(n·K/m, α), because negative binomials of one α add their shapes; sums of releases
at different rates are convolutions.

Weights are integers that are rounded down, and up where they make up the whole; so what is said to lie within ±t is
never more than what does. Convolutions are products of long integers, hence exact. At small rates the law would be too
long a list; there Chernoff's bound stands in, which gives a longer reach, never a shorter one.

If parties fell silent, there were fewer shares. What is missing is symmetric noise, independent of the rest, and the
rest is symmetric and unimodal; so with it, no more would lie within ±t. The reach of K shares covers all cases.

Claims: thm-count-interval
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache

from fdpedu.exact import Enclosure, Rate, ceil_div, log_enclosure

Shapes = tuple[tuple[Rate, Fraction], ...]  # for each rate, the shape of the negative binomials
_SPARE = 40  # bits beyond those of the probability that may be missed
_MAX_TERMS = 100_000  # terms of a law that is written out
_TILTS = 32  # Chernoff's bound is tried at so many exponents


def shapes_of(rates: Sequence[Rate], shares: Fraction) -> Shapes:
    """For each rate, how often it occurs times K/m.

    >>> shapes_of([Rate.of(epsilon=1), Rate.of(epsilon=1)], Fraction(5, 4))
    ((Rate(rate=Fraction(1, 1), alpha=None), Fraction(5, 2)),)
    """
    return tuple((rate, n * shares) for rate, n in Counter(rates).items())


def reach(shapes: Shapes, miss: Fraction) -> tuple[int, Enclosure]:
    """The least t with Pr[|noise| > t] ≤ miss, and what lies within ±t; at small rates a larger t.

    Claims: thm-count-interval

    >>> t, within = reach(shapes_of([Rate.of(epsilon=1)], Fraction(1)), Fraction(1, 20))
    >>> t, round(float(within), 4)
    (3, 0.9732)
    """
    bits = _SPARE + (miss.denominator // miss.numerator).bit_length()
    if sum(_terms(rate, shape, bits) for rate, shape in shapes) > _MAX_TERMS:
        t = _chernoff(shapes, miss)
        return t, Enclosure(1 - miss, Fraction(1))
    law = law_of_sum(shapes, bits)
    middle, unit = len(law) // 2, 1 << bits
    total, within, t = sum(law), law[middle], 0
    while within < (1 - miss) * unit:
        t += 1
        within += 2 * law[middle + t]  # as much as on the other side
    return t, Enclosure(Fraction(within, unit), 1 - Fraction(total - within, unit))


@lru_cache(maxsize=64)
def law_of_sum(shapes: Shapes, bits: int) -> tuple[int, ...]:
    """Lower bounds of 2^bits·Pr[noise = k] for k = −T, …, T; what they lack in all is about T units.

    >>> law = law_of_sum(shapes_of([Rate.of(alpha="1/2")], Fraction(1)), 20)
    >>> [round(law[len(law) // 2 + k] * 3 / 2**20, 3) for k in range(4)]
    [1.0, 0.5, 0.25, 0.125]
    """
    law = [1 << bits]
    for rate, shape in shapes:
        half = negative_binomial_below(rate, shape, bits)
        law = _together(law, _together(half, half[::-1], bits), bits)
    return tuple(law)


def _together(a: Sequence[int], b: Sequence[int], bits: int) -> list[int]:
    """The law of a sum, rounded down."""
    return [mass >> bits for mass in convolved(a, b)]


def negative_binomial_below(rate: Rate, shape: Fraction, bits: int) -> list[int]:
    """Lower bounds of 2^bits times the masses of NB(shape, α), shape ≥ 1, from the first that is not tiny on.

    Where the list begins does not matter for differences of two such numbers.
    """
    alpha, scale = rate.power(1, bits), bits + 32
    low = (alpha.lower.numerator << scale) // alpha.lower.denominator
    high = ceil_div(alpha.upper.numerator << scale, alpha.upper.denominator)
    mode = max(0, math.floor((float(shape) - 1) / math.expm1(min(float(rate), 700))))
    p, q = shape.numerator, shape.denominator

    def upwards(i: int, up: bool) -> tuple[int, int]:
        return (p + (mode + i) * q) * (high if up else low), q * (mode + i + 1) << scale

    def downwards(i: int, up: bool) -> tuple[int, int]:
        return q * (mode - i) << scale, (p + (mode - i - 1) * q) * (low if up else high)

    above, most_above = _side(upwards, scale, None)
    below, most_below = _side(downwards, scale, mode)
    whole = most_below + (1 << scale) + most_above
    return [(mass << bits) // whole for mass in (*below[::-1], 1 << scale, *above)]


def _side(ratio: Callable[[int, bool], tuple[int, int]], scale: int, most: int | None) -> tuple[list[int], int]:
    """The weights on one side of the mode, rounded down, up to the first that is tiny; and a bound for the sum of all.

    ``ratio(i, up)`` is that of the (i+1)-th weight to the i-th; ratios decrease, so where weights have become tiny they
    go on falling at least as fast. ``most`` is how many there are.
    """
    low = high = 1 << scale
    lows, whole = list[int](), 0
    while most is None or len(lows) < most:
        top, bottom = ratio(len(lows), True)
        if high <= 1 << 16:
            return lows, whole + ceil_div(high * top, bottom - top)
        high = ceil_div(high * top, bottom)
        top, bottom = ratio(len(lows), False)
        low = low * top // bottom
        lows.append(low)
        whole += high
    return lows, whole


def convolved(a: Sequence[int], b: Sequence[int]) -> list[int]:
    """The convolution of two lists of integers ≥ 0, exactly: the product of two long integers, digit by digit.

    >>> convolved([1, 2], [3, 0, 5])
    [3, 6, 5, 10]
    """
    bits = max(a).bit_length() + max(b).bit_length() + min(len(a), len(b)).bit_length()
    width, n = ceil_div(bits, 8), len(a) + len(b) - 1

    def packed(digits: Sequence[int]) -> int:
        return int.from_bytes(b"".join(digit.to_bytes(width, "little") for digit in digits), "little")

    product = (packed(a) * packed(b)).to_bytes(width * n, "little")
    return [int.from_bytes(product[i : i + width], "little") for i in range(0, width * n, width)]


def _terms(rate: Rate, shape: Fraction, bits: int) -> float:
    """About how many terms of the law are not tiny."""
    return (bits + math.sqrt(bits * float(shape))) / max(float(rate), 1e-30)


def _chernoff(shapes: Shapes, miss: Fraction) -> int:
    """A t with Pr[|noise| > t] ≤ 2·e^{−λt}·E e^{λ·noise} ≤ miss, for the best of several λ."""
    rates = [(rate.rate, shape) for rate, shape in shapes if rate.rate is not None]
    least = min(rate for rate, _ in rates)
    return min(_by_tilt(rates, miss, least * Fraction(i, _TILTS)) for i in range(1, _TILTS))


def _by_tilt(rates: Sequence[tuple[Fraction, Fraction]], miss: Fraction, tilt: Fraction) -> int:
    """⌈(ln E e^{λ·noise} + ln(2/miss))/λ⌉, rounded up; E e^{λZ} = ((1−α)²/((1−αe^λ)(1−αe^{−λ})))^shape."""
    total = log_enclosure(2 / miss)
    for rate, shape in rates:
        total += (_log_complement(rate) * 2 - _log_complement(rate - tilt) - _log_complement(rate + tilt)) * shape
    return math.ceil(total.upper / tilt)


def _log_complement(rate: Fraction) -> Enclosure:
    """ln(1 − e^{−rate})."""
    digits = 40 + len(str(rate.denominator // rate.numerator))
    rest = 1 - Rate(rate=rate).power(1, digits)
    return Enclosure(log_enclosure(rest.lower).lower, log_enclosure(rest.upper).upper)
