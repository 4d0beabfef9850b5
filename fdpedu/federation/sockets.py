"""Parties that live elsewhere, reached through Unix sockets on this machine: ``NAME.sock`` in a folder.

This is all the network code there is. A message is 8 bytes of length (the most significant first) and that many bytes;
so is its answer, and then the connection ends. What makes a socket here lead to a site's socket elsewhere is a
*carrier*: nothing at all on one machine, ``ssh -R``, or an engine that is installed there already.

The same question has the same bytes, and gets the same bytes. So whoever asks need not know what became of a message:
it is sent again until an answer comes or patience ends.
"""

from __future__ import annotations

import os
import socket
import socketserver
import stat
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from fdpedu.exact import Rational, as_positive_fraction
from fdpedu.federation.messages import MAX_MESSAGE_BYTES, MAX_REQUEST_BYTES
from fdpedu.federation.transport import Recorded, RemoteParty, Respond
from fdpedu.files import as_path, reason

MAX_PATH = 100  # bytes of a socket's path: systems have room for 104 or 108
HEAD = 8  # bytes that say how long a message is
SIGNATURE = 64  # bytes before a message to a site
MAX_PATIENCE = 10**9  # seconds: longer than anybody waits, and a number that clocks understand
FIRST_WAIT = 5.0  # seconds for an answer before the question is sent again; then twice as many


class Answering(Protocol):
    """What a site's process has: bytes to bytes."""

    def respond(self, message: bytes) -> bytes: ...


class Sockets(Recorded):
    """All sites at once, through the sockets of a folder; each is asked in the same bytes until it answers.

    A site is silent if no answer comes within ``patience``; one that was silent when it was last asked is asked once
    only. ``silent`` says why. Where one refuses, the others have been asked already, and have paid for the round.

    Parameters
    ----------
    folder : where ``NAME.sock`` is, or will be
    patience : seconds, > 0

    Examples
    --------
    >>> Sockets("sites", patience=5).party("north", bytes(32))
    RemoteParty('north')
    """

    def __init__(self, folder: str | os.PathLike[str], *, patience: Rational = 60) -> None:
        super().__init__()
        require_sockets()
        self._folder = as_path(folder)
        self._patience = float(min(as_positive_fraction(patience, "patience"), Fraction(MAX_PATIENCE)))
        self.silent: dict[str, str] = {}

    def party(self, name: str, identity: bytes) -> RemoteParty:
        """The site that is reached through ``NAME.sock``.

        Parameters
        ----------
        name : of the site, and of its socket
        identity : that its owner has said on another way, 32 bytes
        """
        if type(name) is str and (os.path.basename(name) != name or name in ("", ".", "..")):
            raise ValueError(f"name must be that of a file, without a folder, got {name!r:.40}")
        path = self._folder / f"{name}.sock"
        require_short(path)
        return RemoteParty(name, identity, partial(self._ask, path, [min(FIRST_WAIT, max(1.0, self._patience))]))

    def gather(
        self, round_number: int, names: Sequence[str], request: bytes, endpoints: Sequence[Respond]
    ) -> list[bytes | None]:
        """Send the request of a round to all parties at once, and collect the answers; None for a silent party."""
        self.begin(round_number, request)
        return self.deliver(round_number, names, [request] * len(names), endpoints)

    def deliver(
        self, round_number: int, names: Sequence[str], messages: Sequence[bytes], endpoints: Sequence[Respond]
    ) -> list[bytes | None]:
        """Send all parties their messages at once, and collect what they answer; None for a silent party."""
        for name, message in zip(names, messages, strict=True):
            self.enter(round_number, "aggregator", name, message)
        asked = [
            _Asked(name, message, way, self._patience * (name not in self.silent))
            for name, message, way in zip(names, messages, endpoints, strict=True)
        ]
        try:
            for one in asked:
                one.start()
            for one in asked:
                one.join()
        finally:
            for one in asked:
                one.patience = 0  # nobody waits for it any longer
        for one in asked:
            self._take(round_number, one)
        return [one.answer for one in asked]

    def _take(self, round_number: int, one: _Asked) -> None:
        if one.failure is not None:
            raise one.failure
        if one.answer is None:
            self.silent[one.whose] = one.why
        else:
            self.silent.pop(one.whose, None)
            self.enter(round_number, one.whose, "aggregator", one.answer)

    @staticmethod
    def _ask(path: Path, wait: list[float], message: bytes) -> bytes:
        """One attempt; after one that took too long the next may take twice as long."""
        try:
            return ask(path, message, wait[0])
        except OSError as silence:
            if isinstance(silence, TimeoutError):
                wait[0] *= 2
            raise OSError(f"{path}: {reason(silence) if silence.strerror else silence}") from None


class _Asked(threading.Thread):
    """One question to one site, asked until it is answered; it ends with the process, even if it still waits."""

    def __init__(self, whose: str, message: bytes, respond: Respond, patience: float) -> None:
        super().__init__(daemon=True)
        self.whose, self._message, self._respond, self.patience = whose, message, respond, patience
        self.answer: bytes | None = None
        self.failure: BaseException | None = None
        self.why = ""

    def run(self) -> None:
        begun, pause = time.monotonic(), 0.01
        while self.answer is None and self.failure is None:
            try:
                self.answer = self._respond(self._message)
            except OSError as silence:
                self.why = str(silence)
                if time.monotonic() - begun >= self.patience:
                    return
                time.sleep(pause)
                pause = min(2 * pause, 0.2)
            except BaseException as failure:  # of whoever looks on: it is raised where the round was asked
                self.failure = failure


