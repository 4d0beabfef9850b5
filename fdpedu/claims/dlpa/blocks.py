"""Negative binomial numbers by cells, attempts and the residual, against r(k) as a fraction."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import numpy as np

from fdpedu.claims.checking import require
from fdpedu.claims.dlpa.cycles import INTEGERS, replayed_share, weight
from fdpedu.claims.mechanisms.words import among
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.replay import enumerate_law, require_joint_law
from fdpedu.exact import Integers, Rate
from fdpedu.randomness import ReplayedWords, Source, Words
from fdpedu.sampling import geometric
from fdpedu.sampling.alias import RESIDUAL
from fdpedu.sampling.blocks import FAILED, BlockTable, Cells
from fdpedu.sampling.polya_weights import NegativeBinomialWeights

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


def small_table(alpha: Fraction, m: int, cells: int, word_bits: int, kind: type[BlockTable] = BlockTable) -> BlockTable:
    """A table of three cells, with blocks, for words so short that all tapes can be played."""
    starts, shifts, end, beyond = THIRDS[cells]
    cut = Cells(np.array(starts), np.array(shifts), end, beyond)
    return kind.of(NegativeBinomialWeights(Rate.of(alpha=alpha), m), cut, word_bits)


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
    limit = Fraction(table.rest, 2 << table.columns.column_bits)
    for j in range(0, len(table.owned), step):
        whole = weights.enclosure(int(cells.starts[j]), 40)
        size = table.scale * (1 << int(cells.shifts[j]))
        require(table.owned[j] <= size * whole.lower, f"cell {j} owns {table.owned[j]} words, too many")
        require(size * whole.upper - table.owned[j] <= limit, f"cell {j} lacks more than the residual can give")
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
    silent = silent_word(table)
    columns = 1 << table.columns.column_bits
    for j in range(columns):
        start, shift, owned = _cell(table, j)
        _conditional(table, (silent, 2 * j), start, shift, owned, Fraction(1, 2 * columns), alpha, m, bits)
    beyond = table.cells.beyond
    for word in (0, 2**bits // 2 + 1, 2**bits - 4):
        i = int(geometric(Rate.of(alpha="1/2"), 1, ReplayedWords([word, 0, 0, 0], bits))[0])
        start, chance = table.cells.end + (i << beyond), Fraction(1, 1 << (i + 2))
        _conditional(table, (silent, 1, word), start, beyond, 0, chance, alpha, m, bits)


def silent_word(table: BlockTable) -> int:
    """A word that the table leaves to the residual."""
    labels = np.empty(1 << table.word_bits, dtype=np.int64)
    table.columns.look_up(np.arange(labels.size, dtype=np.uint32), labels)
    return int(np.flatnonzero(labels == RESIDUAL)[-1])


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


class ThreeOfFour(BlockTable):
    """Attempts of two bits in place of the table's: 0, 1, 2, or nothing."""

    def _attempts(self, size: int, source: Source) -> Integers:
        words = source.words(size).astype(np.int64)
        return np.where(words == 3, FAILED, words)


def again(size: int, calls: int, words: int) -> None:
    """What an attempt does not yield is drawn again for itself."""
    table = small_table(Fraction(1, 2), 2, 0, 12, ThreeOfFour)
    require_joint_law(
        lambda tape: [table.sample(size, tape) for _ in range(calls)], [among(3)] * (size * calls), words, word_bits=2
    )


class ResidualOfOneWord(BlockTable):
    """One word in place of an attempt in the residual."""

    def _residual(self, source: Source) -> int:
        return int(source.words(1)[0])


def in_the_residual(size: int, calls: int, words: int) -> None:
    """Each number that the table leaves to the residual is drawn there for itself."""
    table = small_table(Fraction(1, 2), 2, 0, 12, ResidualOfOneWord)
    silent = silent_word(table)
    require_joint_law(
        lambda tape: [table._attempts(size, After((silent,) * size, tape)) for _ in range(calls)],
        [among(4)] * (size * calls),
        words,
        word_bits=2,
    )


