"""Figures that move with a slider, with two faces.

On a page of the book there is no Python: the figure is an SVG in its first position, and a small script
(``slider.js``) that redraws it from numbers computed here when the reader moves a native range control. Without
JavaScript, and on paper, the first position and its description in words remain. In a notebook with ipywidgets the same
object shows a `SelectionSlider` and redraws in Python. With the environment variable ``FDPEDU_STATIC=1``, as when the
book is built, no widget is made at all.

A figure is made of panels, see `fdpedu.viz.panels`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from typing import Any

from fdpedu.printable import escape
from fdpedu.viz.page import asset
from fdpedu.viz.panel_drawing import motion, picture
from fdpedu.viz.panels import Panel

__all__ = ["SliderPlot", "slider_plot"]


def table_of_positions(
    said: str, caption: str, label: str, values: Sequence[str], rows: Iterable[tuple[str, Sequence[str]]]
) -> str:
    """Give a table with a column for each position, to be read where there is no slider; ``said`` says what it is."""
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in (label, *values))
    body = "".join(
        f'<tr><th scope="row">{escape(name)}</th>{"".join(f"<td>{escape(cell)}</td>" for cell in cells)}</tr>'
        for name, cells in rows
    )
    return (
        f'<div class="fd-survivors" tabindex="0" role="group" aria-label="{escape(said)}"><table>'
        f"<caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


class SliderPlot:
    """A figure with a slider; a notebook and the book show it as the last value of a cell. Made by `slider_plot`."""

    def __init__(
        self,
        panels: Sequence[Panel],
        label: str,
        values: list[str],
        texts: list[str],
        alt: str,
        start: int,
        caption: str,
    ) -> None:
        self.panels, self.label, self.values, self.texts = tuple(panels), label, values, texts
        self.alt, self.start, self.caption = alt, start, caption
        self._moves = motion(self.panels, len(values))

    def words(self, position: int) -> str:
        """Say in words what one position shows."""
        text = self.texts[position]
        return f"{self.label} = {self.values[position]}" + (f": {text}" if text else "")

    def frame(self, position: int) -> str:
        """Draw one position as HTML, with its words and without a control."""
        drawing = f"{self._drawing(position)}{self._words_below(position)}{self._below()}"
        return f'<div class="fdpedu fd-slider mathjax_ignore" data-ready>{drawing}</div>'

    def _drawing(self, position: int) -> str:
        return picture(self.panels, self._moves, position, self.alt)

    def _face(self) -> str:
        """Give what the script moves, in its first position."""
        return self._drawing(self.start)

    def _below(self) -> str:
        """Give what stands below the words in every position."""
        return ""

    def _words_below(self, position: int) -> str:
        return f'<output aria-live="polite">{escape(self.words(position))}</output>'

    def _control(self) -> str:
        shown = escape(self.values[self.start])
        return (
            f'<div class="fd-control" hidden><label>{escape(self.label)} <input type="range" min="0" '
            f'max="{len(self.values) - 1}" step="1" value="{self.start}" autocomplete="off" aria-valuetext="{shown}"> '
            f'<span class="fd-value" aria-hidden="true">{shown}</span></label></div>'
        )

    def _repr_html_(self) -> str:
        """Give the face of the static page."""
        texts = [self.words(position) for position in range(len(self.values))]
        data = {**self._moves, "values": self.values, "texts": texts}
        numbers = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
        below = f"<figcaption>{escape(self.caption)}</figcaption>" if self.caption else ""
        return (
            f'<figure class="fdpedu fd-slider mathjax_ignore">{self._control()}'
            f"{self._face()}{self._words_below(self.start)}{self._below()}"
            f'<script type="application/json">{numbers}</script><script>{asset("slider.js")}</script>{below}</figure>'
        )

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        """Give the widget where there can be one, and the face of the static page beside it."""
        bundle: dict[str, Any] = {"text/plain": repr(self), "text/html": self._repr_html_()}
        if os.environ.get("FDPEDU_STATIC", "") in ("", "0"):
            try:
                bundle |= {**self.widget()._repr_mimebundle_(), **bundle}
            except ImportError:
                pass  # the HTML works alone, in a trusted notebook as on a page
        return bundle

    def widget(self) -> Any:
        """Build the face of a live notebook from plain ipywidgets."""
        import ipywidgets

        view = ipywidgets.HTML(self.frame(self.start))
        options = [(value, position) for position, value in enumerate(self.values)]
        control = ipywidgets.SelectionSlider(
            options=options, value=self.start, description=self.label, style={"description_width": "initial"},
            layout={"width": "95%"},
        )  # fmt: skip
        control.observe(lambda change: setattr(view, "value", self.frame(change["new"])), names="value")
        below = [ipywidgets.HTML(f"<p>{escape(self.caption)}</p>")] if self.caption else []
        return ipywidgets.VBox([control, view, *below])

    def __repr__(self) -> str:
        return f"[figure with a slider: {self.alt}] {self.words(self.start)}"


def slider_plot(
    *panels: Panel,
    label: str,
    values: Sequence[object],
    alt: str,
    text: Sequence[str] | None = None,
    start: int = 0,
    caption: str | None = None,
) -> SliderPlot:
    """Make a figure that the reader moves: panels one below the other, and one slider for all of them.

    Parameters
    ----------
    *panels
        One or more `Panel`; what moves in them is wrapped in `Moving`, with one entry for each position.
    label
        What the slider changes, in a few words.
    values
        What it is set to in each position: numbers or texts, at least two.
    alt
        What is to be seen, for those who do not see it. It cannot be left out.
    text
        One sentence for each position: what has changed. It is shown below, printed, and read out.
    start
        The first position, shown before anything is moved and on paper.
    caption
        What the reader should conclude, shown below.

    Raises
    ------
    ValueError
        If `alt` is empty, or the number of texts, values or moving entries does not agree.

    Examples
    --------
    >>> from fdpedu.viz import Curve, Moving, Panel
    >>> slopes = [0, 1, 2]
    >>> slider_plot(
    ...     Panel("x", "y", [Curve([0, 1], Moving([[0, s] for s in slopes]), "y = s x")]),
    ...     label="slope", values=slopes, text=["level", "rising", "steep"], alt="A line from 0 that turns.")
    [figure with a slider: A line from 0 that turns.] slope = 0: level
    """
    if not str(alt).strip():
        raise ValueError("alt: a figure needs a sentence that says what is to be seen, got nothing")
    if not panels:
        raise ValueError("panels: at least one is needed")
    shown = [value if isinstance(value, str) else f"{value:g}".replace("-", "−") for value in values]
    texts = [""] * len(shown) if text is None else [str(line) for line in text]
    if len(shown) < 2 or len(texts) != len(shown):
        raise ValueError(f"values, text: two or more of each, and as many; got {len(shown)} and {len(texts)}")
    if not 0 <= start < len(shown):
        raise ValueError(f"start must be a position from 0 to {len(shown) - 1}, got {start}")
    return SliderPlot(panels, str(label), shown, texts, str(alt), start, caption or "")
