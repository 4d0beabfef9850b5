"""Scores are counts: how many rows there are, how the classes divide, and what 19 scores tell of a data set."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np

from fdpedu.claims.better_trees.law import records
from fdpedu.claims.checking import require
from fdpedu.claims.fedga.structures import BITS, all_structures
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.domain import Domain
from fdpedu.privacy import datasets
from fdpedu.randomness import Rehearsal
from fdpedu.sources.fedga import (
    class_ratio_from_f1,
    f1,
    fit_at_structure,
    last_row,
    score_leakage,
    score_vector,
    sizes_from_scores,
)
from fdpedu.sources.fedga.local import Cell, errors_at
from fdpedu.sources.fedga.rows import Rows
from fdpedu.structures.genetic import random_string
from fdpedu.trees.clamped_tables import Data

EXACT = "scores are exact, and the server is honest but curious"
_LIMIT = 40
TENTHS = {"low": 0, "high": 1, "bins": 10}
TESTS = Domain.from_spec({"features": {f"x{j}": TENTHS for j in range(4)}, "classes": ["well", "ill"]})


def sizes(right: tuple[int, ...], n: int, decimals: int) -> None:
    """The sizes are those at which each accuracy, rounded, is a share of whole rows; the true one is among them."""
    scores = [round(Fraction(k, n), decimals) for k in right]
    found = sizes_from_scores(scores, "accuracy", decimals, at_most=_LIMIT).sizes
    unit = Fraction(1, 10**decimals)
    expected = tuple(
        size
        for size in range(1, _LIMIT + 1)
        if all(any(abs(Fraction(k, size) - s) <= unit / 2 for k in range(size + 1)) for s in scores)
    )
    require(n in found, f"of {n} rows it says {found}")
    require(found == expected, f"the sizes are {found}, and {expected} can have these scores")


def few_scores(most: int) -> Iterator[tuple[tuple[int, ...], int, int]]:
    """All pairs of accuracies of up to so many rows, at one to four decimals."""
    for n in range(1, most + 1):
        for right in combinations_with_replacement(range(n + 1), 2):
            yield from ((right, n, decimals) for decimals in (1, 2, 4))


def hospital(n: int, seed: int, score: str = "accuracy", decimals: int = 3) -> list[Fraction]:
    """Forty scores of one hospital of n patients, accuracies or macro F1, with three decimals each."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, 4))
    y = np.where(X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(0, 0.3, n) > 0.8, "ill", "well")
    coins, found = Rehearsal(seed), list[Fraction]()
    for _ in range(40):
        said = fit_at_structure(X, y, random_string(4, 2, 0, coins), TESTS, task="classification").predict(X)
        if score == "accuracy":
            found.append(round(Fraction(int((said == y).sum()), n), decimals))
        else:
            found.append(
                Fraction(str(round(f1((y == "ill").astype(np.int64), (said == "ill").astype(np.int64)), decimals)))
            )
    return found


