"""An independent checker of privacy derivations. It imports nothing of the package, so that one can read it alone.

``check_derivation(text)`` takes the JSON text of a derivation and either returns the guarantee that it proves or raises
:class:`DerivationRefused`, naming the step and the rule that failed. All arithmetic is on fractions.

A derivation is a tree. Leaves are releases, inner nodes are rules:

============ ===================================================================== =========================
rule         it must hold that                                                     ε of the step
============ ===================================================================== =========================
release      ε = sensitivity × rate of the noise; it stands once in the derivation as stated
sequential   every premise's region lies in the region of the step                 the sum of the premises
parallel     the same, and the premises' regions are pairwise disjoint             the largest premise
adaptive     at the root, one premise: regions and costs were chosen on the way    the budget, not less
============ ===================================================================== =========================

**Soundness.** If a text is accepted, then for every record z the releases of this run whose region holds z cost at most
``spent`` together. *Proof* by induction on the step: it pays at most the step's ε, and nothing if z is outside the
step's region. A release: by definition. Sequential: the sum of what the premises charge z. Parallel: the regions are
disjoint, so at most one premise charges z. Adaptive: that of the premise.

What is guaranteed is more than an account of one run. If regions and costs were fixed beforehand (no adaptive step),
every run costs the same, and ε is what was spent. If they were chosen on the way, another run may have cost more; then
ε is the budget, which no run exceeds (filter lemma). Both rest on :data:`AXIOMS`, what the checker cannot see and
therefore trusts. Given the manifest of what crossed the transport it also sees that every release has its query and
every query its release, once; then the last axiom is only that the manifest is complete.
"""

from __future__ import annotations

import json
import re
from fractions import Fraction
from typing import Any, NamedTuple

SCHEMA, MANIFEST_SCHEMA = "fdpedu-derivation/2", "fdpedu-manifest/1"
AXIOMS = (
    "each query looks at the records of its region only, and has the sensitivity that is stated",
    "each mechanism draws noise of the stated rate, from random words that are random, against the stated colluders",
    "regions and costs were fixed beforehand; or, under the adaptive rule, chosen from public facts and from releases "
    "of earlier rounds, by a rule that keeps every run, not only this one, within the budget",
    "the list of releases is complete",
)
AXIOMS_WITH_MANIFEST = (*AXIOMS[:-1], "the manifest is complete")
_KINDS_OF_RANDOMNESS = ("operating system", "seeded generator")
_NUMBER = re.compile(r"[0-9]{1,400}(/[0-9]{1,400})?")
_DEEPEST, _LARGEST, _LONGEST = 400, 10**400, 10_000_000


class Guarantee(NamedTuple):
    """ε-DP (``value``, δ = ``delta``) for neighbours by add/remove, against an outsider and up to ``colluders``
    parties. In this run no record paid more than ``spent``.
    """

    measure: str
    value: Fraction
    delta: Fraction
    colluders: int
    spent: Fraction

    def __str__(self) -> str:
        against = f"{self.colluders} {'colluder' if self.colluders == 1 else 'colluders'}"
        text = f"{self.value}-differentially private (one record added or removed), with {against}"
        return text if self.spent == self.value else f"{text}; in this run no record paid more than {self.spent}"


class DerivationRefused(ValueError):
    """The text does not prove what it claims; the message names the step and the reason."""


Masks = tuple[int, ...]
Releases = dict[tuple[int, int], tuple[Any, ...]]  # (round, place in it) → query, region, sensitivity, rate


def check_derivation(json_text: str, manifest: str | None = None) -> Guarantee:
    """Accept or refuse a derivation, from its text alone, or together with the text of a manifest.

    Raises
    ------
    DerivationRefused
        With the path of the failing step and the reason.

    Claims: thm-checker-sound, thm-manifest-complete
    """
    document = _parse(json_text, "document")
    expected = {"schema", "measure", "relation", "randomness", "budget", "domain", "proof", "guarantee"}
    _need(isinstance(document, dict) and set(document) == expected, "document", f"its keys must be {sorted(expected)}")
    _need(document["schema"] == SCHEMA, "document", f"the schema must be {SCHEMA}")
    _need(document["measure"] == "pure", "document", "the measure must be pure")
    _need(document["relation"] == "add-remove", "document", "the neighbour relation must be add-remove")
    kinds = document["randomness"]
    known = isinstance(kinds, list) and bool(kinds) and all(k in _KINDS_OF_RANDOMNESS for k in kinds)
    _need(known, "document", "noise from this source of randomness proves nothing")
    whole = _whole(document["domain"])
    releases: Releases = {}
    value, region, colluders = _check(document["proof"], whole, releases, "proof", 0)
    spent = value
    _need(_covers(whole, region), "proof", "a region reaches beyond the domain")
    budget = _fraction(document["budget"], "budget")
    _need(spent <= budget, "proof", f"the total {spent} is more than the budget {budget}")
    if document["proof"]["rule"] == "adaptive":  # another run may have cost more than this one, but not more than this
        value = budget
        stated = _fraction(document["proof"]["epsilon"], "proof")
        _need(stated == budget, "proof", f"the adaptive rule gives the budget {budget}, the step states {stated}")
    claimed = document["guarantee"]
    proved = {"measure": "pure", "value": str(value), "delta": "0", "colluders": colluders}
    _need(claimed == proved and type(claimed["colluders"]) is int, "guarantee", f"what is proved is {proved}")
    if manifest is not None:
        _check_manifest(_parse(manifest, "manifest"), releases, whole)
    return Guarantee("pure", value, Fraction(0), colluders, spent)


