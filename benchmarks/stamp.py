"""Where, when and on which code something was measured.

The code is that of the package's files which this process has loaded. Each has a print of its own, without comments and
docstrings, so a page can say later which of the measured parts have changed, and is silent about all other files.
"""

import ast
import datetime
import platform
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import fdpedu

PACKAGE = Path(fdpedu.__file__).parent
EQUAL_PARTS = ", with rows dealt in equal parts"
"""So ends the date of a file from before each row had a draw of its own; a page that shows numbers shows their date."""


def stamp() -> dict[str, Any]:
    """Kind of processor, versions of Python and of the package, date, and a print of each measured file.

    To be called at the end, when all that was measured is loaded.
    """
    return {
        "processor": processor(),
        "python": platform.python_version(),
        "version": fdpedu.__version__,
        "date": datetime.date.today().isoformat(),
        "measured": {name: code_print((PACKAGE / name).read_text("utf8")) for name in loaded()},
    }


def processor() -> str:
    """The kind of processor, as the system calls it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def loaded() -> list[str]:
    """The files of the package that this process has loaded, below its folder; the list of chapters is no code."""
    modules = (module for name, module in sys.modules.items() if name.startswith("fdpedu."))
    files = [Path(module.__file__) for module in modules if getattr(module, "__file__", None)]  # not mere folders
    names = {file.relative_to(PACKAGE).as_posix() for file in files if file.is_relative_to(PACKAGE)}
    return sorted(names - {"chapters.py"})


def code_print(text: str) -> str:
    """A fingerprint of a file of Python, which neither comments nor docstrings nor its layout change."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:]
    return sha256(ast.dump(tree).encode()).hexdigest()[:8]


def changed_since(kept: dict[str, Any]) -> list[str]:
    """The modules of the package of which a measured file is another now, or gone; in the order of the alphabet."""
    names = (name for name, code in kept["measured"].items() if _print_now(name) != code)
    return sorted({name.split("/")[0].removesuffix(".py") for name in names})


def since(kept: dict[str, Any]) -> str:
    """When and where a stored file was measured, and which of the modules that it measured have changed since."""
    said = f"version {kept['version']}, {kept['date']}, one thread of “{kept['processor']}”"
    if not kept["measured"]:
        return f"{said}."  # an older file, which does not say what it measured
    changed = changed_since(kept)
    if not changed:
        return f"{said}; the code that was measured is the one that you have."
    return f"{said}; of the modules that were measured, {', '.join(changed)} have other code today."


def _print_now(name: str) -> str | None:
    file = PACKAGE / name
    return code_print(file.read_text("utf8")) if file.is_file() else None
