"""Two figures of one thing, side by side where the place is wide enough, and one below the other where it is not."""

from __future__ import annotations

from fdpedu.printable import escape
from fdpedu.viz.style import Picture

__all__ = ["side_by_side"]


def side_by_side(*figures: object, alt: str, caption: str | None = None) -> Picture:
    """Put figures side by side: a tree, and the derivation of what it cost.

    Each figure shows the face that fits its own part of the place; parts are at least 340 pixels wide, or as wide as
    the place itself.

    Parameters
    ----------
    *figures
        Two or more: HTML as `draw_tree` and `draw_derivation` return it, or objects that a notebook shows as HTML.
    alt
        What is side by side, in a few words, for those who do not see it.
    caption
        What the reader should conclude, shown below.

    Raises
    ------
    ValueError
        If there are fewer than two figures, one of them has no HTML, or `alt` is empty.

    Examples
    --------
    >>> side_by_side("<p>a tree</p>", "<p>its cost</p>", alt="A tree beside its cost.")
    [figure: A tree beside its cost.]
    """
    words = str(alt).strip()
    if not words:
        raise ValueError("alt: figures side by side need a few words that say what they are, got nothing")
    if len(figures) < 2:
        raise ValueError(f"figures: two or more are needed, got {len(figures)}")
    parts = "".join(f"<div>{_html(figure, i)}</div>" for i, figure in enumerate(figures, 1))
    below = f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
    return Picture(
        f'<figure class="fdpedu mathjax_ignore" aria-label="{escape(words)}">'
        f'<div class="fd-beside">{parts}</div>{below}</figure>',
        words,
    )


def _html(figure: object, number: int) -> str:
    if isinstance(figure, str):
        return figure
    shown = getattr(figure, "_repr_html_", None)
    if not callable(shown) or isinstance(figure, type):
        raise ValueError(f"figure {number} must be HTML, or an object with _repr_html_, got {type(figure).__name__}")
    return str(shown())
