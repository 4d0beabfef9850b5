"""What each value of a feature adds to a score: steps for each feature, with a band around them, all on one scale.

Below the steps of a number stand borders of its bins, and its missing values are drawn apart from them. Categories
have a name each; where names are too wide for their steps, a number stands below the step, and the names in a list.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import isfinite
from typing import Any

from fdpedu.printable import escape
from fdpedu.viz.page import PALETTE, styled, text_width, wrap
from fdpedu.viz.tree_marks import LINE, paragraph, svg_document, text

__all__ = ["draw_effects"]

_WIDTH, _LEFT, _RIGHT, _HEIGHT = 320, 52, 10, 130  # of a panel; room for numbers on the left; of what is drawn
_END = _WIDTH - _RIGHT
_APART, _GAP = 56, 12  # how wide the step of missing values is, and the distance from the others
_STRIDES = (1, 2, 5, 10, 20, 50, 100, 256)  # bins from one border with a text to the next
MAX_PANELS, MAX_LINES = 60, 8


def draw_effects(
    effects: Sequence[Mapping[str, Any]], *, towards: tuple[str, str], title: str, caption: str | None = None
) -> str:
    """Draw what values of features add to a score, one panel a feature, as HTML with accessible SVG.

    Parameters
    ----------
    effects
        For each feature ``name``, ``labels`` (a text for each of its values), ``values`` and ``half_widths``: what each
        value adds, and how far the band reaches to either side; optionally ``edges``, where the values are those of a
        number: the texts of the borders of its bins, after which there may be one more value, a missing one; and
        ``note``, what is said beside the name.
    towards
        The classes that a score below and above 0 speaks for.
    title
        What the curves are, in a few words.
    caption
        What the reader should conclude, shown below.

    Returns
    -------
    str
        One drawing a feature, side by side where there is room.

    Raises
    ------
    ValueError
        If there is nothing to draw, more than 60 features, or a value is no finite number.

    Examples
    --------
    >>> age = {"name": "age", "labels": ["≤ 50", "> 50"], "values": [-1, 1], "half_widths": [0.1, 0.1]}
    >>> "age: from -1.00 at ≤ 50 to 1.00 at &gt; 50" in draw_effects([age], towards=("well", "ill"), title="Curves")
    True
    """
    if not 1 <= len(effects) <= MAX_PANELS:
        raise ValueError(f"effects must be of 1 to {MAX_PANELS} features, got {len(effects)}")
    for effect in effects:
        numbers = [*effect["values"], *effect["half_widths"]]
        if not effect["values"] or len(numbers) != 2 * len(effect["labels"]) or not all(map(isfinite, numbers)):
            raise ValueError(f"effects of {effect['name']!r} must be a finite value and half width for each label")
    reach = max(abs(v) + w for effect in effects for v, w in zip(effect["values"], effect["half_widths"], strict=True))
    panels = "".join(f'<div class="fd-effect">{_panel(effect, reach or 1.0, towards)}</div>' for effect in effects)
    below = f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
    words = escape(title)
    return f'<figure class="fdpedu fd-effects mathjax_ignore" aria-label="{words}">{styled(panels)}{below}</figure>'


def _panel(effect: Mapping[str, Any], reach: float, towards: tuple[str, str]) -> str:
    """One feature: its name, the steps with their band, the line at 0, and what the ends of both axes mean."""
    called = f"{effect['name']} ({effect['note']})" if effect.get("note") else str(effect["name"])
    name = wrap(called, _WIDTH - _LEFT - _RIGHT, bold=True, max_lines=2)
    top = LINE * len(name) + 10
    values, widths = list(map(float, effect["values"])), list(map(float, effect["half_widths"]))
    places = _places(effect)

    def y(value: float) -> float:
        return top + _HEIGHT / 2 * (1 - value / reach)

    def steps(heights: Sequence[float], at: range, *, back: bool = False) -> str:
        points = [(x, y(heights[i])) for i in at for x in places[i]]
        return "L".join(f"{x:.1f} {height:.1f}" for x, height in (reversed(points) if back else points))

    upper, lower = ([v + sign * w for v, w in zip(values, widths, strict=True)] for sign in (1, -1))
    joined = len(values) - _missing(effect)
    runs = [run for run in (range(joined), range(joined, len(values))) if run]
    band = "".join(f"M{steps(upper, run)}L{steps(lower, run, back=True)}z" for run in runs)
    body = [
        paragraph(_LEFT, LINE - 4, name, called, bold=True),
        f'<path d="{band}" fill="{PALETTE[0]}" fill-opacity="0.35"/>',
        f'<path d="M{_LEFT} {y(0):.1f}H{_END}" stroke="currentColor" stroke-opacity="0.5"/>',
        f'<path d="{"".join(f"M{steps(values, run)}" for run in runs)}" stroke="{PALETTE[0]}" stroke-width="2.5"/>',
        f'<path d="M{_LEFT} {top}v{_HEIGHT}" stroke="currentColor"/>',
    ]
    for at in (reach, 0.0, -reach):
        body.append(
            text(_LEFT - 6, y(at) + 5, f"{at:+.1f}".replace("-", "\N{MINUS SIGN}") if at else "0", anchor="end")
        )
    below, height = _below(effect, places, top + _HEIGHT)
    return svg_document("".join(body) + below, _WIDTH, height + 10, called, _said(effect, values, widths, towards))


def _missing(effect: Mapping[str, Any]) -> bool:
    """Whether the last value of a number is a missing one."""
    return bool(effect.get("edges")) and len(effect["labels"]) == len(effect["edges"])


def _places(effect: Mapping[str, Any]) -> list[tuple[float, float]]:
    """From where to where the step of each value goes: all are equally wide, and a missing value's is apart."""
    apart = _missing(effect)
    n = len(effect["labels"]) - apart
    across = (_END - _LEFT - apart * (_APART + _GAP)) / n
    found = [(_LEFT + i * across, _LEFT + (i + 1) * across) for i in range(n)]
    return [*found, *[(float(_END - _APART), float(_END))] * apart]


