"""After the last round: what trees add up to is enlarged where it lies too close together, and the intercept moved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fdpedu.boosting.orders import Floats
from fdpedu.domain import Codes
from fdpedu.exact import Integers
from fdpedu.gradients import UNIT, AdditiveModel
from fdpedu.gradients.additive import MAX_SCALE, MAX_WEIGHT, SIXTEENTHS

MOST = 2  # by which the intercept moves at most in a step
MADE_UP = 2000  # rows by which a model's spread and curvature are estimated


def within_limit(units: Any) -> Integers:
    """Whole numbers of 1/4096, within what a model may hold."""
    found: Integers = np.clip(units, -MAX_WEIGHT, MAX_WEIGHT).astype(np.int64)
    return found


def as_units(values: Sequence[float] | Floats) -> list[int]:
    """In units of 1/4096, to the nearest, within what a model may hold."""
    found: list[int] = within_limit(np.rint(np.asarray(values) * UNIT)).tolist()
    return found


def enlarged(model: AdditiveModel, made_up: Codes) -> AdditiveModel:
    """The same model with a standard deviation of at least 1 over made-up rows; never smaller.

    Trees that differ by less than the intercept's noise need it. The intercept stays: it says how frequent the classes
    are, which rounds have learnt in full.

    >>> model = AdditiveModel(((((0, 0b01),), (-1024, 1024)),), intercept=-512)
    >>> enlarged(model, np.array([[0, 1]], dtype=np.uint8))
    AdditiveModel(trees=((((0, 1),), (-1024, 1024)),), intercept=-512, scale=64)
    """
    scores = model.scores(made_up, np.arange(made_up.shape[1], dtype=np.int64))
    spread = max(float(np.std(scores)) / UNIT, SIXTEENTHS / MAX_SCALE)
    scale = min(MAX_SCALE, max(SIXTEENTHS, round(SIXTEENTHS / spread)))
    return AdditiveModel(model.trees, model.intercept, scale)


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
