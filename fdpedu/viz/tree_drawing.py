"""The drawings of a tree: top-down where it fits, an indented outline where it does not.

All are plain SVG in CSS pixels, with text of `MIN_TEXT` pixels, and none is ever scaled.
"""

from __future__ import annotations

from dataclasses import dataclass

from fdpedu.viz.page import text_width, wrap
from fdpedu.viz.tree_marks import LINE, bar, legend, paragraph, swatch, text, whisker
from fdpedu.viz.tree_nodes import Node, class_row, percent

__all__ = ["outline", "top_down"]

_PAD = 8  # of a card
_GAP_X, _GAP_Y = 10, 46  # between cards side by side, and between levels


@dataclass(frozen=True)
class _Card:
    """A node, drawn: its SVG with the origin at the middle of its upper side, and its size."""

    svg: str
    width: float
    height: float


def _frame(width: float, height: float, rounded: int, weight: float) -> str:
    size = f'x="{-width / 2:.1f}" y="0" width="{width:.1f}" height="{height:.1f}" rx="{rounded}"'
    return f'<rect {size} fill="currentColor" fill-opacity="0.04" stroke="currentColor" stroke-width="{weight}"/>'


def _split_card(node: Node) -> _Card:
    lines = wrap(node.text, 116)
    counted = [f"count {sum(node.counts)}"] if node.counts else []
    note = wrap(node.note, 116, max_lines=2) if node.note else []
    rows = lines + counted + note
    width = max(text_width(row) for row in rows) + 2 * _PAD
    height = len(rows) * LINE + _PAD
    body = paragraph(0, 18, lines, node.text, anchor="middle")
    body += paragraph(0, 18 + len(lines) * LINE, counted, "".join(counted), anchor="middle")
    body += paragraph(0, 18 + len(lines + counted) * LINE, note, node.note, anchor="middle")
    return _Card(_frame(width, height, 12, 3 if note else 1) + body, width, height)


def _classes(node: Node, x: float, y: float, width: float) -> tuple[str, float]:
    """A row for each class of a leaf with intervals, and its interval beside or, in a narrow place, below it.

    The lines of a leaf run from 0 to its largest number: where the intervals of two classes overlap on them, the label
    is not certain.
    """
    top = max(1, *node.counts, *(high for _, high in node.intervals))
    rows = [class_row(node, k) for k in range(len(node.probabilities))]
    after = 22 + max(map(text_width, rows)) + 10
    beside = width - after >= 50
    left, wide, step = (x + after, width - after, LINE) if beside else (x + 4, width - 8, LINE + 14)
    body = ""
    for k, row in enumerate(rows):
        at = y + k * step
        body += swatch(k, x, at + 6, 14) + text(x + 22, at + 17, row)
        ends = (node.intervals[k][0] / top, node.intervals[k][1] / top)
        counted = node.counts[k] / top if node.counts else None
        body += whisker(k, left, round(at) + (12 if beside else 26), wide - 4, ends, counted)
    return body, len(rows) * step


def _leaf_card(node: Node) -> _Card:
    """Two classes: the two numbers under the two ends of the bar. More, or intervals: a row for each class."""
    if not node.probabilities:
        return _label_card(node)
    if node.intervals:
        return _interval_card(node)
    label = wrap(node.text, 104, bold=True, max_lines=2)
    shares = [percent(share) for share in node.probabilities]
    counts = [str(count) for count in node.counts]
    two = len(shares) == 2
    rows = ([shares, counts] if counts else [shares]) if two else []
    lists = [] if two else [f"{s} ({c})" for s, c in zip(shares, counts, strict=True)] if counts else shares
    inner = max(
        [68.0, *(text_width(line, bold=True) for line in label)]
        + [text_width(a) + text_width(b) + 8 for a, b in rows] + [text_width(row) + 22 for row in lists]
    )  # fmt: skip
    y = 18 + len(label) * LINE
    body = paragraph(0, 18, label, node.text, anchor="middle", bold=True)
    body += bar(-inner / 2, y - 12, inner, node.probabilities)
    for k, (left, right) in enumerate(rows):
        body += text(-inner / 2, y + 16 + k * LINE, left) + text(inner / 2, y + 16 + k * LINE, right, anchor="end")
    for k, row in enumerate(lists):
        body += swatch(k, -inner / 2, y + 6 + k * LINE, 14) + text(-inner / 2 + 22, y + 17 + k * LINE, row)
    height = y + 16 + (len(rows or lists) - 1) * LINE + _PAD
    return _Card(_frame(inner + 2 * _PAD, height, 2, 2) + body, inner + 2 * _PAD, height)


