"""What the gamblers have, run by run: a picture with a line at 1/α, which a true claim is not to reach."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fdpedu.audit.betting import Floats
from fdpedu.viz import Picture, figure_style, show_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_CURVES = 6
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_LEAST = -4.0  # powers of ten below 1 that are shown


class WealthPath(NamedTuple):
    """The wealth of one audit.

    Parameters
    ----------
    runs : some numbers of runs, the last one that of all
    logs : the natural logarithm of the wealth after each
    alpha : the error that is allowed
    refuted_at : after how many runs the wealth first was 1/α; None if it never was
    """

    runs: NDArray[np.int64]
    logs: Floats
    alpha: Fraction
    refuted_at: int | None


def draw_paths(
    paths: Mapping[str, WealthPath],
    *,
    alt: str | None = None,
    caption: str | None = None,
    log_runs: bool = False,
    slide: str | Path | None = None,
) -> Picture:
    """The wealth over the runs, on a scale of powers of ten, with the line at the largest 1/α.

    Parameters
    ----------
    paths : by the names of the curves, six at most
    alt, caption, log_runs, slide : as for :func:`fdpedu.audit.draw_wealth`
    """
    if not 1 <= len(paths) <= MOST_CURVES:
        raise ValueError(f"audits must be from 1 to {MOST_CURVES} by name, got {len(paths)}")
    with figure_style():
        return show_figure(_figure(paths, log_runs), alt=alt or _seen(paths), caption=caption, slide=slide)


def _figure(paths: Mapping[str, WealthPath], log_runs: bool) -> Figure:
    from matplotlib.figure import Figure

    level = max(-math.log10(path.alpha) for path in paths.values())
    fig = Figure()
    ax = fig.add_subplot()
    for name, path in paths.items():
        powers = np.clip(path.logs / math.log(10), _LEAST - 2, level + 4)  # what lies outside leaves the picture
        shown = slice(1, None) if log_runs and path.runs[0] == 0 else slice(None)
        ax.plot(path.runs[shown], powers[shown], label=name)
    ax.axhline(level, lw=1, ls="-", color=ax.xaxis.label.get_color())
    ax.text(1, level, "1/α", ha="right", va="bottom", transform=ax.get_yaxis_transform())
    if log_runs:
        ax.set_xscale("log")
    ticks = np.arange(_LEAST, level + 2.5, 2, dtype=np.float64)
    ax.set_yticks(ticks, [_power(int(tick)) for tick in ticks])
    ax.set(xlabel="runs", ylabel="wealth", ylim=(_LEAST, level + 2))
    if len(paths) > 1:
        fig.legend(loc="outside upper left", ncols=2)
    return fig


def _power(exponent: int) -> str:
    """A power of ten as people write it.

    >>> _power(6), _power(0), _power(-2)
    ('10⁶', '1', '10⁻²')
    """
    return "1" if exponent == 0 else "10" + str(exponent).translate(_RAISED)


def _seen(paths: Mapping[str, WealthPath]) -> str:
    """What is to be seen, in words."""
    ends = (
        f"{name}: reaches 1/α after {path.refuted_at} runs"
        if path.refuted_at is not None
        else f"{name}: stays below 1/α for {path.runs[-1]} runs"
        for name, path in paths.items()
    )
    return f"The wealth of a bet against the claim over the runs, with a line at 1/α. {'; '.join(ends)}."
