"""A law known by enclosures of its distribution function, and the slow sampler that is obviously right."""

from __future__ import annotations

import bisect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate
from typing import Any

from fdpedu.exact import ceil_div
from fdpedu.randomness import Source

Bounds = tuple[list[int], list[int]]


def as_it_is(index: int) -> int:
    return index


@dataclass(frozen=True)
class Law:
    """A law on the indices 0, 1, 2, …, known by enclosures of its distribution function F.

    Parameters
    ----------
    bounds : ``bounds(n, bits)`` gives integers with lower[k] ≤ 2**bits·F(k) ≤ upper[k] for k < n, none decreasing
    terms : how many indices a first table holds
    last : for a finite law its last index, with F(last) = 1
    value : what is drawn when the index is k
    tables : a memory for the alias tables that are made of the law, by word length
    """

    bounds: Callable[[int, int], Bounds]
    terms: int
    last: int | None = None
    value: Callable[[int], int] = as_it_is
    tables: dict[int, Any] = field(default_factory=dict, compare=False, repr=False)  # alias tables, by word length

    def __post_init__(self) -> None:
        object.__setattr__(self, "bounds", lru_cache(maxsize=16)(self.bounds))  # the slow path asks again and again


def invert(law: Law, source: Source, prefix: int = 0, bits: int = 0) -> int:
    """One value, the slow way: reveal the bits of a uniform U until U < F(k) is decided for every k.

    After b bits U lies in [u, u+1)/2^b. If that cell lies on one side of every F(k), the first k with U < F(k) is the
    answer. If not, more bits of U, more digits of F and more terms are asked for; that ends with probability 1.

    Parameters
    ----------
    law : what is drawn from
    source : where the bits of U come from, a word at a time
    prefix, bits : bits of U that are revealed already, if any

    Examples
    --------
    >>> from fdpedu.randomness import ReplayedWords
    >>> thirds = finite_law([1, 1, 1])
    >>> invert(thirds, ReplayedWords([5, 0], word_bits=4))  # U = 5/16… straddles 1/3; then U = 5/16 + 0/256
    0
    """
    terms = law.terms
    while True:
        prefix = (prefix << source.word_bits) + int(source.words(1)[0])
        bits += source.word_bits
        while True:
            lower, upper = law.bounds(terms, bits)
            index = bisect.bisect_right(lower, prefix)  # U < F(index), and U ≥ F(index − 1) unless undecided
            if index < len(lower) or prefix < upper[-1]:
                break
            terms *= 2  # U is beyond all that was looked at
        # thm-alias-table (3): it ends only when U is decided against F(index − 1) and F(index)
        if index < len(lower) and (index == 0 or prefix >= upper[index - 1]):
            return law.value(index)


def finite_law(weights: Sequence[int], value: Callable[[int], int] = as_it_is) -> Law:
    """The law proportional to non-negative integer weights.

    >>> finite_law([1, 3]).bounds(2, 4)
    ([4, 16], [4, 16])
    """
    total, sums = sum(weights), list(accumulate(weights))
    if not weights or min(weights) < 0 or total <= 0:
        raise ValueError("weights must be non-negative integers, at least one of them positive")

    def bounds(n: int, bits: int) -> Bounds:
        lower = [(s << bits) // total for s in sums]
        return lower, [ceil_div(s << bits, total) for s in sums]

    return Law(bounds, terms=len(weights), last=len(weights) - 1, value=value)
