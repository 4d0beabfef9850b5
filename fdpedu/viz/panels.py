"""The parts of an interactive figure: panels with axes, and layers of which some move with the slider.

Every layer, whether a curve, dots, bars or a rule, becomes one *trace*: a path through whole-number points of a
square 1000 by 1000 that the page stretches to the panel. Lines and dots keep their thickness when stretched, and the
text of the axes is not inside the square, so one drawing serves a telephone and a wide screen.

A value inside `Moving` has one entry for each position of the slider; all else stays where it is.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = [
    "Bars",
    "Curve",
    "Label",
    "Layer",
    "Moving",
    "Panel",
    "Points",
    "Rule",
    "Trace",
    "frames_of",
    "nice_ticks",
    "steps",
    "to_square",
]

Array = npt.NDArray[np.float64]
_SIDE = 1000


@dataclass(frozen=True)
class Moving:
    """Values that change with the slider: one entry (a number, a list or a text) for each of its positions."""

    frames: Sequence[Any] | Array


Values = Moving | Sequence[float] | Array | float


@dataclass(frozen=True)
class Trace:
    """A path in the units of the data: its points in each position, or in the one position it has, and its manner."""

    x: tuple[Array, ...]
    y: tuple[Array, ...]
    name: str
    color: int
    manner: str  # "line", "dots", "area", "bars"
    size: float
    dashed: bool = False


@dataclass(frozen=True)
class Curve:
    """A line through points (x, y); with ``fill`` the area it encloses. Colour 0 to 5, or -1 for ink."""

    x: Values
    y: Values
    name: str = ""
    color: int = 0
    fill: bool = False
    dashed: bool | None = None

    def trace(self) -> Trace:
        """Give the path; from the second colour on, lines are dashed by default."""
        dashed = self.color > 0 if self.dashed is None else self.dashed
        x, y = frames_of(self.x), frames_of(self.y)
        return Trace(x, y, self.name, self.color, "area" if self.fill else "line", 2.4, dashed)


@dataclass(frozen=True)
class Points:
    """Dots at (x, y), round in the even colours and square in the odd ones; ``size`` in pixels."""

    x: Values
    y: Values
    name: str = ""
    color: int = 0
    size: float = 8

    def trace(self) -> Trace:
        """Give the path, one stroke of no length for each dot."""
        return Trace(frames_of(self.x), frames_of(self.y), self.name, self.color, "dots", self.size)


@dataclass(frozen=True)
class Bars:
    """Bars from 0 to y, centred at the fixed x; ``width`` in units of x. Odd colours are drawn as outlines."""

    x: Sequence[float] | Array
    y: Values
    name: str = ""
    color: int = 0
    width: float = 0.8

    def trace(self) -> Trace:
        """Give the path up, across and down each bar."""
        half = self.width / 2 * np.array([-1, -1, 1, 1])
        x = (np.asarray(self.x, float)[:, None] + half).ravel()
        y = tuple((frame[:, None] * np.array([0.0, 1, 1, 0])).ravel() for frame in frames_of(self.y))
        return Trace((x,), y, self.name, self.color, "bars", 1.5)


@dataclass(frozen=True)
class Rule:
    """A line right across the panel: upright at x, or level at y. Its colour is ink unless given."""

    x: Values | None = None
    y: Values | None = None
    name: str = ""
    color: int = -1
    dashed: bool = True

    def trace(self) -> Trace:
        """Give the path from edge to edge."""
        if (self.x is None) == (self.y is None):
            raise ValueError("Rule: exactly one of x, y is needed")
        across = (np.array([-math.inf, math.inf]),)
        place = frames_of(self.x if self.x is not None else self.y)  # type: ignore[arg-type]
        along = tuple(np.repeat(frame[:1], 2) for frame in place)
        x, y = (along, across) if self.x is not None else (across, along)
        return Trace(x, y, self.name, self.color, "line", 1.6, self.dashed)


@dataclass(frozen=True)
class Label:
    """A text at (x, y), each of which may be `Moving`; it stands above the point."""

    x: Values
    y: Values
    text: str | Moving


Layer = Curve | Points | Bars | Rule | Label


@dataclass(frozen=True)
class Panel:
    """A pair of axes with layers. Ranges and ticks are found from the data where they are not given.

    ``x_ticks`` and ``y_ticks`` map positions to texts, as in ``{0: "left", 1: "right"}``. A range must contain all of
    the data: nothing is cut off unseen.
    """

    x_label: str
    y_label: str
    layers: Sequence[Layer]
    x_range: tuple[float, float] | None = None
    y_range: tuple[float, float] | None = None
    x_ticks: Mapping[float, str] | None = None
    y_ticks: Mapping[float, str] | None = None
    height: int = 220

    def traces(self) -> list[Trace]:
        """Give the paths of all layers that have one."""
        return [layer.trace() for layer in self.layers if not isinstance(layer, Label)]

    def labels(self) -> list[Label]:
        """Give the texts among the layers."""
        return [layer for layer in self.layers if isinstance(layer, Label)]

    def range_of(self, axis: str) -> tuple[float, float]:
        """Find the range of one axis, "x" or "y": as given, or the data's with a margin (but bars stand on 0)."""
        parts = [frame for trace in self.traces() for frame in getattr(trace, axis)]
        parts += [frame for label in self.labels() for frame in frames_of(getattr(label, axis))]
        data = np.concatenate([part[np.isfinite(part)] for part in parts]) if parts else np.array([0.0, 1])
        data = data if data.size else np.array([0.0, 1])
        low, high = float(data.min()), float(data.max())
        given: tuple[float, float] | None = getattr(self, f"{axis}_range")
        if given is None:
            margin = 0.05 * (high - low) or 0.5
            grounded = axis == "y" and low == 0 and any(isinstance(layer, Bars) for layer in self.layers)
            return low if grounded else low - margin, high + margin
        if not given[0] <= low <= high <= given[1] or given[0] == given[1]:
            raise ValueError(f"{axis}_range {given} does not contain the data, which reach from {low:g} to {high:g}")
        return float(given[0]), float(given[1])

    def ticks_of(self, axis: str) -> Mapping[float, str]:
        """Give the ticks of one axis, each with its text."""
        given: Mapping[float, str] | None = getattr(self, f"{axis}_ticks")
        return nice_ticks(*self.range_of(axis)) if given is None else given


