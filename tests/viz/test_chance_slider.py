"""Chances under a slider: the curves, the table for readers without scripts, and the words."""

import json
import re

import numpy as np

from fdpedu.viz import chance_slider
from fdpedu.viz.panel_drawing import outline_of

CHANCES = {
    250: {"p = 10": [0.5, 0.43, 0.0996], "p = 50 & <b>": [0.5, 0.49, 0.31]},
    1000: {"p = 10": [0.4, 0.2, 0.0004], "p = 50 & <b>": [0.48, 0.4, 0.0]},
}
SAID = {"label": "rows", "what": "removed <first>", "axis": "ε", "shown": 2, "alt": "Two curves that fall."}


def shown(**change):
    return chance_slider(CHANCES, ["1/2", 1, 10], **{**SAID, **change})


def test_it_says_all_positions_in_words():
    assert repr(shown()).splitlines() == [
        "[figure with a slider: Two curves that fall.]",
        "rows = 250: with ε = 10, p = 10: 10 %, p = 50 & <b>: 31 %",
        "rows = 1000: with ε = 10, p = 10: under 0.1 %, p = 50 & <b>: 0 %",
    ]
    assert "with ε = 1, p = 10: 43 %" in shown(shown=1).words(0)


def test_without_javascript_the_drawing_and_the_table_remain():
    """The control is hidden until the script shows it; the table has every position, each cell in its place."""
    html = shown(start=1, caption="What to conclude.")._repr_html_()
    assert '<div class="fd-control" hidden>' in html and html.count('aria-label="Two curves that fall."') == 1
    assert "<output" in html and "rows = 1000: with ε = 10" in html.split("<output")[1].split("</output>")[0]
    table = html.split("<table>")[1].split("</table>")[0]
    rows = [re.findall(r"<t[hd][^>]*>([^<]*)<", row) for row in table.split("<tr>")[1:]]
    assert rows == [
        ["rows", "250", "1000"],
        ["p = 10", "10 %", "under 0.1 %"],
        ["p = 50 &amp; &lt;b&gt;", "31 %", "0 %"],
    ]
    assert "removed &lt;first&gt;, with ε = 10" in table and "What to conclude." in html
    assert 'tabindex="0" role="group" aria-label="removed &lt;first&gt;, with ε = 10"' in html


def test_the_script_has_every_position():
    html = shown()._repr_html_()
    data = json.loads(html.split('<script type="application/json">')[1].split("</script>")[0])
    assert data["values"] == ["250", "1000"] and len(data["texts"]) == 2
    assert data["texts"][1].startswith("rows = 1000: with ε = 10")


def test_curves_are_where_the_chances_are():
    """Percent up to the next ten, over the logarithm of the budget: to a thousandth of the panel."""
    figure = shown()
    for k, name in enumerate(CHANCES[250]):
        for position, of in enumerate(CHANCES.values()):
            steps = np.array(re.findall(r"-?\d+", outline_of(figure._moves["paths"][k], position)), int)
            points = np.cumsum(steps.reshape(-1, 2), axis=0) / 1000
            assert np.abs(1 - points[:, 1] - np.array(of[name]) / 0.6).max() < 0.001
            logs = np.log10([0.5, 1, 10])
            low, high = logs[0] - 0.05 * np.ptp(logs), logs[2] + 0.05 * np.ptp(logs)
            assert np.abs(points[:, 0] - (logs - low) / (high - low)).max() < 0.001
    assert figure.panels[0].y_range == (0, 60) and figure.panels[0].y_label == "removed <first>, %"
    assert list(figure.panels[0].x_ticks.values()) == ["1/2", "1", "10"] and figure.panels[0].x_label == "ε"
    assert figure.frame(0) != figure.frame(1)


def test_many_budgets_and_sure_things():
    """At most seven budgets are named; a chance of 1 is at the top."""
    sure = {k: {"a": [1] * 15} for k in (1, 2)}
    figure = chance_slider(sure, list(range(1, 16)), label="k", what="x", alt="A line.")
    assert list(figure.panels[0].x_ticks.values()) == ["1", "4", "7", "10", "13"]
    assert figure.panels[0].y_range == (0, 100) and figure.words(0) == "k = 1: with ε = 1, a: 100 %"
    assert figure.start == 0 and "<figcaption>" not in figure._repr_html_()


def test_a_notebook_gets_a_widget_and_the_book_none(monkeypatch):
    monkeypatch.setenv("FDPEDU_STATIC", "1")
    assert set(shown()._repr_mimebundle_()) == {"text/plain", "text/html"}
    monkeypatch.setenv("FDPEDU_STATIC", "0")
    assert len(shown().widget().children) == 2
