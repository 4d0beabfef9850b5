"""After a change those pages run again whose cells can see it, and no others."""

import json
import shutil
import subprocess
import sys
from textwrap import dedent

import pytest

from tests.support.repository import ROOT

NAMES = ("01_cart", "02_privacy", "03_mechanisms", "04_accounting", "05_secure_sum")
CHAPTERS = {name: f"book/chapters/{name}.md" for name in NAMES}
EVERY = {"book/claims.md", "book/speed.md", "book/tested.md"}  # these look at the repository itself


# One Python for all changes: it parses a text once, and forgets what it knew of the files whenever it is asked.
ASKED = """
    import ast, functools, json, os, sys
    sys.path.insert(0, "tools")
    import pages
    walk, named = ast.walk, pages.named
    ast.parse = functools.cache(ast.parse)
    ast.walk = functools.cache(lambda tree: tuple(walk(tree)))
    pages.named = functools.cache(lambda text: tuple(named(text)))
    for _ in sys.stdin:
        for known in (pages.file_of, pages.imports, pages.made_in):
            known.cache_clear()
        print(json.dumps(pages.keys()), flush=True)
    os._exit(0)  # without tidying up
"""


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A scratch copy of what cells depend on, and what asks for its keys."""
    copy = tmp_path_factory.mktemp("house")
    for name in ("book", "fdpedu", "locks", "tools"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__", "measured"))
    for name in ("pyproject.toml", "_config.yml", "_toc.yml"):
        shutil.copy(ROOT / name, copy / name)
    command = [sys.executable, "-c", dedent(ASKED)]
    with subprocess.Popen(command, cwd=copy, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as asked:

        def keys():
            asked.stdin.write("\n")
            asked.stdin.flush()
            return json.loads(asked.stdout.readline())

        yield copy, keys, keys()


def test_the_keys_are_those_that_make_book_compares(house):
    """What the command prints, in a Python of its own."""
    copy, _, before = house
    command = [sys.executable, str(copy / "tools" / "pages.py"), "--keys"]
    assert json.loads(subprocess.check_output(command, text=True)) == before


@pytest.mark.parametrize(
    ("changed", "run", "rest"),
    [
        ("fdpedu/cart/impurity.py", set(CHAPTERS), set()),  # the federation asks for bounds, which are impurities
        ("fdpedu/accounting/renyi.py", {"04_accounting"}, {"01_cart", "02_privacy", "03_mechanisms"}),
        ("fdpedu/mechanisms/selection.py", {"03_mechanisms"}, {"01_cart"}),
        ("fdpedu/viz/style.py", set(CHAPTERS), set()),
        ("fdpedu/exercises/secure_sum/late.py", {"05_secure_sum"}, {"01_cart", "03_mechanisms"}),
        ("fdpedu/secure_sum/dropouts.py", {"05_secure_sum"}, {"01_cart", "02_privacy"}),
        ("fdpedu/exercises/accounting/floats.py", {"04_accounting"}, {"01_cart", "03_mechanisms"}),
        ("fdpedu/claims/trees/pruning.py", set(), {"01_cart", "02_privacy", "03_mechanisms"}),
        ("fdpedu/accounting/derivation-schema.json", {"04_accounting"}, {"01_cart"}),
        ("fdpedu/cli/__init__.py", set(), set(CHAPTERS)),
        ("locks/book.lock", set(CHAPTERS), set()),
        ("book/_ext/fdpedu_book.py", set(), set(CHAPTERS)),
        ("book/chapters/01_cart.md", set(), set(CHAPTERS)),  # the cache knows a page's own code
    ],
)
def test_a_change_runs_the_pages_that_can_see_it(house, changed, run, rest):
    """A comment is added at the end of one file: some pages must run, some must not, whatever the others do."""
    copy, keys, before = house
    whole = (copy / changed).read_bytes()
    try:
        (copy / changed).write_bytes(whole + b"\n# changed\n")
        after = keys()
    finally:
        (copy / changed).write_bytes(whole)
    again = {page for page, key in after.items() if before[page] != key}
    assert {CHAPTERS[name] for name in run} <= again and not {CHAPTERS[name] for name in rest} & again
    if changed.startswith("fdpedu"):
        assert again >= EVERY


def test_a_page_that_imports_more_depends_on_more(house):
    copy, keys, before = house
    page = copy / CHAPTERS["01_cart"]
    whole = page.read_text("utf8")
    try:
        page.write_text(whole + "\n```{code-cell} python3\nfrom fdpedu.accounting import Ledger\n```\n", "utf8")
        assert keys()[CHAPTERS["01_cart"]] != before[CHAPTERS["01_cart"]]
    finally:
        page.write_text(whole, "utf8")
