"""An exercise and the place where its idea ends lead to each other in the built book."""

import re

import pytest
from exercise_places import linked

from fdpedu.chapters import CHAPTERS
from tests.support.repository import ROOT

PAGES = [page for chapter in CHAPTERS if chapter.written for page in chapter.pages]
HEAD = "# A\n\n## One `x`\n\n```python\n## no heading\n```\n\n"
END = "## Exercises\n\nTry.\n\n(ex-a)=\n### First (warm-up)\n\nTask.\n\n(ex-b)=\n### Second (apply)\n\nTask.\n"


def added(source):
    """What a page gets, if nothing else of it is changed."""
    old, new = iter(source.split("\n")), linked(source).split("\n")
    wanted, more = next(old), []
    for line in new:
        if line == wanted:
            wanted = next(old, None)
        else:
            more.append(line)
    assert wanted is None
    return "\n".join(more)


@pytest.mark.parametrize("page", PAGES)
def test_each_exercise_that_is_named_is_in_the_list_and_leads_back(page):
    """Its place is marked once, and has a link from the list and one from below its heading; no word goes."""
    source = (ROOT / f"{page}.md").read_text("utf8")
    named = sorted(set(re.findall(r"\(#ex-([\w-]+)\)", "".join(re.findall(r"(?s)\*\*Try now:\*\*.*?\n\n", source)))))
    more = added(source)
    assert sorted(re.findall(r"^\(try-([\w-]+)\)=$", more, re.M)) == named
    assert sorted(re.findall(r"^- \[.*\]\(#ex-([\w-]+)\) \([\w-]+\), after \[.*\]\(#try-\1\)$", more, re.M)) == named
    assert sorted(re.findall(r"^After \[.*\]\(#try-([\w-]+)\)\.$", more, re.M)) == named


def test_a_place_is_called_by_its_section():
    """By the nearest heading above the first, which is no comment of code; two exercises may have one place."""
    before, after = HEAD.replace("One", "Zero"), "### Then\n\n**Try now:** [First](#ex-a) again.\n\n"
    page = linked(f"{before}{HEAD}**Try now:** [First](#ex-a);\n[Second](#ex-b).\n\n{after}{END}")
    assert "(try-a)=\n(try-b)=\n**Try now:** [First]" in page and page.count("(try-a)=") == 1
    assert "- [Second](#ex-b) (apply), after [One `x`](#try-b)\n\n(ex-a)=\n### First (warm-up)\n\nAfter [One" in page


def test_a_page_without_such_places_stays():
    """Also where a link to an exercise stands in another paragraph, and where a page has no exercises."""
    assert linked(page := f"{HEAD}As in [First](#ex-a).\n\n{END}") == page
    assert linked(page := f"{HEAD}**Try now:** [First](01_cart.md#ex-a).\n") == page
