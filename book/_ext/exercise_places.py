"""An exercise and the place where its idea ends lead to each other.

An author writes "**Try now:** [title](#ex-label)." at that place. While the book is built, the section "Exercises" gets
a list of all that are named so, and each of them a link back, which is called by the section that it leads to.
"""

from __future__ import annotations

import re
from typing import Any

CODE = re.compile(r"^(`{3,})(?!\{(?:card|prf)).*?^\1$", re.M | re.S)
TRY = re.compile(r"^\*\*Try now:\*\*(?:.|\n(?!\n))*", re.M)
NAMED = re.compile(r"\(#ex-([\w-]+)\)")
EXERCISE = re.compile(r"^\(ex-([\w-]+)\)=\n### (.*) (\([\w-]+\))\n", re.M)


def places(source: str) -> dict[str, str]:
    """Of each exercise that a paragraph says to try: the title of the section in which it says so first."""
    bare = CODE.sub(lambda code: " " * len(code[0]), source)
    found: dict[str, str] = {}
    for paragraph in TRY.finditer(bare):
        section = re.findall(r"^##+ (.*)$", bare[: paragraph.start()], re.M)[-1]
        for label in NAMED.findall(paragraph[0]):
            found.setdefault(label, section)
    return found


def linked(source: str) -> str:
    """The source of a page with the links back and the list."""
    sections = places(source)
    named = [(label, title, level) for label, title, level in EXERCISE.findall(source) if label in sections]
    if not named:
        return source
    there = {label: f"[{sections[label]}](#try-{label})" for label, _, _ in named}
    rows = "".join(f"- [{title}](#ex-{label}) {level}, after {there[label]}\n" for label, title, level in named)
    first = re.search(rf"^\(ex-{named[0][0]}\)=$", source, re.M)
    assert first
    source = f"{source[: first.start()]}{rows}\n{source[first.start() :]}"
    source = EXERCISE.sub(lambda e: f"{e[0]}\nAfter {there[e[1]]}.\n" if e[1] in there else e[0], source)
    waiting = set(there)

    def target(paragraph: re.Match[str]) -> str:
        here = [label for label in NAMED.findall(paragraph[0]) if label in waiting]
        waiting.difference_update(here)
        return "".join(f"(try-{label})=\n" for label in here) + paragraph[0]

    return TRY.sub(target, source)


def read_source(app: Any, docname: str, source: list[str]) -> None:
    source[0] = linked(source[0])
