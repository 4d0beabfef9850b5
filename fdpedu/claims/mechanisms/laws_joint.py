"""Checks of chapter 3: joint laws. The numbers of one call, and those of several calls, are independent of each other.

A draw that repeats, or that shares its words with another, has the right law in every cell. So the joint law of small
draws is enumerated by short words and compared with the product of their laws; where that is too long, the draw is
played with smaller parts in place of its own (a coin of one bit, a tile of one number).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from fdpedu.claims.checking import require
from fdpedu.claims.mechanisms.laws import Given
from fdpedu.claims.mechanisms.laws_selection import PMFS, SAMPLERS, Utilities
from fdpedu.claims.replay import Probability, patched, require_joint_law
from fdpedu.exact import Rate, exp_enclosure
from fdpedu.mechanisms import (
    discrete_gaussian,
    discrete_laplace,
    discrete_laplace_pmf,
    randomised_response,
    randomised_response_pmf,
    slow_discrete_laplace,
    snapped_laplace,
)
from fdpedu.mechanisms.reals import snapped_laplace_pmf
from fdpedu.mechanisms.weights import Weights
from fdpedu.randomness import ReplayedWords, uniform_below
from fdpedu.sampling import exp_coins, finite_law, geometric, invert, sample, two_sided_geometric

ALIAS, DIGITS, NORMAL, CHOICES = "sampling.alias", "sampling.digits", "mechanisms.normal", "mechanisms.weights"
Pmf = Callable[[int], Probability]


def numbers_below(limits: tuple[int, ...], calls: int, word_bits: int, words: int) -> None:
    """Integers below bounds that differ, words that are refused included, and in several calls."""

    def draw(tape: ReplayedWords) -> Any:
        return [uniform_below(np.array(limits), tape) for _ in range(calls)]

    require_joint_law(draw, [among(limit) for limit in limits] * calls, words, word_bits=word_bits)


def among(limit: int) -> Pmf:
    """Each of 0, …, limit − 1 equally often."""
    return lambda k: Fraction(1, limit) if 0 <= k < limit else Fraction(0)


def bounds(words: int) -> Iterator[tuple[tuple[int, ...], int, int, int]]:
    """Two or three numbers, and two calls."""
    yield (3, 5), 1, 3, words
    yield (3, 3), 1, 2, words + 2
    yield (2, 3, 4), 1, 2, words + 1
    yield (3,), 2, 2, words + 2


def weighted(
    weights: tuple[int, ...], size: int, calls: int, tile: int, word_bits: int, words: int, slow: bool
) -> None:
    """Numbers of a finite law, each in a tile of its own or several, those of the residual included."""
    law, total = finite_law(weights), sum(weights)

    def draw(tape: ReplayedWords) -> Any:
        if slow:
            return [invert(law, tape) for _ in range(size * calls)]
        return [sample(law, size, tape) for _ in range(calls)]

    with patched(f"fdpedu.{ALIAS}", _TILE=tile):
        mass = [Fraction(weight, total) for weight in weights].__getitem__
        require_joint_law(draw, [mass] * (size * calls), words, word_bits=word_bits)


def finite_draws(words: int) -> Iterator[tuple[tuple[int, ...], int, int, int, int, int, bool]]:
    """Two or three numbers of one call, of two calls, of two tiles; without a residual, and with one."""
    yield (1, 3), 3, 1, 99, 3, 3, False
    yield (1, 2, 1), 3, 1, 2, 3, 3, False
    yield (1, 2, 1), 1, 3, 99, 3, 3, False
    yield (1, 1, 1), 2, 1, 99, 2, words + 1, False
    yield (1, 1, 1), 2, 1, 1, 2, words + 1, False
    yield (1, 1, 1), 1, 2, 99, 2, words + 1, False
    yield (1, 2), 1, 2, 99, 2, words, True


def in_digits(sampler: str, rate: Rate, base: int, lower: int, words: int) -> None:
    """Two numbers that are put together from digits: no digit is shared."""
    alpha = rate.alpha
    assert alpha is not None
    smallest = float(rate) * base ** (lower - 0.5)
    drawn, mass = geometric, one_sided(alpha)
    if sampler == "two-sided":
        drawn, mass = two_sided_geometric, partial(discrete_laplace_pmf, alpha=alpha)
    with patched(f"fdpedu.{DIGITS}", _BASE=base, _MIN_DECAY=smallest):
        require_joint_law(lambda tape: drawn(rate, 2, tape), [mass] * 2, words, slack=Fraction(3, 4))


def one_sided(alpha: Fraction) -> Pmf:
    """Pr[k] = (1 − α)·α^k for k ≥ 0."""
    return lambda k: (1 - alpha) * alpha**k if k >= 0 else Fraction(0)


def digits(words: int) -> Iterator[tuple[str, Rate, int, int, int]]:
    """One digit and a highest one, or the highest alone."""
    yield "geometric", Rate.of(alpha="1/2"), 2, 0, words
    yield "two-sided", Rate.of(alpha="1/3"), 2, 1, words


def counts(values: tuple[Any, ...], calls: int, given: Given, words: int) -> None:
    """Noisy counts of one call, whatever its shape, and of several calls."""
    table = np.array(values)

    def draw(tape: ReplayedWords) -> Any:
        drawn = [discrete_laplace(table, rng=tape, **given) for _ in range(calls)]
        require(all(noisy.shape == table.shape for noisy in drawn), "the shape is another one")
        return drawn

    laws = [around(int(value), given) for value in table.flat]
    require_joint_law(draw, laws * calls, words)


def around(value: int, given: Given) -> Pmf:
    """That value with discrete Laplace noise."""
    return lambda k: discrete_laplace_pmf(k - value, **given)


def tables_of_counts(words: int) -> Iterator[tuple[tuple[Any, ...], int, Given, int]]:
    """A row, a column, two rows of one cell; two calls; sensitivities 1 to 3; α and ε."""
    yield (0, 7), 1, {"alpha": "1/5"}, words
    yield ((3, 3),), 1, {"epsilon": 2}, words
    yield ((-2,), (5,)), 1, {"epsilon": 4, "sensitivity": 2}, words
    yield (1,), 2, {"epsilon": 6, "sensitivity": 3}, words


def slow_counts(alpha: Fraction, words: int) -> None:
    """Two calls of the slow sampler, over tapes of single bits."""
    mass = partial(discrete_laplace_pmf, alpha=alpha)
    require_joint_law(
        lambda tape: [slow_discrete_laplace(0, rng=tape, alpha=alpha) for _ in range(2)], [mass] * 2, words, word_bits=1
    )


def on_a_grid(value: Fraction, epsilon: Fraction, sensitivity: int, words: int) -> None:
    """Two calls for a number on the grid of the integers."""
    given: Given = {"grid": 1, "sensitivity": sensitivity}
    require_joint_law(
        lambda tape: [int(snapped_laplace(value, epsilon, tape, **given)) for _ in range(2)],
        [lambda k: snapped_laplace_pmf(k, value, epsilon, **given)] * 2,
        words,
        slack=Fraction(3, 4),
    )


def coins(exponents: tuple[Fraction, ...], words: int) -> None:
    """Coins of one call, each with its own probability e^−γ, close calls included."""
    near = np.array([float(exp_enclosure(-gamma).lower) for gamma in exponents])
    heads = [exp_enclosure(-gamma) for gamma in exponents]
    laws = [coin_of(p) for p in heads]
    require_joint_law(lambda tape: exp_coins(near, exponents.__getitem__, tape).astype(int), laws, words)


def coin_of(heads: Probability) -> Pmf:
    """1 with that probability, 0 otherwise."""
    return lambda side: heads if side else 1 - heads


def pairs_of_coins(words: int) -> Iterator[tuple[tuple[Fraction, ...], int]]:
    """Two coins of one bias, and of two."""
    yield (Fraction(1), Fraction(1)), words
    yield (Fraction(1, 3), Fraction(5, 2)), words


def attempts(size: int, calls: int, words: int) -> None:
    """With small parts in place of the sampler's own: each proposal has its own coin, and is drawn again for itself.

    A proposal is 0 or 2, by a bit; a 0 is kept, a 2 is kept if another bit says so. So 0 has probability 2/3.
    """

    def none_or_two(rate: Rate, n: int, source: Any) -> Any:
        return 2 * source.words(n).astype(np.int64)

    def kept(likely: Any, gamma: Callable[[int], Fraction], source: Any) -> Any:
        for i, p in enumerate(likely):
            require(abs(math.exp(-float(gamma(i))) - p) < 1e-9, f"coin {i} has probability {p}, and e^−{gamma(i)}")
        return source.words(likely.size).astype(bool) | (likely > np.exp(-1))

    mass = {0: Fraction(2, 3), 2: Fraction(1, 3)}
    with patched(f"fdpedu.{NORMAL}", two_sided_geometric=none_or_two, exp_coins=kept):
        require_joint_law(
            lambda tape: [discrete_gaussian([0] * size, 1, tape) for _ in range(calls)],
            [lambda k: mass.get(k, Fraction(0))] * (size * calls),
            words,
            word_bits=1,
        )


def proposals(words: int) -> Iterator[tuple[int, int, int]]:
    """Two numbers of one call, and of two calls."""
    return ((size, calls, words) for size, calls in ((2, 1), (1, 2)))


def answers(truths: tuple[Any, ...], calls: int, given: Given, words: int) -> None:
    """The answers of several persons, asked in one call or in several."""
    table = np.array(truths)
    laws = [answer_of(int(truth), given) for truth in table.flat]
    require_joint_law(
        lambda tape: [randomised_response(table, rng=tape, **given) for _ in range(calls)], laws * calls, words
    )


def answer_of(truth: int, given: Given) -> Pmf:
    """What a person with that answer reports."""
    return lambda k: randomised_response_pmf(k, truth, **given)


def persons(words: int) -> Iterator[tuple[tuple[Any, ...], int, Given, int]]:
    """Two or three persons, in rows and columns, two or three answers."""
    yield (0, 1), 1, {"categories": 2, "alpha": "1/3"}, words
    yield ((2,), (2,)), 1, {"categories": 3, "epsilon": 1}, words
    yield (0,), 2, {"categories": 3, "alpha": "1/2"}, words


def choices(name: str, utilities: Utilities, given: Given, size: int, calls: int, tile: int, words: int) -> None:
    """Choices of one call, of several tiles, of several calls."""
    law = PMFS[name](utilities, **given)

    def draw(tape: ReplayedWords) -> Any:
        return [SAMPLERS[name](utilities, rng=tape, size=size, **given) for _ in range(calls)]

    with patched(f"fdpedu.{CHOICES}", _TILE=tile):
        require_joint_law(draw, [law.__getitem__] * (size * calls), words)


def repetitions(name: str, words: int) -> Iterator[tuple[str, Utilities, Given, int, int, int, int]]:
    """Two choices, of one tile, of two tiles, of two calls; sensitivities 1 to 3."""
    yield name, (0, 1), {"alpha": "1/4"}, 2, 1, 99, words
    if name != "report-noisy-max":  # whose draws take long; the tiles are those of the others
        yield name, (0, 2), {"epsilon": 2, "sensitivity": 2}, 1, 2, 99, words
        yield name, (3, 0), {"epsilon": 3, "sensitivity": 3, "monotone": True}, 2, 1, 1, words


def coins_of_candidates(gaps: tuple[int, ...], rows: int, words: int) -> None:
    """Permute-and-flip's coins: rows of one call, and the candidates of a row; the best one's shows heads."""
    weights = Weights([-gap for gap in gaps], None, "1/4", 1, False)
    laws = [coin_of(Fraction(1, 4**gap)) for gap in gaps] * rows
    require_joint_law(lambda tape: weights.flip(rows, tape).astype(int), laws, words)


def noise_of_candidates(many: int, rows: int, words: int) -> None:
    """The noise of report-noisy-max: rows of one call, and the candidates of a row."""
    weights = Weights([0] * many, None, "1/2", 1, False)
    require_joint_law(lambda tape: weights.noise(rows, tape), [one_sided(Fraction(1, 2))] * (rows * many), words)


def rows_of_coins(words: int) -> Iterator[tuple[tuple[int, ...], int, int]]:
    """One row of two worse candidates, two rows of one."""
    yield (0, 1, 1), 1, words
    yield (0, 1), 2, words


def rows_of_noise(words: int) -> Iterator[tuple[int, int, int]]:
    """One row of two candidates or three, two rows of one."""
    yield 2, 1, words
    yield 1, 2, words
    yield 3, 1, words
