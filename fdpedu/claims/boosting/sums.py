"""What B trees cost, in ε and in ρ, and the pair for the intercept; the exact law of two trees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod

from fdpedu.claims.boosting.questions import (
    EVERY,
    GAP,
    MODELS,
    OLD,
    SMALL,
    TREES,
    WARD,
    Record,
    answer,
    of_a_party,
    one_leaf,
    position_of,
    random_sums,
    require_attained,
    require_stated,
)
from fdpedu.claims.boosting.table import ADD_REMOVE, PUBLIC, pull
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.noisy_counts import worst_ratio
from fdpedu.claims.records import Check, Claim
from fdpedu.federation import GradientSums, InterceptSums
from fdpedu.gradients import AdditiveModel, TreeShapes, intercept_shifts, probabilities


def attained(steps: int, clip: int, trees: int) -> None:
    """At the score 0 every record moves each tree by the clip, if it is at most m/2: no less is safe."""
    shapes = TreeShapes(tuple((OLD, WARD) if k % 2 else (GAP, WARD) for k in range(trees)))
    query = GradientSums(SMALL.everything, Fraction(1), steps, AdditiveModel(), clip, 256, 256, shapes)
    said = query.n_releases * query.sensitivity, query.l2_squared, query.cells
    require(said == (trees * clip, trees * clip**2, trees), f"ℓ₁, ℓ₂² and cells are stated as {said}")
    for record in EVERY:
        require_attained(query, record)


def two_trees(model: AdditiveModel, data: Sequence[Record], record: Record) -> None:
    """m = 2, clip 1: with a record more or less no answer is more than e^ε times as likely, and at the score 0 some is.

    A number carries noise of the rate ε/2, by α = e^{−ε/2} = 1/2, clamped; e^ε is as the query states its releases.
    """
    query = GradientSums(SMALL.everything, Fraction(1), 2, model, 1, 256, 256, TREES[0])
    before, after = (answer(query, some).ravel().tolist() for some in (data, [*data, record]))
    e = 2 ** (query.n_releases * query.sensitivity)
    both = (zip(before, after, strict=True), zip(after, before, strict=True))
    worst = max(prod((_ratio(*cell) for cell in cells), start=Fraction(1)) for cells in both)
    require(worst <= e, f"an answer is {worst} times as likely, e^ε is {e}")
    require(worst == e or model.trees, f"no answer is more than {worst} times as likely, and e^ε is {e}")


@cache
def _ratio(one: int, other: int) -> Fraction:
    """The largest ratio of a number, where the exact numbers are these; numbers are drawn independently."""
    return worst_ratio([one], [other], Fraction(1, 2))


def two_parties(most: int) -> Iterator[tuple[AdditiveModel, tuple[Record, ...], Record]]:
    """All data of two parties with at most so many records each: what counts is their sum."""
    sums = [tuple(sorted((*a, *b))) for a, b in product(of_a_party(most), repeat=2)]
    return ((model, data, record) for model, data, record in product(MODELS, Counter(sums), EVERY))


# --- the intercept ----------------------------------------------------------------------------------------------------


def pair(steps: int) -> None:
    """Over the whole table and both classes a row moves (G, H) as stated; one at the score 0 moves both the most."""
    query = InterceptSums(SMALL.everything, Fraction(1), steps, AdditiveModel())
    moved = set[tuple[int, int]]()
    for p, y in product(set(probabilities(steps).tolist()), (0, 1)):
        mirrored = steps - p if y else p
        moved.add((min(mirrored, steps // 2), p * (steps - p) // steps))
    require(moved <= set(intercept_shifts(steps)), f"{moved.difference(intercept_shifts(steps))} are left out")
    require(query.sensitivity == max(a + b for a, b in moved), f"ℓ₁ is stated as {query.sensitivity}")
    require(query.l2_squared == max(a * a + b * b for a, b in moved), f"ℓ₂² is stated as {query.l2_squared}")
    worst = (steps // 2, steps // 4)
    require(query.cells == 2 and worst == max(moved) == (worst[0], max(b for _, b in moved)), f"no row moves {worst}")
    require((4 * query.sensitivity == 3 * steps) == (steps % 4 == 0), "3/4·m")
    require((16 * query.l2_squared == 5 * steps**2) == (steps % 4 == 0), "5/16·m²")


def pair_moves(steps: int, model: AdditiveModel, data: Sequence[Record], record: Record) -> None:
    """A party's pair is that by hand, and a record moves it by a pair of the list."""
    query = InterceptSums(SMALL.everything, Fraction(1), steps, model)
    before, after = answer(query, data), answer(query, [*data, record])
    hand = [0, 0]
    for one in data:
        p = int(probabilities(steps)[position_of(model, one)])
        hand = [hand[0] + pull(p, one[-1], steps, steps // 2, 256), hand[1] + p * (steps - p) // steps]
    require(before.tolist() == hand, f"the pair is {before.tolist()}, by hand {hand}")
    g, h = (after - before).tolist()
    require((abs(g), h) in intercept_shifts(steps), f"a record moves it by {g, h}")
    require_stated(query, [[g, h]])


def pairs(most: int) -> Iterator[tuple[int, AdditiveModel, tuple[Record, ...], Record]]:
    """Three models, four m, all data of at most so many records."""
    for data, record, model in product(of_a_party(most), EVERY, MODELS):
        yield from ((steps, model, data, record) for steps in (2, 6, 8, 64))


CLAIMS = (
    Claim(
        "thm-gradient-sums",
        status="checked",
        code=("fdpedu.federation.queries.gradients.GradientSums",),
        checks=(
            Check(
                "attained",
                "exhaustive",
                "all even m to {size}, all clips to m/2, one tree and three: every record moves as much as is stated",
                attained,
                lambda most: ((m, c, b) for m in range(2, most + 1, 2) for c in range(1, m // 2 + 1) for b in (1, 3)),
                16,
                128,
                more=[(128, clip, 7) for clip in (1, 63, 64)],
            ),
            Check(
                "two trees",
                "exhaustive",
                "m = 2, clip 1: three models, two parties of at most {size} records each, all records to add: the "
                "worst ratio of all answers of two trees, exactly, and e^ε attained",
                two_trees,
                two_parties,
                1,
                2,
                more=[(model, EVERY, EVERY[0]) for model in MODELS],
            ),
            Check(
                "random neighbours",
                "property",
                "{size} random questions, data and records: ℓ₁, ℓ₂², cells, rate and variance",
                one_leaf,
                random_sums,
                15,
                2000,
            ),
        ),
        assumptions=(ADD_REMOVE, "integers", PUBLIC),
        uses=("lem-one-leaf-a-tree", "lem-pull-table", "thm-histogram", "thm-sequential", "thm-queries-in-rho"),
    ),
    Claim(
        "lem-intercept-sums",
        status="checked",
        code=(
            "fdpedu.federation.queries.gradients.InterceptSums",
            "fdpedu.gradients.sums",
            "fdpedu.gradients.sums.intercept_sums",
            "fdpedu.gradients.table.intercept_shifts",
        ),
        checks=(
            Check(
                "pair",
                "exhaustive",
                "all even m to {size}, the whole table and both classes: ℓ₁, ℓ₂² and cells, attained",
                pair,
                lambda most: ((m,) for m in range(2, most + 1, 2)),
                64,
                128,
                more=[(126,), (128,), (1000,), (1002,)],
            ),
            Check(
                "small data",
                "exhaustive",
                "three models, four m, all data of at most {size} records, all records to add: the pair by hand",
                pair_moves,
                pairs,
                1,
                2,
                more=[(62, MODELS[2], EVERY, (1, 1, 1))],
            ),
        ),
        assumptions=(ADD_REMOVE, "integers", PUBLIC),
        uses=("lem-pull-table", "lem-one-leaf-a-tree"),
    ),
)

_SUMS = "fdpedu.federation.queries.gradients.GradientSums"
_PAIR = "fdpedu.federation.queries.gradients.InterceptSums"

TWINS = (
    Broken(
        "B trees as one release",
        f"{_SUMS}.n_releases",
        "len(self.trees)",
        "1",
        "A record is in one leaf, and leaves are disjoint, so a round moves by m/2, or by m²/4.",
        "thm-gradient-sums",
        "two trees",
    ),
    Broken(
        "one cell of a round",
        f"{_SUMS}.sensitivity",
        "return self.clip",
        "return 1",
        "A row is counted once in a leaf.",
        "thm-gradient-sums",
        "attained",
    ),
    Broken(
        "curvature uncounted in ρ",
        f"{_PAIR}.l2_squared",
        "(self.steps // 2) ** 2 + (self.steps // 4) ** 2",
        "(self.steps // 2) ** 2",
        "The gradient is what is sensitive: the Hessian comes free with it.",
        "lem-intercept-sums",
        "pair",
    ),
    Broken(
        "(G, H) charged for the longer of both",
        f"{_PAIR}.sensitivity",
        "self.steps // 2 + self.steps // 4",
        "max(self.steps // 2, self.steps // 4)",
        "Two sums over the same rows are one release, of the larger sensitivity.",
        "lem-intercept-sums",
        "small data",
    ),
    Broken(
        "pair in one cell",
        f"{_PAIR}.cells",
        "return 2",
        "return 1",
        "An answer without leaves has one cell.",
        "lem-intercept-sums",
        "pair",
    ),
)
