"""Where all others are malicious: what a party's splits cost, and what its leaf counts do."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any, cast

from fdpedu.better_trees import Rotating
from fdpedu.claims.better_trees.losses import ADD_REMOVE
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.replay import intersects
from fdpedu.dlpa import insider_epsilon, tree_guarantee
from fdpedu.exact import Enclosure
from fdpedu.trees.shape import Asked


def numbers(parties: int, tolerate: int, colluders: int, depth: int, share: Fraction, budget: Fraction) -> None:
    """Both numbers of a tree before it is grown: ε for outsiders and as many colluders as the shares are made for.

    More of them leave the splits as they are, and less noise in the leaves: (1−s)ε + e(sε), τ = (K−c)/(K−tolerate).
    """
    _, shape = Rotating().settled(Asked(max_depth=depth, leaf_share=share), budget)
    path, leaf = Rotating().dearest_path(budget, shape, 7, parties)
    found: Any = tree_guarantee(
        budget, levels=path, leaf=leaf, n_parties=parties, colluders=colluders, tolerate=tolerate
    )
    require(intersects(found.outsider, budget), f"against an outsider it says {found.outsider}")
    counts = share * budget if depth else budget
    expected, insider = Enclosure.exactly(budget), cast(Enclosure, found.insider)
    if colluders > tolerate:
        expected = budget - counts + insider_epsilon(counts, parties, colluders, tolerate=tolerate)
        require(insider.lower > budget, f"{colluders} colluders, shares for {tolerate}, and it says {insider}")
    require(intersects(insider, expected), f"against insiders it says {insider}, not {expected}")


def public_numbers(most: int) -> Iterator[tuple[int, int, int, int, Fraction, Fraction]]:
    """Up to so many parties, every number of colluders and of those that the shares are made for; three depths."""
    for parties in range(2, most + 1):
        for tolerate, colluders in product(range(parties), range(1, parties)):
            for depth, share in ((0, "1/5"), (3, "1/5"), (5, "7/20")):
                yield parties, tolerate, colluders, depth, Fraction(share), Fraction(3, 2)


CLAIMS = (
    Claim(
        "thm-designed-insiders",
        "What a party risks if it is the only honest one",
        "better_trees",
        "this book",
        status="proved+checked",
        code=("fdpedu.better_trees.rotating", "fdpedu.trees.promise.tree_promise"),
        checks=(
            Check(
                "numbers",
                "exact",
                "2 to {size} parties, every number of colluders and of those tolerated: both numbers of tree_guarantee",
                numbers,
                public_numbers,
                4,
                7,
            ),
        ),
        assumptions=(ADD_REMOVE, "all other parties and the aggregator may be malicious", "integers", "ideal masks"),
        uses=("thm-rotating-tree", "thm-party-ledger", "thm-insider-polya", "thm-tolerate"),
    ),
)

TWINS = (
    Broken(
        "shares of 1/K called safe against all but one",
        "fdpedu.dlpa.guarantee._of_levels",
        "found[s] = loss(rest[s])",
        "found[s] = Enclosure.exactly(rest[s])",
        "Where a party draws its splits alone it needs nobody, so the guarantee is that of an outsider.",
        "thm-designed-insiders",
        "numbers",
    ),
)
