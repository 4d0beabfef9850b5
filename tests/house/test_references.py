"""A second way to compute something calls no function of the package, or its docstring has a line ``Shares: a.b, c.d``.

A function or a class is a second way if its name says so, and a module of tests/support, benchmarks or peers if its
docstring does. All that it calls is followed through tests, benchmarks and claims. What begins with a capital letter
(domains, trees, enclosures) is how data are written down, and no rule that a reference could read wrongly.
"""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests.support.repository import ROOT

NAMED = re.compile(r"by_hand$|^ByHand$|^naive|brute_force|by_pairs|by_the_text$|one_by_one$")
SAID = re.compile(
    r"another way|text alone|once more|by listing|(call|share|import)s nothing (of|with) the package|second way"
)
OURS = ("tests.", "benchmarks.", "fdpedu.claims.")
FILES = [*(ROOT / "tests").rglob("*.py"), *(ROOT / "fdpedu/claims").rglob("*.py")]
MODULES = [*(ROOT / "tests/support").glob("*.py"), *(ROOT / "benchmarks").glob("*.py"), *(ROOT / "peers").glob("*.py")]
MODULES.append(ROOT / "fdpedu/derivation_checker.py")


@cache
def read(file):
    """What a file defines at its top, and what it imports: a name, and where it comes from."""
    tree = ast.parse(file.read_text("utf8"))
    defined = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    imported = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            imported.update({alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names})
        elif isinstance(node, ast.Import):
            imported.update({a.asname or a.name: a.name for a in node.names})
    return tree, defined, imported


def module_file(module):
    path = ROOT / module.replace(".", "/")
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()), None)


def uses(file, node, seen):
    """The names of the package that a piece of code uses, through all that it calls in tests, benchmarks and claims."""
    _, defined, imported = read(file)
    called = {id(part.func) for part in ast.walk(node) if isinstance(part, ast.Call)}
    for part in ast.walk(node):
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id in imported:
            yield from named(f"{imported[part.value.id]}.{part.attr}", seen)
        elif isinstance(part, ast.Name) and part.id in imported:
            if id(part) in called or not module_file(imported[part.id]):
                yield from named(imported[part.id], seen)
        elif isinstance(part, ast.Name) and part.id in defined and (file, part.id) not in seen:
            seen.add((file, part.id))
            yield from uses(file, defined[part.id], seen)


def named(name, seen):
    module, _, last = name.rpartition(".")
    file = module_file(module) if name.startswith(OURS) else None
    if file and last in read(file)[1] and (file, last) not in seen:
        seen.add((file, last))
        yield from uses(file, read(file)[1][last], seen)
    elif name.startswith("fdpedu.") and not name.startswith(OURS):
        yield name


def functions(names):
    """Without what begins with a capital letter, or stands in something that does."""
    return {name for name in names if not re.search(r"\._?[A-Z]", name)}


def departures(docstring, names):
    """Shared functions that are not said, and what is said and not shared: functions, or modules of them."""
    line = re.search(r"^\s*Shares: ([\w., \n]*\w)", docstring, re.M)
    said = set(re.findall(r"[\w.]+", line[1])) if line else set()
    shared = {name.removeprefix("fdpedu.") for name in functions(names)}
    covered = {(name, one) for name in shared for one in said if f"{name}.".startswith(f"{one}.")}
    return shared - {name for name, _ in covered} | said - {one for _, one in covered}


def is_check(node):
    """Whether a function asserts or requires something: it compares, and is no second way itself."""
    calls = {part.func.id for part in ast.walk(node) if isinstance(part, ast.Call) and isinstance(part.func, ast.Name)}
    return "require" in calls or any(isinstance(part, ast.Assert) for part in ast.walk(node))


def second_ways():
    for file in FILES:
        for name, node in read(file)[1].items():
            if NAMED.search(name) and not is_check(node):
                yield file, name, node
    for file in MODULES:
        if SAID.search(ast.get_docstring(read(file)[0]) or ""):
            yield file, "", read(file)[0]


FOUND = list(second_ways())


@pytest.mark.parametrize(
    ("file", "node"),
    [(file, node) for file, _, node in FOUND],
    ids=[f"{file.relative_to(ROOT)} {name}".strip() for file, name, _ in FOUND],
)
def test_a_second_way_says_what_it_shares(file, node):
    assert departures(ast.get_docstring(node) or "", set(uses(file, node, set()))) == set()


def test_there_are_second_ways():
    found = {f"{Path(file).name} {name}".strip() for file, name, _ in FOUND}
    assert {
        "report_text.py",
        "report_trees.py",
        "reference.py",
        "derivation_checker.py",
        "test_split.py brute_force",
    } <= found
    assert len(found) > 20


@pytest.mark.parametrize(
    ("docstring", "names", "found"),
    [
        ("By hand.", {"fdpedu.cart.gini"}, {"cart.gini"}),
        ("By hand.\n\nShares: cart.gini: a table of numbers.", {"fdpedu.cart.gini"}, set()),
        ("By hand.\n\nShares: cart.gini, cart.entropy.", {"fdpedu.cart.gini"}, {"cart.entropy"}),
        ("By hand.\n\nShares: cart, dlpa: both.", {"fdpedu.cart.gini", "fdpedu.cart.entropy"}, {"dlpa"}),
        ("By hand.", {"fdpedu.cart.CodeSplit", "fdpedu.exact.Rate.of"}, set()),
    ],
)
def test_the_check_can_fail(docstring, names, found):
    assert departures(docstring, names) == found


def test_calls_are_followed(tmp_path):
    file = tmp_path / "by.py"
    file.write_text(
        "from fdpedu import cart\nfrom tests.support.choosing_laws import flips_law\n"
        "def own(x):\n    return cart.gini(flips_law(x))\ndef by_hand(x):\n    return [own(x)]\n"
    )
    node = read(file)[1]["by_hand"]
    shared = {"fdpedu.cart.gini", "fdpedu.mechanisms.permute_and_flip_pmf"}
    assert functions(set(uses(file, node, set()))) == shared and not is_check(node)
