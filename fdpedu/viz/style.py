"""One style for every matplotlib figure of the book, and the way a figure gets onto a page.

Inside ``with figure_style():`` figures are drawn in neutral ink on nothing, with the book's colours and dashes.
`show_figure` then turns a figure into SVG whose ink is the text colour of the page it lands on, so that it is read in
light and dark and on paper. It does not scale the figure for a telephone: it lays it out a second time, narrow, with
letters of the same size, and the page shows the one that fits.

matplotlib is imported when a function needs it, not before.
"""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fdpedu.files import PreparedFile
from fdpedu.printable import escape
from fdpedu.viz.page import INK, MIN_TEXT, PALETTE, faces, unique_id

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Picture", "figure_style", "show_figure"]

_SLIDE = '<?xml version="1.0" encoding="utf-8"?>\n<svg role="img" stroke-linejoin="round"'  # by which one is known
_POINTS = 72  # user units to an inch in matplotlib's SVG; shown one to one as CSS pixels
_WIDE, _NARROW = (640 / _POINTS, 380 / _POINTS), (340 / _POINTS, 290 / _POINTS)
_DASHES = ("-", (0, (6, 2)), (0, (1.5, 1.5)), (0, (8, 2, 1.5, 2)), (0, (4, 1, 1, 1, 1, 1)), (0, (10, 4)))
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@contextmanager
def figure_style() -> Iterator[None]:
    """Draw figures in the style of the book inside a ``with`` block.

    Colours and dashes change together, so that curves can be told apart without colour. A figure is 640 pixels wide
    (``figsize`` in inches of 72 pixels) and its text 15 pixels high. A legend that must not lie on curves goes outside:
    ``fig.legend(loc="outside upper left", ncols=2)``.

    Examples
    --------
    >>> import matplotlib
    >>> with figure_style():
    ...     matplotlib.rcParams["font.size"]
    15.0
    """
    import matplotlib

    with matplotlib.rc_context(_parameters()):
        yield


def _parameters() -> Any:
    """Give the settings of the style; ink is one known colour, which `show_figure` replaces."""
    from cycler import cycler

    ink = dict.fromkeys(("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color",
                         "patch.edgecolor", "hatch.color", "grid.color", "boxplot.boxprops.color"), INK)  # fmt: skip
    cycle = cycler(color=PALETTE) + cycler(linestyle=_DASHES)
    sizes = dict.fromkeys(("font.size", "axes.titlesize", "axes.labelsize", "xtick.labelsize", "ytick.labelsize",
                           "legend.fontsize", "legend.title_fontsize", "figure.titlesize"), 15)  # fmt: skip
    clear = dict.fromkeys(("figure.facecolor", "axes.facecolor", "savefig.facecolor"), "none")
    return {
        **ink, **sizes, **clear,
        "axes.prop_cycle": cycle, "axes.grid": True, "grid.alpha": 0.25, "grid.linewidth": 0.8,
        "axes.spines.top": False, "axes.spines.right": False, "axes.linewidth": 1, "axes.axisbelow": True,
        "lines.linewidth": 2.2, "lines.markersize": 6, "lines.markeredgewidth": 0, "patch.linewidth": 1,
        "legend.frameon": False, "legend.handlelength": 2.6, "axes.titlelocation": "left",
        "figure.figsize": _WIDE, "figure.dpi": _POINTS, "figure.constrained_layout.use": True,
        "font.family": "sans-serif", "font.sans-serif": ["DejaVu Sans", "Verdana", "Arial", "sans-serif"],
        "svg.fonttype": "none", "svg.hashsalt": "fdpedu", "axes.formatter.use_mathtext": False,
    }  # fmt: skip


class Picture:
    """HTML that a notebook and the book show as it is; ``str(picture)`` is the HTML."""

    def __init__(self, html: str, alt: str) -> None:
        self._html, self._alt = html, alt

    def _repr_html_(self) -> str:
        return self._html

    def __str__(self) -> str:
        return self._html

    def __repr__(self) -> str:
        return f"[figure: {self._alt}]"


def show_figure(
    fig: Figure,
    *,
    alt: str,
    caption: str | None = None,
    slide: str | Path | None = None,
    narrow: Figure | bool = True,
    overwrite: bool = False,
) -> Picture:
    """Turn a matplotlib figure into SVG that can be read by everyone, and close it.

    Parameters
    ----------
    fig
        A figure drawn inside `figure_style`, with no text under 14 points.
    alt
        What is to be seen, for those who do not see it. It cannot be left out.
    caption
        What to conclude, shown below the figure.
    slide
        A file to write a standalone SVG to: dark ink on nothing, letters as shapes, so that it looks the same on
        every machine. A relative name counts from the folder in the environment variable ``FDPEDU_SLIDES``, as when
        the book is built; without that folder nothing is written.
    narrow
        What a telephone shows: ``True``, the same figure laid out again at 340 pixels; another figure; or ``False``,
        the wide figure in a box that scrolls (for several panels side by side, when no better figure is at hand).
    overwrite
        Whether the slide may take the place of a file that is no slide; an earlier slide makes way.

    Raises
    ------
    ValueError
        If `alt` is empty or a text is too small to read, or if something else stands where the slide is to be.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> with figure_style():
    ...     fig = Figure()
    ...     _ = fig.add_subplot().plot([0, 1], [0, 1])
    ...     picture = show_figure(fig, alt="A line rises from 0 to 1.")
    >>> picture
    [figure: A line rises from 0 to 1.]
    """
    if not str(alt).strip():
        raise ValueError("alt: a figure needs a sentence that says what is to be seen, got nothing")
    _check_text(fig)
    folder = os.environ.get("FDPEDU_SLIDES")
    if slide is not None and (folder or Path(slide).is_absolute()):
        _write_slide(fig, Path(folder or "", slide), alt, overwrite)
    drawings = [_drawing(fig, alt)]
    if narrow is not False:
        small = fig if narrow is True else narrow
        _check_text(small)
        if narrow is True:
            small.set_size_inches(*_narrow_size(fig))
        drawings.insert(0, _drawing(small, alt))
        _close(small)
    _close(fig)
    below = f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
    return Picture(f'<figure class="fdpedu mathjax_ignore">{faces(drawings, alt)}{below}</figure>', alt)


