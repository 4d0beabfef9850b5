"""What this book needs of Sphinx beyond Jupyter Book: cells run on all cores, notebooks, editions, a page to print.

Loading it also says to every cell that it runs for the book: figures are made for a page and not for a live notebook
(`FDPEDU_STATIC`), and slides are collected in one folder (`FDPEDU_SLIDES`).
"""

from __future__ import annotations

import gc
import os
import re
import runpy
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from api_links import claims_at_the_end, sections_with_links
from api_page import INDEX as API
from api_page import made_pages as pages_of_the_library
from api_page import read_source as write_out_the_rooms
from claims_page import made_pages, offer_filter
from claims_page import read_source as write_out_the_claims
from docutils import nodes
from exercise_places import read_source as link_exercises
from listings import Listing
from myst_parts import Unknown, without_solutions
from plain_notebook import Book, glued, labels_of, notebook, title_of
from run_cells import run_cells
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.errors import ExtensionError
from sphinx.util import logging
from synonyms import read_source as mark_synonyms

from fdpedu.chapters import CHAPTERS
from fdpedu.claims.register import REGISTER

WRITTEN = {chapter.name for chapter in CHAPTERS if chapter.written}
logger = logging.getLogger(__name__)
DOWNLOADS = "downloads"
STUDENT = os.environ.get("FDPEDU_EDITION") == "student"
NO_NOTEBOOK = {
    "book/claims",
    "book/tested",
    "book/speed",
    "book/teaching",
}  # their cells read the repository, which a notebook's reader has not


def read_source(app: Sphinx, docname: str, source: list[str]) -> None:
    """The student edition has no solutions."""
    if STUDENT:
        source[0] = without_solutions(source[0])


def compare_statements(app: Sphinx) -> None:
    """The package has the statements and tasks of the pages, or there is no book: other pages would show others."""
    stale = runpy.run_path(str(Path(app.srcdir, "tools", "statements.py")))["stale"](Path(app.srcdir))
    if stale:
        names = ", ".join(path.relative_to(app.srcdir).as_posix() for path in stale)
        raise ExtensionError(f"not what the pages say: {names}. Copy it from there with: make statements")


def page_text(app: Sphinx, docname: str) -> str:
    text = Path(app.env.doc2path(docname)).read_text("utf8")
    return without_solutions(text) if STUDENT else text


def pages_with_cells(app: Sphinx) -> list[str]:
    """The pages that are offered as notebooks."""
    found = sorted(app.env.found_docs - NO_NOTEBOOK)
    return [name for name in found if re.search(r"^`{3,}\{code-cell\}", page_text(app, name), re.M)]


def slides_of(text: str) -> list[str]:
    return sorted(set(re.findall(r"""\bslide=["']([\w.-]+\.svg)["']""", text)))


# --- downloads: the notebook of a page, the wheel that it needs, the slides of its figures ----------------------------


