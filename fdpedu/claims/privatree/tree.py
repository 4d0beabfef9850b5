"""A whole tree of one owner: its exact law on small domains, its paths through the shipped code, and what it costs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

from fdpedu.cart import Tree as PublicTree
from fdpedu.cart import fit_cart
from fdpedu.claims.better_trees.law import Record, records
from fdpedu.claims.better_trees.losses import ADD_REMOVE
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.privatree.by_hand import ByHand, as_by_hand
from fdpedu.claims.privatree.law import HALF, SmallPrivaTrees
from fdpedu.claims.privatree.paths import PRIVATREE, TWO, by_the_rule, grown, sizes, whole_trees
from fdpedu.claims.records import Check, Claim
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.privacy import datasets, max_ratio
from fdpedu.trees.clamped_tables import Data

LINE = Domain([Numeric.grid("age", 0, 4, bins=4)], ("well", "ill"))
THREE = Domain([Numeric.grid("age", 0, 3, bins=3), Numeric.grid("dose", 0, 3, bins=3)], ("well", "ill"))
WARD = Domain([Categorical("ward", ("A", "B", "C")), Numeric.grid("age", 0, 2, bins=2)], ("well", "ill"))
CURED = Domain([Numeric.grid("age", 0, 3, bins=3, missing=True)], ("well", "ill", "cured"))
EVEN = {"leaf_share": HALF}


def public_tree(domain: Domain = TWO) -> PublicTree:
    """A tree of two levels that was grown on public rows."""
    rows = [[a + 0.5, d + 0.5] for a, d in product((0, 1), repeat=2)]
    return fit_cart(rows, ["well", "ill", "ill", "well"], grid=domain, max_depth=2)


def trees_of(kind: str) -> SmallPrivaTrees:
    """The small trees of a kind; each time new ones, which remember nothing. The steps make all exponents whole."""
    edges = {**EVEN, "max_depth": 1, "edge_bins": 2}
    kinds: dict[str, tuple[Domain, int, Mapping[str, Any]]] = {
        "choice": (TWO, 4, {**EVEN, "max_depth": 1}),
        "choice, two levels": (TWO, 4, {**EVEN, "max_depth": 2}),
        "choice, categories": (WARD, 4, {**EVEN, "max_depth": 1}),
        "choice, three classes, missing values": (CURED, 4, {**EVEN, "max_depth": 1}),
        "choice, counts": (TWO, 4, {**EVEN, "max_depth": 1, "leaves": "counts"}),
        "histograms": (TWO, 8, {**EVEN, "max_depth": 1, "splits": "histograms"}),
        "histograms, two levels": (TWO, 16, {**EVEN, "max_depth": 2, "splits": "histograms"}),
        "histograms, categories": (WARD, 8, {**EVEN, "max_depth": 1, "splits": "histograms"}),
        "coins": (TWO, 2, {"max_depth": 1, "splits": "random"}),
        "public, labels": (TWO, 2, {"max_depth": 2, "splits": public_tree()}),
        "joint edges": (THREE, 32, {**edges, "edges": "joint"}),
        "edges by histograms": (LINE, 32, {**edges, "edges": "histogram", "splits": "histograms"}),
        "joint edges, histograms": (LINE, 32, {**edges, "edges": "joint", "splits": "histograms"}),
    }
    return SmallPrivaTrees(*kinds[kind])


# --- neighbours -------------------------------------------------------------------------------------------------------


def one_epsilon(trees: SmallPrivaTrees, data: Data, record: Record) -> None:
    """With a record more, no tree is more than e^ε times as likely, or less: whatever of it anybody sees, together."""
    one, other = trees.law(data), trees.law((*data, record))
    require(sum(one.values()) == sum(other.values()) == 1, "the probabilities do not add up to 1")
    worst = max(max_ratio(one, other), max_ratio(other, one))
    require(worst <= 2**trees.steps, f"with {record} a tree is {worst} times as likely, e^ε is 2^{trees.steps}")


KINDS = (
    *("choice", "choice, counts", "coins", "histograms", "public, labels", "choice, three classes, missing values"),
    *("choice, two levels", "choice, categories", "histograms, categories", "joint edges", "edges by histograms"),
    *("joint edges, histograms", "histograms, two levels"),
)


def apart(_: Any) -> Iterator[tuple[SmallPrivaTrees, Data, Record]]:
    """Four records of which two are alike, and one of each of two values more."""
    for kind in ("choice, two levels", "joint edges", "coins"):
        trees = trees_of(kind)
        every = records(trees.domain)
        yield from ((trees, (every[1], every[1], every[2], every[-2]), record) for record in every[1:3])


def small(most: int) -> Iterator[tuple[SmallPrivaTrees, Data, Record]]:
    """Of choices all data of at most so many records, of all kinds five that are apart; deep, one less of all kinds."""
    for kind in KINDS if most > 1 else KINDS[:-2]:
        trees = trees_of(kind)
        universe = records(trees.domain)
        yield trees, (universe[0],) * 3 + (universe[-1],) * 2, universe[1]
        for data in datasets(universe, most if kind == KINDS[0] else most - 1):
            some = universe if kind == KINDS[0] or most > 1 else universe[-1:]
            yield from ((trees, tuple(data), record) for record in some)


def substituted(trees: SmallPrivaTrees, data: Data, old: Record, new: Record, attained: bool) -> None:
    """With a record in place of another no tree is more than e^(2ε) times as likely; somewhere it is so exactly."""
    one, other = trees.law((*data, old)), trees.law((*data, new))
    worst, e = max(max_ratio(one, other), max_ratio(other, one)), Fraction(2**trees.steps)
    require(worst <= e**2, f"{new} for {old} makes a tree {worst} times as likely, e^(2ε) is {e**2}")
    require(not attained or worst == e**2, f"{new} for {old} makes a tree {worst} times as likely, not {e**2}")


def substitutions(_: int) -> Iterator[tuple[SmallPrivaTrees, Data, Record, Record, bool]]:
    """Leaves of public coins, where 2ε is attained; and trees of choices."""
    universe = records(TWO)
    yield trees_of("coins"), (universe[0], universe[-1], universe[-1]), universe[0], universe[-2], True
    several = (universe[0],) * 2 + (universe[1],) * 2 + (universe[-1],)
    for kind in ("coins", "choice", "choice, two levels"):
        trees = trees_of(kind)
        yield from ((trees, several, universe[0], new, False) for new in (universe[1], universe[-1]))


# --- the law, by hand -------------------------------------------------------------------------------------------------


def as_stated(kind: str, data: Data) -> None:
    """The shipped fit, over all ways to draw, has the law by hand: neither more nor less noise than is stated."""
    trees = trees_of(kind)
    splits, depth = trees.options.get("splits", "choice"), trees.options["max_depth"]
    share, counts = trees.options.get("leaf_share", 1), trees.options.get("leaves") == "counts"
    level = Fraction(trees.steps * (1 - share), depth)
    stated = ByHand(trees.domain, splits, counts, level, int(trees.steps * share))
    found = dict[Any, Fraction]()
    for (root, _, released), mass in trees.law(data).items():
        written = as_by_hand(root, trees.domain, iter(released) if counts else None)
        found[written] = found.get(written, Fraction(0)) + mass
    expected = stated.law(trees.domain.everything, data, depth)
    require(set(found) == set(expected), f"trees are {len(found)}, by hand {len(expected)}")
    for written, mass in expected.items():
        require(found[written] == mass, f"{written} has probability {found[written]}, by hand {mass}")


BY_HAND = (
    *("choice", "choice, two levels", "choice, categories", "choice, three classes, missing values"),
    *("choice, counts", "histograms", "coins"),
)


def with_data(number: int) -> Iterator[tuple[str, Data]]:
    """Of each kind data without records and some with so many."""
    for kind in BY_HAND:
        universe = records(trees_of(kind).domain)
        yield kind, ()
        yield kind, tuple(universe[3 * k % len(universe)] for k in (0, *range(number)))


DESIGN = "fdpedu.trees.designs.privatree"

CLAIMS = (
    Claim(
        "thm-privatree",
        status="proved+checked",
        code=(
            *(DESIGN, f"{DESIGN}.design", f"{DESIGN}.design.PrivaTree", f"{DESIGN}.design.PrivaTree.costs"),
            *(f"{DESIGN}.fit", f"{DESIGN}.fit.fit_privatree"),
            "fdpedu.estimators.privatree.PrivaTreeClassifier",
        ),
        checks=(
            Check(
                "all neighbours",
                "exhaustive",
                "eleven kinds of trees of one level or two, and two more, on four to nine cells: of choices all data "
                "of at most {size} records, else one less, and five records; a record more: the exact distribution "
                "of all that "
                "is seen of a tree",
                one_epsilon,
                small,
                1,
                2,
                more=apart,
            ),
            Check(
                "as stated",
                "exact",
                "seven kinds of trees on data without records, and with {size} and one more: the shipped fit over all "
                "ways to draw has the stated distribution",
                as_stated,
                with_data,
                4,
                9,
            ),
            Check(
                "substitution",
                "exact",
                "a record in place of another: at most e^(2ε), attained by the leaves of public splits",
                substituted,
                substitutions,
            ),
            Check(
                "every path",
                "property",
                "{size} random domains, rows and options: with one record more, or none at all, and the same answers, "
                "the same is asked and grown; the record pays once a level, for the edges and its leaf: ε",
                PRIVATREE.every_path,
                PRIVATREE.paths,
                25,
                1500,
            ),
            Check(
                "rule",
                "exact",
                "0 to {size} rows, nominal sizes of 400 and 10,000, one level and two: what is paid by the rule",
                by_the_rule,
                sizes,
                900,
                5000,
            ),
            Check(
                "whole trees",
                "property",
                "{size} random trees: checker, ledger, file, and the borders of the splits",
                whole_trees,
                grown,
                15,
                600,
            ),
        ),
        assumptions=(
            ADD_REMOVE,
            "against whoever sees the tree; the owner sees all rows",
            "integers",
            "domain, depth, shares, score and nominal size are public; running time is not covered",
        ),
        uses=(
            *("lem-chosen-split", "lem-noisy-search-free", "lem-edges-add-up", "lem-leaf-label", "thm-histogram"),
            *("thm-node-histograms", "lem-filter", "thm-post-processing"),
        ),
    ),
)

_DESIGN = f"{DESIGN}.design.PrivaTree"
_GROWTH = f"{DESIGN}.design.PrivaGrowth"
_RAW = (  # what only a bug can reach: the exact rows of the owner
    "[query.tally(self.asker._records, self.asker._records.within([query.region])[0], self.asker.domain) "
    "for query in queries]"
)

TWINS = (
    Broken(
        "a node's ε for every feature",
        f"{_GROWTH}.question",
        "NodeHistograms(region, self.costs[turn])",
        "NodeHistograms(region, self.costs[turn] * self.domain.n_features)",
        "Each feature's histogram looks at a column of its own, so each may cost ε.",
        "thm-privatree",
        "every path",
    ),
    Broken(
        "edges that nobody pays for",
        "fdpedu.trees.choice_growth.ChoiceGrowth.release",
        "self.account.release(",
        f"{_RAW} if queries[0].type == 'class-histogram' else self.account.release(",
        "Edges only prepare the data, as bins do: what is private is the tree.",
        "thm-privatree",
        "every path",
    ),
    Broken(
        "borders from raw quantiles",
        "fdpedu.trees.choice_growth.ChoiceGrowth.release",
        "return answers",
        f"return {_RAW} if queries[0].type == 'class-histogram' else answers",
        "The histograms have been paid for, so their exact numbers may be used as well.",
        "thm-privatree",
        "every path",
    ),
    Broken(
        "edges on top of the levels",
        f"{_DESIGN}.costs",
        "shape.depth + asks_for_edges",
        "shape.depth",
        "Levels share what leaves let them have; edges come before, and have the cost of one level.",
        "thm-privatree",
        "every path",
    ),
    Broken(
        "two levels for one",
        f"{_DESIGN}.costs",
        "max(1, turns)",
        "max(1, (turns + 1) // 2)",
        "Nodes at different levels have different records, so two levels are paid for once.",
        "thm-privatree",
        "every path",
    ),
    Broken(
        "a level at the cost of a leaf",
        f"{_DESIGN}.costs",
        "(1 - shape.leaf_share) * epsilon / max(1, turns), ",
        "shape.leaf_share * epsilon, ",
        "Nodes and leaves are regions alike, so all of them have the same share.",
        "thm-privatree",
        "every path",
    ),
    Broken(
        "a split of all rows charged to its node",
        "fdpedu.federation.curator.Curator._paid_and_answered",
        "query.region for query in asked)",
        "self.domain.everything for query in asked)",
        "The charge names the node, so siblings are in parallel, and more rows make the choice better.",
        "thm-privatree",
        "every path",
    ),
    Broken(
        "nodes without rows are leaves",
        "fdpedu.trees.choice_growth.ChoiceGrowth.enter",
        "deepest or not len(",
        "deepest or not self.asker._records.within([node.region])[0].size or not len(",
        "A node without rows has nothing to split, and nothing to hide.",
        "thm-privatree",
        "every path",
    ),
    Broken(
        "the rule for leaves from the number of rows",
        "fdpedu.trees.designs.privatree.fit.fit_privatree",
        "_by_rule(budget, asked, curator.domain)",
        "_by_rule(budget, Asked(asked.max_depth, nominal_size=max(1, len(party.records().labels))), curator.domain)",
        "How many rows there are is known to everybody, and the rule needs the true number.",
        "thm-privatree",
        "rule",
    ),
)
