# Longer than 400 lines because its one theorem is about four samplers that call each other.

"""Exact sampling: alias tables, the residual that no table holds, and numbers put together from digits."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import accumulate, product
from typing import Any

import numpy as np

from fdpedu.claims.checking import require
from fdpedu.claims.mechanisms.words import Pmf, nothing_repeats, words_are_own
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.replay import Probability, intersects, patched, require_joint_law, require_law
from fdpedu.exact import Enclosure, Rate
from fdpedu.mechanisms import discrete_laplace_pmf
from fdpedu.randomness import ReplayedWords, ZeroWords
from fdpedu.sampling import (
    Law,
    finite_law,
    geometric,
    geometric_digit_law,
    geometric_law,
    invert,
    sample,
    two_sided_geometric,
)
from fdpedu.sampling import two_sided_geometric as two_sided
from fdpedu.sampling.alias import RESIDUAL, AliasTable, fill_columns
from fdpedu.sampling.digits import two_sided_law

ALIAS, DIGITS, GAUSSIANS = "sampling.alias", "sampling.digits", "sampling.gaussians"
CHOICES = "mechanisms.weights"


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


def two_in_digits(sampler: str, rate: Rate, base: int, lower: int, words: int) -> None:
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


@dataclass(frozen=True, repr=False)
class Stated:
    """A law as the samplers read it, and its probabilities as they are stated; shown by its name."""

    name: str
    law: Law
    pmf: Pmf

    def up_to(self, values: int) -> int:
        """So many values, or all that there are."""
        return values if self.law.last is None else min(values, self.law.last + 1)

    def __repr__(self) -> str:
        return self.name


def finite(weights: tuple[int, ...]) -> Stated:
    """The law proportional to integer weights."""
    masses = [Fraction(weight, sum(weights)) for weight in weights]
    return Stated(f"weights {weights}", finite_law(weights), masses.__getitem__)


def columns(weights: tuple[int, ...], height: int) -> None:
    """Filled into columns with two owners each, every owner keeps its own weight."""
    thresholds, alias = fill_columns(list(weights), height)
    owned = list(thresholds)
    for c, threshold in enumerate(thresholds):
        require(0 <= threshold <= height, f"column {c} is filled up to {threshold}")
        owned[alias[c]] += height - threshold
    require(owned == list(weights), f"the owners have {owned}")


def table(stated: Stated, word_bits: int, values: int) -> None:
    """words(k) ≤ 2^w·p_k, and words(k) + residual words · residual law(k) = 2^w·p_k; all words are dealt out."""
    law, made = stated.law, AliasTable.of(stated.law, word_bits)
    words = made.words_of()
    rest = words.pop(RESIDUAL, 0)
    require(sum(words.values()) + rest == 2**word_bits, "not all words are dealt out, or some twice")
    values = stated.up_to(values)
    lower, upper = made.residual.bounds(values, 64) if rest else ([0] * values, [0] * values)
    require(all(b - a <= 3 for a, b in zip(lower, upper, strict=True)), "the residual's bounds do not close")
    before = Enclosure.exactly(Fraction(0))
    for k in range(values):
        exact, own = stated.pmf(k), words.get(law.value(k), 0)
        require(own <= 2**word_bits * _top(exact), f"value {law.value(k)} owns {own} words, more than 2^w·p")
        upto = Enclosure(Fraction(lower[k], 2**64), Fraction(upper[k], 2**64)) * rest
        part = upto - before
        require(
            intersects(own + part, exact * 2**word_bits), f"value {law.value(k)}: {own} words + {part} is not 2^w·p"
        )
        before = upto


def _top(value: Probability) -> Fraction:
    return value.upper if isinstance(value, Enclosure) else value


def enclosed(stated: Stated, bits: int, values: int) -> None:
    """The bounds enclose 2^bits·F(k), never fall, and are at most 3 apart."""
    values = stated.up_to(values)
    lower, upper = (side[:values] for side in stated.law.bounds(values, bits))
    for k, true in enumerate(accumulate(stated.pmf(k) for k in range(values))):
        require(
            intersects(Enclosure(Fraction(lower[k]), Fraction(upper[k])), true * 2**bits),
            f"F({k}) is not in its bounds",
        )
    require(lower == sorted(lower) and upper == sorted(upper), "the bounds fall")
    require(all(b - a <= 3 for a, b in zip(lower, upper, strict=True)), "the bounds do not close")


def drawn(stated: Stated, words: int) -> None:
    """The fast and the slow sampler have the law."""
    law = stated.law
    index = {law.value(i): i for i in range(stated.up_to(80))}

    def mass(value: int) -> Probability:
        return stated.pmf(index[value]) if value in index else Fraction(0)

    require_law(lambda tape: int(sample(law, 1, tape)[0]), mass, words)
    require_law(lambda tape: invert(law, tape), mass, words)


def in_digits(alpha: Fraction, base: int, words: int) -> None:
    """With digits of a small base, put together by their places, both samplers have their laws.

    Three digits are played through the samplers; then one, and a highest one, are drawn over all tapes.
    """
    rate, two = Rate.of(alpha=alpha), (1 - alpha) / (1 + alpha)
    for low, middle, top in product(range(base), range(base), range(-base, base)):
        places(rate, base, low, middle, top)
    with _short_digits(rate, base, lower=1):
        require_law(lambda tape: int(two_sided(rate, 1, tape)[0]), lambda k: two * alpha ** abs(k), words)
        require_law(
            lambda tape: int(geometric(rate, 1, tape)[0]),
            lambda k: (1 - alpha) * alpha ** max(k, 0) * (k >= 0),
            words,
        )


def places(rate: Rate, base: int, low: int, middle: int, top: int) -> None:
    """Three digits are put together by their places: k = g or, for a top digit −1 − h, k = −1 − g."""
    for sampler, first in ((geometric, max(top, 0)), (two_sided, top)):
        played = iter((low, middle, first))
        with _short_digits(
            rate, base, lower=2, sample=lambda law, size, source, played=played: np.full(size, next(played))
        ):
            found = int(sampler(rate, 1, ZeroWords())[0])
        g = low + base * middle + base**2 * (first if first >= 0 else -1 - first)
        expected = g if first >= 0 else -1 - g
        digits = f"{low}, {middle}, {first}"
        require(found == expected, f"{sampler.__name__} makes {found} of the digits {digits}, expected {expected}")


def _short_digits(rate: Rate, base: int, lower: int, **globals_: Any) -> AbstractContextManager[None]:
    """Numbers are written in so many lower digits of this base and a highest one."""
    return patched("fdpedu.sampling.digits", _BASE=base, _MIN_DECAY=float(rate) * base ** (lower - 0.5), **globals_)


def two_sided_digit(k: int, alpha: Probability, beta: Probability) -> Probability:
    """Index 2g is g with probability (1−β)β^g/(1+α); index 2g+1 is −1−g, with α times that."""
    one = (1 - beta) * _power(beta, k // 2) / (1 + alpha)
    return one * alpha if k % 2 else one


def _power(base: Probability, exponent: int) -> Probability:
    power: Probability = Fraction(1)
    for _ in range(exponent):
        power = power * base
    return power


def laws(rate: Rate) -> list[Stated]:
    """Geometric, two-sided and digit laws with their probabilities, for one rate."""

    def alpha(stride: int) -> Probability:
        return rate.alpha**stride if rate.alpha is not None else rate.power(stride, 60)

    def digit(stride: int, base: int) -> Pmf:
        return lambda k: _power(alpha(stride), k) * (1 - alpha(stride)) / (1 - alpha(stride * base))

    of = f"α = {rate.alpha}" if rate.alpha is not None else f"ε = {rate.rate}"
    return [
        Stated(f"geometric, {of}", geometric_law(rate), lambda k: (1 - alpha(1)) * _power(alpha(1), k)),
        Stated(f"two-sided, {of}", two_sided_law(rate), lambda k: two_sided_digit(k, alpha(1), alpha(1))),
        Stated(
            f"two-sided, of stride 3, {of}", two_sided_law(rate, 3), lambda k: two_sided_digit(k, alpha(1), alpha(3))
        ),
        Stated(f"digit in base 3, {of}", geometric_digit_law(rate, 1, 3), digit(1, 3)),
        Stated(f"digit in base 2, of stride 2, {of}", geometric_digit_law(rate, 2, 2), digit(2, 2)),
    ]


def weights(most: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """All weights of up to 4 owners that fill columns of a height up to ``most``."""
    for height, n in product(range(1, most + 1), range(1, 5)):
        yield from ((w, height) for w in product(range(n * height + 1), repeat=n) if sum(w) == n * height)


def tables(values: int) -> Iterator[tuple[Stated, int, int]]:
    """Seven laws, the infinite ones with two α, and words of 4 to 32 bits."""
    stated = [law for alpha in ("1/5", "2/3") for law in laws(Rate.of(alpha=alpha))]
    return product([*stated, *map(finite, ((1, 3), (1, 2, 4), (0, 1, 0, 5)))], (4, 8, 16, 32), [values])


def bounds_of_laws(values: int) -> Iterator[tuple[Stated, int, int]]:
    """Two α and an ε, and three numbers of bits."""
    rates = [Rate.of(alpha="1/3"), Rate.of(alpha="9/10"), Rate.of(epsilon="3/7")]
    return product([law for rate in rates for law in laws(rate)], (8, 32, 100), [values])


def finite_laws(words: int) -> Iterator[tuple[Stated, int]]:
    """Every fourth law of two or three values with weights up to 3."""
    found = [w for n in (2, 3) for w in product(range(4), repeat=n) if any(w) and w[-1]]
    return product(map(finite, found[::4]), [words])


def bases(words: int) -> Iterator[tuple[Fraction, int, int]]:
    """Digits of base 2 and 3."""
    return ((Fraction(1, n), base, words) for n, base in ((3, 2), (2, 3), (4, 2)))


def random_tables(draw: Any) -> Any:
    """Random finite laws, and words of 4 to 16 bits."""
    return draw.tuples(draw.weights, draw.integers(4, 16)).map(lambda case: (finite(case[0]), case[1], len(case[0])))


ALIAS_TABLE = (
    Check(
        "joint law",
        "exact",
        "two or three numbers of one call, two calls, two tiles, residual included, over all tapes of {size} "
        "2-bit words and more",
        weighted,
        finite_draws,
        4,
        5,
        more=[((1, 1, 1), 3, 1, 2, 2, 7, False)],
    ),
    Check(
        "joint law of digits",
        "exact",
        "two numbers, each put together from two digits, over all tapes of {size} 3-bit words",
        two_in_digits,
        digits,
        4,
    ),
    words_are_own("geometric, four digits", "integers below bounds"),
    nothing_repeats("geometric", "integers below bounds"),
)


CLAIMS = (
    Claim(
        "thm-alias-table",
        status="proved+checked",
        code=("fdpedu.sampling", "fdpedu.sampling.alias.sample"),
        checks=(
            Check(
                "columns",
                "exhaustive",
                "all weights of up to 4 owners in columns of height up to {size}: every owner keeps its own",
                columns,
                weights,
                3,
                5,
            ),
            Check(
                "words and residual",
                "exact",
                "tables for words of 4 to 32 bits, 7 distributions with rational α: words + residual = 2^w·p for "
                "{size} values",
                table,
                tables,
                12,
                60,
            ),
            Check(
                "enclosures",
                "exact",
                "geometric, two-sided and digit distributions, α or ε: F lies in its bounds, which close, for {size} "
                "values",
                enclosed,
                bounds_of_laws,
                8,
                40,
            ),
            Check(
                "replayed law",
                "exact",
                "the shipped sampler, fast and slow, over all tapes of {size} 4-bit words",
                drawn,
                finite_laws,
                3,
                4,
            ),
            Check(
                "digits",
                "exact",
                "three digits in their places; distributions in digits of base 2 and 3 over all tapes of {size} "
                "4-bit words",
                in_digits,
                bases,
                3,
                4,
            ),
            Check(
                "random weights",
                "property",
                "{size} random finite distributions: words + residual = 2^w·p",
                table,
                random_tables,
                60,
                1000,
            ),
            *ALIAS_TABLE,
        ),
        assumptions=("integers; enclosures of $F$ to any number of bits", "running time is not covered"),
        uses=("asm-random-words",),
    ),
)

TWINS = (
    Broken(
        "weights rounded to the nearest",
        "fdpedu.sampling.alias.integer_weights",
        "max(0, gap) >> _GUARD",
        "(max(0, gap) + (1 << (_GUARD - 1))) >> _GUARD",
        "Rounding to the nearest makes the smallest error.",
        "thm-alias-table",
        "words and residual",
    ),
    Broken(
        "residual from the whole law",
        "fdpedu.sampling.alias.sample",
        "invert(table.residual, source)",
        "invert(law, source)",
        "A draw that the table cannot decide is simply made again.",
        "thm-alias-table",
        "replayed law",
    ),
    Broken(
        "threshold off by one",
        "fdpedu.sampling.alias.AliasTable.look_up",
        "heights >= self.thresholds",
        "heights > self.thresholds",
        "Whether a comparison is strict has probability 0.",
        "thm-alias-table",
        "replayed law",
    ),
    Broken(
        "undecided counts as decided",
        "fdpedu.sampling.law.invert",
        "prefix >= upper[index - 1]",
        "prefix >= lower[index - 1]",
        "A cell that straddles an edge may go to either side.",
        "thm-alias-table",
        "replayed law",
    ),
    Broken(
        "minus g for the sign",
        "fdpedu.sampling.digits.two_sided_geometric",
        ")) ^ sign",
        ")) * (1 + 2 * sign)",
        "The negative side is the positive one with a minus: then 0 is counted twice.",
        "thm-alias-table",
        "digits",
    ),
    Broken(
        "digits of another base",
        "fdpedu.sampling.digits.low_digits",
        "stride *= _BASE",
        "stride += _BASE",
        "The next digit counts as many as there were values so far, more or less.",
        "thm-alias-table",
        "digits",
    ),
    Broken(
        "one residual for all",
        "fdpedu.sampling.alias.sample",
        "block[i] = invert",
        "block[block == RESIDUAL] = invert",
        "Whatever lands in the residual is drawn from its distribution, so one draw is enough.",
        "thm-alias-table",
        "joint law",
    ),
    Broken(
        "one low digit for all",
        "fdpedu.sampling.digits.low_digits",
        "_BASE), size, source",
        "_BASE), 1, source",
        "The highest digit makes numbers differ enough.",
        "thm-alias-table",
        "joint law of digits",
    ),
    Broken(
        "a column that is nearly full",
        "fdpedu.sampling.alias.fill_columns",
        "if left[donor] < height:",
        "if left[donor] < height - 1:",
        "A column that lacks one word is full enough.",
        "thm-alias-table",
        "columns",
    ),
    Broken(
        "a geometric law from 1 on",
        "fdpedu.sampling.digits._geometric_bounds",
        "[(one - p) >> shift for p in high]",
        "[(one - p) >> shift for p in [one, *high[:-1]]]",
        "F(k) is 1 − β^k.",
        "thm-alias-table",
        "enclosures",
    ),
    Broken(
        "a residual of the last columns",
        "fdpedu.sampling.alias._residual_law",
        "sums[min(k, len(sums) - 1)] << bits",
        "sums[-1] << bits",
        "What the table holds is taken off once, as a whole.",
        "thm-alias-table",
        "random weights",
    ),
    Broken(
        "words that are used again after a while",
        "fdpedu.sampling.alias.sample",
        "short_words(source, block.size)",
        "np.resize(short_words(source, min(block.size, 5000)), block.size)",
        "Numbers that are far enough apart may be alike.",
        "thm-alias-table",
        "long draws",
    ),
    Broken(
        "low digits in pairs",
        "fdpedu.sampling.digits.low_digits",
        "sample(geometric_digit_law(rate, stride, _BASE), size, source)",
        "sample(geometric_digit_law(rate, stride, _BASE), -(-size // 2), source).repeat(2)[:size]",
        "The highest digit is what makes two numbers differ.",
        "thm-alias-table",
        "own words",
    ),
)
