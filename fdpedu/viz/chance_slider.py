"""Chances under a slider: curves over a budget, for several sizes of a problem, one position for each of another.

How likely something is depends here on three numbers: one runs along the axis, one tells the curves apart, and one is
moved. A table below has all positions at one place of the axis: without JavaScript, on paper and in a terminal that is
what there is to read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import isfinite, log10
from typing import Any

from fdpedu.viz.panels import Curve, Moving, Panel
from fdpedu.viz.slider import SliderPlot, table_of_positions

__all__ = ["ChanceSlider", "chance_slider"]

Chances = Mapping[object, Mapping[str, Sequence[float]]]


class ChanceSlider(SliderPlot):
    """Curves of chances with a slider and a table; the last value of a cell. Made by `chance_slider`."""

    def __init__(self, table: str, *shown: Any) -> None:
        super().__init__(*shown)
        self._table = table

    def _below(self) -> str:
        return self._table

    def __repr__(self) -> str:
        rows = [self.words(position) for position in range(len(self.values))]
        return "\n".join([f"[figure with a slider: {self.alt}]", *rows])


def chance_slider(
    chances: Chances,
    budgets: Sequence[object],
    *,
    label: str,
    what: str,
    alt: str,
    axis: str = "ε",
    shown: int = 0,
    start: int = 0,
    caption: str | None = None,
) -> ChanceSlider:
    """Make a figure of chances over budgets that the reader moves, with a table of what it shows.

    Parameters
    ----------
    chances
        For each position of the slider, by its value, and for each curve, by its name, the chances at the budgets:
        numbers from 0 to 1. All positions have the same curves, six at most.
    budgets
        Positive numbers, or texts of fractions such as ``1/2``, ascending; the axis is logarithmic.
    label
        What the slider changes, in a few words.
    what
        What the chances are chances of, in a few words: the title of the upright axis.
    alt
        What is to be seen, for those who do not see it. It cannot be left out.
    axis
        What the budgets are.
    shown
        The place among the budgets whose chances are given in words and in the table.
    start
        The first position, shown before anything is moved and on paper.
    caption
        What the reader should conclude, shown below.

    Raises
    ------
    ValueError
        If `alt` is empty, there are fewer than two positions or budgets, the curves differ, or a chance is none.

    Examples
    --------
    >>> chance_slider({250: {"p = 10": [0.5, 0.4]}, 1000: {"p = 10": [0.4, 0.1]}}, [1, 10], label="rows", what="lost",
    ...               shown=1, alt="A curve that falls, further with more rows.")
    [figure with a slider: A curve that falls, further with more rows.]
    rows = 250: with ε = 10, p = 10: 40 %
    rows = 1000: with ε = 10, p = 10: 10 %
    """
    if not str(alt).strip():
        raise ValueError("alt: a figure needs a sentence that says what is to be seen, got nothing")
    places = [_number(budget) for budget in budgets]
    names = list(next(iter(chances.values()), {}))
    if len(places) < 2 or len(chances) < 2 or any(a >= b for a, b in pairwise(places)):
        raise ValueError("chances, budgets: two or more positions and budgets are needed, the budgets ascending")
    if not 1 <= len(names) <= 6 or any(list(of) != names for of in chances.values()):
        raise ValueError("chances: every position needs the same curves, from one to six")
    if not all(_sound(list(row), len(places)) for of in chances.values() for row in of.values()):
        raise ValueError(f"chances: every curve needs {len(places)} numbers from 0 to 1, one for each budget")
    if not (0 <= shown < len(places) and 0 <= start < len(chances)):
        raise ValueError("shown, start: must be a place among the budgets, and a position")
    values, at = [str(value) for value in chances], f"{axis} = {budgets[shown]}"
    cells = [[_percent(list(of[name])[shown]) for name in names] for of in chances.values()]
    texts = [f"with {at}, " + ", ".join(map(": ".join, zip(names, row, strict=True))) for row in cells]
    said = f"{what}, with {at}"
    panel = _panel(chances, places, budgets, f"{what}, %", axis)
    return ChanceSlider(
        table_of_positions(said, said, label, values, zip(names, zip(*cells, strict=True), strict=True)),
        (panel,), str(label), values, texts, str(alt), start, caption or "",
    )  # fmt: skip


def _panel(chances: Chances, places: list[float], budgets: Sequence[object], title: str, axis: str) -> Panel:
    """The curves, in percent, up to the next ten; seven budgets at most are named, so that they fit a telephone."""
    logs = [log10(place) for place in places]
    names = list(next(iter(chances.values())))
    moving = {name: [[100 * share for share in of[name]] for of in chances.values()] for name in names}
    most = max(max(row) for rows in moving.values() for row in rows)
    top = min(100, 10 * (int(most // 10) + 1))
    every = -(-len(places) // 7)
    return Panel(
        axis,
        title,
        [Curve(logs, Moving(rows), name, color=i) for i, (name, rows) in enumerate(moving.items())],
        x_ticks={log: str(budget) for log, budget in list(zip(logs, budgets, strict=True))[::every]},
        y_range=(0, top),
    )


def _number(budget: object) -> float:
    """A budget as a float: a number, or a text such as ``1/2``."""
    above, _, below = str(budget).partition("/")
    try:
        number = float(above) / float(below or 1)
    except (ValueError, ZeroDivisionError):
        number = 0.0
    if not (isfinite(number) and number > 0):
        raise ValueError("budgets: positive numbers are needed, or texts such as 1/2")
    return number


def _sound(row: list[Any], places: int) -> bool:
    return len(row) == places and all(isinstance(share, (int, float)) and 0 <= share <= 1 for share in row)


def _percent(share: float) -> str:
    """A share in percent, with a digit after the point where it is small.

    Examples
    --------
    >>> _percent(0.43), _percent(0.0123), _percent(0.0004), _percent(0)
    ('43 %', '1.2 %', 'under 0.1 %', '0 %')
    """
    if 0 < share < 0.001:
        return "under 0.1 %"
    return f"{100 * share:.{0 if share == 0 or share >= 0.0995 else 1}f} %"
