"""One owner's tree: three splits for one ε, drawn together; blocks below blocks, and leaves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from types import ModuleType
from typing import Any

from fdpedu.accounting import Ledger
from fdpedu.cart import candidates
from fdpedu.claims.accounting.derivations import verdict
from fdpedu.claims.better_trees.law import as_arrays, class_counts, coded, inside, losses_by_hand, records, sides_of
from fdpedu.claims.better_trees.ledger import CELLS
from fdpedu.claims.better_trees.losses import ADD_REMOVE, by_pairs
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.replay import patched
from fdpedu.domain import Categorical, Domain, Numeric, Region
from fdpedu.federation import ChosenBlock, Curator, Party
from fdpedu.federation.records import Records
from fdpedu.privacy import datasets
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.trees import fit_owner_tree
from fdpedu.trees.clamped_tables import Data

SIX = Domain([Numeric.grid("age", 0, 3, bins=3), Numeric.grid("dose", 0, 2, bins=2)], ("well", "ill"))
WARD = Domain([Categorical("ward", ("A", "B", "C", "D"))], ("well", "ill"))
Sides = tuple[list[int], list[int]]  # what each split of a left side and of a right side leaves, or the whole side


def by_sides(domain: Domain, region: Region, data: Data, lattice: int) -> list[Sides]:
    """For each root split what its sides' splits leave there; one number where nothing divides a side."""

    def of(side: Region) -> list[int]:
        none = (0,) * domain.n_classes
        own = inside(data, side)
        whole = by_pairs(class_counts(domain, side, own), none, "mixed", lattice)
        return losses_by_hand(domain, side, own, "mixed", lattice) or [whole]

    return [(of(left), of(right)) for left, right in sides_of(domain, region)]


def drawn_by(
    domain: Domain, region: Region, rows: Sequence[Any], epsilon: Fraction, lattice: int, at: tuple[int, ...]
) -> None:
    """A curator draws a block at the rate ε/m, by losses that are those of each side, record by record; and tells it.

    That the draw has the law ∝ e^{−ε·loss/m} of these losses is thm-block.
    """
    if not (expected := by_sides(domain, region, coded(domain, rows), lattice)):
        return
    root = at[0] % len(expected)
    below = [k % len(losses) for k, losses in zip(at[1:], expected[root], strict=True)]
    seen = list[Any]()

    def keep(losses: Any, rate: Any, source: Any) -> tuple[int, ...]:
        seen.append(([tuple(map(list, sides)) for sides in losses], rate.rate))
        return root, *below

    curator = Curator(Party(rows, domain), Ledger(epsilon), ZeroWords())
    with patched("fdpedu.federation.queries.choices", draw_block=keep):
        (told,) = curator.release([ChosenBlock(region, epsilon, "mixed", lattice)])
    require(seen == [(expected, epsilon / lattice)], f"it draws by {seen}, by hand {expected} and {epsilon / lattice}")
    sides = list(sides_of(domain, region))[root]
    there = [k + 1 if len(candidates(domain, side)) else 0 for k, side in zip(below, sides, strict=True)]
    require(told.tolist() == [root + 1, *there], f"drawn are {root} and {below}, it tells {told}")
    require(curator.ledger.spent == epsilon, f"a block of {epsilon} costs {curator.ledger.spent}")


def one_epsilon(domain: Domain, data: Data, lattice: int) -> None:
    """With any record more, each block's loss rises by 0 to m, and its probability differs by at most e^ε = α^{−m}."""
    losses = _of_blocks(domain, data, lattice)
    for record in records(domain):
        more = _of_blocks(domain, (*data, record), lattice)
        rises = {after - before for before, after in zip(losses, more, strict=True)}
        require(0 <= min(rises) and max(rises) <= lattice, f"with {record} losses rise by {sorted(rises)}")
        worst = max(max(p / q, q / p) for p, q in zip(_law(losses), _law(more), strict=True))
        require(worst <= 2**lattice, f"with {record} a block is {worst} times as likely, e^ε is {2**lattice}")


def _of_blocks(domain: Domain, data: Data, lattice: int) -> list[int]:
    """The losses of all blocks, as they are drawn by."""
    own, found = Records(*as_arrays(domain, data), domain), list[int]()
    query = ChosenBlock(domain.everything, Fraction(1), "mixed", lattice)

    def keep(losses: Any, rate: Any, source: Any) -> tuple[int, ...]:
        found.extend(a + b for sides in losses for a, b in product(*sides))
        return 0, 0, 0

    with patched("fdpedu.federation.queries.choices", draw_block=keep):
        query.drawn(query.tally(own, own.within([query.region])[0], domain), domain, ZeroWords())
    return found


