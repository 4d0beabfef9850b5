"""Fixtures of the tests of the built book, and the order of all tests: that of the modules, by tier."""

import gc
import os
import random
import shutil
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import settings

from fdpedu.chapters import TIERS
from tests.support.draws import drawn_from
from tests.support.looked import LOOKS, NARROW, leave, pass_over, stamp_of
from tests.support.repository import HTML, toc_pages

LOOK = ("page_name", "theme", "width")
FOLDERS = ["house", "viz", *(module for tier in TIERS for module in tier), "book"]

if settings.get_current_profile_name() == "default":  # not where another is chosen, as for mutants
    settings.register_profile("unhurried", deadline=None, print_blob=True)  # no test asserts seconds
    settings.load_profile("unhurried")


# For addresses in schemas, of which ours have none: jsonschema loads it where it is, and its grammars take 3 s to make
sys.modules.setdefault("rfc3987_syntax", None)

# What thousands of tests need is millions of objects that stay: looking through them for waste was a tenth of the time
gc.set_threshold(700, 10, 1000)


def pytest_configure(config):
    """Small data stand for sizes of all kinds; what is said of a wrong size has its own tests, which ask for it."""
    config.addinivalue_line("filterwarnings", "ignore::fdpedu.trees.nominal.NominalSizeWarning")
    config.addinivalue_line("filterwarnings", "ignore:copies of one:UserWarning")


def pytest_collection_finish():
    """What has been collected is kept to the end: it need not be looked through."""
    gc.freeze()


def pytest_collection_modifyitems(config, items):
    """First the house, then the modules in the order of their tiers, then what needs the built book; or any order.

    What `make field` runs has an environment of its own, and is for nobody else.
    """
    elsewhere = [] if config.getoption("--carried") else [item for item in items if item.get_closest_marker("carried")]
    if elsewhere:
        config.hook.pytest_deselected(items=elsewhere)
        items[:] = [item for item in items if item not in {*elsewhere}]
    if (seed := config.getoption("--shuffle")) is not None:
        random.Random(seed).shuffle(items)
        return
    order = {name: place for place, name in enumerate(FOLDERS)}
    items.sort(key=lambda item: order.get(item.path.parent.name, len(order)) if "tests" in item.path.parts else -1)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    """What a module draws as it is imported."""
    with drawn_from(collector.nodeid):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    with drawn_from(item.config.getoption("--salt") + item.nodeid):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef, request):
    """What several tests share is drawn from its own name: the first that asks for it may be another in each run."""
    if fixturedef.scope == "function":
        return (yield)
    which = f"{fixturedef.baseid} {fixturedef.argname} {request.param_index}"
    with drawn_from(request.config.getoption("--salt") + which):
        return (yield)


def pytest_runtest_setup(item):
    """A test of a tool that has passed for the same tool is passed over, before its fixtures are made."""
    pass_over(stamp_of(item))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.when == "call" and report.passed:
        leave(stamp_of(item))
    return report


def pytest_addoption(parser):
    parser.addoption("--deep", action="store_true", help="every page in every look, every notebook")
    parser.addoption("--carried", action="store_true", help="also what NVIDIA FLARE carries, by `make field`")
    parser.addoption("--salt", default="", metavar="WORD", help="other draws in each test: all pass with any word")
    parser.addoption("--shuffle", type=int, metavar="SEED", help="all tests in an order that the seed draws")


def pytest_generate_tests(metafunc):
    """A test that takes a `page_name` runs for each page of the book; in which looks, if it takes `theme` and `width`.

    Each page has one look, in turn, so that every look is seen on some pages; `--deep` shows each page in all of them.
    """
    if "page_name" in metafunc.fixturenames:
        pages = toc_pages()
        names = [name for name in ("page_name", "theme", "width") if name in metafunc.fixturenames]
        looks = [(pages[i], *LOOKS[i % len(LOOKS)]) for i in range(len(pages))]
        if metafunc.config.getoption("--deep"):
            looks = [(page, *look) for page in pages for look in LOOKS]
        wanted = [[value for name, value in zip(LOOK, look, strict=True) if name in names] for look in looks]
        distinct = list(dict.fromkeys(map(tuple, wanted)))
        metafunc.parametrize(names, distinct, ids=["-".join(map(str, values)) for values in distinct])


@pytest.fixture(scope="session")
def html() -> Path:
    """The folder of the built book."""
    if not HTML.is_dir():
        pytest.fail("the book is not built: run `make book`")
    return HTML


@pytest.fixture(scope="session")
def browser():
    """The system's Chromium. Without one, tests skip and say so; in CI that is a failure."""
    path = next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None)
    if path is None:
        stop = pytest.fail if os.environ.get("CI") else pytest.skip
        stop("there is no Chromium on this machine: the pages are not looked at")
    from playwright.sync_api import sync_playwright

    quiet = ["--disable-quic", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu", "--no-first-run", *quiet]
        )
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def windows(browser):
    """A window for each theme. It stays open: the next page then takes a quarter less time."""
    windows = {}

    def window(theme):
        if theme not in windows:
            windows[theme] = browser.new_context(color_scheme=theme)
            windows[theme].set_default_timeout(20_000)
            windows[theme].new_page()
        return windows[theme].pages[0]

    yield windows, window
    for context in windows.values():
        context.close()


@pytest.fixture
def opened(windows):
    """Open an address with a theme and a width: the page, and a list to which all that goes wrong there is added."""
    kept, window = windows

    @contextmanager
    def opened(url, theme="light", width=NARROW):
        page, wrong, inside = window(theme), [], ("file:", "data:", "blob:")
        heard = {
            "pageerror": lambda error: wrong.append(f"script error: {error}"),
            "console": lambda line: line.type == "error" and wrong.append(f"console: {line.text}"),
            "requestfailed": lambda request: wrong.append(f"not found: {request.url}"),
            "request": lambda r: r.url.startswith(inside) or wrong.append(f"outside request: {r.url}"),
        }
        for event, listener in heard.items():
            page.on(event, listener)
        try:
            page.set_viewport_size({"width": width, "height": 900})
            page.goto(url, wait_until="load")
            yield page, wrong
            for event, listener in heard.items():
                page.remove_listener(event, listener)
            page.evaluate("localStorage.clear()")  # words that were searched would be marked on the next page
            page.goto("about:blank")
        except BaseException:
            kept.pop(theme).close()  # nothing of a page that failed meets the next one
            raise

    return opened
