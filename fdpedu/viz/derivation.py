"""A derivation for the eye: each step a row, indented under the step that rests on it, with its cost as a bar."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fdpedu.printable import escape
from fdpedu.viz.page import faces, text_width, wrap
from fdpedu.viz.tree_marks import LINE, paragraph, svg_document, text

__all__ = ["draw_derivation"]

_WIDTHS = (336, 560, 840)
_BAR, _MAX_ROWS = 90, 400
Row = tuple[int, Mapping[str, Any]]


def draw_derivation(root: Mapping[str, Any], *, title: str, caption: str | None = None) -> str:
    """Draw a derivation as accessible SVG, in three widths of which the page shows the one that fits.

    Parameters
    ----------
    root
        Nested dicts: ``cost`` (text such as ``"1/2"``), ``text`` (why), ``share`` (of the whole cost, 0 to 1), and
        ``below``, a list of the same.
    title
        What the derivation is, in a few words.
    caption
        What the reader should conclude, shown below.

    Raises
    ------
    ValueError
        If the title is empty, a step is not as described, or there are more than 400 of them.

    Examples
    --------
    >>> html = draw_derivation({"cost": "1", "text": "a count", "share": 1.0, "below": []}, title="One release")
    >>> "1 step. Step 1 costs 1: a count." in html
    True
    """
    words = str(title).strip()
    if not words:
        raise ValueError("title: a derivation needs a few words that say what it is, got nothing")
    rows = list(_rows(root))
    if len(rows) > _MAX_ROWS:
        raise ValueError(f"a derivation of at most {_MAX_ROWS} steps can be drawn, this one has {len(rows)}")
    story = f"{len(rows)} step{'s' * (len(rows) > 1)}. " + " ".join(
        f"Step {i}{', under it' * (depth > 0)} costs {step['cost']}: {step['text']}."
        for i, (depth, step) in enumerate(rows, 1)
    )
    drawings = []
    for width in _WIDTHS:
        body, height = _draw(rows, width)
        drawings.append((width, svg_document(body, width, height, words, story)))
    below = f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
    return f'<figure class="fdpedu fd-derivation mathjax_ignore">{faces(drawings, words)}{below}</figure>'


def _rows(step: Mapping[str, Any], depth: int = 0) -> Iterator[Row]:
    if not isinstance(step, Mapping) or not {"cost", "text", "share", "below"} <= set(step):
        raise ValueError("a step must be a dict with cost, text, share and below")
    if not 0 <= float(step["share"]) <= 1 or depth > 60:
        raise ValueError("share must lie between 0 and 1, and steps at most 60 deep")
    yield depth, step
    for premise in step["below"]:
        yield from _rows(premise, depth + 1)


def _draw(rows: list[Row], width: int) -> tuple[str, float]:
    """The rows one below the other: rail, bar, cost, and the reason wrapped to what is left of the width."""
    indent = 18 if width > _WIDTHS[0] else 10
    bar = _BAR if width > _WIDTHS[0] else 40
    parts, rails, y = list[str](), dict[int, float](), 4.0
    for depth, step in rows:
        x = 1 + min(depth * indent, width // 3)
        cost, why = str(step["cost"]), str(step["text"])
        after = x + bar + 8
        inline = text_width(cost, bold=True) + 10
        lines = wrap(why, max(60, width - after - inline), max_lines=6)
        if depth:
            rail = x - indent / 2 - 0.5
            parts.append(f'<path d="M{rail} {rails[depth - 1]:.0f}V{int(y) + 10.5}H{x}" stroke="currentColor"/>')
        frame = f'<rect x="{x}" y="{y + 4:.0f}" width="{bar}" height="12" stroke="currentColor" stroke-opacity="0.4"/>'
        size = f'width="{bar * float(step["share"]):.1f}" height="12"'
        filled = f'<rect x="{x}" y="{y + 4:.0f}" {size} fill="#0072b2" fill-opacity="0.6" stroke="currentColor"/>'
        parts.append(f"<g>{frame}{filled}</g>")
        parts.append(text(after, y + 15, cost, bold=True) + paragraph(after + inline, y + 15, lines, why))
        rails[depth] = y + 16
        y += max(1, len(lines)) * LINE + 6
    return "".join(parts), y