def _check(step: Any, whole: Masks, releases: Releases, path: str, depth: int) -> tuple[Fraction, Masks, int]:
    """ε, region and colluders of one step, after checking everything below it."""
    _need(depth <= _DEEPEST, path, f"the derivation is more than {_DEEPEST} steps deep")
    _need(isinstance(step, dict), path, "a step must be an object")
    rule = step.get("rule")
    if rule == "release":
        return _check_release(step, whole, releases, path)
    _need(rule in ("sequential", "parallel", "adaptive"), path, "unknown rule")
    expected = {"rule", "epsilon", "region", "premises"}
    _need(set(step) == expected, path, f"a rule must have exactly {sorted(expected)}")
    premises = step["premises"]
    _need(isinstance(premises, list) and bool(premises), path, "a rule needs at least one premise")
    stated, region = _fraction(step["epsilon"], path), _region(step["region"], whole, path)
    below = [_check(premise, whole, releases, f"{path}.{i}", depth + 1) for i, premise in enumerate(premises)]
    values, regions, colluders = zip(*below, strict=True)
    for i, inner in enumerate(regions):
        _need(_covers(region, inner), f"{path}.{i}", f"its region is not part of the region of the {rule} step")
    if rule == "parallel":
        _need_disjoint(regions, path)
    if rule == "adaptive":
        _need(len(premises) == 1 and path == "proof", path, "the adaptive rule has one premise and stands at the root")
        return values[0], region, colluders[0]
    value = max(values) if rule == "parallel" else _sum(values, path)
    _need(value == stated, path, f"the {rule} rule gives {value}, the step states {stated}")
    return value, region, min(colluders)


_WHAT = {"query", "region", "sensitivity", "rate"}


def _check_release(step: dict[str, Any], whole: Masks, releases: Releases, path: str) -> tuple[Fraction, Masks, int]:
    expected = {*_WHAT, "rule", "round", "place", "mechanism", "epsilon", "colluders", "claim"}
    _need(set(step) == expected, path, f"a release must have exactly {sorted(expected)}")
    for key, least in (("round", 1), ("place", 1), ("colluders", 0)):
        _need(type(step[key]) is int and step[key] >= least, path, f"{key} must be an integer ≥ {least}")
    for key in ("mechanism", "claim"):
        _need(isinstance(step[key], str) and bool(step[key]), path, f"{key} must be text")
    what = _, region, sensitivity, rate = _what(step, whole, path)
    epsilon = _fraction(step["epsilon"], path)
    _need(epsilon > 0, path, "a release must cost more than 0")
    product = sensitivity * rate
    _need(max(product.as_integer_ratio()) < _LARGEST, path, "sensitivity × rate has more than 400 digits")
    _need(epsilon == product, path, f"sensitivity × rate is {product}, the release states {epsilon}")
    name = step["round"], step["place"]
    _need(name not in releases, path, f"the release of round {name[0]}, place {name[1]} stands twice")
    releases[name] = what
    return epsilon, region, step["colluders"]


def _what(entry: dict[str, Any], whole: Masks, path: str) -> tuple[str, Masks, int, Fraction]:
    """What is asked: the same in a release and in the query that it answers."""
    query, sensitivity = entry["query"], entry["sensitivity"]
    _need(isinstance(query, str) and bool(query), path, "query must be text")
    _need(type(sensitivity) is int and sensitivity >= 1, path, "sensitivity must be an integer ≥ 1")
    return query, _region(entry["region"], whole, path), sensitivity, _fraction(entry["rate"], path)


