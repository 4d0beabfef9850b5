"""Trees of parties that choose splits in turn: one party a level, from its own rows only.

A public random order of the parties is drawn for each run. Level l is the order's (l mod K)-th party's: in each node of
the level it draws one of the public candidates by permute-and-flip, on rows of empty nodes too, at (1−s)ε divided by
the number of levels that it designs. Nobody asks whether to stop. Then all parties together release the class counts of
the leaves at sε; a leaf above full depth, whose region no candidate divides, gets no more.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from fdpedu.accounting import Cost
from fdpedu.cart.split import Counts
from fdpedu.dlpa import count_noise_shares
from fdpedu.domain import Domain
from fdpedu.exact import Rate
from fdpedu.randomness import Source
from fdpedu.sampling import require_drawable
from fdpedu.simulation.candidates import Candidates, exponential_noise
from fdpedu.simulation.grid import Floats
from fdpedu.simulation.noise import summed_noise
from fdpedu.simulation.parameters import Parameters
from fdpedu.simulation.plan import Decided, Nodes, Plan
from fdpedu.simulation.search import Indices
from fdpedu.trees.designs import rotating as designs
from fdpedu.trees.designs.base import epsilon_of
from fdpedu.trees.designs.rotating import designers, level_costs
from fdpedu.trees.shape import Asked, Shape


@dataclass(frozen=True)
class Choosing(Plan):
    """What designs that ask for choices have in common.

    Parameters
    ----------
    domain, depth, least : of any plan; ``least`` is not used
    loss, lattice : how splits are judged, and in steps of 1/m
    leaf : ε of a leaf's counts
    n_parties, tolerate : whose shares make up the noise of leaves
    """

    loss: str
    lattice: int
    leaf: Fraction
    n_parties: int
    tolerate: int

    @cached_property
    def candidates(self) -> Candidates:
        """Of the domain."""
        return Candidates(self.grid)

    def release(self, counts: Counts, saved: Floats, paid: int, source: Source) -> Floats:
        """Class counts with fresh noise."""
        noise = summed_noise(Rate(rate=self.leaf), self.n_parties, self.tolerate, counts.size, source)
        return np.asarray(noise.reshape(counts.shape) + counts)


@dataclass(frozen=True)
class Rotating(Choosing):
    """Each level is designed by one party.

    Parameters
    ----------
    domain, depth, least, loss, lattice, leaf, n_parties, tolerate : of plans that choose
    levels : ε of a choice at each level
    """

    levels: tuple[Fraction, ...]

    def begin(self, runs: int, source: Source) -> Indices:
        """The parties of each run in an order of their own, as far as there are levels for them."""
        order = np.argsort(source.words(runs * self.n_parties).reshape(runs, -1), axis=1, kind="stable")
        return np.asarray(order[:, : max(1, self.depth)], dtype=np.int64)

    def designers(self, told: Indices | None, level: int) -> Indices | None:
        """Each run's party of the level."""
        return None if told is None else told[:, level % self.n_parties]

    def decide(self, nodes: Nodes, source: Source) -> Decided:
        """The choice of the level's party, whose rows alone are counted here."""
        losses = self.candidates.losses(nodes.counts.astype(np.float64), self.loss, self.lattice)
        noisy = losses * (-float(self.levels[nodes.level]) / self.lattice) + exponential_noise(losses.shape, source)
        choice = self.candidates.choice(np.where(self.candidates.dividing(nodes.inside), noisy, -np.inf))
        return Decided(choice, nodes.saved, told=None if nodes.told is None else nodes.told.repeat(2, axis=0))


def rotating_plan(
    design: designs.Rotating, domain: Domain, n_parties: int, budget: Cost | Fraction, given: Parameters
) -> Rotating:
    """The plan of :class:`fdpedu.trees.designs.rotating.Rotating`.

    Parameters
    ----------
    design : how splits are judged
    domain, n_parties : of the rows
    budget : ε, what a tree costs
    given : its shape, and what may be missing from the noise
    """
    epsilon = epsilon_of(budget, "rotating")
    _, shape = design.settled(Asked(given.max_depth, given.leaf_share), epsilon)
    designs.require_few_parties(n_parties)
    count_noise_shares(n_parties, given.tolerate)
    levels = level_costs(designers(range(n_parties), shape.depth), epsilon, shape.leaf_share)
    leaf = leaf_cost(shape, epsilon, *levels)
    judged = design.loss, design.lattice
    return Rotating(domain, shape.depth, 0, *judged, leaf, n_parties, given.tolerate, levels)


def leaf_cost(shape: Shape, epsilon: Fraction, *others: Fraction) -> Fraction:
    """ε of a leaf's counts; refuses what could not be drawn, of this or of the other costs of a tree.

    >>> leaf_cost(Shape(0, Fraction(1, 5)), Fraction(1)), leaf_cost(Shape(2, Fraction(1, 5)), Fraction(1), Fraction(1))
    (Fraction(1, 1), Fraction(1, 5))
    """
    leaf = shape.leaf_share * epsilon if shape.depth else epsilon
    for rate in (leaf, *others):
        require_drawable(Rate(rate=rate))
    return leaf
