"""A statement in the book and in the register is one text, that of the page; so is the task of an exercise."""

import dataclasses
import json
import re
import runpy
import shutil

import claims_page
import pytest

from fdpedu.chapters import CHAPTERS, collect
from fdpedu.claims import REGISTER
from fdpedu.claims.register import stated
from tests.support.claims import ON_PAGES, a_claim
from tests.support.repository import PACKAGE, ROOT

TOOL = runpy.run_path(str(ROOT / "tools" / "statements.py"))
PAGES = {page: (ROOT / f"{page}.md").read_text("utf8") for chapter in CHAPTERS for page in chapter.pages}


# --- the files of the register are what the pages say -----------------------------------------------------------------


@pytest.fixture
def house(tmp_path):
    """The list of chapters, their pages and the files, to plant faults in."""
    for name in ["fdpedu/chapters.py", *(f"{page}.md" for page in PAGES)]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    for path in (path for name in TOOL["COPIES"] for path in PACKAGE.glob(name.format("*"))):
        (tmp_path / path.relative_to(ROOT)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, tmp_path / path.relative_to(ROOT))
    return tmp_path


def change(path, old, new):
    text = path.read_text("utf8")
    assert old in text
    path.write_text(text.replace(old, new), "utf8")


def test_the_files_are_what_the_pages_say():
    assert TOOL["stale"]() == {}, "copy the statements from the pages: make statements"


def test_a_level_and_an_exercise_that_leaves_its_page_are_found(house):
    change(house / "book/chapters/01_cart.md", "a node (warm-up)", "a node (apply)")
    change(house / "book/chapters/02_privacy.md", 'check("privacy-max-ratio"', 'check("privacy-max-rate"')
    assert [path.parent.name for path in TOOL["stale"](house)] == ["cart", "privacy"]


@pytest.mark.parametrize("where", ["book/chapters/01_cart.md", "fdpedu/{}"])
@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("claims/cart/statements.json", "From the empty node the increment is 0.", "From the empty node it is 0."),
        ("claims/cart/statements.json", "Impurity is the least squared error", "Impurity is a squared error"),
        ("exercises/cart/texts.json", "The empty node has impurity 0.", "The empty node has impurity 1."),
        ("exercises/cart/texts.json", "The scaled impurity of a node", "The impurity of a node"),
        ("exercises/cart/texts.json", "negatives and b positives.", "negatives and b positives!"),
    ],
)
def test_neither_can_drift(house, where, file, old, new):
    """One word on the page, or in the file, is found; the tool mends the file and leaves the page alone."""
    assert TOOL["stale"](house) == {}
    change(house / where.format(file), old, new)
    assert list(TOOL["stale"](house)) == [house / "fdpedu" / file]
    pages = {page: (house / f"{page}.md").read_text("utf8") for page in PAGES}
    TOOL["main"](house)
    assert TOOL["stale"](house) == {}
    assert pages == {page: (house / f"{page}.md").read_text("utf8") for page in PAGES}


def test_a_file_too_few_or_too_many_is_found(house):
    claims = house / "fdpedu" / "claims"
    (claims / "privacy" / "statements.json").unlink()
    (claims / "nobody").mkdir()
    (claims / "nobody" / "statements.json").write_text("{}")
    found = TOOL["stale"](house)
    assert {path.parent.name for path in found} == {"privacy", "nobody"}
    assert [path.parent.name for path, content in found.items() if content is None] == ["nobody"]
    TOOL["main"](house)
    assert TOOL["stale"](house) == {}


def test_a_label_twice_and_an_empty_statement_are_refused(house):
    page = house / "book" / "chapters" / "01_cart.md"
    whole = page.read_text("utf8")
    empty = (
        ":::{prf:lemma} X; this book\n:label: lem-x\n\n:::\n",
        ":::{prf:lemma} X\n:label: lem-x\n\nNo source.\n:::\n",
    )
    for added, words in (*((text, "says nothing") for text in empty), (whole, "stands there twice")):
        page.write_text(f"{whole}\n{added}", "utf8")
        with pytest.raises(ValueError, match=words):
            TOOL["stale"](house)


PAGE = """
::::{dropdown} A box
:::{prf:lemma} One, in a box; a source
:label: lem-one
:nonumber:

It holds:SPACES

$$
a = b .
$$

1. An item.

   ```python
   x = 1
   ```
:::
::::
```{prf:proof}
Look.
```
````
```{prf:lemma} Shown, not said
:label: lem-two
No.
```
````
"""


def test_a_statement_is_the_whole_body():
    """Formulas, lists and code within it; also inside a box; not what has no label, and not what a code block shows."""
    body = "It holds:\n\n$$\na = b .\n$$\n\n1. An item.\n\n   ```python\n   x = 1\n   ```"
    parts = {"title": "One, in a box", "source": "a source", "statement": body}
    assert list(TOOL["statements"](PAGE.replace("SPACES", "  "))) == [("lem-one", parts)]


def misread(label, statement, text):
    """Whether a statement is not all that stands between the label's options and the closing fence of a page.

    This reads the page in another way than the tool does.
    """
    lines = "\n".join(line.rstrip() for line in text.split("\n"))
    fence = re.search(rf"^([:`]{{3,}})\{{prf:\w+\}}[^\n]*\n(?::.*\n)*:label: *{label}\n", lines, re.M)
    body = rf":label: *{label}\n(?::[\w-]+:.*\n)*\n*{re.escape(statement)}\n+"
    return not (fence and re.search(rf"^{body}{fence[1]}$", lines, re.M))


