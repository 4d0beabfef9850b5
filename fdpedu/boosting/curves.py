"""What each feature adds to a score, where every tree asks about one feature: a curve that can be read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fdpedu.boosting.monotone import DIRECTIONS, Fitted, pooled
from fdpedu.boosting.orders import Floats
from fdpedu.boosting.outcome import AnyModel
from fdpedu.domain import Domain
from fdpedu.gradients import UNIT, AdditiveModel
from fdpedu.gradients.additive import SIXTEENTHS, leaf_of_codes

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
    of : to the score of which class it adds; empty where rows have one score
    monotone : 1 if it may only rise, −1 if it may only fall; 0 if it is as it was released
    """

    name: str
    labels: tuple[str, ...]
    values: Floats
    deviations: Floats
    edges: tuple[str, ...] = ()
    of: str = ""
    monotone: int = 0

    @property
    def called(self) -> str:
        """Its name, and what was asked of it."""
        return f"{self.name} ({DIRECTIONS[self.monotone]})" if self.monotone else self.name

    def fitted(self, fit: Fitted, scale: float, shares: Sequence[int]) -> Curve:
        """The same with the values of a fitted curve, and the noise of its blocks.

        Parameters
        ----------
        fit : of this feature
        scale : by which values are multiplied
        shares : of the codes that have an order, in any unit
        """
        values, deviations = np.array(fit.values) * scale / UNIT, pooled(self.deviations, fit.values, shares)
        return replace(self, values=values, deviations=deviations, monotone=fit.direction)

    def ends(self) -> tuple[str, str, str]:
        """Where the curve is lowest and highest, and how large its noise is at most, in words."""
        low, high = int(self.values.argmin()), int(self.values.argmax())
        lowest, highest = (f"{self.values[i]:+.2f}: {self.labels[i]}" for i in (low, high))
        if not self.deviations.any():
            return "", "", "not asked"
        return lowest, highest, f"± {BAND * self.deviations.max():.2f}"

    @property
    def may_be_noise(self) -> bool:
        """Whether a level line lies within its band, so that noise alone may have made its shape."""
        reach = BAND * self.deviations
        return bool((self.values - reach).max() <= (self.values + reach).min())

    def to_dict(self) -> dict[str, Any]:
        """As plain data: what a drawing takes."""
        found: dict[str, Any] = {
            "name": self.name,
            "labels": list(self.labels),
            "values": self.values.tolist(),
            "half_widths": (BAND * self.deviations).tolist(),
        }
        if self.edges:
            found["edges"] = self.edges
        if self.monotone:
            found["note"] = DIRECTIONS[self.monotone]
        return found


def curves_of(domain: Domain, model: AnyModel, variances: Iterable[Floats], *, unit: float = 1.0) -> tuple[Curve, ...]:
    """The curves of a model, one for each feature, in the order of the domain; of several scores one for each, in turn.

    They and the intercept add up to the score, but for its rounding to 1/4096.

    Parameters
    ----------
    domain : what is public
    model : each of whose trees asks about one feature
    variances : of the noise in the weights of each tree's leaves, tree by tree: shape (scores, leaves)
    unit : what a score of 1 is
    """
    k = model.n_scores
    values = [np.zeros((k, feature.n_codes)) for feature in domain.features]
    varied = [np.zeros((k, feature.n_codes)) for feature in domain.features]
    for (questions, weights), variance in zip(model.trees, variances, strict=True):
        (feature,) = {feature for feature, _ in questions}
        leaf = leaf_of_codes(questions, domain.features[feature].n_codes)
        values[feature] += np.array(weights).reshape(-1, k)[leaf].T
        # lem-direct-noise: the variance of this tree's weights, given its question
        varied[feature] += variance[:, leaf]
    scale = unit * model.scale / SIXTEENTHS if isinstance(model, AdditiveModel) else unit
    of = ("",) if k == 1 else tuple(map(str, domain.classes))
    return tuple(
        Curve(f.name, f.code_texts, v[i] * scale / UNIT, np.sqrt(var[i]) * scale, getattr(f, "edge_texts", ()), name)
        for f, v, var in zip(domain.features, values, varied, strict=True)
        for i, name in enumerate(of)
    )


def weight_variance(share: Floats, variance: Floats) -> Floats:
    """The variance of each leaf's step less the mean over all, if the steps' noises are independent; 0 without rows.

    Claims: lem-direct-noise

    Parameters
    ----------
    share, variance : of each leaf of a tree its share of the rows, and the variance of its step
    """
    moved = share**2 * variance
    # w − Σ μ·w: the leaf's own noise less its part in the mean, and the parts of the others
    return np.where(share > 0, variance * (1 - share) ** 2 + moved.sum() - moved, 0.0)


def on_noise(curves: Sequence[Curve]) -> str:
    """What ± means beside curves, and which of them noise alone may have made."""
    noise, sure = (
        [" → ".join(filter(None, (curve.name, curve.of))) for curve in curves if curve.may_be_noise == is_noise]
        for is_noise in (True, False)
    )
    few = ", ".join(noise) or "no curve"
    which = few if len(noise) <= len(sure) else " but ".join(filter(None, ("every curve", ", ".join(sure))))
    by_chance = "noise also makes about one curve in 20 stand out, and more where a class is rare"
    return f"± is {BAND} standard deviations of the noise, which alone may have made the shape of {which}; {by_chance}"


def drawn(curves: Sequence[Curve], classes: tuple[str, str], intercept: float) -> str:
    """Curves as a drawing, all on one scale."""
    from fdpedu.viz import draw_effects

    first, second = classes
    caption = (
        f"What each feature adds to the score, the strongest first. Above 0 speaks for {second}, below for {first}; "
        f"with the intercept {intercept:+.2f} the curves add up to the score. The band is two standard deviations of "
        "the noise that protects the rows; where a level line fits into it, noise alone may have made the curve, "
        "and it also makes about one curve in 20 stand out."
    )
    effects = [curve.to_dict() for curve in curves]
    return draw_effects(effects, towards=classes, title=f"Curves of a boosted model, for {second}", caption=caption)