NB_BLOCKS = (
    Check(
        "drawn again",
        "exact",
        "two and three numbers, two calls, attempts of two bits: the joint distribution over all tapes of {size} words",
        again,
        lambda words: [(2, 1, words), (3, 1, words), (1, 2, words)],
        6,
        7,
    ),
    Check(
        "in the residual",
        "exact",
        "two and three attempts that the table leaves to the residual, two calls, over all tapes of {size} words",
        in_the_residual,
        lambda words: [(2, 1, words), (3, 1, words), (1, 2, words)],
        4,
        5,
    ),
)


CLAIMS = (
    Claim(
        "lem-nb-blocks",
        status="proved+checked",
        code=("fdpedu.sampling.blocks", "fdpedu.sampling.blocks.negative_binomial"),
        checks=(
            Check(
                "certain words",
                "exact",
                "18 shipped tables, ε from 10 to 10⁻¹², about {size} cells of each against enclosures: none owns too "
                "much, what it lacks fits the residual",
                certain_words,
                shipped_tables,
                20,
                200,
                more=[("1/10000000", 2000, 40), ("20", 3, 40), ("3/7", 61, 40), ("1/999", 500, 40)],
            ),
            Check(
                "replayed share",
                "exact",
                "the shipped sampler over all words of {size} bits, six pairs of α and m",
                replayed_share,
                lambda bits: product(map(Fraction, ("1/3", "1/8")), (2, 3, 99), [bits], [1]),
                12,
                15,
                more=[(Fraction(1, 2), 1, 12, 1), (Fraction(2, 5), 7, 12, 1), (Fraction(1, 6), 1999, 12, 1)],
            ),
            Check(
                "replayed attempt",
                "exact",
                "tables with blocks over all tapes of two {size}-bit words: Pr[k] = κ·r(k), up to what each cell lacks",
                replayed_attempt,
                small_tables,
                7,
                9,
                more=[(Fraction(3, 8), 5, 1, 7), (Fraction(2, 7), 6, 0, 7)],
            ),
            Check(
                "replayed residual",
                "exact",
                "given the words that choose a cell, in the table and beyond it, all further tapes of {size}-bit words",
                replayed_residual,
                small_tables,
                5,
                6,
                more=[(Fraction(3, 8), 5, 1, 5), (Fraction(2, 7), 6, 0, 5)],
            ),
            Check(
                "independence",
                "exact",
                "the joint distribution of two attempts of one call, over all tapes of four {size}-bit words",
                replayed_pair,
                lambda bits: [(Fraction(1, 2), 2, 0, bits)],
                5,
                more=[(Fraction(1, 2), 3, 0, 5)],
            ),
            *NB_BLOCKS,
        ),
        assumptions=(INTEGERS,),
        uses=("lem-nb-weights", "thm-alias-table", "asm-random-words"),
    ),
)

TWINS = (
    Broken(
        "blocks without rejection",
        "fdpedu.sampling.blocks.BlockTable._within",
        "values[unsure[~kept]] = FAILED",
        "kept",
        "Within a block the weights hardly differ.",
        "lem-nb-blocks",
        "replayed attempt",
    ),
    Broken(
        "close calls kept",
        "fdpedu.sampling.blocks.BlockTable._coins",
        "low + width <= ratio - MARGIN",
        "low <= ratio",
        "A float is right to sixteen digits, so it may decide a coin.",
        "lem-nb-blocks",
        "replayed attempt",
    ),
    Broken(
        "residual dropped",
        "fdpedu.sampling.blocks.BlockTable._settle",
        "tile[i] = self._residual(source)",
        "tile[i] = FAILED",
        "What happens once in a quarter of a million draws can be drawn again.",
        "lem-nb-blocks",
        "replayed residual",
    ),
    Broken(
        "one attempt for all that failed",
        "fdpedu.sampling.blocks.BlockTable.sample",
        "self._attempts(failed.size, source)",
        "self._attempts(1, source)",
        "What failed is drawn again, and what it becomes has the right distribution.",
        "lem-nb-blocks",
        "drawn again",
    ),
    Broken(
        "one value for the whole residual",
        "fdpedu.sampling.blocks.BlockTable._settle",
        "tile[i] = self._residual",
        "tile[tile == RESIDUAL] = self._residual",
        "The residual is met once in a long draw.",
        "lem-nb-blocks",
        "in the residual",
    ),
)
