"""What was paid for reaches its owner: in the file that was named, or on standard output, or in a file beside.

A disk may be full, and whoever reads the output may be gone. Then the command ends with one line on standard error that
says where the result is; what has been paid for is never lost.
"""

from __future__ import annotations

import errno
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from fdpedu.cli.parser import Refused, refusing
from fdpedu.files import PreparedFile, reason

if TYPE_CHECKING:
    from fdpedu.accounting import Cost, Ledger
    from fdpedu.boosting import Ensemble
    from fdpedu.federation import Curator, Federation
    from fdpedu.trees import Tree

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
    """Print what is to be known before anything is paid, if anything; where it cannot be written, nothing will be.

    Raises
    ------
    ValueError
        If standard output does not take it.
    """
    try:
        if text:
            print(text, flush=True)
    except OSError as error:
        if error.errno not in _OF_WRITING:
            raise
        _silence()
        raise ValueError(f"cannot write to standard output: {reason(error)}; nothing was charged") from None


class Announced:
    """An asker that prints what is to be known beforehand when it is first asked: by then nothing is left to refuse.

    Parameters
    ----------
    asker : whoever releases
    text : is printed once, before anything is charged; nothing if it is empty
    """

    def __init__(self, asker: Federation | Curator, text: str) -> None:
        self._asker, self._text = asker, text

    def __getattr__(self, name: str) -> Any:
        return getattr(self._asker, name)

    def release(self, *asked: Any, **more: Any) -> Any:
        """As the asker does."""
        text, self._text = self._text, ""
        print_beforehand(text)
        return self._asker.release(*asked, **more)


def announce_affordable(text: str, ledger: Ledger, cost: Cost | None) -> None:
    """Print what one owner's tree costs, once it is known that the budget has so much left."""
    from fdpedu.trees.costs import budget_within

    budget_within(ledger.left(), ledger.measure, cost, ledger.total.delta)
    print_beforehand(text)


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


@contextmanager
def keeping(place: PreparedFile | None, what: str) -> Iterator[None]:
    """Whatever fails after something was paid leaves the model so far where the model was to be; status 1.

    What stands there already is worth more than a model that is unfinished; then, or if there is no such place, or it
    cannot be written, it is in a new file.
    """
    from fdpedu.accounting import BudgetExceeded

    try:
        yield
    except Exception as failed:
        so_far = getattr(failed, "model", None)
        if so_far is None:
            with refusing(BudgetExceeded):
                raise
        raise Refused(f"{failed}; unfinished, {_put(so_far.to_json(), place, what)}") from failed


def _put(text: str, place: PreparedFile | None, what: str) -> str:
    """Where the text is now."""
    try:
        if place is None or place.path.exists():
            return rescued(text, what)
        place.write(text)
    except ValueError:
        return rescued(text, what)
    return f"the {what} is in {place.path}"


def write_both(
    places: Sequence[PreparedFile | None], model: Tree | Ensemble, federation: Federation | None, what: str
) -> None:
    """Both files. What has been paid for is not lost with a full disk: the refusal says where it is instead."""
    manifest = "" if federation is None else federation.manifest.to_json(indent=1) + "\n"
    for place, text, named in zip(places, (model.to_json(), manifest), (what, "manifest"), strict=True):
        try:
            if place is not None:
                place.write(text)
        except ValueError as error:
            raise ValueError(f"{error}; {rescued(text, named)}") from None


def _silence() -> None:
    """Nothing more goes to standard output: what waits to be written could only fail again when Python ends."""
    null = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(null, sys.stdout.fileno())
    except (OSError, ValueError):  # there is no such file, as in a test
        sys.stdout = open(os.devnull, "w", encoding="utf-8")
    finally:
        os.close(null)