def frames_of(values: Values) -> tuple[Array, ...]:
    """Read values as one array of points for each position of the slider, or for all of them at once."""
    frames = values.frames if isinstance(values, Moving) else [values]
    arrays = tuple(np.atleast_1d(np.asarray(frame, float)) for frame in frames)
    if not arrays or any(array.ndim != 1 or not np.isfinite(array).all() for array in arrays):
        raise ValueError("values must be finite numbers, or lists of them; Moving takes one entry a position")
    return arrays


def nice_ticks(low: float, high: float, most: int = 6) -> dict[float, str]:
    """Choose round numbers inside a range, at most `most` of them, and write them all to the same digit.

    Examples
    --------
    >>> nice_ticks(-0.03, 1.04)
    {0.0: '0.0', 0.2: '0.2', 0.4: '0.4', 0.6: '0.6', 0.8: '0.8', 1.0: '1.0'}
    """
    power = 10.0 ** math.floor(math.log10((high - low) / most))
    step = next(power * k for k in (1, 2, 2.5, 5, 10, 20) if (high - low) / (power * k) < most)
    digits = next((d for d in range(12) if abs(round(step, d) - step) < 1e-9 * step), 12)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    places = [round(k * step, digits) + 0.0 for k in range(first, last + 1)]
    return {place: f"{place:.{digits}f}".replace("-", "−") for place in places}


def to_square(values: Array, span: tuple[float, float], *, flip: bool) -> list[int]:
    """Map data to whole numbers from 0 to 1000; upright values count from the top, as the page does."""
    share = np.clip((values - span[0]) / (span[1] - span[0]), 0, 1)
    return [round(_SIDE * float(v)) for v in (1 - share if flip else share)]


def steps(points: Sequence[int]) -> str:
    """Write whole numbers as the first one and the steps between them; a minus sign also separates.

    Examples
    --------
    >>> steps([500, 503, 501, 501])
    '500 3-2 0'
    """
    moves = [points[0], *(b - a for a, b in pairwise(points))]
    return "".join(f"{move}" if move < 0 else f" {move}" for move in moves).strip()
