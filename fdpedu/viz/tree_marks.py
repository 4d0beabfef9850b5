"""The marks from which drawings of trees are made: lines of text, hatched boxes, bars of probabilities, the key.

Colours and ink are attributes, so that programs that know no style sheets (slides, word processors) show them too.
"""

from __future__ import annotations

from fdpedu.printable import escape
from fdpedu.viz.page import FONT, INK, MIN_TEXT, PALETTE, text_width, unique_id, wrap

__all__ = ["LINE", "bar", "legend", "paragraph", "svg_document", "swatch", "text", "whisker"]

LINE, BAR = 19, 12  # height of a line of text, height of a bar


def svg_document(body: str, width: float, height: float, title: str, description: str) -> str:
    """Wrap a drawing as an image with a name and a description."""
    size = f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
    name = unique_id(f"{size}{title}{description}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="fdpedu" {size} role="img" aria-labelledby="{name}-title" '
        f'aria-describedby="{name}-desc" font-family="{FONT}" font-size="{MIN_TEXT}" color="{INK}" fill="none">'
        f'<title id="{name}-title">{escape(title)}</title><desc id="{name}-desc">{escape(description)}</desc>'
        f"{body}</svg>"
    )


def text(x: float, y: float, text: str, *, anchor: str = "start", bold: bool = False, full: str = "") -> str:
    """Write one line; `full` is what it says when it had to be cut."""
    weight = ' font-weight="bold"' if bold else ""
    hint = f"<title>{escape(full)}</title>" if full and full != text else ""
    place = f'x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}"'
    return f'<text {place} fill="currentColor"{weight}>{escape(text)}{hint}</text>'


def paragraph(x: float, y: float, lines: list[str], full: str, *, anchor: str = "start", bold: bool = False) -> str:
    cut = full if " ".join(lines) != full else ""
    return "".join(text(x, y + k * LINE, line, anchor=anchor, bold=bold, full=cut) for k, line in enumerate(lines))


def _hatch(kind: int, x: float, y: float, width: float, height: float) -> str:
    """Give the lines that mark a class without colour: none, /, —, \\, |, and both diagonals."""
    slanted = [x + k * 6 for k in range(-int(height // 6) - 1, int(width // 6) + 1)]
    lines: list[tuple[float, float, float, float]] = []
    if kind in (1, 5):
        lines += [(start, y + height, start + height, y) for start in slanted]
    if kind in (3, 5):
        lines += [(start, y, start + height, y + height) for start in slanted]
    if kind == 2:
        lines += [(x, y + height * k / 4, x + width, y + height * k / 4) for k in (1, 2, 3)]
    if kind == 4:
        lines += [(x + k * 4, y, x + k * 4, y + height) for k in range(1, int(width // 4) + 1)]
    return "".join(_clipped(line, x, x + width) for line in lines)


def _clipped(line: tuple[float, float, float, float], low: float, high: float) -> str:
    """Cut a line at the two sides of its box; give nothing where it lies outside."""
    x1, y1, x2, y2 = line
    slope = (y2 - y1) / (x2 - x1) if x2 != x1 else 0.0
    left, right = max(x1, low), min(x2, high)
    if left > right:
        return ""
    y_left, y_right = (y1 + slope * (left - x1), y1 + slope * (right - x1)) if slope else (y1, y2)
    return f"M{left:.1f} {y_left:.1f}L{right:.1f} {y_right:.1f}"


def swatch(kind: int, x: float, y: float, width: float, height: float = BAR) -> str:
    """Draw a box in the colour and the hatching of a class."""
    lines = _hatch(kind, x, y, width, height)
    box = f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" stroke="currentColor"'
    opacity = "" if kind == 0 else ' fill-opacity="0.15"'
    hatching = f'<path d="{lines}" stroke="currentColor" stroke-width="1.5"/>' if lines else ""
    return f'<g class="fd-c{kind}" color="{PALETTE[kind]}">{box} fill="currentColor"{opacity}/>{hatching}</g>'


def bar(x: float, y: float, width: float, probabilities: tuple[float, ...]) -> str:
    """Draw the probabilities of a leaf as one bar, class after class."""
    parts, start = [], x
    for kind, share in enumerate(probabilities):
        if share > 0:
            parts.append(swatch(kind, start, y, share * width))
        start += share * width
    return "".join(parts)


def whisker(kind: int, x: float, y: float, width: float, ends: tuple[float, float], at: float | None) -> str:
    """Draw an interval on a line from 0 to 1 that is so wide: a thick part with two ends, and a dot for the estimate.

    What lies outside is drawn at the nearer end of the line.
    """
    low, high = (x + min(max(end, 0.0), 1.0) * width for end in ends)
    rail = f'<path d="M{x:.1f} {y}h{width:.1f}" stroke="currentColor" stroke-opacity="0.35"/>'
    span = (
        f'<path d="M{low:.1f} {y}H{high:.1f}" stroke-width="4"/><path d="M{low:.1f} {y - 5}v10M{high:.1f} {y - 5}v10"/>'
    )
    inside = f'<g color="{PALETTE[kind]}" stroke="currentColor" stroke-width="2">{span}</g>'
    dot = (
        ""
        if at is None
        else f'<circle cx="{x + min(max(at, 0.0), 1.0) * width:.1f}" cy="{y}" r="3" fill="currentColor"/>'
    )
    return f'<g class="fd-interval">{rail}{inside}{dot}</g>'


def legend(classes: tuple[str, ...], width: float) -> tuple[str, float]:
    """Name the classes, in as many rows as they need; return the drawing and its height. No classes need none."""
    if not classes:
        return "", 0.0
    parts, x, y = [], 1.0, 0
    for kind, name in enumerate(classes):
        shown = wrap(name, width - 30, max_lines=1)[0]
        if x > 1 and x + 24 + text_width(shown) > width:
            x, y = 1.0, y + LINE
        parts.append(swatch(kind, x, y + 3, 16) + text(x + 23, y + 14, shown, full=name))
        x += 23 + text_width(shown) + 16
    return "".join(parts), y + LINE + 10
