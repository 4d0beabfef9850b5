"""What the published code does instead of what the report says: fourteen named switches, and what each one leads to.

A study runs with any of them. ``PUBLISHED`` has all of them on, ``PRINTED`` has one (the report's own text pays the
bounds of all features as if they were one), and ``Faults()`` has none. To see what a fault does, mend it alone:

>>> mended = PUBLISHED.without("short_bincount")
>>> mended.short_bincount, mended.raw_ranges
(False, True)
>>> PRINTED.names()
('undivided_bounds',)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from types import MappingProxyType

from fdpedu.exact import quoted


@dataclass(frozen=True)
class Faults:
    """The switches: True does what the published code does, False what the report says and can be paid for.

    Parameters
    ----------
    raw_ranges : bins lie between the smallest and the largest value among the node's raw rows
    undivided_bounds : the noise of each of the p bounds of a node has the scale of one bound paid alone
    bounds_without_zeros : a party's bound counts rows of class 1 only, so it is 0
    infinite_bounds : a party without a row of class 1 in the node reports ∞, for all features
    short_bincount : a leaf with rows of class 0 only has their number counted for both classes
    empty_child_is_leaf : a node whose split leaves one side truly empty becomes a leaf
    doubled_rows : training and test set have 2n rows, of which the parties see n
    no_parties : the trees of Figure 2 are given no parties, so their bounds are noise around 0
    own_stopping : a total equal to the least number stops a node too, and Algorithm 6 has another one-class rule
    clipped_shares : splits with a side ≤ 0 are passed over, and shares are clipped at 0 and 1
    own_totals : Algorithm 6 compares n·G of features, each with its own noisy n, where the report says G
    leaf_margin : counts that differ by less than .3 give class 0, and a leaf without a split has what its parent saved
    strict_threshold : x < t goes left, where the report says x ≤ t
    no_federation : the noise is drawn once, in the middle, by whoever has seen the exact counts
    """

    raw_ranges: bool = False
    undivided_bounds: bool = False
    bounds_without_zeros: bool = False
    infinite_bounds: bool = False
    short_bincount: bool = False
    empty_child_is_leaf: bool = False
    doubled_rows: bool = False
    no_parties: bool = False
    own_stopping: bool = False
    clipped_shares: bool = False
    own_totals: bool = False
    leaf_margin: bool = False
    strict_threshold: bool = False
    no_federation: bool = False

    def __post_init__(self) -> None:
        for name in CONSEQUENCES:
            if not isinstance(getattr(self, name), bool):
                raise ValueError(f"{name} must be True or False, got {quoted(getattr(self, name))}")

    def names(self) -> tuple[str, ...]:
        """The switches that are on.

        >>> Faults(no_federation=True).names()
        ('no_federation',)
        """
        return tuple(name for name in CONSEQUENCES if getattr(self, name))

    def without(self, *names: str) -> Faults:
        """The same with these faults mended."""
        return self._switched(names, False)

    def with_(self, *names: str) -> Faults:
        """The same with these faults put in.

        >>> Faults().with_("raw_ranges").names()
        ('raw_ranges',)
        """
        return self._switched(names, True)

    def _switched(self, names: tuple[str, ...], on: bool) -> Faults:
        for name in names:
            if not isinstance(name, str) or name not in CONSEQUENCES:
                raise ValueError(f"a fault must be one of {', '.join(CONSEQUENCES)}, got {quoted(name)}")
        return replace(self, **dict.fromkeys(names, on))


CONSEQUENCES: Mapping[str, str] = MappingProxyType(
    {
        "raw_ranges": "the borders of the bins are values of patients: no ε is finite",
        "undivided_bounds": "one record moves p bounds and pays for one: the bounds cost p times what is booked",
        "bounds_without_zeros": "Theorem 7 is never used: features are dropped by the order of pure noise",
        "infinite_bounds": "it is told whether some party has no row of class 1, and all features but the first go",
        "short_bincount": "the label of such a leaf is a coin; whether class 1 occurs is told: no ε is finite",
        "empty_child_is_leaf": "it is told whether a side is truly empty: no ε is finite",
        "doubled_rows": "“n = 250” is 500 training rows for the private trees and 50 for the local one",
        "no_parties": "the heat map of Figure 2 says nothing about bounds",
        "own_stopping": "nodes stop a little earlier; nothing follows for privacy",
        "clipped_shares": "impurities are often exactly 0, and the first feature wins the ties",
        "own_totals": "a feature is preferred for the noise in its total",
        "leaf_margin": "a leaf without information says class 0 more often than class 1",
        "strict_threshold": "nothing where values are continuous; with ties, rows on the other side",
        "no_federation": "no shares and no masks: one place sees all exact counts and must be trusted",
    }
)
"""In one line, what follows from each fault."""

UNBOUNDED = ("raw_ranges", "infinite_bounds", "short_bincount", "empty_child_is_leaf")
"""The faults with any of which no ε is finite. (Infinite bounds matter where bounds are asked for: in Algorithm 6.)"""

PUBLISHED = Faults(**{field.name: True for field in fields(Faults)})
"""All of them: the code from which the report's figures were made."""

PRINTED = Faults(undivided_bounds=True)
"""The report's text: Algorithm 6 as printed gives every one of a node's p bounds the budget of all."""