def _below(effect: Mapping[str, Any], places: list[tuple[float, float]], bottom: float) -> tuple[str, float]:
    """What stands below the steps, and how far down it reaches."""
    if not effect.get("edges"):
        return _categories([str(label) for label in effect["labels"]], places, bottom)
    apart = _missing(effect)
    borders = [float(_LEFT), *(end for _, end in places[: len(effect["edges"]) - 1])]
    half, room = (borders[-1] - _LEFT) / 2, borders[-1] + (_GAP / 2 if apart else _RIGHT - 2)
    marks = [_mark(str(edge), x, half, room) for edge, x in zip(effect["edges"], borders, strict=True)]
    shown = _with_room(marks)
    ticks = borders if borders[1] - _LEFT >= 5 else [borders[i] for i in shown]
    line = f"M{_LEFT} {bottom}H{borders[-1]:.1f}" + "".join(f"M{x:.1f} {bottom}v5" for x in ticks)
    written = [marks[i] for i in shown]
    written += [_mark(str(effect["labels"][-1]), sum(places[-1]) / 2, _APART + _GAP, _WIDTH)] * apart
    height = bottom + LINE + 3
    words = "".join(text(x, height, short, anchor="middle", full=full) for x, short, full in written)
    return f'<path d="{line}" stroke="currentColor" stroke-opacity="0.5"/>{words}', height


def _mark(words: str, x: float, width: float, room: float) -> tuple[float, str, str]:
    """A text below x, moved to the left where it would go beyond the room, and cut where it is too wide."""
    (shown,) = wrap(words, width, max_lines=1)
    return min(x, room - text_width(shown) / 2), shown, words


def _with_room(marks: Sequence[tuple[float, str, str]]) -> list[int]:
    """The places of both ends, and of as many marks between them as do not touch, in a regular distance."""
    last = len(marks) - 1
    for stride in _STRIDES:
        found = [0, *range(stride, last, stride), last]
        if len(found) > 2 and _touch(marks[found[-2]], marks[last]):
            del found[-2]
        if not any(_touch(marks[i], marks[j]) for i, j in pairwise(found)):
            break
    return found


def _touch(left: tuple[float, str, str], right: tuple[float, str, str]) -> bool:
    return right[0] - left[0] < (text_width(left[1]) + text_width(right[1])) / 2 + 6


def _categories(labels: Sequence[str], places: list[tuple[float, float]], bottom: float) -> tuple[str, float]:
    """A name below each step; or numbers, and what these stand for in lines below."""
    middles, across = [sum(place) / 2 for place in places], places[0][1] - places[0][0]
    height = bottom + LINE + 3
    if all(text_width(label) <= across - 6 for label in labels):
        return "".join(text(x, height, name, anchor="middle") for x, name in zip(middles, labels, strict=True)), height
    marks = [(x, str(i), "") for i, x in enumerate(middles, 1)]
    numbers = "".join(text(marks[i][0], height, marks[i][1], anchor="middle") for i in _with_room(marks))
    full = "; ".join(f"{i}={label}" for i, label in enumerate(labels, 1))
    lines = wrap(full, _END - _LEFT, max_lines=MAX_LINES)
    return numbers + paragraph(_LEFT, height + LINE, lines, full), height + len(lines) * LINE


def _said(effect: Mapping[str, Any], values: Sequence[float], widths: Sequence[float], towards: tuple[str, str]) -> str:
    """What is to be seen, in words."""
    low, high = values.index(min(values)), values.index(max(values))
    apart = f" Missing values, drawn apart, have {values[-1]:.2f}." if _missing(effect) else ""
    return (
        f"{effect['name']}: from {values[low]:.2f} at {effect['labels'][low]} to {values[high]:.2f} at "
        f"{effect['labels'][high]}, with a band of at most {max(widths):.2f} to either side. "
        f"Above 0 speaks for {towards[1]}, below for {towards[0]}.{apart}"
        + (f" It {effect['note']}." if effect.get("note") else "")
    )
