"""An exercise to implement: which requests a party answers that keeps a ledger of its own."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Any

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import Unreadable, kind, sequence

BUDGET = 3
NUMBERS, COSTS = (1, 2, 3), (1, 2, 4)


@cache
def request_lists() -> Sequence[Case]:
    """All lists of one to three requests with numbers from 1 to 3 and costs 1, 2 or 4; a budget of 3."""
    requests = list(product(NUMBERS, COSTS))
    return tuple((BUDGET, list(some)) for length in (1, 2, 3) for some in product(requests, repeat=length))


def answered(budget: int, requests: Sequence[tuple[int, int]]) -> list[bool]:
    """A number that grows, and a cost that is left; a refused request changes nothing."""
    last, left, replies = 0, budget, []
    for number, epsilon in requests:
        accepted = number > last and epsilon <= left
        if accepted:
            last, left = number, left - epsilon
        replies.append(accepted)
    return replies


def _simulated(budget: int, requests: Sequence[tuple[int, int]], **change: Any) -> list[bool]:
    """The same with one rule changed."""
    last, left, replies = 0, budget, []
    for number, epsilon in requests:
        is_new = number != last if change.get("only_last") else number > last or bool(change.get("no_numbers"))
        accepted = is_new and (epsilon < left if change.get("strict") else epsilon <= left)
        if accepted or change.get("charge_refused"):
            left = max(left - epsilon, 0)
        if accepted or change.get("count_refused"):
            last = number if change.get("only_last") else max(last, number)
        replies.append(accepted)
    return replies


def _truth(raw: Any) -> bool:
    if type(getattr(raw, "item", lambda: raw)()) is not bool:
        raise Unreadable(f"True or False was expected for each request, not {kind(raw)}")
    return bool(raw)


OWN_LEDGER = Exercise(
    id="secure-own-ledger",
    kind="implement",
    hint="Two things are remembered: the number of the last answer, and what is left. When does each change?",
    domain="a budget of 3; one to three requests with numbers from 1 to 3 and costs 1, 2, 4; fewest first",
    cases=request_lists,
    size=lambda budget, requests: len(requests),
    reference=answered,
    read=sequence(_truth),
    explanation=(
        "Both conditions are checked first; then number and charge are entered together, and only then is anything "
        "counted.\n"
        "A refused request changes neither, so nobody can use up numbers or budget by asking for too much. The same "
        "number twice would be two sums under the same masks."
    ),
    wrong=(
        Misconception(
            "answers a number again",
            lambda budget, requests: _simulated(budget, requests, no_numbers=True),
            "An answer is masked with the masks of its number. The same number twice means the same masks twice.",
        ),
        Misconception(
            "compares with the last number only",
            lambda budget, requests: _simulated(budget, requests, only_last=True),
            "Numbers have to grow. A number below the last one may have been used as well.",
        ),
        Misconception(
            "charges what it refuses",
            lambda budget, requests: _simulated(budget, requests, charge_refused=True),
            "Nothing was released for a refused request, so nothing is spent. Otherwise anybody could use up the "
            "budget.",
        ),
        Misconception(
            "uses up the number of what it refuses",
            lambda budget, requests: _simulated(budget, requests, count_refused=True),
            "A refused request leaves no trace: otherwise one request with a huge number would end the session.",
        ),
        Misconception(
            "never spends the last of the budget",
            lambda budget, requests: _simulated(budget, requests, strict=True),
            "A budget may be spent to the end: a cost that is equal to what is left is accepted.",
        ),
    ),
)
