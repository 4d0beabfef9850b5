"""Colours, bytes, identifiers and styles of all drawings."""

import itertools
import os
import re
import subprocess
import sys

import numpy as np
import pytest

from fdpedu.viz import draw_tree, figure_style, show_figure
from fdpedu.viz import page as shared
from tests.support.drawings import CLASSES, TREE, figure, slider
from tests.support.repository import ROOT

GROUNDS = ("#ffffff", "#121212", "#14181e")  # paper, a dark page, the book's dark theme


def luminance(color):
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(a, b):
    """The contrast ratio of WCAG 2.2."""
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


def lab_as_seen(color, matrix):
    """CIELAB of a colour as seen with a colour vision deficiency (Machado et al. 2009, severity 1)."""
    channels = np.array([int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    x, y, z = np.cbrt(xyz @ np.clip(matrix @ linear, 1e-4, 1) / [0.9505, 1, 1.089])
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


SEEN = {
    "all cones": np.eye(3),
    "no red": np.array([[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]]),
    "no green": np.array([[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]]),
    "no blue": np.array([[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]]),
}


@pytest.mark.parametrize("ground", GROUNDS)
def test_colours_stand_out_from_every_ground(ground):
    """Each colour has a contrast of at least 3 to 1 on white and on the dark grounds."""
    assert min(contrast(color, ground) for color in shared.PALETTE) >= 3


@pytest.mark.parametrize("eyes", SEEN)
def test_colours_stay_apart_for_all_eyes(eyes):
    """No two colours come closer than a CIELAB distance of 15 to anyone."""
    seen = [lab_as_seen(color, SEEN[eyes]) for color in shared.PALETTE]
    assert min(np.linalg.norm(a - b) for a, b in itertools.combinations(seen, 2)) >= 15


def test_a_close_pair_of_colours_would_be_noticed():
    """The two measures above do reject what they should: yellow on white, and red beside green."""
    assert contrast("#f0e442", "#ffffff") < 3
    red, green = (lab_as_seen(color, SEEN["no green"]) for color in ("#d55e00", "#97790a"))
    assert np.linalg.norm(red - green) < 15


def test_import_stays_light():
    """`import fdpedu.viz` loads neither matplotlib nor ipywidgets."""
    code = "import sys, fdpedu.viz; print(sorted({'matplotlib', 'ipywidgets', 'IPython', 'scipy'} & set(sys.modules)))"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


def test_same_input_gives_the_same_bytes():
    """Two fresh processes draw the same figures to the byte, whatever the seed of their hashes."""
    code = (
        "import hashlib; from fdpedu.viz import draw_tree, figure_style, show_figure\n"
        "from tests.support import drawings as t\n"
        "with figure_style(): html = str(show_figure(t.figure(), alt='a'))\n"
        "html += draw_tree(t.TREE, t.CLASSES, title='t') + t.slider()._repr_html_()\n"
        "print(hashlib.sha256(html.encode()).hexdigest())"
    )
    runs = [
        subprocess.check_output([sys.executable, "-c", code], cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": seed})
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1]


def test_ids_are_unique_on_a_page():
    """The same figure twice, beside others, gives no name twice; and every reference has its target."""
    with figure_style():
        parts = [str(show_figure(figure(), alt="a")) for _ in range(2)]
    parts += [draw_tree(TREE, CLASSES, title="t") for _ in range(2)] + [slider()._repr_html_()] * 2
    page = "".join(parts)
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids)) > 8
    targets = re.findall(r'url\(#([^)]+)\)|href="#([^"]+)"|aria-(?:labelledby|describedby)="([^"]+)"', page)
    assert {name for found in targets for name in found if name} <= set(ids)


def test_the_style_reaches_nothing_else_on_the_page():
    """Every rule of a style sheet that travels with a drawing is about the drawings of this package."""
    with figure_style():
        pages = draw_tree(TREE, CLASSES, title="t") + str(show_figure(figure(), alt="a")) + slider()._repr_html_()
    for sheet in re.findall(r"<style>(.*?)</style>", pages, re.DOTALL):
        selectors = re.findall(r"(?:^|[{};])\s*([^{}@;:]+(?::[^{}]*)?)\{", sheet)
        assert selectors
        assert [s for s in selectors if "fd-" not in s and ".fdpedu" not in s] == []
