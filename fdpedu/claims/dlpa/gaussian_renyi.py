# Longer than 400 lines because one lemma on sums of shares is checked in seven ways, each with a bug that it sees.
"""What sums of discrete Gaussian shares cost in Rényi divergence, and how far they reach."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

from fdpedu.accounting.cost import Cost
from fdpedu.claims.checking import require
from fdpedu.claims.dependence import require_own_words
from fdpedu.claims.dlpa.skellam import HONEST, INTEGERS
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.replay import patched, require_joint_law, require_law
from fdpedu.dlpa.gaussian_noise import (
    GaussianNoise,
    by_rule,
    gaussian_noise,
    gaussian_reach,
    gaussian_share,
    sub_gaussian_reach,
)
from fdpedu.dlpa.small_delta import gaussian_sum_distance
from fdpedu.exact import ceil_div, log_enclosure
from fdpedu.mechanisms import discrete_gaussian_pmf

Shifts = tuple[int, ...]  # by how much neighbours differ, cell by cell

RATIO_BITS = 160
TINY = Fraction(1, 10**20)
VECTORS: tuple[Shifts, ...] = ((1,), (1, 1), (2,), (1, 2), (0, 1))


@lru_cache(maxsize=64)
def sum_of_shares(shares: tuple[Fraction, ...], far: int) -> tuple[list[int], list[int], int]:
    """The law of a sum of numbers from −far to far, by convolution of integers: rounded down and up, and the unit.

    The unit is so small that the last of these probabilities has 200 bits.
    """
    bits = 200 + math.ceil(Fraction(3, 4) * far * far / sum(shares))  # e^{−far²/(2·Σ shares)} has less than these
    low, high = one_number(shares[0], far, bits)
    for share in shares[1:]:
        lows, highs = one_number(share, far, bits)
        for below, above in ((lows, highs), (low, high)):
            # A log-concave law: once a mass is less than half the one before, less than it lies beyond, on each side.
            assert any(2 * b < a for b, a in zip(above[:far], below[1:], strict=False)), f"{far} is not far enough"
        beyond = 2 * (highs[0] + high[0])
        low = [x >> bits for x in convolved(low, lows)[far:-far]]
        high = [ceil_div(x, 1 << bits) + beyond for x in convolved(high, highs)[far:-far]]
    return low, high, bits


def one_number(share: Fraction, far: int, bits: int) -> tuple[list[int], list[int]]:
    """The law of one number from −far to far, in units of 2^−bits, rounded down and up."""
    side = [discrete_gaussian_pmf(k, 1 / (2 * share)) for k in range(far + 1)]
    one = [*side[:0:-1], *side]
    return [math.floor(p.lower * 2**bits) for p in one], [math.ceil(p.upper * 2**bits) for p in one]


def convolved(one: list[int], other: list[int]) -> list[int]:
    """Σ_j one[j]·other[i − j] for every i, as one product of long integers in which each number has its own digits."""
    width = (max(one).bit_length() + max(other).bit_length() + len(one).bit_length()) // 8 + 1
    long, longer = (
        int.from_bytes(b"".join(x.to_bytes(width, "little") for x in numbers), "little") for numbers in (one, other)
    )
    count = len(one) + len(other) - 1
    digits = (long * longer).to_bytes(width * count, "little")
    return [int.from_bytes(digits[width * i : width * (i + 1)], "little") for i in range(count)]


@lru_cache(maxsize=4096)
def least_divergence(order: int, m: int, share: Fraction, shift: int) -> Fraction:
    """At least (almost equal to) ln(Σ P^λ·Q^{1−λ})/(λ − 1) of one cell, P and Q being ``shift`` apart."""
    far = order * shift + 10 * math.isqrt(math.ceil(m * share)) + 10
    low, high, bits = sum_of_shares((share,) * m, far)
    total = 0
    for k in range(-far + shift, far + 1):
        p, q = low[far + k], high[far + k - shift]
        total += p * ((p << RATIO_BITS) // q) ** (order - 1)
    return log_enclosure(Fraction(total, 1 << (bits + RATIO_BITS * (order - 1)))).lower / (order - 1)


def of_vector(order: int, m: int, share: Fraction, shifts: Shifts) -> Fraction:
    """The same of a whole answer: cells are independent, so their divergences add up."""
    return sum((least_divergence(order, m, share, shift) for shift in shifts if shift), Fraction(0))


def divergence(order: int, m: int, share: Fraction, shifts: Shifts) -> None:
    """The divergence of an answer with sums of m shares is at most λΔ²/(2mv) + 3·n₀·θ; with one share it is the first.

    Parameters
    ----------
    order : λ ≥ 2, whole
    m, share : how many shares make up the noise, and v
    shifts : how far apart the answers of neighbours are, cell by cell
    """
    found, cells = of_vector(order, m, share, shifts), sum(1 for shift in shifts if shift)
    plain = order * sum(shift * shift for shift in shifts) / (2 * m * share)
    bound = plain + 3 * cells * gaussian_sum_distance(m, m * share).upper
    require(found <= bound, f"the divergence is {float(found):.10g}, the bound {float(bound):.10g}")
    if m == 1:
        require(found >= plain * (1 - TINY), f"the divergence of one share is {float(found):.10g} only, not {plain}")


def made(rho: Cost | Fraction, l2_squared: int, cells: int, n_shares: int) -> GaussianNoise:
    """The shipped noise, and none that was kept from before."""
    with patched("fdpedu.dlpa.gaussian_noise", _remembered=by_rule):
        return gaussian_noise(rho, l2_squared=l2_squared, cells=cells, n_shares=n_shares)


def booked(order: int, n_shares: int, left: int, rho: Fraction, shifts: Shifts) -> None:
    """The divergence with the shipped noise is at most λρ + 3ξ of what is booked; at least half of it for one share.

    If only ``left`` of the shares are unknown, ρ is n_shares/left times as much.
    """
    square, cells = sum(shift * shift for shift in shifts), len(shifts)
    noise = made(rho, square, cells, n_shares)
    found = of_vector(order, left, noise.share, shifts)
    bound = order * rho * n_shares / left + 3 * noise.xi
    require(found <= bound, f"the divergence is {float(found):.10g}, booked are {float(bound):.10g}")
    if n_shares == 1 and noise.share > 2:
        require(2 * found >= bound, f"the divergence is {float(found):.10g} only, booked are {float(bound):.10g}")


def rule(rho: Fraction, l2_squared: int, cells: int, n_shares: int) -> None:
    """The variance is enough and hardly more, a share has at least 2 and four digits; ξ is enough and hardly more."""
    noise = made(rho, l2_squared, cells, n_shares)
    needed = Fraction(l2_squared) / (2 * rho) + 1  # the integers take 1
    require(noise.variance >= needed, f"the variance is {noise.variance}, needed is {needed}")
    least = max(Fraction(2), needed / n_shares)
    require(noise.share >= 2, f"a share has {noise.share}")
    require(least <= noise.share <= least * Fraction(1001, 1000), f"a share has {noise.share}, needed is {least}")
    digits = noise.share * 1000
    while digits >= 10**4:
        digits /= 10
    require(digits.denominator == 1, f"a share has {noise.share}, which has more than four digits")
    require(noise.n_shares == n_shares and noise.variance == n_shares * noise.share, f"{noise} has another variance")
    xi = cells * (gaussian_sum_distance(n_shares, noise.variance) + Fraction(3, 10**13))
    require(noise.xi >= xi.upper, f"ξ is {float(noise.xi):.6g}, needed is {float(xi.upper):.6g}")
    require(noise.xi <= 3 * xi.upper + Fraction(1, 10**13), f"ξ is {noise.xi}, needed is {xi}")
    require((noise.xi * 10**13).denominator == 1, f"ξ is {noise.xi}")


def reached(shares: tuple[Fraction, ...], miss: Fraction) -> None:
    """Pr[|Z| > t] is at most ``miss``, exactly; and with half of t in the place of t it is more."""
    equal = len(set(shares)) == 1
    t = gaussian_reach(shares[0], len(shares), miss) if equal else sub_gaussian_reach(sum(shares), miss)
    far = 2 * t + 30 + math.ceil(sum(shares))
    low, high, bits = sum_of_shares(shares, far)
    most = 1 - Fraction(sum(low[far - t : far + t + 1]), 1 << bits)
    require(most <= miss, f"beyond {t} lies {float(most):.3g}, allowed are {float(miss):.3g}")
    nearer = t // 2
    least = 1 - Fraction(sum(high[far - nearer : far + nearer + 1]), 1 << bits)
    require(least > miss, f"{nearer} would do in the place of {t}")


def one_share(share: Fraction, words: int) -> None:
    """Over all tapes of 4-bit words a party's number has the discrete Gaussian law of that parameter."""
    stated = 1 / (2 * share)
    require_law(lambda tape: int(gaussian_share(share, 1, tape)[0]), lambda k: discrete_gaussian_pmf(k, stated), words)


