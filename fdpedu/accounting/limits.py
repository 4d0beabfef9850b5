"""What the checker would refuse, the ledger refuses before it charges: first by bounds that cost next to nothing.

The checker limits the length of a text, its brackets and quotation marks, the depth of its steps, the comparisons of
its parallel rule, and the digits of its fractions. A bound on each is read off the charges. Only where the bounds leave
it open is the derivation written out, and the checker asked.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from fdpedu import derivation_checker as checker
from fdpedu.accounting.derivation import Derivation
from fdpedu.accounting.forest import Forest
from fdpedu.accounting.size import FEATURE, HEAD, RULE, Size, digits, of_texts
from fdpedu.accounting.writing import document, proof_of
from fdpedu.domain import Domain, Region
from fdpedu.exact import shown

if TYPE_CHECKING:
    from fdpedu.accounting.ledger import Charge

    Forests = Sequence[Forest[Charge]]

_KIND = "operating system"  # whether the noise proves anything is another question than whether the text can be read


def need_short(number: Fraction, name: str) -> None:
    """Refuse a fraction that the checker does not read."""
    if max(number.as_integer_ratio()) >= checker.TOO_LONG:
        raise ValueError(f"{name} must be a fraction of at most 400 digits above and below, got {shown(number)}")


def need_acceptable(forests: Forests, domain: Domain | None, budget: Fraction) -> None:
    """Raise ValueError if the checker would refuse what the forests derive."""
    if surely_accepted(forests, domain, budget):
        return
    try:
        if domain is None:
            raise ValueError("a ledger of so many charges must know its domain: Ledger(budget, domain=…)")
        levels = max(map(_levels, forests))
        if levels > checker.MAX_DEPTH:
            raise ValueError(f"the regions are nested in {levels} levels, more than {checker.MAX_DEPTH}")
        every = [charge for forest in forests for booked in forest.charges.values() for _, charge in booked]
        proof, colluders = proof_of(forests, domain.everything), min(charge.colluders for charge in every)
        content = document(domain, proof, budget, colluders, [_KIND])
        checker.check_derivation(Derivation(content, domain).to_json())
    except (ValueError, RecursionError) as refusal:
        raise ValueError(
            f"nothing was charged, because the derivation would be refused: {refusal}. Charge fewer releases, in fewer "
            "or less nested regions, or keep a part of the budget for a second ledger"
        ) from None


def surely_accepted(forests: Forests, domain: Domain | None, budget: Fraction) -> bool:
    """Whether bounds alone show that no limit is met."""
    common, most = _common_and_most(forests, budget)
    if max(common, most) >= checker.TOO_LONG:
        return False
    limits = (checker.MAX_CHARACTERS, checker.MAX_BRACKETS, checker.MAX_QUOTES)
    size = size_at_most(forests, domain, budget)
    small = all(actual <= limit for actual, limit in zip(size, limits, strict=True))
    shallow = 2 * max(map(_levels, forests)) + 3 <= checker.MAX_DEPTH
    return small and shallow and sum(map(_comparisons, forests)) <= checker.MAX_COMPARISONS


def size_at_most(forests: Forests, domain: Domain | None, budget: Fraction) -> Size:
    """The size of the derivation, at most: what its releases and regions take, its rules, and the names of features."""
    size, rules = HEAD, 2  # under the adaptive step, and all accounts in sequence
    for forest in forests:
        size = size.plus(forest.size)
        rules += _rules(forest)
    for feature in domain.features if domain else ():
        size = size.plus(FEATURE).plus(of_texts(feature.name))
    total = Size(sum(map(digits, _common_and_most(forests, budget))))
    return size.plus(RULE, rules).plus(total, rules + 2)  # each rule states a total; so do budget and guarantee


def _common_and_most(forests: Forests, budget: Fraction) -> tuple[int, int]:
    """No total has a larger denominator, or a larger numerator: all are at most the budget, and share a denominator."""
    common = math.lcm(*(forest.denominator for forest in forests))
    return common, math.ceil(budget * common)


def _rules(forest: Forest[Charge]) -> int:
    """How many steps are rules: a region's releases and its parts in sequence, and several parts in parallel."""
    several = sum(len(parts) > 1 for parts in forest.children.values())
    return several + sum(len(booked) + bool(forest.children[region]) > 1 for region, booked in forest.charges.items())


def _levels(forest: Forest[Charge]) -> int:
    """How many regions are nested in one another."""
    level: dict[Region | None, int] = {None: 0}
    for region in forest.downwards():
        if region is not None:
            level[region] = level[forest.parent[region]] + 1
    return max(level.values())


def _comparisons(forest: Forest[Charge]) -> int:
    """Pairs of disjoint parts, in every coordinate."""
    coordinates = max((len(region.features) + 1 for region in forest.parent), default=0)
    return coordinates * sum(math.comb(len(parts), 2) for parts in forest.children.values())
