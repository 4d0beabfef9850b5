"""The process that one is in: what must not happen twice belongs to it, and a fork of it refuses to go on with it.

``os.fork`` copies all that a process holds: the rest of a budget, the next masks, the next words of a seeded source.
Used on both sides, each would be spent twice. So whatever must not repeat keeps the process that it was made in, and
asks before it goes on. On systems without ``os.fork`` there is nothing to copy, and nothing is ever refused.

What is done while ``undivided`` is held is never half done in a child: a fork waits until it is released. So a
connection to a ledger's file is never open across a fork, which SQLite does not survive.

Not covered: a fork that Python does not see (made by foreign code) while such a connection is open; and a snapshot of a
whole machine that is started twice.
"""

from __future__ import annotations

import os
import threading
from typing import NamedTuple


class Process(NamedTuple):
    """Number and token; the token is new in every child, because numbers are given again."""

    number: int
    token: object


_token = object()
undivided = threading.RLock()


def this_process() -> Process:
    """The process that runs now.

    >>> this_process() == this_process()
    True
    """
    return Process(os.getpid(), _token)


def require_same_process(made_in: Process, what: str, instead: str) -> None:
    """Refuse to go on with something that was made before a fork, which its parent may also go on with.

    Parameters
    ----------
    made_in : the process that it was made in
    what, instead : what it is, and what to do, for the message
    """
    if made_in != this_process():
        raise ValueError(f"{what} was made before this process was forked, and the other one may use it: {instead}")


def _begin_child() -> None:
    global _token
    _token = object()
    undivided.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=undivided.acquire, after_in_parent=undivided.release, after_in_child=_begin_child)
