"""A root that asks for all features, and nodes that ask for a few: what is chosen from released counts is free."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from math import isqrt
from types import ModuleType
from typing import Any

from fdpedu.claims.accounting.derivations import verdict
from fdpedu.claims.better_trees.losses import ADD_REMOVE
from fdpedu.claims.checking import require
from fdpedu.claims.federations import Case, federate, from_sums_alone
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.trees.federated import OBSERVER
from fdpedu.randomness import Rehearsal
from fdpedu.trees import Design, fit_federated_tree
from fdpedu.trees.stopping import never


def screened(keep: int) -> Design:
    """The design that asks for so many features below the root."""
    return Design(keep=keep, shrink=3, stop=never)


def levels(case: Case, keep: int, budget: Fraction, share: Fraction, depth: int, seed: int) -> None:
    """The levels cost what √p, √k, √k, … says, in tenths and rounded down; a path costs ε; the checker accepts it."""
    domain, parts = case
    federation = federate(parts, domain, budget, Rehearsal(seed))
    tree = fit_federated_tree(federation, design=screened(keep), max_depth=depth, leaf_share=share)
    asked = [domain.n_features, *[min(keep, domain.n_features)] * (depth - 1)]
    weights = [isqrt(100 * q) for q in asked]
    costs = [(1 - share) * budget * weight / sum(weights) for weight in weights]
    pairs, found = list(zip(asked, costs, strict=True)), dict[Any, list[Any]]()
    for region, step in tree.derivation.releases():
        if step["type"] != "class-counts":
            found.setdefault(region, []).append(step)
    for region, steps in found.items():
        told = sum(step["releases"] for step in steps), sum(Fraction(step["epsilon"]) for step in steps)
        require(told in pairs[: 1 if region == domain.everything else depth], f"{told} is asked and paid at {region}")
    guarantee = verdict(tree.derivation.content, json.loads(federation.manifest.to_json()))
    require(guarantee is not None and guarantee.value == budget, f"the checker says {guarantee}")
    require(federation.ledger.spent == budget, f"spent are {federation.ledger.spent} of {budget}")


def only_released(case: Case, keep: int, depth: int, seed: int) -> None:
    """Parties without any rows, given the sums of others, are asked for the same features and grow the same tree."""

    def grown(rows: Sequence[Any], turn: int) -> Any:
        federation = federate(rows, case[0], (1, 30, 3000)[seed % 3], Rehearsal(seed + turn))
        tree = fit_federated_tree(federation, design=screened(keep), max_depth=depth)
        return tree.root, tree.derivation.content

    from_sums_alone(case, grown)


def least_scales(root: int, below: int, shares: tuple[Fraction, ...]) -> None:
    """For squares p and k, shares as √p, √k, √k, … make the sum of the scales of noise at most what others make it."""
    asked = [root**2, *[below**2] * (len(shares) - 1)]
    weights = Design(keep=below**2).level_weights(len(shares), root**2)
    sums = (
        [q * sum(some) / part for q, part in zip(asked, map(Fraction, some), strict=True)] for some in (weights, shares)
    )
    ours, others = map(sum, sums)
    require(ours <= others, f"shares as {weights} give {ours}, shares as {shares} give {others}")


def with_options(draw: ModuleType) -> Any:
    """Parties with rows, how many features are kept, a budget, a share, a depth and a seed."""
    rest = (draw.integers(1, 3), draw.budgets, draw.shares, draw.integers(1, 4), draw.integers(0, 99))
    return draw.tuples(draw.domains_with_parties(), *rest)


def shared(draw: ModuleType) -> Any:
    """Square roots of the numbers of features, and shares of up to four levels."""
    some = draw.st.lists(draw.shares, min_size=1, max_size=4).map(tuple)
    return draw.tuples(draw.integers(3, 6), draw.integers(1, 3), some)


_TRUE = (  # what only a simulation can reach: the exact rows of a party
    "sum(np.bincount(respond.__self__._records.cells.ravel(), minlength=tables[0].size).reshape(tables[0].shape) "
    "for respond in self.federation._endpoints)"
)

CLAIMS = (
    Claim(
        "lem-screening-free",
        status="proved+checked",
        code=("fdpedu.trees.designs.counts.Design.kept_features",),
        checks=(
            Check(
                "levels",
                "property",
                "{size} random cases: what each level asks and costs; a path costs ε, the checker accepts it",
                levels,
                with_options,
                6,
                300,
            ),
            Check(
                "only released",
                "property",
                "{size} random cases, at three budgets: parties without rows, given the same sums, are asked the same",
                only_released,
                lambda draw: draw.tuples(
                    draw.domains_with_parties(), draw.integers(1, 3), draw.integers(1, 3), draw.integers(0, 99)
                ),
                8,
                300,
            ),
            Check(
                "least scales",
                "property",
                "{size} random divisions among up to four levels: none has a smaller sum of scales",
                least_scales,
                shared,
                30,
                1000,
            ),
        ),
        assumptions=(ADD_REMOVE, "integers", OBSERVER, "how many features are kept is public and fixed before"),
        uses=("thm-federated-tree", "thm-node-histograms", "thm-post-processing"),
    ),
)

TWINS = (
    Broken(
        "screening on exact gains",
        "fdpedu.trees.count_growth.CountGrowth._sides",
        "self.design.kept_features(tables[0]",
        f"self.design.kept_features({_TRUE}",
        "Which features are asked for is no answer, so it may be chosen by the best there is.",
        "lem-screening-free",
        "only released",
    ),
)
