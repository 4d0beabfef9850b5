"""One list of chapters: the table of contents, the folders and the pages follow from it."""

import re

import pytest
import yaml

from fdpedu import chapters
from fdpedu.chapters import CHAPTERS, PARTS, TIERS, Chapter, collect, collect_from, folders, topics
from fdpedu.claims import REGISTER
from fdpedu.exercises import catalogue
from tests.support.repository import PACKAGE, ROOT, toc_pages

WRITTEN = [chapter for chapter in CHAPTERS if chapter.written]


def missing(chapter, root=ROOT):
    """What of a chapter's modules and folders is not there; exercises and a page come when it is written."""
    name = chapter.name
    for module in (module.replace(".", "/") for module in chapter.library):
        if not any((root / "fdpedu" / file).is_file() for file in (f"{module}.py", f"{module}/__init__.py")):
            yield f"fdpedu/{module}"
    needed = [f"fdpedu/claims/{name}/__init__.py"]
    if chapter.written:
        needed += [f"fdpedu/exercises/{name}/__init__.py", *(f"{page}.md" for page in chapter.pages)]
    yield from (file for file in needed if not (root / file).is_file())
    if not list((root / "tests" / name).glob("test_*.py")):
        yield f"tests/{name}"


def test_the_table_of_contents_is_the_list():
    """The pages of the written chapters, further pages included, in the same order; and no page is left over."""
    listed = [page for chapter in CHAPTERS for page in chapter.pages]
    assert [page for page in toc_pages() if page.startswith("book/chapters/")] == listed
    assert sorted(f"{page}.md" for page in listed) == sorted(
        path.relative_to(ROOT).as_posix() for path in (ROOT / "book" / "chapters").glob("*.md")
    )


def in_parts(contents):
    """The pages of chapters, further pages left out, below the caption of their part; whether the part is numbered."""
    for part in contents["parts"]:
        files = [entry["file"] for entry in part["chapters"]]
        if pages := [file for file in files if file.startswith("book/chapters/")]:
            yield part["caption"], part.get("numbered"), pages


def test_the_parts_of_the_book_are_the_list():
    """Each chapter stands below the caption of its part, and every part of chapters is numbered, as chapters are."""
    expected = [
        (f"Part {numeral}: {title}", True, pages)
        for numeral, title in PARTS.items()
        if (pages := [chapter.pages[0] for chapter in WRITTEN if chapter.part == numeral])
    ]
    assert list(in_parts(yaml.safe_load((ROOT / "_toc.yml").read_text("utf8")))) == expected


def test_a_chapter_stands_in_a_part():
    """The parts follow each other; the first is of the report, chapters 1 to 10."""
    order = [[*PARTS].index(chapter.part) for chapter in CHAPTERS]
    assert order == sorted(order) and [c.number for c in CHAPTERS if c.part == "I"] == list(range(1, 11))


def test_the_readme_and_the_front_page_have_every_written_chapter():
    """The table of chapters of the README by number and part; the front page by a link."""
    readme = (ROOT / "README.md").read_text("utf8")
    rows = re.findall(r"^\| (?:\*\*Part (\w+)\b[^|]*|(\d+) [^|]*)\|", readme, re.M)
    expected = []
    for chapter in WRITTEN:
        if chapter is WRITTEN[0] or expected[-1][2] != chapter.part:
            expected.append((chapter.part, "", chapter.part))
        expected.append(("", str(chapter.number), chapter.part))
    assert rows == [(part, number) for part, number, _ in expected]
    front = (ROOT / "book" / "index.md").read_text("utf8")
    links = re.findall(r"(?:^|chapter )\d+[.,] \[.*?\]\((chapters/\w+)\.md\)", front, re.M)
    assert [f"book/{page}" for page in links] == [chapter.pages[0] for chapter in WRITTEN]


@pytest.mark.parametrize("chapter", WRITTEN, ids=lambda chapter: chapter.name)
def test_a_page_has_the_title_of_the_list(chapter):
    assert re.search(r"^# (.*)$", (ROOT / f"{chapter.pages[0]}.md").read_text("utf8"), re.M)[1] == chapter.title


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_a_chapter_has_its_module_and_its_folders(chapter):
    assert list(missing(chapter)) == []


