"""Trees under a slider: what has become of each split, in the drawings and in the table."""

import re
import sys

import pytest

from fdpedu.viz import TreeSlider, surviving_splits, tree_slider
from fdpedu.viz.page import asset
from tests.support.drawings import BENIGN, CLASSES, NOISY, REFERENCE, TREES, WORDS, sliding, split


def frames(html):
    """For each drawing the positions that it is shown in, whether it is hidden, and its notes, in the widest face."""
    found = []
    for at, hidden, inner in re.findall(r'<div data-frames="([\d ]+)"( hidden)?>(.*?)</figure></div>', html, re.S):
        notes = re.findall(r">([✓≈][^<]*)</text>", re.findall(r"<svg.*?</svg>", inner, re.S)[-1])
        found.append((at, bool(hidden), notes))
    return found


def test_what_becomes_of_a_split():
    """It survives at its own place only; another value of its feature is distinguished from another feature."""
    assert surviving_splits(NOISY, REFERENCE, CLASSES) == {
        "": "same", "L": "lost", "R": "same feature", "RL": "lost",
    }  # fmt: skip
    assert surviving_splits(BENIGN, REFERENCE, CLASSES) == dict.fromkeys(["", "L", "R", "RL"], "lost")
    assert set(surviving_splits(REFERENCE, REFERENCE, CLASSES).values()) == {"same"}
    assert surviving_splits(REFERENCE, BENIGN, CLASSES) == {}


def test_features_are_distinguished_by_what_the_data_say_and_not_by_their_words():
    """One name that begins as another does is another feature; where no feature is said, none is the same."""
    assert surviving_splits({**split("a ≤ 1"), "feature": "b"}, split("a ≤ 2"), CLASSES) == {"": "lost"}
    unsaid = [{key: value for key, value in split(test).items() if key != "feature"} for test in ("a ≤ 1", "a ≤ 2")]
    assert surviving_splits(*unsaid, CLASSES) == {"": "lost"}
    missing = {**split("days in ward missing"), "feature": "days in ward"}
    kept = {**split("days in ward ≤ 3"), "feature": "days in ward"}
    assert surviving_splits(missing, kept, CLASSES) == {"": "same feature"}
    was = split("radius ≤ 16")
    assert surviving_splits(split("radius ≤ 17"), was, CLASSES) == {"": "same feature"}
    assert surviving_splits(split("radius mean ≤ 16"), was, CLASSES) == {"": "lost"}
    assert surviving_splits(split("ward in {A, C}"), split("ward in {B}"), CLASSES) == {"": "same feature"}


def test_the_drawings_mark_what_survives_and_each_is_there_once():
    """Equal trees share a drawing; the first position is shown, the others wait for the script."""
    assert frames(sliding()._repr_html_()) == [
        ("0", False, []),
        ("1 2", True, ["≈ same", "✓ the same"]),
        ("3", True, ["✓ the same"] * 4),
    ]
    assert [(at, hidden) for at, hidden, _ in frames(sliding(start=2)._repr_html_())] == [
        ("0", True), ("1 2", False), ("3", True),
    ]  # fmt: skip


def test_one_style_sheet_is_enough_for_all_trees():
    """It comes with the first drawing; each of the others keeps the rules that choose its face."""
    html, sheet = sliding()._repr_html_(), asset("viz.css")
    assert html.count(sheet) == 1 and html.index(sheet) < html.index("data-frames", html.index("data-frames") + 1)
    assert sliding().frame(1).count(sheet) == 1 and html.count("<style>") == 3


def test_every_position_is_said_in_words():
    """By the slider, in a terminal, and in the numbers for the script."""
    figure = sliding(caption="Less budget, fewer splits.")
    assert isinstance(figure, TreeSlider)
    assert [figure.words(i) for i in range(4)] == WORDS
    assert str(figure).splitlines() == ["[trees with a slider: Who is ill?]", *WORDS]
    html = figure._repr_html_()
    assert f'<output aria-live="polite">{WORDS[0]}</output>' in html
    assert all(words in html.split('type="application/json">')[1] for words in WORDS)
    assert html.endswith("<figcaption>Less budget, fewer splits.</figcaption></figure>")


def test_the_table_says_it_of_all_positions():
    """A row for each split of the reference, indented by its depth; a column for each position; and a key."""
    table = re.search(r"<table>.*?</table>", sliding()._repr_html_(), re.S)[0]
    assert re.findall(r'<th scope="col">(.*?)</th>', table) == ["budget ε", "0.25", "1", "2.5", "no noise"]
    rows = re.findall(r'<tr><th scope="row">(.*?)</th>(.*?)</tr>', table)
    assert [(test, re.findall(r"<td>(.)</td>", cells)) for test, cells in rows] == [
        ("radius ≤ 16", ["–", "✓", "✓", "✓"]),
        ("· texture ≤ 25", ["–", "–", "–", "✓"]),
        ("· ward in {A, C}", ["–", "≈", "≈", "✓"]),
        ("· · age ≤ 3", ["–", "–", "–", "✓"]),
    ]
    assert "✓ the same split at the same place" in table


def test_another_tree_may_be_the_reference():
    """It need not be one of those that are shown."""
    figure = tree_slider(TREES[:2], CLASSES, title="t", reference=split("radius ≤ 9"), label="λ", start=1)
    assert figure.words(0) == "λ = 0.25: 0 of 1 splits the same"
    assert figure.words(1) == "λ = 1: 0 of 1 splits the same. The same feature with another value: radius ≤ 9"
    assert figure.start == 1


def test_text_of_trees_stays_text():
    nasty = "</script><b>&"
    html = tree_slider([(nasty, split(nasty)), (2, split("x"))], CLASSES, title=nasty, reference=split(nasty))
    shown = html._repr_html_()
    assert "<b>" not in shown.replace("<body", "") and shown.count("</script>") == 2


def test_in_a_notebook_the_widget_shows_each_tree(monkeypatch):
    """The live face draws the position that is chosen, with its words and the table; a static page makes no widget."""
    pytest.importorskip("ipywidgets")
    monkeypatch.delenv("FDPEDU_STATIC", raising=False)
    figure = sliding()
    control, view = figure.widget().children
    assert control.value == 0 and "≈ same" not in view.value
    control.value = 1
    assert view.value == figure.frame(1) and "≈ same" in view.value and "fd-survivors" in view.value
    assert view.value.count("<output") == 1 and "<script" not in view.value
    monkeypatch.setenv("FDPEDU_STATIC", "1")
    assert sorted(figure._repr_mimebundle_()) == ["text/html", "text/plain"]
    monkeypatch.delenv("FDPEDU_STATIC")
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    assert sorted(figure._repr_mimebundle_()) == ["text/html", "text/plain"]
