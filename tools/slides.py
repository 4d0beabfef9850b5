"""Make a deck of each chapter from the built book: `python tools/slides.py HTML DECKS`.

A deck is made of blocks of the chapter's page and of nothing else: what one can do afterwards, the puzzle, definitions
and statements with their "Why", the figures with what is to be guessed before them, one proof, the quiz, the summary.
Paragraphs between them, what stands below an arrow after a figure, and what each answer of the quiz says, are the
speaker's notes. So whoever changes a page has changed its deck.

A deck is an HTML file that needs the few files beside it, and no network. reveal.js 6.0.2 (npm, MIT) turns the slides.
"""

from __future__ import annotations

import copy
import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from bs4 import BeautifulSoup, Tag

HERE = Path(__file__).resolve().parent / "slides"
SHARED = ("reveal.js", "reveal.css", "reveal-LICENSE", "deck.css", "deck.js")
OF_THE_BOOK = ("_static/mathjax/tex-svg-full.js", "_static/pygments.css")
FULL = 150  # words on a slide, about: what does not fit goes onto a next one with the same title
WHOLE = {"after-this-chapter-you-can", "summary"}  # sections of which all stands on slides
LEFT_OUT = {"exercises", "notes-and-references"}
GUESS = re.compile(r"^(Guess|Before you|Predict|Now guess)")

HEAD = """<!doctype html>
<html lang="en" data-theme="light">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="stylesheet" href="reveal.css">
<link rel="stylesheet" href="pygments.css">
<link rel="stylesheet" href="deck.css">
<script>window.MathJax = {{options: {{processHtmlClass: "math", ignoreHtmlClass: "reveal|mathjax_ignore"}}}}</script>
<script defer src="tex-svg-full.js"></script>
<script defer src="reveal.js"></script>
<script defer src="deck.js"></script>
</head>
<body>
<div class="reveal"><div class="slides">
"""


@dataclass
class Slide:
    """A title, what is shown, what comes at a click, and what is for the speaker only."""

    title: str
    body: list[Tag] = field(default_factory=list)
    notes: list[Tag] = field(default_factory=list)

    @property
    def weight(self) -> int:
        return sum(map(weight, self.body))


def weight(block: Tag) -> int:
    """About how many words of prose take as much space."""
    if block.select_one("figure") or block.name == "figure":
        return FULL
    lines = sum(len(pre.get_text().splitlines()) for pre in block.select("pre"))
    formulas = len(block.select("div.math")) + ("math" in block.get("class", []))
    return 7 * lines + 20 * formulas + (0 if lines else len(block.get_text().split()))


def blocks(section: Tag) -> Iterator[Tag]:
    """What a section is made of, sections within it opened; no exercises."""
    for child in section.find_all(True, recursive=False):
        if child.name != "section":
            yield child
        elif child.get("id") not in LEFT_OUT and not child.select_one(":scope > .cell.tag_exercise"):
            yield from blocks(child)


def opens(block: Tag, with_words: str | re.Pattern[str], tag: str = "strong") -> bool:
    """Whether a paragraph has such words in bold (or as ``tag`` says)."""
    return block.name == "p" and any(re.match(with_words, found.get_text()) for found in block.select(tag))


def summary(block: Tag) -> str:
    found = block.select_one("summary") if block.name == "details" else None
    return found.get_text().strip() if found else ""


def chosen_proof(article: Tag) -> Tag | None:
    """The shortest proof of a theorem, or of anything else if no theorem has one."""
    proofs = [found for found in article.select("details") if summary(found) == "Proof"]

    def is_of_theorem(proof: Tag) -> bool:
        statement = proof.find_previous(class_="proof")
        return statement is not None and "theorem" in statement["class"]

    of_theorems = list(filter(is_of_theorem, proofs))
    return min(of_theorems or proofs, key=weight, default=None)


