"""The live edition, used in Chromium as a reader does: on a telephone, with nothing installed."""

import re

import pytest

from fdpedu.exercises import catalogue
from tests.support.axe import SEEN_BY_LOOK, inaccessible
from tests.support.live import (
    PATIENCE,
    answer,
    bar_of,
    button,
    run_all,
    section_of,
    served,
    unlike,
    visit,
    visited,
    write,
)
from tests.support.live_apart import APART, APART_ANSWERS, RAISES, apart
from tests.support.repository import ROOT
from tools import live as edition

pytestmark = pytest.mark.browser
LIVE = ROOT / "_build" / "live"
PAGE, EXERCISE = "book/chapters/02_privacy.html", "privacy-max-ratio"
QUICK = ["07_histograms_asked", "13_privatree_tables"]  # pages whose cells all run in `make test`


def pytest_generate_tests(metafunc):
    """Two pages and ten exercises; all of them with `--deep`."""
    deep = metafunc.config.getoption("--deep")
    if "deep_only" in metafunc.fixturenames:
        metafunc.parametrize("deep_only", ["deep"] if deep else [])
    if "live_pages" in metafunc.fixturenames:
        every = [[page.stem] for page in edition.with_cells(LIVE)] if LIVE.is_dir() else []
        metafunc.parametrize("live_pages", every if deep else [QUICK], ids=" ".join)
    if "asked" in metafunc.fixturenames:
        chapters = dict.fromkeys(exercise.chapter for exercise in catalogue())
        every = [list(catalogue(chapter)) for chapter in chapters]
        five, more = ([*catalogue(chapter)][:5] for chapter in ("privacy", "cart"))
        metafunc.parametrize("asked", every if deep else [five, more], ids=lambda asked: asked[0].chapter)


@pytest.fixture(scope="module")
def address():
    if not LIVE.is_dir():
        pytest.fail("the live edition is not built: run `make live`")
    with served(LIVE) as (address, _):
        yield address


def place_of(page):
    """Where a page stands in the edition, by its name."""
    return next(LIVE.rglob(f"book/**/{page}.html")).relative_to(LIVE)


def test_exercises_answer_as_in_a_notebook(browser, address, asked, pytestconfig):
    """The reference passes, and each known wrong answer gets its own misconception: the same words.

    In `make test` two of the wrong answers of each exercise are tried, always the same ones.
    """
    found, most = [], None if pytestconfig.getoption("--deep") else 2
    texts = {file: file.read_text("utf8") for file in LIVE.rglob("book/**/*.html")}
    with visited(browser, address) as (page, wrong):
        for exercise in asked:
            file = next(file for file, text in texts.items() if f'id="ex-{exercise.id}"' in text)
            if not page.url.endswith(file.name):
                visit(page, f"{address}/{file.relative_to(LIVE)}")
            found += unlike(page, exercise, most)
        assert found == [] and wrong == []
        stands_in = not any(file.name.startswith("cryptography-") for file in (LIVE / "live/pyodide").iterdir())
        ran = page.locator("html").get_attribute("data-live-cryptography")
        assert (ran != "cryptography") == stands_in


def test_cells_run_and_show_what_the_book_shows(browser, live_pages):
    """And the second page loads nothing again that the first had."""
    with served(LIVE) as (address, asked), visited(browser, address) as (page, wrong):
        loaded = set()
        for name in live_pages:
            asked.clear()
            page.goto(f"{address}/{place_of(name)}")
            before, after, said = run_all(page)
            assert said.strip() == RAISES.get(name, "Done.") and wrong == []
            assert [
                found
                for place, pair in enumerate(zip(before, after, strict=True))
                if (found := apart(name, place, *pair))
            ] == []
            now = {path for path in asked if "/pyodide/" in path}
            assert not now & loaded and (now or loaded)
            loaded |= now


def test_what_may_differ_is_of_cells_and_answers_that_there_are():
    """An entry for another page, place, exercise or answer would allow nothing."""
    for page, place in APART:
        text = (LIVE / place_of(page)).read_text("utf8")
        assert place < len(edition.CELL.findall(text)), (page, place)
    known = {(exercise.id, wrong.name) for exercise in catalogue() for wrong in exercise.wrong}
    assert known >= {*APART_ANSWERS}


