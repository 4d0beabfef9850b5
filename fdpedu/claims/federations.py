"""Small federations, and the trees that they grow: what the checks of several chapters are tried on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fdpedu.accounting import Ledger
from fdpedu.domain import Domain, Numeric, Rows
from fdpedu.exact import Rational
from fdpedu.federation import Federation, Party
from fdpedu.randomness import Source
from fdpedu.trees import Tree, fit_federated_tree

Case = tuple[Domain, Sequence[Rows]]
AGE = Domain([Numeric.grid("age", 0, 100, bins=2)], ("well", "ill"))


def federate(parts: Sequence[Rows], domain: Domain, budget: Rational, rng: Source, **options: Any) -> Federation:
    """A federation of these parties."""
    return Federation([Party(rows, domain) for rows in parts], domain, Ledger(budget), rng=rng, **options)


def grow(case: Case, budget: Rational, rng: Source, **options: Any) -> tuple[Tree, Federation]:
    """A tree of these parties, and the federation that grew it."""
    domain, parts = case
    federation = federate(parts, domain, budget, rng, transport=options.pop("transport", None))
    return fit_federated_tree(federation, **options), federation
