"""The built book, looked at in Chromium, from disk as a reader opens it: light and dark, wide and narrow."""

from pathlib import Path

import pytest

pytestmark = pytest.mark.browser
LOOK = (Path(__file__).parent / "look.js").read_text("utf8").strip().rstrip(";")
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


@pytest.mark.parametrize("width", [1280, NARROW])
@pytest.mark.parametrize("theme", ["light", "dark"])
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