@pytest.mark.parametrize(
    ("built", "shown", "complaint"),
    [
        ("ε = 1 in 3.2 s; a rehearsal", "ε = 1 in 9.0 s; a rehearsal", "its entry is no longer needed"),
        ("x", "x; the noise was a stand-in's: a rehearsal, not a release", ""),
        ("x", "y; the noise was a stand-in's: a rehearsal, not a release", "it differs in more than its entry says"),
        ("x", "x; the noise was a stand-in's: a release", "it differs in more than its entry says"),
    ],
)
def test_a_difference_is_only_what_its_entry_says(built, shown, complaint):
    """And an entry that is not needed is an error; without one a page shows what the book shows, save seconds."""
    assert (apart("04_accounting_two_currencies", 2, built, shown) or ("",))[0] == complaint
    assert (apart("no entry", 0, built, shown) is None) == (complaint == "its entry is no longer needed")


BAD = [
    ("def (", "SyntaxError", "SyntaxError"),
    ("import nothing_of_the_kind", "ModuleNotFoundError", "No module named 'nothing_of_the_kind'"),
    ("for i in range(10**6): print('line', i)", "more characters, which are not shown", "Done."),
    ("raise SystemExit", "SystemExit", "SystemExit"),
    ("'x' * 10**7", "xxx", "Done."),
    ("#" * 10**6 + "\n3 + 5", "8", "Done."),
    ("bytearray(10**10)", "Error", "Error"),
    ("import socket; socket.create_connection(('example.org', 80), 1)", "Error", "Error"),
    ("import subprocess; subprocess.run(['ls'])", "OSError", "OSError"),
    ("def f(): return f()\nf()", "RecursionError", "RecursionError"),
]


def test_a_bad_answer_is_told_and_the_page_stays_usable(browser, address):
    """The next one is checked as if nothing had been; an endless one is stopped, by itself or by its reader."""
    with visited(browser, address) as (page, wrong):
        visit(page, f"{address}/{PAGE}")
        for source, shown, said in BAD:
            found, line = answer(page, EXERCISE, source)
            assert shown in found and said in line and len(found) < 210_000 and len(line) < 700, (source[:80], line)
        assert answer(page, EXERCISE, "3 + 4") == ("7", "Done.")
        page.evaluate("document.getElementById('fdpedu-live').dataset.patience = 1500")
        shown, said = answer(page, EXERCISE, "print('begun')\nwhile True: pass")
        assert said.startswith("NOT DECIDED") and "Does its loop end?" in said and "7" not in shown
        page.evaluate(f"document.getElementById('fdpedu-live').dataset.patience = {PATIENCE}")
        bar = bar_of(page, EXERCISE)
        button(bar, "Check").click()
        button(bar, "Stop").click()
        page.wait_for_function(
            "bar => bar.textContent.includes('Stopped.')", arg=bar.locator("output").element_handle()
        )
        assert answer(page, EXERCISE, "3 + 4") == ("7", "Done.") and wrong == []
        assert len(page.workers) == 1  # what was stopped does not go on unseen


def test_nothing_is_loaded_before_somebody_asks(browser):
    """Our script and its styles; the solution stays shut; what was written is found again, and can be begun anew."""
    with served(LIVE) as (address, asked), visited(browser, address) as (page, wrong):
        page.goto(f"{address}/{PAGE}")
        page.wait_for_selector("#fdpedu-live[data-ready]", state="attached")
        assert sorted(path.split("/live/")[1] for path in asked if "/live/" in path) == ["live.css", "page.js"]
        solution = section_of(page, EXERCISE).locator("details.solution").first
        solution.locator("summary").click()
        page.wait_for_timeout(200)
        assert solution.get_attribute("open") is None
        assert "after your first attempt" in bar_of(page, EXERCISE).locator("output").inner_text()
        write(page, EXERCISE, "# mine")
        page.reload()
        assert "was kept" in bar_of(page, EXERCISE).locator("output").inner_text()
        button(bar_of(page, EXERCISE), "Write your answer").click()
        editor = section_of(page, EXERCISE).locator(".cm-content").first
        assert editor.inner_text().strip() == "# mine"
        with page.expect_download() as download:
            button(bar_of(page, EXERCISE), "Save as a file").click()
        assert download.value.path().read_text("utf8") == "# mine\n"
        button(bar_of(page, EXERCISE), "Begin again").click()
        assert "def max_ratio" in editor.inner_text()
        assert not any("pyodide" in path for path in asked) and wrong == []


