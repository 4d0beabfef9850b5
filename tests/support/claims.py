"""What the tests of claims share."""

import re

import pytest

from fdpedu.chapters import folders
from fdpedu.claims import REGISTER, Claim
from fdpedu.claims.records import VERDICTS
from fdpedu.claims.register import from_page
from fdpedu.claims.verify import REFUTED
from tests.support.repository import ROOT, toc_pages

# Label → statement, of all claims that stand on pages of the book.
ON_PAGES = {
    label: text["statement"] for folder in folders("fdpedu.claims") for label, text in from_page(folder).items()
}


def a_claim(label, status="checked", **fields):
    """A claim of which only the label, the status and what is given matter."""
    return Claim(label, status, (), **{"statement": "S", "chapter": "c", **fields})


def expected_verdict(claim, check):
    """What the register says that comes of a check: what its kind can show; a claim refuted as stated is refuted."""
    return REFUTED if claim.status == "refuted as stated" else VERDICTS[check.kind]


def verified_by(page):
    """The labels whose checks a page runs in a cell, and shows as a table."""
    calls = re.findall(r"^verify\(([^()]*)\)$", page, re.M)
    return [label for call in calls for label in re.findall(r'"([\w-]+)"', call)]


# Page → the labels whose checks it runs and shows.
VERIFIED_ON_PAGES = {
    name: labels
    for name in toc_pages()
    if (file := ROOT / f"{name}.md").exists() and (labels := verified_by(file.read_text("utf8")))
}


def module_of(claim):
    """Whose tests try the further cases of a claim: what implements it, or its chapter, if a source does."""
    module = claim.code[0].split(".")[1]
    return claim.chapter if module == "sources" else module


def with_more(module=None):
    """The claims and their checks that have further cases, of a module or of all."""
    for claim in REGISTER.values():
        if module in (None, module_of(claim)):
            yield from ((claim, check) for check in claim.checks if check.more)


def more_cases(module):
    """A test of further cases for each check of claims that this module implements."""

    @pytest.mark.parametrize(
        "check", [pytest.param(check, id=f"{claim.label}: {check.name}") for claim, check in with_more(module)]
    )
    def test_more_cases(check):
        assert check.run_more() > 0

    return test_more_cases
