"""Curves of one direction: what isotonic regression makes of a released curve, by brute force and in whole fits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from types import ModuleType
from typing import Any

import numpy as np

from fdpedu.boosting import Ensemble
from fdpedu.boosting.monotone import as_trees, isotonic
from fdpedu.claims.boosting.fits import EIGHT, RHO, fitted
from fdpedu.claims.checking import require
from fdpedu.claims.federations import dealt, from_sums_alone
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.domain import Rows
from fdpedu.gradients import AdditiveModel


def by_min_and_max(values: Sequence[int], weights: Sequence[int]) -> list[Fraction]:
    """The rising numbers nearest to these: of the means from a ≤ i to b ≥ i the largest over a of the least over b."""
    n = len(values)

    def mean(a: int, b: int) -> Fraction:
        total = sum(w * v for w, v in zip(weights[a : b + 1], values[a : b + 1], strict=True))
        return Fraction(total, sum(weights[a : b + 1]))

    return [max(min(mean(a, b) for b in range(i, n)) for a in range(i + 1)) for i in range(n)]


def nearest(values: Sequence[int], weights: Sequence[int]) -> None:
    """The fit rises, is the nearest one, keeps the mean of its blocks, and brings no rising curve further away."""
    blocks, exact = isotonic(values, weights), by_min_and_max(values, weights)
    fit = [value for (begin, end), value in blocks for _ in range(begin, end)]
    require(fit == sorted(fit) and len(fit) == len(values), f"{fit} does not rise, or is no curve of {values}")
    require(all(2 * abs(a - b) <= 1 for a, b in zip(fit, exact, strict=True)), f"it is {fit}, by hand {exact}")
    both: list[list[Fraction]] = [[Fraction(one) for one in values], exact]
    whole = [sum(w * v for w, v in zip(weights, some, strict=True)) for some in both]
    require(whole[0] == whole[1], f"the weighted sum becomes {whole[1]}, and was {whole[0]}")
    for rising in product(range(min(values) - 1, max(values) + 2), repeat=len(values)):
        if list(rising) != sorted(rising):
            continue
        before, after = ([(a - r) for a, r in zip(some, rising, strict=True)] for some in both)
        squares = [sum(w * d * d for w, d in zip(weights, each, strict=True)) for each in (before, after)]
        require(squares[1] <= squares[0], f"{exact} is further from {rising} than {values}, in squares")
        require(max(map(abs, after)) <= max(map(abs, before)), f"{exact} is further from {rising} than {values}")


def small_curves(n: int) -> Iterator[tuple[Any, ...]]:
    """All curves of up to so many of three values, with weights of 1 and 2; and one in which a block grows twice."""
    for size in range(1, n + 1):
        for values in product((0, 2, 3), repeat=size):
            for weights in product((1, 2), repeat=size):
                yield values, weights
    yield (2, 3, 0), (1, 1, 3)


def trees_add_up(values: Sequence[int], feature: int) -> None:
    """The trees of a curve give each of its codes the curve's value."""
    columns = np.zeros((feature + 1, len(values)), dtype=np.uint8)
    columns[feature] = np.arange(len(values), dtype=np.uint8)
    model = AdditiveModel(as_trees(feature, values))
    found = model.scores(columns, np.arange(len(values), dtype=np.int64)).tolist()
    require(found == list(values), f"trees add up to {found}, and not {values}")
    require(len(model.trees) <= max(1, -(-len(set(values)) // 63)), f"{len(model.trees)} trees for {len(values)} codes")


def curves_of_any_length(most: int) -> Iterator[tuple[Any, ...]]:
    """Curves of 2 codes to 256, with few levels and with one for each code."""
    for n in [*range(2, most), 63, 64, 65, 127, 128, 129, 256]:
        yield tuple(range(-n, n, 2)), n % 3
        yield tuple((k * k) % 7 for k in range(n)), n % 2


def of_an_ensemble(direction: int, seed: int, parties: int) -> None:
    """The demanded curve of a fit turns never back, the others stay; curves add up to the score; a file says it.

    Others without rows, given the same sums, have the same curve: so it is a function of what was released.
    """
    rows: Rows = [
        [age, ward, label] for age in (0.5, 1.5, 3.5, 5.5, None) for ward in "AB" for label in ("well", "ill")
    ]
    parts = dealt(rows, parties)
    options: Any = {"form": "curves", "rounds": 3, "trees_per_round": 2, "monotone": {"age": direction}}

    def grown(some: Sequence[Rows], _: int) -> Any:
        found = fitted(EIGHT, some, RHO, seed, **options)[0]
        return found.monotone, found.model

    from_sums_alone((EIGHT, parts), grown)
    found = fitted(EIGHT, parts, RHO, seed, **options)[0]
    plain = found.with_monotone(None)
    (age, ward), (old, same) = found.curves(), plain.curves()
    steps = direction * np.diff(age.values[:8])
    require((steps >= 0).all(), f"the curve of age turns back: {age.values}")
    require(age.values[8] == old.values[8], "the value of missing ages is no longer the released one")
    require(np.array_equal(ward.values, same.values), "the curve of wards has changed")
    table = [[k + 0.5 if k < 8 else None, w] for k in range(9) for w in "AB"]
    added = [age.values[k] + ward.values[j] + found.intercept for k in range(9) for j in range(2)]
    scores = found.decision_function(table)
    require(np.abs(scores - added).max() <= 1 / 2048, "curves and intercept do not add up to the score")
    again = Ensemble.from_json(found.to_json())
    require(again.monotone == found.monotone and again.to_json() == found.to_json(), "it is not read back as it is")
    require(np.array_equal(again.decision_function(table), scores), "who reads it scores otherwise")


def fits_of_one_direction(seeds: int) -> Iterator[tuple[int, int, int]]:
    """Both directions, one owner and two parties, several seeds."""
    return ((direction, seed, parties) for seed in range(seeds) for direction in (1, -1) for parties in (1, 2))


def any_curve(draw: ModuleType) -> Any:
    """Values and weights, the latter up to those of real shares."""

    def of(n: int) -> Any:
        values, weights = draw.integers(-(2**12), 2**12), draw.integers(1, 2**30)
        return draw.tuples(
            draw.st.lists(values, min_size=n, max_size=n), draw.st.lists(weights, min_size=n, max_size=n)
        )

    return draw.integers(1, 12).flatmap(of)


def as_by_hand(values: Sequence[int], weights: Sequence[int]) -> None:
    """Long curves and large weights: within half a unit of the min-max formula."""
    blocks, exact = isotonic(values, weights), by_min_and_max(values, weights)
    fit = [value for (begin, end), value in blocks for _ in range(begin, end)]
    require(all(2 * abs(a - b) <= 1 for a, b in zip(fit, exact, strict=True)), f"it is {fit}, by hand {exact}")


CLAIMS = (
    Claim(
        "lem-monotone",
        status="proved+checked",
        code=(
            "fdpedu.boosting.ensemble.Ensemble.with_monotone",
            "fdpedu.boosting.monotone",
            "fdpedu.boosting.monotone.isotonic",
        ),
        checks=(
            Check(
                "nearest",
                "exact",
                "all curves of up to {size} of three values, weights 1 and 2, and all rising curves beside each",
                nearest,
                small_curves,
                3,
                4,
            ),
            Check(
                "any curve",
                "property",
                "{size} random curves of up to 12 values and weights up to 2³⁰: the min-max formula",
                as_by_hand,
                any_curve,
                5,
                400,
            ),
            Check(
                "trees",
                "exact",
                "curves of 2 codes to 256, of few levels and of many: the trees that stand for them",
                trees_add_up,
                curves_of_any_length,
                8,
                63,
            ),
            Check(
                "whole fits",
                "exact",
                "{size} seeds, one owner and two parties, both directions: curves, scores, files; the same "
                "from sums alone",
                of_an_ensemble,
                fits_of_one_direction,
                1,
                8,
            ),
        ),
        assumptions=("integers", "shares and curves are functions of what was released"),
        uses=("thm-post-processing", "thm-federated-boosting"),
    ),
)

_FITTED = "fdpedu.boosting.growth.Growth._of_rounds"
_RECORDS = (  # what only a simulation can reach
    "([respond.__self__._records for respond in self.asker._endpoints] "
    "if hasattr(self.asker, '_endpoints') else [self.asker._records])"
)
TWINS = (
    Broken(
        "isotonic fit on raw counts",
        _FITTED,
        "found.marginals, self.monotone",
        "type(found.marginals)(self.domain, sum(one.histograms(one.within([self.domain.everything])[0]).reshape(-1, 2)"
        f".sum(axis=1) for one in {_RECORDS})), self.monotone",
        "The fit only smooths what is released already, so it may weigh it with the true numbers of rows.",
        "lem-monotone",
        "whole fits",
    ),
    Broken(
        "neighbours pooled once",
        "fdpedu.boosting.monotone.isotonic",
        "while blocks and",
        "if blocks and",
        "Where a curve turns back the two neighbours are made equal, and then it rises.",
        "lem-monotone",
        "nearest",
    ),
    Broken(
        "a plain mean of neighbours",
        "fdpedu.boosting.monotone.isotonic",
        "begin, total, whole = i, weight * value, weight",
        "begin, total, whole = i, value, 1",
        "Each value of the curve is one value.",
        "lem-monotone",
        "nearest",
    ),
    Broken(
        "the highest value so far",
        "fdpedu.boosting.monotone.isotonic",
        "(2 * total + whole) // (2 * whole))",
        "max(values[:end]))",
        "A curve that may only rise stays at its highest value wherever it would fall.",
        "lem-monotone",
        "nearest",
    ),
    Broken(
        "missing values as the highest",
        "fdpedu.boosting.monotone.bins_of",
        "int(described.n_bins)",
        "int(described.n_codes)",
        "The code of missing values comes after all others, so it is the end of the curve.",
        "lem-monotone",
        "whole fits",
    ),
)
