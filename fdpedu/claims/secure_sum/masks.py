"""Masked sums come out right, every view is equally likely, and no mask is used twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np

from fdpedu.claims.checking import Refuted, require
from fdpedu.claims.dependence import ALPHA, bits_of, require_distinct, require_unrelated
from fdpedu.claims.mechanisms.words import among
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.replay import patched, require_joint_law
from fdpedu.claims.secure_sum.key_stream import key_of
from fdpedu.randomness import ReplayedWords
from fdpedu.secure_sum import WORD, Masks, encode, pairwise_keys, private_sum


def right_sum(rows: Sequence[Sequence[int]], modulus: int) -> None:
    """The private sum is the sum, lifted to [−R/2, R/2): negative sums come out negative."""
    result = private_sum(rows, modulus).tolist()
    for got, column in zip(result, zip(*rows, strict=True), strict=True):
        expected = (sum(column) + modulus // 2) % modulus - modulus // 2
        require(got == expected, f"the sum {sum(column)} mod {modulus} lifts to {expected}, not {got}")


def large_sums(modulus: int, parties: int) -> None:
    """Sums at both ends of [−R/2, R/2), next to them and beyond, whatever the parties' own numbers reach."""
    half = modulus // 2
    for total in (0, 1, -1, half - 1, half, -half, -half - 1, 2**31, 2**53 + 1):
        own = [total // parties] * (parties - 1)
        right_sum([[value] for value in (*own, total - sum(own))], modulus)


def equal_views(modulus: int, values: tuple[int, ...]) -> None:
    """Three parties, all mask triples: each vector of encodings with the right sum arises equally often, no other."""
    views: Counter[tuple[int, ...]] = Counter()
    for s01, s02, s12 in product(range(modulus), repeat=3):
        masks = [s01 + s02, -s01 + s12, -s02 - s12]
        pairs = [(np.array([x]), np.array([m % modulus], dtype=np.uint64)) for x, m in zip(values, masks, strict=True)]
        views[tuple(int(encode(x, mask, modulus)[0]) for x, mask in pairs)] += 1
    require(len(views) == modulus**2 and set(views.values()) == {modulus}, "some views are likelier than others")
    require(all((sum(view) - sum(values)) % modulus == 0 for view in views), "a view does not add up to the sum")


def fresh_masks(modulus: int, parties: int) -> None:
    """Masks of all parties cancel; each of three sums has its own; a number that was used is refused."""
    keys = pairwise_keys(parties)
    drawn = [[masks.draw(number, 8, modulus) for masks in keys] for number in range(3)]
    for masks in drawn:
        require(all(sum(map(int, column)) % modulus == 0 for column in zip(*masks, strict=True)), "masks do not cancel")
    require(len({m.tobytes() for masks in drawn for m in masks}) == 3 * parties, "a mask is used in two sums")
    try:
        keys[0].draw(2, 1, modulus)
    except ValueError:
        return
    raise Refuted("the number of an earlier sum was accepted")


def fresh_streams(modulus: int, sums: int, size: int) -> None:
    """For some pairs and many sums, all words of their masks are different: no stretch of a stream is used twice."""
    numbers = sorted({*range(sums), *(2**k + off for k in (8, 16, 31, 32, 48, 63, 64) for off in (0, 1))})
    drawn = []
    for pair in range(3):
        masks = Masks(0, {1: key_of(pair)})
        drawn += [masks.draw(number, size, modulus) for number in numbers]
    words = np.concatenate(drawn)
    require(bool((words < modulus).all()) if modulus < WORD else True, "a residue is not below the modulus")
    require_distinct(words, "words of masks")
    if modulus == WORD:
        require_unrelated(bits_of(words, (0, 31, 32, 63)))


def small_residues(size: int, calls: int, block: int, words: int) -> None:
    """Residues of words that are refused or not, in one block and in several: independent and uniform.

    The key stream is played: words of two bits stand for 0, 2^60, 2·2^60, and 15·2^60, which is refused mod 3·2^60.
    """
    unit = 2**60

    def draw(tape: ReplayedWords) -> Any:
        class Played:
            def __init__(self, *_: Any, **__: Any) -> None: ...

            def encryptor(self) -> Played:
                return self

            def update_into(self, zeros: Any, buffer: bytearray) -> None:
                values = [(0, unit, 2 * unit, 15 * unit)[int(w)] for w in tape.words(len(zeros) // 8)]
                buffer[: len(zeros)] = np.array(values, dtype="<u8").tobytes()

        with patched("fdpedu.secure_sum.masks", Cipher=Played, _BLOCK=block):
            masks = Masks(0, {1: key_of(0)})
            return [masks.draw(number, size, 3 * unit) // np.uint64(unit) for number in range(calls)]

    require_joint_law(draw, [among(3)] * (size * calls), words, word_bits=2)


def small_blocks(words: int) -> Iterator[tuple[int, int, int, int]]:
    """Two numbers: in one block, in two blocks, in two sums."""
    yield 2, 1, 8, words
    yield 2, 1, 1, words
    yield 1, 2, 8, words


CLAIMS = (
    Claim(
        "thm-private-sum",
        status="proved+checked",
        code=("fdpedu.secure_sum", "fdpedu.secure_sum.masks", "fdpedu.secure_sum.masks.private_sum"),
        checks=(
            Check(
                "views",
                "exhaustive",
                "three parties, all values and all masks, every R from 2 to {size}",
                equal_views,
                lambda most: ((R, values) for R in range(2, most + 1) for values in product(range(R), repeat=3)),
                4,
                6,
            ),
            Check(
                "sums",
                "property",
                "{size} random sums of four parties, five moduli",
                right_sum,
                lambda draw: draw.sums(),
                40,
                1000,
            ),
            Check(
                "large sums",
                "exact",
                "3 to {size} parties, six moduli: sums at the ends of the range, next to them and beyond",
                large_sums,
                lambda most: product((2, 7, 2**32, 10**9 + 7, 2**62, 2**64), range(3, most + 1)),
                4,
                9,
                more=[(modulus, 5) for modulus in (3, 2**31, 2**62 - 1, 2**64)],
            ),
            Check(
                "fresh masks",
                "exact",
                "three sums of 3 to {size} and of 20 parties, three moduli: masks cancel and never come again",
                fresh_masks,
                lambda most: product((2**64, 2**62, 10**9 + 7), (*range(3, most + 1), 20)),
                4,
                8,
            ),
            Check(
                "fresh streams",
                "statistical",
                "three pairs, the first {size} sums and sums to 2^64, three moduli: no word of a mask comes twice",
                fresh_streams,
                lambda sums: [(2**64, sums, 40), (3 * 2**60, sums, 40), (2**62, sums, 40), (2**64, 2, 9000)],
                100,
                2000,
                alpha=ALPHA,
                more=[(2**61 - 1, 30, 70), (3 * 2**60, 30, 70)],
            ),
            Check(
                "joint law",
                "exact",
                "two residues of one block, two blocks, two sums, refused words included, over all tapes of {size} "
                "words",
                small_residues,
                small_blocks,
                6,
                7,
            ),
        ),
        assumptions=(
            "parties and aggregator are honest but curious",
            "integers mod $R$",
            "at least two honest parties",
        ),
        uses=("asm-key-stream",),
    ),
)

TWINS = (
    Broken(
        "masks reused",
        "fdpedu.secure_sum.Masks.draw",
        "(other, key, sum_number, digest)",
        "(other, key, 0, digest)",
        "A mask that cancelled once will cancel again.",
        "thm-private-sum",
        "fresh masks",
    ),
    Broken(
        "sum not lifted",
        "fdpedu.secure_sum.lift",
        "np.where(signed >= (modulus + 1) // 2, signed - modulus, signed)",
        "signed",
        "A sum of counts is not negative.",
        "thm-private-sum",
        "sums",
    ),
    Broken(
        "the sum's number in a word",
        "fdpedu.secure_sum.Masks._of_this_sum",
        "sum_number, digest)",
        "sum_number % 2**32, digest)",
        "Nobody asks four thousand million questions.",
        "thm-private-sum",
        "fresh streams",
    ),
    Broken(
        "one word for all residues that were refused",
        "fdpedu.secure_sum.masks._uniform_stream",
        "words[refused] = draw(refused.size)",
        "words[refused] = draw(1)",
        "Both parties refuse the same words, so masks cancel whatever comes instead.",
        "thm-private-sum",
        "joint law",
    ),
    Broken(
        "a mask of half the size",
        "fdpedu.secure_sum.masks.encode",
        "add(residues(values, modulus), mask, modulus)",
        "add(residues(values, modulus), mask >> np.uint64(1) << np.uint64(1), modulus)",
        "An even mask hides a number as well as any.",
        "thm-private-sum",
        "views",
    ),
    Broken(
        "lifted from the middle on",
        "fdpedu.secure_sum.modular.lift",
        "(modulus + 1) // 2",
        "modulus // 2 + 1",
        "Half of R is positive, as any number is.",
        "thm-private-sum",
        "large sums",
    ),
)
