"""Checks of chapter 6: negative binomial numbers by cells, attempts and the residual, against r(k) as a fraction."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import numpy as np

from fdpedu.claims.checking import require
from fdpedu.claims.replay import enumerate_law
from fdpedu.dlpa import negative_binomial, polya_share
from fdpedu.exact import Rate, log_enclosure
from fdpedu.randomness import ReplayedWords, Source, Words
from fdpedu.sampling import geometric
from fdpedu.sampling.alias import RESIDUAL
from fdpedu.sampling.blocks import FAILED, BlockTable, Cells
from fdpedu.sampling.polya_weights import LOG_ERROR, NegativeBinomialWeights, coefficient, multiplied_out

THIRDS = [([0, 1, 2], [0, 0, 1], 4, 1), ([0, 1, 3], [0, 1, 2], 7, 0)]  # starts, shifts, end, beyond: three cells each


class After:
    """Plays some words first, then those of another tape."""

    kind = "replayed tape (test only)"

    def __init__(self, first: tuple[int, ...], tape: ReplayedWords) -> None:
        self.word_bits, self._first, self._tape = tape.word_bits, list(first), tape

    def words(self, size: int) -> Words:
        ready = [self._first.pop(0) for _ in range(min(size, len(self._first)))]
        rest = self._tape.words(size - len(ready)) if size > len(ready) else np.empty(0, dtype=np.uint64)
        return np.concatenate([np.array(ready, dtype=np.uint64), rest])

    def spawn(self, n: int) -> list[After]:
        return [self] * n


class WithoutResidual(BlockTable):
    """An attempt in the residual fails: fewer tapes to play where something else is looked at."""

    def _residual(self, source: Source) -> int:
        return FAILED


def weight(k: int, alpha: Fraction, m: int) -> Fraction:
    """r(k) = c(k)·α^k, with c(k) a product of fractions."""
    return math.prod((Fraction(1 + (i - 1) * m, i * m) for i in range(1, k + 1)), start=Fraction(1)) * alpha**k


def small_table(alpha: Fraction, m: int, cells: int, word_bits: int, kind: type[BlockTable] = BlockTable) -> BlockTable:
    """A table of three cells, with blocks, for words so short that all tapes can be played."""
    starts, shifts, end, beyond = THIRDS[cells]
    cut = Cells(np.array(starts), np.array(shifts), end, beyond)
    return kind.of(NegativeBinomialWeights(Rate.of(alpha=alpha), m), cut, word_bits)


def enclosed_coefficients(k: int, m: int) -> None:
    """c(k) by Stirling's series and by the fixed-point product enclose the same number, and are as narrow as asked."""
    for digits in (10, 40, 70):
        enclosure, product_ = coefficient(k, m, digits), multiplied_out(k, m, 90)
        require(
            enclosure.lower <= product_.upper and product_.lower <= enclosure.upper, f"c({k}) is not {float(enclosure)}"
        )
        require((enclosure.upper - enclosure.lower) * 10**digits <= enclosure.lower, "the enclosure is too wide")
    if k <= 40:
        require(enclosure.lower <= weight(k, Fraction(1), m) <= enclosure.upper, f"c({k}) is not {float(enclosure)}")


def float_logarithms(rate: str, m: int, k: int) -> None:
    """ln r(k) as a float is within the stated error of its enclosure."""
    weights = NegativeBinomialWeights(Rate.of(epsilon=rate), m)
    truth, near = weights.enclosure(k, 40), Fraction(float(weights.log(np.array([k]))[0]))
    low, high = log_enclosure(truth.lower).lower, log_enclosure(truth.upper).upper
    require(high - Fraction(LOG_ERROR) < near < low + Fraction(LOG_ERROR), f"ln r({k}) is not {float(near)}")


def far_values(powers: int) -> Iterator[tuple[str, int, int]]:
    """Rates, m and k on both sides of 1,024, and k up to 10^(powers − 1)."""
    yield from product(["1/10"], (2, 7, 1000), (0, 1, 100, 500))
    yield from product(["1/1000000"], (2, 4, 1000), [k * step for k in (1, 1023, 1024, 1025) for step in (1, 13)])
    yield from (("1/1000000", 3, 10**p) for p in range(3, powers))


