"""The built book, looked at in Chromium, from disk as a reader opens it: light and dark, wide and narrow."""

from pathlib import Path

import pytest

from tests.support.axe import AXE, SEEN_BY_LOOK, inaccessible
from tests.support.looked import NARROW, files_of, once, print_of
from tests.support.repository import ROOT
from tests.support.sliders import sliders, sliders_unseen

pytestmark = pytest.mark.browser
LOOK = (ROOT / "tests/support/look.js").read_text("utf8").strip().rstrip(";")


@pytest.fixture(scope="session")
def eyes(html, browser):
    """A fingerprint of what looks at pages, and of what all pages show alike."""
    seen_alike = [html / name for name in ("_static", "_sphinx_design_static", "_images")]
    tests = [f"tests/{name}" for name in ("conftest.py", "support/look.js", "support/sliders.py", "support/axe.py")]
    looking = [Path(__file__), *(ROOT / name for name in tests), AXE]
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
        assert {what: faults for what, faults in found.items() if faults} == {}


def test_a_page_is_printed_light(html, opened):
    """In the dark theme, too; and it is dark again on the screen."""
    with opened((html / "book/index.html").as_uri(), "dark") as (page, wrong):
        for media, theme in (("screen", "dark"), ("print", "light"), ("screen", "dark")):
            page.emulate_media(media=media, color_scheme="dark")
            page.wait_for_function("theme => document.documentElement.dataset.theme === theme", arg=theme)
        assert wrong == []


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
        ('<svg><path id="o" d="M0 0h9v9z"/><use href="#o" style="fill-opacity: 0.6"/></svg>', "seen through"),
        ('<p style="width: 3em">Say <code><span class="pre">--design</span></code></p>', "torn"),
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
    """What a page says is not heard for the page before it, what it keeps is not found by the next.

    A page that failed takes its window with it.
    """
    sound, broken = tmp_path / "sound.html", tmp_path / "broken.html"
    sound.write_text("<!doctype html><p>Plain text.</p>", "utf8")
    broken.write_text("<!doctype html><script>nothing()</script>", "utf8")
    with opened(sound.as_uri()) as (first, before):
        pass
    with opened(broken.as_uri()) as (second, wrong):
        assert second is first and wrong and before == []
        second.evaluate("localStorage.setItem('sphinx_highlight_terms', 'plain')")
    with opened(sound.as_uri()) as (third, _):
        assert third is first and third.evaluate("localStorage.length") == 0
    with pytest.raises(ZeroDivisionError), opened(sound.as_uri()) as (failed, _):
        raise ZeroDivisionError
    with opened(sound.as_uri()) as (page, wrong):
        assert page is not failed and failed.is_closed() and wrong == []
