"""Votes that are drawn and paid for: El Zein et al.'s tree, mended into a private one.

At each node every party draws one split of the public candidates on its own rows, by permute-and-flip. What is released
is how many parties drew each. The most votes win; ties fall by a public coin. All nodes are split, down to a public
depth, and then all parties together release the class counts of the leaves. Where records have a number in place of a
class, splits are drawn by the squared loss of its levels, and the counts of the leaves are those of levels.

Guarantee: for records added or removed, ε against whoever sees what is released; against c other parties together a
vote still costs what it costs, and the leaf counts what they cost with c shares of noise missing
(:func:`fdpedu.dlpa.tree_guarantee` adds both up). Integers. Not guaranteed: that a party votes by its rows; running
time.

Claims: thm-votes-tree, thm-votes-insiders
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

import numpy as np

from fdpedu.accounting import Cost, as_cost
from fdpedu.cart import ALL_LOSSES, TARGET_LOSSES
from fdpedu.dlpa import LevelCost
from fdpedu.domain import Domain, Region
from fdpedu.exact import Integers, Rational
from fdpedu.federation import SplitVote
from fdpedu.federation.asker import Asker, require_federation
from fdpedu.federation.queries.choices import require_loss_of
from fdpedu.randomness import Source, uniform_below
from fdpedu.trees.account import Account
from fdpedu.trees.choice_growth import ChoiceGrowth
from fdpedu.trees.designs.base import Choices, epsilon_of, leaf_cost, require_levels
from fdpedu.trees.growing import Growing
from fdpedu.trees.shape import Asked, Shape
from fdpedu.trees.tree_paid import Paid

DEPTH, LEAF_SHARE = 3, Fraction(1, 4)
"""Unless something else is asked for."""


def require_epsilon(budget: Cost | Rational) -> None:
    """Refuse to learn a numeric target for a budget in ρ: there is no other design that could.

    >>> from fdpedu.accounting import Budget
    >>> require_epsilon(Budget.of(1, delta="1e-6").limit)
    Traceback (most recent call last):
    ValueError: a numeric target is learnt by votes, which cost ε, and the budget is in ρ: take one of ε, without a δ
    """
    if not as_cost(budget, "epsilon").is_pure:
        raise ValueError(
            "a numeric target is learnt by votes, which cost ε, and the budget is in ρ: take one of ε, without a δ"
        )


@dataclass(frozen=True)
class Votes(Choices):
    """Each node is split where most of the parties' paid draws fall.

    Parameters
    ----------
    loss : ``"mixed"`` or another name of :data:`fdpedu.cart.LOSSES` for classes, ``"squared"`` for a target; None for
        the first of these, by what the domain has
    lattice, prune : of any design of choices; a tree of a target is not pruned

    Examples
    --------
    >>> domain = Domain.from_spec({"features": {"age": [0, 100, 4]}, "target": [0, 40, 16]})
    >>> Votes().for_domain(domain).settled(Asked(), 1)
    (Votes(loss='squared', lattice=1024, prune=False), Shape(depth=3, leaf_share=Fraction(1, 4), least=0))
    """

    name: ClassVar[str] = "votes"
    loss: str | None = None
    losses: ClassVar[tuple[str, ...]] = ALL_LOSSES

    def _require_loss(self) -> None:
        if self.loss is not None:
            Choices._require_loss(self)

    def for_domain(self, domain: Domain) -> Votes:
        """With the loss of the domain; refuses another one, and to prune where leaves have no labels."""
        usual = "mixed" if domain.target is None else "squared"
        settled = replace(self, loss=usual if self.loss is None else self.loss)
        require_loss_of(domain, str(settled.loss))
        if self.prune and domain.target is not None:
            raise ValueError(
                "prune must be False for a numeric target: sibling leaves of one label are merged, and these have means"
            )
        return settled

    def settled(self, asked: Asked, budget: Cost | Rational) -> tuple[Votes, Shape]:
        """As asked; else three levels, and a quarter of ε for the leaves."""
        asked.require_only(("max_depth", "leaf_share"), "votes")
        if self.loss in TARGET_LOSSES:
            require_epsilon(budget)
        epsilon_of(budget, "votes")
        shape = asked.shape(DEPTH, LEAF_SHARE)
        require_levels(shape.depth, "votes")
        return self, shape

    def growth(self, asker: Asker, shape: Shape, budget: Cost, coins: Source) -> VotesGrowth:
        """A tree that begins."""
        require_federation(asker)
        epsilon = epsilon_of(budget, "votes")
        account = Account(asker)
        return VotesGrowth(asker, account, self, level_costs(shape, epsilon), leaf_cost(shape, epsilon), coins)

    def require_split(self, paid: Paid, region: Region, above: Region | None, feature: int | None) -> None:
        """Refuse a split on which no votes were paid for."""
        paid.require_choice(region, SplitVote.type)

    def dearest_path(
        self, budget: Cost | Rational, shape: Shape, n_features: int, n_parties: int
    ) -> tuple[tuple[LevelCost, ...], Fraction]:
        """A vote at each level, which no other party's noise is in; then the counts of a leaf."""
        epsilon = epsilon_of(budget, "votes")
        # thm-votes-insiders: a party's draw is its own
        levels = [LevelCost(cost, 1, shared=False) for cost in level_costs(shape, epsilon)]
        return tuple(levels), leaf_cost(shape, epsilon)


def level_costs(shape: Shape, epsilon: Fraction) -> tuple[Fraction, ...]:
    """What the votes of each level cost: (1−s)ε/d.

    Claims: thm-votes-tree

    >>> level_costs(Shape(3, Fraction(1, 4)), Fraction(1))
    (Fraction(1, 4), Fraction(1, 4), Fraction(1, 4))
    """
    # thm-votes-tree: a record votes in one node of every level
    return ((1 - shape.leaf_share) * epsilon / shape.depth,) * shape.depth if shape.depth else ()


def winner_of(totals: Integers, coins: Source) -> int:
    """The position of the largest total; of several one by a public coin.

    Parameters
    ----------
    totals : votes for each choice, or what liars have made of them: any integers, at least one
    coins : public

    Examples
    --------
    >>> from fdpedu.randomness import ZeroWords
    >>> winner_of(np.array([2, 3, 0]), ZeroWords()), winner_of(np.array([2, 3, 3]), ZeroWords())
    (1, 1)
    """
    best = np.flatnonzero(totals == totals.max())
    return int(best[int(uniform_below(np.array([len(best)]), coins)[0])]) if len(best) > 1 else int(best[0])


@dataclass
class VotesGrowth(ChoiceGrowth):
    """A tree by votes while it grows: a turn for each level.

    Parameters
    ----------
    asker, account, design, costs, leaf : of any tree of choices
    coins : public; they settle ties
    """

    coins: Source

    def question(self, region: Region, turn: int) -> SplitVote:
        """How many parties draw each split of a node."""
        return SplitVote(region, self.costs[turn], self.design.loss, self.design.lattice)

    def sides(self, node: Growing, answer: Integers) -> Iterable[Growing]:
        """Two, of the split with the most votes."""
        return self.split(node, 1 + winner_of(answer, self.coins))
