"""Trees of public splits, grown and made by hand, for the tests of certificates."""

from dataclasses import replace
from fractions import Fraction as F
from typing import Any

from fdpedu.accounting import Ledger
from fdpedu.cart import CodeSplit, Node, fit_cart
from fdpedu.domain import Domain
from fdpedu.exact import Rational
from fdpedu.federation import Party
from fdpedu.randomness import Rehearsal
from fdpedu.trees import LeafRelease, PrivaTree, Tree, fit_privatree

DOMAIN = Domain.from_spec({"features": {"x": [0, 2, 2], "w": ["A", "B"]}, "classes": ["no", "yes"]})
SIDES = [DOMAIN.everything.restrict(0, {code}) for code in (0, 1)]
PLACES = (0.5, 1.5)  # a value of x in either leaf
PUBLIC = fit_cart([[0.5, "A"], [1.5, "A"]], ["no", "yes"], grid=DOMAIN, max_depth=1)
Counts = tuple[tuple[int, int], ...]


def table(counts: Counts) -> tuple[list[list[Any]], list[str]]:
    """Rows of which each leaf has so many of either class."""
    cells = [(x, c, n) for x, of in zip(PLACES, counts, strict=False) for c, n in enumerate(of)]
    rows = [(x, DOMAIN.classes[c]) for x, c, n in cells for _ in range(n)]
    return [[x, "B"] for x, _ in rows], [label for _, label in rows]


def grown(counts: Counts, *, epsilon: Rational = 1, seed: int = 0, leaves: str = "counts", **options: Any) -> Tree:
    """A tree of public splits whose leaves have so many rows of either class, counted or labelled privately."""
    X, y = table(counts)
    options = {"splits": PUBLIC, "max_depth": 1, **options}
    return fit_privatree(Party(X, DOMAIN, labels=y), Ledger(epsilon), leaves=leaves, rng=Rehearsal(seed), **options)


def released(counts: Counts, epsilon: Rational = 1, **changes: Any) -> Tree:
    """A tree of one leaf or two, of which just these counts were released."""
    regions = SIDES if len(counts) == 2 else [DOMAIN.everything]
    nodes = [Node(of) for of in counts]
    top = tuple(map(sum, zip(*counts, strict=True)))
    root = nodes[0] if len(nodes) == 1 else Node((top[0], top[1]), CodeSplit(0, frozenset({0})), *nodes)
    releases = tuple(LeafRelease(region, of, F(epsilon)) for region, of in zip(regions, counts, strict=True))
    return replace(CLEAN, root=root, leaf_releases=releases, **changes)


CLEAN = grown(((3, 1), (1, 3)))
assert isinstance(CLEAN.design, PrivaTree)
