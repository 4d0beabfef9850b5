"""The noise of a release is independent across cells, queries, parties, rounds and federations.

Checks of thm-histogram.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from fdpedu.claims.checking import require
from fdpedu.claims.dependence import AlteredWords, bits_of, require_distinct, require_own_words, require_unrelated
from fdpedu.claims.dlpa.shares import TRIANGLE
from fdpedu.claims.federations import AGE, federate
from fdpedu.claims.mechanisms.words import require_moments, variance_of
from fdpedu.claims.replay import patched, require_joint_law
from fdpedu.claims.secure_sum.key_stream import require_own_keys
from fdpedu.domain import Domain, Numeric
from fdpedu.exact import Integers, Rate
from fdpedu.federation import ClassCounts, ClassHistogram, NodeHistograms, Query
from fdpedu.federation.queries import noise_of
from fdpedu.federation.records import Records
from fdpedu.randomness import Rehearsal, ReplayedWords, Source

TWO = Domain([Numeric.grid(name, 0, 100, bins=2) for name in ("age", "dose")], ("well", "ill"))
Costs = tuple[Fraction, ...]
WIDE = Domain([Numeric.grid(f"x{j}", 0, 256, bins=256) for j in range(2)], tuple(range(20)))


def noise_of_a_party(rounds: tuple[Costs, ...], n_noise_shares: int, words: int) -> None:
    """One party's noise for class counts at these costs, round after round: all cells are independent, of their rates.

    A fair bit stands for each negative binomial number, times 10^k for the k-th of the rates that occur.
    """
    rates = sorted({cost for costs in rounds for cost in costs})

    def of_one_bit(rate: Rate, m: int, size: int, source: Source) -> Integers:
        require(rate.rate in rates and m == n_noise_shares, f"drawn is for the rate {rate.rate}, and m = {m}")
        assert rate.rate is not None
        return source.words(size).astype(np.int64) * 10 ** rates.index(rate.rate)

    def stated(cost: Fraction) -> Callable[[int], Fraction]:
        unit = 10 ** rates.index(cost)
        return lambda k: TRIANGLE.get(k // unit, Fraction(0)) if k % unit == 0 else Fraction(0)

    def draw(tape: ReplayedWords) -> list[int]:
        queries = [[ClassCounts(AGE.everything, cost) for cost in costs] for costs in rounds]
        return [n for of_round in queries for n in noise_of(of_round, AGE, n_noise_shares, tape).tolist()]

    laws = [stated(cost) for costs in rounds for cost in costs for _ in range(AGE.n_classes)]
    with patched("fdpedu.dlpa.shares", negative_binomial=of_one_bit):
        require_joint_law(draw, laws, words, word_bits=1, slack=Fraction(0))


def small_rounds(queries: int) -> Iterator[tuple[tuple[Costs, ...], int, int]]:
    """Up to so many queries of one rate, of two, of one between two of another; in one round, and in two."""
    a, b = Fraction(1, 2), Fraction(1, 3)
    for rounds in [((a, a),), ((a, b),), ((a,), (a,)), ((a,), (b,)), ((a, b, a),), ((a, a), (a,)), ((a, b), (b, a))]:
        if len(rounds) + (asked := sum(map(len, rounds))) <= queries + 1:
            yield rounds, 2, 4 * asked


def _release(source: Source, parties: int, costs: Costs, rounds: int, federations: int) -> Any:
    """What federations without records release, one after the other from one source: noise alone."""
    everything, drawn = TWO.everything, []
    for _ in range(federations):
        federation = federate([[]] * parties, TWO, 100, source, tolerate=parties // 3)
        for _ in range(rounds):
            queries: list[Query] = [
                NodeHistograms(everything, 2 * costs[0]),
                *(ClassHistogram(everything, cost, j % 2) for j, cost in enumerate(costs)),
                ClassCounts(everything.restrict(0, [1]), costs[0]),
            ]
            drawn += [answer.ravel() for answer in federation.release(queries)]
    return np.concatenate(drawn)


def own_words(parties: int, rounds: int, seed: int) -> None:
    """Each cell of each query, in each round, is made of two words of each party, and no two cells of the same."""

    def draw(source: AlteredWords) -> Any:
        return _release(source, parties, (Fraction(1, 50), Fraction(1, 60)), rounds, 1)

    require_own_words(draw, seed, least=2, sources=parties)


def small_federations(seeds: int) -> Iterator[tuple[int, int, int]]:
    """Three parties in one round, two in two rounds."""
    return ((parties, rounds, seed) for seed in range(seeds) for parties, rounds in ((3, 1), (2, 2)))


def many_parties(parties: int, tolerate: int, rounds: int) -> None:
    """However many parties there are: each draws two numbers for each cell, for the query's rate and m = K − c.

    A number of 52 bits stands for each negative binomial number, so that what is alike is the same.
    """
    costs, drawn = (Fraction(1, 7), Fraction(1, 3)), dict[Fraction | None, int]()

    def wide(rate: Rate, m: int, size: int, source: Source) -> Integers:
        require(m == parties - tolerate, f"drawn is for m = {m}")
        drawn[rate.rate] = drawn.get(rate.rate, 0) + size
        return (source.words(size) >> np.uint64(12)).astype(np.int64)

    federation = federate([[]] * parties, TWO, 100, AlteredWords(5), tolerate=tolerate)
    queries: list[Query] = [ClassCounts(TWO.everything, cost) for cost in (*costs, costs[0])]
    queries += [NodeHistograms(TWO.everything, 2 * costs[1])]  # two features, each at that cost
    with patched("fdpedu.dlpa.shares", negative_binomial=wide):
        answers = [answer.ravel() for _ in range(rounds) for answer in federation.release(queries)]
    require_distinct(np.concatenate(answers), "cells")
    expected = {cost: 2 * parties * rounds * cells for cost, cells in zip(costs, (4, 2 + 8), strict=True)}
    require(drawn == expected, f"numbers are drawn for the rates {drawn}, expected is {expected}")


def own_keys(parties: int) -> None:
    """In each of two federations every pair of parties has masks of a key of its own."""
    federations = [federate([[]] * parties, TWO, 1, Rehearsal(1)) for _ in range(2)]
    endpoints: list[list[Any]] = [[respond.__self__ for respond in f._endpoints] for f in federations]  # type: ignore[attr-defined]
    require_own_keys([[of_a_party._masks for of_a_party in federation] for federation in endpoints])


def large_federations(most: int) -> Iterator[tuple[int, int, int]]:
    """2 to ``most`` parties; none tolerated, one, all but one; one round and three."""
    for n in sorted({2, 3, 8, 9, 17, most}):
        yield from ((n, c, rounds) for c, rounds in ((0, 1), (1, 3), (n - 1, 2)))


def long_release(parties: int, rounds: int, federations: int) -> None:
    """Many cells, rounds, and federations one after the other: what is released does not repeat, however far apart."""
    source, drawn = Rehearsal(23), []
    for _ in range(federations):
        federation = federate([[]] * parties, WIDE, 1, source, tolerate=parties // 3)
        for _ in range(rounds):
            answers = federation.release([NodeHistograms(WIDE.everything, Fraction(1, 2**36))])
            drawn += [answer.ravel() for answer in answers]
    noise = np.concatenate(drawn)
    require_distinct(noise, "cells", most=3 + noise.size // 2000)
    require_unrelated({f"the signs of {noise.size} cells": np.sign(noise), **bits_of(noise, (0, 5, 10, 20))})


def promised_variance(parties: int, tolerate: int, costs: tuple[Fraction, Fraction]) -> None:
    """The noise of each query has the variance of its own rate, times K/(K − c), whatever is asked beside it."""
    first, second = costs
    federation = federate([[]] * parties, WIDE, 100, Rehearsal(29), tolerate=tolerate)
    everything = WIDE.everything
    asked: list[tuple[Query, Fraction]] = [
        (ClassHistogram(everything, first, 0), first),
        (NodeHistograms(everything, second), second / 2),
        (ClassHistogram(everything, second, 1), second),
        (ClassHistogram(everything, first, 1), first),
    ]
    shares = Fraction(parties, parties - tolerate)
    for (query, rate), answer in zip(asked, federation.release([query for query, _ in asked]), strict=True):
        require(answer.shape == query.shape(WIDE), f"the answer has the shape {answer.shape}")
        require_moments(answer, variance_of(rate) * float(shares), float(shares))


def divisions(parties: int) -> Iterator[tuple[int, int, tuple[Fraction, Fraction]]]:
    """Two, three, and so many parties; nobody tolerated, or one; costs that differ."""
    costs = (Fraction(1, 10), Fraction(2)), (Fraction(1), Fraction(1, 1000))
    return product((2, 3, parties), (0, 1), costs)


def wide_tables(classes: int, rows: int) -> None:
    """Counts of more rows than one block, in as many cells as numbers of 16 bits can name, or more."""
    domain = Domain([Numeric.grid(f"x{j}", 0, 256, bins=256) for j in range(3)], tuple(range(classes)))
    rng = np.random.default_rng(31)
    codes = rng.integers(0, 256, (rows, 3)).astype(np.uint8)
    labels = rng.integers(0, classes, rows).astype(np.uint8)
    codes[-3:], labels[-3:] = 255, classes - 1  # the last cell of all
    records = Records(codes, labels, domain)
    regions = [domain.everything, domain.everything.restrict(1, range(100, 256))]
    for region, found in zip(regions, records.within(regions), strict=True):
        inside = region.holds(codes, labels, domain.everything)
        require(np.array_equal(found, np.flatnonzero(inside)), "the rows of a region are others")
        tables = np.zeros((3, 256, classes), dtype=np.int64)
        for j in range(3):
            np.add.at(tables[j], (codes[inside, j], labels[inside]), 1)
        one = Fraction(1)
        whole = NodeHistograms(region, one).tally(records, found, domain)
        require(np.array_equal(whole, tables.ravel()), "the histograms of a node are others")
        for j in range(3):
            counted = ClassHistogram(region, one, j).tally(records, found, domain)
            require(np.array_equal(counted, tables[j].ravel()), f"the histogram of feature {j} is another one")
        counted = ClassCounts(region, one).tally(records, found, domain)
        require(np.array_equal(counted, tables[0].sum(axis=0)), "the class counts are others")
