"""What authors write: chapters keep to one form, figures have words, the reference has every room."""

import re

import api_page
import pytest

from fdpedu.chapters import CHAPTERS
from tests.support.repository import ROOT

# What authors write. Each check yields its findings in the source of a page; code blocks are not prose.

HEADINGS = [
    "After this chapter you can",
    "A question first",
    "Idea, definition, picture",
    "Claim",
    "The code",
    "Check it",
    "Limits and traps",
    "Exercises",
    "Quiz",
    "Summary",
    "Notes and references",
]
CARD = ["You need first", "Time", "Module", "Claims", "Links"]


def source(page_name):
    return (ROOT / f"{page_name}.md").read_text("utf8")


def without_code(text):
    """The text with code blocks emptied; line numbers stay. A directive in backticks is text."""
    return re.sub(
        r"^(`{3,})(?!\{)[^\n]*\n.*?^\1$|^(`{3,})\{(?:code-cell|code-block|literalinclude|math|raw)[^\n]*\n.*?^\2$",
        lambda block: "\n" * block[0].count("\n"),
        text,
        flags=re.M | re.S,
    )


def departures(text):
    """What of the chapters' fixed form is missing, added or out of order."""
    prose = without_code(text)
    found = re.findall(r"^## (.*)$", prose, re.M)
    if found != HEADINGS:
        yield f"headings are {found}"
    card = re.search(r"^([:`]{3,})\{card\}.*?^\1$", prose.split("\n## ")[0], re.M | re.S)
    if not card:
        yield "no card before the first heading"
    else:
        yield from (f"the card lacks {entry!r}" for entry in CARD if f"**{entry}**" not in card[0])
        if not re.search(r"\d+ minutes of lecture|lecture\D{0,20}\d+ minutes", card[0]):
            yield "the card does not say how many minutes of lecture"


def bare_references(text):
    """Claims named by a number of this book or of nobody, where a role would make a link. A source's number is no
    bare reference: "the report's Theorem 7", "(report, Lemma 3.2)", "Vos et al., Theorem 3".
    """
    prose = re.sub(r"^[:`]{3,}\{[^\n]*$|`[^`\n]*`", "", without_code(text), flags=re.M)  # titles name the source
    for found in re.finditer(r"\b(Theorem|Lemma|Corollary|Definition|Proposition)\s+\d[\d.]*", prose):
        before = " ".join(prose[max(0, found.start() - 60) : found.start()].split())
        if not re.search(r"(report|Gubler|Vos|El Zein|Maddock|printed|source)[^.;]*$", before):
            yield f"…{before[-30:]} {found[0]}"


def retyped_claims(text):
    """Environments without a label, which nothing can refer to."""
    for found in re.finditer(r"^([:`]{3,})\{prf:(?!ref)(\w+)\} *(.*)\n((?: *:[\w-]+:.*\n)*)", text, re.M):
        if ":label:" not in found[4] and found[2] != "proof":
            yield f"{found[2]} {found[3]}"


def bare_figures(text):
    """Cells that draw with matplotlib and do not hand the figure to `show_figure`, which demands alt text."""
    for cell in re.findall(r"^```\{code-cell\}[^\n]*\n(.*?)^```$", text, re.M | re.S):
        draws = re.search(r"\bplt\.(show|plot|hist|bar|scatter)\(|\bsubplots\(|\bFigure\(", cell)
        if draws and not re.search(r"\bshow_figure\(", cell):
            yield cell.strip().splitlines()[0]


FIRST_PAGES = [chapter.pages[0] for chapter in CHAPTERS if chapter.written]


@pytest.mark.parametrize("chapter", FIRST_PAGES)
def test_a_chapter_keeps_to_the_form(chapter):
    """The fixed headings in their order, and a card that says what one needs and how long it takes."""
    assert list(departures(source(chapter))) == []


@pytest.mark.parametrize("check", [bare_references, retyped_claims, bare_figures])
def test_pages_are_well_written(check, page_name):
    """Claims are referred to by role and have labels; every figure has words."""
    if check is bare_references and page_name == "book/errata":
        return  # this page is about the sources' own numbers
    assert list(check(source(page_name))) == []


FORM = ":::{card} C\n" + "".join(f"**{entry}**\n: 90 minutes of lecture\n" for entry in CARD) + ":::\n"
FORM += "".join(f"\n## {heading}\n" for heading in HEADINGS)


@pytest.mark.parametrize(
    ("check", "broken"),
    [
        (departures, FORM.replace("## Quiz\n", "")),
        (departures, FORM.replace("## Quiz", "## Summary")),
        (departures, FORM + "\n## More\n"),
        (departures, FORM.replace("{card}", "{note}")),
        (departures, FORM.replace("**Module**", "")),
        (departures, FORM.replace("90 minutes", "long")),
        (bare_references, "By Theorem 7 this holds."),
        (bare_references, "It follows. The report is right. By Lemma\n3.2, more."),
        (retyped_claims, "```{prf:lemma} A name\n\nText\n```"),
        (bare_figures, "```{code-cell} python3\nfig, ax = plt.subplots()\nax.plot([1])\n```"),
    ],
)
def test_the_checks_of_sources_can_fail(check, broken):
    """Each check of an author's text finds the fault it is for."""
    assert list(check(broken + "\n"))


def test_the_checks_of_sources_are_fair():
    """A sound text has no findings; a source's own numbers may be named."""
    sound = ":::{prf:lemma} Ours (report, Lemma 3.2)\n:label: lem-x\n\nText\n:::\nThe report's Lemma 3.2 says less.\n"
    sound += "```{code-cell} python3\nfig, ax = plt.subplots()\nshow_figure(fig, alt='A line.')\n```\n"
    assert [*departures(FORM), *bare_references(sound), *retyped_claims(sound), *bare_figures(sound)] == []


def test_the_reference_has_every_room():
    """The page of the library documents each room of the package, once, in the order of the tiers."""
    rooms = {
        path.stem for path in (ROOT / "fdpedu").iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    page = [source(api_page.PAGE)]
    api_page.read_source(None, api_page.PAGE, page)
    named = re.findall(r"automodule:: fdpedu\.(\w+)", page[0])
    assert sorted(named) == sorted(rooms - {"__init__", "__main__", "cli"})
    assert named == api_page.rooms() and api_page.PLACE not in page[0]
