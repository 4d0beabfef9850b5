"""What each feature adds to a score, where every tree asks about one feature: a curve that can be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fdpedu.boosting.marginals import Floats, Marginals
from fdpedu.gradients import UNIT, AdditiveModel
from fdpedu.gradients.additive import SIXTEENTHS, Questions, goes_right

BAND = 2  # standard deviations to either side


@dataclass(frozen=True, eq=False)
class Curve:
    """What the values of one feature add to the score.

    Parameters
    ----------
    name : of the feature
    labels : of its codes, in words
    values : what each code adds to the score
    deviations : the standard deviation of the noise in each, given the released scores of each round
    edges : of the bins of a number, as they are shown; of categories none
    """

    name: str
    labels: tuple[str, ...]
    values: Floats
    deviations: Floats
    edges: tuple[str, ...] = ()

    def ends(self) -> tuple[str, str, str]:
        """Where the curve is lowest and highest, and how large its noise is at most, in words."""
        low, high = int(self.values.argmin()), int(self.values.argmax())
        lowest, highest = (f"{self.values[i]:+.2f}: {self.labels[i]}" for i in (low, high))
        return lowest, highest, f"± {BAND * self.deviations.max():.2f}"

    def to_dict(self) -> dict[str, Any]:
        """As plain data: what a drawing takes."""
        found: dict[str, Any] = {
            "name": self.name,
            "labels": list(self.labels),
            "values": self.values.tolist(),
            "half_widths": (BAND * self.deviations).tolist(),
        }
        if self.edges:
            found["ends"] = (self.edges[0], self.edges[-1])
        return found


def curves_of(
    model: AdditiveModel, marginals: Marginals, *, rows: float, sigma: float, factor: float
) -> tuple[Curve, ...]:
    """The curves of a model, one for each feature, in the order of the domain.

    They and the intercept add up to the score, but for its rounding to 1/4096.

    Parameters
    ----------
    model : each of whose trees asks about one feature
    marginals : by which leaves' shares were estimated
    rows : what all rows weigh together
    sigma : the standard deviation of the noise in a sum of pulls, in steps of probability 1
    factor : by which weights were multiplied
    """
    features = marginals.domain.features
    values = [np.zeros(feature.n_codes) for feature in features]
    variances = [np.zeros(feature.n_codes) for feature in features]
    for questions, weights in model.trees:
        (feature,) = {feature for feature, _ in questions}
        leaf = leaf_of_codes(questions, features[feature].n_codes)
        values[feature] += np.array(weights)[leaf]
        # lem-direct-noise: the variance of this tree's weights, given its question
        variances[feature] += weight_variance(questions, marginals, rows, sigma, factor)[leaf]
    scale = model.scale / SIXTEENTHS
    return tuple(
        Curve(f.name, f.code_texts, v * scale / UNIT, np.sqrt(var) * scale, getattr(f, "edge_texts", ()))
        for f, v, var in zip(features, values, variances, strict=True)
    )


def leaf_of_codes(questions: Questions, n_codes: int) -> np.ndarray[Any, Any]:
    """The leaf of each code of the one feature that a tree asks about."""
    found = np.zeros(n_codes, dtype=np.intp)
    for _, left in questions:
        found = 2 * found + goes_right(left)[:n_codes]
    return found


def weight_variance(questions: Questions, marginals: Marginals, rows: float, sigma: float, factor: float) -> Floats:
    """The variance of each leaf's weight by the noise of its round: σ is that of a sum, in steps of probability 1.

    A leaf's step has the noise σ·a with a = 1/((N/4)·(μ + 1/2L)), and centring takes from it the mean over all leaves.

    Claims: lem-direct-noise
    """
    share = marginals.leaf_shares(questions)
    slope = np.where(share > 0, factor * sigma / (rows / 4 * (share + 0.5 / len(share))), 0.0)
    moved = share * slope
    # w − Σ μ·w: the leaf's own noise less its part in the mean, and the parts of the others
    return np.asarray((slope - moved) ** 2 + (moved**2).sum() - moved**2)


def drawn(curves: Sequence[Curve], classes: tuple[str, str], intercept: float) -> str:
    """Curves as a drawing, all on one scale."""
    from fdpedu.viz import draw_effects

    first, second = classes
    caption = (
        f"What each feature adds to the score, the strongest first. Above 0 speaks for {second}, below for {first}; "
        f"with the intercept {intercept:+.2f} the curves add up to the score. The band is two standard deviations of "
        "the noise that protects the rows."
    )
    effects = [curve.to_dict() for curve in curves]
    return draw_effects(effects, towards=classes, title="Curves of a boosted model", caption=caption)
