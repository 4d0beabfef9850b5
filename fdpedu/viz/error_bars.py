"""Measured numbers over a budget: a curve with error bars for each thing that is compared, a panel for each setting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

from fdpedu.viz.page import INK
from fdpedu.viz.style import Picture, figure_style, show_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["error_bars"]

Series = Mapping[str, Sequence[tuple[float, float, float]]]
_MARKS = "os^Dvp"
_PIXELS = 72


def error_bars(
    panels: Mapping[str, Series],
    *,
    x_label: str,
    y_label: str,
    alt: str,
    caption: str | None = None,
    zero: bool = False,
    columns: int | None = None,
    slide: str | Path | None = None,
) -> Picture:
    """Draw measured numbers over a logarithmic axis, with bars of two errors to each side.

    On a wide page panels stand side by side, on a telephone one below the other; all have one upright axis. Curves are
    shifted a little against each other, so that no bar hides another.

    Parameters
    ----------
    panels
        For each panel, by its title, the curves by their names: six at most, the same in all panels. A curve is a list
        of (x, number, error), with x > 0.
    x_label, y_label
        What the axes are.
    alt
        What is to be seen, for those who do not see it. It cannot be left out.
    caption
        What to conclude, shown below the figure. It should say that the bars are two errors.
    zero
        Whether a line is drawn at 0.
    columns
        How many small panels stand in a row of a wide page, from 2 to 4, each with an upright axis of its own; on a
        telephone two do. None for a single row with one axis.
    slide
        A file to write a standalone SVG to, as for `show_figure`.

    Raises
    ------
    ValueError
        If there is nothing to draw, the panels have not the same curves, a point is no triple of numbers, or
        ``columns`` is out of range.

    Examples
    --------
    >>> error_bars({"ten rows": {"one way": [(1, 0.5, 0.1), (10, 0.2, 0.1)]}}, x_label="ε", y_label="lost",
    ...            alt="Two points with bars.")
    [figure: Two points with bars.]
    """
    names = list(next(iter(panels.values()), {}))
    if not 1 <= len(names) <= 6 or any(list(of) != names for of in panels.values()):
        raise ValueError("panels: each needs the same curves, from one to six")
    if not all(_sound(points) for of in panels.values() for points in of.values()):
        raise ValueError(
            "panels: a curve needs points (x, number, error), three numbers each, with x > 0 and error ≥ 0"
        )
    if columns is not None and columns not in (2, 3, 4):
        raise ValueError(
            f"columns must be None, 2, 3 or 4, got {columns if type(columns) is int else type(columns).__name__}"
        )
    with figure_style():
        wide, narrow = (
            _figure(panels, x_label, y_label, zero, stacked=stacked, columns=columns) for stacked in (False, True)
        )
        return show_figure(wide, alt=alt, caption=caption, slide=slide, narrow=narrow)


def _sound(points: Sequence[tuple[float, float, float]]) -> bool:
    return len(points) > 0 and all(
        len(point) == 3 and all(map(isfinite, point)) and point[0] > 0 and point[2] >= 0 for point in points
    )


def _shifts(series: Series) -> list[float]:
    """A factor for each curve, by which it stands beside the others, so that no bar hides another."""
    places = [x for points in series.values() for x, _, _ in points]
    span, middle = max(places) / min(places), (len(series) - 1) / 2
    return [max(span, 2.0) ** (0.015 * (k - middle)) for k in range(len(series))]


def _figure(
    panels: Mapping[str, Series], x_label: str, y_label: str, zero: bool, *, stacked: bool, columns: int | None = None
) -> Figure:
    """The panels in a row, one below the other, or in rows of ``columns`` (two on a telephone), under one legend."""
    from matplotlib.figure import Figure

    k, names = len(panels), list(next(iter(panels.values())))
    across = (1 if stacked else k) if columns is None else (2 if stacked else columns)
    down = -(-k // across)
    fig = Figure(figsize=_size(down, len(names), stacked, small=columns is not None))
    axes = fig.subplots(down, across, sharey=columns is None, squeeze=False).ravel()
    for i, (ax, (title, series)) in enumerate(zip(axes, panels.items(), strict=False)):
        _draw(ax, series, 4 if columns is None else 3)
        last = columns is None or i + across >= k
        ax.set(title=title, xlabel=x_label if last else "", ylabel="" if i % across or columns else y_label)
        if zero:
            ax.axhline(0, lw=1, ls="-", color=INK)
    for ax in axes[k:]:
        ax.remove()
    if columns is not None:
        fig.supylabel(y_label)
    handles = [container[0] for container in axes[0].containers]
    fig.legend(handles, names, loc="outside upper left", ncols=1 if stacked else 2)
    return fig


def _size(down: int, curves: int, stacked: bool, *, small: bool) -> tuple[float, float]:
    """Width and height in inches."""
    legend = 22 * (curves if stacked else -(-curves // 2))
    height = 60 + 150 * down if small else (130 + 210 * down if stacked else 320)
    return (340 if stacked else 640) / _PIXELS, (height + legend) / _PIXELS


def _draw(ax: Axes, series: Series, most: int) -> None:
    """The curves of a panel, with at most so many numbers named on the level axis."""
    from matplotlib.ticker import FixedLocator, NullLocator

    for points, mark, shift in zip(series.values(), _MARKS, _shifts(series), strict=False):
        x, y, errors = zip(*points, strict=True)
        ax.errorbar([shift * place for place in x], y, yerr=[2 * error for error in errors], marker=mark, capsize=3)
    places = sorted({x for points in series.values() for x, _, _ in points})
    ax.set_xscale("log")
    ax.xaxis.set_major_locator(FixedLocator(places[:: -(-len(places) // most)]))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.xaxis.set_major_formatter(lambda x, _: f"{x:g}")
