"""The built book, looked at in Chromium, from disk as a reader opens it: light and dark, wide and narrow."""

import hashlib
from contextlib import contextmanager
from pathlib import Path

import pytest

from fdpedu.chapters import CHAPTERS
from tests.support.looked import files_of, once, print_of
from tests.support.repository import ROOT

pytestmark = pytest.mark.browser
LOOK = (ROOT / "tests/support/look.js").read_text("utf8").strip().rstrip(";")
NARROW = 400


@pytest.fixture
def opened(windows):
    """Open an address with a theme and a width: the page, and a list to which all that goes wrong there is added."""
    kept, window = windows

    @contextmanager
    def opened(url, theme="light", width=NARROW):
        page, wrong, inside = window(theme), [], ("file:", "data:", "blob:")
        heard = {
            "pageerror": lambda error: wrong.append(f"script error: {error}"),
            "console": lambda line: line.type == "error" and wrong.append(f"console: {line.text}"),
            "requestfailed": lambda request: wrong.append(f"not found: {request.url}"),
            "request": lambda r: r.url.startswith(inside) or wrong.append(f"outside request: {r.url}"),
        }
        for event, listener in heard.items():
            page.on(event, listener)
        try:
            page.set_viewport_size({"width": width, "height": 900})
            page.goto(url, wait_until="load")
            yield page, wrong
            for event, listener in heard.items():
                page.remove_listener(event, listener)
            page.goto("about:blank")
        except BaseException:
            kept.pop(theme).close()  # nothing of a page that failed meets the next one
            raise

    return opened


@pytest.fixture(scope="session")
def eyes(html, browser):
    """A fingerprint of what looks at pages, and of what all pages show alike."""
    seen_alike = [html / name for name in ("_static", "_sphinx_design_static", "_images")]
    looking = [Path(__file__), ROOT / "tests/support/look.js", AXE]
    return print_of(files_of(*seen_alike, *looking), browser.version)


def unreadable(page, width):
    """What cannot be read on an opened page."""
    return page.evaluate(LOOK, 14 if width == NARROW else 0)


def test_a_page_can_be_read_and_used(request, html, opened, eyes, page_name, theme, width):
    """No outside request, no error, no sideways scroll, no small or faint text, every formula drawn; at full width axe
    finds nothing, save what is named below; every slider can be seen and moves, and nothing fails while it does.

    All of it is looked at in one window: most of the time goes into opening it.
    """
    file, left_out = html / f"{page_name}.html", [] if request.config.getoption("--deep") else SEEN_BY_LOOK
    printed = print_of([file], eyes, page_name, theme, width, left_out)
    with once(html.parent / "looked", printed), opened(file.as_uri(), theme, width) as (page, wrong):
        assert page.evaluate("document.documentElement.dataset.theme") == theme
        hidden = list(sliders_unseen(page))  # before all that is folded is opened
        found = {"unreadable": unreadable(page, width)}
        page.set_viewport_size({"width": 1280, "height": 900})
        found["inaccessible"] = inaccessible(page, left_out)
        page.set_viewport_size({"width": width, "height": 900})
        found |= {"sliders": hidden + list(sliders(page)), "wrong": wrong}
        assert {what: told for what, told in found.items() if told} == {}


@pytest.fixture
def look(opened):
    """All that is wrong with a page at an address, on a telephone."""

    def look(url):
        with opened(url) as (page, wrong):
            return wrong + unreadable(page, NARROW)

    return look


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
    assert any(finding in line for line in look(page.as_uri()))


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
    assert look(page.as_uri()) == []


def test_a_window_is_kept_and_no_page_meets_another(tmp_path, opened):
    """What a page says is not heard for the page before it; a page that failed takes its window with it."""
    sound, broken = tmp_path / "sound.html", tmp_path / "broken.html"
    sound.write_text("<!doctype html><p>Plain text.</p>", "utf8")
    broken.write_text("<!doctype html><script>nothing()</script>", "utf8")
    with opened(sound.as_uri()) as (first, before):
        pass
    with opened(broken.as_uri()) as (second, wrong):
        assert second is first and wrong and before == []
    with pytest.raises(ZeroDivisionError), opened(sound.as_uri()) as (failed, _):
        raise ZeroDivisionError
    with opened(sound.as_uri()) as (page, wrong):
        assert page is not failed and failed.is_closed() and wrong == []


# Every slider of every page

STATE = """(figure) => [...figure.querySelectorAll("[data-path], [data-label], [data-frames]")]
  .map((e) => [e.getAttribute("d"), e.getAttribute("x"), e.getAttribute("y"), e.hidden, e.textContent].join())
  .join("|")"""


def sliders_unseen(page):
    """The sliders of a page without a control that one can see."""
    for number, figure in enumerate(page.locator(".fd-slider").all()):
        control = figure.locator("input[type=range]")
        if control.count() != 1 or not control.is_visible():
            yield f"slider {number} has no control that one can see"


