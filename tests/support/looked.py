"""The looks of a page. What was found sound once is not looked at again while neither it nor what looks has changed.

The same holds for a tool: its tests pass over what has passed before for the same tool.
"""

import hashlib
from contextlib import contextmanager

import pytest

from tests.support.repository import ROOT

NARROW = 400
LOOKS = [("light", 1280), ("dark", NARROW), ("dark", 1280), ("light", NARROW)]


def files_of(*places):
    """All files of these places, a place being a file or a folder."""
    return [file for place in places for file in (sorted(place.rglob("*")) if place.is_dir() else [place])]


def print_of(files, *words):
    """A fingerprint of the contents of files and of some words."""
    digest = hashlib.sha256("\0".join(map(str, words)).encode())
    for file in filter(lambda path: path.is_file(), files):
        digest.update(file.name.encode() + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def stamp_of(test):
    """The stamp that a test of a tool leaves when it passes: a file, named by all that the test depends on.

    The marker ``tool`` names the tool's files; the test's own file and the environment's lock belong to it.
    """
    marker = test.get_closest_marker("tool")
    if marker is None:
        return None
    files = [*(ROOT / name for name in marker.args), test.path, ROOT / "locks" / "book.lock"]
    return ROOT / "_build" / "looked" / print_of(files, test.nodeid)


def pass_over(stamp):
    """Skip a test whose stamp is there."""
    if stamp and stamp.exists():
        pytest.skip("was found sound before, and nothing of it has changed since (`make clean` forgets that)")


def leave(stamp):
    """What has passed is remembered."""
    if stamp:
        stamp.parent.mkdir(parents=True, exist_ok=True)
        stamp.touch()


@contextmanager
def once(folder, printed):
    """Skip what is inside if it has passed before for the same fingerprint; the folder remembers what has passed."""
    stamp = folder / printed
    pass_over(stamp)
    yield
    leave(stamp)