def test_the_keyboard_is_enough(browser, address):
    """From the button to the editor, which the keyboard can leave, and back; the focus is never lost."""
    with visited(browser, address) as (page, wrong):
        page.goto(f"{address}/{PAGE}")
        button(bar_of(page, EXERCISE), "Write your answer").focus()
        page.keyboard.press("Enter")
        section_of(page, EXERCISE).locator(".cm-editor.cm-focused").wait_for()
        page.keyboard.press("Tab")
        focused = "document.activeElement.textContent"
        assert page.evaluate(focused) == "Check"
        page.keyboard.press("Shift+Tab")
        assert "Your answer" in page.evaluate("document.activeElement.ariaLabel") and wrong == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_live_page_can_be_read_and_used_by_all(browser, address, theme):
    """Axe finds nothing, also not in the colours of the editor; nothing is too wide; on paper there is no bar."""
    with visited(browser, address, formulas=True, color_scheme=theme) as (page, wrong):
        page.goto(f"{address}/{PAGE}")
        write(page, EXERCISE, "def max_ratio(p, q):  # a comment\n    return max(p) + 1" + " " * 99 + "# far")
        assert page.evaluate("document.documentElement.scrollWidth") <= 400
        page.emulate_media(media="print")
        assert not bar_of(page, EXERCISE).is_visible()
        page.emulate_media(media="screen")
        # What else is on the page other tests look at; the theme's way back to its top is shown when one has scrolled
        others = "article section section:not(:has(.live-editor)), #pst-back-to-top"
        page.evaluate("others => document.querySelectorAll(others).forEach((e) => e.remove())", others)
        assert inaccessible(page, SEEN_BY_LOOK) == inaccessible(page) == [] and wrong == []


# A browser that lacks something: what is taken away, and what the bar says when an answer is checked.
LESS = {
    "workers": ("delete globalThis.Worker", "no workers or no WebAssembly"),
    "wasm": ("delete globalThis.WebAssembly", "no workers or no WebAssembly"),
    "storage": (
        "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') };"
        "Object.defineProperty(globalThis, 'caches', { get() { throw new DOMException('no', 'SecurityError') } })",
        "keeps nothing",
    ),
    "all storage": (
        "Object.defineProperty(globalThis, 'localStorage', { get() { throw new DOMException('', 'SecurityError') } })",
        "keeps nothing",
    ),
}


@pytest.mark.parametrize("lack", LESS)
def test_a_browser_that_lacks_something_says_so_in_a_sentence(browser, address, lack):
    """And the page is the book's all the same: its editor opens, its text stays, no script breaks."""
    script, sentence = LESS[lack]
    with visited(browser, address, script) as (page, wrong):
        page.goto(f"{address}/{PAGE}")
        write(page, EXERCISE, "3 + 4")
        if "storage" not in lack:
            button(bar_of(page, EXERCISE), "Check").click()
        said = bar_of(page, EXERCISE).locator("output").inner_text()
        assert sentence in said and said.count(". ") < 2
        assert [error for error in wrong if "/live/" in error] == []  # the theme's own scripts keep things, too


# A server that sends something else: of which file, its status, type and content, and what the bar then says.
ELSE = {
    "no worker": ("worker.js", (404, "text/plain", b"none"), "script was not to be had, or has a wrong type"),
    "no cells": ("02_privacy.json", (404, "text/plain", b"none"), "The cells of this page were not to be had"),
    "a page for cells": ("02_privacy.json", (200, "text/html", b"<p>log in"), "something else than the cells"),
    "a page for the list": ("live.json", (200, "text/html", b"<p>log in"), "something else for live.json"),
    "a page for Python": ("pyodide.js", (200, "text/html", b"<p>log in"), "something else for pyodide.js"),
    "no NumPy": ("numpy-2.0.2-cp312-cp312-pyodide_2024_0_wasm32.whl", (500, "text/plain", b"none"), "numpy"),
}


