"""What authors write: chapters keep to one form, figures have words, the reference has every room."""

import re
import runpy

import api_page
import pytest

from fdpedu.chapters import CHAPTERS
from fdpedu.sources import DOCUMENTS
from tests.support.lengths import MAIN_LINE, MAX_WORDS, PER_MINUTE, minutes_for
from tests.support.repository import ROOT, toc_pages

# What authors write. Each check yields its findings in the source of a page; code blocks are not prose.

FIRST = "After this chapter you can"
LAST = ["Exercises", "Quiz", "Summary", "Notes and references"]
KIND = set(
    "question puzzle attack idea definition picture claim theorem lemma proof code program check test limit trap "
    "caveat example overview introduction preliminary background result method discussion conclusion".split()
)  # words that say what kind of section it is, and not what one learns there
SMALL = set("a an the and or of in on to for it its this some more once first again live each our your".split())
CARD = ["You need first", "Time", "Module", "Links"]
AT_THE_END = ["Claims", "Source"]


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


def is_template(title):
    """Whether a title names a kind of section only, such as "Limits and traps": all its words do, or are small."""
    words = set(re.findall(r"[^\W\d_]+", title.lower())) - SMALL
    return all({word, word.removesuffix("s"), re.sub("ies$", "y", word)} & KIND for word in words)


def template_titles(text):
    """Titles of sections, and of parts of them, that do not say what one learns there."""
    for title in re.findall(r"^##+ (.*)$", without_code(text), re.M):
        if is_template(title):
            yield f"a title that says nothing of its own: {title}"


def departures(text):
    """What of the chapters' form is missing or out of order: the cards, the first section, the last four."""
    prose = without_code(text)
    found = re.findall(r"^## (.*)$", prose, re.M)
    if found[:1] != [FIRST] or found[-len(LAST) :] != LAST or len(found) < 2 + len(LAST):
        yield f"headings are {found}"
    if double := sorted({title for title in found if found.count(title) > 1}):
        yield f"headings stand there twice: {double}"
    card = re.search(r"^([:`]{3,})\{card\}.*?^\1$", prose.split("\n## ")[0], re.M | re.S)
    if not card:
        yield "no card before the first heading"
    else:
        yield from (f"the card lacks {entry!r}" for entry in CARD if f"**{entry}**" not in card[0])
        if not re.search(r"\d+ minutes of lecture|lecture\D{0,20}\d+ minutes", card[0]):
            yield "the card does not say how many minutes of lecture"
    last = re.search(r"^([:`]{3,})\{card\}(?:(?!^\1$).)*^\1\s*\Z", prose, re.M | re.S)
    yield from (
        f"no card at the end says {entry!r}" for entry in AT_THE_END if not last or f"**{entry}**" not in last[0]
    )


def without_head(text):
    """A page without the lines for Jupytext at its top."""
    return re.sub(r"\A---.*?---\n", "", text, flags=re.S)


def too_long(text):
    """A page with more words than two lectures hold, or which takes another time to read than its card says."""
    text = without_head(text)
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    if (many := len(prose.split("\n## Exercises\n")[0].split())) > MAX_WORDS:
        yield f"{many} words; at most {MAX_WORDS} on a chapter's first page: what goes deeper is a further page"
    shown = re.sub(r"^```[^\n]*\n:tags: \[(remove-cell|hide-input)\].*?^```$", "", text, flags=re.M | re.S)
    needed = minutes_for(len(shown.split()))
    said = re.search(r"(\d+)\s+minutes\s+of\s+reading", text)
    if not said or int(said[1]) not in (needed, needed + 5):
        yield f"the card says {said and said[0]}; at {PER_MINUTE} words a minute it takes {needed}"


def in_sight(text):
    """A page before its exercises, without code and drop-downs; formulas stay."""
    text = without_head(text).split("\n## Exercises\n")[0]
    text = re.sub(r"^(`{3,}|:{3,})(?:\{dropdown\}|(?<=`)(?!\{(?:card|prf:|glue))).*?^\1$", "", text, flags=re.M | re.S)
    return re.sub(r"^:[\w-]+:.*$", "", text, flags=re.M)


