"""The page on how the house is built: rooms, tiers and imports, read off the code while the book is built.

The directive ``{architecture}`` takes one word: ``graph`` draws which room imports which, ``rooms`` lists the tiers
with their rooms in words, ``folders`` says where a chapter's files are. Nothing is imported to find this out except the
list of chapters and tiers; the rest is parsed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from fdpedu.chapters import CHAPTERS, TIERS
from fdpedu.printable import escape
from fdpedu.viz.page import FONT

PACKAGE = Path(__file__).resolve().parents[2] / "fdpedu"
APART = "viz"
IMPORTS = Mapping[str, tuple[str, ...]]

# What the rooms of a tier have in common; the order is that of the tiers.
MEANING = (
    "What everything stands on: exact numbers, random bits, and what is public.",
    "The ideas of the chapters, each on its own, without parties.",
    "The one way out: parties or one owner, queries, what travels between them, and what carries it.",
    "What is built of queries: histograms and trees.",
    "Systems that grow better models, each on its own: none imports another.",
    "Data, and a federation in one call.",
    "What the printed documents say, made runnable and not for use; and the report's experiments.",
    "Evidence and exercises, which look at all of this from outside.",
    "Programs: the command line, and the whole idea in one file.",
)
WIDTH, ROW, GAP, TEXT, LEFT = 340, 27, 12, 15, 132  # pixels; a telephone shows 340, and letters are not scaled


def files(room: str) -> list[Path]:
    """The source of a room: one file, or those of its folder."""
    folder = PACKAGE / room
    return sorted(folder.rglob("*.py")) if folder.is_dir() else [PACKAGE / f"{room}.py"]


def imported(source: str) -> Iterator[str]:
    """The rooms that a file imports, at any depth of its code."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "fdpedu":
            names = [node.module or ""] if "." in (node.module or "") else [f"fdpedu.{a.name}" for a in node.names]
            yield from (name.split(".")[1] for name in names)
        elif isinstance(node, ast.Import):
            yield from (alias.name.split(".")[1] for alias in node.names if alias.name.startswith("fdpedu."))


def order() -> tuple[str, ...]:
    """The rooms that there are, in the order in which they may use each other."""
    return tuple(room for tier in TIERS for room in tier if files(room)[:1] and files(room)[0].exists())


def imports() -> IMPORTS:
    """Room → the rooms that it imports, in the order of the rooms; the room that stands apart is left out."""
    rooms = order()
    found = {room: {name for file in files(room) for name in imported(file.read_text("utf8"))} for room in rooms}
    return {room: tuple(used for used in rooms if used in found[room] and used != room) for room in rooms}


def arrows(graph: IMPORTS) -> list[tuple[str, str]]:
    """The imports that do not follow from others: an arrow is left out where a longer way leads to the same room."""

    def reached(room: str) -> set[str]:
        return {far for used in graph[room] for far in (used, *reached(used))}

    return [
        (room, used)
        for room, all_used in graph.items()
        for used in all_used
        if not any(used in reached(other) for other in all_used if other != used)
    ]


def drawing(graph: IMPORTS) -> str:
    """An SVG: a row for each room, a band for each tier, an arc from a room to one that it imports."""
    at, parts, row = GAP, [], dict[str, int]()
    for number, tier in enumerate(TIERS):
        rooms = [room for room in tier if room in graph]
        if not rooms:
            continue
        height = ROW * len(rooms) + GAP
        parts.append(
            f'<rect x="{LEFT - 26}" y="{at}" width="{WIDTH - LEFT + 26}" height="{height}" rx="6" fill="currentColor" '
            f'fill-opacity="0.07"/><text x="{WIDTH - 10}" y="{at + 22}" text-anchor="end">tier {number}</text>'
        )
        for place, room in enumerate(rooms):
            row[room] = at + ROW * place + 22
            parts.append(f'<text x="{LEFT}" y="{row[room]}" font-weight="600">{escape(room)}</text>')
        at += height + GAP
    arcs = [_arc(room, used, row[room], row[used]) for room, used in arrows(graph)]
    words = "; ".join(f"{room} imports {', '.join(used) or 'no other module'}" for room, used in graph.items())
    return (
        f'<svg role="img" width="{WIDTH}" height="{at}" viewBox="0 0 {WIDTH} {at}" font-family="{escape(FONT)}" '
        f'font-size="{TEXT}" fill="currentColor" aria-labelledby="house-title house-words">'
        f'<title id="house-title">The modules of the library, tier by tier, and which imports which</title>'
        f'<desc id="house-words">{escape(words)}.</desc>{"".join(parts)}{"".join(arcs)}</svg>'
    )


