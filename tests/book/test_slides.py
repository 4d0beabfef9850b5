"""Decks: each is made of its page, says nothing else, leaves out nothing that it is for, and can be shown."""

import hashlib
import re
import runpy

import pytest
from bs4 import BeautifulSoup

from fdpedu.chapters import CHAPTERS
from tests.book.test_browser import unreadable
from tests.support.looked import NARROW
from tests.support.repository import ROOT

SLIDES = runpy.run_path(str(ROOT / "tools" / "slides.py"))
PAGES = [chapter.pages[0] for chapter in CHAPTERS if chapter.written]
LEAVES = "h1, h2, p, li, pre, td, th, dt, dd, output, text, div.math"  # what has words and is of one piece on the page


def squeezed(text):
    """Without spaces: where a line ends is not what it says."""
    return re.sub(r"\s+|#(?=$)", "", text)


def soups(html, page):
    """The article of a page, and the deck that is made of it."""
    text = (html / f"{page}.html").read_text("utf8")
    return BeautifulSoup(text, "html.parser").select_one("article"), made_of(text)


def made_of(text):
    return BeautifulSoup(SLIDES["deck"](text), "html.parser")


def not_on_the_page(article, deck):
    """Pieces of a deck that its page does not have, in a row; and words that stand in no piece."""
    page = squeezed(article.get_text())
    for leaf in deck.select(f":is({LEAVES})"):
        if not leaf.select_one(LEAVES) and squeezed(leaf.get_text()) not in page:
            yield " ".join(leaf.get_text().split())[:100]
    for words in deck.body.find_all(string=True):
        if not words.find_parent(["script", "style"]) and squeezed(words) not in page:
            yield words.strip()[:100]


def left_out(article, deck):
    """Statements, "Why"s and figures in sight, questions and points of the summary that are not on a slide."""
    titles = {squeezed(title.get_text()) for title in deck.select("section > h2")}
    for part in article.select("#notes-and-references, section:has(> .tag_exercise)"):
        part.extract()
    for statement in article.select(".proof > .admonition-title"):
        if not statement.find_parent("details") and squeezed(statement.get_text()) not in titles:
            yield statement.get_text()
    for notes in deck.select("aside"):
        notes.extract()
    shown = squeezed(deck.body.get_text())
    wanted = article.select("section > p:has(> em:first-child), #summary li, .quiz-option .sd-summary-text")
    for part in wanted:
        is_why = part.name != "p" or part.get_text().startswith("Why.")
        if is_why and squeezed(part.get_text()) not in shown:
            yield part.get_text()[:100]
    figures = [figure for figure in article.select("figure") if not figure.find_parent(["figure", "details"])]
    if len(figures) != len([figure for figure in deck.select("figure") if not figure.find_parent("figure")]):
        yield f"{len(figures)} figures of the page"


def dead(deck):
    """Links, names of places, and slides within slides: a deck has none."""
    yield from (str(tag)[:100] for tag in deck.select("a, section section, section :not(svg, svg *)[id]"))
    yield from (str(slide)[:100] for slide in deck.select(".slides > section") if not slide.find(["h1", "h2"]))


@pytest.mark.parametrize("page", PAGES)
def test_a_deck_says_what_its_page_says(html, page):
    """Nothing else, in the page's own pieces; and all that a deck is for is on it."""
    article, deck = soups(html, page)
    assert list(not_on_the_page(article, deck)) == []
    assert list(dead(deck)) == []
    assert list(left_out(article, deck)) == []


def test_what_turns_the_slides_is_what_we_vendored(html, tmp_path):
    """Byte for byte the files whose hashes are kept beside them; a deck asks for no file that is not there."""
    SLIDES["write"](html, tmp_path, PAGES[:1])
    for line in (ROOT / "tools/slides/reveal.sha256").read_text("utf8").splitlines():
        expected, name = line.split()
        assert hashlib.sha256((tmp_path / name).read_bytes()).hexdigest() == expected
    deck = (tmp_path / "01_cart.html").read_text("utf8").split("<body>")[0]
    asked = re.findall(r'(?:src|href)="([^"]+)"', deck)
    assert asked and all((tmp_path / name).is_file() for name in asked)


PAGE = """<article><section><h1>2. Noise<a class="headerlink">#</a></h1>
<div class="chapter-card"><dl><dt>Time</dt><dd>90 minutes of lecture</dd></dl></div>
<section id="after-this-chapter-you-can"><h2>2.1. After</h2><ul><li>compute</li></ul></section>
<section id="a-puzzle"><h2>2.2. A puzzle</h2><p>A hospital counts.</p>
<p><strong>Guess:</strong> what?</p><p>Two.</p></section>
<section id="the-facts"><h2>2.3. The facts</h2><p>See <a href="../x.html">there</a>.</p>
<div class="proof lemma" id="lem-a"><p class="admonition-title">Lemma 2.1 (Sums)</p>
<section id="c"><p>It adds.</p></section></div>
<p><em>Why.</em> It is a sum.</p>
<details><summary><span class="sd-summary-text">Proof</span></summary>
<div class="sd-summary-content"><p>Add.</p></div></details>
<p><strong>Before you move it, guess.</strong> How far?</p>
<div class="cell tag_hide-input"><div class="cell_output">
<figure><svg><text>ε</text></svg><figcaption>Far.</figcaption></figure></div></div>
<details><summary>After you have moved it</summary>
<div class="sd-summary-content"><p>As far as that.</p></div></details></section>
<section id="exercises"><h2>2.4. Exercises</h2><p>Do this.</p></section>
<section id="quiz"><h2>2.5. Quiz</h2><p>Choose.</p><p><strong>1.</strong> Which?</p>
<details class="quiz-option"><summary><span class="sd-summary-text">A. One</span></summary>
<p>Right.</p></details></section>
<section id="summary"><h2>2.6. Summary</h2><ul><li>Sums add.</li></ul></section></section></article>"""


