"""An exercise on splits of a categorical feature: from 2^l subsets to l − 1."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, product

from fdpedu.cart import exact_scaled_half_gini
from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import integer, sequence, show

MAX_CATEGORIES = 4


@cache
def wards() -> Sequence[Case]:
    """The counts (a, b) of two to four categories: each at most 2 for up to three, at most 1 for four."""
    lists: list[list[tuple[int, int]]] = [
        list(counts)
        for k in range(2, MAX_CATEGORIES + 1)
        for counts in product(_cells(3 if k < MAX_CATEGORIES else 2), repeat=k)
    ]
    return tuple((counts,) for counts in sorted(lists, key=_size_of_wards))


def _cells(end: int) -> list[tuple[int, int]]:
    return list(product(range(end), range(end)))


def _size_of_wards(counts: list[tuple[int, int]]) -> tuple[int, int]:
    return len(counts), sum(map(sum, counts))


def category_order(counts: Sequence[tuple[int, int]]) -> list[int]:
    """An order of the categories whose prefixes hold a best subset: by the share of positives."""
    share = [Fraction(b, a + b) if a + b else Fraction(0) for a, b in counts]
    return sorted(range(len(counts)), key=lambda category: share[category])


def impurity_of_subset(counts: Sequence[tuple[int, int]], chosen: Sequence[int]) -> Fraction:
    """n·G when the chosen categories go left."""
    left = [counts[c] for c in chosen]
    right = [counts[c] for c in range(len(counts)) if c not in chosen]
    pooled = [[sum(a for a, _ in side), sum(b for _, b in side)] for side in (left, right)]
    return sum(map(exact_scaled_half_gini, pooled), Fraction(0))


def best_prefix(counts: Sequence[tuple[int, int]], order: Sequence[int]) -> Fraction | None:
    """The least n·G of a prefix; None when that is no order of the categories."""
    if sorted(order) != list(range(len(counts))):
        return None
    return min(impurity_of_subset(counts, order[:k]) for k in range(1, len(counts)))


def best_subset(counts: Sequence[tuple[int, int]]) -> Fraction:
    """The least n·G of all subsets that leave at least one category on each side."""
    everything = range(len(counts))
    return min(impurity_of_subset(counts, some) for k in everything[1:] for some in combinations(everything, k))


CATEGORIES = Exercise(
    id="cart-categories",
    kind="implement",
    hint="What makes two categories alike for the label? Try three categories of very different sizes.",
    domain="two or three categories with 0 to 2 rows of each class, and four with 0 or 1, fewest categories first",
    cases=wards,
    size=_size_of_wards,
    reference=category_order,
    read=sequence(integer),
    agrees=lambda case, given, expected: best_prefix(case[0], given) == best_subset(case[0]),
    alike=lambda case, one, other: best_prefix(case[0], one) == best_prefix(case[0], other),
    wanted=lambda case, expected: (
        f"an order that begins with a best subset, n·G = {show(best_subset(case[0]))}: {expected}, or another"
    ),
    remark=lambda case, given, expected: (
        f"That is no order of the categories 0 to {len(case[0]) - 1}, each once."
        if best_prefix(case[0], given) is None
        else f"The best beginning of your order leaves n·G = {show(best_prefix(case[0], given))}, "
        f"the best subset {show(best_subset(case[0]))}."
    ),
    explanation=(
        "By the share of positives, up or down. Why: n·G is concave in the counts (a, b) that go left, since s is: "
        "a split never raises it, and s(λa, λb) = λ·s(a, b). So a corner of the convex hull of all choices is best. A "
        "corner is where some λa + μb is largest: it takes the categories with λa + μb > 0, which are those with a "
        "share above, or below, some bound. If that is all categories or none, its n·G is the whole node's, and no "
        "division has more, so all are equally good. Empty categories may stand anywhere."
    ),
    wrong=(
        Misconception(
            "orders by the number of rows",
            lambda counts: sorted(range(len(counts)), key=lambda c: sum(counts[c])),
            "How many rows a category has says nothing on which class they are. Order by what the label does in it: "
            "the share of positives.",
        ),
        Misconception(
            "orders by the number of positives",
            lambda counts: sorted(range(len(counts)), key=lambda c: counts[c][1]),
            "A large category has many positives even when most of its rows are negative. Order by b/(a+b), not by b.",
        ),
        Misconception(
            "keeps the categories as they come",
            lambda counts: list(range(len(counts))),
            "The names or codes of categories carry no meaning. Treating them as numbers tries only a few subsets, and "
            "which ones depends on the alphabet.",
        ),
        Misconception(
            "divides by the rows of an empty category",
            lambda counts: sorted(range(len(counts)), key=lambda c: Fraction(counts[c][1], sum(counts[c]))),
            "A category may have no rows in this node, though it exists. It can stand anywhere in the order: give it "
            "any share.",
        ),
    ),
)
