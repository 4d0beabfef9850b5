"""Cutting a page of the book (MyST Markdown) into its directives and what is between them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

FENCE = re.compile(r"^(?P<indent> {0,3})(?P<fence>`{3,}|:{3,})\{(?P<name>[\w:-]+)\} *(?P<argument>.*)$")
CODE = re.compile(r"^ {0,3}(`{3,}|~{3,})(?!\{)")
OPTION = re.compile(r"^ *:([\w-]+): *(.*)$")


class Unknown(ValueError):
    """A directive or role that has no plain form here."""


@dataclass
class Directive:
    """A directive: its name, what stands behind it on its line, its options and its body."""

    name: str
    argument: str
    options: dict[str, str]
    body: str

    @property
    def is_solution(self) -> bool:
        """A box is a solution by its name or by a class, wherever the author put the class."""
        classes = " ".join(value for key, value in self.options.items() if key.startswith("class")).split()
        return self.name.startswith("solution") or "solution" in classes


def parts_of(text: str) -> Iterator[str | Directive]:
    """A text cut into directives and what is between them; plain code blocks are never cut."""
    lines, kept, i = text.split("\n"), list[str](), 0
    while i < len(lines):
        opening, code = FENCE.match(lines[i]), CODE.match(lines[i])
        if not opening and not code:
            kept.append(lines[i])
            i += 1
            continue
        fence = opening["fence"] if opening else code[1]
        end = _closing(lines, i + 1, fence)
        if code and not opening:
            kept += lines[i : end + 1]
        else:
            if kept:
                yield "\n".join(kept)
            kept = []
            assert opening
            yield _directive(opening["name"], opening["argument"].strip(), lines[i + 1 : end])
        i = end + 1
    if kept:
        yield "\n".join(kept)


def _closing(lines: list[str], start: int, fence: str) -> int:
    """The line that closes a fence; colon fences of equal length nest, as MyST lets them."""
    depth = 1
    for i in range(start, len(lines)):
        line = lines[i].strip()
        if set(line) == {fence[0]} and len(line) >= len(fence):
            depth -= 1
            if not depth:
                return i
        elif fence[0] == ":" and re.match(re.escape(fence) + r"\{", line):
            depth += 1
    raise Unknown(f"a fence {fence} is never closed: {lines[start - 1]}")


def _directive(name: str, argument: str, lines: list[str]) -> Directive:
    options, lines = dict[str, str](), list(lines)
    if lines and lines[0].strip() == "---":
        end = lines.index("---", 1)
        lines = [f":{line}" for line in lines[1:end]] + lines[end + 1 :]
    while lines and (option := OPTION.match(lines[0])):
        options[option[1]] = option[2].strip()
        lines.pop(0)
    return Directive(name, argument, options, "\n".join(lines).strip("\n"))


def without_solutions(text: str) -> str:
    """A page as the student edition has it; every line that stays is as it was."""
    lines, kept, i = text.split("\n"), list[str](), 0
    while i < len(lines):
        opening = FENCE.match(lines[i])
        if opening:
            end = _closing(lines, i + 1, opening["fence"])
            if _directive(opening["name"], opening["argument"], lines[i + 1 : end]).is_solution:
                i = end + 1
                continue
        kept.append(lines[i])
        i += 1
    return "\n".join(kept)
