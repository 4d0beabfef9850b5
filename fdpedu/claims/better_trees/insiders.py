"""Where all others are malicious: what a party's splits cost, and what its leaf counts do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from typing import Any, cast

from fdpedu.accounting import Charge, Ledger
from fdpedu.claims.accounting.queries_in_rho import STUMP, grid, pulls, queries
from fdpedu.claims.better_trees.losses import ADD_REMOVE
from fdpedu.claims.bounds.query import answered
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.replay import intersects
from fdpedu.dlpa import insider_epsilon, tree_guarantee
from fdpedu.dlpa.guarantee import insider_cost
from fdpedu.domain import Domain, Numeric, Rows
from fdpedu.exact import Enclosure
from fdpedu.federation import ConfusionCounts, PullVectors, Query, ResidualSums, SquareSums, TargetCounts
from fdpedu.federation.queries.closed_set import CLOSED_SET
from fdpedu.federation.queries.noise import POLYA_SHARES
from fdpedu.gradients import AdditiveModel, TreeShapes, VectorModel
from fdpedu.trees.designs import Rotating
from fdpedu.trees.designs.base import TreeDesign
from fdpedu.trees.shape import Asked

PLANE = grid(2)


def numbers(*asked: Any) -> None:
    """Both numbers of a tree by the rotating design."""
    require_numbers(Rotating(), *asked)


def require_numbers(
    design: TreeDesign, parties: int, tolerate: int, colluders: int, depth: int, share: Fraction, budget: Fraction
) -> None:
    """Both numbers of a tree before it is grown: ε for outsiders and as many colluders as the shares are made for.

    More of them leave the splits as they are, and less noise in the leaves: (1−s)ε + e(sε), τ = (K−c)/(K−tolerate).
    """
    settled, shape = design.settled(Asked(max_depth=depth, leaf_share=share), budget)
    path, leaf = settled.dearest_path(budget, shape, 7, parties)
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


# --- Every type of query ---

ONE = Fraction(1)
STAY = Domain(PLANE.features, target=Numeric.grid("stay", 0, 2, bins=2))
_TREES = TreeShapes((((0, 0b01),), ((0, 0b01),)))
Row = Sequence[Any]


def _asked() -> list[tuple[Domain, Query]]:
    """One query of each noisy type that may cost ε, each at ε = 1, beside its domain; bounds and sums on lattices."""
    plane, stay = PLANE.everything, STAY.everything
    classes: list[Query] = [*queries(plane), *pulls(plane), ConfusionCounts(plane, ONE, STUMP)]
    far = AdditiveModel(intercept=2**20)
    target = [TargetCounts(stay, ONE, 2), ResidualSums(stay, ONE, 8, far, 3, _TREES), SquareSums(stay, ONE, 1, far)]
    return [(PLANE, replace(query, cost=ONE)) for query in classes] + [(STAY, query) for query in target]


def priced(domain: Domain, query: Query, rows: Rows, record: Row, colluders: int, tight: bool = False) -> None:
    """What insiders learn from how a record moves an answer, cell by cell, costs no more than is said; or just that.

    Three parties, whose shares tolerate nobody: of each cell's noise the shape 3 − c is left (thm-insider-lattice).
    """
    before, after = answered(query, rows, domain), answered(query, [*rows, record], domain)
    rate, cells = query.rate.rate or Fraction(0), Enclosure.exactly(Fraction(0))
    for steps in (abs(b - a) for a, b in zip(before, after, strict=True)):
        if steps:
            cells = cells + _lost(rate * steps, steps, colluders)
    said = _of(query.charge(domain, 0, "operating system"), colluders, domain)
    require(cells.lower <= said.upper, f"{query.type}: its cells tell {cells}, and it is said to cost {said}")
    require(not tight or intersects(cells, said), f"{query.type}: its cells tell {cells} at most, said are {said}")


@cache
def _lost(epsilon: Fraction, steps: int, colluders: int) -> Enclosure:
    """What insiders learn from a number that moves by so many steps."""
    return insider_epsilon(epsilon, 3, colluders, tolerate=0, sensitivity=steps)


def _of(charge: Charge, colluders: int, domain: Domain = PLANE) -> Enclosure:
    """What is printed of a run that has asked this alone."""
    ledger = Ledger(5, domain=domain)
    ledger.charge([charge])
    return insider_cost(ledger.derivation(), 3, 0, colluders)


def moved(most: int) -> Iterator[tuple[Domain, Query, Rows, Row, int]]:
    """All data of so many records at most, all records to add, every noisy type; 1 and 2 colluders by turns."""
    places = list(product((0.5, 1.5), (0.5, 1.5)))
    for domain, query in _asked():
        records = [(*place, y) for place, y in product(places, (0.5, 1.5) if domain is STAY else PLANE.classes)]
        for n in range(most + 1):
            cases = product(combinations_with_replacement(records, n), records)
            yield from ((domain, query, rows, record, 1 + i % 2) for i, (rows, record) in enumerate(cases))


def attaining(_: object) -> Iterator[tuple[Domain, Query, Rows, Row, int, bool]]:
    """Of each type a record that moves every part as far as it may; bounds move from m − 1 to 2m − 1.

    Not of squares, whose bounds no record meets in all cells at once (lem-squares).
    """
    for domain, query in _asked():
        first, second = ([0.5, 0.5, y] for y in ((0.5, 1.5) if domain is STAY else PLANE.classes))
        rows = [first] * (4 * getattr(query, "lattice", 1) - 2) + [second]
        if type(query) is not SquareSums:
            yield from ((domain, query, rows, second, colluders, True) for colluders in (1, 2))


def every_type_is_priced(kind: type[Query]) -> None:
    """A type is either noise in shares, of which insiders may have some, or drawn by one party: then it costs its ε.

    Vectors of pulls are never paid in ε (thm-pull-vectors), so they have no such price.
    """
    drawn, steps = kind.layer is not POLYA_SHARES, (("steps", 8),)
    said = _of(Charge(PLANE.everything, 1, "a query", "noise", 2, "c", type=kind.type, parameters=steps), 2)
    require(drawn == (said.upper == 1), f"{kind.type} is drawn by one party: {drawn}, and said to cost {said}")
    noisy = {type(query) for _, query in _asked()}
    require((drawn or _refuses_epsilon(kind)) != (kind in noisy), f"the law of {kind.type} is in no check")


def _refuses_epsilon(kind: type[Query]) -> bool:
    """Whether the type itself refuses to be paid in ε."""
    if kind is not PullVectors:
        return False
    try:
        PullVectors(PLANE.everything, ONE, 8, VectorModel((), (0, 0)), _TREES).check(PLANE)
    except ValueError as refusal:
        return "not ε" in str(refusal)
    return False


CLAIMS = (
    Claim(
        "thm-designed-insiders",
        status="proved+checked",
        code=("fdpedu.trees.designs.rotating", "fdpedu.trees.promise.tree_promise"),
        checks=(
            Check(
                "numbers",
                "exact",
                "2 to {size} parties, every number of colluders and of those tolerated: both numbers of tree_guarantee",
                numbers,
                public_numbers,
                4,
                7,
                more=[(5, 0, 4, 8, Fraction(1, 5), Fraction(1)), (5, 4, 4, 2, Fraction(1, 2), Fraction(9, 7))],
            ),
            Check(
                "every type",
                "exact",
                "all types of queries that a party answers: noise in shares, or drawn by one party alone",
                every_type_is_priced,
                lambda _: ((kind,) for kind in CLOSED_SET),
            ),
            Check(
                "what moves",
                "exhaustive",
                "every noisy type on all data of at most {size} records, all records to add, 1 or 2 colluders of 3: "
                "the losses of all cells that move are no more than is said",
                priced,
                moved,
                1,
                2,
            ),
            Check(
                "what moves most",
                "exact",
                "of every noisy type a record that moves all parts as far as it may: the losses of its cells are what "
                "is said",
                priced,
                attaining,
            ),
        ),
        assumptions=(ADD_REMOVE, "all other parties and the aggregator may be malicious", "integers", "ideal masks"),
        uses=("thm-rotating-tree", "thm-party-ledger", "thm-insider-lattice", "thm-tolerate"),
    ),
)

TWINS = (
    Broken(
        "steps of a lattice priced as counts",
        "fdpedu.dlpa.guarantee.insider_cost",
        'getattr(loss(step["rate"], step["sensitivity"]), side))',
        'getattr(loss(step["rate"], 1), side)) * step["sensitivity"]',
        "A record that moves a number by m steps is m records that move it by one.",
        "thm-designed-insiders",
        "what moves most",
    ),
    Broken(
        "two sums of an intercept priced as one",
        "fdpedu.dlpa.guarantee.insider_cost",
        'if step["type"] in MOVED:',
        'if step["type"] == SQUARES:',
        "What costs ε for both numbers together is one number of the sum of their moves.",
        "thm-designed-insiders",
        "what moves most",
    ),
    Broken(
        "four sums of squares priced as one",
        "fdpedu.dlpa.guarantee.insider_cost",
        'if step["type"] in MOVED:',
        'if step["type"] == INTERCEPT:',
        "What costs ε for all numbers together is one number of the sum of their moves.",
        "thm-designed-insiders",
        "what moves",
    ),
    Broken(
        "votes priced as noise in shares",
        "fdpedu.dlpa.guarantee.insider_cost",
        "in DRAWN:",
        'in ("designed-split", "split-vote"):',
        "Whatever is summed is noise in shares.",
        "thm-designed-insiders",
        "every type",
    ),
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
