"""A term of the glossary is explained before it is used: its entry names the section, and what stands before links."""

import re
from dataclasses import dataclass

import pytest

from fdpedu.chapters import CHAPTERS
from tests.support.repository import ROOT

# The order is that of the chapters in the table of contents. Cards, and what one can do after a chapter, announce;
# code, formulas and headings are no prose; the notes at the end are for those who know. The pages before the chapters
# are to look things up in, and for visitors.

BEFORE_AND_AFTER = r"(?:## After this chapter you can|## Notes and references).*?(?=^## |\Z)"
NO_PROSE = re.compile(
    r"\A---\n.*?^---$|^(`{3,})[^\n]*\n.*?^\1$|^:::\{card\}.*?^:::$|^\$\$.*?^\$\$$"
    rf"|^{BEFORE_AND_AFTER}|^#[^\n]*$|^[:`]{{3,}}\{{prf:[^\n]*$|`[^`\n]+`(?!`)|\$[^$\n]+\$|\]\([^)]*\)",
    re.M | re.S,
)
LINKED = re.compile(r"\{term\}`[^`]*`|\[[^\][]+\]\([^)]*\)")
HOME = re.compile(r"Explained\s+in\s+\[[^\]]*\]\(([\w/]+)\.md#([\w-]+)\)(;\s+elsewhere\s+an\s+everyday\s+word)?\.\s*\Z")


@dataclass(frozen=True)
class Entry:
    """A term, the page and section that explain it, and whether the word is an everyday word elsewhere."""

    term: str
    page: str
    section: str
    everyday: bool


def entries(glossary):
    """The terms of a glossary; one whose explanation is not linked has no page."""
    for block in re.findall(r"^```\{glossary\}\n(.*?)^```$", glossary, re.M | re.S):
        for term, text in re.findall(r"^(\S[^\n]*)\n((?:  [^\n]*\n)+)", block, re.M):
            home = HOME.search(text)
            page, section, everyday = home.groups() if home else ("", "", None)
            yield Entry(term, f"book/{page}", section, bool(everyday))


def blank(found):
    """As many spaces and lines, so that places stay."""
    return re.sub(r"[^\n]", " ", found[0])


def prose(text):
    """What is read as sentences; a role `{term}` is kept, with all other code in backticks emptied."""
    kept = LINKED.sub(lambda found: found[0].replace("`", "\0"), text)
    return NO_PROSE.sub(blank, kept).replace("\0", "`")


def sections(text):
    """The place where each section begins, by the name that links to it."""
    found = {}
    for heading in re.finditer(r"^#+ (.*)$", text, re.M):
        name = re.sub(r"[^\w -]", "", heading[1]).lower().replace(" ", "-")
        found.setdefault(name, heading.start())
    for target in re.finditer(r"^\(([\w-]+)\)=$", text, re.M):
        found.setdefault(target[1], target.start())
    return found


def words(term):
    """The term in singular or plural, whatever stands between its words."""
    return r"\b" + r"\s+".join(map(re.escape, term.split())) + r"(?:e?s)?\b"


def uses(term, longer, text):
    """The places of a term in prose, save where it is a part of a longer term."""
    inside = [found.span() for other in longer for found in re.finditer(words(other), text, re.I)]
    for found in re.finditer(words(term), text, re.I):
        if not any(start <= found.start() < end for start, end in inside):
            yield found.start()


def too_early(glossary, pages):
    """Terms that are used in prose, without a link, before the section that their entry names; or that name none.

    `pages` maps the names of pages to their texts, in the order in which they are read.
    """
    known, order = list(entries(glossary)), list(pages)
    for entry in known:
        place = sections(pages[entry.page]).get(entry.section) if entry.page in pages else None
        if entry.page in pages and place is None:
            yield f"{entry.term}: no section {entry.section} on {entry.page}"
        if not entry.section:
            yield f"{entry.term}: the entry does not end with 'Explained in [chapter …](…#…).'"
        if place is None or entry.everyday:
            continue
        longer = [other.term for other in known if entry.term != other.term and entry.term in other.term]
        for name in order[: order.index(entry.page) + 1]:
            text = prose(pages[name])
            until = place if name == entry.page else len(text)
            first = next((at for at in uses(entry.term, longer, text) if at < until), None)
            if first is None:
                continue
            if not any(link.start() <= first < link.end() for link in LINKED.finditer(pages[name])):
                yield f"{entry.term}: {name}, line {text.count(chr(10), 0, first) + 1}"
            break


@pytest.fixture(scope="module")
def book():
    return {page: (ROOT / f"{page}.md").read_text("utf8") for chapter in CHAPTERS for page in chapter.pages}


def test_terms_are_explained_before_they_are_used(book):
    """Or the first use links, to the glossary or to the section; everyday words say so in their entry."""
    assert list(too_early((ROOT / "book/glossary.md").read_text("utf8"), book)) == []


def test_most_terms_are_no_everyday_words():
    """The exception stays one: at least two terms of three are held to the order."""
    everyday = [entry.everyday for entry in entries((ROOT / "book/glossary.md").read_text("utf8"))]
    assert len(everyday) > 90 and 3 * sum(everyday) <= len(everyday)


GLOSSARY = """
```{glossary}
mask
  A number that hides. Explained in [chapter 2](two.md#masks-that-cancel).

self-mask
  A second one. Explained in [chapter 2](two.md#masks-that-cancel).

round
  One turn. Explained in [chapter 2](two.md#masks-that-cancel); elsewhere an everyday word.
```
"""
TWO = "# Two\n\n:::{card} All\nMasks.\n:::\n\n## After this chapter you can\n\n- mask;\n\nTEXT\n\n"
TWO += "## Masks that cancel\n\nA *mask* is …"


def said(first="", second="## First", glossary=GLOSSARY):
    pages = {"book/one": f"# Masks\n\n{first}\n", "book/two": TWO.replace("TEXT", second)}
    return list(too_early(glossary, pages))


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        ({"first": "It adds two\nmasks."}, "mask: book/one, line 4"),
        ({"first": "Of self-masks nobody speaks."}, "self-mask: book/one, line 3"),
        ({"second": "## First\n\nA mask hides."}, "mask: book/two, line 13"),
        ({"first": "So {term}`all` masks are."}, "mask: book/one, line 3"),
        ({"glossary": GLOSSARY.replace("-cancel);", "-end);")}, "round: no section masks-that-end on book/two"),
        ({"glossary": GLOSSARY.replace("#masks-that-cancel).\n\nself", ").\n\nself")}, "mask: the entry does not end"),
    ],
)
def test_a_term_too_early_is_found(change, finding):
    """In an earlier chapter, earlier on the page, as a plural, beside another link; and an entry that leads nowhere."""
    assert [line.startswith(finding) for line in said(**change)] == [True]


@pytest.mark.parametrize(
    "first",
    [
        "A {term}`mask` hides, and masks cancel.",
        "[Masks](two.md#masks-that-cancel) hide; so a mask is used once.",
        "It goes round. `mask` and $mask$ are code and a formula.\n\n```python\nmask\n```\n\n## A mask\n",
        "A {term}`self-mask` is another thing. An unmasked number has none.",
    ],
)
def test_the_order_is_fair(first):
    """Links, code, formulas, headings, cards, everyday words and parts of longer words are no early uses."""
    assert said(first) == []
