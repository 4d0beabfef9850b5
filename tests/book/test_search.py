"""The built-in search finds what readers look for."""

import pytest

from tests.book.test_browser import unreadable

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(("words", "page"), [("own mechanism", "book/own_mechanism.html")])
def test_the_search_finds_the_page(html, opened, words, page):
    """First of all, by the words that a reader would type."""
    address = f"{(html / 'search.html').as_uri()}?q={words.replace(' ', '+')}"
    with opened(address, width=1280) as (window, _):
        first = window.locator("#search-results li a").first
        first.wait_for()
        assert first.get_attribute("href").split("?")[0].split("#")[0] == page


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
