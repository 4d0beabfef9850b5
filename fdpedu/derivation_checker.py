"""An independent checker of privacy derivations. It imports nothing of the package, so that one can read it alone.

``check_derivation(text)`` takes the JSON text of a derivation and either returns the guarantee that it proves or raises
:class:`DerivationRefused`, naming the step and the rule that failed. All arithmetic is on fractions.

A derivation is a tree. Leaves are releases, inner nodes are rules:

============ ===================================================================== =========================
rule         it must hold that                                                     ε of the step
============ ===================================================================== =========================
release      ε = sensitivity × rate of the noise                                   as stated
sequential   every premise's region lies in the region of the step                 the sum of the premises
parallel     the same, and the premises' regions are pairwise disjoint             the largest premise
adaptive     one premise; regions may depend on earlier releases (filter lemma)    that of the premise
============ ===================================================================== =========================

What it cannot see, and therefore trusts, is in :data:`AXIOMS`.
"""

from __future__ import annotations

import json
import re
from fractions import Fraction
from typing import Any, NamedTuple

SCHEMA = "fdpedu-derivation/1"
AXIOMS = (
    "each query has the sensitivity that its type states",
    "each mechanism draws noise of the stated rate, from random words that are random",
    "regions and budgets of a round were chosen from public facts and from releases of earlier rounds",
    "the list of releases is complete",
)
_KINDS_OF_RANDOMNESS = {"operating system", "seeded generator"}
_NUMBER = re.compile(r"\d{1,400}(/\d{1,400})?")
_DEEPEST = 400


class Guarantee(NamedTuple):
    """ε-DP (``value``, δ = ``delta``) for neighbours by add/remove, against an outsider and up to ``colluders``
    parties.
    """

    measure: str
    value: Fraction
    delta: Fraction
    colluders: int

    def __str__(self) -> str:
        against = f"{self.colluders} {'colluder' if self.colluders == 1 else 'colluders'}"
        return f"{self.value}-differentially private (one record added or removed), with {against}"


class DerivationRefused(ValueError):
    """The text does not prove what it claims; the message names the step and the reason."""


Masks = tuple[int, ...]


def check_derivation(json_text: str) -> Guarantee:
    """Accept or refuse a derivation, from its text alone.

    Raises
    ------
    DerivationRefused
        With the path of the failing step and the reason.
    """
    document = _parse(json_text)
    expected = {"schema", "measure", "relation", "randomness", "budget", "domain", "proof", "guarantee"}
    _need(isinstance(document, dict) and set(document) == expected, "document", f"its keys must be {sorted(expected)}")
    _need(document["schema"] == SCHEMA, "document", f"the schema must be {SCHEMA}")
    _need(document["measure"] == "pure", "document", "the measure must be pure")
    _need(document["relation"] == "add-remove", "document", "the neighbour relation must be add-remove")
    kinds = document["randomness"]
    _need(
        isinstance(kinds, list)
        and bool(kinds)
        and all(isinstance(k, str) and k in _KINDS_OF_RANDOMNESS for k in kinds),
        "document",
        "noise from this source of randomness proves nothing",
    )
    whole = _whole(document["domain"])
    value, region, colluders = _check(document["proof"], whole, "proof", 0)
    _need(_covers(whole, region), "proof", "a region reaches beyond the domain")
    budget = _fraction(document["budget"], "budget")
    _need(value <= budget, "proof", f"the total {value} is more than the budget {budget}")
    claimed = document["guarantee"]
    proved = {"measure": "pure", "value": str(value), "delta": "0", "colluders": colluders}
    _need(claimed == proved and type(claimed["colluders"]) is int, "guarantee", f"what is proved is {proved}")
    return Guarantee("pure", value, Fraction(0), colluders)


def _check(step: Any, whole: Masks, path: str, depth: int) -> tuple[Fraction, Masks, int]:
    """ε, region and colluders of one step, after checking everything below it."""
    _need(depth <= _DEEPEST, path, f"the derivation is more than {_DEEPEST} steps deep")
    _need(isinstance(step, dict), path, "a step must be an object")
    rule = step.get("rule")
    if rule == "release":
        return _check_release(step, whole, path)
    _need(rule in ("sequential", "parallel", "adaptive"), path, "unknown rule")
    _need(
        set(step) == {"rule", "epsilon", "region", "premises"}, path, "a rule has epsilon, region and premises, no more"
    )
    premises = step["premises"]
    _need(isinstance(premises, list) and bool(premises), path, "a rule needs at least one premise")
    stated, region = _fraction(step["epsilon"], path), _region(step["region"], whole, path)
    below = [_check(premise, whole, f"{path}.{i}", depth + 1) for i, premise in enumerate(premises)]
    values, regions, colluders = zip(*below, strict=True)
    for i, inner in enumerate(regions):
        _need(_covers(region, inner), f"{path}.{i}", f"its region is not part of the region of the {rule} step")
    if rule == "parallel":
        _need_disjoint(regions, path)
    if rule == "adaptive":
        _need(len(premises) == 1, path, "the adaptive rule has one premise")
    value = max(values) if rule == "parallel" else sum(values, Fraction(0))
    _need(value == stated, path, f"the {rule} rule gives {value}, the step states {stated}")
    return value, region, min(colluders)


