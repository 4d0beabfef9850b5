"""Exercises on data sets: who is whose neighbour, and how far a neighbour moves a query."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations_with_replacement, islice
from typing import Any

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import Unreadable, close, kind, number, sequence, show

MAX_RECORDS, MAX_LISTED = 3, 1000
OLDEST = 5
Data = tuple[str, ...]

SENSITIVITY = Exercise(
    id="privacy-sensitivity",
    kind="predict",
    hint="Which patient moves both numbers most by arriving? When a patient's age changes, which number stays?",
    domain="the one query of the task",
    cases=lambda: ((list(range(OLDEST + 1)),),),
    size=lambda ages: 0,
    reference=(6, 5),
    read=sequence(number, 2),
    wanted=lambda case, expected: "the largest ℓ₁ change of (count, sum), for each of the two relations",
    remark=lambda case, given, expected: " ".join(
        f"The number for {name} is {'right' if close(mine, right) else 'not right'}."
        for name, mine, right in zip(("add/remove", "substitution"), given, expected, strict=True)
    ),
    praise=lambda value: "Here substitution moves the answer less than add/remove. For a sum alone both would be 5.",
    explanation=(
        f"Add/remove: a patient of age {OLDEST} moves the count by 1 and the sum by {OLDEST}, in all {OLDEST + 1}.\n"
        f"Substitution: the count stays, and the sum moves by at most {OLDEST} − 0 = {OLDEST}.\n"
        "A substitution is a removal and an addition, so it is never more than twice as large. It may well be smaller."
    ),
    wrong=(
        Misconception(
            "forgets the count",
            (5, 5),
            "The sum moves by at most 5, that is right. But who arrives is counted too: the ℓ₁ norm adds both changes.",
        ),
        Misconception(
            "doubles for substitution",
            (6, 12),
            "Twice the first number is only a bound: a removal and an addition. Here they partly cancel, for the count "
            "stays and the ages are on the same side.",
        ),
        Misconception(
            "lets both ages count",
            (6, 10),
            "One age leaves and one arrives, so the sum moves by their difference, at most 5 − 0. Sizes would add up "
            "if the ages could have opposite signs.",
        ),
        Misconception(
            "lets the count move under substitution",
            (6, 6),
            "When a record is changed, the number of records stays. Only the sum moves.",
        ),
        Misconception(
            "takes the ℓ₂ norm",
            (math.sqrt(26), 5),
            "√(1 + 25) is the ℓ₂ sensitivity, which goes with Gaussian noise. The ℓ₁ norm adds the changes.",
        ),
        Misconception(
            "exchanges the relations",
            (5, 6),
            "The right numbers in the wrong order: adding a patient moves two numbers, changing one moves one.",
        ),
    ),
)


@cache
def data_sets() -> Sequence[Case]:
    """All data sets of up to three records from a universe of one to three, fewest records first."""
    universes = [list("abc"[:size]) for size in range(1, 4)]
    return tuple(
        (data, universe)
        for n in range(MAX_RECORDS + 1)
        for universe in universes
        for data in combinations_with_replacement(universe, n)
    )


def neighbours(data: Data, universe: Sequence[str]) -> set[Data]:
    """All data sets with one record more, or one less."""
    fewer = {data[:i] + data[i + 1 :] for i in range(len(data))}
    more = {tuple(sorted([*data, record])) for record in universe}
    return fewer | more


def _removals(data: Data) -> set[Data]:
    return {data[:i] + data[i + 1 :] for i in range(len(data))}


def _substitutions(data: Data, universe: Sequence[str]) -> set[Data]:
    return {tuple(sorted([*rest, record])) for rest in _removals(data) for record in universe} - {data}


def _order(data: Data) -> tuple[int, Data]:
    return len(data), data


def _read(raw: Any) -> list[Data]:
    """Data sets out of any iterable; order and repetition do not matter, neither among nor within them."""
    if isinstance(raw, str) or not isinstance(raw, Iterable) or getattr(raw, "ndim", 1) == 0:
        raise Unreadable(f"a set or list of data sets was expected, not {kind(raw)}")
    found = list(islice(raw, MAX_LISTED + 1))
    if len(found) > MAX_LISTED:
        raise Unreadable(f"more than {MAX_LISTED} data sets: no data set here has so many neighbours")
    return sorted({_data(one) for one in found}, key=_order)


def _data(one: Any) -> Data:
    if not isinstance(one, (tuple, list)):
        raise Unreadable(f"a data set is a tuple of records, not {kind(one)}")
    if odd := [record for record in one if not isinstance(record, str)]:
        raise Unreadable(f"a record of this exercise is a letter of the universe, not {kind(odd[0])}")
    return tuple(sorted(one))


def _compared(case: Case, given: list[Data], expected: set[Data]) -> str:
    missing, extra = (sorted(one, key=_order) for one in (expected - set(given), set(given) - expected))
    said = ([f"Missing: {show(missing)}."] if missing else []) + ([f"No neighbours: {show(extra)}."] if extra else [])
    return " ".join(said)


NEIGHBOURS = Exercise(
    id="privacy-neighbours",
    kind="implement",
    hint="Removing: leave out one position after the other. Adding: which records may join, those that are there too?",
    domain="data sets of up to three records from the universes a, ab, abc, fewest records first",
    cases=data_sets,
    size=lambda data, universe: (len(data), len(universe)),
    reference=neighbours,
    read=_read,
    agrees=lambda case, given, expected: set(given) == set(expected),
    alike=lambda case, one, other: set(one) == set(other),
    wanted=lambda case, expected: show(sorted(expected, key=_order)),
    remark=_compared,
    explanation=(
        "Two patients may have the same record, so any record may join, and removing one copy leaves the other.\n"
        "There are as many neighbours as records in the universe, and one more for each different record of the data."
    ),
    wrong=(
        Misconception(
            "only removes",
            lambda data, universe: _removals(data),
            "You remove and never add. The relation is symmetric: if D is a neighbour of D′, then D′ is one of D. The "
            "empty data set has neighbours too.",
        ),
        Misconception(
            "only adds",
            lambda data, universe: {tuple(sorted([*data, record])) for record in universe},
            "You add and never remove. The relation is symmetric: a patient may leave as well as join.",
        ),
        Misconception(
            "adds no second copy",
            lambda data, universe: (
                _removals(data) | {tuple(sorted([*data, record])) for record in universe if record not in data}
            ),
            "Two patients may have the same record: a data set is a multiset, not a set. A record that is there may "
            "join again.",
        ),
        Misconception(
            "removes all copies",
            lambda data, universe: (
                {tuple(kept for kept in data if kept != record) for record in data}
                | {tuple(sorted([*data, record])) for record in universe}
            ),
            "You remove every patient who has that record. Only one of them leaves: one person makes the difference.",
        ),
        Misconception(
            "substitutes",
            lambda data, universe: _substitutions(data, universe),
            "You change a record. That is the other relation, substitution: the number of records stays, and is not "
            "protected by it.",
        ),
        Misconception(
            "adds, removes and substitutes",
            lambda data, universe: neighbours(data, universe) | _substitutions(data, universe),
            "A substitution is two steps, a removal and an addition. It is at distance 2.",
        ),
        Misconception(
            "counts the data set itself",
            lambda data, universe: neighbours(data, universe) | {data},
            "A data set is at distance 0 from itself. Nothing was added or removed.",
        ),
    ),
)
