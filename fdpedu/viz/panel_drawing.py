"""Panels as HTML and SVG, and as the numbers from which the page's script moves them.

The same numbers make both: `picture` writes the paths of one position, and ``slider.js`` those of all others, by the
same rule. A path starts at its first point (M), and each further point is a step: ``l`` draws to it, ``m`` jumps.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, TypedDict

import numpy as np

from fdpedu.printable import escape
from fdpedu.viz.page import FONT, PALETTE, styled, text_width
from fdpedu.viz.panels import Label, Moving, Panel, Trace, frames_of, steps, to_square

__all__ = ["Motion", "PathData", "motion", "outline_of", "picture"]

# How the points of a path are joined, in turn, and how it ends. A dot is a stroke of one thousandth of the width: one
# of no length would be seen on the screen and not in a PDF.
_MANNERS = {"line": (["l"], ""), "area": (["l"], "z"), "bars": (["l", "l", "l", "m"], ""), "dots": (["h1m"], "h1")}


class PathData(TypedDict):
    """A path for the script: x and y as steps, one text or one for each position, and how points are joined."""

    x: str | list[str]
    y: str | list[str]
    join: list[str]
    end: str


class Motion(TypedDict):
    """All that can move: paths and texts, panel after panel."""

    paths: list[PathData]
    labels: list[dict[str, Any]]


def motion(panels: Sequence[Panel], positions: int) -> Motion:
    """Collect the numbers of all layers and check that whatever moves has one entry for each position."""
    moves: Motion = {"paths": [], "labels": []}
    for panel in panels:
        moves["paths"] += [_path(trace, panel, positions) for trace in panel.traces()]
        moves["labels"] += [_label(label, panel, positions) for label in panel.labels()]
    return moves


def _each(entries: Sequence[Any], positions: int, what: str) -> Any:
    """Give one entry bare and many as a list, if their number is right."""
    if len(entries) not in (1, positions):
        raise ValueError(f"{what}: Moving needs one entry for each of the {positions} positions, got {len(entries)}")
    return entries[0] if len(entries) == 1 else list(entries)


def _path(trace: Trace, panel: Panel, positions: int) -> PathData:
    what = f"layer {trace.name!r}" if trace.name else f"a layer of the panel {panel.y_label or panel.x_label!r}"
    counts = {len(frame) for frame in (*trace.x, *trace.y)}
    if len(counts) != 1:
        raise ValueError(f"{what}: x and y must have the same length, got {sorted(counts)}")
    join, end = _MANNERS[trace.manner]
    drift = 1 if trace.manner == "dots" else 0  # each dot has moved the pen by one
    across = [to_square(frame, panel.range_of("x"), flip=False) for frame in trace.x]
    x = [steps([place - drift * k for k, place in enumerate(points)]) for points in across]
    y = [steps(to_square(frame, panel.range_of("y"), flip=True)) for frame in trace.y]
    return {"x": _each(x, positions, what), "y": _each(y, positions, what), "join": join, "end": end}


def _label(label: Label, panel: Panel, positions: int) -> dict[str, Any]:
    texts = label.text.frames if isinstance(label.text, Moving) else [label.text]
    data: dict[str, Any] = {"text": _each([str(text) for text in texts], positions, "a Label's text")}
    for axis in ("x", "y"):
        frames = frames_of(getattr(label, axis))
        places = [to_square(frame[:1], panel.range_of(axis), flip=axis == "y")[0] for frame in frames]
        data[axis] = _each([f"{place / 10:g}%" for place in places], positions, f"a Label's {axis}")
    return data


def outline_of(path: PathData, position: int) -> str:
    """Write the path of one position, as ``slider.js`` does.

    Examples
    --------
    >>> outline_of({"x": "0 500 500", "y": ["900-400 300", "0 1 1"], "join": ["l"], "end": ""}, 0)
    'M0 900l500 -400l500 300'
    """
    x, y = (re.findall(r"-?\d+", _at(path[axis], position)) for axis in ("x", "y"))
    joins = ["M", *path["join"] * len(x)]
    return "".join(f"{join}{a} {b}" for join, a, b in zip(joins, x, y, strict=False)) + path["end"]


def _at(value: Any, position: int) -> Any:
    return value[position] if isinstance(value, list) else value


def picture(panels: Sequence[Panel], moves: Motion, position: int, alt: str) -> str:
    """Draw all panels as they are in one position."""
    left = max(text_width(text, 15) for panel in panels for text in panel.ticks_of("y").values()) + 14
    paths, labels = iter(enumerate(moves["paths"])), iter(enumerate(moves["labels"]))
    drawn = []
    for panel in panels:
        body = "".join(_drawn(trace, *next(paths), position) for trace in panel.traces())
        words = "".join(_written(*next(labels), position) for _ in panel.labels())
        drawn.append(_panel(panel, body, words, left))
    whole = "".join(drawn)
    return f'<div class="fd-picture" role="img" aria-label="{escape(alt)}">{styled(whole)}</div>'


def _manner(trace: Trace) -> str:
    """Give the attributes that a path and its entry in the key share: colour, thickness, dashes, shape."""
    odd, color = trace.color % 2 == 1, PALETTE[trace.color] if trace.color >= 0 else "currentColor"
    caps = "square" if odd and trace.manner == "dots" else "butt" if trace.dashed else "round"
    size = trace.size - 1 if caps == "square" else trace.size
    dash = ' stroke-dasharray="7 4"' if trace.dashed and trace.manner != "dots" else ""
    fill = (
        f'fill="{color}" fill-opacity="{0.15 if odd else 0.55}"' if trace.manner in ("area", "bars") else 'fill="none"'
    )
    return f'{fill} stroke="{color}" stroke-width="{size:g}" stroke-linecap="{caps}"{dash}'


def _drawn(trace: Trace, number: int, path: PathData, position: int) -> str:
    d = outline_of(path, position)
    moving = f' data-path="{number}"' if isinstance(path["x"], list) or isinstance(path["y"], list) else ""
    return f'<path d="{d}" {_manner(trace)} stroke-linejoin="round" vector-effect="non-scaling-stroke"{moving}/>'


def _written(number: int, label: dict[str, Any], position: int) -> str:
    x, y, text = (_at(label[key], position) for key in ("x", "y", "text"))
    moving = f' data-label="{number}"' if any(isinstance(label[key], list) for key in label) else ""
    place = f'x="{x}" y="{y}" dy="-8" text-anchor="middle"'
    return f'<text {place} fill="currentColor"{moving}>{escape(text)}</text>'


def _key(trace: Trace) -> str:
    """Draw the entry of one layer in the key."""
    shape = {"line": "M0 7h26", "dots": "M13 7h.1", "area": "M3 2h20v10h-20z", "bars": "M5 12v-10h16v10z"}[trace.manner]
    image = f'<svg width="26" height="14" aria-hidden="true"><path d="{shape}" {_manner(trace)}/></svg>'
    return f"<span>{image}{escape(trace.name)}</span>"


def _axis_lines(panel: Panel) -> str:
    """Draw grid and ticks in percents of the panel, so that only places stretch, and never letters."""
    parts = []
    for axis in ("x", "y"):
        ticks = panel.ticks_of(axis)
        places = to_square(np.array([*ticks], float), panel.range_of(axis), flip=axis == "y")
        for place, text in zip(places, ticks.values(), strict=True):
            at = f"{place / 10:g}%"
            ends = f'x1="{at}" x2="{at}" y1="0" y2="100%"' if axis == "x" else f'x1="0" x2="100%" y1="{at}" y2="{at}"'
            spot = f'x="{at}" y="100%" dy="20" text-anchor="middle"' if axis == "x" else (
                f'x="-8" y="{at}" dy="5" text-anchor="end"')  # fmt: skip
            parts.append(f'<line {ends} stroke="currentColor" stroke-opacity="0.18"/>')
            parts.append(f'<text {spot} fill="currentColor">{escape(text)}</text>')
    frame = '<path d="M0 0V1000H1000" fill="none" stroke="currentColor" vector-effect="non-scaling-stroke"/>'
    return "".join(parts) + _square(frame)


def _square(body: str) -> str:
    return (
        '<svg viewBox="0 0 1000 1000" preserveAspectRatio="none" x="0" y="0" width="100%" height="100%" '
        f'overflow="visible">{body}</svg>'
    )


def _panel(panel: Panel, body: str, words: str, left: float) -> str:
    key = "".join(_key(trace) for trace in panel.traces() if trace.name)
    title = f"<span>{escape(panel.y_label)}</span>" if panel.y_label else ""
    head = f'<div class="fd-head">{title}{key}</div>' if title or key else ""
    below = f'<text x="50%" y="100%" dy="42" text-anchor="middle" fill="currentColor">{escape(panel.x_label)}</text>'
    margin = 52 if panel.x_label else 30
    return (
        f'<div class="fd-panel">{head}<svg width="100%" height="{panel.height}" font-family="{FONT}" font-size="15" '
        f'style="margin:0 0 {margin}px {left:.0f}px;width:calc(100% - {left:.0f}px)">'
        f"{_axis_lines(panel)}{_square(body)}{words}{below}</svg></div>"
    )