def ask(path: str | os.PathLike[str], message: bytes, seconds: float) -> bytes:
    """One message to a socket, and its answer.

    Parameters
    ----------
    path : of the socket
    message : at most what a request may have, and a signature before it
    seconds : that it may take to connect, and then to hear something

    Raises
    ------
    OSError
        If nobody listens there, or nothing comes, or not all of it.
    """
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(seconds)
        line.connect(os.fspath(path))
        _send(line, message)
        return _receive(line, MAX_MESSAGE_BYTES)


def knock(path: str | os.PathLike[str], seconds: float) -> None:
    """Connect to a socket and leave, without a word.

    Parameters
    ----------
    path : of the socket
    seconds : that it may take

    Raises
    ------
    OSError
        If nobody listens there.
    """
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(seconds)
        line.connect(os.fspath(path))


def _send(line: socket.socket, message: bytes) -> None:
    line.sendall(len(message).to_bytes(HEAD, "big") + message)


def _receive(line: socket.socket, largest: int) -> bytes:
    """One message; an OSError if it does not come whole, or is too long."""
    length = int.from_bytes(_exactly(line, HEAD), "big")
    if length > largest:
        raise ConnectionError(f"a message of {length} bytes is announced, and {largest} are the most")
    return _exactly(line, length)


def _exactly(line: socket.socket, size: int) -> bytes:
    parts, left = [], size
    while left:
        part = line.recv(min(left, 2**16))
        if not part:
            raise ConnectionError("it hung up before an answer was there")
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def require_short(path: str | os.PathLike[str]) -> None:
    """Refuse a path that no system has room for in the address of a socket."""
    if len(os.fsencode(path)) > MAX_PATH:
        raise ValueError(
            f"the path of a socket has at most {MAX_PATH} bytes, {os.fspath(path)} has {len(os.fsencode(path))}: take "
            "a shorter folder, or a relative path"
        )


def require_sockets() -> None:
    """Refuse a system on which Python has none."""
    if not hasattr(socket, "AF_UNIX") or not hasattr(socketserver, "UnixStreamServer"):
        raise ValueError("Python has no Unix sockets on Windows: run sites and aggregator in WSL, or on Linux or macOS")


class Served:
    """A site's socket: whoever may write to it is answered, in threads of their own, until it is closed.

    Parameters
    ----------
    site : answers bytes with bytes; for an OSError or a ValueError nothing is answered
    path : of the socket, at most 100 bytes; what a killed process has left there is replaced. Only the owner may write
        to it, and the group where the umask lets it (0117, say)

    Raises
    ------
    ValueError
        If somebody listens there already, or something else stands there, or it cannot be made.
    """

    def __init__(self, site: Answering, path: str | os.PathLike[str]) -> None:
        self._path = as_path(path)
        require_free(self._path)
        before = os.umask(0o177)  # a socket is made with the rights that the umask leaves
        if not before & 0o020:  # the group may write, says whoever runs this
            os.umask(0o117)
        try:
            self._server = _server_of(site, os.fspath(self._path))
        except OSError as error:
            raise ValueError(f"cannot listen at {path}: {reason(error)}") from None
        finally:
            os.umask(before)
        self._made = _which(self._path)

    def run(self) -> None:
        """Answer until :meth:`close` is called, or the process ends."""
        self._server.serve_forever(poll_interval=0.2)

    def close(self) -> None:
        """Stop answering, and take the socket away; from another thread than the one that answers."""
        self._server.shutdown()
        self.leave()

    def leave(self) -> None:
        """Take the socket away, if it is still the one that was made here."""
        self._server.server_close()
        with suppress(OSError):
            if _which(self._path) == self._made:
                self._path.unlink()


def serve(site: Answering, path: str | os.PathLike[str]) -> None:
    """Answer for a site through a Unix socket until the process is stopped; see :class:`Served`.

    Parameters
    ----------
    site : answers bytes with bytes, as :class:`Site` does
    path : of the socket
    """
    served = Served(site, path)
    try:
        served.run()
    finally:
        served.leave()


def require_free(path: str | os.PathLike[str]) -> None:
    """Refuse a path at which a site cannot listen; what a killed process has left there is taken away."""
    require_sockets()
    require_short(path)
    _make_way(as_path(path))


def _which(path: Path) -> tuple[int, int]:
    """The file that has this name now."""
    found = path.lstat()
    return found.st_dev, found.st_ino


def _make_way(path: Path) -> None:
    """Remove a socket at which nobody listens any more."""
    try:
        found = path.lstat()
    except FileNotFoundError:
        return
    except OSError as error:
        raise ValueError(f"cannot listen at {path}: {reason(error)}") from None
    if not stat.S_ISSOCK(found.st_mode):
        raise ValueError(f"{path} is there already, and is no socket: name another place")
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(1)
        try:
            line.connect(os.fspath(path))
        except ConnectionRefusedError:
            path.unlink()
            return
        except OSError as error:
            raise ValueError(f"cannot listen at {path}: {reason(error)}") from None
    raise ValueError(f"{path} is in use: another process answers there; stop it, or name another place")


def _server_of(site: Answering, path: str) -> Any:
    class Line(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            self.request.settimeout(60)
            with suppress(OSError, ValueError):  # silence: whoever asks asks again
                _send(self.request, site.respond(_receive(self.request, SIGNATURE + MAX_REQUEST_BYTES)))

    class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
        daemon_threads, block_on_close, request_queue_size = True, False, 128

    return Server(path, Line)