def offer_downloads(app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    """A line below the title and an entry in the theme's menu, so that no author has to write them."""
    if doctree is None or app.builder.name != "html" or pagename not in app.env.fdpedu_notebooks:
        return
    name = Path(pagename).name
    offers = [(f"{name}.ipynb", "Notebook"), (wheel_name(), "the library it needs")]
    offers += [(slide, f"slide {slide}") for slide in slides_of(page_text(app, pagename))]
    folder = context["pathto"](DOWNLOADS, 1)
    links = " · ".join(f'<a href="{folder}/{file}" download="{file}">{words}</a>' for file, words in offers)
    hosted = where_it_is_hosted(app.config.fdpedu_hosted, pagename)
    links += "".join(f' · <a href="{address}">{words}</a>' for words, address in hosted)
    line = f'<p class="fdpedu-downloads">Download: {links}</p>'
    context["body"] = context["body"].replace("</h1>", f"</h1>\n{line}", 1)
    context["ipynb_source"] = f"../{DOWNLOADS}/{name}.ipynb"  # the theme looks for it among the sources


def where_it_is_hosted(hosted: str, pagename: str) -> Iterator[tuple[str, str]]:
    """Where the book is hosted, on GitHub's pages: what a link says and its address. Nothing if it is not hosted."""
    if not hosted:
        return
    host = re.fullmatch(r"https://([\w-]+)\.github\.io(?:/([\w.-]+))?/?", hosted)
    if host is None:
        raise ExtensionError(f"fdpedu_hosted must be empty or https://OWNER.github.io/REPOSITORY, got {hosted!r}")
    owner, repository = host[1], host[2] or f"{host[1]}.github.io"
    name = Path(pagename).name
    file = f"{owner}/{repository}/blob/gh-pages/{'student/' * STUDENT}{DOWNLOADS}/{name}.ipynb"
    yield "open in Colab", f"https://colab.research.google.com/github/{file}"
    if pagename in {chapter.pages[0] for chapter in CHAPTERS if chapter.written}:
        yield "slides of the chapter", f"{hosted.rstrip('/')}/decks/{name}.html"


def wheel_name() -> str:
    from fdpedu import __version__

    return f"fdpedu-{__version__}{'+student' * STUDENT}-py3-none-any.whl"


def choose_pages(app: Sphinx, env: BuildEnvironment) -> None:
    env.fdpedu_notebooks = pages_with_cells(app)


def write_downloads(app: Sphinx, exception: Exception | None) -> None:
    if exception or app.builder.name != "html":
        return
    folder = Path(app.outdir) / DOWNLOADS
    folder.mkdir(exist_ok=True)
    texts = {name: page_text(app, name) for name in app.env.found_docs}
    labels = {label: words for text in texts.values() for label, words in labels_of(text)}
    titles = {Path(name).name: title_of(text) for name, text in texts.items() if not name.startswith(f"{API}/")}
    executed = Path(app.outdir).parent / "jupyter_execute"
    hosted = app.config.fdpedu_hosted.rstrip("/")
    address = f"{hosted}/{'student/' * STUDENT}{DOWNLOADS}/{wheel_name()}" if hosted else ""
    for name in pages_with_cells(app):
        numbers = glued(executed / f"{name}.glue.json")
        book = Book(Path(app.srcdir, name).parent, labels, titles, numbers, address)
        try:
            found = notebook(texts[name], book, wheel_name(), student=STUDENT)
            nbformat.write(found, folder / f"{Path(name).name}.ipynb")
        except (Unknown, OSError) as problem:
            logger.warning(f"no notebook: {problem}", location=name)
        for slide in slides_of(texts[name]):
            if (drawn := Path(os.environ["FDPEDU_SLIDES"]) / slide).exists():
                shutil.copy(drawn, folder)
            else:
                logger.warning(f"the slide {slide} was not drawn", location=name)
    teachers = ["-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    build = [sys.executable, *(["tools/student.py", str(folder)] if STUDENT else teachers)]
    done = subprocess.run(build, cwd=app.srcdir, capture_output=True, text=True)
    if done.returncode or not (folder / wheel_name()).exists():
        logger.warning(f"no wheel: {done.stderr}")


# --- one page for the printer -----------------------------------------------------------------------------------------


def share_handlers(app: Sphinx) -> None:
    """What extensions know to draw in "html", the one-page builder does not; else cards with links crash it."""
    handlers = app.registry.translation_handlers
    handlers["singlehtml"] = {**handlers.get("html", {}), **handlers.get("singlehtml", {})}


# --- the reference of the library -------------------------------------------------------------------------------------


def set_in_order(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Our docstrings say ``name : meaning`` where others give a type; and ``Claims: a, b`` becomes links."""
    text = re.sub(r"^([\w*]+(?:, [\w*]+)*) : (?=.*$)", r"\1\n    ", "\n".join(lines), flags=re.M)
    lines[:] = text.split("\n")
    if what in ("attribute", "data", "property"):
        lines.insert(0, "")  # else what stands before a colon is taken for a type
    numbered = {label for label, claim in REGISTER.items() if claim.chapter in WRITTEN}
    lines[:] = claims_at_the_end(sections_with_links("\n".join(lines), numbered), numbered).split("\n")


def find_name(app: Sphinx, env: BuildEnvironment, node: pending_xref, inner: nodes.Node) -> nodes.Node | None:
    """A docstring says ``Domain`` and means the one there is; what is not public it names without a link."""
    outside = not node.get("refdoc", "").startswith(API)
    if node.get("refdomain") != "py" or (outside and app.builder.name == "html"):  # one page is all of one document
        return None
    python = env.get_domain("py")
    target = node["reftarget"].lstrip("~.")
    names = [name for name in python.objects if name == target or name.endswith(f".{target}")]
    if len({name.rsplit(".", 1)[-1] for name in names}) == 1:
        entry = python.objects[min(names, key=len)]
        uri = app.builder.get_relative_uri(node["refdoc"], entry.docname) + "#" + entry.node_id
        return nodes.reference("", "", inner, internal=True, refuri=uri)
    return inner


def name_toggles(app: Sphinx, exception: Exception | None) -> None:
    """What unfolds the pages below a chapter has no text in the theme: it gets a name for those who cannot see it."""
    bare = '<summary><span class="toctree-toggle"'
    named = bare.replace("<summary>", '<summary aria-label="Further pages">')
    if exception is None and app.builder.name == "html":
        for page in Path(app.outdir).rglob("*.html"):
            text = page.read_text("utf8")
            if bare in text:
                page.write_text(text.replace(bare, named), "utf8")


def setup(app: Sphinx) -> dict[str, Any]:
    gc.set_threshold(700, 10, 1000)  # pages are millions of nodes that stay: looking for waste was a fifth of the time
    app.setup_extension("architecture")
    app.setup_extension("sphinx.ext.napoleon")  # and with it autodoc
    app.add_config_value("fdpedu_hosted", "", "html", str)
    app.add_directive("literalinclude", Listing, override=True)
    os.environ["FDPEDU_STATIC"] = "1"
    os.environ.setdefault("FDPEDU_SLIDES", str(Path(app.outdir).parent / "slides"))
    app.connect("builder-inited", compare_statements)
    app.connect("source-read", read_source)
    app.connect("source-read", write_out_the_rooms)
    app.connect("source-read", write_out_the_claims)
    app.connect("source-read", mark_synonyms)
    app.connect("source-read", link_exercises)
    app.connect("env-get-outdated", made_pages)
    app.connect("env-get-outdated", pages_of_the_library)
    app.connect("env-before-read-docs", lambda app, _, pages: run_cells(app, pages, page_text))
    app.connect("env-updated", choose_pages)
    app.connect("builder-inited", share_handlers)
    app.connect("html-page-context", offer_downloads)
    app.connect("html-page-context", offer_filter)
    app.connect("build-finished", write_downloads)
    app.connect("build-finished", name_toggles)
    app.connect("autodoc-process-docstring", set_in_order, priority=400)  # before napoleon reads the sections
    app.connect("missing-reference", find_name)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
