"""Pages as notebooks: each that is offered runs from top to bottom, and reads well in plain Jupyter."""

import ast
import asyncio
import dataclasses
import re
import runpy
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import unquote, urlparse

import nbformat
import pytest
from fdpedu_book import NO_NOTEBOOK, wheel_name, where_it_is_hosted
from jupyter_cache import get_cache
from myst_parts import Unknown, without_solutions
from plain_notebook import Book, labels_of, notebook, plain
from plumbing import without_plumbing
from sphinx.errors import ExtensionError

from fdpedu.chapters import CHAPTERS
from tests.support.looked import once, print_of
from tests.support.repository import ROOT, toc_pages

PAGES = {name: (ROOT / f"{name}.md").read_text("utf8") for name in toc_pages() if (ROOT / f"{name}.md").exists()}
RUN = runpy.run_path(str(ROOT / "tools" / "notebooks.py"))
FINGERPRINT = runpy.run_path(str(ROOT / "tools" / "fingerprint.py"))
OFFERED = [name for name, text in PAGES.items() if "{code-cell}" in text and name not in NO_NOTEBOOK]


def run(coroutine):
    """To its end, in a thread of its own: in this one the browser of other tests may have a loop that still runs."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


def read_by(page):
    """The files of the repository that a page's cells read when the book was built."""
    cache = get_cache(ROOT / "_build" / ".jupyter_cache")
    kept = [record for record in cache.list_cache_records() if record.uri == str(ROOT / f"{page}.md")]
    return sorted({name for record in kept for name in record.data["read"]})


@pytest.fixture
def offered(html):
    """Read the notebook that a page offers."""
    return lambda name: nbformat.read(html / "downloads" / f"{Path(name).name}.ipynb", 4)


def pytest_generate_tests(metafunc):
    """The first notebook runs, with `--deep` every one; `make notebooks` runs them all, as a reader has them."""
    if "executed" in metafunc.fixturenames:
        metafunc.parametrize("executed", OFFERED if metafunc.config.getoption("--deep") else OFFERED[:1])


def test_a_notebook_runs(html, offered, executed, tmp_path, monkeypatch):
    """From top to bottom, in a folder of its own, as a reader runs it: with live figures."""
    monkeypatch.setenv("JUPYTER_PREFER_ENV_PATH", "1")
    monkeypatch.delenv("FDPEDU_STATIC", raising=False)
    nb = offered(executed)
    nbformat.validate(nb)
    assert not any(cell.get("outputs") for cell in nb.cells)
    files = [ROOT / name for name in read_by(executed)]
    files += [html / "downloads" / f"{Path(executed).name}.ipynb", Path(__file__), Path(RUN["__file__"])]
    with once(html.parent / "looked", print_of(files, executed)):
        run(RUN["run"](nb, tmp_path))


def test_pages_leave_nothing_in_the_reader_s_folder(html):
    """Their files are in folders of their own: a reader may have others of the same names."""
    kept = get_cache(ROOT / "_build" / ".jupyter_cache").list_cache_records()
    own = {".hypothesis"}  # a folder that the library of this name makes and keeps for itself
    left = {Path(record.uri).stem: set(record.data["left"]) - own for record in kept}
    assert len(left) > 20 and {name: files for name, files in left.items() if files} == {}


