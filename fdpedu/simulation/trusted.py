"""A trusted aggregator's trees: each split drawn among all splits of the grid at once, for ε_node whatever p is.

The loss of a split is ⌊m·n·G⌋, which a record raises by at most m and never lowers. So Pr[split] ∝ e^{−ε_node·loss/m}
is ε_node-DP, and so is permute-and-flip, without a factor 2 (:func:`fdpedu.bounds.private_split`). Candidates are the
splits that divide the codes of the node's region, which is public. Nothing is asked of rows before: a branch ends at
full depth, or where a region cannot be divided (whose level counts as paid). Leaves have the noisy counts of
Algorithm 5, with discrete Laplace noise and all that their path has not spent.

The exponential mechanism takes the largest of −ε·loss/m + G with G of Gumbel's law, permute-and-flip the largest of
−ε·loss/m + E with E exponential: the laws are those of the mechanisms, up to the rounding of floats.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fdpedu.cart.split import Counts
from fdpedu.exact import Rate
from fdpedu.randomness import Source
from fdpedu.simulation.candidates import Candidates, exponential_noise
from fdpedu.simulation.grid import Floats, Mask
from fdpedu.simulation.noise import laplace_noise
from fdpedu.simulation.plan import Decided, Nodes, Plan
from fdpedu.trees.costs import Costs


@dataclass(frozen=True)
class Trusted(Plan):
    """Splits by a mechanism that chooses.

    Parameters
    ----------
    domain, depth, least : of any plan; ``least`` is not used
    costs : of splits and leaves
    lattice : m, losses are in steps of 1/m
    flips : whether by permute-and-flip; else by the exponential mechanism
    """

    costs: Costs
    lattice: int
    flips: bool

    @cached_property
    def candidates(self) -> Candidates:
        """Of the domain."""
        return Candidates(self.grid)

    def decide(self, nodes: Nodes, source: Source) -> Decided:
        """The split of the largest noisy score, among those that divide the region."""
        noisy = self.noisy_scores(nodes.counts.astype(np.float64), nodes.inside, source)
        return Decided(self.candidates.choice(noisy), nodes.saved)

    def noisy_scores(self, cells: Floats, inside: Mask, source: Source) -> Floats:
        """−ε·loss/m and the noise, shape (positions, N, slots); −∞ where a candidate does not divide the region."""
        scores = self.candidates.losses(cells, "gini", self.lattice) * (-float(self.costs.node) / self.lattice)
        scores += self.noise(scores.shape, source)
        return np.where(self.candidates.dividing(inside), scores, -np.inf)

    def noise(self, shape: tuple[int, ...], source: Source) -> Floats:
        """Exponential, or of Gumbel's law."""
        exponential = exponential_noise(shape, source)
        return exponential if self.flips else -np.log(exponential)

    def release(self, counts: Counts, saved: Floats, paid: int, source: Source) -> Floats:
        """Class counts with fresh noise of what is left for a leaf."""
        rate = Rate(rate=self.costs.of_leaf(paid))
        return counts + laplace_noise(rate, counts.size, source).reshape(counts.shape)
