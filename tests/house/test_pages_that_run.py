"""After a change those pages run again whose cells have read what was changed, and no others."""

import runpy
from types import SimpleNamespace

import pytest
import what_cells_read
from what_cells_read import ALWAYS, noted, state

from tests.support.repository import ROOT

PAGES = runpy.run_path(str(ROOT / "tools" / "pages.py"))
CHANGES = [
    lambda root: (root / "package" / "a.py").write_text("other"),
    lambda root: (root / "package" / "a.py").unlink(),
    lambda root: (root / "package" / "b.py").touch(),
    lambda root: (root / "package" / "a.py").rename(root / "package" / "b.py"),
    lambda root: (root / "locks" / "book.lock").write_text("other"),
]
SAME = [
    lambda root: (root / "package" / "a.py").touch(),
    lambda root: (root / "package" / ".a.py.swp").touch(),
    lambda root: (root / "package" / "__pycache__").mkdir(),
    lambda root: (root / "data.csv").write_text("other"),  # nobody has read it
]


@pytest.fixture
def root(tmp_path, monkeypatch):
    """A small repository."""
    monkeypatch.setattr(what_cells_read, "ROOT", tmp_path)
    for name in ("package/a.py", "data.csv", *ALWAYS):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    return tmp_path


class Cache(list):
    """Of records, as jupyter-cache has it."""

    def list_cache_records(self):
        return list(self)

    def remove_cache(self, pk):
        self[:] = [record for record in self if record.pk != pk]


@pytest.mark.parametrize(("change", "runs"), [(c, True) for c in CHANGES] + [(c, False) for c in SAME])
def test_a_page_runs_again_if_what_it_read_has_changed(root, change, runs):
    """Its outputs are forgotten; those of pages that have not read it stay; those of which nothing is known go."""
    read, always = ({name: state(name) for name in (*names, *ALWAYS)} for names in (("package", "package/a.py"), ()))
    data = {"reads": {"read": read}, "else": {"read": always}, "by Sphinx": {"execution_seconds": 1}, "old": None}
    cache = Cache(SimpleNamespace(pk=i, uri=f"/book/{name}.md", data=data[name]) for i, name in enumerate(data))
    change(root)
    forgotten = {"by Sphinx", "old"} | ({"reads"} if runs else set())
    forgotten |= {"else"} if state("locks/book.lock") != always["locks/book.lock"] else set()
    assert PAGES["forget"](cache) == sorted(forgotten)
    assert [record.pk for record in cache] == [i for i, name in enumerate(data) if name not in forgotten]


def test_what_is_noted(root, tmp_path):
    """Sources and folders of the repository, each once; nothing that is made, hidden or elsewhere."""
    package = root / "package"
    names = [package, package / "a.py", package / "__pycache__" / "a.cpython-311.pyc", package / "__pycache__", root]
    names += [root / "data.csv", root / "_build" / "x", root / ".venv" / "x", "/etc/hosts", "b'bytes'", "3", "gone.py"]
    for chapter in ("read", "passed"):  # of both the register knows the labels
        names += [root / chapter, root / chapter / "__init__.py", root / chapter / "statements.json"]
    names.append(root / "read" / "topic.py")
    (root / "notes").write_text("".join(f"{name}\n" for name in names), "utf8")
    chapter = ("read", "read/__init__.py", "read/statements.json", "read/topic.py")
    kept = ("data.csv", "package", "package/a.py", *chapter, *ALWAYS)
    assert noted(root / "notes") == {name: state(name) for name in kept}
