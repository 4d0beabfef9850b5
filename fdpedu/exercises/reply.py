"""What the checker answers: plain text for a terminal, HTML for a notebook and the book."""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from typing import Literal

from fdpedu.exercises.record import Case
from fdpedu.printable import escape
from fdpedu.viz.page import styled

Verdict = Literal["PASS", "FAIL", "NOT DECIDED", "NOT ANSWERED YET"]
_CODE = ("input", "your answer", "printed")

# The mark is drawn in the colour of the text: nothing is said by colour, and every theme is fine.
_MARKS = {
    "PASS": "M3 9l4 4 8-9",
    "FAIL": "M4 4l10 10M14 4L4 14",
    "NOT DECIDED": "M9 2a7 7 0 1 1-.01 0M9 5v4l3 2",
    "NOT ANSWERED YET": "M4 9h1M9 9h1M14 9h1",
}
_STYLE = """
.fd-reply{border-left:4px solid currentColor;padding:.1em 0 .1em .9em;font-size:max(1em,14px);line-height:1.45}
.fd-reply p{margin:.2em 0}
.fd-reply svg{vertical-align:-3px;margin-right:.4em}
.fd-reply dl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.25em 1em;margin:.4em 0}
.fd-reply dt{font-weight:normal;opacity:.85;margin:0}
.fd-reply dd{margin:0;overflow-wrap:anywhere}
.fd-reply code{background:none;border:0;color:inherit;padding:0;font-size:max(.95em,14px);white-space:pre-wrap}
@media (max-width:500px){.fd-reply dl{grid-template-columns:minmax(0,1fr)}.fd-reply dd{margin:0 0 .4em}}
"""


@dataclass(frozen=True, repr=False)
class Reply:
    """The checker's reply to one answer.

    Attributes
    ----------
    verdict : PASS, FAIL, NOT DECIDED (time ran out) or NOT ANSWERED YET
    rows : what there is to say, each with its label
    counterexample : the smallest input on which the answer is wrong
    misconception : the name of the known wrong answer that gives the same
    tried : on how many inputs the answer was right
    """

    id: str
    title: str
    verdict: Verdict
    rows: tuple[tuple[str, str], ...]
    counterexample: Case | None = None
    misconception: str | None = None
    tried: int = 0

    @property
    def passed(self) -> bool:
        return self.verdict == "PASS"

    @property
    def decided(self) -> bool:
        """Is the answer known to agree, or known to be wrong?"""
        return self.verdict in ("PASS", "FAIL")

    def __str__(self) -> str:
        width = max(len(label) for label, _ in self.rows) + 4
        lines = [f"{self.verdict}  {self.id}: {self.title}"]
        for label, text in self.rows:
            start = f"  {label}".ljust(width)
            lines += textwrap.wrap(text, 100, initial_indent=start, subsequent_indent=" " * width) or [start]
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        drawn = (
            f'<svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true"><path d="{_MARKS[self.verdict]}" '
            'fill="none" stroke="currentColor" stroke-width="2.5"/></svg>'
        )
        mark = styled(drawn, re.sub(r"\n", "", _STYLE))
        rows = "".join(f"<dt>{escape(label)}</dt><dd>{_set(label, text)}</dd>" for label, text in self.rows)
        head = f"<p>{mark}<strong>{self.verdict}</strong> {escape(self.title)}</p>"
        return f'<div class="fdpedu fd-reply mathjax_ignore">{head}<dl>{rows}</dl></div>'


def _set(label: str, text: str) -> str:
    """One row in HTML: values as code; in sentences, what stands between backticks."""
    if label in _CODE:
        return f"<code>{escape(text)}</code>"
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", escape(text))
