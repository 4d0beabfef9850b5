"""The way to one site as an engine's process beside the aggregator has it: a socket in the aggregator's folder.

The engine offers to send bytes to a site and to bring an answer back, and may lose either. What is lost is no error:
the socket hangs up, and whoever asks asks again in the same bytes.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from fdpedu.federation.sockets import Served, ask, knock

HELLO = b""  # what asks whether the end at the site is there; no site is given it
HERE, SILENT = b"here", b"silent"  # what the end answers: somebody listens at the site's socket, or nobody
TURN = "turn"  # the file that says whose the folder is
UNANSWERED = 3  # messages in a row after which an end that was heard counts as gone


class Line:
    """One site's line. It has a socket from when the site's end was heard: engines hold back what is sent before.

    Parameters
    ----------
    send : one message to the site's end, and its answer back; empty if the site is silent, None if nothing came
    socket : where the aggregator writes
    """

    def __init__(self, send: Callable[[bytes], bytes | None], socket: Path) -> None:
        self._send, self._socket = send, socket
        self._served: Served | None = None
        self._unanswered = 0

    def respond(self, message: bytes) -> bytes:
        """The answer; the socket hangs up where there is none."""
        answer = self._send(message)
        self._unanswered = 0 if answer is not None else self._unanswered + 1
        if not answer:
            raise ConnectionError("there is no answer")
        return answer

    def look(self) -> None:
        """Open the socket if the site's end is heard for the first time.

        Raises
        ------
        ValueError
            If there cannot be one, as where another process listens.
        """
        if self._served is None:
            with suppress(ConnectionError):
                self.respond(HELLO)
                self._served = Served(self, self._socket)
                threading.Thread(target=self._served.run, daemon=True).start()

    @property
    def is_gone(self) -> bool:
        """Whether the site's end was heard, and has left the last messages unanswered."""
        return self._served is not None and self._unanswered >= UNANSWERED

    def close(self) -> None:
        """Take the socket away."""
        if self._served is not None:
            self._served.close()


def answer_at(socket: Path, message: bytes, seconds: float) -> bytes:
    """What the site's socket answers; of a :data:`HELLO`, whether somebody listens there. OSError if nobody does."""
    if message != HELLO:
        return ask(socket, message, seconds)
    knock(socket, seconds)
    return HERE


def begin_turn(folder: Path) -> str:
    """The next job's turn in the folder of the sockets. A job of another turn ends, whatever its engine says of it."""
    turn = secrets.token_hex(8)
    (folder / TURN).write_text(turn, "utf8")
    (folder / TURN).chmod(0o644)  # it is no secret, and FLARE's server may be another user's
    return turn


def is_turn(folder: Path, turn: str) -> bool:
    """Whether the folder is still that of this job; without the file, it is nobody's."""
    with suppress(OSError):
        return (folder / TURN).read_text("utf8") == turn
    return False


def end_turn(folder: Path) -> None:
    """The folder is nobody's: whichever job has it ends."""
    (folder / TURN).unlink(missing_ok=True)
