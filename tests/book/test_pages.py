"""The built pages are there, whole, labelled, fresh, and ask for nothing outside."""

import copy
import hashlib
import re
import runpy
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin

import pytest
from bs4 import BeautifulSoup
from jupyter_cache import get_cache
from sphinx.environment import BuildEnvironment

from fdpedu.chapters import CHAPTERS
from tests.support.lengths import MAX_WORDS
from tests.support.repository import ROOT

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


FIRST_PAGES = [chapter.pages[0] for chapter in CHAPTERS if chapter.written]

# What can be wrong with a page. Each check yields its findings, and each has a broken variant below that it must find.


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


def broken_by_wrapping(soup):
    """What a line that was wrapped before a mark became: cells of a table as text, or a list of one numbered item."""
    article = copy.copy(soup.select_one("article")) if soup.select_one("article") else copy.copy(soup)
    for tag in article.select("code, pre, script, style, svg, .math, .cell_input, .cell_output, .highlight"):
        tag.extract()
    for tag in article.select("p, td, li"):
        if re.search(r"^\||\|$", tag.get_text().strip()):
            yield tag.get_text()[:100]
    for items in article.select("ol"):
        if len(items.find_all("li", recursive=False)) == 1:
            yield f"a list of one numbered item: {items.get_text()[:100]}"


def too_many_words(soup):
    """More words than a chapter's first page may have; hints and captions count, solutions are looked up and do not."""
    article = copy.copy(soup.select_one("article"))
    for tag in article.select("script, style, .headerlink, .cell_input, .cell_output, .highlight, .solution"):
        tag.extract()
    exercises = article.select_one("section#exercises")
    for tag in [*exercises.find_next_siblings(), exercises] if exercises else ():
        tag.extract()
    if (many := len(article.get_text().split())) > MAX_WORDS:
        yield f"{many} words; at most {MAX_WORDS}: what goes deeper is a further page"


def dead_links(pages, html):
    """Links to files and anchors of the book that do not exist."""
    anchors = {
        name: {
            tag.get("id") or tag["name"]
            for tag in soup.find_all(lambda tag: tag.has_attr("id") or tag.has_attr("name"))
        }
        for name, soup in pages.items()
    }
    for name, soup in pages.items():
        for tag in soup.find_all(lambda tag: tag.has_attr("href") or tag.has_attr("src")):
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
    """Each file that a page includes, or that its cells have read, of the project, makes the book stale by a change."""
    import pickle

    env: BuildEnvironment = pickle.loads((html.parent / ".doctrees" / "environment.pickle").read_bytes())
    included = {(ROOT / name).resolve() for names in env.dependencies.values() for name in names}
    kept = get_cache(html.parent / ".jupyter_cache").list_cache_records()
    read = {ROOT / name for record in kept for name in (record.data or {}).get("read", {})}
    included |= {path for path in read if path.is_file()}
    elsewhere = [html.parent, ROOT / ".venv", ROOT / ".peers"]  # what is made, and what the pins decide
    ours = {path for path in included if path.is_relative_to(ROOT) and not any(map(path.is_relative_to, elsewhere))}
    assert ours - set(FINGERPRINT["book"]()) == set()


def test_every_page_of_the_toc_is_built(pages, page_name):
    """A page of `_toc.yml` exists and has a title and text."""
    article = pages[f"{page_name}.html"].select_one("article")
    assert article.h1 and article.p


def test_links_lead_somewhere(html, pages):
    """Every link inside the book resolves, its anchor included."""
    assert list(dead_links(pages, html)) == []


@pytest.mark.parametrize("page", FIRST_PAGES)
def test_a_chapter_is_no_longer_than_two_lectures(pages, page):
    """Its first page, proofs unfolded."""
    assert list(too_many_words(pages[f"{page}.html"])) == []


@pytest.mark.parametrize("check", [outside_resources, unlabelled_images, leftovers, broken_by_wrapping])
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
        (broken_by_wrapping, "<p>were read off the rows |</p>"),
        (broken_by_wrapping, "<p>each adding up to</p><ol><li><p>Write it down.</p></li></ol>"),
        (leftovers, '<div class="cell"><div class="cell_output">Traceback (most recent call last)</div></div>'),
        (too_many_words, f"<article><details><p>{'word ' * (MAX_WORDS + 1)}</p></details></article>"),
        (leftovers, '<div class="cell"><div class="cell_output"><pre>DeprecationWarning: old</pre></div></div>'),
    ],
)
def test_the_checks_can_fail(check, broken):
    """Each check finds the fault it is for."""
    assert list(check(BeautifulSoup(broken, "html.parser")))


def test_what_follows_the_exercises_is_not_counted():
    """A chapter may have 6,000 words before its exercises, and more behind them."""
    long = "<section><p>" + "word " * MAX_WORDS + '</p></section><section id="exercises"><p>'
    page = f"<article>{long}{'word ' * 2000}</p></section><section>word</section></article>"
    assert list(too_many_words(BeautifulSoup(page, "html.parser"))) == []
    assert list(too_many_words(BeautifulSoup(page.replace("<p>", "<p>word ", 1), "html.parser")))


@pytest.mark.parametrize("link", ["gone.html", "#gone", "../gone.png"])
def test_the_link_check_can_fail(tmp_path, link):
    """A link to a missing file or anchor is found."""
    (tmp_path / "page.html").write_text(f'<a href="{link}">x</a>')
    assert list(dead_links({"page.html": read(tmp_path / "page.html")}, tmp_path))
