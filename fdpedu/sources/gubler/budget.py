"""What the nodes and leaves of a tree have to spend, and the noise that it buys: the only place that draws."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fdpedu.sources.gubler.counting import Floats
from fdpedu.sources.gubler.faults import Faults
from fdpedu.sources.gubler.setting import Setting

SENSITIVITY_OF_A_BOUND = 1.25  # the report's Lemma 3.2; the true one is 1, see chapter 9


@dataclass(frozen=True)
class Budget:
    """What the nodes of a tree have to spend, as floats; and the noise that it buys.

    Parameters
    ----------
    epsilon : of the whole tree, as the algorithm books it
    setting : depth, features and shares
    saving : whether this is Algorithm 6
    faults : whether bounds are paid undivided
    rng : None for no noise
    """

    epsilon: float
    setting: Setting
    saving: bool
    faults: Faults
    rng: np.random.Generator | None

    @property
    def leaf(self) -> float:
        return float(self.setting.leaf_share) * self.epsilon

    @property
    def node(self) -> float:
        return (1 - float(self.setting.leaf_share)) * self.epsilon / self.setting.max_depth

    def divided(self, saved: Floats) -> tuple[Floats, Floats]:
        """For the bounds and for the histograms of nodes that were handed down this much, each (nodes,)."""
        whole = self.node + saved
        share = float(self.setting.bounds_share) if self.saving else 0.0
        return share * whole, (1 - share) * whole

    def noise(self, scale: Floats, shape: tuple[int, ...]) -> Floats:
        """Laplace noise, whose scale depends on the first axis: the difference of two exponential variables.

        Claims: lem-summed-noise
        """
        if self.rng is None:
            return np.zeros(shape)
        noise = self.rng.standard_exponential(shape)
        noise -= self.rng.standard_exponential(shape)
        noise *= scale.reshape(-1, *[1] * (len(shape) - 1))
        return noise

    def scale_of_bounds(self, for_bounds: Floats) -> Floats:
        """A bound of p is paid a p-th of what the bounds have, and as printed all of it."""
        paid_by = 1 if self.faults.undivided_bounds else self.setting.p
        return SENSITIVITY_OF_A_BOUND * paid_by / for_bounds
