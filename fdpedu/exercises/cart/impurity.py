"""Exercises on the impurity of a node: what it is, from whose rows, and by how much one more row moves it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number, optional

MAX_ROWS = 40
MAX_PARTIES = 3


@cache
def nodes() -> Sequence[Case]:
    """All (a, b) with a + b ≤ 40, by rows."""
    return tuple((n - b, b) for n in range(MAX_ROWS + 1) for b in range(n + 1))


@cache
def parties() -> Sequence[Case]:
    """The counts (a, b) of up to three parties, each at most 2, by parties and then by rows."""
    cells = list(product(range(3), range(3)))
    lists: list[list[tuple[int, int]]] = [
        list(counts) for k in range(1, MAX_PARTIES + 1) for counts in product(cells, repeat=k)
    ]
    return tuple((counts,) for counts in sorted(lists, key=_size_of_parties))


def _size_of_parties(counts: list[tuple[int, int]]) -> tuple[int, int]:
    return len(counts), sum(map(sum, counts))


def scaled_impurity(a: int, b: int) -> Fraction:
    """n·p̂(1−p̂) of a node with a negatives and b positives; 0 when it is empty."""
    return Fraction(a * b, a + b) if a + b else Fraction(0)


IMPURITY = Exercise(
    id="cart-impurity",
    kind="implement",
    hint="Put p̂ = b/(a+b) into n·p̂(1−p̂) and cancel. What is left to divide by, and when is that 0?",
    domain="a, b ≥ 0 with a + b ≤ 40, fewest rows first",
    cases=nodes,
    size=lambda a, b: a + b,
    reference=scaled_impurity,
    read=number,
    explanation="n·p̂(1−p̂) = n·(b/n)·(a/n) = ab/n. An empty node has nothing to get wrong: 0.",
    wrong=(
        Misconception(
            "forgets n",
            lambda a, b: Fraction(a * b, (a + b) ** 2) if a + b else 0,
            "That is p̂(1−p̂), the impurity of one row on average. The scaled impurity is n times that, so that the "
            "impurities of two sides can be added.",
        ),
        Misconception(
            "takes 1 − Σp̂²",
            lambda a, b: Fraction(2 * a * b, a + b) if a + b else 0,
            "That is twice too much: 1 − Σp̂² = 2p̂(1−p̂) is the convention of most texts and of scikit-learn. This "
            "book keeps to p̂(1−p̂). The splits are the same, the constants are not.",
        ),
        Misconception(
            "divides by the rows of an empty node",
            lambda a, b: Fraction(a * b, a + b),
            "An empty node has no p̂. Its scaled impurity is 0 by convention: treat a + b = 0 first. Sooner or later "
            "some party has no rows on one side.",
        ),
        Misconception(
            "counts the rarer class",
            lambda a, b: min(a, b),
            "min(a, b) is how many rows the majority label gets wrong. That is an impurity too, but a coarser one: "
            "it is not n·p̂(1−p̂).",
        ),
    ),
)


def pooled_share(counts: Sequence[tuple[int, int]]) -> Fraction | None:
    """p̂ of all parties' rows together; None when nobody has any."""
    negatives = sum(a for a, b in counts)
    positives = sum(b for a, b in counts)
    return Fraction(positives, negatives + positives) if negatives + positives else None


def _shares(counts: Sequence[tuple[int, int]]) -> list[Fraction]:
    return [Fraction(b, a + b) for a, b in counts if a + b]


def _printed(counts: Sequence[tuple[int, int]]) -> Fraction:
    total = sum(a + b for a, b in counts)
    return sum((Fraction(a + b, total) * Fraction(b, a + b) for a, b in counts), Fraction(0))


