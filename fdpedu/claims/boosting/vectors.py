"""Several classes: a row's pull is a vector with one clip; what that costs in a question, and in a whole fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from types import ModuleType
from typing import Any

import numpy as np

from fdpedu.accounting import Cost, Ledger
from fdpedu.boosting import fit_federated_boosting
from fdpedu.claims.boosting.fits import EIGHT, RHO, Expected, fitted, require_asked_alike, require_costs
from fdpedu.claims.boosting.questions import GAP, OLD, WARD, answer, leaf_of
from fdpedu.claims.boosting.table import ADD_REMOVE, PUBLIC
from fdpedu.claims.checking import require
from fdpedu.claims.federations import Case, dealt
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.trees.federated import OBSERVER
from fdpedu.domain import Categorical, Domain, Numeric, Rows
from fdpedu.exact import exp_enclosure
from fdpedu.federation import Federation, Party, PullVectors
from fdpedu.gradients import TreeShapes, VectorModel, powers, pull_vectors
from fdpedu.gradients.vectors import curvatures_of

UNIT, EACH = 4096, Cost("gaussian", RHO.value)
LEVELS = (0, 40, 4096, 9000, 70_000)  # scores, in units of 1/4096; the last one leaves nothing to others


def by_hand(scores: Sequence[int], y: int, m: int) -> list[int]:
    """The pulls of a row of class y: one integer g, which is divided among the others by largest remainder.

    Shares: gradients.powers: the public table, which the same lemma describes.
    """
    weights = [int(powers()[min(1024, (max(scores) - s + 32) // 64)]) for s in scores]
    rest, whole = sum(weights) - weights[y], sum(weights)
    # of the integers up to m/2 the nearest one to m·(1 − p), halves up
    g = next(g for g in range(m // 2, -1, -1) if g == 0 or (2 * g - 1) * whole <= 2 * m * rest)
    parts = [divmod(g * w, rest) if k != y and rest else (0, 0) for k, w in enumerate(weights)]
    found = [whole for whole, _ in parts]
    for k in sorted(range(len(parts)), key=lambda k: (-parts[k][1], k))[: g - sum(found)]:
        found[k] += 1
    return [-g if k == y else pull for k, pull in enumerate(found)]


def pulled(m: int, k: int) -> None:
    """Rows of k classes at all scores of five levels: the pulls by hand; ℓ₁ ≤ m and ℓ₂² ≤ m²/2, both attained."""
    rows = list(product(product(LEVELS, repeat=k), range(k)))
    scores, labels = np.array([s for s, _ in rows]), np.array([y for _, y in rows], dtype=np.uint8)
    found = pull_vectors(scores, labels, m)
    for (score, y), pull in zip(rows, found.tolist(), strict=True):
        expected = by_hand(score, y, m)
        require(pull == expected, f"at {score} a row of class {y} pulls {pull}, by hand {expected}")
        require(sum(pull) == 0 and pull[y] <= 0 <= min(pull[:y] + pull[y + 1 :]), f"{pull} is no pull of class {y}")
    longest, square = int(np.abs(found).sum(axis=1).max()), int((found**2).sum(axis=1).max())
    require((longest, 2 * square) == (m, m * m), f"the longest pull has ℓ₁ = {longest} and ℓ₂² = {square}")


def powers_are(j: int) -> None:
    """E[j] is the integer nearest to 2²⁰·e^{−j/64}."""
    found, ends = int(powers()[j]), exp_enclosure(Fraction(-j, 64), 30)
    near = all(abs(2**20 * end - found) < Fraction(1, 2) for end in (ends.lower, ends.upper))
    require(near, f"E[{j}] = {found} is not the nearest integer")


def curved(scores: tuple[tuple[int, ...], ...]) -> None:
    """h of each class is the mean of p(1 − p), to 1/4096, or the floor; the floor of two classes is .08.

    Shares: gradients.powers: the public table, which the same lemma describes.
    """
    k, found = len(scores[0]), curvatures_of(np.array(scores))
    for c in range(k):
        mean = Fraction(0)
        for row in scores:
            weights = [int(powers()[min(1024, (max(row) - s + 32) // 64)]) for s in row]
            p = Fraction(weights[c], sum(weights))
            mean += p * (1 - p) / len(scores)
        h = max(mean, Fraction(32 * (k - 1), 100 * k * k))
        require(abs(Fraction(found[c], UNIT) - h) <= Fraction(1, UNIT), f"h of class {c} is {found[c]}, by hand {h}")


def curvature_cases(most: int) -> Iterator[tuple[tuple[tuple[int, ...], ...]]]:
    """One row at all levels of two and three classes; several rows; sure rows, where the floor holds."""
    for k in (2, 3):
        yield from (((row,),) for row in list(product(LEVELS, repeat=k))[: 10 * most])
    yield (tuple(product(LEVELS, repeat=3)),)
    yield (tuple(product((0, 70_000), repeat=5)),)


# --- the question -----------------------------------------------------------------------------------------------------


@cache
def domain_of(k: int) -> Domain:
    """Records of two features and k classes."""
    features: list[Any] = [Numeric.grid("age", 0, 2, bins=2, missing=True), Categorical("ward", ("A", "B"))]
    return Domain(features, [f"class {c}" for c in range(k)])


TREES = TreeShapes(((OLD, WARD), (WARD, GAP), (GAP, OLD)))
SHAPES = ((OLD, WARD), (GAP,))


def moved(k: int, m: int, weights: Sequence[int], data: Sequence[Any], record: Sequence[int], least: int = 0) -> None:
    """A record moves one leaf of each tree, by its pull at its own scores; ℓ₁, ℓ₂² and cells are at most as stated.

    With ``least`` the whole must be moved by no less than is stated.
    """
    domain, sizes = domain_of(k), [4 * k, 2 * k]
    parts = tuple(weights[: sizes[0]]), tuple(weights[sizes[0] : sum(sizes)])
    model = VectorModel(tuple(zip(SHAPES, parts, strict=True)), tuple(weights[sum(sizes) :]))
    query = PullVectors(domain.everything, EACH, m, model, TREES)
    query.check(domain)
    before, after = (answer(query, some, domain) for some in (data, [*data, record]))
    scores = [
        model.intercepts[c] + sum(w[k * leaf_of(asked, tuple(record)) + c] for asked, w in model.trees)
        for c in range(k)
    ]
    expected = np.zeros_like(before)
    for tree, asked in enumerate(TREES.trees):
        expected[tree, leaf_of(asked, tuple(record))] = by_hand(scores, record[-1], m)
    change = after - before
    require(np.array_equal(change, expected), f"a record moves the sums by {change.tolist()}")
    one, square, cells = (int(x) for x in (np.abs(change).sum(), (change**2).sum(), np.count_nonzero(change)))
    within = one <= query.n_releases * query.sensitivity and square <= query.l2_squared and cells <= query.cells
    require(within, f"ℓ₁ = {one}, ℓ₂² = {square} in {cells} cells is more than is stated")
    stated = (query.n_releases * query.sensitivity, query.l2_squared)
    require(not least or (one, square) == stated, f"ℓ₁ = {one} and ℓ₂² = {square} are moved, and {stated} is stated")


def at_most(most: int) -> Iterator[tuple[int, int, list[int], list[Any], list[int], int]]:
    """A wrong class that has all of the probability, for every K and m: as much is moved as is stated."""
    for k, m in product((2, 3, 4), range(2, most + 1, 2)):
        yield k, m, [0] * (6 * k) + [0] * (k - 1) + [80_000], [[0, 0, 0]], [1, 1, 0], 1


def random_questions(draw: ModuleType) -> Any:
    """Random models of two to four classes, m, data and records."""

    def of(k: int) -> Any:
        weights = draw.st.lists(draw.integers(-30_000, 30_000), min_size=7 * k, max_size=7 * k)
        record = draw.tuples(draw.integers(0, 2), draw.integers(0, 1), draw.integers(0, k - 1)).map(list)
        even = draw.integers(1, 64).map(lambda half: 2 * half)
        return draw.tuples(draw.st.just(k), even, weights, draw.st.lists(record, max_size=5), record)

    return draw.integers(2, 4).flatmap(of)


# --- a whole fit ------------------------------------------------------------------------------------------------------


def costs(k: int, parties: int, tolerate: int, rounds: int, trees: int, form: str = "trees") -> None:
    """A fit of k classes releases p histograms, class counts and R rounds, at .1, .03 and .87 of the budget."""
    domain, options = domain_of(k), {"rounds": rounds, "trees_per_round": trees, "max_depth": 2, "form": form}
    ensemble, federation = fitted(domain, dealt(rows_of(k), parties), RHO, parties, tolerate, **options)
    expected: list[Expected] = [
        ("group-counts", Fraction(1, 10), 2, 1, 2, 2),
        ("class-counts", Fraction(3, 100), 1, 1, 1, 1),
        *[("pull-vectors", Fraction(87, 100) / rounds, trees, 64, 2048 * trees, trees * min(k, 33))] * rounds,
    ]
    require_costs(ensemble, federation, RHO, expected)


def rows_of(k: int) -> Rows:
    """Rows of all k classes, the first one the most frequent."""
    return [
        [age, ward, f"class {c}"]
        for age, ward in product((0.5, 1.5, None), "AB")
        for c in (*range(k), 0, int(age == 1.5))
    ]


def asked_alike(case: Case, seed: int, size: int, rounds: int, form: str) -> None:
    """Parties without rows, given the released sums, are asked the same bytes, and the ensemble is the same."""
    require_asked_alike(case, RHO, seed, form=form, nominal_size=size, rounds=rounds, trees_per_round=2)


def small_fits(rounds: int) -> Iterator[tuple[Case, int, int, int, str]]:
    """Three and five classes, few rows in one party or in all, both forms."""
    for k, form in ((3, "trees"), (5, "trees"), (3, "curves")):
        for seed, parts in enumerate([[[], rows_of(k)[:1]], [rows_of(k), rows_of(k)[:5], []]]):
            yield (domain_of(k), parts), seed, 30, rounds, form


def refused(k: int, budget: Cost) -> None:
    """Before anything is charged: more than two classes in ε, more than 32 classes."""
    domain = Domain(EIGHT.features, range(k))
    federation = Federation([Party([], domain), Party([], domain)], domain, Ledger(budget))
    try:
        fit_federated_boosting(federation, nominal_size=50)
    except ValueError:
        require(federation.rounds == 0 and not federation.transport.requests, "something was asked before")
    else:
        require(False, f"{k} classes were boosted with {budget}")


CLAIMS = (
    Claim(
        "lem-pull-vector",
        status="proved+checked",
        code=(
            "fdpedu.gradients.vectors.powers",
            "fdpedu.gradients.vectors.pull_vectors",
        ),
        checks=(
            Check(
                "pulls",
                "exhaustive",
                "all even m to {size}, two to four classes, all scores of six levels: the pulls by hand, ℓ₁ ≤ m and "
                "ℓ₂² ≤ m²/2, both attained",
                pulled,
                lambda most: product(range(2, most + 1, 2), (2, 3, 4)),
                16,
                32,
                more=[(64, 3), (128, 2)],
            ),
            Check(
                "table",
                "exhaustive",
                "the entries to {size} of the table of powers: the nearest integers",
                powers_are,
                lambda most: ((j,) for j in range(most + 1)),
                512,
                1024,
            ),
            Check(
                "curvature",
                "exhaustive",
                "{size}0 rows of two classes and of three, several rows, sure rows: h of each class, and its floor",
                curved,
                curvature_cases,
                3,
                21,
            ),
        ),
        assumptions=("integers", PUBLIC),
        uses=("lem-pull-table",),
    ),
    Claim(
        "thm-pull-vectors",
        status="proved+checked",
        code=("fdpedu.federation.queries.vectors.PullVectors", "fdpedu.boosting.outcomes.Classes"),
        checks=(
            Check(
                "attained",
                "exhaustive",
                "all even m to {size}, two to four classes: a record moves ℓ₁ and ℓ₂² by as much as is stated",
                moved,
                at_most,
                16,
                128,
            ),
            Check(
                "random neighbours",
                "property",
                "{size} random models, data and records of two to four classes: a record moves one leaf of each tree "
                "by its pull; ℓ₁, ℓ₂² and cells",
                moved,
                random_questions,
                25,
                3000,
            ),
        ),
        assumptions=(ADD_REMOVE, "integers", PUBLIC),
        uses=("lem-pull-vector", "lem-one-leaf-a-tree", "thm-queries-in-rho"),
    ),
    Claim(
        "thm-boosting-classes",
        status="proved+checked",
        code=("fdpedu.boosting.outcome.Outcome",),
        checks=(
            Check(
                "costs",
                "exact",
                "three classes to {size} + 2, both forms: every release of a fit, its noise and its cost; their sum; "
                "ledger and checker",
                costs,
                lambda most: ((3 + i, 2 + i, i % 2, 1 + i, 1 + i, ("trees", "curves")[i % 2]) for i in range(most)),
                2,
                4,
                more=[(32, 2, 1, 1, 2)],
            ),
            Check(
                "asked alike",
                "exact",
                "two and three parties of a few rows of three classes and of five, {size} rounds: parties without "
                "rows, given the released sums, are asked bytewise the same, and the ensemble is the same",
                asked_alike,
                small_fits,
                2,
                6,
            ),
            Check(
                "refused",
                "exact",
                "three classes and {size} in ε, 33 classes in ρ: refused before anything is asked",
                refused,
                lambda most: iter([(3, Cost("pure", Fraction(1))), (most, Cost("pure", Fraction(9))), (33, RHO)]),
                5,
                32,
            ),
        ),
        assumptions=(ADD_REMOVE, "integers", OBSERVER, "running time is not covered"),
        uses=("thm-pull-vectors", "thm-federated-boosting", "lem-group-counts", "thm-histogram", "thm-gaussian-filter"),
    ),
)

_QUERY, _GROWTH = "fdpedu.federation.queries.vectors.PullVectors", "fdpedu.boosting.growth.Growth"
_RECORDS = "[respond.__self__._records for respond in self.asker._endpoints]"  # what only a simulation can reach

TWINS = (
    Broken(
        "a clip for each class",
        "fdpedu.gradients.vectors._pulled",
        "pull = np.minimum(m // 2, (2 * m * rest + whole) // (2 * whole))",
        "return np.clip((2 * m * weights + whole) // (2 * whole) - m * (np.arange(weights.shape[1]) == own), -m // 2, "
        "m // 2)",
        "Each class is a question of its own, so each gradient is clipped by itself.",
        "lem-pull-vector",
        "pulls",
    ),
    Broken(
        "the length of two classes",
        f"{_QUERY}.l2_squared",
        "self.steps**2 // 2",
        "(self.steps // 2) ** 2",
        "A row pulls with 1/2 at most, however many classes there are.",
        "thm-pull-vectors",
        "attained",
    ),
    Broken(
        "own class only",
        f"{_QUERY}.sensitivity",
        "return self.steps",
        "return self.steps // 2",
        "What the others are pulled up is what the own class is pulled down: it is counted once.",
        "thm-pull-vectors",
        "attained",
    ),
    Broken(
        "a vector in one cell",
        f"{_QUERY}.cells",
        "min(self.model.n_scores, 1 + self.steps // 2)",
        "1",
        "A record is in one leaf of each tree.",
        "thm-pull-vectors",
        "random neighbours",
    ),
    Broken(
        "a start that nobody pays",
        "fdpedu.boosting.rules.parts_of",
        "1 - _HISTOGRAMS - outcome.begins -",
        "1 - _HISTOGRAMS -",
        "How many rows have which class is asked once, before boosting begins.",
        "thm-boosting-classes",
        "costs",
    ),
    Broken(
        "a start from raw counts",
        f"{_GROWTH}._begin",
        "self._ask(asked).ravel()",
        "(self._ask(asked), [int((records.labels == c).sum()) for c in range(self.domain.n_classes) "
        f"for records in {_RECORDS}[:1]])[1]",
        "Class counts are of many rows, and no single one is seen in them.",
        "thm-boosting-classes",
        "asked alike",
    ),
)
