"""The register as the book's page shows it: Markdown and a drawing, made when the book is built."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from api_links import anchor, code_link

from fdpedu.chapters import CHAPTERS
from fdpedu.claims.records import VERDICTS, Claim
from fdpedu.claims.register import REGISTER, given, rests_on, standing
from fdpedu.claims.zoo import ZOO
from fdpedu.showing import markdown_table
from fdpedu.viz.page import FONT, escape

ROOT = Path(__file__).resolve().parent.parent.parent
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


def overview() -> Markdown:
    """One row a claim: where it is from, where it stands, and what kinds of checks there are."""
    rows = [
        (
            f"{claim.title}<br>`{label}`",
            claim.source.split(";")[0],
            f"{MARKS[claim.status]} {_standing(label)}",
            ", ".join(dict.fromkeys(check.kind for check in claim.checks)),
        )
        for label, claim in REGISTER.items()
    ]
    return Markdown(markdown_table(("claim", "source", "standing", "checks"), rows))


def in_full() -> Markdown:
    """Every claim with its statement, what it assumes, what it rests on, its code, and what was tried."""
    return Markdown("\n\n".join(_in_full(claim) for claim in REGISTER.values()))


def zoo() -> Markdown:
    """One row a broken twin: the misconception, the line, and what catches it."""
    rows = [(twin.name, twin.misconception, f"`{twin.claim}`, {twin.check}") for twin in ZOO.values()]
    return Markdown(markdown_table(("bug", "what one has to believe", "caught by"), rows))


def verdicts() -> Markdown:
    """What a check of each kind shows when it does not fail."""
    return Markdown(markdown_table(("kind of check", "verdict"), VERDICTS.items()))


def _standing(label: str) -> str:
    return re.sub(r"\b(asm|lem|thm|def)-[a-z0-9-]+", r"`\g<0>`", standing(label))


def _in_full(claim: Claim) -> str:
    statement = _from_here(claim).replace("\n", "\n> ")
    lines = [f"({anchor(claim.label)})=", f"**{claim.title}** {link(claim.label)}", f"> {statement}"]
    points = [f"- {MARKS[claim.status]} {_standing(claim.label)}. Source: {claim.source}. Chapter `{claim.chapter}`."]
    if claim.assumptions:
        points.append(f"- Assumes: {'; '.join(claim.assumptions)}.")
    if claim.uses:
        points.append(f"- Rests on: {_codes(claim.uses)}.")
    points.append(f"- Code: {', '.join(map(code_link, claim.code))}.")
    points += [f"- Check *{check.name}* ({check.kind}): {check.described()}." for check in claim.checks]
    return "\n\n".join([*lines, "\n".join(points)])


def _from_here(claim: Claim) -> str:
    """The statement as its page has it, save that what it links on that page is linked from this one."""
    pages = [f"{page}.md" for chapter in CHAPTERS if chapter.name == claim.chapter for page in chapter.pages]
    home = [page for page in pages if re.search(rf"^:label: *{claim.label}$", (ROOT / page).read_text("utf8"), re.M)]
    if not home:
        return _spread(claim.statement)
    return claim.statement.replace("](#", f"]({home[0].removeprefix('book/')}#")


def _spread(statement: str) -> str:
    """The one paragraph of a record that has no page, its long formulas on lines of their own.

    There they can scroll on a telephone. On pages they have such lines already.
    """

    def placed(found: re.Match[str]) -> str:
        formula, stop = found.groups()
        return found[0] if len(formula) < 45 else f"\n\n$$\n{formula}{stop}\n$$\n\n"

    return re.sub(r" ?\$([^$]+)\$([,.;:]?) ?", placed, statement).strip()


def _codes(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


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
