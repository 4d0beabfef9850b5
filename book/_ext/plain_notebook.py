"""From a page of the book (MyST Markdown) to a notebook that plain Jupyter shows well.

Plain Jupyter knows Markdown, formulas and a little HTML, and none of MyST's directives and roles. What the book uses of
them is a closed set, each with a plain form here; anything else raises `Unknown`, so that no page loses text silently.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import jupytext
from listings import listing
from myst_parts import Directive, Unknown, parts_of
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell
from plumbing import without_plumbing

ROLE = re.compile(r"\{([a-zA-Z][\w:+-]*)\}`([^`]+)`")

BOXES = {
    "note": "Note", "tip": "Tip", "hint": "Hint", "important": "Important", "warning": "Warning", "caution": "Caution",
    "attention": "Attention", "danger": "Danger", "seealso": "See also", "admonition": "", "topic": "", "epigraph": "",
    "margin": "", "sidebar": "", "aside": "", "exercise": "Exercise",
}  # fmt: skip
UNWRAPPED = {"card", "grid", "grid-item", "grid-item-card", "tab-set", "tab-item", "div", "container", "glossary"}
FOLDED = {"dropdown": "", "toggle": "More", "solution": "Solution"}
DROPPED = {"tableofcontents", "contents", "toctree", "index", "bibliography", "raw", "only"}
LITERAL_ROLES = {"code", "kbd", "py", "file", "command", "program", "envvar", "option"}

INSTALL = """\
import importlib.util
import re
import shutil
import tempfile
from pathlib import Path

if importlib.util.find_spec("fdpedu") is None or importlib.util.find_spec("matplotlib") is None:
    wheel = "{address}"  # unless it lies beside this notebook
    for found in sorted(Path().glob("fdpedu-*.whl")):
        named = re.sub(r" *\\([0-9]+\\)", "", found.name)  # "(1)" is a browser's, for a second download
        wheel = Path(shutil.copy(found, Path(tempfile.mkdtemp()) / named)).as_uri()
    if not wheel:
        raise SystemExit("Put {wheel}, from the book's page, beside this notebook and run this cell again.")
    %pip install --quiet "fdpedu[book] @ {{wheel}}"\
"""
STUDENT = """\
import os

os.environ["FDPEDU_EDITION"] = "student"  # the exercises have hints and no solutions
"""
GLUE = """\
def glue(name, value, display=True):  # in the book this puts a number into the text
    if display:
        print(value)
