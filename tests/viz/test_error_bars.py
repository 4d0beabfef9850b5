"""Measured numbers with error bars: points and bars where the numbers are, and both faces."""

import re

import numpy as np
import pytest

from fdpedu.viz import error_bars
from fdpedu.viz.error_bars import _figure
from fdpedu.viz.style import figure_style

FIVE = [(0.05, 0.5, 0.02), (0.1, 0.4, 0.01), (1.0, 0.3, 0.02), (2.0, -0.1, 0.0), (5.0, 0.1, 0.03)]
ONE, OTHER = {"exponential": FIVE, "histo & grams": FIVE[::-1]}, {"exponential": FIVE[:2], "histo & grams": FIVE[2:]}
SAID = {"x_label": "ε", "y_label": "rows lost", "alt": "Two curves with bars."}


@pytest.mark.parametrize("stacked", [False, True])
def test_points_and_bars_are_where_the_numbers_are(stacked):
    """Two errors to each side; panels share the upright axis; at most four numbers of the other one are named."""
    with figure_style():
        fig = _figure({"one": ONE, "other": OTHER}, "ε", "rows lost", True, stacked=stacked)
    for ax, series in zip(fig.axes, (ONE, OTHER), strict=True):
        assert ax.get_xscale() == "log" and ax.get_xlabel() == "ε"
        for container, points in zip(ax.containers, series.values(), strict=True):
            line, _, (bars,) = container
            shown, said = np.transpose(line.get_data()), np.array(points)[:, :2]
            assert np.allclose(shown[:, 1], said[:, 1]) and np.allclose(shown[:, 0], said[:, 0], rtol=0.06)
            ends = np.array(bars.get_segments())[:, :, 1]
            assert np.allclose(ends, [(y - 2 * e, y + 2 * e) for _, y, e in points])
        one, second = (container[0].get_xdata() for container in ax.containers)
        assert not set(one) & set(second)
        assert len({container[0].get_marker() for container in ax.containers}) == 2
        assert any(np.ptp(line.get_ydata()) == 0 and line.get_ydata()[0] == 0 for line in ax.lines)
    one, other = fig.axes
    assert np.allclose(one.containers[0][0].get_xdata() * one.containers[1][0].get_xdata()[::-1], np.square(FIVE)[:, 0])
    assert one.get_ylim() == other.get_ylim() and [ax.get_title(loc="left") for ax in fig.axes] == ["one", "other"]
    assert list(one.xaxis.get_major_locator()()) == [0.05, 1.0, 5.0]
    assert [text.get_text() for text in fig.legends[0].get_texts()] == list(ONE)
    assert (one.get_position().y0 > other.get_position().y1) == stacked
    assert other.get_ylabel() == ("rows lost" if stacked else "")


@pytest.mark.parametrize(("stacked", "across"), [(False, 3), (True, 2)])
def test_small_panels_stand_in_rows(stacked, across):
    """Each with an axis of its own; the last row, which may be short, and panels above a gap say what is level."""
    with figure_style():
        higher = {name: [(x, y + 1, error) for x, y, error in points] for name, points in ONE.items()}
        panels = {"one": ONE, "two": higher, "three": ONE, "four": OTHER, "five": ONE}
        fig = _figure(panels, "ε", "rows lost", False, stacked=stacked, columns=3)
    assert [ax.get_title(loc="left") for ax in fig.axes] == list(panels)
    tops = [round(ax.get_position().y1, 3) for ax in fig.axes]
    assert len(set(tops)) == -(-5 // across) and len(set(tops[:across])) == 1 and tops[across] < tops[0]
    assert [bool(ax.get_xlabel()) for ax in fig.axes] == [i + across >= 5 for i in range(5)]
    assert not any(ax.get_ylabel() for ax in fig.axes) and fig.get_supylabel() == "rows lost"
    assert fig.axes[0].get_ylim() != fig.axes[1].get_ylim()
    assert all(len(ax.xaxis.get_major_locator()()) <= 3 for ax in fig.axes)


def test_without_a_line_at_zero():
    with figure_style():
        fig = _figure({"one": {"a": [(1, 0.5, 0.1), (2, 0.7, 0.1)]}}, "ε", "lost", False, stacked=False)
    assert not any(len(set(line.get_ydata())) == 1 and line.get_ydata()[0] == 0 for line in fig.axes[0].lines)


def test_both_faces_are_on_the_page(tmp_path):
    """A wide drawing and a narrow one, each with the words; the caption; and the same drawing every time."""
    picture = error_bars({"one": ONE, "other": OTHER}, caption="What to conclude.", slide=tmp_path / "a.svg", **SAID)
    html = str(picture)
    assert html.count("<svg") == 2 and "<figcaption>What to conclude.</figcaption>" in html
    widths = {int(width) for width in re.findall(r'<svg[^>]* width="(\d+)"', html)}
    assert widths == {340, 640} and html.count("histo &amp; grams") >= 2
    assert "<title>Two curves with bars.</title>" in (tmp_path / "a.svg").read_text("utf8")
    bare = [str(error_bars({"one": ONE, "other": OTHER}, **SAID)) for _ in range(2)]
    first, second = (re.sub(r"fd-[0-9a-f]{10}(-\d+)?", "", drawn) for drawn in bare)  # names are never used twice
    assert first == second and "<figcaption>" not in first
