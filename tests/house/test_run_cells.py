"""The cells of several pages run at the same time, and once."""

import gc
from textwrap import dedent
from types import SimpleNamespace

import fdpedu_book
import pytest
import run_cells
from jupyter_cache import get_cache
from myst_nb.core.config import NbParserConfig
from myst_parser.config.main import MdParserConfig
from what_cells_read import state

from tests.support.repository import ROOT

pytestmark = pytest.mark.tool(
    *(f"book/_ext/{name}.py" for name in ("run_cells", "fdpedu_book", "what_cells_read", "recorder/sitecustomize"))
)
HEAD = "---\njupytext:\n  text_representation:\n    format_name: myst\nkernelspec:\n  name: python3\n---\n# Title\n"
MEETS = """
    import pathlib, time

    pathlib.Path({own!r}).touch()
    print("waits", end="", flush=True)
    while not pathlib.Path({other!r}).exists():
        time.sleep(0.1)
    time.sleep(0.5)  # what has been printed is on its way: the rest arrives as another piece
    print(" for the other")
    print(pathlib.Path.cwd() == pathlib.Path({folder!r}))
"""
READS = """
import pathlib, subprocess, sys
from fdpedu import files

pathlib.Path({root!r}, "CITATION.cff").read_text("utf8")
list(pathlib.Path({root!r}, "locks").iterdir())
subprocess.run([sys.executable, "-m", "fdpedu", "--version"], stdout=subprocess.DEVNULL, check=True)
"""
ALONE = """
import pathlib, time

here = pathlib.Path({!r})
print(here.exists())
here.touch()
time.sleep(1)
here.unlink()
"""


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Write pages with one cell each and run them on two cores; returns what the cache then has of each."""
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    settings = NbParserConfig(
        execution_mode="cache", execution_cache_path=str(tmp_path / "cache"), execution_timeout=30
    )

    def run(kernels=None, **cells):
        monkeypatch.setenv("FDPEDU_KERNELS", str(kernels or 0))
        pages = {name: tmp_path / f"{name}.md" for name in cells}
        for name, cell in cells.items():
            text = f"{HEAD}\n```{{code-cell}}\n{dedent(cell).strip()}\n```\n" if cell else "# No cells\n"
            pages[name].write_text(text, "utf8")
        env = SimpleNamespace(
            mystnb_config=settings, myst_config=MdParserConfig(), doc2path=lambda name: str(pages[name])
        )
        run_cells.run_cells(SimpleNamespace(env=env), list(cells), lambda _, name: pages[name].read_text("utf8"))
        run.cache = cache = get_cache(tmp_path / "cache")
        cell_of = {record.uri: cache.get_cache_bundle(record.pk).nb.cells[0] for record in cache.list_cache_records()}
        return {name: cell_of[str(page)].outputs for name, page in pages.items() if str(page) in cell_of}

    return run


def test_pages_run_at_the_same_time_and_once(run, tmp_path, capsys):
    """Two that wait for each other end; what they print is whole; they run in no folder of ours, and not again."""
    places = {"one": str(tmp_path / "1"), "two": str(tmp_path / "2"), "folder": str(tmp_path)}
    one = MEETS.format(own=places["one"], other=places["two"], folder=places["folder"])
    two = MEETS.format(own=places["two"], other=places["one"], folder=places["folder"])
    kept = run(one=one, two=two, words="")
    assert set(kept) == {"one", "two"}
    for (output,) in kept.values():
        assert output.text == "waits for the other\nFalse\n"
    assert "2 of 2 pages with cells" in capsys.readouterr().out
    assert run(one=one, two=two) == kept and capsys.readouterr().out == ""


def test_one_at_a_time(run, tmp_path):
    """Where a page asks to run alone, none meets another."""
    cell = ALONE.format(str(tmp_path / "here"))
    kept = run(kernels=1, one=cell, two=f"{cell}2\n")
    assert [output.text for outputs in kept.values() for output in outputs[:1]] == ["False\n", "False\n"]


def test_what_cells_read_is_kept_beside_what_comes_out(run, tmp_path):
    """Files, folders and modules, also of a command that a cell starts; each with its state."""
    run(reads=READS.format(root=str(ROOT)))
    (record,) = run.cache.list_cache_records()
    read = record.data["read"]
    assert read.keys() >= {"fdpedu/files.py", "fdpedu/__init__.py", "fdpedu/cli/__init__.py", "CITATION.cff", "locks"}
    assert "fdpedu/dlpa/shares.py" not in read
    assert all((ROOT / name).exists() and state(name) == then for name, then in read.items())


def test_a_page_that_fails_is_not_kept_and_harms_no_other(run, capsys):
    """Sphinx runs it again when it reads it, and tells what is wrong."""
    kept = run(raises="1 / 0", ends="import os\nos._exit(1)", sound="print(1)")
    assert set(kept) == {"sound"}
    assert "raises" not in capsys.readouterr().out


def test_the_book_asks_for_it_before_it_reads_pages():
    """With the text that is read: in the student edition, without solutions."""
    connected = {}
    app = SimpleNamespace(
        connect=lambda event, handler, priority=500: connected.setdefault(event, handler),
        setup_extension=lambda name: None,
        add_directive=lambda *named, **options: None,
        add_config_value=lambda *named: None,
        outdir="html",
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FDPEDU_STATIC", "1")
        patch.setenv("FDPEDU_SLIDES", "slides")
        patch.setattr(gc, "set_threshold", lambda *_: None)
        asked = []
        patch.setattr(fdpedu_book, "run_cells", lambda *arguments: asked.append(arguments))
        fdpedu_book.setup(app)
        connected["env-before-read-docs"](app, None, ["page"])
    assert asked == [(app, ["page"], fdpedu_book.page_text)]


def test_a_book_without_a_cache_runs_its_cells_itself():
    """Nothing is run ahead where nothing would be kept."""
    settings = NbParserConfig(execution_mode="off")
    env = SimpleNamespace(mystnb_config=settings)
    assert run_cells.run_cells(SimpleNamespace(env=env), ["page"], None) is None
