"""What a record pays along its path through the shipped fit, whatever is answered; and whole trees with their files.

Checks of thm-privatree.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from types import ModuleType
from typing import Any

from fdpedu.accounting import Ledger
from fdpedu.cart.candidates import Borders
from fdpedu.claims.accounting.derivations import verdict
from fdpedu.claims.checking import require
from fdpedu.claims.laws.designs import DESIGN_LAWS
from fdpedu.domain import Domain, Numeric
from fdpedu.federation import ChosenSplit, LeafLabel, Party
from fdpedu.randomness import Rehearsal
from fdpedu.trees import Tree, fit_privatree
from fdpedu.trees.designs.privatree.leaf_share import leaf_share_by_rule

TWO = Domain([Numeric.grid(name, 0, 2, bins=2) for name in ("age", "dose")], ("well", "ill"))


PRIVATREE = DESIGN_LAWS["privatree"]


def by_the_rule(rows: int, nominal_size: int, depth: int) -> None:
    """What levels and leaves cost by the rule is a function of ε, N, the classes and the depth, never of the rows."""
    options = {"leaf_share": "rule", "nominal_size": nominal_size, "max_depth": depth}
    _, asked = PRIVATREE.of_given((TWO, [[[0.5, 0.5, "well"]] * rows]), options, 1)
    share = leaf_share_by_rule(1, nominal_size, 2, depth)
    expected = {LeafLabel.type: share, ChosenSplit.type: (1 - share) / depth}
    found = {query.type: query.epsilon for query in asked.queries}
    require(found == expected, f"with {rows} rows and N = {nominal_size} costs are {found}, not {expected}")
    require(asked.ledger.spent == 1, f"spent is {asked.ledger.spent}")


def sizes(most: int) -> Iterator[tuple[int, int, int]]:
    """No rows, some, and many; nominal sizes that are as large, and that are not."""
    yield from product((0, 1, 399, 400, most), (400, 10_000), (1, 2))


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
        rest = (draw.tables(domain), PRIVATREE.options(draw), draw.budgets, draw.integers(0, 99))
        return draw.tuples(draw.st.just(domain), *rest)

    return draw.domains(3, 6).flatmap(of)
