"""What a record pays, when regions are nested or disjoint: sums along the paths of a forest."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Generic, Protocol, TypeVar

from fdpedu.domain import Region


class Cost(Protocol):
    """Anything with a region and an ε."""

    @property
    def region(self) -> Region: ...
    @property
    def epsilon(self) -> Fraction: ...


C = TypeVar("C", bound=Cost)
Place = tuple[int, int]  # the round, and the place in it, counted from 1


@dataclass
class Forest(Generic[C]):
    """Charges by region; any two regions are nested or disjoint. Each charge carries its place.

    A record's regions are then one path, so the most that a record pays is the largest sum along a path.

    Claims: thm-parallel
    """

    book: str = ""
    parent: dict[Region, Region | None] = field(default_factory=dict)
    children: dict[Region | None, list[Region]] = field(default_factory=lambda: {None: []})
    charges: dict[Region, list[tuple[Place, C]]] = field(default_factory=dict)

    def copy(self) -> Forest[C]:
        return Forest(
            self.book,
            dict(self.parent),
            {region: list(below) for region, below in self.children.items()},
            {region: list(charges) for region, charges in self.charges.items()},
        )

    def make_room(self, region: Region) -> bool:
        """Give the region its place; False if it overlaps another one without nesting, and then nothing changes."""
        at: Region | None = None
        while region not in self.parent:
            meeting = [below for below in self.children[at] if not below.is_disjoint(region)]
            outer = next((below for below in meeting if below.contains(region)), None)
            if outer is not None:
                at = outer
            elif all(region.contains(below) for below in meeting):
                self._insert(region, at, meeting)
            else:
                return False
        return True

    def _insert(self, region: Region, above: Region | None, below: list[Region]) -> None:
        self.children[above] = [r for r in self.children[above] if r not in below] + [region]
        self.parent[region], self.children[region], self.charges[region] = above, below, []
        for r in below:
            self.parent[r] = region

    def own(self, region: Region) -> Fraction:
        return sum((charge.epsilon for _, charge in self.charges[region]), Fraction(0))

    def below(self, region: Region | None = None) -> Fraction:
        """The most that a record pays in regions strictly inside this one (or at all)."""
        return max((self.own(r) + self.below(r) for r in self.children[region]), default=Fraction(0))

    def through(self, region: Region) -> Fraction:
        """The most that a record of this region pays."""
        above, at = Fraction(0), self.parent[region]
        while at is not None:
            above, at = above + self.own(at), self.parent[at]
        return above + self.own(region) + self.below(region)

    def paid(self, region: Region | None = None, at: Region | None = None) -> Fraction:
        """The most that a record of the region (or any record) pays; ``at`` is where the path has come to."""
        below = [r for r in self.children[at] if region is None or not r.is_disjoint(region)]
        return max((self.own(r) + self.paid(region, r) for r in below), default=Fraction(0))
