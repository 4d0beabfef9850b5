"""Along every path a record pays ε and no more, and what is asked depends on answers alone.

Checks of thm-federated-tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from types import ModuleType
from typing import Any

from fdpedu.claims.checking import require
from fdpedu.claims.federations import Case, federate
from fdpedu.claims.laws.designs import DESIGN_LAWS, OPTIONS, DesignLaws, of_counts
from fdpedu.federation import Asker
from fdpedu.randomness import Rehearsal
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


RECURSIVE = replace(of_counts(DESIGNS["averaged"]), fit=lambda asker, options, seed: fit_recursively(asker, **options))
AS_PRINTED = replace(of_counts(AsPrinted()), in_files=False)
PLAIN = tuple(WAYS)[: len(DESIGNS) + 2]  # with histograms of all features, and counts of their own for all leaves


def fit(federation: Asker, way: str, options: dict[str, Any]) -> Tree:
    """A tree of one of the WAYS; what coins choose is the same each time."""
    design = WAYS[way]
    if design is None:
        return fit_recursively(federation, **options)
    if design.stop is stopping.never:
        options = {name: value for name, value in options.items() if name != "min_samples_split"}
    if not design.fresh_leaves:
        options = {**options, "max_depth": max(1, options["max_depth"])}
    return fit_federated_tree(federation, design=design, rng=Rehearsal(5), **options)


def _laws(way: str) -> DesignLaws:
    """The laws of one of the WAYS."""
    known = {"a round for every node": RECURSIVE, "as printed": AS_PRINTED, **DESIGN_LAWS, **OPTIONS}
    return known[way]


def _options(way: str, share: Fraction, depth: int, unspent: bool) -> dict[str, Any]:
    """Of these the options that the way has a use for."""
    design, rows = WAYS[way], {"min_samples_split": 3}
    if design is not None and design.stop is stopping.never:
        rows = {}
    least = 0 if design is None or design.fresh_leaves else 1
    return {"max_depth": max(least, depth), "leaf_share": share, "unspent_to_leaf": unspent, **rows}


def every_path(
    case: Case, record: Sequence[Any], way: str, share: Fraction, depth: int, unspent: bool, seed: int
) -> None:
    """The law of every path of the way, for a record of the last party."""
    _laws(way).every_path(case, record, len(case[1]) - 1, _options(way, share, depth, unspent), seed)


def accepted(case: Case, way: str, share: Fraction, depth: int, unspent: bool, seed: int) -> None:
    """The tree's derivation is accepted with the manifest, for the budget; and not, if the last query is left out."""
    _laws(way).accepted(case, _options(way, share, depth, unspent), seed)


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
