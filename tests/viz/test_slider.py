"""The slider: small, sound without JavaScript, and a widget in a notebook."""

import re
import sys

import numpy as np
import pytest

from fdpedu.viz import Curve, Moving, Panel, slider_plot
from fdpedu.viz import page as shared
from fdpedu.viz.panel_drawing import outline_of
from tests.support.drawings import slider


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
