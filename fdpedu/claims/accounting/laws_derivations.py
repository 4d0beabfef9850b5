"""Checks of chapter 4: what the derivation checker accepts, record by record, and what it refuses.

Here records are counted one by one, and sums are written anew: nothing of the checker or of the ledger is used.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from fdpedu.accounting import Ledger
from fdpedu.claims.accounting.laws import ALL, WARD_A, WARDS, Booking, charge
from fdpedu.claims.checking import require
from fdpedu.derivation_checker import SCHEMA, DerivationRefused, Guarantee, check_derivation
from fdpedu.domain import Domain

Content = dict[str, Any]
Tree = tuple[Any, ...]  # ("release", codes), or (rule, codes, step, …)
RULES = ("sequential", "parallel", "adaptive")
PARTS = ("0", "1", "01", "")  # the codes that a step names; "" for none, and then it has those around it


def release(index: int, region: Content, **other: Any) -> Content:
    """The release of a noisy count of a region, which costs 1; ``other`` replaces what is stated of it."""
    what = {"rule": "release", "round": 1, "index": index, "mechanism": "noise", "claim": "c"}
    asked = {"type": "by-hand", "parameters": {}, "query": "count"}
    numbers = {"releases": 1, "sensitivity": 1, "rate": "1", "epsilon": "1", "colluders": 0}
    return {**what, **asked, **numbers, "region": region, **other}


def combined(rule: str, region: Content, *premises: Content) -> Content:
    """A step that combines others; what it costs is to be stated."""
    return {"rule": rule, "epsilon": "", "region": region, "premises": list(premises)}


def document(proof: Content, features: Sequence[Content], classes: int = 1) -> Content:
    """A derivation over these features; sums, budget and guarantee as they follow from the proof."""
    domain = {"features": [*features], "classes": classes}
    head = {"schema": SCHEMA, "measure": "pure", "relation": "add-remove", "randomness": ["operating system"]}
    return restated({**head, "domain": domain, "proof": proof})


def walk(step: Content) -> Iterator[Content]:
    """The step and all below it."""
    yield step
    for premise in step.get("premises", []):
        yield from walk(premise)


def releases(content: Content) -> list[Content]:
    """The leaves of a derivation."""
    return [step for step in walk(content["proof"]) if step["rule"] == "release"]


def value(step: Content) -> Fraction:
    """What the rule makes of the premises, whether it applies or not."""
    if step["rule"] == "release":
        return int(step["releases"]) * int(step["sensitivity"]) * Fraction(step["rate"])
    parts = [value(premise) for premise in step["premises"]]
    return max(parts) if step["rule"] == "parallel" else sum(parts, Fraction(0))


def restated(content: Content) -> Content:
    """Every sum, the budget, the colluders and the guarantee stated anew: what a careful forger would do."""
    for step in walk(content["proof"]):
        step["epsilon"] = str(value(step))
    total, fewest = content["proof"]["epsilon"], min(release["colluders"] for release in releases(content))
    content["budget"], content["colluders"] = total, fewest
    content["guarantee"] = {"measure": "pure", "value": total, "delta": "0", "colluders": fewest}
    return content


def regions(content: Content) -> Iterator[tuple[Content, dict[str, set[int]]]]:
    """Every release with its region: for each coordinate the codes that it and all steps around it allow."""
    sizes = [feature["codes"] for feature in content["domain"]["features"]] + [content["domain"]["classes"]]
    names = [*map(str, range(len(sizes) - 1)), "class"]

    def below(step: Content, around: dict[str, set[int]]) -> Iterator[tuple[Content, dict[str, set[int]]]]:
        here = {name: codes & set(step["region"].get(name, codes)) for name, codes in around.items()}
        if step["rule"] == "release":
            yield step, here
        for premise in step.get("premises", []):
            yield from below(premise, here)

    yield from below(content["proof"], {name: set(range(size)) for name, size in zip(names, sizes, strict=True)})


def worst_record(content: Content) -> Fraction:
    """The most that one record of the domain pays, by going through all records and all releases."""
    sizes = [feature["codes"] for feature in content["domain"]["features"]] + [content["domain"]["classes"]]
    held_by = [(value(release), list(region.values())) for release, region in regions(content)]
    found = Fraction(0)
    for record in product(*map(range, sizes)):
        held = (cost for cost, codes in held_by if all(z in c for z, c in zip(record, codes, strict=True)))
        found = max(found, sum(held, Fraction(0)))
    return found


def verdict(content: Content, manifest: Content | None = None) -> Guarantee | None:
    """The guarantee, or None if the checker refuses; anything else that it raises is a bug."""
    try:
        return check_derivation(json.dumps(content), None if manifest is None else json.dumps(manifest))
    except DerivationRefused:
        return None


# --- All small derivations ---


def _written(tree: Tree, names: Iterator[int]) -> Content:
    """A step on two codes, from a nested tuple; it costs twice 2, 4, 8, … in order. "" names no coordinate."""
    region = {"0": [int(code) for code in tree[1]]} if tree[1] else {}
    if tree[0] == "release":
        index = next(names)
        return release(index, region, releases=2, rate=str(2**index), colluders=index)
    return combined(tree[0], region, *(_written(below, names) for below in tree[2:]))


def _applies(tree: Tree, around: str = "01", root: bool = True) -> bool:
    """The rules, read on sets of records; the adaptive one stands at the root or nowhere."""
    here = tree[1] or around
    inside = [set(below[1] or here) for below in tree[2:]]
    apart = sum(map(len, inside)) == len(set().union(*inside))
    fine = set(here) <= set(around)
    fine &= tree[0] != "parallel" or apart
    fine &= tree[0] != "adaptive" or (len(inside) == 1 and root)
    return fine and all(_applies(below, here, root=False) for below in tree[2:])


def small(tree: Tree) -> None:
    """Accepted iff every rule applies; then with the value of the rules, and no record pays more."""
    proof = _written(tree, iter(range(1, 100)))
    content = document(proof, [{"name": "x", "codes": 2}])
    found = verdict(content)
    require((found is not None) == _applies(tree), f"the checker says {found}, the rules apply: {_applies(tree)}")
    if found:
        require(found.value == value(proof), f"the checker says {found.value}, the rules give {value(proof)}")
        require(worst_record(content) <= found.value, f"a record pays {worst_record(content)}, proved is {found.value}")
        require(found.colluders == 1, f"it says {found.colluders} colluders, the first release withstands 1")
        require(found.adaptive == (tree[0] == "adaptive"), f"it says that regions may be chosen: {found.adaptive}")


def small_trees(premises: int) -> Iterator[tuple[Tree]]:
    """All rules at the root, so many premises at most, the first of which is a release or combines releases."""
    leaves: list[Tree] = [("release", part) for part in PARTS]
    inner: list[Tree] = list(leaves)
    for rule, part, n in product(RULES, PARTS, (1, 2)):
        inner += [(rule, part, *steps) for steps in product(leaves, repeat=n)]
    inner += [("parallel", "01", *steps) for steps in product(leaves[:3], repeat=3)]
    for n in range(premises):
        for rule, first, rest in product(RULES, inner, product(leaves, repeat=n)):
            yield from (((rule, part, first, *rest),) for part in ("01", "0"))


# --- Random derivations, and forgeries of them ---


def _derived(domain: Domain, bookings: Sequence[Booking]) -> Content:
    ledger = Ledger(1000, domain=domain)
    for i, (region, epsilon) in enumerate(bookings):
        ledger.charge([charge(region, epsilon, 1 + i % 3, releases=1 + i % 4)])
    return ledger.derivation().content


def accepted(domain: Domain, bookings: Sequence[Booking]) -> None:
    """What a ledger derives is accepted, with exactly what the worst record pays and the colluders of round 1."""
    content = _derived(domain, bookings)
    found, worst = verdict(content), worst_record(content)
    require(found is not None and found.spent == worst, f"the checker says {found}, the worst record pays {worst}")
    require(
        found is not None and found.value == 1000, f"the checker says {found}, another run may spend the budget, 1000"
    )
    require(found is not None and found.colluders == 1, f"the checker says {found}, the ledger promises 1 colluder")
    require(found is not None and found.adaptive, "the checker takes regions and costs for fixed beforehand")


def _rule(step: Content, other: Content) -> None:
    if step["rule"] != "release":
        step["rule"] = RULES[(RULES.index(step["rule"]) + 1) % 2]


def _region(step: Content, other: Content) -> None:
    step["region"] = copy.deepcopy(other["region"])


def _drop(step: Content, other: Content) -> None:
    if len(step.get("premises", [])) > 1:
        step["premises"].pop(0)


def _repeat(step: Content, other: Content) -> None:
    if step["rule"] != "release" and other["rule"] == "release":
        step["premises"].append(copy.deepcopy(other))


def _again(step: Content, other: Content) -> None:
    if step["rule"] != "release" and other["rule"] == "release":
        step["premises"].append({**copy.deepcopy(other), "index": other["index"] + 100})


def _parallel(step: Content, other: Content) -> None:
    if step["rule"] != "release":
        step["rule"] = "parallel"


CHANGES = (_rule, _region, _drop, _repeat, _again, _parallel)


def forged(domain: Domain, bookings: Sequence[Booking], changes: Sequence[tuple[int, int, int]]) -> None:
    """Changed and restated: refused, or no record pays more than is proved, and every release is there once."""
    content = copy.deepcopy(_derived(domain, bookings))
    for kind, i, j in changes:
        steps = list(walk(content["proof"]))
        CHANGES[kind % len(CHANGES)](steps[i % len(steps)], steps[j % len(steps)])
    found = verdict(restated(content))
    if found:
        worst = worst_record(content)
        require(worst <= found.value, f"a record pays {worst}, the checker accepts {found.value}")
        names = [(release["round"], release["index"]) for release in releases(content)]
        require(len(set(names)) == len(names), f"a release stands twice: {names}")


# --- Totals that are off by little ---

LITTLE = Fraction(1, 10**200)


def _less(text: str) -> str:
    return str(Fraction(text) - LITTLE)


def _changed_total(content: Content, what: str) -> None:
    first, guarantee = releases(content)[0], content["guarantee"]
    if what == "twice":
        content["proof"]["premises"][0]["premises"].append(copy.deepcopy(first))
        restated(content)
        return
    changes: dict[str, tuple[Content, str, Any]] = {
        "budget": (content, "budget", _less(content["budget"])),
        "guarantee": (guarantee, "value", _less(guarantee["value"])),
        "sum": (content["proof"]["premises"][0], "epsilon", _less(content["proof"]["premises"][0]["epsilon"])),
        "release": (first, "epsilon", _less(first["epsilon"])),
        "rate": (first, "rate", str(Fraction(first["rate"]) + LITTLE)),
        "sensitivity": (first, "sensitivity", 2),
        "releases": (first, "releases", 2),
        "colluders": (guarantee, "colluders", guarantee["colluders"] + 1),
        "promised": (content, "colluders", guarantee["colluders"] + 1),
        "withstood": (first, "colluders", guarantee["colluders"] - 1),
        "delta": (guarantee, "delta", "1/2"),
        "relation": (content, "relation", "substitution"),
        "float": (first, "rate", 0.1),
    }
    where, key, instead = changes[what]
    where[key] = instead
    if what in ("promised", "withstood"):
        guarantee["colluders"] = instead
    if what == "budget":  # a careful forger says so everywhere
        content["proof"]["epsilon"] = guarantee["value"] = instead


CHANGED_TOTALS = (
    "budget guarantee sum release rate sensitivity releases colluders promised withstood delta relation float twice"
).split()


def totals(what: str) -> None:
    """Ten times 0.1 for everybody and 0.2 for a ward, in a budget of 1.2: accepted; with the change it is refused."""
    content = _derived(WARDS, [(ALL, Fraction("0.1"))] * 10 + [(WARD_A, Fraction("0.2"))])
    found = verdict(restated(content))
    require(found is not None and found.value == Fraction(6, 5), f"unchanged the checker says {found}")
    _changed_total(content, what)
    found = verdict(content)
    require(found is None, f"the checker says {found}")
