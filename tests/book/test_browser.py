"""The built book, looked at in Chromium, from disk as a reader opens it: light and dark, wide and narrow."""

import hashlib
from pathlib import Path

import pytest

from fdpedu.chapters import CHAPTERS
from tests.support.repository import ROOT

pytestmark = pytest.mark.browser
LOOK = (ROOT / "tests/support/look.js").read_text("utf8").strip().rstrip(";")
NARROW = 400


@pytest.fixture
def look(browser):
    """Open an address with a theme and a width; returns all that is wrong there."""

    def look(url, theme="light", width=NARROW):
        with browser.new_context(color_scheme=theme, viewport={"width": width, "height": 900}) as context:
            context.set_default_timeout(20_000)
            page = context.new_page()
            found = []
            page.on("pageerror", lambda error: found.append(f"script error: {error}"))
            page.on("console", lambda line: line.type == "error" and found.append(f"console: {line.text}"))
            page.on("requestfailed", lambda request: found.append(f"not found: {request.url}"))
            inside = ("file:", "data:", "blob:")
            page.on("request", lambda r: r.url.startswith(inside) or found.append(f"outside request: {r.url}"))
            page.goto(url, wait_until="load")
            return found + page.evaluate(LOOK, 14 if width == NARROW else 0), page.evaluate(
                "document.documentElement.dataset.theme"
            )

    return look


def test_a_page_is_readable(html, look, page_name, theme, width):
    """No outside request, no error, no sideways scroll, no small or faint text, every formula drawn."""
    found, shown = look((html / f"{page_name}.html").as_uri(), theme, width)
    assert shown == theme
    assert found == []


@pytest.mark.parametrize(
    ("broken", "finding"),
    [
        ('<img src="http://127.0.0.1:9/x.png">', "outside request"),
        ('<script src="gone.js"></script>', "not found"),
        ("<script>nothing()</script>", "script error"),
        ('<span class="math">\\(x\\)</span>', "formula not rendered"),
        ('<article><div style="width: 900px">wide</div></article>', "scrolls sideways"),
        ('<article style="overflow: hidden"><p style="width: 900px">wide</p></article>', "cut off"),
        ('<p style="font-size: 13px">small</p>', "text of 13.0 px"),
        ('<svg viewBox="0 0 800 80" width="380"><text y="40" font-size="16">small</text></svg>', "text of 7.6 px"),
        ('<p style="color: #999">faint</p>', "contrast"),
        ('<details><p style="color: rgb(0 0 0 / .4)">folded and faint</p></details>', "contrast"),
        ('<svg><rect width="99" height="99" fill="#333"/><text y="40">dark on dark</text></svg>', "contrast"),
    ],
)
def test_the_look_can_fail(tmp_path, look, broken, finding):
    """Each fault that we look for is found on a page that has it."""
    page = tmp_path / "page.html"
    page.write_text(f'<!doctype html><html lang="en"><body>{broken}</body></html>', "utf8")
    assert any(finding in line for line in look(page.as_uri())[0])


def test_the_look_is_fair(tmp_path, look):
    """A sound page has no findings: a wide table in its own box, white text on a dark shape, an image from disk."""
    page = tmp_path / "page.html"
    page.write_text(
        '<!doctype html><html lang="en"><body><p>Plain text.</p>'
        '<article><div style="overflow-x: auto"><table style="width: 900px"><td>wide</td></table></div></article>'
        '<svg width="300" height="99"><rect width="99" height="99" fill="#333"/>'
        '<text x="9" y="40" font-size="20" fill="white">text</text></svg></body></html>',
        "utf8",
    )
    assert look(page.as_uri())[0] == []


# Every slider of every page

STATE = """(figure) => [...figure.querySelectorAll("[data-path], [data-label]")]
  .map((e) => [e.getAttribute("d"), e.getAttribute("x"), e.getAttribute("y"), e.textContent].join()).join("|")"""


def sliders(page):
    """Move each slider of a page by keyboard and by mouse; returns what did not move with it."""
    for number, figure in enumerate(page.locator(".fd-slider").all()):
        control, words = figure.locator("input[type=range]"), figure.locator("output")
        if control.count() != 1 or not control.is_visible():
            yield f"slider {number} has no control that one can see"
            continue

        def seen(figure=figure, words=words):
            return figure.evaluate(STATE), words.inner_text()

        def same(before, after, how, number=number):
            return [
                f"slider {number}: {how} leaves {part}"
                for a, b, part in zip(before, after, PARTS, strict=False)
                if a == b
            ]

        control.scroll_into_view_if_needed()
        control.focus()
        page.keyboard.press("Home")
        first = seen()
        page.keyboard.press("End")
        last = seen()
        yield from same(first, last, "End")
        page.keyboard.press("ArrowLeft")
        yield from same([last], [seen()], "an arrow key")
        page.keyboard.press("Home")
        box = control.bounding_box()
        page.mouse.move(box["x"] + 10, box["y"] + box["height"] / 2)
        page.mouse.down()
        page.mouse.move(box["x"] + 0.8 * box["width"], box["y"] + box["height"] / 2, steps=5)
        page.mouse.up()
        yield from same(first, seen(), "the mouse")


PARTS = ("its curve", "its words")


