"""The register as the book shows it: an index, a page for each chapter, a drawing; made when the book is built."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from api_links import anchor, code_link

from fdpedu.chapters import CHAPTERS, Chapter
from fdpedu.claims.records import VERDICTS, Claim, in_short
from fdpedu.claims.register import REGISTER, given, rests_on, standing
from fdpedu.claims.zoo import ZOO
from fdpedu.printable import escape
from fdpedu.showing import markdown_table
from fdpedu.viz.page import FONT

if TYPE_CHECKING:
    from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parent.parent.parent
INDEX, FOLDER, PLACE = "book/claims", "book/claims/", "% Here the claims of the chapter follow, one section each."
FILTER = ("claims_filter.js", "claims.css")  # they hide what one does not look for; without them all is there
MARKS = {"proved+checked": "●", "checked": "○", "assumed": "◇", "refuted as stated": "✕"}
_ROW, _TEXT, _LEFT = 27, 15, 104  # pixels: height of a row, size of letters, where labels begin


@dataclass(frozen=True)
class Markdown:
    """Text that a notebook shows as Markdown."""

    text: str

    def _repr_markdown_(self) -> str:
        return self.text


@dataclass(frozen=True)
class Drawing:
    """An SVG that a notebook shows as it is."""

    svg: str

    def _repr_html_(self) -> str:
        return self.svg


def chapters_in_the_book() -> frozenset[str]:
    """The modules whose chapter is written."""
    return frozenset(chapter.name for chapter in CHAPTERS if chapter.written)


def link(label: str) -> str:
    """The label; and where its chapter is in the book, a reference to its place there."""
    there = REGISTER[label].chapter in chapters_in_the_book()
    return f"`{label}`" + (f" ({{prf:ref}}`{label}`)" if there else "")


def counts() -> Markdown:
    """One row a chapter: how many claims stand how, how many checks try them, and how many bugs try the checks."""
    head = ("chapter", *MARKS.values(), "claims", "checks", "broken variants")
    rows, sums = [], Counter[str]()
    for chapter in CHAPTERS:
        claims = of_chapter(chapter.name)
        found = Counter(MARKS[claim.status] for claim in claims)
        found["claims"], found["checks"] = len(claims), sum(len(claim.checks) for claim in claims)
        found["broken variants"] = len(variants(chapter.name))
        sums += found
        page = f"[{chapter.number}. {chapter.title.split(':')[0]}](claims/{chapter.name}.md)"
        rows.append((page, *(str(found[name]) for name in head[1:])))
    rows.append(("all", *(str(sums[name]) for name in head[1:])))
    return Markdown(markdown_table(head, rows, right=range(1, len(head))))


def overview() -> Markdown:
    """One row a claim: what it says, where it is from, where it stands, and what kinds of checks there are."""
    rows = [
        (
            f"{record(label, claim.title)}<br>`{label}`",
            in_short(claim.source),
            f"{MARKS[claim.status]} {_standing(label)}",
            ", ".join(dict.fromkeys(check.kind for check in claim.checks)),
        )
        for label, claim in REGISTER.items()
    ]
    return Markdown(markdown_table(("claim", "source", "standing", "checks"), rows))


def record(label: str, words: str = "") -> str:
    """A reference to the record of a claim on the page of its chapter."""
    return f"{{ref}}`{words or label} <{anchor(label)}>`"


def of_chapter(name: str) -> list[Claim]:
    return [claim for claim in REGISTER.values() if claim.chapter == name]


def variants(name: str) -> dict[str, Any]:
    """The broken variants of the shipped code that a check of the chapter must catch."""
    return {twin.name: twin for twin in ZOO.values() if REGISTER[twin.claim].chapter == name}


def in_full(name: str) -> str:
    """Every claim of a chapter: statement, what it assumes, what rests on what, its code, and what was tried."""
    return "\n\n".join(_in_full(claim) for claim in of_chapter(name))


def zoo(name: str) -> str:
    """One row a broken variant of the chapter: the misconception, and what catches it."""
    rows = [(twin.name, twin.misconception, f"{record(twin.claim)}, {twin.check}") for twin in variants(name).values()]
    return markdown_table(("bug", "what one has to believe", "caught by"), rows)


def chapter_page(chapter: Chapter) -> str:
    """What follows the title of a chapter's page of claims."""
    claims = of_chapter(chapter.name)
    number = f"{len(claims)} claim{'s' * (len(claims) != 1)}"
    there = (
        f"[chapter {chapter.number}](../chapters/{Path(chapter.pages[0]).name}.md)" if chapter.pages else "its chapter"
    )
    parts = [
        f"The register has {number} of {there}, each with its statement, what it assumes, what rests on what, the code "
        "that implements it, and what was tried. The [index](../claims.md) has those of all chapters, and says what "
        "● ○ ◇ ✕ and the kinds of checks mean.",
        in_full(chapter.name),
    ]
    if variants(chapter.name):
        parts += ["## Broken variants, and the check that catches each", zoo(chapter.name)]
    return "\n\n".join(parts)


def verdicts() -> Markdown:
    """What a check of each kind shows when it does not fail."""
    return Markdown(markdown_table(("kind of check", "verdict"), VERDICTS.items()))


