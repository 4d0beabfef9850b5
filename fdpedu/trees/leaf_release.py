"""The counts of a leaf as they were released: what an interval for its rows is made from."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from fdpedu.accounting import Cost, as_cost
from fdpedu.accounting.cost import NAMES, PURE, Priced
from fdpedu.domain import Domain, Region
from fdpedu.exact import as_integer, as_list, require_type
from fdpedu.federation import ClassCounts

_ASKED: dict[str, Any] = {"type": ClassCounts.type, "parameters": {}}  # what such a release answers


@dataclass(frozen=True)
class LeafRelease:
    """The fresh class counts of one leaf, before anything was made of them.

    Parameters
    ----------
    region : whose records were counted
    counts : one noisy integer for each class, of any sign
    cost : of the release; a number is ε
    """

    region: Region
    counts: tuple[int, ...]
    cost: Priced

    def __post_init__(self) -> None:
        require_type(self.region, Region, "region")
        counts = as_list(self.counts, "counts")
        object.__setattr__(
            self, "counts", tuple(as_integer(n, "counts", minimum=-(2**63) + 1, maximum=2**63 - 1) for n in counts)
        )
        object.__setattr__(self, "cost", as_cost(self.cost, "epsilon"))

    @property
    def epsilon(self) -> Fraction:
        """ε of a release that costs ε; one that costs ρ has none."""
        found: Fraction = self.cost.epsilon
        return found

    def to_json(self, domain: Domain) -> dict[str, Any]:
        """The entry of a tree's file."""
        region = self.region.to_json(domain.everything)
        return {**_ASKED, "region": region, "counts": list(self.counts), NAMES[self.cost.measure]: str(self.cost.value)}

    @classmethod
    def from_json(cls, found: dict[str, Any], domain: Domain, measure: str = PURE) -> LeafRelease:
        """The release that was written so, of a budget in this measure; one count for each class of the domain."""
        sound = set(found) == {*_ASKED, "region", "counts", NAMES[measure]} and all(
            found[key] == _ASKED[key] for key in _ASKED
        )
        if not sound or len(found["counts"]) != domain.n_classes:
            raise ValueError(
                f"a leaf release needs the type {ClassCounts.type}, no parameters, a region, an epsilon or a rho, and "
                "a count for each class"
            )
        cost = Cost(measure, found[NAMES[measure]])
        return cls(Region.from_json(found["region"], domain.everything), tuple(found["counts"]), cost)