def _arc(room: str, used: str, start: int, end: int) -> str:
    """From a room up to one that it imports, with an arrowhead there; far arcs reach farther to the left."""
    x, y0, y1 = LEFT - 10, start - 8, end - 3
    reach = x - min(x - 4, 12 + 0.2 * (start - end)) * 4 / 3
    curve = f"M{x} {y0}C{reach:.0f} {y0} {reach:.0f} {y1} {x - 5} {y1}"
    return (
        f"<g><title>{escape(room)} imports {escape(used)}</title>"
        f'<path d="{curve}" fill="none" stroke="currentColor"/><path d="M{x} {y1}l-8 -4v8z"/></g>'
    )


def first_line(room: str) -> str:
    """What a room says of itself: the first sentence of its docstring."""
    text = ast.get_docstring(ast.parse(files(room)[0].read_text("utf8"))) or ""
    return " ".join(text.split("\n\n")[0].split()).removesuffix(".")


def rooms_in_words() -> str:
    """Markdown: for each tier its meaning, and below it the rooms."""
    if len(MEANING) != len(TIERS):
        raise ValueError(f"MEANING must have a line for each of the {len(TIERS)} tiers, got {len(MEANING)}")
    there = order()
    lines = []
    for number, (tier, meaning) in enumerate(zip(TIERS, MEANING, strict=True)):
        rooms = [room for room in tier if room in there]
        if rooms:
            lines += [f"**Tier {number}.** {meaning}", ""]
            lines += [f"- `{room}`: {first_line(room)}." for room in rooms] + [""]
    return "\n".join([*lines, f"**In any tier.** `{APART}`: {first_line(APART)}."])


def folders() -> str:
    """Markdown: a list of the chapters, each with the places that hold something of it."""
    top, lines = PACKAGE.parent, []
    for entry in CHAPTERS:
        library = [f"fdpedu/{module.replace('.', '/')}" for module in entry.library]
        places = [f"{path}/" if (top / path).is_dir() else f"{path}.py" for path in library]
        places += [f"{kind}/{entry.name}/" for kind in ("fdpedu/claims", "fdpedu/exercises", "tests")]
        places.append(f"book/chapters/{entry.number:02}_{entry.name}.md")
        there = ", ".join(f"`{place}`" for place in places if (top / place).exists())
        lines.append(f"- **{entry.number}. {entry.name}:** {there or 'nothing yet'}")
    return "\n".join(lines)


class Architecture(SphinxDirective):
    """One of the three views of the house."""

    required_arguments = 1
    has_content = False

    def run(self) -> list[nodes.Node]:
        (view,) = self.arguments
        for file in (*PACKAGE.rglob("*.py"), Path(__file__)):
            self.env.note_dependency(str(file))
        if view == "graph":
            box = nodes.container(classes=["fdpedu-house"])
            box += nodes.raw("", drawing(imports()), format="html")
            return [box]
        text = {"rooms": rooms_in_words, "folders": folders}.get(view)
        if text is None:
            raise self.error(f"architecture must be graph, rooms or folders, got {view!r}")
        place = nodes.Element()
        self.state.nested_parse(StringList(text().split("\n"), source=__file__), self.content_offset, place)
        return place.children


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_directive("architecture", Architecture)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
