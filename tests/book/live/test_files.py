"""The files of the live edition: locked, checked, vendored, few; and none of them in the plain book."""

import hashlib
import json
import re

import pytest

from tests.support.repository import ROOT
from tools import live

FOLDER = ROOT / "book" / "live"
BUILT = ROOT / "_build" / "live"
ALL = {**live.LOCK["packages"], **live.LOCK["only official"], **live.LOCK["wheels"]}


def test_the_lock_names_all_that_its_packages_need():
    """And each file by a hash."""
    for entry in ALL.values():
        assert set(entry["depends"]) <= set(ALL) and re.fullmatch("[0-9a-f]{64}", entry["sha256"])
    assert all(re.fullmatch("[0-9a-f]{64}", sha256) for sha256 in live.wanted(official=True).values())
    assert set(live.FIRST) - {"fdpedu"} <= set(live.LOCK["packages"])


def test_the_mirror_is_named_in_the_lock_and_nowhere_else():
    """So are the versions of Pyodide and of the three wheels."""
    name = live.LOCK["mirror"]["name"]
    folders = ("book", "fdpedu", "locks", "tests", "tools")
    texts = [
        path for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix in (".py", ".json", ".lock")
    ]
    texts += [ROOT / "Makefile", ROOT / "requirements.txt", ROOT / "CONTRIBUTING.md", ROOT / "README.md"]
    named = [path for path in texts if name in path.read_text("utf8")]
    assert [path.relative_to(ROOT).as_posix() for path in named] == ["locks/live.json"]


@pytest.fixture
def copy(tmp_path, monkeypatch):
    """A folder that claims to be a copy of Pyodide, of two files; and no wheel is fetched."""
    content = {"pyodide.js": b"script", "numpy.whl": b"wheel"}
    sha256 = {name: hashlib.sha256(text).hexdigest() for name, text in content.items()}
    lock = {
        **live.LOCK,
        "runtime": {"pyodide.js": sha256["pyodide.js"]},
        "packages": {"numpy": {"file_name": "numpy.whl", "sha256": sha256["numpy.whl"]}},
        "only official": {},
    }
    monkeypatch.setattr(live, "LOCK", lock)
    monkeypatch.setattr(live, "from_pypi", lambda folder, entries: None)
    for name, text in content.items():
        (tmp_path / name).write_bytes(text)
    return tmp_path


def test_a_copy_is_taken_if_each_file_has_its_hash(copy, tmp_path):
    live.fetch(tmp_path / "a" / "into", str(copy))
    assert sorted(path.name for path in (tmp_path / "a" / "into").iterdir()) == ["numpy.whl", "pyodide.js"]


@pytest.mark.parametrize("name", ["pyodide.js", "numpy.whl"])
def test_a_changed_file_is_refused_by_name(copy, tmp_path, name):
    with (copy / name).open("ab") as file:
        file.write(b"!")
    with pytest.raises(SystemExit, match=f"{name} is not the file that locks/live.json names"):
        live.fetch(tmp_path / "into", str(copy))


def test_a_page_whose_cells_are_not_those_of_its_source_is_refused(tmp_path):
    """Else a button would run another cell than it stands below."""
    page = ROOT / "book" / "chapters" / "01_cart.md"
    place = tmp_path / "book" / "chapters" / "01_cart.html"
    place.parent.mkdir(parents=True)
    place.write_text('<head></head><div class="cell docutils container"></div>', "utf8")
    with pytest.raises(SystemExit, match="cells are to be seen, and the page has 1"):
        live.offer(tmp_path, page, 17)


def test_the_editor_is_the_one_we_vendored():
    expected, name = (FOLDER / "vendor" / "codemirror.js.sha256").read_text("utf8").split()
    assert hashlib.sha256((FOLDER / "vendor" / name).read_bytes()).hexdigest() == expected
    recipe = (FOLDER / "vendor" / "codemirror.txt").read_text("utf8")
    assert "esbuild@" in recipe and "MIT" in (FOLDER / "vendor" / "codemirror-LICENSE").read_text("utf8")


def test_our_own_scripts_are_at_most_600_lines():
    own = [path for path in FOLDER.rglob("*.js") if path.name != "codemirror.js"]
    assert len(own) == 3 and sum(path.read_text("utf8").count("\n") for path in own) <= 600


def test_our_scripts_name_no_other_place():
    for path in (*FOLDER.glob("*.js"), FOLDER / "live.css"):
        assert "//" not in re.sub(r"^ *// .*|(?<!:)// .*$", "", path.read_text("utf8"), flags=re.M), path


def test_the_plain_book_has_nothing_of_it(html):
    """No script and no style."""
    for page in html.rglob("*.html"):
        assert not {"fdpedu-live", "live.css", "page.js"} & {
            *re.findall(r"[\w-]+(?:\.\w+)?", page.read_text("utf8"))
        }, page
    assert not (html / "live").exists()


def test_a_live_page_is_the_plain_one_and_two_lines(html):
    """So the plain book has not grown by a byte for it, and what other tests find of its pages holds of these."""
    if not BUILT.is_dir():
        pytest.fail("the live edition is not built: run `make live`")
    ours = re.compile(r'<link rel="stylesheet" href="[./]*live/live.css">\n<script type="module" [^<>]*></script>\n')
    offered = 0
    for page in html.rglob("*.html"):
        live_page, found = ours.subn("", (BUILT / page.relative_to(html)).read_text("utf8"))
        assert live_page == page.read_text("utf8") and found <= 1, page
        offered += found
    assert offered == len(list((BUILT / "live" / "pages").iterdir())) > 40


def test_the_lock_is_json_a_package_a_line():
    text = (ROOT / "locks" / "live.json").read_text("utf8")
    assert json.loads(text) == live.LOCK and max(map(len, text.splitlines())) < 700