def hides_the_size(n: int, seed: int) -> None:
    """From forty F1 the size cannot be told: the least number of rows that has them is another one."""
    found = sizes_from_scores(hospital(n, seed, "f1"), "f1", 3, at_most=n + n // 2).best
    require(found != n, f"of {n} patients it says {found}")


def hospitals(most: int) -> Iterator[tuple[int, int]]:
    """Twenty, forty and eighty patients."""
    yield from product((20, 40, 80), range(most))


def tells_the_size(n: int, seed: int) -> None:
    """The least number of rows that has the forty accuracies is the true one."""
    found = sizes_from_scores(hospital(n, seed), "accuracy", 3).best
    require(found == n, f"of {n} rows it says {found}")


def one_leaf(well: int, ill: int) -> None:
    """The macro F1 of one leaf is q/(1 + q) for the share q of the larger class, and tells it."""
    y = np.array([0] * well + [1] * ill)
    said = np.full(len(y), int(ill > well))
    q = Fraction(max(well, ill), well + ill)
    found = f1(y, said)
    require(abs(found - float(q / (1 + q))) < 1e-12, f"F1 is {found}, q/(1 + q) is {q / (1 + q)}")
    require(
        class_ratio_from_f1(q / (1 + q)) == q, f"the share is {q}, and is told as {class_ratio_from_f1(q / (1 + q))}"
    )


def two_classes(most: int) -> Iterator[tuple[int, int]]:
    """All pairs of class sizes with both classes."""
    yield from product(range(1, most + 1), repeat=2)


def by_library(n_rows: int) -> None:
    """Vectors, data sets and bits, counted again from the scores that a party of FedGA-Tree sends."""
    alike = Counter[tuple[float, ...]]()
    for data in datasets(records(BITS), n_rows):
        if len(data) == n_rows:
            sent = sent_scores(tuple(data))
            told = [float(score) for score in score_vector(data)]
            require(np.allclose(sent, told, rtol=0, atol=1e-9), f"{data} have the scores {told}, and {sent} are sent")
            alike[tuple(round(score, 9) for score in sent)] += 1
    total, found = alike.total(), score_leakage(n_rows)
    bits = sum(times / total * math.log2(total / times) for times in alike.values())
    require((found.data_sets, found.vectors) == (total, len(alike)), f"it says {found}, counted {total}, {len(alike)}")
    require(abs(found.bits - bits) < 1e-9 and abs(found.of_bits - math.log2(total)) < 1e-9, f"it says {found}, {bits}")


@cache
def sent_scores(data: Data) -> list[float]:
    """The scores that a party sends of all 19 structures: of trees with thresholds, on rows that they are grown by."""
    values = np.array([record[:-1] for record in data], dtype=float).reshape(len(data), 2)
    rows = Rows(values, np.array([record[-1] for record in data], dtype=np.intp), BITS, "classification")
    cell = Cell.of(rows)
    return [errors_at(cell, structure).score for structure in all_structures(2, 2)]


def numbers_of_rows(most: int) -> Iterator[tuple[int]]:
    """One to so many."""
    yield from ((n,) for n in range(1, most + 1))


def last_patient(known: Sequence[tuple[int, int, int]], row: tuple[int, int, int]) -> None:
    """A server that knows all rows but one finds the last among few, the true one with them."""
    found = last_row(score_vector([*known, row]), known)
    sent = {last: sent_scores(tuple(sorted((*known, last)))) for last in product((0, 1), repeat=3)}
    alike = [last for last, scores in sent.items() if np.allclose(scores, sent[row], rtol=0, atol=1e-9)]
    require(row in found and sorted(found) == sorted(alike), f"it finds {found}, and {alike} have these scores")


def known_rows(most: int) -> Iterator[tuple[Data, Any]]:
    """All data sets of at most so many rows, and each last row."""
    every = records(BITS)
    yield from ((tuple(data), row) for data in datasets(every, most) for row in every)


CLAIMS = (
    Claim(
        "fedga-coarse",
        status="refuted as stated",
        code=("fdpedu.sources.fedga.fit.fit_fedga", "fdpedu.sources.fedga.result"),
        checks=(
            Check(
                "hides the size",
                "exact",
                "forty F1 of hospitals of 20, 40 and 80 patients",
                hides_the_size,
                hospitals,
                1,
            ),
        ),
        assumptions=(EXACT,),
        corrected_by="lem-scores-are-counts",
    ),
    Claim(
        "lem-scores-are-counts",
        status="proved+checked",
        code=("fdpedu.sources.fedga.scores.sizes_from_scores",),
        checks=(
            Check(
                "sizes",
                "exhaustive",
                "all pairs of accuracies of at most {size} rows: the sizes by their definition, in fractions",
                sizes,
                few_scores,
                6,
                14,
            ),
            Check(
                "tells the size",
                "exact",
                "{size} hospitals each of 20, 40 and 80 patients, forty accuracies at three decimals",
                tells_the_size,
                hospitals,
                1,
                10,
            ),
        ),
        assumptions=(EXACT,),
    ),
    Claim(
        "lem-one-leaf",
        status="proved+checked",
        code=("fdpedu.sources.fedga.scores.class_ratio_from_f1",),
        checks=(Check("one leaf", "exact", "all sizes of both classes up to {size}", one_leaf, two_classes, 9, 60),),
        assumptions=(EXACT,),
    ),
    Claim(
        "lem-leakage",
        status="checked",
        code=("fdpedu.sources.fedga.leakage.score_leakage", "fdpedu.sources.fedga.leakage.last_row"),
        checks=(
            Check(
                "by library",
                "exhaustive",
                "all data sets of 1 to {size} rows, counted again from the scores that parties of FedGA-Tree send",
                by_library,
                numbers_of_rows,
                3,
                6,
            ),
            Check(
                "last patient",
                "exhaustive",
                "all data sets of at most {size} known rows, and each last row",
                last_patient,
                known_rows,
                2,
                4,
            ),
        ),
        assumptions=(EXACT, "data sets of two bits and a label, all equally likely"),
    ),
)

TWINS = (
    Broken(
        "a rounded share fits one side only",
        "fdpedu.sources.fedga.scores._sizes_of_accuracies",
        "2 * np.minimum(above, 10**digits - above) <= n",
        "2 * above <= n",
        "A rounded number lies below the true one.",
        "lem-scores-are-counts",
        "sizes",
    ),
    Broken(
        "the larger class has all of F1",
        "fdpedu.sources.fedga.scores.class_ratio_from_f1",
        "return v / (1 - v)",
        "return v / (2 - v)",
        "F1 of one leaf is 2q/(1 + q): the other class has nothing to add.",
        "lem-one-leaf",
        "one leaf",
    ),
    Broken(
        "thresholds that cut nothing",
        "fdpedu.sources.fedga.leakage._leaves",
        "if all(sides):",
        "if sides:",
        "On bits a threshold is no choice, so CART makes the fewest errors that a structure allows.",
        "lem-leakage",
        "by library",
    ),
)