def cells_apart(share: Fraction, words: int) -> None:
    """Two numbers of one call and one of the next are independent, and each has the law; tapes of 3-bit words."""
    stated = 1 / (2 * share)
    require_joint_law(
        lambda tape: [*gaussian_share(share, 2, tape), *gaussian_share(share, 1, tape)],
        [lambda k: discrete_gaussian_pmf(k, stated)] * 3,
        words,
        slack=Fraction(3, 4),
    )


def own_words(share: Fraction, seed: int) -> None:
    """From a table no half of a word reaches two numbers, of one party or of two. (A rejected one shifts all words.)"""
    require_own_words(lambda source: [gaussian_share(share, 4, one) for one in source.spawn(2)], seed)


def sums(most: int) -> Iterator[tuple[int, int, Fraction, Shifts]]:
    """Orders 2 to ``most``, one to four shares of 2, 3, 5, answers of one cell and of two; and of smaller shares."""
    yield from product((2, 3, 7), (1, 2, 3, 4), map(Fraction, ("1/4", "1/2", "1")), ((1,), (1, 1)))
    yield from product((2, 3, 7, most), (1, 2, 3, 4), map(Fraction, (2, 3, 5)), VECTORS)


def charges(most: int) -> Iterator[tuple[int, int, int, Fraction, Shifts]]:
    """Orders 2 to ``most``; some ρ for which a share has 2 to 5, and one for which less than 2 would be enough."""
    for m, shifts in product((1, 2, 3, 4), VECTORS[:4]):
        square = sum(shift * shift for shift in shifts)
        for share, order in product(map(Fraction, ("2", "7/3", "3", "5", "1/9")), (2, 3, 7, most)):
            for left in range(1, m + 1) if share == 2 else (m,):
                yield order, m, left, square / (2 * m * share), shifts