def _label_card(node: Node) -> _Card:
    """A leaf of which only the label is known: the sign of its class, and its name. Or one that is a number."""
    lines = wrap(node.text, 104, bold=True, max_lines=2)
    if node.kind is None:
        return _number_card(node, lines)
    inner = 22 + max(text_width(line, bold=True) for line in lines)
    body, width, height = _labelled(node, lines, -inner / 2, 18), inner + 2 * _PAD, len(lines) * LINE + _PAD
    return _Card(_frame(width, height, 2, 2) + body, width, height)


def _number_card(node: Node, lines: list[str]) -> _Card:
    """A leaf that is a number, and below it how many rows were counted, if that is known."""
    counted = [f"count {sum(node.counts)}"] if node.counts else []
    inner = max([*(text_width(line, bold=True) for line in lines), *map(text_width, counted)])
    height = (len(lines) + len(counted)) * LINE + _PAD
    body = paragraph(0, 18, lines, node.text, anchor="middle", bold=True)
    body += paragraph(0, 18 + len(lines) * LINE, counted, "".join(counted), anchor="middle")
    return _Card(_frame(inner + 2 * _PAD, height, 2, 2) + body, inner + 2 * _PAD, height)


def _labelled(node: Node, lines: list[str], x: float, y: float) -> str:
    """The lines of a label behind the sign of its class; a number has no sign, and its count behind it."""
    if node.kind is None:
        counted = f"count {node.counts[0]}" if node.counts else ""
        after = x + text_width(lines[-1], bold=True) + 14
        return paragraph(x, y, lines, node.text, bold=True) + text(after, y + (len(lines) - 1) * LINE, counted)
    return swatch(node.kind, x, y - 11, 14) + paragraph(x + 22, y, lines, node.text, bold=True)


def _interval_card(node: Node) -> _Card:
    """A leaf with intervals: its label, its bar, and below them each class with its interval."""
    label = wrap(node.text, 104, bold=True, max_lines=2)
    rows = [class_row(node, k) for k in range(len(node.probabilities))]
    inner = max([*(text_width(line, bold=True) for line in label), *(22 + text_width(row) for row in rows)])
    y = 18 + len(label) * LINE
    body = paragraph(0, 18, label, node.text, anchor="middle", bold=True)
    below, height = _classes(node, -inner / 2, y, inner)
    body += bar(-inner / 2, y - 12, inner, node.probabilities) + below
    width, height = inner + 2 * _PAD, y + height + _PAD
    return _Card(_frame(width, height, 2, 2) + body, width, height)


@dataclass
class _Placed:
    """A subtree in place: the position of its root and, level by level, how far it reaches left and right of it."""

    node: Node
    card: _Card
    offsets: tuple[float, ...]
    children: tuple[_Placed, ...]
    reach: list[tuple[float, float]]


def _stack(node: Node) -> _Placed:
    """Set two leaves one below the other, on a rail that hangs from their split: half as wide as side by side."""
    card = _split_card(node)
    rail = int(-card.width / 2 + 10) + 0.5
    parts, y, right = [card.svg], card.height + 10, card.width / 2
    for child, answer in zip(node.children, ("yes", "no"), strict=False):
        below = _leaf_card(child)
        line = f'<path d="M{rail} {card.height:.1f}V{int(y) + 18.5}h34" stroke="currentColor"/>'
        parts.append(line + text(rail + 5, y + 14, answer))
        parts.append(f'<g transform="translate({rail + 34 + below.width / 2:.1f} {y:.1f})">{below.svg}</g>')
        y, right = y + below.height + 10, max(right, rail + 34 + below.width)
    whole = _Card("".join(parts), right + card.width / 2, y - 10)
    return _Placed(node, whole, (), (), [(-card.width / 2, right)])


def _place(node: Node, compact: bool) -> _Placed:
    """Set two subtrees as close as their outlines allow, level by level, and their parent above their middle."""
    if compact and node.height == 1:
        return _stack(node)
    card = _split_card(node) if node.children else _leaf_card(node)
    own = (-card.width / 2, card.width / 2)
    if not node.children:
        return _Placed(node, card, (), (), [own])
    left, right = (_place(child, compact) for child in node.children)
    apart = max(a[1] - b[0] for a, b in zip(left.reach, right.reach, strict=False)) + _GAP_X
    shifted = [[(a - apart / 2, b - apart / 2) for a, b in left.reach],
               [(a + apart / 2, b + apart / 2) for a, b in right.reach]]  # fmt: skip
    below = []
    for level in range(max(len(left.reach), len(right.reach))):
        spans = [side[level] for side in shifted if level < len(side)]
        below.append((min(a for a, _ in spans), max(b for _, b in spans)))
    return _Placed(node, card, (-apart / 2, apart / 2), (left, right), [own, *below])


