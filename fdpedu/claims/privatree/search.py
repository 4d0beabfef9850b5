"""What is made of noisy histograms is free: the split that they show as best, and the order of categories."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from types import ModuleType
from typing import Any

import numpy as np

from fdpedu.cart.candidates import Borders
from fdpedu.claims.better_trees.losses import by_pairs
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.domain import Categorical, Domain, Numeric, Region
from fdpedu.exact import Integers
from fdpedu.trees.designs.privatree.search import best_noisy_split, category_order

_LATTICE = 1024


def sides_by_hand(domain: Domain, region: Region, j: int, kept: Sequence[int] | None) -> Iterator[frozenset[int]]:
    """What may go left of a feature: bins below a border that is kept, or any categories of two classes."""
    feature, here = domain.features[j], sorted(region.codes(j))
    if isinstance(feature, Numeric):
        gap = {feature.n_bins} if feature.missing else set[int]()
        bins = [code for code in here if code not in gap]
        for below in bins[:-1]:
            if kept is None or below + 1 in kept:
                left = frozenset(code for code in bins if code <= below)
                yield from ({left | gap, left} if gap & set(here) else {left})
        if gap & set(here) and bins:
            yield frozenset(bins)
    elif domain.n_classes == 2:
        yield from (frozenset(some) for k in range(1, len(here)) for some in combinations(here, k))
    else:
        yield from (frozenset(here[:k]) for k in range(1, len(here)))


def share_by_hand(cells: Sequence[Sequence[int]], here: Sequence[int], left: frozenset[int], score: str) -> Fraction:
    """The loss of a split in parts of what the feature's own cells hold; 2 if they hold nothing."""
    classes = range(len(cells[0]))
    sides = [
        tuple(sum(max(0, cells[code][c]) for code in here if (code in left) == goes) for c in classes)
        for goes in (True, False)
    ]
    total = sum(map(sum, sides))
    return Fraction(by_pairs(sides[0], sides[1], score, _LATTICE), _LATTICE * total) if total else Fraction(2)


def best_by_hand(
    table: Integers, domain: Domain, region: Region, score: str, borders: Borders
) -> tuple[Fraction, dict[tuple[int, frozenset[int]], Fraction]]:
    """The least share of all splits, and the shares of all of them; categories of two classes by all their subsets."""
    first, found = 0, dict[tuple[int, frozenset[int]], Fraction]()
    for j, feature in enumerate(domain.features):
        cells = table[first : first + feature.n_codes].tolist()
        first += feature.n_codes
        kept = borders.kept[j] if borders.kept else None
        for left in sides_by_hand(domain, region, j, kept):
            found[j, left] = share_by_hand(cells, sorted(region.codes(j)), left, score)
    return min(found.values(), default=Fraction(2)), found


def the_best(domain: Domain, region: Region, borders: Borders, numbers: Sequence[int], score: str) -> None:
    """The split has the least share of loss of all that there are, of any sides of categories, too.

    It reads nothing but the cells in the region, where they are above 0. Where there is nothing it is None.
    """
    table = _table(domain, numbers)
    split = best_noisy_split(table, domain, region, score, borders)
    least, found = best_by_hand(table, domain, region, score, borders)
    if split is None:
        require(least == 2, f"no split is found, and one has the share {least}")
    else:
        own = found.get((split.feature, split.left & region.codes(split.feature)))
        require(own == least, f"{split} has the share {own}, the best {least}")
    inside = region.inside([feature.n_codes for feature in domain.features])
    other = np.where(inside[:, None], np.where(table < 0, -table.clip(-3, 0) - 99, table), 7 - table)
    again = best_noisy_split(other, domain, region, score, borders)
    require(again == split, f"cells below 0 and outside of the region change {split} into {again}")


def _table(domain: Domain, numbers: Sequence[int]) -> Integers:
    return np.resize(np.array(numbers, dtype=np.int64), (domain.n_codes, domain.n_classes))


def best_order(table: Sequence[tuple[int, ...]], score: str) -> None:
    """Of two classes: some beginning of the order of class shares leaves no more than any set of categories does."""
    counts, codes = np.array(table), list(range(len(table)))
    order = category_order(counts, codes)
    require(sorted(order) == codes, f"the order is {order}")
    beginnings = [frozenset(order[:k]) for k in range(1, len(order))]
    every = [frozenset(some) for k in range(1, len(codes)) for some in combinations(codes, k)]
    best, all_ = (min(share_by_hand(table, codes, left, score) for left in lefts) for lefts in (beginnings, every))
    require(best == all_, f"the best beginning of {order} leaves {best}, the best set {all_}")


