"""Checks of chapter 3: choices where words decide narrowly, where numbers are large, and twice in one call.

The samplers settle most draws by floats that certainly enclose the truth. Whether they settle them rightly is seen at
the edges, with words of 64 bits right beside them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, product
from typing import Any

import numpy as np

from fdpedu.claims.checking import require
from fdpedu.claims.mechanisms.laws import Given
from fdpedu.claims.mechanisms.laws_selection import PMFS, SAMPLERS, Utilities
from fdpedu.claims.replay import bounds, enumerate_law, patched
from fdpedu.exact import Rate, as_fraction
from fdpedu.mechanisms import exponential, exponential_pmf, permute_and_flip, permute_and_flip_pmf, report_noisy_max
from fdpedu.randomness import ReplayedWords, ZeroWords

LAST = 2**64 - 1  # the largest word


def _near(edge: Fraction) -> Iterator[int]:
    """The word whose cell holds this number, and its neighbours."""
    word = int(edge * 2**64)
    return (near for near in (word - 1, word, word + 1) if 0 <= near <= LAST)


def two_draws(name: str, utilities: Utilities, alpha: Fraction, words: int) -> None:
    """Two draws of one call are independent, by 3-bit words."""
    stated, many = PMFS[name](utilities, alpha=alpha), len(utilities)

    def both(tape: ReplayedWords) -> int:
        one, other = SAMPLERS[name](utilities, rng=tape, alpha=alpha, size=2).tolist()
        return int(one * many + other)

    decided, undecided = enumerate_law(both, 3, words)
    require(undecided <= Fraction(1, 2), f"a share of {undecided} is undecided")
    for pair, mass in decided.items():
        true = stated[pair // many] * stated[pair % many]
        require(
            mass <= true <= mass + undecided,
            f"the pair {divmod(pair, many)} has {float(mass):.6f} to {float(mass + undecided):.6f}, not {true}",
        )


def pairs(name: str, words: int) -> Iterator[tuple[str, Utilities, Fraction, int]]:
    """Two candidates for one mechanism, the second or the first the better one."""
    yield name, (0, 1), Fraction(1, 2), words
    yield name, (1, 0), Fraction(1, 4), words


def intervals(utilities: Sequence[Any], given: Given) -> tuple[list[int], list[Fraction]]:
    """The candidates in the order of their intervals for the exponential mechanism, and the edges between these.

    The best candidate owns the first interval, then follow those behind it in their order, as if in a ring.
    """
    law, true = exponential_pmf(utilities, **given), [as_fraction(u) for u in utilities]
    best = true.index(max(true))
    row = [*range(best, len(true)), *range(best)]
    return row, [bounds(edge)[0] for edge in accumulate(law[r] for r in row[:-1])]


def borders(utilities: Sequence[Any], given: Given, most: int) -> None:
    """Words of 64 bits next to the edges of the exponential mechanism, and a second one, give the right candidate."""
    row, edges = intervals(utilities, given)
    for edge in edges[:: max(1, len(edges) // most)]:
        for word, last in product(_near(edge), (0, LAST)):
            right = row[bisect_right(edges, Fraction((word << 64) + last, 2**128))]
            found = exponential(utilities, rng=ReplayedWords((word, last)), **given)
            require(found == right, f"the words {word}, {last} give {found}, not {right}")


def rows(most: int) -> Iterator[tuple[tuple[Any, ...], Given, int]]:
    """Up to 5,000 candidates; fractions where α is not given, for it takes integers only."""
    alpha, general, monotone = {"alpha": "2/3"}, {"epsilon": "3/7", "sensitivity": 2}, {"epsilon": 2, "monotone": True}
    few = [(1, 0), (2, 2, 0), (0, 3, 1, 3), (0, 40)]
    yield from product(few, (alpha, general, monotone), [most])
    yield tuple((7 * k * k) % 11 for k in range(5000)), general, most
    yield from product([(0.1, Fraction(1, 3), 7, -2.5)], (general, monotone), [most])


def coin_borders(gap: Any, given: Given) -> None:
    """Words of 64 bits next to 1 − e^(−rate·gap): the worse candidate is drawn (the last word is odd) iff above."""
    coin = permute_and_flip_pmf((gap, 0), **given)[1] * 2  # it is taken if its coin shows heads and it is first
    edge = bounds(1 - coin)[0]
    for word, last in product(_near(edge), (1, LAST)):
        heads = Fraction((word << 64) + last, 2**128) > edge
        found = permute_and_flip((gap, 0), rng=ReplayedWords((word, last, 1)), **given)
        require(found == heads, f"the words {word}, {last} give {found}, not {int(heads)}")


def gaps(most: int) -> Iterator[tuple[Any, Given]]:
    """Gaps of 1 to ``most``, and fractions where α is not given."""
    alpha, epsilon, tiny = {"alpha": "2/3"}, {"epsilon": "3/7"}, {"epsilon": "1/10000000000"}
    yield from product(range(1, most + 1), (alpha, epsilon, tiny))
    yield from product((0.1, Fraction(1, 3)), (epsilon, tiny))


def beyond(utilities: Utilities, highs: tuple[int, ...]) -> None:
    """Noise whose highest digits are played is compared as the integers that it stands for, however large."""
    rate = Rate.of(epsilon=Fraction(1, 2**35))
    stride = 1023**3
    with patched("fdpedu.mechanisms.weights", sample=lambda law, size, source: np.array(highs)):
        found = report_noisy_max(utilities, epsilon=rate.rate, monotone=True, rng=ZeroWords())
    sums = [u + stride * high for u, high in zip(utilities, highs, strict=True)]
    require(found == sums.index(max(sums)), f"candidate {found} wins, but the sums are {sums}")


def large(most: int) -> Iterator[tuple[Utilities, tuple[int, ...]]]:
    """Gaps up to 2**70, and all pairs of seven highest digits."""
    highs = (0, 1, 2**20, 2**33, 2**33 + 1, 2**34, 2**50)
    return product([(0, 0), (0, most), (2**61, 0), (2**70, 0)], product(highs, repeat=2))