"""

T = TypeVar("T")


@dataclass
class Book:
    """What a page may refer to: names of claims and sections by label, titles by page, values by name of `glue`."""

    folder: Path  # of the page
    labels: Mapping[str, str] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)
    glued: Mapping[str, str] = field(default_factory=dict)
    address: str = ""  # of the wheel, where the book is hosted


def plain(text: str, book: Book) -> str:
    """A piece of MyST as plain Markdown."""
    text = re.sub(r"^%.*\n?|^\([\w-]+\)=\n|^\{[.#][^}`]*\}\n", "", text, flags=re.M)
    parts = (_box(part, book) if isinstance(part, Directive) else _prose(part, book) for part in parts_of(text))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(parts)).strip()


def _prose(text: str, book: Book) -> str:
    """Roles and links of the text outside code blocks."""
    pieces = re.split(r"(^ {0,3}(?P<f>`{3,}|~{3,}).*?^ {0,3}(?P=f)[`~]*$)", text, flags=re.M | re.S)
    return "".join(piece if i % 3 else _inline(piece, book) for i, piece in enumerate(pieces) if i % 3 != 2)


def _inline(text: str, book: Book) -> str:
    text = re.sub(r"^(\S.*)\n+: +(?=\S)", r"\1: ", text, flags=re.M)  # Markdown alone knows no definition lists
    text = ROLE.sub(lambda role: _role(role[1], role[2], book), text)

    def link(found: re.Match[str]) -> str:
        words, target = found[1], found[2]
        if re.match(r"\w+:", target):
            return found[0]
        page, _, anchor = target.partition("#")
        return words or book.titles.get(Path(page).stem) or book.labels.get(anchor) or anchor

    words = r"(?<!!)\[((?:[^\]\n]|\n(?!\s*\n))*)\]"  # over several lines, but not beyond their paragraph
    return re.sub(words + r"\(([^)\s]+)\)", link, text)


def _role(name: str, content: str, book: Book) -> str:
    explicit = re.fullmatch(r"(.*?)\s*<([^>]+)>", content, re.S)
    words, target = (explicit[1], explicit[2]) if explicit else ("", content)
    kind = name.split(":")[0]
    if kind == "glue":
        key, _, form = content.partition(":")
        if key not in book.glued:
            raise Unknown(f"nothing is glued under {content!r}")
        return format(float(book.glued[key]), form) if form else book.glued[key]
    if name in ("prf:ref", "ref", "numref", "eq"):
        return words or book.labels.get(target, target)
    if name == "doc":
        return words or book.titles.get(Path(target).stem, target)
    if name in ("term", "abbr", "dfn", "download"):
        return words or target
    if kind == "cite":
        return f"[{target}]"
    if name == "math":
        return f"${content}$"
    if name in ("sub", "sup"):
        return f"<{name}>{content}</{name}>"
    if kind in LITERAL_ROLES:
        return f"`{(words or target).removeprefix('~')}`"
    raise Unknown(f"no plain form is known for the role {{{name}}}`{content}`")


def _quote(title: str, body: str) -> str:
    lines = [*([f"**{title}**", ""] if title else []), *body.split("\n")]
    return "\n".join(["", *(f"> {line}".rstrip() for line in lines), ""])


def _fold(title: str, body: str) -> str:
    return f"\n<details><summary><b>{title}</b></summary>\n\n{body}\n\n</details>\n"


def _code(text: str, language: str = "python") -> str:
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", text)), default=0))
    return f"\n{fence}{language}\n{text.strip(chr(10))}\n{fence}\n"


def _box(box: Directive, book: Book) -> str:
    """The plain form of one directive."""
    name, title, options = box.name, _inline(box.argument, book), box.options

    def inside() -> str:
        return plain(box.body, book)

    forms: list[tuple[bool, Callable[[], str]]] = [
        (name in DROPPED, lambda: ""),
        (name in BOXES, lambda: _quote(": ".join(filter(None, [BOXES[name], title])), inside())),
        (name.startswith("prf:"), lambda: _quote(claim_name(name, title), inside())),
        (name in UNWRAPPED, lambda: (f"\n**{title}**\n\n" if title and name != "grid" else "\n") + inside() + "\n"),
        (name in FOLDED or box.is_solution, lambda: _fold(FOLDED.get(name) or title or "Solution", inside())),
        (name == "math", lambda: f"\n$$\n{box.argument}\n{box.body}\n$$\n".replace("\n\n", "\n")),
        (name in ("code-block", "code", "sourcecode"), lambda: _code(box.body, box.argument)),
        (name == "literalinclude", lambda: _included(book.folder, box)),
        (name in ("figure", "image"), lambda: _quote("", f"*Figure: {options.get('alt', '')}* {inside()}".strip())),
        (name == "list-table", lambda: _table(box, book)),
        (name == "table", lambda: (f"**{title}**\n\n" if title else "") + inside()),
        (name.startswith("glue"), lambda: _role("glue", box.argument, book)),
    ]
    for fits, form in forms:
        if fits:
            return form()
    raise Unknown(f"no plain form is known for the directive {{{name}}} {box.argument}")


def claim_name(directive: str, title: str) -> str:
    kind = directive.removeprefix("prf:").capitalize()
    return f"{kind} ({title})" if title else kind


def short_name(directive: str, title: str) -> str:
    """How the text refers to a claim: its kind and title, without the source after the semicolon or in brackets."""
    title = title.split(";")[0]
    title = re.sub(r"\s*\((?:[^()]|\([^()]*\))*\)$", "", title)
    return directive.removeprefix("prf:").capitalize() + (f" “{title}”" if title else "")


def _included(folder: Path, box: Directive) -> str:
    language = box.options.get("language", "python")
    text = included(folder, box)
    return _code(listing(text) if language == "python" else text, language)


def _table(box: Directive, book: Book) -> str:
    rows = [re.split(r"\n? *- ", "\n" + row.strip())[1:] for row in re.split(r"^\* ", box.body, flags=re.M)[1:]]
    cells = [[_inline(" ".join(cell.split()), book) for cell in row] for row in rows]
    cells.insert(1, ["---"] * len(cells[0]))
    return "\n" + "\n".join("| " + " | ".join(row) + " |" for row in cells) + "\n"


def _first(found: Iterator[T], what: str) -> T:
    for one in found:
        return one
    raise Unknown(f"nothing is called or contains {what!r}")


def included(folder: Path, box: Directive) -> str:
    """The lines that a `literalinclude` shows: all of a file, one object of it, or what lies between two markers."""
    path = folder / box.argument
    text = path.read_text("utf8")
    lines = text.split("\n")
    unknown = set(box.options) - {
        "pyobject", "language", "start-after", "end-before", "start-at", "end-at", "lines", "caption", "name",
        "linenos", "lineno-match", "emphasize-lines", "dedent", "class",
    }  # fmt: skip
    if unknown:
        raise Unknown(f"literalinclude: {unknown} of {path.name}")
    if name := box.options.get("pyobject"):
        body = ast.parse(text).body
        node = ast.Module([], [])
        for part in name.split("."):
            node = _first((n for n in body if getattr(n, "name", None) == part), f"{path.name}: {name}")
            body = getattr(node, "body", [])
        first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
        lines = lines[first - 1 : node.end_lineno]
    start, end = 0, len(lines)
    for option, past in (("start-after", 1), ("start-at", 0)):
        if marker := box.options.get(option):
            start = _first((i for i, line in enumerate(lines) if marker in line), marker) + past
    for option, past in (("end-before", 0), ("end-at", 1)):
        if marker := box.options.get(option):
            end = _first((i for i, line in enumerate(lines) if i > start and marker in line), marker) + past
    lines = lines[start:end]
    if wanted := box.options.get("lines"):
        ranges = [part.partition("-") for part in wanted.split(",")]
        numbers = [range(int(a), (int(b) if b else len(lines) if dash else int(a)) + 1) for a, dash, b in ranges]
        lines = [lines[n - 1] for numbered in numbers for n in numbered]
    return "\n".join(lines)


def labels_of(text: str) -> Iterator[tuple[str, str]]:
    """Each label of a page with the words by which it is called: of claims and exercises, and of headings."""
    for part in parts_of(text):
        if isinstance(part, Directive):
            label = part.options.get("label") or part.options.get("name")
            if label:
                yield label, short_name(part.name, part.argument)
            yield from labels_of(part.body)
        else:
            yield from re.findall(r"^\(([\w-]+)\)=\n+#+ (.*)$", part, re.M)


def title_of(text: str) -> str:
    found = re.search(r"^# (.*)$", text, re.M)
    return found[1] if found else ""


def notebook(text: str, book: Book, wheel: str, *, student: bool = False) -> NotebookNode:
    """The notebook of one page, without outputs; its first cells say and install what it needs."""
    nb = jupytext.reads(text, fmt="md:myst")
    online = " or from the book's address" * bool(book.address)
    first = new_markdown_cell(
        f"This is a page of *{book.titles.get('index', 'the book')}* as a notebook. It needs the package `fdpedu` with "
        f"its extra `book`; the next cell installs it from the wheel beside this notebook{online}, unless it is there. "
        "The numbers in the text are those of the book; the cells compute them again."
    )
    cells = [first, new_code_cell(STUDENT * student + INSTALL.format(wheel=wheel, address=book.address))]
    code = [cell for cell in nb.cells if cell.cell_type == "code"]
    pruned = iter(without_plumbing([(cell.source, "remove-cell" in cell.metadata.get("tags", [])) for cell in code]))
    for cell in nb.cells:
        tags = set(cell.metadata.get("tags", []))
        if cell.cell_type == "markdown":
            if source := plain(cell.source, book):
                cells.append(new_markdown_cell(source))
        elif cell.cell_type == "code" and (source := next(pruned)):
            kept = new_code_cell(re.sub(r"^from myst_nb import glue\n?", GLUE, source, flags=re.M))
            if tags & {"raises-exception"}:
                kept.metadata["tags"] = ["raises-exception"]
            if tags & {"hide-input", "hide-cell", "remove-input", "remove-cell"}:
                kept.metadata["jupyter"] = {"source_hidden": True}
            cells.append(kept)
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"  # random otherwise: the same page gives the same bytes
    nb.cells = cells
    nb.metadata = {
        "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
        "language_info": {"name": "python"},
    }
    return nb


def glued(path: Path) -> dict[str, str]:
    """What the cells of a page glued, as text, from the file that the build of the book leaves."""
    if not path.exists():
        return {}
    outputs = json.loads(path.read_text("utf8"))
    shown = {name: output["data"] for name, output in outputs.items()}
    # A hint or a solution knows how to write itself as Markdown, with its code in a fence.
    return {name: str(d.get("text/markdown") or d.get("text/plain", "")).strip("'\"") for name, d in shown.items()}
