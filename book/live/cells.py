"""Runs the cells of a page in the browser, as a notebook would: one namespace, what is shown, what went wrong.

The worker gives two functions: ``emit(kind, text)`` shows something on the page, ``load(names)`` loads packages. A
package comes when something imports it: a statement that fails for want of one is begun again when it is there.
A browser has neither threads nor processes: a thread begins and ends where it is started, ``python -m`` runs here, and
any other process is refused.
"""

from __future__ import annotations

import ast
import base64
import builtins
import contextlib
import functools
import io
import linecache
import logging
import os
import pathlib
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Iterable
from types import CodeType, ModuleType
from typing import Any

import __main__

LIMIT = 100_000  # characters that one cell may print
_emit: Any = None
_load: Any = None
_packages: dict[str, str] = {}  # what can be imported here → the package that has it
_got: set[str] = set()
# What a module uses, and does without where it is not to be had, or calls a failure of what it checks
_WITH = {"fdpedu.claims.verify": ("hypothesis", "sqlite3"), "fdpedu.audit.auditing": ("matplotlib",)}


class Page(io.TextIOBase):
    """What a cell prints goes to the page, at most ten times a second, and not more than a page can bear."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.begin()

    def begin(self) -> None:
        self.held, self.shown, self.left_out, self.last = "", 0, 0, 0.0

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if self.shown == LIMIT:
            self.left_out += len(text)
            return len(text)
        kept = text[: LIMIT - self.shown]
        self.held, self.shown, self.left_out = self.held + kept, self.shown + len(kept), len(text) - len(kept)
        if time.monotonic() - self.last > 0.1:
            self.flush()
        return len(text)

    def flush(self) -> None:
        if self.held:
            _emits(self.kind, self.held)
        self.held, self.last = "", time.monotonic()

    def end(self) -> None:
        self.flush()
        if self.left_out:
            _emits(self.kind, f"\n… and {self.left_out:,} more characters, which are not shown.\n")


_out, _err = Page("stream"), Page("stderr")
_shown: list[tuple[str, str]] = []  # what the cell that runs has shown


def _emits(kind: str, text: str) -> None:
    _shown.append((kind, text))
    _emit(kind, text)


def begin(emit: Any, load: Any, packages: dict[str, str]) -> str:
    """Before the first cell; says whose cryptography is used."""
    global _emit, _load
    _emit, _load = emit, load
    _packages.update(packages)
    sys.stdout, sys.stderr = _out, _err
    sys.modules.update(_like_ipython())
    builtins._command = _command  # type: ignore[attr-defined]
    builtins.display = show  # type: ignore[attr-defined]  # as in a notebook
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # its fonts are sought anew for each page, and it says so
    threading.Thread.start = _at_once  # type: ignore[method-assign]
    subprocess.run = functools.partial(_run_here, subprocess.run)  # type: ignore[assignment]
    os.link = _linked
    os.umask(0o022)  # a browser's own leaves nobody any right on a new file
    _with_positions_of_64_bits()
    if "cryptography" in _packages:
        return "cryptography"
    import stand_in

    stand_in.install()
    return stand_in.NAME


async def run(source: str, name: str) -> str:
    """Run a cell; what it raised, in a line, or nothing."""
    _shown.clear()
    for stream in (_out, _err):
        stream.begin()
    source = _COMMAND.sub(_as_call, source)
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    try:
        await _get(_packages[found] for found in _imported(source) if found in _packages)
        for statement, shows in _statements(source, name):
            value = await _tried(statement)
            if shows and value is not None:
                show(value)
        return ""
    except BaseException as error:  # a cell may raise anything
        _flush()
        _emits("error", _told(error, name))
        return f"{type(error).__name__}: {error}".split("\n")[0].removesuffix(": ")[:500]
    finally:
        _figures()
        for stream in (_out, _err):
            stream.end()


async def _get(packages: Iterable[str]) -> None:
    if new := {*packages} & {*_packages.values()} - _got:
        await _load(sorted(new))
        _got.update(new)


def _imported(source: str) -> list[str]:
    try:
        from pyodide.code import find_imports

        return [found.split(".")[0] for found in find_imports(source)]
    except SyntaxError:
        return []


def _statements(source: str, name: str) -> list[tuple[CodeType, bool]]:
    """Each statement as code, and whether its value is shown: that of a last expression without a semicolon."""
    body = ast.parse(source, name).body
    last = bool(body) and isinstance(body[-1], ast.Expr) and not source.rstrip().endswith(";")
    codes = [compile(ast.Module([node], []), name, "exec") for node in (body[:-1] if last else body)]
    made = [(code, False) for code in codes]
    return made + ([(compile(ast.Expression(body[-1].value), name, "eval"), True)] if last else [])  # type: ignore[attr-defined]


async def _tried(code: CodeType) -> Any:
    await _get(package for module, packages in _WITH.items() if module in sys.modules for package in packages)
    had: set[str] = set()
    _flush()
    before = len(_shown)
    while True:
        try:
            return eval(code, __main__.__dict__)
        except (ImportError, ValueError) as error:
            wanted = _wanted(error)
            if wanted is None or wanted in had:
                raise
        had.add(wanted)
        await _get([wanted])
        _flush()
        _emit("again", "")  # what the statement has shown it shows again
        for kind, text in _shown[:before]:
            _emit(kind, text)
        del _shown[before:]


def _wanted(error: BaseException | None) -> str | None:
    """The package for want of which this was raised, if it is to be had and not there yet."""
    while error is not None:
        if isinstance(error, ModuleNotFoundError) and (root := (error.name or "").split(".")[0]) in _packages:
            return None if root in sys.modules else _packages[root]
        error = error.__cause__ or error.__context__
    return None


def _told(error: BaseException, name: str) -> str:
    """The traceback from the cell on."""
    at = error.__traceback__
    while at is not None and at.tb_frame.f_code.co_filename != name:
        at = at.tb_next
    return "".join(traceback.format_exception(type(error), error, at, chain=False))[-5000:]


def _flush() -> None:
    for stream in (_out, _err):
        stream.flush()


def show(*values: Any) -> None:
    """Each as a page shows it: HTML where there is any, else a picture, else text."""
    for value in values:
        _flush()
        if "matplotlib.figure" in sys.modules and isinstance(value, sys.modules["matplotlib.figure"].Figure):
            _picture(value)
            continue
        for method, kind in (("_repr_html_", "html"), ("_repr_svg_", "html"), ("_repr_markdown_", "text")):
            if not isinstance(value, type) and (text := getattr(value, method, lambda: None)()):
                _emits(kind, text)
                break
        else:
            _emits("text", repr(value)[:LIMIT])


def _picture(figure: Any) -> None:
    kept = io.BytesIO()
    figure.savefig(kept, format="png", dpi=100, bbox_inches="tight")
    _emits("png", base64.b64encode(kept.getvalue()).decode())


def _figures() -> None:
    """Figures that a cell has drawn, and left open."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    for number in pyplot.get_fignums() if pyplot else ():
        _picture(pyplot.figure(number))
    if pyplot:
        pyplot.close("all")