def test_the_files_hold_whole_statements():
    found = {label: text for text in PAGES.values() for label, _ in TOOL["statements"](text)}
    assert set(found) == set(ON_PAGES)
    assert [label for label, text in found.items() if misread(label, ON_PAGES[label], text)] == []
    for label in ("lem-pooled-counts", "alg-federated-split-as-printed"):
        paragraphs = ON_PAGES[label].split("\n\n")
        for part in ("\n\n".join(paragraphs[1:]), "\n\n".join(paragraphs[:-1]), ON_PAGES[label] + "\n\nMore."):
            assert misread(label, part, found[label])


# --- every claim has one statement ------------------------------------------------------------------------------------


def departures(records, on_pages):
    """Claims with no statement or with two, and statements of no claim."""
    labels = [record.label for record in records]
    yield from (f"{label} is on a page and no claim" for label in set(on_pages) - set(labels))
    for record in records:
        if bool(record.statement) == (record.label in on_pages):
            yield f"{record.label} has {'two statements' if record.statement else 'none'}"


def test_every_claim_has_one_statement_from_one_place():
    """From the page if it stands on one, which is so for all claims of written chapters; else from its record."""
    records = list(collect("fdpedu.claims", "CLAIMS"))
    assert list(departures(records, ON_PAGES)) == []
    assert len(records) == len(REGISTER)
    written = {chapter.name for chapter in CHAPTERS if chapter.written}
    for record in records:
        assert (record.label in ON_PAGES) == (REGISTER[record.label].chapter in written)
        assert REGISTER[record.label].statement == (record.statement or ON_PAGES[record.label]) != ""


def test_a_file_has_the_claims_of_its_chapter():
    """All of them, and no other: so no label stands in two files, where one would hide the other."""
    for chapter in CHAPTERS:
        expected = [label for label, claim in REGISTER.items() if claim.chapter == chapter.name and label in ON_PAGES]
        file = PACKAGE / "claims" / chapter.name / "statements.json"
        assert sorted(json.loads(file.read_text("utf8")) if file.exists() else []) == sorted(expected)


def test_a_statement_too_many_or_too_few_is_found():
    """By the check above, and by the register, which says what to do; what is sound passes both."""
    bare, inline = a_claim("a", statement=""), a_claim("b", statement="It holds.")
    assert list(departures([bare, inline], {"a": "So."})) == []
    on_page = {"title": "T", "source": "s", "statement": "So."}
    assert [claim.statement for claim in stated([bare, inline], {"a": on_page}, "c")] == ["So.", "It holds."]
    for records, on_pages, words in (
        ([bare], {}, "none"),
        ([inline], {"b": "So."}, "two"),
        ([], {"c": "So."}, "no claim"),
    ):
        assert words in " ".join(departures(records, on_pages))
    with pytest.raises(ValueError, match="make statements"):
        list(stated([bare], {}, "c"))
    with pytest.raises(ValueError, match="stated on its page"):
        list(stated([inline], {"b": on_page}, "c"))


# --- the pages of claims show it --------------------------------------------------------------------------------------


def shown(text, label):
    """The quotation below a claim's anchor on the page of claims."""
    (block,) = re.findall(rf"^\(claim-{label}\)=\n## .*\n\n.*\n\n((?:> .*\n)+)\n- ", text, re.M)
    return "\n".join(line.removeprefix("> ") for line in block.splitlines())


def in_full():
    """The claims of all chapters, as their pages show them."""
    return "\n\n".join(claims_page.in_full(chapter.name) for chapter in CHAPTERS)


def otherwise(text):
    """The claims whose statement is not what the pages of claims show; links lead from there to the same place."""
    for label, statement in ON_PAGES.items():
        if re.sub(r"\]\(\.\./chapters/\w+\.md#", "](#", shown(text, label)) != statement:
            yield label


def test_the_pages_of_claims_show_the_statements_of_the_chapters(monkeypatch):
    assert list(otherwise(in_full())) == []
    change_one = {**REGISTER, "lem-increment": dataclasses.replace(REGISTER["lem-increment"], statement="It grows.")}
    monkeypatch.setattr(claims_page, "REGISTER", change_one)
    assert list(otherwise(in_full())) == ["lem-increment"]


def lost(text):
    """Links of the page of claims into chapters that lead nowhere."""
    for page, place in re.findall(r"\]\(([^)#\s]*)#([^)]*)\)", text):
        target = PAGES.get(f"book/{page.removeprefix('../').removesuffix('.md')}", "")
        headings = re.findall(r"^#+ (.*)$", target, re.M)
        slugs = {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}
        if place not in slugs and f"({place})=" not in target:
            yield f"{page}#{place}"


def test_links_in_statements_lead_from_the_page_of_claims_too():
    text = in_full()
    assert "](../chapters/03_mechanisms.md#eight-noisy-counts-give-a-secret-away)" in text and list(lost(text)) == []
    assert list(lost("[a](#b) [c](../chapters/03_mechanisms.md#d)")) == ["#b", "../chapters/03_mechanisms.md#d"]
