"""Missing values with a code of their own: a record's code depends on it alone, a split on what was released."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from fdpedu.cart import GridSearch, best_grid_split, exact_scaled_half_gini, grid_histograms
from fdpedu.claims.checking import require
from fdpedu.claims.federations import Case, from_sums_alone, grow
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.trees.federated import ADD_REMOVE, OBSERVER
from fdpedu.domain import Categorical, Domain, Numeric, Rows
from fdpedu.exact import Integers
from fdpedu.privacy import datasets
from fdpedu.randomness import Rehearsal
from fdpedu.simulation.grid import Grid
from fdpedu.simulation.search import Search

AGE = Numeric.grid("age", 0, 3, bins=3, missing=True)
WARD = Categorical("ward", ("A", "B"), missing=True)
BOTH = Domain([Numeric.grid("age", 0, 2, bins=2, missing=True), WARD], ("well", "ill"))
GAPS = Domain([AGE], ("well", "ill"))


def own_code(rows: Rows, record: tuple[Any, ...]) -> None:
    """A record more leaves the codes of all others, and adds 1 to one cell of each feature and class."""
    codes, more = (BOTH.encode([row[:-1] for row in some]) for some in (rows, [*rows, record]))
    require(more[:-1].tolist() == codes.tolist(), f"with {record} the other records are coded otherwise")
    expected = [feature.n_codes - 1 if record[j] is None else None for j, feature in enumerate(BOTH.features)]
    for code, wanted in zip(more[-1].tolist(), expected, strict=True):
        require(wanted is None or code == wanted, f"a missing value has the code {code}, not {wanted}")
    moved = _counts([*rows, record]) - _counts(rows)
    cells = np.split(moved, [BOTH.features[0].n_codes])
    require(all(np.abs(own).sum() == own.max() == 1 for own in cells), f"{record} moves the counts by {moved.tolist()}")


def _counts(rows: Rows) -> Integers:
    codes, labels = BOTH.encode([row[:-1] for row in rows]), BOTH.encode_labels([row[-1] for row in rows])
    return np.concatenate(grid_histograms(codes, labels, BOTH))


def few_records(most: int) -> Iterator[tuple[Rows, tuple[Any, ...]]]:
    """All data of at most ``most`` records of which values may be missing, and every record more."""
    every = list(product([0.5, 1.5, None], [*WARD.categories, None], BOTH.classes))
    for rows in datasets(every, most):
        yield from ((list(rows), record) for record in every)


def either_side(cells: tuple[int, ...]) -> None:
    """The least n·G of all borders, with missing values on either side, is found: in the three ways that search."""
    table = np.array(cells, dtype=np.int64).reshape(AGE.n_codes, 2)
    below = [frozenset(range(k)) for k in range(1, AGE.n_bins + 1)]
    family = [codes | more for codes in below for more in (frozenset[int](), frozenset({AGE.n_bins}))]
    left_over = [_left_over(table, codes) for codes in family]
    least = min((impurity for impurity in left_over if impurity is not None), default=None)
    fast = GridSearch(GAPS).best_splits(table[None])[0]
    batched = Search(Grid(GAPS)).best(table.T[:, :, None, None].astype(float))
    found = [None if best is None else best.split.left for best in (best_grid_split([table], GAPS), fast)]
    found.append(frozenset(np.flatnonzero(batched.left[0]).tolist()) if batched.found[0] else None)
    for codes in found:
        got = None if codes is None else _left_over(table, codes)
        require(got == least, f"of {table.tolist()} the codes {codes} go left: n·G is {got}, the least is {least}")
        require(codes is None or codes & _held(table) in [side & _held(table) for side in _sides(family)], "no border")


def _held(table: Integers) -> frozenset[int]:
    return frozenset(np.flatnonzero(table.any(axis=1)).tolist())


def _sides(family: list[frozenset[int]]) -> list[frozenset[int]]:
    """The left sides, and the right ones: a split may be turned round."""
    everything = frozenset(range(AGE.n_codes))
    return [*family, *(everything - left for left in family)]


def _left_over(table: Integers, left: frozenset[int]) -> Any:
    """n·G of a split; None if a side is empty."""
    sides = [
        table[[code in left for code in range(len(table))]],
        table[[code not in left for code in range(len(table))]],
    ]
    counts = [side.sum(axis=0).tolist() for side in sides]
    return sum(map(exact_scaled_half_gini, counts)) if all(map(any, counts)) else None


def from_releases(case: Case, depth: int, seed: int) -> None:
    """Parties without rows, given the same answers, grow the same tree: no side depends on anything else."""
    options = {"design": "averaged", "max_depth": depth, "min_samples_split": 2}
    from_sums_alone(case, lambda rows, turn: grow((case[0], rows), 9, Rehearsal(seed + turn), **options)[0].root)


def with_gaps(draw: Any) -> Any:
    """Parties with rows that have gaps, in one feature or in two, a depth and a seed."""

    def of(domain: Domain) -> Any:
        parts = draw.st.lists(draw.tables(domain), min_size=2, max_size=3)
        return draw.tuples(draw.tuples(draw.st.just(domain), parts), draw.integers(1, 3), draw.integers(0, 99))

    return draw.st.sampled_from([GAPS, BOTH]).flatmap(of)


CLAIMS = (
    Claim(
        "lem-missing-code",
        status="proved+checked",
        code=(
            "fdpedu.domain.features.Numeric",
            "fdpedu.domain.features.Categorical",
            "fdpedu.cart.split.best_grid_split",
            "fdpedu.cart.local_grid.local_impurity_steps",
        ),
        checks=(
            Check(
                "own code",
                "exhaustive",
                "two features with gaps, data of at most {size} records, all to add: codes of the others, cells",
                own_code,
                few_records,
                1,
                2,
            ),
            Check(
                "either side",
                "exhaustive",
                "all counts to {size} of three bins, missing values and two classes, by three searches",
                either_side,
                lambda most: ((cells,) for cells in product(range(most + 1), repeat=8)),
                1,
                2,
            ),
            Check(
                "only released",
                "property",
                "{size} random cases with gaps: parties without rows, given the same answers, grow the same tree",
                from_releases,
                with_gaps,
                12,
                500,
            ),
        ),
        assumptions=(ADD_REMOVE, "integers", OBSERVER),
        uses=("thm-histogram", "thm-federated-tree", "thm-post-processing"),
    ),
)

_FEATURE = "self.federation.domain.features[chosen.feature]"
_CODES = "ask.__self__._records.columns[chosen.feature]"  # what only a simulation can reach: the codes of a party

TWINS = (
    Broken(
        "filled in with the party's most frequent bin",
        "fdpedu.domain.features.Numeric.read",
        "Reading(self._codes(values), ",
        "Reading(np.where(np.isnan(values), np.bincount(self._codes(values), minlength=1).argmax().astype(np.uint8), "
        "self._codes(values)), ",
        "What is usual is the best guess, and nobody sees which values were filled in.",
        "lem-missing-code",
        "own code",
    ),
    Broken(
        "missing values always go right",
        "fdpedu.domain.features.Numeric.orders",
        "((*bins, self.n_bins), (self.n_bins, *bins)) if",
        "((*bins, self.n_bins),) if",
        "What is not known to be small is not small.",
        "lem-missing-code",
        "either side",
    ),
    Broken(
        "the side of missing values from raw counts",
        "fdpedu.trees.count_growth.CountGrowth._sides",
        "self.level[i].split(chosen)",
        f"self.level[i].split(type(chosen)(chosen.feature, chosen.left ^ {{f.n_codes - 1}}) if (f := {_FEATURE})"
        ".ordered and f.missing and 1 < len(chosen.left) < f.n_bins and any("
        f"({_CODES} == f.n_codes - 1).any() for ask in self.federation._endpoints) else chosen)",
        "The split was paid for; on which side of it a few gaps lie is a detail.",
        "lem-missing-code",
        "only released",
    ),
)
