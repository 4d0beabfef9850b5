"""A number in place of a class: its loss, its border, and a regression tree at a stated ε."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from types import ModuleType
from typing import Any

import numpy as np

from fdpedu.accounting import Ledger
from fdpedu.cart.losses import split_losses
from fdpedu.claims.better_trees.law import Record, records
from fdpedu.claims.better_trees.losses import ADD_REMOVE, Node, rises
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.secret_sharing.vote import HALF, vote_law, within
from fdpedu.claims.trees.federated import OBSERVER, ONE_PARTY
from fdpedu.domain import Domain
from fdpedu.federation import ClippedWarning, Federation, Party
from fdpedu.privacy import datasets
from fdpedu.randomness import Rehearsal
from fdpedu.trees import Tree, fit_federated_tree
from fdpedu.trees.clamped_tables import Data

STAY = Domain.from_spec({"features": {"age": [0, 3, 3], "dose": [0, 2, 2]}, "target": [0, 12, 3]})


def by_numbers(left: Node, right: Node, lattice: int) -> int:
    """What a split leaves, by its words: squared distances of places from their side's mean, rounded down once."""
    whole = Fraction(0)
    for side in (left, right):
        n, places = sum(side), [Fraction(k, max(1, len(side) - 1)) for k in range(len(side))]
        mean = sum((count * place for count, place in zip(side, places, strict=True)), Fraction(0)) / max(1, n)
        whole += sum(count * (place - mean) ** 2 for count, place in zip(side, places, strict=True))
    return int(lattice * whole)


def value(splits: Sequence[tuple[Node, Node]], lattice: int) -> None:
    """All splits at once have the losses that they have one by one."""
    left, right = (np.array(side) for side in zip(*splits, strict=True))
    found = split_losses(left, right, "squared", lattice)
    expected = [by_numbers(*sides, lattice) for sides in splits]
    require(found.tolist() == expected, f"the losses are {found}, by hand {expected}")


def random_splits(draw: ModuleType) -> Any:
    """One to four splits of sides that are small, or far beyond what 64 bits hold when squared and multiplied."""

    def of(size: tuple[int, int]) -> Any:
        pairs = draw.tuples(draw.nodes(*size), draw.nodes(*size))
        return draw.tuples(draw.st.lists(pairs, min_size=1, max_size=4), draw.integers(1, 2**16))

    return draw.tuples(draw.st.sampled_from([9, 10**4, 10**7, 2**33]), draw.integers(2, 5)).flatmap(of)


def small_sides(most: int) -> Iterator[tuple[Node, Node, str, int]]:
    """Sides of at most so many records of each of two levels; of three levels, one less."""
    for levels, fewer in ((2, 0), (3, 1)):
        sides = list(product(range(most - fewer + 1), repeat=levels))
        for left, right in product(sides, repeat=2):
            yield from ((left, right, "squared", lattice) for lattice in (1, 3, 1024))


# --- the border and the votes -----------------------------------------------------------------------------------------


def border(numbers: Sequence[float]) -> None:
    """Each number has the level of the public range that it lies in, or the nearest one, whatever stands beside it."""
    assert STAY.target is not None
    edges = STAY.target.edges
    expected = [next((k for k in range(3) if x <= edges[k + 1]), 2) for x in numbers]
    found = STAY.encode_labels(list(numbers)).tolist()
    require(found == expected, f"{numbers} have the levels {found}, and should have {expected}")


def random_numbers(draw: ModuleType) -> Any:
    """One to five numbers, some far beyond the range."""
    one = draw.st.one_of(draw.integers(-3, 15).map(float), draw.st.sampled_from([-1e300, 1e300, 255.0, 1e9, 4.0, 8.5]))
    return draw.tuples(draw.st.lists(one, min_size=1, max_size=5))


def one_epsilon(data: Data, record: Record) -> None:
    """With a record more at one of two parties no totals are more than e^ε times as likely, nor its vote alone."""
    one, other, empty = (
        vote_law(STAY, STAY.everything, some, HALF, 2, "squared") for some in (data, (*data, record), ())
    )
    within(one, other, [empty], 2, record)


def neighbours(most: int) -> Iterator[tuple[Data, Record]]:
    """All data of at most so many records, every record added; and four that one split divides."""
    every = records(STAY)
    apart = (every[0], every[0], every[-1], every[-1])
    yield from ((tuple(data), record) for data in (apart, *datasets(every, most)) for record in every)