def _law(losses: list[int]) -> list[Fraction]:
    total = sum(Fraction(1, 2**loss) for loss in losses)
    return [Fraction(1, 2**loss) / total for loss in losses]


def small(most: int) -> Iterator[tuple[Domain, Data, int]]:
    """All data of at most so many records in six cells and in four categories."""
    for domain in (SIX, WARD):
        yield from ((domain, tuple(data), lattice) for data in datasets(records(domain), most) for lattice in (1, 2))


def whole_trees(blocks: int, budget: Fraction, seed: int) -> None:
    """Blocks cost (1−s)ε divided by their levels, leaves sε; spent is ε; the checker accepts, and guarantees ε."""
    rows = [[k % 8 + 0.5, (k * k + seed) % 8 + 0.5, ("well", "ill")[k % 3 == 0]] for k in range(seed)]
    ledger, size = Ledger(budget), max(1, int({1: 300, 2: 4000, 3: 20_000}[blocks] / budget))
    tree = fit_owner_tree(Party(rows, CELLS), ledger, nominal_size=size, rng=Rehearsal(seed))
    guarantee = verdict(tree.derivation.content)
    require(guarantee is not None and guarantee.value == guarantee.spent == budget, f"the checker says {guarantee}")
    require(ledger.spent == budget, f"the ledger says {ledger.spent} of {budget}")
    require(tree.rounds == blocks + 1 and tree.depth <= 2 * blocks, f"{tree.rounds} rounds, depth {tree.depth}")
    costs = {(step["type"], Fraction(step["epsilon"])) for _, step in tree.derivation.releases()}
    expected = {("chosen-block", Fraction(4, 5) * budget / blocks), ("class-counts", budget / 5)}
    require(costs == expected, f"releases cost {costs}, expected {expected}")


def random_blocks(draw: ModuleType) -> Any:
    """A domain, a region of it, rows, a cost and a lattice."""

    def of(domain: Domain) -> Any:
        at = draw.tuples(*[draw.integers(0, 20)] * 3)
        rest = (draw.regions(domain), draw.tables(domain), draw.epsilons, draw.integers(1, 9), at)
        return draw.tuples(draw.st.just(domain), *rest)

    return draw.domains().flatmap(of)


def grown(draw: ModuleType) -> Any:
    """A number of blocks, a budget and a seed."""
    return draw.tuples(draw.integers(1, 3), draw.budgets, draw.integers(0, 99))


CLAIMS = (
    Claim(
        "thm-owner-tree",
        status="proved+checked",
        code=(
            "fdpedu.trees.designs.owner",
            "fdpedu.trees.grow.fit_owner_tree",
            "fdpedu.federation.queries.choices.ChosenBlock",
        ),
        checks=(
            Check(
                "neighbours",
                "exhaustive",
                "six cells, or four categories: all data of at most {size} records, every record added: losses and "
                "distributions of all blocks",
                one_epsilon,
                small,
                1,
                3,
            ),
            Check(
                "drawn by",
                "property",
                "{size} random domains, regions and rows: what a curator draws by, at what rate, and what it tells",
                drawn_by,
                random_blocks,
                15,
                1000,
            ),
            Check(
                "whole trees",
                "property",
                "{size} random trees of one to three blocks: spent is ε, the checker accepts it, costs are as stated",
                whole_trees,
                grown,
                6,
                200,
                more=[(blocks, *rest) for blocks in (1, 2, 3) for rest in ((Fraction(1, 2), 40), (Fraction(3), 0))],
            ),
        ),
        assumptions=(ADD_REMOVE, "the owner sees all rows; the outsider sees the tree", "integers"),
        uses=("thm-block", "lem-mixed-loss", "lem-chosen-split", "thm-histogram", "lem-filter"),
    ),
)

TWINS = (
    Broken(
        "three splits of a block, each at ε",
        "fdpedu.federation.queries.choices.ChosenBlock.drawn",
        "Rate(rate=self.epsilon / self.lattice)",
        "Rate(rate=3 * self.epsilon / self.lattice)",
        "Root and sides are three choices at three nodes, and each of them may cost ε.",
        "thm-owner-tree",
        "drawn by",
    ),
    Broken(
        "sides in half steps",
        "fdpedu.federation.queries.choices.ChosenBlock._losses",
        "losses_of(*found.sides(cells), self.loss, self.lattice)",
        "losses_of(*found.sides(cells), self.loss, 2 * self.lattice)",
        "A finer lattice loses less to rounding.",
        "thm-owner-tree",
        "neighbours",
    ),
    Broken(
        "each block at the cost of all",
        "fdpedu.trees.designs.owner.Owner.dearest_path",
        "splits / blocks",
        "splits",
        "Blocks on a path are about smaller and smaller regions, so they compose in parallel.",
        "thm-owner-tree",
        "whole trees",
    ),
)
