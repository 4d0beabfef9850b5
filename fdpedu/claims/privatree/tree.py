"""A whole tree of one owner: its exact law on small domains, its paths through the shipped code, and what it costs."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from types import ModuleType
from typing import Any

import numpy as np

from fdpedu.accounting import Ledger
from fdpedu.cart import Node, candidates, fit_cart
from fdpedu.cart import Tree as PublicTree
from fdpedu.cart.candidates import ALL_BORDERS, Borders
from fdpedu.claims.accounting.derivations import verdict
from fdpedu.claims.better_trees.law import Record, class_counts, coded, inside, records
from fdpedu.claims.better_trees.losses import ADD_REMOVE, by_pairs
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.privatree.law import HALF, SmallPrivaTrees
from fdpedu.claims.privatree.search import best_by_hand
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.replay import patched
from fdpedu.domain import Categorical, Domain, Numeric, Region
from fdpedu.exact import Integers
from fdpedu.federation import ChosenSplit, JointEdges, LeafLabel, Party, Query
from fdpedu.mechanisms import permute_and_flip_pmf
from fdpedu.privacy import datasets, max_ratio
from fdpedu.privatree import fit_privatree
from fdpedu.privatree.price import leaf_share_by_rule
from fdpedu.randomness import Rehearsal
from fdpedu.trees import Tree
from fdpedu.trees.clamped_tables import Data, clamped

TWO = Domain([Numeric.grid(name, 0, 2, bins=2) for name in ("age", "dose")], ("well", "ill"))
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


# --- all neighbours ---------------------------------------------------------------------------------------------------


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
    for kind, attained in (("coins", True), ("choice", False), ("choice, two levels", False)):
        trees = trees_of(kind)
        universe = records(TWO)
        data = (universe[0],) * 2 + (universe[1],) * 2 + (universe[-1],)
        yield trees, data, universe[0], universe[1] if attained else universe[-1], attained and False
        if attained:
            yield trees, (universe[0], universe[-1], universe[-1]), universe[0], universe[-2], True


# --- the law, by hand -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ByHand:
    """The stated law of a tree, from records that are counted one by one.

    Parameters
    ----------
    domain, splits, counts : small; how nodes are split; whether leaves tell counts
    level, leaf : what a level and a leaf cost, in steps of ln 2
    """

    domain: Domain
    splits: str
    counts: bool
    level: Fraction
    leaf: int

    def law(self, region: Region, data: Data, levels: int) -> dict[Any, Fraction]:
        """Of each tree below a region: its splits, as what goes left, and what its leaves tell."""
        ways = self.ways(region, data) if levels else []
        if not ways:
            return self._leaf(region, data)
        found = dict[Any, Fraction]()
        for (j, left), mass in ways:
            here = region.codes(j)
            sides = (region.restrict(j, left & here), region.restrict(j, here - left))
            below = (self.law(side, inside(data, side), levels - 1).items() for side in sides)
            for (a, p), (b, q) in product(*below):
                found[j, left & here, a, b] = found.get((j, left & here, a, b), Fraction(0)) + mass * p * q
        return found

    def ways(self, region: Region, data: Data) -> list[tuple[tuple[int, frozenset[int]], Fraction]]:
        """The splits of a node, each with its probability."""
        listed = candidates(self.domain, region)
        splits = [(listed[k].feature, listed[k].left) for k in range(len(listed))]
        if not splits:
            return []
        if self.splits == "random":
            features = [j for j, _ in splits]
            return [(s, Fraction(1, len(set(features)) * features.count(s[0]))) for s in splits]
        if self.splits == "histograms":
            return self._searched(region, data, splits)
        losses = [self._errors(region, data, *split) for split in splits]
        masses: list[Any] = permute_and_flip_pmf([-int(self.level * loss) for loss in losses], alpha=HALF)
        return list(zip(splits, masses, strict=True))

    def _errors(self, region: Region, data: Data, j: int, left: frozenset[int]) -> int:
        here = region.codes(j)
        one, other = (region.restrict(j, codes) for codes in (left & here, here - left))
        return by_pairs(class_counts(self.domain, one, data), class_counts(self.domain, other, data), "errors", 1)

    def _searched(self, region: Region, data: Data, splits: Sequence[Any]) -> list[tuple[Any, Fraction]]:
        """By all tables of zeros and ones of the node: the first split of least share."""
        alpha, classes = HALF ** int(self.level / self.domain.n_features), range(self.domain.n_classes)
        cells = [(j, code, c) for j, f in enumerate(self.domain.features) for code in range(f.n_codes) for c in classes]
        there = [k for k, (j, code, _) in enumerate(cells) if code in region.codes(j)]
        exact = [sum(r[j] == code and r[-1] == c for r in data) for j, code, c in (cells[k] for k in there)]
        laws = [clamped(count, alpha, 0, 1) for count in exact]
        found = dict[Any, Fraction]()
        for bits in product((0, 1), repeat=len(there)):
            table = np.zeros(len(cells), dtype=np.int64)
            table[there] = bits
            mass = Fraction(1)
            for law, bit in zip(laws, bits, strict=True):
                mass *= law[bit]
            shaped = table.reshape(-1, self.domain.n_classes)
            least, shares = best_by_hand(shaped, self.domain, region, "errors", ALL_BORDERS)
            split = splits[0] if least == 2 else next(s for s in shares if shares[s] == least)
            found[split] = found.get(split, Fraction(0)) + mass
        return list(found.items())

    def _leaf(self, region: Region, data: Data) -> dict[Any, Fraction]:
        own = class_counts(self.domain, region, data)
        if not self.counts:
            law: list[Any] = permute_and_flip_pmf([self.leaf * count for count in own], alpha=HALF)
            return {c: mass for c, mass in enumerate(law) if mass}
        found: dict[Any, Fraction] = {(): Fraction(1)}
        for count in own:
            one = clamped(count, HALF**self.leaf, 0, 1)
            found = {(*told, k): p * q for told, p in found.items() for k, q in enumerate(one)}
        return dict(found)


def as_by_hand(root: Node, domain: Domain, released: Iterator[tuple[int, ...]] | None) -> Any:
    """A tree as the law by hand writes it."""

    def of(node: Node, region: Region) -> Any:
        if node.left is None or node.right is None:
            return node.counts.index(1) if released is None else next(released)
        split: Any = node.split
        here = region.codes(split.feature)
        left, right = split.left & here, here - split.left
        below = [
            of(side, region.restrict(split.feature, codes)) for side, codes in ((node.left, left), (node.right, right))
        ]
        return split.feature, left, *below

    return of(root, domain.everything)


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


def by_hand(number: int) -> Iterator[tuple[str, Data]]:
    """Of each kind data without records and some with so many."""
    for kind in BY_HAND:
        universe = records(trees_of(kind).domain)
        yield kind, ()
        yield kind, tuple(universe[3 * k % len(universe)] for k in (0, *range(number)))


# --- the shipped path -------------------------------------------------------------------------------------------------


@dataclass
class GivenAnswers:
    """In place of draws: answers that depend on what is asked and on a seed; and what the draws were given."""

    seed: int
    queries: list[Query] = field(default_factory=list)
    exact: list[Integers] = field(default_factory=list)

    def noisy(self, exact: Integers, queries: Sequence[Query], domain: Domain, *_: Any) -> Integers:
        (query,) = queries
        self.queries.append(query)
        self.exact.append(np.asarray(exact).copy())
        name = f"{self.seed} {query.type} {query.region.features} {query.parameters}"
        coins = np.random.default_rng(zlib.crc32(name.encode()))
        if isinstance(query, ChosenSplit):
            return 1 + coins.integers(0, len(query.candidates(domain, query.region)), 1)
        if isinstance(query, LeafLabel):
            return coins.integers(0, domain.n_classes, 1)
        if isinstance(query, JointEdges):
            return np.sort(1 + coins.permutation(query.exact_size(domain) - 1)[: query.bins - 1])
        return coins.integers(-2, 9, query.size(domain))


def fitted(domain: Domain, rows: Any, options: Mapping[str, Any], seed: int) -> tuple[Tree, GivenAnswers, Ledger]:
    """A tree from given answers."""
    given, ledger = GivenAnswers(seed), Ledger(100)
    with patched("fdpedu.federation.curator", noisy=given.noisy):
        tree = fit_privatree(Party(rows, domain), ledger, epsilon=1, rng=Rehearsal(seed), **options)
    return tree, given, ledger


def every_path(domain: Domain, rows: Any, record: Any, options: Mapping[str, Any], seed: int) -> None:
    """With one record more and the same answers, and with none at all, the same is asked and grown.

    The record changes the exact answers to the questions of its own path only, and these cost ε together; the edges,
    one question a level, and the leaf. Each exact answer moves by no more than its draw is for.
    """
    (tree, one, ledger), (more, other, _), (none, empty, _) = (
        fitted(domain, some, options, seed) for some in (rows, [*rows, record], [])
    )
    for again, given in ((more, other), (none, empty)):
        require(given.queries == one.queries, "what is asked depends on exact counts")
        require(again.root == tree.root and again.design == tree.design, "the tree depends on exact counts")
    (own,), paid, asked = coded(domain, [record]), Fraction(0), 0
    for query, before, after in zip(one.queries, one.exact, other.exact, strict=True):
        if not inside((own,), query.region):
            require(np.array_equal(before, after), f"the record changes the answer to {query}")
            continue
        paid, asked, moved = paid + query.epsilon, asked + (query.type in SPLIT_TYPES), after - before
        if isinstance(query, ChosenSplit):
            require(0 <= min(moved) and max(moved) <= query.lattice, f"losses move by {moved}")
        else:
            require(np.abs(moved).sum() <= query.n_releases * query.sensitivity, f"the answer moves by {moved}")
            require(min(moved) >= 0, f"a record that is added lowers counts: {moved}")
    depth = _depth_of(tree.root, domain, own)
    require(asked in (0, depth), f"a path of {depth} levels is asked about {asked} times")
    full = depth == options["max_depth"] or tree.design is None or options["splits"] == "random"
    require(paid == 1 if full else paid < 1, f"the record pays {paid} of 1")
    require(ledger.spent <= 1 and paid <= ledger.spent, f"the record pays {paid}, the ledger says {ledger.spent}")


def by_the_rule(rows: int, nominal_size: int, depth: int) -> None:
    """What levels and leaves cost by the rule is a function of ε, N, the classes and the depth, never of the rows."""
    options = {"leaf_share": "rule", "nominal_size": nominal_size, "max_depth": depth}
    _, given, ledger = fitted(TWO, [[0.5, 0.5, "well"]] * rows, options, 1)
    share = leaf_share_by_rule(1, nominal_size, 2, depth)
    expected = {LeafLabel.type: share, ChosenSplit.type: (1 - share) / depth}
    found = {query.type: query.epsilon for query in given.queries}
    require(found == expected, f"with {rows} rows and N = {nominal_size} costs are {found}, not {expected}")
    require(ledger.spent == 1, f"spent is {ledger.spent}")


def sizes(most: int) -> Iterator[tuple[int, int, int]]:
    """No rows, some, and many; nominal sizes that are as large, and that are not."""
    yield from product((0, 1, 399, 400, most), (400, 10_000), (1, 2))


SPLIT_TYPES = ("chosen-split", "node-histograms")


def _depth_of(node: Node, domain: Domain, record: Record) -> int:
    """How many splits are above the leaf of a record."""
    if node.left is None or node.right is None:
        return 0
    split: Any = node.split
    side = node.left if record[split.feature] in split.left else node.right
    return 1 + _depth_of(side, domain, record)


def runs(draw: ModuleType) -> Any:
    """A domain, rows, a record, options and a seed."""

    def of(domain: Domain) -> Any:
        rest = (draw.tables(domain), draw.records(domain), any_options(draw), draw.integers(0, 99))
        return draw.tuples(draw.st.just(domain), *rest)

    return draw.domains().flatmap(of)


def any_options(draw: ModuleType) -> Any:
    """Options of a fit that go together; half of the trees have edges that are paid for, if splits look at rows."""
    of = draw.st.sampled_from

    def finished(given: dict[str, Any]) -> dict[str, Any]:
        given["edges"] = "public" if given["splits"] == "random" else given["edges"]
        return {**given, "nominal_size": 300} if given["leaf_share"] == "rule" else given

    return draw.st.fixed_dictionaries(
        {
            "splits": of(["choice", "histograms", "random"]),
            "edges": of(["public", "joint", "histogram"]),
            "edge_bins": of([2, 3]),
            "score": of(["errors", "gini", "mixed"]),
            "leaves": of(["labels", "counts"]),
            "leaf_share": of([Fraction(1, 5), Fraction(1, 2), "rule"]),
            "max_depth": draw.integers(0, 3),
        }
    ).map(finished)


def whole_trees(domain: Domain, rows: Any, options: Mapping[str, Any], budget: Fraction, seed: int) -> None:
    """The checker accepts a tree and says what the ledger says; each split is at a kept border; its file has the same.

    Its releases, too.
    """
    ledger = Ledger(budget)
    tree = fit_privatree(Party(rows, domain), ledger, rng=Rehearsal(seed), **options)
    guarantee = verdict(tree.derivation.content)
    require(guarantee is not None and guarantee.value == budget, f"the checker says {guarantee}")
    require(guarantee is not None and guarantee.spent == ledger.spent <= budget, f"the ledger says {ledger.spent}")
    again = Tree.from_json(tree.to_json())
    require(again == tree and again.design == tree.design, "the file has another tree")
    require(again.leaf_releases == tree.leaf_releases, "the file has other releases")
    design: Any = tree.design
    for _, node in tree.nodes():
        require(node.is_leaf or _kept(node.split, domain, design.borders), f"{node.split} is at no border that is kept")


def _kept(split: Any, domain: Domain, borders: Borders) -> bool:
    some, feature = borders.kept[split.feature] if borders.kept else None, domain.features[split.feature]
    if some is None or not isinstance(feature, Numeric):
        return True
    bins = split.left - ({feature.n_bins} if feature.missing else set())
    return 1 + max(bins) in (*some, *([feature.n_bins] if feature.missing else []))


def grown(draw: ModuleType) -> Any:
    """A domain, rows, options, a budget and a seed."""

    def of(domain: Domain) -> Any:
        rest = (draw.tables(domain), any_options(draw), draw.budgets, draw.integers(0, 99))
        return draw.tuples(draw.st.just(domain), *rest)

    return draw.domains(3, 6).flatmap(of)


CLAIMS = (
    Claim(
        "thm-privatree",
        "PrivaTree, mended, costs the ε that it says",
        "privatree",
        "Vos et al., Algorithm 1 and Theorem 3, mended",
        status="checked",
        code=(
            *("fdpedu.privatree", "fdpedu.privatree.design", "fdpedu.privatree.design.PrivaTree"),
            *("fdpedu.privatree.design.PrivaTree.costs", "fdpedu.privatree.fit", "fdpedu.privatree.fit.fit_privatree"),
        ),
        checks=(
            Check(
                "all neighbours",
                "exhaustive",
                "eleven kinds of trees of one level or two, and two more, on four to nine cells: of choices all data "
                "of at most {size} records, else one less, and five records; a record more: the exact law of all that "
                "is seen of a tree",
                one_epsilon,
                small,
                1,
                2,
            ),
            Check(
                "as stated",
                "exact",
                "seven kinds of trees on data without records, and with {size} and one more: the shipped fit over all "
                "ways to draw has the stated law",
                as_stated,
                by_hand,
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
                every_path,
                runs,
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
        statement="Let $s$ be the share of the leaves, $d \\ge 1$ the depth and $e = 1$ if edges are paid for, else "
        "$0$. A level of splits costs\n$\\varepsilon_{\\text{level}} = (1-s)\\varepsilon/(d+e)$: one choice a node, or "
        "histograms of all features at\n$\\varepsilon_{\\text{level}}/m$ each. All edges together cost "
        "$\\varepsilon_{\\text{level}}$, a leaf $s\\varepsilon$. Nodes are asked about in regions\nof the record "
        "domain, all of them at a level, whether or not rows are there; the tree, its borders and its leaves are\n"
        "functions of the answers. Then the whole is $\\varepsilon$-DP by add/remove of a record, against whoever "
        "sees the tree, in\nintegers. With splits from public coins or public rows nothing is paid but the leaves, "
        "which have all of $\\varepsilon$. By\nsubstitution it is $2\\varepsilon$-DP, and no better in general.",
    ),
)

_DESIGN = "fdpedu.privatree.design.PrivaTree"
_GROWTH = "fdpedu.privatree.design.PrivaGrowth"
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
        "fdpedu.trees.choices.ChoiceGrowth.release",
        "self.asker.release(",
        f"{_RAW} if queries[0].type == 'class-histogram' else self.asker.release(",
        "Edges only prepare the data, as bins do: what is private is the tree.",
        "thm-privatree",
        "every path",
    ),
    Broken(
        "borders from raw quantiles",
        "fdpedu.trees.choices.ChoiceGrowth.release",
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
        "fdpedu.federation.curator.Curator.release",
        "query.region for query in asked)",
        "self.domain.everything for query in asked)",
        "The charge names the node, so siblings are in parallel, and more rows make the choice better.",
        "thm-privatree",
        "every path",
    ),
    Broken(
        "nodes without rows are leaves",
        "fdpedu.trees.choices.ChoiceGrowth.enter",
        "deepest or not len(",
        "deepest or not self.asker._records.within([node.region])[0].size or not len(",
        "A node without rows has nothing to split, and nothing to hide.",
        "thm-privatree",
        "every path",
    ),
    Broken(
        "the rule for leaves from the number of rows",
        "fdpedu.privatree.fit.fit_privatree",
        "_by_rule(budget, asked, curator.domain)",
        "_by_rule(budget, Asked(asked.max_depth, nominal_size=max(1, len(party.records().labels))), curator.domain)",
        "How many rows there are is known to everybody, and the rule needs the true number.",
        "thm-privatree",
        "rule",
    ),
)