def test_every_slider_moves(html, browser, page_name, width):
    """By keyboard and by mouse, wide and narrow, and its curve and its words change with it."""
    with browser.new_context(viewport={"width": width, "height": 900}) as context:
        page = context.new_page()
        page.goto((html / f"{page_name}.html").as_uri())
        assert list(sliders(page)) == []


def test_every_chapter_has_a_slider(html):
    """A chapter has something to move."""
    pages = {chapter.pages[0]: html / f"{chapter.pages[0]}.html" for chapter in CHAPTERS if chapter.written}
    assert [name for name, page in pages.items() if 'type="range"' not in page.read_text("utf8")] == []


@pytest.mark.parametrize(
    ("broken", "fault", "finding"),
    [
        ("[data-path], [data-label]", "e.setAttribute = () => 0", "its curve"),
        ("output", "Object.defineProperty(e, 'textContent', { set() {} })", "its words"),
        ("input", "e.addEventListener('keydown', (press) => press.preventDefault())", "End"),
        ("input", "e.style.pointerEvents = 'none'", "the mouse"),
        (".fd-control", "e.hidden = true", "no control"),
    ],
)
def test_the_slider_check_can_fail(tmp_path, browser, broken, fault, finding):
    """A slider that does not move its curve, its words, by keyboard, by mouse, or is not there, is found."""
    from fdpedu.viz import Curve, Moving, Panel, slider_plot

    lines = Moving([[0, k] for k in range(5)])
    plot = slider_plot(Panel("x", "y", [Curve([0, 1], lines)]), label="k", values=range(5), text=list("abcde"), alt="a")
    (tmp_path / "page.html").write_text(f"<!doctype html><body>{plot._repr_html_()}", "utf8")
    with browser.new_context() as context:
        page = context.new_page()
        page.goto((tmp_path / "page.html").as_uri())
        assert list(sliders(page)) == []
        page.evaluate(f"document.querySelectorAll({broken!r}).forEach((e) => {{ {fault} }})")
        assert any(finding in line for line in sliders(page))


# Accessibility, by axe. What the tools around us make is named here, one by one: the rule, where, and whose it is.

AXE = Path(__file__).parent / "vendor" / "axe.min.js"
MADE_BY_TOOLS = [
    ("label-content-name-mismatch", "search-button-field"),  # the theme: "Search" with its keys written beside it
    ("label-content-name-mismatch", "Toggle hidden content"),  # MyST-NB: the fold above a cell's code
    ("region", "sidebar-primary-item"),  # the theme: the book's title stands outside the navigation
    ("aria-allowed-role", "doc-biblioentry"),  # docutils: roles of a list of references
    ("aria-deprecated-role", "doc-biblioentry"),  # the same
    ("aria-required-children", "citation-list"),  # the same
]
RUN_AXE = """async () => {
  await window.MathJax?.startup?.promise;
  document.head.append(Object.assign(document.createElement("style"), {
    textContent: "*, ::before, ::after { animation: none !important; transition: none !important }" }));
  document.querySelectorAll("details").forEach((folded) => (folded.open = true));
  document.querySelectorAll(".toggle-hidden").forEach((e) => e.classList.remove("toggle-hidden"));
  const { violations } = await axe.run(document, { resultTypes: ["violations"] });
  return violations.flatMap((rule) => rule.nodes.map((node) =>
    [rule.id, node.target.join(" ") + " " + node.html.slice(0, 200) + " " + (node.any[0]?.message ?? "")]));
}"""


@pytest.fixture
def axe(browser):
    """Open an address with a theme; returns axe's findings, save those of tools."""

    def axe(url, theme="light"):
        with browser.new_context(color_scheme=theme, viewport={"width": 1280, "height": 900}) as context:
            page = context.new_page()
            page.goto(url)
            page.add_script_tag(path=AXE)
            return [
                f"{rule}: {node}"
                for rule, node in page.evaluate(RUN_AXE)
                if not any(rule == known and words in node for known, words in MADE_BY_TOOLS)
            ]

    return axe


def test_axe_is_the_one_we_vendored():
    """The checker is, byte for byte, the file whose hash is kept beside it."""
    expected, name = (AXE.parent / "axe.min.js.sha256").read_text("utf8").split()
    assert hashlib.sha256((AXE.parent / name).read_bytes()).hexdigest() == expected


def test_a_page_is_accessible(html, axe, page_name, theme):
    """axe finds nothing, save what is named above."""
    assert axe((html / f"{page_name}.html").as_uri(), theme) == []


@pytest.mark.parametrize(
    ("broken", "finding"),
    [
        ('<img src="data:,">', "image-alt"),
        ("<button></button>", "button-name"),
        ('<input type="range">', "label"),
        ("<h2>a</h2><h5>b</h5>", "heading-order"),
        ('<p style="color: #999">faint</p>', "color-contrast"),
        ("<table><tr><th></th></tr></table>", "empty-table-header"),
    ],
)
def test_axe_can_fail(tmp_path, axe, broken, finding):
    """A page with a fault has that finding."""
    page = '<!doctype html><html lang="en"><head><title>t</title></head><body><main><h1>t</h1>{}</main></body></html>'
    (tmp_path / "page.html").write_text(page.format("<p>text</p>"), "utf8")
    assert axe((tmp_path / "page.html").as_uri()) == []
    (tmp_path / "page.html").write_text(page.format(broken), "utf8")
    assert any(line.startswith(finding) for line in axe((tmp_path / "page.html").as_uri()))
