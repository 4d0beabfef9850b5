"""Checks of chapter 4: regions of two coordinates, the limits of the checker, and a ledger that knows them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from fdpedu.accounting import Ledger
from fdpedu.claims.accounting.laws import ALL, WARD_A, WARDS, charge
from fdpedu.claims.accounting.laws_derivations import Content, restated, verdict
from fdpedu.claims.checking import exhaust, need
from fdpedu.derivation_checker import MAX_DEPTH, MAX_FEATURES, MAX_INTEGER, SCHEMA
from fdpedu.domain import Domain, Numeric, Region

Named = tuple[
    str, str
]  # the codes that a region names in each of two coordinates; "" for a coordinate it does not name
_CODES = ("", "0", "1", "01")
NAMED: tuple[Named, ...] = tuple((a, b) for a in _CODES for b in _CODES)


def _release(place: int, region: Content, **other: Any) -> Content:
    what = {"rule": "release", "round": 1, "place": place, "query": "count", "mechanism": "noise", "claim": "c"}
    return {**what, "releases": 1, "sensitivity": 1, "rate": "1", "region": region, "colluders": 0, **other}


def _rule(rule: str, region: Content, *premises: Content) -> Content:
    return {"rule": rule, "region": region, "premises": list(premises)}


def _document(proof: Content, features: int = 2, codes: int = 2) -> Content:
    """With every sum, the budget and the guarantee as they follow from the proof."""
    domain = {"features": [{"codes": codes}] * features, "classes": 1}
    head = {"schema": SCHEMA, "measure": "pure", "relation": "add-remove", "domain": domain}
    return restated({**head, "randomness": ["operating system"], "proof": proof})


def _json(named: Named) -> Content:
    return {str(j): [int(code) for code in codes] for j, codes in enumerate(named) if codes}


def coordinates(rule: str, around: Named, first: Named, second: Named) -> None:
    """Two premises in a step, each naming what it likes: accepted iff the rule holds on the sets of records."""
    inside: list[set[tuple[str, ...]]] = []
    for named in (first, second):
        inside.append(set(product(*(own or outer or "01" for own, outer in zip(named, around, strict=True)))))
    whole = set(product(*(outer or "01" for outer in around)))
    expected = all(part <= whole for part in inside) and (rule == "sequential" or not inside[0] & inside[1])
    found = verdict(_document(_rule(rule, _json(around), _release(1, _json(first)), _release(2, _json(second)))))
    need((found is not None) == expected, f"the checker says {found}, the rule holds on the records: {expected}")


# --- At the limits ---


def _nested(steps: int) -> Content:
    """A release in so many steps."""
    step = _release(1, {})
    for _ in range(steps):
        step = _rule("sequential", {}, step)
    return _document(step)


def _crowded(premises: int, *more: int) -> Content:
    """Parallel parts, each a cell of two coordinates; and more of them, by their numbers."""
    cells = [*range(premises), *more]
    parts = [_release(place, {"0": [i % 200], "1": [i // 200]}) for place, i in enumerate(cells, 1)]
    return _document(_rule("parallel", {}, *parts), codes=200)


def _at_limits() -> Iterator[tuple[str, Content, bool]]:
    digits = "9" * 400
    yield "nested as deeply as allowed", _nested(MAX_DEPTH), True
    yield "nested one deeper", _nested(MAX_DEPTH + 1), False
    yield "many features", _document(_release(1, {}), MAX_FEATURES), True
    yield "one more feature", _document(_release(1, {}), MAX_FEATURES + 1), False
    yield "many colluders", _document(_release(1, {}, colluders=MAX_INTEGER)), True
    yield "one colluder more", _document(_release(1, {}, colluders=MAX_INTEGER + 1)), False
    yield "a rate of 400 digits", _document(_release(1, {}, rate=digits)), True
    yield "a cost of 401 digits", _document(_release(1, {}, rate=digits, releases=2)), False
    yield "900 parts", _crowded(900), True
    yield "900 parts, and the first one again", _crowded(900, 0), False
    yield "1200 parts", _crowded(1200), False
    yield "1200 parts, and the first one again", _crowded(1200, 0), False


def limit(name: str, content: Content, expected: bool) -> None:
    """At a limit accepted, beyond it refused; and never accepted because it was too long to be looked at."""
    found = verdict(content)
    need((found is not None) == expected, f"{name}: the checker says {found}")


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
            need(ledger.spent == before, f"{kind}: refused, and charged {ledger.spent - before}")
    need(refused > 0, f"{kind}: nothing was refused")
    found = verdict(ledger.derivation().content)
    need(found is not None and found.spent == ledger.spent, f"{kind}: the checker says {found}, charged {ledger.spent}")


def _case(kind: str) -> tuple[Ledger, list[list[Any]]]:
    if kind == "nesting":
        domain, regions = _chain(MAX_DEPTH + 5)
        first = MAX_DEPTH - 5
        rounds = [regions[:90], regions[90:first], *([region] for region in regions[first:])]
        return Ledger(1000, domain=domain), [[charge(region, 1) for region in each] for each in rounds]
    if kind == "digits":
        without_common_divisor = [2**2**k + 1 for k in (8, 9, 10, 6)]  # of 78, 155, 309 and 20 digits
        return Ledger(1000, domain=WARDS), [[charge(ALL, Fraction(1, n))] for n in without_common_divisor]
    if kind == "length":
        return Ledger(1000, domain=WARDS), [[charge(WARD_A, 1, query="a" * 3_000_000)] for _ in range(5)]
    domain = Domain([Numeric.grid(f"x{j}", 0, 2, bins=2) for j in range(10)], (0, 1))
    cells = [domain.everything] * 600
    for j in range(10):  # the binary digits of a cell's number
        cells = [cell.restrict(j, [i >> j & 1]) for i, cell in enumerate(cells)]
    return Ledger(1000, domain=domain), [[charge(cell, 1) for cell in part] for part in (cells[:440], cells[440:])]


def check_coordinates(_: int) -> int:
    arounds: tuple[Named, ...] = (("", ""), ("0", ""), ("", "1"), ("0", "01"))
    return exhaust(coordinates, product(("parallel", "sequential"), arounds, NAMED, NAMED))


def check_limits(_: int) -> int:
    return exhaust(limit, _at_limits())


def check_refused_first(_: int) -> int:
    return exhaust(refused_first, [(kind,) for kind in ("nesting", "digits", "length", "comparisons")])
