"""Counts in groups of bins: one cell of each feature, whatever is put together, and the price of p releases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import numpy as np

from fdpedu.claims.checking import require
from fdpedu.claims.histograms.node import steps, tallied
from fdpedu.claims.histograms.release import ADD_REMOVE, OBSERVER, ROOT, row_sets
from fdpedu.claims.mutation import Broken
from fdpedu.claims.noisy_counts import worst_ratio
from fdpedu.claims.records import Check, Claim
from fdpedu.domain import Categorical, Domain, Feature, Numeric, Rows, code_groups
from fdpedu.federation import GroupCounts, NodeHistograms

GAPS = Domain(
    [Numeric("x", (0, 1, 4, 9), missing=True), Categorical("w", ("A", "B"), missing=True)],
    ("well", "ill"),
)
ONE = Fraction(1)
NONE = float("nan")
Case = tuple[Domain, int, Rows, Sequence[Any]]


def data(most: int) -> Iterator[Case]:
    """Three uneven bins and two categories, with missing values, in 2 and 3 groups: all data of so many records."""
    records = list(product((1, 4, 5, NONE), ("A", "B", None), GAPS.classes))
    for groups, rows, record in product((2, 3), row_sets(records, most), records):
        yield GAPS, groups, rows, record


def one_cell(domain: Domain, groups: int, rows: Rows, record: Sequence[Any]) -> None:
    """A record raises one cell of each feature by 1, and nothing else: the distances are the stated ones, attained."""
    query = GroupCounts(domain.everything, ONE, groups)
    before, after = (np.array(tallied(query, some, domain)) for some in (rows, [*rows, record]))
    require(before.shape == after.shape == query.shape(domain), f"there are {before.size} cells, and {after.size}")
    ends = np.cumsum([int(code_groups(feature, groups)[-1]) + 1 for feature in domain.features], dtype=np.int64)[:-1]
    moved = [sorted(part.tolist()) for part in np.split(after - before, ends)]
    require(all(part == [0] * (len(part) - 1) + [1] for part in moved), f"the cells of the features move by {moved}")
    p = domain.n_features
    stated = (query.n_releases * query.sensitivity, query.l2_squared, query.cells)
    require(stated == (p, p, p), f"ℓ₁, ℓ₂² and cells are stated as {stated}, and attained are {p}")


def whole_counts(domain: Domain, groups: int, rows: Rows, record: Sequence[Any]) -> None:
    """The counts are those of the class × bin histograms, added up over classes and over the bins of a group."""
    asked, whole = GroupCounts(domain.everything, ONE, groups), NodeHistograms(domain.everything, ONE)
    by_code = np.array(tallied(whole, rows, domain)).reshape(domain.n_codes, -1).sum(axis=1).tolist()
    expected = list[int]()
    for feature in domain.features:
        cells = code_groups(feature, groups).tolist()
        sums = [0] * (max(cells) + 1)
        for cell in cells:
            sums[cell] += by_code.pop(0)
        expected += sums
    found = tallied(asked, rows, domain)
    require(found == expected, f"counted are {found}, and the histograms add up to {expected}")


def features(most: int) -> Iterator[tuple[Feature, int]]:
    """Numeric and categorical features with and without a code for missing values, in all numbers of groups."""
    for n, groups, missing in product(range(2, most + 1), range(2, most + 3), (False, True)):
        yield Numeric.grid("x", 0, 1, n, missing=missing), groups
        yield Categorical("w", tuple(map(str, range(n))), missing=missing), groups


def without_gaps(feature: Feature, groups: int) -> None:
    """Groups are of adjacent bins, alike in size but for one; missing values and categories have cells of their own."""
    cells = code_groups(feature, groups).tolist()
    bins = feature.n_codes - feature.missing
    require(len(cells) == feature.n_codes, f"{len(cells)} codes have a cell, of {feature.n_codes}")
    require(cells[0] == 0 and {b - a for a, b in pairwise(cells)} <= {0, 1}, f"cells are not in order: {cells}")
    sizes = [cells.count(cell) for cell in range(cells[-1] + 1)]
    if feature.missing:
        require(sizes.pop() == 1, f"a missing value shares a cell with another code: {cells}")
    expected = min(groups, bins) if feature.ordered else bins
    require(len(sizes) == expected and max(sizes) - min(sizes) <= 1, f"the groups are of {sizes} bins")


def price(p: int, groups: int) -> None:
    """The worst ratio of neighbours' answers is e^{p·rate}, which is what is charged; in ρ it is ℓ₂² = p."""
    domain = Domain([Numeric.grid(f"x{j}", 0, 4, bins=4) for j in range(p)], ("well", "ill"))
    query, record = GroupCounts(domain.everything, ONE, groups), [*[3.5] * p, "ill"]
    before, after = (tallied(query, some, domain) for some in ([[*[0.5] * p, "well"]], [[*[0.5] * p, "well"], record]))
    moved = [b - a for a, b in zip(before, after, strict=True) if a != b]
    require(worst_ratio(moved, [0] * len(moved), ROOT) == ROOT**-p, f"a record moves the cells by {moved}")
    require(steps(query, domain) == p, f"charged is {steps(query, domain)} times the rate of each of {p} features")
    require(query.l2_squared == sum(d * d for d in moved), f"ℓ₂² is stated as {query.l2_squared}")


