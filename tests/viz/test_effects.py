"""Curves of steps with bands: heights where the numbers are, on one scale, and said in words."""

import re
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.viz import draw_effects
from fdpedu.viz.effects import _HEIGHT, _LEFT, _RIGHT, _WIDTH, MAX_PANELS
from fdpedu.viz.page import text_width

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
        "edges": ("0", "4", "9"),
    }
    html = draw_effects([one], towards=TOWARDS, title="Curves & bands", caption="read <it>")
    assert "from -1.00 at low to 2.00 at high, with a band of at most 0.50" in html
    assert "Above 0 speaks for ill, below for well." in html and "read &lt;it&gt;" in html
    assert 'aria-label="Curves &amp; bands"' in html and "a &lt; b" in html
    (svg,) = drawings(html)
    shown = [text.text for text in svg.iter() if text.tag.endswith("text")]
    assert {"0", "4", "9", "+2.2", "\N{MINUS SIGN}2.2"} <= set(shown) and "low" not in shown


def number(bins, first, width, missing):
    edges = [str(first + i * width) for i in range(bins + 1)]
    labels = [f"bin {i}" for i in range(bins)] + ["missing"] * missing
    values = [0.5] * bins + [0.75] * missing
    return {"name": "x", "labels": labels, "values": values, "half_widths": [0.1] * len(labels), "edges": edges}


def words_below(svg):
    """Where each text starts and ends, of those in the lowest line of an axis."""
    found = [(float(t.get("x")), float(t.get("y")), t.text) for t in svg.iter() if t.tag.endswith("text")]
    lowest = max(y for _, y, _ in found)
    return [(x - text_width(words) / 2, x + text_width(words) / 2, words) for x, y, words in found if y == lowest]


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 256), st.integers(-(10**6), 10**6), st.integers(1, 10**4), st.booleans())
def test_borders_of_bins_stand_below_and_do_not_touch(bins, first, width, missing):
    """Both ends always, others in equal distances; the missing value has its word, and its step touches no other."""
    one = number(bins, first, width, missing)
    (svg,) = drawings(draw_effects([one], towards=TOWARDS, title="t"))
    found = words_below(svg)
    texts = [words for _, _, words in found]
    assert texts[0] == one["edges"][0] and ("missing" in texts) == missing
    at = [one["edges"].index(words) for words in texts if words != "missing"]
    assert at[-1] == bins and len({b - a for a, b in pairwise(at[:-1])}) <= 1
    assert all(right[0] > left[1] for left, right in pairwise(found))
    assert found[0][0] >= 0 and found[-1][1] <= _WIDTH
    steps = next(p.get("d") for p in svg.iter() if p.get("stroke-width") == "2.5")
    pieces = [points(piece) for piece in steps.split("M")[1:]]
    assert len(pieces) == 1 + missing and (not missing or pieces[1][0][0] > pieces[0][-1][0])
    assert ("Missing values, drawn apart, have 0.75." in svg.find("{*}desc").text) == missing


def test_a_number_with_few_bins_has_a_text_at_each_border():
    (svg,) = drawings(draw_effects([number(6, 0, 10, True)], towards=TOWARDS, title="t"))
    assert [words for *_, words in words_below(svg)] == ["0", "10", "20", "30", "40", "50", "60", "missing"]
    (svg,) = drawings(draw_effects([number(13, 0, 10, False)], towards=TOWARDS, title="t"))  # 120 would touch 130
    assert [words for *_, words in words_below(svg)] == ["0", "20", "40", "60", "80", "100", "130"]


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (["f", "m"], {"f", "m"}),
        (["surgery", "medicine", "maternity", "missing"], {"1", "4", "1=surgery; 2=medicine;"}),
        ([f"country {i}" for i in range(255)], {"1", "255", "1=country 0; 2=country 1;"}),
    ],
)
def test_every_category_can_be_found(names, shown):
    one = {"name": "x", "labels": names, "values": [0.0] * len(names), "half_widths": [1.0] * len(names)}
    html = draw_effects([one], towards=TOWARDS, title="t")
    (svg,) = drawings(html)
    assert shown <= {t.text for t in svg.iter() if t.tag.endswith("text")}
    assert all(name in html for name in names)  # where the list is cut, in its title


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
