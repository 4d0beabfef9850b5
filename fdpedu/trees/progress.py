"""How far a fit has come: shown on a terminal, and only where there is something to wait for."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

PATIENCE = 3.0
"""Seconds that a fit may take before anything is shown."""


class TerminalBar:
    """A bar on standard error, once ``PATIENCE`` is over; nothing where standard error is not a terminal.

    It is called with the number of steps done and the number of all. At the last one it is taken away.
    """

    def __init__(self, what: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._what, self._clock, self._start, self._shown = what, clock, clock(), False

    def __call__(self, done: int, of: int) -> None:
        if not sys.stderr.isatty() or self._clock() - self._start < PATIENCE:
            return
        if done < of:
            bar, self._shown = "█" * (30 * done // of), True
            print(f"\r  {self._what} {bar:<30} {done}/{of}", end="", file=sys.stderr, flush=True)
        elif self._shown:
            print("\r" + " " * (len(self._what) + 60) + "\r", end="", file=sys.stderr, flush=True)
