"""The built-in search finds what readers look for."""

import pytest

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(("words", "page"), [("own mechanism", "book/own_mechanism.html")])
def test_the_search_finds_the_page(html, opened, words, page):
    """First of all, by the words that a reader would type."""
    address = f"{(html / 'search.html').as_uri()}?q={words.replace(' ', '+')}"
    with opened(address, width=1280) as (window, _):
        first = window.locator("#search-results li a").first
        first.wait_for()
        assert first.get_attribute("href").split("?")[0].split("#")[0] == page
