"""The rotating tree: each level is designed by one party, on its own rows, and the parties take turns.

The party of a level draws the split of each of its nodes by permute-and-flip and tells it to all. A record lies at one
party, so it pays for the levels of this party only, and for the counts of its leaf: ε in all, whatever the number of
parties, features and bins is.

Guarantee: for records added or removed, a person's rows at one party; against an outsider and ``tolerate`` colluders;
integers. Splits need no other party's noise. Not guaranteed: that a party designs its level honestly; running time.

Claims: thm-rotating-tree, thm-designed-insiders
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from fdpedu.accounting import Cost
from fdpedu.dlpa import LevelCost
from fdpedu.domain import Region
from fdpedu.exact import Integers, Rational, as_integer, as_list, as_positive_fraction
from fdpedu.federation import DesignedSplit
from fdpedu.federation.asker import Asker, require_federation
from fdpedu.randomness import Source
from fdpedu.trees.account import Account
from fdpedu.trees.choice_growth import ChoiceGrowth
from fdpedu.trees.designs.base import Choices, epsilon_of, leaf_cost, require_levels
from fdpedu.trees.growing import Growing
from fdpedu.trees.shape import Asked, Shape, by_rows_and_epsilon
from fdpedu.trees.subset import shuffled
from fdpedu.trees.tree_paid import Paid

MAX_PARTIES = 256
_FIFTH = Fraction(1, 5)


def rotating_shape(nominal_size: int | None, epsilon: Rational) -> tuple[int, Fraction]:
    """Depth and leaf share of a rotating tree: 4 levels, from N·ε = 2000 on 5; a fifth, below 150 seven twentieths.

    Parameters
    ----------
    nominal_size : N ≥ 1, of all parties together; None where none is named
    epsilon : of the whole tree

    Examples
    --------
    >>> [rotating_shape(n, 1) for n in (149, 1999, 2000)]
    [(4, Fraction(7, 20)), (4, Fraction(1, 5)), (5, Fraction(1, 5))]
    """
    return (
        by_rows_and_epsilon(nominal_size, epsilon, [(2000, 5)], 4, 4),
        by_rows_and_epsilon(nominal_size, epsilon, [(150, _FIFTH)], Fraction(7, 20), _FIFTH),
    )


def designers(order: Sequence[int], depth: int) -> tuple[int, ...]:
    """The party that designs each level: the parties in their public order, and from the first again.

    Parameters
    ----------
    order : positions of the parties, each once
    depth : the number of levels

    Examples
    --------
    >>> designers([2, 0, 1], 4)
    (2, 0, 1, 2)
    """
    parties = [as_integer(party, "order", minimum=0, maximum=255) for party in as_list(order, "order")]
    if not parties or len(set(parties)) != len(parties):
        raise ValueError("order must name each party once, and at least one")
    levels = as_integer(depth, "depth", minimum=0, maximum=64)
    return tuple(parties[level % len(parties)] for level in range(levels))


def level_costs(designs: Sequence[int], epsilon: Rational, leaf_share: Rational) -> tuple[Fraction, ...]:
    """What the splits of each level cost: (1−s)ε divided by the number of levels that its party designs.

    Claims: lem-party-coordinate

    Parameters
    ----------
    designs : the party of each level (:func:`designers`)
    epsilon : of the whole tree
    leaf_share : s, the part that is kept for the leaves

    Examples
    --------
    >>> level_costs([0, 1, 0], 1, "1/5")
    (Fraction(2, 5), Fraction(4, 5), Fraction(2, 5))
    """
    parties = [as_integer(party, "designs", minimum=0, maximum=255) for party in as_list(designs, "designs")]
    own = Counter(parties)
    share = as_positive_fraction(leaf_share, "leaf_share")
    if share >= 1:
        raise ValueError(f"leaf_share must lie strictly between 0 and 1, got {leaf_share}")
    # lem-party-coordinate: a record is at one party, so it pays for the levels of this party only
    splits = (1 - share) * as_positive_fraction(epsilon, "epsilon")
    return tuple(splits / own[party] for party in parties)


@dataclass(frozen=True)
class Rotating(Choices):
    """Each level is designed by one party, in a public random order.

    Examples
    --------
    >>> Rotating().settled(Asked(nominal_size=5000), 1)
    (Rotating(loss='mixed', lattice=1024, prune=False), Shape(depth=5, leaf_share=Fraction(1, 5), least=0))
    """

    name: ClassVar[str] = "rotating"

    @property
    def reads_size(self) -> bool:
        """The shape follows it."""
        return True

    def settled(self, asked: Asked, budget: Cost | Rational) -> tuple[Rotating, Shape]:
        """As asked; else what N·ε says."""
        asked.require_only(("max_depth", "leaf_share", "nominal_size"), "rotating")
        shape = asked.shape(*rotating_shape(asked.nominal_size, epsilon_of(budget, "rotating")))
        require_levels(shape.depth, "rotating")
        return self, shape

    def growth(self, asker: Asker, shape: Shape, budget: Cost, coins: Source) -> RotatingGrowth:
        """A tree that begins, with a public random order of the parties."""
        require_federation(asker)
        require_few_parties(asker.n_parties)
        # thm-rotating-tree: the order depends on public coins only
        designs = designers(shuffled(range(asker.n_parties), coins), shape.depth)
        account = Account(asker)
        epsilon = epsilon_of(budget, "rotating")
        costs = level_costs(designs, epsilon, shape.leaf_share)
        return RotatingGrowth(asker, account, self, costs, leaf_cost(shape, epsilon), designs)

    def require_split(self, paid: Paid, region: Region, above: Region | None, feature: int | None) -> None:
        """Refuse a split that no party was paid for."""
        paid.require_choice(region, DesignedSplit.type)

    def dearest_path(
        self, budget: Cost | Rational, shape: Shape, n_features: int, n_parties: int
    ) -> tuple[tuple[LevelCost, ...], Fraction]:
        """The levels of the party that designs first, and no others; then the counts of a leaf."""
        designs = designers(range(n_parties), shape.depth)
        epsilon = epsilon_of(budget, "rotating")
        costs = level_costs(designs, epsilon, shape.leaf_share)
        own = [LevelCost(cost, 1, shared=False) for cost, party in zip(costs, designs, strict=True) if party == 0]
        return tuple(own), leaf_cost(shape, epsilon)


def require_few_parties(n_parties: int) -> None:
    """Refuse more parties than a ledger can tell apart."""
    if n_parties > MAX_PARTIES:
        raise ValueError(
            f"the design 'rotating' is for at most {MAX_PARTIES} parties, got {n_parties}: take 'screened'"
        )


@dataclass
class RotatingGrowth(ChoiceGrowth):
    """A rotating tree while it grows: a turn for each level.

    Parameters
    ----------
    asker, account, design, costs, leaf : of any tree of choices
    designs : the party of each level
    """

    designs: tuple[int, ...]

    def question(self, region: Region, turn: int) -> DesignedSplit:
        """The split of a node, asked of the party of this level."""
        return DesignedSplit(region, self.costs[turn], self.designs[turn], self.design.loss, self.design.lattice)

    def sides(self, node: Growing, answer: Integers) -> Iterable[Growing]:
        """Two."""
        return self.split(node, int(answer[0]))