def long_main_line(text):
    """A page with too many words in sight before its exercises."""
    if (many := len(in_sight(text).split())) > MAIN_LINE:
        yield f"{many} words in sight; at most {MAIN_LINE}"


def unnamed_exercises(text):
    """Exercises that no paragraph in sight before them says to try where their idea ends, by their title."""
    named = " ".join(" ".join(re.findall(r"\*\*Try now:\*\*(?:.|\n(?!\n))*", in_sight(text))).split())
    exercises = re.findall(r"^\((ex-.*)\)=\n### (.*?)(?: \([\w-]+\))?$", text, re.M)
    yield from (label for label, title in exercises if f"[{title}](#{label})" not in named)


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


BY_PLACE = (
    r"\[[^][\n]*:[^][\n]*:\s*\w+\]",  # every so many rows
    r"\bnp\.(?:array_)?split\(",
    r"\w\s*%\s*[\w(.]+\s*(?:==|!=)|\b(?:arange|range|permutation)\(.*\)\s*%",  # a row's number modulo the parties'
    r"\[\s*:?\s*len\(\w+\)\s*//|\barange\(.*//",  # the first half
)


def dealt_by_place(text):
    """Cells that give rows to parties by their place: one more row would move others (`federation.deal` does not)."""
    cells = re.findall(r"^```(?:\{code-cell\} )?python3?\n(.*?)^```$", text, re.M | re.S)
    cells += re.findall(r"(?:^ *(?:>>>|\.\.\.) .*\n)+", text, re.M)  # of docstrings
    for cell in cells:
        if re.search(r"\bParty\(|\bhospitals\b|\bparties\b", cell):
            yield from (found[0] for pattern in BY_PLACE for found in re.finditer(pattern, cell))
        if (found := re.search(r"\[\s*Party\(\[?\w+\[.*", cell)) and not re.search(r"\bdeal\(", cell):
            yield found[0]


def who_sentences(text):
    """Sentences whose subject is "Who does this": not English, unless it is a question, or says "is not known"."""
    prose = " ".join(re.sub(r"^#.*$", "", without_code(text), flags=re.M).split())
    for found in re.finditer(r"(?:^|[.:;!?] |\*\* )(Who [^.?!]*)([.?!])", prose):
        if found[2] != "?" and not re.search(r"\b(is|are) not$", found[1]):
            yield found[0]


WRITTEN = [chapter for chapter in CHAPTERS if chapter.written]
FIRST_PAGES = [chapter.pages[0] for chapter in WRITTEN]


@pytest.mark.parametrize("chapter", FIRST_PAGES)
def test_a_chapter_keeps_to_the_form(chapter):
    """A card with what one needs and how long it takes; what one will be able to do; the same four last sections."""
    assert list(departures(source(chapter))) == []


@pytest.mark.parametrize("page", [page for chapter in WRITTEN for page in chapter.pages])
def test_titles_say_what_one_learns(page):
    """On further pages, too."""
    assert list(template_titles(source(page))) == []


@pytest.mark.parametrize("page", FIRST_PAGES)
def test_a_chapter_is_two_lectures(page):
    """Its first page, proofs unfolded; and the card says how long one reads it."""
    assert list(too_long(source(page))) == []


@pytest.mark.parametrize("page", [page for chapter in WRITTEN for page in chapter.pages])
def test_a_page_is_short_and_names_its_exercises(page):
    """What is in sight before the exercises; each is named where its idea ends."""
    assert [*long_main_line(source(page)), *unnamed_exercises(source(page))] == []


@pytest.mark.parametrize("check", [bare_references, retyped_claims, bare_figures, who_sentences])
def test_pages_are_well_written(check, page_name):
    """Claims are referred to by role and have labels; every figure has words."""
    if check is bare_references and page_name == "book/errata":
        return  # this page is about the sources' own numbers
    assert list(check(source(page_name))) == []


