"""A room imports rooms of earlier tiers, and earlier rooms of its own tier; no file outgrows one sitting."""

import ast
import re

import pytest

from fdpedu.chapters import CHAPTERS, TIERS
from tests.support.repository import PACKAGE, ROOT

ORDER = [room for tier in TIERS for room in tier]
FILES = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


def room(path):
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(source):
    """The rooms of the package that a source imports, at any depth of its code."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.level:
            yield "a relative import"
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "fdpedu":
            names = [node.module] if "." in node.module else [f"fdpedu.{alias.name}" for alias in node.names]
            yield from (name.split(".")[1] for name in names)
        elif isinstance(node, ast.Import):
            yield from (alias.name.split(".")[1] for alias in node.names if alias.name.startswith("fdpedu."))


def out_of_order(own, source):
    """The rooms that a room's source imports and may not: viz imports nothing of the package, and any may use viz."""
    used = set(imports(source)) - {own, "__version__"}
    if own == "viz":
        return used
    return {name for name in used - {"viz"} if name not in ORDER or ORDER.index(name) > ORDER.index(own)}


def test_imports_follow_the_tiers():
    """Of all files in one test: one for each would take longer to count than to run."""
    found = {path: out_of_order(room(path), path.read_text("utf8")) for path in FILES}
    assert {path: rooms for path, rooms in found.items() if rooms} == {} and len(found) > 300


@pytest.mark.parametrize(
    ("own", "source", "found"),
    [
        ("cart", "from fdpedu.privacy import Law", {"privacy"}),
        ("cart", "def f():\n    import fdpedu.trees", {"trees"}),
        ("exact", "from fdpedu import domain", {"domain"}),
        ("viz", "from fdpedu.exact import shown", {"exact"}),
        ("cart", "from . import split", {"a relative import"}),
        (
            "trees",
            "from fdpedu.cart import fit_cart\nfrom fdpedu.viz import draw_tree\nimport fdpedu.trees.grow",
            set(),
        ),
    ],
)
def test_the_check_of_imports_can_fail(own, source, found):
    assert out_of_order(own, source) == found


def test_every_room_has_a_tier():
    """Exactly one, and every chapter's module is a room."""
    assert sorted(ORDER) == sorted({room(path) for path in FILES} - {"viz"})
    assert {chapter.name for chapter in CHAPTERS} <= set(ORDER)


SOURCES = sorted(path for folder in ("fdpedu", "tests", "tools", "book/_ext") for path in (ROOT / folder).rglob("*.py"))


WHY_LONG = re.compile(r"^# Longer than 400 lines because .{20,}", re.MULTILINE)


def needs_a_reason(source):
    """Whether it is longer than 400 lines, and says nowhere why."""
    return source.count("\n") > 400 and not WHY_LONG.search(source)


def test_a_long_file_says_why_it_is_long():
    assert [path for path in SOURCES if needs_a_reason(path.read_text("utf8"))] == [] and len(SOURCES) > 300


def test_the_check_of_long_files_can_fail():
    long = "x = 1\n" * 401
    assert needs_a_reason(long) and not needs_a_reason(long[6:])
    assert not needs_a_reason("# Longer than 400 lines because the cases are one table.\n" + long)
