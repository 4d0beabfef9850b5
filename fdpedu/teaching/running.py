"""Running a notebook in a process of its own, and reaching a verdict on its answers outside of it.

The process (``child.py``) says "here is an answer"; this side then asks it for the values on one case after the other
and compares them. So no code of the notebook decides anything: whatever the process says is read as plain data or
as nonsense, and one that is stuck, ends itself or says nonsense is killed. Then another process runs the notebook
again and passes over the answers that have their verdict.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import pickle
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import fdpedu
from fdpedu.exercises import Reply, crossing
from fdpedu.exercises.catalogue import find
from fdpedu.exercises.checking import judge
from fdpedu.exercises.crossing import Garbled
from fdpedu.exercises.trial import BLANK, Elsewhere, Outcome

CHILD = Path(__file__).with_name("child.py")
MOST_LINE = 2_000_000  # bytes of a line: the case or the value of one answer
FILE_SIZE = 16_000_000  # bytes of a file that a notebook writes
STARTING = 30.0  # seconds until a process is ready, which do not count
MOST_STARTS = 50
_WAITING, _TEXT = 0.05, 400


@dataclass(frozen=True)
class Limits:
    """How long a notebook may run, how long one answer, in seconds, and how much memory it may have, in bytes."""

    notebook: float = 60.0
    answer: float = 15.0
    memory: int = 4 * 2**30


@dataclass
class Ran:
    """What became of a notebook.

    Attributes
    ----------
    replies : to its answers, in the order in which they were handed in
    errors : what cells raised
    stopped : why it did not run to its end; empty when it did
    started : whether any of it ran
    """

    replies: list[Reply] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    stopped: str = ""
    started: bool = False


class Gone(Exception):
    """The process is no use any more; the message says why."""


def run_notebook(cells: Sequence[str], attempts: Mapping[str, int], limits: Limits) -> Ran:
    """Run the cells in order, and judge their answers to these exercises, each at most so often."""
    ran, until = Ran(), [time.monotonic() + limits.notebook]
    done, starts = 0, 1 + min(sum(attempts.values()), MOST_STARTS)
    for _ in range(starts):
        with tempfile.TemporaryDirectory(prefix="fdpedu-", ignore_cleanup_errors=True) as folder:
            child = Child(folder, until)
            try:
                again = _follow(child, cells, attempts, limits, ran, done)
            finally:
                child.kill()
        if again is None:
            return ran
        done = again
    ran.stopped = "it had to be started too often, because of answers that do not end"
    return ran


def _follow(
    child: Child, cells: Sequence[str], attempts: Mapping[str, int], limits: Limits, ran: Ran, done: int
) -> int | None:
    """Hear one process to its end; or how many answers another one shall pass over, when this one had to be killed."""
    cell, count = 0, done
    ran.errors.clear()
    start = {"path": str(Path(fdpedu.__file__).parents[1]), "memory": limits.memory, "file_size": FILE_SIZE}
    try:
        child.start({**start, "cells": list(cells), "ids": list(attempts), "done": done})
        ran.started = True
        while not (heard := child.hear()).get("end"):
            cell = heard["cell"] if isinstance(heard.get("cell"), int) else cell
            if isinstance(heard.get("error"), str) and len(ran.errors) < len(cells):
                ran.errors.append(heard["error"][:_TEXT])
            if "answer" in heard:
                count += 1
                _judge(child, heard, attempts, limits, ran)
                if child.gone:
                    return count
                child.say({"go on": True})
    except Gone as gone:
        ran.stopped = f"{gone} (cell {cell} of {len(cells)})" if ran.started else str(gone)
    return None


def _judge(child: Child, heard: Mapping[str, Any], attempts: Mapping[str, int], limits: Limits, ran: Ran) -> None:
    """Reach a verdict on one answer; what is blank is no attempt, and an attempt too many is passed over."""
    id = heard["answer"]
    if not isinstance(id, str) or id not in attempts:
        raise child.end("it answered what nobody asked")
    answer: Any = child.value_of if heard.get("given") is None else _value(child, heard["given"])
    tried = [reply for reply in ran.replies if reply.id == id and reply.verdict != "NOT ANSWERED YET"]
    if len(tried) >= attempts[id] and not any(answer is nothing for nothing in BLANK):
        return
    seconds = min(limits.answer, max(child.left() / 2, 0.1))  # so that something is left for the cells after it
    reply = judge(find(id), answer, seconds)
    if child.is_asked:  # the time was over before it answered
        child.end("an answer did not end")
    ran.replies.append(reply)


def _value(child: Child, form: Any) -> Any:
    try:
        return crossing.decode(form)
    except Garbled:
        raise child.end("what it handed in cannot be read") from None


class Child:
    """The process, as its lines of JSON."""

    def __init__(self, folder: str, until: list[float]) -> None:
        self.gone, self.is_asked = "", False
        self._until = until
        self._lines: queue.Queue[bytes] = queue.Queue(maxsize=16)
        kept = {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}  # Windows starts nothing else
        threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        own = {"HOME": folder, "TMPDIR": folder, "TEMP": folder, "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "0"}
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-B", str(CHILD)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env={**kept, **own, **threads, "FDPEDU_EDITION": "student", "MPLBACKEND": "Agg"},
            start_new_session=True,
        )
        self._over = False
        self._reader = threading.Thread(target=self._read, name="fdpedu grade", daemon=True)
        self._reader.start()
        # a process that does not read would keep us waiting to write
        self._watch = threading.Timer(max(self.left(), 0) + STARTING + 5, self._kill_process)
        self._watch.daemon = True
        self._watch.start()

    def _read(self) -> None:
        """Lines as they come; the empty one is the end."""
        stream = self._process.stdout
        assert stream is not None
        with stream, contextlib.suppress(ValueError, OSError):
            while (line := stream.readline(MOST_LINE + 1)) and not self._over:
                self._lines.put(line)
        self._lines.put(b"")

    def left(self) -> float:
        """Seconds that the notebook has."""
        return self._until[0] - time.monotonic()

    def end(self, why: str) -> Gone:
        """Kill the process, and keep the first reason."""
        self.gone = self.gone or why
        self.kill()
        return Gone(self.gone)

    def kill(self) -> None:
        """Kill it and what it has started in its session."""
        self._over = True
        self._watch.cancel()
        self._kill_process()
        if self._process.stdin:
            with contextlib.suppress(OSError):
                self._process.stdin.close()
        self._process.wait()
        for _ in range(20):  # a reader that waits for room gets it; one that waits for a stray process is left
            while self._reader.is_alive() and not self._lines.empty():
                self._lines.get_nowait()
            self._reader.join(_WAITING)
            if not self._reader.is_alive():
                return

    def _kill_process(self) -> None:
        if hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()

    def say(self, message: Mapping[str, Any]) -> None:
        stream = self._process.stdin
        assert stream is not None
        try:
            stream.write(json.dumps(message).encode("ascii") + b"\n")
            stream.flush()
        except (OSError, ValueError):
            raise self.end("it ended its own process") from None

    def start(self, told: Mapping[str, Any]) -> None:
        """Say what is to be run, and wait until the process is ready; the notebook's time begins then."""
        left, began = self.left(), time.monotonic()
        self._until[0] = began + STARTING
        try:
            self.say(told)
            if not self.hear().get("ready"):
                raise self.end("its process could not be started")
        except Gone:
            raise Gone("its process could not be started: is the limit of memory too low?") from None
        self._until[0] = time.monotonic() + left

    def hear(self, timed: bool = True) -> dict[str, Any]:
        """The next line, as an object; waits in short pieces, so that an exception of another thread gets through.

        Parameters
        ----------
        timed : whether it ends with the notebook's time; an answer has its own, which is never longer
        """
        while True:
            try:
                line = self._lines.get(timeout=_WAITING)
                break
            except queue.Empty:
                if timed and self.left() < 0:
                    raise self.end("its time was over") from None
        if not line:
            raise self.end("it ended its own process")
        if len(line) > MOST_LINE:
            raise self.end(f"it handed in more than {MOST_LINE:,} bytes")
        try:
            heard = json.loads(line)
        except (ValueError, RecursionError):
            heard = None
        if not isinstance(heard, dict):
            raise self.end("it wrote nonsense to where its answers go")
        return heard

    def value_of(self, *case: Any) -> Any:
        """What the answer gives for a case: called here, computed there."""
        try:
            self.say({"case": base64.b64encode(pickle.dumps(case)).decode("ascii")})
            self.is_asked = True
            heard = self.hear(timed=False)
            self.is_asked = False
            print(str(heard.get("printed", ""))[:_TEXT], end="")
            if "value" in heard:
                return crossing.decode(heard["value"])
            raise Elsewhere(_outcome(heard["raised"]))
        except (Gone, Garbled, KeyError, TypeError) as error:
            why = self.end("what came back from an answer cannot be read") if not self.gone else Gone(self.gone)
            raise Elsewhere(Outcome("gave nothing", fault="Gone", reason=f"The notebook stopped: {why}.")) from error


def _outcome(said: Mapping[str, Any]) -> Outcome:
    """What an answer raised, in words of the process: texts of some length, and nothing else."""
    shown, fault, reason = (str(said[name])[:_TEXT] for name in ("shown", "fault", "reason"))
    return Outcome(shown, fault=fault or "Exception", reason=reason, blank=said["blank"] is True)
