"""A module imports modules of earlier tiers, and earlier ones of its own tier; no file outgrows one sitting."""

import ast
import re
from functools import cache

import pytest

from fdpedu.chapters import CHAPTERS, MAY_IMPORT_SOURCES, SYSTEM_MODULES, TIERS
from tests.support.repository import PACKAGE, ROOT

ORDER = [module for tier in TIERS for module in tier]
FILES = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


def module_of(path):
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@cache
def import_nodes(source):
    """What a source imports, at any depth of its code: each source is parsed once."""
    return [node for node in ast.walk(ast.parse(source)) if isinstance(node, (ast.Import, ast.ImportFrom))]


def imports(source):
    """The modules of the package that a source imports, at any depth of its code."""
    for node in import_nodes(source):
        if isinstance(node, ast.ImportFrom) and node.level:
            yield "a relative import"
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "fdpedu":
            names = [node.module] if "." in node.module else [f"fdpedu.{alias.name}" for alias in node.names]
            yield from (name.split(".")[1] for name in names)
        elif isinstance(node, ast.Import):
            yield from (alias.name.split(".")[1] for alias in node.names if alias.name.startswith("fdpedu."))


def out_of_order(own, source, systems=SYSTEM_MODULES, order=ORDER):
    """What a module's source imports and may not: any may use viz, which imports printable and files only.

    No system imports another one, although they stand in one tier; and what reproduces the sources is not for use.
    """
    used = set(imports(source)) - {own, "__version__"}
    if own == "viz":
        return used - {"printable", "files"}
    others = used & {*systems} if own in systems else set()
    if own not in MAY_IMPORT_SOURCES:
        others |= used & {"sources"}
    return others | {name for name in used - {"viz"} if name not in order or order.index(name) > order.index(own)}


def test_imports_follow_the_tiers():
    """Of all files in one test: one for each would take longer to count than to run."""
    found = {path: out_of_order(module_of(path), path.read_text("utf8")) for path in FILES}
    assert {path: modules for path, modules in found.items() if modules} == {} and len(found) > 300


@pytest.mark.parametrize(
    ("own", "source", "found"),
    [
        ("cart", "from fdpedu.privacy import Law", {"privacy"}),
        ("cart", "def f():\n    import fdpedu.trees", {"trees"}),
        ("exact", "from fdpedu import domain", {"domain"}),
        ("viz", "from fdpedu.exact import shown", {"exact"}),
        ("cli", "from fdpedu.sources.vos import printed_price", {"sources"}),
        ("experiments", "from fdpedu.sources import gubler", set()),
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


def test_systems_stand_alone():
    """They are one tier; among two of them neither imports the other, and both may use what is before them."""
    assert SYSTEM_MODULES in TIERS
    two, order = ("one", "two"), ["trees", "one", "two", "demo"]
    source = "from fdpedu.one import f\nfrom fdpedu.trees import Tree"
    assert out_of_order("two", source, two, order) == {"one"} and out_of_order("one", source, two, order) == set()
    assert out_of_order("demo", source, two, order) == set() and out_of_order("two", source, (), order) == set()


def named_by_text(source):
    """The modules that a source names as text, ``fdpedu.module:name``: they are loaded when they are asked for."""
    texts = (node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant))
    path = r"fdpedu(\.\w+)+:\w+|fdpedu\.sources(\.\w+)*"
    return {text.split(":")[0] for text in texts if isinstance(text, str) and re.fullmatch(path, text)}


def loaded_by_text(own, source):
    """What a source names as text and may not: a module of a later tier, and what reproduces the printed documents."""
    modules = {name.split(".")[1] for name in named_by_text(source)}
    wrong = {name for name in modules if name not in ORDER or ORDER.index(name) > ORDER.index(own)}
    return wrong if own in MAY_IMPORT_SOURCES else wrong | modules & {"sources"}


def test_no_later_tier_is_named_by_text():
    """A text would pass the test of imports; so texts have a test of their own."""
    wrong = {path: loaded_by_text(module_of(path), path.read_text("utf8")) for path in FILES}
    assert {place: names for place, names in wrong.items() if names} == {}
    source = f'TABLE = {{"a": "fdpedu.{SYSTEM_MODULES[0]}.a:A", "b": "fdpedu.simulation.b:B", "c": "fdpedu.exact:C"}}'
    assert loaded_by_text("trees", source) == {SYSTEM_MODULES[0], "simulation"}
    assert loaded_by_text("cli", source) == set() and loaded_by_text("claims", "s = 'fdpedu.sources.vos'") == set()
    assert loaded_by_text("cli", "s = import_module('fdpedu.sources.vos')") == {"sources"}


def private_names(source):
    """The names with an underscore before them that a source imports from other files of the package."""
    imported = [node for node in import_nodes(source) if isinstance(node, ast.ImportFrom)]
    return [alias.name for node in imported for alias in node.names if re.match("_[a-z]", alias.name, re.I)]


def test_what_files_import_from_each_other_is_public():
    assert {path: names for path in FILES if (names := private_names(path.read_text("utf8")))} == {}
    assert private_names("from fdpedu.cart.grid import GridSearch, _exact\nfrom x import __version__") == ["_exact"]


def names_of(files):
    """The files by their modules' names."""
    return {".".join(p.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): p for p in files}


def modules_imported(source, known):
    """The known modules that a source imports, at any depth of its code; of a package, if no module of it is named."""
    for node in import_nodes(source):
        if isinstance(node, ast.ImportFrom):
            inside = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name if name in known else node.module for name in inside)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def circles(sources):
    """Modules that import each other, and whatever rests on them: all that is not taken away as resting on nothing."""
    left = {name: {*modules_imported(source, sources)} & {*sources} - {name} for name, source in sources.items()}
    while done := [name for name, needed in left.items() if not needed]:
        left = {name: needed.difference(done) for name, needed in left.items() if name not in done}
    return left


def test_no_modules_import_each_other():
    """Not for a type alone, nor inside a function: whoever reads a module finds what it rests on above it."""
    assert circles({name: path.read_text("utf8") for name, path in names_of(FILES).items()}) == {}


@pytest.mark.parametrize(
    ("sources", "found"),
    [
        ({"p.a": "from p import b", "p.b": "import p.c", "p.c": "from p.d import f", "p.d": "import json"}, set()),
        ({"p.a": "from p.b import f", "p.b": "def f():\n    from p import a"}, {"p.a", "p.b"}),
        ({"p.a": "import p.b", "p.b": "if TYPE_CHECKING:\n    from p.a import T", "p.c": ""}, {"p.a", "p.b"}),
        (
            {"p.a": "import p.b", "p.b": "from p.c import f", "p.c": "from p.a import g", "p.d": ""},
            {"p.a", "p.b", "p.c"},
        ),
        ({"p": "from p.a import f", "p.a": "from p import g"}, {"p", "p.a"}),
    ],
)
def test_the_check_of_circles_can_fail(sources, found):
    assert set(circles(sources)) == found


def test_every_module_has_a_tier():
    """Exactly one, and every chapter's modules are among them."""
    assert sorted(ORDER) == sorted({module_of(path) for path in FILES} - {"viz"})
    assert {module.split(".")[0] for chapter in CHAPTERS for module in chapter.library} <= set(ORDER)


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