def _check_release(step: dict[str, Any], whole: Masks, path: str) -> tuple[Fraction, Masks, int]:
    expected = {"rule", "round", "query", "mechanism", "sensitivity", "rate", "epsilon", "region", "colluders", "claim"}
    _need(set(step) == expected, path, f"a release must have exactly {sorted(expected)}")
    for key, least in (("sensitivity", 1), ("round", 1), ("colluders", 0)):
        _need(type(step[key]) is int and step[key] >= least, path, f"{key} must be an integer ≥ {least}")
    for key in ("query", "mechanism", "claim"):
        _need(isinstance(step[key], str) and bool(step[key]), path, f"{key} must be text")
    epsilon, rate = _fraction(step["epsilon"], path), _fraction(step["rate"], path)
    _need(epsilon > 0, path, "a release must cost more than 0")
    product = step["sensitivity"] * rate
    _need(epsilon == product, path, f"sensitivity × rate is {product}, the release states {epsilon}")
    return epsilon, _region(step["region"], whole, path), step["colluders"]


def _need_disjoint(regions: tuple[Masks, ...], path: str) -> None:
    for i, a in enumerate(regions):
        for j in range(i):
            apart = any(not x & y for x, y in zip(a, regions[j], strict=True))
            _need(apart, path, f"parallel premises {j} and {i} can hold the same record")


def _covers(outer: Masks, inner: Masks) -> bool:
    return all(not b & ~a for a, b in zip(outer, inner, strict=True))


def _whole(domain: Any) -> Masks:
    _need(
        isinstance(domain, dict) and set(domain) == {"features", "classes"}, "domain", "it needs features and classes"
    )
    features = domain["features"]
    _need(isinstance(features, list) and bool(features), "domain", "it needs at least one feature")
    sizes: list[Any] = [f.get("codes") if isinstance(f, dict) else None for f in features] + [domain["classes"]]
    for size in sizes:
        _need(
            type(size) is int and 1 <= size <= 256, "domain", "each feature has 1 to 256 codes, and so have the classes"
        )
    return tuple((1 << size) - 1 for size in sizes)


def _region(restrictions: Any, whole: Masks, path: str) -> Masks:
    """A region as bit masks; a coordinate that is not named is unrestricted."""
    _need(isinstance(restrictions, dict), path, "a region must be an object")
    names = {**{str(j): j for j in range(len(whole) - 1)}, "class": len(whole) - 1}
    masks = list(whole)
    for name, codes in restrictions.items():
        _need(name in names, path, f"the region names an unknown coordinate {name[:20]!r}")
        _need(
            isinstance(codes, list) and bool(codes),
            path,
            "a region needs at least one code of each coordinate it names",
        )
        for code in codes:
            _need(
                type(code) is int and 0 <= code < 256 and bool(whole[names[name]] >> code & 1),
                path,
                "a code is out of range",
            )
        _need(len(set(codes)) == len(codes), path, "a region names a code twice")
        masks[names[name]] = sum(1 << code for code in codes)
    return tuple(masks)


def _fraction(text: Any, path: str) -> Fraction:
    _need(
        isinstance(text, str) and _NUMBER.fullmatch(text) is not None,
        path,
        "a number must be text such as '1/3', never a float",
    )
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise DerivationRefused(f"{path}: a number has denominator 0") from None


def _parse(json_text: Any) -> Any:
    def no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        keys = [key for key, _ in pairs]
        _need(len(set(keys)) == len(keys), "document", "a key stands twice in one object")
        return dict(pairs)

    def no_float(_: str) -> Any:
        raise DerivationRefused("document: floats have no place in a derivation")

    _need(isinstance(json_text, str), "document", "expected the derivation's JSON as text")
    try:
        return json.loads(json_text, object_pairs_hook=no_duplicates, parse_float=no_float, parse_constant=no_float)
    except DerivationRefused:
        raise
    except (ValueError, RecursionError):
        raise DerivationRefused("document: it is not valid JSON, or is nested too deeply") from None


def _need(condition: bool, path: str, reason: str) -> None:
    if not condition:
        raise DerivationRefused(f"{path}: {reason}")
