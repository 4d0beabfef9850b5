"""Those who grow trees on one budget file take turns: two at once might both run out of it before their ends.

A tree pays round by round. Two that are grown at the same time, on a budget that is enough for one of them, would both
be left unfinished, and what they paid is lost. So the second waits, and is then refused before it charges anything.
Turns are a courtesy between programs of one owner, and nothing rests on them: the ledger itself admits no round that is
too much. Where the system has no such locks, nobody waits.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from fdpedu.accounting.ledger import Ledger

try:
    import fcntl
except ModuleNotFoundError:  # not of this system
    fcntl = None  # type: ignore[assignment]


class WaitingWarning(UserWarning):
    """Another program uses the budget; this one waits for its turn."""


@contextmanager
def taking_turns(ledger: Ledger) -> Iterator[None]:
    """Wait until nobody else who takes turns uses the ledger's file; a ledger in memory is waited for by nobody.

    The turn ends with the block, and with the process, however that ends.
    """
    handle = None if ledger.path is None or fcntl is None else _opened(str(ledger.path))
    if handle is None:
        yield
        return
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            warnings.warn(f"somebody else uses the budget {ledger.path}; waiting", WaitingWarning, stacklevel=4)
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _opened(path: str) -> int | None:
    """A file for temporary use that stands for the budget, of this user alone; None if there can be none."""
    name = hashlib.sha256(os.path.realpath(path).encode("utf8", "surrogateescape")).hexdigest()[:32]
    place = os.path.join(tempfile.gettempdir(), f"fdpedu-{os.getuid()}-{name}.turn")
    try:
        return os.open(place, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError:
        return None
