"""The claims of chapter 6 on shares for a small δ."""

from fractions import Fraction
from itertools import product

from fdpedu.claims.dlpa import laws_delta as law
from fdpedu.claims.records import Check, Claim

INTEGERS = "integers; every sampler exact"
HONEST = "parties are honest but curious"

CLAIMS = (
    Claim(
        "lem-poisson-law",
        "Poisson numbers from a table",
        "dlpa",
        "this book",
        status="proved+checked",
        code=("fdpedu.dlpa.poisson", "fdpedu.dlpa.poisson.poisson"),
        checks=(
            Check(
                "distribution function",
                "exact",
                "μ from 1/1000 to {size}, 8 to 64 bits: enclosures against the masses by their formula",
                law.poisson_enclosed,
                lambda most: product([Fraction(x) for x in ("1/1000", "1/2", "1", "19/3", most)], (8, 32, 64)),
                30,
                1000,
            ),
            Check(
                "replayed numbers",
                "exact",
                "all tapes of at most {size} 4-bit words, three μ, two of them divided in two and three",
                law.replayed_poisson,
                lambda words: [(Fraction(x), parts, words) for x, parts in (("1/2", 1), ("1/3", 2), ("1/4", 3))],
                4,
                5,
            ),
            Check(
                "independence",
                "exact",
                "two numbers of one call and one of the next, all tapes of at most {size} 2-bit words",
                law.two_poisson_numbers,
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
        "Skellam shares",
        "dlpa",
        "this book; Agarwal, Kairouz, Liu 2021",
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
                law.skellam_masses,
                lambda most: product(map(Fraction, ("1/1000", "1/3", "2", "40")), [most]),
                12,
                60,
            ),
            Check(
                "shares",
                "exact",
                "up to {size} parties, any number tolerated: each party's share has the stated variance",
                law.skellam_parts,
                law.divided,
                4,
                9,
            ),
            Check(
                "own words",
                "exact",
                "{size} tapes of 64-bit words, altered half by half: each number has words of its own, from its "
                "party's source",
                law.skellam_words,
                lambda seeds: [(seed,) for seed in range(seeds)],
                1,
                20,
            ),
            Check(
                "delta",
                "exact",
                "variances 1/10 to {size}, three ε, two Δ: δ against the sum of positive parts; the table of losses",
                law.skellam_least_delta,
                law.skellam_cases,
                30,
                400,
            ),
        ),
        assumptions=(INTEGERS, HONEST, "add/remove of one record; one release"),
        uses=("lem-poisson-law", "lem-hockey-stick", "thm-loss-distribution"),
    ),
    Claim(
        "lem-skellam-renyi",
        "The Rényi divergence of Skellam noise",
        "dlpa",
        "Agarwal, Kairouz, Liu 2021, Corollary 4.1",
        status="checked",
        code=("fdpedu.dlpa.skellam", "fdpedu.dlpa.skellam.skellam_rdp"),
        checks=(
            Check(
                "divergence",
                "exact",
                "orders 2 to {size}, variances 1/2 to 50, Δ = 1, 2: sums over all outputs that matter",
                law.skellam_renyi,
                law.renyi_cases,
                9,
                40,
            ),
        ),
        assumptions=("the proof is in the paper",),
        uses=("thm-skellam",),
    ),
    Claim(
        "thm-gaussian-sum",
        "Sums of discrete Gaussian shares",
        "dlpa",
        "this book, with a smaller constant than Kairouz, Liu, Steinke 2021",
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
                law.gaussian_distance,
                lambda most: product((1, 2, 3, 5), map(Fraction, ("1/4", "1/2", "1")), [most]),
                6,
                12,
            ),
            Check(
                "delta",
                "exact",
                "the least δ of these sums, two to {size}, at three ε",
                law.gaussian_deltas,
                lambda most: product((2, most), map(Fraction, ("1/2", "1")), map(Fraction, ("1", "2", "4"))),
                3,
                5,
            ),
            Check(
                "shares",
                "exact",
                "up to {size} parties, any number tolerated: each party's share has the stated variance",
                law.gaussian_parts,
                law.divided,
                4,
                9,
            ),
        ),
        assumptions=(INTEGERS, HONEST, "one record changes one count by one"),
        uses=("thm-discrete-gaussian",),
    ),
)
