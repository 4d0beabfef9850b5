"""Forked children of a warm process: what they say before they end, and how they end."""

from __future__ import annotations

import os
import signal
import sys
import warnings
from collections.abc import Callable
from itertools import count
from types import FrameType
from typing import Any

from fdpedu.claims.checking import NotRun

Say = Callable[[str], object]
Work = Callable[[Say], object]


def require_fork() -> None:
    """A check of forks cannot be run where there are none."""
    if not hasattr(os, "fork"):
        raise NotRun("there is no fork on this system")


def begin_child(work: Work) -> tuple[int, int]:
    """Start ``work(say)`` in a child; its number, and where to read the lines that it says.

    A line is out of the child's hands once it is said. What the work raises is said, too.
    """
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of a fork beside other threads
        child = os.fork()
    if child:
        os.close(writing)
        return child, reading
    status = 1
    try:
        os.close(reading)
        work(lambda line: os.write(writing, f"{line}\n".encode()))
        status = 0
    except BaseException as error:
        os.write(writing, f"{type(error).__name__}: {error}\n".encode())
    finally:
        os._exit(status)


def end_child(child: int, reading: int) -> tuple[list[str], int]:
    """Wait for a child: all lines that it said, and its exit status, or the signal that ended it, negative."""
    with open(reading, encoding="utf8") as said:
        lines = said.read().splitlines()
    return lines, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def in_child(work: Work) -> tuple[list[str], int]:
    """What the work says in a child, and how that ended."""
    return end_child(*begin_child(work))


def count_lines(action: Callable[[], object], die_at: int | None = None) -> int:
    """Run an action and count the library's lines that it runs.

    At line ``die_at`` the process kills itself, as ``kill -9`` would.
    """
    lines, last = count(1), 0

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal last
        name = frame.f_globals.get("__name__", "")
        if not name.startswith("fdpedu.") or name.startswith("fdpedu.claims"):
            return None
        if event == "line":
            last = next(lines)
            if last == die_at:
                os.kill(os.getpid(), signal.SIGKILL)
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        action()
    finally:
        sys.settrace(before)
    return last
