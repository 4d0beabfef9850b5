"""The built-in search finds what readers look for."""

import re

import pytest
from synonyms import PAGE, ROW, marked, places

from tests.book.test_browser import unreadable
from tests.support.repository import ROOT, toc_pages

FIND = (ROOT / f"{PAGE}.md").read_text("utf8")


def test_each_word_leads_to_one_place():
    """Each row of the page is read, leads to a page of the book and a section of it; no word leads to two."""
    rows = re.findall(r"^\| (?!if you look for).*\|$", FIND, re.M)
    assert len(ROW.findall(FIND)) == len(rows) > 20
    words = [word.lower() for _, _, those in places(FIND) for word in those]
    assert sorted(words) == sorted({*words}) and all(words) and not any("," in word for word in words)
    assert {page for page, _, _ in places(FIND)} <= {*toc_pages()}
    for page, _, those in places(FIND):
        source = (ROOT / f"{page}.md").read_text("utf8")
        found = marked(page, source, FIND)
        assert all(f"\n```{{index}} ! {word}\n```\n" in found for word in those)
        assert found.replace("\n", "").count("```{index} ! ") >= len(those)


def test_a_place_that_is_not_there_is_refused():
    """A section that was renamed fails the build, and does not lose its words."""
    table = "| far | [Far](index.md#far) |\n"
    with pytest.raises(ValueError, match="far"):
        marked("book/index", "# A\n\n## Near\n", table)
    assert marked("book/index", "# A\n\n## Far\n", table) == "# A\n\n\n```{index} ! far\n```\n\n## Far\n"
    assert marked("book/other", "# A\n", table) == "# A\n"


@pytest.mark.browser
@pytest.mark.parametrize(
    ("words", "page"),
    [
        ("own mechanism", "book/own_mechanism.html"),
        ("missing values", "book/your_own_data.html"),
        ("epsilon", "book/chapters/02_privacy.html"),
        ("5/4", "book/chapters/09_bounds_traps.html"),
        ("5/4 sensitivity bound", "book/chapters/09_bounds_traps.html"),
        ("colab", "book/find.html"),
        ("slides", "book/teaching.html"),
        ("solutions", "book/teaching.html"),
        ("syllabus", "book/teaching.html"),
        ("grading", "book/teaching.html"),
        ("how many rows", "book/speed.html"),
        ("secret sharing", "book/chapters/15_secret_sharing.html"),
        ("auditing", "book/chapters/17_audit.html"),
    ],
)
def test_the_search_finds_the_page(html, opened, words, page):
    """First of all, by the words that a reader would type."""
    address = f"{(html / 'search.html').as_uri()}?q={words.replace(' ', '+')}"
    with opened(address, width=1280) as (window, _):
        first = window.locator("#search-results li a").first
        first.wait_for()
        assert first.get_attribute("href").split("?")[0].split("#")[0] == page
        assert window.get_by_text("make serve").count() == 1  # what to do for more than titles


@pytest.mark.browser
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("page", "words"), [("architecture", "imports trees"), ("chapters/01_cart", "round the")])
def test_words_that_were_searched_are_marked_on_their_page(html, opened, theme, page, words):
    """They can be read, without an error, though drawings have them in titles and styles, which cannot be marked."""
    address = f"{(html / 'book' / page).as_uri()}.html?highlight={words.replace(' ', '+')}"
    with opened(address, theme, 1280) as (window, wrong):
        for word in words.split():
            unseen = window.locator("svg :is(title, desc, style)").filter(has_text=word).first
            assert unseen.count(), f"no drawing of {page} has {word!r} where it is not seen"
            window.locator(".highlighted").filter(has_text=word).first.wait_for(state="attached")
        assert unreadable(window, 1280) == []
    assert wrong == []
