"""What the tests of the built book share."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parent.parent
HTML = ROOT / "_build" / "html"


def toc_pages() -> list[str]:
    """The pages of the book in reading order, as `_toc.yml` names them."""

    def walk(node):
        if isinstance(node, dict):
            if name := node.get("root") or node.get("file"):
                yield name
            for child in node.values():
                yield from walk(child)
        elif isinstance(node, list):
            for child in node:
                yield from walk(child)

    return list(walk(yaml.safe_load((ROOT / "_toc.yml").read_text("utf8"))))


def pytest_generate_tests(metafunc):
    """A test that takes a `page_name` runs once for each page of the book."""
    if "page_name" in metafunc.fixturenames:
        metafunc.parametrize("page_name", toc_pages())


@pytest.fixture(scope="session")
def html() -> Path:
    """The folder of the built book."""
    if not HTML.is_dir():
        pytest.fail("the book is not built: run `make book`")
    return HTML


def ask_peers(script: str, question: object) -> object:
    """What independent libraries answer: ``peers/<script>.py`` run in their own environment, JSON in and out."""
    python = ROOT / ".peers" / "bin" / "python"
    if not python.is_file():
        pytest.fail("the environment of independent libraries is missing: run `make test`")
    command = [str(python), str(ROOT / "peers" / f"{script}.py")]
    answer = subprocess.run(command, input=json.dumps(question), capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout)


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
