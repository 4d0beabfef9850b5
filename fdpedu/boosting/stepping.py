"""From released sums to weights: one gentle step a round, then enlarging and the intercept. All post-processing.

A leaf's weight is a Newton step as if all rows had the score 0: minus the leaf's pull, divided by a quarter of its
number of rows, which is not asked for but estimated from the released histograms. Each tree is centred, and what all
trees of a round say of the whole goes to the intercept.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fdpedu.boosting.marginals import Floats, Marginals
from fdpedu.domain import Codes
from fdpedu.exact import Integers
from fdpedu.gradients import UNIT, AdditiveModel, TreeShapes
from fdpedu.gradients.additive import MAX_SCALE, MAX_WEIGHT, SIXTEENTHS, WeightedTrees

MOST = 2  # by which the intercept moves at most in a step
MADE_UP = 2000  # rows by which a model's spread is estimated


def weighted(
    trees: TreeShapes, sums: Integers, marginals: Marginals, *, rows: float, steps: int, factor: float
) -> tuple[WeightedTrees, int]:
    """The trees with their weights, and what is added to the intercept; both in units of 1/4096.

    Claims: lem-direct-noise

    Parameters
    ----------
    trees, sums : of a round, and what was released of their leaves, shape (trees, leaves)
    marginals : for the leaves' shares of the rows
    rows : N; with class weights, what the rows weigh together
    steps : m
    factor : by which weights are multiplied
    """
    found, centres = list[tuple[tuple[tuple[int, int], ...], tuple[int, ...]]](), list[float]()
    for questions, pulled in zip(trees.trees, sums, strict=True):
        share = marginals.leaf_shares(questions)
        step = leaf_steps(pulled, share, rows=rows, steps=steps)
        centre = float(share @ step)
        centres.append(centre)
        # lem-direct-noise: a centred tree says nothing of the whole
        found.append((questions, tuple(as_units((step - centre) * factor))))
    return tuple(found), as_units([float(np.mean(centres))])[0]


def grown(model: AdditiveModel, trees: WeightedTrees, intercept: int) -> AdditiveModel:
    """The model with the trees of a round, and the intercept moved, within what a model may hold.

    >>> grown(AdditiveModel(intercept=2**20 - 1), (), 5).intercept == MAX_WEIGHT
    True
    """
    # each round's is within the limit, and their sum need not be
    moved = min(MAX_WEIGHT, max(-MAX_WEIGHT, model.intercept + intercept))
    return AdditiveModel(model.trees + trees, moved, model.scale)


def leaf_steps(pulled: NDArray[np.integer] | Floats, share: Floats, *, rows: float, steps: int) -> Floats:
    """−(G/m)/((N/4)·(μ + 1/(2L))) for each leaf of the share μ; 0 where μ is 0.

    >>> leaf_steps(np.array([-640, 64]), np.array([0.75, 0.25]), rows=100, steps=64).round(2).tolist()
    [0.4, -0.08]
    """
    expected = rows / 4 * (share + 0.5 / len(share))
    return np.where(share > 0, -np.asarray(pulled) / steps / expected, 0.0)


def as_units(values: Sequence[float] | Floats) -> list[int]:
    """In units of 1/4096, to the nearest, within what a model may hold."""
    found: list[int] = np.clip(np.rint(np.asarray(values) * UNIT), -MAX_WEIGHT, MAX_WEIGHT).astype(int).tolist()
    return found


def enlarged(model: AdditiveModel, made_up: Codes) -> AdditiveModel:
    """The same model with a standard deviation of at least 1 over made-up rows; never smaller.

    >>> model = AdditiveModel(((((0, 0b01),), (-1024, 1024)),), intercept=-512)
    >>> enlarged(model, np.array([[0, 1]], dtype=np.uint8))
    AdditiveModel(trees=((((0, 1),), (-1024, 1024)),), intercept=-2048, scale=64)
    """
    scores = model.scores(made_up, np.arange(made_up.shape[1]))
    spread = max(float(np.std(scores)) / UNIT, SIXTEENTHS / MAX_SCALE)
    scale = min(MAX_SCALE, max(SIXTEENTHS, round(SIXTEENTHS / spread)))
    intercept = as_units([model.intercept * scale / SIXTEENTHS / UNIT])[0]
    return AdditiveModel(model.trees, intercept, scale)


def shifted(model: AdditiveModel, sums: Sequence[int], *, rows: int, steps: int, deviation: float) -> AdditiveModel:
    """The same model with its intercept moved by −G/(max(H, N·m/50) + 2σ), and by 2 at most.

    Parameters
    ----------
    model : whose scores the sums are of
    sums : G and H, as released
    rows, steps : N and m
    deviation : σ, of the noise in each
    """
    pulled, curvature = sums
    step = -pulled / (max(curvature, 0.02 * rows * steps) + 2 * deviation)
    moved = as_units([model.intercept / UNIT + min(MOST, max(-MOST, step))])[0]
    return AdditiveModel(model.trees, moved, model.scale)
