"""The page of claims is the register."""

import claims_page as page

from fdpedu.chapters import CHAPTERS
from fdpedu.claims import REGISTER
from fdpedu.claims.zoo import ZOO


def test_the_page_shows_every_claim():
    """In its table, in full, and in its drawing; references lead only to chapters that the book has."""
    there = {chapter.name for chapter in CHAPTERS if chapter.written}
    table, full, drawing = page.overview().text, page.in_full().text, page.graph().svg
    for label, claim in REGISTER.items():
        assert f"`{label}`" in table and f">{label}</text>" in drawing
        assert (f"{{prf:ref}}`{label}`" in full) == (claim.chapter in there)
    assert drawing.startswith('<svg role="img"') and "<title>What rests on what" in drawing
    assert drawing.count("<path") == 2 * sum(len(c.uses) for c in REGISTER.values())
    assert all(f"| {name} |" in page.zoo().text for name in ZOO)
