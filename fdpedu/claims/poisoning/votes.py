"""Votes of trees on disjoint parts: a row is in one part, so it turns one vote."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from types import ModuleType
from typing import Any

import numpy as np

from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.domain import Domain
from fdpedu.robust import PartitionEnsemble, fit_partition_ensemble
from fdpedu.robust.ensemble import certified_rows_of_votes

DOMAIN = Domain.from_spec({"features": {"age": [0, 4, 4], "ward": ["A", "B"]}, "classes": ["well", "ill"]})
POINTS = [[age + 0.5, ward] for age in range(4) for ward in ("A", "B")]
Row = tuple[int, int, int]


def stands(votes: tuple[int, ...]) -> None:
    """So many models may change their votes as they like, and the class still wins; with one more it need not.

    The votes of the models that do not change are what is left of each class, so all cases are: which votes are given
    up, and to whom they go.
    """
    winner, most = votes.index(max(votes)), int(certified_rows_of_votes([votes])[0])
    for changed in range(min(most, sum(votes)) + 1):
        beaten = [after for after in changes(votes, changed) if after.index(max(after)) != winner]
        require(not beaten, f"{most} rows are certified, and {changed} make {beaten[:1]}")
    if most < sum(votes):
        lost = any(after.index(max(after)) != winner for after in changes(votes, most + 1))
        require(lost, f"{most} rows are certified, and {most + 1} do not turn it either")


def changes(votes: Sequence[int], changed: int) -> Iterator[tuple[int, ...]]:
    """All votes after at most so many models vote otherwise."""
    classes = range(len(votes))
    for given in product(*(range(min(n, changed) + 1) for n in votes)):
        for won in product(range(changed + 1), repeat=len(votes)):
            if sum(given) == sum(won) <= changed:
                yield tuple(votes[c] - given[c] + won[c] for c in classes)


def one_part(rows: tuple[Row, ...], forged: tuple[Row, ...], drop: int, parts: int) -> None:
    """Rows that are added and removed change no more trees than there are of them; what is certified stays.

    The rows that stay are in the same parts, whatever their positions are.
    """
    kept = rows[drop:]
    before, after = ensemble(rows, parts), ensemble((*forged, *kept), parts)
    changed = sum(one != other for one, other in zip(before.trees, after.trees, strict=True))
    x = drop + len(forged)
    require(changed <= x, f"{x} rows change {changed} trees")
    stays = before.certified_rows(POINTS) >= x
    differ = np.flatnonzero(stays & (before.predict(POINTS) != after.predict(POINTS)))
    require(not len(differ), f"{x} rows change predictions that were certified, at {[POINTS[k] for k in differ[:1]]}")
    labels = [("well", "ill")[k % 2] for k in range(len(POINTS))]
    surviving = Fraction(int(np.sum(stays & (before.predict(POINTS) == np.array(labels)))), len(POINTS))
    stated = before.certified_accuracy(POINTS, labels, x)
    require(abs(stated - surviving) < Fraction(1, 10**9), f"the certified accuracy is {stated}, by hand {surviving}")


def ensemble(rows: Sequence[Row], parts: int) -> PartitionEnsemble:
    """Of rows as codes and a class."""
    X = [[age + 0.5, "AB"[ward]] for age, ward, _ in rows]
    return fit_partition_ensemble(X, [("well", "ill")[label] for *_, label in rows], DOMAIN, parts, max_depth=2)


def random_rows(draw: ModuleType) -> Any:
    """Rows, forged ones, how many are removed, and the number of parts."""
    row = draw.tuples(draw.integers(0, 3), draw.integers(0, 1), draw.integers(0, 1))
    some = draw.st.lists(row, min_size=4, max_size=30).map(tuple)
    return draw.tuples(some, draw.st.lists(row, max_size=2).map(tuple), draw.integers(0, 2), draw.integers(1, 9))


def all_votes(models: int) -> Iterator[tuple[tuple[int, ...]]]:
    """Of up to so many models for two and three classes."""
    for classes in (2, 3):
        for votes in product(range(models + 1), repeat=classes):
            if 0 < sum(votes) <= models:
                yield (votes,)


CLAIMS = (
    Claim(
        "lem-partition-certificate",
        status="proved+checked",
        code=(
            "fdpedu.robust.ensemble",
            "fdpedu.robust.ensemble.PartitionEnsemble",
            "fdpedu.robust.ensemble.PartitionEnsemble.certified_rows",
            "fdpedu.robust.ensemble.certified_rows_of_votes",
            "fdpedu.robust.ensemble.fit_partition_ensemble",
        ),
        checks=(
            Check(
                "all votes",
                "exhaustive",
                "two and three classes, up to {size} models: all ways in which models may change their votes",
                stands,
                all_votes,
                6,
                10,
            ),
            Check(
                "one part",
                "property",
                "{size} random data sets, two rows added and two removed at most: how many trees change, and which "
                "predictions",
                one_part,
                random_rows,
                25,
                1000,
            ),
        ),
        assumptions=("rows added or removed; a row that is changed counts 2", "no coins: for every single prediction"),
        uses=(),
    ),
)

TWINS = (
    Broken(
        "ties of votes ignored",
        "fdpedu.robust.ensemble.certified_rows_of_votes",
        " - (classes < winner[:, None])",
        " - 0 * (classes < winner[:, None])",
        "Half of the gap is what a vote stands; ties are too rare to count.",
        "lem-partition-certificate",
        "all votes",
    ),
    Broken(
        "a vote lost forgotten",
        "fdpedu.robust.ensemble.certified_rows_of_votes",
        "lead.min(axis=1) // 2",
        "lead.min(axis=1)",
        "A forged row only adds: another class has a vote more, and the winner keeps its own.",
        "lem-partition-certificate",
        "all votes",
    ),
    Broken(
        "rows dealt out in turn",
        "fdpedu.robust.ensemble.part_of",
        'int.from_bytes(found[:8], "big") % parts for found in hashes',
        "k % parts for k, _ in enumerate(hashes)",
        "Parts are disjoint however rows are dealt out, so a row is in one of them.",
        "lem-partition-certificate",
        "one part",
    ),
)
