"""What stands in the browser for what a browser has not, where both are to be had: they do the same."""

import os
import subprocess
import sys
from functools import partial

import numpy as np
import pytest

from tests.support.repository import ROOT

sys.path.append(str(ROOT / "book" / "live"))
import cells

here = partial(cells._run_here, subprocess.run)


@pytest.mark.parametrize("words", [["--version"], ["check-derivation", "none.json"]], ids=" ".join)
def test_a_command_says_the_same_without_a_process(words, tmp_path):
    """What it prints, on both streams, and its exit status; then all is as before."""
    before, call = (os.getcwd(), sys.argv), [sys.executable, "-m", "fdpedu", *words]
    other = subprocess.run(call, capture_output=True, encoding="utf8", cwd=tmp_path)
    one = here(call, capture_output=True, encoding="utf8", cwd=tmp_path)
    assert (one.returncode, one.stdout, one.stderr) == (other.returncode, other.stdout, other.stderr)
    assert (os.getcwd(), sys.argv) == before


@pytest.mark.parametrize("words", [["true"], "true", [sys.executable, "-c", "1"]], ids=str)
def test_any_other_process_is_the_systems_business(words):
    assert cells._run_here(lambda *given, **named: (given, named), words, shell=True) == (
        (words,),
        {"cwd": None, "shell": True},
    )


def test_a_line_of_a_notebook_that_is_a_command_runs(monkeypatch, tmp_path, capsys):
    """Shown, kept, or written to a file, with names of the cell put in; no command but fdpedu."""
    monkeypatch.chdir(tmp_path)
    source = (
        'what = "--version"\nif what:\n    shown = !fdpedu {what}\n!fdpedu {what} > out.txt\n!fdpedu {what}\nx = 1 != 2'
    )
    namespace = {"_command": cells._command}
    exec(cells._COMMAND.sub(cells._as_call, source), namespace)
    printed = capsys.readouterr().out
    assert printed.startswith("fdpedu ") and (tmp_path / "out.txt").read_text("utf8") == printed and namespace["x"]
    assert namespace["shown"] == printed.splitlines()
    with pytest.raises(OSError, match="no command but fdpedu"):
        exec(cells._COMMAND.sub(cells._as_call, "!ls"), namespace)


def test_a_second_name_is_a_new_file_with_the_same_rights(tmp_path):
    """And never in place of one that is there, as with `os.link`."""
    (tmp_path / "a").write_bytes(b"kept")
    (tmp_path / "a").chmod(0o600)
    cells._linked(tmp_path / "a", tmp_path / "b")
    assert (tmp_path / "b").read_bytes() == b"kept" and (tmp_path / "b").stat().st_mode & 0o777 == 0o600
    for link in (os.link, cells._linked):
        with pytest.raises(FileExistsError):
            link(tmp_path / "a", tmp_path / "b")


@pytest.fixture
def patched(monkeypatch):
    for name in ("bincount", "take", "repeat"):
        monkeypatch.setattr(np, name, getattr(np, name))
    return cells._with_positions_of_64_bits


@pytest.mark.parametrize(
    "call",
    [
        lambda: np.bincount(np.array([1, 3, 1], dtype=np.int64), minlength=6),
        lambda: np.take(np.array([5, 6, 7]), np.array([2, 0])),
        lambda: np.repeat([5, 6], np.array([2, 0])),
        lambda: np.repeat(np.arange(4.0).reshape(2, 2), 2, axis=1),
        lambda: np.bincount([0, 2], weights=[0.5, 1.5]),
    ],
)
def test_positions_of_64_bits_are_taken_and_nothing_else_changes(patched, call):
    expected = call()
    patched()
    assert call().tolist() == expected.tolist() and call().dtype == expected.dtype


def test_floats_are_no_positions(patched):
    patched()
    with pytest.raises(TypeError):
        np.bincount(np.array([1.0]))
