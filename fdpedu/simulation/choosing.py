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

from fdpedu.cart.split import Counts
from fdpedu.exact import Rate
from fdpedu.randomness import Source
from fdpedu.simulation.candidates import Candidates, exponential_noise
from fdpedu.simulation.grid import Floats, Mask
from fdpedu.simulation.noise import summed_noise
from fdpedu.simulation.plan import Decided, Nodes, Plan
from fdpedu.simulation.search import Choice, Indices

LOSS, LATTICE = "mixed", 1024
"""¾ of the errors and ¼ of n·h, in steps of 1/1024: what a query of a choice asks for where nothing else is said."""


@dataclass(frozen=True)
class Choosing(Plan):
    """What designs that ask for choices have in common.

    Parameters
    ----------
    domain, depth, least : of any plan; ``least`` is not used
    leaf : ε of a leaf's counts
    n_parties, tolerate : whose shares make up the noise of leaves
    """

    leaf: Fraction
    n_parties: int
    tolerate: int

    @cached_property
    def candidates(self) -> Candidates:
        """Of the domain."""
        return Candidates(self.grid)

    def flipped(self, counts: Counts, inside: Mask, epsilon: Fraction, source: Source) -> Choice:
        """One split of each node by permute-and-flip at ε; none where no candidate divides the region."""
        scores = self.candidates.losses(counts.astype(np.float64), LOSS, LATTICE) * (-float(epsilon) / LATTICE)
        scores += exponential_noise(scores.shape, source)
        return self.candidates.choice(np.where(self.candidates.dividing(inside), scores, -np.inf))

    def release(self, counts: Counts, saved: Floats, paid: int, source: Source) -> Floats:
        """Class counts with fresh noise."""
        noise = summed_noise(Rate(rate=self.leaf), self.n_parties, self.tolerate, counts.size, source)
        return np.asarray(noise.reshape(counts.shape) + counts)


@dataclass(frozen=True)
class Rotating(Choosing):
    """Each level is designed by one party.

    Parameters
    ----------
    domain, depth, least, leaf, n_parties, tolerate : of plans that choose
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
        choice = self.flipped(nodes.counts, nodes.inside, self.levels[nodes.level], source)
        return Decided(choice, nodes.saved, told=None if nodes.told is None else nodes.told.repeat(2, axis=0))
