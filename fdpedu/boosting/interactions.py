"""Which pairs of features act together, by what rounds have released of the trees that ask about both."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from fdpedu.boosting.orders import Floats, leaf_shares, orders_apart
from fdpedu.gradients import TreeShapes


@dataclass(frozen=True)
class Interaction:
    """What trees that ask about two features say of both together, beyond what they say of each.

    Parameters
    ----------
    features : the names of both
    strength : the size of that part in the step of a tree, a root of a mean square over trees and rows
    noise : how large noise alone is expected to make it
    n_trees : that ask about both, in the rounds in which interactions are looked for
    """

    features: tuple[str, str]
    strength: float
    noise: float
    n_trees: int

    @property
    def stands_out(self) -> bool:
        """Whether noise alone would hardly make it so strong: the threshold is that of whole rounds."""
        above = (self.strength / self.noise) ** 2 - 1 if self.noise else 0.0
        return above > 4 * math.sqrt(2 / self.n_trees)


@dataclass(frozen=True, eq=False)
class Step:
    """What a round's trees have said: the questions, the sides' shares, the leaves' steps and their variances.

    Where rows have several scores, the arrays have a tree for each of them, one after the other.
    """

    trees: TreeShapes
    sides: Floats
    weights: Floats
    variances: Floats


def interactions_of(names: tuple[str, ...], rounds: Iterable[Step]) -> tuple[Interaction, ...]:
    """Every pair that some tree asks about, those first that stand out of their noise the furthest."""
    found: dict[tuple[int, int], list[float]] = {}
    for step in rounds:
        for i, j in combinations(range(step.sides.shape[1]), 2):
            of_trees = (pair_energy(step.weights, step.sides, i, j), pair_noise(step, i, j))
            # of several scores a tree stands in a step once for each
            energies = zip(*(part.reshape(len(step.trees), -1).sum(axis=1) for part in of_trees), strict=True)
            for questions, (energy, noise) in zip(step.trees.trees, energies, strict=True):
                first, second = sorted((questions[i][0], questions[j][0]))
                sums = found.setdefault((first, second), [0.0, 0.0, 0])
                sums[:] = sums[0] + float(energy), sums[1] + float(noise), sums[2] + 1
    pairs = [
        Interaction((names[a], names[b]), math.sqrt(e / n), math.sqrt(v / n), int(n))
        for (a, b), (e, v, n) in found.items()
    ]
    return tuple(sorted(pairs, key=lambda pair: -pair.strength / pair.noise if pair.noise else 0.0))


def pair_energy(weights: Floats, sides: Floats, i: int, j: int) -> Floats:
    """Σ μ·w² of what two factors say only together, of each tree.

    >>> pair_energy(np.array([[0.0, 0.0, 0.0, 4.0]]), np.full((1, 2, 2), 0.5), 0, 1).tolist()
    [1.0]
    """
    n, factors, levels = sides.shape
    moved = (leaf_shares(sides) * weights).reshape(n, *(levels,) * factors)
    both = moved.sum(axis=tuple(1 + m for m in range(factors) if m not in (i, j))).reshape(n, -1)
    pair = sides[:, [i, j]]
    share = leaf_shares(pair)
    _, _, rest = orders_apart(np.divide(both, share, out=np.zeros_like(both), where=share > 0), pair)
    return np.asarray((share * rest**2).sum(axis=1))


def pair_noise(step: Step, i: int, j: int) -> Floats:
    """What :func:`pair_energy` is expected to be if weights are noise: of each leaf, the squared length of its part."""
    own = step.sides**2
    own[:, [i, j]] = step.sides[:, [i, j]] * (1 - step.sides[:, [i, j]])
    return np.asarray((step.variances * leaf_shares(own)).sum(axis=1))
