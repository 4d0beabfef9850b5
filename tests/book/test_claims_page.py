"""The pages of claims are the register: an index that counts and links, and a page for each chapter."""

import re

import claims_page as page
import pytest

from fdpedu.chapters import CHAPTERS
from fdpedu.claims import REGISTER
from fdpedu.claims.zoo import ZOO
from tests.support.repository import ROOT, toc_pages


def test_the_index_shows_every_claim():
    """In its table, with a reference to the record in full, and in its drawing."""
    table, drawing = page.overview().text, page.graph().svg
    for label in REGISTER:
        assert f"`{label}`" in table and f"<claim-{label}>" in table and f">{label}</text>" in drawing
    assert drawing.startswith('<svg role="img"') and "<title>What rests on what" in drawing
    assert drawing.count("<path") == 2 * sum(len(c.uses) for c in REGISTER.values())


def test_a_chapter_s_page_shows_its_claims_and_its_broken_variants():
    """Each in full, once; references lead only to chapters that the book has."""
    there = {chapter.name for chapter in CHAPTERS if chapter.written}
    texts = {chapter.name: page.chapter_page(chapter) for chapter in CHAPTERS}
    for label, claim in REGISTER.items():
        assert [name for name, text in texts.items() if f"(claim-{label})=\n" in text] == [claim.chapter]
        text = texts[claim.chapter]
        assert f"\n## {claim.title}\n" in text and (f"({{prf:ref}}`{label}`)" in text) == (claim.chapter in there)
        assert all(f"Check *{check.name}*" in text for check in claim.checks)
    for twin in ZOO.values():
        where = [name for name, text in texts.items() if f"| {twin.name} |" in text]
        assert where == [REGISTER[twin.claim].chapter]


def test_what_rests_on_what_is_linked_both_ways():
    """From a claim to those that it rests on, and from those back."""
    records = dict(re.findall(r"\(claim-(\S+)\)=\n(.*?)(?=\n\(claim-|\Z)", everything(), re.S))
    for label, claim in REGISTER.items():
        for used in claim.uses:
            assert f"<claim-{used}>" in re.search(r"^- Rests on: .*", records[label], re.M)[0]
            assert f"<claim-{label}>" in re.search(r"^- On it rest: .*", records[used], re.M)[0]


def everything():
    return "\n\n".join(page.in_full(chapter.name) for chapter in CHAPTERS)


def test_the_index_counts():
    """Each row adds up to the claims of its chapter, and the last one to all of them."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in page.counts().text.splitlines()[2:]]
    numbers = {row[0]: list(map(int, row[1:])) for row in rows}
    assert all(sum(row[:4]) == row[4] for row in numbers.values())
    total = numbers.pop("all")
    assert total[4:] == [len(REGISTER), sum(len(claim.checks) for claim in REGISTER.values()), len(ZOO)]
    assert total == [sum(column) for column in zip(*numbers.values(), strict=True)]
    assert [name for row in numbers for name in re.findall(r"\(claims/(\w+)\.md\)$", row)] == [c.name for c in CHAPTERS]


def test_every_chapter_has_its_page_in_the_book():
    """Below the index, in the order of the chapters; what the page shows is put in when the book is built."""
    listed = [name for name in toc_pages() if name.startswith(page.FOLDER)]
    assert listed == [page.FOLDER + chapter.name for chapter in CHAPTERS]
    for name in listed:
        assert (ROOT / f"{name}.md").read_text("utf8").count(page.PLACE) == 1


# --- in a browser -----------------------------------------------------------------------------------------------------

LABELS = [label for label, claim in REGISTER.items() if claim.chapter == "privacy"]


def shown(window):
    """The labels of the claims that one sees."""
    visible = (
        "e => [...e].filter(x => x.offsetParent).map(x => x.closest('section')?.querySelector('code').textContent)"
    )
    return set(window.eval_on_selector_all('article section > [id^="claim-"] ~ h2', visible))


@pytest.mark.browser
def test_the_filter_hides_what_one_does_not_look_for(html, opened):
    """All words must occur; the standing can be chosen; a link to a hidden claim shows it again; paper has all."""
    with opened((html / "book/claims/privacy.html").as_uri(), width=1280) as (window, wrong):
        assert shown(window) == set(LABELS)
        window.fill(".claims-filter input", "LEAST supremum")
        assert "lem-hockey-stick" in shown(window) < set(LABELS)
        assert window.inner_text(".claims-filter output") == f"{len(shown(window))} of {len(LABELS)} claims"
        window.fill(".claims-filter input", "supremum no-such-word")
        assert shown(window) == set()
        window.fill(".claims-filter input", "")
        window.select_option(".claims-filter select", "✕")
        refuted = {label for label in LABELS if REGISTER[label].status == "refuted as stated"}
        assert shown(window) == refuted
        window.emulate_media(media="print")
        assert shown(window) == set(LABELS) and not window.is_visible(".claims-filter")
        window.emulate_media(media="screen")
        window.evaluate("location.hash = '#claim-def-dp'")
        window.wait_for_function("document.querySelectorAll('.claims-hidden').length === 0")
        assert shown(window) == set(LABELS) and wrong == []


@pytest.mark.browser
def test_without_a_script_every_claim_is_there(html, browser):
    context = browser.new_context(java_script_enabled=False)
    window = context.new_page()
    window.goto((html / "book/claims/privacy.html").as_uri())
    assert all(window.is_visible(f"#claim-{label} ~ h2, section:has(> #claim-{label})") for label in LABELS)
    assert window.locator(".claims-filter").count() == 0
    context.close()


@pytest.mark.browser
def test_an_address_of_the_one_page_leads_to_the_claim(html, opened):
    """That page had all claims in full; its addresses stand in other people's texts."""
    with opened(f"{(html / 'book/claims.html').as_uri()}#claim-lem-increment", width=1280) as (window, _):
        window.wait_for_url("**/book/claims/cart.html#claim-lem-increment")
        assert window.is_visible("section:has(> #claim-lem-increment)")
