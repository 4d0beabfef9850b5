"""Checks of chapter 3: the exact samplers, as identities of integers and by replayed tapes."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import accumulate, product

import numpy as np

from fdpedu.claims.checking import exhaust, explore, need
from fdpedu.claims.replay import Probability, instead, meet, need_law
from fdpedu.exact import Enclosure, Rate
from fdpedu.randomness import ZeroWords
from fdpedu.sampling import Law, finite_law, geometric, geometric_digit_law, geometric_law, invert, sample
from fdpedu.sampling import two_sided_geometric as two_sided
from fdpedu.sampling.alias import RESIDUAL, AliasTable, fill_columns
from fdpedu.sampling.digits import two_sided_law

Pmf = Callable[[int], Probability]  # by index, not by value


def columns(weights: tuple[int, ...], height: int) -> None:
    """Filled into columns with two owners each, every owner keeps its own weight."""
    thresholds, alias = fill_columns(list(weights), height)
    owned = list(thresholds)
    for c, threshold in enumerate(thresholds):
        need(0 <= threshold <= height, f"column {c} is filled up to {threshold}")
        owned[alias[c]] += height - threshold
    need(owned == list(weights), f"the owners have {owned}")


def table(law: Law, pmf: Pmf, word_bits: int, values: int) -> None:
    """words(k) ≤ 2^w·p_k, and words(k) + residual words · residual law(k) = 2^w·p_k; all words are dealt out."""
    made = AliasTable.of(law, word_bits)
    words = made.words_of()
    rest = words.pop(RESIDUAL, 0)
    need(sum(words.values()) + rest == 2**word_bits, "not all words are dealt out, or some twice")
    if law.last is not None:
        values = min(values, law.last + 1)
    lower, upper = made.residual.bounds(values, 64) if rest else ([0] * values, [0] * values)
    before = Enclosure.exactly(Fraction(0))
    for k in range(values):
        exact, own = pmf(k), words.get(law.value(k), 0)
        need(own <= 2**word_bits * _top(exact), f"value {law.value(k)} owns {own} words, more than 2^w·p")
        upto = Enclosure(Fraction(lower[k], 2**64), Fraction(upper[k], 2**64)) * rest
        part = upto - before
        need(meet(own + part, exact * 2**word_bits), f"value {law.value(k)}: {own} words + {part} is not 2^w·p")
        before = upto


def _top(value: Probability) -> Fraction:
    return value.upper if isinstance(value, Enclosure) else value


def enclosed(law: Law, pmf: Pmf, bits: int, values: int) -> None:
    """The bounds enclose 2^bits·F(k), never fall, and are at most 3 apart."""
    if law.last is not None:
        values = min(values, law.last + 1)
    lower, upper = (side[:values] for side in law.bounds(values, bits))
    for k, true in enumerate(accumulate(pmf(k) for k in range(values))):
        need(meet(Enclosure(Fraction(lower[k]), Fraction(upper[k])), true * 2**bits), f"F({k}) is not in its bounds")
    need(lower == sorted(lower) and upper == sorted(upper), "the bounds fall")
    need(all(b - a <= 3 for a, b in zip(lower, upper, strict=True)), "the bounds do not close")


def drawn(law: Law, pmf: dict[int, Fraction], words: int) -> None:
    """The fast and the slow sampler have the law."""
    need_law(lambda tape: int(sample(law, 1, tape)[0]), lambda k: pmf.get(k, Fraction(0)), words)
    need_law(lambda tape: invert(law, tape), lambda k: pmf.get(k, Fraction(0)), words)


def in_digits(alpha: Fraction, base: int, lower: int, words: int) -> None:
    """Written in digits of a small base, the two-sided and the one-sided sampler have their laws."""
    rate, two = Rate.of(alpha=alpha), (1 - alpha) / (1 + alpha)
    with instead("fdpedu.sampling.digits", _BASE=base, _SLOWEST=float(rate) * base ** (lower - 0.5)):
        need_law(lambda tape: int(two_sided(rate, 1, tape)[0]), lambda k: two * alpha ** abs(k), words)
        need_law(
            lambda tape: int(geometric(rate, 1, tape)[0]),
            lambda k: (1 - alpha) * alpha ** max(k, 0) * (k >= 0),
            words,
        )


def places(low: int, middle: int, top: int) -> None:
    """Three digits of base 3 are put together by their places: k = g or, for a top digit −1 − h, k = −1 − g."""
    rate = Rate.of(alpha=Fraction(1, 2))
    for sampler, first in ((geometric, max(top, 0)), (two_sided, top)):
        played = iter((low, middle, first))
        with instead(
            "fdpedu.sampling.digits",
            _BASE=3,
            _SLOWEST=float(rate) * 5,
            sample=lambda law, size, source, played=played: np.full(size, next(played)),
        ):
            found = int(sampler(rate, 1, ZeroWords())[0])
        g = low + 3 * middle + 9 * (first if first >= 0 else -1 - first)
        expected = g if first >= 0 else -1 - g
        need(found == expected, f"{sampler.__name__} makes {found} of the digits, expected {expected}")


def finite_pmf(weights: tuple[int, ...]) -> dict[int, Fraction]:
    """The law proportional to integer weights."""
    return {k: Fraction(weight, sum(weights)) for k, weight in enumerate(weights)}


def two_sided_digit(k: int, alpha: Probability, beta: Probability) -> Probability:
    """Index 2g is g with probability (1−β)β^g/(1+α); index 2g+1 is −1−g, with α times that."""
    one = (1 - beta) * _power(beta, k // 2) / (1 + alpha)
    return one * alpha if k % 2 else one


def _power(base: Probability, exponent: int) -> Probability:
    power: Probability = Fraction(1)
    for _ in range(exponent):
        power = power * base
    return power


def laws(rate: Rate) -> list[tuple[str, Law, Pmf]]:
    """Geometric, two-sided and digit laws with their probabilities, for one rate."""

    def alpha(stride: int) -> Probability:
        return rate.alpha**stride if rate.alpha is not None else rate.power(stride, 60)

    def digit(stride: int, base: int) -> Pmf:
        return lambda k: _power(alpha(stride), k) * (1 - alpha(stride)) / (1 - alpha(stride * base))

    return [
        ("geometric", geometric_law(rate), lambda k: (1 - alpha(1)) * _power(alpha(1), k)),
        ("two-sided", two_sided_law(rate), lambda k: two_sided_digit(k, alpha(1), alpha(1))),
        ("two-sided, of stride 3", two_sided_law(rate, 3), lambda k: two_sided_digit(k, alpha(1), alpha(3))),
        ("digit in base 3", geometric_digit_law(rate, 1, 3), digit(1, 3)),
        ("digit in base 2, of stride 2", geometric_digit_law(rate, 2, 2), digit(2, 2)),
    ]


def check_columns(most: int) -> int:
    def cases() -> list[tuple[tuple[int, ...], int]]:
        sizes = [(n, height) for height in range(1, most + 1) for n in range(1, 5)]
        return [
            (weights, height)
            for n, height in sizes
            for weights in product(range(n * height + 1), repeat=n)
            if sum(weights) == n * height
        ]

    return exhaust(columns, cases())


def check_tables(values: int) -> int:
    rates = [Rate.of(alpha=alpha) for alpha in ("1/5", "2/3")]
    named = {f"{name}, α = {rate.alpha}": (law, pmf) for rate in rates for name, law, pmf in laws(rate)}
    for weights in ((1, 3), (1, 2, 4), (0, 1, 0, 5)):
        named[f"weights {weights}"] = (finite_law(weights), finite_pmf(weights).__getitem__)

    def identity(name: str, word_bits: int) -> None:
        table(*named[name], word_bits, values)

    return exhaust(identity, product(named, (4, 8, 16, 32)))


def check_bounds(values: int) -> int:
    rates = [Rate.of(alpha="1/3"), Rate.of(alpha="9/10"), Rate.of(epsilon="3/7")]
    named = {f"{name}, {rate}": (law, pmf) for rate in rates for name, law, pmf in laws(rate)}
    return exhaust(lambda name, bits: enclosed(*named[name], bits, values), product(named, (8, 32, 100)))


def check_replayed(words: int) -> int:
    cases = [weights for n in (2, 3) for weights in product(range(4), repeat=n) if any(weights) and weights[-1]]
    return exhaust(lambda weights: drawn(finite_law(weights), finite_pmf(weights), words), [(w,) for w in cases[::4]])


def check_digits(words: int) -> int:
    cases = [(Fraction(1, 3), 2, 1), (Fraction(1, 2), 3, 1), (Fraction(1, 4), 2, 1)]
    digits = product(range(3), range(3), range(-3, 3))
    return exhaust(places, digits) + exhaust(lambda alpha, base, lower: in_digits(alpha, base, lower, words), cases)


def random_table(weights: tuple[int, ...], word_bits: int) -> None:
    """The identity for one finite law."""
    table(finite_law(weights), finite_pmf(weights).__getitem__, word_bits, len(weights))


def explore_tables(examples: int) -> int:
    return explore(random_table, lambda draw: draw.tuples(draw.weights, draw.integers(4, 16)), examples)