def sliders(page):
    """Move each slider of a page by keyboard and by mouse; returns what did not move with it."""
    if unseen := list(sliders_unseen(page)):
        yield from unseen
        return
    for number, figure in enumerate(page.locator(".fd-slider").all()):
        control, words = figure.locator("input[type=range]"), figure.locator("output")

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
SEEN_BY_LOOK = ["color-contrast"]  # costs axe half of its time; `look.js` measures the same, and `--deep` has both
RUN_AXE = """async (left_out) => {
  await window.MathJax?.startup?.promise;
  document.head.append(Object.assign(document.createElement("style"), {
    textContent: "*, ::before, ::after { animation: none !important; transition: none !important }" }));
  document.querySelectorAll("details").forEach((folded) => (folded.open = true));
  document.querySelectorAll(".toggle-hidden").forEach((e) => e.classList.remove("toggle-hidden"));
  // The strokes of a formula, for the eye alone, are half of a page's elements: axe has nothing to say on them
  for (const svg of document.querySelectorAll("mjx-container > svg[aria-hidden=true]"))
    if (!svg.querySelector("a, [tabindex], [aria-hidden=false]")) svg.replaceChildren();
  // Likewise the words of a formula or of code, each in a span of its own: what is seen of them the look has seen
  for (const text of document.querySelectorAll("pre, code, .sig > *, mjx-assistive-mml > math"))
    if (!text.querySelector("a, button, input, img, svg, [role], [tabindex], [aria-label]"))
      text.textContent = text.textContent;
  // The theme lets the keyboard reach a box that scrolls, but 0.3 s after a change: axe may have been faster
  const tooWide = (e) => e.scrollWidth > e.clientWidth || e.scrollHeight > e.clientHeight;
  if ([...document.querySelectorAll("[tabindex='-1']")].some(tooWide))
    await new Promise((done) => setTimeout(done, 400));
  const rules = Object.fromEntries(left_out.map((rule) => [rule, { enabled: false }]));
  const { violations } = await axe.run(document, { resultTypes: ["violations"], rules, preload: false }); // files only
  return violations.flatMap((rule) => rule.nodes.map((node) =>
    [rule.id, node.target.join(" ") + " " + node.html.slice(0, 200) + " " + (node.any[0]?.message ?? "")]));
}"""


def inaccessible(page, left_out=()):
    """What axe finds on an opened page, save what tools make."""
    page.add_script_tag(path=AXE)
    return [
        f"{rule}: {node}"
        for rule, node in page.evaluate(RUN_AXE, list(left_out))
        if not any(rule == known and words in node for known, words in MADE_BY_TOOLS)
    ]


def test_axe_is_the_one_we_vendored():
    """The checker is, byte for byte, the file whose hash is kept beside it."""
    expected, name = (AXE.parent / "axe.min.js.sha256").read_text("utf8").split()
    assert hashlib.sha256((AXE.parent / name).read_bytes()).hexdigest() == expected


SOUND = '<!doctype html><html lang="en"><head><title>t</title></head><body><main><h1>t</h1>{}</main></body></html>'
FORMULA = '<mjx-container><svg aria-hidden="true" focusable="false">{}</svg></mjx-container>'
BOX = '<pre tabindex="{}" style="width: 50px; overflow: auto">a line that is too long</pre>'
AS_THE_THEME = """<script>
new MutationObserver(() => setTimeout(() => { document.querySelector("pre").tabIndex = 0 }, 300)).observe(
  document.body, { subtree: true, childList: true })</script>"""


@pytest.mark.parametrize(
    ("body", "finding"),
    [
        ("<p>text</p>", None),
        (FORMULA.format("<path/>"), None),
        (FORMULA.format('<a href="#t" tabindex="0"><path/></a>'), "aria-hidden-focus"),
        ('<img src="data:,">', "image-alt"),
        ("<button></button>", "button-name"),
        ("<pre><span>text</span></pre>", None),
        ("<pre><span>text <button></button></span></pre>", "button-name"),
        ('<input type="range">', "label"),
        ("<h2>a</h2><h5>b</h5>", "heading-order"),
        ('<p style="color: #999">faint</p>', "color-contrast"),
        ("<table><tr><th></th></tr></table>", "empty-table-header"),
        (BOX.format(-1), "scrollable-region-focusable"),
        (BOX.format(-1) + AS_THE_THEME, None),
    ],
)
def test_axe_is_fair_and_can_fail(tmp_path, opened, body, finding):
    """A sound page has no finding, one with a fault has that one; what the look measures too can be left out."""
    (tmp_path / "page.html").write_text(SOUND.format(body), "utf8")
    with opened((tmp_path / "page.html").as_uri(), width=1280) as (page, _):
        rules = {line.split(":")[0] for line in inaccessible(page)}
        assert rules == ({finding} if finding else set())
        assert {line.split(":")[0] for line in inaccessible(page, SEEN_BY_LOOK)} == rules - {*SEEN_BY_LOOK}
