"""What the checker would refuse, the ledger refuses before it charges: first by bounds that cost next to nothing.

The checker limits the length of a text, its brackets and quotation marks, the depth of its steps, the comparisons of
its parallel rule, and the digits of its fractions. A bound on each is read off the charges. Only where the bounds leave
it open is the derivation written out, and the checker asked.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from fdpedu import derivation_checker as checker
from fdpedu.accounting.derivation import Derivation
from fdpedu.accounting.region_tree import RegionTree
from fdpedu.accounting.size import FEATURE, HEAD, RULE, Size, digits, of_texts
from fdpedu.accounting.writing import document, proof_of
from fdpedu.domain import Domain, Region
from fdpedu.exact import shown

if TYPE_CHECKING:
    from fdpedu.accounting.charge import Charge

    RegionTrees = Sequence[RegionTree[Charge]]

_KIND = "operating system"  # whether the noise proves anything is another question than whether the text can be read


def require_short(number: Fraction, name: str) -> None:
    """Refuse a fraction that the checker does not read."""
    if max(number.as_integer_ratio()) >= checker.TOO_LONG:
        raise ValueError(f"{name} must be a fraction of at most 400 digits above and below, got {shown(number)}")


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


def require_acceptable(region_trees: RegionTrees, domain: Domain | None, budget: Fraction) -> None:
    """Raise ValueError if the checker would refuse what the region trees derive."""
    if surely_accepted(region_trees, domain, budget):
        return
    try:
        if domain is None:
            raise ValueError("a ledger of so many charges must know its domain: Ledger(budget, domain=…)")
        levels = max(map(_levels, region_trees))
        if levels > checker.MAX_DEPTH:
            raise ValueError(f"the regions are nested in {levels} levels, more than {checker.MAX_DEPTH}")
        every = [
            charge for region_tree in region_trees for booked in region_tree.charges.values() for _, charge in booked
        ]
        proof, colluders = proof_of(region_trees, domain.everything), min(charge.colluders for charge in every)
        content = document(domain, proof, budget, colluders, [_KIND])
        checker.check_derivation(Derivation(content, domain).to_json())
    except (ValueError, RecursionError) as refusal:
        raise ValueError(
            f"nothing was charged, because the derivation would be refused: {refusal}. Charge fewer releases, in fewer "
            "or less nested regions, or keep a part of the budget for a second ledger"
        ) from None


def surely_accepted(region_trees: RegionTrees, domain: Domain | None, budget: Fraction) -> bool:
    """Whether bounds alone show that no limit is met."""
    common, most = _common_and_most(region_trees, budget)
    if max(common, most) >= checker.TOO_LONG:
        return False
    limits = (checker.MAX_CHARACTERS, checker.MAX_BRACKETS, checker.MAX_QUOTES)
    size = size_at_most(region_trees, domain, budget)
    small = all(actual <= limit for actual, limit in zip(size, limits, strict=True))
    shallow = 2 * max(map(_levels, region_trees)) + 3 <= checker.MAX_DEPTH
    return small and shallow and sum(map(_comparisons, region_trees)) <= checker.MAX_COMPARISONS


def size_at_most(region_trees: RegionTrees, domain: Domain | None, budget: Fraction) -> Size:
    """The size of the derivation, at most: what its releases and regions take, its rules, and the names of features."""
    size, rules = HEAD, 2  # under the adaptive step, and all accounts in sequence
    for region_tree in region_trees:
        size = size.plus(region_tree.size)
        rules += _rules(region_tree)
    for feature in domain.features if domain else ():
        size = size.plus(FEATURE).plus(of_texts(feature.name))
    total = Size(sum(map(digits, _common_and_most(region_trees, budget))))
    return size.plus(RULE, rules).plus(total, rules + 2)  # each rule states a total; so do budget and guarantee


def _common_and_most(region_trees: RegionTrees, budget: Fraction) -> tuple[int, int]:
    """No total has a larger denominator, or a larger numerator: all are at most the budget, and share a denominator."""
    common = math.lcm(*(region_tree.denominator for region_tree in region_trees))
    return common, math.ceil(budget * common)


def _rules(region_tree: RegionTree[Charge]) -> int:
    """How many steps are rules: a region's releases and its parts in sequence, and several parts in parallel."""
    several = sum(len(parts) > 1 for parts in region_tree.children.values())
    return several + sum(
        len(booked) + bool(region_tree.children[region]) > 1 for region, booked in region_tree.charges.items()
    )


def _levels(region_tree: RegionTree[Charge]) -> int:
    """How many regions are nested in one another."""
    level: dict[Region | None, int] = {None: 0}
    for region in region_tree.downwards():
        if region is not None:
            level[region] = level[region_tree.parent[region]] + 1
    return max(level.values())


def _comparisons(region_tree: RegionTree[Charge]) -> int:
    """Pairs of disjoint parts, in every coordinate."""
    coordinates = max((len(region.features) + 1 for region in region_tree.parent), default=0)
    return coordinates * sum(math.comb(len(parts), 2) for parts in region_tree.children.values())
