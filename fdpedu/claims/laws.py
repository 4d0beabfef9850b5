"""Exact laws: enumeration of a shipped sampler over replayed tapes, worst ratios of released laws, and a rehearsal."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product

from fdpedu.randomness import ReplayedWords, TapeExhausted


def enumerate_law(
    sampler: Callable[[ReplayedWords], int], word_bits: int, most_words: int
) -> tuple[dict[int, Fraction], Fraction]:
    """The probability with which the sampler has returned each value within ``most_words`` words, and what is
    undecided.

    Every tape of words is played through the sampler itself; nothing is assumed of how it uses them.
    """
    decided: dict[int, Fraction] = defaultdict(Fraction)
    undecided = Fraction(0)
    pending: list[tuple[int, ...]] = [()]
    while pending:
        tape = pending.pop()
        try:
            decided[sampler(ReplayedWords(tape, word_bits))] += Fraction(1, 2 ** (word_bits * len(tape)))
        except TapeExhausted:
            if len(tape) == most_words:
                undecided += Fraction(1, 2 ** (word_bits * len(tape)))
            else:
                pending += [(*tape, word) for word in range(2**word_bits)]
    return dict(decided), undecided


def clamped_pmf(alpha: Fraction, centre: int, bound: int) -> list[Fraction]:
    """The law of centre + discrete Laplace noise, clamped to [−bound, bound]: a finite law, by post-processing."""
    inner = [(1 - alpha) / (1 + alpha) * alpha ** abs(k - centre) for k in range(-bound + 1, bound)]
    low, high = alpha ** (centre + bound) / (1 + alpha), alpha ** (bound - centre) / (1 + alpha)
    return [low, *inner, high]


def worst_ratio(counts: Sequence[int], other: Sequence[int], alpha: Fraction) -> Fraction:
    """max over outputs of Pr[output | counts]/Pr[output | other], for independent noise on every cell."""
    bound = max(map(abs, [*counts, *other])) + 3
    worst = Fraction(1)
    for a, b in zip(counts, other, strict=True):
        p, q = clamped_pmf(alpha, a, bound), clamped_pmf(alpha, b, bound)
        worst *= max(x / y for x, y in zip(p, q, strict=True))
    return worst


def all_tables(cells: int, most: int) -> list[tuple[int, ...]]:
    """Every vector of ``cells`` counts from 0 to ``most``."""
    return list(product(range(most + 1), repeat=cells))
