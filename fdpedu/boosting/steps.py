"""From released sums to steps, one formula a function: how large, how sure, and when to be gentler.

What decides is rounded to 1/4096 once, where it says so, so that whoever has the released sums decides the same.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from fdpedu.boosting.orders import Floats, leaf_shares, noise_of_interactions
from fdpedu.boosting.rules import Rules
from fdpedu.exact import Integers
from fdpedu.gradients import UNIT

SURE = 5  # the ratio from which trees ask more questions
MOST_RATIO = 2**40
BACK = -1638  # −.4, in units of 1/4096: a cosine below says that the last round went too far


def newton(sums: Integers, sides: Floats, *, rows: float, curvature: int | Integers, steps: int) -> Floats:
    """−(G/m)/(N·h·(μ + 1/L)) for each leaf of the share μ; 0 where μ is 0. h is one number, or one for each tree.

    Claims: lem-direct-noise

    >>> newton(np.array([[-640, 64]]), np.array([[[0.75, 0.25]]]), rows=100, curvature=1024, steps=64).round(3).tolist()
    [[0.32, -0.053]]
    """
    share = leaf_shares(sides)
    return np.where(share > 0, -np.asarray(sums) / steps / _weight_of(share, rows, curvature), 0.0)


def variances(sides: Floats, *, rows: float, curvature: int | Integers, sigma: float) -> Floats:
    """The variance of each leaf's step by noise: σ is that of a sum, in steps of probability 1."""
    share = leaf_shares(sides)
    return np.where(share > 0, (sigma / _weight_of(share, rows, curvature)) ** 2, 0.0)


def _weight_of(share: Floats, rows: float, curvature: int | Integers) -> Floats:
    """The curvature of a leaf of this share, if all rows have the same, with the 1 that keeps small leaves short."""
    each = rows * (np.asarray(curvature, dtype=np.float64).reshape(-1, 1) / UNIT)
    return np.asarray(each * (share + 1 / share.shape[1]))


class Coverage(NamedTuple):
    """How often a round asks about each feature, and about each pair: at least once, as weights are divided by it."""

    features: float
    pairs: float


def coverage(asked: int, trees: int, n_features: int) -> Coverage:
    """What the weights of a round are divided by, if each of its trees asks about so many features.

    Claims: lem-coverage

    >>> coverage(3, 25, 10), coverage(1, 10, 10)
    (Coverage(features=7.5, pairs=1.6666666666666667), Coverage(features=1.0, pairs=1.0))
    """
    pairs = max(1, math.comb(n_features, 2))
    return Coverage(max(1.0, trees * asked / n_features), max(1.0, trees * math.comb(asked, 2) / pairs))


@dataclass(frozen=True)
class Energy:
    """How much the interactions of some rounds weigh, and how much noise alone would.

    Parameters
    ----------
    signal, noise : the trees' mean of Σ μ·w₂², of what was released and of noise alone; summed over rounds
    degrees : of freedom, of all trees
    pairs : how many pairs of features a tree asks about, summed over rounds
    rounds : how many
    """

    signal: float = 0.0
    noise: float = 0.0
    degrees: int = 0
    pairs: int = 0
    rounds: int = 0

    def and_of(self, rest: Floats, varies: Floats, sides: Floats) -> Energy:
        """With a further round: the rest of each tree's weights, and the variances of its leaves' steps."""
        trees, questions, _ = sides.shape
        return Energy(
            self.signal + float((leaf_shares(sides) * rest**2).sum(axis=1).mean()),
            self.noise + float(noise_of_interactions(varies, sides).mean()),
            self.degrees + trees * (rest.shape[1] - 1 - questions),
            self.pairs + math.comb(questions, 2),
            self.rounds + 1,
        )

    def ratio(self, rules: Rules, n_features: int) -> int:
        """How far interactions stand out of the noise of all rounds together, in units of 1/4096; 0 if they do not.

        Claims: lem-noise-of-interactions
        """
        pairs = math.comb(n_features, 2)
        if not self.noise or not self.degrees or not pairs:
            return 0
        above = self.signal / self.noise - 1 - 4 * math.sqrt(2 / self.degrees)
        asked = rules.rounds * rules.trees_per_round * (self.pairs / self.rounds) / pairs
        return round(min(UNIT * asked * max(0.0, above), MOST_RATIO))


def second_step(step: int, ratio: int, questions: int, n_features: int) -> int:
    """M₂, by which interactions are multiplied, in units of 1/4096: the larger, the further they stand out.

    Parameters
    ----------
    step : M₁, in units of 1/4096
    ratio : of the rounds before; 0 before they are looked at
    questions, n_features : k and p

    Examples
    --------
    >>> second_step(30 * 4096, 0, 3, 21) / 4096, second_step(30 * 4096, 100 * 4096, 3, 21) / 4096
    (3.0, 23.07568359375)
    """
    least = step * (questions - 1) / max(1, n_features - 1)
    return round(max(least, min(step, 5 * UNIT * math.log1p(ratio / UNIT))))


def cosine(one: Floats, other: Floats, shares: Floats) -> int:
    """How alike two rounds' curves of all features are, code by code: from −1 to 1, in units of 1/4096.

    >>> cosine(np.array([1.0, -1]), np.array([-2.0, 2]), np.array([0.5, 0.5]))
    -4096
    """
    lengths = math.sqrt(float(shares @ one**2)) * math.sqrt(float(shares @ other**2))
    return round(UNIT * float(shares @ (one * other)) / lengths) if lengths else 0
