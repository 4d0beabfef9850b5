"""Trees under a slider: what has become of each split, in the drawings, in the table, and in the browser."""

import re
import sys

import pytest

from fdpedu.viz import TreeSlider, draw_derivation, draw_tree, side_by_side, surviving_splits, tree_slider
from fdpedu.viz.page import asset
from tests.support.drawings import CLASSES, PAIR, STEP, leaf
from tests.support.repository import ROOT

LOOK = (ROOT / "tests/support/look.js").read_text("utf8").strip().rstrip(";")
BENIGN, MALIGNANT = leaf(0.9), leaf(0.2)


def split(test, left=BENIGN, right=MALIGNANT):
    return {"test": test, "left": left, "right": right}


REFERENCE = split("radius ≤ 16", split("texture ≤ 25"), split("ward in {A, C}", split("age ≤ 3")))
NOISY = split("radius ≤ 16", split("ward in {A}"), split("ward in {B}", BENIGN, split("age ≤ 3")))
TREES = [(0.25, BENIGN), (1, NOISY), (2.5, NOISY), ("no noise", REFERENCE)]
WORDS = [
    "budget ε = 0.25: 0 of 4 splits the same",
    "budget ε = 1: 1 of 4 splits the same: radius ≤ 16. The same feature with another value: ward in {A, C}",
    "budget ε = 2.5: 1 of 4 splits the same: radius ≤ 16. The same feature with another value: ward in {A, C}",
    "budget ε = no noise: 4 of 4 splits the same: radius ≤ 16; texture ≤ 25; ward in {A, C}; age ≤ 3",
]


def sliding(**more):
    return tree_slider(TREES, CLASSES, title="Who is ill?", **more)


def frames(html):
    """For each drawing the positions that it is shown in, whether it is hidden, and its notes, in the widest face."""
    found = []
    for at, hidden, inner in re.findall(r'<div data-frames="([\d ]+)"( hidden)?>(.*?)</figure></div>', html, re.S):
        notes = re.findall(r">([✓≈][^<]*)</text>", re.findall(r"<svg.*?</svg>", inner, re.S)[-1])
        found.append((at, bool(hidden), notes))
    return found


def test_what_becomes_of_a_split():
    """It survives at its own place only; another value of its feature is told apart from another feature."""
    assert surviving_splits(NOISY, REFERENCE, CLASSES) == {
        "": "same", "L": "lost", "R": "same feature", "RL": "lost",
    }  # fmt: skip
    assert surviving_splits(BENIGN, REFERENCE, CLASSES) == dict.fromkeys(["", "L", "R", "RL"], "lost")
    assert set(surviving_splits(REFERENCE, REFERENCE, CLASSES).values()) == {"same"}
    assert surviving_splits(REFERENCE, BENIGN, CLASSES) == {}


def test_features_are_told_apart_by_what_stands_before_the_test():
    """One name that begins as another does is another feature."""
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


@pytest.mark.parametrize(
    ("trees", "more", "message"),
    [
        ([(1, REFERENCE)], {}, "trees: two or more pairs of a value and a tree are needed, got 1"),
        ([(1, REFERENCE), REFERENCE], {}, "trees: two or more pairs"),
        ([(1, REFERENCE), (2, BENIGN)], {}, "reference: a tree with at least one split"),
        ([(1, REFERENCE), (2, split("x", 3))], {}, "reference.left: a node is a dict"),
        ([(1, split("x", 3)), (2, REFERENCE)], {}, "root.left: a node is a dict"),
        (TREES, {"start": 4}, "start must be a position from 0 to 3, got 4"),
        (TREES, {"start": -1}, "start must be a position from 0 to 3, got -1"),
        (TREES, {"title": " "}, "title: a tree needs a few words"),
    ],
)
def test_what_cannot_be_slid_through_is_refused(trees, more, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        tree_slider(trees, CLASSES, **{"title": "t", **more})


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


# --- in the browser -------------------------------------------------------------------------------------------------


@pytest.fixture
def opened(browser, tmp_path):
    """Open a figure on a page of a theme and a width."""
    contexts = []

    def opened(body, theme="light", width=400, **options):
        ground, ink = {"light": ("#ffffff", "#222832"), "dark": ("#14181e", "#ced6dd")}[theme]
        file = tmp_path / "page.html"
        file.write_text(
            f'<!doctype html><html lang="en" data-theme="{theme}"><head><meta charset="utf-8"><title>t</title>'
            f"<style>body{{margin:16px;font:16px sans-serif;background:{ground};color:{ink}}}</style></head>"
            f"<body><main><article>{body}</article></main></body></html>",
            "utf8",
        )
        contexts.append(browser.new_context(viewport={"width": width, "height": 900}, **options))
        page = contexts[-1].new_page()
        page.goto(file.as_uri())
        return page

    yield opened
    for context in contexts:
        context.close()


def seen(page):
    """The positions of the drawings that are to be seen."""
    return [box.get_attribute("data-frames") for box in page.locator("[data-frames]").all() if box.is_visible()]


@pytest.mark.browser
def test_keys_move_through_the_trees(opened):
    """One drawing at a time, with its words; equal trees keep their drawing."""
    page = opened(sliding()._repr_html_())
    assert seen(page) == ["0"]
    page.locator("input").focus()
    for key, frame, position in (("ArrowRight", "1 2", 1), ("ArrowRight", "1 2", 2), ("End", "3", 3), ("Home", "0", 0)):
        page.keyboard.press(key)
        assert seen(page) == [frame]
        assert page.locator("output").inner_text() == WORDS[position]


@pytest.mark.browser
def test_without_javascript_the_first_tree_and_the_table_remain(opened):
    page = opened(sliding(start=1)._repr_html_(), java_script_enabled=False)
    assert seen(page) == ["1 2"]
    assert page.locator("table").is_visible() and not page.locator("input").is_visible()


@pytest.mark.browser
@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 400)])
def test_trees_with_intervals_and_their_costs_can_be_read(opened, theme, width):
    """Nothing scrolls sideways, no text is small or faint; costs stand beside the tree only where there is room."""
    both = side_by_side(
        draw_tree(PAIR, CLASSES, title="t"), draw_derivation(STEP, title="c"), alt="two", caption="Both."
    )
    page = opened(f"{both}{sliding(start=1)._repr_html_()}", theme, width)
    assert page.evaluate(LOOK, 14) == []
    tops = [box.bounding_box()["y"] for box in page.locator(".fd-beside > div").all()]
    assert (tops[0] == tops[1]) is (width > 700)
