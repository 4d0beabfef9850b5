"""Checks of chapter 3: random words, and the discrete Laplace mechanism with the law that its sampler really has."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from fdpedu.claims.checking import require
from fdpedu.claims.frequencies import require_uniform
from fdpedu.claims.noisy_counts import worst_ratio
from fdpedu.claims.replay import require_law
from fdpedu.mechanisms import discrete_laplace, discrete_laplace_pmf
from fdpedu.randomness import SystemSource

Given = dict[str, Any]  # the parameters of a mechanism by their names: ε or α, and the sensitivity


def replayed(value: int, given: Given, words: int) -> None:
    """The shipped sampler has the stated law."""
    require_law(
        lambda tape: int(discrete_laplace(value, rng=tape, **given)),
        lambda output: discrete_laplace_pmf(output - value, **given),
        words,
        Fraction(1, 20),
    )


def values(words: int) -> Iterator[tuple[int, Given, int]]:
    """Values with α or ε given, and the sensitivity 1 or 2."""
    yield 0, {"alpha": "1/5"}, words
    yield -2, {"alpha": "1/3"}, words
    yield 1, {"epsilon": 2}, words
    yield 0, {"epsilon": 4, "sensitivity": 2}, words


def tight(alpha: Fraction, a: int, b: int) -> None:
    """The worst ratio of the outputs of a and b is exactly α^{−|a−b|}: ε-DP for sensitivity 1, and no better."""
    require(worst_ratio([a], [b], alpha) == alpha ** -abs(a - b), f"the worst ratio is {worst_ratio([a], [b], alpha)}")


def pairs(most: int) -> Iterator[tuple[Fraction, int, int]]:
    """Three α, and all pairs of values up to ``most``."""
    around = range(-most, most + 1)
    return product((Fraction(1, 10), Fraction(1, 3), Fraction(7, 9)), around, around)


def uniform_bytes(draws: int) -> None:
    """The bytes of the operating system's words are uniform: neither too far from it nor too near."""
    require_uniform(np.bincount(SystemSource().words(draws).view(np.uint8), minlength=256), alpha=1e-9)
