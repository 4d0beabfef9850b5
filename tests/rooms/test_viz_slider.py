"""The slider: small, sound without JavaScript, and a widget in a notebook."""

import re
import sys

import numpy as np
import pytest

from fdpedu.viz import (
    Curve,
    Moving,
    Panel,
    Rule,
    slider_plot,
)
from fdpedu.viz import page as shared
from fdpedu.viz.panel_drawing import outline_of
from fdpedu.viz.panels import nice_ticks, to_square
from tests.support.drawings import slider

# --- the slider -----------------------------------------------------------------------------------------------------


def test_the_slider_is_small():
    """The script is under 4 kB, and 41 positions of a curve of 100 points under 28 kB with all that is around it."""
    curve = [np.sin(np.linspace(0, 6, 100) + k / 7) for k in range(41)]
    plot = slider_plot(Panel("x", "y", [Curve(np.arange(100), Moving(curve))]), label="k", values=range(41), alt="a")
    assert len(shared.asset("slider.js").encode()) < 4_000
    assert len(plot._repr_html_().encode()) < 28_000


def test_without_javascript_the_first_position_remains():
    """The drawing and its words are in the page; the control is hidden until the script shows it."""
    html = slider()._repr_html_()
    assert '<div class="fd-control" hidden>' in html
    assert "budget ε = 0.39: position 3 &lt;here&gt;</output>" in html
    assert html.count('role="img" aria-label="A curve that steepens."') == 1
    assert re.search(r'<path d="M\d+ \d+l[^"]+"[^>]* data-path="0"', html)
    assert "</script>" not in html.split('type="application/json">')[1].split("</script>")[0]


@pytest.mark.parametrize(
    ("layers", "more", "message"),
    [
        ([Curve([0, 1], Moving([[0, 1]] * 3))], {}, "each of the 2 positions, got 3"),
        ([Curve([0, 1], [0, 1, 2], "c")], {}, "layer 'c': x and y must have the same length"),
        ([Curve([0, 1], [0, float("nan")])], {}, "finite"),
        ([Rule()], {}, "exactly one of x, y"),
        ([Curve([0, 1], [0, 1])], {"text": ["one"]}, "values, text"),
        ([Curve([0, 1], [0, 1])], {"start": 2}, "start must be a position from 0 to 1"),
    ],
)
def test_a_wrong_slider_is_refused_by_name(layers, more, message):
    """What does not fit the number of positions is named."""
    with pytest.raises(ValueError, match=re.escape(message)):
        slider_plot(Panel("x", "y", layers), label="k", values=[1, 2], alt="a", **more)


def test_nothing_is_cut_off_unseen():
    """A range that does not hold the data is refused."""
    with pytest.raises(ValueError, match=r"y_range .* does not contain the data"):
        slider_plot(Panel("x", "y", [Curve([0, 1], [0, 2])], y_range=(0, 1)), label="k", values=[1, 2], alt="a")


def test_paths_are_where_the_data_are():
    """The steps of a path add up to the data, to one thousandth of the panel."""
    y = np.array([0.0, 0.3, 0.25, 1.0])
    plot = slider_plot(
        Panel("x", "y", [Curve([0, 1, 2, 4], Moving([y, y / 2]))], x_range=(0, 4), y_range=(0, 1)),
        label="k",
        values=[1, 2],
        alt="a",
    )
    path = outline_of(plot._moves["paths"][0], 1)
    points = np.cumsum(np.array(re.findall(r"-?\d+", path), int).reshape(-1, 2), axis=0)
    assert np.abs(points[:, 0] / 1000 - np.array([0, 1, 2, 4]) / 4).max() <= 0.0005
    assert np.abs(1 - points[:, 1] / 1000 - y / 2).max() <= 0.0005
    assert to_square(np.array([0.0, 1.0]), (0, 1), flip=True) == [1000, 0]


@pytest.mark.parametrize("span", [(0, 1), (-0.05, 1.05), (3, 3.0001), (-1e6, 2e6), (0.12, 0.13), (0, 41)])
def test_ticks_are_few_and_round(span):
    """Between two and six ticks, inside the range, evenly spaced."""
    ticks = list(nice_ticks(*span))
    assert 2 <= len(ticks) <= 6
    assert span[0] - 1e-9 <= ticks[0] <= ticks[-1] <= span[1] + 1e-9
    assert np.allclose(np.diff(ticks), np.diff(ticks)[0])


def test_a_static_page_makes_no_widget(monkeypatch):
    """With FDPEDU_STATIC=1 no widget is created; the HTML is all there is."""
    monkeypatch.setenv("FDPEDU_STATIC", "1")
    plot = slider()
    monkeypatch.setattr(type(plot), "widget", lambda self: pytest.fail("a widget was made"))
    assert sorted(plot._repr_mimebundle_()) == ["text/html", "text/plain"]


def test_without_ipywidgets_the_html_works_alone(monkeypatch):
    """Where ipywidgets is missing, a notebook gets the face of the page."""
    monkeypatch.delenv("FDPEDU_STATIC", raising=False)
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    assert sorted(slider()._repr_mimebundle_()) == ["text/html", "text/plain"]


def test_in_a_notebook_the_widget_redraws(monkeypatch):
    """The live face offers the same positions, and moving it draws the position and says its words."""
    pytest.importorskip("ipywidgets")
    monkeypatch.delenv("FDPEDU_STATIC", raising=False)
    plot = slider()
    assert "application/vnd.jupyter.widget-view+json" in plot._repr_mimebundle_()
    control, view = plot.widget().children
    before = view.value
    control.value = 20
    assert view.value == plot.frame(20) != before
    assert "position 20 &lt;here&gt;" in view.value
    assert outline_of(plot._moves["paths"][0], 20) in view.value
    assert "<script" not in view.value