def rules(draw: Any) -> Any:
    """Random ρ from small to large, answers, and numbers of shares."""
    rho = draw.tuples(draw.integers(1, 999), draw.integers(-9, 2)).map(lambda x: x[0] * Fraction(10) ** x[1])
    return draw.tuples(rho, draw.integers(1, 300), draw.integers(1, 60), draw.integers(1, 12))


def reaches(most: int) -> Iterator[tuple[tuple[Fraction, ...], Fraction]]:
    """Equal shares of three parameters, up to ``most`` of them, and different ones; three probabilities."""
    equal = [(Fraction(share),) * n for share in ("2", "9/2", "16") for n in (1, 2, most)]
    different = [(Fraction(2), Fraction(9)), (Fraction(12), Fraction(3), Fraction(1, 3))]
    return product([*equal, *different], map(Fraction, ("1/10", "1/1000", "1/1000000000000")))


CLAIMS = (
    Claim(
        "lem-gaussian-sum-renyi",
        status="proved+checked",
        code=(
            "fdpedu.dlpa.gaussian_noise",
            "fdpedu.dlpa.gaussian_noise.gaussian_noise",
            "fdpedu.dlpa.gaussian_noise.gaussian_share",
            "fdpedu.dlpa.gaussian_noise.gaussian_reach",
            "fdpedu.dlpa.gaussian_noise.sub_gaussian_reach",
        ),
        checks=(
            Check(
                "divergence",
                "exact",
                "sums of 1 to 4 numbers of parameter 2, 3, 5, by convolution of enclosures, and of 1/4 to 1; answers "
                "of one cell and of two; orders 2, 3, 7, {size}: at most the bound, and equal to it for one number",
                divergence,
                sums,
                22,
                40,
                more=[(2, 3, Fraction(1, 3), (1,)), (5, 2, Fraction(3, 4), (3, 0, 1)), (9, 4, Fraction(4), (2, 2, 1))],
            ),
            Check(
                "booked",
                "exact",
                "the same with the shipped noise, all shares unknown or some: at most λρ + 3ξ; orders 2, 3, 7, {size}",
                booked,
                charges,
                22,
                40,
                more=[(4, m, left, Fraction(1, 7), (1, 2, 1)) for m, left in ((1, 1), (3, 3), (3, 1), (5, 2))],
            ),
            Check(
                "rule",
                "property",
                "{size} random releases: variance, digits and least share, and ξ against θ by enclosures",
                rule,
                rules,
                150,
                5000,
            ),
            Check(
                "reach",
                "exact",
                "sums of 1, 2, {size} numbers: beyond the reach lies what is allowed at most; half will not do",
                reached,
                reaches,
                4,
                7,
                more=[
                    ((Fraction(1, 2),) * 3, Fraction(1, 7)),
                    ((Fraction(7),) * 2, Fraction(1, 50_000)),
                    ((Fraction(30),) * 5, Fraction(1, 100)),
                    ((Fraction(2), Fraction(20)), Fraction(1, 999)),
                ],
            ),
            Check(
                "law of a share",
                "exact",
                "a number of one party over all tapes of {size} 4-bit words, three parameters",
                one_share,
                lambda words: product(map(Fraction, ("1/3", "2", "3")), [words]),
                3,
                4,
                more=[(Fraction(1, 4), 3), (Fraction(5, 2), 3)],
            ),
            Check(
                "joint law of cells",
                "exact",
                "two numbers of one call and one of the next, over all tapes of {size} 3-bit words",
                cells_apart,
                lambda words: product(map(Fraction, ("1/4", "1/2")), [words]),
                5,
                6,
                more=[(Fraction(1, 3), 4)],
            ),
            Check(
                "own words",
                "exact",
                "two parties' shares from {size} seeds, of 9 and of 90,000: no half of a word reaches two numbers",
                own_words,
                lambda seeds: product(map(Fraction, (9, 90_000)), range(seeds)),
                2,
                20,
                more=[(Fraction(300), 7)],
            ),
        ),
        assumptions=(
            INTEGERS,
            HONEST,
            r"answers of neighbours differ in at most $n_0$ cells, and by at most $\Delta_2$ in $\ell_2$, whatever "
            "the neighbour relation",
        ),
        uses=("thm-gaussian-sum", "thm-discrete-gaussian"),
    ),
)

