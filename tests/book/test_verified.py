"""What came of the checks that pages run: `make test` does not run these a second time, so it is read here."""

import re
from html import unescape

import pytest

from fdpedu.claims import REGISTER
from fdpedu.claims.verify import FAILED, REFUTED
from tests.support.claims import VERIFIED_ON_PAGES, expected_verdict, verified_by

ROW = re.compile(
    r"<tr><td><code>([\w-]+)</code></td><td>(.*?) \(([\w ]+)\)</td><td>([\d,]+)</td><td>[^<]*</td><td>([\w ]+)(<br>)?"
)
TABLE = re.compile(r'<table class="fdpedu-results">.*?</table>', re.S)


def shown(html):
    """The checks in the tables of a page: each with its verdict, whether any case was tried, and any counterexample."""
    rows = [row for table in TABLE.findall(html) for row in ROW.findall(table)]
    return {
        (label, unescape(name), kind, verdict, cases != "0", bool(but))
        for label, name, kind, cases, verdict, but in rows
    }


def expected(labels):
    """The checks of some claims, with what the register says of them."""
    due = [(claim, check) for claim in map(REGISTER.get, labels) for check in claim.checks]
    verdicts = [expected_verdict(*pair) for pair in due]
    return {
        (claim.label, check.name, check.kind, verdict, True, verdict == REFUTED)
        for (claim, check), verdict in zip(due, verdicts, strict=True)
    }


@pytest.mark.parametrize("name", VERIFIED_ON_PAGES)
def test_every_check_that_a_page_runs_passes_there(html, name):
    """With the verdict that the register says. (Where a page breaks the code on purpose, it also shows a failure.)"""
    found, due = shown((html / f"{name}.html").read_text("utf8")), expected(VERIFIED_ON_PAGES[name])
    assert due - found == set()
    assert {verdict for *check, verdict, _, _ in found - due} <= {FAILED}


def test_most_of_the_register_stands_on_pages():
    """What is left to the tests of the library is run there: it is not marked."""
    labels = {label for labels in VERIFIED_ON_PAGES.values() for label in labels}
    assert len(REGISTER) / 2 < len(labels) < len(REGISTER)


RESULTS = (
    '<table class="fdpedu-results"><tbody><tr><td><code>lem-increment</code></td><td>all tables (exact)</td>'
    "<td>{}</td><td>0.10\u00a0s</td><td>{}</td></tr></tbody></table>"
)


@pytest.mark.parametrize(
    ("cases", "verdict", "shown_as"),
    [
        ("1,024", "verified", ("verified", True, False)),
        ("0", "verified", ("verified", False, False)),
        ("3", "FAILED<br><code>n = 2</code>", (FAILED, True, True)),
        ("0", "not run<br><code>z3 is missing</code>", ("not run", False, True)),
    ],
)
def test_a_verdict_is_read_as_it_stands(cases, verdict, shown_as):
    """One that failed, was not run, or had no case, too; and a table of another class is none."""
    page = RESULTS.format(cases, verdict)
    assert shown(page) == {("lem-increment", "all tables", "exact", *shown_as)}
    assert shown(page.replace("fdpedu-results", "other")) == set()


@pytest.mark.parametrize(
    ("cell", "labels"),
    [
        ('verify("lem-a")', ["lem-a"]),
        ('verify(["lem-a",\n        "thm-b"])', ["lem-a", "thm-b"]),
        ('caught = verify("lem-a")', []),  # not shown
        ('    verify("lem-a")', []),
        ('verify("lem-a").ok', []),
    ],
)
def test_which_claims_a_page_verifies(cell, labels):
    """Those of a cell's last expression, which is shown."""
    assert verified_by(f"text\n{cell}\n") == labels