def small_tables(most: int) -> Iterator[tuple[Sequence[tuple[int, ...]], str]]:
    """All counts up to so many in three categories; some in four."""
    cells = list(product(range(most + 1), repeat=2))
    for score in ("errors", "gini", "mixed"):
        yield from ((table, score) for table in product(cells, repeat=3))
        yield from ((table, score) for table in product(cells[1::2], repeat=4))


def random_tables(draw: ModuleType) -> Any:
    """A domain, a region, borders that are kept, noisy counts, and a score."""

    def of(domain: Domain) -> Any:
        kept = draw.tuples(*(_kept(draw, feature) for feature in domain.features)).map(Borders)
        borders = draw.st.one_of(kept, draw.st.just(Borders()))
        numbers = draw.st.lists(draw.integers(-3, 9), min_size=1, max_size=40)
        score = draw.st.sampled_from(["errors", "gini", "mixed"])
        return draw.tuples(draw.st.just(domain), draw.regions(domain), borders, numbers, score)

    return draw.domains(2, 5).flatmap(of)


def _kept(draw: ModuleType, feature: Any) -> Any:
    nothing: Any = draw.st.none()
    if isinstance(feature, Categorical) or feature.n_bins < 2:
        return nothing
    return draw.st.one_of(draw.st.sets(draw.integers(1, feature.n_bins - 1), min_size=1).map(sorted), nothing)


CLAIMS = (
    Claim(
        "lem-noisy-search-free",
        status="proved+checked",
        code=("fdpedu.trees.designs.privatree.search", "fdpedu.trees.designs.privatree.search.best_noisy_split"),
        checks=(
            Check(
                "categories",
                "exhaustive",
                "two classes, three categories with counts up to {size}, and some of four: the best beginning of the "
                "order of class shares against all sets",
                best_order,
                small_tables,
                2,
                4,
                more=lambda draw: draw.tuples(
                    draw.category_tables(6, 9), draw.st.sampled_from(["errors", "gini", "mixed"])
                ),
            ),
            Check(
                "by hand",
                "property",
                "{size} random domains, regions, kept borders and noisy tables: the split against all splits, loss by "
                "loss; cells below 0 and outside of the region change nothing",
                the_best,
                random_tables,
                300,
                3000,
            ),
        ),
        assumptions=("the histograms of all features of the node were released and paid for", "scores are concave"),
        uses=("thm-post-processing", "thm-node-histograms"),
    ),
)

TWINS = (
    Broken(
        "categories by the number of records",
        "fdpedu.trees.designs.privatree.search.category_order",
        "-shares[code]",
        "-counts[code].sum()",
        "A good split keeps large categories together, so they are put in the order of their size.",
        "lem-noisy-search-free",
        "categories",
    ),
    Broken(
        "the order of categories from the domain",
        "fdpedu.trees.designs.privatree.search.category_order",
        "counts.shape[1] > 2",
        "counts.shape[1] > 1",
        "An order from noisy counts would have to be paid for, so it must be a public one.",
        "lem-noisy-search-free",
        "categories",
    ),
    Broken(
        "cells below 0 left as they are",
        "fdpedu.trees.designs.privatree.search.best_noisy_split",
        "np.maximum(table, 0)",
        "table",
        "Noise is fair, so noisy cells are as good below 0 as above.",
        "lem-noisy-search-free",
        "by hand",
    ),
    Broken(
        "losses in records, not in shares",
        "fdpedu.trees.designs.privatree.search._share",
        "_LATTICE * total",
        "_LATTICE",
        "All features hold the same records, so their losses can be compared as they are.",
        "lem-noisy-search-free",
        "by hand",
    ),
    Broken(
        "splits at borders that were not kept",
        "fdpedu.trees.designs.privatree.search.splits_of",
        "candidates(domain, region, borders)",
        "candidates(domain, region)",
        "The histograms have all fine bins, so all their borders are there to be compared.",
        "lem-noisy-search-free",
        "by hand",
    ),
)
