"""Curves of steps with bands: heights where the numbers are, on one scale, and said in words."""

import re
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.viz import draw_effects
from fdpedu.viz.effects import _HEIGHT, _LEFT, _RIGHT, _WIDTH, MAX_PANELS

TOWARDS = ("well", "ill")
numbers = st.integers(-40, 40).map(lambda n: n / 8)


@st.composite
def effects(draw):
    found = []
    for j in range(draw(st.integers(1, 3))):
        k = draw(st.integers(1, 5))
        values = draw(st.lists(numbers, min_size=k, max_size=k))
        widths = draw(st.lists(numbers.map(abs), min_size=k, max_size=k))
        labels = [f"value {i}" for i in range(k)]
        found.append({"name": f"x{j}", "labels": labels, "values": values, "half_widths": widths})
    return found


def drawings(html):
    return [ET.fromstring(svg) for svg in re.findall(r"<svg.*?</svg>", html, re.S)]


def points(path):
    return [tuple(map(float, pair.split())) for pair in re.split("[ML]", path.rstrip("z")) if pair]


@settings(max_examples=40, deadline=None)
@given(effects())
def test_steps_and_bands_are_where_the_numbers_are(found):
    """Each value is a level step of equal width; the band is as wide as said; all panels share one scale."""
    reach = max(abs(v) + w for one in found for v, w in zip(one["values"], one["half_widths"], strict=True)) or 1
    html = draw_effects(found, towards=TOWARDS, title="Curves")
    assert html == draw_effects(found, towards=TOWARDS, title="Curves") or 'id="fd-' in html
    for svg, one in zip(drawings(html), found, strict=True):
        paths = [path.get("d") for path in svg.iter() if path.tag.endswith("path")]
        band, zero, steps, _ = paths
        middle = float(re.match(r"M\S+ (\S+?)H", zero)[1])
        k, across = len(one["values"]), (_WIDTH - _LEFT - _RIGHT) / len(one["values"])
        for i, value in enumerate(one["values"]):
            for x, y in points(steps)[2 * i : 2 * i + 2]:
                assert y == pytest.approx(middle - value / reach * _HEIGHT / 2, abs=0.11)
                assert x == pytest.approx(_LEFT + i * across, abs=across + 0.11)
        outline = points(band)
        for i, width in enumerate(one["half_widths"]):
            upper, lower = outline[2 * i][1], outline[4 * k - 1 - 2 * i][1]
            assert lower - upper == pytest.approx(2 * width / reach * _HEIGHT / 2, abs=0.25)


def test_what_is_seen_is_said():
    one = {
        "name": "a < b",
        "labels": ["low", "high"],
        "values": [-1, 2],
        "half_widths": [0.5, 0.25],
        "ends": ("0", "9"),
    }
    html = draw_effects([one], towards=TOWARDS, title="Curves & bands", caption="read <it>")
    assert "from -1.00 at low to 2.00 at high, with a band of at most 0.50" in html
    assert "Above 0 speaks for ill, below for well." in html and "read &lt;it&gt;" in html
    assert 'aria-label="Curves &amp; bands"' in html and "a &lt; b" in html
    (svg,) = drawings(html)
    shown = [text.text for text in svg.iter() if text.tag.endswith("text")]
    assert {"0", "9", "+2.2", "\N{MINUS SIGN}2.2"} <= set(shown) and "low" not in shown


def test_a_flat_curve_can_be_drawn():
    (svg,) = drawings(draw_effects([{"name": "x", "labels": ["a"], "values": [0], "half_widths": [0]}], towards=TOWARDS,
                                   title="t"))  # fmt: skip
    assert svg.get("role") == "img"


@pytest.mark.parametrize(
    ("found", "named"),
    [
        ([], f"1 to {MAX_PANELS} features"),
        ([{"name": "x", "labels": ["a"], "values": [0], "half_widths": [0]}] * (MAX_PANELS + 1), f"{MAX_PANELS}"),
        ([{"name": "x", "labels": [], "values": [], "half_widths": []}], "'x'"),
        ([{"name": "x", "labels": ["a"], "values": [float("nan")], "half_widths": [0]}], "'x'"),
        ([{"name": "x", "labels": ["a", "b"], "values": [0, 1], "half_widths": [0]}], "'x'"),
    ],
)
def test_what_cannot_be_drawn_is_refused_by_name(found, named):
    with pytest.raises(ValueError, match=named):
        draw_effects(found, towards=TOWARDS, title="t")
