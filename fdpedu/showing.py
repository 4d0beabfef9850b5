"""Tables of text, of Markdown and of HTML, and a bar on the terminal: how results are shown that are not drawn."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Container, Iterable, Sequence

from fdpedu.printable import escape, one_line

PATIENCE = 3.0
"""Seconds that something may take before a bar is shown."""


def text_table(
    rows: Iterable[Sequence[str]], *, right: Container[int] = (), between: str = "  ", indent: str = ""
) -> str:
    """Cells as lines in which the columns are aligned, without blanks at their ends.

    Parameters
    ----------
    rows : all of one length; a head is a row like the others
    right : the columns that are flush right, counted from 0
    between : what stands between two columns
    indent : what stands before each line

    Examples
    --------
    >>> print(text_table([("age", "rows"), ("63", "2"), ("101", "17")], right={1}, between=" | "))
    age | rows
    63  |    2
    101 |   17
    """
    lines = [tuple(map(one_line, row)) for row in rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]

    def line(row: Sequence[str]) -> str:
        cells = zip(row, widths, strict=True)
        return between.join(c.rjust(w) if j in right else c.ljust(w) for j, (c, w) in enumerate(cells))

    return "\n".join(f"{indent}{line(row)}".rstrip() for row in lines)


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[str]], *, right: Container[int] = ()) -> str:
    """A table in Markdown.

    >>> print(markdown_table(["age", "rows"], [["63", "2"]], right={1}))
    | age | rows |
    |---|---:|
    | 63 | 2 |
    """
    rule = "".join("---:|" if j in right else "---|" for j in range(len(head)))
    return "\n".join([f"| {' | '.join(head)} |", f"|{rule}", *(f"| {' | '.join(row)} |" for row in rows)])


class Html(str):
    """Text that is HTML already."""


def html_table(
    head: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    caption: str = "",
    kind: str = "fdpedu-results",
    named: bool = False,
) -> str:
    """A table in HTML; whatever is no :class:`Html` is escaped.

    Parameters
    ----------
    head : what the columns are called; nothing where they need no names
    rows : their cells
    caption : what the table shows
    kind : its classes, for a style sheet
    named : whether the first cell of a row is what the row is called

    Examples
    --------
    >>> html_table([], [("n < 3", Html("<b>2</b>"))], kind="few", named=True)
    '<table class="few"><tbody><tr><th scope="row">n &lt; 3</th><td><b>2</b></td></tr></tbody></table>'
    """

    def element(name: str, text: str, scope: str = "") -> str:
        return f"<{name}{scope}>{text if isinstance(text, Html) else escape(text)}</{name}>"

    def line(row: Sequence[str]) -> str:
        first = [element("th", row[0], ' scope="row"')] if named else []
        return "".join([*first, *(element("td", text) for text in row[len(first) :])])

    above = element("caption", caption) * bool(caption)
    names = "".join(element("th", name, ' scope="col"') for name in head)
    top = f"<thead><tr>{names}</tr></thead>" * bool(head)
    body = "".join(f"<tr>{line(row)}</tr>" for row in rows)
    return f'<table class="{kind}">{above}{top}<tbody>{body}</tbody></table>'


class TerminalBar:
    """A bar on standard error, once ``patience`` is over; nothing where standard error is not a terminal.

    It is called with the number of steps done and the number of all. At the last one it is taken away.

    Parameters
    ----------
    what : what is being done, shown before the bar; it may be set anew
    patience : seconds before the bar is shown
    clock : what tells the seconds
    """

    def __init__(
        self, what: str = "", *, patience: float = PATIENCE, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.what, self._patience, self._clock, self._start, self._width = what, patience, clock, clock(), 0

    def __call__(self, done: int, of: int) -> None:
        if not sys.stderr.isatty() or self._clock() - self._start < self._patience:
            return
        what = f"{self.what} " if self.what else ""
        line = f"  {what}{'█' * (30 * done // of):<30} {done}/{of}" if done < of else ""
        self._width = max(self._width, len(line))
        if self._width:
            print(f"\r{line:<{self._width}}", end="\r", file=sys.stderr, flush=True)
