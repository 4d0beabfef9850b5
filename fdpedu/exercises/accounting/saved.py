"""An exercise to repair: budget that a path saves, and spends twice."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number, sequence, show

HALF = Fraction(1, 2)


def path_budget(epsilon: Any, depth: int, leaf_share: Any, used: Sequence[Any]) -> list[Any]:
    """What each node of a path spends, and last what its leaf may spend."""
    each = (1 - leaf_share) * epsilon / depth
    spent, saved = [], 0
    for part in used:
        spent.append(part * (each + saved))
        saved += each - spent[-1]
    return [*spent, epsilon - sum(spent)]


def _shares(epsilon: Any, depth: int, leaf_share: Any) -> tuple[Any, Any]:
    return (1 - leaf_share) * epsilon / depth, leaf_share * epsilon


def _leaf_and_child(epsilon: Any, depth: int, leaf_share: Any, used: Sequence[Any]) -> list[Any]:
    each, leaf = _shares(epsilon, depth, leaf_share)
    spent: list[Any] = []
    carried = total = 0 * each
    for part in used:
        available = each + carried
        spent.append(part * available)
        carried = available - spent[-1]
        total += carried
    return [*spent, leaf + (depth - len(used)) * each + total]


def _anew(epsilon: Any, depth: int, leaf_share: Any, used: Sequence[Any]) -> list[Any]:
    each, leaf = _shares(epsilon, depth, leaf_share)
    return [*(part * each * depth for part in used), leaf]


def _never_given_back(epsilon: Any, depth: int, leaf_share: Any, used: Sequence[Any]) -> list[Any]:
    each, _ = _shares(epsilon, depth, leaf_share)
    return [*(part * each for part in used), epsilon - sum(part * each for part in used)]


def _lost(epsilon: Any, depth: int, leaf_share: Any, used: Sequence[Any]) -> list[Any]:
    return [*path_budget(epsilon, depth, leaf_share, used)[:-1], leaf_share * epsilon]


def _early_leaf(epsilon: Any, depth: int, leaf_share: Any, used: Sequence[Any]) -> list[Any]:
    each, leaf = _shares(epsilon, depth, leaf_share)
    spent = path_budget(epsilon, depth, leaf_share, used)[:-1]
    return [*spent, leaf + len(used) * each - sum(spent)]


def _off_by_one(epsilon: Any, depth: int, leaf_share: Any, used: Sequence[Any]) -> list[Any]:
    each = (1 - leaf_share) * epsilon / max(1, depth - 1)
    good = path_budget(each * depth / (1 - leaf_share), depth, leaf_share, used)[:-1]
    return [*good, leaf_share * epsilon + (depth - len(used)) * each + len(used) * each - sum(good)]


@cache
def paths() -> Sequence[Case]:
    """All paths of one to three nodes in trees of depth one to three, the shallowest first."""
    parts = (Fraction(1), HALF, Fraction(1, 3))
    return tuple(
        (Fraction(epsilon), depth, share, list(used))
        for depth in range(1, 4)
        for n in range(1, depth + 1)
        for used in product(parts, repeat=n)
        for epsilon, share in product((1, 3), (HALF, Fraction(1, 4)))
    )


def _compared(case: Case, given: list[Any], expected: list[Any]) -> str:
    epsilon, total = case[0], sum(given)
    if len(given) != len(expected):
        return f"{len(expected)} numbers were expected: one for each node of the path, and one for the leaf."
    said = f"Your path pays {show(total)} in all"
    return (
        f"{said}, {'more' if total > epsilon else 'less'} than ε = {show(epsilon)}." if total != epsilon else f"{said}."
    )


SAVED = Exercise(
    id="acc-saved",
    kind="repair",
    hint="Whatever the nodes spend, the leaf may have what is left of ε. So what is the sum of your list?",
    domain="paths of one to three nodes in trees of depth one to three, shares 1, 1/2, 1/3; shallowest first",
    cases=paths,
    size=lambda epsilon, depth, leaf_share, used: (depth, len(used)),
    reference=path_budget,
    read=sequence(number),
    remark=_compared,
    explanation=(
        "What a node leaves over is passed on once: to the next node, and at the end to the leaf.\n"
        "A record is on one path. Whatever is released, every path costs ε, so no record ever pays more, in this run "
        "or in another one: that is what the filter lemma asks for. What was saved depends on releases only, so it may "
        "be used to choose the next budget."
    ),
    wrong=(
        Misconception(
            "gives it to leaf and child",
            _leaf_and_child,
            "What a node has saved is spent by its child, and once more by the leaf. Pass it on once: the path pays "
            "more than ε.",
        ),
        Misconception(
            "spends the budget again at each level",
            _anew,
            "Each level spends all that is meant for the levels together. A record is in one node of every level, so "
            "these costs add up.",
        ),
        Misconception(
            "is off by one level",
            _off_by_one,
            "A tree of depth d has d levels of nodes that are split, and then leaves. You divide by d − 1.",
        ),
        Misconception(
            "leaves everything to the leaf",
            _never_given_back,
            "The path costs ε, that is right. But a node may use what those above it have saved: add it to its part "
            "before you take the share.",
        ),
        Misconception(
            "loses what is saved",
            _lost,
            "The leaf gets its share only, and what the path has not spent is lost. It is safe, but not all of ε.",
        ),
        Misconception(
            "forgets the levels below an early leaf",
            _early_leaf,
            "A leaf that was made early may have the parts of the levels that it did not reach.",
        ),
    ),
)
