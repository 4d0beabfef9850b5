# PYTHON_ARGCOMPLETE_OK
"""The command line: ``fdpedu``, also as ``python -m fdpedu``.

``demo`` shows a private tree; ``budget``, ``check-data``, ``fit``, ``predict``, ``score`` and ``show`` are for data of
one's own; ``identity``, ``site`` and ``carry`` for sites on machines of their own, as ``field`` shows; ``certify``
says how many forged rows a tree stands; ``figures`` runs the report's experiments; ``verify`` and ``check-derivation``
re-check what the book and a tree claim; ``audit`` refutes a claim of privacy about any function, or bounds its ε from
below. ``exercise`` is for who learns; ``sheet``, ``quiz`` and ``grade`` are for who teaches.

Exit status: 0 when all went well; 1 when something is refused or a check fails; 2 for options that make no sense, files
that cannot be read or written, and what is not installed; 130 when it is stopped by Ctrl-C. (A check that could not be
run for lack of a package is reported, and is no failure.)
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from functools import cache

from fdpedu import __version__
from fdpedu.cli import (
    auditing,
    carrying,
    certifying,
    checks,
    demonstration,
    figures,
    growing,
    identities,
    own_data,
    predicting,
    showing,
    sites,
    teaching,
)
from fdpedu.cli.delivery import Undelivered, delivering
from fdpedu.cli.parser import DONE, REFUSED, STOPPED, USAGE, Parser, Refused, require_written
from fdpedu.cli.wording import in_options, options_of
from fdpedu.files import FileRefused
from fdpedu.printable import PrintableStream, printable

_STAYS = "stopped; what was charged to a budget stays charged (fdpedu show FILE)"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # ε is on every page, whatever the locale says; and the name of a file need not be text
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    _complete()
    options = parser().parse_args(arguments)
    warnings.formatwarning = lambda message, *_: f"warning: {printable(message)}\n"
    try:
        with _printing(), delivering():
            require_written(options)
            return int(options.run(options))
    except (Refused, FileRefused) as refusal:
        return _end(options.command, str(refusal), REFUSED)
    except ValueError as error:
        return _end(options.command, str(error), USAGE)
    except ModuleNotFoundError as error:
        from fdpedu.claims.verify import how_to_install

        if not (missing := how_to_install(error)):
            raise
        return _end(options.command, missing, USAGE)
    except KeyboardInterrupt as stop:
        return _end(options.command, str(stop) or _STAYS, STOPPED)
    except Undelivered as undelivered:
        return _end(options.command, str(undelivered), DONE if undelivered.is_closed else USAGE)


@cache
def parser() -> Parser:
    """All commands with their options, made once a process: whoever runs many commands in one would wait for it."""
    found = Parser(prog="fdpedu", description="Federated differentially private decision trees, taught.")
    found.add_argument("--version", action="version", version=f"fdpedu {__version__}")
    commands = found.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for module in (
        *(
            demonstration,
            own_data,
            growing,
            predicting,
            certifying,
            showing,
            identities,
            sites,
            carrying,
            figures,
            checks,
            auditing,
            teaching,
        ),
    ):
        module.add(commands)
    return found


def _complete() -> None:
    """Where argcomplete is installed, a shell that completes a command asks here; the process then ends."""
    try:
        import argcomplete
    except ModuleNotFoundError:
        return
    argcomplete.autocomplete(parser())


def _end(command: str, why: str, status: int) -> int:
    print(f"fdpedu {command}: {printable(in_options(why, options_of(parser(), command)))}", file=sys.stderr)
    return status


@contextmanager
def _printing() -> Iterator[None]:
    """What a file says reaches standard output as text, and never as a command of the terminal."""
    if sys.stdout is None:
        yield
        return
    with redirect_stdout(PrintableStream(sys.stdout)):
        yield
