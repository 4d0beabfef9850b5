"""The looks of a page. What was found sound once is not looked at again while neither it nor what looks has changed."""

import hashlib
from contextlib import contextmanager

import pytest

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


@contextmanager
def once(folder, printed):
    """Skip what is inside if it has passed before for the same fingerprint; the folder remembers what has passed."""
    stamp = folder / printed
    if stamp.exists():
        pytest.skip("was found sound before, and nothing of it has changed since (`make clean` forgets that)")
    yield
    folder.mkdir(parents=True, exist_ok=True)
    stamp.touch()
