"""A number in place of a class: what a record's residual moves, its level in a histogram, and its squares."""
# Longer than 400 lines because the three questions about a number share its records, and a whole fit asks them all.

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import floor
from types import ModuleType
from typing import Any

import numpy as np

from fdpedu.accounting import Cost
from fdpedu.claims.boosting.fits import EIGHT, EPSILON, Expected, fitted, require_asked_alike, require_costs
from fdpedu.claims.boosting.fits import RHO as WIDE
from fdpedu.claims.boosting.questions import (
    MODELS,
    SMALL,
    TREES,
    Record,
    answer,
    leaf_of,
    require_attained,
    require_one_leaf,
    require_stated,
)
from fdpedu.claims.boosting.table import ADD_REMOVE
from fdpedu.claims.checking import require
from fdpedu.claims.federations import Case, dealt
from fdpedu.claims.mutation import Broken
from fdpedu.claims.noisy_counts import worst_ratio
from fdpedu.claims.records import Check, Claim
from fdpedu.domain import Domain, Numeric, Rows
from fdpedu.federation import Model, ResidualSums, SquareSums, TargetCounts
from fdpedu.gradients import AdditiveModel
from fdpedu.gradients.residuals import residuals, square_sums

HALF, UNIT = Fraction(1, 2), 4096
TARGET = Domain(SMALL.features, target=Numeric.grid("stay", 0, 3, 3))
EVERY = tuple(product(range(3), range(2), range(3)))  # its records, as codes and a level
PUBLIC = "m, the range of the target, its levels and the spread are public, or released before"
STUMP = Model(((0, 0b001), (0,), (1, 0b01), (1500,), (4096,)))


# --- residuals --------------------------------------------------------------------------------------------------------