def told(page, part):
    """The slides of a page: of each its title and its text, or its notes."""
    for slide in made_of(page).select("section"):
        notes = slide.aside.extract() if slide.aside else None
        text = notes if part == "notes" else slide
        yield " ".join(text.get_text(" ").split()) if text else ""


def test_what_stands_on_slides_and_what_is_for_the_speaker():
    """What is asked stands on a slide, and what answers it is in the notes."""
    assert list(told(PAGE, "slide")) == [
        "2. Noise",
        "2.1. After compute",
        "2.2. A puzzle A hospital counts. Guess: what?",
        "Lemma 2.1 (Sums) It adds. Why. It is a sum.",
        "Proof Add.",
        "2.3. The facts Before you move it, guess. How far? Far. ε",
        "2.5. Quiz 1. Which? A. One",
        "2.6. Summary Sums add.",
    ]
    notes = ["Time 90 minutes of lecture", "", "Two.", "See there .", "", "As far as that.", "A. One Right.", ""]
    assert list(told(PAGE, "notes")) == notes


@pytest.mark.parametrize(
    ("check", "page", "deck"),
    [
        (not_on_the_page, PAGE.replace("It adds.", "It does not add."), PAGE),
        (not_on_the_page, PAGE.replace("As far as", "Not as far as"), PAGE),
        (not_on_the_page, PAGE.replace("<text>ε", "<text>δ"), PAGE),
        (not_on_the_page, PAGE.replace("2.3. The facts", "2.4. The facts"), PAGE),
        (left_out, PAGE, PAGE.replace('class="proof lemma"', 'class="lemma"')),
        (left_out, PAGE, PAGE.replace("<em>Why.</em>", "Why.")),
        (left_out, PAGE, PAGE.replace("<li>Sums add.</li>", "")),
        (left_out, PAGE, PAGE.replace("<p><strong>1.</strong> Which?</p>", "")),
        (left_out, PAGE, PAGE.replace("<figure>", "<div>")),
    ],
)
def test_the_checks_of_decks_can_fail(check, page, deck):
    """A deck of another page is found out."""
    assert list(check(BeautifulSoup(page, "html.parser").article, made_of(deck)))
    assert list(check(BeautifulSoup(page, "html.parser").article, made_of(page))) == []


@pytest.mark.browser
@pytest.mark.parametrize(("theme", "chapter"), [("light", "02_privacy"), ("dark", "03_mechanisms")])
def test_a_deck_is_shown(html, tmp_path, opened, theme, chapter):
    """By the keyboard, with a speaker's window, on a telephone, on as many sheets as there are slides."""
    SLIDES["write"](html, tmp_path, [f"book/chapters/{chapter}"])
    address = (tmp_path / f"{chapter}.html").as_uri()
    with opened(address, theme, 1280) as (page, wrong):
        page.wait_for_selector("html.ready")
        assert page.evaluate("document.documentElement.dataset.theme") == theme
        assert page.locator("section.long, mjx-merror").count() == 0
        title = page.locator(".slides > .present > :is(h1, h2)")
        with page.expect_popup() as speaker:
            page.keyboard.press("s")
        first = title.inner_text()
        page.keyboard.press("ArrowRight")
        assert title.inner_text() != first
        assert speaker.value.locator("h1").inner_text() == title.inner_text()
        speaker.value.close()
        page.keyboard.press("t")
        assert page.evaluate("document.documentElement.dataset.theme") != theme
    assert wrong == []
    with opened(address, theme, NARROW) as (page, wrong):  # on a telephone all slides are a page
        page.wait_for_selector("html.ready")
        assert unreadable(page, NARROW) == [] and page.locator(".slides > section:visible").count() > 20
    assert wrong == []
    if theme == "dark":
        return
    with opened(f"{address}?view=print", theme, 1280) as (page, wrong):
        page.wait_for_selector("html.ready")
        assert page.locator(".pdf-page").count() == page.locator("section").count()
        page.pdf(path=tmp_path / "deck.pdf", prefer_css_page_size=True, print_background=True)
    sheets = re.findall(rb"/Type\s*/Page\b", (tmp_path / "deck.pdf").read_bytes())
    assert len(sheets) == len(made_of((html / f"book/chapters/{chapter}.html").read_text("utf8")).select("section"))
    assert wrong == []
