"""An exercise: the parallel rule, as a checker of derivations applies it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Any

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import kind, number

Region = tuple[list[int], list[int]]
Premise = tuple[int, Region]
CODES: tuple[list[int], ...] = ([0], [1], [0, 1])
REGIONS: tuple[Region, ...] = tuple(product(CODES, CODES))
REFUSED = "refused"


@cache
def steps() -> Sequence[Case]:
    """All steps of up to two premises, and those of three on the whole domain; fewest premises first."""
    found: list[Case] = []
    for n in range(4):
        wholes = REGIONS if n < 3 else (REGIONS[-1],)
        parts = REGIONS if n < 3 else REGIONS[:6]
        for whole, inner in product(wholes, product(parts, repeat=n)):
            found.append((whole, [(cost, region) for cost, region in zip((2, 3, 1), inner, strict=False)]))
    return tuple(found)


def parallel_step(region: Region, premises: Sequence[Premise]) -> Any:
    """ε of a parallel step, or 'refused'."""
    if not premises:
        return "refused"
    for i, (_, (ages, wards)) in enumerate(premises):
        if not (set(ages) <= set(region[0]) and set(wards) <= set(region[1])):
            return "refused"
        for _, (other_ages, other_wards) in premises[:i]:
            if set(ages) & set(other_ages) and set(wards) & set(other_wards):
                return "refused"
    return max(cost for cost, _ in premises)


def _rule(region: Region, premises: Sequence[Premise], **changed: Any) -> Any:
    """The rule with one part of it changed."""

    def apart(a: Region, b: Region) -> bool:
        coordinates = [not set(x) & set(y) for x, y in zip(a, b, strict=True)]
        return bool(changed.get("how", any)(coordinates))

    inside = [all(set(x) <= set(y) for x, y in zip(part, region, strict=True)) for _, part in premises]
    pairs = [(i, j) for i in range(len(premises)) for j in range(i)]
    compared = [(i, j) for i, j in pairs if i - j <= changed.get("furthest", 9)]
    if changed.get("least", True) and not premises:
        return REFUSED
    if changed.get("cover", True) and not all(inside):
        return REFUSED
    if not all(apart(premises[i][1], premises[j][1]) for i, j in compared):
        return REFUSED
    return changed.get("total", max)([cost for cost, _ in premises] or [0])


def _read(raw: Any) -> Any:
    return raw if isinstance(raw, str) and raw == REFUSED else number(raw)


def _remark(case: Case, given: Any, expected: Any) -> str:
    if given == REFUSED:
        return "All premises are disjoint and inside the region, so the rule applies."
    if expected == REFUSED:
        return "Here the rule does not apply: look for a record that is in two premises, or outside the region."
    return f"The rule applies, but its ε is not {kind(given) if isinstance(given, str) else given}."


CHECK = Exercise(
    id="acc-check",
    kind="implement",
    hint="Two rectangles of codes share a record iff they share an age and a ward. Have you compared every pair?",
    domain="two ages, two wards, all regions; all steps of up to two premises, and 216 of three; fewest premises first",
    cases=steps,
    size=lambda region, premises: len(premises),
    reference=parallel_step,
    read=_read,
    remark=_remark,
    explanation=(
        "A record has one age and one ward, so it is in both rectangles iff both coordinates meet.\n"
        "Disjoint in one coordinate is enough; contained must hold in both. And every pair has to be compared: what "
        "holds for neighbours in the list need not hold for the first and the last."
    ),
    wrong=(
        Misconception(
            "asks for disjointness in every coordinate",
            lambda region, premises: _rule(region, premises, how=all),
            "Two regions are disjoint as soon as one coordinate tells their records apart. The wards may be the same "
            "if the ages differ.",
        ),
        Misconception(
            "forgets the region of the step",
            lambda region, premises: _rule(region, premises, cover=False),
            "A premise that looks outside the step's region charges records that nobody above it will count.",
        ),
        Misconception(
            "compares neighbours only",
            lambda region, premises: _rule(region, premises, furthest=1),
            "The first and the third premise may share a record too. Compare every pair.",
        ),
        Misconception(
            "adds the premises",
            lambda region, premises: _rule(region, premises, total=sum),
            "In parallel no record is in two premises, so none pays for two: the largest counts, not the sum.",
        ),
        Misconception(
            "lets different regions pass",
            lambda region, premises: (
                _rule(region, premises, furthest=0)
                if len({str(part) for _, part in premises}) == len(premises)
                else REFUSED
            ),
            "Different regions may still share records: all patients, and the old ones.",
        ),
        Misconception(
            "accepts a step without premises",
            lambda region, premises: _rule(region, premises, least=False),
            "A step that rests on nothing proves nothing: ask for at least one premise.",
        ),
    ),
)
