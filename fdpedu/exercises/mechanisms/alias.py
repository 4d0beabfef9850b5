"""An exercise on the alias table: columns of equal height with two owners each."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Any

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import Unreadable, integer, sequence, show

MAX_OWNERS, MAX_HEIGHT = 4, 3
Table = tuple[list[int], list[int]]


@cache
def weightings() -> Sequence[Case]:
    """All (weights, height) with weights that fill the columns, fewest owners and lowest columns first."""
    return tuple(
        (list(weights), height)
        for n in range(1, MAX_OWNERS + 1)
        for height in range(1, MAX_HEIGHT + 1)
        for weights in product(range(n * height + 1), repeat=n)
        if sum(weights) == n * height
    )


def fill(weights: list[int], height: int) -> Table:
    """A small weight's column is filled up by a large one, which may become small by that."""
    left, alias = list(weights), list(range(len(weights)))
    small = [c for c, weight in enumerate(left) if weight < height]
    large = [c for c, weight in enumerate(left) if weight > height]
    while small:
        c, donor = small.pop(), large[-1]
        alias[c] = donor
        left[donor] -= height - left[c]
        if left[donor] <= height:
            large.pop()
        if left[donor] < height:
            small.append(donor)
    return [min(weight, height) for weight in left], alias


def owned(thresholds: list[int], alias: list[int], height: int) -> list[int]:
    """How much of all columns every owner has."""
    shares = list(thresholds)
    for threshold, other in zip(thresholds, alias, strict=True):
        shares[other] += height - threshold
    return shares


def _fault(case: Case, given: Any) -> str:
    """Why a table is not what was asked for; empty if it is."""
    (weights, height), (thresholds, alias) = case, given
    if len(thresholds) != len(weights) or len(alias) != len(weights):
        return f"There are {len(weights)} columns: both lists need {len(weights)} entries."
    if outside := [t for t in thresholds if not 0 <= t <= height]:
        return f"A threshold lies between 0 and {height}, and {outside[0]} does not."
    if outside := [c for c in alias if not 0 <= c < len(weights)]:
        return f"An alias is a column from 0 to {len(weights) - 1}, and {outside[0]} is none."
    shares = owned(thresholds, alias, height)
    return "" if shares == list(weights) else f"In these columns the owners have {show(shares)}."


def _read(raw: Any) -> Table:
    read = sequence(integer)
    try:
        thresholds, alias = sequence(lambda part: part, 2)(raw)
        return read(thresholds), read(alias)
    except Unreadable as problem:
        raise Unreadable(f"a pair (thresholds, alias) of two lists was expected; {problem}") from None


def _filled_by(weights: list[int], height: int, donor: Any) -> Table:
    """Small columns are filled by whoever ``donor`` names, and nobody is asked whether it can."""
    thresholds = [min(weight, height) for weight in weights]
    return thresholds, [donor(c) if weight < height else c for c, weight in enumerate(weights)]


def _once(weights: list[int], height: int) -> Table:
    """Goes through the small columns as they were at first; who becomes small by giving is forgotten."""
    left, alias = list(weights), list(range(len(weights)))
    for c in [c for c, weight in enumerate(left) if weight < height]:
        donor = max(range(len(left)), key=left.__getitem__)
        alias[c] = donor
        left[donor] -= height - left[c]
    return [min(weight, height) for weight in left], alias


def _thresholds_of_the_rest(weights: list[int], height: int) -> Table:
    thresholds, alias = fill(weights, height)
    return [height - threshold for threshold in thresholds], alias


ALIAS = Exercise(
    id="mech-alias",
    kind="implement",
    hint="Fill the column of a small weight with part of a large one. What may have become of the large one then?",
    domain=f"all weights of 1 to {MAX_OWNERS} values that fill columns of height 1 to {MAX_HEIGHT}, fewest values "
    f"first",
    cases=weightings,
    size=lambda weights, height: (len(weights), height),
    reference=fill,
    read=_read,
    agrees=lambda case, given, expected: not _fault(case, given),
    alike=lambda case, one, other: one == other,
    remark=lambda case, given, expected: _fault(case, given),
    wanted=lambda case, expected: f"a table in which the owners have {show(case[0])}, for example {show(expected)}",
    explanation=(
        "As long as a column is not full, some other weight is larger than its column, because on average they fit. "
        "It gives what is missing, and is small itself afterwards, perhaps: then it joins those that wait.\n"
        "Each step fills one column for good, so there are at most n of them; and every value keeps its weight, as "
        "integers."
    ),
    wrong=(
        Misconception(
            "cuts off what does not fit",
            lambda weights, height: ([min(weight, height) for weight in weights], list(range(len(weights)))),
            "A large weight loses what exceeds its column, and a small one gets the whole of its own, for its alias "
            "is itself. The excess has to go into the columns of the small ones.",
        ),
        Misconception(
            "lets the largest fill all",
            lambda weights, height: _filled_by(weights, height, lambda c: weights.index(max(weights))),
            "One donor may not have enough for all small columns. Keep count of what it has left, and take another "
            "when it is down to its own column.",
        ),
        Misconception(
            "lets the next one fill",
            lambda weights, height: _filled_by(weights, height, lambda c: (c + 1) % len(weights)),
            "The neighbour may be small itself. Only a weight larger than its column has something to give.",
        ),
        Misconception(
            "forgets that a donor may become small",
            _once,
            "A large weight that has given may be too small for its own column now: it has to wait for a donor like "
            "the others.",
        ),
        Misconception(
            "gives the lower part to the alias",
            _thresholds_of_the_rest,
            "Below the threshold is the column's own value, above it the alias. Yours is the other way round.",
        ),
    ),
)
