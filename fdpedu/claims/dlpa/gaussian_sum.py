"""Shares for a small δ: sums of discrete Gaussian numbers."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np

from fdpedu.claims.checking import require
from fdpedu.claims.dlpa.skellam import HONEST, INTEGERS, divided
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.replay import patched
from fdpedu.dlpa.small_delta import discrete_gaussian_shares, gaussian_sum_delta, gaussian_sum_distance
from fdpedu.exact import Enclosure, Integers, exp_enclosure, log_enclosure
from fdpedu.mechanisms import discrete_gaussian_pmf
from fdpedu.randomness import Rehearsal, Source

FAR = 36  # values beyond have less than 10⁻³⁰ of all these sums

UNIT = 10**60


@lru_cache(maxsize=32)
def gaussian_sum(m: int, share: Fraction) -> dict[int, Enclosure]:
    """The law of a sum of m discrete Gaussian numbers, by convolution in integers; what lies beyond is left out."""
    one = [discrete_gaussian_pmf(k, 1 / (2 * share)) for k in range(-FAR, FAR + 1)]
    ends = []
    for masses in ([math.floor(p.lower * UNIT) for p in one], [math.ceil(p.upper * UNIT) for p in one]):
        total = masses
        for _ in range(m - 1):
            total = [
                sum(total[j] * masses[FAR + k - j] for j in range(max(0, k - FAR), min(2 * FAR, k + FAR) + 1)) // UNIT
                + 1
                for k in range(2 * FAR + 1)
            ]
        ends.append(total)
    return {
        k: Enclosure(Fraction(low - 99, UNIT), Fraction(high, UNIT))
        for k, low, high in zip(range(-FAR, FAR + 1), *ends, strict=True)
    }


def gaussian_distance(m: int, share: Fraction, most: int) -> None:
    """At every value the masses of the sum and of one discrete Gaussian number differ by a factor within e^{±θ}."""
    tau, law = gaussian_sum_distance(m, m * share), gaussian_sum(m, share)
    for k in range(most + 1):
        one = discrete_gaussian_pmf(k, 1 / (2 * m * share))
        ratio = Enclosure(law[k].lower / one.upper, law[k].upper / one.lower)
        ends = log_enclosure(ratio.lower).lower, log_enclosure(ratio.upper).upper
        slack = Fraction(1, 10**20)
        require(max(map(abs, ends)) <= tau.upper + slack, f"at {k} the logarithm is {float(ends[1]):.3g}, θ is {tau}")


def gaussian_deltas(m: int, share: Fraction, epsilon: Fraction) -> None:
    """The sum's own least δ, from its law, is at most what is stated."""
    law, factor = gaussian_sum(m, share), exp_enclosure(epsilon, 60)
    parts = [law[k] - factor * law[k - 1] for k in range(1 - FAR, FAR + 1)]
    least = sum(max(Fraction(0), part.lower) for part in parts)
    stated = gaussian_sum_delta(epsilon, m, m * share).upper
    require(least <= stated, f"the least δ is {float(least):.6g}, stated is {float(stated):.6g}")


def gaussian_parts(n: int, tolerate: int, variance: Fraction) -> None:
    """Each party draws with ρ = m/(2σ²), that is a variance of σ²/m; from words of its own."""
    rates = list[Any]()

    def draw(value: Integers, rho: Fraction, source: Source) -> Integers:
        rates.append(rho)
        return source.words(value.size).astype(np.int64) >> 8

    with patched("fdpedu.dlpa.small_delta", discrete_gaussian=draw):
        drawn = discrete_gaussian_shares(n, variance, 3, Rehearsal(6), tolerate=tolerate)
    require(rates == [(n - tolerate) / (2 * variance)] * n, f"the ρ of the shares are {rates}")
    require(drawn.shape == (n, 3) and len(np.unique(drawn)) == 3 * n, "two parties have the same share")


CLAIMS = (
    Claim(
        "thm-gaussian-sum",
        status="proved+checked",
        code=(
            "fdpedu.dlpa.small_delta",
            "fdpedu.dlpa.small_delta.discrete_gaussian_shares",
            "fdpedu.dlpa.small_delta.gaussian_sum_distance",
            "fdpedu.dlpa.small_delta.gaussian_sum_delta",
        ),
        checks=(
            Check(
                "distance",
                "exact",
                "sums of 1 to 5 numbers of parameter 1/4, 1/2, 1, by convolution of enclosures: values to {size}",
                gaussian_distance,
                lambda most: product((1, 2, 3, 5), map(Fraction, ("1/4", "1/2", "1")), [most]),
                6,
                12,
                more=[(4, Fraction(1, 4), 8), (2, Fraction(3, 4), 8)],
            ),
            Check(
                "delta",
                "exact",
                "the least δ of these sums, two to {size}, at three ε",
                gaussian_deltas,
                lambda most: product((2, most), map(Fraction, ("1/2", "1")), map(Fraction, ("1", "2", "4"))),
                3,
                5,
                more=[(4, Fraction(1, 4), Fraction(3, 2)), (2, Fraction(3, 4), Fraction(3, 2))],
            ),
            Check(
                "shares",
                "exact",
                "up to {size} parties, any number tolerated: each party's share has the stated variance",
                gaussian_parts,
                divided,
                4,
                9,
            ),
        ),
        assumptions=(INTEGERS, HONEST, "one record changes one count by one"),
        uses=("thm-discrete-gaussian",),
    ),
)

TWINS = (
    Broken(
        "discrete Gaussian numbers add up",
        "fdpedu.dlpa.small_delta.gaussian_sum_distance",
        "Enclosure.sum(steps)",
        "Enclosure.exactly(Fraction(0))",
        "Gaussian numbers add up to Gaussian numbers.",
        "thm-gaussian-sum",
        "distance",
    ),
    Broken(
        "a deviation for a variance",
        "fdpedu.dlpa.small_delta.discrete_gaussian_shares",
        "1 / (2 * share)",
        "1 / (2 * share * share)",
        "Noise of variance σ² has the parameter σ².",
        "thm-gaussian-sum",
        "shares",
    ),
)