def _check_manifest(document: Any, releases: Releases, whole: Masks) -> None:
    """Every release has its query, and every query its release, with the same region, sensitivity and rate."""
    _need(isinstance(document, dict) and set(document) == {"schema", "rounds"}, "manifest", "needs schema and rounds")
    _need(document["schema"] == MANIFEST_SCHEMA, "manifest", f"the schema must be {MANIFEST_SCHEMA}")
    _need(isinstance(document["rounds"], list), "manifest", "rounds must be a list")
    queries: Releases = {}
    rounds: set[int] = set()
    for entry in document["rounds"]:
        expected = {"round", "queries", "receivers", "answers"}
        _need(isinstance(entry, dict) and set(entry) == expected, "manifest", f"a round must have {sorted(expected)}")
        number, path = entry["round"], f"manifest round {ascii(entry['round'])[:20]}"
        _need(type(number) is int and number >= 1 and number not in rounds, path, "rounds are numbered, each once")
        rounds.add(number)
        for key in ("receivers", "answers"):
            names = entry[key]
            _need(isinstance(names, list) and all(isinstance(n, str) for n in names), path, f"{key} must be names")
            _need(len(set(names)) == len(names), path, f"a name stands twice among the {key}")
        _need(set(entry["answers"]) <= set(entry["receivers"]), path, "a party answered that was not asked")
        _need(isinstance(entry["queries"], list) and bool(entry["queries"]), path, "it needs at least one query")
        for place, query in enumerate(entry["queries"], 1):
            _need(isinstance(query, dict) and set(query) == _WHAT, path, f"a query must have {sorted(_WHAT)}")
            queries[number, place] = _what(query, whole, path)
    for name in sorted(releases.keys() | queries.keys()):
        path = f"round {name[0]}, place {name[1]}"
        _need(name in queries, path, "the derivation has a release that no query of the manifest asked for")
        _need(name in releases, path, "the manifest has a query whose release is not in the derivation")
        _need(queries[name] == releases[name], path, "query and release differ")


def _sum(values: tuple[Fraction, ...], path: str) -> Fraction:
    total = Fraction(0)
    for value in values:
        total += value
        _need(max(total.as_integer_ratio()) < _LARGEST, path, "its total has more than 400 digits, it is not as stated")
    return total


def _need_disjoint(regions: tuple[Masks, ...], path: str) -> None:
    for i, a in enumerate(regions):
        for j in range(i):
            apart = any(not x & y for x, y in zip(a, regions[j], strict=True))
            _need(apart, path, f"parallel premises {j} and {i} can hold the same record")


def _covers(outer: Masks, inner: Masks) -> bool:
    return all(not b & ~a for a, b in zip(outer, inner, strict=True))


def _whole(domain: Any) -> Masks:
    expected = {"features", "classes"}
    _need(isinstance(domain, dict) and set(domain) == expected, "domain", "it needs features and classes")
    features = domain["features"]
    _need(isinstance(features, list) and bool(features), "domain", "it needs at least one feature")
    sizes: list[Any] = [f.get("codes") if isinstance(f, dict) else None for f in features] + [domain["classes"]]
    for size in sizes:
        _need(type(size) is int and 1 <= size <= 256, "domain", "features and classes have 1 to 256 codes")
    return tuple((1 << size) - 1 for size in sizes)


def _region(restrictions: Any, whole: Masks, path: str) -> Masks:
    """A region as bit masks; a coordinate that is not named is unrestricted."""
    _need(isinstance(restrictions, dict), path, "a region must be an object")
    names = {**{str(j): j for j in range(len(whole) - 1)}, "class": len(whole) - 1}
    masks = list(whole)
    for name, codes in restrictions.items():
        _need(name in names, path, f"the region names an unknown coordinate {name[:20]!r}")
        _need(isinstance(codes, list) and bool(codes), path, "a coordinate in a region needs at least one code")
        for code in codes:
            inside = type(code) is int and 0 <= code < 256 and bool(whole[names[name]] >> code & 1)
            _need(inside, path, "a code is out of range")
        _need(len(set(codes)) == len(codes), path, "a region names a code twice")
        masks[names[name]] = sum(1 << code for code in codes)
    return tuple(masks)


def _fraction(text: Any, path: str) -> Fraction:
    number = _NUMBER.fullmatch(text) if isinstance(text, str) else None
    _need(number is not None, path, "a number must be text such as '1/3', never a float")
    _need(not re.search("/0+$", text), path, "a number has denominator 0")
    return Fraction(text)


def _parse(text: Any, name: str) -> Any:
    def no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        _need(len({key for key, _ in pairs}) == len(pairs), name, "a key stands twice in one object")
        return dict(pairs)

    def no_float(_: str) -> Any:
        raise DerivationRefused(f"{name}: floats have no place in a derivation")

    _need(isinstance(text, str), name, "expected JSON as text")
    _need(len(text) <= _LONGEST, name, f"it is longer than {_LONGEST} characters")
    try:
        return json.loads(text, object_pairs_hook=no_duplicates, parse_float=no_float, parse_constant=no_float)
    except DerivationRefused:
        raise
    except (ValueError, RecursionError):
        raise DerivationRefused(f"{name}: it is not valid JSON, or is nested too deeply") from None


def _need(condition: bool, path: str, reason: str) -> None:
    if not condition:
        raise DerivationRefused(f"{path}: {reason}")
