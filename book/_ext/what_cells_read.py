"""Which files of the repository the cells of a page have read, and which folders they have listed.

What comes out of cells is kept while all of it is as it was (`tools/pages.py`). It is noted by every Python that runs
then, not guessed from the text of the cells.
"""

from __future__ import annotations

import hashlib
import os
import platform
from importlib.util import source_from_cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
RECORDER = Path(__file__).resolve().parent / "recorder"
ALWAYS = ("locks/book.lock", "pyproject.toml", "_config.yml")  # what else decides what a cell prints


def noting(notes: Path) -> dict[str, str]:
    """The environment of a process that notes there what it reads, as do those that it starts."""
    paths = filter(None, [str(RECORDER), os.environ.get("PYTHONPATH")])
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "FDPEDU_NOTES": str(notes)}


def noted(notes: Path) -> dict[str, str]:
    """What these notes name, and what else all cells depend on: path in the repository → its state now.

    A file that is compiled stands for its source. What is made, hidden or outside of the repository is left out, and so
    are the statements of a chapter of which nothing else was read: the register looks there for the label of another.
    """
    paths = {_source(Path(line)) for line in notes.read_text("utf8").splitlines()}
    inside = {path.relative_to(ROOT) for path in paths if path.is_relative_to(ROOT)}
    kept = {path for path in inside if path.parts and not any(map(_is_passed_over, path.parts))}
    loaded = {path.parent for path in kept if path.suffix == ".py" and path.stem != "__init__"}
    passed = {path.parent for path in kept if path.name == "statements.json"} - loaded
    kept = {path for path in kept if path not in passed and path.parent not in passed}
    return {name: state(name) for name in sorted({path.as_posix() for path in kept} | set(ALWAYS))}


def state(name: str) -> str:
    """A fingerprint of a file's bytes, or of the names in a folder; of nothing, where nothing is (any more)."""
    path = ROOT / name
    if path.is_dir():
        content = "\0".join(sorted(entry for entry in os.listdir(path) if not _is_passed_over(entry))).encode()
    else:
        content = path.read_bytes() if path.is_file() else b""
    return hashlib.sha256(f"{platform.python_version()}\0{path.exists()}\0".encode() + content).hexdigest()[:16]


def _is_passed_over(name: str) -> bool:
    return name.startswith(".") or name in ("__pycache__", "_build")


def _source(path: Path) -> Path:
    try:
        return Path(source_from_cache(str(path)))
    except ValueError:
        return path
