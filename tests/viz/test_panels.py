"""Panels: paths are where the data are, ticks are few and round."""

import re

import numpy as np
import pytest

from fdpedu.viz import Curve, Moving, Panel, slider_plot
from fdpedu.viz.panel_drawing import outline_of
from fdpedu.viz.panels import nice_ticks, to_square


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