POOLED = Exercise(
    id="cart-pooled",
    kind="repair",
    hint="Which two numbers does the pooled node need, and can each be had by a sum over the parties? A party without "
    "rows has no share p̂_k; but n_k·p̂_k, never divided, is just b_k.",
    domain=f"one to {MAX_PARTIES} parties with 0 to 2 negatives and 0 to 2 positives each, fewest parties first",
    cases=parties,
    size=_size_of_parties,
    reference=pooled_share,
    read=optional(number),
    explanation=(
        "n_k·p̂_k is b_k: the division by n_k is undone at once. Leave it out, sum the integers, divide once at the end."
    ),
    wrong=(
        Misconception(
            "divides by n_k, as printed",
            _printed,
            "A party without rows on this side has n_k = 0, and b_k/n_k is 0/0. Its counts (0, 0) are no trouble: sum "
            "counts over the parties, and divide once, at the end.",
        ),
        Misconception(
            "averages the shares, an empty party's as 0",
            lambda counts: sum(_shares(counts), Fraction(0)) / len(counts) if any(map(sum, counts)) else None,
            "A party that has no rows has no say. Here it pulls the share towards 0. A mean of shares is in any case "
            "not the share of the pooled node, unless all parties have equally many rows.",
        ),
        Misconception(
            "leaves empty parties out, and averages without weights",
            lambda counts: sum(_shares(counts)) / len(_shares(counts)) if _shares(counts) else None,
            "One row in a small hospital now counts for as much as many in a large one. Every row has the same weight: "
            "party k weighs n_k.",
        ),
        Misconception(
            "gives 0 when nobody has rows",
            lambda counts: pooled_share(counts) or Fraction(0),
            "A node without rows has no share of positives. 0 would say that all its rows are negative: give None.",
        ),
    ),
)


def increment(a: int, b: int) -> Fraction:
    """s(a+1, b) − s(a, b), where s(a, b) = ab/(a+b), and s(0, 0) = 0."""
    return Fraction(b * b, (a + b) * (a + b + 1)) if a + b else Fraction(0)


INCREMENT = Exercise(
    id="cart-increment",
    kind="prove-and-probe",
    hint=(
        "Bring (a+1)b/(a+b+1) − ab/(a+b) onto one denominator: in the numerator everything with a·b cancels. To "
        "bound it by 1, compare b² with (a+b)(a+b+1), first for a = 0."
    ),
    domain="a, b ≥ 0 with a + b ≤ 40, fewest rows first; by convention the increment of the empty node is 0",
    cases=nodes,
    size=lambda a, b: a + b,
    reference=increment,
    read=number,
    explanation=(
        "With n = a+b: (a+1)b/(n+1) − ab/n = [(a+1)bn − ab(n+1)] / (n(n+1)) = [bn − ab] / (n(n+1)) = b²/(n(n+1)).\n"
        "It is a square over a positive number, so ≥ 0. From b ≤ n follows b²/(n(n+1)) ≤ n/(n+1) < 1. The first ≤ "
        "is an equality exactly when b² = n², that is when a = 0.\n"
        "At the empty node s(1, 0) − s(0, 0) = 0."
    ),
    wrong=(
        Misconception(
            "takes the derivative",
            lambda a, b: Fraction(b * b, (a + b) ** 2) if a + b else 0,
            "b²/(a+b)² is the slope of s in a. A row is a step and not a slope, and s flattens on the way: one "
            "factor of the denominator is a+b+1.",
        ),
        Misconception(
            "exchanges the classes",
            lambda a, b: Fraction(a * a, (a + b) * (a + b + 1)) if a + b else 0,
            "That is the increment when a positive arrives. Try a = 0: a negative that joins positives makes a pure "
            "node impure, one that joins negatives changes nothing.",
        ),
        Misconception(
            "takes both denominators one row too large",
            lambda a, b: Fraction(b * b, (a + b + 1) ** 2),
            "Only one of the two nodes has the new row. The denominators are a+b before and a+b+1 after.",
        ),
        Misconception(
            "divides by the rows of an empty node",
            lambda a, b: Fraction(b * b, (a + b) * (a + b + 1)),
            "At a = b = 0 the formula is 0/0. The increment is s(1, 0) − s(0, 0) = 0: say so in the code.",
        ),
    ),
)
