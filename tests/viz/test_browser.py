"""Drawings in Chromium: they can be read everywhere, and sliders move what they should."""

from functools import cache

import pytest

from fdpedu.viz import draw_derivation, draw_tree, figure_style, show_figure, side_by_side
from fdpedu.viz.panel_drawing import outline_of
from tests.support.drawings import CLASSES, PAIR, STEP, TREE, WORDS, figure, grown, labelled, leaf, slider, sliding
from tests.support.repository import ROOT

LOOK = (ROOT / "tests/support/look.js").read_text("utf8").strip().rstrip(";")
THEMES = {"light": ("#ffffff", "#222832"), "dark": ("#14181e", "#ced6dd")}


@cache
def everything():
    """Figures, trees and sliders, drawn once for all tests."""
    with figure_style():
        parts = [str(show_figure(figure(), alt="a", caption="What to conclude.", narrow=n)) for n in (True, False)]
    six = [f"class {k}" for k in range(6)]
    trees = [(TREE, CLASSES), (leaf(0.2), CLASSES), (grown(3), CLASSES), (grown(5), CLASSES), (grown(2, six), six)]
    trees += [(labelled(tree), names) for tree, names in (trees[0], trees[2], trees[4])]
    parts += [draw_tree(tree, names, title="A tree", caption="What to conclude.") for tree, names in trees]
    return (*parts, slider()._repr_html_(), slider(9, 5)._repr_html_())


@pytest.fixture
def opened(browser, tmp_path):
    """Open drawings on a page of a theme and a width, and keep the page for questions."""
    contexts = []

    def opened(body, theme="light", width=400, **options):
        ground, ink = THEMES[theme]
        style = f"body{{margin:16px;font:16px sans-serif;background:{ground};color:{ink}}}"
        file = tmp_path / "page.html"
        file.write_text(
            f'<!doctype html><html lang="en" data-theme="{theme}"><head><meta charset="utf-8"><title>t</title>'
            f"<style>{style}</style></head><body><main><article>{body}</article></main></body></html>",
            "utf8",
        )
        contexts.append(browser.new_context(viewport={"width": width, "height": 900}, **options))
        page = contexts[-1].new_page()
        page.faults = []
        page.on("pageerror", lambda error: page.faults.append(str(error)))
        page.goto(file.as_uri())
        return page

    yield opened
    for context in contexts:
        context.close()


@pytest.mark.browser
@pytest.mark.parametrize("width", [1280, 700, 400])
@pytest.mark.parametrize("theme", THEMES)
def test_drawings_can_be_read(opened, theme, width):
    """Nothing scrolls sideways, no text is small or faint, and no script fails."""
    page = opened("".join(everything()), theme, width)
    assert page.faults == []
    assert page.evaluate(LOOK, 14) == []


INSIDE = """() => [...document.querySelectorAll('.fd-tree svg')].filter(s => s.getClientRects().length).flatMap(svg => {
  const box = svg.getBoundingClientRect();
  const texts = [...svg.querySelectorAll('text')].map(t => [t, t.getBoundingClientRect()]);
  const out = texts.filter(([t, r]) => r.left < box.left - 1 || r.right > box.right + 1 || r.bottom > box.bottom + 1);
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
  const over = texts.filter(([t, r], i) => texts.some(([u, q], j) => j < i && meet(r, q)));
  return [...out, ...over].map(([t]) => t.textContent);
})"""


@pytest.mark.browser
@pytest.mark.parametrize("width", [1700, 700, 400])
def test_text_in_trees_stays_in_its_place(opened, width):
    """No text leaves its drawing, and no two texts meet, at any width and depth."""
    trees = [grown(d, seed=d) for d in range(7)] + [TREE]
    page = opened("".join(draw_tree(tree, CLASSES, title="t") for tree in trees), width=width)
    assert page.evaluate("document.querySelectorAll('.fd-tree').length") == 8
    assert page.evaluate(INSIDE) == []


