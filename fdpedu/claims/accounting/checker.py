# Longer than 400 lines because its one theorem has twenty broken variants.

"""What the derivation checker accepts, record by record, and what it refuses."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from fdpedu.accounting import Ledger
from fdpedu.claims.accounting.composition import ALL, WARD_A, WARDS, charge
from fdpedu.claims.accounting.derivations import (
    AROUND,
    LIMITS,
    NAMED,
    Content,
    combined,
    coordinates,
    document,
    limit,
    refused_first,
    release,
    releases,
    restated,
    value,
    verdict,
    walk,
)
from fdpedu.claims.accounting.filter import Booking
from fdpedu.claims.accounting.sensitivities import CASES, VARIANTS, stated
from fdpedu.claims.accounting.sessions import PLACED, designed, positions
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.domain import Domain

Tree = tuple[Any, ...]  # ("release", codes), or (rule, codes, step, …)
RULES = ("sequential", "parallel", "adaptive")
PARTS = ("0", "1", "01", "")  # the codes that a step names; "" for none, and then it has those around it
CHANGED_TOTALS = (
    "budget guarantee sum release rate sensitivity releases colluders promised withstood delta relation float twice"
).split()


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
LITTLE = Fraction(1, 10**60)


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


def totals(what: str) -> None:
    """Ten times 0.1 for everybody and 0.2 for a ward, in a budget of 1.2: accepted; with the change it is refused."""
    content = _derived(WARDS, [(ALL, Fraction("0.1"))] * 10 + [(WARD_A, Fraction("0.2"))])
    found = verdict(restated(content))
    require(found is not None and found.value == Fraction(6, 5), f"unchanged the checker says {found}")
    _changed_total(content, what)
    found = verdict(content)
    require(found is None, f"the checker says {found}")


AXIOMS = (
    "the checker's axioms: a query looks at its region only and has the stated sensitivity, for records that lie at "
    "one party, which depends on no other record, of a fixed number of parties; noise, or an answer, is drawn from "
    "random words that are random, so that a release costs at most sensitivity × rate against the stated colluders; "
    "budget and colluders were fixed beforehand; regions and costs too, or under the adaptive rule chosen from public "
    "facts and earlier releases, so that every run stays within the budget"
)

CLAIMS = (
    Claim(
        "thm-checker-sound",
        status="proved+checked",
        code=("fdpedu.derivation_checker.check_derivation",),
        checks=(
            Check(
                "small derivations",
                "exhaustive",
                "all rules on two codes, up to {size} premises at the root, coordinates named or inherited: accepted "
                "iff the rules hold on sets of records, and then no record pays more",
                small,
                small_trees,
                2,
                3,
            ),
            Check(
                "random derivations",
                "property",
                "{size} random trees of charges: accepted with what the worst record pays",
                accepted,
                lambda draw: draw.trees_of_charges(),
                60,
                1000,
            ),
            Check(
                "forgeries",
                "property",
                "{size} random derivations, changed and restated: refused, or no record pays more than is proved",
                forged,
                lambda draw: draw.forgeries(),
                120,
                2000,
            ),
            Check(
                "totals",
                "exact",
                "budget, guarantee, sums, releases and colluders that are off by little: refused",
                totals,
                lambda _: product(CHANGED_TOTALS),
            ),
            Check(
                "coordinates",
                "exhaustive",
                "two premises in a step, each naming any codes of two coordinates or none: accepted iff the rule holds "
                "on sets of records",
                coordinates,
                lambda _: product(("parallel", "sequential"), AROUND, NAMED, NAMED),
            ),
            Check(
                "positions",
                "exhaustive",
                "two premises on positions of parties in two sessions: accepted iff the rule holds on sets of records",
                positions,
                lambda _: product(("parallel", "sequential"), PLACED, PLACED),
            ),
            Check(
                "designed",
                "exhaustive",
                "a release of each kind of types, with each designer, on each positions: accepted iff all records pay, "
                "or those of the one party that has answered",
                designed,
                lambda _: product(("designed-split", "class-counts", "by-hand"), (-1, 0, 1, 2, 256), PLACED),
            ),
            Check(
                "sensitivities",
                "exact",
                "every type of query, in ε and in ρ: what it is charged is accepted; with one more or less of its "
                "sensitivity, of its cells or of its parts it is refused, and so is a choice in ρ",
                stated,
                lambda _: CASES,
            ),
            Check(
                "limits",
                "exact",
                "depth, features, integers, digits and comparisons: at the limit accepted, beyond it refused",
                limit,
                lambda _: product(LIMITS),
            ),
            Check(
                "refused first",
                "exact",
                "regions nested too deeply, too many digits, too long a text, too many comparisons: the ledger refuses "
                "what the checker would, and charges nothing",
                refused_first,
                lambda _: product(("nesting", "digits", "length", "comparisons")),
            ),
        ),
        assumptions=(
            "neighbours: one record added or removed; ε, or ρ at whole orders",
            AXIOMS,
            "the list of releases is complete",
        ),
        uses=("lem-filter", "thm-gaussian-filter", "thm-gaussian-root"),
    ),
)

TWINS = (
    Broken(
        "positions in an older document",
        "fdpedu.derivation_checker._named",
        "reading.positions or not of_party",
        "reading",
        "What a newer version writes, an older schema may have too.",
        "thm-checker-sound",
        "positions",
    ),
    Broken(
        "one list of parties for all sessions",
        "fdpedu.derivation_checker._named",
        "named[name] = mask",
        'named[name if name in whole else "party " + "0" * 64] = mask',
        "A position is a party.",
        "thm-checker-sound",
        "positions",
    ),
    Broken(
        "a choice on anybody's position",
        "fdpedu.derivation_checker.stands_right",
        "0 <= designer < 256 and [*places.values()] == [1 << designer]",
        "0 <= designer < 256",
        "What one party has chosen, one party pays for, whichever it is.",
        "thm-checker-sound",
        "designed",
    ),
    Broken(
        "counts on one party's position",
        "fdpedu.derivation_checker.stands_right",
        "if not places or kind == BY_HAND:",
        "if not places or kind != DESIGNED:",
        "A region is a region, whoever has answered.",
        "thm-checker-sound",
        "designed",
    ),
    Broken(
        "most expensive premise",
        "fdpedu.derivation_checker._check",
        'if rule == "parallel" else',
        'if rule != "adaptive" else',
        "Sequential composition costs what its most expensive premise costs.",
        "thm-checker-sound",
        "small derivations",
    ),
    Broken(
        "neighbouring premises compared",
        "fdpedu.derivation_checker._need_disjoint",
        "for j in range(i):",
        "for j in range(max(0, i - 1), i):",
        "Regions come in order, so each one need be compared with the one before it only.",
        "thm-checker-sound",
        "small derivations",
    ),
    Broken(
        "equal regions only",
        "fdpedu.derivation_checker._need_disjoint",
        "if not any(",
        "if a == regions[j] and not any(",
        "Two different regions are two disjoint regions.",
        "thm-checker-sound",
        "small derivations",
    ),
    Broken(
        "named by one is enough",
        "fdpedu.derivation_checker._need_disjoint",
        "name in many and not codes & many[name]",
        "name not in many or not codes & many[name]",
        "A premise that does not name a coordinate does not look at it.",
        "thm-checker-sound",
        "coordinates",
    ),
    Broken(
        "inherited coordinate read as unrestricted",
        "fdpedu.derivation_checker._named",
        "around.get(name, every)",
        "every",
        "A coordinate that is named holds the codes that are named.",
        "thm-checker-sound",
        "small derivations",
    ),
    Broken(
        "silence lifts a restriction",
        "fdpedu.derivation_checker._check",
        "{**around, **named} if named else around",
        "named",
        "A coordinate that a step does not name is unrestricted.",
        "thm-checker-sound",
        "small derivations",
    ),
    Broken(
        "region of a premise unchecked",
        "fdpedu.derivation_checker._named",
        "not mask & ~outer",
        "mask & outer",
        "A step that says where it looks looks there.",
        "thm-checker-sound",
        "coordinates",
    ),
    Broken(
        "releases left out of the product",
        "fdpedu.derivation_checker._check_release",
        "asked[0] * asked[1] * asked[2]",
        "asked[1] * asked[2]",
        "A query is asked once, however many histograms come back.",
        "thm-checker-sound",
        "totals",
    ),
    Broken(
        "too long to compare",
        "fdpedu.derivation_checker._need_disjoint",
        "reading.count(path, comparisons=sum(min(len(a), len(b)) for b in regions[:i]))",
        "if i > 1000: return",
        "What takes too long to look at may be left out.",
        "thm-checker-sound",
        "limits",
    ),
    Broken(
        "comparisons without end",
        "fdpedu.derivation_checker._need_disjoint",
        "reading.count(path, comparisons=sum(min(len(a), len(b)) for b in regions[:i]))",
        "pass",
        "A text that is refused in the end may take its time.",
        "thm-checker-sound",
        "limits",
    ),
    Broken(
        "one step too deep",
        "fdpedu.derivation_checker._check",
        "depth - reading.counts.levels",
        "depth - 1 - reading.counts.levels",
        "One more cannot matter.",
        "thm-checker-sound",
        "limits",
    ),
    Broken(
        "refused after it was charged",
        "fdpedu.accounting.ledger.Ledger._admitted",
        "require_acceptable(trial, self._domain, self._budget)",
        "pass",
        "The derivation is written at the end, so it is early enough to check it then.",
        "thm-checker-sound",
        "refused first",
    ),
    Broken(
        "the first book is not counted",
        "fdpedu.accounting.limits.require_acceptable",
        "counts_of(region_trees, domain, budget)",
        "counts_of(region_trees[1:], domain, budget)",
        "A ledger of one book is never too large.",
        "thm-checker-sound",
        "refused first",
    ),
    Broken(
        "least of this run",
        "fdpedu.derivation_checker._check_release",
        "_need(withstood >= reading.colluders,",
        "reading.colluders = min(reading.colluders, withstood); _need(True,",
        "A derivation withstands what its weakest release withstands, and that is seen when the run is over.",
        "thm-checker-sound",
        "totals",
    ),
    Broken(
        "this run for all runs",
        "fdpedu.derivation_checker.check_derivation",
        "value = budget[0] if adaptive else spent[0]",
        "value = spent[0]",
        "What was spent is what the procedure costs.",
        "thm-checker-sound",
        "random derivations",
    ),
    Broken(
        "budget met, as floats",
        "fdpedu.derivation_checker.check_derivation",
        "paid <= most",
        "float(paid) <= float(most)",
        "A total that prints as the budget is within the budget.",
        "thm-checker-sound",
        "totals",
    ),
    Broken(
        "release quoted twice",
        "fdpedu.derivation_checker._check_release",
        "name not in reading.releases",
        "True",
        "A release may stand in two places of a proof: it happened once.",
        "thm-checker-sound",
        "totals",
    ),
    *VARIANTS,
)
