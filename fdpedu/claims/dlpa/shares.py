"""Shares of discrete Laplace noise: one share, their sum, and that they are independent."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from fdpedu.claims.checking import require
from fdpedu.claims.dependence import (
    ALPHA,
    AlteredWords,
    bits_of,
    reached_by,
    require_distinct,
    require_own_words,
    require_unrelated,
)
from fdpedu.claims.dlpa.cycles import INTEGERS, coefficient_by_product
from fdpedu.claims.mechanisms.words import TINY
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.replay import enumerate_law, patched, require_joint_law
from fdpedu.dlpa import count_noise_shares, negative_binomial, polya_share, polya_shares
from fdpedu.exact import Integers, Rate
from fdpedu.mechanisms import discrete_laplace_pmf
from fdpedu.randomness import Rehearsal, ReplayedWords, Source
from fdpedu.sampling.polya_weights import multiplied_out

TRIANGLE = {-1: Fraction(1, 4), 0: Fraction(1, 2), 1: Fraction(1, 4)}  # a difference of two fair bits


def shares_make_a_geometric(m: int, most: int) -> None:
    """The m-fold convolution of the NB(1/m) coefficients is 1 for every k: m shares make a geometric number.

    And they are the coefficients by which the shipped sampler decides the closest calls.
    """
    for k in range(most + 1):
        shipped, exact = multiplied_out(k, m, 40), coefficient_by_product(k, Fraction(1, m))
        require(shipped.lower <= exact <= shipped.upper, f"c({k}) is {exact}, shipped {shipped}")
    total = [Fraction(1)] + [Fraction(0)] * most
    for _ in range(m):
        total = [
            sum((total[i] * coefficient_by_product(k - i, Fraction(1, m)) for i in range(k + 1)), Fraction(0))
            for k in range(most + 1)
        ]
    require(total == [1] * (most + 1), f"the convolution is {total}")


def replayed_sum(n: int, tolerate: int, bits: int) -> None:
    """The law of one share, over all tapes of one word, convolved over any n − tolerate parties: discrete Laplace."""
    alpha = Fraction(1, 8)
    n_noise_shares = count_noise_shares(n, tolerate)
    one, undecided = enumerate_law(
        lambda tape: int(negative_binomial(Rate.of(alpha=alpha), n_noise_shares, 1, tape)[0]), bits, 1
    )
    total = {0: Fraction(1)}
    for sign in (1, -1) * (n - tolerate):
        following: dict[int, Fraction] = defaultdict(Fraction)
        for (k, mass), (step, weight) in product(total.items(), one.items()):
            following[k + sign * step] += mass * weight
        total = following
    rest = 1 - (1 - undecided) ** (2 * (n - tolerate))
    require(rest < Fraction(1, 10), f"a share of {rest} is undecided")
    for k, mass in total.items():
        stated = discrete_laplace_pmf(k, alpha=alpha)
        assert isinstance(stated, Fraction)
        require(mass <= stated <= mass + rest, f"Pr[{k}] is at least {float(mass):.5f}, stated {float(stated):.5f}")


def own_shares(n: int, tolerate: int, size: int, seed: int) -> None:
    """``polya_shares`` is one ``polya_share`` a party for n − tolerate, each from its own stretch of words."""
    rate, source = Rate.of(epsilon="1/9"), Rehearsal(seed)
    expected = [polya_share(rate, n - tolerate, size, source).tolist() for _ in range(n)]
    got = polya_shares(n, "1/9", size, Rehearsal(seed), tolerate=tolerate).tolist()
    require(got == expected, f"the shares are {got}, not {expected}")
    require(len({tuple(row) for row in got}) == n, "two parties have the same share")


def replayed_difference(alpha: Fraction, m: int, word_bits: int) -> None:
    """X and Y of a share are independent: over all tapes of two words its law is that of a difference."""
    rate = Rate.of(alpha=alpha)
    one, undecided = enumerate_law(lambda tape: int(negative_binomial(rate, m, 1, tape)[0]), word_bits, 1)
    share, rest = enumerate_law(lambda tape: int(polya_share(rate, m, 1, tape)[0]), word_bits, 2)
    require(rest <= 2 * undecided and rest < Fraction(1, 2), f"a share of {rest} is undecided")
    for d in range(-3, 4):
        least = sum((one.get(k, 0) * one.get(k - d, 0) for k in range(20)), Fraction(0))
        require(share.get(d, 0) >= least, f"Pr[{d}] is {float(share.get(d, 0))}, less than {float(least)}")


def of_one_bit(expected: Rate, n_noise_shares: int) -> Callable[[Rate, int, int, Source], Integers]:
    """In place of negative binomial numbers: one fair bit each, for the parameters that are expected and no others."""

    def draw(rate: Rate, m: int, size: int, source: Source) -> Integers:
        require((rate, m) == (expected, n_noise_shares), f"drawn is for {rate} and m = {m}")
        return source.words(size).astype(np.int64)

    return draw


def shares(n_parties: int, tolerate: int, sensitivity: int, size: int, calls: int) -> None:
    """Shares of all parties and cells, with one fair bit for each negative binomial number: all are independent."""
    numbers = of_one_bit(Rate.of("1/2", None, sensitivity), n_parties - tolerate)

    def draw(tape: ReplayedWords) -> Any:
        drawn = [
            polya_shares(n_parties, "1/2", size, tape, sensitivity=sensitivity, tolerate=tolerate) for _ in range(calls)
        ]
        require(all(share.shape == (n_parties, size) for share in drawn), "the shape is another one")
        return drawn

    numbers_drawn = n_parties * size * calls
    with patched("fdpedu.dlpa.shares", negative_binomial=numbers):
        laws = [lambda k: TRIANGLE.get(k, Fraction(0))] * numbers_drawn
        require_joint_law(draw, laws, 2 * numbers_drawn, word_bits=1, slack=Fraction(0))


def many_parties(n_parties: int, tolerate: int, sensitivity: int, size: int) -> None:
    """However many parties there are, each number is drawn for the stated rate and m, and no two shares are alike.

    A number of 56 bits stands for each negative binomial number, so that what is alike is the same.
    """
    expected, drawn = Rate.of("1/3", None, sensitivity), list[int]()

    def wide(rate: Rate, m: int, size: int, source: Source) -> Integers:
        require((rate, m) == (expected, n_parties - tolerate), f"drawn is for {rate} and m = {m}")
        drawn.append(size)
        return (source.words(size) >> np.uint64(8)).astype(np.int64)

    with patched("fdpedu.dlpa.shares", negative_binomial=wide):
        found = polya_shares(n_parties, "1/3", size, AlteredWords(2), sensitivity=sensitivity, tolerate=tolerate)
    require(sum(drawn) == 2 * n_parties * size, f"{sum(drawn)} numbers are drawn for {n_parties} parties")
    require_distinct(found, "shares")


def large_divisions(most: int) -> Iterator[tuple[int, int, int, int]]:
    """1 to ``most`` parties: none tolerated, one, nearly all; and sizes on both sides of whole tiles."""
    for n in sorted({1, 2, 3, 4, 5, 8, 9, 16, 17, 33, most}):
        yield from ((n, c, n, 3) for c in sorted({0, min(1, n - 1), n - 1}))
    yield from ((3, 1, 2, size) for size in (1, 4096, 4097, 16384, 16385))


def small_divisions(numbers: int) -> Iterator[tuple[int, int, int, int, int]]:
    """One to three parties, up to three cells, two calls, at most so many shares, and once six; Δ to 3."""
    for n, size, calls in product((1, 2, 3), (1, 2, 3), (1, 2)):
        if n * size * calls <= numbers or (n, size, calls) == (3, 2, 1):
            yield n, (n - 1) // 2, n, size, calls


def shares_of_own_words(name: str, seed: int) -> None:
    """With 64-bit words, each number of a share is made of two words of its own, one for X and one for Y."""
    rate = Rate.of("1/50")
    if name == "numbers":
        require_own_words(lambda source: negative_binomial(rate, 3, 7, source), seed)
    elif name == "share":
        require_own_words(lambda source: [polya_share(rate, 3, 5, source) for _ in range(2)], seed, least=2)
    else:
        own_sources(lambda source: polya_shares(3, "1/20", 4, source, sensitivity=3, tolerate=1), seed)


def own_sources(draw: Callable[[AlteredWords], Any], seed: int) -> None:
    """The k-th row is made of words of the k-th child of the source, two of its own for each number."""
    require_own_words(draw, seed, least=2)
    rows, reached = len(draw(AlteredWords(seed))), reached_by(draw, seed, times=12)
    for cell, places in enumerate(reached):
        row = cell // (len(reached) // rows)
        paths = {path for path, _, _ in places}
        require(paths == {(row,)}, f"a number of party {row} comes from the sources {sorted(paths)}")


def long_shares(n_parties: int, size: int) -> None:
    """Long shares in blocks, with ε = 2⁻³⁸: neither across the cells of a party nor across parties do they repeat."""
    drawn = polya_shares(n_parties, TINY, size // n_parties, Rehearsal(7), tolerate=n_parties // 3)
    require_distinct(drawn, "numbers", most=3 + size // 1000)
    signs = {f"the signs of {n_parties} parties' shares": np.sign(drawn), **bits_of(drawn, (0, 5, 10, 20))}
    numbers = negative_binomial(Rate(rate=TINY), n_parties, size, Rehearsal(8))
    require_unrelated({**signs, **{f"X, {name}": row for name, row in bits_of(numbers, (0, 5, 8)).items()}})


def same_shares(epsilon: Fraction, sensitivity: int, n_parties: int, tolerate: int) -> None:
    """Shares of ε for the sensitivity Δ are those of ε/Δ for 1, from the same words."""
    one, other = (
        polya_shares(n_parties, e, 9, Rehearsal(3), sensitivity=d, tolerate=tolerate)
        for e, d in ((epsilon, sensitivity), (epsilon / sensitivity, 1))
    )
    require(np.array_equal(one, other), f"drawn is {one.tolist()}; with ε/Δ and Δ = 1 it is {other.tolist()}")


POLYA_SHARES = (
    Check(
        "joint law",
        "exact",
        "up to three parties, cells, and two calls, up to {size} shares, a fair bit for each number: all are "
        "independent",
        shares,
        small_divisions,
        4,
        7,
        more=[(3, 2, 5, 2, 1)],
    ),
    Check(
        "many parties",
        "exact",
        "1 to {size} parties, none to all but one tolerated, up to 16,385 cells: each number is drawn for the "
        "stated rate and m, and for one share",
        many_parties,
        large_divisions,
        100,
        1000,
    ),
    Check(
        "own words",
        "exact",
        "{size} tapes of 64-bit words, altered half by half: each number of a share has two words of its own, "
        "from its party's source",
        shares_of_own_words,
        lambda seeds: product(("numbers", "share", "parties"), range(seeds)),
        2,
        20,
        more=[("numbers", 77), ("share", 77), ("parties", 77)],
    ),
    Check(
        "long shares",
        "statistical",
        "{size} rehearsed shares of one party, and of four: signs and bits at any distance are unrelated",
        long_shares,
        lambda size: [(1, size), (4, size)],
        40_000,
        400_000,
        alpha=ALPHA,
    ),
    Check(
        "sensitivity",
        "exact",
        "shares of ε for Δ are those of ε/Δ for 1, from the same words, Δ to {size}",
        same_shares,
        lambda most: product((Fraction(1), Fraction(2, 7)), (2, 3, most), (1, 2, 5), (0,)),
        1000,
        10**6,
    ),
)


HONEST = "parties are honest but curious"

CLAIMS = (
    Claim(
        "thm-polya-shares",
        status="proved+checked",
        code=("fdpedu.dlpa", "fdpedu.dlpa.shares", "fdpedu.dlpa.shares.polya_shares"),
        checks=(
            Check(
                "convolution",
                "exact",
                "m-fold convolution of the coefficients up to k = {size}, m = 1 to 10, any α",
                shares_make_a_geometric,
                lambda most: product(range(1, 11), [most]),
                15,
                40,
            ),
            Check(
                "replayed sum",
                "exact",
                "one share over all words of {size} bits, convolved over one, two and three parties",
                replayed_sum,
                lambda bits: [(1, 0, bits), (2, 0, bits), (3, 0, bits)],
                12,
                14,
            ),
            Check(
                "replayed difference",
                "exact",
                "one share over all tapes of two {size}-bit words: its distribution is that of a difference of "
                "independent numbers, two pairs of α and m",
                replayed_difference,
                lambda bits: [(Fraction(1, 8), 2, bits), (Fraction(1, 12), 4, bits)],
                7,
                8,
                more=[(Fraction(1, 10), 3, 7)],
            ),
            Check(
                "own shares",
                "exact",
                "up to {size} parties, any number tolerated: each draws its own share, for the stated number of "
                "n_noise_shares",
                own_shares,
                lambda most: ((n, c, 40, seed) for n in range(1, most + 1) for c in range(n) for seed in range(3)),
                4,
                8,
            ),
            *POLYA_SHARES,
        ),
        assumptions=(INTEGERS, HONEST),
        uses=("lem-cycles", "lem-nb-blocks"),
    ),
)

TWINS = (
    Broken(
        "two numbers of one draw",
        "fdpedu.dlpa.shares.polya_share",
        "negative_binomial(rate, n_noise_shares, size, source) - negative_binomial(rate, n_noise_shares, size, source)",
        "(drawn := negative_binomial(rate, n_noise_shares, size, source)) - drawn[::-1]",
        "Each number has the right distribution, so their difference has.",
        "thm-polya-shares",
        "replayed difference",
    ),
    Broken(
        "one share for all parties",
        "fdpedu.dlpa.shares.polya_shares",
        "size, source) for source in sources]",
        "size, source) for source in sources][:1] * n_parties",
        "Each party's share has the right distribution.",
        "thm-polya-shares",
        "joint law",
    ),
    Broken(
        "Y is the neighbour's X",
        "fdpedu.dlpa.shares.polya_share",
        "negative_binomial(rate, n_noise_shares, size, source) - negative_binomial(rate, n_noise_shares, size, source)",
        "(drawn := negative_binomial(rate, n_noise_shares, size + 1, source))[1:] - drawn[:-1]",
        "In every cell X and Y are independent.",
        "thm-polya-shares",
        "own words",
    ),
    Broken(
        "shares for sensitivity one",
        "fdpedu.dlpa.shares.polya_shares",
        "Rate.of(epsilon, alpha, sensitivity)",
        "Rate.of(epsilon, alpha)",
        "Counts have sensitivity one.",
        "thm-polya-shares",
        "sensitivity",
    ),
    Broken(
        "sign by one coin",
        "fdpedu.dlpa.shares.polya_share",
        "negative_binomial(rate, n_noise_shares, size, source) - negative_binomial(rate, n_noise_shares, size, source)",
        "negative_binomial(rate, n_noise_shares, size, source) * (1 - 2 * uniform_below(np.full(size, 2), source))",
        "A symmetric number is one of the right size with a random sign.",
        "thm-polya-shares",
        "replayed difference",
    ),
    Broken(
        "a coefficient too far",
        "fdpedu.sampling.polya_weights.multiplied_out",
        "low = low * (1 + (i - 1) * n_noise_shares) //",
        "low = low * (1 + i * n_noise_shares) //",
        "The i-th factor has i in it.",
        "thm-polya-shares",
        "convolution",
    ),
    Broken(
        "one share more",
        "fdpedu.sampling.blocks.negative_binomial",
        "_shipped_table(rate, n_noise_shares, source.word_bits)",
        "_shipped_table(rate, n_noise_shares + 1, source.word_bits)",
        "The aggregator adds a share of its own, so there are K + 1.",
        "thm-polya-shares",
        "replayed sum",
    ),
    Broken(
        "shares for all although some may be missing",
        "fdpedu.dlpa.shares.polya_shares",
        "[polya_share(rate, n_noise_shares, size, source)",
        "[polya_share(rate, n_parties, size, source)",
        "All parties draw a share, so K of them make up the noise.",
        "thm-polya-shares",
        "own shares",
    ),
    Broken(
        "nobody colludes in a large federation",
        "fdpedu.dlpa.shares.polya_shares",
        "count_noise_shares(n_parties, tolerate)",
        "count_noise_shares(n_parties, tolerate if n_parties < 9 else 0)",
        "Among many parties a few colluders know next to nothing.",
        "thm-polya-shares",
        "many parties",
    ),
    Broken(
        "shares used again after a while",
        "fdpedu.dlpa.shares.polya_shares",
        "[polya_share(rate, n_noise_shares, size, source)",
        "[np.resize(polya_share(rate, n_noise_shares, min(size, 3000), source), size)",
        "Cells that are far enough apart may have the same noise.",
        "thm-polya-shares",
        "long shares",
    ),
)
