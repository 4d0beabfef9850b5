"""The exact distribution of a whole small tree, by its recursion and by adding up all trees."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from fdpedu.cart import CodeSplit, Node
from fdpedu.claims.checking import require
from fdpedu.claims.federations import federate
from fdpedu.claims.laws.askers import Answer, Kept, coins_of
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.trees.federated import ADD_REMOVE
from fdpedu.domain import Domain, Numeric, Region, Rows
from fdpedu.exact import Integers
from fdpedu.federation import Query
from fdpedu.privacy import Law, datasets, max_ratio
from fdpedu.randomness import ZeroWords
from fdpedu.sources.gubler import AsPrinted
from fdpedu.trees import Design, fit_federated_tree
from fdpedu.trees.designs import counting_design
from fdpedu.trees.exact_law import SmallTrees, Split
from fdpedu.trees.stopping import Level

HALF = Fraction(1, 2)
ONE = Domain([Numeric.grid("age", 0, 2, bins=2)], ("well", "ill"))
TWO = Domain([Numeric.grid(name, 0, 2, bins=2) for name in ("age", "dose")], ("well", "ill"))
THREE = Domain([Numeric.grid("age", 0, 3, bins=3)], ("well", "ill", "cured"))


def universe(domain: Domain) -> list[tuple[Any, ...]]:
    """One record for each combination of codes and class, of a domain whose bins are (0, 1], (1, 2], ….

    >>> universe(ONE)
    [(0.5, 'well'), (0.5, 'ill'), (1.5, 'well'), (1.5, 'ill')]
    """
    codes = ([code + 0.5 for code in range(feature.n_codes)] for feature in domain.features)
    return list(product(*codes, domain.classes))


def recursion(trees: SmallTrees, rows: Rows) -> None:
    """For each record that may be added: adding up all trees gives laws whose worst ratio is the recursion's."""
    law = trees.law(rows)
    require(sum(law.values()) == 1, f"the probabilities add up to {sum(law.values())}")
    for record in universe(trees.domain):
        other, loss = trees.law([*rows, record]), trees.loss(rows, [*rows, record])
        require(sum(other.values()) == 1, f"with {record} the probabilities add up to {sum(other.values())}")
        worst = worst_of(law, other)
        require(worst == loss.tree, f"with {record} the worst ratio is {worst}, by recursion {loss.tree}")


def all_neighbours(trees: SmallTrees, rows: Rows) -> None:
    """For each record that may be added, tree ≤ transcript ≤ e^ε; = e^ε where early leaves get the rest."""
    for record in universe(trees.domain):
        loss = trees.loss(rows, [*rows, record])
        require(1 < loss.tree <= loss.transcript <= loss.exp_epsilon, f"with {record} it is {loss}")
        require(
            loss.transcript == loss.exp_epsilon or not trees.design.unspent_to_leaf,
            f"with {record} the worst ratio of the transcripts is {loss.transcript}, e^ε is {loss.exp_epsilon}",
        )


def worst_of(one: Law, other: Law) -> Any:
    return max(max_ratio(one, other), max_ratio(other, one))


def small_trees(
    domain: Domain, depth: int, high: int, design: str | Design, **options: Any
) -> Callable[[int], Iterator[tuple[SmallTrees, Rows]]]:
    """For a check: these trees, on all data of at most so many records, smallest first."""

    def cases(most: int) -> Iterator[tuple[SmallTrees, Rows]]:
        trees = SmallTrees(domain, HALF, depth, low=0, high=high, design=design, **options)
        return ((trees, list(rows)) for rows in datasets(universe(domain), most))

    return cases


def both(*cases: Callable[[int], Iterator[tuple[Any, ...]]]) -> Callable[[int], Iterator[tuple[Any, ...]]]:
    """The cases of several, one after the other."""
    return lambda size: (case for some in cases for case in some(size))


