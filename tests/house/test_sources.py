"""What reproduces the printed documents: each has a table of its sections, whose names and claims exist."""

import importlib
import re

import pytest
from api_links import cells

from fdpedu.claims import REGISTER
from fdpedu.sources import DOCUMENTS
from tests.support.repository import PACKAGE


def rows(docstring):
    """The rows below the head of a docstring's table; a cell that is empty goes on with what stands above it."""
    head, *body = cells(docstring)
    assert head == ["§", "name", "claim"]
    before = ["", "", ""]
    for row in body:
        before = [cell or old for cell, old in zip(row, before, strict=True)]
        yield tuple(before)


def wrong(document, table, register=REGISTER):
    """What of a table names nothing: a name that the document's package has not, a claim that the register has not.

    A name may stand in a module of the document, as ``price.printed_price``; a claim may be missing where nothing is
    claimed, written as a dash.
    """
    for section, name, claim in table:
        place, _, last = name.strip("`").rpartition(".")
        module = importlib.import_module(".".join(filter(None, (document, place))))
        if not section or not hasattr(module, last):
            yield name
        yield from (label for label in re.split(r",\s*", claim.replace("`", "")) if label not in {*register, "–"})


@pytest.mark.parametrize("document", DOCUMENTS)
def test_each_document_has_a_table_of_what_is_reproduced(document):
    module = importlib.import_module(f"fdpedu.sources.{document}")
    table = list(rows(module.__doc__))
    assert list(wrong(module.__name__, table)) == []
    named = {name.strip("`").split(".")[-1] for _, name, _ in table}
    assert {*module.__all__} <= named, "every public name stands in the table of its document"


def test_every_folder_of_sources_is_a_document():
    assert sorted(path.parent.name for path in (PACKAGE / "sources").glob("*/__init__.py")) == list(DOCUMENTS)


def test_the_check_of_tables_can_fail():
    rule = "===  ========  ====="
    lines = ["Head.", "", rule, "§    name      claim", rule, "A    `rows`    –", "     `absent`  lem-no", rule]
    text = "\n".join(lines) + "\n"
    table = list(rows(text))
    assert table == [("A", "`rows`", "–"), ("A", "`absent`", "lem-no")]
    assert list(wrong("tests.house.test_sources", table)) == ["`absent`", "lem-no"]
