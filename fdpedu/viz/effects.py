"""What each value of a feature adds to a score: steps for each feature, with a band around them, all on one scale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from fdpedu.printable import escape
from fdpedu.viz.page import PALETTE, styled, wrap
from fdpedu.viz.tree_marks import LINE, paragraph, svg_document, text

__all__ = ["draw_effects"]

_WIDTH, _LEFT, _RIGHT, _HEIGHT = 320, 52, 10, 130  # of a panel; room for numbers on the left; of what is drawn
MAX_PANELS = 60


def draw_effects(
    effects: Sequence[Mapping[str, Any]], *, towards: tuple[str, str], title: str, caption: str | None = None
) -> str:
    """Draw what values of features add to a score, one panel a feature, as HTML with accessible SVG.

    Parameters
    ----------
    effects
        For each feature ``name``, ``labels`` (a text for each of its values), ``values`` and ``half_widths``: what each
        value adds, and how far the band reaches to either side; optionally ``ends``, the texts under both ends of the
        axis, where the values are those of a number, and ``note``, what is said beside the name.
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
    across = (_WIDTH - _LEFT - _RIGHT) / len(values)

    def y(value: float) -> float:
        return top + _HEIGHT / 2 * (1 - value / reach)

    def steps(heights: Sequence[float], *, back: bool = False) -> str:
        ends = [(_LEFT + i * across, _LEFT + (i + 1) * across, y(h)) for i, h in enumerate(heights)]
        points = [(x, at) for a, b, at in ends for x in (a, b)]
        return "L".join(f"{x:.1f} {at:.1f}" for x, at in (reversed(points) if back else points))

    band = f"M{steps([v + w for v, w in zip(values, widths, strict=True)])}L" + steps(
        [v - w for v, w in zip(values, widths, strict=True)], back=True
    )
    left, right = effect.get("ends") or (effect["labels"][0], effect["labels"][-1])
    half = (_WIDTH - _LEFT - _RIGHT) / 2
    body = [
        paragraph(_LEFT, LINE - 4, name, called, bold=True),
        f'<path d="{band}z" fill="{PALETTE[0]}" fill-opacity="0.35"/>',
        f'<path d="M{_LEFT} {y(0):.1f}H{_WIDTH - _RIGHT}" stroke="currentColor" stroke-opacity="0.5"/>',
        f'<path d="M{steps(values)}" stroke="{PALETTE[0]}" stroke-width="2.5"/>',
        f'<path d="M{_LEFT} {top}v{_HEIGHT}" stroke="currentColor"/>',
    ]
    for at in (reach, 0.0, -reach):
        body.append(
            text(_LEFT - 6, y(at) + 5, f"{at:+.1f}".replace("-", "\N{MINUS SIGN}") if at else "0", anchor="end")
        )
    for x, words, anchor in ((_LEFT, left, "start"), (_WIDTH - _RIGHT, right, "end")):
        (shown,) = wrap(str(words), half - 6, max_lines=1)
        body.append(text(x, top + _HEIGHT + LINE, shown, anchor=anchor, full=str(words)))
    said = _said(effect, values, widths, towards)
    return svg_document("".join(body), _WIDTH, top + _HEIGHT + LINE + 10, called, said)


def _said(effect: Mapping[str, Any], values: Sequence[float], widths: Sequence[float], towards: tuple[str, str]) -> str:
    """What is to be seen, in words."""
    low, high = values.index(min(values)), values.index(max(values))
    return (
        f"{effect['name']}: from {values[low]:.2f} at {effect['labels'][low]} to {values[high]:.2f} at "
        f"{effect['labels'][high]}, with a band of at most {max(widths):.2f} to either side. "
        f"Above 0 speaks for {towards[1]}, below for {towards[0]}."
        + (f" It {effect['note']}." if effect.get("note") else "")
    )
