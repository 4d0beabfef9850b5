"""The figures as SVG: a panel for each setting, accuracy against ε with error bars; for Figure 2 its two panels.

What a method really costs stands beside its name in each panel, as a multiple of the ε that is booked. Methods differ
by dashes as well as by colour. The drawing stands alone: nothing but the text itself is needed to read it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from fdpedu.exact import as_list
from fdpedu.printable import escape
from fdpedu.viz.page import FONT, INK, PALETTE

Record = dict[str, Any]
WIDTH, HEIGHT, COLUMNS = 420, 330, 3
LEFT, TOP, RIGHT, BOTTOM = 60, 40, 400, 210  # of the square that a panel's curves are in
BEGINNING = '<svg xmlns="http://www.w3.org/2000/svg" class="fdpedu-figure" '  # by which such a file is known
DASHES = ("", "8 3", "2 3", "8 3 2 3", "5 2 1 2", "12 4")
_PLACE = ("n", "p", "max_depth", "rho")


def as_svg(rows: Sequence[Record]) -> str:
    """One drawing of the records of one figure.

    >>> row = dict(figure=3, variant="printed", method="local", n=250, p=10, max_depth=5, rho=0.3, epsilon=1.0)
    >>> row |= dict(leaf_share=0.5, bounds_share=0.25, mean=0.7, se=0.01, runs=50, epsilon_spent="inf")
    >>> as_svg([row]).count("<polyline")
    1
    """
    panels = [_panel(*panel) for panel in _panels(as_list(rows, "rows"))]
    if not panels:
        raise ValueError("rows must be the records of a figure, at least one")
    wide = min(COLUMNS, len(panels))
    width, height = wide * WIDTH, -(-len(panels) // wide) * HEIGHT
    placed = (
        f'<g transform="translate({i % wide * WIDTH},{i // wide * HEIGHT})">{panel}</g>'
        for i, panel in enumerate(panels)
    )
    first = rows[0]
    title = f"Figure {first['figure']} as {first['variant']}: test accuracy, {first['runs']} runs, bars of two se"
    return (
        f'{BEGINNING}viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" font-family="{escape(FONT)}" font-size="14" fill="{INK}"><title>{escape(title)}</title>'
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>{"".join(placed)}</svg>\n'
    )


def _panels(rows: Sequence[Record]) -> Iterator[tuple[str, str, dict[str, list[Record]]]]:
    """Title, what lies on the axis, and curves; the map of Figure 2 has a curve for each bounds share."""
    groups: dict[tuple[Any, ...], dict[str, list[Record]]] = {}
    for row in rows:
        maps = row["figure"] == 2 and row["method"] == "algorithm-6"
        curve = f"bounds share {row['bounds_share']:g}" if maps else row["method"]
        groups.setdefault((*(row[name] for name in _PLACE), maps), {}).setdefault(curve, []).append(row)
    for (n, p, depth, rho, maps), curves in groups.items():
        axis = "leaf_share" if next(iter(curves.values()))[0]["figure"] == 2 else "epsilon"
        yield f"n={n}, p={p}, depth {depth}, ρ={rho:g}" + ", Algorithm 6" * maps, axis, curves


def _panel(title: str, axis: str, curves: dict[str, list[Record]]) -> str:
    every = [row for curve in curves.values() for row in curve]
    low = min(0.5, *(row["mean"] - 2 * row["se"] for row in every))
    high = max(0.8, *(row["mean"] + 2 * row["se"] for row in every))
    end = max(1.0, *(row[axis] for row in every))

    def place(row: Record, shift: float = 0) -> tuple[float, float]:
        x = LEFT + (RIGHT - LEFT) * row[axis] / end
        return x, BOTTOM - (BOTTOM - TOP) * (row["mean"] + shift * row["se"] - low) / (high - low)

    parts = [f'<text x="{LEFT}" y="24">{escape(title)}</text>', *_axes(axis, end, low, high)]
    for number, (name, curve) in enumerate(curves.items()):
        color, dashes = PALETTE[number % len(PALETTE)], DASHES[number % len(DASHES)]
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(place, curve))
        line = f'fill="none" stroke="{color}" stroke-width="2" stroke-dasharray="{dashes}"'
        parts.append(f'<polyline points="{points}" {line}/>')
        for row in curve:
            (x, upper), (_, lower) = place(row, 2), place(row, -2)
            parts.append(f'<path d="M{x:.1f} {upper:.1f}V{lower:.1f}" stroke="{color}"/>')
        parts.append(_legend(number, f"{name}{_cost(curve)}", line))
    return "".join(parts)


def _axes(axis: str, end: float, low: float, high: float) -> Iterator[str]:
    yield f'<path d="M{LEFT} {TOP}V{BOTTOM}H{RIGHT}" fill="none" stroke="{INK}"/>'
    for value in (low, (low + high) / 2, high):
        y = BOTTOM - (BOTTOM - TOP) * (value - low) / (high - low)
        yield f'<text x="{LEFT - 6}" y="{y + 5:.1f}" text-anchor="end">{value:.2f}</text>'
    for value in (0, end / 2, end):
        x = LEFT + (RIGHT - LEFT) * value / end
        yield f'<text x="{x:.1f}" y="{BOTTOM + 17}" text-anchor="middle">{value:g}</text>'
    words = {"epsilon": "ε as booked", "leaf_share": "leaf share"}[axis]
    yield f'<text x="{(LEFT + RIGHT) / 2}" y="{BOTTOM + 34}" text-anchor="middle">{words}</text>'


def _legend(number: int, text: str, line: str) -> str:
    """Two to a row, below the axis."""
    x, y = LEFT - 50 + 200 * (number % 2), BOTTOM + 54 + 15 * (number // 2)
    return f'<path d="M{x} {y - 5}h22" {line}/><text x="{x + 27}" y="{y}">{escape(text)}</text>'


def _cost(curve: Sequence[Record]) -> str:
    """The true cost of the method, as a multiple of what is booked."""
    first = curve[0]
    if first["method"] in ("local", "central"):
        return ""
    spent = first["epsilon_spent"]
    return ": ε = ∞" if spent == "inf" else f": {spent / first['epsilon']:.3g} ε"
