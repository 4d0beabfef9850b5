"""An exercise to break: a checker of derivations that compares too few regions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from itertools import count, pairwise
from typing import Any

from fdpedu.derivation_checker import SCHEMA, DerivationRefused, check_derivation
from fdpedu.exercises.counterexample import find_one
from fdpedu.exercises.record import Misconception
from fdpedu.exercises.values import Unreadable, integer, kind, number, sequence, show

Step = tuple[Any, ...]
CODES, MAX_STEPS = 4, 50


def weak_check(step: Step) -> Any:
    """ε of a step; ValueError if a rule fails. In parallel it compares each premise with the one before it only."""
    if step[0] == "release":
        return step[1]
    rule, codes, premises = step
    if any(not set(premise_codes(premise)) <= set(codes) for premise in premises):
        raise ValueError("a premise looks outside the step's codes")
    if rule == "parallel":
        for one, other in pairwise(premises):
            if set(premise_codes(one)) & set(premise_codes(other)):
                raise ValueError("two parallel premises share a code")
        return max(map(weak_check, premises))
    return sum(map(weak_check, premises))


def premise_codes(step: Step) -> list[int]:
    """The codes that a step looks at."""
    return list(step[2] if step[0] == "release" else step[1])


def _read(raw: Any) -> Step:
    step = _step(raw, 0)
    if len(list(_walk(step))) > MAX_STEPS:
        raise Unreadable(f"at most {MAX_STEPS} steps are looked at, and four suffice")
    return step


def _step(raw: Any, depth: int) -> Step:
    parts = sequence(lambda part: part, 3)(raw)
    if not isinstance(parts[0], str) or parts[0] not in ("release", "sequential", "parallel"):
        raise Unreadable(f"a step begins with 'release', 'sequential' or 'parallel', not {show(parts[0])}")
    if parts[0] == "release":
        cost = number(parts[1])
        if not 0 < Fraction(cost) <= 1000:
            raise Unreadable("a release costs more than 0, and at most 1000")
        return "release", Fraction(str(cost)), _codes(parts[2])
    if depth > 20:
        raise Unreadable("the derivation is nested too deeply")
    premises = [_step(premise, depth + 1) for premise in sequence(lambda part: part)(parts[2])]
    if not premises:
        raise Unreadable(f"a {parts[0]} step needs premises")
    return parts[0], _codes(parts[1]), premises


def _codes(raw: Any) -> list[int]:
    codes = sorted(set(sequence(integer)(sorted(raw) if isinstance(raw, (set, frozenset)) else raw)))
    if not codes or not set(codes) <= set(range(CODES)):
        raise Unreadable(f"codes lie between 0 and {CODES - 1}, and there is at least one; {kind(raw)} was given")
    return codes


def _walk(step: Step) -> Iterator[Step]:
    yield step
    if step[0] != "release":
        for premise in step[2]:
            yield from _walk(premise)


def worst_record(step: Step) -> tuple[Fraction, int]:
    """The most that a record pays, and its code."""
    releases = [one for one in _walk(step) if one[0] == "release"]
    paid = [(sum((cost for _, cost, codes in releases if c in codes), Fraction(0)), -c) for c in range(CODES)]
    most, code = max(paid)
    return most, -code


def written(step: Step, total: Any) -> str:
    """The derivation as the JSON text that the real checker reads, with the total that is claimed."""
    places = count(1)

    def write(one: Step) -> dict[str, Any]:
        region = {"0": premise_codes(one)}
        if one[0] == "release":
            asked = {"type": "by-hand", "parameters": {}, "query": "count"}
            what = {**asked, "releases": 1, "sensitivity": 1, "rate": str(one[1]), "mechanism": "noise"}
            name = {"rule": "release", "round": 1, "index": next(places), "colluders": 0, "claim": "thm-histogram"}
            return {**what, **name, "region": region, "epsilon": str(one[1])}
        premises = [write(premise) for premise in one[2]]
        return {"rule": one[0], "epsilon": str(weak_check(one)), "region": region, "premises": premises}

    head = {"schema": SCHEMA, "measure": "pure", "relation": "add-remove", "randomness": ["operating system"]}
    domain = {"features": [{"name": "age", "codes": CODES}], "classes": 2}
    guarantee = {"measure": "pure", "value": str(total), "delta": "0", "colluders": 0}
    promised = {"budget": str(total), "colluders": 0, "guarantee": guarantee}
    return json.dumps({**head, **promised, "domain": domain, "proof": write(step)})


def compare(step: Step) -> tuple[str, str]:
    """What the two checkers say, as a word and as a sentence."""
    try:
        total = weak_check(step)
    except ValueError as problem:
        return "refused", f"The weak checker refuses it: {problem}."
    paid, code = worst_record(step)
    said = f"The weak checker accepts {total}; a record with the code {code} pays {paid}."
    if paid <= total:
        return ("honest" if paid == total else "too dear"), said
    try:
        return "both fooled", f"{said} The real checker accepts {check_derivation(written(step, total)).value}!"
    except DerivationRefused as refusal:
        return "forged", f"{said} The real checker says: {refusal}."


FORGE = find_one(
    id="acc-forge",
    chapter="accounting",
    level="apply",
    kind="break",
    title="Forge a derivation",
    task=(
        "A derivation on ages with the codes 0 to 3 is written in three kinds of steps: `('release', cost, codes)` "
        "with a cost above 0, `('sequential', codes, [step, …])`, `('parallel', codes, [step, …])`, where `codes` "
        "lists the ages that a step looks at. A weak checker adds up sequential premises, and takes the largest of "
        "parallel ones. It makes sure that premises look nowhere that their step does not look. And in parallel it "
        "compares each premise with the one before it, and refuses if they share a code. Forge: give as `answer` a "
        "derivation that it accepts with a total that is less than what some record pays. "
        "(`fdpedu.exercises.accounting.forge.weak_check` is its code.) The real checker will look at your forgery "
        "too."
    ),
    hint="Which premises of a parallel step are never compared? How few premises does that take?",
    domain=f"derivations of up to {MAX_STEPS} steps",
    reference=("parallel", [0, 1], [("release", 1, [0]), ("release", 1, [1]), ("release", 1, [0])]),
    read=_read,
    stub="answer = ...  # ('release', cost, codes), or (rule, codes, [step, …])",
    judge=compare,
    sought="forged",
    wanted="a derivation that the weak checker accepts, and under which a record pays more",
    explanation=(
        "The first and the third premise are never compared: both look at code 0, whose records pay 1 + 1.\n"
        "Disjoint means every pair. The real checker compares all of them, and names the two that share a record."
    ),
    wrong=(
        Misconception(
            "overlaps side by side",
            ("parallel", [0, 1], [("release", 1, [0]), ("release", 1, [0, 1])]),
            "The weak checker does compare these two, or sees that a premise looks outside its step. It is weak, but "
            "not in this place.",
        ),
        Misconception(
            "proves what is true",
            ("parallel", [0, 1], [("release", 1, [0]), ("release", 1, [1])]),
            "This derivation is honest: no record pays more than the total. Nothing was forged.",
        ),
        Misconception(
            "overstates the cost",
            ("sequential", [0, 1], [("release", 1, [0]), ("release", 1, [1])]),
            "The total is more than any record pays. That wastes budget and harms nobody: a forgery states too little.",
        ),
        Misconception(
            "releases for less than nothing",
            ("sequential", [0], [("release", 1, [0]), ("release", -1, [0])]),
            "A release that gives budget back is read by no checker: every cost is more than 0.",
        ),
    ),
)
