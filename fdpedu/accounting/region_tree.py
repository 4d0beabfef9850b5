"""What a record pays, when regions are nested or disjoint: sums along the paths of a tree of regions."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from fdpedu.accounting.cost import NOTHING, Amount, Cost, largest_of, sum_of
from fdpedu.derivation_checker import TOO_LONG, letters
from fdpedu.domain import Region
from fdpedu.domain.features import MAX_CODES


class Costing(Protocol):
    """Anything with a region and a cost."""

    @property
    def region(self) -> Region: ...
    @property
    def cost(self) -> Cost: ...


C = TypeVar("C", bound=Costing)
Index = tuple[int, int]  # the round, and the index in it, counted from 1
_ALL = (1 << MAX_CODES) - 1


@dataclass
class RegionTree(Generic[C]):
    """Charges by region; any two regions are nested or disjoint. Each charge carries its index.

    A record's regions are then one path, so the most that a record pays is the largest sum along a path. Whatever the
    dicts hold is immutable, so a copy shares it; and no function calls itself, so regions may be nested at any depth.

    Claims: thm-parallel
    """

    account: str = ""
    parent: dict[Region, Region | None] = field(default_factory=dict)
    children: dict[Region | None, tuple[Region, ...]] = field(default_factory=lambda: {None: ()})
    charges: dict[Region, tuple[tuple[Index, C], ...]] = field(default_factory=dict)
    names: int = 0  # that the charges state, and letters; those of regions depend on what is around them
    letters: int = 0
    denominator: int = 1  # a common one of all costs; no longer kept up beyond 400 digits
    _local_costs: dict[Region, Amount] = field(default_factory=dict)  # sums already made
    _named: dict[tuple[Region, Region | None], tuple[int, int]] = field(default_factory=dict)

    def copy(self) -> RegionTree[C]:
        dicts = (dict(self.parent), dict(self.children), dict(self.charges))
        known = dict(self._local_costs), dict(self._named)
        return RegionTree(self.account, *dicts, self.names, self.letters, self.denominator, *known)

    def insert(self, region: Region) -> bool:
        """Give the region its place; False if it overlaps another one without nesting, and then nothing changes."""
        at: Region | None = None
        while region not in self.parent:
            outer = next((below for below in self.children[at] if below.contains(region)), None)
            if outer is not None:  # and all others are apart from it
                at = outer
                continue
            meeting = [below for below in self.children[at] if not below.is_disjoint(region)]
            # lem-filter: the bound is exact because regions are nested or disjoint
            if all(region.contains(below) for below in meeting):
                self._link(region, at, meeting)
            else:
                return False
        return True

    def _link(self, region: Region, above: Region | None, below: list[Region]) -> None:
        inside = set(below)
        self.children[above] = (*(r for r in self.children[above] if r not in inside), region)
        self.parent[region], self.children[region], self.charges[region] = above, tuple(below), ()
        for r in below:
            self.parent[r] = region

    def add(self, charges: list[tuple[Index, C]], names: int = 0, letters: int = 0) -> None:
        """Book charges on one region of the tree; ``names`` and ``letters`` count what they state."""
        region = charges[0][1].region
        self.charges[region] += tuple(charges)
        self._local_costs.pop(region, None)
        self.names, self.letters = self.names + names, self.letters + letters
        for _, charge in charges:
            if self.denominator < TOO_LONG:
                parts = (part.denominator for part in charge.cost.amount)
                self.denominator = math.lcm(self.denominator, *parts)

    def local_cost(self, region: Region) -> Amount:
        if region not in self._local_costs:
            self._local_costs[region] = sum_of(charge.cost.amount for _, charge in self.charges[region])
        return self._local_costs[region]

    def named(self, region: Region, whole: Region | None) -> tuple[int, int]:
        """The numbers of coordinates and letters by which the region is written; without ``whole``, of all of them."""
        pair = region, self.parent[region] or whole
        if pair not in self._named:
            stated = region.to_json(pair[1] or Region((_ALL,) * len(region.features), _ALL))
            self._named[pair] = len(stated), letters(stated)
        return self._named[pair]

    def downwards(self, at: Region | None = None, meeting: Region | None = None) -> list[Region | None]:
        """``at`` (None: above all) and the regions inside it, outer ones first; only those that meet the given one."""
        found = [at]
        for outer in found:  # it grows while it is read
            found += [r for r in self.children[outer] if meeting is None or not r.is_disjoint(meeting)]
        return found

    def max_descendant_cost(self, at: Region | None = None, meeting: Region | None = None) -> Amount:
        """The most that a record pays in regions strictly inside this one (or at all); a record of ``meeting``."""
        most: dict[Region | None, Amount] = {}
        for outer in reversed(self.downwards(at, meeting)):
            inner = (r for r in self.children[outer] if r in most)
            # thm-parallel: a record is in one of the regions inside
            most[outer] = largest_of(self.local_cost(r).plus(most[r]) for r in inner)
        return most[at]

    def path_cost(self, region: Region) -> Amount:
        """The most that a record of this region pays."""
        above, at = NOTHING, self.parent[region]
        while at is not None:
            above, at = above.plus(self.local_cost(at)), self.parent[at]
        return above.plus(self.local_cost(region)).plus(self.max_descendant_cost(region))
