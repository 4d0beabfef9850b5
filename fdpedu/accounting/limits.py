"""What the checker would refuse, the ledger refuses before it charges: both count the same in what is derived.

The checker limits how much a derivation may hold (:data:`fdpedu.derivation_checker.MAX_COUNTS`). Here the same is
counted in the region trees, as :mod:`fdpedu.accounting.writing` writes them, and nothing is written.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

from fdpedu.accounting.budget import Budget
from fdpedu.accounting.charge import Charge
from fdpedu.accounting.cost import Cost
from fdpedu.accounting.region_tree import RegionTree
from fdpedu.accounting.writing import release_step
from fdpedu.derivation_checker import MAX_COUNTS, Inventory, digits_of, letters, stated_in
from fdpedu.domain import Domain, Region
from fdpedu.domain.region import MAX_PARTIES

RegionTrees = Sequence[RegionTree[Charge]]
Needs = Counter[str]  # what more a derivation would hold, by the names of the counts


def fewest_withstood(region_trees: RegionTrees) -> int | None:
    """The fewest colluders that a charge withstands: those of the first round, as none that withstands less follows."""
    booked = (pair for region_tree in region_trees for pairs in region_tree.charges.values() for pair in pairs)
    return min((charge.colluders for _, charge in booked), default=None)


def require_withstood(promised: int | None, colluders: Iterable[int]) -> None:
    """Refuse charges that withstand fewer colluders than the ledger promises beforehand."""
    fewest = min(colluders)
    if promised is not None and fewest < promised:
        raise ValueError(
            f"this ledger promises that every charge withstands colluders = {promised}, and one withstands {fewest}; "
            f"nothing was charged. Their number is fixed beforehand: make a ledger with Ledger(…, colluders={fewest})"
        )


def require_acceptable(region_trees: RegionTrees, domain: Domain | None, budget: Budget) -> None:
    """Raise ValueError if the checker would refuse what the region trees derive."""
    if excess := counts_of(region_trees, domain, budget).excess():
        raise ValueError(
            f"nothing was charged, because the derivation would be refused: {excess}. Charge fewer releases, in fewer "
            "or less nested regions, or keep a part of the budget for a second ledger"
        )


def counts_of(region_trees: RegionTrees, domain: Domain | None, budget: Budget) -> Inventory:
    """The counts of the derivation. Without a domain a region counts as if it named all coordinates: an upper bound."""
    names = [feature.name for feature in domain.features] if domain else []
    trees = (region_tree.denominator for region_tree in region_trees)
    common = math.lcm(*denominators(budget.limit), *trees)
    several = len(region_trees) > 1
    found = Inventory(
        len(names), 1 + several, letters=letters(names), digits=digits_of(common, budget.limit.value), common=common
    )
    for region_tree in region_trees:
        _count(region_tree, domain.everything if domain else None, 1 + several, found)
    return found


def denominators(cost: Cost) -> tuple[int, ...]:
    """Those of a cost's parts."""
    return tuple(part.denominator for part in cost.amount)


def _count(region_tree: RegionTree[Charge], whole: Region | None, level: int, found: Inventory) -> None:
    """Add what a region tree holds, whose own step stands at this level.

    A region's releases stand in sequence, after them its parts; several parts stand in parallel.
    """
    levels: dict[Region | None, int] = {None: level}
    found.names += region_tree.names
    found.letters += region_tree.letters
    for region in region_tree.downwards():
        parts, booked = region_tree.children[region], 0 if region is None else len(region_tree.charges[region])
        in_sequence, in_parallel = booked + bool(parts) > 1, len(parts) > 1
        inside = levels[region] + in_sequence
        named = [region_tree.named(part, whole) for part in parts]
        found.steps += booked + in_sequence + in_parallel
        found.levels = max(found.levels, inside)
        found.names += sum(names for names, _ in named)
        found.letters += sum(characters for _, characters in named)
        if in_parallel:  # of two parts, the coordinates of the one that names fewer are compared
            fewer = sorted((names for names, _ in named), reverse=True)
            found.comparisons += sum(number * names for number, names in enumerate(fewer))
        levels.update(dict.fromkeys(parts, inside + in_parallel))


def needs_of(charges: Iterable[Charge], times: int = 1) -> Needs:
    """Upper bounds on the counts of ``times`` releases, each of which is one of these charges."""
    last = MAX_COUNTS["steps"]  # no round has a larger number, and no release in it
    stated = [stated_in(release_step((last, last), charge)) for charge in charges]
    names, characters = (max(each, default=0) for each in (zip(*stated, strict=True) if stated else ((), ())))
    return Counter(steps=times * bool(stated), names=times * names, letters=times * characters)


def needs_of_side(domain: Domain) -> Needs:
    """Upper bounds on the counts of the region of one side of a split, with half of what both sides take together."""
    widest = max(feature.n_codes for feature in domain.features)
    both = 2 * letters({str(domain.n_features): []}) + letters(list(range(widest)))  # together they have all codes
    return Counter(names=1, letters=both // 2 + 1, comparisons=1)


def needs_of_full_tree(domain: Domain, levels: int) -> Needs:
    """Upper bounds on the counts of the regions of a tree in which every node is split, as choices and then its leaves.

    Choices may be of different parties, so that each region stands beside all others and names its party, too. At the
    depth k there are at most 2^k regions, which name at most k features, each with half of what both sides take.
    """
    side, found = needs_of_side(domain), Counter[str]()
    party = letters(domain.everything.of_party({MAX_PARTIES - 1}, "0" * 64).to_json(domain.everything)) + 1
    for regions, depth, of_party in [*((2**k, k, 1) for k in range(levels)), (2**levels, levels, 0)]:
        found["names"] += regions * (depth + of_party)
        found["letters"] += regions * (depth * side["letters"] + of_party * party)
    choices, leaves = 2**levels - 1, 2**levels
    found["comparisons"] = levels * (math.comb(choices, 2) + math.comb(leaves, 2))
    return found


def left(used: Inventory, each: Needs, once: Needs | None = None) -> int:
    """How often ``each`` may still be charged, given what is used already and what else is needed once."""
    other = once or Needs()
    return min((MAX_COUNTS[name] - getattr(used, name) - other[name]) // need for name, need in each.items() if need)


def require_left(used: Inventory, budget: Budget, costs: Iterable[Cost], needs: Needs) -> None:
    """Refuse what the derivation cannot hold beside what is used already; before anything is charged."""
    common = math.lcm(used.common, *(part for cost in costs for part in denominators(cost)))
    if left(used, needs) < 1:
        raise ValueError(
            "nothing was charged: the derivation of this ledger is nearly as long as one may be; "
            "keep a part of the budget for a second ledger"
        )
    if digits_of(common, budget.limit.value) > MAX_COUNTS["digits"]:
        raise ValueError(
            f"nothing was charged: these costs and those of the ledger have no common denominator of at most "
            f"{MAX_COUNTS['digits']} digits; give shares of the budget with small denominators"
        )