def _narrow_size(fig: Figure) -> tuple[float, float]:
    """Give the size on a telephone; a tall figure stays as tall as it is."""
    return _NARROW[0], max(_NARROW[1], fig.get_size_inches()[1] if len(fig.axes) > 1 else 0)


def _check_text(fig: Figure) -> None:
    from matplotlib.text import Text

    for item in fig.findobj(Text):
        size = float(item.get_fontsize()) if isinstance(item, Text) else MIN_TEXT
        if isinstance(item, Text) and item.get_visible() and item.get_text() and size < MIN_TEXT:
            words = f"{item.get_text()!r} is {size:g} (draw it inside figure_style())"
            raise ValueError(f"fig: no text may be under {MIN_TEXT} points, but {words}")


def _close(fig: Figure) -> None:
    """Keep a notebook from showing the figure a second time; does nothing where pyplot is not in use."""
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close(fig)


def _raw_svg(fig: Figure, fonttype: str) -> str:
    import matplotlib

    _plain_powers(fig)
    buffer = io.StringIO()
    with matplotlib.rc_context({"svg.fonttype": fonttype, "svg.hashsalt": "fdpedu"}):
        fig.savefig(buffer, format="svg", transparent=True, dpi=_POINTS, metadata={"Date": None, "Creator": None})
    svg = buffer.getvalue()
    svg = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", svg[svg.index("<svg") :], flags=re.DOTALL)
    # The style sheet in it would apply to the whole page; what it says moves to the root.
    return re.sub(r"<defs>\s*<style.*?</style>\s*</defs>", "", svg, flags=re.DOTALL)


def _plain_powers(fig: Figure) -> None:
    """Write 10⁻³ on logarithmic axes with raised characters: matplotlib's own exponents are too small to read."""
    from matplotlib.ticker import FuncFormatter, LogFormatterMathtext

    for axis in (axis for axes in fig.axes for axis in (axes.xaxis, axes.yaxis)):
        if isinstance(axis.get_major_formatter(), LogFormatterMathtext):
            axis.set_major_formatter(FuncFormatter(lambda value, _: _power(value)))
            axis.set_minor_formatter(FuncFormatter(lambda value, _: ""))


def _power(value: float) -> str:
    """Write a power of ten.

    Examples
    --------
    >>> _power(0.001), _power(1), _power(100000)
    ('0.001', '1', '10⁵')
    """
    if 1e-3 <= value < 1e5 or value <= 0:
        return f"{value:g}"
    mantissa, exponent = f"{value:.0e}".split("e")
    raised = "10" + str(int(exponent)).translate(_RAISED)
    return raised if mantissa == "1" else f"{mantissa}·{raised}"


def _drawing(fig: Figure, alt: str) -> tuple[int, str]:
    """Render a figure for a page; return its width in pixels, and the SVG with the page's ink and names of its own."""
    svg = _raw_svg(fig, "none")
    width, height = (round(_POINTS * side) for side in fig.get_size_inches())
    used = set(re.findall(r'(?:url\(#|xlink:href="#)([^)"]+)', svg))
    name = unique_id(svg + alt)
    svg = re.sub(r' id="([^"]+)"', lambda m: f' id="{name}-{m[1]}"' if m[1] in used else "", svg)
    svg = re.sub(r'url\(#|xlink:href="#', lambda m: f"{m[0].removeprefix('xlink:')}{name}-", svg)
    svg = re.sub(f"(?i){INK}|#000000", "currentColor", svg)
    svg = re.sub(r"<[^>]+>", lambda tag: re.sub(r"(\.\d\d)\d+|\s+", lambda m: m[1] or " ", tag[0]), svg)
    svg = re.sub(r">\s+<", "><", svg)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="fdpedu" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" aria-label="{escape(alt)}" fill="currentColor" '
        'stroke-linejoin="round" stroke-linecap="butt">'
    )
    return width, re.sub(r"<svg\b[^>]*>", lambda _: head, svg, count=1).strip()


def _write_slide(fig: Figure, path: Path, alt: str, overwrite: bool) -> None:
    """Write the figure as a file that any program can show: no style sheet, no fonts, no page around it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with PreparedFile(path, overwrite=overwrite, own=_SLIDE) as place:
        svg = re.sub(r"<svg\b", _SLIDE, _raw_svg(fig, "path"), count=1)
        svg = re.sub(r"<svg\b[^>]*>", lambda tag: f"{tag[0]}<title>{escape(alt)}</title>", svg, count=1)
        place.write(f"{svg.strip()}\n")