def _at_once(thread: Any) -> None:
    thread._started.set()
    try:
        thread.run()
    except SystemExit:
        pass
    except BaseException:
        threading.excepthook(threading.ExceptHookArgs([*sys.exc_info(), thread]))
    thread._is_stopped = True


def _run_here(elsewhere: Any, words: Any, *, cwd: Any = None, **named: Any) -> Any:
    """``python -m MODULE …`` in this Python, and what it prints; any other process is refused as ever."""
    if isinstance(words, str) or [*words[:2]] != [sys.executable, "-m"]:
        return elsewhere(words, cwd=cwd, **named)
    before, said, status = (os.getcwd(), sys.argv), (io.StringIO(), io.StringIO()), 0
    try:
        os.chdir(cwd or before[0])
        sys.argv = [*map(str, words[2:])]
        with contextlib.redirect_stdout(said[0]), contextlib.redirect_stderr(said[1]):
            runpy.run_module(words[2], run_name="__main__", alter_sys=True)
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    finally:
        os.chdir(before[0])
        sys.argv = before[1]
    return subprocess.CompletedProcess(words, status, said[0].getvalue(), said[1].getvalue())


_COMMAND = re.compile(r"^( *)((?:\w+ *= *)?)!(.+)$", re.M)


def _as_call(line: re.Match[str]) -> str:
    before, kept, words = line.groups()
    return f"{before}{kept}_command({words!r}, {{**globals(), **locals()}}, {bool(kept)})"


def _command(words: str, names: dict[str, Any], kept: bool) -> list[str] | None:
    """A line ``!fdpedu …`` as a notebook has it: its words are shown, or kept as lines, or written to a file."""
    said, _, file = words.format_map(names).partition(" > ")
    call = shlex.split(said)
    if call[0] != "fdpedu":
        raise OSError(f"a browser runs no command but fdpedu, and this is {call[0]}")
    done = _run_here(subprocess.run, [sys.executable, "-m", *call])
    if file:
        pathlib.Path(file.strip()).write_text(done.stdout, "utf8")
    elif kept:
        return [*(done.stdout + done.stderr).splitlines()]
    print(("" if file else done.stdout) + done.stderr, end="")
    return None


def _linked(source: str, target: str) -> None:
    """The browser's files have no second names; where nobody else writes, a copy into a new file is as good."""
    with open(source, "rb") as content, open(target, "xb") as made:
        made.write(content.read())
    shutil.copymode(source, target)


def _with_positions_of_64_bits() -> None:
    """NumPy's own positions have 32 bits in a browser, where these refuse what a notebook gives them."""
    import numpy as np

    from fdpedu.exact import as_indices

    def taking(function: Any, at: int) -> Any:
        @functools.wraps(function)
        def taken(*given: Any, **named: Any) -> Any:
            kept = [as_indices(one) if place == at and _of_64_bits(one) else one for place, one in enumerate(given)]
            return function(*kept, **named)

        return taken

    for name, at in (("bincount", 0), ("take", 1), ("repeat", 1)):
        setattr(np, name, taking(getattr(np, name), at))


def _of_64_bits(value: Any) -> bool:
    return getattr(getattr(value, "dtype", None), "kind", "") in ("i", "u") and value.dtype.itemsize == 8


def _like_ipython() -> dict[str, ModuleType]:
    """`IPython.display` and `myst_nb` as cells use them; the whole of IPython would be three megabytes."""

    class Shown:
        def __init__(self, data: str) -> None:
            self.data = data

    class HTML(Shown):
        def _repr_html_(self) -> str:
            return self.data

    class Markdown(Shown):
        def _repr_markdown_(self) -> str:
            return self.data

    def glue(name: str, value: Any, display: bool = True) -> None:
        if display:
            show(value)

    module, above, tool = ModuleType("IPython.display"), ModuleType("IPython"), ModuleType("myst_nb")
    module.__dict__.update(HTML=HTML, Markdown=Markdown, display=show)
    above.__dict__.update(display=module, get_ipython=lambda: None, version_info=(8, 24), __path__=[])
    tool.__dict__.update(glue=glue)
    return {"IPython": above, "IPython.display": module, "myst_nb": tool}
