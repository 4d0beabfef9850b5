"""After a change those pages run again whose cells can see it, and no others."""

import json
import shutil
import subprocess
import sys

import pytest

from tests.support.repository import ROOT

NAMES = ("01_cart", "02_privacy", "03_mechanisms", "04_accounting", "05_secure_sum")
CHAPTERS = {name: f"book/chapters/{name}.md" for name in NAMES}
EVERY = {"book/claims.md", "book/speed.md", "book/tested.md"}  # these look at the repository itself


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A scratch copy of what cells depend on, and its keys before any change."""
    copy = tmp_path_factory.mktemp("house")
    for name in ("book", "fdpedu", "locks", "tools"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__", "measured"))
    for name in ("pyproject.toml", "_config.yml", "_toc.yml"):
        shutil.copy(ROOT / name, copy / name)
    return copy, keys(copy)


def keys(copy):
    command = [sys.executable, str(copy / "tools" / "pages.py"), "--keys"]
    return json.loads(subprocess.check_output(command, text=True))


@pytest.mark.parametrize(
    ("changed", "run", "rest"),
    [
        ("fdpedu/cart/impurity.py", set(CHAPTERS) - {"05_secure_sum"}, {"05_secure_sum"}),
        ("fdpedu/accounting/renyi.py", {"04_accounting"}, {"01_cart", "02_privacy", "03_mechanisms"}),
        ("fdpedu/mechanisms/selection.py", {"03_mechanisms"}, {"01_cart"}),
        ("fdpedu/viz/style.py", set(CHAPTERS), set()),
        ("fdpedu/exercises/secure_sum/late.py", {"05_secure_sum"}, {"01_cart", "03_mechanisms"}),
        ("fdpedu/secure_sum/dropouts.py", {"05_secure_sum"}, {"01_cart", "02_privacy"}),
        ("fdpedu/exercises/accounting/floats.py", {"04_accounting"}, {"01_cart", "03_mechanisms"}),
        ("fdpedu/claims/trees/laws.py", set(), {"01_cart", "02_privacy", "03_mechanisms"}),
        ("fdpedu/accounting/derivation-schema.json", {"04_accounting"}, {"01_cart"}),
        ("fdpedu/cli/__init__.py", set(), set(CHAPTERS)),
        ("locks/book.lock", set(CHAPTERS), set()),
        ("book/_ext/fdpedu_book.py", set(), set(CHAPTERS)),
        ("book/chapters/01_cart.md", set(), set(CHAPTERS)),  # the cache knows a page's own code
    ],
)
def test_a_change_runs_the_pages_that_can_see_it(house, changed, run, rest):
    """A comment is added at the end of one file: some pages must run, some must not, whatever the others do."""
    copy, before = house
    whole = (copy / changed).read_bytes()
    try:
        (copy / changed).write_bytes(whole + b"\n# changed\n")
        after = keys(copy)
    finally:
        (copy / changed).write_bytes(whole)
    again = {page for page, key in after.items() if before[page] != key}
    assert {CHAPTERS[name] for name in run} <= again and not {CHAPTERS[name] for name in rest} & again
    if changed.startswith("fdpedu"):
        assert again >= EVERY


def test_a_page_that_imports_more_depends_on_more(house):
    copy, before = house
    page = copy / CHAPTERS["01_cart"]
    whole = page.read_text("utf8")
    try:
        page.write_text(whole + "\n```{code-cell} python3\nfrom fdpedu.accounting import Ledger\n```\n", "utf8")
        assert keys(copy)[CHAPTERS["01_cart"]] != before[CHAPTERS["01_cart"]]
    finally:
        page.write_text(whole, "utf8")