def certain_words(rate: str, m: int, step: int) -> None:
    """The shipped table shares the words out as it says.

    Cells follow each other, the arrays hold what is owned, a cell owns at most its share, and what it lacks fits the
    residual, beyond the table too.
    """
    weights = NegativeBinomialWeights(Rate.of(epsilon=rate), m)
    cells = Cells.cut(weights.decay)
    table = BlockTable.of(weights, cells, 64)
    following = [*cells.starts[1:].tolist(), cells.end]
    require(cells.starts[0] == 0 and following == (cells.starts + (1 << cells.shifts)).tolist(), "cells leave gaps")
    names = [-1 - j if shift else s for j, (s, shift) in enumerate(zip(cells.starts, cells.shifts, strict=True))]
    held = table.columns.words_of()
    require([held.get(int(name), 0) for name in names] == table.owned, "the arrays do not hold what is owned")
    require(held[RESIDUAL] == table.rest == 2**32 - sum(table.owned), "the arrays do not hold the residual")
    room = Fraction(table.rest, 2 << table.columns.column_bits)
    for j in range(0, len(table.owned), step):
        whole = weights.enclosure(int(cells.starts[j]), 40)
        size = table.scale * (1 << int(cells.shifts[j]))
        require(table.owned[j] <= size * whole.lower, f"cell {j} owns {table.owned[j]} words, too many")
        require(size * whole.upper - table.owned[j] <= room, f"cell {j} lacks more than the residual can give")
    first = table.scale * (1 << cells.beyond) * weights.enclosure(cells.end, 40).upper
    require(first <= Fraction(table.rest, 4), "the first block beyond the table lacks more than the residual can give")
    require(weights.rate.power(1 << cells.beyond).upper <= Fraction(1, 2), "blocks beyond the table do not halve")


