"""Running code that may never end, from a notebook, a terminal or a test.

The work runs in a thread of its own, and the caller waits, but not for ever. When time is up, an exception is raised
inside that thread. Why so: a timer signal works on the main thread of Unix only, and cannot leave an answer that
swallows exceptions; a process of its own cannot take over a function that was typed into a notebook. Here the caller
gets away in any case. An answer that swallows the exception gets it again, twenty times within a second, and is then
left behind.

Where there are no threads, as in a browser, whoever has begun the worker ends it.

What cannot be stopped: a single operation in C that holds the interpreter for long, such as ``10 ** 10 ** 9``.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from typing import Literal

_ATTEMPTS, _PAUSE = 20, 0.05

Ending = Literal["ended", "stopped", "left behind"]


class Stopped(SystemExit):
    """Raised in the work when time is up. A thread that ends with a SystemExit ends without a word."""


def run_within(seconds: float, work: Callable[[Callable[[], None]], None]) -> Ending:
    """Run ``work(still_in_time)``, and say how it ended; what it raises is raised here.

    ``still_in_time()`` raises :class:`Stopped` when time is up: work that calls it between its steps ends even when a
    step has swallowed the exception.

    >>> run_within(5, lambda still_in_time: None)
    'ended'
    """
    expired, finished = threading.Event(), threading.Event()
    errors: list[BaseException] = []

    def still_in_time() -> None:
        if expired.is_set():
            raise Stopped

    def body() -> None:
        try:
            work(still_in_time)
        except Stopped:
            pass
        except BaseException as error:
            errors.append(error)
        finally:
            finished.set()

    thread = threading.Thread(target=body, name="fdpedu exercise", daemon=True)
    try:
        thread.start()
    except RuntimeError:  # a browser has no threads: its page ends the worker in which all of this runs
        work(still_in_time)
        return "ended"
    try:
        finished.wait(seconds)  # not thread.join: interrupted by the reader, that takes a running thread for dead
    finally:
        if not finished.is_set():
            expired.set()
            _stop(thread, finished)
    if errors:
        raise errors[0]
    if not expired.is_set():
        return "ended"
    return "stopped" if finished.is_set() or not thread.is_alive() else "left behind"


def _stop(thread: threading.Thread, finished: threading.Event) -> None:
    for _ in range(_ATTEMPTS):
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(Stopped))
        if finished.wait(_PAUSE) or not thread.is_alive():
            return
