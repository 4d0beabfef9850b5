"""What was paid for reaches its owner: in the file that was named, or on standard output, or in a file beside.

A disk may be full, and whoever reads the output may be gone. Then the command ends with one line on standard error that
says where the result is; what has been paid for is never lost.
"""

from __future__ import annotations

import errno
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from fdpedu.files import reason

_OF_WRITING = (errno.EPIPE, errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)


class Undelivered(Exception):
    """Standard output took not all of a result; the text says where the result is."""

    def __init__(self, why: OSError, where: str) -> None:
        super().__init__(f"cannot write to standard output: {reason(why)}" + (f"; {where}" if where else ""))
        self.is_closed = isinstance(why, BrokenPipeError)


def require_output() -> None:
    """Refuse to pay for what could be shown to nobody."""
    if sys.stdout is None:
        raise ValueError("standard output is closed, so the result would be lost; nothing was charged")


def print_beforehand(text: str) -> None:
    """Print what is to be known before anything is paid; where it cannot be written, nothing will be.

    Raises
    ------
    ValueError
        If standard output does not take it.
    """
    try:
        print(text, flush=True)
    except OSError as error:
        if error.errno not in _OF_WRITING:
            raise
        _silence()
        raise ValueError(f"cannot write to standard output: {reason(error)}; nothing was charged") from None


@contextmanager
def delivering(where: Callable[[], str] = str) -> Iterator[None]:
    """What is printed in here is written out at its end; if that fails, ``where`` says where the result is."""
    try:
        yield
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        if error.errno not in _OF_WRITING:
            raise
        _silence()
        raise Undelivered(error, where()) from None


def rescued(text: str, what: str) -> str:
    """Where the text is now: in a new file of the working folder, or of the folder for temporary files."""
    for folder in (os.curdir, tempfile.gettempdir()):
        try:
            handle, path = tempfile.mkstemp(prefix=f"fdpedu-{what}-", suffix=".json", dir=folder)
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
        except OSError:
            continue
        return f"the {what} is in {os.path.normpath(path)}"
    return f"the {what} follows:\n{text}"


def _silence() -> None:
    """Nothing more goes to standard output: what waits to be written could only fail again when Python ends."""
    null = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(null, sys.stdout.fileno())
    except (OSError, ValueError):  # there is no such file, as in a test
        sys.stdout = open(os.devnull, "w", encoding="utf-8")
    finally:
        os.close(null)
