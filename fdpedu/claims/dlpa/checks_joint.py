"""The checks of chapter 6 that look at several numbers at once, by the names of their claims."""

from fractions import Fraction
from itertools import product

from fdpedu.claims.dependence import ALPHA
from fdpedu.claims.dlpa import laws_joint as joint
from fdpedu.claims.records import Check

CYCLES = (
    Check(
        "joint law",
        "exact",
        "two cells of two things each or none, over all tapes of {size} bits: the product of their distributions",
        joint.cycles,
        lambda bits: [(2, bits)],
        10,
    ),
)

NB_BLOCKS = (
    Check(
        "drawn again",
        "exact",
        "two and three numbers, two calls, attempts of two bits: the joint distribution over all tapes of {size} words",
        joint.again,
        lambda words: [(2, 1, words), (3, 1, words), (1, 2, words)],
        6,
        7,
    ),
    Check(
        "in the residual",
        "exact",
        "two and three attempts that the table leaves to the residual, two calls, over all tapes of {size} words",
        joint.in_the_residual,
        lambda words: [(2, 1, words), (3, 1, words), (1, 2, words)],
        4,
        5,
    ),
)

POLYA_SHARES = (
    Check(
        "joint law",
        "exact",
        "up to three parties, cells, and two calls, up to {size} shares, a fair bit for each number: all are "
        "independent",
        joint.shares,
        joint.small_divisions,
        4,
        7,
    ),
    Check(
        "many parties",
        "exact",
        "1 to {size} parties, none to all but one tolerated, up to 16,385 cells: each number is drawn for the "
        "stated rate and m, and for one share",
        joint.many_parties,
        joint.large_divisions,
        100,
        1000,
    ),
    Check(
        "own words",
        "exact",
        "{size} tapes of 64-bit words, altered half by half: each number of a share has two words of its own, "
        "from its party's source",
        joint.shares_of_own_words,
        lambda seeds: product(("numbers", "share", "parties"), range(seeds)),
        2,
        20,
    ),
    Check(
        "long shares",
        "statistical",
        "{size} rehearsed shares of one party, and of four: signs and bits at any distance are unrelated",
        joint.long_shares,
        lambda size: [(1, size), (4, size)],
        40_000,
        400_000,
        alpha=ALPHA,
    ),
    Check(
        "sensitivity",
        "exact",
        "shares of ε for Δ are those of ε/Δ for 1, from the same words, Δ to {size}",
        joint.same_shares,
        lambda most: product((Fraction(1), Fraction(2, 7)), (2, 3, most), (1, 2, 5), (0,)),
        1000,
        10**6,
    ),
)

TOLERATE = (
    Check(
        "divided variance",
        "statistical",
        "2 to 60 parties, up to all but one tolerated, Δ to 1000, {size} rehearsed cells: the variance of "
        "the first and the last K − c shares, and of all",
        joint.divided_variance,
        joint.divisions,
        20_000,
        400_000,
        alpha=ALPHA,
    ),
)
