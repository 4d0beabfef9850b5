"""What a record pays along its path through the shipped fit, whatever is answered; and whole trees with their files.

Checks of thm-privatree.
"""

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
from fdpedu.cart import Node
from fdpedu.cart.candidates import Borders
from fdpedu.claims.accounting.derivations import verdict
from fdpedu.claims.better_trees.law import Record, coded, inside
from fdpedu.claims.checking import require
from fdpedu.claims.replay import patched
from fdpedu.domain import Domain, Numeric
from fdpedu.exact import Integers
from fdpedu.federation import ChosenSplit, JointEdges, LeafLabel, Party, Query
from fdpedu.randomness import Rehearsal
from fdpedu.trees import Tree, fit_privatree
from fdpedu.trees.designs.privatree.leaf_share import leaf_share_by_rule

TWO = Domain([Numeric.grid(name, 0, 2, bins=2) for name in ("age", "dose")], ("well", "ill"))


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
