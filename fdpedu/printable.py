r"""Text is data: what a file, a table or a party says is shown, and never acts on what shows it.

A name can hold what a terminal obeys (``ESC [ 2 J`` clears it), what turns a line around (the marks of bidirectional
text), what nobody sees (blanks of no width, fillers, tags), and half a character, which no file can hold. None of these
reaches a terminal, a page, a drawing or a graph: names are refused with them where they come in
(:func:`require_printable`), and whatever is shown passes through :func:`printable` or :func:`escape`.

The list is fixed, not looked up in a table of Unicode, so that every version of Python gives the same answer on one
document. Letters of all scripts, accents, emoji without invisible parts, and blanks of any width are printable.
:mod:`fdpedu.derivation_checker`, which imports nothing of the package, has a list of its own.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, TextIO

_HIDDEN = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls, but for tab and line feed
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"  # soft hyphen, joiner, a mark of direction, fillers
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f"  # no width, directions, ends of lines and paragraphs
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"  # fillers, variants, the byte order mark, annotations
    "\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"  # halves of characters, and what is no character
    "\U00013430-\U0001345f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"  # controls of hieroglyphs, shorthand, music
    "\U000e0000-\U000e0fff"  # tags
    + "".join(f"{chr(plane << 16 | 0xFFFE)}{chr(plane << 16 | 0xFFFF)}" for plane in range(1, 17))
)
_IN_LAYOUT, _IN_A_NAME = re.compile(f"[{_HIDDEN}]"), re.compile(f"[\t\n{_HIDDEN}]")


def printable(text: object) -> str:
    r"""A text as a terminal may have it: whatever it would obey or hide stands there as ``\u`` and four digits.

    Tabs and line feeds stay: they are the layout of what is shown. In JSON the same form is an escape, so a document
    of JSON stays one, with the same content.

    Parameters
    ----------
    text : anything; what is no text is shown as ``str`` shows it

    Examples
    --------
    >>> print(printable("age\x1b[2J ≤ 50\u202e"))
    age\u001b[2J ≤ 50\u202e
    """
    return _IN_LAYOUT.sub(_in_digits, str(text))


def one_line(text: object) -> str:
    r"""The same where no line may end, as in the cell of a table.

    >>> print(one_line("a\nb"))
    a\u000ab
    """
    return _IN_A_NAME.sub(_in_digits, str(text))


def escape(text: object) -> str:
    """Any text, safe inside HTML and SVG, between tags and between quotes.

    >>> escape('a < b & "c"')
    'a &lt; b &amp; &quot;c&quot;'
    """
    return html.escape(printable(text), quote=True)


def require_printable(text: object, name: str) -> None:
    r"""Refuse a name that holds what cannot be seen, or more than one line; anything but a text is let through.

    Parameters
    ----------
    text : the name of a feature, a category, a class, a party, an account
    name : what it is, for the message

    Examples
    --------
    >>> require_printable("días\u200b", "a feature's name")
    Traceback (most recent call last):
    ValueError: a feature's name must be one line of visible characters, got 'días\u200b': take out U+200B
    """
    if isinstance(text, str) and (found := _IN_A_NAME.search(text)):
        what = "a lone surrogate" if "\ud800" <= found[0] <= "\udfff" else f"U+{ord(found[0]):04X}"
        shown = one_line(text if len(text) <= 60 else f"{text[:40]}…")
        raise ValueError(f"{name} must be one line of visible characters, got '{shown}': take out {what}")


@lru_cache(maxsize=1024)
def number_texts(numbers: tuple[float, ...], least: int = 6) -> tuple[str, ...]:
    """Numbers of one kind, such as the edges of a feature, in the fewest digits, from six on, that tell them apart.

    All have as many digits. The nearest of the numbers to what a text says is the one that it stands for.

    Parameters
    ----------
    numbers : finite
    least : digits that are shown in any case, at least 1

    Examples
    --------
    >>> number_texts((0.0, 1 / 3, 50.0)), number_texts((1234567.0, 1234568.0))
    (('0', '0.333333', '50'), ('1234567', '1234568'))
    """
    digits = digits_apart(numbers, least)
    return tuple(format(number + 0.0, f".{digits}g") for number in numbers)  # −0 is 0, here and for what is cached


@lru_cache(maxsize=1024)
def digits_apart(numbers: tuple[float, ...], least: int = 6) -> int:
    """How many significant digits tell the numbers apart, at least so many; at most 17.

    >>> digits_apart((1234567.0, 1234568.0))
    7
    """
    return next(digits for digits in range(least, 18) if digits == 17 or _apart(numbers, f".{digits}g"))


def thresholds_by_feature(splits: Iterable[tuple[int | None, float | None]]) -> dict[int, dict[float, str]]:
    """For each feature of some splits, its thresholds with their texts, told apart; what has none is passed over.

    >>> thresholds_by_feature([(0, 1234567.0), (0, 1234568.0), (None, None)])
    {0: {1234567.0: '1234567', 1234568.0: '1234568'}}
    """
    found: dict[int, set[float]] = {}
    for feature, threshold in splits:
        if feature is not None and threshold is not None:
            found.setdefault(feature, set()).add(threshold)
    sorts = {feature: tuple(sorted(numbers)) for feature, numbers in found.items()}
    return {feature: dict(zip(numbers, number_texts(numbers), strict=True)) for feature, numbers in sorts.items()}


@lru_cache(maxsize=1024)
def decimals_apart(numbers: tuple[float, ...], least: int = 2) -> int:
    """How many decimals tell the numbers apart, at least so many; at most 17.

    >>> decimals_apart((0.5, 1.0)), decimals_apart((0.1234561, 0.1234569))
    (2, 6)
    """
    return next(places for places in range(least, 18) if places == 17 or _apart(numbers, f".{places}f"))


def _apart(numbers: tuple[float, ...], form: str) -> bool:
    return len({float(format(number, form)) for number in numbers}) == len(set(numbers))


class PrintableStream:
    """A stream of text to which only what is printable is written; all else is the stream's own.

    Parameters
    ----------
    stream : such as standard output
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        return self._stream.write(printable(text))

    def writelines(self, lines: Iterable[str]) -> None:
        self._stream.writelines(map(printable, lines))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _in_digits(found: re.Match[str]) -> str:
    pairs = found[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{pairs[i]:02x}{pairs[i + 1]:02x}" for i in range(0, len(pairs), 2))