def fewer(cases: Callable[[int], Iterator[tuple[Any, ...]]]) -> Callable[[int], Iterator[tuple[Any, ...]]]:
    """The same cases, of data with one record less."""
    return lambda size: cases(max(0, size - 1))


# --- the shipped path -------------------------------------------------------------------------------------------------


def _clamped(trees: SmallTrees, seed: int) -> Answer:
    """Answers from low, …, high, which depend on what is asked and on the seed."""

    def answer(query: Query, exact: Integers) -> Any:
        numbers = coins_of(query, seed).integers(-2, 9, exact.shape)
        return trees.low + numbers % (trees.high - trees.low + 1)

    return answer


def shipped(trees: SmallTrees, seed: int) -> None:
    """Given clamped answers, the shipped tree is that of the exact law, and so are the rates that it asks at.

    The cells of a histogram have the rate 1. Nothing else is asked, and leaves show what was released for them.
    """
    p, domain = trees.domain.n_features, trees.domain
    budget = trees.depth * p + trees.leaf_steps
    asker = Kept(federate([[], []], domain, budget, ZeroWords(), tolerate=0), _clamped(trees, seed))
    share = Fraction(trees.leaf_steps, budget)
    options: Any = {"max_depth": trees.depth, "min_samples_split": trees.nodes.least, "leaf_share": share}
    tree = fit_federated_tree(asker, design=trees.design, **options)
    answered = {(q.type, q.region): (a, q.rate.rate) for q, a in zip(asker.queries, asker.given, strict=True)}
    expected = _expected(trees, answered, domain.everything, 0)
    require(not answered, f"asked beyond the exact law are {list(answered)}")
    require(expected == _shown(tree.root, domain.everything), f"the tree is {tree.root}, by the exact law {expected}")


def _expected(trees: SmallTrees, answered: dict[Any, Any], region: Region, depth: int) -> Any:
    """The tree that the exact law makes of these answers; what was used is taken out of them."""
    paid, p = depth, trees.domain.n_features
    if depth < trees.depth:
        (table, rate), paid = answered.pop(("node-histograms", region)), depth + 1
        require(rate == 1, f"a histogram's cell has the rate {rate}")
        first = np.cumsum([0, *(feature.n_codes for feature in trees.domain.features)], dtype=np.int64)
        cells = [table[first[j] + code, k] - trees.low for j, code, k in trees.nodes.cells(region)]
        decided = trees.nodes.decided(region)
        number = decided.numbers[np.ravel_multi_index(cells, [trees.high - trees.low + 1] * len(cells))]
        cut = decided.cuts[number]
        if cut is not None:
            return Split(*cut, *(_expected(trees, answered, side, depth + 1) for side in decided.sides[number]))
    counts, rate = answered.pop(("class-counts", region))
    steps = trees.leaf_steps + (trees.depth - paid) * p * trees.design.unspent_to_leaf
    require(rate == steps, f"the counts of a leaf have the rate {rate}, not {steps}")
    return tuple(counts.tolist())


def _shown(node: Node, region: Region) -> Any:
    if not isinstance(node.split, CodeSplit) or not node.left or not node.right:
        return node.counts if node.estimate is None else node.estimate
    feature, here = node.split.feature, region.codes(node.split.feature)
    codes = node.split.left & here
    sides = (node.left, region.restrict(feature, codes)), (node.right, region.restrict(feature, here - codes))
    return Split(feature, codes, *(_shown(*side) for side in sides))


def with_answers(domain: Domain, depth: int, low: int, high: int, design: str | Design, least: int = 0) -> Any:
    """For a check: these trees at α = 1/e, and so many seeds. Leaves predict from their own counts."""

    def cases(seeds: int) -> Iterator[tuple[SmallTrees, int]]:
        plain = replace(counting_design(design), consistent=False)
        alpha = Fraction(math.exp(-1))  # a float: it differs from 1/e, and so does the deviation, by rounding only
        options: Any = {"leaf_steps": 2, "min_samples_split": least, "design": plain}
        trees = SmallTrees(domain, alpha, depth, low=low, high=high, **options)
        return ((trees, seed) for seed in range(seeds))

    return cases


