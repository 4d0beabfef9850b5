"""Negative binomial numbers: their weights r(k), and a sampler that counts the cycles of an urn."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product

import numpy as np

from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.replay import enumerate_law, patched, require_joint_law
from fdpedu.dlpa import negative_binomial, negative_binomial_by_cycles
from fdpedu.exact import Integers, Rate, log_enclosure
from fdpedu.randomness import Source
from fdpedu.sampling.polya_weights import LOG_ERROR, NegativeBinomialWeights, coefficient, multiplied_out

Sampler = Callable[[Rate, int, int, Source], Integers]
TWO_THINGS = {0: Fraction(3, 8), 1: Fraction(1, 4), 2: Fraction(3, 8)}  # of two things: those in cycles of our own


def coefficient_by_product(k: int, shape: Fraction) -> Fraction:
    """Γ(k+shape)/(k!·Γ(shape)), a product of fractions."""
    value = Fraction(1)
    for i in range(1, k + 1):
        value *= (i - 1 + shape) / i
    return value


def cycles_are_an_urn(m: int, most: int) -> None:
    """The coloured cycles of a random permutation of g things number k with the Beta-binomial law of 1/m and 1 − 1/m.

    The sampler's loop as an exact recursion: the first cycle is uniform on 1..g, and ours with probability 1/m.
    """
    law = [[Fraction(1)]]
    for g in range(1, most + 1):
        row = [Fraction(0)] * (g + 1)
        for cycle in range(1, g + 1):
            for k, mass in enumerate(law[g - cycle]):
                row[k + cycle] += mass * Fraction(1, g * m)
                row[k] += mass * Fraction(m - 1, g * m)
        law.append(row)
        stated = [
            coefficient_by_product(k, Fraction(1, m)) * coefficient_by_product(g - k, 1 - Fraction(1, m))
            for k in range(g + 1)
        ]
        require(row == stated, f"for g = {g} the distribution is {row}")


def replayed_share(alpha: Fraction, m: int, bits: int, words: int, sampler: Sampler = negative_binomial) -> None:
    """All tapes through a sampler: Pr[k]/Pr[0] is the NB(1/m) coefficient times α^k, save the undecided."""
    decided, undecided = enumerate_law(lambda tape: int(sampler(Rate.of(alpha=alpha), m, 1, tape)[0]), bits, words)
    require(undecided < Fraction(1, 10), f"a share of {undecided} is undecided")
    zero = decided[0]
    for k, mass in decided.items():
        weight = coefficient_by_product(k, Fraction(1, m)) * alpha**k
        require(zero * weight <= mass + undecided, f"Pr[{k}] is at most {mass + undecided}")
        require(mass <= (zero + undecided) * weight, f"Pr[{k}] is at least {mass}")


def small_shares(words: int) -> Iterator[tuple[Fraction, int, int, int, Sampler]]:
    """Three pairs of α and m, for tapes of so many 4-bit words through the sampler by cycles."""
    pairs = [(Fraction(1, 3), 2), (Fraction(1, 5), 3), (Fraction(1, 7), 4)]
    return ((alpha, m, 4, words, negative_binomial_by_cycles) for alpha, m in pairs)


def weight(k: int, alpha: Fraction, m: int) -> Fraction:
    """r(k) = c(k)·α^k, with c(k) a product of fractions."""
    return math.prod((Fraction(1 + (i - 1) * m, i * m) for i in range(1, k + 1)), start=Fraction(1)) * alpha**k


def enclosed_coefficients(k: int, m: int) -> None:
    """c(k) by Stirling's series and by the fixed-point product enclose the same number, and are as narrow as asked."""
    for digits in (10, 40, 70):
        enclosure, product_ = coefficient(k, m, digits), multiplied_out(k, m, 90)
        require(
            enclosure.lower <= product_.upper and product_.lower <= enclosure.upper, f"c({k}) is not {float(enclosure)}"
        )
        require((enclosure.upper - enclosure.lower) * 10**digits <= enclosure.lower, "the enclosure is too wide")
    if k <= 40:
        require(enclosure.lower <= weight(k, Fraction(1), m) <= enclosure.upper, f"c({k}) is not {float(enclosure)}")


def float_logarithms(rate: str, m: int, k: int) -> None:
    """ln r(k) as a float is within the stated error of its enclosure."""
    weights = NegativeBinomialWeights(Rate.of(epsilon=rate), m)
    truth, near = weights.enclosure(k, 40), Fraction(float(weights.log(np.array([k]))[0]))
    low, high = log_enclosure(truth.lower).lower, log_enclosure(truth.upper).upper
    require(high - Fraction(LOG_ERROR) < near < low + Fraction(LOG_ERROR), f"ln r({k}) is not {float(near)}")


