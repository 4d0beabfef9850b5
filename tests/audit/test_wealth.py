"""The picture of the wealth: a curve for each audit and the line at 1/α."""

import math
import sys

import numpy as np
import pytest

from fdpedu.audit import audit, draw_wealth
from fdpedu.audit.picture import _figure
from tests.support.audits import EVENT, noisy

HALF = audit(noisy(2), [], [1], runs=1200, seed=1, event=EVENT)
RIGHT = audit(noisy(1), [], [1], runs=400, seed=1)
FEW = audit(noisy(1), [], [1], runs=20, seed=1, alpha="1/1000")


def test_a_path_is_the_wealth_at_some_runs():
    """From the beginning of the bet to the last run; all of them if there are few."""
    runs, logs, alpha, at = HALF.path()
    assert (runs[0], logs[0], runs[-1], alpha, at) == (0, 0.0, 1200, HALF.alpha, HALF.refuted_at) and len(runs) == 400
    assert np.exp(logs[1:]) == pytest.approx(HALF.wealth[runs[1:] - 1], rel=1e-9)
    runs, logs, _, at = FEW.path()
    assert runs.tolist() == list(range(5, 21)) and at is None and RIGHT.path(2).runs.tolist() == [100, 400]


def test_the_curves_and_the_line_are_in_the_figure():
    """In powers of ten; what is too far out leaves the picture; the line is at the largest 1/α."""
    fig = _figure({"half": HALF.path(), "few": FEW.path()}, False)
    (ax,) = fig.axes
    half, few, line = ax.lines
    assert line.get_ydata()[0] == 6 and ax.get_ylim() == (-4, 8) and "1/α" in [text.get_text() for text in ax.texts]
    assert max(half.get_ydata()) == 10 and few.get_ydata()[-1] == pytest.approx(FEW.path().logs[-1] / math.log(10))
    assert half.get_xdata()[-1] == 1200 and [text.get_text() for text in fig.legends[0].get_texts()] == ["half", "few"]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["10⁻⁴", "10⁻²", "1", "10²", "10⁴", "10⁶", "10⁸"]
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_xscale()) == ("runs", "wealth", "linear")


def test_runs_may_be_on_a_logarithmic_scale():
    """Then it begins with the first run."""
    fig = _figure({"half": HALF.path()}, True)
    (ax,) = fig.axes
    assert ax.get_xscale() == "log" and min(ax.lines[0].get_xdata()) > 0 and not fig.legends
    assert min(_figure({"right": RIGHT.path()}, True).axes[0].lines[0].get_xdata()) == 100


def test_nothing_is_logarithmic_unless_it_is_asked_for(monkeypatch):
    """What is drawn is what was given."""
    seen = []
    monkeypatch.setattr("fdpedu.audit.wealth.draw_paths", lambda paths, **options: seen.append((paths, options)))
    draw_wealth({"half": HALF})
    draw_wealth({"half": HALF}, alt="It rises.", caption="So.", log_runs=True, slide="w.svg")
    assert seen[0][1] == {"alt": None, "caption": None, "log_runs": False, "slide": None}
    assert seen[1][1] == {"alt": "It rises.", "caption": "So.", "log_runs": True, "slide": "w.svg"}
    assert list(seen[0][0]) == ["half"] and seen[0][0]["half"].refuted_at == HALF.refuted_at


def test_it_says_in_words_what_it_shows():
    shown = draw_wealth({"half": HALF, "right": RIGHT}, caption="Half the noise.", log_runs=True)
    assert f"half: reaches 1/α after {HALF.refuted_at} runs; right: stays below 1/α for 400 runs." in repr(shown)
    assert "Half the noise." in str(shown) and repr(draw_wealth({"x": HALF}, alt="It rises.")) == "[figure: It rises.]"


def test_a_notebook_shows_the_picture_and_the_sentence(monkeypatch):
    """Without matplotlib, the sentence."""
    assert "<svg" in HALF._repr_html_() and "Refuted: ε = 1 does not hold" in HALF._repr_html_()
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert HALF._repr_html_().startswith("<p>Refuted: ε = 1") and HALF._repr_html_().endswith("</p>")


def test_a_slide_is_written(tmp_path):
    draw_wealth({"half": HALF}, slide=tmp_path / "w.svg")
    assert "<svg" in (tmp_path / "w.svg").read_text("utf8")
