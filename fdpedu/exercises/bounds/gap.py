"""An exercise to implement: by how much parties differ on one side of a split."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number

Side = Sequence[tuple[int, int]]


@cache
def sides() -> Sequence[Case]:
    """One to three parties with 0 to 2 negatives and positives each, in every order, fewest parties first."""
    parties: list[tuple[int, int]] = list(product(range(3), range(3)))
    several: list[list[tuple[int, int]]] = [list(side) for k in (1, 2) for side in product(parties, repeat=k)]
    several += [list(side) for side in combinations_with_replacement(parties, 3)]
    return tuple((side,) for side in sorted(several, key=_size))


def _size(side: Side) -> tuple[int, int]:
    return len(side), sum(map(sum, side))


def between(side: Side) -> Fraction:
    """Σ_k n_k(p_k − p)²: s of all rows together, less the sum of the parties' own."""
    a, b = (sum(counts[c] for counts in side) for c in (0, 1))
    together = Fraction(a * b, a + b) if a + b else Fraction(0)
    apart = sum((Fraction(a * b, a + b) for a, b in side if a + b), Fraction(0))
    return together - apart


def _shares(side: Side) -> tuple[list[tuple[int, Fraction]], Fraction]:
    known = [(a + b, Fraction(b, a + b)) for a, b in side if a + b]
    n = sum(rows for rows, _ in known)
    return known, sum((rows * share for rows, share in known), Fraction(0)) / (n or 1)


def _unweighted(side: Side) -> Fraction:
    known, p = _shares(side)
    return sum(((share - p) ** 2 for _, share in known), Fraction(0))


def _plain_mean(side: Side) -> Fraction:
    known, _ = _shares(side)
    p = sum((share for _, share in known), Fraction(0)) / max(1, len(known))
    return sum((rows * (share - p) ** 2 for rows, share in known), Fraction(0))


def _empty_as_zero(side: Side) -> Fraction:
    shares = [(a + b, Fraction(b, a + b) if a + b else Fraction(0)) for a, b in side]
    p = _shares(side)[1]
    return sum((max(1, rows) * (share - p) ** 2 for rows, share in shares), Fraction(0))


BETWEEN = Exercise(
    id="bounds-between",
    kind="implement",
    hint="It can be computed without any share: it is s of all rows together, less the parties' own s.",
    domain="one, two or three parties with 0 to 2 negatives and positives each, fewest parties first",
    cases=sides,
    size=_size,
    reference=between,
    read=number,
    explanation=(
        "Squares about a party's own mean are the least that this party's rows allow; about the mean of all they are "
        "n_k(p_k − p)² more. Summed over the parties, the difference is s(all) − Σ s(party).\n"
        "Being a sum of squares it is never negative: that is Theorem 7, before the parties choose better splits."
    ),
    wrong=(
        Misconception(
            "does not weigh the parties",
            _unweighted,
            "Each party counts with its rows: multiply by n_k.",
        ),
        Misconception(
            "takes the mean of the shares",
            _plain_mean,
            "p̂ is the share of all rows, so a large party counts more in it. The mean of the shares is something else "
            "when the parties are unequal.",
        ),
        Misconception(
            "gives the parties without rows a share",
            _empty_as_zero,
            "A party without rows on this side has no share of positives, and adds nothing.",
        ),
        Misconception(
            "gives the impurity of all rows",
            lambda side: Fraction(sum(a for a, _ in side) * sum(b for _, b in side), max(1, sum(map(sum, side)))),
            "That is s of all rows. What the parties' own impurities already explain has to be taken away.",
        ),
    ),
)
