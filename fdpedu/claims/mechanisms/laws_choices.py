"""Checks of chapter 3: choices where words decide narrowly, where numbers are large, and twice in one call.

The samplers settle most draws by floats that certainly enclose the truth. Whether they settle them rightly is seen at
the edges, with words of 64 bits right beside them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from fractions import Fraction
from itertools import accumulate, product
from typing import Any

import numpy as np

from fdpedu.claims.checking import exhaust, need
from fdpedu.claims.mechanisms.laws_selection import Pmf, Utilities
from fdpedu.claims.replay import ends, enumerate_law, instead
from fdpedu.exact import Rate
from fdpedu.mechanisms import (
    exponential,
    exponential_pmf,
    permute_and_flip,
    permute_and_flip_pmf,
    report_noisy_max,
    report_noisy_max_pmf,
)
from fdpedu.randomness import ReplayedWords, ZeroWords

LAST = 2**64 - 1  # the largest word


def _near(edge: Fraction) -> Iterator[int]:
    """The word whose cell holds this number, and its neighbours."""
    word = int(edge * 2**64)
    return (near for near in (word - 1, word, word + 1) if 0 <= near <= LAST)


def two_draws(sampler: Any, pmf: Pmf, utilities: Utilities, alpha: Fraction, words: int) -> None:
    """Two draws of one call are independent, by 3-bit words."""
    stated, many = pmf(utilities, alpha=alpha), len(utilities)

    def both(tape: ReplayedWords) -> int:
        one, other = sampler(utilities, rng=tape, alpha=alpha, size=2).tolist()
        return int(one * many + other)

    decided, undecided = enumerate_law(both, 3, words)
    need(undecided <= Fraction(1, 2), f"a share of {undecided} is undecided")
    for pair, mass in decided.items():
        true = stated[pair // many] * stated[pair % many]
        need(
            mass <= true <= mass + undecided,
            f"the pair {divmod(pair, many)} has {float(mass):.6f} to {float(mass + undecided):.6f}, not {true}",
        )


def borders(utilities: tuple[Any, ...], given: tuple[tuple[str, Any], ...], most: int) -> None:
    """Words of 64 bits next to the edges of the exponential mechanism, and a second one, give the right candidate.

    The candidates own intervals, the best the first, and then those behind it in their order, as if in a ring.
    """
    law, best = exponential_pmf(utilities, **dict(given)), utilities.index(max(utilities))
    row = [*range(best, len(utilities)), *range(best)]
    edges = [ends(edge)[0] for edge in accumulate(law[r] for r in row[:-1])]
    for edge in edges[:: max(1, len(edges) // most)]:
        for word, last in product(_near(edge), (0, LAST)):
            right = row[bisect_right(edges, Fraction((word << 64) + last, 2**128))]
            found = exponential(utilities, rng=ReplayedWords((word, last)), **dict(given))
            need(found == right, f"the words {word}, {last} give {found}, not {right}")


def coin_borders(gap: Any, given: tuple[tuple[str, Any], ...]) -> None:
    """Words of 64 bits next to 1 − e^(−rate·gap): the worse candidate is drawn (the last word is odd) iff above."""
    coin = permute_and_flip_pmf((gap, 0), **dict(given))[1] * 2  # it is taken if its coin shows heads and it is first
    edge = ends(1 - coin)[0]
    for word, last in product(_near(edge), (1, LAST)):
        heads = Fraction((word << 64) + last, 2**128) > edge
        found = permute_and_flip((gap, 0), rng=ReplayedWords((word, last, 1)), **dict(given))
        need(found == heads, f"the words {word}, {last} give {found}, not {int(heads)}")


def beyond(utilities: Utilities, highs: tuple[int, ...]) -> None:
    """Noise whose highest digits are played is compared as the integers that it stands for, however large."""
    rate = Rate.of(epsilon=Fraction(1, 2**35))
    stride = 1023**3
    with instead("fdpedu.mechanisms.weights", sample=lambda law, size, source: np.array(highs)):
        found = report_noisy_max(utilities, epsilon=rate.rate, monotone=True, rng=ZeroWords())
    sums = [u + stride * high for u, high in zip(utilities, highs, strict=True)]
    need(found == sums.index(max(sums)), f"candidate {found} wins, but the sums are {sums}")


# --- What the register names ---


def check_pairs(sampler: Any, pmf: Pmf, words: int) -> int:
    cases = [((0, 1), Fraction(1, 2)), ((1, 0), Fraction(1, 4))]
    return exhaust(lambda utilities, alpha: two_draws(sampler, pmf, utilities, alpha, words), cases)


def check_exponential_pairs(words: int) -> int:
    return check_pairs(exponential, exponential_pmf, words)


def check_flip_pairs(words: int) -> int:
    return check_pairs(permute_and_flip, permute_and_flip_pmf, words)


def check_noisy_pairs(words: int) -> int:
    return check_pairs(report_noisy_max, report_noisy_max_pmf, words)


def check_borders(most: int) -> int:
    given = ((("alpha", "2/3"),), (("epsilon", "3/7"), ("sensitivity", 2)), (("epsilon", 2), ("monotone", True)))
    many = tuple((7 * k * k) % 11 for k in range(5000))
    cases: list[Any] = list(product([(1, 0), (2, 2, 0), (0, 3, 1, 3), (0, 40)], given))
    cases += [(many, given[1]), *product([(0.1, Fraction(1, 3), 7, -2.5)], given[1:])]
    return exhaust(lambda utilities, given: borders(utilities, given, most), cases)


def check_coin_borders(most: int) -> int:
    given = ((("alpha", "2/3"),), (("epsilon", "3/7"),), (("epsilon", "1/10000000000"),))
    return exhaust(coin_borders, [*product(range(1, most + 1), given), *product((0.1, Fraction(1, 3)), given[1:])])


def check_beyond(most: int) -> int:
    highs = (0, 1, 2**20, 2**33, 2**33 + 1, 2**34, 2**50)
    return exhaust(beyond, product([(0, 0), (0, most), (2**61, 0), (2**70, 0)], product(highs, repeat=2)))
