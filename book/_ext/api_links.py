"""Links between the library's reference and the page of claims: from a docstring's ``Claims:`` line, and back.

And from the table of a document's sections, to what reproduces them and to the claims about it.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Collection
from typing import Any

LABEL = re.compile(r"[a-z]+(?:-[a-z0-9]+)+")
RULE = re.compile(r"^ *=+(?: +=+)+ *$\n?", re.M)
PARAGRAPH = re.compile(r"^Claims: .+?(?=\n[ \t]*\n|\Z)", re.M | re.S)


def anchor(label: str) -> str:
    """The place of a claim's record on the page of claims."""
    return f"claim-{label}"


def claims_at_the_end(docstring: str, numbered: Collection[str]) -> str:
    """The docstring with its ``Claims:`` line as a last section, where each label is a link.

    Parameters
    ----------
    docstring : reStructuredText; without such a line nothing changes
    numbered : labels of the claims that a chapter of the book states, whose number and place are linked too
    """
    found = PARAGRAPH.search(docstring)
    if found is None:
        return docstring
    labels = re.sub(r"\s*Claims:\s*", ", ", found[0].removeprefix("Claims:"))
    links = LABEL.sub(lambda label: _link(label[0], numbered), " ".join(labels.split()))
    rest = f"{docstring[: found.start()].rstrip()}\n\n{docstring[found.end() :].lstrip()}".strip()
    return f"{rest}\n\nClaims\n------\n{links}\n"


def cells(docstring: str) -> list[list[str]]:
    """The rows of a docstring's table, its head first; none without one. Columns begin where its rule does."""
    rule = RULE.search(docstring)
    if rule is None:
        return []
    starts = [match.start() for match in re.finditer(r"=+", rule[0])]
    _, head, body = RULE.split(docstring)[:3]
    spans = list(zip(starts, [*starts[1:], None], strict=True))
    return [[line[a:b].strip() for a, b in spans] for line in (head + body).splitlines()]


def sections_with_links(docstring: str, numbered: Collection[str]) -> str:
    """The docstring with the table of a document's sections, if it has one, as a table of links.

    Parameters
    ----------
    docstring, numbered : as for :func:`claims_at_the_end`
    """
    head, *rows = cells(docstring) or [[]]
    if head[:1] != ["§"]:
        return docstring
    linked = [
        (
            section,
            re.sub(r"`+(.+?)`+", r":py:obj:`\1`", name),
            LABEL.sub(lambda label: _link(label[0], numbered), claim),
        )
        for section, name, claim in rows
    ]
    lines = ["   * - " + "\n     - ".join(row) for row in [head, *linked]]
    table = "\n".join([".. list-table::\n   :header-rows: 1\n", *lines])
    before, _, _, after = RULE.split(docstring, maxsplit=3)
    return f"{before}{table}\n{after}"


def _link(label: str, numbered: Collection[str]) -> str:
    record = f":ref:`{label} <{anchor(label)}>`"
    return f"{record} (:prf:ref:`{label}`)" if label in numbered else record


def code_link(path: str) -> str:
    """MyST: the dotted path, leading to its entry in the library's reference, or to that of its room.

    >>> code_link("fdpedu.mechanisms.counts.discrete_laplace")
    '{py:obj}`fdpedu.mechanisms.counts.discrete_laplace <fdpedu.mechanisms.discrete_laplace>`'
    """
    return f"{{py:obj}}`{path} <{entry(path)}>`"


def entry(path: str) -> str:
    """Under which name the reference lists an object: its room's, if that offers it; else the room itself.

    Parameters
    ----------
    path : of a module, or of what a module defines

    Raises
    ------
    ValueError
        If there is no such object.
    """
    parts = path.split(".")
    room = ".".join(parts[: 3 if parts[1] == "sources" else 2])  # each document has a section of its own
    offers, (thing, inner) = importlib.import_module(room), _found(path)
    if not inner or any(name.startswith("_") for name in inner):
        return room
    public = inner[0] in getattr(offers, "__all__", [inner[0]]) and getattr(offers, inner[0], None) is thing
    return ".".join([room, *inner]) if public else room


def _found(path: str) -> tuple[Any, list[str]]:
    """The object that stands in a module on the way to ``path``, and the names from that module on."""
    parts = path.split(".")
    for end in range(len(parts), 0, -1):
        try:
            module = importlib.import_module(".".join(parts[:end]))
        except ModuleNotFoundError:
            continue
        thing = first = getattr(module, parts[end], None) if end < len(parts) else module
        for name in parts[end + 1 :]:
            thing = getattr(thing, name, getattr(thing, "__dataclass_fields__", {}).get(name))
        if thing is not None:
            return first, parts[end:]
    raise ValueError(f"path must lead to an object of the package, got {path}")
