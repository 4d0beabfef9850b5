"""What every drawing of the book shares: colours, text on a page, faces for narrow and wide places, names.

A drawing has to be read on a white page, on a dark one, on paper and on a telephone. Four decisions make that simple:

- *Ink* is ``currentColor``: axes, edges and text take the colour of the text around them, whatever the theme.
- The six *colours* have a contrast of at least 3 to 1 on white and on the usual dark grounds (the bound of WCAG 2.2
  for graphics), so none of them changes with the theme. They also stay apart for colour-blind readers, and no figure
  relies on them alone: dashes, shapes, hatching or text say the same again.
- Text is never scaled. A drawing has a *face* for each range of widths, and the page shows the one that fits.
- Names (``id``) are made from the content, so that the same figure is the same text in every build.

Nothing here draws; see `fdpedu.viz.tree`, `fdpedu.viz.style` and `fdpedu.viz.slider`.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from importlib import resources

from fdpedu.printable import escape

__all__ = [
    "FONT",
    "INK",
    "MIN_TEXT",
    "PALETTE",
    "asset",
    "faces",
    "styled",
    "text_width",
    "unique_id",
    "wrap",
]

PALETTE = ("#0072b2", "#d55e00", "#6a8c62", "#8c627b", "#d80041", "#a430f2")
"""Blue, vermilion, sage, mauve, crimson, violet: the colours of classes and curves, in the order of use."""

INK = "#1f2328"
"""The ink of a drawing that stands alone; on a page the page's own text colour takes its place."""

MIN_TEXT = 14
"""No text in a drawing is smaller than this, in CSS pixels."""

FONT = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif"

# Upper bounds of advance widths, in tenths of the font size, of the widest of the usual faces (DejaVu Sans).
_WIDTHS = {
    3: "IJijl'|", 4: " !(),-./:;[\\]ft·", 5: '*_`r"', 6: "?FLcksvxyzε", 8: "&DGHNOQU",
    9: "#+<=>M^w~≤≥−≈∈∞", 10: "%@Wm…—",
}  # fmt: skip
_TENTHS = {letter: tenths for tenths, letters in _WIDTHS.items() for letter in letters}
_seen: Counter[str] = Counter()


def text_width(text: str, size: float = MIN_TEXT, *, bold: bool = False) -> float:
    """Bound the width of a line of text from above, in pixels, without asking a browser.

    Examples
    --------
    >>> text_width("ill", 10)
    9.0
    """
    tenths = sum(_TENTHS.get(letter, 7 if letter < "\u2e80" else 12) for letter in text)
    return tenths / 10 * size * (1.13 if bold else 1.0)


def wrap(text: str, width: float, *, bold: bool = False, max_lines: int = 3) -> list[str]:
    """Break text into lines no wider than `width` pixels; what does not fit ends in "…".

    A comparison stays with its number: no line ends in ≤.

    Examples
    --------
    >>> wrap("worst radius ≤ 16.8", 100)
    ['worst radius', '≤ 16.8']
    >>> wrap("unbreakable_feature_name", 100)
    ['unbreakab…']
    """
    lines: list[str] = []
    for word in re.split(r"(?<![≤<>≥=]) ", " ".join(text.split())):
        joined = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(joined, bold=bold) <= width:
            lines[-1] = joined
        else:
            lines.append(word)
    if len(lines) > max_lines:
        lines = [*lines[: max_lines - 1], f"{lines[max_lines - 1]}…"]
    return [_cut(line, width, bold) for line in lines] or [""]


def _cut(line: str, width: float, bold: bool) -> str:
    """Shorten one line until it fits, with "…" in the place of what is lost."""
    if text_width(line, bold=bold) <= width:
        return line
    kept = line.rstrip("…")
    while len(kept) > 1 and text_width(kept + "…", bold=bold) > width:
        kept = kept[:-1]
    return kept + "…"


def unique_id(content: str) -> str:
    """Name an element after its content; a second element with the same content in this process gets its number.

    Two pages that are built apart give the same name to the same figure; one page never has a name twice.
    """
    digest = "fd-" + hashlib.sha256(content.encode(errors="surrogatepass")).hexdigest()[:10]
    _seen[digest] += 1
    return digest if _seen[digest] == 1 else f"{digest}-{_seen[digest]}"


def asset(name: str) -> str:
    """Read one of the two small files that travel with this folder, ``viz.css`` or ``slider.js``."""
    text = resources.files("fdpedu.viz").joinpath(name).read_text(encoding="utf-8")
    return re.sub(r"^\s+|^//.*\n", "", text, flags=re.MULTILINE).strip()


def styled(svg: str, extra: str = "") -> str:
    """Put the style sheet inside the drawing, where HTML and SVG both allow one, and it applies to the whole page."""
    return re.sub(r"(<svg\b[^>]*>)", lambda tag: f"{tag[1]}<style>{asset('viz.css')}{extra}</style>", svg, count=1)


def faces(drawings: Sequence[tuple[int, str]], label: str) -> str:
    """Show, of several drawings of one thing, the one made for the width at hand.

    Parameters
    ----------
    drawings
        Pairs of the smallest width of the place, in pixels, and the ``<svg>``; ascending. The first is the one for
        all narrower places too: there it scrolls inside its own box.
    label
        What the box shows, for those who reach it by keyboard.
    """
    rules: list[str] = []
    boxes: list[str] = []
    for (start, svg), (stop, _) in zip(drawings, [*drawings[1:], (0, "")], strict=True):
        first = not boxes
        name = f"fd-{0 if first else start}-{stop}"
        query = " and ".join(
            ([] if first else [f"(min-width:{start}px)"]) + ([f"(max-width:{stop - 0.02}px)"] if stop else [])
        )
        if query:
            rules.append(f".{name}{{display:none}}@container {query}{{.{name}{{display:block}}}}")
        # Below 336 px not even a telephone's page is: only wider drawings need a box that the keyboard can scroll.
        reach = f' tabindex="0" role="group" aria-label="{escape(label)}"' if first and start > 336 else ""
        boxes.append(f'<div class="fd-face {name}"{reach}>{svg}</div>')
    return f'<div class="fd-faces">{styled("".join(boxes), "".join(rules))}</div>'
