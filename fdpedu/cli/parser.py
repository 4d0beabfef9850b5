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
import tempfile
import textwrap
from collections.abc import Collection, Iterator, Mapping, Sequence
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


def whole_number(text: str) -> int:
    """A whole number as people type it.

    >>> whole_number("1500"), whole_number("1e3"), whole_number("10^6"), whole_number("−1")
    (1500, 1000, 1000000, -1)
    """
    from fdpedu.exact import as_fraction

    try:
        found = as_fraction(text)
    except ValueError:
        found = None
    if found is None or found.denominator != 1 or "/" in text:
        raise argparse.ArgumentTypeError(
            f"expected a whole number, such as 1500, 1e3 or 10^6, without a sign between thousands, got {text!r:.40}"
        )
    return int(found)


class Parser(argparse.ArgumentParser):
    """Options are written out, and a mistyped one is answered with the nearest."""

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_abbrev=False, **options)
        self.register("type", int, whole_number)

    def _print_message(self, message: str, file: Any = None) -> None:
        super()._print_message(printable(message), file)

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As argparse does; but what a command does not know is refused by that command, and not by the program."""
        options, unknown = self.parse_known_args(args, namespace)
        if unknown:
            self._of(vars(options)).refuse_unknown(unknown, set(self._known()))
        return options

    def _of(self, options: Mapping[str, Any]) -> Parser:
        """The parser of the command that was given; of `budget create`, of both words."""
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction) and options.get(action.dest) in action.choices:
                below: Parser = action.choices[options[action.dest]]
                return below._of(options)
        return self

    def refuse_unknown(self, unknown: Sequence[str], elsewhere: Collection[str]) -> NoReturn:
        """Say what was meant; of an option that other commands have, that this one has none."""
        option = next((word.partition("=")[0] for word in unknown if word.startswith("--")), "")
        if option not in elsewhere or option in self._known():
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        instead = ": add > FILE to keep what it prints" if option == "--out" else ", which is for other commands"
        self.exit(USAGE, f"{self.prog}: it has no {option}{instead} (see {self.prog} --help)\n")

    def error(self, message: str) -> NoReturn:
        """One line on what is wrong, and where the help is; exit status 2."""
        self.exit(USAGE, f"{self.prog}: {message}{self._meant(message)} (see {self.prog} --help)\n")

    def _meant(self, message: str) -> str:
        unknown = re.search(r"(?:unrecognized arguments: |invalid choice: )'?([^'\s=]+)", message)
        if not unknown:
            return ""
        is_option = unknown[1].startswith("-")
        if not is_option and message.startswith("unrecognized"):
            return "; an option that takes one file is given again for each further one"
        word = unknown[1].lstrip("-")
        known = {name.lstrip("-"): name for name in self._known() if name.startswith("-") == is_option}
        near = difflib.get_close_matches(
            word, [name for name in known if 1 < len(name) and name != word], n=1, cutoff=0.5
        )
        return f"; did you mean {known[near[0]]}?" if near and len(word) > 1 else ""

    def _known(self) -> Iterator[str]:
        """The options of this command and of all below it, and their names."""
        for action in self._actions:
            yield from action.option_strings
            if isinstance(action, argparse._SubParsersAction):
                yield from action.choices
                for command in action.choices.values():
                    yield from (name for name in command._known() if name.startswith("-"))


def add_overwrite(command: argparse.ArgumentParser, *written: str) -> None:
    """The option without which a command that writes keeps whatever stands in the places that these options name."""
    command.add_argument(
        "--overwrite", action="store_true", help="also where a file is already; never over a budget or a key"
    )
    command.set_defaults(written=written)


def require_written(options: argparse.Namespace) -> None:
    """Refuse leave to write over files where the command writes none."""
    if getattr(options, "overwrite", False) and not any(getattr(options, name) for name in options.written):
        places = " or ".join(f"--{name.replace('_', '-')}" for name in options.written)
        raise ValueError(f"--overwrite must be left out without {places}: nothing is written then")


Commands = Any  # what `add_subparsers` returns: argparse has no public name for it


@contextmanager
def as_file(file: str) -> Iterator[str]:
    """The name of a file with the content of this one; of ``-``, with that of standard input."""
    if file != "-":
        yield file
        return
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "standard input"
        stream = getattr(sys.stdin, "buffer", None)
        place.write_bytes(sys.stdin.read().encode() if stream is None else stream.read())
        yield str(place)


def text_of(file: str) -> str:
    """The text of a file, ``-`` for standard input."""
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
        return text.removeprefix("\ufeff")
    except OSError as error:
        raise ValueError(f"cannot read {file}: {reason(error)}") from None
    except UnicodeDecodeError:
        raise ValueError(f"cannot read {file}: expected text in UTF-8") from None


def as_json(content: Any) -> str:
    """One JSON document, as commands print it."""
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def print_json(content: Any) -> None:
    """One JSON document on standard output."""
    print(as_json(content), end="")


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
