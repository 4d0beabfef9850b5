"""A budget's file is looked at without being touched: a copy of it is read, so that it may be on a read-only disk.

A ledger that charges needs a file that it can write, and a folder for the log beside it. Who only wants to know what
is left needs neither. The copy is taken of the file and its log together, and again if one of them changed meanwhile;
what is in it is checked as always (:mod:`fdpedu.accounting.budget_file`).
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fdpedu.accounting.ledger import Ledger
from fdpedu.files import as_path, reason

_TRIES = 50
_PAUSE = 0.1  # seconds


@contextmanager
def looked_at(path: str | os.PathLike[str]) -> Iterator[Ledger]:
    """The ledger of a budget's file, as it was when this was called; what is charged to it is charged to nothing.

    Raises
    ------
    ValueError
        If the file cannot be read, is no budget, or is damaged; by its own name.
    """
    there = Path(os.path.realpath(as_path(path)))
    with tempfile.TemporaryDirectory(prefix="fdpedu-") as folder:
        copy = os.path.join(os.path.realpath(folder), there.name)
        try:
            _take(there, copy)
            ledger = Ledger.open(copy)
        except OSError as error:
            raise ValueError(f"cannot read {path}: {reason(error)}") from None
        except ValueError as error:
            raise ValueError(str(error).replace(copy, str(there))) from None
        with ledger:
            yield ledger


def _take(there: Path, copy: str) -> None:
    """Copy the file and its log, both as they were at one time."""
    for _ in range(_TRIES):
        before = [_state(there, end) for end in ("", "-wal")]
        for end, state in zip(("-wal", ""), reversed(before), strict=True):
            if state is not None:
                shutil.copyfile(f"{there}{end}", copy + end)
        if before == [_state(there, end) for end in ("", "-wal")]:
            return
        Path(f"{copy}-wal").unlink(missing_ok=True)
        time.sleep(_PAUSE)
    raise ValueError(f"{there}: it changes all the time; try again when fewer programs use it")


def _state(there: Path, end: str) -> tuple[int, ...] | None:
    try:
        found = os.stat(f"{there}{end}")
    except FileNotFoundError:
        if end:
            return None
        raise
    return found.st_ino, found.st_size, found.st_mtime_ns