def test_examples_deal_rows_one_by_one(page_name):
    """On every page; in the README and in docstrings, too (here with the first page)."""
    texts = [source(page_name)]
    if page_name.endswith("index"):
        texts += [path.read_text("utf8") for path in (ROOT / "README.md", *(ROOT / "fdpedu").rglob("*.py"))]
    assert [found for text in texts for found in dealt_by_place(text)] == []


TEMPLATE = [
    "A question first",
    "Idea, definition, picture",
    "Claim",
    "Claims",
    "The code",
    "Check it",
    "Limits and traps",
]
TEMPLATE += [
    "Traps",
    "The claims, and the code",
    "Some definitions",
    "Puzzles",
    "The attack, once more",
    "Preliminaries",
]
FORM = ":::{card} C\n" + "".join(f"**{entry}**\n: 90 minutes of lecture\n" for entry in CARD) + ":::\n"
FORM += "".join(f"\n## {heading}\n" for heading in [FIRST, "Noise hides one record", *LAST])
FORM += "\n:::{card} D\n" + "".join(f"**{entry}**\n: what\n" for entry in AT_THE_END) + ":::\n"


@pytest.mark.parametrize(
    ("check", "broken"),
    [
        (departures, FORM.replace("## Quiz\n", "")),
        (departures, FORM.replace("## Quiz", "## Summary")),
        (departures, FORM + "\n## More noise\n"),
        (departures, FORM.replace("## After", "## Before")),
        (departures, FORM.replace("## Noise hides one record\n", "")),
        (departures, FORM.replace("## Noise", "## Noise hides one record\n\n## Noise")),
        (departures, FORM.replace("{card}", "{note}")),
        (departures, FORM.replace("**Module**", "")),
        (departures, FORM.replace("**Claims**", "")),
        (departures, FORM + "\nMore.\n"),
        (departures, FORM.replace("90 minutes", "long")),
        *((template_titles, f"## {title}\n") for title in TEMPLATE),
        *((template_titles, f"### {title}\n") for title in TEMPLATE),
        (too_long, "55 minutes of reading " + "word " * MAX_WORDS),
        (too_long, "15 minutes of reading " + "word " * 5 * PER_MINUTE),
        (too_long, "5 minutes of reading\n```\n" + "code " * 6 * PER_MINUTE + "\n```\n"),
        (too_long, "An hour of reading"),
        (long_main_line, "word " * (MAIN_LINE + 1)),
        (long_main_line, ":::{prf:lemma} A\n:label: lem-a\n" + "word " * MAIN_LINE + "\n:::\n"),
        (unnamed_exercises, "As in [One](#ex-one).\n\n## Exercises\n\n(ex-one)=\n### One"),
        (unnamed_exercises, "**Try now:** [one](#ex-one).\n\n[Two](#ex-two).\n\n## Exercises\n\n(ex-two)=\n### Two"),
        (unnamed_exercises, "**Try now:** [this](#ex-one).\n\n## Exercises\n\n(ex-one)=\n### One (apply)\n"),
        (bare_references, "By Theorem 7 this holds."),
        (bare_references, "It follows. The report is right. By Lemma\n3.2, more."),
        (retyped_claims, "```{prf:lemma} A name\n\nText\n```"),
        (bare_figures, "```{code-cell} python3\nfig, ax = plt.subplots()\nax.plot([1])\n```"),
        (who_sentences, "It is simple. Who knows trees may pass\nthis over."),
        (dealt_by_place, "```python\nhospitals = [Party(X[k::5], domain, labels=y[k::5]) for k in range(5)]\n```"),
        (dealt_by_place, "```{code-cell} python3\nfive = [Party(A[k:n:K], public) for k in range(K)]\n```"),
        (dealt_by_place, "```{code-cell} python3\nparties = np.arange(len(y)) % 5\n```"),
        (dealt_by_place, "```{code-cell} python3\nparties = rng.permutation(len(y)) % 5\n```"),
        (dealt_by_place, "```{code-cell} python3\na = [Party([r for i, r in enumerate(rows) if i % 2 == k], d)]\n```"),
        (dealt_by_place, "    >>> parties = [Party(X[part], d) for part in np.array_split(rows, 2)]\n"),
        (dealt_by_place, "    >>> one = Party(X[: len(X) // 2], d)\n"),
        (dealt_by_place, "```python\nparties = [Party(X[100 * k : 100 * k + 100], d) for k in range(5)]\n```"),
        (dealt_by_place, "```python\nfive = [\n    Party(X[rows], d) for rows in order.reshape(5, -1)]\n```"),
    ],
)
def test_the_checks_of_sources_can_fail(check, broken):
    """Each check of an author's text finds the fault it is for."""
    assert list(check(broken + "\n"))


