"""The checks of chapter 3 that look at several numbers at once, by the names of their claims."""

from fractions import Fraction
from functools import partial
from itertools import product

from fdpedu.claims.dependence import ALPHA
from fdpedu.claims.mechanisms import laws_joint as joint
from fdpedu.claims.mechanisms import laws_streams as streams
from fdpedu.claims.records import Check

PAIRS = "two draws of one call, of two tiles, of two calls, over all tapes of {size} 3-bit words: the product of laws"


def own_words(*names: str) -> Check:
    """No two numbers of these draws share a word."""
    return Check("own words", "exact", streams.OWN_WORDS, streams.own_words, partial(streams.vectors, names), 1, 9)


def long_draws(*names: str) -> Check:
    """Nothing in these draws repeats."""
    cases = partial(streams.long_draws, names)
    return Check(
        "long draws", "statistical", streams.LONG_DRAWS, streams.long_draw, cases, 40_000, 400_000, alpha=ALPHA
    )


def sensitivity(*names: str) -> Check:
    """For these mechanisms a sensitivity divides the rate, and does nothing else."""
    cases = partial(streams.sensitivities, names)
    return Check("sensitivity", "exact", streams.SAME_WORDS, streams.same_words, cases, 100, 1000)


def values(*names: str) -> Check:
    """What these mechanisms add does not depend on the values."""
    shows = "values moved by up to 2^{size}, both ways: from the same words they draw the same noise"
    return Check("same noise", "exact", shows, streams.same_noise, partial(streams.shifts, names), 61)


RANDOM_WORDS = (
    Check(
        "streams",
        "statistical",
        "all three sources: {size} words before, of children, of theirs and after: none twice, bits unrelated",
        streams.streams,
        lambda size: product(streams.SOURCES, [size]),
        2000,
        10_000,
        alpha=ALPHA,
    ),
    Check(
        "generators",
        "statistical",
        "a generator that is handed in again, and its children: of {size} words each, none comes twice",
        streams.same_generator,
        lambda size: product((1, 2), [size]),
        500,
        50_000,
        alpha=ALPHA,
    ),
    Check(
        "integers below bounds",
        "exact",
        "two or three integers, one and two calls, over all tapes of {size} 3-bit words or more of 2 bits: "
        "their joint law",
        joint.numbers_below,
        joint.bounds,
        4,
        5,
    ),
)

ALIAS_TABLE = (
    Check(
        "joint law",
        "exact",
        "two or three numbers of one call, two calls, two tiles, residual included, over all tapes of {size} "
        "2-bit words and more",
        joint.weighted,
        joint.finite_draws,
        4,
        5,
    ),
    Check(
        "joint law of digits",
        "exact",
        "two numbers, each put together from two digits, over all tapes of {size} 3-bit words",
        joint.in_digits,
        joint.digits,
        4,
    ),
    own_words("geometric, four digits", "integers below bounds"),
    long_draws("geometric", "integers below bounds"),
)

DISCRETE_LAPLACE = (
    Check(
        "joint law",
        "exact",
        "two counts in a row, a column, two calls, sensitivities 1 to 3, over all tapes of {size} 3-bit words: "
        "the product of their laws",
        joint.counts,
        joint.tables_of_counts,
        4,
        5,
    ),
    Check(
        "slow sampler, twice",
        "exact",
        "two calls of the slow sampler over all tapes of {size} bits, α = 1/2: the product of their laws",
        joint.slow_counts,
        lambda bits: [(Fraction(1, 2), bits)],
        11,
        15,
    ),
    own_words(
        "discrete Laplace",
        "discrete Laplace, two calls",
        "discrete Laplace, two digits",
        "discrete Laplace, four digits",
    ),
    long_draws("discrete Laplace", "discrete Laplace, small", "discrete Laplace, call after call"),
    sensitivity("discrete Laplace", "slow discrete Laplace"),
    values("discrete Laplace", "discrete Laplace, one", "slow discrete Laplace"),
    Check(
        "promised variance",
        "statistical",
        "ε from 5 to 10⁻⁹, Δ = 1, 2, 3, 1000: mean and mean square of {size} rehearsed draws, two-sided",
        streams.promised_variance,
        streams.budgets,
        20_000,
        1_000_000,
        alpha=ALPHA,
    ),
)

LAPLACE = (
    own_words("laplace"),
    long_draws("laplace"),
    sensitivity("laplace"),
)

SNAPPED_LAPLACE = (
    Check(
        "two calls",
        "exact",
        "two calls, Δ = 2, over all tapes of {size} 3-bit words: the product of their laws",
        joint.on_a_grid,
        lambda words: [(Fraction(1, 3), Fraction(3), 2, words)],
        3,
        4,
    ),
    sensitivity("on a grid"),
    values("on a grid"),
)

GAUSSIAN = (
    own_words("gaussian"),
    long_draws("gaussian"),
)

DISCRETE_GAUSSIAN = (
    Check(
        "joint law of coins",
        "exact",
        "two coins of one bias and of two, over all tapes of {size} 3-bit words: the product of their laws",
        joint.coins,
        joint.pairs_of_coins,
        4,
        5,
    ),
    Check(
        "attempts",
        "exact",
        "two numbers of one call and of two, one bit a proposal and a coin, over all tapes of {size} bits",
        joint.attempts,
        joint.proposals,
        12,
        15,
    ),
    long_draws("discrete Gaussian", "discrete Gaussian, small", "coins"),
    sensitivity("discrete Gaussian"),
    values("discrete Gaussian"),
)

RANDOMISED_RESPONSE = (
    Check(
        "joint law",
        "exact",
        "two persons in one call and in two, 2 and 3 answers, over all tapes of {size} 3-bit words",
        joint.answers,
        joint.persons,
        4,
        5,
    ),
    own_words("randomised response"),
    long_draws("randomised response"),
)

EXPONENTIAL = (
    Check("two draws", "exact", PAIRS, joint.choices, partial(joint.repetitions, "exponential"), 4, 5),
    own_words("exponential"),
    long_draws("exponential"),
    sensitivity("exponential"),
    values("exponential"),
)

PERMUTE_AND_FLIP = (
    Check("two draws", "exact", PAIRS, joint.choices, partial(joint.repetitions, "permute-and-flip"), 4, 5),
    Check(
        "joint law of coins",
        "exact",
        "the coins of two candidates and of two rows, over all tapes of {size} 3-bit words",
        joint.coins_of_candidates,
        joint.rows_of_coins,
        4,
        5,
    ),
    own_words("permute and flip"),
    long_draws("permute and flip"),
    sensitivity("permute and flip"),
    values("permute and flip"),
)

REPORT_NOISY_MAX = (
    Check("two draws", "exact", PAIRS, joint.choices, partial(joint.repetitions, "report-noisy-max"), 4, 5),
    Check(
        "joint law of noise",
        "exact",
        "the noise of up to three candidates and of two rows, over all tapes of {size} 3-bit words",
        joint.noise_of_candidates,
        joint.rows_of_noise,
        4,
        5,
    ),
    own_words("noise of candidates"),
    long_draws("noise of candidates", "report noisy max"),
    sensitivity("report noisy max", "monotone"),
    values("report noisy max"),
)