CLAIMS = (
    Claim(
        "lem-group-counts",
        status="proved+checked",
        code=("fdpedu.domain.groups.code_groups", "fdpedu.federation.queries.counts.GroupCounts"),
        checks=(
            Check(
                "one cell",
                "exhaustive",
                "two features with missing values, two numbers of groups, all data of at most {size} records",
                one_cell,
                data,
                1,
                2,
            ),
            Check(
                "added up",
                "exhaustive",
                "the same data: class × bin histograms, added up over classes and groups",
                whole_counts,
                data,
                1,
                2,
            ),
            Check(
                "groups",
                "exhaustive",
                "2 to {size} bins or categories, with and without missing values, all numbers of groups",
                without_gaps,
                features,
                12,
                40,
                more=[(Numeric.grid("x", 0, 1, 256), 32), (Numeric.grid("x", 0, 1, 255, missing=True), 256)],
            ),
            Check(
                "price",
                "exact",
                "1 to {size} features, 2 and 4 groups: the worst ratio, and ℓ₂², are what is charged",
                price,
                lambda most: product(range(1, most + 1), (2, 4)),
                6,
                30,
                more=[(2, 3)],
            ),
        ),
        assumptions=(ADD_REMOVE, "integers", OBSERVER, "bins, groups and categories are public"),
        uses=("thm-node-histograms", "thm-queries-in-rho"),
    ),
)

_COUNTS = "fdpedu.federation.queries.counts.GroupCounts"
_COUNTED = "occurrences(cells.take(as_indices(column.take(as_indices(rows)))), int(cells[-1]) + 1)"
TWINS = (
    Broken(
        "classes at the price of none",
        f"{_COUNTS}.tally",
        _COUNTED,
        "np.bincount(cells.take(column.take(rows)), 1 + records.labels.take(rows), int(cells[-1]) + 1).astype('q')",
        "A record of the second class may count twice: a cell is still one number.",
        "lem-group-counts",
        "one cell",
    ),
    Broken(
        "the missing cell is free",
        f"{_COUNTS}.tally",
        _COUNTED,
        "np.bincount(cells.take(column.take(rows)), minlength=int(cells[-1]) + 1)"
        " + feature.missing * (np.arange(int(cells[-1]) + 1) == 0) * (column.take(rows) == len(cells) - 1).sum()",
        "How many values are missing is no histogram, so they are counted beside it.",
        "lem-group-counts",
        "one cell",
    ),
    Broken(
        "groups that were seen",
        f"{_COUNTS}.tally",
        _COUNTED,
        "occurrences(cells.take(as_indices(column.take(as_indices(rows)))), 0)",
        "An empty group has nothing to hide.",
        "lem-group-counts",
        "one cell",
    ),
    Broken(
        "one release of all groups",
        f"{_COUNTS}.n_releases",
        "return len(self.region.features)",
        "return 1",
        "Counts without classes are one answer.",
        "lem-group-counts",
        "price",
    ),
    Broken(
        "missing values in the last group",
        "fdpedu.domain.groups.code_groups",
        "range(n, n + feature.n_codes - bins)",
        "range(n - 1, n - 1 + feature.n_codes - bins)",
        "The code of a missing value comes after the last bin, so it is large.",
        "lem-group-counts",
        "groups",
    ),
)
