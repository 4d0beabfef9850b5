"""What a whole tree costs insiders, over all trees that can be grown, before any of them is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from fdpedu.claims.checking import require
from fdpedu.claims.dlpa.insiders import EXACT, HONEST
from fdpedu.claims.federations import federate
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.dlpa import insider_epsilon, tree_guarantee
from fdpedu.dlpa.guarantee import insider_cost
from fdpedu.domain import Domain, Numeric
from fdpedu.exact import Enclosure
from fdpedu.randomness import Rehearsal
from fdpedu.trees import DESIGNS, Tree, fit_federated_tree
from fdpedu.trees.stopping import Level

Pattern = tuple["Pattern", "Pattern"] | None
"""A tree's shape: None for a leaf, else the shapes of the two sides."""


def patterns(depth: int) -> list[Pattern]:
    """All shapes of at most that depth: 1, 2, 5, 26, 677, …"""
    below = patterns(depth - 1) if depth else []
    return [None, *((left, right) for left in below for right in below)]


def grow_as(pattern: Pattern, p: int, depth: int, parties: int, tolerate: int, unspent: bool, share: str) -> Tree:
    """A tree of that shape by the real path: queries, charges, ledger; only the stopping rule reads the shape."""
    domain = Domain([Numeric.grid(f"x{j}", 0, 8, bins=8) for j in range(p)], ("well", "ill"))
    values = [x for x in range(8) for _ in range(7)]  # the larger, the more often ill: the best split is the middle
    labels = ["ill" if i < x else "well" for x in range(8) for i in range(7)]
    rows = [[*[x + 0.5] * p, label] for x, label in zip(values, labels, strict=True)] * 100
    federation = federate([rows] * parties, domain, Fraction(1), Rehearsal(5), tolerate=tolerate)
    level = [pattern]

    def stop(seen: Level, least: int) -> NDArray[np.bool_]:
        stopped = np.array([node is None for node in level])
        level[:] = [side for node in level if node is not None for side in node]
        return stopped

    design = replace(DESIGNS["averaged"], stop=stop)
    return fit_federated_tree(
        federation, max_depth=depth, design=design, unspent_to_leaf=unspent, leaf_share=share, min_samples_split=0
    )


def every_tree(p: int, depth: int, parties: int, colluders: int, tolerate: int, unspent: bool, share: str) -> None:
    """No shape costs the insiders more than is guaranteed beforehand, nor an outsider; and some shape costs as much."""
    stated = tree_guarantee(
        1, n_features=p, max_depth=depth, leaf_share=share, n_parties=parties, colluders=colluders, tolerate=tolerate,
        unspent_to_leaf=unspent,
    )  # fmt: skip
    require(isinstance(stated.insider, Enclosure), f"no ε holds: {stated.insider}")
    assert isinstance(stated.insider, Enclosure) and isinstance(stated.outsider, Enclosure)
    most, spent = Enclosure.exactly(Fraction(0)), Fraction(0)
    for pattern in patterns(depth):
        tree = grow_as(pattern, p, depth, parties, tolerate, unspent, share)
        require(_shape(tree) == pattern, f"the tree has another shape than {pattern}")
        withstood = tree.derivation.guarantee.colluders
        require(withstood == tolerate, f"the derivation names {withstood} colluders, its shares withstand {tolerate}")
        cost = insider_cost(tree.derivation, parties, tolerate, colluders)
        require(cost.lower <= stated.insider.upper, f"the shape {pattern} costs {cost}, more than {stated.insider}")
        most = Enclosure(max(most.lower, cost.lower), max(most.upper, cost.upper))
        spent = max(spent, tree.derivation.spent)
    require(most.upper >= stated.insider.lower, f"no tree costs more than {most}; stated is {stated.insider}")
    require(stated.outsider.lower == stated.outsider.upper == spent, f"{spent} is spent, {stated.outsider} stated")
    if colluders <= tolerate:
        require(stated.insider.upper == 1, f"tolerated colluders face {stated.insider}, not 1")


def _shape(tree: Tree) -> Pattern:
    def shape(node: object) -> Pattern:
        left, right = getattr(node, "left", None), getattr(node, "right", None)
        return None if left is None or right is None else (shape(left), shape(right))

    return shape(tree.root)


