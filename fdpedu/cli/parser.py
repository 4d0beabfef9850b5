"""What all commands share: a parser that says what was meant, files, progress, and how a command ends.

Exit status: 0 when all went well; 1 when something was refused (data, a budget, a tampered file, a derivation) or a
check failed; 2 for options that make no sense, files that cannot be read or written, and what is not installed; 130
when it was stopped by Ctrl-C.
"""

from __future__ import annotations

import argparse
import difflib
import json
import re
import shutil
import sys
import textwrap
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

from fdpedu.files import reason
from fdpedu.printable import printable

DONE, REFUSED, USAGE, STOPPED = 0, 1, 2, 130


class Refused(Exception):
    """The options make sense, and what they ask for is refused; the text says why."""


def require_left_out(options: argparse.Namespace, why: Mapping[str, str], where: str) -> None:
    """Refuse, by its name and with the reason, an option that means nothing where it was given."""
    for name, reason_of in why.items():
        if getattr(options, name) is not None and getattr(options, name) is not False:
            raise ValueError(f"--{name.replace('_', '-')} must be left out {where}: {reason_of}")


class Parser(argparse.ArgumentParser):
    """Options are written out, and a mistyped one is answered with the nearest."""

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_abbrev=False, **options)

    def _print_message(self, message: str, file: Any = None) -> None:
        super()._print_message(printable(message), file)

    def error(self, message: str) -> NoReturn:
        """One line on what is wrong, and where the help is; exit status 2."""
        self.exit(USAGE, f"{self.prog}: {message}{self._meant(message)} (see {self.prog} --help)\n")

    def _meant(self, message: str) -> str:
        unknown = re.search(r"(?:unrecognized arguments: |invalid choice: )'?([^'\s=]+)", message)
        if not unknown:
            return ""
        near = difflib.get_close_matches(unknown[1], self._known(), n=1, cutoff=0.5)
        return f"; did you mean {near[0]}?" if near else ""

    def _known(self) -> Iterator[str]:
        for action in self._actions:
            yield from action.option_strings
            yield from action.choices or () if isinstance(action, argparse._SubParsersAction) else ()
            if isinstance(action, argparse._SubParsersAction):
                for command in action.choices.values():
                    yield from (option for inner in command._actions for option in inner.option_strings)


def add_overwrite(command: argparse.ArgumentParser) -> None:
    """The option without which a command that writes keeps whatever stands there."""
    command.add_argument(
        "--overwrite", action="store_true", help="also where a file is already; never over a budget or a key"
    )


Commands = Any  # what `add_subparsers` returns: argparse has no public name for it


def text_of(file: str) -> str:
    """The text of a file, ``-`` for standard input."""
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
        return text.removeprefix("\ufeff")
    except OSError as error:
        raise ValueError(f"cannot read {file}: {reason(error)}") from None
    except UnicodeDecodeError:
        raise ValueError(f"cannot read {file}: expected text in UTF-8") from None


def print_json(content: Any) -> None:
    """One JSON document on standard output."""
    print(json.dumps(content, ensure_ascii=False, indent=1))


def wrapped(text: str, indent: int = 0) -> str:
    """A paragraph in the width of the terminal; lines after the first are indented."""
    width = max(40, min(100, shutil.get_terminal_size((76, 24)).columns))
    return textwrap.fill(text, width, subsequent_indent=" " * indent, break_on_hyphens=False)


@contextmanager
def refusing(*errors: type[Exception]) -> Iterator[None]:
    """Turn these errors, which refuse a valid call, into exit status 1."""
    try:
        yield
    except errors as error:
        raise Refused(str(error)) from None
