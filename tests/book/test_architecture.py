"""The page on how the house is built is read off the code."""

import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import architecture as page
import pytest

from fdpedu.chapters import CHAPTERS, TIERS
from tests.support.repository import PACKAGE, ROOT

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def graph():
    return page.imports()


def test_the_rooms_are_those_of_the_package(graph):
    """Every room that there is, once, and no other; the one that stands apart is marked."""
    there = {path.stem for path in PACKAGE.glob("*.py")} | {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert sorted(graph) == sorted(there - {"__init__", page.APART})


@pytest.mark.parametrize(
    ("source", "rooms"),
    [
        ("from fdpedu.cart.split import best_split", ["cart"]),
        ("from fdpedu import exact, trees as grown", ["exact", "trees"]),
        ("import fdpedu.domain, numpy, fdpedu.exact", ["domain", "exact"]),
        ("def late():\n    from fdpedu.cart import gini", ["cart"]),
        ("import numpy\nfrom fdpedunia.cart import gini\nfrom numpy import fdpedu\nimport fdpedu", []),
    ],
)
def test_every_kind_of_import_is_seen(source, rooms):
    assert list(page.imported(source)) == rooms


def test_an_arrow_is_left_out_exactly_where_it_follows_from_others(graph):
    """What can be reached by arrows is what is reached by imports; without any one arrow it would not be."""

    def reached(start, pairs):
        found, waiting = set(), [start]
        while waiting:
            room = waiting.pop()
            new = {used for source, used in pairs if source == room} - found
            found |= new
            waiting += new
        return found

    far = {"a": (), "b": ("a",), "c": ("b",), "d": ("a", "c")}
    assert page.arrows(far) == [("b", "a"), ("c", "b"), ("d", "c")]
    drawn, all_imports = page.arrows(graph), [(room, used) for room, used_ in graph.items() for used in used_]
    assert set(drawn) < set(all_imports)
    for room in graph:
        assert reached(room, drawn) == reached(room, all_imports)
    for arrow in drawn:
        assert reached(arrow[0], set(drawn) - {arrow}) != reached(arrow[0], drawn)


def test_the_drawing_shows_it_all(graph):
    """A label for each room below its tier's, an arc up for each arrow, all of it in words too; it fits a telephone."""
    svg = page.drawing(graph)
    tree = ElementTree.fromstring(svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1))
    assert tree.get("role") == "img" and int(tree.get("width")) <= 340 and int(tree.get("font-size")) >= 14
    labels = {text.text: float(text.get("y")) for text in tree.iter(f"{SVG}text")}
    assert [name for name in labels if name in graph] == list(graph)
    assert {name for name in labels if name not in graph} == {
        f"tier {i}" for i, t in enumerate(TIERS) if {*t} & {*graph}
    }
    bands = [(float(band.get("y")), float(band.get("height"))) for band in tree.iter(f"{SVG}rect")]
    tiers = [tier for tier in TIERS if {*tier} & {*graph}]
    for (top, height), tier in zip(bands, tiers, strict=True):
        assert all(top + 14 < labels[room] < top + height for room in tier if room in graph)
    arcs = [arc.findtext(f"{SVG}title") for arc in tree.iter(f"{SVG}g")]
    assert arcs == [f"{room} imports {used}" for room, used in page.arrows(graph)]
    for arc in tree.iter(f"{SVG}g"):
        curve, head = (path.get("d") for path in arc.iter(f"{SVG}path"))
        start, end = (float(re.match(r"M\S+ (\S+?)(?=[Cl])", path)[1]) for path in (curve, head))
        room, used = arc.findtext(f"{SVG}title").split(" imports ")
        assert (start, end) == (labels[room] - 8, labels[used] - 3) and end < start
        assert min(float(x) for x in re.findall(r"[MC ](-?[\d.]+) -?[\d.]+", curve)) > -60
    assert {name for name in tree.get("aria-labelledby").split()} == {e.get("id") for e in tree if e.get("id")}
    words = tree.findtext(f"{SVG}desc")
    for room, used in graph.items():
        assert f"{room} imports {', '.join(used) or 'no other module'}" in words
    assert not re.search(r"#[0-9a-f]{3,6}|rgb|white|black", svg), "a colour that one of the themes would hide"


def test_the_lists_name_every_room_and_every_chapter(graph, monkeypatch):
    """With their docstrings; a tier without a meaning is an error and not a gap."""
    words = page.rooms_in_words()
    assert re.findall(r"^- `(\w+)`: \S", words, re.M) == list(graph) and f"`{page.APART}`: " in words
    listed = page.folders()
    assert re.findall(r"^- \*\*(\d+)\. (\w+):\*\* ", listed, re.M) == [(str(c.number), c.name) for c in CHAPTERS]
    named = re.findall(r"`((?:fdpedu|tests|book)/[^`]+)`", listed)
    assert len(named) > 3 * len(CHAPTERS) and all((ROOT / path).exists() for path in named)
    monkeypatch.setattr(page, "MEANING", page.MEANING[:-1])
    with pytest.raises(ValueError, match="MEANING must have a line for each"):
        page.rooms_in_words()


def test_the_page_builds_alone(tmp_path):
    """Every directive of the page is known and gives HTML without a warning; an unknown view is refused."""
    text = (ROOT / "book" / "architecture.md").read_text("utf8")
    (tmp_path / "index.md").write_text(f"{text}\n```{{toctree}}\napi\nclaims\ntiny\n```\n", "utf8")
    for name in ("api", "claims", "tiny"):
        (tmp_path / f"{name}.md").write_text(f"# {name}\n", "utf8")
    (tmp_path / "conf.py").write_text(
        'extensions = ["myst_parser", "architecture"]\nmyst_enable_extensions = ["deflist"]\nmyst_heading_anchors = 2\n'
    )

    def build():
        code = f"import sys; sys.path[:0] = {[str(ROOT), str(ROOT / 'book' / '_ext')]}; "
        code += "from sphinx.cmd.build import main; sys.exit(main(['-W', '-n', '-q', '-E', '.', 'out']))"
        return subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, encoding="utf8")

    built = build()
    assert built.returncode == 0, built.stderr
    html = (tmp_path / "out" / "index.html").read_text("utf8")
    assert (
        html.count("<svg role=") == 1 and html.count("<table") == 0 and "<code" in html and "{architecture}" not in html
    )
    assert "<dt>Exact counts" in html
    (tmp_path / "index.md").write_text(text.replace("} graph", "} grph"), "utf8")
    broken = build()
    assert broken.returncode != 0 and "graph, rooms or folders" in broken.stderr