def small_trees(depth: int) -> Iterator[tuple[int, int, int, int, int, bool, str]]:
    """Two or three features, up to so many levels; one or two of three parties collude, none or one is tolerated."""
    for d in range(depth + 1):
        for p, colluders, tolerate in ((2, 1, 0), (3, 2, 1), (2, 1, 1)):
            yield p, d, 3, colluders, tolerate, True, "1/2"
        yield 2, d, 3, 2, 0, False, "1/5"


def levels_one_by_one(epsilon: Fraction, p: int, depth: int, parties: int, colluders: int) -> None:
    """Each level's price is s·p·e(h) + e(rest), added up release by release; the guarantee is the largest of them."""
    stated = tree_guarantee(epsilon, n_features=p, max_depth=depth, n_parties=parties, colluders=colluders, tolerate=0)
    h = epsilon / (2 * depth * p)
    one, totals = insider_epsilon(h, parties, colluders), list[Enclosure]()
    for s in range(1, depth + 1):
        leaf = insider_epsilon(epsilon - s * p * h, parties, colluders)
        totals.append(Enclosure.sum([*[one] * (s * p), leaf]))
        found = stated.levels[s]
        assert isinstance(found, Enclosure)
        apart = max(abs(found.upper - totals[-1].upper), abs(found.lower - totals[-1].lower))
        require(apart <= Fraction(1, 10**30), f"after {s} levels it is {totals[-1]}, not {found}")
    require(set(stated.levels) == set(range(1, depth + 1)), f"levels {sorted(stated.levels)} are evaluated")
    assert isinstance(stated.insider, Enclosure)
    largest = max(total.upper for total in totals)
    require(abs(stated.insider.upper - largest) < Fraction(1, 10**30), f"the largest is {float(largest)}")


def before_any_run(size: int) -> Iterator[tuple[Fraction, int, int, int, int]]:
    cases = [("1", 10, 5, 5, 1), ("1/1000000", 3, 3, 5, 2), ("5", 4, 2, 2, 1), ("1", 50, 10, 5, 1), ("1/9", 2, 9, 9, 8)]
    return ((Fraction(e), *rest) for e, *rest in cases[:size])  # type: ignore[misc]


CLAIMS = (
    Claim(
        "thm-tree-before-the-run",
        status="proved+checked",
        code=(
            "fdpedu.dlpa.guarantee",
            "fdpedu.dlpa.guarantee.tree_guarantee",
            "fdpedu.trees.promise.tree_promise",
        ),
        checks=(
            Check(
                "every tree",
                "exhaustive",
                "all shapes of trees to depth {size}, grown and charged by the shipped path: none costs more than E",
                every_tree,
                small_trees,
                2,
                3,
                more=[(4, 2, 2, 1, 0, True, "1/7"), (1, 2, 5, 2, 1, False, "6/7")],
            ),
            Check(
                "every level",
                "exact",
                "{size} sets of public parameters, ε down to 10⁻⁶: each level's price, added up release by release",
                levels_one_by_one,
                before_any_run,
                3,
                5,
            ),
        ),
        assumptions=(EXACT, HONEST, "records are added or removed"),
        uses=("thm-insider-polya", "lem-filter", "thm-federated-tree", "thm-optimal-composition"),
    ),
)

TWINS = (
    Broken(
        "p releases as one",
        "fdpedu.dlpa.guarantee.tree_guarantee",
        "_added(s * p, loss(h), ",
        "_added(s, loss(p * h), ",
        "A node has one budget, however many histograms it is asked for.",
        "thm-tree-before-the-run",
        "every tree",
    ),
    Broken(
        "the last level only",
        "fdpedu.dlpa.guarantee.tree_guarantee",
        "_added(s * p, loss(h), ",
        "_added(p, loss(h), ",
        "What is released last is released of the smallest nodes, where a record counts most.",
        "thm-tree-before-the-run",
        "every level",
    ),
    Broken(
        "any number of colluders is charged for",
        "fdpedu.federation.federation.Federation.release",
        "query.charge(self.domain, self.colluders, ",
        "query.charge(self.domain, self.n_parties - 1, ",
        "Colluders know their own shares only, so any number of them is withstood.",
        "thm-tree-before-the-run",
        "every tree",
    ),
)