# --- how near to ε ----------------------------------------------------------------------------------------------------


def unless_full(level: Level, least: int) -> Any:
    """A rule for an example: a node is split if every cell of it is at least 1."""
    return ~((level.tables >= 1) | ~level.inside[:, :, None]).all(axis=(1, 2))


def attained(depth: int, high: int, rule: Design | str, least: int) -> None:
    """The tree itself attains ε on no row and one: it is split only where all cells are at their upper end."""
    trees = SmallTrees(TWO, HALF, depth, low=0, high=high, leaf_steps=2, min_samples_split=least, design=rule)
    for record in universe(TWO):
        loss = trees.loss([], [record])
        require(loss.tree == loss.exp_epsilon, f"the worst ratio is {loss.tree}, e^ε is {loss.exp_epsilon}")


def approached(n: int, alpha: Fraction) -> None:
    """With n rows of one class in each bin, and one of the other, e^ε is missed by the factor 1 − x, 0 < x ≤ 4·α^(n−1).

    The design is Algorithm 5 with clipped counts, at depth 1.
    """
    trees = SmallTrees(ONE, alpha, 1, low=0, high=n + 1, design="algorithm-5-clipped")
    rows = [(bin, "well") for bin in (0.5, 1.5)] * n
    loss = trees.loss(rows, [*rows, (0.5, "ill")])
    missed = 1 - loss.tree / loss.exp_epsilon
    require(0 < missed <= 4 * alpha ** (n - 1), f"the worst ratio is e^ε less a share of {float(missed)}")


IDEAL = (
    "an outsider sees one discrete Laplace number in each cell, clamped: with `tolerate` = 0, what the noise adds up to"
)


def larger_trees(_: Any) -> Iterator[tuple[SmallTrees, Rows]]:
    """More records, two levels, negative counts, or three classes, by every rule."""
    for design in ("averaged", "default", "algorithm-5-clipped", AsPrinted()):
        two = SmallTrees(TWO, HALF, 1, low=0, high=1, leaf_steps=2, design=design)
        yield two, [(0.5, 1.5, "well"), (0.5, 0.5, "ill")]
        yield SmallTrees(ONE, HALF, 2, low=-1, high=1, design=design), [(0.5, "ill"), (0.5, "ill")]
        yield SmallTrees(THREE, Fraction(1, 3), 1, low=0, high=1, design=design), [(2.5, "cured")]


