"""From a ledger's charges to the content of a derivation, written so that it is linear in the number of regions.

A step names only the coordinates in which its region differs from that of the step that it stands in.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from fdpedu.accounting.budget import Budget
from fdpedu.accounting.charge import Charge
from fdpedu.accounting.cost import CONCENTRATED, Amount, Cost, largest_of, sum_of
from fdpedu.accounting.region_tree import Index, RegionTree
from fdpedu.derivation_checker import IN_ORDERS, SCHEMA
from fdpedu.domain import Domain, Region
from fdpedu.exact import Rational
from fdpedu.files import PROGRAM

Step = dict[str, Any]
Restrictions = dict[str, list[int]]


def document(
    domain: Domain,
    proof: Step,
    budget: Budget | Cost | Rational,
    colluders: int,
    randomness: Sequence[str],
) -> Step:
    """The content of a derivation: a proof under the filter lemma, with what the checker has to know."""
    budget = Budget.of(budget)
    stated = budget.to_json()
    promised = {"value": stated, "delta": "0"} if isinstance(stated, str) else stated
    return {
        "schema": IN_ORDERS if budget.measure == CONCENTRATED else SCHEMA,
        "program": PROGRAM,
        "measure": budget.measure,
        "relation": "add-remove",
        "randomness": list(dict.fromkeys([*randomness, *_stand_ins()])),
        "budget": stated,
        "colluders": colluders,
        "domain": stated_domain(domain),
        "proof": {"rule": "adaptive", **stated_cost(budget.limit), "region": {}, "premises": [proof]},
        "guarantee": {"measure": budget.measure, **promised, "colluders": colluders},
    }


def _stand_ins() -> list[str]:
    """A kind of randomness for masks and keys that are not those of ``cryptography``: the live book has none of it."""
    return ["rehearsal"] if getattr(sys.modules.get("cryptography"), "STANDS_IN", False) else []


def stated_cost(cost: Cost) -> dict[str, str]:
    """A cost as a step states it."""
    return stated_amount(cost.amount, pure=cost.is_pure)


def stated_amount(amount: Amount, *, pure: bool) -> dict[str, str]:
    """An amount as a step states it: ε, or ρ and ξ."""
    return {"epsilon": str(amount.value)} if pure else {"rho": str(amount.value), "xi": str(amount.xi)}


def amount_of(step: Step) -> Amount:
    """What a step states that it costs."""
    return (
        Amount(Fraction(step["epsilon"])) if "epsilon" in step else Amount(Fraction(step["rho"]), Fraction(step["xi"]))
    )


def stated_domain(domain: Domain) -> dict[str, Any]:
    """What a derivation says of its domain: the names of the features, and how many codes there are."""
    features = [{"name": feature.name, "codes": feature.n_codes} for feature in domain.features]
    return {"features": features, "classes": domain.n_classes}


def proof_of(region_trees: Sequence[RegionTree[Charge]], whole: Region) -> Step:
    """All region trees in sequence; in each, disjoint regions in parallel."""
    return combine(
        [combine(_steps(region_tree, whole), "parallel", {}) for region_tree in region_trees], "sequential", {}
    )


def combine(steps: Sequence[Step], rule: str, region: Restrictions) -> Step:
    """The steps under a rule; one step alone stands for itself, and its region is written where it is made."""
    if len(steps) == 1:
        return steps[0]
    amounts = [amount_of(step) for step in steps]
    amount = largest_of(amounts) if rule == "parallel" else sum_of(amounts)
    return {
        "rule": rule,
        **stated_amount(amount, pure="epsilon" in steps[0]),
        "region": region,
        "premises": list(steps),
    }


def in_sequence(releases: Sequence[Step], parts: Sequence[Step], region: Restrictions) -> Step:
    """A region's own releases in sequence, and then its disjoint parts in parallel; ``region`` is named once."""
    steps = [*releases, combine(parts, "parallel", {})] if parts else list(releases)
    return {**steps[0], "region": region} if len(steps) == 1 else combine(steps, "sequential", region)


def release_step(index: Index, charge: Charge) -> Step:
    """A charge as a leaf of the derivation, on the region of the step that it stands in."""
    return {
        "rule": "release",
        "round": index[0],
        "index": index[1],
        "type": charge.type,
        "parameters": dict(charge.parameters),
        "query": charge.query,
        "mechanism": charge.mechanism,
        **charge.stated_noise(),
        **stated_cost(charge.cost),
        "region": {},
        "colluders": charge.colluders,
        "claim": charge.claim,
    }


def _steps(region_tree: RegionTree[Charge], whole: Region) -> list[Step]:
    """The outermost regions of a region tree, each with everything inside it; inner regions are written first."""
    written: dict[Region, Step] = {}
    for region in reversed(region_tree.downwards()):
        if region is not None:
            at = region.to_json(region_tree.parent[region] or whole)
            parts = [written.pop(inner) for inner in region_tree.children[region]]
            releases = [release_step(index, charge) for index, charge in region_tree.charges[region]]
            written[region] = in_sequence(releases, parts, at)
    return [written[region] for region in region_tree.children[None]]
