"""The stated law of a tree of one owner, from records that are counted one by one.

Checks of thm-privatree.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from fdpedu.cart import Node, candidates
from fdpedu.cart.candidates import ALL_BORDERS
from fdpedu.claims.better_trees.law import class_counts, inside
from fdpedu.claims.better_trees.losses import by_pairs
from fdpedu.claims.privatree.law import HALF
from fdpedu.claims.privatree.search import best_by_hand
from fdpedu.domain import Domain, Region
from fdpedu.mechanisms import permute_and_flip_pmf
from fdpedu.trees.clamped_tables import Data, clamped


@dataclass(frozen=True)
class ByHand:
    """The stated law of a tree, from records that are counted one by one.

    Shares: cart.candidates, mechanisms.permute_and_flip_pmf, trees.clamped_tables.clamped: the public list of splits,
    and the laws of one draw and of one clamped count, each with claims of its own.

    Parameters
    ----------
    domain, splits, counts : small; how nodes are split; whether leaves tell counts
    level, leaf : what a level and a leaf cost, in steps of ln 2
    """

    domain: Domain
    splits: str
    counts: bool
    level: Fraction
    leaf: int

    def law(self, region: Region, data: Data, levels: int) -> dict[Any, Fraction]:
        """Of each tree below a region: its splits, as what goes left, and what its leaves tell."""
        ways = self.ways(region, data) if levels else []
        if not ways:
            return self._leaf(region, data)
        found = dict[Any, Fraction]()
        for (j, left), mass in ways:
            here = region.codes(j)
            sides = (region.restrict(j, left & here), region.restrict(j, here - left))
            below = (self.law(side, inside(data, side), levels - 1).items() for side in sides)
            for (a, p), (b, q) in product(*below):
                found[j, left & here, a, b] = found.get((j, left & here, a, b), Fraction(0)) + mass * p * q
        return found

    def ways(self, region: Region, data: Data) -> list[tuple[tuple[int, frozenset[int]], Fraction]]:
        """The splits of a node, each with its probability."""
        listed = candidates(self.domain, region)
        splits = [(listed[k].feature, listed[k].left) for k in range(len(listed))]
        if not splits:
            return []
        if self.splits == "random":
            features = [j for j, _ in splits]
            return [(s, Fraction(1, len(set(features)) * features.count(s[0]))) for s in splits]
        if self.splits == "histograms":
            return self._searched(region, data, splits)
        losses = [self._errors(region, data, *split) for split in splits]
        masses: list[Any] = permute_and_flip_pmf([-int(self.level * loss) for loss in losses], alpha=HALF)
        return list(zip(splits, masses, strict=True))

    def _errors(self, region: Region, data: Data, j: int, left: frozenset[int]) -> int:
        here = region.codes(j)
        one, other = (region.restrict(j, codes) for codes in (left & here, here - left))
        return by_pairs(class_counts(self.domain, one, data), class_counts(self.domain, other, data), "errors", 1)

    def _searched(self, region: Region, data: Data, splits: Sequence[Any]) -> list[tuple[Any, Fraction]]:
        """By all tables of zeros and ones of the node: the first split of least share."""
        alpha, classes = HALF ** int(self.level / self.domain.n_features), range(self.domain.n_classes)
        cells = [(j, code, c) for j, f in enumerate(self.domain.features) for code in range(f.n_codes) for c in classes]
        there = [k for k, (j, code, _) in enumerate(cells) if code in region.codes(j)]
        exact = [sum(r[j] == code and r[-1] == c for r in data) for j, code, c in (cells[k] for k in there)]
        laws = [clamped(count, alpha, 0, 1) for count in exact]
        found = dict[Any, Fraction]()
        for bits in product((0, 1), repeat=len(there)):
            table = np.zeros(len(cells), dtype=np.int64)
            table[there] = bits
            mass = Fraction(1)
            for law, bit in zip(laws, bits, strict=True):
                mass *= law[bit]
            shaped = table.reshape(-1, self.domain.n_classes)
            least, shares = best_by_hand(shaped, self.domain, region, "errors", ALL_BORDERS)
            split = splits[0] if least == 2 else next(s for s in shares if shares[s] == least)
            found[split] = found.get(split, Fraction(0)) + mass
        return list(found.items())

    def _leaf(self, region: Region, data: Data) -> dict[Any, Fraction]:
        own = class_counts(self.domain, region, data)
        if not self.counts:
            law: list[Any] = permute_and_flip_pmf([self.leaf * count for count in own], alpha=HALF)
            return {c: mass for c, mass in enumerate(law) if mass}
        found: dict[Any, Fraction] = {(): Fraction(1)}
        for count in own:
            one = clamped(count, HALF**self.leaf, 0, 1)
            found = {(*told, k): p * q for told, p in found.items() for k, q in enumerate(one)}
        return dict(found)


def as_by_hand(root: Node, domain: Domain, released: Iterator[tuple[int, ...]] | None) -> Any:
    """A tree as the law by hand writes it."""

    def of(node: Node, region: Region) -> Any:
        if node.left is None or node.right is None:
            return node.counts.index(1) if released is None else next(released)
        split: Any = node.split
        here = region.codes(split.feature)
        left, right = split.left & here, here - split.left
        below = [
            of(side, region.restrict(split.feature, codes)) for side, codes in ((node.left, left), (node.right, right))
        ]
        return split.feature, left, *below

    return of(root, domain.everything)