@pytest.mark.browser
def test_a_page_shows_one_face_that_fits(opened):
    """Of each drawing exactly one face is shown, the outline on a telephone and the top-down tree on a wide page."""
    count = """() => [...document.querySelectorAll('.fd-faces')].map(
        f => [...f.children].filter(c => getComputedStyle(c).display !== 'none').map(c => c.firstChild.clientWidth))"""
    body = "".join(everything())
    narrow, wide = (opened(body, width=width).evaluate(count) for width in (400, 1280))
    assert all(len(face) == 1 for face in narrow + wide)
    assert [face[0] for face in narrow[4:6]] == [336, 336]
    assert wide[4][0] > 600


@pytest.mark.browser
def test_the_slider_moves_its_curve_by_keyboard(opened):
    """Each key moves the control one position, and paths, texts and values are those that Python computed."""
    plot = slider()
    page = opened(plot._repr_html_() + slider(9, 5)._repr_html_())
    first, second = page.locator(".fd-slider").all()
    untouched = second.inner_html()
    control = first.locator("input")
    control.focus()
    for position, key in ((4, "ArrowRight"), (40, "End"), (39, "ArrowLeft"), (0, "Home")):
        page.keyboard.press(key)
        for number, path in enumerate(plot._moves["paths"]):
            shown = first.locator(f'[data-path="{number}"]').get_attribute("d")
            assert shown == outline_of(path, position)
        assert first.locator("output").inner_text() == plot.words(position)
        assert control.get_attribute("aria-valuetext") == plot.values[position]
        assert first.locator(".fd-value").inner_text() == plot.values[position]
        assert first.locator("[data-label]").text_content() == plot._moves["labels"][0]["text"][position]
    assert second.inner_html() == untouched


@pytest.mark.browser
def test_the_slider_moves_by_mouse(opened):
    """Dragging changes the curve on the screen."""
    page = opened(slider()._repr_html_())
    before = page.locator('[data-path="0"]').get_attribute("d")
    box = page.locator("input").bounding_box()
    page.mouse.click(box["x"] + 0.8 * box["width"], box["y"] + box["height"] / 2)
    assert page.locator('[data-path="0"]').get_attribute("d") != before


@pytest.mark.browser
def test_without_javascript_and_on_paper_there_is_no_control(opened):
    """Both show the drawing and its words, in black on white even from the dark theme."""
    page = opened(slider()._repr_html_(), java_script_enabled=False)
    assert not page.locator("input").is_visible()
    assert page.locator("output").is_visible()
    page = opened("".join(everything()), "dark")
    assert page.locator("input").first.is_visible()
    page.emulate_media(media="print")
    assert not page.locator("input").first.is_visible()
    inks = page.evaluate("[...document.querySelectorAll('.fdpedu text')].map(t => getComputedStyle(t).fill)")
    assert set(inks) == {"rgb(0, 0, 0)"}


@pytest.mark.browser
def test_the_dark_theme_puts_no_light_box_behind_a_drawing(opened):
    """The theme paints the outputs of cells light in the dark; behind our drawings, and only there, that is undone."""
    rule = "html[data-theme=dark] .bd-content div.cell_output .text_html:not(:has(table.dataframe))"
    box = '<div class="cell_output"><div class="text_html">{}</div></div>'
    page = opened(
        f"<style>{rule}{{background-color:#ced6dd;color:#222832;padding:.5rem}}</style>"
        f'<div class="bd-content">{box.format(draw_tree(TREE, CLASSES, title="t"))}{box.format("other")}</div>',
        "dark",
    )
    grounds = "[...document.querySelectorAll('.text_html')].map(e => getComputedStyle(e).backgroundColor)"
    assert page.evaluate(grounds) == ["rgba(0, 0, 0, 0)", "rgb(206, 214, 221)"]


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
    """Nothing scrolls sideways, no text is small or faint; costs stand beside the tree only where they fit."""
    both = side_by_side(
        draw_tree(PAIR, CLASSES, title="t"), draw_derivation(STEP, title="c"), alt="two", caption="Both."
    )
    page = opened(f"{both}{sliding(start=1)._repr_html_()}", theme, width)
    assert page.evaluate(LOOK, 14) == []
    tops = [box.bounding_box()["y"] for box in page.locator(".fd-beside > div").all()]
    assert (tops[0] == tops[1]) is (width > 700)
