"""The book as files: its chapters keep to one form, and its built pages are there, whole, labelled, valid, and ask for
nothing outside.
"""

import hashlib
import json
import os
import re
import runpy
import shutil
import subprocess
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin

import pytest
from bs4 import BeautifulSoup
from conftest import ROOT, toc_pages
from sphinx.environment import BuildEnvironment

FINGERPRINT = runpy.run_path(str(ROOT / "tools" / "fingerprint.py"))
OUTSIDE = re.compile(r"^\s*(https?:)?//", re.I)
LABELLED = {"role": "img", "aria-label": re.compile(r"\S")}
RESOURCES = "script, img, source, iframe, video, audio, embed, object, image, use, link:not([rel~=license])"


def read(path: Path) -> BeautifulSoup:
    return BeautifulSoup(path.read_text("utf8"), "html.parser")


@pytest.fixture(scope="session")
def pages(html) -> dict[str, BeautifulSoup]:
    """Every HTML file of the build, also search and index, by its address from the top."""
    names = sorted(path.relative_to(html).as_posix() for path in html.rglob("*.html"))
    return {name: read(html / name) for name in names if not name.startswith("_static/")}


# What can be wrong with a page. Each check yields its findings, and each has a broken twin below that it must find.


def outside_resources(soup):
    """Whatever a browser would fetch by itself from another machine."""
    for tag in soup.select(RESOURCES):
        for name in ("src", "href", "xlink:href", "data", "poster", "srcset"):
            if OUTSIDE.match(str(tag.get(name, ""))):
                yield f"<{tag.name} {name}={tag[name]}>"
    for tag in soup.select("style, [style]"):
        yield from outside_styles(tag.get("style") or tag.get_text())
    for tag in soup.select("script:not([src])"):
        if found := re.search(r"""["'](https?:)?//[\w.-]+\.\w+[^"']*""", tag.get_text()):
            yield f"a script names {found[0]}"


def outside_styles(css):
    yield from (found[0] for found in re.finditer(r"""(url\(|@import)\s*["']?(https?:)?//[^"')]*""", css, re.I))


def unlabelled_images(soup):
    """Images without a text equivalent; a file name, which Sphinx writes when there is none, is not one."""
    for img in soup.select("img"):
        alt = str(img.get("alt", "")).strip()
        if not alt or re.search(r"\.(png|svg|jpe?g|gif|webp)$", alt):
            yield f"<img src={img.get('src')} alt={alt!r}>"
    for svg in soup.select("main svg"):
        if svg.get("aria-hidden") == "true" or svg.find_parent("svg") or svg.find_parent(attrs=LABELLED):
            continue
        title = svg.find("title")
        labels = [svg.get("aria-label"), svg.get("aria-labelledby"), title and title.get_text()]
        if svg.get("role") != "img" or not any(label and label.strip() for label in labels):
            yield f"<svg> {str(svg)[:100]}"


def leftovers(soup):
    """Errors and warnings left on the page; a cell tagged `raises-exception` shows its error on purpose."""
    for tag in soup.select(".system-message, .problematic, .output.stderr"):
        yield tag.get_text()[:100]
    for output in soup.select(".cell:not(.tag_raises-exception) .cell_output"):
        if found := re.search(r"Traceback \(most recent call last\)|^\S*Warning: .*", output.get_text(), re.M):
            yield found[0]


def dead_links(pages, html):
    """Links to files and anchors of the book that do not exist."""
    anchors = {
        name: {tag.get("id") or tag["name"] for tag in soup.select("[id], [name]")} for name, soup in pages.items()
    }
    for name, soup in pages.items():
        for tag in soup.select("[href], [src]"):
            link = tag.get("href") or tag.get("src") or ""
            if re.match(r"(\w+:|//)", link) or link in ("", "#"):
                continue
            target, anchor = urldefrag(urljoin(f"/{name}", link))
            target = unquote(target.split("?")[0]).lstrip("/")
            if not (html / target).is_file():
                yield f"{name}: {link}"
            elif anchor and target in anchors and unquote(anchor) not in anchors[target]:
                yield f"{name}: {link} (no such anchor)"


def test_the_book_is_fresh(html):
    """Nothing that the book is made from has changed since it was built."""
    stamp = html.parent / f"book-{FINGERPRINT['fingerprint'](FINGERPRINT['book'])}"
    assert stamp.exists(), "the built book is stale: run `make book`"


def test_the_fingerprint_sees_all_that_pages_include(html):
    """Each file that a page includes, of the project, is one whose change makes the book stale."""
    import pickle

    env: BuildEnvironment = pickle.loads((html.parent / ".doctrees" / "environment.pickle").read_bytes())
    included = {(ROOT / name).resolve() for names in env.dependencies.values() for name in names}
    elsewhere = [html.parent, ROOT / ".venv", ROOT / ".peers"]  # what is made, and what the pins decide
    ours = {path for path in included if path.is_relative_to(ROOT) and not any(map(path.is_relative_to, elsewhere))}
    assert ours - set(FINGERPRINT["book"]()) == set()


def test_every_page_of_the_toc_is_built(html, page_name):
    """A page of `_toc.yml` exists and has a title and text."""
    article = read(html / f"{page_name}.html").select_one("article")
    assert article.h1 and article.p


def test_links_lead_somewhere(html, pages):
    """Every link inside the book resolves, its anchor included."""
    assert list(dead_links(pages, html)) == []


