"""The law of a shipped sampler, by replayed tapes, against the stated one."""

from __future__ import annotations

import importlib
import sys
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from fractions import Fraction
from functools import cache
from typing import Any, TypeVar

import numpy as np

from fdpedu.claims.checking import require
from fdpedu.exact import Enclosure, exp_enclosure, log_enclosure
from fdpedu.randomness import ReplayedWords, TapeExhausted

Probability = Fraction | Enclosure
Output = TypeVar("Output", bound=Hashable)


def enumerate_law(
    sampler: Callable[[ReplayedWords], Output], word_bits: int, most_words: int
) -> tuple[dict[Output, Fraction], Fraction]:
    """The probability with which the sampler has returned each value within ``most_words`` words; and the rest.

    The rest is the probability that it has not returned yet. Every tape of words is played through the sampler itself;
    nothing is assumed of how it uses them.
    """
    decided: dict[Output, int] = defaultdict(int)  # in units of one longest tape
    undecided, whole = 0, 2 ** (word_bits * most_words)
    pending: list[tuple[int, ...]] = [()]
    with remembered():
        while pending:
            tape = pending.pop()
            mass = whole >> (word_bits * len(tape))
            try:
                decided[sampler(ReplayedWords(tape, word_bits))] += mass
            except TapeExhausted:
                if len(tape) == most_words:
                    undecided += mass
                else:
                    pending += [(*tape, word) for word in range(2**word_bits)]
    return {output: Fraction(mass, whole) for output, mass in decided.items()}, Fraction(undecided, whole)


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


def require_joint_law(
    draw: Callable[[ReplayedWords], Any],
    stated: Sequence[Callable[[int], Probability]],
    words: int,
    *,
    word_bits: int = 3,
    slack: Fraction = Fraction(1, 2),
) -> None:
    """Played over all tapes, the outputs of a draw are independent, and each has its stated law.

    The joint law of all outputs is compared with the product of their laws. A repeated or shared draw has the right
    law in every cell, so no test of one cell can see it. An outcome never has more than its stated mass; what is
    undecided, at most ``slack``, is all that the whole law may differ by.

    Parameters
    ----------
    draw : takes a tape, returns an array of integers of any shape, or a list of them
    stated : for each output, in the order of the flattened array, its probabilities
    words, word_bits : the longest tape, and the bits of its words
    slack : the largest share that may be undecided

    Examples
    --------
    >>> half = lambda k: Fraction(1, 2) if k in (0, 1) else Fraction(0)
    >>> require_joint_law(lambda tape: tape.words(2), [half, half], words=2, word_bits=1)
    >>> require_joint_law(lambda tape: np.repeat(tape.words(1), 2), [half, half], words=2, word_bits=1)
    Traceback (most recent call last):
    fdpedu.claims.checking.Refuted: Pr[(0, 0)] lies between 0.500000 and 0.500000, stated 0.250000
    """
    decided, undecided = enumerate_law(lambda tape: tuple(np.ravel(draw(tape)).tolist()), word_bits, words)
    require(undecided <= slack, f"a share of {float(undecided):.4f} is undecided")
    for outputs, mass in sorted(decided.items()):
        require(len(outputs) == len(stated), f"there are {len(outputs)} outputs, expected {len(stated)}")
        low = high = Fraction(1)
        for law, output in zip(stated, outputs, strict=True):
            least, most = bounds(law(output))
            low, high = low * least, high * most
        require(
            mass <= high and low <= mass + undecided,
            f"Pr[{outputs}] lies between {float(mass):.6f} and {float(mass + undecided):.6f}, stated {float(high):.6f}",
        )


@contextmanager
def patched(module: str, **globals_: Any) -> Iterator[None]:
    """Other module globals for the length of a block: short digits, or draws that are played.

    Not safe for threads, as the zoo is not.
    """
    target = importlib.import_module(module)
    shipped = {name: getattr(target, name) for name in globals_}
    try:
        for name, value in globals_.items():
            setattr(target, name, value)
        yield
    finally:
        for name, value in shipped.items():
            setattr(target, name, value)


@contextmanager
def remembered() -> Iterator[None]:
    """Within the block a logarithm and a power of e are computed once: thousands of tapes ask for the same ones.

    The answers are those of the function as it stands then, be it a broken one, and they are forgotten with the block.
    """
    modules = [target for name, target in list(sys.modules.items()) if name.startswith("fdpedu.")]
    with ExitStack() as stack:
        for name, shipped in {"log_enclosure": log_enclosure, "exp_enclosure": exp_enclosure}.items():
            once = cache(shipped)
            for user in [target.__name__ for target in modules if vars(target).get(name) is shipped]:
                stack.enter_context(patched(user, **{name: once}))
        yield
