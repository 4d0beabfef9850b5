"""Checks of chapter 6: shares for a small δ. Poisson and Skellam numbers, and sums of discrete Gaussian ones."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import nullcontext
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, pairwise, product
from typing import Any

import numpy as np

from fdpedu.claims.checking import require
from fdpedu.claims.dlpa.laws_joint import own_sources
from fdpedu.claims.replay import patched, require_joint_law, require_law
from fdpedu.dlpa.poisson import poisson, poisson_law
from fdpedu.dlpa.skellam import skellam_delta, skellam_loss, skellam_pmf, skellam_rdp, skellam_shares
from fdpedu.dlpa.small_delta import discrete_gaussian_shares, gaussian_sum_delta, gaussian_sum_distance
from fdpedu.exact import Enclosure, Integers, exp_enclosure, log_enclosure
from fdpedu.mechanisms import discrete_gaussian_pmf
from fdpedu.randomness import Rehearsal, Source

ZERO = Enclosure.exactly(Fraction(0))


def poisson_mass(mean: Fraction, k: int) -> Enclosure:
    """e^{−μ}·μ^k/k!, by this formula."""
    return exp_enclosure(-mean, 60) * (mean**k / math.factorial(k)) if k >= 0 else ZERO


def poisson_enclosed(mean: Fraction, bits: int) -> None:
    """The enclosures of the distribution function hold the sums of the masses, are tight, and never decrease."""
    law = poisson_law.__wrapped__(mean)  # not one that was kept from before
    lower, upper = law.bounds(law.terms + 4, bits)
    sums = accumulate(poisson_mass(mean, law.value(index)) for index in range(law.terms + 4))
    for index, (low, total, high) in enumerate(zip(lower, sums, upper, strict=True)):
        require(low <= total.upper * 2**bits and total.lower * 2**bits <= high, f"F({index}) is not in [{low}, {high}]")
        require(high - low <= 2, f"F({index}) is known to {high - low} units only")
    require(all(a <= b for ends in (lower, upper) for a, b in pairwise(ends)), "the enclosures decrease")
    require(len({law.value(index) for index in range(law.terms)}) == law.terms, "a value stands there twice")


def replayed_poisson(mean: Fraction, parts: int, words: int) -> None:
    """All tapes of 4-bit words through the sampler, the mean divided into so many parts: the stated law."""
    divided = patched("fdpedu.dlpa.poisson", _AT_ONCE=mean / parts) if parts > 1 else nullcontext()
    with divided:
        require_law(lambda tape: int(poisson(mean, 1, tape)[0]), lambda k: poisson_mass(mean, k), words, Fraction(1, 4))


def two_poisson_numbers(mean: Fraction, words: int) -> None:
    """Two numbers of one call, and one of the next, are independent."""
    require_joint_law(
        lambda tape: [*poisson(mean, 2, tape), *poisson(mean, 1, tape)],
        [lambda k: poisson_mass(mean, k)] * 3,
        words,
        word_bits=2,
        slack=Fraction(9, 10),
    )


# --- Skellam noise ---


def skellam_masses(variance: Fraction, most: int) -> None:
    """Pr[k] is e^{−σ²}·Σ_j μ^{2j+k}/(j!·(j+k)!), by this series; all add up to 1."""
    mean, terms = variance / 2, range(40 + 3 * math.ceil(variance))
    factor = exp_enclosure(-variance, 60)
    for k in range(most + 1):
        series = sum((mean ** (2 * j + k) / (math.factorial(j) * math.factorial(j + k)) for j in terms), Fraction(0))
        found, truth = skellam_pmf(k, variance), factor * series
        close = truth.upper / 10**40 + Fraction(1, 10**60)
        require(
            abs(found.lower - truth.lower) < close and abs(found.upper - truth.upper) < close, f"Pr[{k}] is {found}"
        )
        require(skellam_pmf(-k, variance) == found, f"Pr[−{k}] is another than Pr[{k}]")


def skellam_parts(n: int, tolerate: int, variance: Fraction) -> None:
    """Each party's share is a difference of two numbers of the mean σ²/(2m): m of them have the variance σ²."""
    means = list[Fraction]()

    def told(mean: Fraction, size: int, source: Source) -> Integers:
        means.append(mean)
        return source.words(size).astype(np.int64) >> 8

    with patched("fdpedu.dlpa.skellam", poisson=told):
        drawn = skellam_shares(n, variance, 3, Rehearsal(4), tolerate=tolerate)
    require(drawn.shape == (n, 3) and len(means) == 2 * n, f"{len(means)} numbers for {n} parties")
    require(set(means) == {variance / (2 * (n - tolerate))}, f"the means are {sorted(set(means))}")
    words = Rehearsal(4)
    first, second = (words.words(3).astype(np.int64) >> 8 for _ in range(2))
    require(np.array_equal(drawn[0], first - second), "the first share is no difference of the first two draws")