@pytest.mark.parametrize("what", ELSE)
def test_a_server_that_sends_something_else_is_told_in_a_sentence(browser, what):
    name, sent, sentence = ELSE[what]
    with (
        served(LIVE, lambda path: sent if path.endswith(f"/{name}") else None) as (address, _),
        visited(browser, address) as (page, wrong),
    ):
        page.goto(f"{address}/{PAGE}")
        for _ in range(1 if what == "no NumPy" else 2):  # it can be asked again
            button(bar_of(page, EXERCISE), "Check").click()
            waited = (
                bar_of(page, EXERCISE)
                .locator("output")
                .filter(has_text=re.compile("not to be had|something else|not run"))
            )
            waited.wait_for()
            assert sentence in waited.inner_text() and len(waited.inner_text()) < 300
        assert wrong == []


def test_types_that_are_wrong_do_no_harm(browser):
    """Where a server knows neither WebAssembly nor wheels nor modules, or has no editor, an exercise is answered."""

    def changed(path):
        if path.endswith("/codemirror.js"):
            return 404, "text/plain", b"none"
        file = LIVE / path.lstrip("/")
        return (200, "text/plain", file.read_bytes()) if "/pyodide/" in path and file.is_file() else None

    with served(LIVE, changed) as (address, _), visited(browser, address) as (page, wrong):
        visit(page, f"{address}/{PAGE}")
        assert answer(page, EXERCISE, "3 + 4") == ("7", "Done.") and wrong == []
        assert section_of(page, EXERCISE).locator("textarea").count() == 1


def test_a_page_whose_script_does_not_come_is_the_books(browser):
    with (
        served(LIVE, lambda path: (200, "text/plain", b"none") if path.endswith("/page.js") else None) as (address, _),
        visited(browser, address) as (page, wrong),
    ):
        page.goto(f"{address}/{PAGE}")
        assert page.locator(".live-bar").count() == 0 and wrong == []
        assert section_of(page, EXERCISE).locator("details.solution").first.is_visible()


# Doctests that cannot hold there, with the reason
NOT_THERE = {"fdpedu.federation.sockets.Sockets": "a browser opens no sockets"}
DOCTESTS = """
import attrs, hypothesis, matplotlib, pandas, scipy, sklearn, sortedcontainers
import doctest, importlib, pkgutil, fdpedu

tried, failed, flags = 0, [], doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
for module in pkgutil.walk_packages(fdpedu.__path__, "fdpedu."):
    if not module.name.endswith("__main__"):
        for test in doctest.DocTestFinder().find(importlib.import_module(module.name), module.name):
            tried += bool(test.examples)
            if doctest.DocTestRunner(optionflags=flags, verbose=False).run(test, out=lambda text: None).failed:
                failed.append(test.name)
print("tried", tried)
failed
"""


def test_doctests_of_the_package_hold_in_the_browser(browser, address, deep_only):
    """Save those that are named above, with the reason."""
    with visited(browser, address) as (page, wrong):
        visit(page, f"{address}/{PAGE}")
        shown, said = answer(page, EXERCISE, DOCTESTS)
        tried, failed = re.fullmatch(r"tried (\d+)\s+(\[.*\])", shown, re.S).groups()
        assert int(tried) > 500 and eval(failed) == [*NOT_THERE] and said == "Done." and wrong == []


def test_the_front_page_says_what_the_first_click_costs():
    """The number of megabytes is the one that the pages of the edition say."""
    said = re.search(r"your first click loads (\d+) MB", (ROOT / "book/index.md").read_text("utf8"))[1]
    pages = [file.read_text("utf8") for file in (LIVE / "book").rglob("*.html")]
    assert {megabytes for text in pages for megabytes in re.findall(r'data-megabytes="(\d+)"', text)} == {said}