@pytest.mark.parametrize("check", [outside_resources, unlabelled_images, leftovers])
def test_pages_are_sound(pages, check):
    """No page asks for anything outside, shows an image without words, or carries what a failed build left."""
    assert [(name, finding) for name, soup in pages.items() for finding in check(soup)] == []


def test_styles_ask_for_nothing_outside(html):
    """No style sheet fetches a font, an image or another sheet from another machine."""
    found = {path.name: list(outside_styles(path.read_text("utf8"))) for path in html.rglob("*.css")}
    assert {name: urls for name, urls in found.items() if urls} == {}


def test_mathjax_is_the_one_we_vendored(html):
    """The formula renderer in the built book is, byte for byte, the file whose hash is kept beside it."""
    expected, name = (ROOT / "book/_static/mathjax/tex-svg-full.js.sha256").read_text("utf8").split()
    assert hashlib.sha256((html / "_static/mathjax" / name).read_bytes()).hexdigest() == expected


@pytest.mark.parametrize(
    ("check", "broken"),
    [
        (outside_resources, '<script src="https://cdn.example/x.js"></script>'),
        (outside_resources, '<link rel="stylesheet" href="//fonts.example/css">'),
        (outside_resources, '<p style="background: url(https://example.org/x.png)">'),
        (outside_resources, '<script>load("https://cdn.example/x.js")</script>'),
        (unlabelled_images, '<img src="tree.png">'),
        (unlabelled_images, '<img src="_images/1a2b.png" alt="../_images/1a2b.png">'),
        (unlabelled_images, '<main><svg role="img"><path/></svg></main>'),
        (unlabelled_images, "<main><svg><title>A tree</title></svg></main>"),
        (unlabelled_images, '<main><div role="img" aria-label=" "><svg></svg></div></main>'),
        (leftovers, '<div class="cell"><div class="cell_output">Traceback (most recent call last)</div></div>'),
        (leftovers, '<div class="cell"><div class="cell_output"><pre>DeprecationWarning: old</pre></div></div>'),
    ],
)
def test_the_checks_can_fail(check, broken):
    """Each check finds the fault it is for."""
    assert list(check(BeautifulSoup(broken, "html.parser")))


@pytest.mark.parametrize("link", ["gone.html", "#gone", "../gone.png"])
def test_the_link_check_can_fail(tmp_path, link):
    """A link to a missing file or anchor is found."""
    (tmp_path / "page.html").write_text(f'<a href="{link}">x</a>')
    assert list(dead_links({"page.html": read(tmp_path / "page.html")}, tmp_path))


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


CHAPTERS = [name for name in toc_pages() if name.startswith("book/chapters/")]


@pytest.mark.parametrize("chapter", CHAPTERS)
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
    """The page of the library documents each room of the package, once."""
    rooms = {
        path.stem for path in (ROOT / "fdpedu").iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    named = re.findall(r"automodule:: fdpedu\.(\w+)", source("book/api"))
    assert sorted(named) == sorted(rooms - {"__init__", "__main__", "cli"})


# The HTML itself, by a checker from npm. What the tools around us make is named here, one by one.

MADE_BY_TOOLS = [
    ("no-dup-id", '"proof-content"'),  # sphinx-proof gives the same name to the body of every claim
    ("element-permitted-content", "<p> element is not permitted as content under <summary>"),  # MyST-NB's folded cells
]


@pytest.fixture(scope="session")
def validate(tmp_path_factory):
    """Check HTML files; returns the findings. Without npm, tests skip and say so; in CI that is a failure."""
    stop = pytest.fail if os.environ.get("CI") else pytest.skip
    if not shutil.which("npm"):
        stop("there is no npm on this machine: the HTML is not validated")
    folder = tmp_path_factory.mktemp("html-validate")
    for file in (ROOT / "tests" / "html").iterdir():
        shutil.copy(file, folder)
    install = ["npm", "ci", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"]
    if subprocess.run(install, cwd=folder, capture_output=True).returncode:
        stop("npm could not fetch the HTML checker (no network?): the HTML is not validated")

    def validate(*paths):
        command = [folder / "node_modules/.bin/html-validate", "--config", folder / "htmlvalidate.json"]
        report = folder / "report.json"  # not from a pipe, which Node leaves before all is written
        subprocess.run([*command, "--formatter", f"json={report}", *paths], capture_output=True)
        return [
            f"{Path(file['filePath']).name}:{message['line']} {message['ruleId']}: {message['message']}"
            for file in json.loads(report.read_text("utf8"))
            for message in file["messages"]
            if not any(rule == message["ruleId"] and words in message["message"] for rule, words in MADE_BY_TOOLS)
        ]

    return validate


def test_the_html_is_valid(html, validate):
    """Every page of the book is valid HTML, save for the findings named above."""
    assert validate(*sorted((html / "book").rglob("*.html"))) == []


@pytest.mark.parametrize(
    "broken", ['<p id="x">a</p><p id="x">b</p>', "<p><ul><li>a</li></ul></p>", "<ul><p>a</p></ul>", "<p>a</div>"]
)
def test_the_validation_can_fail(tmp_path, validate, broken):
    """Invalid HTML is found."""
    page = '<!doctype html>\n<html lang="en"><head><title>t</title></head><body>{}</body></html>\n'
    (tmp_path / "good.html").write_text(page.format("<p>a</p>"), "utf8")
    (tmp_path / "bad.html").write_text(page.format(broken), "utf8")
    assert validate(tmp_path / "good.html") == []
    assert validate(tmp_path / "bad.html")
