"""Along every path a record pays ε and no more, and what is asked depends on answers alone.

Checks of thm-federated-tree.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from types import ModuleType
from typing import Any

import numpy as np

from fdpedu.claims.accounting.derivations import verdict
from fdpedu.claims.checking import require
from fdpedu.claims.federations import Case, federate
from fdpedu.domain import Domain, Rows
from fdpedu.federation import Federation, Query
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.sources.gubler import AsPrinted
from fdpedu.trees import DESIGNS, Design, Tree, fit_federated_tree, leaf_budgets, stopping
from fdpedu.trees.recursive import fit_recursively

WAYS: dict[str, Design | None] = {
    **DESIGNS,
    "as printed": AsPrinted(),
    "a round for every node": None,
    "two features a node": Design(features_per_node=2),
    "leaves read histograms": Design(fresh_leaves=False, prune=True),
}


PLAIN = tuple(WAYS)[: len(DESIGNS) + 2]  # with histograms of all features, and counts of their own for all leaves


@dataclass
class Asked:
    """What was asked, in rounds, and the exact counts that answer it."""

    queries: list[tuple[Any, ...]] = field(default_factory=list)
    rates: list[Fraction] = field(default_factory=list)
    counts: list[Any] = field(default_factory=list)


class GivenAnswers(Federation):
    """A federation without noise whose answers are replaced by others, which depend on what is asked and on a seed."""

    asked, seed = Asked(), 0

    def release(self, queries: Sequence[Query], *rest: Any, **options: Any) -> Any:
        answers = super().release(queries, *rest, **options)
        self.asked.queries.append(tuple((q.type, q.region.features, q.region.classes, q.epsilon) for q in queries))
        self.asked.rates += [Fraction(q.rate.rate or 0) for q in queries]
        self.asked.counts += answers
        return [self._given(query, answer.shape) for query, answer in zip(queries, answers, strict=True)]

    def _given(self, query: Query, shape: tuple[int, ...]) -> Any:
        name = f"{self.seed} {query.type} {query.region.features}"
        return np.random.default_rng(zlib.crc32(name.encode())).integers(-2, 9, shape)


def fit(federation: Federation, way: str, options: dict[str, Any]) -> Tree:
    """A tree of one of the WAYS; what coins choose is the same each time."""
    design = WAYS[way]
    if design is None:
        return fit_recursively(federation, **options)
    if design.stop is stopping.never:
        options = {name: value for name, value in options.items() if name != "min_samples_split"}
    if not design.fresh_leaves:
        options = {**options, "max_depth": max(1, options["max_depth"])}
    return fit_federated_tree(federation, design=design, rng=Rehearsal(5), **options)


def _asked(parts: Sequence[Rows], domain: Domain, way: str, seed: int, options: dict[str, Any]) -> tuple[Tree, Asked]:
    federation: Any = federate(parts, domain, 1, ZeroWords())
    federation.__class__, federation.seed, federation.asked = GivenAnswers, seed, Asked()
    return fit(federation, way, options), federation.asked


def every_path(
    case: Case, record: Sequence[Any], way: str, share: Fraction, depth: int, unspent: bool, seed: int
) -> None:
    """With one record more and the same answers, the same is asked and grown, and the record has paid at most ε.

    It has paid ε exactly where early leaves get what is left. That is the worst ratio of the transcripts: no noise is
    impossible, and all cells of the record can fall on the same side.
    """
    domain, parts = case
    options = {"max_depth": depth, "min_samples_split": 3, "leaf_share": share, "unspent_to_leaf": unspent}
    with_record = [[*rows, record] if k == len(parts) - 1 else rows for k, rows in enumerate(parts)]
    (tree, asked), (other, again) = (_asked(some, domain, way, seed, options) for some in (parts, with_record))
    require(asked.queries == again.queries and asked.rates == again.rates, "what is asked depends on exact counts")
    require(tree.root == other.root, "the tree depends on exact counts")
    paid = Fraction(0)
    for rate, a, b in zip(asked.rates, asked.counts, again.counts, strict=True):
        require(a.shape == b.shape, f"answers have the shapes {a.shape} and {b.shape}")
        paid += rate * int(np.abs(a - b).sum())
    require(paid <= 1, f"the record pays {paid} of 1")
    rest_to_leaf = unspent and way in PLAIN
    require(paid == 1 or not rest_to_leaf, f"the record pays {paid}, although its leaf may spend the rest of 1")


def accepted(case: Case, way: str, share: Fraction, depth: int, unspent: bool, seed: int) -> None:
    """The tree's derivation is accepted with the manifest, for the budget; and not, if the last query is left out."""
    domain, parts = case
    federation = federate(parts, domain, 3, Rehearsal(seed))
    options = {"max_depth": depth, "min_samples_split": 3, "leaf_share": share, "unspent_to_leaf": unspent}
    tree = fit(federation, way, options)
    content, manifest = tree.derivation.content, json.loads(federation.manifest.to_json())
    guarantee = verdict(content, manifest)
    require(guarantee is not None and guarantee.value == 3, f"the checker says {guarantee}")
    require(guarantee is not None and guarantee.spent == federation.ledger.spent <= 3, f"the checker says {guarantee}")
    manifest["rounds"][-1]["queries"].pop()
    if not manifest["rounds"][-1]["queries"]:
        manifest["rounds"].pop()
    require(verdict(content, manifest) is None, "accepted with a query less than was released")


def unspent(case: Case, way: str, share: Fraction, depth: int, seed: int) -> None:
    """What early leaves may spend is what their path has not spent: with it each leaf has paid ε, without it less.

    A leaf at full depth has paid ε in both cases, and the checker's guarantee is ε for both.
    """
    domain, parts = case
    for to_leaf in (False, True):
        federation = federate(parts, domain, 2, Rehearsal(seed))
        options = {"max_depth": depth, "min_samples_split": 4, "leaf_share": share, "unspent_to_leaf": to_leaf}
        tree = fit(federation, way, options)
        require(tree.derivation.guarantee.value == 2, f"the checker guarantees {tree.derivation.guarantee.value}")
        node = (1 - share) * 2 / depth if depth else Fraction(0)
        for leaf in leaf_budgets(tree, federation.ledger):
            levels = min(leaf.level + 1, depth)
            expected = Fraction(2) if to_leaf or not depth else levels * node + share * 2
            require(leaf.spent == expected, f"a leaf of level {leaf.level} has paid {leaf.spent}, not {expected}")
            require(leaf.spent + leaf.remaining == 2, f"{leaf.spent} and {leaf.remaining} are not 2 together")


def any_way(draw: ModuleType, plain: bool = False) -> Any:
    """A strategy of names of ways to grow a tree."""
    names = list(PLAIN if plain else WAYS)
    return draw.integers(0, len(names) - 1).map(names.__getitem__)


def with_a_record(draw: ModuleType) -> Any:
    """Parties with rows, a record to add, and a way to grow a tree with its options."""

    def of(case: Case) -> Any:
        drawn = draw.tuples(
            draw.records(case[0]),
            any_way(draw),
            draw.shares,
            draw.integers(0, 3),
            draw.booleans(),
            draw.integers(0, 99),
        )
        return drawn.map(lambda rest: (case, *rest))

    return draw.domains_with_parties().flatmap(of)