def shipped_tables(cells: int) -> Iterator[tuple[str, int, int]]:
    """Six rates, three m, and the step that leaves about so many cells of the table."""
    sizes = {"10": 1, "1/7": 1, "1/100": 1400, "1/1000": 2000, "1/1000000": 2200, "1/1000000000000": 2500}
    return ((rate, m, max(1, size // cells)) for rate, size in sizes.items() for m in (2, 5, 1000))


def replayed_attempt(alpha: Fraction, m: int, cells: int, word_bits: int) -> None:
    """An attempt yields k with probability exactly κ·r(k), over all tapes of two words; the rest is undecided."""
    table = small_table(alpha, m, cells, word_bits)
    decided, undecided = enumerate_law(lambda tape: int(table._attempts(1, tape)[0]), word_bits, 2)
    last, kappa = table.cells.end, table.scale / 2**word_bits
    require(undecided - Fraction(table.rest, 2**word_bits) < Fraction(1, 2**word_bits), "coins are often undecided")
    require(max(decided) < last, "a value beyond the table was decided in two words")
    for k in range(last):
        mass, stated = decided.get(k, Fraction(0)), kappa * weight(k, alpha, m)
        require(mass <= stated, f"Pr[{k}] is at least {float(mass):.6f}, stated {float(stated):.6f}")
        require(stated <= mass + _lacking(table, k, alpha, m), f"Pr[{k}] is below {float(stated):.6f}")


def _lacking(table: BlockTable, k: int, alpha: Fraction, m: int) -> Fraction:
    """What the residual, and a coin too close to call, may still add to Pr[k]."""
    j = int(np.searchsorted(table.cells.starts, k, side="right")) - 1
    s, size, words = int(table.cells.starts[j]), 1 << int(table.cells.shifts[j]), 1 << table.word_bits
    kept = weight(k, alpha, m) / weight(s, alpha, m) / size
    missing = (table.scale * size * weight(s, alpha, m) - table.owned[j]) / words * kept
    return missing + (Fraction(table.owned[j], words * words) if size > 1 else 0)


def small_tables(bits: int) -> list[tuple[Fraction, int, int, int]]:
    """Two tables with blocks, for words of so many bits."""
    return [(Fraction(1, 2), 2, 0, bits), (Fraction(1, 3), 3, 1, bits)]


def replayed_residual(alpha: Fraction, m: int, cells: int, bits: int) -> None:
    """Over all tapes after the words that lead to the residual and to a cell, k has the mass that the cell lacks."""
    table = small_table(alpha, m, cells, 12)
    labels = np.empty(2**12, dtype=np.int64)
    table.columns.look_up(np.arange(2**12, dtype=np.uint32), labels)
    silent = int(np.flatnonzero(labels == RESIDUAL)[-1])
    columns = 1 << table.columns.column_bits
    for j in range(columns):
        start, shift, owned = _cell(table, j)
        _conditional(table, (silent, 2 * j), start, shift, owned, Fraction(1, 2 * columns), alpha, m, bits)
    beyond = table.cells.beyond
    for word in (0, 2**bits // 2 + 1, 2**bits - 4):
        i = int(geometric(Rate.of(alpha="1/2"), 1, ReplayedWords([word, 0, 0, 0], bits))[0])
        start, chance = table.cells.end + (i << beyond), Fraction(1, 1 << (i + 2))
        _conditional(table, (silent, 1, word), start, beyond, 0, chance, alpha, m, bits)


def _cell(table: BlockTable, j: int) -> tuple[int, int, int]:
    """Start, shift and words of a cell; a column that stands for none yields nothing, as a cell of no value would."""
    if j >= len(table.owned):
        return -1, 0, 0
    return int(table.cells.starts[j]), int(table.cells.shifts[j]), table.owned[j]


def _conditional(
    table: BlockTable,
    first: tuple[int, ...],
    start: int,
    shift: int,
    owned: int,
    chance: Fraction,
    alpha: Fraction,
    m: int,
    bits: int,
) -> None:
    decided, undecided = enumerate_law(
        lambda tape: int(table._attempts(1, After(first, tape))[0]), bits, 2 if shift else 1
    )
    require(undecided <= Fraction(1, 2**bits), f"after {first} a share of {undecided} is undecided")
    values = set(range(start, start + (1 << shift))) if start >= 0 else set()
    require(set(decided) <= values | {FAILED}, f"after {first} the values are {sorted(decided)}")
    for k in values:
        lacking = (table.scale * (1 << shift) * weight(start, alpha, m) - owned) / (table.rest * chance)
        stated = lacking * weight(k, alpha, m) / weight(start, alpha, m) / (1 << shift)
        mass = decided.get(k, Fraction(0))
        require(mass <= stated <= mass + undecided, f"after {first} Pr[{k}] is {float(mass)}, stated {float(stated)}")


def replayed_pair(alpha: Fraction, m: int, cells: int, word_bits: int) -> None:
    """Two attempts of one call are independent, in blocks too: their joint law is the product of their laws."""
    table = small_table(alpha, m, cells, word_bits, WithoutResidual)
    one, _ = enumerate_law(lambda tape: int(table._attempts(1, tape)[0]), word_bits, 2)
    both, _ = enumerate_law(lambda tape: _code(*table._attempts(2, tape).tolist()), word_bits, 4)
    kappa = table.scale / 2**word_bits
    require(one.get(table.cells.end - 2, 0) > 0, "no value of a block was seen")
    for k, other in product(range(table.cells.end), repeat=2):
        mass = both.get(_code(k, other), Fraction(0))
        require(
            one.get(k, 0) * one.get(other, 0) <= mass <= kappa**2 * weight(k, alpha, m) * weight(other, alpha, m),
            f"Pr[{k}, {other}] is {float(mass)}",
        )


def _code(one: int, other: int) -> int:
    return 1000 * one + other


def replayed_difference(alpha: Fraction, m: int, word_bits: int) -> None:
    """X and Y of a share are independent: over all tapes of two words its law is that of a difference."""
    rate = Rate.of(alpha=alpha)
    one, undecided = enumerate_law(lambda tape: int(negative_binomial(rate, m, 1, tape)[0]), word_bits, 1)
    share, rest = enumerate_law(lambda tape: int(polya_share(rate, m, 1, tape)[0]), word_bits, 2)
    require(rest <= 2 * undecided and rest < Fraction(1, 2), f"a share of {rest} is undecided")
    for d in range(-3, 4):
        least = sum((one.get(k, 0) * one.get(k - d, 0) for k in range(20)), Fraction(0))
        require(share.get(d, 0) >= least, f"Pr[{d}] is {float(share.get(d, 0))}, less than {float(least)}")