def skellam_words(seed: int) -> None:
    """Each number of a share is made of words of its own, from its party's source."""
    own_sources(lambda source: skellam_shares(3, 40, 4, source, tolerate=1), seed)


def skellam_least_delta(epsilon: Fraction, variance: Fraction, shift: int) -> None:
    """δ is the sum of the positive parts of P − e^ε·Q over all outputs; the table of losses says the same."""
    found, factor = skellam_delta(epsilon, variance, sensitivity=shift), exp_enclosure(epsilon, 60)
    reach = 30 + 9 * math.ceil(math.sqrt(variance))
    parts = [skellam_pmf(k, variance) - factor * skellam_pmf(k - shift, variance) for k in range(-reach, reach + 1)]
    low, high = (
        sum(max(Fraction(0), end) for end in ends) for ends in zip(*((p.lower, p.upper) for p in parts), strict=True)
    )
    close = Fraction(1, 10**30)
    require(low - close <= found.upper and found.lower <= high + close, f"δ is {found}, the sum {float(high)}")
    require(found.upper - found.lower < close, f"δ is {found}, which is too wide")
    if variance >= 1 and epsilon == Fraction(1, 3):
        table = skellam_loss(variance, sensitivity=shift, step="1/64").delta(epsilon)
        require(table.lower <= found.upper and found.lower <= table.upper, f"the table has {table}, δ is {found}")


def skellam_cases(most: int) -> Iterator[tuple[Fraction, Fraction, int]]:
    """Variances 1/10 to ``most``, ε = 0 to 3, sensitivities 1 and 3."""
    variances = [Fraction(v) for v in ("1/10", "1", "13/2", most)]
    return ((e, v, d) for v, d, e in product(variances, (1, 3), map(Fraction, ("0", "1/3", "3"))))


def skellam_renyi(order: int, variance: Fraction, shift: int) -> None:
    """ln(Σ P^λ·Q^{1−λ})/(λ − 1), summed over all outputs that matter, is at most the bound."""
    reach = 30 + shift * order + 9 * math.ceil(math.sqrt(variance))
    total = ZERO
    for k in range(-reach, reach + 1):
        p, q = skellam_pmf(k, variance), skellam_pmf(k - shift, variance)
        if q.lower > 0 and p.lower > 0:
            total += Enclosure((p.lower / q.upper) ** order * q.lower, (p.upper / q.lower) ** order * q.upper).rounded()
    divergence = log_enclosure(total.lower, 40).lower / (order - 1)
    bound = skellam_rdp(order, variance, sensitivity=shift).upper
    require(divergence <= bound, f"the divergence is {float(divergence):.6f}, the bound {float(bound):.6f}")


def renyi_cases(most: int) -> Iterator[tuple[int, Fraction, int]]:
    """Orders 2 to ``most``, variances 1/2 to 50, sensitivities 1 and 2."""
    return product((2, 3, 5, most), map(Fraction, ("1/2", "2", "10", "50")), (1, 2))


# --- Sums of discrete Gaussian numbers ---


UNIT = 10**60
FAR = 36  # values beyond have less than 10⁻³⁰ of all these sums


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
    told = list[Any]()

    def draw(value: Integers, rho: Fraction, source: Source) -> Integers:
        told.append(rho)
        return source.words(value.size).astype(np.int64) >> 8

    with patched("fdpedu.dlpa.small_delta", discrete_gaussian=draw):
        drawn = discrete_gaussian_shares(n, variance, 3, Rehearsal(6), tolerate=tolerate)
    require(told == [(n - tolerate) / (2 * variance)] * n, f"the ρ of the shares are {told}")
    require(drawn.shape == (n, 3) and len(np.unique(drawn)) == 3 * n, "two parties have the same share")


def divided(most: int) -> Iterator[tuple[int, int, Fraction]]:
    """1 to ``most`` parties, none to all but one tolerated, two variances."""
    return ((n, c, v) for n in range(1, most + 1) for c in range(n) for v in map(Fraction, ("20", "37/3")))