def grown(parts: Sequence[Any], seed: int, depth: int) -> None:
    """The tree costs ε, predicts the mean of the released counts of levels, and is read as it was written."""
    federation = _federation(parts, 2, seed)
    tree = fit_federated_tree(federation, design="votes", max_depth=depth, rng=Rehearsal(seed))
    spent = federation.ledger.spent
    require(tree.derivation.guarantee.value == 2 >= spent, f"it says {tree.derivation.guarantee}, and {spent} is spent")
    means = sorted(_mean_of(release.counts) for release in tree.leaf_releases)
    rows = [[age, dose] for age in (0.5, 1.5, 2.5) for dose in (0.5, 1.5)]
    said = dict(zip(tree.apply(rows).tolist(), tree.predict(rows).tolist(), strict=True))
    require(np.allclose(sorted(said.values()), means), f"leaves predict {said}, their released counts have {means}")
    again = Tree.from_json(tree.to_json())
    require(np.array_equal(again.predict(rows), tree.predict(rows)), "it is read as another tree")


def _mean_of(counts: Sequence[int]) -> float:
    """The mean of the middles of the levels by their counts, below 0 nothing; of nothing, the middle of all."""
    kept = [max(0, count) for count in counts]
    return float(np.average(STAY.classes, weights=kept if any(kept) else None))


def _federation(parts: Sequence[Any], epsilon: int, seed: int) -> Federation:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClippedWarning)  # numbers beyond the range are what is tried
        members = [Party(rows, STAY) for rows in parts]
    return Federation(members, STAY, Ledger(epsilon), tolerate=0, rng=Rehearsal(seed))


def random_stays(draw: ModuleType) -> Any:
    """Two or three parties with rows whose targets may lie beyond the range."""
    row = draw.tuples(*(draw.st.sampled_from([0.5, 1.5, 2.5]), draw.st.sampled_from([0.5, 1.5]), draw.integers(-9, 30)))
    parts = draw.st.lists(draw.st.lists(row.map(list), max_size=6), min_size=2, max_size=3)
    return draw.tuples(parts, draw.integers(0, 99), draw.integers(0, 2))


CLAIMS = (
    Claim(
        "lem-squared-loss",
        status="proved+checked",
        code=("fdpedu.cart.losses", "fdpedu.cart.losses.split_losses"),
        checks=(
            Check(
                "small sides",
                "exhaustive",
                "all splits whose sides have at most {size} records of each of two levels (of three, one less), steps "
                "of 1, 1/3 and 1/1024: every record added",
                rises,
                small_sides,
                2,
                4,
            ),
            Check(
                "value",
                "property",
                "{size} random lists of splits: the losses against fractions, also of billions of rows",
                value,
                random_splits,
                30,
                1000,
            ),
        ),
        assumptions=(ADD_REMOVE, "integers"),
        uses=("lem-mixed-loss",),
    ),
    Claim(
        "thm-target-votes",
        status="proved+checked",
        code=("fdpedu.federation.queries.votes.SplitVote", "fdpedu.domain.target"),
        checks=(
            Check(
                "border",
                "property",
                "{size} random lists of numbers: each has its level, or the nearest, whatever stands beside it",
                border,
                random_numbers,
                40,
                1000,
            ),
            Check(
                "neighbours",
                "exhaustive",
                "two parties, 18 cells of records: all data of at most {size} records of one of them, every record "
                "added: the distribution of the totals and of the vote alone",
                one_epsilon,
                neighbours,
                1,
                2,
            ),
            Check(
                "grown",
                "property",
                "{size} random trees: their price, their means, and their files",
                grown,
                random_stays,
                10,
                300,
            ),
        ),
        assumptions=(ADD_REMOVE, ONE_PARTY, "integers", OBSERVER, "the range of the target is public"),
        uses=("lem-squared-loss", "thm-votes-tree"),
    ),
)

_READ = "return Reading(*members_of(cells, self.classes)) if self.target is None else self.target.read(cells)"
_NUMBERS = "from fdpedu.domain.columns import numbers_of; values, faults = numbers_of(cells); "
TWINS = (
    Broken(
        "a target that is not clipped",
        "fdpedu.domain.domain.Domain._read_labels",
        _READ,
        f"{_NUMBERS}edges = self.target.edges; level = np.floor((values - edges[0]) / (edges[1] - edges[0])); "
        "return Reading(np.nan_to_num(np.clip(level, -(2**40), 2**40)).astype(np.int64).astype(np.uint8), faults)",
        "Someone who has said which range there is will keep to it.",
        "thm-target-votes",
        "border",
    ),
    Broken(
        "levels from the data",
        "fdpedu.domain.domain.Domain._read_labels",
        _READ,
        f"{_NUMBERS}share = (values - values.min()) / max(float(np.ptp(values)), 1e-9); "
        "return Reading(np.clip(share * self.n_classes, 0, self.n_classes - 1).astype(np.uint8), faults)",
        "Where all values lie close together, levels should lie there, too.",
        "thm-target-votes",
        "border",
    ),
    Broken(
        "squares of levels, not of places",
        "fdpedu.cart.losses._squared_in_steps",
        "of_place_one = max(left.shape[-1] - 1, 1) ** 2",
        "of_place_one = 1",
        "Only the order of losses matters to a choice, so a factor is no harm.",
        "lem-squared-loss",
        "small sides",
    ),
)
