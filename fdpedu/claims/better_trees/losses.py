"""What a split leaves, mixed of errors and impurity: a record raises it by 0 to m steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from types import ModuleType
from typing import Any

import numpy as np

from fdpedu.cart.losses import LOSSES, split_losses
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim

Node = tuple[int, ...]
ADD_REMOVE = "neighbours: one record added or removed"
GINI = {"errors": Fraction(0), "gini": Fraction(1), "mixed": Fraction(1, 4)}


def by_pairs(left: Node, right: Node, loss: str, lattice: int) -> int:
    """What a split leaves, by its words: records that are not of their side's largest class, and pairs that differ.

    Of a side of n records, n·h is the number of its pairs of different classes, divided by n.
    """
    whole, gini = Fraction(0), GINI[loss]
    for side in (left, right):
        differing = sum(a * b for i, a in enumerate(side) for b in side[i + 1 :])
        whole += (1 - gini) * (sum(side) - max(side)) + gini * Fraction(differing, max(1, sum(side)))
    return int(lattice * whole)


def value(splits: Sequence[tuple[Node, Node]], loss: str, lattice: int) -> None:
    """All splits at once have the losses that they have one by one, rounded down once."""
    left, right = (np.array(side) for side in zip(*splits, strict=True))
    found = split_losses(left, right, loss, lattice)
    expected = [by_pairs(*sides, loss, lattice) for sides in splits]
    require(found.tolist() == expected, f"the losses are {found}, by hand {expected}")


def rises(left: Node, right: Node, loss: str, lattice: int) -> None:
    """A record of any class, on either side, raises the loss by 0 to m."""
    splits = [(left, right)]
    for c in range(len(left)):
        more = [tuple(n + (k == c) for k, n in enumerate(side)) for side in (left, right)]
        splits += [(more[0], right), (left, more[1])]
    one, other = (np.array(side) for side in zip(*splits, strict=True))
    start, *found = split_losses(one, other, loss, lattice).tolist()
    changes = [after - start for after in found]
    require(0 <= min(changes) and max(changes) <= lattice, f"a record changes {start} by one of {changes}")


def small(most: int) -> Iterator[tuple[Node, Node, str, int]]:
    """Sides of at most so many records of each of two classes; of three classes, one record less."""
    for classes, fewer in ((2, 0), (3, 1)):
        sides = list(product(range(most - fewer + 1), repeat=classes))
        for left, right in product(sides, repeat=2):
            yield from ((left, right, loss, lattice) for loss in LOSSES for lattice in (1, 3, 1024))


def random_splits(draw: ModuleType) -> Any:
    """One to four splits of nodes that are small, or far beyond what 64 bits hold when squared and multiplied."""

    def of(size: tuple[int, int]) -> Any:
        most, classes = size
        pairs = draw.tuples(draw.nodes(most, classes), draw.nodes(most, classes))
        names = draw.integers(0, len(LOSSES) - 1).map(LOSSES.__getitem__)
        return draw.tuples(draw.st.lists(pairs, min_size=1, max_size=4), names, draw.integers(1, 2**16))

    return draw.tuples(draw.st.sampled_from([9, 10**4, 10**7, 2**40]), draw.integers(2, 4)).flatmap(of)


CLAIMS = (
    Claim(
        "lem-mixed-loss",
        status="proved+checked",
        code=("fdpedu.cart.losses.split_losses",),
        checks=(
            Check(
                "small nodes",
                "exhaustive",
                "all splits whose sides have at most {size} records of each of two classes (of three, one less), three "
                "losses, steps of 1, 1/3 and 1/1024: every record added",
                rises,
                small,
                2,
                5,
            ),
            Check(
                "value",
                "property",
                "{size} random lists of splits: the losses, by records in the minority and pairs that differ",
                value,
                random_splits,
                30,
                2000,
            ),
        ),
        assumptions=(ADD_REMOVE, "Gini is the report's half", "integers"),
        uses=("thm-concave-scores",),
    ),
)

TWINS = (
    Broken(
        "a slope of 2 without a 2",
        "fdpedu.cart.losses._in_steps",
        "errors = n_left - left.max(axis=-1) + n_right - right.max(axis=-1)",
        "errors = 2 * (n_left - left.max(axis=-1) + n_right - right.max(axis=-1))",
        "Wrong predictions less right ones differ by 2, and a factor does not matter where only the order does.",
        "lem-mixed-loss",
        "small nodes",
    ),
)
