"""What tasks and quizzes say, outside of their pages: as plain Markdown, and as HTML."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

from fdpedu.chapters import folders
from fdpedu.printable import escape

_ROLE = re.compile(r"\{([\w:]+)\}`([^`]*)`")
_WORDS = r"(?:\$[^$]+\$|[^*$])+"  # a star in a formula is none of Markdown
_INLINE = re.compile(rf"`(?P<code>[^`]+)`|\$(?P<math>[^$]+)\$|\*\*(?P<strong>{_WORDS})\*\*|\*(?P<em>{_WORDS})\*")
_FENCED = re.compile(r"^```\w*\n(.*?)\n```$", re.M | re.S)
Formula = Callable[[str], str]


def plain(text: str) -> str:
    """The text of a page as plain Markdown: a claim by its title, a link by its words.

    >>> plain("See {prf:ref}`def-dp` and [there](page.md).")
    'See “Differential privacy” and there.'
    """
    found = _ROLE.sub(_role, text)
    return re.sub(r"(?<!!)\[([^\]]+)\]\((?!https?:)[^)\s]*\)", r"\1", found)


def _role(found: re.Match[str]) -> str:
    if found[1] != "prf:ref" or found[2] not in _titles():
        raise ValueError(f"a task or a quiz cannot hold {found[0]}: outside its page nobody knows what it says")
    return f"“{_titles()[found[2]]}”"


@cache
def _titles() -> dict[str, str]:
    """The titles of claims by their labels, from the files beside the register, which need not be loaded."""
    found: dict[str, str] = {}
    for folder in folders("fdpedu.claims"):
        file = Path(next(iter(folder.__path__)), "statements.json")
        stated = json.loads(file.read_text("utf8")) if file.is_file() else {}
        found |= {label: said["title"] for label, said in stated.items()}
    return found


def as_mathjax(tex: str) -> str:
    """A formula as Moodle and MathJax read it."""
    return rf"\({escape(tex)}\)"


def as_html(markdown: str, formula: Formula = as_mathjax) -> str:
    r"""What tasks and quizzes use of Markdown: paragraphs, code, quotations, numbered lists.

    >>> as_html("No *event* has $p < q$.")
    '<p>No <em>event</em> has \\(p &lt; q\\).</p>'
    >>> as_html("Two:\n\n1. `a`\n2. b")
    '<p>Two:</p><ol><li><code>a</code></li><li>b</li></ol>'
    """
    parts = []
    for number, piece in enumerate(_FENCED.split(markdown)):
        if number % 2:
            parts.append(f"<pre><code>{escape(piece)}</code></pre>")
        else:
            parts += [_block(block.split("\n"), formula) for block in re.split(r"\n\s*\n", piece.strip()) if block]
    return "".join(parts)


def _block(lines: list[str], formula: Formula) -> str:
    """Lines without an empty one between them: a list, a quotation or a paragraph."""
    if all(re.match(r"\d+\. ", line) for line in lines):
        return f"<ol>{''.join(f'<li>{_inline(line.split(maxsplit=1)[1], formula)}</li>' for line in lines)}</ol>"
    if all(line.startswith(">") for line in lines):
        return f"<blockquote>{_block([line[1:].lstrip() for line in lines], formula)}</blockquote>"
    return f"<p>{_inline(' '.join(' '.join(lines).split()), formula)}</p>"


def _inline(text: str, formula: Formula) -> str:
    forms: dict[str, Callable[[str], str]] = {
        "code": lambda inner: f"<code>{escape(inner)}</code>",
        "math": formula,
        "strong": lambda inner: f"<strong>{_inline(inner, formula)}</strong>",
        "em": lambda inner: f"<em>{_inline(inner, formula)}</em>",
    }
    parts, at = [], 0
    for found in _INLINE.finditer(text):
        kind = found.lastgroup or ""
        parts += [escape(text[at : found.start()]), forms[kind](found[kind])]
        at = found.end()
    return "".join([*parts, escape(text[at:])])
