"""What each chapter needs first, read from the cards of the chapters, as a drawing and in words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from claims_page import Drawing, Markdown

from fdpedu.chapters import CHAPTERS, Chapter
from fdpedu.printable import escape
from fdpedu.showing import markdown_table
from fdpedu.viz.page import FONT

ROOT = Path(__file__).resolve().parent.parent.parent
WRITTEN = [chapter for chapter in CHAPTERS if chapter.written]
NAMED = re.compile(r"\bfrom\s+\[?chapters?\s+(\d+)\]?(?:\([\w.]+\))?(?:\s+and\s+(?:\[chapter )?(\d+))?", re.I)
_ROW, _TEXT, _LEFT = 27, 15, 104  # pixels: height of a row, size of letters, where titles begin


def needed(page: str) -> list[int]:
    """The chapters that the card of a page names as needed first."""
    card = re.search(r"^\*\*You need first\*\*\n(.*?)\n\n\*\*", page, re.M | re.S)
    assert card, "a chapter's page has a card that says what one needs first"
    return sorted({int(number) for found in NAMED.finditer(card[1]) for number in found.groups() if number})


def needs() -> dict[int, list[int]]:
    """For each chapter those that its card names."""
    return {c.number: needed((ROOT / f"{c.pages[0]}.md").read_text("utf8")) for c in WRITTEN}


def title(chapter: Chapter) -> str:
    return chapter.title.split(":")[0]


def in_words() -> Markdown:
    """One row a chapter: what it needs, and what needs it."""
    first = needs()

    def links(numbers: list[int]) -> str:
        pages = {c.number: c.pages[0].removeprefix("book/") for c in WRITTEN}
        return ", ".join(f"[{number}]({pages[number]}.md)" for number in numbers) or "none"

    rows = [
        (
            f"{c.number}. {title(c)}",
            links(first[c.number]),
            links([n for n, those in first.items() if c.number in those]),
        )
        for c in WRITTEN
    ]
    return Markdown(markdown_table(("chapter", "needs", "is needed by"), rows))


def drawing() -> Drawing:
    """An arc from each chapter to each that it needs; far arcs reach farther to the left."""
    first, height = needs(), _ROW * (len(WRITTEN) + 1)
    rows = {c.number: _ROW * (place + 1) for place, c in enumerate(WRITTEN)}
    arcs = "".join(_arc(rows[number], rows[other]) for number, others in first.items() for other in others)
    text = "".join(f'<text x="{_LEFT}" y="{rows[c.number]}">{c.number}. {escape(title(c))}</text>' for c in WRITTEN)
    said = "; ".join(f"{n} needs {', '.join(map(str, others))}" for n, others in first.items() if others)
    return Drawing(
        f'<svg role="img" width="340" height="{height}" viewBox="0 0 340 {height}" font-family="{escape(FONT)}" '
        f'font-size="{_TEXT}" fill="currentColor"><title>Which chapter needs which</title><desc>{said}.</desc>'
        f"{arcs}{text}</svg>"
    )


def _arc(start: int, end: int) -> str:
    x, y0, y1 = _LEFT - 6, start - 8, end - 3
    reach = x - (10 + 0.2 * (start - end)) * 4 / 3
    curve = f'<path d="M{x} {y0}C{reach:.0f} {y0} {reach:.0f} {y1} {x - 5} {y1}" fill="none" stroke="currentColor"/>'
    return f'{curve}<path d="M{x} {y1}l-8 -4v8z"/>'


def skipped(plan: str) -> Iterator[str]:
    """Where a plan of lectures has a chapter before one that its card names, and does not say that it is given."""
    first, before = needs(), set[int]()
    for row in re.findall(r"^\| \d+ \|(.*)\|(.*)\|$", plan, re.M):
        taught = [int(number) for number in re.findall(r"\[chapter (\d+)", row[0])]
        given = {int(number) for number in re.findall(r"\d+", row[1])}
        for number in taught:
            if lacking := sorted({*first[number]} - before - given - {*taught}):
                yield f"chapter {number} without {lacking}"
        before |= {*taught}
