"""One round at a time: who charges, counts and draws keeps something of each round for the next."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Turn:
    """A lock for rounds. In the midst of one, even its own thread does not begin another: it would wait for itself.

    Examples
    --------
    >>> turn = Turn("federation")
    >>> with turn.taken():
    ...     with turn.taken():
    ...         pass
    Traceback (most recent call last):
    ValueError: this thread is in the midst of a round of this federation: begin another after it
    """

    def __init__(self, whose: str) -> None:
        self._whose, self._lock, self._in_round = whose, threading.RLock(), False

    @contextmanager
    def taken(self) -> Iterator[None]:
        with self._lock:
            if self._in_round:
                raise ValueError(
                    f"this thread is in the midst of a round of this {self._whose}: begin another after it"
                )
            try:
                self._in_round = True
                yield
            finally:
                self._in_round = False
