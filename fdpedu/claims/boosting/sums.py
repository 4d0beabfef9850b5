"""What a record moves in an answer, over all small data and all neighbours; and the exact law of two trees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import prod
from types import ModuleType
from typing import Any

import numpy as np

from fdpedu.accounting import Cost
from fdpedu.claims.boosting import draft
from fdpedu.claims.boosting.table import ADD_REMOVE, PUBLIC, ZERO, pull
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.noisy_counts import worst_ratio
from fdpedu.claims.records import Check, Claim
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.exact import Integers
from fdpedu.federation import GradientSums, InterceptSums
from fdpedu.federation.records import Records
from fdpedu.gradients import AdditiveModel, TreeShapes, intercept_shifts, probabilities
from fdpedu.gradients.additive import Questions

SMALL = Domain([Numeric.grid("age", 0, 2, bins=2, missing=True), Categorical("ward", ("A", "B"))], ("well", "ill"))
EVERY = tuple(product(range(3), range(2), range(2)))  # its records, as codes and a class
RHO = Cost("concentrated", Fraction(1, 40))
Record = tuple[int, ...]
Asked = GradientSums | InterceptSums

OLD, WARD, GAP = (0, 0b001), (1, 0b01), (0, 0b100)  # questions
MODELS = (
    AdditiveModel(),
    AdditiveModel((((OLD, WARD), (4096, -900, 3000, -2000)), ((GAP,), (-7000, 500))), intercept=-800, scale=40),
    AdditiveModel((((WARD,), (40_000, -40_000)), ((OLD,), (12_345, -54_321)), ((OLD, OLD), (1, 2, 3, -5))), 77, 17),
)
TREES = (TreeShapes(((OLD,), (WARD,))), TreeShapes(((GAP, WARD), (WARD, OLD), (OLD, GAP))), TreeShapes(((WARD, WARD),)))


def answer(query: Asked, data: Sequence[Record]) -> Integers:
    """What a party of these records counts, without noise."""
    codes = np.array([record[:-1] for record in data], dtype=np.uint8).reshape(len(data), SMALL.n_features)
    records = Records(codes, np.array([record[-1] for record in data], dtype=np.uint8), SMALL)
    return query.tally(records, records.within([query.region])[0], SMALL).reshape(query.shape(SMALL))


def leaf_of(questions: Questions, record: Record) -> int:
    """Its answers in binary, the first question first: 1 for a code that is not in the mask."""
    return int("".join("10"[mask >> record[feature] & 1] for feature, mask in questions), 2)


def position_of(model: AdditiveModel, record: Record) -> int:
    """Where its score stands in the table: to the nearest 64th, halves up, from −8 to 8."""
    score = sum(weights[leaf_of(questions, record)] for questions, weights in model.trees)
    units = score * model.scale // 16 + model.intercept
    return ZERO + max(-512, min(512, (units + 32) // 64))


def inside(query: Asked, record: Record) -> bool:
    """Whether a record is in the region of a query."""
    return all(
        mask >> code & 1 for mask, code in zip((*query.region.features, query.region.classes), record, strict=True)
    )


def by_hand(query: GradientSums, data: Sequence[Record]) -> list[list[int]]:
    """The pulls of the rows in each leaf of each tree, row by row."""
    found = [[0] * query.trees.n_leaves for _ in query.trees.trees]
    for record in (one for one in data if inside(query, one)):
        p = int(probabilities(query.steps)[position_of(query.model, record)])
        weight = query.second if record[-1] else query.first
        for sums, questions in zip(found, query.trees.trees, strict=True):
            sums[leaf_of(questions, record)] += pull(p, record[-1], query.steps, query.clip, weight)
    return found


def one_leaf(query: GradientSums, data: Sequence[Record], record: Record) -> None:
    """The sums are those by hand; a record moves each tree in one leaf, or none, by the same pull; outside it, nothing.

    So it moves B parts by at most c each, and the vector by ℓ₂² ≤ B·c²: what the query says of itself.
    """
    before, after = answer(query, data), answer(query, [*data, record])
    require(before.tolist() == by_hand(query, data), f"the sums are {before.tolist()}, by hand {by_hand(query, data)}")
    moved = (after - before).tolist()
    cells = [[d for d in tree if d] for tree in moved]
    require(all(len(tree) <= 1 for tree in cells), f"it moves {moved}: a tree in more leaves than one")
    require(len({tuple(tree) for tree in cells}) == 1, f"it moves {moved}: not every tree by the same pull")
    require(inside(query, record) or not any(map(any, moved)), f"outside the region it moves {moved}")
    stated(query, moved)


def stated(query: Asked, moved: Sequence[Sequence[int]]) -> None:
    """What a record moves, part by part, is within what the query states and is charged for."""
    l1 = [sum(map(abs, part)) for part in moved]
    l2 = sum(d * d for part in moved for d in part)
    n = sum(d != 0 for part in moved for d in part)
    require(max(l1) <= query.sensitivity, f"it moves a part by {max(l1)}, stated is {query.sensitivity}")
    rate = query.rate.rate
    require(rate is not None and sum(l1) * rate <= query.epsilon, f"it moves {moved}, at the rate {rate}")
    require(l2 <= query.l2_squared and n <= query.cells, f"ℓ₂² is {l2} in {n} cells, not {query.l2_squared}")
    in_rho = type(query)(query.region, RHO, *(getattr(query, name) for name in query.own_fields()))
    variance = in_rho.charge(SMALL, 1, "none", n_noise_shares=3).variance
    require(variance is not None and 2 * RHO.value * variance >= l2, f"ℓ₂² is {l2}, and the variance {variance}")


def asked() -> Iterator[GradientSums]:
    """Three models, three shapes of trees, clips, weights of classes and regions."""
    whole, steps = SMALL.everything, (2, 64, 6)
    some = whole.restrict(0, {1, 2}).restrict_class({1})
    for k, (model, trees) in enumerate(product(MODELS, TREES)):
        m = steps[k % 3]
        for clip, first, second, region in ((m // 2, 256, 256, whole), (m, 256, 100, whole), (1, 7, 256, some)):
            yield GradientSums(region, Fraction(1, 2), m, model, clip, first, second, trees)


def small_data(most: int) -> Iterator[tuple[GradientSums, tuple[Record, ...], Record]]:
    """All data of at most so many records; every record added; all questions."""
    return ((query, data, record) for data, record, query in product(_of_a_party(most), EVERY, list(asked())))


def random_sums(draw: ModuleType) -> Any:
    """A random model, new trees, a clip, weights of classes, data and a record."""
    question = draw.tuples(draw.integers(0, 1), draw.integers(0, 3))
    one = draw.integers(1, 3).flatmap(lambda k: draw.tuples(*[question] * k))
    weight, classes = draw.integers(-(2**20), 2**20), draw.integers(1, 256)

    def tree(questions: Questions) -> Any:
        return draw.tuples(draw.st.just(questions), draw.tuples(*[weight] * 2 ** len(questions)))

    several = draw.st.lists(one.flatmap(tree), max_size=4).map(tuple)
    models = draw.st.builds(AdditiveModel, several, weight, draw.integers(16, 1024))
    shapes = draw.integers(1, 3).flatmap(lambda k: draw.st.lists(draw.tuples(*[question] * k), min_size=1, max_size=4))

    def of(m: int) -> Any:
        return draw.st.builds(
            GradientSums,
            *(draw.regions(SMALL), draw.epsilons, draw.st.just(m), models),
            *(draw.integers(1, m), classes, classes, shapes.map(lambda trees: TreeShapes(tuple(trees)))),
        )

    record = draw.st.sampled_from(EVERY)
    return draw.tuples(
        draw.integers(1, 64).flatmap(lambda half: of(2 * half)), draw.st.lists(record, max_size=5), record
    )


def attained(steps: int, clip: int, trees: int) -> None:
    """At the score 0 every record moves each tree by the clip, if it is at most m/2: no less is safe."""
    shapes = TreeShapes(tuple((OLD, WARD) if k % 2 else (GAP, WARD) for k in range(trees)))
    query = GradientSums(SMALL.everything, Fraction(1), steps, AdditiveModel(), clip, 256, 256, shapes)
    for record in EVERY:
        moved = answer(query, [record]).tolist()
        found = (sum(abs(d) for part in moved for d in part), sum(d * d for part in moved for d in part))
        require(found == (trees * clip, trees * clip**2), f"{record} moves it by {found}")
        require(query.n_releases * query.sensitivity == found[0], f"ℓ₁ is stated as {query.sensitivity} a release")
        require(query.l2_squared == found[1] and query.cells == trees, f"ℓ₂² is stated as {query.l2_squared}")


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
    sums = [tuple(sorted((*a, *b))) for a, b in product(_of_a_party(most), repeat=2)]
    return ((model, data, record) for model, data, record in product(MODELS, Counter(sums), EVERY))


def _of_a_party(most: int) -> list[tuple[Record, ...]]:
    return [data for n in range(most + 1) for data in combinations_with_replacement(EVERY, n)]


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
    stated(query, [[g, h]])


def pairs(most: int) -> Iterator[tuple[int, AdditiveModel, tuple[Record, ...], Record]]:
    """Three models, four m, all data of at most so many records."""
    for data, record, model in product(_of_a_party(most), EVERY, MODELS):
        yield from ((steps, model, data, record) for steps in (2, 6, 8, 64))


CLAIMS = (
    Claim(
        "lem-one-leaf-a-tree",
        "A record moves each tree in one leaf",
        "boosting",
        "this book",
        status="checked",
        statement=draft("lem-one-leaf-a-tree"),
        code=(
            "fdpedu.gradients.additive",
            "fdpedu.gradients.sums",
            "fdpedu.gradients.sums.pull_sums",
        ),
        checks=(
            Check(
                "small data",
                "exhaustive",
                "two features, a missing code: 27 questions with models of no to three trees, all data of at most "
                "{size} records, all records to add: the sums by hand, and what a record moves",
                one_leaf,
                small_data,
                1,
                2,
            ),
            Check(
                "random questions",
                "property",
                "{size} random models, trees, regions, clips, weights, data and records",
                one_leaf,
                random_sums,
                25,
                3000,
            ),
        ),
        assumptions=(ADD_REMOVE, "integers", PUBLIC),
        uses=("lem-pull-table",),
    ),
    Claim(
        "thm-gradient-sums",
        "B trees are B releases of the clip, or one vector of length √B·c",
        "boosting",
        "this book",
        status="checked",
        statement=draft("thm-gradient-sums"),
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
        "Two sums for the intercept",
        "boosting",
        "this book",
        status="checked",
        statement=draft("lem-intercept-sums"),
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
            ),
            Check(
                "small data",
                "exhaustive",
                "three models, four m, all data of at most {size} records, all records to add: the pair by hand",
                pair_moves,
                pairs,
                1,
                2,
            ),
        ),
        assumptions=(ADD_REMOVE, "integers", PUBLIC),
        uses=("lem-pull-table", "lem-one-leaf-a-tree"),
    ),
)

_ALL = "pulls(self.steps, self.steps, self.first, self.second)"
_ROWS = "[records.labels.take(rows), positions(self.scores(records, rows))]"
_SUMS = "fdpedu.federation.queries.gradients.GradientSums"
_PAIR = "fdpedu.federation.queries.gradients.InterceptSums"

TWINS = (
    Broken(
        "clipped after the sum",
        f"{_SUMS}.tally",
        "n_leaves, pull).ravel()",
        f"n_leaves, {_ALL}{_ROWS}).ravel().clip(-self.clip, self.clip)",
        "A sum that is clipped at c moves by at most c.",
        "lem-one-leaf-a-tree",
        "small data",
    ),
    Broken(
        "clip forgotten after the first round",
        f"{_SUMS}.tally",
        "self.clip,",
        "self.steps if self.model.trees else self.clip,",
        "Later rounds pull less than the first, so only that one needs a clip.",
        "lem-one-leaf-a-tree",
        "small data",
    ),
    Broken(
        "scores from unreleased sums",
        "fdpedu.federation.queries.gradients.Scored.scores",
        "records.scores(self.model)",
        "(records.scores(self.model) + 4096 * (2 * int(records.labels.sum()) - len(records.labels)))",
        "A party begins with the log-odds of its own rows: it may look at what is its own.",
        "lem-one-leaf-a-tree",
        "small data",
    ),
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
