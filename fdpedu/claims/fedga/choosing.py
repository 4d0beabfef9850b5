"""A score for each of P structures is P releases; a choice among them is one."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from types import ModuleType
from typing import Any

import numpy as np

from fdpedu.cart.least_loss import least_losses
from fdpedu.claims.better_trees.law import records
from fdpedu.claims.better_trees.losses import ADD_REMOVE
from fdpedu.claims.checking import require
from fdpedu.claims.fedga.structures import BITS, all_structures
from fdpedu.claims.fedga.vote import ALL, structure_law
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.secret_sharing.vote import HALF
from fdpedu.privacy import datasets
from fdpedu.randomness import ZeroWords
from fdpedu.sources.fedga.choosing import WAYS, choose_structure, score_rate
from fdpedu.trees.clamped_tables import Data


def paid(data: Data, n_structures: int, epsilon: Fraction, lattice: int) -> None:
    """No record pays more than ε for P scores: rate times the sum of all changes."""
    structures = all_structures(2, 2)[:n_structures]
    before = _losses(data, structures, lattice)
    rate = score_rate(epsilon, n_structures, lattice)
    for record in records(BITS):
        change = int(np.abs(_losses((*data, record), structures, lattice) - before).sum())
        require(rate * change <= epsilon, f"{record} beside {data} pays {rate * change} of {epsilon}")


def all_move(n_structures: int) -> None:
    """Beside one record of the other class a record moves all P losses by 1: so P is not too much."""
    structures = all_structures(2, 2)[:n_structures]
    one, both = (_losses(data, structures, 1) for data in (((0, 0, 0),), ((0, 0, 0), (0, 0, 1))))
    require((both - one).tolist() == [1] * n_structures, f"the losses move by {both - one}")
    require(score_rate(1, n_structures) * n_structures == 1, "P scores do not cost ε")


def _losses(data: Data, structures: Any, lattice: int) -> Any:
    codes = np.array([record[:-1] for record in data], dtype=np.uint8).reshape(len(data), 2)
    labels = np.array([record[-1] for record in data], dtype=np.uint8)
    return least_losses(np.ascontiguousarray(codes.T), labels, structures, BITS, "errors", lattice)


def few(most: int) -> Iterator[tuple[Data, int, Fraction, int]]:
    """All data of at most so many rows, all structures and a few of them."""
    for data in datasets(records(BITS), most):
        yield from ((tuple(data), n, Fraction(3, 2), m) for n, m in ((19, 1), (5, 4)))


def populations(most: int) -> Iterator[tuple[int]]:
    """One to so many structures."""
    yield from ((n,) for n in range(1, most + 1))


def best_without_noise(losses: tuple[tuple[int, ...], ...], way: str) -> None:
    """Where all words are zero, scores and a trusted chooser find the least sum, and votes a party's best."""
    found = choose_structure(losses, way, lattice=1, rng=ZeroWords())
    sums = [sum(column) for column in zip(*losses, strict=True)]
    if way == "votes":
        firsts = [row.index(min(row)) for row in losses]
        require(firsts.count(found) == max(map(firsts.count, firsts)), f"{found} is voted for {firsts}")
    elif way != "random":
        require(sums[found] == min(sums), f"{way} choose {found} of {sums}")


def random_losses(draw: ModuleType) -> Any:
    """Up to four parties and five structures."""

    def of(n: int) -> Any:
        rows = draw.st.lists(draw.tuples(*[draw.integers(0, 9)] * n), min_size=1, max_size=4).map(tuple)
        return draw.tuples(rows, draw.st.sampled_from(WAYS))

    return draw.integers(1, 5).flatmap(of)


def divided(n_structures: int) -> None:
    """A choice among P structures with all of the budget costs more than ε: e^ε is 2 here, on one record or two."""
    strings, worst = ALL[:n_structures], Fraction(1)
    for data in ((), *((record,) for record in records(BITS))):
        before = structure_law(BITS, strings, data, HALF, 1)
        for record in records(BITS):
            after = structure_law(BITS, strings, (*data, record), HALF, 1)
            worst = max(worst, *(max(p / q, q / p) for p, q in zip(before, after, strict=True)))
    require(worst > 2, f"among {n_structures} structures no choice is more than {worst} times as likely")


CLAIMS = (
    Claim(
        "lem-score-price",
        status="proved+checked",
        code=("fdpedu.sources.fedga.choosing", "fdpedu.sources.fedga.choosing.score_rate"),
        checks=(
            Check(
                "paid",
                "exhaustive",
                "all data of at most {size} rows of two bits and a label, every record added: what it pays for 19 "
                "scores, and for five",
                paid,
                few,
                1,
                4,
            ),
            Check(
                "all move", "exact", "1 to {size} structures: one record that moves all", all_move, populations, 5, 19
            ),
            Check(
                "without noise",
                "property",
                "{size} random tables of losses without noise: each way finds what is best by its lights",
                best_without_noise,
                random_losses,
                40,
                400,
            ),
        ),
        assumptions=(ADD_REMOVE, "integers"),
        uses=("lem-least-loss",),
    ),
    Claim(
        "fedga-divided",
        status="refuted as stated",
        code=("fdpedu.sources.fedga.choosing",),
        checks=(
            Check(
                "divided",
                "exact",
                "{size} structures",
                divided,
                lambda size: [(size,)],
                19,
            ),
        ),
        assumptions=(ADD_REMOVE, "integers"),
        corrected_by="lem-structure-vote",
    ),
)

TWINS = (
    Broken(
        "P scores charged once",
        "fdpedu.sources.fedga.choosing.score_rate",
        "(size * steps)",
        "steps",
        "All scores are of the same rows and go out in one message, so they are one release.",
        "lem-score-price",
        "paid",
    ),
)