def residual(score: int, level: int, spread: int, steps: int) -> int:
    """What the lemma says that a row pulls, by fractions."""
    away = Fraction(score, UNIT) - Fraction(2 * level + 1, spread)
    return max(-steps // 2, min(steps // 2, floor(away * steps / 2 + HALF)))


def nearest(steps: int, spread: int, levels: int) -> None:
    """At scores over the whole range and beyond: nearest to (s − u/c)·m/2, within ±m/2, and both ends are reached."""
    scores = [*range(-2 * UNIT, 2 * UNIT * levels // spread + 2 * UNIT, 777), -(2**34), 2**34]
    for level in range(levels):
        found = residuals(np.array(scores), np.full(len(scores), level, dtype=np.uint8), spread, steps).tolist()
        expected = [residual(s, level, spread, steps) for s in scores]
        require(found == expected, f"level {level}, C = {spread}: pulls are {found[:9]} …, by hand {expected[:9]} …")
        require(min(found) == -steps // 2 and max(found) == steps // 2, f"the ends are {min(found), max(found)}")


def residual_by_hand(query: ResidualSums, record: Record) -> int:
    """What a record pulls, by hand."""
    score = sum(weights[leaf_of(questions, record)] for questions, weights in query.model.trees)
    return residual(score * query.model.scale // 16 + query.model.intercept, record[-1], query.spread, query.steps)


def one_leaf(query: ResidualSums, data: Sequence[Record], record: Record) -> None:
    """The sums are those by hand; a record moves each tree in one leaf, by the same residual, or not at all."""
    require_one_leaf(query, data, record, residual_by_hand, TARGET)


def small_data(most: int) -> Iterator[tuple[ResidualSums, tuple[Record, ...], Record]]:
    """All data of at most so many records, every record added; three models and trees, three spreads and m."""
    for k, (model, trees) in enumerate(product(MODELS, TREES)):
        spread, steps = ((1, 64), (2, 2), (6, 6))[(k + k // 3) % 3]
        query = ResidualSums(TARGET.everything, HALF, steps, model, spread, trees)
        for n in range(most + 1):
            for data, record in product(combinations_with_replacement(EVERY, n), EVERY):
                yield query, data, record


def attained(steps: int, spread: int, trees: int) -> None:
    """Far from its score a record moves each tree by m/2, whatever the spread is: no less is safe."""
    query = ResidualSums(TARGET.everything, HALF, steps, AdditiveModel(intercept=2**20), spread, TREES[trees])
    for record in EVERY:
        require_attained(query, record, TARGET)


def random_sums(draw: ModuleType) -> Any:
    """A random model, spread, m, trees, data and a record."""
    weight = draw.integers(-(2**20), 2**20)
    models = draw.st.builds(AdditiveModel, draw.st.sampled_from([model.trees for model in MODELS]), weight)
    query = draw.st.builds(
        lambda half, model, spread, trees: ResidualSums(TARGET.everything, HALF, 2 * half, model, spread, trees),
        *(draw.integers(1, 2048), models, draw.integers(1, 512), draw.st.sampled_from(TREES)),
    )
    record = draw.st.sampled_from(EVERY)
    return draw.tuples(query, draw.st.lists(record, max_size=5), record)


# --- the histogram ----------------------------------------------------------------------------------------------------


def one_group(levels: int, groups: int, data: Sequence[int]) -> None:
    """Of so many levels a record raises the count of one group by 1, the one that has its level; ε and ℓ₂² for that."""
    domain = Domain(SMALL.features, target=Numeric.grid("stay", 0, 1, levels))
    query = TargetCounts(domain.everything, 1, groups)
    before = answer(query, [(0, 0, level) for level in data], domain).tolist()
    n = min(groups, levels)
    expected = [sum(level * n // levels == g for level in data) for g in range(n)]
    require(before == expected, f"the counts are {before}, by hand {expected}")
    for level in range(levels):
        after = answer(query, [(0, 0, one) for one in (*data, level)], domain).tolist()
        moved = [b - a for a, b in zip(before, after, strict=True)]
        require(sorted(moved) == [0] * (n - 1) + [1], f"a record of level {level} moves the counts by {moved}")
        require(query.epsilon == query.rate.rate == 1 and query.l2_squared == query.cells == 1, "one release of 1")
        worst = worst_ratio(before, after, Fraction(1, 2))
        require(worst == 2, f"an answer is {worst} times as likely, and e^ε is 2")


def levels_and_groups(most: int) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """2 to 5 levels in 2 to 6 groups, all data of at most so many records."""
    for levels, groups, n in product(range(2, 6), range(2, 7), range(most + 1)):
        for data in combinations_with_replacement(range(levels), n):
            yield levels, groups, data


# --- a whole fit ------------------------------------------------------------------------------------------------------

STAY = Domain(EIGHT.features, target=Numeric.grid("stay", 0, 8, 8))
ROWS: Rows = [[age, ward, stay] for age in (0.5, 3.5, None) for ward in "AB" for stay in (0.5, 2.5, 7.5)]


def costs(budget: Cost, parties: int, tolerate: int, rounds: int, trees: int) -> None:
    """A fit releases histograms, the target's groups and R rounds, at .1, .03 and .87 of the budget: all of it."""
    options: Any = {"rounds": rounds, "trees_per_round": trees, "max_depth": 2}
    ensemble, federation = fitted(STAY, dealt(ROWS, parties), budget, parties, tolerate, **options)
    expected: list[Expected] = [
        ("group-counts", Fraction(1, 10), 2, 1, 2, 2),
        ("target-counts", Fraction(3, 100), 1, 1, 1, 1),
        *[("residual-sums", Fraction(87, 100) / rounds, trees, 32, 1024 * trees, trees)] * rounds,
    ]
    require_costs(ensemble, federation, budget, expected)


def asked_alike(case: Case, seed: int, rounds: int, form: str) -> None:
    """Parties without rows, given the released sums, are asked the same bytes; spread, start and model are the same."""
    require_asked_alike(case, WIDE, seed, form=form, nominal_size=30, rounds=rounds, trees_per_round=2)


def small_fits(rounds: int) -> Iterator[tuple[Case, int, int, str]]:
    """Few rows in one party or in all, both forms."""
    for form, (seed, parts) in product(("trees", "curves"), enumerate([[[], ROWS[:1]], [ROWS, ROWS[:5], []]])):
        yield (STAY, parts), seed, rounds, form


# --- squares ----------------------------------------------------------------------------------------------------------

PREDICTED = [-(2**40), -1, 0, 1, 511, 1500, 2048, 2049, 4095, 4096, 4097, 2**40]


def parts(predicted: int, level: int, levels: int) -> list[int]:
    """What the lemma says that a row adds, by fractions."""
    value = floor(Fraction(UNIT * (2 * level + 1), 2 * levels) + HALF) - UNIT // 2
    error = max(0, min(UNIT, predicted)) - UNIT // 2 - value
    return [UNIT // 4, value, floor(Fraction(value**2, UNIT) + HALF), floor(Fraction(error**2, UNIT) + HALF)]


def bounded(levels: int) -> None:
    """Every level and predictions inside and outside of the range: what a row adds, and at most as is stated."""
    query, worst = SquareSums(TARGET.everything, 1, 0, STUMP), [0, 0]
    stated = query.n_releases * query.sensitivity, query.l2_squared
    for predicted, level in product(PREDICTED, range(levels)):
        moved = square_sums(np.array([predicted]), np.array([level], dtype=np.uint8), levels).tolist()
        require(moved == parts(predicted, level, levels), f"it adds {moved}, by hand {parts(predicted, level, levels)}")
        found = [sum(map(abs, moved)), sum(d * d for d in moved)]
        worst = [max(pair) for pair in zip(worst, found, strict=True)]
    require(worst[0] <= stated[0] and worst[1] <= stated[1], f"in ℓ₁ and ℓ₂² a row moves by {worst}, not {stated}")
    near = 100 * worst[0] > 99 * stated[0] and 100 * worst[1] > 98 * stated[1]
    require(near or levels < 256, f"of 256 levels no row moves the sums by more than {worst}, and stated are {stated}")


def squares_move(query: SquareSums, data: Sequence[Record], record: Record) -> None:
    """A party's sums are those by hand, and a record moves them within what is stated."""
    before, after = (answer(query, some, TARGET).tolist() for some in (data, [*data, record]))
    hand = np.sum([[0] * 4, *(parts(_predicted(query, one), one[-1], 3) for one in data)], axis=0).tolist()
    require(before == hand, f"the sums are {before}, by hand {hand}")
    require_stated(query, [[b - a for a, b in zip(before, after, strict=True)]], TARGET)


def _predicted(query: SquareSums, record: Record) -> int:
    """Where in the range, in units of 1/4096: by hand."""
    if isinstance(query.model, Model):
        return 0 if record[0] == 0 else 1500 if record[1] == 0 else 4096
    score = sum(weights[leaf_of(questions, record)] for questions, weights in query.model.trees)
    return floor(Fraction((score * query.model.scale // 16 + query.model.intercept) * query.spread, 6) + HALF)


def scored_data(most: int) -> Iterator[tuple[SquareSums, tuple[Record, ...], Record]]:
    """A tree and three additive models, all data of at most so many records, every record added."""
    asked: list[tuple[int, Model | AdditiveModel]] = [
        (0, STUMP),
        *((spread, model) for spread, model in zip((1, 4, 6), MODELS, strict=True)),
    ]
    for (spread, model), n in product(asked, range(most + 1)):
        query = SquareSums(TARGET.everything, 1, spread, model)
        yield from ((query, *pair) for pair in product(combinations_with_replacement(EVERY, n), EVERY))


CLAIMS = (
    Claim(
        "lem-residual",
        status="proved+checked",
        code=(
            "fdpedu.boosting.outcomes.Number",
            "fdpedu.gradients.residuals",
            "fdpedu.gradients.residuals.residuals",
            "fdpedu.federation.queries.residuals.ResidualSums",
        ),
        checks=(
            Check(
                "nearest",
                "exhaustive",
                "all even m to {size}, C from 1 to 8, 2 to 4 levels: residuals by fractions, both ends attained",
                nearest,
                lambda most: product(range(2, most + 1, 2), range(1, 9), range(2, 5)),
                16,
                64,
                more=[(4096, 512, 256), (64, 1, 16)],
            ),
            Check(
                "attained",
                "exhaustive",
                "all even m to {size}, C from 1 to 8, two trees and three: every record moves as much as is stated",
                attained,
                lambda most: product(range(2, most + 1, 2), range(1, 9), (0, 1)),
                16,
                64,
                more=[(64, 512, 1)],
            ),
            Check(
                "small data",
                "exhaustive",
                "two features, three levels: nine questions, all data of at most {size} records, all records to add: "
                "the sums by hand, and what a record moves",
                one_leaf,
                small_data,
                1,
                2,
            ),
            Check(
                "random neighbours",
                "property",
                "{size} random models, spreads, m, trees, data and records",
                one_leaf,
                random_sums,
                15,
                2000,
            ),
        ),
        assumptions=(ADD_REMOVE, "integers", PUBLIC),
        uses=("lem-one-leaf-a-tree", "thm-queries-in-rho"),
    ),
    Claim(
        "lem-target-histogram",
        status="proved+checked",
        code=("fdpedu.boosting.outcomes.Number", "fdpedu.federation.queries.counts.TargetCounts"),
        checks=(
            Check(
                "one group",
                "exhaustive",
                "2 to 5 levels in 2 to 6 groups, all data of at most {size} records, all records to add: the counts by "
                "hand, what a record moves, and the worst ratio",
                one_group,
                levels_and_groups,
                2,
                4,
                more=[(256, 64, (0, 3, 4, 255)), (256, 256, (7,))],
            ),
            Check(
                "costs",
                "exact",
                "two and three parties, up to {size} rounds, in ε and in ρ: every release of a fit of a target and its "
                "cost; their sum; ledger and checker",
                costs,
                lambda most: (
                    (budget, 1 + rounds % 2 + 1, rounds % 2, rounds, rounds)
                    for budget, rounds in product((EPSILON, WIDE), range(1, most + 1))
                ),
                2,
                4,
            ),
            Check(
                "asked alike",
                "exact",
                "two and three parties of a few rows, both forms, {size} rounds: parties without rows, given the "
                "released sums, are asked bytewise the same, and the ensemble is the same",
                asked_alike,
                small_fits,
                2,
                6,
            ),
        ),
        assumptions=(ADD_REMOVE, "integers", PUBLIC),
        uses=("thm-histogram", "lem-group-counts"),
    ),
    Claim(
        "lem-squares",
        status="proved+checked",
        code=(
            "fdpedu.estimators.base.PrivateModel.noisy_score",
            "fdpedu.estimators.fit_score",
            "fdpedu.estimators.scoring",
            "fdpedu.estimators.scoring.noisy_score",
            "fdpedu.federation.queries.residuals.SquareSums",
            "fdpedu.gradients.residuals",
            "fdpedu.gradients.residuals.square_sums",
        ),
        checks=(
            Check(
                "bounded",
                "exhaustive",
                "2 to {size} levels, and 256, all of them, predictions within the range and beyond: what a row adds by "
                "fractions, and the bounds, which 256 levels nearly attain",
                bounded,
                lambda most: ((levels,) for levels in (*range(2, most + 1), 256)),
                16,
                128,
            ),
            Check(
                "small data",
                "exhaustive",
                "a tree and three additive models, all data of at most {size} records, all records to add: the sums by "
                "hand, and what a record moves",
                squares_move,
                scored_data,
                1,
                2,
            ),
        ),
        assumptions=(ADD_REMOVE, "integers", PUBLIC),
        uses=("lem-residual", "thm-queries-in-rho", "lem-noisy-score"),
    ),
)

_SUMS = "fdpedu.federation.queries.residuals.ResidualSums"
_SQUARES = "fdpedu.gradients.residuals.square_sums"
TWINS = (
    Broken(
        "residual clipped after the sum",
        f"{_SUMS}.tally",
        "n_leaves, pull).ravel()",
        "n_leaves, ((self.steps * self.scores(records, rows) // 8192 - self.steps * (2 * records.labels[rows]"
        ".astype('q') + 1) // (2 * self.spread)))).ravel().clip(-self.steps // 2, self.steps // 2)",
        "A sum that is clipped at m/2 moves by at most m/2.",
        "lem-residual",
        "small data",
    ),
    Broken(
        "residuals without a clip",
        "fdpedu.gradients.residuals.residuals",
        "np.clip((above + unit) // (2 * unit), -(steps // 2), steps // 2)",
        "(above + unit) // (2 * unit)",
        "Targets have a range, so a residual is bounded anyway.",
        "lem-residual",
        "nearest",
    ),
    Broken(
        "all trees of a round for one",
        f"{_SUMS}.n_releases",
        "len(self.trees)",
        "1",
        "A record is in one leaf, so a round moves by one residual.",
        "lem-residual",
        "attained",
    ),
    Broken(
        "groups of a target that were seen",
        "fdpedu.federation.queries.counts.TargetCounts.tally",
        "self.size(domain))",
        "1)",
        "An empty group of the target has nothing to hide.",
        "lem-target-histogram",
        "one group",
    ),
    Broken(
        "a start of a target that nobody pays",
        "fdpedu.boosting.rules.parts_of",
        "1 - _HISTOGRAMS - outcome.begins -",
        "1 - _HISTOGRAMS -",
        "Where scores begin is asked once, before boosting begins.",
        "lem-target-histogram",
        "costs",
    ),
    Broken(
        "median and spread from raw rows",
        "fdpedu.boosting.growth.Growth._begin",
        "self._ask(asked).ravel()",
        "[self._ask(asked).sum() and int((records.labels == c).sum()) for c in range(self.domain.n_classes) "
        "for records in [respond.__self__._records for respond in self.asker._endpoints][:1]]",
        "Quantiles are of many rows, and no single one is seen in them.",
        "lem-target-histogram",
        "asked alike",
    ),
    Broken(
        "squares without a clip",
        _SQUARES,
        "np.clip(predicted, 0, UNIT)",
        "predicted",
        "Both the number and its prediction are about one range.",
        "lem-squares",
        "bounded",
    ),
    Broken(
        "squares at the price of one count",
        "fdpedu.federation.queries.residuals.SquareSums.sensitivity",
        "return SQUARES_L1",
        "return 1",
        "A score is about one row more or less.",
        "lem-squares",
        "small data",
    ),
    Broken(
        "rows for free",
        "fdpedu.federation.queries.residuals.SquareSums.l2_squared",
        "return SQUARES_L2",
        "return SQUARES_L2 - 1024**2",
        "How many rows are scored is no secret.",
        "lem-squares",
        "bounded",
    ),
)
