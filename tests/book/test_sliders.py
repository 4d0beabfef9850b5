"""Every chapter has a slider, and the check of sliders finds those that do not move."""

import pytest

from fdpedu.chapters import CHAPTERS
from tests.support.sliders import sliders

pytestmark = pytest.mark.browser


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