def _edge(x: float, y: float, child_x: float, child_y: float, answer: str) -> str:
    """Draw the elbow from a split down to a child, with the answer beside its lower end, on the outer side."""
    sign = -1 if child_x < x else 1
    turn = child_y - _GAP_Y + 16
    down, end = int(x) + 0.5, int(child_x) + 0.5
    d = f"M{down} {y:.1f}V{int(turn) + 0.5}H{end - sign * 8}q{sign * 8} 0 {sign * 8} 8V{child_y:.1f}"
    label = text(child_x - sign * 6, child_y - 8, answer, anchor="start" if sign < 0 else "end")
    return f'<path d="{d}" stroke="currentColor"/>{label}'


def top_down(root: Node, classes: tuple[str, ...], *, compact: bool = False) -> tuple[str, float, float]:
    """Draw the root above and its children below; return the body of the SVG, its width and its height.

    With `compact`, two leaves of one split stand one below the other.
    """
    placed = _place(root, compact)
    left, right = min(a for a, _ in placed.reach), max(b for _, b in placed.reach)
    tallest = [0.0] * len(placed.reach)
    stack = [placed]
    while stack:
        item = stack.pop()
        tallest[item.node.depth] = max(tallest[item.node.depth], item.card.height)
        stack += item.children
    key, top = legend(classes, max(right - left, 260))
    tops = [top + 1 + sum(tallest[:level]) + level * _GAP_Y for level in range(len(tallest))]
    parts: list[str] = []

    def draw(item: _Placed, x: float) -> None:
        y = tops[item.node.depth]
        for child, offset, answer in zip(item.children, item.offsets, ("yes", "no"), strict=False):
            parts.append(_edge(x, y + item.card.height, x + offset, tops[child.node.depth], answer))
            draw(child, x + offset)
        parts.append(f'<g transform="translate({x:.1f} {y:.1f})">{item.card.svg}</g>')

    width = max(right - left, 260) + 4
    draw(placed, (width - (right - left)) / 2 - left)
    return key + "".join(parts), width, tops[-1] + tallest[-1] + 2


def outline(root: Node, classes: tuple[str, ...], width: float) -> tuple[str, float, float]:
    """Draw a row for each node, indented by its depth; return the body of the SVG, its width and its height."""
    key, y = legend(classes, width)
    parts, rails = [key], dict[int, float]()
    for node, answer in _rows(root):
        x = 1 + node.depth * 18
        if answer:
            rail = x - 9.5
            parts.append(f'<path d="M{rail} {rails[node.depth - 1]:.0f}V{int(y) + 13.5}h9" stroke="currentColor"/>')
            parts.append(text(x + 3, y + 18, answer))
        row, height = _outline_row(node, x + (32 if answer else 0), y, width)
        parts.append(row)
        rails[node.depth] = y + (height if node.children else 13)
        y += height + 6
    return "".join(parts), width, y


def _rows(node: Node, answer: str = "") -> list[tuple[Node, str]]:
    below = [row for child, word in zip(node.children, ("yes", "no"), strict=False) for row in _rows(child, word)]
    return [(node, answer), *below]


def _outline_row(node: Node, x: float, y: float, width: float) -> tuple[str, float]:
    """Draw one node with its text at x; return it and its height."""
    bold = not node.children
    if bold and not node.probabilities:
        lines = wrap(node.text, width - x - 28, bold=True)
        return _labelled(node, lines, x + 3, y + 18), len(lines) * LINE + 7.0
    lines = wrap(node.text, width - x - 6, bold=bold)
    body = paragraph(x + 3, y + 18, lines, node.text, bold=bold)
    height = len(lines) * LINE + 7.0
    if node.children:
        note = wrap(node.note, width - x - 6, max_lines=2) if node.note else []
        return body + paragraph(x + 3, y + 18 + len(lines) * LINE, note, node.note), height + len(note) * LINE
    if node.intervals:
        below, tall = _classes(node, x + 3, y + height + 14, width - x - 6)
        return body + bar(x + 3, y + height, width - x - 9, node.probabilities) + below, height + tall + 14
    shares = " · ".join(percent(share) for share in node.probabilities)
    shares += f" ({', '.join(map(str, node.counts))})" if node.counts else ""
    after = x + text_width(lines[-1], bold=True) + 14
    if after + 78 + text_width(shares) > width:
        after, height = x + 3, height + LINE
    line = y + height - 8
    shown = wrap(shares, width - after - 78, max_lines=3)
    body += bar(after, line - 11, 68, node.probabilities) + paragraph(after + 78, line, shown, shares)
    return body, height + (len(shown) - 1) * LINE