TWINS = (
    Broken(
        "one share's variance for that of the sum",
        "fdpedu.dlpa.gaussian_noise.GaussianNoise.variance",
        "self.share * self.n_shares",
        "self.share",
        "Every party adds noise, so the noise has the variance of what a party adds.",
        "lem-gaussian-sum-renyi",
        "rule",
    ),
    Broken(
        "deviations are divided among the parties",
        "fdpedu.dlpa.gaussian_noise.by_rule",
        "(l2_squared) / n_shares",
        "(l2_squared) / n_shares**2",
        "Shares of deviation σ/m add up to a deviation of σ.",
        "lem-gaussian-sum-renyi",
        "booked",
    ),
    Broken(
        "many counts at the price of one",
        "fdpedu.dlpa.gaussian_noise.by_rule",
        "least_variance(l2_squared)",
        "least_variance(1)",
        "A record changes every count by one at most, so the answer has sensitivity 1.",
        "lem-gaussian-sum-renyi",
        "booked",
    ),
    Broken(
        "θ once for the whole answer",
        "fdpedu.dlpa.gaussian_noise.by_rule",
        "cells * (theta + _ROUNDING)",
        "theta + _ROUNDING",
        "One release is one transcript, and has one factor e^θ.",
        "lem-gaussian-sum-renyi",
        "rule",
    ),
    Broken(
        "no ξ for small θ",
        "fdpedu.dlpa.gaussian_noise.by_rule",
        "math.ceil(xi * steps)",
        "0 * math.ceil(xi * steps)",
        "What is smaller than 10⁻⁶ may be left out of an account.",
        "lem-gaussian-sum-renyi",
        "rule",
    ),
    Broken(
        "the variance rounded to the nearest",
        "fdpedu.dlpa.gaussian_noise._rounded_up",
        "math.ceil(x / unit)",
        "round(x / unit)",
        "Rounding to the nearest makes the smallest error.",
        "lem-gaussian-sum-renyi",
        "rule",
    ),
    Broken(
        "shares as small as they may be",
        "fdpedu.dlpa.gaussian_noise.by_rule",
        "max(LEAST_SHARE, rho.least_variance(l2_squared) / n_shares)",
        "rho.least_variance(l2_squared) / n_shares",
        "Only the sum matters, so there is no least share.",
        "lem-gaussian-sum-renyi",
        "rule",
    ),
    Broken(
        "the reach of one share",
        "fdpedu.dlpa.gaussian_noise.gaussian_reach",
        "n * as_positive",
        "as_positive",
        "Noise of mean 0 cancels in a sum.",
        "lem-gaussian-sum-renyi",
        "reach",
    ),
    Broken(
        "one number for all cells",
        "fdpedu.dlpa.gaussian_noise.gaussian_share",
        "(share, size, source)",
        "(share, 1, source).repeat(size)",
        "Each cell needs noise of the right distribution.",
        "lem-gaussian-sum-renyi",
        "joint law of cells",
    ),
    Broken(
        "the parameter is a deviation",
        "fdpedu.dlpa.gaussian_noise.gaussian_share",
        "discrete_gaussian_noise(share,",
        "discrete_gaussian_noise(share * share,",
        "A Gaussian number is drawn from its deviation.",
        "lem-gaussian-sum-renyi",
        "law of a share",
    ),
)
