"""Print the fingerprint of what each target of the Makefile depends on, as `ENV=…` lines.

The Makefile puts fingerprints into the names of its stamps, so a changed, renamed or deleted file makes a target stale,
and a file that was merely touched does not. Only the standard library: this runs before there is an environment.
"""

import hashlib
import platform
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def files(*names):
    """All files under these names, save caches and what editors leave behind."""
    for name in names:
        path = ROOT / name
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            parts = file.relative_to(ROOT).parts
            if file.is_file() and not any(part == "__pycache__" or part.startswith((".", "#")) for part in parts):
                yield file


def environment():
    yield from files("locks/book.lock")


def package():
    """What the installed package's metadata is made of; the code itself is installed editable."""
    yield from environment()
    yield from files("pyproject.toml")


def book():
    """Of the benchmarks what pages show stored measurements with. No test: a changed one leaves the book as it is.

    Statements of claims and texts of exercises are written on pages, and copied into fdpedu/, which cells can see.
    """
    yield from package()
    pages = files("_config.yml", "_toc.yml", "book", "fdpedu", "CHANGELOG.md")
    yield from (file for file in pages if ROOT / "book" / "live" not in file.parents)
    yield from files(*(f"benchmarks/{name}.py" for name in ("__init__", "conclusions", "stamp", "tables", "words")))
    yield from files("tools/fingerprint.py", "tools/mutants.py", "tools/pages.py", "tools/statements.py")


def peers():
    yield from files("locks/peers.lock")


def boosted():
    yield from files("locks/peers-boosting.lock")


def field():
    yield from files("locks/field.lock", "pyproject.toml")


def public():
    yield from files("locks/public.lock")


def pyodide():
    yield from files("locks/live.json")


def live():
    yield from book()
    yield from pyodide()
    yield from files("book/live", "tools/live.py")


HERE = f"{platform.python_version()}\0{ROOT}\0"  # an environment's scripts hold absolute paths


def fingerprint(group, place=HERE):
    """Of all files of the group, and of this Python and this place, unless ``place`` is empty."""
    return fingerprint_of(group(), ROOT, place)


def fingerprint_of(paths, root, place="", read=Path.read_bytes):
    """Of the names and contents of files below a root; ``read`` may leave something out of a file."""
    digest = hashlib.sha256(place.encode())
    for file in sorted(set(paths)):
        content = hashlib.sha256(read(file)).hexdigest()
        digest.update(f"{file.relative_to(root).as_posix()}\0{content}\0".encode())
    return digest.hexdigest()[:16]


if __name__ == "__main__":
    if sys.version_info < (3, 11):  # noqa: UP036 (this file is what tells an older Python so)
        sys.exit(f"fdpedu needs Python 3.11 or newer, and {sys.executable} is {platform.python_version()}")
    for group in (environment, package, book, peers, boosted, field, public, pyodide, live):
        print(f"{group.__name__}={fingerprint(group)}")
