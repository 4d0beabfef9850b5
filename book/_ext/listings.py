"""The code of the library that a page shows: no wider than a page, and without docstrings, which its text replaces.

A file that is shown whole keeps them.
"""

from __future__ import annotations

import ast
import io
import subprocess
import sys
import textwrap
import tokenize
from functools import cache
from typing import Any

from docutils import nodes
from sphinx.directives.code import LiteralInclude

WIDTH = 77  # columns that a page has beside its two side bars in a window of 1,280 pixels


class Listing(LiteralInclude):
    """Sphinx' `literalinclude`, for Python as `listing` writes it."""

    def run(self) -> list[nodes.Node]:
        found = super().run()
        for block in (block for node in found for block in node.findall(nodes.literal_block)):
            if block.get("language") == "python":
                block.rawsource = listing(block.astext())
                block.children = [nodes.Text(block.rawsource)]
        return found


@cache
def listing(code: str) -> str:
    """Python code as pages and notebooks show it; what is no whole statement stays as it is."""
    code = textwrap.dedent(code)
    try:
        whole = ast.get_docstring(ast.parse(code)) is not None
        code = comments_above(narrow_docstrings(code) if whole else without_docstrings(code))
    except SyntaxError:
        return code
    command = [sys.executable, "-m", "ruff", "format", "--isolated", f"--line-length={WIDTH}", "-"]
    return subprocess.run(command, input=code, capture_output=True, text=True, check=True).stdout.strip("\n")


def without_docstrings(code: str) -> str:
    """The code without the docstrings of its functions and classes; one that has nothing else keeps it."""
    lines = code.split("\n")
    for docstring in docstrings(code):
        end = docstring.end_lineno
        end += not lines[end].strip()  # the blank line below it goes, too
        del lines[docstring.lineno - 1 : end]
    return "\n".join(lines)


def narrow_docstrings(code: str) -> str:
    """The code with the lines of its docstrings that are too wide in lines that are not."""
    lines = code.split("\n")
    for docstring in docstrings(code, ast.Module):
        before, rows = " " * docstring.col_offset, slice(docstring.lineno - 1, docstring.end_lineno)
        for_each = {"width": WIDTH, "initial_indent": before, "subsequent_indent": before}
        paragraphs = "\n".join(map(str.strip, lines[rows])).split("\n\n")
        lines[rows] = "\n\n".join(textwrap.fill(text, **for_each) for text in paragraphs).split("\n")
    return "\n".join(lines)


def docstrings(code: str, *kinds: type[ast.AST]) -> list[Any]:
    """The docstrings of functions and classes that have something else, and of other kinds; the last one first."""
    found = [
        node.body[0]  # type: ignore[attr-defined]
        for node in ast.walk(ast.parse(code))
        if isinstance(node, (ast.FunctionDef, ast.ClassDef, *kinds)) and ast.get_docstring(node) and len(node.body) > 1
    ]
    return sorted(found, key=lambda node: -node.lineno)


def comments_above(code: str) -> str:
    """The code with the comments of lines that are too wide above them, in lines that are not."""
    lines = code.split("\n")
    for token in reversed(list(tokenize.generate_tokens(io.StringIO(code).readline))):
        row, column = token.start
        if token.type == tokenize.COMMENT and len(line := lines[row - 1]) > WIDTH:
            before = line[: len(line) - len(line.lstrip())] + "# "
            words = token.string.removeprefix("#").strip()
            above = textwrap.wrap(words, WIDTH, initial_indent=before, subsequent_indent=before)
            lines[row - 1 : row] = above + [line[:column].rstrip()] * bool(line[:column].strip())
    return "\n".join(lines)
