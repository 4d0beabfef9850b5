"""The noise of lower bounds, among other queries, in one cell and in all of them together.

Checks of thm-node-bounds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any

import numpy as np

from fdpedu.claims.bounds.local import least_left
from fdpedu.claims.checking import require
from fdpedu.claims.dependence import AlteredWords, require_own_words
from fdpedu.claims.dlpa.shares import TRIANGLE
from fdpedu.claims.federations import federate
from fdpedu.claims.replay import patched, require_joint_law
from fdpedu.dlpa import polya_share
from fdpedu.domain import Categorical, Domain, Numeric, Region, Rows
from fdpedu.exact import Integers, Rate
from fdpedu.federation import ClassCounts, NodeBounds, Query
from fdpedu.federation.queries import noise_of
from fdpedu.randomness import Rehearsal, ReplayedWords, Source

SMALL = Domain([Numeric.grid("age", 0, 2, bins=2), Categorical("ward", ("A", "B"))], ("well", "ill", "worse"))
Asked = tuple[int, Fraction]  # a lattice, 0 for class counts, and the rate that its noise should have


def by_hand(query: NodeBounds, rows: Rows, domain: Domain) -> list[int]:
    """⌊m·F_j⌋ of each feature by its definition: split by split, row by row."""
    codes, labels = domain.encode([r[:-1] for r in rows]), domain.encode_labels([r[-1] for r in rows])
    inside = query.region.holds(codes, labels, domain.everything)
    held = [list(zip(codes[inside, j].tolist(), labels[inside].tolist(), strict=True)) for j in range(codes.shape[1])]
    return [
        math.floor(query.lattice * least_left(column, families(feature)))
        for feature, column in zip(domain.features, held, strict=True)
    ]


def families(feature: Any) -> list[set[int]]:
    """All sets of codes that may go left: those below a border, missing values with them or not, or any sets."""
    codes = range(feature.n_codes)
    if feature.ordered:
        below = [set(range(k)) for k in range(feature.n_bins + 1)]
        return below + [{*codes, feature.n_bins} for codes in below if feature.missing]
    return [{c for c in codes if bits >> c & 1} for bits in range(2 ** len(codes))]


def query_of(asked: Asked) -> Query:
    """The query whose cost is that rate, once for each step of each of its releases."""
    lattice, rate = asked
    if not lattice:
        return ClassCounts(SMALL.everything, rate)
    return NodeBounds(SMALL.everything, rate * lattice * SMALL.n_features, lattice)


def noise_of_a_party(asked: Sequence[Asked], n_noise_shares: int, words: int) -> None:
    """All numbers of a round have noise of their own, of the rate ε/(p·m): the joint law, over all tapes.

    A fair bit stands for each negative binomial number, times 10^k for the k-th of the rates that should occur.
    """
    rates = sorted({rate for _, rate in asked})

    def of_one_bit(rate: Rate, m: int, size: int, source: Source) -> Integers:
        require(rate.rate in rates and m == n_noise_shares, f"drawn is for the rate {rate.rate}, and m = {m}")
        assert rate.rate is not None
        return source.words(size).astype(np.int64) * 10 ** rates.index(rate.rate)

    def stated(rate: Fraction) -> Callable[[int], Fraction]:
        unit = 10 ** rates.index(rate)
        return lambda k: TRIANGLE.get(k // unit, Fraction(0)) if k % unit == 0 else Fraction(0)

    def draw(tape: ReplayedWords) -> list[int]:
        return noise_of([query_of(one) for one in asked], SMALL, n_noise_shares, tape).tolist()

    laws = [stated(one[1]) for one in asked for _ in range(query_of(one).size(SMALL))]
    with patched("fdpedu.dlpa.shares", negative_binomial=of_one_bit):
        require_joint_law(draw, laws, words, word_bits=1, slack=Fraction(0))


def mixed_rounds(most: int) -> Iterator[tuple[Sequence[Asked], int, int]]:
    """One query of bounds; two of one lattice and of two; with class counts of the same rate, and of another."""
    a, b = Fraction(1, 2), Fraction(1, 3)
    for asked in [[(1, a)], [(4, b)], [(2, a), (3, a)], [(4, a), (4, b)], [(2, a), (0, a)], [(2, b), (0, a)]]:
        cells = sum(query_of(one).size(SMALL) for one in asked)
        if cells <= most:
            yield asked, 2, 2 * cells


def release_law(
    domain: Domain, parts: Sequence[Rows], region: Region, tolerate: int, rate: Fraction, lattice: int, seed: int
) -> None:
    """A round releases the sum of the parties' ⌊m·F_j⌋ plus one share of the rate ε/(p·m) of each, number by number.

    The same words are played to the federation and to ``polya_share``.
    """
    p = domain.n_features
    asked = [
        NodeBounds(region, rate * p * lattice, lattice),
        NodeBounds(domain.everything, 3 * rate * p, 1),
        NodeBounds(region, 3 * rate * p * 2, 2),
    ]
    budget = sum(query.epsilon for query in asked)
    released = federate(parts, domain, budget, Rehearsal(seed), tolerate=tolerate).release(asked)
    source, noise = Rehearsal(seed), np.zeros(3 * p, dtype=np.int64)
    for _ in parts:
        groups = [(of, p * len(list(some))) for of, some in groupby([rate, 3 * rate, 3 * rate])]
        noise += np.concatenate([polya_share(Rate(rate=of), len(parts) - tolerate, n, source) for of, n in groups])
    exact = np.concatenate([np.sum([by_hand(query, rows, domain) for rows in parts], axis=0) for query in asked])
    found = np.concatenate(released)
    require(found.tolist() == (exact + noise).tolist(), f"released is {found}, exact {exact} and noise {noise}")


def random_rounds(draw: Any) -> Any:
    """A strategy of what such a round takes."""

    def of(case: Any) -> Any:
        domain, parts = case
        rates = draw.st.fractions(Fraction(1, 50), 1, max_denominator=50)
        rest = draw.regions(domain), draw.integers(0, len(parts) - 1), rates, draw.integers(1, 40), draw.integers(0, 99)
        return draw.tuples(draw.st.just(domain), draw.st.just(parts), *rest)

    return draw.domains_with_parties().flatmap(of)


def own_words(parties: int, rounds: int, seed: int) -> None:
    """Each bound, in each round, is made of two words of each party, and no two bounds of the same."""

    def draw(source: AlteredWords) -> Any:
        federation = federate([[]] * parties, SMALL, 100, source, tolerate=parties // 3)
        asked = [NodeBounds(SMALL.everything, Fraction(1, 10), 3), NodeBounds(SMALL.everything, Fraction(1, 30), 1)]
        return np.concatenate([answer for _ in range(rounds) for answer in federation.release(asked)])

    require_own_words(draw, seed, least=2, sources=parties)