def test_the_checks_of_sources_are_fair():
    """A sound text has no findings; a source's own numbers may be named."""
    sound = ":::{prf:lemma} Ours (report, Lemma 3.2)\n:label: lem-x\n\nText\n:::\nThe report's Lemma 3.2 says less.\n"
    sound += "```{code-cell} python3\nfig, ax = plt.subplots()\nshow_figure(fig, alt='A line.')\n```\n"
    sound += "```python\nhospitals = [Party(X[rows], d, labels=y[rows]) for rows in deal(len(y), 5)]\n```\n"
    assert [*dealt_by_place(sound), *dealt_by_place("Not `X[k::5]` for hospitals.\n")] == []
    assert list(who_sentences("## Who asks\nWho may ask? Who voted for what is not. Anyone who asks may know.")) == []
    assert list(template_titles("## Which question a tree asks\n" + FORM + "```text\n## Claim\n```\n")) == []
    hidden = f":::{{dropdown}} Proof\n{'word ' * MAIN_LINE}\n:::\n```python\n{'word ' * MAIN_LINE}\n```\n"
    assert list(long_main_line("word " * MAIN_LINE + "\n" + hidden)) == []
    there = "## Exercises\n\n(ex-a)=\n### A b (apply)\n\n(ex-c)=\n### C?\n"
    assert list(unnamed_exercises(f"**Try now:** [A\nb](#ex-a); [C?](#ex-c)\n\n{there}")) == []
    assert list(too_long("---\nx: y\n---\n5 minutes of reading\n" + "word " * 5 * PER_MINUTE)) == []
    assert [*departures(FORM), *bare_references(sound), *retyped_claims(sound), *bare_figures(sound)] == []


def test_the_skeleton_of_a_chapter_has_the_form():
    """What `make chapter` writes lacks only what its author fills in."""
    page = runpy.run_path(str(ROOT / "tools" / "chapter.py"))["PAGE"].replace(chr(0x270E) + " minutes", "5 minutes")
    assert [*departures(page), *template_titles(page), *too_long(page)] == []


def test_the_reference_has_every_room():
    """Each module of the package has a page of the library, once, in the order of the tiers, and the index names it."""
    rooms = {
        path.stem for path in (ROOT / "fdpedu").iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    texts = {page: [source(page)] for page in toc_pages() if page.startswith(api_page.INDEX)}
    for page, text in texts.items():
        api_page.read_source(None, page, text)
    index, *pages = (text[0] for text in texts.values())
    named = [re.findall(r"^# `fdpedu\.([\w.]+)`$|automodule:: fdpedu\.([\w.]+)$", page, re.M) for page in pages]
    documents = {f"sources.{name}" for name in DOCUMENTS}
    assert sorted(api_page.rooms()) == sorted({*rooms, *documents} - {"__init__", "__main__", "cli"})
    assert named == [[(room, ""), ("", room)] for room in api_page.rooms()]
    assert re.findall(r"^- \[`fdpedu\.([\w.]+)`\]\((api/\w+)\.md\).*: [A-Z*]", index, re.M) == [
        (room, api_page.page_of(room).removeprefix("book/")) for room in api_page.rooms()
    ]
