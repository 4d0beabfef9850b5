"""The process in which one notebook runs: a program, which nothing imports.

It reads lines of JSON from its standard input and writes such lines to its standard output; what the notebook prints
goes nowhere. First comes what to run, and within which limits. For every answer that a cell hands to ``check`` it says
so, and then does as it is told: calls the answer on one case after the other, and says what came out, until it may go
on. It does not know what is right. The notebook's code runs in here, too, so whoever reads these lines trusts none.
"""

from __future__ import annotations

import base64
import contextlib
import json
import linecache
import os
import pickle
import sys
import traceback
import types
import warnings
from collections.abc import Callable
from typing import IO, Any, NoReturn

MOST_SAID = 300


def main() -> NoReturn:
    """Run the notebook that standard input names, and say what becomes of it."""
    heard, said = _apart(0, "r"), _apart(1, "w")
    told = json.loads(heard.readline())
    sys.path.insert(0, told["path"])
    _limit(told["memory"], told["file_size"])
    warnings.simplefilter("ignore")
    import fdpedu.exercises

    desk = Desk(heard, said, set(told["ids"]), told["done"])
    vars(fdpedu.exercises)["check"] = desk.check
    module = types.ModuleType("__main__")
    sys.modules["__main__"] = module
    vars(module).update(display=lambda *shown, **more: None)
    desk.say({"ready": True})
    for number, source in enumerate(told["cells"], start=1):
        desk.say({"cell": number})
        if wrong := run_cell(source, number, vars(module)):
            desk.say({"error": wrong})
    desk.say({"end": True})
    os._exit(0)


def _apart(number: int, mode: str) -> IO[str]:
    """A stream to whoever started this process, in whose place the notebook finds nothing."""
    kept = os.dup(number)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, number)
    os.dup2(nothing, 2)
    os.close(nothing)
    return open(kept, mode, encoding="ascii", newline="\n")


def _limit(memory: int, file_size: int) -> None:
    """Limits of the system, where it has them: memory, the size of a file, and no picture of a crash."""
    try:
        import resource
    except ModuleNotFoundError:
        return
    for name, most in (("RLIMIT_AS", memory), ("RLIMIT_FSIZE", file_size), ("RLIMIT_CORE", 0)):
        with contextlib.suppress(ValueError, OSError, AttributeError):
            resource.setrlimit(getattr(resource, name), (most, most))


def run_cell(source: str, number: int, names: dict[str, Any]) -> str:
    """Run one cell; what it raised, in a line, or nothing."""
    name, code = f"cell {number}", without_magic(source)
    linecache.cache[name] = len(code), None, code.splitlines(True), name
    try:
        exec(compile(code, name, "exec"), names)
    except BaseException as error:  # a cell may raise anything, SystemExit too
        lines = [at for frame, at in traceback.walk_tb(error.__traceback__) if frame.f_code.co_filename == name]
        line = lines[-1] if lines else getattr(error, "lineno", None)
        at = f"cell {number}" + (f", line {line}" if line else "")
        return f"{at}: {type(error).__name__}: {_shortly(error)}"[:MOST_SAID]
    return ""


def _shortly(error: BaseException) -> str:
    try:
        return " ".join(str(error).split())
    except BaseException:
        return ""


def without_magic(source: str) -> str:
    """A cell without the lines that only Jupyter understands: ``%pip``, ``!ls``; one of another language is empty."""
    lines = source.split("\n")
    if lines[0].startswith("%%") and not lines[0].startswith(("%%time", "%%capture")):
        return ""
    return "\n".join(
        f"{line[: len(line) - len(line.lstrip())]}pass" if line.lstrip().startswith(("%", "!")) else line
        for line in lines
    )


class Desk:
    """Where the cells hand in their answers."""

    def __init__(self, heard: IO[str], said: IO[str], ids: set[str], done: int) -> None:
        self._heard, self._said, self._ids, self._done, self._count = heard, said, ids, done, 0

    def say(self, message: dict[str, Any]) -> None:
        self._said.write(json.dumps(message) + "\n")
        self._said.flush()

    def check(self, id: str, answer: Any, *, seconds: float = 5) -> Any:
        """What the notebook calls in the place of the library's: the same arguments, and a reply that is no verdict."""
        from fdpedu.exercises.catalogue import find
        from fdpedu.exercises.crossing import encode
        from fdpedu.exercises.reply import Reply

        exercise = find(id)
        if exercise.id in self._ids:
            self._count += 1
            if self._count > self._done:
                given = None if callable(answer) else encode(answer, _shown(answer))
                self.say({"answer": exercise.id, "given": given})
                self._serve(answer)
        row = ("note", "This answer was handed in. Its verdict is reached elsewhere.")
        return Reply(exercise.id, exercise.title, "NOT DECIDED", (row,))

    def _serve(self, answer: Callable[..., Any]) -> None:
        """Call the answer on whatever case is asked for, until there is none."""
        while case := json.loads(self._heard.readline()).get("case"):
            self.say(outcome(answer, pickle.loads(base64.b64decode(case))))


def _shown(value: Any) -> str:
    from fdpedu.exercises.values import show

    return show(value)


def outcome(answer: Callable[..., Any], case: tuple[Any, ...]) -> dict[str, Any]:
    """What an answer gives for a case, as JSON can have it."""
    from fdpedu.exercises.crossing import encode
    from fdpedu.exercises.trial import Page, raised

    page = Page()
    with contextlib.redirect_stdout(page), contextlib.redirect_stderr(page):
        try:
            value = answer(*case)
            return {"value": encode(value, _shown(value)), "printed": page.text}
        except BaseException as error:
            found = raised(error, answer)
    said = {"shown": found.shown, "fault": found.fault, "reason": found.reason, "blank": found.blank}
    return {"raised": said, "printed": page.text}


if __name__ == "__main__":
    main()
