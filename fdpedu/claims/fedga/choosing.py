"""A score for each of P structures is P releases; a choice among them is one; one histogram serves all thresholds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from types import ModuleType
from typing import Any

import numpy as np

from fdpedu.cart.least_loss import least_losses
from fdpedu.claims.better_trees.law import records
from fdpedu.claims.better_trees.losses import ADD_REMOVE
from fdpedu.claims.checking import require
from fdpedu.claims.fedga.structures import BITS, all_structures
from fdpedu.claims.histograms.node import tallied
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.domain import Domain, Numeric, Rows
from fdpedu.federation import NodeHistograms
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


def divided(n_features: int, bins: int) -> None:
    """Noisy counts on both sides of all P splits cost more than ε unless each count has ε/P."""
    domain = Domain([Numeric.grid(f"x{j}", 0, bins, bins=bins) for j in range(n_features)], ("well", "ill"))
    query, splits = NodeHistograms(domain.everything, Fraction(1)), n_features * (bins - 1)
    rate, every = (
        query.rate.rate,
        [[*[code + 1] * n_features, label] for code in range(bins) for label in domain.classes],
    )
    assert rate is not None
    cells = {len(rows): np.array(tallied(query, rows, domain)) for rows in ([], every)}
    moved = max(int(np.abs(np.array(tallied(query, [row], domain)) - cells[0]).sum()) for row in every)
    require(
        rate * moved > 1 or not _serve_all(cells[len(every)], every, n_features, bins),
        f"cells of rate ε/{1 / rate} give the counts of all {splits} splits, and cost {rate * moved} ε",
    )


def _serve_all(cells: Any, rows: Rows, n_features: int, bins: int) -> bool:
    """Whether sums of the cells are the class counts on both sides of each threshold, as counted from the rows."""
    histograms = cells.reshape(n_features, bins, 2)
    return all(
        histograms[j, :border].sum(0).tolist() == _classes(row for row in rows if row[j] <= border)
        and histograms[j, border:].sum(0).tolist() == _classes(row for row in rows if row[j] > border)
        for j, border in product(range(n_features), range(1, bins))
    )


def _classes(rows: Iterable[Sequence[Any]]) -> list[int]:
    found = [row[-1] for row in rows]
    return [found.count("well"), found.count("ill")]


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
        code=("fdpedu.federation.queries.counts.NodeHistograms",),
        checks=(
            Check(
                "divided",
                "exact",
                "two features of {size} bins, noisy counts for all their splits",
                divided,
                lambda size: [(2, size)],
                10,
            ),
        ),
        assumptions=(ADD_REMOVE, "integers", "bins and classes are public"),
        corrected_by="thm-node-histograms",
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
    Broken(
        "a count for each threshold",
        "fdpedu.federation.queries.counts.NodeHistograms.tally",
        "return records.kept((self.type,), self.region, rows, records.histograms)",
        "return np.cumsum(records.kept((self.type,), self.region, rows, records.histograms), axis=0)",
        "What a split needs are the counts up to its threshold, so these are counted.",
        "fedga-divided",
        "divided",
    ),
)
