"""An exercise to implement: the exact distribution of a whole tree of depth 1."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from typing import Any

from fdpedu.exercises.noisy_cells import at_most
from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import Unreadable, kind, number, show

MAX_CELL = 3
"""Released cells are cut to 0, …, MAX_CELL."""
TREES: tuple[Any, ...] = (0, 1, (0, 0), (0, 1), (1, 0), (1, 1))
Table = Sequence[Sequence[int]]
Law = dict[Any, Fraction]


@cache
def nodes() -> Sequence[Case]:
    """Up to three records, at most two in a cell, three limits; fewest records first."""
    cells = sorted((c for c in product(range(3), repeat=4) if sum(c) <= 3), key=sum)
    return tuple(([list(c[:2]), list(c[2:])], least) for c in cells for least in (0, 2, 5))


def law(counts: Any, least: int) -> dict[object, Fraction]:
    """First the histogram decides, then each leaf has fresh counts: the probabilities multiply."""
    from itertools import product

    def at_most(t: int) -> Fraction:  # Pr[noise ≤ t]
        tail = Fraction(2, 3) * Fraction(1, 2) ** (-t if t <= 0 else t + 1)
        return tail if t <= 0 else 1 - tail

    def cell(count: int) -> list[Fraction]:  # the distribution of a released cell
        upto = [at_most(k - count) for k in range(3)] + [Fraction(1)]
        return [upto[0], *(b - a for a, b in pairwise(upto))]

    def labels(zero: int, one: int) -> list[Fraction]:  # the distribution of a leaf's label
        zeros, ones = cell(zero), cell(one)
        pairs = ((i, j) for i, j in product(range(4), repeat=2) if j > i)
        says_one = sum((zeros[i] * ones[j] for i, j in pairs), Fraction(0))
        return [1 - says_one, says_one]

    (a, b), (c, d) = counts
    laws = [cell(a), cell(b), cell(c), cell(d)]
    stops = Fraction(0)
    for i, j, k, m in product(range(4), repeat=4):
        if i + j + k + m < least:
            stops += laws[0][i] * laws[1][j] * laws[2][k] * laws[3][m]
    found = dict[object, Fraction](enumerate(stops * p for p in labels(a + c, b + d)))
    for x, y in product(range(2), repeat=2):
        found[x, y] = (1 - stops) * labels(a, b)[x] * labels(c, d)[y]
    return found


def _cell(count: int) -> list[Fraction]:
    upto = [at_most(k - count) for k in range(MAX_CELL)]
    return [b - a for a, b in pairwise([Fraction(0), *upto, Fraction(1)])]


def _labels(cells: Sequence[int], ties: int = 0) -> list[Fraction]:
    zeros, ones = map(_cell, cells)
    values = range(MAX_CELL + 1)
    says_one = sum((zeros[i] * ones[j] for i, j in product(values, values) if j + ties > i), Fraction(0))
    return [1 - says_one, says_one]


def _stops(counts: Table, least: int) -> Fraction:
    sums = {0: Fraction(1)}
    for count in (*counts[0], *counts[1]):
        longer: dict[int, Fraction] = {}
        for total, (k, p) in product(sums, enumerate(_cell(count))):
            longer[total + k] = longer.get(total + k, Fraction(0)) + sums[total] * p
        sums = longer
    return sum((p for total, p in sums.items() if total < least), Fraction(0))


def _staged(
    stops: Callable[[Table, int], Fraction] = _stops, ties: int = 0, weights: Callable[[Fraction], Any] | None = None
) -> Callable[..., Law]:
    """The law in two stages, with another stopping rule, another rule for ties, or other weights of the stages."""

    def answer(counts: Table, least: int) -> Law:
        leaf, split = (weights or (lambda p: (p, 1 - p)))(stops(counts, least))
        (a, b), (c, d) = counts
        found: Law = {x: leaf * p for x, p in enumerate(_labels((a + c, b + d), ties))}
        left, right = _labels((a, b), ties), _labels((c, d), ties)
        return found | {(x, y): split * left[x] * right[y] for x, y in product((0, 1), repeat=2)}

    return answer


def _reused(counts: Table, least: int) -> Law:
    """Labels from the histogram that decided, without counts of their own."""
    found = dict.fromkeys(TREES, Fraction(0))
    laws = [_cell(count) for count in (*counts[0], *counts[1])]
    for i, j, k, m in product(range(MAX_CELL + 1), repeat=4):
        stopped = i + j + k + m < least
        tree = int(j + m > i + k) if stopped else (int(j > i), int(m > k))
        found[tree] += laws[0][i] * laws[1][j] * laws[2][k] * laws[3][m]
    return found


def _exactly(counts: Table, least: int) -> Fraction:
    return Fraction(sum(map(sum, counts)) < least)


def _read(raw: Any) -> list[Any]:
    """The probabilities in the order of TREES, 0 for a tree that is not there."""
    if not isinstance(raw, dict):
        raise Unreadable(f"a dict from trees to probabilities was expected, not {kind(raw)}")
    if unknown := [tree for tree in raw if tree not in TREES]:
        raise Unreadable(f"a tree is 0, 1, or a pair of these such as (0, 1), not {show(unknown[0])}")
    return [number(raw.get(tree, 0)) for tree in TREES]


def _listed(expected: Law) -> list[Fraction]:
    return [expected[tree] for tree in TREES]


def _close(case: Case, given: Any, expected: Law) -> bool:
    return all(abs(Fraction(p) - q) <= Fraction(1, 10**9) for p, q in zip(given, _listed(expected), strict=True))


def _remark(case: Case, given: Any, expected: Law) -> str:
    total = sum(map(Fraction, given), Fraction(0))
    return "" if abs(total - 1) <= Fraction(1, 10**9) else f"These probabilities add up to {show(total)}, not to 1."


LAW = Exercise(
    id="tree-law",
    kind="implement",
    hint="Write three small functions: the distribution of a released cell, the distribution of the class that a leaf "
    "predicts, and the probability that the four cells add up to less than `least`. Given that the root is split, are "
    "the predictions of the two leaves independent?",
    domain="up to three records, at most two in one of the four cells, least = 0, 2, 5; fewest records first",
    cases=nodes,
    size=lambda counts, least: sum(map(sum, counts)),
    reference=law,
    read=_read,
    agrees=_close,
    remark=_remark,
    wanted=lambda case, expected: ", ".join(f"{tree}: {expected[tree]}" for tree in TREES),
    explanation=(
        "The probability of a tree is a product: that of the decision at the root, times that of the label of each "
        "leaf. Given the decision, the labels are independent, because the counts of the leaves have fresh noise. The "
        "histogram matters only through the decision.\n"
        "A record more or less changes the factor of the decision by at most 2, and that of its own leaf by at most "
        "2. The other leaf does not count it. So no tree becomes more than 4 times as likely or as unlikely. This is "
        "why the costs add up along one branch only."
    ),
    wrong=(
        Misconception(
            "takes the labels from the histogram",
            _reused,
            "Then the labels depend on the noise by which the root was split or not. This would save budget, but here "
            "each leaf has counts with fresh noise.",
        ),
        Misconception(
            "stops by the true counts",
            _staged(stops=_exactly),
            "Released cells decide whether the root is split, so the decision is random. With the true number of "
            "records some trees would be impossible, and one record could make them possible.",
        ),
        Misconception(
            "never stops",
            _staged(stops=lambda counts, least: Fraction(0)),
            "The released cells may add up to less than `least`: then the root is a leaf.",
        ),
        Misconception(
            "forgets what the decision has as probability",
            _staged(weights=lambda p: (1, 1)),
            "These are the probabilities of the labels, given the shape of the tree. Multiply them by the probability "
            "of the shape, so that all six add up to 1.",
        ),
        Misconception(
            "exchanges the two shapes",
            _staged(weights=lambda p: (1 - p, p)),
            "The root becomes a leaf if the cells add up to *less* than `least`.",
        ),
        Misconception(
            "lets class 1 win ties",
            _staged(ties=1),
            "A leaf predicts 1 only if its count of class 1 is larger. Clamped counts are often equal.",
        ),
        Misconception(
            "also stops at the limit",
            _staged(stops=lambda counts, least: _stops(counts, least + 1)),
            "If the cells add up to exactly `least`, they are enough, and the root is split.",
        ),
    ),
)