def far_values(powers: int) -> Iterator[tuple[str, int, int]]:
    """Rates, m and k on both sides of 1,024, and k up to 10^(powers − 1)."""
    yield from product(["1/10"], (2, 7, 1000), (0, 1, 100, 500))
    yield from product(["1/1000000"], (2, 4, 1000), [k * step for k in (1, 1023, 1024, 1025) for step in (1, 13)])
    yield from (("1/1000000", 3, 10**p) for p in range(3, powers))


def cycles(size: int, words: int) -> None:
    """Two cells of which each has two things or none: the cycles of each are its own, and whose they are."""

    def none_or_two(rate: Rate, n: int, source: Source) -> Integers:
        return 2 * source.words(n).astype(np.int64)

    half = Fraction(1, 2)
    law = {k: half * mass + half * (k == 0) for k, mass in TWO_THINGS.items()}
    with patched("fdpedu.dlpa.shares", geometric=none_or_two):
        require_joint_law(
            lambda tape: negative_binomial_by_cycles(Rate.of(1), 2, size, tape),
            [lambda k: law.get(k, Fraction(0))] * size,
            words,
            word_bits=1,
            slack=Fraction(0),
        )


CYCLES = (
    Check(
        "joint law",
        "exact",
        "two cells of two things each or none, over all tapes of {size} bits: the product of their distributions",
        cycles,
        lambda bits: [(2, bits)],
        10,
        more=[(3, 15)],
    ),
)


INTEGERS = "integers; every sampler exact"

CLAIMS = (
    Claim(
        "lem-cycles",
        status="proved+checked",
        code=("fdpedu.dlpa.shares.negative_binomial_by_cycles",),
        checks=(
            Check(
                "urn",
                "exact",
                "the loop as a recursion on fractions, g up to {size}, m = 1, 2, 3, 5",
                cycles_are_an_urn,
                lambda most: product((1, 2, 3, 5), [most]),
                12,
                30,
            ),
            Check(
                "replayed share",
                "exact",
                "the sampler over all tapes of {size} 4-bit words, three pairs of α and m",
                replayed_share,
                small_shares,
                4,
                5,
                more=[
                    (Fraction(1, 5), 3, 4, 3, negative_binomial_by_cycles),
                    (Fraction(1, 7), 4, 4, 3, negative_binomial_by_cycles),
                    (Fraction(2, 7), 2, 4, 4, negative_binomial_by_cycles),
                ],
            ),
            *CYCLES,
        ),
        assumptions=(INTEGERS,),
        uses=("asm-random-words",),
    ),
    Claim(
        "lem-nb-weights",
        status="proved+checked",
        code=("fdpedu.sampling.polya_weights", "fdpedu.sampling.polya_weights.coefficient"),
        checks=(
            Check(
                "coefficients",
                "exact",
                "Stirling's enclosure meets the product rounded down and up, for k to {size}, five m, three precisions",
                enclosed_coefficients,
                lambda most: product([0, 1, 2, 20, 40, 64, 65, 66, 200, most], [1, 2, 3, 99, 1000]),
                2000,
                20000,
                more=lambda draw: draw.tuples(draw.integers(0, 3000), draw.integers(1, 2000)),
            ),
            Check(
                "logarithms",
                "exact",
                "ln r(k) as a float against its enclosure, on both sides of 1,024 and to k below 10 to the {size}",
                float_logarithms,
                far_values,
                8,
                more=lambda draw: draw.tuples(draw.integers(1, 2000), draw.integers(0, 30 * 10**6)).map(
                    lambda case: ("1/1000000", *case)
                ),
            ),
        ),
        assumptions=("NumPy's exp, log and log1p are right to within a few units of the last place",),
    ),
)

TWINS = (
    Broken(
        "one coin for all cycles",
        "fdpedu.dlpa.shares.negative_binomial_by_cycles",
        "uniform_below(np.full(open_.size, n_noise_shares), source)",
        "uniform_below(np.full(1, n_noise_shares), source)",
        "A cycle is this party's with probability 1/m, in whatever cell.",
        "lem-cycles",
        "joint law",
    ),
    Broken(
        "Stirling without a term",
        "fdpedu.sampling.polya_weights.NegativeBinomialWeights._far",
        " + d / (12 * low * high)",
        "",
        "Far out Stirling's formula is exact enough for a float.",
        "lem-nb-weights",
        "logarithms",
    ),
)
