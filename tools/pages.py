"""Forget the outputs of pages whose cells could now print something else: `make book` runs this first.

The outputs of a page's cells are kept in a cache under the code of these cells. A change in the library is not seen
there. So a page's outputs are forgotten when a file has changed that they depend on: a module of the library that the
cells import, directly or through others, or a data file beside such a module. Imports are found by parsing.

Some rooms load others by name, chapter by chapter: the register of claims, the zoo, the exercises. Of their folders a
page depends on that of its own chapter, and on those where a name stands that its cells spell out: a label, an
exercise. A page that looks at the repository itself (`__file__`) depends on everything.
"""

import ast
import json
import re
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path += [str(ROOT / "tools"), str(ROOT / "book" / "_ext")]

import fingerprint  # noqa: E402
from myst_parts import Directive, parts_of  # noqa: E402 (the book's own, which knows how fences nest)

BY_CHAPTER = {"claims": "fdpedu.claims.register", "exercises": "fdpedu.exercises.catalogue"}  # folder → its loader
BUILD = ROOT / "_build"


def code_of(text):
    """The code of a page's cells, one after the other."""
    text = re.sub(
        r"^!fdpedu (?:.*\\\n)*.*$", "import fdpedu.cli", text, flags=re.M
    )  # a line for the shell runs the command line
    directives = [part for part in parts_of(text) if isinstance(part, Directive)]
    return "\n".join(python_of(part.body) if part.name == "code-cell" else code_of(part.body) for part in directives)


def python_of(cell):
    """A cell's code; one for the shell runs the command line."""
    return "import fdpedu.cli" if cell.startswith("%%sh") else cell


def named(code):
    """The dotted names that code imports, at any depth, and what it calls `fdpedu.room`."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "fdpedu":
            yield f"fdpedu.{node.attr}"


@cache
def file_of(module):
    """The file of a module or a package of the library, if there is one."""
    path = ROOT / Path(*module.split("."))
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()), None)


def modules_in(code):
    """The modules of the library that code imports, each with the packages that it lies in."""
    for name in named(code):
        parts = name.split(".") if name.startswith("fdpedu") else []
        wholes = (".".join(parts[: i + 1]) for i in range(len(parts)))
        yield from (whole for whole in wholes if file_of(whole))


@cache
def imports(module):
    return frozenset(modules_in(file_of(module).read_text("utf8")))


def closure(modules):
    """These modules, and all that they import, directly or through others."""
    found, pending = set(), list(modules)
    while pending:
        if (module := pending.pop()) not in found:
            found.add(module)
            pending += imports(module)
    return found


def modules_of(page, code):
    """All modules of the library that the cells of a page load."""
    found = closure(modules_in(code))
    spelled, whole_zoo, small_zoo = spelled_in(code), uses_whole_zoo(code), "fdpedu.claims.small_zoo" in found
    for kind, loader in BY_CHAPTER.items():
        for file in sorted((ROOT / "fdpedu" / kind).glob("*/*.py")) if loader in found else ():
            module, chapter = ".".join(file.relative_to(ROOT).with_suffix("").parts), file.parent.name
            all_chapters = kind == "claims" and (whole_zoo or (file.stem == "small" and small_zoo))
            own = re.fullmatch(rf"\d+_{chapter}(_\w+)?", Path(page).stem)
            if all_chapters or own or spelled & made_in(file.parent):
                found |= closure([module])
    return found


def spelled_in(code):
    """The strings in code: each can be the label of a claim, or the name of a broken variant or of an exercise."""
    strings = (node.value for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Constant))
    return {word for word in strings if isinstance(word, str)}


def uses_whole_zoo(code):
    """Whether code asks the zoo for more than broken variants by their names: it counts them, or goes through all."""
    nodes = list(ast.walk(ast.parse(code)))
    by_name = [node.value for node in nodes if isinstance(node, ast.Subscript)]
    return any(isinstance(node, ast.Name) and node.id == "ZOO" and node not in by_name for node in nodes)


@cache
def made_in(folder):
    """The labels of the claims, and the names of broken variants and exercises, that a chapter's folder defines."""
    calls = [node for file in folder.glob("*.py") for node in ast.walk(ast.parse(file.read_text("utf8")))]
    calls = [node for node in calls if isinstance(node, ast.Call)]
    labels = [node.args[0] for node in calls if getattr(node.func, "id", "") in ("Claim", "Broken")]
    names = [keyword.value for node in calls for keyword in node.keywords if keyword.arg == "id"]
    return {node.value for node in [*labels, *names] if isinstance(node, ast.Constant)}


def files_of(page, code):
    """All files that the outputs of a page's cells depend on."""
    if "__file__" in code:
        return set(fingerprint.cells())
    files = {file_of(module) for module in modules_of(page, code)}
    folders = {file.parent for file in files} - {ROOT / "fdpedu"}
    data = {file for folder in folders for file in folder.iterdir() if file.is_file() and file.suffix != ".py"}
    return files | data


def key(page):
    """The fingerprint of what a page's outputs depend on, its own code left out: the cache knows that."""
    files = files_of(page, code_of((ROOT / page).read_text("utf8")))
    files |= {*fingerprint.package(), *fingerprint.files("_config.yml", "tools/pages.py")}
    return fingerprint.fingerprint(lambda: files)


def keys():
    """Page → key, of all pages of the book that have cells."""
    pages = [file for file in sorted((ROOT / "book").rglob("*.md")) if "{code-cell}" in file.read_text("utf8")]
    names = [page.relative_to(ROOT).as_posix() for page in pages]
    return {name: key(name) for name in names}


def forget(before, now):
    """Remove from the cache the outputs of pages whose key is another one."""
    from jupyter_cache import get_cache

    outputs = get_cache(BUILD / ".jupyter_cache")
    for record in outputs.list_cache_records():
        page = Path(record.uri).relative_to(ROOT).as_posix()
        if before.get(page) != now.get(page):
            outputs.remove_cache(record.pk)


def main():
    BUILD.mkdir(exist_ok=True)
    kept, now = BUILD / "pages.json", keys()
    before = json.loads(kept.read_text("utf8")) if kept.is_file() else {}
    forget(before, now)
    kept.write_text(json.dumps(now, indent=1) + "\n", "utf8")
    changed = [Path(page).stem for page in now if before.get(page) != now[page]]
    print(f"Cells that run again: {', '.join(changed) or 'none'}; besides, those whose own code has changed.")


if __name__ == "__main__":
    print(json.dumps(keys(), indent=1)) if sys.argv[1:] == ["--keys"] else main()
