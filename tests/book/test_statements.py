"""What a reader sees of a statement is the same in its chapter and on the page of its claims."""

import html as marks
import re

import pytest

from fdpedu.chapters import CHAPTERS
from tests.support.claims import ON_PAGES

CLAIMS = [f"book/claims/{chapter.name}" for chapter in CHAPTERS if chapter.written]


def words(rendered):
    """What is to be read in a piece of HTML, formulas in their source."""
    return " ".join(marks.unescape(re.sub(r"<[^>]*>", " ", rendered)).split())


def differences(folder):
    """The claims that a built book states in one way in the chapter, and in another way on its page of claims."""
    pages = [folder / f"{page}.html" for chapter in CHAPTERS for page in chapter.pages]
    chapters = "".join(page.read_text("utf8") for page in pages)
    claims = "".join((folder / f"{page}.html").read_text("utf8") for page in CLAIMS)
    for label in ON_PAGES:
        there = re.search(rf'<div class="proof [^>]*id="{label}">.*?<section[^>]*>(.*?)</section>', chapters, re.S)
        here = re.search(rf'id="claim-{label}".*?<blockquote>\s*<div>(.*?)</div></blockquote>', claims, re.S)
        if not there or not here or words(there[1]) != words(here[1]):
            yield label


def test_a_statement_is_read_alike_on_both_pages(html):
    assert list(differences(html)) == []


@pytest.mark.parametrize("page", ["claims/cart", "chapters/01_cart"])
def test_the_comparison_can_fail(html, tmp_path, page):
    """One word changed on either page is found."""
    for path in [*CLAIMS, *(page for chapter in CHAPTERS for page in chapter.pages)]:
        copy = tmp_path / f"{path}.html"
        copy.parent.mkdir(parents=True, exist_ok=True)
        text = (html / f"{path}.html").read_text("utf8")
        if path == f"book/{page}":
            assert "From the empty node the increment is 0." in text
            text = text.replace("From the empty node the increment is 0.", "From the empty node the increment is 1.")
        copy.write_text(text, "utf8")
    assert list(differences(tmp_path)) == ["lem-increment"]
