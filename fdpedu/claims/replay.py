"""The law of a shipped sampler, by replayed tapes, against the stated one."""

from __future__ import annotations

import importlib
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from fdpedu.claims.checking import require
from fdpedu.exact import Enclosure
from fdpedu.randomness import ReplayedWords, TapeExhausted

Probability = Fraction | Enclosure


def enumerate_law(
    sampler: Callable[[ReplayedWords], int], word_bits: int, most_words: int
) -> tuple[dict[int, Fraction], Fraction]:
    """The probability with which the sampler has returned each value within ``most_words`` words; and the rest.

    The rest is the probability that it has not returned yet. Every tape of words is played through the sampler itself;
    nothing is assumed of how it uses them.
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


def bounds(value: Probability | int) -> tuple[Fraction, Fraction]:
    """The two ends of a number that is known exactly, or enclosed."""
    return (value.lower, value.upper) if isinstance(value, Enclosure) else (Fraction(value), Fraction(value))


def intersects(one: Probability | int, other: Probability | int) -> bool:
    """May they be the same number?"""
    (low, high), (least, most) = bounds(one), bounds(other)
    return low <= most and least <= high


def require_law(
    sampler: Callable[[ReplayedWords], int],
    stated: Callable[[int], Probability],
    words: int,
    slack: Fraction = Fraction(1, 10),
) -> None:
    """Played over all tapes of at most ``words`` 4-bit words, the sampler has the stated law.

    What is undecided after so many words is the only slack, and it is at most ``slack``.
    """
    decided, undecided = enumerate_law(sampler, 4, words)
    require(undecided <= slack, f"a share of {undecided} is undecided")
    for output, mass in sorted(decided.items()):
        low, high = bounds(stated(output))
        require(
            mass <= high and low <= mass + undecided,
            f"Pr[{output}] lies between {float(mass):.6f} and {float(mass + undecided):.6f}, stated {float(high):.6f}",
        )


@contextmanager
def patched(module: str, **globals_: Any) -> Iterator[None]:
    """Other module globals for the length of a block: short digits, or draws that are played.

    Not safe for threads, as the zoo is not.
    """
    room = importlib.import_module(module)
    shipped = {name: getattr(room, name) for name in globals_}
    try:
        for name, value in globals_.items():
            setattr(room, name, value)
        yield
    finally:
        for name, value in shipped.items():
            setattr(room, name, value)
