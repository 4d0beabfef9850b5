"""Trees by votes: at each node every party draws a split on its own rows, and the most votes win.

Each party draws by permute-and-flip at (1−s)ε/d, on rows of empty nodes too; ties fall by public coins. Nobody asks
whether to stop. Then all parties together release the class counts of the leaves at sε.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from fdpedu.accounting import Cost
from fdpedu.dlpa import count_noise_shares
from fdpedu.domain import Domain
from fdpedu.randomness import Source
from fdpedu.simulation.candidates import exponential_noise
from fdpedu.simulation.choosing import Choosing, leaf_cost
from fdpedu.simulation.grid import Floats, Mask
from fdpedu.simulation.parameters import Parameters
from fdpedu.simulation.plan import Decided, Nodes
from fdpedu.trees.designs.base import epsilon_of
from fdpedu.trees.designs.votes import Votes
from fdpedu.trees.shape import Asked


@dataclass(frozen=True)
class Voting(Choosing):
    """Each node is split where most votes fall.

    Parameters
    ----------
    domain, depth, least, loss, lattice, leaf, n_parties, tolerate : of plans that choose
    level_cost : ε of a vote
    """

    level_cost: Fraction

    def decide(self, nodes: Nodes, source: Source) -> Decided:
        """The split with the most votes; of several a random one."""
        dividing = self.candidates.dividing(nodes.inside)
        totals = self.votes(nodes, dividing, source) + _coins(dividing.shape, source)
        return Decided(self.candidates.choice(np.where(dividing, totals, -np.inf)), nodes.saved)

    def votes(self, nodes: Nodes, dividing: Mask, source: Source) -> Floats:
        """How many parties draw each candidate of each node: shape (positions, N, slots)."""
        totals, n = np.zeros(dividing.shape), dividing.shape[1]
        here = np.arange(n, dtype=np.int64)
        for party in range(self.n_parties):
            own = nodes.parties == party
            cells = self.grid.count(nodes.places[own], nodes.at[own], n).astype(np.float64)
            losses = self.candidates.losses(cells, self.loss, self.lattice)
            noisy = losses * (-float(self.level_cost) / self.lattice) + exponential_noise(losses.shape, source)
            flat = np.where(dividing, noisy, -np.inf).transpose(1, 0, 2).reshape(n, -1)
            position, slot = np.unravel_index(flat.argmax(axis=1), (dividing.shape[0], dividing.shape[2]))
            totals[position, here, slot] += 1
        return totals


def _coins(shape: tuple[int, ...], source: Source) -> Floats:
    """A number below 1 for each candidate, by which ties fall."""
    words = source.words(int(np.prod(shape))) >> np.uint64(11)
    return np.asarray((words * 2.0**-53).reshape(shape))


def voting_plan(design: Votes, domain: Domain, n_parties: int, budget: Cost | Fraction, given: Parameters) -> Voting:
    """The plan of :class:`~fdpedu.trees.Votes`.

    Parameters
    ----------
    design : how splits are judged
    domain, n_parties : of the rows
    budget : ε, what a tree costs
    given : its shape, and what may be missing from the noise
    """
    epsilon = epsilon_of(budget, "votes")
    _, shape = design.settled(Asked(given.max_depth, given.leaf_share), epsilon)
    count_noise_shares(n_parties, given.tolerate)
    level = (1 - shape.leaf_share) * epsilon / max(1, shape.depth)
    leaf = leaf_cost(shape, epsilon, *[level / design.lattice] * bool(shape.depth))
    judged = str(design.for_domain(domain).loss), design.lattice
    return Voting(domain, shape.depth, 0, *judged, leaf, n_parties, given.tolerate, level)
