"""Checks of chapter 6: joint laws. Shares are independent across cells, calls and parties, and X of Y in each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from fdpedu.claims.checking import require
from fdpedu.claims.dependence import (
    AlteredWords,
    bits_of,
    reached_by,
    require_distinct,
    require_own_words,
    require_unrelated,
)
from fdpedu.claims.dlpa.laws_blocks import After, silent_word, small_table
from fdpedu.claims.mechanisms.laws_joint import among
from fdpedu.claims.mechanisms.laws_streams import TINY, require_moments, variance_of
from fdpedu.claims.replay import patched, require_joint_law
from fdpedu.dlpa import negative_binomial, negative_binomial_by_cycles, polya_share, polya_shares
from fdpedu.exact import Integers, Rate
from fdpedu.randomness import Rehearsal, ReplayedWords, Source
from fdpedu.sampling.blocks import FAILED, BlockTable

TRIANGLE = {-1: Fraction(1, 4), 0: Fraction(1, 2), 1: Fraction(1, 4)}  # a difference of two fair bits
TWO_THINGS = {0: Fraction(3, 8), 1: Fraction(1, 4), 2: Fraction(3, 8)}  # of two things: those in cycles of our own


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


class ThreeOfFour(BlockTable):
    """Attempts of two bits in place of the table's: 0, 1, 2, or nothing."""

    def _attempts(self, size: int, source: Source) -> Integers:
        words = source.words(size).astype(np.int64)
        return np.where(words == 3, FAILED, words)


def again(size: int, calls: int, words: int) -> None:
    """What an attempt does not yield is drawn again for itself."""
    table = small_table(Fraction(1, 2), 2, 0, 12, ThreeOfFour)
    require_joint_law(
        lambda tape: [table.sample(size, tape) for _ in range(calls)], [among(3)] * (size * calls), words, word_bits=2
    )


class ResidualOfOneWord(BlockTable):
    """One word in place of an attempt in the residual."""

    def _residual(self, source: Source) -> int:
        return int(source.words(1)[0])


def in_the_residual(size: int, calls: int, words: int) -> None:
    """Each number that the table leaves to the residual is drawn there for itself."""
    table = small_table(Fraction(1, 2), 2, 0, 12, ResidualOfOneWord)
    silent = silent_word(table)
    require_joint_law(
        lambda tape: [table._attempts(size, After((silent,) * size, tape)) for _ in range(calls)],
        [among(4)] * (size * calls),
        words,
        word_bits=2,
    )


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


def divided_variance(epsilon: Fraction, sensitivity: int, n_parties: int, tolerate: int, draws: int) -> None:
    """The shares of any K − c parties have the variance that is promised; those of all K/(K − c) times as much."""
    drawn = polya_shares(n_parties, epsilon, draws, Rehearsal(19), sensitivity=sensitivity, tolerate=tolerate)
    stated, honest = variance_of(epsilon / sensitivity), n_parties - tolerate
    require_moments(drawn[tolerate:].sum(axis=0), stated, 1)
    require_moments(drawn[:honest].sum(axis=0), stated, 1)
    require_moments(drawn.sum(axis=0), stated * n_parties / honest, n_parties / honest)


def divisions(draws: int) -> Iterator[tuple[Fraction, int, int, int, int]]:
    """2 to 60 parties, up to all but one tolerated, sensitivities 1 to 1,000, ε from 2 to 10⁻⁹."""
    yield Fraction(2), 1, 2, 0, draws
    yield Fraction(1), 2, 3, 1, draws
    yield Fraction(1, 3), 3, 5, 4, draws
    yield Fraction(1, 10), 1000, 7, 2, draws
    yield Fraction(1, 10**9), 1, 4, 1, draws
    yield Fraction(1, 2), 2, 60, 1, draws
    yield Fraction(1), 2, 40, 38, draws


def same_shares(epsilon: Fraction, sensitivity: int, n_parties: int, tolerate: int) -> None:
    """Shares of ε for the sensitivity Δ are those of ε/Δ for 1, from the same words."""
    one, other = (
        polya_shares(n_parties, e, 9, Rehearsal(3), sensitivity=d, tolerate=tolerate)
        for e, d in ((epsilon, sensitivity), (epsilon / sensitivity, 1))
    )
    require(np.array_equal(one, other), f"drawn is {one.tolist()}; with ε/Δ and Δ = 1 it is {other.tolist()}")