CLAIMS = (
    Claim(
        "thm-tree-law",
        status="proved+checked",
        code=(
            "fdpedu.trees.exact_law",
            "fdpedu.trees.small_trees.SmallTrees",
            "fdpedu.trees.exact_law.tree_law",
            "fdpedu.trees.exact_law.tree_loss",
        ),
        checks=(
            Check(
                "recursion",
                "exhaustive",
                "depth 1, two features or three bins, data of at most {size} records; depth 2, one record less; all "
                "records to add: worst ratio of the added-up probabilities",
                recursion,
                both(
                    small_trees(TWO, 1, 1, "averaged", leaf_steps=2),
                    small_trees(TWO, 1, 1, "default", leaf_steps=2),
                    fewer(small_trees(THREE, 1, 1, "default")),
                    fewer(small_trees(TWO, 2, 1, "algorithm-5-clipped", leaf_steps=2)),
                ),
                1,
                2,
                more=larger_trees,
            ),
            Check(
                "all neighbours",
                "exhaustive",
                "depth 1 and 2, four designs, data of at most {size} records, some of one less, all to add: tree ≤ "
                "transcript ≤ e^ε",
                all_neighbours,
                both(
                    small_trees(TWO, 2, 1, "averaged", leaf_steps=2),
                    fewer(small_trees(TWO, 2, 1, "default", leaf_steps=4)),
                    small_trees(TWO, 2, 1, "algorithm-5-clipped", min_samples_split=2),
                    fewer(small_trees(TWO, 1, 2, "averaged", leaf_steps=2)),
                    fewer(small_trees(THREE, 2, 1, AsPrinted())),
                ),
                1,
                3,
            ),
            Check(
                "shipped",
                "exact",
                "{size} tables of clamped answers, four designs: the shipped tree is that of SmallTrees, at its rates",
                shipped,
                both(
                    with_answers(TWO, 2, 0, 1, "default"),
                    with_answers(ONE, 1, -1, 3, "averaged", 2),
                    with_answers(THREE, 2, 0, 1, "algorithm-5-clipped", 2),
                    with_answers(TWO, 2, -1, 0, AsPrinted()),
                ),
                10,
                300,
            ),
            Check(
                "attained",
                "exact",
                "depth 1 and the averaged test, depth 2 and a test of its own: a tree is e^ε times as likely",
                attained,
                lambda _: [(1, 1, "averaged", 4), (2, 1, Design(stop=unless_full), 0)],
            ),
            Check(
                "approached",
                "exact",
                "two α, 1 to {size} rows of one class in each bin: e^ε is missed by less and less",
                approached,
                lambda most: product(range(1, most + 1), (Fraction(1, 2), Fraction(3, 4))),
                5,
                8,
            ),
        ),
        assumptions=(ADD_REMOVE, "integers", IDEAL),
        uses=("thm-federated-tree", "thm-discrete-laplace", "lem-atoms"),
    ),
)

TWINS = (
    Broken(
        "a decision tells what its tables tell",
        "fdpedu.trees.small_trees.SmallTrees._worst",
        "p[i] / q[i] * prod",
        "table * prod",
        "Someone who sees the split sees the counts that it was chosen by.",
        "thm-tree-law",
        "recursion",
    ),
    Broken(
        "one order of the data sets",
        "fdpedu.trees.small_trees.SmallTrees.loss",
        "max(there[0], back[0])",
        "there[0]",
        "Removing a record is adding one backwards, so one order is enough.",
        "thm-tree-law",
        "recursion",
    ),
    Broken(
        "values beyond a clamp are dropped",
        "fdpedu.trees.clamped_tables.clamped",
        "_tail(high - count, alpha)]",
        "(1 - alpha) / (1 + alpha) * alpha ** abs(high - count)]",
        "What lies beyond the largest value does not occur.",
        "thm-tree-law",
        "recursion",
    ),
    Broken(
        "the shipped tree clips otherwise",
        "fdpedu.trees.clamped_tables.ClampedTables._choose",
        "self.design.stop(Level(tables, within_node",
        "self.design.stop(Level(abs(tables), within_node",
        "A distribution on paper need not take the decisions of the program.",
        "thm-tree-law",
        "shipped",
    ),
    Broken(
        "the rest of a path twice",
        "fdpedu.trees.small_trees.SmallTrees._leaf",
        "self.leaf_steps + left_over",
        "self.leaf_steps + 2 * left_over",
        "An early leaf has two counts, and each gets what is left.",
        "thm-tree-law",
        "all neighbours",
    ),
    Broken(
        "a level for one feature",
        "fdpedu.trees.small_trees.SmallTrees.exp_epsilon",
        "self.depth * self.domain.n_features",
        "self.depth",
        "Features are columns of their own, so their histograms compose in parallel.",
        "thm-tree-law",
        "attained",
    ),
    Broken(
        "a split tells nothing",
        "fdpedu.trees.small_trees.SmallTrees._worst",
        "p[i] / q[i] * prod(b[0] for b in below)",
        "prod(b[0] for b in below)",
        "Only the numbers in the leaves are released.",
        "thm-tree-law",
        "approached",
    ),
)