class Deck:
    """The slides of one page, collected in the order of the page."""

    def __init__(self, article: Tag) -> None:
        self.slides: list[Slide] = []
        self.between: list[Tag] = []  # paragraphs since the last slide: notes of the next
        self.prompt: list[Tag] = []  # what is to be guessed at the next figure
        self.title, self.here = "", False  # the heading, and whether it has a slide already
        self.proof = chosen_proof(article)
        self.collect(article)

    def collect(self, article: Tag) -> None:
        top = article.select_one("section")
        sections = top.find_all("section", recursive=False)
        self.heading(top.h1)
        self.show(*top.select(":scope > .chapter-card dl")[:1], title=self.title)
        self.slides[0].notes, self.slides[0].body = self.slides[0].body, []  # the card is for who teaches
        for number, section in enumerate(sections):
            if section.get("id") in LEFT_OUT:
                continue
            for block in blocks(section):
                if block.name in ("h1", "h2", "h3", "h4"):
                    self.heading(block)
                elif section.get("id") in WHOLE:
                    self.show(block)
                elif section.get("id") == "quiz":
                    self.quiz(block)
                elif number == 1:
                    self.puzzle(block)
                else:
                    self.block(block)
        self.heading(None)

    def heading(self, block: Tag | None) -> None:
        """What was said since the last slide belongs to it, if it stands under the same heading."""
        if self.here:
            self.slides[-1].notes += self.prompt + self.between
        self.between, self.prompt, self.here = [], [], False
        self.title = inside(block) if block else ""

    def show(self, *shown: Tag, title: str = "") -> Slide:
        """A block on a slide: on the last one, if there is space under the same heading."""
        title = title or self.title
        last = self.slides[-1] if self.here else None
        full = not last or last.title != title or last.weight + sum(map(weight, shown)) > FULL
        slide = Slide(title) if full else last
        if full:
            self.slides.append(slide)
        slide.notes += self.between
        slide.body += shown
        self.between, self.here = [], True
        return slide

    def puzzle(self, block: Tag) -> None:
        """How it begins, what is asked, and the code; what comes of the code is seen at a click."""
        if "cell" in block.get("class", []):
            self.show(*parts_of_cell(block))
        elif block.name == "p" and (not self.here or opens(block, GUESS)):
            self.show(block)
        else:
            self.between.append(block)

    def quiz(self, block: Tag) -> None:
        if opens(block, r"\d+\.$"):
            self.slides.append(Slide(self.title, [block]))
            self.here = True
        elif self.here and "quiz-option" in block.get("class", []):
            self.slides[-1].body.append(as_paragraph(block.select_one(".sd-summary-text"), "option"))
            self.slides[-1].notes.append(block)
        elif self.here:
            self.slides[-1].body.append(block)

    def block(self, block: Tag) -> None:
        """Of all other sections: statements, their "Why", figures, one proof; the rest is for the speaker."""
        classes = block.get("class", [])
        if "proof" in classes:
            title, content = block.select_one(".admonition-title"), block.select_one("section")
            self.statement(inside(title), content.find_all(True, recursive=False))
        elif opens(block, "Why", "em") and self.here:
            block["class"] = "fragment"
            self.slides[-1].body.append(block)
        elif block is self.proof:
            self.statement(inside(block.select_one(".sd-summary-text")), block.select(".sd-summary-content > *"))
        elif figures := [figure for figure in block.select("figure") if not figure.find_parent("figure")]:
            for figure in figures:
                self.figure(figure)
        elif block.name == "details":
            if summary(block).startswith("After you"):
                self.between += block.select(".sd-summary-content > *")
        elif opens(block, GUESS):
            self.prompt.append(block)
        elif block.name in ("p", "ul", "ol", "dl"):
            self.between.append(block)

    def figure(self, figure: Tag) -> None:
        """Beside it what is to be guessed, and at a click what it shows."""
        captions = [as_paragraph(caption.extract(), "fragment") for caption in figure.select("figcaption")]
        self.slides.append(Slide(self.title, [*self.prompt, *captions, figure], self.between))
        self.between, self.prompt, self.here = [], [], True

    def statement(self, title: str, body: list[Tag]) -> None:
        self.here = False
        for part in body:
            self.show(part, title=title)


def parts_of_cell(cell: Tag) -> list[Tag]:
    """The code, unless the page folds it, and the output, which is seen at a click."""
    code = [] if "tag_hide-input" in cell["class"] else cell.select(":scope > .cell_input")
    shown = cell.select(":scope > .cell_output")
    for output in shown:
        output["class"] = [*output["class"], "fragment"]
    return code + shown


def as_paragraph(words: Tag, kind: str) -> Tag:
    made = copy.copy(words)
    made.name, made["class"] = "p", kind
    return made


def inside(block: Tag) -> str:
    """The HTML within a heading, without the link to itself."""
    return cleaned(copy.copy(block)).decode_contents().strip()


def cleaned(block: Tag) -> Tag:
    """For a slide: links lead nowhere, names of places are not there twice, and a slide has no slides in it."""
    for tag in block.select(".headerlink, .sd-summary-state-marker"):
        tag.extract()
    for tag in [block, *block.find_all(True)]:
        if tag.name in ("section", "details", "summary"):
            tag.name = "div"
        if tag.name == "a":
            tag.name, tag.attrs = "span", {}
        if "id" in tag.attrs and tag.name != "svg" and not tag.find_parent("svg"):  # drawings refer to their own
            del tag["id"]
    return block


def html_of(slide: Slide, level: int) -> str:
    body = "\n".join(str(cleaned(block)) for block in slide.body if block.name != "figure")
    if figures := [str(cleaned(block)) for block in slide.body if block.name == "figure"]:
        body = f'<div class="beside"><div>{body}</div>{"".join(figures)}</div>'
    notes = "\n".join(str(cleaned(block)) for block in slide.notes)
    aside = f'\n<aside class="notes">\n{notes}\n</aside>' if notes else ""
    return f"<section>\n<h{level}>{slide.title}</h{level}>\n{body}{aside}\n</section>"


def deck(page: str) -> str:
    """The deck of a chapter's page, as HTML."""
    soup = BeautifulSoup(page, "html.parser")
    slides = Deck(soup.select_one("article")).slides
    title = BeautifulSoup(slides[0].title, "html.parser").get_text()
    parts = [html_of(slide, 1 if number == 0 else 2) for number, slide in enumerate(slides)]
    return HEAD.format(title=escape(title)) + "\n".join(parts) + "\n</div></div>\n</body>\n</html>\n"


def write(html: Path, folder: Path, pages: list[str]) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for path in [*(HERE / name for name in SHARED), *(html / name for name in OF_THE_BOOK)]:
        shutil.copy(path, folder)
    for page in pages:
        (folder / f"{Path(page).name}.html").write_text(deck((html / f"{page}.html").read_text("utf8")), "utf8")


if __name__ == "__main__":
    from fdpedu.chapters import CHAPTERS

    write(Path(sys.argv[1]), Path(sys.argv[2]), [chapter.pages[0] for chapter in CHAPTERS if chapter.written])
