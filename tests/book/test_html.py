"""The HTML of every page, by a checker from npm."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.repository import ROOT

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
    for file in (ROOT / "tests" / "book" / "html").iterdir():
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


BROKEN = ('<p id="x">a</p><p id="x">b</p>', "<p><ul><li>a</li></ul></p>", "<ul><p>a</p></ul>", "<p>a</div>")


def test_the_validation_is_fair_and_can_fail(tmp_path, validate):
    """Nothing is found on a sound page, and something on each that is not valid."""
    page = '<!doctype html>\n<html lang="en"><head><title>t</title></head><body>{}</body></html>\n'
    files = [tmp_path / f"{k}.html" for k in range(1 + len(BROKEN))]
    for file, body in zip(files, ("<p>a</p>", *BROKEN), strict=True):
        file.write_text(page.format(body), "utf8")
    assert {line.split(":")[0] for line in validate(*files)} == {file.name for file in files[1:]}
