"""Shares for a small δ: Poisson and Skellam numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import nullcontext
from fractions import Fraction
from itertools import accumulate, pairwise, product

import numpy as np

from fdpedu.claims.checking import require
from fdpedu.claims.dlpa.shares import own_sources
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.replay import patched, require_joint_law, require_law
from fdpedu.dlpa.poisson import poisson, poisson_law
from fdpedu.dlpa.skellam import skellam_delta, skellam_loss, skellam_pmf, skellam_rdp, skellam_shares
from fdpedu.exact import Enclosure, Integers, exp_enclosure, log_enclosure
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

    def recorded(mean: Fraction, size: int, source: Source) -> Integers:
        means.append(mean)
        return source.words(size).astype(np.int64) >> 8

    with patched("fdpedu.dlpa.skellam", poisson=recorded):
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


def divided(most: int) -> Iterator[tuple[int, int, Fraction]]:
    """1 to ``most`` parties, none to all but one tolerated, two variances."""
    return ((n, c, v) for n in range(1, most + 1) for c in range(n) for v in map(Fraction, ("20", "37/3")))


INTEGERS = "integers; every sampler exact"
HONEST = "parties are honest but curious"

CLAIMS = (
    Claim(
        "lem-poisson-law",
        status="proved+checked",
        code=("fdpedu.dlpa.poisson", "fdpedu.dlpa.poisson.poisson"),
        checks=(
            Check(
                "distribution function",
                "exact",
                "μ from 1/1000 to {size}, 8 to 64 bits: enclosures against the masses by their formula",
                poisson_enclosed,
                lambda most: product([Fraction(x) for x in ("1/1000", "1/2", "1", "19/3", most)], (8, 32, 64)),
                30,
                1000,
                more=[(Fraction(7, 2), 40), (Fraction(5), 16), (Fraction(123, 10), 96)],
            ),
            Check(
                "replayed numbers",
                "exact",
                "all tapes of at most {size} 4-bit words, three μ, two of them divided in two and three",
                replayed_poisson,
                lambda words: [(Fraction(x), parts, words) for x, parts in (("1/2", 1), ("1/3", 2), ("1/4", 3))],
                4,
                5,
                more=[(Fraction(2, 3), 1, 4), (Fraction(1, 2), 2, 4)],
            ),
            Check(
                "independence",
                "exact",
                "two numbers of one call and one of the next, all tapes of at most {size} 2-bit words",
                two_poisson_numbers,
                lambda words: [(Fraction(1, 5), words)],
                6,
                7,
            ),
        ),
        assumptions=(INTEGERS,),
        uses=("thm-alias-table", "asm-random-words"),
    ),
    Claim(
        "thm-skellam",
        status="proved+checked",
        code=(
            "fdpedu.dlpa.skellam",
            *(f"fdpedu.dlpa.skellam.skellam_{name}" for name in ("shares", "pmf", "delta", "loss")),
        ),
        checks=(
            Check(
                "masses",
                "exact",
                "variances 1/1000 to 40, k to {size}: the distribution against its power series",
                skellam_masses,
                lambda most: product(map(Fraction, ("1/1000", "1/3", "2", "40")), [most]),
                12,
                60,
            ),
            Check(
                "shares",
                "exact",
                "up to {size} parties, any number tolerated: each party's share has the stated variance",
                skellam_parts,
                divided,
                4,
                9,
            ),
            Check(
                "own words",
                "exact",
                "{size} tapes of 64-bit words, altered half by half: each number has words of its own, from its "
                "party's source",
                skellam_words,
                lambda seeds: [(seed,) for seed in range(seeds)],
                1,
                20,
            ),
            Check(
                "delta",
                "exact",
                "variances 1/10 to {size}, three ε, two Δ: δ against the sum of positive parts; the table of losses",
                skellam_least_delta,
                skellam_cases,
                30,
                400,
                more=[
                    (Fraction(1), Fraction(20), 1),
                    (Fraction(1, 2), Fraction(3, 2), 2),
                    (Fraction(0), Fraction(5), 4),
                ],
            ),
        ),
        assumptions=(INTEGERS, HONEST, "add/remove of one record; one release"),
        uses=("lem-poisson-law", "lem-hockey-stick", "thm-loss-distribution"),
    ),
    Claim(
        "lem-skellam-renyi",
        status="checked",
        code=("fdpedu.dlpa.skellam", "fdpedu.dlpa.skellam.skellam_rdp"),
        checks=(
            Check(
                "divergence",
                "exact",
                "orders 2 to {size}, variances 1/2 to 50, Δ = 1, 2: sums over all outputs that matter",
                skellam_renyi,
                renyi_cases,
                9,
                40,
                more=[(2, Fraction(1, 4), 1), (7, Fraction(5), 3), (30, Fraction(100), 1)],
            ),
        ),
        assumptions=("the proof is in the paper",),
        uses=("thm-skellam",),
    ),
)

TWINS = (
    Broken(
        "the variance for the mean",
        "fdpedu.dlpa.skellam.skellam_shares",
        "/ (2 * count_noise_shares(n_parties, tolerate))",
        "/ (4 * count_noise_shares(n_parties, tolerate))",
        "A difference of two Poisson numbers has four times the variance of half of one.",
        "thm-skellam",
        "shares",
    ),
    Broken(
        "Skellam shares for all parties",
        "fdpedu.dlpa.skellam.skellam_shares",
        "count_noise_shares(n_parties, tolerate)",
        "count_noise_shares(n_parties, 0)",
        "For a small δ a missing share does not matter.",
        "thm-skellam",
        "shares",
    ),
    Broken(
        "both Poisson numbers from one draw",
        "fdpedu.dlpa.skellam.skellam_shares",
        "poisson(mean, size, source) - poisson(mean, size, source)",
        "(drawn := poisson(mean, size, source)) - drawn[::-1]",
        "Each of the two has the right distribution.",
        "thm-skellam",
        "own words",
    ),
    Broken(
        "twice the variance in the bound",
        "fdpedu.dlpa.skellam.skellam_rdp",
        "whole * d * d / (2 * x) + rest",
        "whole * d * d / (4 * x) + rest",
        "The variance of Skellam noise is twice the parameter.",
        "lem-skellam-renyi",
        "divergence",
    ),
    Broken(
        "the worst single output",
        "fdpedu.dlpa.skellam.skellam_delta",
        "table.tail(t) - factor * table.tail(t + step)",
        "table.mass(abs(t)) - factor * table.mass(abs(t + step))",
        "δ is the largest excess of any output.",
        "thm-skellam",
        "delta",
    ),
    Broken(
        "the mode left out",
        "fdpedu.dlpa.poisson._bounds",
        "(mode + 1 - i) / mean",
        "(mode - i) / mean",
        "Each weight is the next one times k over the mean.",
        "lem-poisson-law",
        "distribution function",
    ),
    Broken(
        "a mean divided twice",
        "fdpedu.dlpa.poisson.poisson",
        "poisson_law(mean / parts)",
        "poisson_law(mean / parts / parts)",
        "Numbers of parts of the mean add up to the mean.",
        "lem-poisson-law",
        "replayed numbers",
    ),
)
