"""The way to one site as an engine's process beside the aggregator has it: a socket in the aggregator's folder.

The engine offers to send bytes to a site and to bring an answer back, and may lose either. What is lost is no error:
the socket hangs up, and whoever asks asks again in the same bytes.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from fdpedu.federation.sockets import Served

HELLO, HERE = b"", b"here"  # what asks whether the end at the site is there, and what it answers
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