def _standing(label: str) -> str:
    return re.sub(r"\b(asm|lem|thm|def)-[a-z0-9-]+", lambda found: record(found[0]), standing(label))


def _in_full(claim: Claim) -> str:
    statement = _from_here(claim).replace("\n", "\n> ")
    lines = [f"({anchor(claim.label)})=\n## {claim.title}", link(claim.label), f"> {statement}"]
    points = [f"- {MARKS[claim.status]} {_standing(claim.label)}. Source: {claim.source}."]
    if claim.assumptions:
        points.append(f"- Assumes: {'; '.join(claim.assumptions)}.")
    if claim.uses:
        points.append(f"- Rests on: {', '.join(map(record, claim.uses))}.")
    if users := [label for label, other in REGISTER.items() if claim.label in other.uses]:
        points.append(f"- On it rest: {', '.join(map(record, users))}.")
    points.append(f"- Code: {', '.join(map(code_link, claim.code))}.")
    points += [f"- Check *{check.name}* ({check.kind}): {check.described()}." for check in claim.checks]
    return "\n\n".join([*lines, "\n".join(points)])


def _from_here(claim: Claim) -> str:
    """The statement as its page has it, save that what it links on that page is linked from the page of claims."""
    pages = [f"{page}.md" for chapter in CHAPTERS if chapter.name == claim.chapter for page in chapter.pages]
    home = [page for page in pages if re.search(rf"^:label: *{claim.label}$", (ROOT / page).read_text("utf8"), re.M)]
    if not home:
        return _spread(claim.statement)
    return claim.statement.replace("](#", f"](../{home[0].removeprefix('book/')}#")


def _spread(statement: str) -> str:
    """The one paragraph of a record that has no page, its long formulas on lines of their own.

    There they can scroll on a telephone. On pages they have such lines already.
    """

    def placed(found: re.Match[str]) -> str:
        formula, stop = found.groups()
        return found[0] if len(formula) < 45 else f"\n\n$$\n{formula}{stop}\n$$\n\n"

    return re.sub(r" ?\$([^$]+)\$([,.;:]?) ?", placed, statement).strip()


def graph() -> Drawing:
    """What rests on what: an arc from each claim to what it rests on, dashed if that is assumed or rests on it."""
    rows: dict[str, int] = {}
    text, at, last = [], 0, ""
    for label, claim in REGISTER.items():
        if claim.chapter != last:
            at += _ROW
            text.append(f'<text x="{_LEFT - 18}" y="{at}" font-weight="700">{escape(claim.chapter)}</text>')
        at, last = at + _ROW, claim.chapter
        rows[label] = at
        text.append(f'<text x="{_LEFT - 16}" y="{at}">{MARKS[claim.status]}</text>')
        text.append(f'<text x="{_LEFT + 3}" y="{at}">{escape(label)}</text>')
    arcs = [_arc(rows[label], rows[used], used) for label, claim in REGISTER.items() for used in claim.uses]
    title = f"What rests on what: {len(REGISTER)} claims in {len({c.chapter for c in REGISTER.values()})} chapters"
    return Drawing(
        f'<svg role="img" class="fdpedu-claims" width="340" height="{at + 14}" viewBox="0 0 340 {at + 14}" '
        f'font-family="{escape(FONT)}" font-size="{_TEXT}" fill="currentColor"><title>{title}</title>'
        f"<desc>{escape(_in_words())}</desc>{''.join(arcs)}{''.join(text)}</svg>"
    )


def _arc(start: int, end: int, used: str) -> str:
    """From a claim to what it rests on, with an arrowhead there; far arcs reach farther to the left."""
    x, y0, y1 = _LEFT - 20, start - 8, end - 3
    reach = x - min(x - 4, 14 + 0.2 * (start - end)) * 4 / 3
    dashes = ' stroke-dasharray="5 4"' if REGISTER[used].status == "assumed" or given(used) else ""
    curve = f"M{x} {y0}C{reach:.0f} {y0} {reach:.0f} {y1} {x - 5} {y1}"
    head = f'<path d="M{x} {y1}l-8 -4v8z"/>'
    return f'<path d="{curve}" fill="none" stroke="currentColor"{dashes}/>{head}'


def _in_words() -> str:
    told = [f"{label} rests on {', '.join(claim.uses)}" for label, claim in REGISTER.items() if rests_on(label)]
    return "; ".join(told) + "."


# --- what the build does with it --------------------------------------------------------------------------------------


def read_source(app: Sphinx, docname: str, source: list[str]) -> None:
    """Put the claims where the page of a chapter says so."""
    for chapter in CHAPTERS:
        if docname == FOLDER + chapter.name:
            source[0] = source[0].replace(PLACE, chapter_page(chapter))


def made_pages(app: Sphinx, env: Any, added: set[str], changed: set[str], removed: set[str]) -> Iterator[str]:
    """The pages of claims are read in each build: what they show does not stand in their files."""
    return (name for name in env.found_docs if name.startswith(FOLDER))


def offer_filter(app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    """A field on the pages of claims that hides what one does not look for."""
    if pagename == INDEX or pagename.startswith(FOLDER):
        app.add_js_file(FILTER[0], loading_method="defer")
        app.add_css_file(FILTER[1])