@pytest.mark.tool("tools/notebooks.py")
def test_only_the_notebooks_that_are_named_run(tmp_path, monkeypatch, capsys):
    """Two of seven. A name without a notebook is refused."""
    monkeypatch.setenv("JUPYTER_PREFER_ENV_PATH", "1")
    names = sorted(Path(chapter.pages[0]).name for chapter in CHAPTERS[:7])
    for name in names:
        nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("import fdpedu")])
        nbformat.write(nb, tmp_path / f"{name}.ipynb")
    assert run(RUN["main"](tmp_path, f"{names[4]},{names[2]}")) == 0
    said = capsys.readouterr().out
    assert "2 of 7 notebooks\n" in said
    assert [name for name in names if f"s  {name}.ipynb" in said] == [names[2], names[4]]
    command = [sys.executable, str(ROOT / "tools" / "notebooks.py"), str(tmp_path), f"{names[0]},01_card"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1 and "no notebook of 01_card, only 01_cart, " in done.stderr


SOUND = {"01_cart": "import fdpedu.cart"}
FAULTY = {"02_privacy": "1 / 0"}


@pytest.mark.tool("tools/notebooks.py")
@pytest.mark.parametrize("faulty", [{}, FAULTY], ids=["sound", "faulty"])
def test_a_notebook_that_fails_is_reported(tmp_path, monkeypatch, capsys, faulty):
    """Beside a sound one, which runs first; the exit status says it too."""
    monkeypatch.setenv("JUPYTER_PREFER_ENV_PATH", "1")
    for name, code in {**SOUND, **faulty}.items():
        nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
        nbformat.write(nb, tmp_path / f"{name}.ipynb")
    assert run(RUN["main"](tmp_path)) == bool(faulty)
    said = capsys.readouterr().out
    assert "s  01_cart.ipynb  \n" in said
    assert ("ZeroDivisionError" in said) == bool(faulty)


@pytest.mark.parametrize("name", OFFERED)
def test_a_notebook_is_plain(offered, name):
    """Nothing is left that is for the page only, and its first cells say and install what it needs."""
    nb = offered(name)
    prose = "\n".join(cell.source for cell in nb.cells if cell.cell_type == "markdown")
    assert re.findall(r"^ *[`:]{3,} *\{.*|\{[\w:]+\}`.*|^\([\w-]+\)=.*", prose, re.M) == []
    assert re.findall(r"(?<!!)\[[^\]]*\]\((?!\w+:)[^)\s]+\)", prose) == []
    assert "`fdpedu`" in nb.cells[0].source and "pip install" in nb.cells[1].source
    hidden = [cell.source for cell in nb.cells if cell.metadata.get("jupyter", {}).get("source_hidden")]
    assert [cell for cell in hidden if re.search(r"^ *glue\(|^assert ", cell, re.M) or not cell.strip()] == []


def test_what_cells_read_makes_the_book_stale(html):
    """Each file of the repository that cells have read belongs to what the book is made from."""
    read = {name for page in OFFERED for name in read_by(page)}
    files = {ROOT / name for name in read if (ROOT / name).is_file()}
    assert files - set(FINGERPRINT["book"]()) == set()
    assert read >= {"fdpedu/cart/impurity.py", "fdpedu/cart", "fdpedu/claims/cart/statements.json", "locks/book.lock"}


def test_the_page_offers_what_there_is(html):
    """Below the title: the notebook, the wheel, and the slides that its figures were written to."""
    for name in OFFERED:
        page = (html / f"{name}.html").read_text("utf8")
        [line] = re.findall(r'<p class="fdpedu-downloads">.*?</p>', page)
        files = re.findall(r'download="([^"]+)"', line)
        assert files[0] == f"{Path(name).name}.ipynb" and files[1].endswith(".whl")
        assert files[2:] == sorted(set(re.findall(r'slide="([^"]+)"', PAGES[name])))
        assert all((html / "downloads" / file).stat().st_size > 1000 for file in files)


def test_every_chapter_has_a_slide():
    """A chapter's main figure is also written as a file for slides."""
    assert [c.pages[0] for c in CHAPTERS if c.written and "slide=" not in PAGES[c.pages[0]]] == []


MYST = """\
(here)=
## A heading

::::{prf:lemma} Small (report, Lemma 1)
:label: lem-small

A formula $x$, see {prf:ref}`lem-small` and [the
words](other.md#there).

A bracket [alone

and](no link).

:::{dropdown} Proof
Because of {glue:text}`number:.1f`. ∎
:::
::::

```{literalinclude} code.py
:pyobject: second
```

```{code-block} text
{prf:ref}`not a role here`
```

````{dropdown} A solution
:class-container: solution

```python
answer = 42
```
````

The end{cite}`somebody2020`.
"""


@pytest.fixture
def book(tmp_path):
    (tmp_path / "code.py").write_text("def first():\n    pass\n\n\n@cache\ndef second():\n    return 2\n", "utf8")
    return Book(tmp_path, dict(labels_of(MYST)), {"other": "Another page"}, {"number": "2.5"})


def test_what_becomes_of_each_piece(book):
    """Boxes become quotations, folds stay folds, code stays code, roles become words."""
    text = plain(MYST, book)
    assert "> **Lemma (Small (report, Lemma 1))**" in text
    assert "> A formula $x$, see Lemma “Small” and the" in text and "> words." in text and "[alone" in text
    assert "> <details><summary><b>Proof</b></summary>" in text and "Because of 2.5. ∎" in text
    assert "```python\n@cache\ndef second():\n    return 2\n```" in text and "first" not in text
    assert "{prf:ref}`not a role here`" in text
    assert "<b>A solution</b>" in text and "answer = 42" in text
    assert text.endswith("The end[somebody2020].") and "(here)=" not in text


def test_the_student_edition_has_no_solutions(book):
    """Boxes of the class `solution` go, everything else stays as it was."""
    text = without_solutions(MYST)
    start, end = MYST.index("````{dropdown}"), MYST.index("The end")
    assert text == MYST[:start] + "\n" + MYST[end:]
    for page in PAGES.values():
        assert not re.search(r"^ *:class[\w-]*:.*\bsolution\b|\{solution", without_solutions(page), re.M)


def test_a_student_s_notebook_asks_for_the_edition_without_solutions(book):
    """It says so to the library before anything else; the other one does not."""
    page = "# T\n\n```{code-cell} python3\n1 + 1\n```\n"
    cells = [notebook(page, book, "w.whl", student=student).cells[1].source for student in (True, False)]
    ast.parse(cells[0].split("import importlib")[0])
    assert 'os.environ["FDPEDU_EDITION"] = "student"' in cells[0] and "FDPEDU_EDITION" not in cells[1]


@pytest.mark.parametrize(
    "unknown",
    ["```{mermaid}\nA\n```", "{unheard}`of`", "{glue}`gone`", "```{literalinclude} code.py\n:pyobject: third\n```",
     ":::{note}\nnever closed"],
)  # fmt: skip
def test_what_has_no_plain_form_is_refused(book, unknown):
    """Nothing is dropped silently: the build of the book names what a notebook cannot show."""
    with pytest.raises(Unknown):
        plain(unknown, book)


def test_the_same_page_gives_the_same_notebook(book):
    """Byte for byte, cell names included."""
    page = "---\nkernelspec:\n  name: python3\n  display_name: P\n---\n\n# T\n\n```{code-cell} python3\n1 + 1\n```\n"
    assert notebook(page, book, "w.whl") == notebook(page, book, "w.whl")


def test_a_new_environment_gets_an_instruction(book, tmp_path):
    """Where neither the library nor its wheel is, the first cell says which file to put beside the notebook."""
    cell = notebook("# T", book, "fdpedu-1-py3-none-any.whl").cells[1].source
    assert cell.count("%pip") == 1
    code = cell.replace("%pip", "# %pip").replace('importlib.util.find_spec("fdpedu") is None', "True")
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode and "Put fdpedu-1-py3-none-any.whl" in done.stderr


@pytest.mark.parametrize("mark", ["", " (1)", "(2)", " (12)"])
def test_a_wheel_that_was_downloaded_again_is_installed_by_its_right_name(book, tmp_path, mark):
    """Browsers write a second one beside the first as "(1)", which pip refuses."""
    cell = notebook("# T", book, "fdpedu-1.2-py3-none-any.whl").cells[1].source
    (tmp_path / f"fdpedu-1.2-py3-none-any{mark}.whl").write_bytes(b"wheel")
    missing = cell.replace('importlib.util.find_spec("fdpedu") is None', "True")
    code = re.sub(r"%pip install --quiet (.*)", r"print(f\1)", missing)
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    given = Path(unquote(urlparse(done.stdout.strip().removeprefix("fdpedu[book] @ ")).path))
    assert given.name == "fdpedu-1.2-py3-none-any.whl" and given.read_bytes() == b"wheel"
    assert [file.name for file in tmp_path.glob("*.whl")] == [f"fdpedu-1.2-py3-none-any{mark}.whl"]


def test_where_the_book_is_hosted_the_first_cell_installs_from_there(book, tmp_path):
    """A wheel that lies beside the notebook goes first. Links lead to Colab, a chapter's to its deck, too."""
    address = "https://someone.github.io/fdpedu/downloads/fdpedu-1-py3-none-any.whl"
    cell = notebook("# T", dataclasses.replace(book, address=address), "fdpedu-1-py3-none-any.whl").cells[1].source
    code = re.sub(r"%pip install --quiet (.*)", r"print(f\1)", cell)
    code = code.replace('importlib.util.find_spec("fdpedu") is None', "True")
    for expected in (address, "file:///"):
        done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
        assert done.stdout.startswith(f"fdpedu[book] @ {expected}")
        (tmp_path / "fdpedu-1-py3-none-any.whl").write_bytes(b"wheel")
    (colab,) = where_it_is_hosted("https://someone.github.io/fdpedu/", "book/tiny")
    assert colab[1].endswith("/github/someone/fdpedu/blob/gh-pages/downloads/tiny.ipynb")
    both = dict(where_it_is_hosted("https://someone.github.io", "book/chapters/01_cart"))
    assert "/someone/someone.github.io/blob/" in both["open in Colab"]
    assert both["slides of the chapter"] == "https://someone.github.io/decks/01_cart.html"
    assert list(where_it_is_hosted("", "book/tiny")) == []
    for wrong in ("http://someone.github.io/a", "someone.github.io", 'https://a"b.github.io', "https://example.org/x"):
        with pytest.raises(ExtensionError, match="fdpedu_hosted must be empty or"):
            list(where_it_is_hosted(wrong, "book/tiny"))


TRY = "try:\n    import a\nexcept ImportError:\n    a = None"


@pytest.mark.parametrize(
    ("hidden", "then", "kept"),
    [
        ("from myst_nb import glue\nglue('n', n)\nassert n", "n", ""),
        ("import numpy as np\nimport math\nglue('n', math.pi)", "np.sin(1)", "import numpy as np"),
        ("x = 1\n# why\ny = 2\nglue('y', y)", "y + 1", "# why\ny = 2"),
        ("x = 1\ny = x", "y", "x = 1\ny = x"),
        ("x = 1", "x = 2\nx", ""),
        ("x = 1", "for x in (): pass\nx", "x = 1"),
        ("def f(a):\n    return b", "b = 1\nf(2)", "def f(a):\n    return b"),
        ("b = 1", "f = lambda a: a + b", "b = 1"),
        ("a = 1", "f = lambda a: a", ""),
        ("for n in names:\n    glue(n, n)", "n = 1\nn", ""),
        ("for n in names:\n    glue(n, n)", "for n in names:\n    print(n)", ""),
        ("assert all(n for n in names)", "print(n)", ""),
        ("for n in names:\n    glue(n, n)", "print(n)", "for n in names:\n    glue(n, n)"),
        ("for n in names:\n    found[n] = 1", "found", "for n in names:\n    found[n] = 1"),
        ("found.append(1)", "found", "found.append(1)"),
        ("shuffle(found)", "found", "shuffle(found)"),
        ("found.append(1)", "1", ""),
        ("warnings.simplefilter('ignore')", "1", "warnings.simplefilter('ignore')"),
        ("own = rng.random()", "rng.random()", "own = rng.random()"),
        ("own = rng.random()", "1", ""),
        ("x = 1", "!ls x", "x = 1"),
        (TRY, "a", TRY),
    ],
)  # fmt: skip
def test_of_a_hidden_cell_only_what_is_needed_stays(hidden, then, kept):
    """What a later cell uses, what it may change, what sets something, and what draws from its generator."""
    before = "from there import names, found, rng, shuffle, n, warnings, glue"
    assert without_plumbing([(before, False), (hidden, True), (then, False)]) == [before, kept, then]


def test_what_a_function_needs_is_kept_wherever_it_stands():
    """It is called later than it is made, so what it uses may stand between; what is kept may need more."""
    cells = [("def f():\n    return g()", False), ("def g():\n    return c\nc = 1\nd = 2", True), ("f()", False)]
    assert without_plumbing(cells) == [cells[0][0], "def g():\n    return c\nc = 1", "f()"]


def test_the_wheel_is_the_one_of_this_version(html):
    """The wheel that is offered belongs to the library that made the pages."""
    import fdpedu

    assert [wheel.name for wheel in (html / "downloads").glob("*.whl")] == [wheel_name()]
    assert fdpedu.__version__ in wheel_name()
