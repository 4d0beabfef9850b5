"""Small derivations to try the checker on, their limits, and a ledger that knows these.

Checks of thm-checker-sound.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from fdpedu.accounting import Ledger
from fdpedu.claims.accounting.composition import ALL, WARD_A, WARDS, charge
from fdpedu.claims.checking import require
from fdpedu.derivation_checker import (
    MAX_COUNTS,
    MAX_INTEGER,
    SCHEMA,
    DerivationRefused,
    Guarantee,
    check_derivation,
)
from fdpedu.domain import Domain, Numeric, Region

Content = dict[str, Any]
Named = tuple[
    str, str
]  # the codes that a region names in each of two coordinates; "" for a coordinate it does not name
BIT: Content = {"codes": 2}  # a feature
_CODES = ("", "0", "1", "01")
NAMED: tuple[Named, ...] = tuple((a, b) for a in _CODES for b in _CODES)
AROUND: tuple[Named, ...] = (("", ""), ("0", ""), ("", "1"), ("0", "01"))
DIGITS = "9" * 400


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


def verdict(content: Content, manifest: Content | None = None) -> Guarantee | None:
    """The guarantee, or None if the checker refuses; anything else that it raises is a bug."""
    try:
        return check_derivation(json.dumps(content), None if manifest is None else json.dumps(manifest))
    except DerivationRefused:
        return None


def _json(named: Named) -> Content:
    return {str(j): [int(code) for code in codes] for j, codes in enumerate(named) if codes}


def coordinates(rule: str, around: Named, first: Named, second: Named) -> None:
    """Two premises in a step, each naming what it likes: accepted iff the rule holds on the sets of records."""
    inside: list[set[tuple[str, ...]]] = []
    for named in (first, second):
        inside.append(set(product(*(own or outer or "01" for own, outer in zip(named, around, strict=True)))))
    whole = set(product(*(outer or "01" for outer in around)))
    expected = all(part <= whole for part in inside) and (rule == "sequential" or not inside[0] & inside[1])
    premises = release(1, _json(first)), release(2, _json(second))
    found = verdict(document(combined(rule, _json(around), *premises), [BIT, BIT]))
    require((found is not None) == expected, f"the checker says {found}, the rule holds on the records: {expected}")


# --- At the limits ---


def _nested(steps: int) -> Content:
    """A release in so many steps."""
    step = release(1, {})
    for _ in range(steps):
        step = combined("sequential", {}, step)
    return document(step, [BIT])


def _alone(features: int = 1, **other: Any) -> Content:
    """A release in no step."""
    return document(release(1, {}, **other), [BIT] * features)


def _crowded(premises: int, *more: int) -> Content:
    """Parallel parts, each a cell of two coordinates; and more of them, by their numbers."""
    cells = [*range(premises), *more]
    parts = [release(index, {"0": [i % 200], "1": [i // 200]}) for index, i in enumerate(cells, 1)]
    return document(combined("parallel", {}, *parts), [{"codes": 200}] * 2)


MAX_DEPTH, MAX_FEATURES, DIGITS = MAX_COUNTS["levels"], MAX_COUNTS["features"], "9" * MAX_COUNTS["digits"]
LIMITS: Mapping[str, tuple[Callable[[], Content], bool]] = {
    "nested as deeply as allowed": (lambda: _nested(MAX_DEPTH), True),
    "nested one deeper": (lambda: _nested(MAX_DEPTH + 1), False),
    "many features": (lambda: _alone(features=MAX_FEATURES), True),
    "one more feature": (lambda: _alone(features=MAX_FEATURES + 1), False),
    "many colluders": (lambda: _alone(colluders=MAX_INTEGER), True),
    "one colluder more": (lambda: _alone(colluders=MAX_INTEGER + 1), False),
    "a rate of 75 digits": (lambda: _alone(rate=DIGITS), True),
    "a cost of 76 digits": (lambda: _alone(rate=DIGITS, releases=2), False),
    "900 parts": (lambda: _crowded(900), True),
    "900 parts, and the first one again": (lambda: _crowded(900, 0), False),
    "1200 parts": (lambda: _crowded(1200), False),
    "1200 parts, and the first one again": (lambda: _crowded(1200, 0), False),
}


def limit(name: str) -> None:
    """At a limit accepted, beyond it refused; and never accepted because it was too long to be looked at."""
    content, expected = LIMITS[name]
    found = verdict(content())
    require((found is not None) == expected, f"the checker says {found}")


# --- A ledger that refuses first ---


def _chain(levels: int) -> tuple[Domain, list[Region]]:
    """Regions nested in one another: one code less at each level, five levels a feature."""
    domain = Domain([Numeric.grid(f"x{j}", 0, 6, bins=6) for j in range(levels // 5 + 1)], (0, 1))
    regions = [domain.everything]
    for level in range(levels - 1):
        j, most = divmod(level, 5)
        regions.append(regions[-1].restrict(j, range(5 - most)))
    return domain, regions


def refused_first(kind: str) -> None:
    """Charges one after another: each is booked and then accepted by the checker, or refused and then not booked."""
    ledger, charges = _case(kind)
    refused = 0
    for each in charges:
        before = ledger.spent
        try:
            ledger.charge(each)
        except ValueError:
            refused += 1
            require(ledger.spent == before, f"{kind}: refused, and charged {ledger.spent - before}")
    require(refused > 0, f"{kind}: nothing was refused")
    found = verdict(ledger.derivation().content)
    require(
        found is not None and found.spent == ledger.spent, f"{kind}: the checker says {found}, charged {ledger.spent}"
    )


def _case(kind: str) -> tuple[Ledger, list[list[Any]]]:
    if kind == "nesting":
        domain, regions = _chain(MAX_DEPTH + 5)
        first = MAX_DEPTH - 5
        rounds = [regions[:90], regions[90:first], *([region] for region in regions[first:])]
        return Ledger(1000, domain=domain), [[charge(region, 1) for region in each] for each in rounds]
    if kind == "digits":
        without_common_divisor = [2**2**k + 1 for k in (6, 7, 8, 5)]  # of 20, 39, 78 and 10 digits
        return Ledger(1000, domain=WARDS), [[charge(ALL, Fraction(1, n))] for n in without_common_divisor]
    if kind == "length":
        return Ledger(1000, domain=WARDS), [[charge(WARD_A, 1, query="a" * 3_000_000)] for _ in range(5)]
    domain = Domain([Numeric.grid(f"x{j}", 0, 2, bins=2) for j in range(10)], (0, 1))
    cells = [domain.everything] * 600
    for j in range(10):  # the binary digits of a cell's number
        cells = [cell.restrict(j, [i >> j & 1]) for i, cell in enumerate(cells)]
    return Ledger(1000, domain=domain), [[charge(cell, 1) for cell in part] for part in (cells[:440], cells[440:])]