def test_the_check_of_folders_can_fail(tmp_path):
    """An empty folder lacks everything; a chapter that is not written needs no page and no exercises."""
    assert len(list(missing(Chapter(9, "nine", "Nine", modules=("eight", "sources.ten")), tmp_path))) == 4
    assert len(list(missing(Chapter(9, "nine", "Nine", written=True, further=("more",)), tmp_path))) == 6
    assert len(list(missing(Chapter(9, "nine", "Nine"), tmp_path))) == 3


def test_no_folder_is_of_no_chapter():
    names = {chapter.name for chapter in CHAPTERS}
    for folder in (PACKAGE / "claims", PACKAGE / "exercises"):
        assert {path.parent.name for path in folder.glob("*/__init__.py")} <= names | {
            "laws"
        }  # of every design and query
    modules = {module for tier in TIERS for module in tier} | {"viz"}
    assert {path.parent.name for path in (ROOT / "tests").glob("*/test_*.py")} <= modules | names | {"house", "book"}
    assert list((ROOT / "tests").glob("test_*.py")) == []


def test_a_chapter_of_the_first_part_has_the_module_of_its_name():
    """Those of the second part say which modules they explain."""
    assert [chapter.name for chapter in CHAPTERS if chapter.part == "I" and chapter.library != (chapter.name,)] == []


def test_numbers_count_from_one():
    assert [chapter.number for chapter in CHAPTERS] == list(range(1, len(CHAPTERS) + 1))


def test_pages_of_a_chapter():
    """A further page is called after its chapter; what is not written has no page."""
    chapter = Chapter(3, "three", "Three", written=True, further=("more", "most"))
    assert chapter.pages == tuple(f"book/chapters/03_three{end}" for end in ("", "_more", "_most"))
    assert Chapter(3, "three", "Three", further=("more",)).pages == ()


def test_whatever_stands_in_a_folder_is_collected(tmp_path, monkeypatch):
    """In the order of chapters, then of their topics, then of names; a module without the name has nothing."""
    for folder in ("house_a", "house_b"):
        (tmp_path / "collected" / folder).mkdir(parents=True)
        (tmp_path / "collected" / folder / "__init__.py").touch()
    (tmp_path / "collected" / "__init__.py").touch()
    (tmp_path / "collected" / "house_b" / "__init__.py").write_text("TOPICS = ('last', 'first')")
    texts = {"house_b/last": "[3]", "house_b/first": "[4]", "house_b/a": "[5]", "house_a/y": "[7]", "house_a/x": "[6]"}
    for name, text in texts.items():
        (tmp_path / "collected" / f"{name}.py").write_text(f"TWINS = {text}")
    (tmp_path / "collected" / "house_a" / "helper.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(
        chapters, "CHAPTERS", [Chapter(1, "house_b", "B"), Chapter(2, "none", ""), Chapter(3, "house_a", "A")]
    )
    assert list(collect("collected", "TWINS")) == [3, 4, 5, 6, 7]
    assert [folder.__name__ for folder in folders("collected")] == ["collected.house_b", "collected.house_a"]


def test_a_record_stands_in_the_folder_of_its_chapter():
    """And its order in the register, as that of the exercises, is that of the chapters."""
    order = [chapter.name for chapter in CHAPTERS]
    for entries in (REGISTER.values(), catalogue()):
        places = [order.index(entry.chapter) for entry in entries]
        assert places == sorted(places)
    for folder in folders("fdpedu.claims"):
        name = folder.__name__.rsplit(".", 1)[-1]
        claims = list(collect_from(folder, "CLAIMS"))
        registered = [label for label, claim in REGISTER.items() if claim.chapter == name]
        assert claims and [claim.label for claim in claims] == registered
        assert sorted(topics(folder)) == sorted(folder.TOPICS), f"{name} has its topics in the order of reading"
    assert len(list(collect("fdpedu.claims", "CLAIMS"))) == len(REGISTER)
