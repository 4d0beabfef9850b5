"""Forged rows in the leaves of a tree: the best division of rows, and the exact worst case."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement, product
from types import ModuleType
from typing import Any

from fdpedu.accounting import Ledger
from fdpedu.cart import fit_cart
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.poisoning.attacks import (
    ADD_REMOVE,
    FORGER,
    MEAN,
    NEAR,
    Counts,
    Pairs,
    joint_accuracy,
    label_law,
    paired,
    within,
    worst_accuracy,
)
from fdpedu.claims.records import Check, Claim
from fdpedu.domain import Domain, Numeric
from fdpedu.exact import Enclosure
from fdpedu.federation import Party
from fdpedu.mechanisms import permute_and_flip_pmf
from fdpedu.randomness import Rehearsal
from fdpedu.robust import best_attack, poisoning_curve, structured_bound, worst_case
from fdpedu.robust.knapsack import least_value
from fdpedu.trees import Tree, fit_privatree

CLASSES = ("well", "ill")
ONE, HALF = Fraction(1), Fraction(1, 2)


# --- the best division ----------------------------------------------------------------------------------------------


def divided(tables: tuple[Counts, ...]) -> None:
    """The least sum over all divisions of at most x rows among the leaves; and the division has it."""
    rows = len(tables[0]) - 1
    least, division = least_value(tables, rows)
    parts = (some for some in product(range(rows + 1), repeat=len(tables)) if sum(some) <= rows)
    exact = min(_sum(tables, some) for some in parts)
    require(least == exact, f"the least sum is {exact}, not {least}")
    fits = len(division) == len(tables) and min(division) >= 0 and sum(division) <= rows
    require(fits and _sum(tables, division) == exact, f"the division {division} does not have it")


def _sum(tables: tuple[Counts, ...], division: tuple[int, ...]) -> int:
    return sum(table[x] for table, x in zip(tables, division, strict=True))


def falling(entries: int) -> list[Counts]:
    """All tables with so many entries from 0 to 3 that never rise."""
    return [some[::-1] for some in combinations_with_replacement(range(4), entries)]


def random_tables(draw: ModuleType) -> Any:
    """Two to five tables for up to four rows."""

    def of(size: tuple[int, int]) -> Any:
        table = draw.st.lists(draw.integers(0, 99), min_size=size[1] + 1, max_size=size[1] + 1)
        return draw.tuples(*[table.map(lambda some: tuple(sorted(some, reverse=True)))] * size[0])

    return draw.tuples(draw.integers(2, 5), draw.integers(1, 4)).flatmap(of).map(lambda tables: (tables,))


# --- the worst case, with public splits -----------------------------------------------------------------------------


@lru_cache(maxsize=16)
def public_tree(n_leaves: int, leaves: str, epsilon: Fraction, seed: int = 0) -> Tree:
    """A tree with one or two leaves, of public splits; what its leaves released does not matter here."""
    domain = Domain([Numeric.grid("x", 0, 2, bins=2)], CLASSES)
    public = fit_cart([[0.5], [1.5]], CLASSES, grid=domain, max_depth=n_leaves - 1)
    owner = Party([[0.5]], domain, labels=[CLASSES[0]])
    chosen: dict[str, Any] = {"max_depth": n_leaves - 1, "splits": public, "leaves": leaves}
    return fit_privatree(owner, Ledger(epsilon), rng=Rehearsal(seed), **chosen)


def with_released(tree: Tree, counts: Pairs) -> Tree:
    """The same tree, had its leaves released these counts."""
    releases = tuple(replace(one, counts=pair) for one, pair in zip(tree.leaf_releases, counts, strict=True))
    leaves = [replace(leaf, counts=pair, estimate=None) for leaf, pair in zip(tree.leaves(), counts, strict=True)]
    root = replace(tree.root, left=leaves[0], right=leaves[1]) if len(leaves) == 2 else leaves[0]
    return replace(tree, root=root, leaf_releases=releases)


def rows_of(counts: Pairs) -> tuple[list[list[float]], list[str]]:
    """So many rows of both classes in each leaf."""
    cells = [(leaf, label) for leaf, pair in enumerate(counts) for label in (0, 1) for _ in range(pair[label])]
    return [[leaf + 0.5] for leaf, _ in cells], [CLASSES[label] for _, label in cells]


def worst(kind: str, train: Pairs, tests: Pairs, epsilon: Fraction, rows: int) -> None:
    """The stated worst case is that over all added and removed rows and the joint law of all labels; it is attained.

    Of labels that are drawn, or of noisy counts. By the structured bound for the first, and by the attack for both.
    """
    tree, exact = public_tree(len(train), kind, epsilon), worst_accuracy(kind, train, tests, epsilon, rows)
    if kind == "labels":
        bound = structured_bound(clean_leaves(train, tests, epsilon), epsilon, rows)
        _same("the structured bound", bound, exact)
    if any(map(sum, train)):
        (X, y), (train_X, train_y) = rows_of(tests), rows_of(train)
        _same("the worst case", worst_case(tree, X, y, train_X, train_y, rows), exact)
        forged, labels = best_attack(tree, X, y, train_X, train_y, rows)
        after = [list(pair) for pair in train]
        for (x,), label in zip(forged, labels, strict=True):
            after[int(x)][CLASSES.index(label)] += 1
        attacked = joint_accuracy(kind, paired([n for pair in after for n in pair]), tests, epsilon)
        require(
            len(labels) <= rows and attacked.lower <= exact.upper, f"the attack leaves {attacked}, least is {exact}"
        )


def _same(what: str, bound: Fraction, exact: Enclosure) -> None:
    near = exact.lower - NEAR * 2**8 <= bound <= exact.upper
    require(near, f"{what} is {float(bound):.9f}, the least mean accuracy {float(exact):.9f}")


def clean_leaves(train: Pairs, tests: Pairs, epsilon: Fraction) -> list[tuple[int, int, Fraction]]:
    """Test rows of both classes, and how likely the better label is on the clean data."""
    better = [int(b > a) for a, b in tests]
    laws = [label_law("labels", counts, epsilon) for counts in train]
    return [(a, b, law[label].lower) for (a, b), law, label in zip(tests, laws, better, strict=True)]


def small_trees(rows: int) -> Iterator[tuple[str, Pairs, Pairs, Fraction, int]]:
    """One and two leaves, empty ones and clear ones; test rows of one class or both; up to so many forged rows."""
    train, tests = ((0, 0), (1, 0), (0, 3), (2, 1)), ((1, 0), (1, 3), (2, 2))
    for kind, x in product(("labels", "counts"), range(rows + 1)):
        yield from ((kind, (one,), (test,), ONE, x) for one in train for test in tests)
    for kind in ("labels", "counts"):
        for pair in product(train, repeat=2):
            yield from ((kind, pair, both, HALF, rows) for both in (((1, 0), (1, 3)), ((3, 1), (2, 2))))


# --- private splits -------------------------------------------------------------------------------------------------

TEST = ((0, 0, 0), (0, 0, 0), (0, 1, 1), (1, 1, 1), (1, 0, 1))  # two features of two bins, and a class
CELLS = tuple(product((0, 1), repeat=3))
SPLIT_EPSILON, LEAF_EPSILON = Fraction(1, 3), Fraction(1, 2)


@lru_cache(maxsize=4096)
def split_law(counts: Counts) -> tuple[Enclosure, ...]:
    """One of two features is drawn by permute-and-flip, on the number of rows that majorities would take rightly."""
    utilities = [sum(map(max, leaf_counts(counts, feature))) for feature in (0, 1)]
    return tuple(_enclosure(p) for p in permute_and_flip_pmf(utilities, SPLIT_EPSILON, monotone=True))


def _enclosure(value: Fraction | Enclosure) -> Enclosure:
    return value if isinstance(value, Enclosure) else Enclosure.exactly(value)


def leaf_counts(counts: Counts, feature: int) -> Pairs:
    """The class counts on both sides of a feature."""
    sides = [[0, 0], [0, 0]]
    for n, cell in zip(counts, CELLS, strict=True):
        sides[cell[feature]][cell[2]] += n
    return paired([n for side in sides for n in side])


TESTS = tuple(leaf_counts(tuple(TEST.count(cell) for cell in CELLS), feature) for feature in (0, 1))


@lru_cache(maxsize=4096)
def whole_accuracy(counts: Counts) -> Enclosure:
    """The mean accuracy of the tree whose split and labels are drawn on these rows."""
    parts = zip(split_law(counts), (0, 1), strict=True)
    return Enclosure.sum(
        p * joint_accuracy("labels", leaf_counts(counts, feature), TESTS[feature], LEAF_EPSILON) for p, feature in parts
    )


def private_splits(counts: Counts, rows: int) -> None:
    """The curve of the mean of V over the clean splits is below the accuracy on all data within x rows.

    And the price of the splits is the curve around what the leaves leave.
    """
    left = []
    for feature in (0, 1):
        leaves = clean_leaves(leaf_counts(counts, feature), TESTS[feature], LEAF_EPSILON)
        left.append(structured_bound(leaves, LEAF_EPSILON, rows))
        outer = structured_bound(leaves, LEAF_EPSILON, rows, epsilon_structure=SPLIT_EPSILON)
        stated = poisoning_curve(left[-1], SPLIT_EPSILON, rows)
        require(outer == stated, f"with the splits it is {float(outer)}, the curve says {float(stated)}")
    mean = sum((p.lower * value for p, value in zip(split_law(counts), left, strict=True)), Fraction(0))
    bound = poisoning_curve(mean, SPLIT_EPSILON, rows)
    for there in within(counts, rows):
        found = whole_accuracy(there)
        require(bound <= found.upper, f"the bound is {float(bound)}, rows {there} leave {found}")


def small_data(rows: int) -> Iterator[tuple[Counts, int]]:
    """No row, each row, and two data sets with three; up to so many forged rows."""
    some = [Counts(int(k == at) for k in range(8)) for at in (-1, *range(8))]
    for counts in (*some, (2, 0, 0, 1, 0, 0, 0, 0), (1, 0, 0, 1, 0, 0, 0, 1)):
        yield from ((counts, x) for x in range(rows + 1))


CLAIMS = (
    Claim(
        "thm-structured-poisoning",
        status="proved+checked",
        code=(
            "fdpedu.robust.knapsack",
            "fdpedu.robust.knapsack.least_value",
            "fdpedu.robust.labels.label_drawn",
            "fdpedu.robust.structured",
            "fdpedu.robust.structured.structured_bound",
            "fdpedu.robust.certificate.worst_case",
            "fdpedu.robust.certificate.worst_case_curve",
            "fdpedu.robust.certificate.best_attack",
        ),
        checks=(
            Check(
                "all divisions",
                "exhaustive",
                "two leaves, all tables with {size} entries from 0 to 3 that never rise: over all divisions",
                divided,
                lambda entries: ((tables,) for tables in product(falling(entries), repeat=2)),
                4,
                6,
            ),
            Check(
                "more leaves",
                "property",
                "{size} random tables of two to five leaves, up to four rows: over all divisions",
                divided,
                random_tables,
                60,
                3000,
            ),
            Check(
                "worst case",
                "exhaustive",
                "one and two leaves of up to three rows, labels drawn or of noisy counts, up to {size} rows added or "
                "removed: over all of them, with the joint distribution of the labels",
                worst,
                small_trees,
                2,
                3,
            ),
            Check(
                "private splits",
                "exhaustive",
                "two candidate splits drawn by permute-and-flip, up to three rows: all data within {size} rows",
                private_splits,
                small_data,
                2,
                3,
            ),
        ),
        assumptions=(ADD_REMOVE, FORGER, MEAN, "two classes", "bounds are rounded down"),
        uses=("thm-poisoning-curve", "lem-leaf-label", "lem-gap-law"),
    ),
)

_GREEDY = """at, sums = [0] * len(worth), [int(worth[:, 0].sum())]
    for _ in range(worth.shape[1] - 1):
        drops = [int(table[k] - table[k + 1]) if k + 1 < len(table) else 0 for table, k in zip(worth, at)]
        best = drops.index(max(drops))
        at[best] += 1
        sums.append(sums[-1] - drops[best])
    return np.array(sums), [np.arange(worth.shape[1])] * len(worth)
    least, choices = worth[0], [np.arange(worth.shape[1], dtype=np.int64)]"""

TWINS = (
    Broken(
        "a greedy division",
        "fdpedu.robust.knapsack.best_sums",
        "least, choices = worth[0], [np.arange(worth.shape[1], dtype=np.int64)]",
        _GREEDY,
        "The forger gives each row to the leaf where it does most at the moment.",
        "thm-structured-poisoning",
        "all divisions",
    ),
    Broken(
        "the price of the splits forgotten",
        "fdpedu.robust.structured.structured_bound",
        "return poisoning_curve(inner, outer, x) if outer else inner",
        "return inner",
        "Forged rows end in leaves, and only the labels of leaves decide.",
        "thm-structured-poisoning",
        "private splits",
    ),
    Broken(
        "training rows for test rows",
        "fdpedu.robust.certificate._true_leaves",
        '_class_counts(tree, X, y, "y"), ',
        '_class_counts(tree, train_X, train_y, "y"), ',
        "Which label of a leaf is the better one, the rows say that were learnt from.",
        "thm-structured-poisoning",
        "worst case",
    ),
)
