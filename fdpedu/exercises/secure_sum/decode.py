"""An exercise to repair: what the aggregator computes in the printed Algorithm 1."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import integer


@cache
def sums() -> Sequence[Case]:
    """Two or three encodings, all residues, moduli from 2; fewest and smallest first."""
    pairs = ((list(row), modulus) for modulus in range(2, 9) for row in product(range(modulus), repeat=2))
    triples = ((list(row), modulus) for modulus in range(2, 7) for row in product(range(modulus), repeat=3))
    return tuple(sorted([*pairs, *triples], key=lambda case: (len(case[0]), case[1])))


def decode(encodings: Sequence[int], modulus: int) -> int:
    """The integer of the centred range that has the residue of the sum."""
    total = sum(encodings) % modulus
    return total - modulus if 2 * total >= modulus else total


DECODE = Exercise(
    id="secure-decode",
    kind="repair",
    hint="For each residue there is exactly one integer s with −R ≤ 2s < R. Write down all these integers for R = 4 "
    "and for R = 5.",
    domain="two encodings for R = 2 to 8, three for R = 2 to 6, all residues; fewest and smallest first",
    cases=sums,
    size=lambda encodings, modulus: (len(encodings), modulus),
    reference=decode,
    read=integer,
    explanation=(
        "Masks cancel mod R, so the sum of the encodings has the residue of the sum of the numbers.\n"
        "Of the integers with that residue exactly one lies in [−R/2, R/2): the residue itself, or R less. "
        "Comparing 2s with R, instead of s with R/2, avoids fractions."
    ),
    wrong=(
        Misconception(
            "does not lift",
            lambda encodings, modulus: sum(encodings) % modulus,
            "That is the printed line. With it a sum of −1 comes out as R − 1: lift the result.",
        ),
        Misconception(
            "keeps the middle positive",
            lambda encodings, modulus: sum(encodings) % modulus - modulus * (2 * (sum(encodings) % modulus) > modulus),
            "For an even R the residue R/2 stands for −R/2: the range [−R/2, R/2) holds its left end and not "
            "its right end.",
        ),
        Misconception(
            "halves an odd modulus downwards",
            lambda encodings, modulus: sum(encodings) % modulus - modulus * (sum(encodings) % modulus >= modulus // 2),
            "For an odd R, R // 2 is less than R/2, and its residue is its own lift. Compare 2s with R.",
        ),
        Misconception(
            "lifts each encoding",
            lambda encodings, modulus: sum(e - modulus if 2 * e >= modulus else e for e in encodings),
            "An encoding alone is uniform, so lifting it says nothing. Add up and reduce first, then lift.",
        ),
        Misconception(
            "does not reduce",
            lambda encodings, modulus: sum(encodings),
            "Masks cancel mod R only. Without the reduction a multiple of R is left.",
        ),
    ),
)
