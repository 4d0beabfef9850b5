"""A question carries all that its answer is a function of; what a record moves in an answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from types import ModuleType
from typing import Any

import numpy as np

from fdpedu.accounting import Cost
from fdpedu.claims.boosting.table import ADD_REMOVE, PUBLIC, ZERO, pull
from fdpedu.claims.checking import require
from fdpedu.claims.federations import federate
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.exact import Integers
from fdpedu.federation import GradientSums, InterceptSums, Query
from fdpedu.federation.queries import read_queries, write_queries
from fdpedu.federation.records import Records
from fdpedu.gradients import AdditiveModel, TreeShapes, probabilities
from fdpedu.gradients.additive import Questions
from fdpedu.randomness import ZeroWords

SMALL = Domain([Numeric.grid("age", 0, 2, bins=2, missing=True), Categorical("ward", ("A", "B"))], ("well", "ill"))
EVERY = tuple(product(range(3), range(2), range(2)))  # its records, as codes and a class
RHO = Cost("gaussian", Fraction(1, 40))
Record = tuple[int, ...]
Asked = GradientSums | InterceptSums

OLD, WARD, GAP = (0, 0b001), (1, 0b01), (0, 0b100)  # questions
MODELS = (
    AdditiveModel(),
    AdditiveModel((((OLD, WARD), (4096, -900, 3000, -2000)), ((GAP,), (-7000, 500))), intercept=-800, scale=40),
    AdditiveModel((((WARD,), (40_000, -40_000)), ((OLD,), (12_345, -54_321)), ((OLD, OLD), (1, 2, 3, -5))), 77, 17),
)
TREES = (TreeShapes(((OLD,), (WARD,))), TreeShapes(((GAP, WARD), (WARD, OLD), (OLD, GAP))), TreeShapes(((WARD, WARD),)))


def answer(query: Query, data: Sequence[Sequence[int]], domain: Domain = SMALL) -> Integers:
    """What a party of these records counts, without noise."""
    codes = np.array([record[:-1] for record in data], dtype=np.uint8).reshape(len(data), domain.n_features)
    records = Records(codes, np.array([record[-1] for record in data], dtype=np.uint8), domain)
    return query.tally(records, records.within([query.region])[0], domain).reshape(query.shape(domain))


def leaf_of(questions: Questions, record: Record) -> int:
    """Its answers in binary, the first question first: 1 for a code that is not in the mask."""
    return int("".join("10"[mask >> record[feature] & 1] for feature, mask in questions), 2)


def position_of(model: AdditiveModel, record: Record) -> int:
    """Where its score stands in the table: to the nearest 64th, halves up, from −8 to 8."""
    score = sum(weights[leaf_of(questions, record)] for questions, weights in model.trees)
    units = score * model.scale // 16 + model.intercept
    return ZERO + max(-512, min(512, (units + 32) // 64))


def inside(query: Query, record: Record) -> bool:
    """Whether a record is in the region of a query."""
    return all(
        mask >> code & 1 for mask, code in zip((*query.region.features, query.region.classes), record, strict=True)
    )


def pull_by_hand(query: GradientSums, record: Record) -> int:
    """What a record pulls, by hand.

    Shares: gradients.probabilities: the public table, which has a claim of its own (lem-pull-table).
    """
    p = int(probabilities(query.steps)[position_of(query.model, record)])
    return pull(p, record[-1], query.steps, query.clip, query.second if record[-1] else query.first)


def by_hand(query: Any, data: Sequence[Record], hand: Callable[[Any, Record], int]) -> list[list[int]]:
    """The pulls of the rows in each leaf of each tree, row by row."""
    found = [[0] * query.trees.n_leaves for _ in query.trees.trees]
    for record in (one for one in data if inside(query, one)):
        pulled = hand(query, record)
        for sums, questions in zip(found, query.trees.trees, strict=True):
            sums[leaf_of(questions, record)] += pulled
    return found


def one_leaf(query: GradientSums, data: Sequence[Record], record: Record) -> None:
    """A record moves each tree in one leaf, or none, by the same pull."""
    require_one_leaf(query, data, record, pull_by_hand)


def require_one_leaf(
    query: Query,
    data: Sequence[Record],
    record: Record,
    hand: Callable[[Any, Record], int],
    domain: Domain = SMALL,
) -> None:
    """The sums are those by hand; a record moves each tree in one leaf, or none, by the same pull; outside it, nothing.

    So it moves B parts by at most c each, and the vector by ℓ₂² ≤ B·c²: what the query says of itself.
    """
    before, after = answer(query, data, domain), answer(query, [*data, record], domain)
    expected = by_hand(query, data, hand)
    require(before.tolist() == expected, f"the sums are {before.tolist()}, by hand {expected}")
    moved = (after - before).tolist()
    cells = [[d for d in tree if d] for tree in moved]
    require(all(len(tree) <= 1 for tree in cells), f"it moves {moved}: a tree in more leaves than one")
    require(len({tuple(tree) for tree in cells}) == 1, f"it moves {moved}: not every tree by the same pull")
    require(inside(query, record) or not any(map(any, moved)), f"outside the region it moves {moved}")
    require_stated(query, moved, domain)


def require_stated(query: Query, moved: Sequence[Sequence[int]], domain: Domain = SMALL) -> None:
    """What a record moves, part by part, is within what the query states and is charged for."""
    l1 = [sum(map(abs, part)) for part in moved]
    l2, n = sum(d * d for part in moved for d in part), sum(d != 0 for part in moved for d in part)
    require(max(l1) <= query.sensitivity, f"it moves a part by {max(l1)}, stated is {query.sensitivity}")
    rate = query.rate.rate
    require(rate is not None and sum(l1) * rate <= query.epsilon, f"it moves {moved}, at the rate {rate}")
    require(l2 <= query.l2_squared and n <= query.cells, f"ℓ₂² is {l2} in {n} cells, not {query.l2_squared}")
    variance = replace(query, cost=RHO).charge(domain, 1, "none", n_noise_shares=3).variance
    require(variance is not None and 2 * RHO.value * (variance - 1) >= l2, f"ℓ₂² is {l2}, and the variance {variance}")


def require_attained(query: Query, record: Record, domain: Domain = SMALL) -> None:
    """A record alone moves as much as is stated: no less is safe."""
    moved = answer(query, [record], domain).ravel().tolist()
    found = sum(map(abs, moved)), sum(d * d for d in moved), sum(d != 0 for d in moved)
    stated = query.n_releases * query.sensitivity, query.l2_squared, query.cells
    require(found == stated, f"{record} moves ℓ₁, ℓ₂² and cells by {found}, stated are {stated}")


def asked() -> Iterator[GradientSums]:
    """Three models, three shapes of trees, clips, weights of classes and regions."""
    whole, steps = SMALL.everything, (2, 64, 6)
    some = whole.restrict(0, {1, 2}).restrict_class({1})
    for k, (model, trees) in enumerate(product(MODELS, TREES)):
        m = steps[k % 3]
        kinds = ((m // 2, 256, 256, whole), (m, 256, 100, whole), (1, 7, 256, some))
        clip, first, second, region = kinds[(k + k // 3) % 3]
        yield GradientSums(region, Fraction(1, 2), m, model, clip, first, second, trees)


def of_a_party(most: int) -> list[tuple[Record, ...]]:
    """All data of at most so many records."""
    return [data for n in range(most + 1) for data in combinations_with_replacement(EVERY, n)]


def small_data(most: int) -> Iterator[tuple[GradientSums, tuple[Record, ...], Record]]:
    """All data of at most so many records; every record added; all questions."""
    return ((query, data, record) for data, record, query in product(of_a_party(most), EVERY, list(asked())))


def random_sums(draw: ModuleType) -> Any:
    """A random model, new trees, a clip, weights of classes, data and a record."""
    question = draw.tuples(draw.integers(0, 1), draw.integers(0, 3))
    one = draw.integers(1, 3).flatmap(lambda k: draw.tuples(*[question] * k))
    weight, classes = draw.integers(-(2**20), 2**20), draw.integers(1, 256)

    def tree(questions: Questions) -> Any:
        return draw.tuples(draw.st.just(questions), draw.tuples(*[weight] * 2 ** len(questions)))

    several = draw.st.lists(one.flatmap(tree), max_size=4).map(tuple)
    models = draw.st.builds(AdditiveModel, several, weight, draw.integers(16, 64))
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


# --- what stands in a question ----------------------------------------------------------------------------------------


def told_apart(one: Asked, other: Asked) -> None:
    """Two questions that differ in anything differ in their bytes and in what a derivation says of them.

    Each is read as it was written.
    """
    forms = [write_queries([query], SMALL) for query in (one, other)]
    for query, form in zip((one, other), forms, strict=True):
        require(read_queries(form, SMALL) == (query,), f"it is read as {read_queries(form, SMALL)}")
    require((one == other) == (forms[0] == forms[1]), "different questions have the same bytes")
    said = [(query.type, query.parameters) for query in (one, other)]
    require((one == other) == (said[0] == said[1]), f"a derivation calls different questions {said[0]}")


def changed() -> Iterator[tuple[Asked, Asked]]:
    """All pairs of questions that differ from one in a weight, a tree, the intercept, the scale, a number, …"""
    model = MODELS[1]
    ((questions, weights), last) = model.trees
    base = GradientSums(SMALL.everything, Fraction(1, 2), 64, model, 32, 256, 100, TREES[1])
    models = [
        *(replace(model, trees=((questions, _raised(weights, k)), last)) for k in range(4)),
        *(replace(model, trees=trees) for trees in (model.trees[:1], model.trees[::-1], (*model.trees, last), ())),
        replace(model, trees=((questions[::-1], weights), last)),
        replace(model, intercept=-799),
        replace(model, scale=41),
    ]
    shapes = [TreeShapes(base.trees.trees[::-1]), TreeShapes(base.trees.trees[:2]), TREES[0], TREES[2]]
    shapes += [TreeShapes((((GAP[0], GAP[1] ^ 1), WARD), *base.trees.trees[1:]))]
    varied: list[Asked] = [
        base,
        *(replace(base, model=other) for other in models),
        *(replace(base, trees=trees) for trees in shapes),
        *(replace(base, clip=31), replace(base, first=31), replace(base, second=31), replace(base, steps=62)),
        *(InterceptSums(base.region, base.cost, 64, other) for other in (model, *models)),
        InterceptSums(base.region, base.cost, 62, model),
    ]
    yield from combinations(varied, 2)
    yield base, replace(base)


def _raised(weights: tuple[int, ...], at: int) -> tuple[int, ...]:
    return (*weights[:at], weights[at] + 1, *weights[at + 1 :])


POOL = (((OLD, WARD), (9000, -4000, 300, -20_000)), ((GAP,), (-7000, 500)), ((WARD,), (40_000, -40_000)))


def in_any_order(models: Sequence[tuple[tuple[int, ...], int]], parts: Sequence[Sequence[Record]]) -> None:
    """Asked by one model after another, parties answer by the model in the question: as if they were asked first."""
    names: Any = ([0.5, 1.5, None], ["A", "B"], ["well", "ill"])
    rows = [[[some[code] for some, code in zip(names, record, strict=True)] for record in data] for data in parts]
    federation = federate(rows, SMALL, 100, ZeroWords(), tolerate=0)
    for trees, intercept in models:
        model = AdditiveModel(tuple(POOL[k] for k in trees), intercept, 16 + abs(intercept) % 49)
        query = GradientSums(SMALL.everything, Fraction(1, 2), 64, model, 64, 256, 200, TREES[1])
        (found,) = federation.release([query])
        expected = by_hand(query, [record for data in parts for record in data], pull_by_hand)
        require(found.tolist() == expected, f"asked by the trees {trees} it is {found.tolist()}, by hand {expected}")


def sequences(draw: ModuleType) -> Any:
    """One to five models of trees of a pool, often the beginnings of each other; and the records of two parties."""
    trees = draw.st.lists(draw.integers(0, 2), max_size=4).map(tuple)
    model = draw.tuples(trees, draw.integers(-9999, 9999))
    data = draw.st.lists(draw.st.sampled_from(EVERY), max_size=5)
    return draw.tuples(draw.st.lists(model, min_size=1, max_size=5), draw.tuples(data, data))


CLAIMS = (
    Claim(
        "lem-one-leaf-a-tree",
        status="checked",
        code=(
            "fdpedu.gradients.additive",
            "fdpedu.gradients.known",
            "fdpedu.gradients.sums",
            "fdpedu.gradients.sums.pull_sums",
        ),
        checks=(
            Check(
                "small data",
                "exhaustive",
                "two features, a missing code: 9 questions with models of no to three trees, all data of at most "
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
            Check(
                "told apart",
                "exact",
                "all pairs of questions that differ from one in a weight, a tree, the intercept, the scale, the clip, "
                "m or a weight of a class: their bytes, what is read of these, and their digests",
                told_apart,
                lambda _: changed(),
            ),
            Check(
                "in any order",
                "property",
                "{size} random sequences of models that begin alike or not: each answer by its own model, by hand",
                in_any_order,
                sequences,
                15,
                1000,
                more=[
                    (
                        [((0, 1), 5), ((0, 1, 2), 5), ((0,), -70), ((1, 0), 5), ((), 0), ((0, 1, 2), 5)],
                        [EVERY[:7], EVERY[4:]],
                    )
                ],
            ),
        ),
        assumptions=(ADD_REMOVE, "integers", PUBLIC),
        uses=("lem-pull-table",),
    ),
)

_ALL = "pulls(self.steps, self.steps, self.first, self.second)"
_ROWS = "[records.labels.take(rows), positions(self.scores(records, rows))]"
_SUMS = "fdpedu.federation.queries.gradients.GradientSums"

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
        f"{_SUMS}.pulled",
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
        "earlier trees left out of the question",
        "fdpedu.gradients.additive.AdditiveModel.to_wire",
        "packed_trees(self.trees)",
        "packed_trees(self.trees[:0])",
        "The parties were asked about the earlier trees, so a question need not repeat them.",
        "lem-one-leaf-a-tree",
        "told apart",
    ),
    Broken(
        "weights left out of the digest",
        "fdpedu.federation.queries.query._scalar",
        "hashed(value).hex()",
        "hashed(value if type(value[1]) is bytes else (value[0], tuple(block[:9] for block in value[1]))).hex()",
        "Which trees were asked about says the derivation; what they weigh follows from the answers.",
        "lem-one-leaf-a-tree",
        "told apart",
    ),
    Broken(
        "sums kept for a model that is longer",
        "fdpedu.gradients.known.KnownSums.of",
        "model.trees[: len(trees)] != trees",
        "len(model.trees) < len(trees)",
        "A model only grows, so one that is longer begins with the trees that are known.",
        "lem-one-leaf-a-tree",
        "in any order",
    ),
    Broken(
        "leaves of the last question",
        "fdpedu.gradients.known.KnownSums._added",
        "if tuple(questions for questions, _ in trees) != asked or not trees:",
        "if len(trees) != len(asked) or not trees:",
        "The trees that a model has more are those that were asked about last.",
        "lem-one-leaf-a-tree",
        "in any order",
    ),
    Broken(
        "sets that begin once",
        "fdpedu.gradients.additive.answers",
        "np.full(column.shape, not mask & 1)",
        "np.ones(column.shape, dtype=bool)",
        "Code 0 is to the right, unless the set begins there.",
        "lem-one-leaf-a-tree",
        "small data",
    ),
)
